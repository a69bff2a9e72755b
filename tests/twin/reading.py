"""Reading a schema object: shapes are checked and old constructs are turned into 2020-12, where they stand."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

MAX_DEPTH = 254

TYPES = ("null", "boolean", "object", "array", "number", "string", "integer")

# --- which keywords there are ---------------------------------------------------------------------------------

REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
SCHEMA_MAPS = ("properties", "patternProperties", "dependentSchemas")
SCHEMA_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
ONE_SCHEMA = (
    "items",
    "contains",
    "additionalProperties",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "not",
    "if",
    "then",
    "else",
    "contentSchema",
)
BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
COUNTS = (
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
)
ASSERTIONS = frozenset(
    (
        "type",
        "enum",
        "const",
        "pattern",
        "format",
        "uniqueItems",
        "required",
        "dependentRequired",
        *SCHEMA_MAPS,
        *SCHEMA_LISTS,
        *(word for word in ONE_SCHEMA if word != "contentSchema"),
        *BOUNDS,
        *COUNTS,
        *REFERENCES,
    )
)
#: Words that serve references only. They never reach a result (but a root ``$schema``, in flat).
PLUMBING = frozenset(
    (
        "$id",
        "$anchor",
        "$dynamicAnchor",
        "$schema",
        "$vocabulary",
        "$recursiveAnchor",
        "$defs",
        "definitions",
    )
)
KNOWN_ANNOTATIONS = frozenset(
    (
        "title",
        "description",
        "default",
        "examples",
        "deprecated",
        "readOnly",
        "writeOnly",
        "$comment",
        "contentEncoding",
        "contentMediaType",
        "contentSchema",
        *PLUMBING,
    )
)
#: For names: the segments of a pointer that are keywords.
KEYWORDS = (
    ASSERTIONS
    | KNOWN_ANNOTATIONS
    | {"defs", "ref", "id", "additionalItems", "dependencies", "nullable", "example", "discriminator"}
)


def is_assertion(word: str) -> bool:
    return word in ASSERTIONS


# --- errors ----------------------------------------------------------------------------------------------------


class NotASchema(ValueError):
    """The document is no JSON Schema."""


class UnresolvableReference(ValueError):
    """A reference leads nowhere."""


class SchemaTooDeep(ValueError):
    """More than 254 containers inside one another."""


# --- JSON values -----------------------------------------------------------------------------------------------


def check_json(value: Any) -> None:
    """Raise unless this is a JSON value that is not nested too deep."""
    stack = [(value, 1)]
    while stack:
        item, depth = stack.pop()
        if isinstance(item, (dict, list)):
            if depth > MAX_DEPTH:
                raise SchemaTooDeep(f"more than {MAX_DEPTH} containers inside one another")
            if isinstance(item, dict):
                for key in item:
                    if not isinstance(key, str):
                        raise NotASchema("a key is no string")
                    check_text(key)
                stack.extend((child, depth + 1) for child in item.values())
            else:
                stack.extend((child, depth + 1) for child in item)
        elif isinstance(item, str):
            check_text(item)
        elif isinstance(item, float):
            if not math.isfinite(item):
                raise NotASchema("a number is not finite")
        elif item is not None and not isinstance(item, (bool, int)):
            raise NotASchema("a value is no JSON")


def check_text(text: str) -> None:
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise NotASchema("a string holds a lone surrogate")


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_whole(value: Any) -> bool:
    return is_number(value) and value == int(value)


def is_strings(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def is_schema(value: Any) -> bool:
    return isinstance(value, (dict, bool))


# --- documents and places --------------------------------------------------------------------------------------


@dataclass(eq=False)
class Resource:
    """What one ``$id`` names: a part of a document with its own anchors."""

    uri: str
    document: Document
    pointer: tuple[str, ...]
    anchors: dict[str, tuple[str, ...]] = field(default_factory=dict)
    dynamic: dict[str, tuple[str, ...]] = field(default_factory=dict)
    recursive: bool = False


@dataclass(eq=False)
class Document:
    """One JSON document, with the resources in it."""

    raw: Any
    number: int
    uri: str
    draft: str
    resources: dict[tuple[str, ...], Resource] = field(default_factory=dict)
    order: dict[tuple[str, ...], int] = field(default_factory=dict)

    @property
    def old(self) -> bool:
        """Draft-07 and older: siblings of ``$ref`` are ignored."""
        return self.draft in ("3", "4", "6", "7")

    @property
    def reads_defs(self) -> bool:
        return isinstance(self.raw, dict) and isinstance(self.raw.get("defs"), dict)


@dataclass(eq=False)
class Entry:
    """One entry into a cyclic component, with the targets expanded in it so far."""

    component: Any
    expanded: set


@dataclass(eq=False)
class Place:
    """A schema, where it stands in a document, and how the walk came to it."""

    raw: Any
    document: Document
    pointer: tuple[str, ...]
    resource: Resource
    scope: tuple[Resource, ...]
    entry: Entry | None = None
    merging: frozenset = frozenset()
    paid: bool = False
    called: str | None = None  # the anchor it was reached by

    @property
    def location(self) -> tuple[int, tuple[str, ...]]:
        return (self.document.number, self.pointer)

    @property
    def path(self) -> str:
        return write_pointer(self.pointer)

    def child(self, *segments: str, raw: Any) -> Place:
        pointer = self.pointer + segments
        resource = self.document.resources.get(pointer, self.resource)
        scope = self.scope if resource in self.scope else (*self.scope, resource)
        return replace(self, raw=raw, pointer=pointer, resource=resource, scope=scope, called=None)

    def here(self, raw: Any) -> Place:
        """Another schema at the same place (made by reading an old construct)."""
        return replace(self, raw=raw)


def write_pointer(pointer: tuple[str, ...]) -> str:
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in pointer)


def draft_of(raw: Any, draft: str | None, inherited: str = "2020-12") -> str:
    if draft is not None:
        return str(draft).removeprefix("draft").lstrip("-0") or "2020-12"
    named = raw.get("$schema") if isinstance(raw, dict) else None
    if isinstance(named, str):
        for number in ("3", "4", "6", "7"):
            if f"json-schema.org/draft-0{number}/" in named:
                return number
        return "2020-12"
    return inherited


def names_2020_12(value: Any) -> bool:
    return isinstance(value, str) and value.rstrip("#") == "https://json-schema.org/draft/2020-12/schema"


# --- reading ---------------------------------------------------------------------------------------------------


def is_never(raw: Any) -> bool:
    """``false``, and what is written ``{"not": {}}``."""
    if raw is False:
        return True
    if isinstance(raw, dict) and list(raw) == ["not"]:
        return raw["not"] is True or raw["not"] == {}
    return False


def read(place: Place) -> dict[str, Any]:
    """The words of a schema object in 2020-12: sub-schemas are places, all else is raw data."""
    raw = place.raw
    if not isinstance(raw, dict):
        raise NotASchema(f"no schema at {place.path or 'the root'}")
    words = dict(raw)
    document = place.document
    if document.reads_defs:
        words = rename_reference(words)
    is_null_beside = words.get("nullable") is True and not {"type", "enum", "const", "anyOf", "oneOf"} & set(words)
    if document.old and "$ref" in words and not is_null_beside:
        words = {"$ref": words["$ref"]}
    if document.draft in ("3", "4") and isinstance(words.get("id"), str):
        words = {("$id" if word == "id" else word): value for word, value in words.items()}
    nested = Places(place)
    words = read_nullable(words, place)
    words = read_example(words)
    words = read_tuple(words, nested)
    words = read_dependencies(words, nested)
    words = read_exclusive(words, "exclusiveMinimum", "minimum")
    words = read_exclusive(words, "exclusiveMaximum", "maximum")
    words = drop_wrong_annotations(words)
    check_shapes(words, place)
    return {word: nested.of(word, value) for word, value in words.items()}


class Places:
    """Turns the sub-schemas of one schema object into places, under the pointers they have in the document."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.moved: dict[str, str] = {}  # word -> the word it was written as

    def of(self, word: str, value: Any) -> Any:
        written = self.moved.get(word, word)
        if word in SCHEMA_MAPS:
            return {name: self.one(child, written, name) for name, child in value.items()}
        if word in SCHEMA_LISTS:
            return [self.one(child, written, str(index)) for index, child in enumerate(value)]
        if word in ONE_SCHEMA:
            return self.one(value, written)
        return value

    def one(self, value: Any, *segments: str) -> Any:
        if isinstance(value, (Place, Joined)):
            return value
        if not is_schema(value):
            raise NotASchema(f"no schema at {write_pointer(self.place.pointer + segments)}")
        return self.place.child(*segments, raw=value)


