"""Merging the words of two schemas that must both match."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.twin.reading import ASSERTIONS, ONE_SCHEMA, REFERENCES, SCHEMA_LISTS, SCHEMA_MAPS, Joined, Place
from tests.twin.words import Gathered, Made, Sentence, canon, constants_of, equal

MOST_BRANCHES = 16

GROUPS = {
    "enum": "constants",
    "const": "constants",
    "properties": "closure",
    "patternProperties": "closure",
    "additionalProperties": "closure",
    "items": "items",
    "prefixItems": "items",
    "contains": "contains",
    "minContains": "contains",
    "maxContains": "contains",
    "if": "if",
    "then": "if",
    "else": "if",
}
CLOSURE = ("properties", "patternProperties", "additionalProperties", "unevaluatedProperties")
ARRAY = ("items", "prefixItems", "contains", "minContains", "maxContains", "unevaluatedItems")


@dataclass(eq=False)
class Node:
    """A schema object with its references and what must be merged resolved: what the walk spells."""

    words: dict[str, Any]
    path: str
    origin: dict[str, str] = field(default_factory=dict)
    leftovers: list[tuple[dict[str, Any], str]] = field(default_factory=list)  # words, path
    notes: list[Sentence] = field(default_factory=list)
    reference: Place | None = None
    instead: Node | None = None  # the cut that stands for a kept reference where more must be merged with it
    cut: bool = False
    nullable: bool = False
    added: frozenset = frozenset()  # words that flattening added: they come last
    nullable_last: bool = False  # it was given from outside: by a union, or by NAME_or_null
    after_nullable: tuple = ()  # the author's words after ``nullable``

    def copy(self) -> Node:
        return Node(
            dict(self.words),
            self.path,
            dict(self.origin),
            list(self.leftovers),
            list(self.notes),
            self.reference,
            self.instead,
            self.cut,
            self.nullable,
            self.added,
            self.nullable_last,
            self.after_nullable,
        )

    def where(self, word: str) -> str:
        return self.origin.get(word, self.path)

    def without(self, *words: str) -> Node:
        node = self.copy()
        for word in words:
            node.words.pop(word, None)
        return node


def path_of(schema: Any) -> str:
    if isinstance(schema, Joined):
        return path_of(schema.parts[0])
    if isinstance(schema, Gathered):
        return schema.node.path if isinstance(schema.node, Node) else ""
    return schema.path


# --- both ------------------------------------------------------------------------------------------------------


def adds_nothing(schema: Any) -> bool:
    return isinstance(schema, Place) and (schema.raw is True or schema.raw == {})


def both(*schemas: Any) -> Any:
    parts = [part for schema in schemas for part in (schema.parts if isinstance(schema, Joined) else [schema])]
    asserting: list = []
    for part in parts:
        if not adds_nothing(part) and not any(same(part, other) for other in asserting):
            asserting.append(part)
    if not asserting:
        return parts[0]
    return asserting[0] if len(asserting) == 1 else Joined(asserting)


def same(a: Any, b: Any) -> bool:
    if isinstance(a, Place) and isinstance(b, Place) and a.resource is not b.resource:
        return False
    return not isinstance(a, bool) and alike(a, b)


def likeness(value: Any) -> Any:
    """A hashable stand-in for words with schemas in them, for JSON equality."""
    if isinstance(value, Joined):
        return ("both", tuple(likeness(part) for part in value.parts))
    if isinstance(value, Made):
        return likeness(value.words)
    if isinstance(value, Gathered):
        return ("gathered", id(value))
    if isinstance(value, Place):
        return canon(value.raw)
    if isinstance(value, dict):
        return ("object", frozenset((key, likeness(child)) for key, child in value.items()))
    if isinstance(value, list):
        return ("array", tuple(likeness(child) for child in value))
    return canon(value)


def alike(a: Any, b: Any) -> bool:
    return likeness(a) == likeness(b)


def distinct(schemas: list) -> list:
    seen: list = []
    for schema in schemas:
        if not any(alike(schema, other) for other in seen):
            seen.append(schema)
    return seen


# --- nodes -----------------------------------------------------------------------------------------------------


def merge(first: Any, second: Any, own: str = "neither", second_annotates: bool = False) -> tuple[Any, bool]:
    """Two gathered schemas in one; False when that is not exact. ``own`` is the one that is the node itself."""
    if first is False or second is False:
        return False, True
    if first is True:
        return (second.copy() if isinstance(second, Node) else second), True
    if second is True:
        return first.copy(), True
    if first.reference is not None or second.reference is not None:
        first, second = cut_beside(first, second), cut_beside(second, first)
        if first.reference is not None or second.reference is not None:
            return merge_kept(first, second), True
    merger = Merger(first, second, own, second_annotates)
    return merger.run(), merger.exact


def cut_beside(node: Node, other: Node) -> Node:
    """A kept reference becomes a cut beside another part that constrains."""
    if node.instead is None or not any(word in ASSERTIONS for word in other.words):
        return node
    result = node.instead.copy()
    result.words.update({word: value for word, value in node.words.items() if word not in ASSERTIONS})
    result.leftovers = [*node.leftovers, *result.leftovers]
    result.notes = [*node.notes, *result.notes]
    return result


def merge_kept(first: Node, second: Node) -> Node:
    """One of them is a reference that is kept: the assertions of the other are said."""
    kept = first if first.reference is not None else second
    node = kept.copy()
    node.path, node.words = first.path, {}
    node.leftovers = [*first.leftovers, *second.leftovers]
    node.notes = [*first.notes, *second.notes]
    for one in (first, second):
        beside = {word: value for word, value in one.words.items() if one is not kept and word in ASSERTIONS}
        if beside:
            node.leftovers.append((beside, one.where(next(iter(beside)))))
        for word, value in one.words.items():
            if word in beside:
                continue
            if word not in node.words:
                node.words[word] = value
                node.origin[word] = one.where(word)
    return node


class Merger:
    def __init__(self, first: Node, second: Node, own: str, second_annotates: bool) -> None:
        self.first, self.second, self.own = first, second, own
        self.second_annotates = second_annotates
        self.a, self.b = first.words, second.words
        self.out: dict[str, Any] = dict(first.words)
        self.left: list[tuple[dict[str, Any], str]] = []
        self.exact = True

    def run(self) -> Node:
        done = set()
        for word in self.b:
            group = GROUPS.get(word, word)
            if group not in done:
                done.add(group)
                self.merge_group(word, group)
        node = self.first.copy()
        node.words = self.ordered()
        node.leftovers = [*self.first.leftovers, *self.left, *self.second.leftovers]
        node.notes = [*self.first.notes, *self.second.notes]
        node.cut = self.first.cut or self.second.cut
        node.nullable = self.first.nullable and self.second.nullable
        node.added = self.first.added | self.second.added
        for word in self.b:
            if self.out.get(word) is self.b[word] or word not in self.a:
                node.origin[word] = self.second.where(word)
        return node

    def ordered(self) -> dict[str, Any]:
        """The first one's words in its order, then the second one's in its."""
        order = []
        for word in self.a:
            if word in ("enum", "const") and word not in self.out:
                word = "const" if "const" in self.out else "enum"
            order.append(word)
        order.extend(self.b)
        return {word: self.out[word] for word in dict.fromkeys([*order, *self.out]) if word in self.out}

    def leave(self, words: dict[str, Any]) -> None:
        self.exact = False
        self.left.append((words, self.second.where(next(iter(words)))))

    def merge_group(self, word: str, group: str) -> None:
        if word not in ASSERTIONS:
            if word not in self.a or self.second_annotates:
                self.out[word] = self.b[word]
        elif group == "constants":
            self.merge_constants()
        elif group == "closure":
            self.merge_closure()
        elif group == "items":
            self.merge_items()
        elif group in ("contains", "if"):
            self.merge_equal_group(group)
        elif word in ("unevaluatedProperties", "unevaluatedItems"):
            self.merge_unevaluated(word)
        elif word not in self.a:
            self.out[word] = self.b[word]
        else:
            merged = self.merge_word(word, self.a[word], self.b[word])
            if merged is None:
                self.leave({word: self.b[word]})
            else:
                self.out[word] = merged
        if word in self.a and word.startswith("unevaluated"):
            return
        self.check_unevaluated(group)

    def check_unevaluated(self, group: str) -> None:
        """The first one's ``unevaluated*``, when it is a target's or a branch's: exact only beside nothing."""
        if self.own == "first":
            return
        for word, others in (("unevaluatedProperties", CLOSURE), ("unevaluatedItems", ARRAY)):
            concerns = group in {GROUPS.get(one, one) for one in others}
            if concerns and word in self.a and word in self.out and word not in self.b:
                self.exact = False
                self.left.append(({word: self.out.pop(word)}, self.first.where(word)))

    def merge_unevaluated(self, word: str) -> None:
        others = CLOSURE if word == "unevaluatedProperties" else ARRAY
        if word in self.a:
            if not alike(self.a[word], self.b[word]):
                self.leave({word: self.b[word]})
        elif self.own == "second" or not any(other in self.a for other in others):
            self.out[word] = self.b[word]
        else:
            self.leave({word: self.b[word]})

    def merge_word(self, word: str, a: Any, b: Any) -> Any:
        """The merged value, or None when there is no exact one."""
        if word == "type":
            return merge_types(a, b)
        if word in ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"):
            return b if b > a else a
        if word in ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"):
            return b if b < a else a
        if word == "multipleOf":
            return merge_multiples(a, b)
        if word in ("pattern", "format"):
            return a if a == b else None
        if word == "uniqueItems":
            return a or b
        if word == "required":
            return list(dict.fromkeys([*a, *b]))
        if word == "propertyNames":
            return both(a, b)
        if word == "dependentRequired":
            merged = dict(a)
            for name, names in b.items():
                merged[name] = list(dict.fromkeys([*merged.get(name, []), *names]))
            return merged
        if word == "dependentSchemas":
            return {**a, **{name: both(a[name], schema) if name in a else schema for name, schema in b.items()}}
        if word == "anyOf" and not alike(a, b):
            if len(a) * len(b) > MOST_BRANCHES:
                return None
            return [both(one, other) for one in a for other in b]
        return a if alike(a, b) else None

    def merge_constants(self) -> None:
        a, b = side_constants(self.a), side_constants(self.b)
        theirs = {word: self.b[word] for word in ("enum", "const") if word in self.b}
        if a is None:
            self.out.update(theirs)
            return
        common = [value for value in a if any(equal(value, other) for other in b or [])]
        if not common:
            self.leave(theirs)
            return
        is_const = "const" in self.a or "const" in self.b
        for word in ("enum", "const"):
            self.out.pop(word, None)
        self.out["const" if is_const else "enum"] = common[0] if is_const else common

    def merge_equal_group(self, group: str) -> None:
        words = [word for word, name in GROUPS.items() if name == group]
        ours = {word: self.a[word] for word in words if word in self.a}
        theirs = {word: self.b[word] for word in words if word in self.b}
        if not ours:
            self.out.update(theirs)
        elif not alike(ours, theirs):
            self.leave({word: value for word, value in self.b.items() if word in theirs})

    def merge_items(self) -> None:
        a_positions, b_positions = self.a.get("prefixItems", []), self.b.get("prefixItems", [])
        a_rest, b_rest = self.a.get("items"), self.b.get("items")
        positions = []
        for index in range(max(len(a_positions), len(b_positions))):
            ours = a_positions[index] if index < len(a_positions) else a_rest
            theirs = b_positions[index] if index < len(b_positions) else b_rest
            positions.append(either(ours, theirs))
        rest = either(a_rest, b_rest)
        if positions:
            self.out["prefixItems"] = positions
        if rest is not None:
            self.out["items"] = rest

    def merge_closure(self) -> None:
        a_names, b_names = self.a.get("properties", {}), self.b.get("properties", {})
        a_patterns, b_patterns = self.a.get("patternProperties"), self.b.get("patternProperties")
        a_others, b_others = self.a.get("additionalProperties"), self.b.get("additionalProperties")
        theirs = {
            word: value for word, value in self.b.items() if word in ("patternProperties", "additionalProperties")
        }
        only_our_patterns = a_patterns and not b_patterns and b_others is not None
        only_their_patterns = b_patterns and not a_patterns and a_others is not None
        different = a_patterns and b_patterns and set(a_patterns) != set(b_patterns)
        crossed = different and (a_others is not None or b_others is not None)
        unknown = not (compiles(b_patterns, a_names) and compiles(a_patterns, b_names))
        if theirs and (only_our_patterns or only_their_patterns or crossed or unknown):
            self.leave(theirs)
            b_patterns, b_others = None, None
        elif unknown:
            self.exact = False
        names = {}
        for name, schema in a_names.items():
            if name in b_names:
                names[name] = both(schema, b_names[name])
            else:
                names[name] = also(schema, name, b_patterns, b_others)
        for name, schema in b_names.items():
            if name not in a_names:
                names[name] = also(schema, name, a_patterns, a_others)
        if "properties" in self.a or "properties" in self.b:
            self.out["properties"] = names
        if b_patterns is not None:
            merged = dict(a_patterns or {})
            for pattern, schema in b_patterns.items():
                merged[pattern] = both(merged[pattern], schema) if pattern in merged else schema
            self.out["patternProperties"] = merged
        if b_others is not None:
            self.out["additionalProperties"] = b_others if a_others is None else both_or_false(a_others, b_others)


