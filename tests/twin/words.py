"""Rules put into words: sentences, phrases, and the text of a schema."""

from __future__ import annotations

import json
from typing import Any

import orjson
from tests.twin.reading import (
    ASSERTIONS as NOT_ANY,
)
from tests.twin.reading import (
    ONE_SCHEMA,
    REFERENCES,
    SCHEMA_LISTS,
    SCHEMA_MAPS,
    Joined,
    Place,
    UnresolvableReference,
    is_never,
    is_number,
    read,
    rename_reference,
)
from tests.twin.references import Library, called, is_root

# --- JSON equality and text ------------------------------------------------------------------------------------


def canon(value: Any) -> Any:
    """A hashable stand-in: equal for JSON-equal values, and for no others."""
    if isinstance(value, dict):
        return ("object", frozenset((key, canon(child)) for key, child in value.items()))
    if isinstance(value, list):
        return ("array", tuple(canon(child) for child in value))
    if isinstance(value, bool) or value is None:
        return ("constant", str(value))
    if is_number(value):
        return ("number", value)
    return ("string", value)


def equal(a: Any, b: Any) -> bool:
    return canon(a) == canon(b)


def json_type(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


class Named:
    """A reference in a text, written ``{T}``."""

    def __init__(self, name: str) -> None:
        self.name = name


def compact(value: Any) -> str:
    if isinstance(value, Named):
        return "{" + value.name + "}"
    if isinstance(value, dict):
        return "{" + ",".join(member(key, child) for key, child in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(compact(child) for child in value) + "]"
    if isinstance(value, float):
        return number(value)
    return json.dumps(value, ensure_ascii=False)


def member(key: str, value: Any) -> str:
    return json.dumps(key, ensure_ascii=False) + ":" + compact(value)


def number(value: Any) -> str:
    """A number as the JSON writer writes it: the shortest form."""
    return orjson.dumps(value).decode()


def shortened(value: Any) -> str:
    """At most 300 characters, else as many whole leading members as fit."""
    text = compact(value)
    if len(text) <= 300 or not isinstance(value, dict):
        return text
    kept = "{"
    for key, child in value.items():
        longer = kept + member(key, child) + ","
        if len(longer) + len("...}") > 300:
            break
        kept = longer
    if kept == "{":
        return "{" + ", ".join(list(value)[:10]) + "}"
    return kept + "...}"


# --- joining ---------------------------------------------------------------------------------------------------

ENDERS = ".!?:;…。．！？"
CLOSERS = "\"'”’»›)]}）］｝】〕〉》」』"


def append(text: str, sentence: str) -> str:
    """The author's text, then a sentence (ruling 35)."""
    if sentence in text:
        return text
    text = text.rstrip()
    if not text:
        return sentence
    ending = text.rstrip(CLOSERS)
    return text + (" " if ending and ending[-1] in ENDERS else ". ") + sentence


# --- slots: the order of sentences in a node -------------------------------------------------------------------

SLOTS = (
    "bounds",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "length",
    "pattern",
    "format",
    "items",
    "uniqueItems",
    "tuple",
    "contains",
    "others",
    "properties",
    "propertyNames",
    "patternProperties",
    "dependentRequired",
    "dependentSchemas",
    "absent",
    "const",
    "enum",
    "default",
    "examples",
    "deprecated",
    "contentEncoding",
    "union",
    "not",
    "if",
    "also",
    "cycle",
    "encoding",
    "optional",
)


class Sentence:
    """One sentence with its place in the order, and the loss it tells of."""

    def __init__(self, slot: str, keyword: str, text: str, path: str, effect: str = "carried") -> None:
        self.slot: float = SLOTS.index(slot)
        self.keyword = keyword
        self.text = text
        self.path = path
        self.effect = effect


def plural(count: Any, one: str, many: str) -> str:
    return f"{int(count)} {one if count == 1 else many}"


def counted(words: dict, low: str, high: str, one: str, many: str) -> str | None:
    """``1 to 5 items.`` ``At least 2 items.`` ``At most 5 items.``"""
    least, most = words.get(low), words.get(high)
    if least == 0:
        least = None
    if least is not None and most is not None:
        return f"{int(least)} to {int(most)} {many}."
    if least is not None:
        return f"At least {plural(least, one, many)}."
    if most is not None:
        return f"At most {plural(most, one, many)}."
    return None


FORMATS = {
    "date": "an ISO-8601 date",
    "time": "an ISO-8601 time",
    "date-time": "an ISO-8601 date-time",
    "duration": "an ISO-8601 duration",
    "email": "an email address",
    "idn-email": "an email address",
    "hostname": "a hostname",
    "idn-hostname": "a hostname",
    "ipv4": "an IPv4 address",
    "ipv6": "an IPv6 address",
    "uri": "a URI",
    "uri-reference": "a URI reference",
    "uri-template": "a URI template",
    "iri": "an IRI",
    "iri-reference": "an IRI reference",
    "uuid": "a UUID",
    "regex": "a regular expression",
    "json-pointer": "a JSON Pointer",
    "relative-json-pointer": "a relative JSON Pointer",
}

LIMIT = 2**53 - 1


# --- the words of one library ----------------------------------------------------------------------------------


class Wording:
    def __init__(self, library: Library) -> None:
        self.library = library

    # --- looking through references, without walking ---

    def resolve(self, place: Place, word: str, value: str) -> Place | None:
        try:
            return self.library.resolve(place, word, value)
        except UnresolvableReference:
            return None

    def is_any(self, schema: Any, seen: frozenset = frozenset()) -> bool:
        """``true``, ``{}``, or annotations only, through references."""
        if isinstance(schema, Joined):
            return all(self.is_any(part, seen) for part in schema.parts)
        if isinstance(schema, Gathered):
            return schema.node is True or (schema.node is not False and self.is_any(schema.made))
        if isinstance(schema, Made):
            return not any(word in NOT_ANY for word in schema.words)
        if isinstance(schema.raw, bool):
            return schema.raw
        if schema.location in seen:
            return False
        words = read(schema)
        asserted = [word for word in words if word in NOT_ANY]
        if not asserted:
            return True
        if asserted == ["$ref"]:
            target = self.resolve(schema, "$ref", words["$ref"])
            return target is None or self.is_any(target, seen | {schema.location})
        return False

    def adds_nothing(self, schema: Any) -> bool:
        """Whether a schema says by itself that it accepts everything."""
        if isinstance(schema, Place) and isinstance(schema.raw, dict):
            return not any(word in NOT_ANY for word in read(schema))
        return not isinstance(schema, Joined) and self.is_any(schema)

    def is_false(self, schema: Any, seen: frozenset = frozenset()) -> bool:
        if isinstance(schema, Joined):
            return any(self.is_false(part, seen) for part in schema.parts)
        if isinstance(schema, Gathered):
            return schema.node is False
        if isinstance(schema, Made):
            return False
        if is_never(schema.raw):
            return True
        if isinstance(schema.raw, bool) or schema.location in seen:
            return False
        words = read(schema)
        if "$ref" in words:
            target = self.resolve(schema, "$ref", words["$ref"])
            return target is not None and self.is_false(target, seen | {schema.location})
        return False

    def is_impossible(self, schema: Any) -> bool:
        """``false``, or made of parts that share no type."""
        if self.is_false(schema):
            return True
        if not isinstance(schema, Joined):
            return False
        known = [types for types in (self.types(part) for part in schema.parts) if types is not None]
        shared = known[0] if known else []
        for types in known[1:]:
            shared = [one for one in shared if admits_type(types, one)] or [
                one for one in types if admits_type(shared, one)
            ]
        return bool(known) and not shared

    def peek(self, schema: Any, seen: frozenset = frozenset()) -> list[dict[str, Any]]:
        """The words of a schema and of all that a reference beside them leads to."""
        if isinstance(schema, Joined):
            return [words for part in schema.parts for words in self.peek(part, seen)]
        if isinstance(schema, Gathered):
            schema = schema.made
        if isinstance(schema, Made):
            return [schema.words]
        if isinstance(schema.raw, bool) or schema.location in seen:
            return []
        words = read(schema)
        found = [words]
        for word in REFERENCES:
            if word in words:
                target = self.resolve(schema, word, words[word])
                if target is not None:
                    found.extend(self.peek(target, seen | {schema.location}))
        return found

    def ends(self, schema: Any) -> list[dict[str, Any]]:
        """The words of a schema; where it is a reference, those of what it leads to in the end."""
        if isinstance(schema, Joined):
            return [words for part in schema.parts for words in self.ends(part)]
        hops = 0
        while isinstance(schema, Place) and isinstance(schema.raw, dict) and hops < 24:
            raw = rename_reference(schema.raw) if schema.document.reads_defs else schema.raw
            word = next((one for one in REFERENCES if one in raw), None)
            if word is None:
                return [read(schema)]
            target = self.resolve(schema, word, raw[word])
            if target is None:
                return []
            schema, hops = target, hops + 1
        if isinstance(schema, Place):
            return []
        return self.peek(schema)

    def constants(self, schema: Any) -> list[Any] | None:
        for words in self.ends(schema):
            found = constants_of(words)
            if found is not None:
                return found
        return None

    def types(self, schema: Any, depth: int = 0) -> list[str] | None:
        """The JSON types of a schema as far as they are known."""
        if depth > 60:
            return None
        for words in self.ends(schema):
            found = self.types_of(words, depth)
            if found is not None:
                return found
        return None

    def types_of(self, words: dict[str, Any], depth: int = 0) -> list[str] | None:
        if "type" in words:
            value = words["type"]
            return [value] if isinstance(value, str) else list(dict.fromkeys(value))
        values = constants_of(words)
        if values is not None:
            return list(dict.fromkeys(json_type(value) for value in values))
        for union in ("anyOf", "oneOf"):
            if union in words:
                each = [self.types(branch, depth + 1) for branch in words[union]]
                if not all(types is not None for types in each):
                    return None
                return list(dict.fromkeys(one for types in each for one in types or []))
        for branch in words.get("allOf", []):
            types = self.types(branch, depth + 1)
            if types is not None:
                return types
        return None

    # --- phrases ---

    def phrase(self, schema: Any) -> str:
        return cut_phrase(self.long_phrase(schema))

    def long_phrase(self, schema: Any) -> str:
        first = schema.parts[0] if isinstance(schema, Joined) else schema
        for words in self.ends(first):
            found = constants_of(words)
            if found:
                return ", ".join([compact(value) for value in found[:5]] + (["..."] if len(found) > 5 else []))
        own = [first.raw] if isinstance(first, Place) and isinstance(first.raw, dict) else []
        for words in [*own, *self.ends(first)]:
            if isinstance(words.get("title"), str) and words["title"]:
                return words["title"]
        types = self.types(schema)
        return " or ".join(types) if types else "any JSON"

    # --- the text of a schema ---

    def raw(self, schema: Any) -> Any:
        """A schema as the author wrote it, references resolved one level."""
        if isinstance(schema, Place):
            return self.spread(schema.raw, schema, 1)
        if isinstance(schema, Joined):
            return {"allOf": [self.raw(part) for part in schema.parts]}
        if isinstance(schema, Gathered):
            return schema.node if isinstance(schema.node, bool) else self.raw_words(schema.node.words)
        if isinstance(schema, Made):
            return self.raw_words(schema.words)
        return schema

    def raw_words(self, words: dict[str, Any]) -> dict[str, Any]:
        return {word: self.raw_value(word, value) for word, value in words.items()}

    def raw_value(self, word: str, value: Any) -> Any:
        if word in SCHEMA_MAPS:
            return {name: self.raw(child) for name, child in value.items()}
        if word in SCHEMA_LISTS:
            return [self.raw(child) for child in value]
        if word in ONE_SCHEMA:
            return self.raw(value)
        if word == "$ref" and isinstance(value, Place):
            return self.spread({"$ref": ""}, value, 1)
        return value

    def spread(self, raw: Any, place: Place, levels: int) -> Any:
        if isinstance(raw, list):
            return [self.spread(child, place, levels) for child in raw]
        if not isinstance(raw, dict):
            return raw
        word = next((one for one in REFERENCES if isinstance(raw.get(one), str)), None)
        target = None if word is None else self.resolve(place, word, raw[word])
        if target is None:
            return {
                key: (child if key in ("const", "enum", "default", "examples") else self.spread(child, place, levels))
                for key, child in raw.items()
            }
        if levels == 0:
            return Named(called(target))
        return self.spread(target.raw, target, levels - 1)

    def text(self, schema: Any) -> str:
        return shortened(self.raw(schema))

    def text_of_words(self, words: dict[str, Any]) -> str:
        return shortened(self.raw_words(words))

    # --- sentences ---

    def bounds(self, words: dict, integer: bool) -> list[tuple[str, str, str]]:
        """(slot, keyword, sentence) for the bounds of a number; empty sentences are listed only."""
        said = []
        low, high = words.get("minimum"), words.get("maximum")
        far_low = low is not None and integer and low <= -LIMIT
        far_high = high is not None and integer and high >= LIMIT
        if low is not None and high is not None and not far_low and not far_high:
            text = f"Accepted range: {compact(low)} to {compact(high)}."
            said.append(("bounds", "minimum", text))
            said.append(("bounds", "maximum", text))
        else:
            if low is not None:
                said.append(("bounds", "minimum", "" if far_low else f"Minimum: {compact(low)}."))
            if high is not None:
                said.append(("bounds", "maximum", "" if far_high else f"Maximum: {compact(high)}."))
        low, high = words.get("exclusiveMinimum"), words.get("exclusiveMaximum")
        if low is not None:
            far = integer and low <= -LIMIT
            said.append(
                ("exclusiveMinimum", "exclusiveMinimum", "" if far else f"Must be greater than {compact(low)}.")
            )
        if high is not None:
            far = integer and high >= LIMIT
            said.append(("exclusiveMaximum", "exclusiveMaximum", "" if far else f"Must be less than {compact(high)}."))
        if "multipleOf" in words:
            said.append(("multipleOf", "multipleOf", f"Must be a multiple of {compact(words['multipleOf'])}."))
        return said

    def sentences(self, words: dict[str, Any], integer: bool, wire: Any, optional_null: bool) -> list[tuple]:
        """(slot, keyword, sentence) for each of these words. ``wire`` spells a name as the caller must."""
        said = self.bounds(words, integer)

        def say(slot: str, keyword: str, text: str | None) -> None:
            if text is not None:
                said.append((slot, keyword, text))

        def each(slot: str, low: str, high: str, text: str | None) -> None:
            for keyword in (low, high):
                if keyword in words and not (keyword == low and words[low] == 0):
                    say(slot, keyword, text)

        each("length", "minLength", "maxLength", self.length(words))
        if "pattern" in words:
            say("pattern", "pattern", f"Must match the pattern {words['pattern']}.")
        if "format" in words:
            value = words["format"]
            say("format", "format", f"Must be {FORMATS[value]}." if value in FORMATS else f"Format: {value}.")
        each("items", "minItems", "maxItems", counted(words, "minItems", "maxItems", "item", "items"))
        if words.get("uniqueItems") is True:
            say("uniqueItems", "uniqueItems", "Items must be unique.")
        if "prefixItems" in words:
            listed = ", ".join(self.phrase(position) for position in words["prefixItems"])
            say("tuple", "prefixItems", f"Items in order: {listed}.")
        say("contains", "contains", self.contains(words))
        for keyword in ("additionalProperties", "unevaluatedProperties"):
            if keyword in words:
                say("others", keyword, self.others(words[keyword]))
        each(
            "properties",
            "minProperties",
            "maxProperties",
            counted(words, "minProperties", "maxProperties", "property", "properties"),
        )
        if "propertyNames" in words:
            say("propertyNames", "propertyNames", self.property_names(words["propertyNames"]))
        for pattern, schema in words.get("patternProperties", {}).items():
            say(
                "patternProperties",
                "patternProperties",
                f"Properties matching {pattern}: each value is {self.phrase(schema)}.",
            )
        for name, names in words.get("dependentRequired", {}).items():
            if names:
                listed = ", ".join(wire(one) for one in names)
                say("dependentRequired", "dependentRequired", f"{wire(name)} requires {listed}.")
        for name, schema in words.get("dependentSchemas", {}).items():
            if not self.adds_nothing(schema):
                say("dependentSchemas", "dependentSchemas", f"When {wire(name)} is given: {self.text(schema)}.")
        if "const" in words:
            say("const", "const", f"Must be {compact(words['const'])}.")
        if "enum" in words:
            say("enum", "enum", self.one_of(words["enum"]))
        if "default" in words and not (words["default"] is None and optional_null):
            say("default", "default", f"Default: {compact(words['default'])}.")
        if words.get("examples"):
            say("examples", "examples", f"Examples: {', '.join(compact(one) for one in words['examples'][:3])}.")
        if words.get("deprecated") is True:
            say("deprecated", "deprecated", "Deprecated.")
        if isinstance(words.get("contentEncoding"), str):
            say("contentEncoding", "contentEncoding", f"Encoded as {words['contentEncoding']}.")
        if "not" in words and not (isinstance(words["not"], Place) and words["not"].raw is False):
            say("not", "not", f"Must not match: {self.text(words['not'])}.")
        say("if", "if", self.condition(words))
        return said

    def length(self, words: dict) -> str | None:
        least, most = words.get("minLength"), words.get("maxLength")
        if least == 0:
            least = None
        if least is not None and most is not None:
            return f"Length: {int(least)} to {int(most)} characters."
        return counted(words, "minLength", "maxLength", "character", "characters")

    def contains(self, words: dict) -> str | None:
        if "contains" not in words:
            return None
        least, most = words.get("minContains"), words.get("maxContains")
        phrase = self.phrase(words["contains"])
        if least in (None, 1) and most is None:
            return f"At least one item must be {phrase}."
        least = 1 if least is None else least
        if most is None:
            return None if least == 0 else f"At least {plural(least, 'item', 'items')} must be {phrase}."
        if not least:
            return f"At most {plural(most, 'item', 'items')} must be {phrase}."
        return f"{int(least)} to {int(most)} items must be {phrase}."

    def others(self, schema: Any) -> str | None:
        if self.adds_nothing(schema):
            return None
        if isinstance(schema, Place) and schema.raw is False:
            return "No other properties are accepted."
        return f"Other properties: each value is {self.phrase(schema)}."

    def property_names(self, schema: Any) -> str | None:
        if self.is_any(schema):
            return None
        if isinstance(schema, Place) and isinstance(schema.raw, dict):
            asserted = {word: value for word, value in read(schema).items() if word in NOT_ANY}
            if asserted == {"type": "string"}:
                return None
            if asserted.get("type") == "string":
                del asserted["type"]
            if list(asserted) == ["pattern"]:
                return f"Property names must match {asserted['pattern']}."
        return f"Property names must match {self.text(schema)}."

    def one_of(self, values: list) -> str:
        listed = ", ".join(compact(value) for value in values)
        if len(listed) <= 1000:
            return f"One of: {listed}."
        kept: list[str] = []
        for value in values:
            longer = [*kept, compact(value)]
            if len(", ".join(longer)) > 1000:
                break
            kept = longer
        return f"One of: {', '.join(kept)} and {len(values) - len(kept)} more."

    def condition(self, words: dict) -> str | None:
        if "if" not in words or not ("then" in words or "else" in words):
            return None
        text = f"If {self.text(words['if'])}"
        for word in ("then", "else"):
            if word in words:
                text += f" {word} {self.text(words[word])}"
        return text + "."


class Made:
    """A schema that the walk made: words whose sub-schemas are places or other made ones."""

    def __init__(self, words: dict[str, Any], path: str) -> None:
        self.words = words
        self.path = path


class Gathered:
    """A schema that was gathered already: a node, or a boolean."""

    def __init__(self, node: Any) -> None:
        self.node = node

    @property
    def made(self) -> Any:
        return Made({}, "") if isinstance(self.node, bool) else Made(self.node.words, self.node.path)


def constants_of(words: dict[str, Any]) -> list[Any] | None:
    if "const" in words:
        return [words["const"]]
    return words.get("enum")


def admits_type(types: list[str], one: str) -> bool:
    return one in types or (one == "integer" and "number" in types)


def cut_phrase(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."


#: Words that are said in a sentence of their own (all other assertions: ``Must also match``).
SAID = frozenset(
    (
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
        "prefixItems",
        "contains",
        "minContains",
        "maxContains",
        "additionalProperties",
        "unevaluatedProperties",
        "minProperties",
        "maxProperties",
        "propertyNames",
        "patternProperties",
        "dependentRequired",
        "dependentSchemas",
        "const",
        "enum",
        "not",
        "if",
        "then",
        "else",
    )
)

__all__ = ["SAID", "Made", "Sentence", "Wording", "append", "canon", "compact", "equal", "is_root", "json_type"]
