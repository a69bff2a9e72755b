"""The structural check: what a spelled schema may look like in each of the seven dialects.

Written from the rulings (39, 41, 44), the dialects' page and the vendors' pages, not from the tables of
``toolglot.dialects``, and sharing no code with the rewriter. It walks a schema by positions: names of properties and
definitions, and what ``const``, ``enum``, ``default`` and ``examples`` hold, are never taken for keywords.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SINGLE = _words(
    "additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems "
    "unevaluatedProperties"
)
LISTS = _words("allOf anyOf oneOf prefixItems")
MAPS = _words("$defs definitions defs dependentSchemas patternProperties properties")

#: Gone from a document without references: what refers, what is referred to, what changes the base.
REFERENCE_WORDS = _words(
    "$ref $dynamicRef $recursiveRef $defs definitions $id $anchor $dynamicAnchor $recursiveAnchor $vocabulary"
)

_OPENAI = (
    "type title description properties required items anyOf $ref $defs additionalProperties enum const format pattern "
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems"
)
_ANTHROPIC = (
    "type title description properties required items anyOf additionalProperties enum const format default minItems"
)
_GEMINI = "type nullable required format description properties items enum anyOf ref defs"
_SCALAR = {"string": str, "number": (int, float), "integer": (int, float), "boolean": bool, "null": type(None)}
_MAY_BE_BOOLEAN = _words("additionalProperties unevaluatedProperties unevaluatedItems")
_NO_PYTHON = re.compile(r"\(\?<?[=!]|\\[bB]|\\[1-9]|\(\?P=|\\k<")


@dataclass(frozen=True, slots=True)
class Form:
    """What one dialect may hold. ``None`` for ``keywords`` or ``formats``: not pinned here."""

    keywords: frozenset[str] | None = None
    formats: frozenset[str] | None = None
    references: str = ""  # "", "$ref" or "ref": how a reference may be written
    closed: bool = False  # every object closed, nothing open left
    all_required: bool = False
    typed: bool = False  # every node has a type, a union or a reference
    whole: bool = False  # arrays have items; no boolean schemas
    type_lists: bool = True
    scalar_enums: bool = False  # enum values of one JSON type, no object or array
    string_enums: bool = False
    beside_union: frozenset[str] | None = None  # what may stand beside anyOf
    root: str = ""  # "object": an object without combinators; "nova": exactly type, properties, required
    min_items: int | None = None
    python_patterns: bool = False
    keys: str | None = None  # what a property's name looks like


FORMS: dict[str, Form] = {
    "canonical": Form(),
    "flat": Form(),
    "openai_strict": Form(
        keywords=_words(_OPENAI),
        formats=_words("date-time time date duration email hostname ipv4 ipv6 uuid"),
        references="$ref",
        closed=True,
        all_required=True,
        typed=True,
        whole=True,
        scalar_enums=True,
        beside_union=_words("title description default"),
        root="object",
        python_patterns=True,
    ),
    "anthropic_strict": Form(
        keywords=_words(_ANTHROPIC),
        formats=_words("date-time time date duration email hostname uri ipv4 ipv6 uuid"),
        closed=True,
        typed=True,
        whole=True,
        scalar_enums=True,
        beside_union=_words("title description default"),
        root="object",
        min_items=1,
        keys=r"[a-zA-Z0-9_.-]{1,64}",
    ),
    "nova": Form(root="nova", whole=True),
    "gemini": Form(
        keywords=_words(_GEMINI),
        formats=frozenset({"date-time"}),
        references="ref",
        typed=True,
        whole=True,
        type_lists=False,
        string_enums=True,
        beside_union=frozenset(),
        root="object",
    ),
}
FORMS["bedrock_strict"] = FORMS["anthropic_strict"]


@dataclass(frozen=True, slots=True)
class Finding:
    """``rule`` names the check that failed, ``pointer`` the node, ``detail`` what was seen there."""

    rule: str
    pointer: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.rule} at {self.pointer or '#'}: {self.detail}"


def nodes(schema: Any) -> Iterator[tuple[str, str, Any]]:
    """Every schema of a document: its JSON Pointer, the keyword it stands under (``""``: the root), the schema."""
    work: list[tuple[str, str, Any]] = [("", "", schema)]
    while work:
        at, under, node = work.pop()
        yield at, under, node
        if not isinstance(node, dict):
            continue
        for key, value in node.items():
            if key in SINGLE:
                if isinstance(value, list):
                    work.extend((f"{at}/{key}/{index}", key, member) for index, member in enumerate(value))
                else:
                    work.append((f"{at}/{key}", key, value))
            elif key in LISTS and isinstance(value, list):
                work.extend((f"{at}/{key}/{index}", key, member) for index, member in enumerate(value))
            elif key in MAPS and isinstance(value, dict):
                work.extend((f"{at}/{key}/{_token(name)}", key, member) for name, member in value.items())


def resolves(schema: dict[str, Any], reference: str) -> bool:
    """Whether ``#`` or ``#/...`` points at a schema of this very document."""
    if not reference.startswith("#"):
        return False
    found: Any = schema
    for token in unquote(reference[1:]).split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict) and token in found:
            found = found[token]
        elif isinstance(found, list) and token.isdigit() and int(token) < len(found):
            found = found[int(token)]
        else:
            return False
    return isinstance(found, (dict, bool)) and (reference == "#" or reference.startswith("#/"))


