"""Schemas made up by Hypothesis: every keyword of the page, alone and in company, in the shapes that people write.

``documents()`` gives whole documents: a root, definitions that refer to one another (and to themselves, to the root,
to anchors and to places inside other schemas), and every construct of ``docs/spelling.md``. Which keywords meet in a
node is mostly what an author would write; one node in a dozen is a heap of keywords that nobody would.
"""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

NAMES = ("a", "b", "c", "id", "kind", "value", "items", "name")
#: Names that are keywords, or that a dialect must rename, or that want escaping in a pointer.
ODD_NAMES = ("type", "$ref", "properties", "default", "x-y", "title", "国家", "a/b", "m~n", "%41", "two words", "$defs")
TEXTS = ("A", "What it is.", "Ends with a bracket (yes).", "国家。", "Trailing blanks  ", "", "x" * 90)
TITLES = (
    "T",
    "Point",
    "",
    "国",
    "A title that goes on and on, far beyond the eighty characters a phrase may take",
)
WORDS = ("red", "green", "", "x", "plate")
NUMBERS = (0, 1, 2, 3, -1, 1.5, 2.0, 10, 1e16, -(2**53) + 1, 2**53, 2**31 - 1, 0.1)
COUNTS = (0, 1, 2, 3, 5, 2.0)
FORMATS = ("date", "date-time", "email", "uuid", "uri", "int32", "slug", "ipv4", "byte")
PATTERNS = ("^a+$", "^x", "\\d{2}", "(?=a)b", "\\bword\\b", "(a)\\1", "^\\p{L}+$", "[")
NAME_PATTERNS = ("^x", "^a", ".", "^[a-z]+$")
TYPES = ("string", "integer", "number", "boolean", "object", "array", "null")
DEFINITIONS = ("Node", "Item", "Point", "Odd name", "国家", "a/b", "type")


