"""Hostile and odd input: whatever comes in, a projection or a ``SchemaError`` of one line comes out.

What could end the process (depth, loops, wrongly typed keywords) runs in a child: a crash is then a finding, not the
end of the tests. No second is counted; the children's time limit only keeps a hang from being one of ours.
"""

from __future__ import annotations

import collections
import decimal
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.oracles.look import DIALECTS, RENAMING, compact, containers, depth, keywords, said, size, under
from tests.oracles.structure import check

import toolglot as tg

OTHERS = DIALECTS[1:]
KEEPING = ("openai_strict", "gemini")

#: A child that takes longer hangs. Each ends in a few seconds.
HANGS = 180


def in_each(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("dialect", names)


ALL = in_each(*DIALECTS)


def at_a(node: Any, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": node}, **more}


def one_line(error: tg.SchemaError) -> None:
    text = str(error)
    assert text
    assert len(text.splitlines()) == 1
    assert isinstance(error.path, str)
    text.encode()  # a text that cannot be written helps nobody


def attempt(schema: Any, dialect: str, **options: Any) -> tg.Projection | tg.SchemaError:
    """The projection, its losses computed and its bytes written, or the error; anything else is raised."""
    try:
        projection = tg.project(schema, dialect, **options)
        projection.losses  # noqa: B018
        json.loads(projection.to_json())
    except tg.SchemaError as error:
        one_line(error)
        return error
    return projection


def spelled(schema: Any, dialect: str, **options: Any) -> Any:
    found = attempt(schema, dialect, **options)
    assert isinstance(found, tg.Projection), found
    return found.schema


def refused(schema: Any, dialect: str) -> tg.NotASchema:
    """The error that ``project`` itself raises: what JSON cannot hold is no schema, in any dialect."""
    with pytest.raises(tg.NotASchema) as caught:
        tg.project(schema, dialect)
    one_line(caught.value)
    return caught.value


def child(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    where = Path(__file__).resolve().parents[1]
    environment = {**os.environ, "PYTHONPATH": str(where)}
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        timeout=HANGS,
        env=environment,
        cwd=where,
    )


# --- roots


class Custom:
    """An object that is no JSON."""


@ALL
@pytest.mark.parametrize(
    "root", [None, [], [{}], 0, 1, 1.5, float("nan"), "x", "", b"{}", (), set(), Custom()], ids=ascii
)
def test_a_root_that_is_no_schema(root: Any, dialect: str) -> None:
    assert refused(root, dialect).path == ""


@ALL
def test_boolean_roots(dialect: str) -> None:
    """Ruling 17: ``true`` is ``{}``, ``false`` no schema; canonical returns what it was given."""
    assert spelled(True, dialect) == (True if dialect == "canonical" else spelled({}, dialect))
    assert refused(False, dialect).path == ""


@ALL
@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{",
        "nul",
        "[1,2",
        '{"a":1}x',
        "\ufeff{}",
        "null",
        "[]",
        "1",
        '"x"',
        "\ud800",
        "NaN",
        "{'a':1}",
        '{"a":}',
        '{"type":"object",}',
        "\x00",
        '{"a":"\t"}',
        '{"a":"\\x"}',
        "1e400",
        "-",
        "01",
        "+1",
        ".5",
        "Infinity",
    ],
    ids=ascii,
)
def test_text_that_is_no_json_or_no_schema(text: str, dialect: str) -> None:
    with pytest.raises(tg.NotASchema) as caught:
        tg.project_json(text, dialect)
    one_line(caught.value)


@pytest.mark.parametrize(
    "data", [b"\xff", b'{"a":"\xed\xa0\x80"}', b'{"\xff":1}', b"\xef\xbb\xbf{}", b"\x00", b"{\x00}"]
)
def test_bytes_that_are_no_utf8(data: bytes) -> None:
    for given in (data, bytearray(data), memoryview(data)):
        with pytest.raises(tg.NotASchema) as caught:
            tg.loads(given)
        one_line(caught.value)


#: A run of digits that chooses the reader for exact integers.
LONG = "12345678901234567890123"


@pytest.mark.parametrize("long", ["", f'"n":{LONG},'])
@pytest.mark.parametrize(
    "member",
    [
        '"a":NaN',
        '"a":Infinity',
        '"a":-Infinity',
        '"a":1e400',
        '"a":-1e400',
        '"a":[1E+999]',
        f'"a":{LONG}e400',
        '"a":"\\ud800"',
        '"a":"\\udfff x"',
        '"\\ud800":1',
        '"a":["\\udc00\\ud800"]',
        '"a":"\ud800"',
    ],
    ids=ascii,
)
def test_what_json_cannot_hold_is_refused_when_read(member: str, long: str) -> None:
    with pytest.raises(tg.NotASchema) as caught:
        tg.loads("{" + long + member + "}")
    one_line(caught.value)


def test_a_pair_of_surrogates_is_a_character() -> None:
    for long in ("", f'"n":{LONG},'):
        assert tg.loads("{" + long + '"a":"\\ud83d\\ude00"}')["a"] == "😀"


@ALL
def test_of_duplicate_keys_the_last_wins(dialect: str) -> None:
    text = (
        '{"type":"string","type":"object","properties":{"a":{"type":"string"},"a":{"type":"integer"}},"required":["a"]}'
    )
    assert under(json.loads(tg.project_json(text, dialect)), "a") == {"type": "integer"}
    assert tg.loads('{"a":1,"b":2,"a":3}') == {"a": 3, "b": 2}
    assert tg.loads('{"a":1,"b":' + LONG + ',"a":3}')["a"] == 3


# --- values that JSON does not have

NOT_FINITE = [float("nan"), float("inf"), float("-inf"), 1e400]


@ALL
@pytest.mark.parametrize("number", NOT_FINITE, ids=repr)
@pytest.mark.parametrize(
    "key",
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxItems minProperties maxContains".split(),
)
def test_bounds_that_are_not_finite(key: str, number: float, dialect: str) -> None:
    assert refused(at_a({key: number}), dialect).path == f"/properties/a/{key}"


@ALL
@pytest.mark.parametrize("number", NOT_FINITE, ids=repr)
@pytest.mark.parametrize("key", ["const", "enum", "default", "examples"])
def test_data_that_is_not_finite(key: str, number: float, dialect: str) -> None:
    for value in (number, [number], {"x": [1, {"y": number}]}):
        refused(at_a({key: [value] if key in ("enum", "examples") else value}), dialect)


LONE = ["\ud800", "a\udfffb", "\udc00\ud800"]


@ALL
@pytest.mark.parametrize("text", LONE, ids=ascii)
@pytest.mark.parametrize(
    "put",
    [
        lambda text: at_a({"type": "string", "description": text}),
        lambda text: at_a({"default": text}),
        lambda text: at_a({"default": {text: 1}}),
        lambda text: at_a({"const": [text]}),
        lambda text: at_a({"enum": ["x", text]}),
        lambda text: at_a({"type": "string", "pattern": text}),
        lambda text: at_a({"type": "string", "format": text}),
        lambda text: {"type": "object", "properties": {text: {"type": "string"}}},
        lambda text: {"type": "object", "required": [text]},
    ],
    ids="description default key const enum pattern format property required".split(),
)
def test_lone_surrogates_are_refused(put: Any, text: str, dialect: str) -> None:
    """In ``project``, or at the latest when bytes are asked for; never is something else spelled in their place."""
    error = attempt(put(text), dialect)
    assert isinstance(error, tg.NotASchema), error


@ALL
@pytest.mark.parametrize("text", LONE, ids=ascii)
def test_lone_surrogates_in_a_reference(text: str, dialect: str) -> None:
    assert isinstance(attempt(at_a({"$ref": f"#/{text}"}), dialect), tg.SchemaError)


@ALL
@pytest.mark.parametrize("key", [1, None, True, 1.5, ("a",), b"a", Custom()], ids=lambda key: type(key).__name__)
def test_keys_that_are_no_strings(key: Any, dialect: str) -> None:
    for node in (
        {key: {}},
        {"type": "string", key: 1},
        {"properties": {key: {}}},
        {"patternProperties": {key: {}}},
        {"default": {key: 1}},
        {"const": [{key: 1}]},
        {"enum": [{"x": {key: 1}}]},
    ):
        refused(at_a(node), dialect)


@ALL
@pytest.mark.parametrize(
    "value",
    [(1, 2), {1, 2}, frozenset(), b"x", bytearray(b"x"), decimal.Decimal("1.5"), 1j, Custom(), object, len, range(3)],
    ids=lambda v: type(v).__name__,
)
def test_values_that_are_no_json_in_data(value: Any, dialect: str) -> None:
    for node in (
        {"default": value},
        {"const": value},
        {"enum": [value]},
        {"default": {"x": [value]}},
        {"examples": [value]},
    ):
        refused(at_a(node), dialect)


@ALL
@pytest.mark.parametrize(
    "value",
    [(), ({"type": "string"},), {1}, b"x", decimal.Decimal(3), Custom(), 1j],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize(
    "key",
    "type properties required items anyOf allOf not enum minimum maxLength pattern format $ref uniqueItems".split(),
)
def test_values_that_are_no_json_where_schemas_stand(key: str, value: Any, dialect: str) -> None:
    assert refused(at_a({key: value}), dialect).path.startswith("/properties/a")


@ALL
@pytest.mark.parametrize("value", [(), {1}, b"x", decimal.Decimal(3), Custom()], ids=lambda value: type(value).__name__)
def test_values_that_are_no_json_in_annotations(value: Any, dialect: str) -> None:
    for key in ("title", "description", "deprecated", "x-y", "unknown", "$comment"):
        attempt(at_a({key: value}), dialect)


class Dict(dict[str, Any]):
    """A dict that is its own class."""


class Text(str):
    __slots__ = ()


class Whole(int):
    pass


class Items(list[Any]):
    pass


@ALL
@pytest.mark.parametrize("kind", [Dict, collections.OrderedDict, lambda given: collections.defaultdict(dict, given)])
def test_subclasses_of_dict(kind: Any, dialect: str) -> None:
    plain = at_a({"type": "integer", "minimum": 3, "default": 4}, required=["a"])
    node = kind({"type": "integer", "minimum": 3, "default": 4})
    given = kind({"type": "object", "properties": kind({"a": node}), "required": ["a"]})
    found = attempt(given, dialect)
    if isinstance(found, tg.Projection):
        assert json.loads(found.to_json()) == tg.project(plain, dialect).schema


@ALL
def test_subclasses_of_str_int_and_list(dialect: str) -> None:
    plain = at_a({"type": "integer", "minimum": 3, "enum": [4, 5], "description": "d"}, required=["a"])
    node = {Text("type"): Text("integer"), "minimum": Whole(3), "enum": Items([Whole(4), 5]), "description": Text("d")}
    given = {"type": Text("object"), "properties": {Text("a"): node}, "required": Items([Text("a")])}
    found = attempt(given, dialect)
    if isinstance(found, tg.Projection):
        assert json.loads(found.to_json()) == tg.project(plain, dialect).schema


# --- depth

NEST = """
import json, sys
import toolglot as tg
from tests.oracles.look import DIALECTS, depth

def nested(kind, levels):
    node = {"type": "string"}
    for _ in range(levels):
        if kind == "properties":
            node = {"type": "object", "properties": {"a": node}}
        elif kind == "items":
            node = {"type": "array", "items": node}
        elif kind in ("not", "if", "additionalProperties", "contains"):
            node = {kind: node}
        elif kind in ("default", "const", "examples", "unknown"):
            node = [node]
        elif kind == "map in data":
            node = {"x": node}
        else:
            node = {kind: [node]}
    if kind in ("default", "const", "unknown"):
        node = {kind: node}
    elif kind == "examples":
        node = {"examples": [node]}
    elif kind == "map in data":
        node = {"default": node}
    return {"type": "object", "properties": {"p": node}}

kind, levels = sys.argv[1], int(sys.argv[2])
schema = nested(kind, levels)
out = {"given": depth(schema)}
for dialect in DIALECTS:
    for direction in ("input", "output"):
        try:
            projection = tg.project(schema, dialect, direction)
            projection.losses
            written = projection.to_json()
            tg.loads(written)
            out[dialect + " " + direction] = depth(projection.schema)
        except tg.SchemaTooDeep as error:
            out[dialect + " " + direction] = str(error)
if levels > 300:
    text = "[" * levels + "]" * levels
    try:
        tg.loads(text)
    except tg.SchemaError as error:
        out["loads"] = str(error)
print(json.dumps(out))
# The deepest dicts are taken apart one by one: freeing them is Python's business, not the product's.
sys.stdout.flush()
import os
os._exit(0)
"""

KINDS = (
    "properties items prefixItems allOf anyOf oneOf not if additionalProperties contains default const examples unknown"
)


@pytest.mark.parametrize("levels", [100, 254, 255, 1_000, 100_000])
@pytest.mark.parametrize("kind", [*KINDS.split(), "map in data"])
def test_depth(kind: str, levels: int) -> None:
    done = child(NEST, kind, str(levels))
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    given = found.pop("given")
    read = found.pop("loads", None)
    if levels > 1_024:
        assert read is not None
    for name, result in found.items():
        if isinstance(result, str):
            assert len(result.splitlines()) == 1, name
        else:
            assert result <= 254, name
    # What canonical returns is what was given: 254 containers are the most there may be.
    assert (found["canonical input"] == given) == (given <= 254)
    assert isinstance(found["canonical input"], str) == (given > 254)


@ALL
@pytest.mark.parametrize("levels", [252, 253, 254, 255])
def test_the_edge_of_the_depth(levels: int, dialect: str) -> None:
    """The deepest document that is taken can be written, and what is one deeper is refused, not half of each."""
    node: dict[str, Any] = {"type": "string"}
    while depth(node) + 2 <= levels:
        node = {"type": "array", "items": node}
    found = attempt({"type": "object", "properties": {"a": node}} if levels % 2 else at_a(node), dialect)
    if isinstance(found, tg.Projection):
        assert depth(found.schema) <= 254
    else:
        assert isinstance(found, tg.SchemaTooDeep)


def cyclic(kind: str) -> Any:
    """A Python object that contains itself."""
    root: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}}}
    node = root["properties"]["a"]
    if kind in ("default", "const"):
        node[kind] = root
    elif kind in ("enum", "examples", "required", "anyOf", "allOf"):
        node[kind] = ["x"]
        node[kind].append(node[kind])
    elif kind == "properties":
        root["properties"]["b"] = root
    elif kind == "$defs":
        root["$defs"] = {"T": root}
        node["$ref"] = "#/$defs/T"
    elif kind in ("branch", "branch of one"):
        root["allOf"] = [root] if kind == "branch" else [{"anyOf": [root]}]
    elif kind == "list":
        node["default"] = [[]]
        node["default"][0].append(node["default"])
    else:
        node[kind] = node
    return root


