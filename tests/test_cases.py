"""The cases made from public bug reports: what each expects of projection, and what holds for all of them.

``cases/cases.json`` holds the inputs and the expectations in words. Each case that says something about a projection
has functions here, named after it; the others stand in ``NOT_HERE``. ``PARTLY`` says which part of a case that has
functions here belongs to a later subject. Where a case was overruled, the test checks what the ruling says.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.oracles import judge
from tests.oracles.look import (
    DIALECTS,
    ENTRIES,
    JSON_TEXT,
    NULL,
    RENAMING,
    STRICT,
    admits_null,
    at,
    bare,
    compact,
    containers,
    fresh,
    keywords,
    safe_key,
    said,
    schemas,
    settled,
    size,
    target,
    trapped,
    under,
)
from tests.oracles.structure import check, resolves

import toolglot as tg

#: Cases without a function here, and the subject they belong to.
NOT_HERE = {
    "B002": "calls: nulls through references",
    "B008": "judging: equality",
    "B046": "calls: null kept or omitted",
    "B049": "calls: nulls, judging after restoring",
    "B050": "compare",
    "B067": "judging: remote references",
    "B074": "recovery: an error about the call",
    "B080": "recovery: parsing",
    "B098": "compare",
    "B100": "envelopes: tool names",
    "B104": "judging: the text null",
    "B106": "recovery: parsing",
    "B107": "calls: nested nulls",
    "B121": "recovery: a provider's quirk",
    "B127": "envelopes: tool names",
    "B148": "calls: what is no omission",
    "B149": "calls: choosing a branch",
}

#: The part of a case that belongs to a later subject, where the rest is tested here.
PARTLY = {
    "B007": "compare",
    "B010": "lint: limits",
    "B011": "judging, envelopes",
    "B013": "judging",
    "B016": "judging",
    "B020": "recovery",
    "B025": "lint",
    "B028": "judging, lint",
    "B029": "lint: limits, recovery",
    "B031": "judging",
    "B032": "calls",
    "B034": "judging",
    "B035": "catalog",
    "B037": "envelopes",
    "B038": "envelopes",
    "B040": "judging",
    "B041": "calls",
    "B047": "compare, judging",
    "B052": "calls",
    "B053": "judging",
    "B055": "judging",
    "B058": "calls",
    "B059": "judging",
    "B061": "judging",
    "B062": "judging",
    "B064": "recovery, envelopes",
    "B065": "judging, calls",
    "B079": "judging",
    "B082": "judging",
    "B086": "judging",
    "B094": "judging",
    "B097": "calls",
    "B103": "calls",
    "B109": "judging",
    "B110": "calls",
    "B113": "lint: limits, recovery, judging",
    "B128": "judging",
    "B131": "judging",
    "B133": "judging",
    "B136": "judging",
    "B137": "calls",
    "B139": "calls, catalog",
    "B143": "calls",
    "B145": "judging",
    "B146": "lint",
}

FILE = Path(__file__).parent / "cases" / "cases.json"
CASES: dict[str, dict[str, Any]] = {case["id"]: case for case in json.loads(FILE.read_text(encoding="utf-8"))}
NO_ROOT_FORM = ("canonical", "flat")
OTHERS = tuple(name for name in DIALECTS if name != "canonical")
CLOSED_OR_GEMINI = (*STRICT, "gemini")
OBJECT_DIALECTS = (*STRICT, "nova", "gemini")


def in_each(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("dialect", names)


ALL = in_each(*DIALECTS)


def source(number: str) -> Any:
    return fresh(CASES[number]["input"])


def generated(number: str) -> Any:
    """The large version of a case. The expressions are ours and stand in the file."""
    return eval(CASES[number]["input_gen"], {"__builtins__": {"dict": dict, "range": range}})


def out(number: str, dialect: str, **options: Any) -> Any:
    return tg.project(source(number), dialect, **options).schema


def losses(number: str, dialect: str, **options: Any) -> list[tg.Loss]:
    return list(tg.project(source(number), dialect, **options).losses)


def lost(number: str, dialect: str) -> set[tuple[str, str, str]]:
    return {(loss.path, loss.keyword, loss.effect) for loss in losses(number, dialect)}


def told(schema: Any, dialect: str) -> str:
    """Every description a caller of the tool reads: the tool's own, and those of its schema."""
    tool = tg.Tool("t", "The tool.", fresh(schema)).project(dialect)
    return f"{tool.description}\n{said(tool.input.schema)}"


def names(schema: Any) -> list[str]:
    return list(schema["properties"])


def wire(dialect: str, *keys: str) -> list[str]:
    """The keys as a dialect writes them."""
    return [safe_key(key) for key in keys] if dialect in RENAMING else list(keys)


def accepts(schema: Any, document: Any) -> bool:
    return bool(judge.as_2020_12(schema).is_valid(document))


def branches(node: Any) -> list[Any]:
    """The alternatives of a union without the null one."""
    return [branch for branch in node.get("anyOf", node.get("oneOf", [])) if branch != NULL]


def no_combinator_at_the_root(schema: Any) -> None:
    assert schema["type"] == "object"
    assert not {"anyOf", "oneOf", "allOf", "not", "enum", "const", "$ref", "ref"} & set(schema)


# --- the table itself


def test_every_case_is_tested_or_stands_in_the_table() -> None:
    tested = {found.group(1).upper() for name in globals() if (found := re.match(r"test_(b\d{3})_", name))}
    assert len(CASES) == 100
    assert tested | set(NOT_HERE) == set(CASES)
    assert not tested & set(NOT_HERE)
    assert set(PARTLY) <= tested


def test_the_cases_are_those_of_the_shared_file(shared: Path) -> None:
    theirs = json.loads((shared / "cases" / "cases.json").read_text(encoding="utf-8"))
    for case in theirs:
        ours = CASES[case["id"]]
        assert {key: case[key] for key in ours} == ours
    assert len(theirs) == len(CASES)


@pytest.mark.parametrize(
    ("number", "dialect"),
    [(number, name) for number, case in CASES.items() for name in case.get("expect_schema", {}) if name in DIALECTS],
)
def test_expected_schema(number: str, dialect: str) -> None:
    got, wanted = out(number, dialect), CASES[number]["expect_schema"][dialect]
    if number == "B125":  # "order of required and properties is free"
        got["required"].sort()
        wanted = {**wanted, "required": sorted(wanted["required"])}
    assert got == wanted


# --- invariants: every case, every dialect


def tools() -> Iterator[tuple[str, Any]]:
    """Every schema of every case: the input, each side of a pair, each tool of a catalog."""
    for number, case in CASES.items():
        given = case["input"]
        for side in ("old", "new") if case["input_form"].startswith("pair") else ("",):
            part = given[side] if side else given
            name = f"{number}{side}"
            if not case["input_form"].endswith("catalog"):
                yield name, part
                continue
            for index, tool in enumerate(part["tools"]):
                yield f"{name}-{index}", tool["inputSchema"]
                if "outputSchema" in tool:
                    yield f"{name}-{index}-out", tool["outputSchema"]


SCHEMAS = dict(tools())
EVERY = [pytest.param(name, dialect, id=f"{name}-{dialect}") for name in SCHEMAS for dialect in DIALECTS]

#: Cases that no dialect can spell, and the error that says so.
REFUSED: dict[str, type[tg.SchemaError]] = {
    "B005": tg.UnresolvableReference,
    "B035": tg.UnresolvableReference,
    "B056": tg.NotASchema,
    "B067": tg.UnresolvableReference,
}


def spelled(name: str, dialect: str) -> tg.Projection:
    if name in REFUSED:
        with pytest.raises(REFUSED[name]):
            tg.project(fresh(SCHEMAS[name]), dialect)
        pytest.skip(f"refused: {REFUSED[name].__name__}")
    return tg.project(fresh(SCHEMAS[name]), dialect)


@pytest.mark.parametrize(("name", "dialect"), EVERY)
def test_the_input_is_never_changed(name: str, dialect: str) -> None:
    given = fresh(SCHEMAS[name])
    known = [(id(value), compact(value)) for value in containers(given)]
    try:
        tg.project(given, dialect).losses  # noqa: B018 - losses walk the input too
    except tg.SchemaError:
        assert name in REFUSED
    assert [(id(value), compact(value)) for value in containers(given)] == known


@pytest.mark.parametrize(("name", "dialect"), EVERY)
def test_nothing_is_shared(name: str, dialect: str) -> None:
    given = fresh(SCHEMAS[name])
    if name in REFUSED:
        pytest.skip("refused")
    first, second = tg.project(given, dialect), tg.project(given, dialect)
    parts = [list(containers(value)) for value in (given, first.schema, second.schema)]
    every = [id(value) for part in parts for value in part]
    assert len(every) == len(set(every))
    # Editing one result changes neither the input nor another result.
    before = compact(given), compact(second.schema)
    for value in parts[1]:
        value.clear()
    assert (compact(given), compact(second.schema)) == before


@pytest.mark.parametrize(("name", "dialect"), EVERY)
def test_projecting_again_changes_nothing(name: str, dialect: str) -> None:
    once = spelled(name, dialect)
    same = tg.project(fresh(SCHEMAS[name]), dialect)
    assert same.to_json() == once.to_json()
    assert same.losses == once.losses
    assert tg.project_json(compact(SCHEMAS[name]), dialect) == once.to_json()
    assert tg.project(fresh(once.schema), dialect).to_json() == once.to_json()