class Maker:
    """Makes one document out of the choices of a ``Random``."""

    def __init__(self, random: Random, definitions: list[str], heaps: bool) -> None:
        self.random = random
        self.heaps = heaps
        self.definitions = definitions

    def one_in(self, count: int) -> bool:
        return self.random.randrange(count) == count - 1

    def pick(self, values: Any) -> Any:
        return values[self.random.randrange(len(values))]

    def some(self, values: Any, most: int, least: int = 0) -> list[Any]:
        """Distinct values in an order of their own."""
        left = list(values)
        wanted = min(least + self.random.randrange(most - least + 1), len(left))
        return [left.pop(self.random.randrange(len(left))) for _ in range(wanted)]

    # --- values ---

    def scalar(self) -> Any:
        return self.pick((*WORDS, *NUMBERS, True, False, None))

    def data(self) -> Any:
        if self.one_in(6):
            return self.pick(([], [1, "a"], {}, {"$ref": "#/nowhere"}, {"a": {"type": "string"}}, [None]))
        return self.scalar()

    def name(self) -> str:
        return self.pick(ODD_NAMES) if self.one_in(8) else self.pick(NAMES)

    def names(self, most: int, least: int = 0) -> list[str]:
        return list(dict.fromkeys(self.name() for _ in range(least + self.random.randrange(most - least + 1))))

    def values(self) -> list[Any]:
        kind = self.random.randrange(5)
        if kind == 0:
            values = [self.scalar() for _ in range(1 + self.random.randrange(4))]
        elif kind == 1:
            values = [self.pick((1, 2, 3, 1.5, 2.0)) for _ in range(1 + self.random.randrange(3))]
        elif kind == 2:
            values = [*self.some(("red", "green", "x"), 3, 1), None]
        elif kind == 3 and self.one_in(6):
            values = [self.data() for _ in range(1 + self.random.randrange(2))]
        else:
            values = self.some(("red", "green", "x", "plate"), 3, 1)
        # one number in two spellings (2, 2.0): in no schema seen
        whole = {value for value in values if type(value) is int}
        return [value for value in values if not (type(value) is float and value in whole)]

    # --- nodes ---

    def schema(self, depth: int) -> Any:
        if self.one_in(14):
            return self.pick((True, {}, {"not": {}}, False, {"description": "Anything."}))
        node = self.node(depth)
        self.annotate(node)
        if self.one_in(4):
            node = {word: node[word] for word in self.some(node, len(node), len(node))}
        return node

    def node(self, depth: int) -> dict[str, Any]:
        if depth <= 0:
            return self.leaf()
        makers = (
            *(self.leaf,) * 5,
            *(self.object,) * 6,
            *(self.array,) * 3,
            *(self.union,) * 4,
            *(self.reference,) * 5,
            *(self.conjunction,) * 2,
            self.map,
            self.tuple,
            self.type_list,
            self.conditional,
            *((self.heap,) if self.heaps else ()),
        )
        return self.pick(makers)(depth)

    def annotate(self, node: dict[str, Any]) -> None:
        if self.one_in(3):
            node["description"] = self.pick(TEXTS)
        if self.one_in(6):
            node["title"] = self.pick(TITLES)
        if self.one_in(8):
            node["default"] = None if self.one_in(2) else self.data()
        if self.one_in(16):
            word, value = self.pick(
                (
                    ("examples", [1, "a", None, [2]]),
                    ("example", "x"),
                    ("deprecated", True),
                    ("readOnly", True),
                    ("contentEncoding", "base64"),
                    ("$comment", "note"),
                    ("x-note", {"$ref": "#/nowhere"}),
                    ("discriminator", {"propertyName": "kind"}),
                    ("x-mcp-header", "H"),
                    ("title", 5),
                )
            )
            # a title that is no title, beside what brings another one: in no schema seen
            if not (value == 5 and {"$ref", "allOf", "anyOf", "oneOf"} & set(node)):
                node[word] = value
        if self.one_in(12) and "const" not in node:  # a constant that may be null too: in no schema seen
            node["nullable"] = not self.one_in(4)

    def leaf(self, depth: int = 0) -> dict[str, Any]:
        kind = self.random.randrange(9)
        if kind == 0:
            # (null is no type of an enum in any schema seen)
            return {"enum": self.values(), **({"type": self.pick(TYPES[:-1])} if self.one_in(4) else {})}
        if kind == 1:
            return {"const": self.data()}
        if kind in (2, 3):
            return {"type": self.pick(("integer", "number")), **self.bounds()}
        if kind in (4, 5, 6):
            return {"type": "string", **self.lengths()}
        if kind == 7:
            return {**(self.lengths() if self.one_in(2) else self.bounds())}
        return {"type": self.pick(TYPES)}

    def bounds(self) -> dict[str, Any]:
        node: dict[str, Any] = {}
        for word in self.some(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), 2):
            node[word] = self.pick(NUMBERS)
        if self.one_in(5):
            node["multipleOf"] = self.pick((1, 2, 5, 0.5))
        if self.one_in(10) and "minimum" in node:
            node["exclusiveMinimum"] = self.one_in(2)
        return node

    def lengths(self) -> dict[str, Any]:
        node: dict[str, Any] = {}
        for word in self.some(("minLength", "maxLength", "pattern", "format"), 2):
            node[word] = self.pick({"pattern": PATTERNS, "format": FORMATS}.get(word, COUNTS))
        return node

    def object(self, depth: int) -> dict[str, Any]:
        node: dict[str, Any] = {}
        if not self.one_in(4):
            node["type"] = "object"
        node["properties"] = {name: self.schema(depth - 1) for name in self.names(3)}
        if self.one_in(2):
            node["required"] = self.required(node["properties"])
        if self.one_in(3):
            node["additionalProperties"] = self.others(depth)
        if self.one_in(8):
            # false, where a name of the pattern may be required: in no schema seen
            node["patternProperties"] = {self.pick(NAME_PATTERNS): self.schema(depth - 1) or {}}
        if self.one_in(8):
            node[self.pick(("minProperties", "maxProperties"))] = self.pick(COUNTS)
        if self.one_in(12):
            node["propertyNames"] = self.property_names()
        if self.one_in(12):
            node["dependentRequired"] = {self.name(): self.names(2)}
        if self.one_in(16):
            node["dependencies"] = {"a": ["b"], "kind": self.schema(depth - 1)}
        if self.one_in(8):
            node["anyOf"] = [{"required": [name]} for name in self.names(3, 1)]
        return node

    def required(self, properties: dict[str, Any]) -> list[str]:
        names = self.some(properties, 3)
        if self.one_in(5):
            names.append(self.name())
        if names and self.one_in(8):
            names.append(names[0])
        return names

    def others(self, depth: int) -> Any:
        others = self.pick((False, False, True, {})) if self.one_in(2) else self.schema(depth - 1)
        return False if others == {"not": {}} else others

    def property_names(self) -> Any:
        return self.pick(
            (
                {"pattern": "^x"},
                {"type": "string"},
                {"enum": ["a", "b"]},
                {"type": "string", "minLength": 2},
                {"pattern": "^a", "maxLength": 3},
                {"format": "uuid"},
                True,
                False,
            )
        )

    def map(self, depth: int) -> dict[str, Any]:
        node: dict[str, Any] = {"type": "object"}
        word = self.pick(("additionalProperties", "additionalProperties", "patternProperties"))
        value = self.schema(depth - 1)
        node[word] = {self.pick(NAME_PATTERNS): value} if word == "patternProperties" else value
        if self.one_in(3):
            node["propertyNames"] = self.property_names()
        if self.one_in(4):
            node["minProperties"] = self.pick(COUNTS)
        return node

    def array(self, depth: int) -> dict[str, Any]:
        node: dict[str, Any] = {"type": "array"}
        if not self.one_in(5):
            items = self.schema(depth - 1)
            node["items"] = False if items == {"not": {}} else items  # no author writes that for no items
        for word in self.some(("minItems", "maxItems"), 2):
            node[word] = self.pick(COUNTS)
        if self.one_in(5):
            node["uniqueItems"] = not self.one_in(3)
        if self.one_in(8):
            node["contains"] = self.schema(depth - 1)
            for word in self.some(("minContains", "maxContains"), 2):
                node[word] = self.pick(COUNTS)
        if self.one_in(20):
            node["unevaluatedItems"] = self.others(depth)
        return node

    def tuple(self, depth: int) -> dict[str, Any]:
        is_old = self.one_in(3)
        positions = [self.schema(depth - 1) for _ in range(1 + self.random.randrange(3))]
        node: dict[str, Any] = {"type": "array", ("items" if is_old else "prefixItems"): positions}
        if self.one_in(2):
            node["additionalItems" if is_old else "items"] = self.others(depth)
        for word in self.some(("minItems", "maxItems"), 1):
            node[word] = self.pick(COUNTS)
        return node

    def union(self, depth: int) -> dict[str, Any]:
        word = self.pick(("anyOf", "oneOf"))
        kind = self.random.randrange(5)
        if kind == 0:
            branches: list[Any] = [self.schema(depth - 1), {"type": "null"}]
        elif kind == 1:
            branches = [
                {
                    "type": "object",
                    "properties": {"kind": {"const": value}, self.name(): self.schema(depth - 1)},
                    "required": ["kind"],
                }
                for value in self.some(("red", "green", "plate"), 3, 1)
            ]
        else:
            branches = [self.schema(depth - 1) for _ in range(1 + self.random.randrange(3))]
        node: dict[str, Any] = {word: branches}
        if kind == 1 and self.one_in(3):
            node.update(self.object(0))
        if self.heaps and self.one_in(8):
            node["type"] = self.pick(TYPES)
        if self.heaps and self.one_in(16):
            node["oneOf" if word == "anyOf" else "anyOf"] = [self.schema(0), self.schema(0)]
        return node

    def objects(self, depth: int) -> dict[str, Any]:
        """Alternatives that are objects."""
        return {self.pick(("anyOf", "oneOf")): [self.object(depth - 1) for _ in range(1 + self.random.randrange(3))]}

    def conjunction(self, depth: int) -> dict[str, Any]:
        node: dict[str, Any] = {}
        if self.one_in(3):
            node.update(self.object(depth - 1))
        # (nobody writes false into an allOf)
        branches = [self.schema(depth - 1) or {} for _ in range(1 + self.random.randrange(2))]
        branches = [{} if branch == {"not": {}} else branch for branch in branches]
        if self.definitions and self.one_in(2):
            branches.insert(0, self.reference(0))
        node["allOf"] = branches
        return node

    def reference(self, depth: int = 0) -> dict[str, Any]:
        if not self.definitions:
            return self.leaf()
        pointer = self.pick(self.definitions)
        node: dict[str, Any] = {"$ref": "#" if self.one_in(12) else pointer}
        if self.one_in(8):
            node.update(self.object(0))
        return node

    def type_list(self, depth: int) -> dict[str, Any]:
        node: dict[str, Any] = {"type": self.some(TYPES, 3, 1)}
        if node["type"] == ["null"]:
            node["type"] = ["string", "null"]
        if self.one_in(2):
            node.update(self.lengths())
        if self.one_in(3):
            node.update(self.bounds())
        if "object" in node["type"] and self.one_in(2):
            node.update({key: value for key, value in self.object(depth - 1).items() if key != "type"})
        if "array" in node["type"] and self.one_in(2):
            node["items"] = self.schema(depth - 1)
        if self.one_in(6):
            node["enum"] = self.values()
        return node

    def conditional(self, depth: int) -> dict[str, Any]:
        node = self.object(depth - 1)
        kind = self.random.randrange(4)
        if kind == 0:
            node["not"] = self.schema(depth - 1)
        elif kind == 1:
            node["dependentSchemas"] = {self.name(): self.object(depth - 1)}
        else:
            node["if"] = {"properties": {"kind": {"const": "red"}}}
            for word in self.some(("then", "else"), 2):
                node[word] = self.object(depth - 1)
        return node

    def heap(self, depth: int) -> dict[str, Any]:
        """Keywords that have nothing to do with one another."""
        node: dict[str, Any] = {}
        makers = (self.leaf, self.object, self.array, self.union, self.map, self.conditional, self.conjunction)
        for make in self.some(makers, 2, 2):
            node.update(make(depth - 1))
        return node