CYCLIC = (
    "default const enum examples required anyOf allOf properties $defs branch list not items unknown x-y if".split()
)


ITSELF = """
import json, sys
import toolglot as tg
from tests.oracles.look import DIALECTS, depth
from tests.test_hostile import attempt, cyclic
out = {}
for dialect in DIALECTS:
    for direction in ("input", "output"):
        found = attempt(cyclic(sys.argv[1]), dialect, direction=direction)
        good = isinstance(found, tg.Projection)
        out[dialect + " " + direction] = depth(found.schema) if good else type(found).__name__
print(json.dumps(out))
"""


@pytest.mark.parametrize("kind", [*CYCLIC, "branch of one", "additionalProperties", "propertyNames"])
def test_an_object_that_contains_itself(kind: str) -> None:
    done = child(ITSELF, kind)
    assert done.returncode == 0, done.stderr[-2000:]
    for name, found in json.loads(done.stdout).items():
        if isinstance(found, int):
            assert found <= 254
            assert not name.startswith("canonical")
        else:
            assert found in ("SchemaTooDeep", "NotASchema")


@ALL
def test_one_dict_in_many_places_is_no_cycle_and_comes_out_apart(dialect: str) -> None:
    shared: dict[str, Any] = {"type": "object", "properties": {"x": {"type": "string", "enum": ["u"]}}}
    schema = spelled(at_a(shared, required=["a"]) | {"properties": {"a": shared, "b": shared, "c": shared}}, dialect)
    found = [id(value) for value in containers(schema)]
    assert len(found) == len(set(found))
    assert under(schema, "a") == under(schema, "b") == under(schema, "c")