@dataclass(eq=False)
class Joined:
    """Several schemas, all of which must match (``both`` in the spec)."""

    parts: list


def rename_reference(words: dict) -> dict:
    value = words.get("ref")
    renamed = {}
    for word, item in words.items():
        if word == "ref" and isinstance(value, str) and value.startswith("#/defs/") and "$ref" not in words:
            renamed["$ref"] = item
        elif word == "defs" and "$defs" not in words and isinstance(item, dict):
            renamed["$defs"] = item
        else:
            renamed[word] = item
    return renamed


def read_nullable(words: dict, place: Place) -> dict:
    if "nullable" not in words:
        return words
    nullable = words["nullable"] is True
    words = {word: value for word, value in words.items() if word != "nullable"}
    if not nullable:
        return words
    if any(word in words for word in ("type", "enum", "const")):
        result = {}
        for word, value in words.items():
            if word == "type" and isinstance(value, str) and value != "null":
                result["type"] = [value, "null"]
            elif word == "type" and isinstance(value, list) and "null" not in value:
                result["type"] = [*value, "null"]
            elif word == "enum" and isinstance(value, list) and None not in value:
                result["enum"] = [*value, None]
            elif word == "const" and value is not None and "enum" not in words:
                result["enum"] = [value, None]
            else:
                result[word] = value
        return result
    null = place.here({"type": "null"})
    for union in ("anyOf", "oneOf"):
        if union in words:
            branches = words[union]
            if isinstance(branches, list) and not any(
                isinstance(branch, dict) and branch.get("type") == "null" for branch in branches
            ):
                words[union] = [*branches, null]
            return words
    if "$ref" in words:
        reference = place.here({"$ref": words["$ref"]})
        return {
            ("anyOf" if word == "$ref" else word): ([reference, null] if word == "$ref" else value)
            for word, value in words.items()
        }
    return words