def both_or_false(a: Any, b: Any) -> Any:
    for one in (a, b):
        if isinstance(one, Place) and one.raw is False:
            return one
    return both(a, b)


def either(a: Any, b: Any) -> Any:
    if a is None:
        return b
    return a if b is None else both_or_false(a, b)


def compiles(patterns: dict | None, names: dict) -> bool:
    if not patterns or not names:
        return True
    for pattern in patterns:
        try:
            re.compile(pattern)
        except (re.error, OverflowError, RecursionError):
            return False
    return True


def matches(pattern: str, name: str) -> bool:
    try:
        return re.search(pattern, name) is not None
    except (re.error, OverflowError, RecursionError):
        return False


def also(schema: Any, name: str, patterns: dict | None, others: Any) -> Any:
    """A property of one side, and what the other side asks of a property of this name."""
    matching = [value for pattern, value in (patterns or {}).items() if matches(pattern, name)]
    if matching:
        return both(schema, *matching)
    if others is None or (isinstance(others, Place) and isinstance(others.raw, dict) and only_annotates(others.raw)):
        return schema
    return both_or_false(schema, others)


def only_annotates(raw: dict) -> bool:
    return not any(word in ASSERTIONS for word in raw)


def side_constants(words: dict[str, Any]) -> list[Any] | None:
    if "const" in words and "enum" in words:
        return [words["const"]] if any(equal(words["const"], value) for value in words["enum"]) else []
    return constants_of(words)


