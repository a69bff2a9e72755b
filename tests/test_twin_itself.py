"""The slow twin, on its own: determined cases, hostile documents, and the invariants over the real corpus."""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.twin import NotASchema, SchemaTooDeep, UnresolvableReference, project
from tests.twin.tables import find

NAMES = ("flat", "openai_strict", "anthropic_strict", "bedrock_strict", "nova", "gemini")
SHARED = Path(__file__).parents[2] / "shared"
CASES = SHARED / "cases" / "cases.json"
CORPUS = sorted((SHARED / "corpus" / "public").glob("*.json"))

#: Every tool of these sources is swept; of the others, each n-th (the whole corpus takes ten minutes).
STEP = 9

DATA = ("const", "enum", "default", "examples")
MAPS = ("properties", "patternProperties", "$defs", "defs", "dependentSchemas")
LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
ONE = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames")


def text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def nodes(schema: Any) -> Iterator[Any]:
    yield schema
    if isinstance(schema, dict):
        for word, value in schema.items():
            if word in MAPS and isinstance(value, dict):
                children = list(value.values())
            elif word in LISTS and isinstance(value, list):
                children = value
            else:
                children = [value] if word in ONE else []
            for child in children:
                yield from nodes(child)


def check_node(node: Any, dialect: Any) -> None:
    """What every spelled schema object is, whatever came in."""
    rule = dialect.rule
    if isinstance(node, bool):
        return
    if rule("unknown_keywords") != "keep":
        nullable = {"nullable"} if rule("null") == "nullable" else set()
        assert set(node) <= set(dialect.keywords) | nullable
    if rule("references") == "inline":
        assert not {"$ref", "$defs", "definitions", "$dynamicRef"} & set(node)
    types = node.get("type", [])
    types = [types] if isinstance(types, str) else types
    if rule("closed_objects") and "object" in types:
        assert node["additionalProperties"] is False
        if rule("required") == "all":
            assert node["required"] == list(node["properties"])
    if rule("required") != "as_is" and "required" in node and "object" in types:
        assert set(node["required"]) <= set(node.get("properties", {}))
    if rule("type_needed"):
        assert {"type", "anyOf", "$ref", "ref"} & set(node)
    if rule("items_needed") and "array" in types:
        assert "items" in node or "anyOf" in node
    if rule("union_siblings") == "none" and "anyOf" in node:
        assert list(node) == ["anyOf"]


def containers(value: Any) -> Iterator[Any]:
    if isinstance(value, (dict, list)):
        yield value
        for child in value.values() if isinstance(value, dict) else value:
            yield from containers(child)


def cases() -> list[Any]:
    return json.loads(CASES.read_text(encoding="utf-8")) if CASES.is_file() else []


EXPECTED = [
    pytest.param(case["input"], dialect, expected, id=f"{case['id']}-{dialect}")
    for case in cases()
    for dialect, expected in (case.get("expect_schema") or {}).items()
]


@pytest.mark.parametrize(("schema", "dialect", "expected"), EXPECTED)
def test_cases_whose_schema_is_determined(schema: Any, dialect: str, expected: Any) -> None:
    assert project(schema, find(dialect))[0] == expected


TREE = {
    "type": "object",
    "properties": {"n": {"$ref": "#/$defs/N"}, "m": {"type": "object", "additionalProperties": {"type": "integer"}}},
    "$defs": {"N": {"type": "object", "properties": {"next": {"$ref": "#/$defs/N"}, "v": {"const": {"a": []}}}}},
}


@pytest.mark.parametrize("dialect", NAMES)
def test_input_is_not_changed_and_nothing_is_shared(dialect: str) -> None:
    schema = copy.deepcopy(TREE)
    spelled, _ = project(schema, find(dialect))
    assert text(schema) == text(TREE)
    theirs = {id(one) for one in containers(schema)}
    ours = [id(one) for one in containers(spelled)]
    assert not theirs & set(ours)
    assert len(ours) == len(set(ours))