@pytest.mark.parametrize(("name", "dialect"), EVERY)
def test_structure(name: str, dialect: str) -> None:
    """Keywords, formats, references and shapes are those of the dialect; every reference resolves inside."""
    assert check(spelled(name, dialect).schema, dialect) == []


@pytest.mark.parametrize(("name", "dialect"), EVERY)
def test_losses_point_into_the_input_and_their_places_into_the_projection(name: str, dialect: str) -> None:
    projection = spelled(name, dialect)
    for loss in projection.losses:
        at(SCHEMAS[name], loss.path)
        for place in loss.places:
            at(projection.schema, place)
        if loss.effect == "carried":
            assert loss.sentence
        if loss.value:
            json.loads(loss.value)


def declared(node: Any) -> set[str]:
    """Names that a schema object may speak of at its own level."""
    found: set[str] = set()
    for key in ("properties", "dependentRequired", "dependentSchemas", "dependencies"):
        if isinstance(node.get(key), dict):
            found |= set(node[key])
    if isinstance(node.get("required"), list):
        found |= set(node["required"])
    return found


@pytest.mark.parametrize(("name", "dialect"), EVERY)
def test_no_parameter_is_invented(name: str, dialect: str) -> None:
    schema = spelled(name, dialect).schema
    known = {key for node in schemas(SCHEMAS[name]) for key in declared(node)}
    known |= {safe_key(key) for key in known} if dialect in RENAMING else set()
    entries = {"key", "value"} if ENTRIES in said(schema) else set()
    added = {"additional_properties"} if dialect in STRICT else set()
    assert {key for node in schemas(schema) for key in declared(node)} <= known | entries | added


def pairs(
    root: Any, node: Any, spelled_root: Any, other: Any, dialect: str, left: int = 6
) -> Iterator[tuple[Any, Any]]:
    """The author's object nodes with what they were spelled as, down properties and items."""
    if left == 0:
        return
    node, other = target(root, node), settled(spelled_root, other)
    if not isinstance(node, dict) or not isinstance(other, dict):
        return
    if isinstance(node.get("properties"), dict) and "properties" in other:
        yield node, other
        for key, below in node["properties"].items():
            shown = wire(dialect, key)[0]
            if shown in other["properties"]:
                yield from pairs(root, below, spelled_root, other["properties"][shown], dialect, left - 1)
    if isinstance(node.get("items"), dict) and isinstance(other.get("items"), dict):
        yield from pairs(root, node["items"], spelled_root, other["items"], dialect, left - 1)


def is_false(root: Any, node: Any) -> bool:
    node = target(root, node)
    return node is False or node in ({"not": {}}, {"not": True})


@pytest.mark.parametrize(("name", "dialect"), EVERY)
def test_no_parameter_is_lost_or_merged(name: str, dialect: str) -> None:
    schema, root = spelled(name, dialect).schema, SCHEMAS[name]
    met = 0
    for node, other in pairs(root, root, schema, schema, dialect):
        met += 1
        wanted = [
            key
            for key, below in node["properties"].items()
            if dialect not in CLOSED_OR_GEMINI or not is_false(root, below)
        ]
        # One for one (two keys never become one), in the author's order. Names that come later are of other keywords.
        shown = wire(dialect, *wanted)
        assert [key for key in other["properties"] if key in shown] == shown
        assert len(set(shown)) == len(wanted)
        if dialect == "openai_strict":
            assert other["required"] == list(other["properties"])
        elif isinstance(node.get("required"), list):
            assert set(wire(dialect, *node["required"])) <= set(other["required"])
    if isinstance(root.get("properties"), dict) and "$ref" not in root:
        assert met


IN_ANOTHER_PROCESS = """
import hashlib, json, sys
import toolglot as tg
out = {}
given = json.load(sys.stdin)
for name in reversed(list(given)):
    for dialect in sys.argv[1:]:
        try:
            projection = tg.project(given[name], dialect)
        except tg.SchemaError as error:
            text = f"{type(error).__name__} {error}"
        else:
            text = projection.to_json().decode() + repr(projection.losses)
        out[f"{name} {dialect}"] = hashlib.sha256(text.encode()).hexdigest()
json.dump(out, sys.stdout)
"""


def test_another_process_gives_the_same_bytes() -> None:
    found: list[dict[str, str]] = []
    for seed in ("1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", IN_ANOTHER_PROCESS, *DIALECTS]
        done = subprocess.run(
            command, input=compact(SCHEMAS).encode(), capture_output=True, env=environment, check=True
        )
        found.append(json.loads(done.stdout))
    assert len(found[0]) == len(SCHEMAS) * len(DIALECTS)
    assert found[0] == found[1]


@ALL
def test_no_file_and_no_socket_is_opened(dialect: str) -> None:
    def run() -> None:
        for name, schema in SCHEMAS.items():
            for unresolvable in ("raise", "any"):
                try:
                    tg.project(fresh(schema), dialect, unresolvable=unresolvable).losses  # noqa: B018
                except tg.SchemaError:
                    assert name in REFUSED

    run()  # whatever is read or imported once is not the schema's doing
    with trapped() as events:
        run()
    assert events == []


@ALL
@pytest.mark.parametrize("number", [number for number, case in CASES.items() if "input_gen" in case])
def test_the_large_version(number: str, dialect: str) -> None:
    given = generated(number)
    before = size(given)
    projection = tg.project(given, dialect)
    assert size(given) == before
    assert size(projection.schema) <= 100_000 + 4 * before
    assert tg.project(generated(number), dialect).to_json() == projection.to_json()
    assert check(projection.schema, dialect) == []


# --- B001 to B049


def test_b001_percent_encoded_pointers_are_decoded() -> None:
    schema = out("B001", "flat")
    assert under(schema, "top") == {"type": "integer", "minimum": 0}
    assert under(schema, "s") == {"type": "string"}
    assert under(schema, "u") == {"type": "boolean"}
    assert not {"$ref", "$defs"} & keywords(schema)


@in_each(*OBJECT_DIALECTS)
def test_b001_types_are_those_of_the_targets(dialect: str) -> None:
    schema = out("B001", dialect)
    assert [under(schema, name)["type"] for name in names(schema)] == ["integer", "string", "boolean"]


@in_each("canonical", "flat", "nova")
def test_b004_data_is_kept_where_its_keyword_is(dialect: str) -> None:
    given, schema = source("B004"), out("B004", dialect)
    for name, keyword in (("c", "const"), ("e", "enum"), ("d", "default"), ("x", "examples")):
        assert schema["properties"][name][keyword] == given["properties"][name][keyword]


@in_each(*CLOSED_OR_GEMINI)
def test_b004_data_that_is_no_keyword_there_is_said_as_it_is(dialect: str) -> None:
    given, schema = source("B004")["properties"], out("B004", dialect)
    members = [given["c"]["const"], *given["e"]["enum"], given["d"]["default"], *given["x"]["examples"]]
    text = said(schema)
    for value in members:
        assert compact(value) in text
    assert not {"const", "enum"} & keywords(schema)


REMOTE = {
    "creds": "http://169.254.169.254/latest/meta-data/",
    "f": "file:///etc/hostname",
    "rel": "other.json#/x",
}


@ALL
@pytest.mark.parametrize("name", list(REMOTE))
def test_b005_a_remote_reference_is_reported_with_its_location(name: str, dialect: str) -> None:
    given = source("B005")
    for other in REMOTE:
        if other != name:
            del given["properties"][other]
    with trapped() as events, pytest.raises(tg.UnresolvableReference) as caught:
        tg.project(given, dialect)
    assert caught.value.path == f"/properties/{name}"
    assert caught.value.reference == REMOTE[name]
    assert f"#/properties/{name}" in str(caught.value)
    assert REMOTE[name] in str(caught.value)
    assert [event for event in events if not event.startswith("import")] == []


@in_each(*OTHERS)
def test_b005_names_stay_and_nothing_becomes_anything_in_silence(dialect: str) -> None:
    projection = tg.project(source("B005"), dialect, unresolvable="any")
    assert names(projection.schema) == ["creds", "f", "rel", "ok"]
    reported = {loss.path for loss in projection.losses if loss.keyword == "$ref"}
    assert reported == {"/properties/creds", "/properties/f", "/properties/rel"}
    for name in REMOTE:
        node = bare(projection.schema["properties"][name])
        assert "Its structure is not available here." in said(node)
    assert "d. Its structure" in said(projection.schema)


@ALL
def test_b005_resources_are_the_only_way_in(dialect: str) -> None:
    given = {"type": "object", "properties": {"a": {"$ref": "https://example.test/a.json#/x"}}}
    with pytest.raises(tg.UnresolvableReference):
        tg.project(given, dialect)
    with trapped() as events:
        resources = {"https://example.test/a.json": {"x": {"type": "integer"}}}
        schema = tg.project(given, dialect, resources=resources).schema
    assert events == []
    if dialect != "canonical":
        assert under(schema, "a")["type"] == "integer"


@ALL
@pytest.mark.parametrize("side", ["old", "new"])
def test_b007_the_order_of_parameters_is_the_authors(side: str, dialect: str) -> None:
    given = source("B007")[side]
    schema = tg.project(given, dialect).schema
    assert names(schema) == list(given["properties"])
    wanted = list(given["properties"]) if dialect == "openai_strict" else given["required"]
    assert schema["required"] == wanted


