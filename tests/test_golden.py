"""Every named dialect against documents that were written out by hand from the spec, before the code.

``golden/<theme>/schema.json`` is projected; ``golden/<theme>/<dialect>.json`` is what must come out, key order
included. Optional files of a theme: ``direction.txt`` (``output``; otherwise ``input``) and ``not_idempotent.json``
(dialect -> why projecting the golden once more may change it).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import toolglot

GOLDEN = Path(__file__).parent / "golden"
DIALECTS = ("canonical", "flat", "openai_strict", "anthropic_strict", "bedrock_strict", "nova", "gemini")
THEMES = sorted(p.name for p in GOLDEN.iterdir() if (p / "schema.json").is_file())
CASES = [pytest.param(theme, dialect, id=f"{theme}-{dialect}") for theme in THEMES for dialect in DIALECTS]


def load(theme: str, name: str) -> Any:
    return json.loads((GOLDEN / theme / f"{name}.json").read_text(encoding="utf-8"))


def direction_of(theme: str) -> str:
    file = GOLDEN / theme / "direction.txt"
    return file.read_text(encoding="utf-8").strip() if file.is_file() else "input"


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def test_there_are_themes_and_none_lacks_a_dialect() -> None:
    assert THEMES
    missing = [f"{t}/{d}" for t in THEMES for d in DIALECTS if not (GOLDEN / t / f"{d}.json").is_file()]
    assert missing == []


@pytest.mark.parametrize(("theme", "dialect"), CASES)
def test_golden(theme: str, dialect: str) -> None:
    schema = load(theme, "schema")
    before = compact(schema)
    got = toolglot.project(schema, dialect, direction=direction_of(theme)).schema
    assert compact(got) == compact(load(theme, dialect))
    assert compact(schema) == before, "the input was changed"


@pytest.mark.parametrize(("theme", "dialect"), CASES)
def test_projecting_a_golden_again_changes_nothing(theme: str, dialect: str) -> None:
    file = GOLDEN / theme / "not_idempotent.json"
    reasons = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    if dialect in reasons:
        pytest.skip(reasons[dialect])
    golden = load(theme, dialect)
    again = toolglot.project(golden, dialect, direction=direction_of(theme)).schema
    assert compact(again) == compact(golden)
