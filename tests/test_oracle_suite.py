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


def judges(tool: Tool, counts: Counter[str]) -> tuple[Any, Any] | str:
    """The judges of the schema as read and of its flat form; else what is wrong (``""``: nothing that is ours)."""
    formats = "optional_format" in tool.name  # as the suite runs them: elsewhere a format is an annotation
    try:
        read = tg.read(tool.schema, draft=tool.draft)
        flat = tg.project(tool.schema, "flat", draft=tool.draft).schema
    except tg.SchemaError as error:
        counts["unreadable"] += 1
        return "" if (tool.file, tool.name) in unreadable() else f"{tool.name}: cannot be read: {error}"
    made = []
    for form, schema in (("as read", read), ("flat", flat)):
        try:
            made.append(judge.as_2020_12(schema, formats=formats))
        except judge.DoesNotCompile as error:
            counts["does not compile"] += 1
            try:
                judge.as_written(tool.schema, tool.draft)
            except judge.DoesNotCompile:
                return ""
            return f"{tool.name}: does not compile {form}, but as written: {str(error)[:120]}"
    return made[0], made[1]


def by_name(shared: Path, file: str) -> dict[str, Tool]:
    return {tool.name: tool for tool in corpus.tools(shared) if tool.file == file}


def test_no_source_is_left_out(shared: Path) -> None:
    assert corpus.instance_files(shared) == sorted((*SUITES, *MASKBENCH))


@pytest.mark.parametrize("file", [*SUITES, *MASKBENCH])
def test_verdicts(file: str, shared: Path, count: Count) -> None:
    tools = by_name(shared, file)
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    differs: dict[str, dict[str, str]] = {"canonical": {}, "flat": {}}
    for name, cases in corpus.instances(shared, file).items():
        pair = judges(tools[name], counts)
        if isinstance(pair, str):
            wrong += [pair] if pair else []
            continue
        counts["tools"] += 1
        for index, case in enumerate(cases):
            counts["instances"] += 1
            read, flat = (one.is_valid(case.data) for one in pair)
            key = f"{name}: {case.description or index}"
            if file in SUITES and read != case.valid:
                differs["canonical"][key] = f"stated {case.valid}, canonical {read}"
            if flat != read:
                differs["flat"][key] = f"canonical {read}, flat {flat}"
            counts["as stated"] += read == case.valid
    count(f"verdicts of {file}: {dict(counts)}, flat differs {len(differs['flat'])}")
    assert counts["instances"]
    for part, found in differs.items():
        listed = {key for key in known(part) if key.split(":")[0] in tools}
        wrong += [f"{part}: {key}: {found[key]}" for key in sorted(found.keys() - listed)]
        wrong += [f"{part}: {key}: listed as an exception, but right" for key in sorted(listed - found.keys())]
    assert not wrong, "\n".join(wrong)