# --- size


@ALL
def test_ten_thousand_properties(dialect: str) -> None:
    given = {"type": "object", "properties": {f"p{index}": {"type": "string"} for index in range(10_000)}}
    schema = spelled(given, dialect)
    assert list(schema["properties"]) == list(given["properties"])
    many = spelled({**given, "required": list(given["properties"])}, dialect)
    assert many["required"] == list(given["properties"])
    undeclared = spelled({"type": "object", "required": list(given["properties"])}, dialect)
    assert undeclared["required"] == list(given["properties"])


@ALL
@pytest.mark.parametrize("kind", ["strings", "integers", "both"])
def test_an_enum_of_a_hundred_thousand(kind: str, dialect: str) -> None:
    values: list[Any] = [str(n) if kind == "strings" or (kind == "both" and n % 2) else n for n in range(100_000)]
    found = attempt(at_a({"enum": values}), dialect)
    assert isinstance(found, tg.Projection)
    schema = found.schema
    kept = [
        value for node in (under(schema, "a"), *under(schema, "a").get("anyOf", ())) for value in node.get("enum", ())
    ]
    if dialect != "gemini":
        assert sorted(kept, key=repr) == sorted(values, key=repr)
    elif kind == "integers":
        assert len(said(schema)) < 1_200
        assert said(schema).endswith(" more.")
        assert any(loss.effect == "unspoken" for loss in found.losses)