def merge_types(a: Any, b: Any) -> Any:
    ours = [a] if isinstance(a, str) else a
    theirs = [b] if isinstance(b, str) else b
    common = []
    for one in ours:
        if one in theirs or (one == "integer" and "number" in theirs):
            common.append(one)
        elif one == "number" and "integer" in theirs:
            common.append("integer")
    common = list(dict.fromkeys(common))
    if not common:
        return None
    return common[0] if len(common) == 1 else common


def merge_multiples(a: Any, b: Any) -> Any:
    one, other = Fraction(str(a)), Fraction(str(b))
    if one == 0 or other == 0:
        return a if one == other else None
    if one % other == 0:
        return a
    if other % one == 0:
        return b
    if isinstance(a, int) and isinstance(b, int):
        return math.lcm(a, b)
    return None


def fold(nodes: list, own_first: bool) -> tuple[Any, bool]:
    """All of them in one, in order."""
    result, exact = nodes[0], True
    for index, node in enumerate(nodes[1:]):
        result, here = merge(result, node, "first" if own_first and index >= 0 else "neither")
        exact = exact and here
    return result, exact


__all__ = [
    "ONE_SCHEMA",
    "REFERENCES",
    "SCHEMA_LISTS",
    "SCHEMA_MAPS",
    "Gathered",
    "Node",
    "both",
    "distinct",
    "fold",
    "merge",
    "path_of",
]
