"""Outputs of the strict dialects, compiled by a constrained-decoding engine."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.oracles import corpus
from tests.oracles import llguidance_oracle as engine

import toolglot as tg

STRICT = ("openai_strict", "anthropic_strict", "bedrock_strict")
Count = Callable[[str], None]


def closed(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def objects(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = closed(a=schema)
    return schema


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        (closed(a={"type": "string"}), ""),
        (closed(a={"type": "integer", "minimum": -(2**53), "maximum": 2**53}), ""),
        (closed(a={"type": "integer", "minimum": -(2**63)}), "integer range"),
        (closed(a={"type": "integer", "minimum": -(2**63) + 1}), "integer range"),
        (closed(a={"type": "integer", "maximum": -(10**18)}), "integer range"),
        (closed(a={"type": "number", "minimum": -1e300}), "number range"),
        (closed(a={"type": "number", "minimum": 5e-324}), "number range"),
        (closed(a={"type": "number", "multipleOf": 1e-20}), "multipleOf digits"),
        (closed(a={"type": "array", "minItems": 1.0, "items": {"type": "string"}}), "count that is no integer"),
        (closed(a={"type": "string", "pattern": "^(?!a)b"}), "lookaround"),
        (closed(a={"type": "string", "pattern": r"^\<a"}), "lookaround"),
        (closed(a={"type": "string", "pattern": r"\bfoo\b"}), "lookaround"),
        (closed(a={"type": "string", "pattern": r"(a)\1"}), "pattern"),
        (closed(a={"type": "integer", "minimum": 2, "maximum": 1}), "unsatisfiable"),
        (closed(a={"type": "string", "format": "slug"}), "format"),
        (closed(a={"type": "array", "uniqueItems": True, "items": {"type": "string"}}), "keyword"),
        (closed(a={"oneOf": [{"type": "string"}, {"type": "string", "maxLength": 3}]}), "keyword"),
        ({**closed(a={"$ref": "#/$defs/a b"}), "$defs": {"a b": {"type": "string"}}}, "definition name"),
        (closed(a={"$ref": "#/$defs/nothing"}), "reference"),
        (closed(a={"type": "text"}), "type"),
        (objects(61), ""),
        (objects(62), "depth"),
    ],
)
def test_reasons(schema: dict[str, Any], reason: str) -> None:
    verdict = engine.compiled(schema)
    assert verdict.reason == reason, verdict.message


def test_the_engine_writes_keys_in_order_and_no_fraction_for_an_integer() -> None:
    schema = closed(a={"anyOf": [{"type": "integer"}, {"type": "null"}]}, b={"type": "string"})
    assert engine.writes(schema, {"a": 1, "b": "é\n☃"})
    assert engine.writes(schema, {"a": None, "b": ""})
    assert not engine.writes(schema, {"b": "", "a": 1})
    assert not engine.writes(schema, {"a": 1.0, "b": ""})
    assert not engine.writes(schema, {"a": 1})


@pytest.mark.parametrize("dialect", STRICT)
def test_own_documents(dialect: str, root: Path) -> None:
    for name, schema in corpus.own_schemas(root):
        verdict = engine.compiled(tg.project(schema, dialect).schema)
        assert verdict.compiled, f"{name}: {verdict.message}"


@pytest.mark.parametrize("dialect", STRICT)
def test_corpus(dialect: str, shared: Path, count: Count) -> None:
    """Every tool: some five seconds a dialect, so no sample is taken."""
    tools = corpus.tools(shared)
    reasons: Counter[str] = Counter()
    faults: defaultdict[str, list[str]] = defaultdict(list)
    for tool in tools:
        try:
            spelled = tg.project(tool.schema, dialect, draft=tool.draft).schema
        except tg.SchemaError:
            continue  # which ones: test_corpus_sweep
        verdict = engine.compiled(spelled)
        reasons[verdict.reason or "compiled"] += 1
        if verdict.reason == "unsatisfiable" and proven_empty(tool):
            reasons["unsatisfiable, as the author's own"] += 1
        elif verdict.reason == "unsatisfiable" or not verdict.allowed:
            faults[verdict.reason].append(f"{tool.where}: {verdict.message[:200]}")
    count(f"{dialect} by llguidance, {len(tools)} tools: {dict(sorted(reasons.items()))}")
    assert reasons["compiled"], "nothing compiled"
    assert not faults, "\n".join(f"{reason}: {one}" for reason, found in faults.items() for one in found[:10])


def proven_empty(tool: corpus.Tool) -> bool:
    """Whether the engine finds that the canonical schema admits nothing at all, so that no projection of it could."""
    return engine.compiled(tg.read(tool.schema, draft=tool.draft)).reason == "unsatisfiable"