@ALL
def test_a_thousand_branches_of_allof(dialect: str) -> None:
    parts = [{"properties": {f"p{index}": {"type": "string"}}} for index in range(1_000)]
    for given in ({"type": "object", "allOf": parts}, at_a({"type": "object", "allOf": parts})):
        schema = spelled(given, dialect)
        if dialect in (*RENAMING, "openai_strict", "gemini"):
            node = schema if given.get("allOf") else under(schema, "a")
            assert len(node["properties"]) == 1_000
    bounds = [{"type": "integer", "minimum": index} for index in range(1_000)]
    node = under(spelled(at_a({"allOf": bounds}), dialect), "a")
    if dialect == "openai_strict":
        assert node == {"type": "integer", "minimum": 999}
    elif dialect in (*RENAMING, "gemini"):
        assert node == {"type": "integer", "description": "Minimum: 999."}


@ALL
@pytest.mark.parametrize("word", ["anyOf", "oneOf"])
def test_a_thousand_branches_of_a_union(word: str, dialect: str) -> None:
    parts = [
        {"type": "object", "properties": {f"p{n}": {"type": "string"}}, "required": [f"p{n}"]} for n in range(1_000)
    ]
    inside = under(spelled(at_a({word: parts}), dialect), "a")
    assert len(inside.get("anyOf", inside.get("oneOf"))) == 1_000
    root = spelled({"type": "object", word: parts}, dialect)
    if dialect not in ("canonical", "flat"):
        assert len(root["properties"]) == 1_000


@ALL
def test_products_of_unions_stay_bounded(dialect: str) -> None:
    two = at_a({"anyOf": [{"minimum": n} for n in range(200)], "oneOf": [{"maximum": n} for n in range(200)]})
    assert size(spelled(two, dialect)) < 20 * size(two)
    parts = [{"anyOf": [{"required": [f"a{n}"]}, {"required": [f"b{n}"]}]} for n in range(20)]
    nested = {"type": "object", "allOf": parts}
    assert size(spelled(nested, dialect)) < 20 * size(nested)


@ALL
def test_very_long_strings_and_keys(dialect: str) -> None:
    text = "x" * 1_000_000
    node = {"type": "string", "description": text, "title": text, "default": text, "pattern": "a" * 100_000}
    schema = spelled(at_a(node), dialect)
    assert len(json.dumps(schema)) < 10_000_000
    assert text in said(schema)
    key = "k" * 1_000_000
    (shown,) = spelled({"type": "object", "properties": {key: {"type": "string"}}}, dialect)["properties"]
    assert shown == key if dialect not in RENAMING else len(shown) == 64
    wide = "国" * 300_000
    (shown,) = spelled({"type": "object", "properties": {wide: {"type": "string"}}}, dialect)["properties"]
    assert shown == wide if dialect not in RENAMING else len(shown) <= 64


KEYS = [
    "",
    " ",
    "\n",
    "\x00",
    "\u2028",
    "\u00e9",
    "e\u0301",
    "国家",
    "😀",
    "a b",
    "a/b~c%d",
    "$ref",
    "__proto__",
    "#",
    "-",
    "0",
]


@ALL
def test_odd_keys_are_kept_apart(dialect: str) -> None:
    given = {"type": "object", "properties": {key: {"type": "string"} for key in KEYS}, "required": KEYS}
    schema = spelled(given, dialect)
    assert len(schema["properties"]) == len(KEYS)
    assert schema["required"] == list(schema["properties"])
    if dialect not in RENAMING:
        assert list(schema["properties"]) == KEYS


HUGE = [2**53 + 1, 2**63, -(2**63) - 1, 2**64, 2**64 + 1, 10**30 + 7, -(10**300) - 3]


@ALL
@pytest.mark.parametrize("number", HUGE, ids=lambda number: f"{len(str(number))} digits")
def test_huge_integers_digit_for_digit(number: int, dialect: str) -> None:
    data = {"const": {"const": number}, "enum": {"enum": [number]}, "default": {"type": "integer", "default": number}}
    for keyword, node in data.items():
        written = tg.project_json(compact(at_a(node)), dialect).decode()
        assert str(number) in written, keyword
        assert str(number) in tg.project(at_a(node), dialect).to_json().decode(), keyword
    if dialect in ("canonical", "flat", "nova", "openai_strict"):
        for keyword in ("minimum", "maximum", "exclusiveMinimum", "multipleOf"):
            written = tg.project_json(compact(at_a({"type": "integer", keyword: abs(number)})), dialect).decode()
            assert f'"{keyword}":{abs(number)}' in written


@ALL
@pytest.mark.parametrize(
    "node",
    [
        {"const": 10**5000},
        {"minimum": 10**5000},
        {"enum": [10**5000]},
        {"default": 10**5000},
        {"multipleOf": 10**5000},
        {"allOf": [{"multipleOf": 10**3000 + n} for n in range(4)]},
    ],
    ids="const minimum enum default multipleOf product".split(),
)
def test_integers_that_python_does_not_write(node: Any, dialect: str) -> None:
    attempt(at_a(node), dialect)


def test_integers_that_python_does_not_read() -> None:
    with pytest.raises(tg.NotASchema):
        tg.loads('{"const":1' + "0" * 5_000 + "}")


# --- references


def ladder(step: Any) -> dict[str, Any]:
    """Forty definitions, each of which refers to the one before it twice."""
    definitions: dict[str, Any] = {"L0": {"type": "object"}}
    for level in range(1, 41):
        definitions[f"L{level}"] = step({"$ref": f"#/$defs/L{level - 1}"}, level)
    return {"type": "object", "$defs": definitions, "properties": {"x": {"$ref": "#/$defs/L40"}}}


