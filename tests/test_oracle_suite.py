"""Instances of other people judged over the schema as read and over its ``flat`` projection: one verdict.

The JSON-Schema-Test-Suite states what is valid; MaskBench's instances were valid or not for the schemas as written.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.oracles import corpus, judge
from tests.oracles.corpus import Tool

import toolglot as tg

SUITES = ("json-schema-test-suite-draft2020-12", "json-schema-test-suite-draft7")
MASKBENCH = tuple(
    f"jsonschemabench-{name}"
    for name in (
        "github_easy github_hard github_medium github_trivial github_ultra glaiveai2k jsonschemastore kubernetes "
        "snowplow washingtonpost"
    ).split()
)
KNOWN = Path(__file__).with_name("oracles") / "suite_exceptions.json"
Count = Callable[[str], None]


def known(part: str) -> dict[str, str]:
    """name -> reason; ``part`` is ``canonical`` (verdict differs from the stated one) or ``flat`` (from canonical)."""
    found: dict[str, str] = json.loads(KNOWN.read_text("utf-8"))[part]
    return found


def unreadable() -> set[tuple[str, str]]:
    rows = json.loads(KNOWN.with_name("corpus_exceptions.json").read_text("utf-8"))
    return {(row["file"], row["tool"]) for row in rows if row["direction"] == "input"}


def judges(tool: Tool, counts: Counter[str]) -> tuple[Any, Any] | None:
    """The judges of the schema as read and of its flat form, or ``None`` for a tool known not to be readable."""
    formats = "optional_format" in tool.name  # as the suite runs them: elsewhere a format is an annotation
    try:
        read = tg.read(tool.schema, draft=tool.draft)
        flat = tg.project(tool.schema, "flat", draft=tool.draft).schema
    except tg.SchemaError:
        assert (tool.file, tool.name) in unreadable(), f"{tool.where} cannot be read and is not listed"
        counts["unreadable"] += 1
        return None
    return judge.as_2020_12(read, formats=formats), judge.as_2020_12(flat, formats=formats)


def by_name(shared: Path, file: str) -> dict[str, Tool]:
    return {tool.name: tool for tool in corpus.tools(shared) if tool.file == file}


def test_no_source_is_left_out(shared: Path) -> None:
    assert corpus.instance_files(shared) == sorted((*SUITES, *MASKBENCH))


@pytest.mark.parametrize("file", SUITES)
def test_suite(file: str, shared: Path, count: Count) -> None:
    tools = by_name(shared, file)
    counts: Counter[str] = Counter()
    canonical_differs: set[str] = set()
    flat_differs: set[str] = set()
    for name, cases in corpus.instances(shared, file).items():
        pair = judges(tools[name], counts)
        if pair is None:
            continue
        counts["tools"] += 1
        for case in cases:
            counts["instances"] += 1
            read, flat = (one.is_valid(case.data) for one in pair)
            if read != case.valid:
                canonical_differs.add(f"{name}: {case.description}")
            if flat != read:
                flat_differs.add(f"{name}: {case.description}")
    count(f"{file}: {dict(counts)}")
    mark = file.rsplit("-draft", 1)[1]
    for part, differs in (("canonical", canonical_differs), ("flat", flat_differs)):
        listed = {name for name in known(part) if name.startswith(f"jsts_draft{mark}_")}
        assert differs - listed == set(), f"{part}: verdicts that are wrong and not listed"
        assert listed - differs == set(), f"{part}: listed as known, but right by now"
    assert counts["instances"] > 500


@pytest.mark.parametrize("file", MASKBENCH)
def test_maskbench(file: str, shared: Path, count: Count) -> None:
    tools = by_name(shared, file)
    counts: Counter[str] = Counter()
    differs: set[str] = set()
    for name, cases in corpus.instances(shared, file).items():
        try:
            pair = judges(tools[name], counts)
        except judge.DoesNotCompile:
            counts["does not compile"] += 1
            with pytest.raises(judge.DoesNotCompile):  # only where the author's own document does not either
                judge.as_written(tools[name].schema)
            continue
        if pair is None:
            continue
        counts["tools"] += 1
        for index, case in enumerate(cases):
            counts["instances"] += 1
            read, flat = (one.is_valid(case.data) for one in pair)
            counts["as stated"] += read == case.valid
            if read != flat:
                differs.add(f"{name}: {case.description or index}")
    count(f"{file}: {dict(counts)}")
    listed = {name for name in known("flat") if name.split(":")[0] in tools}
    assert differs == listed
    assert counts["instances"]