def make_document(random: Random, heaps: bool = True) -> dict[str, Any]:
    maker = Maker(random, [], heaps)
    names = maker.some(DEFINITIONS, 3)
    word = "definitions" if maker.one_in(4) else "$defs"
    maker.definitions = [f"#/{word}/{escaped(name)}" for name in names]
    definitions = {name: maker.schema(2) for name in names}
    for name, definition in definitions.items():
        if not isinstance(definition, dict) or says_little(definition, f"#/{word}/{escaped(name)}"):
            definitions[name] = maker.object(2)
    if definitions and maker.one_in(6):
        definitions[names[0]]["$anchor"] = "here"
        maker.definitions.append("#here")
    roots = (*(maker.object,) * 8, maker.map, maker.conditional, maker.objects, *((maker.heap,) if heaps else ()))
    root = maker.pick(roots)(3)
    if root.get("type", "object") != "object":
        root["type"] = "object"  # a heap; roots of other types have cases and goldens
    if "anyOf" in root and "oneOf" in root:
        del root["anyOf"]  # a heap; no root seen has both
    maker.annotate(root)
    if maker.one_in(12):
        root["unevaluatedProperties"] = maker.pick((False, {"type": "string"}))
    if definitions:
        root[word] = definitions
    if maker.one_in(10):
        root["$schema"] = maker.pick(
            ("https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#")
        )
    return root


def says_little(definition: dict[str, Any], own: str) -> bool:
    """A definition that is a reference, or nothing, or one of whose parts is itself or the root."""
    parts = [part for word in ("anyOf", "oneOf", "allOf") for part in definition.get(word, ())]
    leads_back = any(isinstance(part, dict) and part.get("$ref") in ("#", own) for part in parts)
    return "$ref" in definition or "not" in definition or leads_back


def escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1").replace("%", "%25").replace(" ", "%20")


def documents(heaps: bool = True) -> st.SearchStrategy[dict[str, Any]]:
    """Whole schema documents; every reference in them leads somewhere. ``heaps``: also keywords that ill agree."""
    return st.randoms(use_true_random=False).map(lambda random: make_document(random, heaps))