LADDERS = {
    "properties": lambda below, level: {"type": "object", "properties": {"a": below, "b": dict(below)}},
    "allOf": lambda below, level: {"allOf": [below, dict(below)]},
    "anyOf": lambda below, level: {"anyOf": [below, dict(below)]},
    "siblings": lambda below, level: {
        "type": "object",
        "properties": {"a": {**below, "minProperties": level}, "b": {**below, "maxProperties": level + 100}},
    },
    "not": lambda below, level: {"not": below, "if": dict(below), "then": True},
    "items": lambda below, level: {"type": "array", "prefixItems": [below, dict(below)], "items": dict(below)},
    "maps": lambda below, level: {"additionalProperties": below, "patternProperties": {f"^{level}": dict(below)}},
}


@ALL
@pytest.mark.parametrize("kind", list(LADDERS))
def test_a_ladder_of_forty_definitions(kind: str, dialect: str) -> None:
    given = ladder(LADDERS[kind])
    found = attempt(given, dialect)
    if isinstance(found, tg.Projection):
        assert size(found.schema) <= 100_000 + 4 * size(given)
        assert check(found.schema, dialect) == []
    else:
        assert isinstance(found, tg.SchemaTooDeep)


@ALL
def test_two_hundred_definitions_that_all_refer_to_each_other(dialect: str) -> None:
    count = 200
    everyone = {f"p{n}": {"$ref": f"#/$defs/E{n}"} for n in range(count)}
    definitions = {f"E{n}": {"type": "object", "properties": dict(everyone)} for n in range(count)}
    given = {"type": "object", "$defs": definitions, "properties": {"r": {"$ref": "#/$defs/E0"}}}
    schema = spelled(given, dialect)
    assert size(schema) <= 100_000 + 5 * size(given)
    if dialect == "openai_strict":
        assert len(schema["$defs"]) == count
    elif dialect == "gemini":
        assert len(schema["defs"]) == count
    elif dialect != "canonical":
        assert "Repeats the structure of E" in said(schema)


@ALL
def test_a_ring_of_two_hundred_definitions(dialect: str) -> None:
    ring = {f"E{n}": {"type": "object", "properties": {"n": {"$ref": f"#/$defs/E{(n + 1) % 200}"}}} for n in range(200)}
    found = attempt({"type": "object", "$defs": ring, "properties": {"r": {"$ref": "#/$defs/E0"}}}, dialect)
    if dialect in ("canonical", *KEEPING):
        assert isinstance(found, tg.Projection)


CHAIN = """
import json, sys
import toolglot as tg
from tests.oracles.look import DIALECTS, size, under

kind, count = sys.argv[1], int(sys.argv[2])

def step(at, last):
    below = {"$ref": "#/$defs/C%d" % (at + 1)}
    if last and not kind.startswith("ring"):
        return {"type": "string"}
    if last:
        below = {"$ref": "#/$defs/C0"}
    if kind.endswith("bare"):
        return below
    if kind.endswith("allOf"):
        return {"allOf": [below]}
    if kind.endswith("titles"):
        return {**below, "title": "t"}
    if kind.endswith("bounds"):
        return {**below, "maxLength": count + at}
    return {"type": "object", "properties": {"n": below}}

definitions = {"C%d" % at: step(at, at == count - 1) for at in range(count)}
schema = {"type": "object", "$defs": definitions, "properties": {"r": {"$ref": "#/$defs/C0"}}}
out = {}
for dialect in DIALECTS:
    try:
        projection = tg.project(schema, dialect)
        projection.to_json()
        node = under(projection.schema, "r") if dialect != "canonical" and not kind.startswith("ring") else {}
        out[dialect] = [size(projection.schema), node.get("type"), len(projection.losses)]
    except tg.SchemaTooDeep as error:
        out[dialect] = str(error)
print(json.dumps(out))
"""


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        *((kind, count) for kind in ("bare", "properties", "allOf", "titles", "bounds") for count in (100, 5_000)),
        *((kind, count) for kind in ("ring bare", "ring properties", "ring allOf") for count in (100, 1_000)),
    ],
)
def test_a_chain_of_definitions(kind: str, count: int) -> None:
    done = child(CHAIN, kind, str(count))
    assert done.returncode == 0, done.stderr[-2000:]
    for dialect, found in json.loads(done.stdout).items():
        if isinstance(found, str):
            assert count > 100, dialect
            assert len(found.splitlines()) == 1
        else:
            assert found[0] <= 100_000 + 20 * count
            if dialect != "canonical" and kind in ("bare", "titles", "bounds") and count == 100:
                assert found[1] == "string", dialect


@pytest.mark.parametrize("count", [100, 300, 5_000])
def test_a_chain_of_names_for_one_string_is_that_string(count: int) -> None:
    """Definitions that only refer to the next have no depth: what comes out is one node."""
    definitions: dict[str, Any] = {f"C{n}": {"$ref": f"#/$defs/C{n + 1}"} for n in range(count)}
    definitions[f"C{count}"] = {"type": "string"}
    for dialect in OTHERS:
        given = {"type": "object", "$defs": definitions, "properties": {"r": {"$ref": "#/$defs/C0"}}}
        assert under(spelled(given, dialect), "r") == {"type": "string"}, dialect


