"""The two converters of the gemini family: exact forms, and agreement with a reader written from the vendor's page."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import judge, protobuf

from toolglot.conformance import to_json_schema, to_proto
from toolglot.conformance.gemini_forms import MAX_DEPTH

# name, spelled, as JSON Schema, as aiplatform's proto JSON
FORMS: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    (
        "plain",
        {"type": "object", "properties": {"a": {"type": "string", "description": "A."}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"type": "string", "description": "A."}}, "required": ["a"]},
        {"type": "OBJECT", "properties": {"a": {"type": "STRING", "description": "A."}}, "required": ["a"]},
    ),
    (
        "nullable type",
        {"type": "integer", "nullable": True, "format": "int32"},
        {"type": ["integer", "null"], "format": "int32"},
        {"type": "INTEGER", "nullable": True, "format": "int32"},
    ),
    (
        "nullable false",
        {"type": "string", "nullable": False},
        {"type": "string"},
        {"type": "STRING", "nullable": False},
    ),
    (
        "nullable enum",
        {"type": "string", "enum": ["a", "b"], "nullable": True},
        {"type": ["string", "null"], "enum": ["a", "b", None]},
        {"type": "STRING", "enum": ["a", "b"], "nullable": True},
    ),
    (
        "nullable on a branch",
        {"anyOf": [{"type": "string", "nullable": True}, {"type": "number"}]},
        {"anyOf": [{"type": ["string", "null"]}, {"type": "number"}]},
        {"anyOf": [{"type": "STRING", "nullable": True}, {"type": "NUMBER"}]},
    ),
    (
        "nullable union",
        {"anyOf": [{"type": "string"}, {"type": "number"}], "nullable": True},
        {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "null"}]},
        {"anyOf": [{"type": "STRING"}, {"type": "NUMBER"}], "nullable": True},
    ),
    ("nullable, any JSON", {"nullable": True}, {}, {"nullable": True}),
    (
        "references",
        {
            "type": "object",
            "properties": {"n": {"ref": "#/defs/N"}},
            "defs": {"N": {"type": "object", "properties": {"next": {"ref": "#/defs/N", "description": "N."}}}},
        },
        {
            "type": "object",
            "properties": {"n": {"$ref": "#/$defs/N"}},
            "$defs": {"N": {"type": "object", "properties": {"next": {"$ref": "#/$defs/N", "description": "N."}}}},
        },
        {
            "type": "OBJECT",
            "properties": {"n": {"ref": "#/defs/N"}},
            "defs": {"N": {"type": "OBJECT", "properties": {"next": {"ref": "#/defs/N", "description": "N."}}}},
        },
    ),
    (
        "nullable reference",
        {"ref": "#/defs/N", "nullable": True, "description": "D.", "defs": {"N": {"type": "string"}}},
        {
            "description": "D.",
            "anyOf": [{"$ref": "#/$defs/N"}, {"type": "null"}],
            "$defs": {"N": {"type": "string"}},
        },
        {"ref": "#/defs/N", "nullable": True, "description": "D.", "defs": {"N": {"type": "STRING"}}},
    ),
    (
        "names are data",
        {
            "type": "object",
            "properties": {
                "type": {"type": "string"},
                "nullable": {"type": "boolean", "nullable": True},
                "ref": {"type": "array", "items": {"type": "string"}},
                "anyOf": {"type": "string"},
                "properties": {"type": "object", "properties": {"items": {"type": "string"}, "enum": {"type": "null"}}},
                "a/b~c": {"type": "string"},
            },
            "required": ["type", "nullable"],
        },
        {
            "type": "object",
            "properties": {
                "type": {"type": "string"},
                "nullable": {"type": ["boolean", "null"]},
                "ref": {"type": "array", "items": {"type": "string"}},
                "anyOf": {"type": "string"},
                "properties": {"type": "object", "properties": {"items": {"type": "string"}, "enum": {"type": "null"}}},
                "a/b~c": {"type": "string"},
            },
            "required": ["type", "nullable"],
        },
        {
            "type": "OBJECT",
            "properties": {
                "type": {"type": "STRING"},
                "nullable": {"type": "BOOLEAN", "nullable": True},
                "ref": {"type": "ARRAY", "items": {"type": "STRING"}},
                "anyOf": {"type": "STRING"},
                "properties": {"type": "OBJECT", "properties": {"items": {"type": "STRING"}, "enum": {"type": "NULL"}}},
                "a/b~c": {"type": "STRING"},
            },
            "required": ["type", "nullable"],
        },
    ),
    (
        "data is data",
        {"type": "object", "default": {"type": "string", "nullable": True, "ref": "#/defs/X", "l": [{"type": "a"}]}},
        {"type": "object", "default": {"type": "string", "nullable": True, "ref": "#/defs/X", "l": [{"type": "a"}]}},
        {"type": "OBJECT", "default": {"type": "string", "nullable": True, "ref": "#/defs/X", "l": [{"type": "a"}]}},
    ),
    (
        "additional properties",
        {"type": "object", "additionalProperties": {"type": "string", "nullable": True}},
        {"type": "object", "additionalProperties": {"type": ["string", "null"]}},
        {"type": "OBJECT", "additionalProperties": {"type": "STRING", "nullable": True}},
    ),
    (
        "booleans",
        {"type": "object", "additionalProperties": False},
        {"type": "object", "additionalProperties": False},
        {"type": "OBJECT", "additionalProperties": False},
    ),
]


@pytest.mark.parametrize(("spelled", "as_json", "as_proto"), [pytest.param(*f[1:], id=f[0]) for f in FORMS])
def test_forms(spelled: dict[str, Any], as_json: dict[str, Any], as_proto: dict[str, Any]) -> None:
    before = json.dumps(spelled)
    assert json.dumps(to_json_schema(spelled)) == json.dumps(as_json)
    assert json.dumps(to_proto(spelled)) == json.dumps(as_proto)
    assert json.dumps(spelled) == before


def test_results_share_nothing_with_the_input() -> None:
    spelled = {"type": "string", "enum": ["a"], "nullable": True, "default": {"a": [1]}}
    kept = copy.deepcopy(spelled)
    for made in (to_json_schema(spelled), to_proto(spelled)):
        made["enum"].append("x")
        made["default"]["a"].append(2)
    assert spelled == kept


@pytest.mark.parametrize("reference", ["#/$defs/A", "#/defs/", "#/defs/a/b", "#/defs/a b", "other.json", 3, None, ""])
def test_a_reference_must_name_a_definition(reference: Any) -> None:
    with pytest.raises(ValueError, match=r"^/properties/a/ref: a ref must be # or #/defs/NAME$"):
        to_json_schema({"type": "object", "properties": {"a": {"ref": reference}}})
    assert to_json_schema({"ref": "#"}) == {"$ref": "#"}


@pytest.mark.parametrize("convert", [to_json_schema, to_proto])
@pytest.mark.parametrize(
    ("spelled", "place"),
    [
        ([], "#: must be an object, not list"),
        ({"properties": []}, "/properties: must be an object, not list"),
        ({"properties": {"a/b": 3}}, "/properties/a~1b: must be an object, not int"),
        ({"items": None}, "/items: must be an object, not NoneType"),
        ({"anyOf": [{}, "x"]}, "/anyOf/1: must be an object, not str"),
    ],
)
def test_what_is_no_schema_is_named(convert: Any, spelled: Any, place: str) -> None:
    with pytest.raises(ValueError) as caught:
        convert(spelled)
    assert str(caught.value) == place


def test_the_developer_api_has_no_references() -> None:
    for field in ("ref", "defs", "additionalProperties"):
        with pytest.raises(ValueError, match=f"^/items/{field}: generativelanguage's Schema message has no such field"):
            to_proto({"type": "array", "items": {field: {}}}, "generativelanguage")
    named = {"type": "object", "properties": {"ref": {"type": "string"}, "defs": {"type": "string"}}}
    assert list(to_proto(named, "generativelanguage")["properties"]) == ["ref", "defs"]
    with pytest.raises(ValueError, match="messages are aiplatform, generativelanguage"):
        to_proto({}, "vertex")  # type: ignore[arg-type]


def nested(containers: int, keyword: str) -> dict[str, Any]:
    """A schema of so many nested containers: ``items`` takes one a level, ``properties`` and ``anyOf`` two."""
    schema: dict[str, Any] = {"type": "string"}
    for _ in range((containers - 1) // (1 if keyword == "items" else 2)):
        if keyword == "items":
            schema = {"type": "array", "items": schema}
        elif keyword == "anyOf":
            schema = {"anyOf": [schema]}
        else:
            schema = {"type": "object", keyword: {"a": schema}}
    return schema


@pytest.mark.parametrize("convert", [to_json_schema, to_proto])
@pytest.mark.parametrize("keyword", ["items", "properties", "anyOf", "defs", "default"])
def test_depth_is_bounded(convert: Any, keyword: str) -> None:
    deep = nested(MAX_DEPTH, keyword) if keyword != "default" else {"default": nested(MAX_DEPTH - 1, "items")}
    convert(deep)
    wrapped = {"default": deep} if keyword == "default" else {"type": "array", "items": deep}
    with pytest.raises(ValueError, match="nested past 254 containers"):
        convert({"items": wrapped} if keyword != "items" else wrapped)
    looped: dict[str, Any] = {"type": "array"}
    looped["items"] = looped
    with pytest.raises(ValueError, match="nested past 254 containers"):
        convert(looped)


# A reader of the family, written from the vendor's page: what does a node admit?

DEFINITIONS = ("A", "B")


def admits(root: dict[str, Any], node: dict[str, Any], value: Any) -> bool:
    if value is None and node.get("nullable") is True:
        return True
    if "ref" in node and not admits(root, root["defs"][node["ref"].rsplit("/", 1)[1]], value):
        return False
    if "anyOf" in node and not any(admits(root, branch, value) for branch in node["anyOf"]):
        return False
    if "enum" in node and value not in node["enum"]:
        return False
    kinds = {
        "string": isinstance(value, str),
        "boolean": isinstance(value, bool),
        "integer": isinstance(value, int) and not isinstance(value, bool),
        "number": isinstance(value, (int, float)) and not isinstance(value, bool),
        "array": isinstance(value, list),
        "object": isinstance(value, dict),
    }
    if "type" in node and not kinds[node["type"]]:
        return False
    if isinstance(value, list) and "items" in node and not all(admits(root, node["items"], one) for one in value):
        return False
    if isinstance(value, dict):
        if any(name not in value for name in node.get("required", [])):
            return False
        return all(admits(root, s, value[n]) for n, s in node.get("properties", {}).items() if n in value)
    return True


NAMES = st.sampled_from(["a", "type", "nullable", "ref"])
TEXTS = st.sampled_from(["x", "y", "ref"])
MAYBE_NULL = st.sampled_from([{}, {}, {"nullable": True}, {"nullable": False}])


def merged(*parts: dict[str, Any]) -> dict[str, Any]:
    return {key: value for part in parts for key, value in part.items()}


LEAVES = st.one_of(
    st.builds(
        lambda kind, null: merged({"type": kind}, null),
        st.sampled_from(["string", "integer", "number", "boolean"]),
        MAYBE_NULL,
    ),
    st.builds(
        lambda values, null: merged({"type": "string", "enum": values}, null),
        st.lists(TEXTS, min_size=1, unique=True),
        MAYBE_NULL,
    ),
    st.builds(lambda name, null: merged({"ref": f"#/defs/{name}"}, null), st.sampled_from(DEFINITIONS), MAYBE_NULL),
)


def grown(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.one_of(
        st.builds(lambda items, null: merged({"type": "array", "items": items}, null), inner, MAYBE_NULL),
        st.builds(
            lambda branches, null: merged({"anyOf": branches}, null),
            st.lists(inner, min_size=1, max_size=3),
            MAYBE_NULL,
        ),
        st.builds(
            lambda properties, required, null: merged(
                {"type": "object", "properties": properties, "required": required}, null
            ),
            st.dictionaries(NAMES, inner, max_size=3),
            st.lists(NAMES, max_size=2, unique=True),
            MAYBE_NULL,
        ),
    )


NODES = st.recursive(LEAVES, grown, max_leaves=6)
ROOTS = st.builds(
    lambda root, a, b: merged(root, {"defs": {"A": a, "B": b}}),
    NODES,
    # definitions: objects whose references are guarded by a property, so that no reference reaches itself at once
    *[st.builds(lambda p: {"type": "object", "properties": p}, st.dictionaries(NAMES, NODES, max_size=2))] * 2,
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-2, 2), st.just(0.5), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=5,
)


@settings(max_examples=400, deadline=None)
@given(ROOTS, st.lists(VALUES, min_size=1, max_size=6))
def test_a_judge_agrees_with_a_reader_of_the_family(spelled: dict[str, Any], values: list[Any]) -> None:
    judged = judge.as_2020_12(to_json_schema(spelled))
    for value in [None, *values]:
        assert judged.is_valid(value) is admits(spelled, spelled, value), value


@settings(max_examples=200, deadline=None)
@given(ROOTS)
def test_the_message_takes_and_keeps_every_form(spelled: dict[str, Any]) -> None:
    kept = protobuf.parse(to_proto(spelled))
    assert kept["defs"].keys() == spelled["defs"].keys()