def check(
    schema: dict[str, Any],
    dialect: str,
    *,
    direction: str = "input",
    keywords: frozenset[str] | None = None,
    formats: frozenset[str] | None = None,
) -> list[Finding]:
    """Everything about a spelled schema that its dialect does not allow.

    ``keywords`` and ``formats`` are the dialect's own lists, held as well as the pinned ones. Of outputs only the
    lists and the references are held: nothing else applies to them.
    """
    form = FORMS[dialect]
    if dialect == "canonical":
        return []
    out: list[Finding] = []
    lists = [known for known in (form.keywords, keywords) if known is not None]
    format_lists = [known for known in (form.formats, formats) if known is not None]
    reads = direction == "output"
    for at, under, node in nodes(schema):
        if not isinstance(node, dict):
            if not isinstance(node, bool):
                out.append(Finding("not a schema", at, type(node).__name__))
            elif form.whole and under not in _MAY_BE_BOOLEAN and not reads:
                out.append(Finding("boolean schema", at, str(node)))
            continue
        for known in lists:
            out.extend(Finding("keyword not listed", at, key) for key in node if key not in known)
        for known in format_lists:
            if "format" in node and node["format"] not in known:
                out.append(Finding("format not listed", at, str(node["format"])))
        out.extend(_references(schema, at, node, form))
        if dialect == "flat":
            out.extend(_flat(at, node))
        elif dialect == "nova" and "title" in node:
            out.append(Finding("title", at))
        if not reads:
            out.extend(_node(at, node, form))
            if form.closed:
                out.extend(_closed(at, node))
            if form.all_required and "properties" in node:
                names, required = list(node.get("properties", {})), node.get("required")
                if required != names:
                    out.append(Finding("required is not the list of properties", at, f"{required} for {names}"))
    if not reads:
        out.extend(_root(schema, form))
    return out


def _references(schema: dict[str, Any], at: str, node: dict[str, Any], form: Form) -> Iterator[Finding]:
    word = form.references
    for key in ("$ref", "ref", "$dynamicRef", "$recursiveRef"):
        if key not in node or (key == "ref" and word != "ref"):
            continue
        if key != word:
            yield Finding("reference", at, f"{key}: {node[key]}")
        elif not isinstance(node[key], str) or not resolves(schema, node[key]):
            yield Finding("reference does not resolve", at, str(node[key]))
        elif not re.fullmatch(r"#|#/(\$defs|defs)/[A-Za-z0-9_.-]+", node[key]):
            yield Finding("reference form", at, node[key])
        elif set(node) - {key} - ({"description"} if key == "ref" else set()):
            yield Finding("beside a reference", at, ", ".join(node))
    definitions = {"$ref": "$defs", "ref": "defs"}.get(word)
    for key in ("$defs", "definitions", "defs"):
        if key in node and not (key == definitions and at == "") and not (key == "defs" and word != "ref"):
            yield Finding("definitions", at, key)
        elif key == definitions and key in node:
            used = {n[word] for _, _, n in nodes(schema) if isinstance(n, dict) and isinstance(n.get(word), str)}
            for name in node[key]:
                if f"#/{key}/{name}" not in used:
                    yield Finding("definition nobody uses", at, name)


def _flat(at: str, node: dict[str, Any]) -> Iterator[Finding]:
    for key, value in node.items():
        if key in REFERENCE_WORDS:
            yield Finding("reference word", at, key)
        elif key == "$schema" and (at or "2020-12" not in str(value)):
            yield Finding("$schema", at, str(value))
        elif key.startswith("x-") and key != "x-mcp-header":
            yield Finding("harness keyword", at, key)
        elif key in ("nullable", "additionalItems", "dependencies"):
            yield Finding("old construct", at, key)
        elif (key == "items" and isinstance(value, list)) or (
            key in ("exclusiveMinimum", "exclusiveMaximum") and isinstance(value, bool)
        ):
            yield Finding("old construct", at, f"{key}: {json.dumps(value)[:60]}")