LOOPS = {
    "itself": ({"$ref": "#/properties/a"}, {}),
    "definition": ({"$ref": "#/$defs/T"}, {"T": {"$ref": "#/$defs/T"}}),
    "two": ({"$ref": "#/$defs/T"}, {"T": {"$ref": "#/$defs/U"}, "U": {"$ref": "#/$defs/T"}}),
    "with siblings": ({"$ref": "#/properties/a", "description": "d", "minLength": 1}, {}),
    "two with siblings": (
        {"$ref": "#/$defs/T", "title": "x"},
        {"T": {"$ref": "#/$defs/U", "minLength": 1}, "U": {"$ref": "#/$defs/T", "maxLength": 3}},
    ),
    "definition with siblings": (
        {"$ref": "#/$defs/T"},
        {"T": {"$ref": "#/$defs/T", "title": "t", "type": "object", "properties": {"x": {"$ref": "#/$defs/T"}}}},
    ),
    "allOf": ({"$ref": "#/$defs/T"}, {"T": {"allOf": [{"$ref": "#/$defs/T"}]}}),
    "anyOf": ({"$ref": "#/$defs/T"}, {"T": {"anyOf": [{"$ref": "#/$defs/T"}, {"type": "string"}]}}),
    "oneOf": ({"$ref": "#/$defs/T"}, {"T": {"oneOf": [{"$ref": "#/$defs/T"}]}}),
    "not": ({"$ref": "#/$defs/T"}, {"T": {"not": {"$ref": "#/$defs/T"}}}),
    "if": ({"$ref": "#/$defs/T"}, {"T": {"if": {"$ref": "#/$defs/T"}, "then": {"$ref": "#/$defs/T"}}}),
    "dependentSchemas": ({"$ref": "#/$defs/T"}, {"T": {"dependentSchemas": {"k": {"$ref": "#/$defs/T"}}}}),
    "propertyNames": ({"$ref": "#/$defs/T"}, {"T": {"type": "object", "propertyNames": {"$ref": "#/$defs/T"}}}),
    "contains": ({"$ref": "#/$defs/T"}, {"T": {"type": "array", "contains": {"$ref": "#/$defs/T"}}}),
    "through a pointer": ({"$ref": "#/$defs/T/properties/x"}, {"T": {"properties": {"x": {"$ref": "#/properties/a"}}}}),
}


@ALL
@pytest.mark.parametrize("kind", list(LOOPS))
def test_references_that_loop(kind: str, dialect: str) -> None:
    node, definitions = LOOPS[kind]
    given = at_a(node, **{"$defs": definitions}) if definitions else at_a(node)
    found = attempt(given, dialect)
    assert isinstance(found, tg.Projection), found
    assert size(found.schema) < 300
    assert check(found.schema, dialect) == []


@ALL
@pytest.mark.parametrize(
    "root",
    [
        {"$ref": "#"},
        {"$ref": "#", "type": "object", "properties": {"a": {"$ref": "#"}}},
        {"type": "object", "allOf": [{"$ref": "#"}], "properties": {"a": {}}},
        {"type": "object", "anyOf": [{"$ref": "#"}, {"required": ["a"]}], "properties": {"a": {}}},
        {"type": "object", "oneOf": [{"$ref": "#"}]},
        {"type": "object", "not": {"$ref": "#"}},
        {"type": "object", "if": {"$ref": "#"}, "then": {"$ref": "#"}, "else": {"$ref": "#"}},
        {"type": "object", "additionalProperties": {"$ref": "#"}},
        {"type": "object", "patternProperties": {"^a": {"$ref": "#"}}, "propertyNames": {"$ref": "#"}},
        {"type": "object", "dependentSchemas": {"a": {"$ref": "#"}}},
    ],
    ids=lambda root: ",".join(root),
)
def test_roots_that_refer_to_themselves(root: Any, dialect: str) -> None:
    schema = spelled(root, dialect)
    assert size(schema) < 300
    assert check(schema, dialect) == []


DATA = {
    "type": "string",
    "description": "text",
    "default": {"x": {"type": "integer"}},
    "enum": ["u", "v"],
}

NOWHERE = [
    *"#/ #// #/% #/%zz #/%E9 #/%FF #nope ## #/# #/$defs/A/B #/~2 #/~ /properties/s properties/s ? ?x# // urn:x".split(),
    *"http://[ http://[::1 file:///etc/passwd #/properties/s#/x #/properties/-1 #/properties/b #/required/0".split(),
    *"#/properties/s/type #/properties/s/description #/properties/s/enum #/properties/s/enum/0".split(),
    *"#/properties/s/enum/00 #/properties/s/enum/-1 #/properties/s/enum/1e0 #/properties/s/enum/9".split(),
    "http://a b/",
    "#/\x00",
    "#/a b",
    "x" * 5_000,
    "#/" + "a/" * 3_000,
]


@ALL
@pytest.mark.parametrize("reference", NOWHERE, ids=lambda reference: ascii(reference)[:40])
def test_references_that_lead_nowhere(reference: str, dialect: str) -> None:
    given = at_a({"$ref": reference}, **{"$defs": {"A": {"type": "boolean"}}})
    given["properties"]["s"] = dict(DATA)
    found = attempt(given, dialect)
    assert isinstance(found, tg.SchemaError)
    assert found.path.startswith("/properties/a")


@ALL
@pytest.mark.parametrize("reference", ["#/a\nb", "\n#/x\n", "#/\u2028", "#/\r", "#/\x85", "http://x/\n"], ids=ascii)
def test_a_reference_with_a_line_end_is_told_in_one_line(reference: str, dialect: str) -> None:
    assert isinstance(attempt(at_a({"$ref": reference}), dialect), tg.SchemaError)


@ALL
@pytest.mark.parametrize("name", ["a\nb", "a\r", "\u2028", "\x0b", "\x85", "\x1e"], ids=ascii)
def test_a_name_with_a_line_end_is_told_in_one_line(name: str, dialect: str) -> None:
    for node in ({"type": "nothing"}, {"$ref": "#/nowhere"}, {"properties": []}):
        found = attempt({"type": "object", "properties": {name: node}}, dialect)
        assert isinstance(found, tg.SchemaError)
    with pytest.raises(tg.SchemaError) as caught:
        tg.Tool(name, None, {"type": "nothing"}).project(dialect)
    one_line(caught.value)


@in_each(*OTHERS)
@pytest.mark.parametrize(
    ("reference", "wanted"),
    [
        ("#/$defs/", "boolean"),
        ("#/$defs/A~1B~0c%25d", "number"),
        ("#/%24defs/%E5%9B%BD", "integer"),
        ("#/$defs/国", "integer"),
        ("#/properties/s", "string"),
        ("#/properties/s/default/x", "integer"),
    ],
)
def test_odd_references_that_lead_somewhere(reference: str, wanted: str, dialect: str) -> None:
    definitions = {"": {"type": "boolean"}, "A/B~c%d": {"type": "number"}, "国": {"type": "integer"}}
    given = at_a({"$ref": reference}, **{"$defs": definitions})
    given["properties"]["s"] = dict(DATA)
    schema = spelled(given, dialect)
    assert under(schema, "a")["type"] == wanted
    if dialect in ("flat", "nova", *RENAMING):
        assert "$ref" not in keywords(schema)


