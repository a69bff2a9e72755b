"""A user's own dialect: registered as data, spelled by the same walk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import toolglot as tg
from toolglot.dialects import _registry

HERE = tg.Evidence("a small host's documentation", "2026-11-30", "documented")

#: A host that reads a handful of keywords, follows no reference and refuses open objects.
SMALL = tg.Dialect(
    name="small_host",
    title="A small host",
    revision="2026-11-30",
    keywords=dict.fromkeys(
        ("type", "description", "properties", "required", "items", "enum", "anyOf", "additionalProperties"), HERE
    ),
    formats={},
    rules={
        "references": tg.Rule("inline", HERE),
        "closed_objects": tg.Rule(True, HERE),
        "type_needed": tg.Rule(True, HERE),
        "items_needed": tg.Rule(True, HERE),
        "enum_values": tg.Rule("one_type", HERE),
        "union_siblings": tg.Rule("annotations", HERE),
        "root_object": tg.Rule(True, HERE),
        "property_keys": tg.Rule("^[a-zA-Z0-9_]{1,64}$", HERE),
    },
)


@pytest.fixture
def small() -> Iterator[str]:
    tg.register(SMALL)
    yield SMALL.name
    del _registry[SMALL.name]


def test_it_is_named_after_the_built_in_ones(small: str) -> None:
    assert tg.dialects()[-1] == small
    assert tg.dialect(small) is SMALL


def test_it_is_spelled_by_its_table(small: str) -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "title": "Order",
        "properties": {
            "due": {"type": "string", "format": "date", "minLength": 1},
            "lines": {"type": "array", "items": {"$ref": "#/$defs/Line"}},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            "kind!": {"const": "express"},
        },
        "required": ["due", "kind!"],
        "$defs": {"Line": {"type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]}},
    }
    projection = tg.project(schema, small)
    kind = next(name for name in projection.schema["properties"] if name.startswith("kind__"))
    assert projection.schema == {
        "type": "object",
        "properties": {
            "due": {"type": "string", "description": "At least 1 character. Must be an ISO-8601 date."},
            "lines": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"sku": {"type": "string"}},
                    "required": ["sku"],
                    "additionalProperties": False,
                },
            },
            "labels": {
                "type": "array",
                "description": "Written as a list of entries, each key once.",
                "items": {
                    "type": "object",
                    "properties": {"key": {"type": "string"}, "value": {"type": "string"}},
                    "required": ["key", "value"],
                    "additionalProperties": False,
                },
            },
            kind: {"enum": ["express"], "type": "string"},
        },
        "required": ["due", kind],
        "additionalProperties": False,
    }
    assert ("/properties/labels", "encoded") in {(loss.path, loss.effect) for loss in projection.losses}
    assert tg.project(projection.schema, small).to_json() == projection.to_json()
