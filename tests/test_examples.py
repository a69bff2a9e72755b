"""The example catalog: every tool is sound, and between them they hold every construct worth showing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import toolglot as tg

FILE = Path(__file__).parent.parent / "examples" / "catalog.json"
TOOLS: list[dict[str, Any]] = json.loads(FILE.read_bytes())["tools"]

ONE = ("additionalProperties", "items", "not", "if", "then", "else", "contains", "propertyNames", "additionalItems")
MANY = ("anyOf", "oneOf", "allOf", "prefixItems", "items")
NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")


def schemas(schema: Any) -> Iterator[Any]:
    """The schema and every schema below it; names of properties and data are never taken for keywords."""
    yield schema
    if not isinstance(schema, dict):
        return
    for keyword in ONE:
        if isinstance(schema.get(keyword), dict | bool):
            yield from schemas(schema[keyword])
    for keyword in MANY:
        if isinstance(schema.get(keyword), list):
            for branch in schema[keyword]:
                yield from schemas(branch)
    for keyword in NAMED:
        for child in schema.get(keyword, {}).values():
            yield from schemas(child)


INPUTS = [tool["inputSchema"] for tool in TOOLS]
NODES = [node for schema in INPUTS for node in schemas(schema)]
OBJECTS = [node for node in NODES if isinstance(node, dict)]


def depth(schema: Any) -> int:
    below = [node for node in schemas(schema) if node is not schema]
    return 1 + max(map(depth, below), default=0)


def reaches(schema: dict[str, Any], name: str) -> bool:
    """Whether a definition refers to itself, directly or through others."""
    definitions = schema.get("$defs", {})
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        for node in schemas(definitions[waiting.pop()]):
            target = node.get("$ref", "") if isinstance(node, dict) else ""
            if target.startswith("#/$defs/"):
                found = target.removeprefix("#/$defs/")
                if found == name:
                    return True
                if found not in seen:
                    seen.add(found)
                    waiting.append(found)
    return False


def uses(reference: str) -> int:
    return max(sum(isinstance(n, dict) and n.get("$ref") == reference for n in schemas(s)) for s in INPUTS)


def values_of(keyword: str) -> list[Any]:
    return [node[keyword] for node in OBJECTS if keyword in node]


def has_type(node: Any, name: str) -> bool:
    return isinstance(node, dict) and node.get("type") == name


CONSTRUCTS = {
    "a shared definition": lambda: uses("#/$defs/Guest") > 1,
    "a recursive definition": lambda: any(reaches(s, name) for s in INPUTS for name in s.get("$defs", {})),
    "a recursion through the root": lambda: uses("#") > 0,
    "two definitions that refer to each other": lambda: any(
        reaches(s, "Comment") and reaches(s, "Author") for s in INPUTS if "Comment" in s.get("$defs", {})
    ),
    "a reference to an anchor": lambda: bool(values_of("$anchor")) and uses("#recipient") > 0,
    "a reference with annotations beside it": lambda: any("$ref" in n and "description" in n for n in OBJECTS),
    "a reference with constraints beside it": lambda: any("$ref" in n and "required" in n for n in OBJECTS),
    "anyOf with null": lambda: any({"type": "null"} in branches for branches in values_of("anyOf")),
    "oneOf told apart by a constant": lambda: any(
        all("const" in branch.get("properties", {}).get("kind", {}) for branch in branches)
        for branches in values_of("oneOf")
    ),
    "a root anyOf of required sets": lambda: any(
        all(set(branch) == {"required"} for branch in s["anyOf"]) for s in INPUTS if "anyOf" in s
    ),
    "allOf": lambda: bool(values_of("allOf")),
    "a type list": lambda: any(isinstance(value, list) for value in values_of("type")),
    "a map": lambda: any("properties" not in n and isinstance(n.get("additionalProperties"), dict) for n in OBJECTS),
    "a map beside properties": lambda: any(
        "properties" in n and isinstance(n.get("additionalProperties"), dict) for n in OBJECTS
    ),
    "patternProperties": lambda: bool(values_of("patternProperties")),
    "a free-form object": lambda: any(has_type(n, "object") and set(n) <= {"type", "description"} for n in OBJECTS),
    "any JSON": lambda: any(set(n) <= {"description"} for n in OBJECTS) and True in NODES,
    "what must be absent": lambda: False in NODES,
    "an array of anything": lambda: any(has_type(n, "array") and "items" not in n and len(n) <= 2 for n in OBJECTS),
    "a tuple": lambda: bool(values_of("prefixItems")),
    "a tuple with a rest": lambda: any("prefixItems" in n and "items" not in n for n in OBJECTS),
    "an enum of mixed types": lambda: any(len({type(v) for v in values}) > 2 for values in values_of("enum")),
    "an enum of numbers": lambda: any({type(v) for v in values} == {int} for values in values_of("enum")),
    "an example": lambda: bool(values_of("examples")),
    "a default": lambda: bool(values_of("default")) and None in values_of("default"),
    "a constant": lambda: bool(values_of("const")),
    "a negation": lambda: bool(values_of("not")),
    "a condition": lambda: bool(values_of("if")) and bool(values_of("then")) and bool(values_of("else")),
    "deep nesting": lambda: max(map(depth, INPUTS)) >= 10,
    "a tool without arguments": lambda: any(s.get("properties") == {} for s in INPUTS),
    "odd property keys": lambda: (
        {"$filter", "国家", "units/temperature", "hours ahead", "type"}
        <= {key for node in OBJECTS for key in node.get("properties", {})}
    ),
    "draft-07": lambda: any("draft-07" in s.get("$schema", "") and "definitions" in s for s in INPUTS),
    "draft-07's tuple and dependencies": lambda: bool(values_of("additionalItems")) and bool(values_of("dependencies")),
    "a deprecated property": lambda: True in values_of("deprecated"),
    "bytes in text": lambda: "base64" in values_of("contentEncoding"),
}
KEYWORDS = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minItems",
    "maxItems",
    "uniqueItems",
    "contains",
    "minProperties",
    "maxProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedProperties",
    "additionalProperties",
    "title",
    "description",
]
FORMATS = ("date", "time", "date-time", "email", "uuid")


def test_there_are_about_twenty_tools_with_names_of_their_own() -> None:
    assert 18 <= len(TOOLS) <= 30
    names = [tool["name"] for tool in TOOLS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool["name"])
def test_each_tool_is_well_formed(tool: dict[str, Any]) -> None:
    assert set(tool) <= {"name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta"}
    assert tool["description"].endswith(".")
    assert tool["inputSchema"]["type"] == "object"
    for key in ("inputSchema", "outputSchema"):
        if key in tool:
            default = jsonschema.Draft202012Validator
            jsonschema.validators.validator_for(tool[key], default=default).check_schema(tool[key])
    read = tg.Tool.from_mcp(tool)
    assert read.name == tool["name"]
    assert read.input_schema == tool["inputSchema"]


@pytest.mark.parametrize("member", ["title", "outputSchema", "annotations", "_meta"])
def test_each_member_of_a_tool_is_shown(member: str) -> None:
    assert any(member in tool for tool in TOOLS)


@pytest.mark.parametrize("construct", CONSTRUCTS)
def test_each_construct_is_shown(construct: str) -> None:
    assert CONSTRUCTS[construct]()


@pytest.mark.parametrize("keyword", KEYWORDS)
def test_each_keyword_is_shown(keyword: str) -> None:
    assert values_of(keyword)


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_is_shown(name: str) -> None:
    assert name in values_of("format")