@ALL
@pytest.mark.parametrize("reference", ["#", ""])
def test_the_root_by_an_empty_fragment(reference: str, dialect: str) -> None:
    schema = spelled(at_a({"$ref": reference}), dialect)
    assert check(schema, dialect) == [] or dialect == "canonical"


NONSENSE = [
    "",
    "#",
    "#x",
    "not a uri",
    "http://[",
    "http://[::1",
    ":",
    "urn:",
    "\n",
    "http://e.test/#/x",
    "%%%",
    "//",
    "?",
]


@ALL
@pytest.mark.parametrize(
    "identifier", [*NONSENSE, "file:///etc/passwd", "a\x00b", "x" * 5_000], ids=lambda i: ascii(i)[:30]
)
def test_identifiers_that_make_no_sense(identifier: str, dialect: str) -> None:
    for key in ("$id", "id"):
        given = at_a({"$ref": "#/properties/s"}, **{key: identifier})
        given["properties"]["s"] = {"type": "string"}
        schema = spelled(given, dialect)
        if dialect != "canonical":
            assert under(schema, "a") == {"type": "string"}
        inner = {key: identifier, "type": "object", "properties": {"q": {"$ref": "#"}}}
        attempt(at_a(inner), dialect)
    for key in ("$anchor", "$dynamicAnchor", "$schema", "$vocabulary", "$recursiveAnchor"):
        attempt(at_a({key: identifier, "type": "string"}), dialect)
        attempt({key: identifier, "type": "object"}, dialect)


# --- patterns of the author never run without bound

SLOW = """
import json, sys
import toolglot as tg
name, pattern = "a" * 40 + "!", "^(a+)+$"
given = {
    "required": {"required": [name], "patternProperties": {pattern: {"type": "string"}}},
    "merged": {"properties": {name: {"type": "string"}}, "allOf": [{"patternProperties": {pattern: {"minLength": 1}}}]},
    "closed": {
        "properties": {name: {}},
        "allOf": [{"patternProperties": {pattern: {}}, "additionalProperties": False}],
    },
}[sys.argv[1]]
for node in (given, {"type": "object", "properties": {"a": {"type": "object", **given}}}):
    projection = tg.project({"type": "object", **node}, sys.argv[2])
    projection.losses
print(len(projection.to_json()))
"""


@in_each(*OTHERS)
@pytest.mark.parametrize("kind", ["required", "merged", "closed"])
def test_a_pattern_with_exponential_cost_does_not_hang(kind: str, dialect: str) -> None:
    where = Path(__file__).resolve().parents[1]
    try:
        # Linear work takes no hundredth of this; the pattern's own search would take days.
        done = subprocess.run([sys.executable, "-c", SLOW, kind, dialect], capture_output=True, timeout=10, cwd=where)
    except subprocess.TimeoutExpired:
        pytest.fail("hangs in a pattern of the author")
    assert done.returncode == 0, done.stderr[-2000:]


# --- every keyword with every wrongly typed value

WORDS = (
    "$schema $id id $ref $anchor $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor $vocabulary $comment "
    "$defs definitions defs ref type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum "
    "maxLength minLength pattern maxItems minItems uniqueItems maxContains minContains contains maxProperties "
    "minProperties required dependentRequired dependentSchemas dependencies properties patternProperties "
    "additionalProperties propertyNames items prefixItems additionalItems unevaluatedItems unevaluatedProperties "
    "allOf anyOf oneOf not if then else title description default examples example deprecated readOnly writeOnly "
    "format contentEncoding contentMediaType contentSchema nullable discriminator xml externalDocs x-y unknown"
).split()

MATRIX = """
import json, sys
import toolglot as tg
from tests.oracles.look import DIALECTS

SECRET = "zqsecretqz"
VALUES = [
    None, True, False, 0, 1, -1, 1.5, 2.0, SECRET, "", [], [SECRET], [None], [1], [[]], [{}], {}, {SECRET: None},
    {SECRET: 1}, {"a": SECRET}, {"a": []}, {"a": {}}, {"a": True}, [True], ["a", "a"], {"a": [1]}, {"type": SECRET},
    [{"type": SECRET}], {"a": {"type": [SECRET]}},
]
BESIDE = [
    {}, {"type": "object", "properties": {"q": {}}}, {"type": "string"}, {"type": "array"},
    {"type": ["string", "null"]},
    {"anyOf": [{"type": "string"}]}, {"oneOf": [{"type": "object"}, {"type": "string"}]}, {"$ref": "#/$defs/T"},
    {"allOf": [{"type": "object"}]}, {"allOf": [{"$ref": "#/$defs/T"}]}, {"enum": ["x", 1]}, {"if": {}, "then": {}},
]

def schemas(word, value):
    for beside in BESIDE:
        node = {**beside, word: value}
        yield "/properties/a", {"type": "object", "properties": {"a": node}, "$defs": {"T": {"type": "string"}}}
        yield "/properties/a", {"type": "object", "properties": {"a": {"allOf": [node]}}, "$defs": {"T": {}}}
        yield "/$defs/U", {
            "type": "object", "$defs": {"T": {}, "U": node}, "properties": {"a": {"$ref": "#/$defs/U", "minLength": 1}}
        }
        yield "", {"$defs": {"T": {"type": "object"}}, **node}

for word in sys.argv[1:]:
    print(json.dumps(["start", word]), flush=True)
    found = {}
    for value in VALUES:
        for where, schema in schemas(word, value):
            for dialect in DIALECTS:
                kind = None
                try:
                    projection = tg.project(schema, dialect)
                    projection.losses
                    tg.loads(projection.to_json())
                except tg.SchemaError as error:
                    text = str(error)
                    if len(text.splitlines()) != 1:
                        kind = "more than one line"
                    elif SECRET in text and word not in ("$ref", "$dynamicRef", "$recursiveRef", "ref"):
                        if SECRET not in error.path or SECRET in text.replace(error.path, ""):
                            kind = "the value is in the text"
                    # A node that is merged into another may be found at either.
                    if not error.path.startswith((where, "/properties/a") if where else ""):
                        kind = "the path is not at the node: " + repr(error.path)
                except Exception as error:
                    kind = type(error).__name__ + ": " + str(error)[:80]
                if kind is not None:
                    entry = found.setdefault(kind, [0, json.dumps(schema), dialect])
                    entry[0] += 1
    print(json.dumps(["done", word, found]), flush=True)
"""