def read_example(words: dict) -> dict:
    if "example" not in words:
        return words
    if "examples" in words:
        return {word: value for word, value in words.items() if word != "example"}
    return {
        ("examples" if word == "example" else word): ([value] if word == "example" else value)
        for word, value in words.items()
    }


def read_tuple(words: dict, nested: Places) -> dict:
    is_tuple = isinstance(words.get("items"), list)
    result = {}
    for word, value in words.items():
        if word == "items" and is_tuple:
            if "prefixItems" not in words:
                nested.moved["prefixItems"] = "items"
                result["prefixItems"] = value
        elif word == "additionalItems":
            if is_tuple:
                nested.moved["items"] = "additionalItems"
                result["items"] = value
        else:
            result[word] = value
    if result.get("prefixItems") == []:
        del result["prefixItems"]
    return result


def read_dependencies(words: dict, nested: Places) -> dict:
    if "dependencies" not in words:
        return words
    value = words["dependencies"]
    if not isinstance(value, dict):
        raise NotASchema(f"dependencies at {nested.place.path or 'the root'} is no object")
    for word in ("dependentRequired", "dependentSchemas"):
        if word in words and not isinstance(words[word], dict):
            raise NotASchema(f"{word} at {nested.place.path or 'the root'} is no object")
    required = {name: item for name, item in value.items() if isinstance(item, list)}
    schemas = {
        name: nested.one(item, "dependencies", name) for name, item in value.items() if not isinstance(item, list)
    }
    own_schemas = {
        name: nested.one(one, "dependentSchemas", name) for name, one in words.get("dependentSchemas", {}).items()
    }
    merged_required = {**words.get("dependentRequired", {}), **required}
    merged_schemas = {**own_schemas, **schemas}
    result: dict = {}
    for word, item in words.items():
        if word in ("dependentRequired", "dependentSchemas"):
            is_required = word == "dependentRequired"
            result.setdefault(word, merged_required if is_required else merged_schemas)
        elif word == "dependencies":
            if required:
                result.setdefault("dependentRequired", merged_required)
            if schemas:
                result.setdefault("dependentSchemas", merged_schemas)
        else:
            result[word] = item
    return result


def read_exclusive(words: dict, exclusive: str, bound: str) -> dict:
    value = words.get(exclusive)
    if not isinstance(value, bool):
        return words
    if value and bound in words:
        return {word: (words[bound] if word == exclusive else item) for word, item in words.items() if word != bound}
    return {word: item for word, item in words.items() if word != exclusive}


def drop_wrong_annotations(words: dict) -> dict:
    def is_right(word: str, value: Any) -> bool:
        if word in ("title", "description"):
            return isinstance(value, str)
        if word == "examples":
            return isinstance(value, list)
        if word == "deprecated":
            return isinstance(value, bool)
        return word != "contentSchema" or is_schema(value)

    return {word: value for word, value in words.items() if is_right(word, value)}


def check_shapes(words: dict, place: Place) -> None:
    for word, value in words.items():
        if not has_shape(word, value):
            raise NotASchema(f"{word} at {place.path or 'the root'} has a wrong shape")


def has_shape(word: str, value: Any) -> bool:
    if word == "type":
        if isinstance(value, str):
            return value in TYPES
        return isinstance(value, list) and len(value) > 0 and all(isinstance(t, str) and t in TYPES for t in value)
    if word in SCHEMA_MAPS or word in ("$defs", "definitions"):
        return isinstance(value, dict)
    if word == "dependentRequired":
        return isinstance(value, dict) and all(is_strings(names) for names in value.values())
    if word in ("anyOf", "oneOf", "allOf"):
        return isinstance(value, list) and len(value) > 0
    if word in ("enum", "prefixItems"):
        return isinstance(value, list)
    if word == "required":
        return is_strings(value)
    if word in BOUNDS:
        return is_number(value)
    if word in COUNTS:
        return is_whole(value) and value >= 0
    if word in ("pattern", "format", *REFERENCES):
        return isinstance(value, str)
    if word == "uniqueItems":
        return isinstance(value, bool)
    return True
