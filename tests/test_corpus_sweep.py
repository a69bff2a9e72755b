"""Every tool of the corpus in every named dialect: what comes out is inside the dialect, and only known tools fail.

Which tools cannot be read is a list kept beside the tests (``oracles/corpus_exceptions.json``), exact both ways.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.oracles import corpus, judge
from tests.oracles.structure import FORMS, check

import toolglot as tg

NAMED = ("canonical", "flat", "openai_strict", "anthropic_strict", "bedrock_strict", "nova", "gemini")
EXCEPTIONS = Path(__file__).with_name("oracles") / "corpus_exceptions.json"
SHOWN = 25


def text(document: Any) -> str:
    """JSON text with keys as they stand, so that order counts."""
    return json.dumps(document, ensure_ascii=False)


def exceptions(dialect: str | None = None) -> dict[tuple[str, str, str], dict[str, Any]]:
    """(file, tool, direction) -> the row: error class, reason, and in which dialects where not in all.

    ``engine`` says why another engine reads the schema all the same.
    """
    rows: list[dict[str, Any]] = json.loads(EXCEPTIONS.read_text("utf-8"))
    return {
        (row["file"], row["tool"], row["direction"]): row
        for row in rows
        if dialect is None or dialect in row.get("dialects", NAMED)
    }


def listed(dialect: str) -> dict[str, frozenset[str] | None]:
    """The dialect's own lists; ``None`` where everything is taken."""
    table = tg.dialect(dialect)
    keeps = table.rule("unknown_keywords") == "keep"
    return {
        "keywords": None if keeps else frozenset(table.keywords),
        "formats": None if table.formats is None else frozenset(table.formats),
    }


def test_the_named_dialects() -> None:
    assert tg.dialects()[: len(NAMED)] == NAMED
    assert set(NAMED) == set(FORMS)


@pytest.mark.parametrize("dialect", NAMED)
def test_every_tool(dialect: str, shared: Path, count: Callable[[str], None]) -> None:
    counts: Counter[str] = Counter()
    failures: list[str] = []
    refused: dict[tuple[str, str, str], str] = {}

    def fail(what: str, where: str, detail: str) -> None:
        counts[f"FAILED {what}"] += 1
        if counts[f"FAILED {what}"] <= SHOWN:
            failures.append(f"{what}: {where}: {detail[:300]}")

    for tool in corpus.tools(shared):
        counts["tools"] += 1
        for direction, schema in tool.schemas():
            where = f"{tool.where} ({direction})"
            before = text(schema)
            try:
                spelled = tg.project(schema, dialect, direction=direction, draft=tool.draft).schema
            except tg.SchemaError as error:
                refused[tool.file, tool.name, direction] = type(error).__name__
                continue
            except Exception as error:  # every other error is a failure, and the sweep goes on
                fail("exception", where, f"{type(error).__name__}: {error}")
                continue
            finally:
                if text(schema) != before:
                    fail("input changed", where, before)
            counts[direction] += 1
            written = text(spelled)
            counts["characters"] += len(written)

            spelled_as = dialect if direction == "input" else tg.dialect(dialect).rule("outputs") or dialect
            for finding in check(spelled, spelled_as, direction=direction, **listed(spelled_as)):
                fail(finding.rule, where, f"{finding.pointer or '#'}: {finding.detail}")
            if dialect == "canonical" and written != before:
                fail("canonical is not the input", where, written)

            if not isinstance(spelled, dict) and not (spelled is schema and dialect in ("canonical", "flat")):
                fail("not a dict", where, written)
                continue

            # What came out is 2020-12, but for canonical, which is what went in.
            draft = tool.draft if dialect == "canonical" else None
            try:
                again = tg.project(spelled, dialect, direction=direction, draft=draft).schema
            except Exception as error:
                fail("second projection", where, f"{type(error).__name__}: {error}")
                continue
            if text(again) != written:
                fail("not the same twice", where, difference(spelled, again))

    known = {key: row["error"] for key, row in exceptions(dialect).items()}
    for key in sorted(refused.keys() | known.keys()):
        if refused.get(key) != known.get(key):
            fail("exceptions", ":".join(key), f"raised {refused.get(key)}, listed {known.get(key)}")
    count(f"{dialect}: {dict(counts)}, {len(refused)} refused: {dict(Counter(refused.values()))}")
    assert counts["tools"] > 0, "the corpus is empty"
    assert not failures, f"{dict(counts)}\n" + "\n".join(failures)


def test_every_exception_is_refused_by_another_engine_too(shared: Path, count: Callable[[str], None]) -> None:
    """No schema is given up that a JSON Schema engine can read, unless its row says why."""
    schemas = {
        (tool.file, tool.name, direction): (schema, tool.draft)
        for tool in corpus.tools(shared)
        for direction, schema in tool.schemas()
    }
    counts: Counter[str] = Counter()
    unconfirmed = []
    for key, row in exceptions().items():
        schema, draft = schemas[key]
        counts[row["error"]] += 1
        assert row["reason"], key
        try:
            judge.as_written(schema, draft)
        except judge.DoesNotCompile:
            continue
        if not row.get("engine"):
            unconfirmed.append(f"{key}: {row['reason']}")
    count(f"exceptions: {dict(counts)}")
    assert not unconfirmed, "\n".join(unconfirmed)


def difference(one: Any, other: Any) -> str:
    """Where two documents first differ, and how."""
    work = [("", one, other)]
    while work:
        at, a, b = work.pop()
        if isinstance(a, dict) and isinstance(b, dict):
            if list(a) != list(b):
                return f"{at or '#'}: keys {list(a)} / {list(b)}"
            work.extend((f"{at}/{key}", a[key], b[key]) for key in a)
        elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
            work.extend((f"{at}/{index}", *pair) for index, pair in enumerate(zip(a, b, strict=True)))
        elif text(a) != text(b):
            return f"{at or '#'}: {text(a)[:120]} / {text(b)[:120]}"
    return "equal"
