"""The structural check can fail: each rule, broken by hand, is found; names and data are no keywords."""

from __future__ import annotations

from typing import Any

import pytest
from tests.oracles.structure import FORMS, check, nodes, resolves

STRICT = ("openai_strict", "anthropic_strict", "bedrock_strict")


def closed(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
        **more,
    }


def rules(schema: dict[str, Any], dialect: str, **options: Any) -> set[str]:
    return {finding.rule for finding in check(schema, dialect, **options)}


#: good for every one of the strict three
GOOD = closed(
    {
        "type": {"type": "string", "format": "date", "title": "T"},
        "enum": {"type": ["integer", "null"]},
        "x-y": {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}], "description": "D."},
        "default": closed({}),
        "oneOf": {"type": "array", "items": {"type": "number", "const": 1.5}, "minItems": 1},
    },
    description="D.",
)


@pytest.mark.parametrize("dialect", STRICT)
def test_good(dialect: str) -> None:
    assert check(GOOD, dialect) == []


@pytest.mark.parametrize("dialect", STRICT)
@pytest.mark.parametrize(
    ("node", "rule"),
    [
        ({"type": "string", "uniqueItems": True}, "keyword not listed"),
        ({"type": "string", "oneOf": [{"type": "string"}]}, "keyword not listed"),
        ({"type": "string", "format": "slug"}, "format not listed"),
        ({}, "no type"),
        ({"description": "any"}, "no type"),
        (True, "boolean schema"),
        ({"type": "array"}, "array without items"),
        ({"type": "array", "items": True}, "array without items"),
        ({"type": ["array", "null"]}, "array without items"),
        ({"type": "object"}, "open object"),
        ({"type": "object", "properties": {}}, "open object"),
        ({"type": ["object", "null"], "properties": {}, "required": []}, "open object"),
        ({"type": "object", "properties": {}, "additionalProperties": {"type": "string"}}, "open object"),
        ({"type": "object", "additionalProperties": False}, "object without properties"),
        ({"anyOf": [{"type": "string"}, {"type": "object"}]}, "open object"),
        ({"anyOf": [{"type": "string"}], "type": "string"}, "beside anyOf"),
        ({"anyOf": []}, "empty anyOf"),
        ({"type": "array", "items": {"type": "string"}, "required": ["a"]}, "object keyword without type object"),
        ({"type": "string", "additionalProperties": False}, "object keyword without type object"),
        ({"type": "string", "enum": ["a", 1]}, "enum value of another type"),
        ({"type": "number", "enum": [True]}, "enum value of another type"),
        ({"type": "integer", "enum": [1.5]}, "enum value of another type"),
        ({"type": ["string", "null"], "enum": ["a", None]}, "enum beside a list of types or none"),
        ({"type": "string", "enum": []}, "enum"),
        ({"const": 1}, "const without a type"),
        ({"type": "object", "const": {}}, "const"),
        ({"$ref": "#/$defs/nothing"}, {"reference does not resolve", "reference"}),
        ({"$ref": "other.json"}, {"reference does not resolve", "reference"}),
        (closed({"a": {"type": "string"}}, required=["a", "b"]), "required but not declared"),
        (closed({"a": {"type": "string"}}, required=["a", "a"]), "required twice"),
    ],
)
def test_each_rule_of_the_strict_three(dialect: str, node: Any, rule: str | set[str]) -> None:
    expected = {rule} if isinstance(rule, str) else rule
    for schema in (closed({"a": node}), closed({"a": {"type": "array", "items": closed({"b": node})}})):
        assert rules(schema, dialect) & expected


