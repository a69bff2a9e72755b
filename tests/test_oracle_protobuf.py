"""Outputs of the gemini family, read by Google's own messages: an unknown field raises where the API answers 400."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from tests.oracles import corpus, judge, protobuf

import toolglot as tg
from toolglot.conformance import ProtoMessage, to_json_schema, to_proto

#: dialect -> whose message. The second package is no requirement of the tests: its test skips where it is missing.
MESSAGES: dict[str, ProtoMessage] = {"gemini": "aiplatform", "gemini_api": "generativelanguage"}

Count = Callable[[str], None]


def of(**keywords: Any) -> dict[str, Any]:
    return {"type": "OBJECT", "properties": {"a": keywords}}


@pytest.mark.parametrize("package", sorted(protobuf.MODULES))
@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (of(type="string"), "Invalid enum value"),
        (of(type=["STRING"]), "type field"),
        (of(type="STRING", const="x"), 'no field named "const"'),
        (of(oneOf=[{"type": "STRING"}]), 'no field named "oneOf"'),
        (of(**{"$ref": "#/$defs/A"}), r'no field named "\$ref"'),
        (of(type="INTEGER", exclusiveMinimum=0), "exclusiveMinimum"),
        (of(type="INTEGER", enum=[1]), "enum field"),
        (of(type="STRING", enum=["a", None]), "null is not allowed"),
        (of(type="STRING", nullable="true"), "nullable field"),
        (of(type="ARRAY", minItems=2.5), "minItems field"),
        (of(type="ARRAY", minItems=2**63), "out of range"),
        (of(type="NUMBER", minimum=10**400), "too large"),
        (of(type="STRING", description="\ud800"), "surrogate"),
        ({"type": "OBJECT", "properties": {"a": True}}, "not iterable"),
        (of(type="ARRAY", items=None), "keeps something else"),
        (of(type=1), "keeps something else"),
        (of(any_of=[{"type": "STRING"}]), "keeps something else"),
    ],
)
def test_the_message_refuses(package: str, schema: dict[str, Any], said: str) -> None:
    with pytest.raises(protobuf.Refused, match=said):
        protobuf.parse(schema, package)


@pytest.mark.parametrize("package", sorted(protobuf.MODULES))
def test_the_message_takes_its_fields(package: str) -> None:
    schema = {
        "type": "OBJECT",
        "properties": {
            "type": {"type": "STRING", "nullable": True, "format": "date-time", "description": "A."},
            "list": {"type": "ARRAY", "items": {"anyOf": [{"type": "STRING"}, {"type": "NUMBER"}]}, "minItems": 2},
            "kind": {"type": "STRING", "enum": ["a", "b"]},
            "empty": {"type": "OBJECT", "properties": {}, "required": []},
        },
        "required": ["type"],
    }
    kept = protobuf.parse(schema, package)
    assert kept["properties"]["list"] == {
        "type": "ARRAY",
        "items": {"anyOf": [{"type": "STRING"}, {"type": "NUMBER"}]},
        "minItems": "2",
    }
    assert kept["properties"]["empty"] == {"type": "OBJECT"}


def test_only_vertex_has_references_and_only_the_developer_api_has_null() -> None:
    assert set(protobuf.fields("aiplatform")) - set(protobuf.fields("generativelanguage")) == {
        "additionalProperties",
        "defs",
        "ref",
    }
    assert protobuf.parse({"type": "NULL"}, "generativelanguage") == {"type": "NULL"}
    with pytest.raises(protobuf.Refused, match="Invalid enum value NULL"):
        protobuf.parse({"type": "NULL"})
    with pytest.raises(protobuf.Refused, match='no field named "ref"'):
        protobuf.parse(to_proto({"ref": "#/defs/A"}), "generativelanguage")


@pytest.mark.parametrize("package", sorted(protobuf.MODULES))
def test_the_wire_takes_49_nested_objects(package: str) -> None:
    """JSON has no such limit; read as bytes, a message may hold 100 others, and a property is two of them."""

    def objects(levels: int) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "STRING"}
        for _ in range(levels):
            schema = {"type": "OBJECT", "properties": {"a": schema}}
        return schema

    assert protobuf.over_the_wire(objects(49), package)
    assert protobuf.parse(objects(50), package)
    assert not protobuf.over_the_wire(objects(50), package)


HARD: dict[str, Any] = {
    "type": "object",
    "title": "Everything",
    "description": "A root.",
    "properties": {
        "type": {"type": ["string", "null"], "const": "x", "title": "T"},
        "numbers": {"enum": [1, 2, None]},
        "mixed": {"enum": ["a", 1, True, {"b": 1}]},
        "union": {"oneOf": [{"type": "string", "minLength": 1}, {"type": "null"}], "default": None},
        "tree": {"$ref": "#/$defs/Tree", "description": "D."},
        "maybe": {"anyOf": [{"$ref": "#/$defs/Tree"}, {"type": "null"}]},
        "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False},
        "any": True,
        "never": False,
        "bare": {"type": "array"},
        "map": {"type": "object", "additionalProperties": {"type": "integer", "exclusiveMinimum": 0}},
        "when": {"type": "string", "format": "date-time"},
        "slug": {"type": "string", "format": "slug", "pattern": "^a", "x-other": 1},
        "all": {"allOf": [{"type": "object", "properties": {"a": {}}}, {"required": ["a", "b"]}]},
        "not": {"not": {"type": "string"}, "if": {"type": "object"}, "then": {"required": ["z"]}},
    },
    "patternProperties": {"^x": {"type": "string"}},
    "required": ["type", "undeclared"],
    "$defs": {
        "Tree": {
            "type": "object",
            "properties": {
                "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
                "parent": {"anyOf": [{"$ref": "#"}, {"type": "null"}]},
            },
        }
    },
}


def own(root: Path) -> list[tuple[str, Any]]:
    return [("hard", HARD), *corpus.own_schemas(root)]


def judged(dialect: str, schemas: Iterable[tuple[str, Any, str | None]], count: Count, label: str) -> None:
    """Project, convert both ways, and let Google's message and a JSON Schema engine refuse."""
    package = MESSAGES[dialect]
    counts: Counter[str] = Counter()
    refused: list[str] = []
    for name, schema, draft in schemas:
        try:
            spelled = tg.project(schema, dialect, draft=draft).schema
        except tg.SchemaError:
            counts["no schema"] += 1  # which ones: test_corpus_sweep
            continue
        counts["schemas"] += 1
        try:
            proto = to_proto(spelled, package)
            protobuf.parse(proto, package)
            counts["only in JSON, not as bytes"] += not protobuf.over_the_wire(proto, package)
        except ValueError as error:
            refused.append(f"{name}: {str(error)[-300:]}")
        try:
            judge.as_2020_12(to_json_schema(spelled))
        except judge.DoesNotCompile as error:
            if "too deep" in str(error) or "recursion" in str(error):
                counts["too deep for the JSON Schema engine"] += 1
            else:
                refused.append(f"{name}: as JSON Schema: {str(error)[:300]}")
    count(f"{dialect} by {package}'s message, {label}: {dict(counts)}, refused {len(refused)}")
    assert counts["schemas"], "nothing was judged"
    assert not refused, f"{len(refused)} refused:\n" + "\n".join(refused[:20])


def known(dialect: str) -> None:
    if dialect not in tg.dialects():
        pytest.skip(f"no dialect {dialect} yet")
    protobuf.declaration(MESSAGES[dialect])


@pytest.mark.parametrize("dialect", MESSAGES)
def test_own_documents(dialect: str, root: Path, count: Count) -> None:
    known(dialect)
    judged(dialect, [(name, schema, None) for name, schema in own(root)], count, "own documents")


@pytest.mark.parametrize("dialect", MESSAGES)
def test_corpus(dialect: str, shared: Path, count: Count) -> None:
    known(dialect)
    judged(dialect, [(tool.where, tool.schema, tool.draft) for tool in corpus.tools(shared)], count, "corpus")