def _node(at: str, node: dict[str, Any], form: Form) -> Iterator[Finding]:
    types = node.get("type")
    listed = types if isinstance(types, list) else [types]
    if isinstance(types, list) and not form.type_lists:
        yield Finding("list of types", at, str(types))
    if form.string_enums and "null" in listed:
        yield Finding("type null", at)
    if form.typed:
        if not ({"type", "anyOf", form.references or "type"} & set(node)):
            yield Finding("no type", at, ", ".join(node))
        if "object" in listed and "properties" not in node and form.closed:
            yield Finding("object without properties", at)
    if form.whole and "array" in listed and not isinstance(node.get("items"), dict):
        yield Finding("array without items", at)
    if "enum" in node and (form.scalar_enums or form.string_enums):
        yield from _enum(at, node, form)
    if form.scalar_enums and isinstance(node.get("const"), (dict, list)):
        yield Finding("const", at, json.dumps(node["const"])[:60])
    if form.scalar_enums and "const" in node and not isinstance(types, str):
        yield Finding("const without a type", at)
    if form.beside_union is not None and "anyOf" in node and set(node) - {"anyOf"} - form.beside_union:
        yield Finding("beside anyOf", at, ", ".join(node))
    if form.string_enums and node.get("nullable") not in (None, True):
        yield Finding("nullable", at, str(node["nullable"]))
    if "anyOf" in node and form.typed and not (isinstance(node["anyOf"], list) and node["anyOf"]):
        yield Finding("empty anyOf", at)
    if form.min_items is not None and node.get("minItems", 0) not in range(form.min_items + 1):
        yield Finding("minItems", at, str(node["minItems"]))
    if form.python_patterns and isinstance(node.get("pattern"), str):
        pattern = node["pattern"]
        try:
            re.compile(pattern)
        except (re.error, OverflowError, RecursionError) as error:
            yield Finding("pattern", at, f"{pattern!r}: {error}")
        if _NO_PYTHON.search(pattern.replace("\\\\", "")):
            yield Finding("pattern", at, f"{pattern!r}: beyond a regular language")
    if form.keys is not None:
        for name in node.get("properties", {}):
            if not re.fullmatch(form.keys, name):
                yield Finding("property name", at, name)
    required = node.get("required")
    if form.root and isinstance(required, list):
        # Where types are not needed, a lone {"required": [...]} may stand, in anyOf or not for one.
        if (form.typed or "object" in listed) and not set(required) <= set(node.get("properties", {})):
            yield Finding("required but not declared", at, str(required))
        if len(set(required)) < len(required):
            yield Finding("required twice", at, str(required))


def _enum(at: str, node: dict[str, Any], form: Form) -> Iterator[Finding]:
    values, types = node["enum"], node.get("type")
    if not isinstance(values, list) or not values:
        yield Finding("enum", at, "empty")
    elif form.string_enums:
        if types != "string" or not all(isinstance(value, str) and value for value in values):
            yield Finding("enum", at, json.dumps(values)[:80])
    elif not isinstance(types, str):
        yield Finding("enum beside a list of types or none", at, str(types))
    else:
        kind = _SCALAR.get(types)
        for value in values:
            fits = kind is not None and isinstance(value, kind) and (types == "boolean") == isinstance(value, bool)
            if not fits or (types == "integer" and value != int(value)):
                yield Finding("enum value of another type", at, f"{json.dumps(value)[:40]} for {types}")


def _closed(at: str, node: dict[str, Any]) -> Iterator[Finding]:
    types = node.get("type")
    if "object" in types if isinstance(types, list) else types == "object":
        if node.get("additionalProperties") is not False:
            yield Finding("open object", at, json.dumps(node.get("additionalProperties")))
    else:
        stray = {"properties", "required", "additionalProperties"} & set(node)
        if stray:
            yield Finding("object keyword without type object", at, f"{', '.join(sorted(stray))} beside {types}")


def _root(schema: dict[str, Any], form: Form) -> Iterator[Finding]:
    if not form.root:
        return
    if schema.get("type") != "object" or not isinstance(schema.get("properties"), dict):
        yield Finding("root is no object with properties", "", ", ".join(schema))
    beside = {"anyOf", "oneOf", "allOf", "not", "enum", "const", "$ref", "ref", "nullable"} & set(schema)
    if beside:
        yield Finding("beside the root's object", "", ", ".join(sorted(beside)))
    if form.root == "nova" and set(schema) != {"type", "properties", "required"}:
        yield Finding("root is not exactly type, properties, required", "", ", ".join(schema))


def _token(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