@ALL
def test_b010_nothing_is_lost_past_a_vendors_limit(dialect: str) -> None:
    given = generated("B010")
    schema = tg.project(given, dialect).schema
    assert names(schema) == list(given["properties"])
    for name in given["properties"]:
        node = under(schema, name)
        assert list(node["properties"]) == list(given["properties"][name]["properties"])
        if dialect == "openai_strict":
            assert node["required"] == list(node["properties"])
    assert sum(len(node.get("properties", ())) for node in schemas(schema)) == 5151


@pytest.mark.parametrize(
    ("dialect", "wanted"),
    [
        ("canonical", {"type": "object"}),
        ("flat", {"type": "object"}),
        ("openai_strict", {"type": "object", "properties": {}, "required": [], "additionalProperties": False}),
        ("anthropic_strict", {"type": "object", "properties": {}, "additionalProperties": False}),
        ("bedrock_strict", {"type": "object", "properties": {}, "additionalProperties": False}),
        ("nova", {"type": "object", "properties": {}, "required": []}),
        ("gemini", {"type": "object", "properties": {}}),
    ],
)
def test_b011_a_tool_without_arguments(dialect: str, wanted: Any) -> None:
    assert out("B011", dialect) == wanted
    assert tg.project({}, dialect).schema == (wanted if dialect not in NO_ROOT_FORM else {})


@in_each(*OBJECT_DIALECTS)
def test_b013_a_root_union_of_required_sets(dialect: str) -> None:
    schema = out("B013", dialect)
    no_combinator_at_the_root(schema)
    assert names(schema) == ["id", "title", "prio"]
    if dialect == "openai_strict":
        assert [admits_null(schema, schema["properties"][name]) for name in names(schema)] == [False, True, True]
    else:
        assert schema["required"] == ["id"]
    assert "Give at least one of these: (title); (prio)." in told(source("B013"), dialect)


@ALL
def test_b014_parameters_named_like_annotations(dialect: str) -> None:
    schema = out("B014", dialect)
    assert names(schema) == ["description", "default", "example", "required"]
    assert under(schema, "required") == {"type": "array", "items": {"type": "string"}}
    wanted = names(schema) if dialect == "openai_strict" else ["description", "required"]
    assert schema["required"] == wanted
    assert schema["properties"]["description"] == {"type": "string", "description": "body text"}


def test_b016_arrays_behind_dotted_names() -> None:
    schema = out("B016", "flat")
    texts = {"type": "array", "items": {"type": "string"}}
    assert schema["properties"]["paths"] == {**texts, "description": "asset paths"}
    assert schema["properties"]["grid"] == {"type": "array", "items": texts}


@in_each("openai_strict", "gemini")
def test_b016_renamed_definitions_stay_apart(dialect: str) -> None:
    given = source("B016")
    given["$defs"]["A.B_C__"] = {"type": "array", "items": {"type": "boolean"}}
    given["properties"]["again"] = {"$ref": "#/$defs/A.B~1C[]"}
    for name in ("x", "y"):
        given["properties"][name] = {"$ref": "#/$defs/A.B_C__"}
    schema = tg.project(given, dialect).schema
    kept = schema["$defs" if dialect == "openai_strict" else "defs"]
    assert len(kept) == 3
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+", name) for name in kept)
    for name in ("grid", "again"):
        assert under(schema, name, "[]", "[]") == {"type": "string"}
    for name in ("x", "y"):
        assert under(schema, name, "[]") == {"type": "boolean"}


NESTED = [
    {"where": "x"},
    {"where": {"none": "x"}},
    {"where": {"all": ["x", {"none": {"all": [{"none": {"all": ["deep", {"none": "y"}]}}]}}]}},
]


def test_b017_openai_strict_keeps_the_recursion() -> None:
    schema = out("B017", "openai_strict")
    assert all(accepts(schema, document) for document in NESTED)
    for refused in ({"where": 1}, {"where": {"none": 1}}, {"where": {"all": []}}, {"where": {"all": [{"none": 1}]}}):
        assert not accepts(schema, refused)


@in_each("flat", "nova", *RENAMING)
def test_b017_elsewhere_it_is_finite_and_has_a_deepest_value(dialect: str) -> None:
    schema = out("B017", dialect)
    assert not {"$ref", "$defs"} & keywords(schema)
    union = schema["properties"]["where"]["anyOf"]
    assert {"type": "string"} in union
    assert [names(branch) for branch in union if "properties" in branch] == [["all"], ["none"]]
    # At the cut any Expr may stand: in a closed dialect as JSON text.
    deepest = '"x"' if dialect in RENAMING else "x"
    assert accepts(schema, {"where": "x"})
    assert accepts(schema, {"where": {"none": deepest}})
    assert accepts(schema, {"where": {"all": [deepest]}})
    assert said(schema).count("Repeats the structure of Expr, to any depth.") == 2


def test_b017_gemini_keeps_references_and_unions_stand_alone() -> None:
    schema = out("B017", "gemini")
    assert set(schema["defs"]) == {"And", "Not", "Expr"}
    unions = [node for node in schemas(schema) if "anyOf" in node]
    assert unions
    assert all(set(node) == {"anyOf"} for node in unions)
    assert {"type": "string"} in target(schema, schema["properties"]["where"])["anyOf"]


def test_b019_gemini() -> None:
    schema = out("B019", "gemini")
    insert, delete = under(schema, "ops", "[]")["anyOf"]
    for branch, constant in ((insert, "insert"), (delete, "delete")):
        op = branch["properties"]["op"]
        assert (op["type"], op["enum"]) == ("string", [constant])
        assert "op" in branch["required"]
    for node in (insert["properties"]["at"], delete["properties"]["to"]):
        assert (node["type"], node["nullable"]) == ("integer", True)
    assert not any(isinstance(node.get("type"), list) for node in schemas(schema))
    assert not {"additionalProperties", "oneOf", "const", "default"} & keywords(schema)
    # Ruling 14: the two are disjoint, so nothing is said of exclusivity, and nothing of it is lost.
    assert "Exactly one" not in said(schema)
    assert not [loss for loss in losses("B019", "gemini") if loss.keyword == "oneOf"]


@in_each(*OTHERS)
def test_b019_branches_are_not_mixed(dialect: str) -> None:
    union = branches(under(out("B019", dialect), "ops", "[]"))
    assert [names(branch) for branch in union] == [["op", "at", "text"], ["op", "from", "to"]]


def test_b020_a_default_is_said_in_openai_strict_only() -> None:
    limit = out("B020", "openai_strict")["properties"]["limit"]
    assert limit == {"type": "integer", "description": "Default: 10."}
    for dialect in ("canonical", "flat", "anthropic_strict", "bedrock_strict", "nova"):
        assert out("B020", dialect)["properties"]["limit"] == {"type": "integer", "default": 10}


def test_b020_a_default_beside_a_reference_is_noted_first() -> None:
    given = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/N", "default": 10}, "b": {"$ref": "#/$defs/N"}},
        "required": ["a", "b"],
        "$defs": {"N": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}},
    }
    schema = tg.project(given, "openai_strict").schema
    assert schema["properties"]["a"] == {"anyOf": [{"$ref": "#/$defs/N"}], "description": "Default: 10."}
    assert schema["properties"]["b"] == {"$ref": "#/$defs/N"}


def test_b022_gemini_pushes_the_node_into_its_branches() -> None:
    node = out("B022", "gemini")["properties"]["comments"]
    assert set(node) == {"anyOf"}
    first, second = node["anyOf"]
    for branch in (first, second):
        assert branch["type"] == "array"
        assert names(branch["items"]) == ["path", "body"]
    assert first["items"]["required"] == ["path"]
    assert second["items"]["required"] == ["path", "body"]
    assert first["description"].startswith("review comments. ")
    assert "1 to 2 items." in first["description"]
    assert "Default: []." in first["description"]
    assert "At least 1 item." in second["description"]


@in_each(*OTHERS)
def test_b023_references_by_identifier(dialect: str) -> None:
    with trapped() as events:
        schema = out("B023", dialect)
    assert events == []
    assert under(schema, "count")["type"] == under(schema, "rel")["type"] == "integer"
    assert under(schema, "many", "[]")["type"] == "integer"
    assert under(schema, "word")["type"] == "string"
    assert "^[a-z]+$" in compact(under(schema, "word"))
    assert not {"$id", "$anchor"} & keywords(schema)
    if dialect == "flat":
        assert not {"$ref", "$defs"} & keywords(schema)


@in_each(*OBJECT_DIALECTS)
def test_b025_enum_members_are_unique(dialect: str) -> None:
    assert under(out("B025", dialect), "method")["enum"] == ["GET", "POST"]


@in_each(*NO_ROOT_FORM)
def test_b025_canonical_and_flat_leave_them(dialect: str) -> None:
    assert out("B025", dialect)["properties"]["method"]["enum"] == ["GET", "POST", "GET"]


@in_each(*OBJECT_DIALECTS)
def test_b025_required_names_are_unique(dialect: str) -> None:
    given = source("B025")
    given["required"] = ["method", "method"]
    wanted = ["method", "r"] if dialect == "openai_strict" else ["method"]
    assert tg.project(given, dialect).schema["required"] == wanted