@pytest.fixture(scope="module")
def matrix() -> dict[str, dict[str, Any]]:
    """Keyword -> what was found. A child that dies is a finding of the keyword it was at; the next takes over."""
    found: dict[str, dict[str, Any]] = {}
    left = list(WORDS)
    while left:
        done = child(MATRIX, *left)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        found.update({line[1]: line[2] for line in lines if line[0] == "done"})
        if done.returncode != 0:
            at = lines[-1][1] if lines else left[0]
            found[at] = {f"the process ended with {done.returncode}": done.stderr[-300:]}
        left = [word for word in left if word not in found]
    return found


@pytest.mark.parametrize("word", WORDS)
def test_a_wrongly_typed_value(word: str, matrix: dict[str, dict[str, Any]]) -> None:
    assert matrix[word] == {}


@ALL
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("type", "nothing"),
        ("type", []),
        ("type", ["string", 1]),
        ("type", None),
        ("properties", []),
        ("patternProperties", None),
        ("dependentSchemas", 1),
        ("dependentRequired", []),
        ("required", "a"),
        ("required", [1]),
        ("enum", {}),
        ("anyOf", []),
        ("anyOf", {}),
        ("oneOf", "x"),
        ("allOf", []),
        ("minimum", "1"),
        ("maximum", True),
        ("minLength", -1),
        ("maxLength", 1.5),
        ("minItems", "1"),
        ("maxProperties", None),
        ("pattern", 1),
        ("format", []),
        ("$ref", 1),
        ("uniqueItems", "yes"),
        ("items", "x"),
        ("not", 1),
        ("if", None),
        ("additionalProperties", "x"),
        ("propertyNames", []),
        ("contains", 1),
    ],
)
def test_a_wrongly_shaped_assertion_is_no_schema(key: str, value: Any, dialect: str) -> None:
    """The list of section 2 of ``docs/spelling.md``: the path names the keyword."""
    error = refused(at_a({key: value}), dialect)
    assert error.path == f"/properties/a/{key}"


@ALL
@pytest.mark.parametrize("value", [None, True, 1, 1.5, [], ["x"], {}, {"a": "x"}], ids=repr)
@pytest.mark.parametrize("key", ["title", "description", "deprecated", "examples"])
def test_a_wrongly_typed_annotation_is_ignored(key: str, value: Any, dialect: str) -> None:
    if (key == "examples" and isinstance(value, list)) or (key == "deprecated" and isinstance(value, bool)):
        pytest.skip("rightly typed")
    schema = spelled(at_a({"type": "string", key: value}), dialect)
    if dialect != "canonical":
        assert under(schema, "a") == {"type": "string"}


@ALL
@pytest.mark.parametrize("value", [None, 1, [], {}, {"a": []}], ids=repr)
@pytest.mark.parametrize("key", "readOnly writeOnly $comment contentEncoding contentMediaType xml externalDocs".split())
def test_a_wrongly_typed_annotation_is_no_error(key: str, value: Any, dialect: str) -> None:
    """Ruling 2: it is ignored, with a warning; whether it is dropped is not pinned."""
    assert under(spelled(at_a({"type": "string", key: value}), dialect), "a")["type"] == "string"


@ALL
@pytest.mark.parametrize("part", [None, 1, "x", []], ids=repr)
@pytest.mark.parametrize("key", ["properties", "patternProperties", "dependentSchemas"])
def test_a_part_that_is_no_schema_is_located(key: str, part: Any, dialect: str) -> None:
    assert refused(at_a({"type": "object", key: {"k": part}}), dialect).path == f"/properties/a/{key}/k"


@ALL
@pytest.mark.parametrize("part", [None, 1, "x", []], ids=repr)
@pytest.mark.parametrize("key", ["anyOf", "oneOf", "allOf", "prefixItems"])
def test_a_branch_that_is_no_schema_is_located(key: str, part: Any, dialect: str) -> None:
    assert refused(at_a({key: [{"type": "string"}, part]}), dialect).path == f"/properties/a/{key}/1"


# --- options


@ALL
def test_outputs_and_drafts_take_hostile_input_too(dialect: str) -> None:
    for schema in (None, [], at_a({"type": "x"}), at_a({"$ref": "#/x"}), cyclic("properties"), at_a({"minimum": "x"})):
        for options in ({"direction": "output"}, {"draft": 4}, {"draft": "7"}, {"max_nodes": 0}, {"eager": True}):
            assert isinstance(attempt(schema, dialect, **options), tg.SchemaError)


@ALL
def test_a_budget_of_nothing_cuts_every_reference(dialect: str) -> None:
    given = at_a({"$ref": "#/$defs/T"}, **{"$defs": {"T": {"type": "object", "properties": {"x": {"type": "string"}}}}})
    for nodes in (-1, 0, 1):
        found = attempt(given, dialect, max_nodes=nodes)
        assert isinstance(found, tg.Projection)
        if dialect in ("flat", "nova", *RENAMING):
            assert "Repeats the structure of T, to any depth." in said(found.schema)


def test_hostile_resources() -> None:
    given = at_a({"$ref": "https://e.test/x#/a"})
    for resource in (None, [], 1, "x", {"a": None}, {"a": []}, {"a": {"type": "nothing"}}, cyclic("properties")):
        for dialect in OTHERS:  # canonical looks whether the reference leads somewhere, and no further
            assert isinstance(attempt(given, dialect, resources={"https://e.test/x": resource}), tg.SchemaError)
        attempt(given, "canonical", resources={"https://e.test/x": resource})