def test_openai_strict() -> None:
    tree = closed({"next": {"anyOf": [{"$ref": "#/$defs/T"}, {"type": "null"}]}, "root": {"$ref": "#"}})
    good = closed({"t": {"$ref": "#/$defs/T"}}, **{"$defs": {"T": tree}})
    assert check(good, "openai_strict") == []
    assert rules(good, "anthropic_strict") >= {"keyword not listed", "reference", "definitions"}
    bad: list[tuple[dict[str, Any], str]] = [
        (closed({"a": {"type": "string"}, "b": {"type": "string"}}, required=["b", "a"]), "required is not the list"),
        (closed({"a": {"type": "string"}}, required=[]), "required is not the list"),
        ({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}, "required is not"),
        (closed({"t": {"$ref": "#/$defs/T", "description": "D."}}, **{"$defs": {"T": tree}}), "beside a reference"),
        (closed({"t": {"$ref": "#/properties/u"}, "u": {"type": "string"}}), "reference form"),
        (closed({"t": closed({}, **{"$defs": {"T": tree}})}), "definitions"),
        (closed({}, **{"$defs": {"T": {"type": "string"}}}), "definition nobody uses"),
        (closed({"a": {"type": "string", "pattern": "(?=a)"}}), "pattern"),
        (closed({"a": {"type": "string", "pattern": r"\p{L}"}}), "pattern"),
        (closed({"a": {"type": "string", "pattern": r"\bx"}}), "pattern"),
    ]
    for schema, rule in bad:
        assert any(found.startswith(rule) for found in rules(schema, "openai_strict")), rule
    assert "pattern" not in rules(closed({"a": {"type": "string", "pattern": r"\\b(?:x|\d)"}}), "openai_strict")


@pytest.mark.parametrize("dialect", ["anthropic_strict", "bedrock_strict"])
def test_anthropic_strict(dialect: str) -> None:
    optional = closed({"a": {"type": "string", "format": "uri", "default": {"$ref": 1}}}, required=[])
    assert check(optional, dialect) == []
    assert rules(closed({"a": {"type": "array", "items": {"type": "string"}, "minItems": 2}}), dialect) == {"minItems"}
    assert rules(closed({"a b": {"type": "string"}}), dialect) == {"property name"}
    assert rules(closed({"a": {"type": "integer", "minimum": 1}}), dialect) == {"keyword not listed"}


@pytest.mark.parametrize("dialect", [*STRICT, "gemini", "nova"])
def test_roots(dialect: str) -> None:
    for schema in ({}, {"type": "string"}, {"type": ["object"], "properties": {}}, {"anyOf": [{"type": "object"}]}):
        assert "root is no object with properties" in rules(schema, dialect)
    assert "beside the root's object" in rules({**GOOD, "anyOf": [{"type": "object"}]}, dialect)


def test_nova() -> None:
    good = {"type": "object", "properties": {"title": {"type": "string", "description": "D."}}, "required": []}
    assert check(good, "nova") == []
    assert "root is not exactly type, properties, required" in rules({**good, "description": "D."}, "nova")
    assert "root is not exactly type, properties, required" in rules({"type": "object", "properties": {}}, "nova")
    assert rules({**good, "properties": {"a": {"type": "string", "title": "T"}}}, "nova") == {"title"}
    assert rules({**good, "properties": {"a": {"$ref": "#"}}}, "nova") == {"reference"}
    assert rules({**good, "properties": {"a": True}}, "nova") == {"boolean schema"}
    assert rules({**good, "properties": {"a": {"type": "array"}}}, "nova") == {"array without items"}
    assert check({**good, "properties": {"a": {"not": {"required": ["b"]}}}}, "nova") == []
    assert rules({**good, "required": ["b"]}, "nova") == {"required but not declared"}
    listed = frozenset({"type", "properties", "required"})
    assert rules(good, "nova", keywords=listed) == {"keyword not listed"}