@ALL
def test_b026_a_parameter_named_properties(dialect: str) -> None:
    schema = out("B026", dialect)
    assert names(schema) == ["properties", "title", "id"]
    assert schema["required"] == (names(schema) if dialect == "openai_strict" else ["properties", "title"])
    assert names(under(schema, "properties")) == ["x"]
    assert all(isinstance(node, dict) for node in schema["properties"].values())


@pytest.mark.parametrize(
    ("dialect", "wanted"),
    [
        ("canonical", {"type": "string", "nullable": True}),
        ("gemini", {"type": "string", "nullable": True}),
        *((name, {"type": ["string", "null"]}) for name in ("flat", "nova", *STRICT)),
    ],
)
def test_b028_nullable_is_read_as_null(dialect: str, wanted: Any) -> None:
    schema = out("B028", dialect)
    assert schema["properties"]["note"] == wanted
    assert under(schema, "nullable") == {"type": "boolean"}
    assert accepts(tg.read(source("B028")), {"note": None})


@in_each(*RENAMING)
def test_b029_optional_parameters_stay_optional(dialect: str) -> None:
    schema = out("B029", dialect)
    assert schema["required"] == ["req"]
    assert len(schema["properties"]) == 27
    assert all(node == {"type": "string"} for node in schema["properties"].values())


def test_b031_patterns_that_python_cannot_compile_are_said() -> None:
    schema = out("B031", "openai_strict")
    assert under(schema, "field") == {
        "type": "string",
        "description": "Must match the pattern ^[^\\p{Cc}\\p{Zl}]{1,5}$.",
    }
    assert "Properties matching ^\\p{L}+$: each value is integer." in said(schema)
    assert "patternProperties" not in keywords(schema)
    assert under(schema, "ok") == {"type": "string", "pattern": "^\\d+$"}
    for node in schemas(schema):
        if "pattern" in node:
            re.compile(node["pattern"])


@in_each(*STRICT)
def test_b032_open_objects_in_a_closed_dialect(dialect: str) -> None:
    schema = out("B032", dialect)
    assert {compact(node["additionalProperties"]) for node in schemas(schema) if "additionalProperties" in node} == {
        "false"
    }
    assert names(under(schema, "meta")) == ["a"]
    for name in ("free", "any"):
        assert under(schema, name) == {"type": "string", "description": JSON_TEXT}
    found = lost("B032", dialect)
    assert ("/properties/meta", "additionalProperties", "unreachable") in found
    assert ("/properties/free", "type", "encoded") in found
    assert ("/properties/any", "type", "encoded") in found
    implicit = {loss.path: loss.implicit for loss in losses("B032", dialect) if loss.keyword == "additionalProperties"}
    assert implicit["/properties/meta"] is False


def test_b034_gemini_takes_no_empty_string_in_an_enum() -> None:
    schema = out("B034", "gemini")
    assert not any("" in node["enum"] or not node["enum"] for node in schemas(schema) if "enum" in node)
    assert under(schema, "rel") == {"type": "string", "description": 'One of: "", "parent", "child".'}
    assert under(schema, "only") == {"type": "string", "description": 'One of: "".'}
    assert under(schema, "link") == {"type": "string", "description": 'One of: "", "x".', "nullable": True}


@ALL
def test_b035_a_dangling_reference_is_located(dialect: str) -> None:
    with pytest.raises(tg.UnresolvableReference) as caught:
        tg.Tool("look", None, source("B035")).project(dialect)
    assert caught.value.tool == "look"
    assert caught.value.path == "/properties/screen"
    assert caught.value.reference == "#/$defs/Missing"
    for part in ("look", "#/properties/screen", "#/$defs/Missing"):
        assert part in str(caught.value)
    assert caught.value.__cause__ is None


@in_each(*OTHERS)
def test_b035_it_can_be_spelled_as_any_json_and_is_reported(dialect: str) -> None:
    projection = tg.project(source("B035"), dialect, unresolvable="any")
    assert names(projection.schema) == ["screen", "name"]
    assert [loss.path for loss in projection.losses if loss.keyword == "$ref"] == ["/properties/screen"]


def test_b037_siblings_of_a_reference_into_the_body() -> None:
    schema = out("B037", "flat")
    page = {"type": "integer", "minimum": 3, "maximum": 7, "description": "page"}
    assert schema["properties"]["p"] == page
    assert schema["properties"]["q"] == page
    assert schema["properties"]["z"] in (False, {"not": {}})


@in_each(*CLOSED_OR_GEMINI)
def test_b037_what_can_never_be_sent_is_not_offered(dialect: str) -> None:
    schema = out("B037", dialect)
    assert names(schema) == ["p", "q"]
    assert schema["description"] == "Must not be sent: z."


def test_b037_nova_cannot_write_false() -> None:
    assert out("B037", "nova")["properties"]["z"] == {"not": {}}


@in_each(*CLOSED_OR_GEMINI)
def test_b038_boolean_schemas(dialect: str) -> None:
    schema = out("B038", dialect)
    assert names(schema) == ["result", "n"]
    assert isinstance(schema["properties"]["result"], dict)
    assert schema["properties"]["result"]
    assert "gone" not in schema["required"]
    assert "Must not be sent: gone." in schema["description"]


@in_each(*CLOSED_OR_GEMINI)
def test_b038_the_loss_of_a_boolean_schema_is_at_its_place(dialect: str) -> None:
    effect = "unreachable" if dialect == "gemini" else "encoded"
    assert ("/properties/result", "type", effect) in lost("B038", dialect)
    assert ("", "type", effect) not in lost("B038", dialect)


def test_b038_where_booleans_or_not_are_spelled() -> None:
    for dialect in NO_ROOT_FORM:
        assert out("B038", dialect) == source("B038")
    properties = out("B038", "nova")["properties"]
    assert properties["result"] == {}
    assert properties["gone"] == {"not": {}}


@in_each(*RENAMING)
def test_b040_every_object_is_closed_and_optional_stays(dialect: str) -> None:
    schema = out("B040", dialect)
    objects = [node for node in schemas(schema) if node.get("type") == "object"]
    assert len(objects) == 4
    assert all(node["additionalProperties"] is False for node in objects)
    assert schema["required"] == ["city"]
    assert not any(admits_null(schema, node) for node in schema["properties"].values())
    assert "required" not in under(schema, "n")


@in_each(*OTHERS)
def test_b041_parameters_named_ref(dialect: str) -> None:
    schema = out("B041", dialect)
    (shown,) = wire(dialect, "$ref")
    assert names(schema) == ["content", shown]
    content = under(schema, "content")
    assert names(content) == [shown]
    assert content["required"] == [shown]
    assert content["properties"][shown]["type"] == "string"
    assert "^#/panes/" in compact(content)
    if dialect in RENAMING:
        assert ("/properties/$ref", "properties", "encoded") in lost("B041", dialect)


@in_each("flat", "nova", *RENAMING)
def test_b043_only_the_cut_is_collapsed(dialect: str) -> None:
    schema = out("B043", dialect)
    assert not {"$ref", "$defs"} & keywords(schema)
    places = (("b",), ("c",), ("a", "leaf"), ("a", "leaf2"))
    for place in places:
        leaf = under(schema, *place)
        assert leaf["properties"] == {"v": {"type": "integer"}}
        assert leaf["required"] == ["v"]
    for side in ("left", "right"):
        assert under(schema, "a", side)["type"] == ("string" if dialect in RENAMING else "object")
    assert said(schema).count("Repeats the structure of Tree, to any depth.") == 2
    assert size(schema) < 5000


def test_b043_gemini_keeps_both_definitions() -> None:
    schema = out("B043", "gemini")
    assert set(schema["defs"]) == {"Leaf", "Tree"}
    assert said(schema) == ""


@in_each(*STRICT)
def test_b044_objects_without_a_plain_type(dialect: str) -> None:
    schema = out("B044", dialect)
    objects = [node for node in schemas(schema) if "properties" in node]
    assert len(objects) == 4
    for node in objects:
        assert node["type"] in ("object", ["object", "null"])
        assert node["additionalProperties"] is False
    assert admits_null(schema, schema["properties"]["b"])
    assert "b" in schema["required"]
    assert ("/properties/a", "type", "unreachable") in lost("B044", dialect)


DIGITS = ("9223372036854775807", "9007199254740993", "123456789012345678901234567890", "0.1", "0.01")


@ALL
def test_b047_numbers_keep_their_digits(dialect: str) -> None:
    text = compact(source("B047"))
    written = tg.project_json(text, dialect).decode()
    wanted = DIGITS if dialect in ("canonical", "flat", "nova", "openai_strict") else DIGITS[1:]
    for digits in wanted:
        assert re.search(rf"(?<![0-9.]){re.escape(digits)}(?![0-9])", written), digits
    if dialect in NO_ROOT_FORM:
        assert written == text
    assert not re.search(r"[0-9]e\+?[0-9]", written)


def test_b047_a_bound_of_64_bits_that_is_no_keyword_is_listed() -> None:
    for dialect in (*RENAMING, "gemini"):
        (loss,) = [loss for loss in losses("B047", dialect) if loss.keyword == "maximum"]
        assert loss.path == "/properties/n"
        assert (loss.value, loss.effect, loss.implicit) == ("9223372036854775807", "unspoken", True)


