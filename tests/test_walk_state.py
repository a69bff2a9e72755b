"""What the walk must not carry over: identities of nodes it made, places it entered, rounds it began again."""

from __future__ import annotations

import gc
import json
from typing import Any

import pytest

import toolglot as tg

DEFINITIONS: dict[str, Any] = {
    name: {"type": "object", "properties": {name.lower(): {"type": "string"}}, "additionalProperties": False}
    for name in "TUVW"
}


def refers(name: str) -> dict[str, Any]:
    """A reference that reading copies, since ``example`` is an old construct."""
    return {"$ref": f"#/$defs/{name}", "example": 1}


@pytest.mark.parametrize("dialect", tg.dialects())
def test_nodes_made_by_the_walk_keep_their_own_reference(dialect: str) -> None:
    schema = {
        "type": "object",
        "properties": {
            "p": {
                "type": "object",
                "properties": {"k": {"anyOf": [refers("V"), refers("U"), {"type": "string"}]}, "l": refers("W")},
                "dependentSchemas": {"q": refers("T")},
            },
        },
        "$defs": DEFINITIONS,
    }
    first = tg.project(schema, dialect).to_json()
    for _ in range(200):
        gc.collect(0)
        assert tg.project(json.loads(json.dumps(schema)), dialect).to_json() == first
    text = first.decode()
    assert text.index('"v"') < text.index('"u"') or '"$ref"' in text or '"ref"' in text


@pytest.mark.parametrize("dialect", ["flat", "nova", "anthropic_strict", "bedrock_strict"])
def test_a_place_on_a_cycle_is_left_again(dialect: str) -> None:
    a = {"$ref": "#/properties/b"}
    b = {"type": "object", "properties": {"x": {"$ref": "#/properties/a"}, "n": {"type": "integer"}}}
    c = {"$ref": "#/properties/a"}
    late = tg.project({"type": "object", "properties": {"a": a, "b": b, "c": c}}, dialect).schema
    early = tg.project({"type": "object", "properties": {"c": c, "a": a, "b": b}}, dialect).schema
    assert late["properties"]["c"] == early["properties"]["c"]
    assert "n" in late["properties"]["c"]["properties"]


@pytest.mark.parametrize("dialect", tg.dialects())
def test_bounds_without_an_exact_common_multiple_are_said(dialect: str) -> None:
    schema = {"type": "object", "properties": {"a": {"allOf": [{"multipleOf": 10**400}, {"multipleOf": 0.5}]}}}
    assert isinstance(tg.project(schema, dialect).schema, dict)


@pytest.mark.parametrize("pattern", ["^(a{0,64}){0,64}b$", "^(a+)+$", "^(a|aa)+$", "[[a]", "("])
@pytest.mark.parametrize("dialect", ["openai_strict", "anthropic_strict", "gemini", "nova"])
def test_a_pattern_that_is_not_worked_out_makes_no_claim(dialect: str, pattern: str) -> None:
    name = "a" * 60
    schema = {
        "type": "object",
        "required": [name],
        "properties": {"k": {"type": "object", "required": [name], "patternProperties": {pattern: {"type": "string"}}}},
        "patternProperties": {pattern: {"type": "string"}},
    }
    assert name in tg.project(schema, dialect).schema["properties"]


def test_losses_of_boolean_schemas_stand_at_their_own_place() -> None:
    schema = {"type": "object", "properties": {"a": False, "c": {"anyOf": [True, {"type": "integer"}]}}}
    paths = {loss.path for loss in tg.project(schema, "gemini").losses if loss.effect == "unreachable"}
    assert "/properties/c/anyOf/0" in paths
    assert "/properties/a" not in paths