def test_gemini() -> None:
    good = {
        "type": "object",
        "properties": {
            "type": {"type": "string", "nullable": True, "enum": ["a"]},
            "format": {"anyOf": [{"type": "string", "nullable": True}, {"ref": "#/defs/N", "description": "D."}]},
            "n": {"type": "array", "items": {"ref": "#/defs/N"}},
            "when": {"type": "string", "format": "date-time"},
            "free": {"type": "object"},
        },
        "required": ["n"],
        "defs": {"N": {"type": "object", "properties": {"next": {"ref": "#/defs/N"}}}},
    }
    assert check(good, "gemini") == []
    bad: list[tuple[Any, str]] = [
        ({"type": ["string", "null"]}, "list of types"),
        ({"type": ["string"]}, "list of types"),
        ({"type": "null"}, "type null"),
        ({"description": "D."}, "no type"),
        ({"type": "array"}, "array without items"),
        ({"anyOf": [{"type": "string"}], "description": "D."}, "beside anyOf"),
        ({"anyOf": [{"type": "string"}], "nullable": True}, "beside anyOf"),
        ({"type": "integer", "enum": [1]}, "enum"),
        ({"type": "string", "enum": [""]}, "enum"),
        ({"type": "string", "enum": ["a", None]}, "enum"),
        ({"type": "string", "format": "date"}, "format not listed"),
        ({"type": "string", "nullable": "true"}, "nullable"),
        ({"type": "string", "title": "T"}, "keyword not listed"),
        ({"$ref": "#"}, "reference"),
        ({"ref": "#/defs/M"}, "reference does not resolve"),
        ({"ref": "#/defs/N", "nullable": True}, "beside a reference"),
        ({"type": "object", "properties": {}, "defs": {}}, "definitions"),
        (False, "boolean schema"),
        ({"type": "object", "properties": {}, "required": ["a"]}, "required but not declared"),
    ]
    for node, rule in bad:
        assert rule in rules({**good, "properties": {**good["properties"], "bad": node}}, "gemini"), rule


def test_flat() -> None:
    good = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "properties": {"$ref": {"const": {"$ref": "#"}}, "x-a": True, "nullable": False, "$defs": {"type": "string"}},
        "unknown": {"$ref": "#/gone", "x-b": 1},
        "x-mcp-header": "a",
        "default": {"$ref": "#"},
    }
    assert check(good, "flat") == []
    bad: list[tuple[dict[str, Any], str]] = [
        ({"$ref": "#"}, "reference word"),
        ({"not": {"items": {"$dynamicRef": "#a"}}}, "reference word"),
        ({"$defs": {}}, "reference word"),
        ({"properties": {"a": {"$id": "x"}}}, "reference word"),
        ({"$schema": "http://json-schema.org/draft-07/schema#"}, "$schema"),
        ({"items": {"$schema": "https://json-schema.org/draft/2020-12/schema"}}, "$schema"),
        ({"then": {"x-a": 1}}, "harness keyword"),
        ({"nullable": True}, "old construct"),
        ({"items": [{}]}, "old construct"),
        ({"exclusiveMinimum": True}, "old construct"),
        ({"allOf": ["x"]}, "not a schema"),
    ]
    for schema, rule in bad:
        assert rule in rules(schema, "flat"), rule


def test_outputs_are_held_to_lists_and_references_only() -> None:
    open_object = {"type": "array", "items": {"type": "object", "properties": {"a": {}}}}
    for dialect in FORMS:
        assert check(open_object, dialect, direction="output") == []
    assert rules({"type": "string", "oneOf": []}, "openai_strict", direction="output") == {"keyword not listed"}
    assert rules({"$ref": "#/$defs/A"}, "flat", direction="output") >= {"reference"}


def test_every_schema_is_met_once_and_nothing_else() -> None:
    schema = {
        "properties": {"properties": {"enum": [{"type": "x"}]}, "a/b~": {"prefixItems": [{}, True]}},
        "const": {"properties": {"no": {}}},
        "dependentRequired": {"a": ["b"]},
    }
    assert sorted(at for at, _, _ in nodes(schema)) == [
        "",
        "/properties/a~1b~0",
        "/properties/a~1b~0/prefixItems/0",
        "/properties/a~1b~0/prefixItems/1",
        "/properties/properties",
    ]


def test_pointers() -> None:
    schema = {"$defs": {"a/b": {}, "c%d": True, "e": [{}, {"x": 3}]}}
    assert all(resolves(schema, r) for r in ("#", "#/$defs/a~1b", "#/$defs/c%25d", "#/$defs/e/1"))
    assert not any(
        resolves(schema, r) for r in ("", "#a", "#/$defs/z", "#/$defs/e", "#/$defs/e/2", "#/$defs/e/1/x", "a#")
    )