@pytest.mark.parametrize("direction", ["input", "output"])
@pytest.mark.parametrize("dialect", NAMES)
@pytest.mark.parametrize(
    ("schema", "error"),
    [
        (False, NotASchema),
        ({"type": "text"}, NotASchema),
        ({"properties": []}, NotASchema),
        ({"minimum": float("nan")}, NotASchema),
        ({1: 2}, NotASchema),
        ({"properties": {"a": {"$ref": "#/nowhere"}}}, UnresolvableReference),
        ({"properties": {"a": {"$ref": "https://example.test/x.json"}}}, UnresolvableReference),
    ],
)
def test_bad_input_is_one_of_three_errors(schema: Any, error: type, dialect: str, direction: str) -> None:
    with pytest.raises(error):
        project(schema, find(dialect), direction)


def nested(depth: int) -> Any:
    schema: Any = {"type": "string"}
    for _ in range(depth):
        schema = {"not": schema}
    return schema


@pytest.mark.parametrize("dialect", NAMES)
def test_depth(dialect: str) -> None:
    project(nested(253), find(dialect))
    with pytest.raises(SchemaTooDeep):
        project(nested(254), find(dialect))
    with pytest.raises(SchemaTooDeep):
        project(nested(100_000), find(dialect))


@pytest.mark.parametrize("dialect", NAMES)
def test_a_ladder_of_definitions_is_cut_by_the_budget(dialect: str) -> None:
    levels = {
        f"L{i}": {"type": "object", "properties": {side: {"$ref": f"#/$defs/L{i + 1}"} for side in "ab"}}
        for i in range(40)
    }
    schema = {"properties": {"a": {"$ref": "#/$defs/L0"}}, "$defs": {**levels, "L40": {"type": "string"}}}
    spelled, _ = project(schema, find(dialect))
    assert len(text(spelled)) < 100_000


def test_an_unresolvable_reference_in_a_catalog() -> None:
    schema = {"type": "object", "properties": {"a": {"$ref": "#/nowhere", "description": "A"}}}
    spelled, losses = project(schema, find("flat"), unresolvable="any")
    assert spelled["properties"]["a"] == {"description": "A. Its structure is not available here."}
    assert ("/properties/a", "$ref", "carried", "Its structure is not available here.") in losses


@pytest.mark.parametrize("dialect", NAMES)
def test_a_root_that_accepts_nothing(dialect: str) -> None:
    spelled, _ = project({"not": {}}, find(dialect))
    assert spelled == {"not": {}} if dialect == "flat" else spelled["properties"] == {}


def test_resources() -> None:
    schema = {"properties": {"a": {"$ref": "https://example.test/x.json#/$defs/A"}}}
    resources = {"https://example.test/x.json": {"$defs": {"A": {"type": "integer"}}}}
    spelled, _ = project(schema, find("flat"), resources=resources)
    assert spelled == {"properties": {"a": {"type": "integer"}}}


def sweep() -> Iterator[tuple[str, str, Any]]:
    count = 0
    for file in CORPUS:
        for tool in json.loads(file.read_text(encoding="utf-8"))["tools"]:
            count += 1
            if count % STEP == 0:
                yield file.stem, tool["name"], tool.get("inputSchema")


@pytest.mark.skipif(not CORPUS, reason="no corpus beside the project")
@pytest.mark.parametrize("dialect", NAMES)
def test_corpus(dialect: str) -> None:
    table = find(dialect)
    for source, name, schema in sweep():
        before = text(schema)
        try:
            spelled, _ = project(schema, table, draft="7" if "draft7" in source else None)
        except (NotASchema, UnresolvableReference):
            continue
        assert text(schema) == before, (source, name)
        for node in nodes(spelled):
            try:
                check_node(node, table)
            except AssertionError as error:
                raise AssertionError(f"{source} {name}: {text(node)[:300]}") from error


@pytest.mark.skipif(not CORPUS, reason="no corpus beside the project")
@pytest.mark.parametrize("dialect", NAMES)
def test_corpus_output(dialect: str) -> None:
    for source, _, schema in sweep():
        try:
            project(schema, find(dialect), "output", draft="7" if "draft7" in source else None)
        except (NotASchema, UnresolvableReference):
            continue