# --- B052 to B099


@in_each(*OTHERS)
def test_b052_names_outside_ascii(dialect: str) -> None:
    schema = out("B052", dialect)
    shown = wire(dialect, "城市", "国家", "日期")
    assert names(schema) == shown
    assert len(set(shown)) == 3
    if dialect in RENAMING:
        assert all(re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", name) for name in shown)
    assert under(schema, shown[0])["enum"] == ["北京"]
    assert under(schema, shown[1])["enum"] == ["中国"]


@in_each("openai_strict", "gemini")
def test_b052_definitions_outside_ascii_stay_distinct(dialect: str) -> None:
    given = source("B052")
    for index, name in enumerate(("城市", "国家")):
        given["properties"][f"p{index}"] = {"$ref": f"#/$defs/{name}"}
    schema = tg.project(given, dialect).schema
    assert len(schema["$defs" if dialect == "openai_strict" else "defs"]) == 2
    assert under(schema, "p0")["enum"] == under(schema, "城市")["enum"] == ["北京"]
    assert under(schema, "p1")["enum"] == under(schema, "国家")["enum"] == ["中国"]


def test_b053_required_names_are_declared() -> None:
    schema = out("B053", "gemini")
    item, other = under(schema, "items", "[]"), under(schema, "o")
    assert names(item) == item["required"] == ["id", "name"]
    assert names(other) == other["required"] == ["a", "ghost"]
    assert under(other, "ghost") == {"type": "integer"}
    for node in schemas(schema):
        if node.get("type") == "object":
            assert node.get("properties") or node is schema or "anyOf" in compact(schema)
        assert set(node.get("required", ())) <= set(node.get("properties", ()))


@in_each(*STRICT)
def test_b053_in_closed_dialects_too(dialect: str) -> None:
    schema = out("B053", dialect)
    assert names(under(schema, "items", "[]")) == ["id", "name"]
    assert names(under(schema, "o")) == ["a", "ghost", "additional_properties"]
    assert under(schema, "o", "ghost") == {"type": "integer"}


@ALL
def test_b055_nothing_is_emptied_and_types_stay(dialect: str) -> None:
    schema = out("B055", dialect)
    identifier = under(schema, "host", "id")
    assert identifier["type"] == "string"
    assert "int64" in compact(identifier)
    assert under(schema, "host", "tags", "[]") == {"type": "string", "enum": ["prod", "dev"]}
    assert {} not in list(schemas(schema))
    assert "$schema" not in keywords(schema)
    if dialect == "flat":
        assert schema["properties"]["host"]["description"] == "target"
        assert not {"$ref", "$defs"} & keywords(schema)


@ALL
def test_b056_an_array_for_properties_is_refused_with_its_place(dialect: str) -> None:
    with pytest.raises(tg.NotASchema) as caught:
        out("B056", dialect)
    assert caught.value.path == "/properties"


@ALL
def test_b058_percent_signs_in_names(dialect: str) -> None:
    schema = out("B058", dialect)
    outer = wire(dialect, "40%", "100%zz", "ref")
    assert names(schema) == outer
    assert len(set(outer)) == 3
    assert names(under(schema, outer[0])) == wire(dialect, "tint", "%2F")
    if dialect != "canonical":
        assert under(schema, "ref") == {"type": "string"}


@in_each(*STRICT)
def test_b058_a_reported_place_leads_back(dialect: str) -> None:
    paths = {loss.path for loss in losses("B058", dialect)}
    assert "/properties/40%/properties/%2F" in paths
    assert at(source("B058"), "/properties/40%/properties/%2F") == {"type": "integer"}


@in_each(*OTHERS)
def test_b059_array_form_items(dialect: str) -> None:
    schema = out("B059", dialect)
    query = under(schema, "query")
    assert not any(isinstance(node.get("items"), list) or "additionalItems" in node for node in schemas(schema))
    assert names(query["items"]) == ["op"]
    assert query["items"]["required"] == ["op"]
    if dialect in ("flat", "nova"):
        assert query["prefixItems"] == [query["items"]]
        judge.as_2020_12(schema)
    else:
        assert "Items in order: object." in query["description"]


@in_each(*OBJECT_DIALECTS)
def test_b061_a_root_union_of_two_shapes(dialect: str) -> None:
    schema = out("B061", dialect)
    no_combinator_at_the_root(schema)
    assert sorted(names(schema)) == ["indexer", "releaseId", "url"]
    if dialect == "openai_strict":
        assert all(admits_null(schema, node) for node in schema["properties"].values())
    else:
        assert schema.get("required", []) == []
    assert [branch["type"] for branch in branches(under(schema, "indexer"))] == ["string", "integer"]
    wanted = "Give one of these: (releaseId, [indexer: string]); (url, [indexer: integer])."
    assert wanted in told(source("B061"), dialect)


@in_each("gemini", "nova")
def test_b061_where_closing_is_no_keyword_it_is_said(dialect: str) -> None:
    """Every alternative is closed, so the flattened node is, and a rule that is not spelled is said."""
    assert "No other properties are accepted." in told(source("B061"), dialect)


@in_each("gemini", "nova")
def test_b061_alternatives_that_are_open_close_nothing(dialect: str) -> None:
    given = source("B061")
    del given["oneOf"][1]["additionalProperties"]
    assert "No other properties" not in told(given, dialect)


@ALL
def test_b062_a_null_default_is_a_default(dialect: str) -> None:
    schema = out("B062", dialect)
    line, number = schema["properties"]["line"], schema["properties"]["n"]
    keeps = dialect in ("canonical", "flat", "nova", *RENAMING)
    assert ("default" in line) == keeps
    assert admits_null(schema, line)
    assert "x-example" not in line or dialect == "canonical"
    assert ("Must be 0." in said(number)) == (dialect == "gemini")
    if dialect == "canonical":
        assert schema == source("B062")
    else:
        assert "Examples: null." in said(number) or number["examples"] == [None]


@in_each(*RENAMING)
def test_b064_bounds_that_are_no_keyword_are_said(dialect: str) -> None:
    schema = out("B064", dialect)
    assert not {"maxItems", "maximum"} & keywords(schema)
    assert names(schema) == ["ids", "maxItems"]
    assert under(schema, "ids")["description"] == "At most 3 items."
    assert under(schema, "ids", "[]")["description"] == "Maximum: 5."


@in_each("canonical", "flat", "nova", *STRICT)
def test_b065_large_integers_in_an_enum(dialect: str) -> None:
    written = tg.project_json(compact(source("B065")), dialect)
    assert b'"enum":[3141592653589793239]' in written


def test_b065_gemini_says_them() -> None:
    assert b"One of: 3141592653589793239." in tg.project_json(compact(source("B065")), "gemini")


def test_b068_flat_drops_no_keyword() -> None:
    assert out("B068", "flat") == source("B068")


@in_each(*OBJECT_DIALECTS)
def test_b068_conditions_are_said_and_listed(dialect: str) -> None:
    schema, text = out("B068", dialect), told(source("B068"), dialect)
    assert not {"if", "then", "else", "dependentSchemas", "unevaluatedProperties"} & set(schema)
    assert 'When cvc is given: {"required":["card"]}.' in text
    assert (
        'If {"properties":{"k":{"const":"card"}},"required":["k"]} then {"required":["card"]} '
        'else {"required":["iban"]}.'
    ) in text
    listed = {keyword for path, keyword, _ in lost("B068", dialect) if path == ""}
    assert listed >= {"if", "then", "else", "dependentSchemas"}
    if dialect in STRICT:
        assert schema["additionalProperties"] is False
    else:
        assert "No other properties are accepted." in text
        assert "unevaluatedProperties" in listed


@in_each(*RENAMING)
def test_b070_limits_of_zero_are_said_like_any_other(dialect: str) -> None:
    schema = out("B070", dialect)
    bounds = {"minimum", "maximum", "exclusiveMinimum", "multipleOf", "minLength", "maxLength", "maxItems"}
    assert not bounds & keywords(schema)
    wanted = {
        "score": "Accepted range: 0 to 10.",
        "t": "Must be greater than 0. Must be a multiple of 0.25.",
        "s": "At most 0 characters.",
        "a": "At most 0 items.",
    }
    assert {name: under(schema, name)["description"] for name in wanted} == wanted
    assert under(schema, "a", "[]")["description"] == "Maximum: 0."
    assert schema["description"] == "rate it"
    assert tg.project(fresh(schema), dialect).schema == schema


@ALL
def test_b071_nullable_false_admits_no_null(dialect: str) -> None:
    schema = out("B071", dialect)
    name = schema["properties"]["name"]
    assert name["type"] == "string"
    assert not admits_null(schema, name)
    if dialect != "canonical":
        assert name == {"type": "string"}


TYPES_OF_B073 = {
    "const": "string",
    "examples": "array",
    "enum": "integer",
    "default": "boolean",
    "format": "string",
    "$schema": "string",
    "additionalProperties": "string",
    "anyOf": "number",
    "not": "string",
    "if": "string",
}


@ALL
def test_b073_parameters_named_like_keywords(dialect: str) -> None:
    schema = out("B073", dialect)
    assert names(schema) == wire(dialect, *TYPES_OF_B073)
    assert [under(schema, name)["type"] for name in names(schema)] == list(TYPES_OF_B073.values())
    assert set(schema["required"]) <= set(schema["properties"])
    assert set(schema["required"]) >= {"const", "examples", "anyOf"}
    if dialect in RENAMING:
        assert sum(name in TYPES_OF_B073 for name in names(schema)) == 9


@in_each(*OTHERS)
def test_b076_siblings_inside_a_definition(dialect: str) -> None:
    """The rules of a node that stand beside its reference hold as well as the target's, and in the body the same."""
    given = source("B076")
    given["properties"]["body"] = fresh(given["$defs"]["id"])
    given["required"].append("body")
    schema = tg.project(given, dialect).schema
    assert under(schema, "thread") == under(schema, "body")
    thread, other = compact(under(schema, "thread")), compact(under(schema, "other"))
    if dialect in ("flat", "nova"):
        assert under(schema, "thread")["minLength"] == 1
        assert under(schema, "thread")["maxLength"] == 36
        assert under(schema, "other") == {"type": "string", "maxLength": 36}
    else:
        assert "Length: 1 to 36 characters." in thread
        assert "At most 36 characters." in other
    assert "thread id" in thread
    assert "UUID" in thread or '"format":"uuid"' in thread
    assert "thread id" not in other


@in_each("openai_strict", "gemini")
def test_b076_no_reference_has_constraints_beside_it(dialect: str) -> None:
    for node in schemas(out("B076", dialect)):
        if "$ref" in node or "ref" in node:
            assert set(node) <= {"$ref"} or set(node) <= {"ref", "description"}


@ALL
def test_b077_a_parameter_named_title(dialect: str) -> None:
    schema = out("B077", dialect)
    assert names(schema) == ["src", "title", "description", "height"]
    assert set(schema["required"]) >= {"src", "title", "description"}
    assert under(schema, "title")["description"] == "figure title"


@in_each(*STRICT)
def test_b079_objects_inside_oneof_are_closed(dialect: str) -> None:
    schema = out("B079", dialect)
    assert "oneOf" not in keywords(schema)
    objects = [node for node in schemas(schema) if node.get("type") == "object"]
    assert len(objects) == 5
    for node in objects:
        assert node["additionalProperties"] is False
        if dialect == "openai_strict":
            assert node["required"] == list(node["properties"])
    tea, soup = under(schema, "meal")["anyOf"]
    assert names(tea) == ["t", "cups"]
    assert names(under(soup, "bowl")) == ["hot"]


@in_each(*OBJECT_DIALECTS)
def test_b082_a_discriminated_root_union(dialect: str) -> None:
    schema = out("B082", dialect)
    no_combinator_at_the_root(schema)
    assert schema["properties"]["kind"]["enum"] == ["plate", "weight"]
    assert [branch["type"] for branch in schema["properties"]["value"]["anyOf"]] == ["string", "number"]
    assert schema["required"] == ["kind", "value"]
    wanted = 'Give one of these: (kind "plate", value: string); (kind "weight", value: number).'
    assert wanted in told(source("B082"), dialect)
    assert "oneOf" in {keyword for path, keyword, _ in lost("B082", dialect) if path == ""}


@pytest.mark.parametrize("first", DIALECTS)
@pytest.mark.parametrize("second", DIALECTS)
def test_b083_one_projection_does_not_disturb_another(first: str, second: str) -> None:
    given = source("B083")
    alone = tg.project(source("B083"), second).to_json()
    tg.project(given, first)
    assert tg.project(given, second).to_json() == alone
    assert compact(given) == compact(CASES["B083"]["input"])


@in_each(*OTHERS)
def test_b083_two_uses_of_a_definition_are_two_objects(dialect: str) -> None:
    given = source("B083")
    given["properties"]["c"] = {"$ref": "#/$defs/U"}
    given["properties"]["d"] = {"type": "array", "items": {"$ref": "#/$defs/U"}}
    found = [id(value) for value in containers(tg.project(given, dialect).schema)]
    assert len(found) == len(set(found))


@in_each(*RENAMING)
def test_b085_counts_that_are_no_keyword(dialect: str) -> None:
    schema = out("B085", dialect)
    assert not {"maxItems", "minLength"} & keywords(schema)
    assert under(schema, "cards").get("minItems", 1) == 1
    assert under(schema, "one")["minItems"] == 1
    assert under(schema, "minItems") == {"type": "integer"}
    assert under(schema, "cards")["description"] == "8 to 12 items."
    assert under(schema, "cards", "[]", "front")["description"] == "At least 6 characters."


WIDE = ("18446744073709551615", "-9223372036854775808", "9223372036854775807", "9007199254740993")


@ALL
def test_b086_bounds_of_64_bits(dialect: str) -> None:
    written = tg.project_json(compact(source("B086")), dialect).decode()
    assert not re.search(r"[0-9]e\+?[0-9]|9007199254740992", written)
    assert "9007199254740993" in written
    if dialect in ("canonical", "flat", "nova", "openai_strict"):
        assert all(number in written for number in WIDE)
        return
    found = {(loss.path, loss.keyword): (loss.value, loss.implicit) for loss in losses("B086", dialect)}
    assert found["/properties/u64/anyOf/0", "maximum"] == ("18446744073709551615", True)
    assert found["/properties/i64", "minimum"] == ("-9223372036854775808", True)
    assert found["/properties/i64", "maximum"] == ("9223372036854775807", True)


def test_b088_a_tuple_of_equal_positions() -> None:
    assert under(out("B088", "openai_strict"), "size") == {
        "type": "array",
        "items": {"type": "integer"},
        "minItems": 2,
        "maxItems": 2,
        "description": "Items in order: integer, integer.",
    }
    size_ = under(out("B088", "gemini"), "size")
    assert size_["items"] == {"type": "integer"}
    assert size_["description"] == "2 to 2 items. Items in order: integer, integer."


def test_b089_the_root_of_nova() -> None:
    projection = tg.project(source("B089"), "nova")
    schema = projection.schema
    assert set(schema) <= {"type", "properties", "required"}
    assert isinstance(schema["required"], list)
    letters = {"type": "string", "enum": ["a", "b"]}
    assert schema["properties"] == {"k": letters, "l": {"type": "array", "items": letters}}
    tool = tg.Tool("t", "Does it.", source("B089")).project("nova")
    assert tool.description == "Does it. root text. No other properties are accepted. At least 1 property."


def test_b089_a_bare_schema_lists_what_its_root_cannot_say() -> None:
    """Ruling 42: the sentences of the root are ``unspoken`` where there is no tool to say them."""
    found = lost("B089", "nova")
    assert ("", "additionalProperties", "unspoken") in found
    assert ("", "minProperties", "unspoken") in found


LONG = "a postal address with a long explanation that should be sent once"


@pytest.mark.parametrize(("dialect", "times"), [("canonical", 1), ("openai_strict", 1), ("gemini", 1), ("flat", 4)])
def test_b091_how_often_a_shared_definition_is_written(dialect: str, times: int) -> None:
    written = tg.project(source("B091"), dialect).to_json().decode()
    assert written.count(LONG) == times
    if dialect == "flat":
        assert "$ref" not in written


def test_b091_flat_is_larger() -> None:
    assert len(tg.project(source("B091"), "flat").to_json()) > len(
        tg.project(source("B091"), "openai_strict").to_json()
    )


def test_b092_a_pointer_into_the_body() -> None:
    schema = out("B092", "flat")
    start = source("B092")["properties"]["start"]
    assert schema["properties"]["start"] == start
    assert schema["properties"]["end"] == {**start, "description": "when it ends"}


def test_b092_references_that_are_kept_stand_under_definitions() -> None:
    given = source("B092")
    given["properties"]["late"] = {"$ref": "#/properties/start"}
    for document in (source("B092"), given):
        schema = tg.project(document, "openai_strict").schema
        assert all(node["$ref"].startswith("#/$defs/") for node in schemas(schema) if "$ref" in node)
        for name in ("start", "end"):
            node = under(schema, name)
            assert node["additionalProperties"] is False
            assert node["required"] == ["dateTime", "zone"]
            assert admits_null(schema, node["properties"]["zone"])


@in_each(*OBJECT_DIALECTS)
def test_b094_a_root_union_that_only_requires(dialect: str) -> None:
    schema = out("B094", dialect)
    no_combinator_at_the_root(schema)
    assert names(schema) == ["area", "device", "entity"]
    assert "Give at least one of these: (area); (device); (entity)." in told(source("B094"), dialect)


ALLOWED = set("type nullable required format description properties items enum anyOf ref defs".split())


def test_b095_gemini_by_allow_list() -> None:
    schema = out("B095", "gemini")
    assert all(set(node) <= ALLOWED for node in schemas(schema))
    assert under(schema, "tags")["description"] == 'Items must be unique. 1 to 2 items must be "a".'
    text = under(schema, "m")["description"]
    for sentence in (
        "No other properties are accepted.",
        "At least 1 property.",
        'Property names must match {"maxLength":5}.',
        "Properties matching ^x-: each value is integer.",
        "x-a requires x-b.",
    ):
        assert sentence in text
    assert "Must be less than 10. Must be a multiple of 0.5." in under(schema, "v")["description"]
    listed = {keyword for _, keyword, _ in lost("B095", "gemini")}
    assert listed >= set(
        "uniqueItems contains patternProperties propertyNames dependentRequired unevaluatedProperties multipleOf "
        "exclusiveMaximum minProperties".split()
    )


@in_each(*RENAMING)
def test_b097_keys_that_the_vendor_refuses(dialect: str) -> None:
    keys = ["where[city]", "where.city", "where_city_", "has[child]"]
    schema = out("B097", dialect)
    shown = names(schema)
    assert shown == [safe_key(key) for key in keys]
    assert all(re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", name) for name in shown)
    assert len(set(shown)) == 4
    assert shown[1:3] == keys[1:3]
    assert schema["required"] == shown[:1]
    assert ("/properties/where[city]", "properties", "encoded") in lost("B097", dialect)
    turned = source("B097")
    turned["properties"] = dict(reversed(turned["properties"].items()))
    assert names(tg.project(turned, dialect).schema) == shown[::-1]


# --- B101 to B149


def test_b101_type_lists_in_gemini() -> None:
    schema = out("B101", "gemini")
    for node in schemas(schema):
        assert ("items" in node) == (node.get("type") == "array")
        assert not {"properties", "required"} & set(node) or node["type"] == "object"
    languages = under(schema, "langs")
    assert languages["nullable"] is True
    assert languages["description"] == "At most 5 items."
    first, second = under(schema, "obj")["anyOf"]
    assert (first["type"], names(first), first["required"]) == ("object", ["k"], ["k"])
    assert second == {"type": "string", "description": "At most 4 characters."}


def test_b103_falsy_defaults_are_said() -> None:
    schema = out("B103", "openai_strict")
    assert "default" not in keywords(schema)
    assert names(schema) == ["name", "n", "f", "s", "default"]
    wanted = {"n": "Default: 0.", "f": "Default: false.", "s": 'Default: "".', "default": 'Default: "x".'}
    assert {name: schema["properties"][name]["description"] for name in wanted} == wanted
    # Overruled: a null default on an optional property that admits null is not said.
    assert schema["properties"]["name"]["description"] == "Send null to leave it out."


@in_each(*OBJECT_DIALECTS)
def test_b109_every_array_has_items(dialect: str) -> None:
    schema = out("B109", dialect)
    arrays = [
        node
        for node in schemas(schema)
        if node.get("type") == "array" or (isinstance(node.get("type"), list) and "array" in node["type"])
    ]
    # Besides the five of the author, arrays of the spelling itself (any JSON).
    assert len(arrays) >= 5
    assert all(isinstance(node["items"], dict) for node in arrays)
    item = under(schema, "list", "[]")
    if dialect in STRICT:
        assert item == {"type": "string", "description": JSON_TEXT}
    elif dialect == "nova":
        assert item == {}
    else:
        assert [branch["type"] for branch in item["anyOf"]] == ["string", "number", "boolean", "object"]


@in_each(*CLOSED_OR_GEMINI)
def test_b109_invented_items_are_reported(dialect: str) -> None:
    effect = "unreachable" if dialect == "gemini" else "encoded"
    paths = {path for path, _, found in lost("B109", dialect) if found == effect}
    assert paths >= {"/properties/list", "/properties/opt", "/properties/u/anyOf/0", "/properties/nest/items"}


@in_each(*OBJECT_DIALECTS)
def test_b110_items_true(dialect: str) -> None:
    schema = out("B110", dialect)
    assert not any(isinstance(node.get("items"), bool) for node in schemas(schema))
    assert admits_null(schema, schema["properties"]["args"])
    if dialect in STRICT:
        assert under(schema, "args", "[]") == {"type": "string", "description": JSON_TEXT}
        encoded = {
            path for path, keyword, effect in lost("B110", dialect) if effect == "encoded" and keyword != "required"
        }
        assert encoded & {"/properties/args", "/properties/args/items"}


def test_b110_flat_leaves_it() -> None:
    assert out("B110", "flat") == source("B110")


@in_each(*OTHERS)
def test_b112_definitions_and_parameters_of_that_name(dialect: str) -> None:
    schema = out("B112", dialect)
    assert "definitions" not in keywords(schema)
    assert names(schema) == ["opt", "definitions"]
    assert names(under(schema, "opt")) == ["definitions", "sub"]
    assert under(schema, "opt", "definitions") == {"type": "string"}
    assert under(schema, "opt", "sub", "[]") == {"type": "string"}
    assert under(schema, "definitions") == {"type": "integer"}


@in_each("openai_strict", "gemini")
def test_b112_kept_definitions_follow(dialect: str) -> None:
    given = source("B112")
    given["properties"]["again"] = {"$ref": "#/definitions/Opt"}
    given["properties"]["text"] = {"$ref": "#/definitions/Opt/properties/definitions"}
    schema = tg.project(given, dialect).schema
    where = "$defs" if dialect == "openai_strict" else "defs"
    assert set(schema[where]) >= {"Opt"}
    references = [node.get("$ref", node.get("ref")) for node in schemas(schema) if {"$ref", "ref"} & set(node)]
    assert references
    assert all(reference.startswith(f"#/{where}/") and resolves(schema, reference) for reference in references)
    assert under(schema, "text") == {"type": "string"}
    assert under(schema, "again", "sub", "[]") == {"type": "string"}


@ALL
def test_b113_eleven_levels_stay(dialect: str) -> None:
    schema = out("B113", dialect)
    assert under(schema, *(f"l{level}" for level in range(1, 12))) == {"type": "string", "enum": ["deep"]}


def test_b115_a_small_ladder_is_exact() -> None:
    schema = out("B115", "flat")
    assert sum(node == {"type": "string"} for node in schemas(schema)) == 8
    assert "$ref" not in keywords(schema)


@in_each("flat", "nova", *RENAMING)
def test_b115_a_large_ladder_stays_in_the_budget(dialect: str) -> None:
    projection = tg.project(generated("B115"), dialect)
    assert size(projection.schema) <= 100_000
    assert "$ref" not in keywords(projection.schema)
    cuts = [loss for loss in projection.losses if loss.keyword == "$ref" and loss.effect == "carried"]
    assert cuts
    assert all(loss.sentence.startswith("Repeats the structure of L") for loss in cuts)


@in_each("canonical", "openai_strict", "gemini")
def test_b115_where_references_stay_it_is_linear(dialect: str) -> None:
    given = generated("B115")
    projection = tg.project(given, dialect)
    assert size(projection.schema) < 5 * size(given)
    assert not [loss for loss in projection.losses if loss.keyword == "$ref"]


def test_b116_a_parameter_named_properties_in_nova() -> None:
    schema = out("B116", "nova")
    assert set(schema) == {"type", "properties", "required"}
    assert under(schema, "properties") == {"type": "array", "items": {"type": "string"}}


@in_each(*DIALECTS)
def test_b116_both_types_are_kept(dialect: str) -> None:
    scale = under(out("B116", dialect), "scale")
    found = scale["type"] if "type" in scale else [branch["type"] for branch in scale["anyOf"]]
    assert found == ["string", "number"]


def test_b118_a_type_list_with_an_enum() -> None:
    schema = out("B118", "gemini")
    union = under(schema, "v")["anyOf"]
    assert [branch["type"] for branch in union] == ["string", "integer", "boolean"]
    assert union[0]["enum"] == ["auto"]
    assert [branch.get("description") for branch in union] == [None, "One of: 1.", "One of: true."]
    assert under(schema, "w") == {"type": "number", "description": "Minimum: 0.", "nullable": True}


@in_each(*STRICT)
def test_b118_one_and_true_are_two_values(dialect: str) -> None:
    union = under(out("B118", dialect), "v")["anyOf"]
    assert compact([branch["enum"] for branch in union]) == '[["auto"],[1],[true]]'


def test_b119_annotations_beside_a_reference() -> None:
    for again in (False, True):
        given = source("B119")
        if again:
            given["properties"]["other"] = {"$ref": "#/$defs/Labels"}
            given["required"].append("other")
        schema = tg.project(given, "openai_strict").schema
        assert all(set(node) == {"$ref"} for node in schemas(schema) if "$ref" in node)
        labels = schema["properties"]["labels"]
        assert labels["description"] == 'labels of this fact. Examples: {"env":"p"}.'
        assert labels["title"] == "Labels"
        assert names(target(schema, labels["anyOf"][0]) if "anyOf" in labels else labels) == ["env"]
        if again:
            assert under(schema, "other")["description"] == "label set"


@in_each(*OTHERS)
def test_b122_a_boolean_exclusive_minimum(dialect: str) -> None:
    schema = out("B122", dialect)
    for node in schemas(schema):
        assert not isinstance(node.get("exclusiveMinimum"), bool)
        assert not isinstance(node.get("exclusiveMaximum"), bool)
    bound = under(schema, "ttl")
    if dialect in (*RENAMING, "gemini"):
        assert bound["description"] == "Must be greater than 0."
    else:
        assert bound["exclusiveMinimum"] == 0
        assert "minimum" not in bound


@ALL
def test_b124_pointers_outside_definitions(dialect: str) -> None:
    schema = out("B124", dialect)
    for node in schemas(schema):
        assert str(node.get("$ref", node.get("ref", ""))).count("#") <= 1
    assert names(under(schema, "b")) == ["k"]
    assert under(schema, "b")["required"] == ["k"]
    assert under(schema, "c")["type"] == "string"
    if dialect == "flat":
        assert schema["properties"]["b"] == schema["properties"]["a"]["items"]
        assert schema["properties"]["c"] == {"type": "string", "minLength": 1}


@in_each(*OTHERS)
def test_b125_assertions_beside_a_reference_at_the_root(dialect: str) -> None:
    schema = out("B125", dialect)
    assert schema["type"] == "object"
    assert sorted(names(schema)) == ["id", "more"]
    assert sorted(schema["required"]) == ["id", "more"]
    given = {"type": "object", "properties": {"in": source("B125")}, "$defs": source("B125")["$defs"]}
    inner = under(tg.project(given, dialect).schema, "in")
    assert sorted(names(inner)) == sorted(inner["required"]) == ["id", "more"]


def test_b128_numeric_enums_in_gemini() -> None:
    schema = out("B128", "gemini")
    for node in schemas(schema):
        if "enum" in node:
            assert node["type"] == "string"
            assert all(isinstance(value, str) and value for value in node["enum"])
    assert under(schema, "state") == {"type": "integer", "description": "One of: 0, 1, 2, 4, 8."}
    assert under(schema, "ratio") == {"type": "number", "description": "One of: 0.5, 1."}
    assert [branch["type"] for branch in under(schema, "mixed")["anyOf"]] == ["string", "integer", "boolean"]
    assert admits_null(schema, schema["properties"]["mixed"])


def test_b130_parameters_named_properties_at_every_depth() -> None:
    schema = out("B130", "gemini")
    assert not {"propertyNames", "additionalProperties", "$defs"} & keywords(schema)
    assert names(schema) == ["properties", "$defs"]
    assert names(under(schema, "properties", "properties")) == ["properties"]
    assert names(under(schema, "$defs")) == ["title"]
    assert under(schema, "properties", "properties", "properties") == {
        "type": "string",
        "description": "Must be a URI.",
    }
    text = under(schema, "properties", "properties")["description"]
    assert "Property names must match ^[a-z]+$." in text
    assert "Other properties: each value is string." in text


@in_each("flat", "nova")
def test_b131_the_cut_keeps_its_type(dialect: str) -> None:
    schema = out("B131", dialect)
    assert not {"$ref", "$defs"} & keywords(schema)
    blocks = under(schema, "root", "blocks")
    assert blocks["items"]["type"] == "object"
    assert blocks["items"]["description"] == "Repeats the structure of Block, to any depth."
    for node in schemas(schema):
        assert "items" in node or node.get("type") != "array"
        assert set(node.get("required", ())) <= set(node.get("properties", ()))
    cuts = [loss for loss in losses("B131", dialect) if loss.keyword == "$ref"]
    assert [(loss.path, loss.effect) for loss in cuts] == [("/$defs/Block/properties/blocks/items", "carried")]


def test_b131_gemini_keeps_the_recursion() -> None:
    schema = out("B131", "gemini")
    assert under(schema, "root", "blocks", "[]", "blocks", "[]", "text")["type"] == "string"
    assert set(schema["defs"]) == {"Block"}


def test_b133_null_can_be_produced_for_an_optional_enum() -> None:
    schema = out("B133", "openai_strict")
    for name in ("unit", "mode", "k", "keep"):
        node = schema["properties"][name]
        assert accepts(node, None), name
        assert compact(node).count('"null"') == 1, name
    assert not accepts(schema["properties"]["unit"], "miles")
    assert accepts(schema["properties"]["unit"], "km")


@in_each(*RENAMING)
def test_b133_elsewhere_no_null_is_added(dialect: str) -> None:
    schema = out("B133", dialect)
    assert [accepts(node, None) for node in schema["properties"].values()] == [False, False, False, True]


def test_b134_hand_made_and_projected_nulls() -> None:
    schema = out("B134", "openai_strict")
    assert schema["required"] == ["city", "unit", "days"]
    assert schema["properties"] == {
        "city": {"type": "string"},
        "unit": {"type": ["string", "null"]},
        "days": {"anyOf": [{"type": "integer"}, NULL]},
    }
    assert tg.project(fresh(schema), "openai_strict").schema == schema


@ALL
def test_b136_definitions_that_all_refer_to_each_other(dialect: str) -> None:
    given = generated("B136")
    projection = tg.project(given, dialect)
    assert size(projection.schema) <= 100_000 + size(given)
    if dialect in ("canonical", "openai_strict", "gemini"):
        assert size(projection.schema) < 5 * size(given)
    else:
        assert "$ref" not in keywords(projection.schema)
        assert any("Repeats the structure of E" in loss.sentence for loss in projection.losses)


@in_each(*STRICT)
def test_b137_objects_inside_the_value_of_a_map(dialect: str) -> None:
    schema = out("B137", dialect)
    objects = [node for node in schemas(schema) if node.get("type") == "object"]
    assert len(objects) == 4
    for node in objects:
        assert node["additionalProperties"] is False
        if dialect == "openai_strict":
            assert node["required"] == list(node["properties"])
    value = under(schema, "blocks", "[]", "value")
    assert names(value) == ["bulleted", "heading"]
    assert names(under(value, "bulleted")) == ["text", "link"]
    assert ENTRIES in said(schema)


@in_each(*OBJECT_DIALECTS)
def test_b139_dependencies_are_said(dialect: str) -> None:
    schema, text = out("B139", dialect), told(source("B139"), dialect)
    assert not {"dependentRequired", "not"} & keywords(schema)
    assert "a requires b. b requires c." in text
    assert 'Must not match: {"required":["a","z"]}.' in text


@ALL
def test_b140_a_property_named_like_the_definition_it_uses(dialect: str) -> None:
    schema = out("B140", dialect)
    assert names(schema) == wire(dialect, "goat", "$defs")
    colour = {"type": "string"}
    assert under(schema, "goat", "[]", "color") == colour
    assert under(schema, wire(dialect, "$defs")[0], "goat", "color") == colour
    if dialect == "flat":
        assert "$defs" not in schema
        assert "Repeats" not in said(schema)


def test_b142_formats_in_gemini() -> None:
    schema = out("B142", "gemini")
    assert [node["format"] for node in schemas(schema) if "format" in node] == ["date-time"]
    wanted = {
        "url": "Must be a URI.",
        "day": "Must be an ISO-8601 date.",
        "n": "Format: uint64.",
        "f": "Format: double.",
        "arr": "Format: rgb.",
        "format": "Must be an email address.",
    }
    assert {name: under(schema, name)["description"] for name in wanted} == wanted
    assert under(schema, "at") == {"type": "string", "format": "date-time"}


@in_each(*RENAMING)
def test_b143_keys_are_renamed_at_every_depth(dialect: str) -> None:
    schema = out("B143", dialect)
    top, kind, identifier = (safe_key(key) for key in ("$top", "@odata.type", "@id"))
    assert names(schema) == [top, "body", "list"]
    assert schema["required"] == [top]
    assert names(under(schema, "body")) == [kind, top]
    assert under(schema, "body")["required"] == [kind]
    item = under(schema, "list", "[]")
    assert names(item) == item["required"] == [identifier]
    assert item["description"] == f"{identifier} requires {identifier}."


@in_each(*OTHERS)
def test_b145_references_that_loop_are_reported(dialect: str) -> None:
    projection = tg.project(source("B145"), dialect)
    assert names(projection.schema) == ["p", "s", "n"]
    assert under(projection.schema, "n") == {"type": "integer"}
    carried = [loss for loss in projection.losses if (loss.keyword, loss.effect) == ("$ref", "carried")]
    found = {loss.path: loss.sentence for loss in carried}
    assert len(found) == 2
    assert found["/properties/s"] == "Repeats the structure of self, to any depth."
    assert "Repeats the structure of tick, to any depth." in found.values()
    for name in ("p", "s"):
        assert "Repeats the structure of" in said(projection.schema["properties"][name])


def test_b145_canonical_is_what_was_given() -> None:
    assert out("B145", "canonical") == source("B145")


@in_each(*OTHERS)
def test_b146_an_embedded_resource_has_its_own_definitions(dialect: str) -> None:
    schema = out("B146", dialect)
    assert under(schema, "inner", "op")["enum"] == ["inner"]
    assert under(schema, "op")["enum"] == ["root"]
    assert "$id" not in keywords(schema)


@in_each("openai_strict", "gemini")
def test_b146_hoisted_definitions_get_two_names(dialect: str) -> None:
    given = source("B146")
    given["properties"]["op2"] = {"$ref": "#/$defs/Op"}
    given["properties"]["inner"]["properties"]["op2"] = {"$ref": "#/$defs/Op"}
    schema = tg.project(given, dialect).schema
    kept = schema["$defs" if dialect == "openai_strict" else "defs"]
    assert sorted(node["enum"] for node in kept.values()) == [["inner"], ["root"]]
    for name in ("op", "op2"):
        assert under(schema, "inner", name)["enum"] == ["inner"]
        assert under(schema, name)["enum"] == ["root"]


@in_each(*DIALECTS)
def test_b146_without_an_id_there_is_no_second_root(dialect: str) -> None:
    given = source("B146")
    del given["properties"]["inner"]["$id"]
    assert under(tg.project(given, dialect).schema, "inner", "op")["enum"] == ["root"]
    del given["$defs"]
    with pytest.raises(tg.UnresolvableReference):
        tg.project(given, dialect)
