"""The walk: one schema spelled in one dialect."""

from __future__ import annotations

import copy
import hashlib
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tests.twin.merging import Node, both, distinct, fold, merge, path_of
from tests.twin.reading import (
    ASSERTIONS,
    KNOWN_ANNOTATIONS,
    MAX_DEPTH,
    ONE_SCHEMA,
    PLUMBING,
    REFERENCES,
    SCHEMA_LISTS,
    SCHEMA_MAPS,
    Entry,
    Joined,
    NotASchema,
    Place,
    SchemaTooDeep,
    UnresolvableReference,
    check_json,
    is_assertion,
    is_never,
    names_2020_12,
    read,
)
from tests.twin.references import Budget, Graph, Library, called, follow, is_root, name_of, title_of
from tests.twin.tables import find
from tests.twin.unions import (
    FLATTENED_BESIDE,
    are_disjoint,
    flatten,
    is_closed,
    product,
    undeclared,
    unions_of,
)
from tests.twin.words import (
    SAID,
    Gathered,
    Made,
    Sentence,
    Wording,
    append,
    canon,
    constants_of,
    equal,
    json_type,
    plural,
)

OBJECT_WORDS = (
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "unevaluatedProperties",
    "dependentRequired",
    "dependentSchemas",
)
ARRAY_WORDS = (
    "items",
    "prefixItems",
    "contains",
    "minItems",
    "maxItems",
    "uniqueItems",
    "unevaluatedItems",
    "minContains",
    "maxContains",
)
STRING_WORDS = ("minLength", "maxLength", "pattern", "format")
NUMBER_WORDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
KINDS = (("object", OBJECT_WORDS), ("array", ARRAY_WORDS), ("string", STRING_WORDS), ("number", NUMBER_WORDS))
CONCERNING = {
    "object": OBJECT_WORDS,
    "array": ARRAY_WORDS,
    "string": STRING_WORDS,
    "number": NUMBER_WORDS,
    "integer": NUMBER_WORDS,
    "boolean": (),
    "null": (),
}
#: Added words come last, in this order.
ADDED = ("type", "description", "nullable", "properties", "items", "anyOf", "required", "additionalProperties")

MOST_HOPS = 8
NOT_AVAILABLE = "Its structure is not available here."


def project(
    schema: Any,
    dialect: Any,
    direction: str = "input",
    resources: dict[str, Any] | None = None,
    draft: str | None = None,
    max_nodes: int = 100_000,
    unresolvable: str = "raise",
) -> tuple[dict[str, Any], list[tuple[str, str, str, str]]]:
    """Spell a schema in a dialect: the result, and the losses as (path, keyword, effect, sentence)."""
    check_json(schema)
    if not isinstance(schema, (dict, bool)):
        raise NotASchema("a schema is an object or a boolean")
    if schema is False:
        raise NotASchema("the root accepts nothing")
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 50_000))
    try:
        return project_checked(schema, dialect, direction, resources, draft, max_nodes, unresolvable)
    except RecursionError:
        raise SchemaTooDeep("too deep") from None
    finally:
        sys.setrecursionlimit(before)


def project_checked(
    schema: Any,
    dialect: Any,
    direction: str,
    resources: dict[str, Any] | None,
    draft: str | None,
    max_nodes: int,
    unresolvable: str,
) -> tuple[dict[str, Any], list]:
    if direction == "output" and dialect.rule("outputs") is not None:
        dialect = find(dialect.rule("outputs"))
    library = Library(schema, resources, draft)
    graph = Graph(library, unresolvable)
    if dialect.rule("references") == "identity":
        return (copy.deepcopy(schema) if isinstance(schema, dict) else {}), []
    inlined: frozenset = frozenset()
    forms: dict = {}
    for _ in range(50):
        walk = Walk(library, graph, dialect, direction, max_nodes, unresolvable, inlined, forms)
        spelled = walk.spell_document()
        single = {
            definition
            for definition, count in walk.written.items()
            if count == 1 and definition not in inlined and not walk.leads_back(definition)
        }
        known = {**forms, **walk.new_forms}
        if known != forms:
            forms = known  # what definitions look like must settle before any is inlined
        elif single:
            inlined = inlined | single
        else:
            break
    check_depth(spelled)
    return spelled, walk.losses


def check_depth(value: Any) -> None:
    stack = [(value, 1)]
    while stack:
        item, depth = stack.pop()
        if isinstance(item, (dict, list)):
            if depth > MAX_DEPTH:
                raise SchemaTooDeep(f"the result has more than {MAX_DEPTH} containers inside one another")
            stack.extend((child, depth + 1) for child in (item.values() if isinstance(item, dict) else item))


class Written(dict):
    """A spelled schema object. ``encoded`` is ``text`` or ``entries`` where the caller writes another shape."""

    encoded: str | None = None
    added: tuple[str, ...] = ()  # the words that were added: they come last


class Marker:
    """A kept reference in a result, until definitions have their names."""

    def __init__(self, key: Any, nullable: bool) -> None:
        self.key = key
        self.nullable = nullable

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Marker) and (self.key, self.nullable) == (other.key, other.nullable)

    __hash__ = None  # type: ignore[assignment]


class Role:
    """Where a schema stands, as far as that changes how it is spelled. ``optional``: null means to leave it out."""

    def __init__(self, name: str, optional: bool = False) -> None:
        self.name = name
        self.optional = optional


ROOT, NODE, ITEM = Role("root"), Role("node"), Role("item")


class Walk:
    def __init__(
        self,
        library: Library,
        graph: Graph,
        dialect: Any,
        direction: str,
        max_nodes: int,
        unresolvable: str,
        inlined: frozenset,
        forms: dict,
    ) -> None:
        self.library, self.graph, self.dialect = library, graph, dialect
        self.unresolvable, self.inlined, self.forms = unresolvable, inlined, forms
        self.wording = Wording(library)
        self.rule = dialect.rule
        self.is_input = direction == "input"
        self.keeps = self.rule("references") == "keep"
        self.closed = self.rule("closed_objects") and self.is_input
        self.as_it_is = self.rule("required") == "as_is"
        self.nullables = self.rule("null") == "nullable" and self.is_input
        self.ref_word = self.rule("reference_keyword")
        self.defs_word = self.rule("definitions_keyword")
        self.budget = Budget(library, graph, max_nodes, self.keeps)
        self.losses: list[tuple[str, str, str, str]] = []
        self.targets: dict[Any, Place] = {}
        self.written: dict[Any, int] = {}  # references to each definition in the result
        self.leads: dict[Any, set] = {}  # definitions referenced from each
        self.new_forms: dict[Any, Any] = {}
        self.depth = 0
        self.root_is_node = False
        self.root_is_flat = False  # a union was made one object at the root: its node form is another

    # --- losses ---

    def lose(self, path: str, keyword: str, effect: str, sentence: str) -> None:
        loss = (path, keyword, effect, sentence)
        if loss not in self.losses:
            self.losses.append(loss)

    def spells(self, word: str) -> bool:
        return word in self.dialect.keywords

    # =============================================================================================================
    # The document and its definitions
    # =============================================================================================================

    def spell_document(self) -> dict[str, Any]:
        root = self.library.root_place()
        component = self.graph.component(root.location)
        root.entry = Entry(component, {root.location})
        result = self.spell_root(root)
        definitions: dict[tuple[Any, bool], Any] = {}
        waiting = list(self.markers(result))
        while waiting:
            marker = waiting.pop(0)
            if (marker.key, marker.nullable) in definitions:
                continue
            body = self.spell_definition(marker)
            definitions[(marker.key, marker.nullable)] = body
            if not marker.nullable:
                self.new_forms[marker.key] = body
            waiting.extend(self.markers(body))
        for key, nullable in list(definitions):
            if nullable and key not in self.new_forms:
                self.new_forms[key] = definitions[(key, True)]
        root_key = self.root_key()
        self.root_is_node = False
        as_node = definitions.get((root_key, False))
        if (
            self.rule("root_reference")
            and not self.root_is_flat
            and as_node is not None
            and plain_equal(as_node, result)
        ):
            self.root_is_node = True
            del definitions[(root_key, False)]
        for value in [result, *definitions.values()]:
            for marker in self.markers(value):
                definition = (marker.key, marker.nullable)
                self.written[definition] = self.written.get(definition, 0) + 1
        for definition, body in definitions.items():
            self.leads[definition] = {(marker.key, marker.nullable) for marker in self.markers(body)}
        return self.finish(result, definitions)

    def leads_back(self, definition: Any) -> bool:
        """Whether a definition of the result is reached from itself (the root always is)."""
        if definition not in self.leads:
            return True
        seen: set = set()
        waiting = list(self.leads[definition])
        while waiting:
            one = waiting.pop()
            if one not in seen:
                seen.add(one)
                waiting.extend(self.leads.get(one, ()))
        return definition in seen

    def root_key(self) -> Any:
        return self.key_of(self.library.root_place())

    def key_of(self, target: Place) -> Any:
        """One definition for each target, or for each target and dynamic scope where that matters."""
        if not self.graph.is_dynamic(target.location):
            return (target.location, ())
        meaning: dict[str, Any] = {}
        for resource in target.scope:
            for anchor in resource.dynamic:
                meaning.setdefault(anchor, (resource.document.number, resource.pointer))
            if resource.recursive:
                meaning.setdefault("", (resource.document.number, resource.pointer))
        return (target.location, tuple(sorted(meaning.items())))

    def markers(self, value: Any) -> Iterator[Marker]:
        if isinstance(value, Marker):
            yield value
        elif isinstance(value, dict):
            for child in value.values():
                yield from self.markers(child)
        elif isinstance(value, list):
            for child in value:
                yield from self.markers(child)

    def spell_definition(self, marker: Marker) -> Any:
        target = replace(self.targets[marker.key], entry=None, merging=frozenset(), paid=False)
        node = self.gather(target)
        if marker.nullable:
            node = Node({}, target.path) if node is True else node
            if isinstance(node, Node):
                node.nullable = node.nullable_last = True
        return self.as_object(self.spell_gathered(node, NODE, target.path))

    def as_object(self, value: Any) -> Any:
        if value is False:
            return Written({"not": {}}) if self.spells("not") else Written()
        return Written() if value is True else value

    def finish(self, result: Any, definitions: dict) -> dict[str, Any]:
        order = sorted(definitions, key=lambda one: (self.position(one[0]), one[1]))
        names: dict[tuple[Any, bool], str] = {}
        taken: set[str] = set()
        for key, nullable in order:
            if nullable:
                base = names.get((key, False)) or self.definition_name(key)
                names[(key, True)] = self.unique(f"{base}_or_null", taken)
            else:
                names[(key, False)] = self.unique(self.definition_name(key), taken)
        spelled = self.plain(result, names)
        if order:
            spelled[self.defs_word] = {names[one]: self.plain(definitions[one], names) for one in order}
        return spelled

    def position(self, key: Any) -> tuple:
        (number, pointer), meaning = key
        return (number, self.library.documents[number].order[pointer], meaning)

    def definition_name(self, key: Any) -> str:
        target = self.targets[key]
        if is_root(target):
            name = title_of(target) or "Root"
        else:
            name = name_of(target)
        return re.sub(r"[^A-Za-z0-9_.-]", "_", name)

    def unique(self, name: str, taken: set[str]) -> str:
        count, found = 1, name
        while found in taken:
            count += 1
            found = f"{name}_{count}"
        taken.add(found)
        return found

    def plain(self, value: Any, names: dict) -> Any:
        """A fresh copy with pointers in the place of markers."""
        if isinstance(value, Marker):
            if self.root_is_node and value.key == self.root_key() and not value.nullable:
                return "#"
            return f"#/{self.defs_word}/{names[(value.key, value.nullable)]}"
        if isinstance(value, dict):
            return {key: self.plain(child, names) for key, child in value.items()}
        if isinstance(value, list):
            return [self.plain(child, names) for child in value]
        return value

    # =============================================================================================================
    # Gathering: a schema with its reference resolved and its allOf merged
    # =============================================================================================================

    def gather(self, schema: Any, merging: bool = False, at_root: bool = False, forces: bool | None = None) -> Any:
        """A node, or a boolean. ``merging``: it is merged into another, so no reference may stay."""
        if isinstance(schema, Gathered):
            return schema.node
        if isinstance(schema, Joined):
            return self.gather_joined(schema)
        if isinstance(schema, Made):
            return self.merge_all_of(Node(dict(schema.words), schema.path), False)
        if isinstance(schema.raw, bool):
            return schema.raw
        if is_never(schema.raw):
            return False
        self.graph.enter(schema)
        words = {
            word: value
            for word, value in read(schema).items()
            if word not in PLUMBING or (at_root and word == "$schema" and names_2020_12(value))
        }
        node: Any = Node(words, schema.path)
        if any(word in REFERENCES for word in words):
            node = self.resolve_reference(node, schema, merging, at_root)
        forced = merging or (at_root and self.rule("root_object") and self.is_input)
        node = self.merge_all_of(node, forced if forces is None else forces)
        if isinstance(node, Node):
            words = list(schema.raw)
            is_nullable = schema.raw.get("nullable") is True
            node.after_nullable = tuple(words[words.index("nullable") + 1 :]) if is_nullable else ()
        return node

    def gather_joined(self, schema: Joined) -> Any:
        nodes = [self.gather(part, merging=True, forces=False) for part in schema.parts]
        if not self.merges_all_of():
            result = nodes[0]
            for _index, other in enumerate(nodes[1:]):
                merged, exact = merge(result, other)
                if exact:
                    result = merged
                else:
                    result = result.copy()
                    result.words.setdefault("allOf", [])
                    result.words["allOf"] = [*result.words["allOf"], Gathered(other)]
            return result
        return fold(nodes, False)[0]

    def merges_all_of(self) -> bool:
        return not self.spells("allOf") or self.closed

    def merge_all_of(self, node: Any, forced: bool) -> Any:
        if not isinstance(node, Node) or "allOf" not in node.words:
            return node
        if not self.merges_all_of() and not (forced and not self.as_it_is):
            return node
        branches = node.words["allOf"]
        nodes = [node.without("allOf"), *(self.gather(branch, merging=True) for branch in branches)]
        merged = fold(nodes, True)[0]
        if isinstance(merged, Node) and merged.reference is not None:
            order = [("$ref" if word == "allOf" else word) for word in node.words]
            merged.words = {word: merged.words[word] for word in [*order, *merged.words] if word in merged.words}
        return self.merge_all_of(merged, forced)

    def resolve_reference(self, node: Node, place: Place, merging: bool, at_root: bool) -> Any:
        word = next(one for one in node.words if one in REFERENCES)
        siblings = node.without(word)
        try:
            target = self.library.resolve(place, word, node.words[word])
        except UnresolvableReference:
            if self.unresolvable != "any":
                raise
            unknown = Node({}, node.path)
            unknown.notes.append(Sentence("cycle", word, NOT_AVAILABLE, node.path))
            return self.merge_siblings(unknown, siblings, node, word, place, merging, at_root)
        if not self.keeps:
            found = self.inline(place, target, word)
        else:
            constrained = any(is_assertion(one) for one in siblings.words)
            found = self.keep(place, target, word, node, siblings, merging or constrained or at_root)
            if found is None:
                return self.kept(node, siblings, target, word)
        return self.merge_siblings(found, siblings, node, word, place, merging, at_root)

    def inline(self, place: Place, target: Place, word: str) -> Any:
        loops = follow(self.library, target) is None
        if loops or self.graph.is_cut(place, target) or not self.budget.pay(place, target):
            return self.cut(place, target, word)
        return self.gather(self.graph.expand(place, replace(target, paid=True)))

    def keep(self, place: Place, target: Place, word: str, node: Node, siblings: Node, must_merge: bool) -> Any:
        """The target where it is inlined; None where the reference stays."""
        if follow(self.library, target) is None:
            return self.cut(place, target, word)
        if must_merge:
            if target.location in place.merging or not self.budget.pay(place, target):
                return None
            inner = replace(target, paid=True, merging=place.merging | {target.location})
            return self.gather(self.graph.expand(place, inner), merging=True)
        return None

    def kept(self, node: Node, siblings: Node, target: Place, word: str) -> Node:
        """The reference stays; constraints beside it are said."""
        result = Node({}, node.path)
        result.reference = target
        result.instead = self.cut(Made({}, node.path), target, word)
        beside: dict[str, Any] = {}
        for one, value in node.words.items():
            if one == word:
                result.words["$ref"] = target
            elif is_assertion(one):
                beside[one] = value
            else:
                result.words[one] = value
        if beside:
            result.leftovers.append((beside, node.path))
        return result

    def merge_siblings(
        self, found: Any, siblings: Node, node: Node, word: str, place: Place, merging: bool, at_root: bool
    ) -> Any:
        if any(one in REFERENCES for one in siblings.words):
            siblings = self.resolve_reference(siblings, place, merging, at_root)
        elif self.merges_all_of():
            siblings = self.merge_all_of(siblings, merging)
        if isinstance(siblings, Node) and not siblings.words and not siblings.leftovers and not siblings.notes:
            siblings = True
        merged, exact = merge(found, siblings, "second", second_annotates=True)
        root_merges = at_root and self.rule("root_object") and self.is_input
        if not exact and not self.merges_all_of() and not root_merges:
            return self.beside_all_of(found, siblings, node, word)
        if merged is True:
            return Node({}, node.path)
        if not isinstance(merged, Node) or not isinstance(siblings, Node):
            return self.at(merged, node.path)
        words = list(node.words)
        before = [one for one in words[: words.index(word)] if one in merged.words]
        targets = found.words if isinstance(found, Node) else {}
        first = [one for one in before if one not in targets and not stands_for(one, targets)]
        order = [*first, *merged.words]
        merged.words = {one: merged.words[one] for one in dict.fromkeys(order) if one in merged.words}
        return self.at(merged, node.path)

    def at(self, node: Any, path: str) -> Any:
        """The words keep the place they are defined at; the node is where the reference stands."""
        if isinstance(node, Node) and node.path != path:
            node = node.copy()
            for word in node.words:
                node.origin.setdefault(word, node.path)
            node.path = path
        return node

    def beside_all_of(self, found: Any, siblings: Node, node: Node, word: str) -> Node:
        """A merge that is not exact, where ``allOf`` is spelled: ``allOf: [target]`` stands for the reference."""
        result = siblings.copy()
        if "allOf" in siblings.words:
            result.words["allOf"] = [*siblings.words["allOf"], Gathered(found)]
            return result
        words: dict[str, Any] = {}
        for one in node.words:
            if one == word:
                words["allOf"] = [Gathered(found)]
            elif one in siblings.words:
                words[one] = siblings.words[one]
        result.words = {**words, **{one: value for one, value in siblings.words.items() if one not in words}}
        return result

    def cut(self, place: Any, target: Place, word: str) -> Node:
        name = called(target)
        words: dict[str, Any] = {}
        end = follow(self.library, target)
        if end is not None and isinstance(end.raw, dict):
            inside = read(end)
            if "type" in inside:
                words["type"] = inside["type"]
        words["title"] = name
        node = Node(words, place.path)
        node.cut = True
        node.notes.append(Sentence("cycle", word, f"Repeats the structure of {name}, to any depth.", place.path))
        return node

    # =============================================================================================================
    # Spelling a node
    # =============================================================================================================

    def spell(self, schema: Any, role: Role = NODE) -> Any:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise SchemaTooDeep("the result would be too deep")
        if self.as_it_is and isinstance(schema, Place) and isinstance(schema.raw, dict) and is_never(schema.raw):
            result: Any = Written(self.copy_data(schema.raw))
        else:
            node = self.gather(schema)
            if role.optional and isinstance(node, Node):
                role = Role(role.name, self.node_admits_null(node))
            result = self.spell_gathered(node, role, path_of(schema))
        self.depth -= 1
        return result

    def spell_gathered(self, node: Any, role: Role, path: str) -> Any:
        if node is False:
            return False
        if node is True:
            if self.is_input and (self.closed or self.rule("type_needed")):
                node = Node({}, path)
            else:
                return True if self.rule("boolean_schemas") else Written()
        if node.reference is not None:
            return self.spell_reference(node, role)
        if not self.is_input:
            return self.spell_output(node, role)
        if self.as_it_is:
            return self.write(node, role)
        if node.cut and self.closed:
            return self.text(node, role)
        return self.spell_input(node, role)

    def spell_input(self, node: Any, role: Role) -> Any:
        works_out = self.rule("type_needed") or (role is ROOT and self.rule("root_object"))
        if unions_of(node.words) and works_out:
            return self.spell_union(node, role)
        return self.spell_typed(node, role)

    # --- output -------------------------------------------------------------------------------------------------

    def spell_output(self, node: Node, role: Role) -> Any:
        if "oneOf" in node.words and not self.spells("oneOf"):
            if "anyOf" in node.words:
                node = self.leave(node, "oneOf")
            else:
                node = self.one_of_as_any_of(node, node.words["oneOf"])
        if "const" in node.words and not self.spells("const") and not self.as_it_is:
            node = self.const_as_enum(node)
        return self.write(node, role)

    def leave(self, node: Node, *words: str) -> Node:
        """Words that are said instead."""
        result = node.without(*words)
        result.leftovers.extend(({word: node.words[word]}, node.where(word)) for word in words)
        return result

    def one_of_as_any_of(self, node: Node, branches: list, written: list | None = None) -> Node:
        result = rename(node, "oneOf", "anyOf", branches)
        if not are_disjoint(self, branches if written is None else written):
            text = "Exactly one alternative must match."
            result.notes.append(Sentence("union", "oneOf", text, node.where("oneOf")))
        return result

    def const_as_enum(self, node: Node) -> Node:
        value = node.words["const"]
        if "enum" in node.words:
            result = node.without("const")
            if any(equal(value, other) for other in node.words["enum"]):
                result.words["enum"] = [value]
            return result
        return rename(node, "const", "enum", [value])

    # --- unions (section 5) -------------------------------------------------------------------------------------

    def spell_union(self, node: Node, role: Role) -> Any:
        whole = node
        at_root = role is ROOT and self.rule("root_object")
        is_beside = self.closed and any(word in node.words for word in FLATTENED_BESIDE)
        own = self.wording.types_of(node.without("anyOf", "oneOf").words)
        flattens = at_root or (is_beside and (own is None or "object" in own))
        for word in unions_of(node.words):
            branches = [branch for branch in node.words[word] if not self.wording.is_impossible(branch)]
            if not branches and not flattens:
                return False
            node = node.copy()
            node.words[word] = branches
            if not branches:
                self.lose(node.where(word), word, "unreachable", "")
                return self.spell_input(node.without(word), role)
        if flattens:
            node = node.copy()
        head = "Give one of these:" if unions_of(node.words) == ["oneOf"] else "Give at least one of these:"
        if len(unions_of(node.words)) == 2 and (flattens or not (self.spells("anyOf") and self.spells("oneOf"))):
            node = self.multiply_unions(node, flattens)
            head = "Give one of these:" if unions_of(node.words) == ["oneOf"] else "Give at least one of these:"
        for word in unions_of(node.words):
            if not self.rule("boolean_schemas"):
                node = node.copy()
                node.words[word] = [one for one in node.words[word] if not self.wording.is_impossible(one)]
                if not node.words[word]:
                    return False
        if self.nullables:
            node = self.take_null_branches(node)
            if node is False:
                return False
        if self.has_more(node) and not flattens:
            beside = Made({one: v for one, v in node.words.items() if is_assertion(one)}, node.path)
            beside.words = {one: v for one, v in beside.words.items() if one not in ("anyOf", "oneOf")}
            for word in unions_of(node.words):
                branches = [one for one in node.words[word] if not self.wording.is_impossible(both(beside, one))]
                if not branches:
                    return False
                node.words[word] = branches
        for word in unions_of(node.words):
            if len(node.words[word]) == 1 and not flattens:
                branch = self.gather(node.words[word][0], merging=self.has_more(node))
                return self.again(self.become(node, word, branch, False, node.words[word][0]), role)
        if not unions_of(node.words):
            return self.again(node, role)
        if flattens:
            word = unions_of(node.words)[0]
            flat, is_lone = flatten(self, node, word, node.words[word], head)
            if is_lone:
                return self.again(flat, role)
            self.root_is_flat = self.root_is_flat or role is ROOT
            return self.spell_typed(flat, role)
        if not self.spells("anyOf"):
            word = unions_of(node.words)[0]
            if not self.spells(word):
                return self.again(self.leave(node, word), role)
        return self.spell_branches(node, role, whole)

    def has_more(self, node: Node) -> bool:
        """Whether a lone branch must be merged: something of the node stands beside it."""
        return any(is_assertion(word) and word not in ("anyOf", "oneOf") for word in node.words)

    def become(self, node: Node, word: str, branch: Any, flattens: bool = False, written: Any = None) -> Any:
        """The node becomes the one branch that is left: at the place of the union, or after what stands beside it."""
        merged, _ = merge(node.without(word), branch)
        if not isinstance(merged, Node):
            return merged
        merged = merged.copy()
        merged.path = node.path
        merged.nullable = node.nullable or merged.nullable
        merged.nullable_last = node.nullable_last or merged.nullable_last
        if isinstance(branch, Node):
            merged.after_nullable = node.after_nullable or branch.after_nullable
            if isinstance(written, Place) and isinstance(written.raw, dict) and written.raw.get("nullable") is True:
                after = list(node.words)
                merged.after_nullable = (*branch.after_nullable, *after[after.index(word) + 1 :])
        merged.notes.extend(note for note in node.notes if note not in merged.notes)
        words = list(node.words)
        before = words[: words.index(word)]
        theirs = list(branch.words) if isinstance(branch, Node) else []
        if isinstance(written, Place) and isinstance(written.raw, dict) and "allOf" in written.raw:
            theirs = [one for one in theirs if one in written.raw]  # what its allOf gives comes last
        order = [*before, *theirs, *words, *merged.words]
        if flattens:
            order = [*words, *merged.words]
        elif self.has_more(node) and (branch is True or (isinstance(branch, Node) and not branch.words)):
            noted = [one for one in before if not is_assertion(one)]
            order = [*noted, *(one for one in words if is_assertion(one)), *words]
        elif self.has_more(node):
            order = [*(one for one in words if not is_assertion(one)), *words, *merged.words]
        merged.words = {one: merged.words[one] for one in dict.fromkeys(order) if one in merged.words}
        return merged

    def again(self, node: Any, role: Role) -> Any:
        return self.spell_gathered(node, role, node.path if isinstance(node, Node) else "")

    def multiply_unions(self, node: Node, flattens: bool) -> Node:
        first, other = unions_of(node.words)
        branches, fits = product(self, node)
        if not fits:
            return self.leave(node, other)
        result = rename(node.without(other), first, "anyOf", branches)
        if not flattens and not are_disjoint(self, node.words["oneOf"]):
            text = "Exactly one alternative must match."
            result.notes.append(Sentence("union", "oneOf", text, node.where("oneOf")))
        return result

    def may_be_null(self, node: Node) -> bool:
        """Whether what stands beside a union admits null."""
        values = constants_of(node.words)
        return "null" in (type_list(node.words) or ["null"]) and (values is None or None in values)

    def take_null_branches(self, node: Node) -> Any:
        result = node.copy()
        for word in unions_of(node.words):
            branches = [one for one in node.words[word] if self.wording.types(one) != ["null"]]
            if len(branches) < len(node.words[word]):
                result.nullable = result.nullable_last = self.may_be_null(node)
                if branches:
                    result.words[word] = branches
                elif not result.nullable:
                    return False
                else:
                    if "type" not in result.words:
                        result.added = result.added | {"type"}
                    result.words["type"] = "null"
                    result = result.without(word)
        return result

    def spell_branches(self, node: Node, role: Role, whole: Node) -> Any:
        unions = unions_of(node.words)
        word = unions[0]
        moves = self.rule("union_siblings") != "any"
        pushed = {one: value for one, value in node.words.items() if moves and is_assertion(one) and one not in unions}
        branches = list(node.words[word])
        if pushed:
            beside = Made(pushed, node.path)
            joined = [both(beside, branch) for branch in branches]
            gathered = [False if self.wording.is_impossible(one) else self.gather(one) for one in joined]
        else:
            gathered = [self.gather(branch) for branch in branches]
        paths = [path_of(branch) for branch in branches]
        kept = [
            (one, path)
            for one, path in zip(gathered, paths, strict=False)
            if one is not False or self.rule("boolean_schemas")
        ]
        if not kept:
            return False
        rest = node.without(*pushed)
        if len(kept) == 1 and len(gathered) > 1:
            return self.again(self.become(rest, word, kept[0][0]), role)
        spelled = [self.spell_branch(one, path) if one is not False else False for one, path in kept]
        if not self.rule("boolean_schemas"):
            spelled = [one for one in spelled if one is not False]
            if not spelled:
                return False
        spelled = [one if one is False else self.as_object(one) for one in spelled]
        if self.closed and self.collide(spelled):
            return self.text(whole, role)
        becomes = word if self.spells(word) else "anyOf"
        if word == "oneOf" and becomes == "anyOf":
            rest = self.one_of_as_any_of(rest, branches, whole.words.get("oneOf", branches))
        if moves and self.rule("union_siblings") == "none":
            return self.lone_union(rest, spelled, role)
        return self.write(rest, role, {becomes: spelled})

    def spell_branch(self, node: Any, path: str) -> Any:
        self.depth += 1
        result = self.spell_gathered(node, NODE, path)
        self.depth -= 1
        return result

    def lone_union(self, node: Node, spelled: list, role: Role) -> Any:
        """``anyOf`` alone in its node: all that is said of the node goes into the first branch."""
        text = self.describe(node, {}, self.said_of(node, {"anyOf", "oneOf"}, role), role)
        self.into_first(spelled, text, node.nullable)
        return Written({"anyOf": spelled})

    def into_first(self, spelled: list, text: str, nullable: bool) -> None:
        if not text and not nullable:
            return
        index = next((i for i, one in enumerate(spelled) if self.ref_word not in one), None)
        if index is None and not text:
            spelled[0][self.ref_word] = Marker(spelled[0][self.ref_word].key, True)
            return
        if index is None:
            index = 0
            spelled[0] = self.without_reference(spelled[0])
        first = spelled[index]
        if list(first) == ["anyOf"]:
            self.into_first(first["anyOf"], text, nullable)
            return
        if nullable:
            first["nullable"] = True
        if text and "description" in first:
            first["description"] = append_all(text, [first["description"]])
        elif text:
            first["description"] = text
            if "nullable" in first:
                first["nullable"] = first.pop("nullable")

    def without_reference(self, branch: Written) -> Any:
        """A kept reference replaced by its target, inlined."""
        marker = branch[self.ref_word]
        target = replace(self.targets[marker.key], entry=None, merging=frozenset({marker.key[0]}), paid=False)
        node = self.gather(target, merging=True)
        result = self.as_object(self.spell_gathered(node, NODE, target.path))
        if self.ref_word in result:
            return Written({"anyOf": [result]})
        if "description" in branch:
            set_added(result, "description", branch["description"])
        return result

    # --- collisions ---

    def collide(self, spelled: list) -> bool:
        """Two branches of one JSON type, one of them JSON text or entries."""
        shapes = [self.shapes(one, frozenset()) for one in spelled]
        for i, ours in enumerate(shapes):
            for theirs in shapes[:i]:
                for one, encoded in ours:
                    if any(one == other and (encoded or encoded_too) for other, encoded_too in theirs):
                        return True
        return False

    def shapes(self, value: Any, seen: frozenset) -> set[tuple[str, bool]]:
        """The JSON types of a spelled schema, and whether each is an encoding."""
        if not isinstance(value, dict):
            return set()
        reference = value.get(self.ref_word)
        if isinstance(reference, Marker):
            if reference.key in seen or reference.key not in self.forms:
                return set()
            return self.shapes(self.forms[reference.key], seen | {reference.key})
        found = set()
        types = value.get("type", [])
        for one in [types] if isinstance(types, str) else types:
            found.add((one, getattr(value, "encoded", None) is not None))
        for branch in value.get("anyOf", []):
            found |= self.shapes(branch, seen)
        return found

    def admits_null(self, value: Any, seen: frozenset = frozenset()) -> bool:
        """Whether a spelled schema admits null, through references."""
        if not isinstance(value, dict):
            return value is True
        reference = value.get(self.ref_word)
        if isinstance(reference, Marker):
            if reference.key in seen or reference.key not in self.forms:
                return False
            return self.admits_null(self.forms[reference.key], seen | {reference.key})
        if "anyOf" in value:
            return any(self.admits_null(branch, seen) for branch in value["anyOf"])
        types = value.get("type", [])
        if "null" not in ([types] if isinstance(types, str) else types):
            return False
        return not ("enum" in value and None not in value["enum"]) and not (
            "const" in value and value["const"] is not None
        )

    # --- types, enums, constants (section 6) --------------------------------------------------------------------

    def spell_typed(self, node: Node, role: Role) -> Any:
        if "const" in node.words and "enum" in node.words and self.rule("enum_values") != "any":
            if any(equal(node.words["const"], value) for value in node.words["enum"]):
                node = node.without("enum")
            else:
                node = self.leave(node, "enum")
        if "const" in node.words and not self.spells("const") and self.rule("enum_values") == "any":
            node = self.const_as_enum(node)
        if role is ROOT and self.rule("root_object"):
            node = self.object_root(node)
        elif constants_of(node.words) is not None and self.rule("enum_values") != "any":
            return self.spell_constants(node, role)
        if not (self.closed or self.rule("type_needed")):
            return self.spell_types(node, role)
        if "type" not in node.words:
            node = self.infer_type(node)
            if "type" not in node.words:
                return self.any_json(node, role)
            if isinstance(node.words["type"], list):
                kinds = node.words["type"]
                return self.split(node.without("type"), role, kinds, None, kinds, "type")
        return self.spell_types(node, role)

    def object_root(self, node: Node) -> Node:
        """The object part of a root."""
        result = self.root_constants(node) if self.rule("type_needed") else node.copy()
        node = result.copy()
        types = type_list(node.words)
        if types is None and constants_of(node.words) is None:
            types = [kind for kind, words in KINDS if any(word in node.words for word in words)]
            types = ["object"] if "object" in types or not types else types
        if types is not None and "object" not in types:
            self.lose(node.where("type"), "type", "unreachable", "")
            result.words = {word: value for word, value in node.words.items() if word not in ASSERTIONS}
            result.leftovers = []
        elif types is not None and types != ["object"]:
            self.lose(node.where("type"), "type", "unreachable", "")
        if "type" in result.words:
            result.words["type"] = "object"
        if "type" not in result.words:
            result.words["type"] = "object"
            result.added = result.added | {"type"}
        result.nullable = False
        return result

    def root_constants(self, node: Node) -> Node:
        """Constants of a root that must be an object: said when one is an object, else no object is accepted."""
        values = constants_of(node.words)
        if values is None:
            return node.copy()
        word = "const" if "const" in node.words else "enum"
        result = node.without("const", "enum")
        if any(isinstance(value, dict) for value in values):
            result.leftovers.append(({word: node.words[word]}, node.where(word)))
        elif values:
            kinds = kinds_of(values)
            result.words["type"] = kinds[0] if len(kinds) == 1 else kinds
        return result

    def infer_type(self, node: Node) -> Node:
        values = constants_of(node.words)
        if values:
            types = kinds_of(values)
        else:
            types = [kind for kind, words in KINDS if any(word in node.words for word in words)]
            if types:
                self.lose(node.path, "type", "unreachable", "")
        if not types:
            return node
        result = node.copy()
        result.words["type"] = types[0] if len(types) == 1 else types
        result.added = result.added | {"type"}
        return result

    def spell_constants(self, node: Node, role: Role) -> Any:
        """``enum`` and ``const`` where not every value may stand in them."""
        word = "const" if "const" in node.words else "enum"
        values = [node.words["const"]] if word == "const" else node.words["enum"]
        explicit = type_list(node.words)
        admitted = once([value for value in values if explicit is None or admits(explicit, value)])
        if any(isinstance(value, (dict, list)) for value in admitted):
            if self.closed:
                return self.text(node, role)
            return self.spell_untyped_constants(node, role, word, values, explicit)
        if not admitted:
            return self.spell_untyped_constants(node, role, word, values, explicit)
        kinds = kinds_of(admitted)
        if "null" in kinds:
            kinds = [kind for kind in kinds if kind != "null"] + ["null"]
        if self.rule("enum_values") == "strings":
            return self.spell_string_constants(node, role, word, admitted, kinds, explicit)
        if kinds == ["null"]:
            return self.write(self.with_type(node.without("const", "enum"), "null", word), role)
        if len(kinds) == 1:
            result = self.with_type(node, found_type(explicit, kinds[0], admitted), word)
            if word == "const" and not self.spells("const"):
                result = self.const_as_enum(result)
            elif word == "enum":
                result.words["enum"] = admitted
            return self.spell_types(result, role)
        return self.split(node, role, kinds, admitted, explicit, word)

    def spell_untyped_constants(self, node: Node, role: Role, word: str, values: list, explicit: Any) -> Any:
        """No constant is left that could be spelled: it is said."""
        node = self.leave(node, word)
        if explicit is None:
            types = kinds_of(values)
            if not types:
                return self.again(node, role)
            node = self.with_type(node, types[0] if len(types) == 1 else types, "type")
        return self.spell_types(node, role)

    def spell_string_constants(
        self, node: Node, role: Role, word: str, admitted: list, kinds: list, explicit: Any
    ) -> Any:
        result = node.copy()
        if "null" in kinds:
            result.nullable, result.nullable_last = True, False
        kinds = [kind for kind in kinds if kind != "null"]
        others = [value for value in admitted if value is not None]
        if not kinds:
            result = self.with_type(node.without("const", "enum"), "string", word)
            result.nullable = True
            result.notes.append(Sentence("const", word, "Must be null.", node.where(word)))
            return self.write(result, role)
        if all(isinstance(value, str) and value != "" for value in others):
            result = self.with_type(result, "string", word)
            result = rename(result, word, "enum", others)
            return self.write(result, role)
        if len(kinds) == 1:
            result = self.with_type(result, found_type(explicit, kinds[0], others), word)
            if word == "enum":
                result.words["enum"] = others
            return self.spell_types(self.leave(result, word), role)
        return self.split(result, role, kinds, others, explicit, word)

    def with_type(self, node: Node, kind: Any, word: str) -> Node:
        """The type, at its place; else at the place of ``word`` if that went; else added."""
        result = node.copy()
        if "type" not in result.words:
            result.added = result.added | {"type"}
        result.words["type"] = kind
        return result

    def spell_types(self, node: Node, role: Role) -> Any:
        types = type_list(node.words)
        if types is None:
            return self.write_kind(node, role)
        types = list(dict.fromkeys(types))
        if self.nullables:
            if "null" in types and types != ["null"]:
                node = node.copy()
                node.nullable, node.nullable_last = True, False
                types = [one for one in types if one != "null"]
                node.words["type"] = types[0] if len(types) == 1 else types
            elif types == ["null"]:
                node = node.copy()
                node.words["type"] = "string"
                node.nullable = True
                node.notes.append(Sentence("const", "type", "Must be null.", node.where("type")))
                return self.write(node, role)
        if len(types) == 1:
            return self.write_kind(node, role)
        if not self.rule("type_lists") or (self.closed and "object" in types and self.encoding(node, role)):
            return self.split(node, role, types, None, types, "type")
        return self.write_kind(node, role)

    def split(self, node: Node, role: Role, kinds: list, values: list | None, explicit: list | None, word: str) -> Any:
        """``anyOf``, a branch a type, each with the words that concern it."""
        taken = {"type", "enum", "const"} if values is not None else {"type"}
        branches = []
        for kind in kinds:
            words: dict[str, Any] = {"type": kind}
            if values is not None:
                own = [value for value in values if kinds_of([value]) == [kind] or kinds_of([value, 0.5]) == [kind]]
                words["type"] = found_type(explicit, kind, own) if kind != "null" else "null"
                if kind != "null":
                    words["enum"] = own
            for one, value in node.words.items():
                if one in CONCERNING[kind]:
                    words[one] = value
                    taken.add(one)
            if values is None:
                for one in ("enum", "const"):
                    if one in node.words:
                        words[one] = node.words[one]
                        taken.add(one)
            branches.append(Made(words, node.path))
        spelled = [self.as_object(self.spell(branch)) for branch in branches]
        if self.closed and self.collide(spelled):
            return self.text(node, role)
        taken |= {one for words in CONCERNING.values() for one in words}
        schemas = list(branches)
        place = next((one for one in node.words if one in ("type", "enum", "const")), None)
        if place is not None and place in node.added:
            place = next((one for one in node.words if one in ("enum", "const")), None)
        rest = rename(node, place, "anyOf", schemas) if place is not None else node.copy()
        rest.words = {one: value for one, value in rest.words.items() if one not in taken}
        if place is None:
            rest.added = rest.added | {"anyOf"}
            rest.words["anyOf"] = schemas
        if self.rule("union_siblings") == "none":
            rest.words.pop("anyOf")
            rest = self.leave(rest, *(one for one in rest.words if is_assertion(one)))
            return self.lone_union(rest, spelled, role)
        if self.rule("union_siblings") != "any":
            rest = self.leave(rest, *(one for one in rest.words if is_assertion(one) and one != "anyOf"))
        return self.write(rest, role, {"anyOf": spelled})

    def any_json(self, node: Node, role: Role) -> Any:
        if self.closed:
            return self.text(node, role)
        self.lose(node.path, "type", "unreachable", "")
        branches = self.any_branches(role is ITEM)
        if self.rule("union_siblings") == "none":
            return self.lone_union(self.leave(node, *(one for one in node.words if is_assertion(one))), branches, role)
        result = node.copy()
        result.words["anyOf"] = [Made({"type": kind}, node.path) for kind in ("string", "number", "boolean", "object")]
        result.added = result.added | {"anyOf"}
        return self.write(result, role, {"anyOf": branches})

    def any_branches(self, in_array: bool) -> list:
        branches: list = [Written({"type": kind}) for kind in ("string", "number", "boolean", "object")]
        if not in_array:
            branches.append(Written({"type": "array", "items": Written({"anyOf": self.any_branches(True)})}))
        if self.nullables:
            branches[0]["nullable"] = True
            branches[0].added = ("nullable",)
        else:
            branches.append(Written({"type": "null"}))
        return branches

    # --- objects (section 8) ------------------------------------------------------------------------------------

    def write_kind(self, node: Node, role: Role) -> Any:
        types = type_list(node.words)
        if self.closed and types is not None and "object" in types:
            encoding = self.encoding(node, role)
            if encoding == "text":
                return self.text(node, role)
            if encoding == "entries":
                return self.entries(node, role)
        return self.write(node, role)

    def encoding(self, node: Node, role: Role) -> str | None:
        """How a closed dialect writes this object: as it is, as entries, or as JSON text."""
        if role is ROOT or self.declared(node) or node.words.get("required"):
            return None
        if node.words.get("patternProperties"):
            return "entries"
        others = self.others(node)
        if others is not None and is_closed(others):
            return None
        if others is not None and not self.wording.adds_nothing(others):
            return "entries"
        return "text"

    def others(self, node: Node) -> Any:
        """The schema of undeclared properties, if one is given."""
        return node.words.get("additionalProperties")

    def declared(self, node: Node) -> dict[str, Any]:
        """The properties of an object, with all names that must be declared, false ones left out."""
        names = {
            name: schema
            for name, schema in node.words.get("properties", {}).items()
            if not self.wording.is_false(schema)
        }
        own = node.words.get("properties", {})
        closed_by_author = "additionalProperties" in node.words and is_closed(node.words["additionalProperties"])
        if self.closed and not closed_by_author:
            for name, schemas in self.conditional_names(node).items():
                if name not in own:
                    several = distinct(schemas)
                    names[name] = several[0] if len(several) == 1 else Made({"anyOf": several}, path_of(several[0]))
        if self.is_input and not self.as_it_is:
            for name in node.words.get("required", []):
                if name not in own and name not in names:
                    names[name] = undeclared(node.words, name, node.path)
        return names

    def conditional_names(self, node: Node) -> dict[str, list]:
        found: dict[str, list] = {}
        for words in [node.words, *(words for words, _ in node.leftovers)]:
            schemas = [words[word] for word in ("if", "then", "else") if word in words]
            schemas.extend(words.get("dependentSchemas", {}).values())
            if words is not node.words:
                for union in ("anyOf", "oneOf"):
                    schemas.extend(words.get(union, []))
            for schema in schemas:
                for inside in self.declaring(schema):
                    for name, child in inside.get("properties", {}).items():
                        if not self.wording.is_false(child):
                            found.setdefault(name, []).append(child)
        return found

    def declaring(self, schema: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
        """The words of a schema, of what it refers to and of its ``allOf``."""
        if depth <= MOST_HOPS:
            for words in self.wording.peek(schema):
                yield words
                for branch in words.get("allOf", []):
                    yield from self.declaring(branch, depth + 1)

    def wire(self, name: str) -> str:
        pattern = self.rule("property_keys")
        if pattern is None or not self.is_input or re.fullmatch(pattern.removesuffix("$"), name):
            return name
        cleaned = re.sub(r"[^a-zA-Z0-9_.-]", "_", name)[:55]
        return f"{cleaned}_{hashlib.sha256(name.encode()).hexdigest()[:8]}"

    def write_object(self, node: Node, role: Role, result: dict[str, Any], closes: bool) -> list[str]:
        """Properties, required and closing. Returns the names that must not be sent."""
        names = self.declared(node)
        required = node.words.get("required", [])
        absent = []
        properties: dict[str, Any] = {}
        listed = {**node.words.get("properties", {}), **names}
        for name, schema in listed.items():
            optional = name not in required
            spelled = self.spell(schema, Role("property", optional)) if name in names else False
            if spelled is False:
                if self.spells("not") and not self.closed:
                    properties[self.wire(name)] = Written({"not": {}})
                else:
                    absent.append(name)
                continue
            spelled = self.as_object(spelled)
            if self.closed and self.rule("required") == "all" and optional:
                spelled = self.wrap_optional(spelled, path_of(schema), schema)
            properties[self.wire(name)] = spelled
        sent = [name for name in listed if self.wire(name) in properties]
        if closes:
            self.add_others(node, role, properties, sent)
        if "properties" in node.words or properties or closes:
            result["properties"] = properties
        if closes and self.rule("required") == "all":
            result["required"] = list(properties)
        elif "required" in node.words:
            result["required"] = [self.wire(name) for name in dict.fromkeys(required) if name in sent]
        return absent

    def add_others(self, node: Node, role: Role, properties: dict[str, Any], sent: list[str]) -> None:
        """A map beside declared names: one more property, holding entries."""
        value = self.map_value(node)
        if value is None:
            return
        name, count = "additional_properties", 1
        while name in properties or name in sent:
            count += 1
            name = f"additional_properties_{count}"
        entries = self.entries_node(node, value, None, "")
        if self.rule("required") == "all":
            entries = self.wrap_optional(entries, node.path)
        properties[name] = entries
        self.lose(node.path, "additionalProperties", "encoded", "Written as a list of entries, each key once.")

    def map_value(self, node: Node) -> Any:
        """The value schema of a map; None when there is none."""
        patterns = list(node.words.get("patternProperties", {}).values())
        values = [value for value in patterns if not is_closed(value)]
        others = self.others(node)
        if others is not None and not self.wording.adds_nothing(others) and not is_closed(others):
            values.append(others)
        if not values:
            return Made({}, node.path) if patterns else None
        values = distinct(values)
        return values[0] if len(values) == 1 else Made({"anyOf": values}, path_of(values[0]))

    def entries(self, node: Node, role: Role) -> Any:
        kept = {"type", "properties", *self.spelled_key_words(node)}
        others = self.others(node)
        if others is not None and not is_closed(others):
            kept |= {"additionalProperties"}
        said = self.said_of(node, kept, role)
        text = self.describe(node, {}, said, role)
        self.lose(node.path, "additionalProperties", "encoded", "Written as a list of entries, each key once.")
        return self.entries_node(node, self.map_value(node), self.title(node), text)

    def title(self, node: Node) -> str | None:
        return node.words.get("title") if self.spells("title") else None

    def entries_node(self, node: Node, value: Any, title: str | None, text: str) -> Written:
        result = Written({"type": "array"})
        if title is not None:
            result["title"] = title
        result["description"] = append(text, "Written as a list of entries, each key once.")
        key = Written({"type": "string"})
        for word, item in self.key_words(node).items():
            key[word] = copy.deepcopy(item)
        spelled = self.spell(value, Role("value"))
        spelled = Written({"type": "string"}) if spelled is False else self.as_object(spelled)
        result["items"] = Written(
            {
                "type": "object",
                "properties": Written({"key": key, "value": spelled}),
                "required": ["key", "value"],
                "additionalProperties": False,
            }
        )
        result.encoded = "entries"
        return result

    def key_words(self, node: Node) -> dict[str, Any]:
        """What ``propertyNames`` adds to ``key``, where it can be spelled."""
        schema = node.words.get("propertyNames")
        if schema is None:
            return {}
        merged: dict[str, Any] = {}
        for words in self.wording.peek(schema):
            for word, value in words.items():
                if word in ("pattern", "enum", "const", "format") and self.keeps_word(word, value):
                    merged.setdefault(word, value)
        if "enum" in merged and not all(isinstance(value, str) for value in merged["enum"]):
            del merged["enum"]
        return merged

    def spelled_key_words(self, node: Node) -> set[str]:
        """``propertyNames``, when all of it is spelled on ``key``."""
        schema = node.words.get("propertyNames")
        if schema is None or is_closed(schema):
            return set()
        spelled = self.key_words(node)
        for words in self.wording.peek(schema):
            for word, value in words.items():
                plain = word in REFERENCES or word in spelled or (word == "type" and value == "string")
                if is_assertion(word) and not plain:
                    return set()
        return {"propertyNames"}

    def wrap_optional(self, spelled: Written, path: str, schema: Any = None) -> Written:
        sentence = "Send null to leave it out."
        if self.admits_null(spelled):
            self.lose(path, "required", "unreachable", sentence)
            if isinstance(spelled.get(self.ref_word), Marker):
                return Written(
                    {
                        "description": append(spelled.get("description", ""), sentence),
                        "anyOf": [Written({self.ref_word: spelled[self.ref_word]})],
                    }
                )
            result = Written(spelled)
            result.encoded, result.added = spelled.encoded, spelled.added
            is_new = "description" not in result
            set_added(result, "description", append(spelled.get("description", ""), sentence))
            if is_new and isinstance(schema, Place) and isinstance(schema.raw, dict):
                return self.before_added(result, set(schema.raw))
            return result
        self.lose(path, "required", "encoded", "")
        rest = Written({word: value for word, value in spelled.items() if word not in ("title", "description")})
        rest.encoded = spelled.encoded
        null = Written({"type": "null"})
        result = Written({word: spelled[word] for word in ("description", "title") if word in spelled})
        result["anyOf"] = [*rest["anyOf"], null] if list(rest) == ["anyOf"] else [rest, null]
        return result

    def before_added(self, result: Written, own: set[str]) -> Written:
        """The description before all that the author did not write there (a target's words, a lone branch's)."""
        if own & {"oneOf", "enum", "type"}:
            own = own | {"anyOf"}
        if "prefixItems" in own:
            own = own | {"items"}
        later = [word for word in result if word in ADDED[2:] and word not in own]
        if not later:
            return result
        words = [word for word in result if word != "description"]
        words.insert(words.index(later[0]), "description")
        moved = Written({word: result[word] for word in words})
        moved.encoded, moved.added = result.encoded, result.added
        return moved

    # --- JSON text ----------------------------------------------------------------------------------------------

    def text(self, node: Node, role: Role) -> Written:
        """The node as a string that holds JSON: all its rules are said."""
        together = {}
        said = node.copy()
        for word, value in node.words.items():
            if is_assertion(word) and word not in SAID:
                said.words.pop(word)
                if word in ("properties", "required", "patternProperties") and not value:
                    continue
                if word == "type" and (node.cut or len(type_list(node.words) or []) == 1):
                    continue
                together[word] = value
        if together:
            said.leftovers.insert(0, (together, node.path))
        sentences = self.said_of(said, {"title", "description"}, role, everything=True)
        result = Written({"type": "string"})
        title = self.title(node)
        if title is not None:
            result["title"] = title
        text = self.describe(said, {}, sentences, role)
        result["description"] = append(text, "Written as JSON text.")
        result.encoded = "text"
        self.lose(node.path, "type", "encoded", "Written as JSON text.")
        return result

    # --- references that stay -----------------------------------------------------------------------------------

    def spell_reference(self, node: Node, role: Role) -> Any:
        key = self.key_of(node.reference)
        self.targets.setdefault(key, node.reference)
        marker = Marker(key, node.nullable and self.nullables)
        once = key[0] in self.graph.used_once
        if (once or (key, marker.nullable) in self.inlined) and key[0] not in node.reference.merging:
            return self.again(self.written_out(node), role)
        allowed = self.rule("reference_siblings")
        kept = {
            word: value
            for word, value in node.words.items()
            if word != "$ref" and self.spells(word) and word != "description"
        }
        sentences = self.said_of(node, {"$ref", *kept}, role)
        text = self.describe(node, {}, sentences, role)
        has_description = text or ("description" in node.words and self.spells("description"))
        beside = [*kept, *(["description"] if has_description else [])]
        result = Written()
        if all(word in allowed for word in beside):
            name, value = self.ref_word, marker
        else:
            name, value = "anyOf", [Written({self.ref_word: marker})]
        for word in node.words:
            if word == "$ref":
                result[name] = value
            elif word in kept:
                result[word] = self.copy_data(kept[word])
            elif word == "description" and has_description:
                result["description"] = text
        if text and "description" not in result:
            result["description"] = text
        return result

    def written_out(self, node: Node) -> Any:
        """The target of a reference in its place, when it is written once only."""
        siblings = node.without("$ref")
        siblings.reference = siblings.instead = None
        inside = node.reference.merging | {node.reference.location}
        found = self.gather(replace(node.reference, merging=inside))
        merged = self.merge_siblings(found, siblings, node, "$ref", node.reference, False, False)
        if merged is True and node.nullable:
            merged = Node({}, node.path)
        if isinstance(merged, Node):
            merged.nullable_last = merged.nullable_last or node.nullable
            merged.nullable = merged.nullable or node.nullable
        return merged

    # --- sentences ----------------------------------------------------------------------------------------------

    def said_of(self, node: Node, kept: set[str], role: Role, everything: bool = False) -> list[Sentence]:
        """All sentences of a node. ``kept`` are the words that are spelled (or encoded)."""
        types = self.wording.types_of(node.words) or []
        integer = bool(types) and set(types) <= {"integer", "null"}
        optional_null = role.optional
        said: list[Sentence] = []
        unspelled = {
            word: value
            for word, value in node.words.items()
            if word not in kept and (word not in ("title", "description"))
        }
        said.extend(self.sentences_of(unspelled, integer, optional_null, node.path, node.origin))
        for sentence in said:  # a rule that flattening gave comes after the node's own
            sentence.slot += 0.1 if sentence.keyword == "additionalProperties" in node.added else 0
        also = [word for word in unspelled if is_assertion(word) and word not in SAID]
        for word in also:
            if not everything:
                said.extend(self.must_also({word: unspelled[word]}, node.where(word)))
        for words, path in node.leftovers:
            together = {"additionalProperties"} if "properties" in words else set()
            own = {word: value for word, value in words.items() if word in SAID and word not in together}
            said.extend(self.sentences_of(own, integer, optional_null, path, {}))
            others = {word: value for word, value in words.items() if word not in own}
            said.extend(self.must_also(others, path, every=True))
        said.extend(node.notes)
        not_listed = ("default", "examples", "deprecated", "contentEncoding", "$schema", "$comment")
        for word in unspelled:
            if word in KNOWN_ANNOTATIONS and word not in not_listed:
                self.lose(node.where(word), word, "unspoken", "")
        return said

    def sentences_of(
        self, words: dict, integer: bool, optional_null: bool, path: str, origin: dict[str, str]
    ) -> list[Sentence]:
        found = []
        for slot, keyword, text in self.wording.sentences(words, integer, self.wire, optional_null):
            where = origin.get(keyword, path)
            if text:
                found.append(Sentence(slot, keyword, text, where))
            else:
                self.lose(where, keyword, "unspoken", "")
        return found

    def must_also(self, words: dict[str, Any], path: str, every: bool = False) -> list[Sentence]:
        words = {
            word: value
            for word, value in words.items()
            if every
            or (
                not (word in ("properties", "required", "allOf") and not value)
                and not (word in ("unevaluatedItems", "items") and self.wording.adds_nothing(value))
            )
        }
        if not words:
            return []
        text = f"Must also match: {self.wording.text_of_words(words)}."
        return [Sentence("also", word, text, path) for word in words]

    def node_admits_null(self, node: Node) -> bool:
        if node.nullable:
            return True
        values = constants_of(node.words)
        if values is not None:
            return None in values
        if node.reference is not None:
            return "null" in (self.wording.types(node.reference) or ["null"])
        if "type" in node.added:
            node = node.without("type")
        for word in unions_of(node.words):
            node = node.copy()
            node.words[word] = [one for one in node.words[word] if not self.wording.is_false(one)] or node.words[word]
        return "null" in (self.wording.types_of(node.words) or ["null"])

    def describe(self, node: Node, result: dict, sentences: list[Sentence], role: Role) -> str:
        """The node's description with its sentences, in their order."""
        text = node.words.get("description", "")
        only = self.rule("root_keywords") if role is ROOT and self.is_input else None
        is_mute = only is not None and "description" not in only
        ordered = sorted(sentences, key=lambda one: one.slot)
        for sentence in ordered:
            text = append(text, sentence.text)
            self.lose(sentence.path, sentence.keyword, "unspoken" if is_mute else sentence.effect, sentence.text)
        return text

    # --- keywords (section 9) -----------------------------------------------------------------------------------

    def keeps_word(self, word: str, value: Any) -> bool:
        """Whether the dialect spells this keyword with this value."""
        if not self.spells(word):
            if word in ASSERTIONS or word in KNOWN_ANNOTATIONS:
                return False
            return self.rule("unknown_keywords") == "keep" and (word == "x-mcp-header" or not word.startswith("x-"))
        if word == "format":
            return self.dialect.formats is None or value in self.dialect.formats
        if word == "minItems":
            limit = self.rule("min_items_limit")
            return limit is None or value <= limit
        if word == "pattern" and self.rule("patterns") == "python":
            return is_python_pattern(value)
        if word == "additionalProperties" and self.rule("closed_objects"):
            return is_closed(value)
        return True

    def copy_data(self, value: Any) -> Any:
        return copy.deepcopy(value)

    def write(self, node: Node, role: Role, unions: dict[str, list] | None = None) -> Written:
        """The node with every keyword spelled, or said."""
        unions = unions or {}
        types = type_list(node.words)
        is_union = bool(unions)
        node = node.copy() if is_union else self.without_idle(node, types)
        if self.rule("type_needed") and isinstance(node.words.get("type"), list):
            kinds = list(dict.fromkeys(node.words["type"]))
            node.words["type"] = kinds[0] if len(kinds) == 1 else kinds
        changes = self.is_input and not self.as_it_is
        is_object = types is not None and "object" in types and not is_union
        closes = self.closed and is_object
        pieces: dict[str, Any] = {}
        absent: list[str] = []
        if changes and is_object:
            absent = self.write_object(node, role, pieces, closes)
        elif not self.as_it_is and "properties" in node.words:
            absent = self.write_output_properties(node, pieces)
            if changes and "required" in node.words:
                pieces["required"] = [one for one in dict.fromkeys(node.words["required"]) if one not in absent]
        was_tuple = "prefixItems" in node.words and "items" not in node.words
        node = self.shape_array(node, pieces, types if not is_union else None)
        result = Written()
        kept: set[str] = set()
        only = self.rule("root_keywords") if changes and role is ROOT else None
        for word, value in node.words.items():
            if only is not None and word not in only and word != "description":
                continue
            if word in node.added or word == "description":
                if word == "description":
                    result["description"] = ""
                    kept.add(word)
                continue
            if word in unions:
                result[word] = unions[word]
                kept.add(word)
            elif word in pieces:
                result[word] = pieces[word]
                kept.add(word)
            elif word == "additionalProperties" and closes:
                kept.add(word)
                result[word] = False
            elif self.keeps_word(word, value):
                kept.add(word)
                result[word] = self.spell_word(word, value)
        added: dict[str, Any] = {word: value for word, value in pieces.items() if word not in result}
        for word in node.words:
            if word in node.added and word not in result and word not in added and (only is None or word in only):
                if (word == "additionalProperties" and closes) or not (
                    word in unions or self.keeps_word(word, node.words[word])
                ):
                    continue
                kept.add(word)
                added[word] = unions[word] if word in unions else self.spell_word(word, node.words[word])
        kept |= set(added) - {"description"}
        if closes:
            kept |= {"additionalProperties"}
            node = self.without_closing(node)
        if closes and "additionalProperties" not in result:
            added["additionalProperties"] = False
        if changes and role is ROOT and self.rule("root_object"):
            if "properties" not in result and "properties" not in added:
                added["properties"] = Written()
            needed = self.rule("root_keywords") is not None and "required" in self.rule("root_keywords")
            if needed and "required" not in result and "required" not in added:
                added["required"] = []
        if node.nullable and self.nullables:
            added["nullable"] = True
        self.lose_openness(node, closes)
        if "propertyNames" in node.words and closes and self.map_value(node) is not None:
            kept |= self.spelled_key_words(node)
        sentences = self.said_of(node, kept, role)
        if absent:
            names = ", ".join(self.wire(name) for name in absent)
            sentences.append(Sentence("absent", "properties", f"Must not be sent: {names}.", node.path))
        text = self.describe(node, result, sentences, role)
        if "description" in result:
            result["description"] = text
            if not text and node.words.get("description") != "":
                del result["description"]
        elif text:
            added["description"] = text
        for word in [*ADDED, *(one for one in added if one not in ADDED)]:
            if word in added:
                result[word] = added[word]
        if "nullable" in added and node.nullable_last:
            result["nullable"] = result.pop("nullable")
        elif "nullable" in added:
            place = next((word for word in node.after_nullable if word in result and word not in added), None)
            if place is None and was_tuple and "items" in result:
                place = "items"
            if place is not None:
                words = [word for word in result if word != "nullable"]
                words.insert(words.index(place), "nullable")
                result = Written({word: result[word] for word in words})
        result.added = tuple(added)
        return result

    def without_closing(self, node: Node) -> Node:
        """``unevaluatedProperties: false`` is not said of an object that is closed."""
        word = "unevaluatedProperties"
        result = node.without(word) if is_closed(node.words.get(word)) else node.copy()
        result.leftovers = [
            (words, path) for words, path in node.leftovers if not (list(words) == [word] and is_closed(words[word]))
        ]
        return result

    def without_idle(self, node: Node, types: list | None) -> Node:
        """Keywords that concern none of a node's types say nothing (``format`` apart)."""
        if not (self.is_input and self.rule("type_needed") and types):
            return node.copy()
        concerned = {word for kind in types for word in CONCERNING[kind]} | {"format"}
        idle = {word for words in CONCERNING.values() for word in words if word not in concerned}
        return node.without(*idle)

    def lose_openness(self, node: Node, closes: bool) -> None:
        if closes:
            others = self.others(node)
            if others is None or self.wording.adds_nothing(others):
                self.lose(node.where("additionalProperties"), "additionalProperties", "unreachable", "")

    def write_output_properties(self, node: Node, pieces: dict[str, Any]) -> list[str]:
        absent = []
        properties: dict[str, Any] = {}
        for name, schema in node.words["properties"].items():
            spelled = self.spell(schema, Role("property", name not in node.words.get("required", [])))
            if spelled is False and not self.rule("boolean_schemas"):
                if self.spells("not"):
                    spelled = Written({"not": {}})
                else:
                    absent.append(name)
                    continue
            properties[name] = spelled
        pieces["properties"] = properties
        return absent

    def shape_array(self, node: Node, pieces: dict[str, Any], types: list | None) -> Node:
        """``prefixItems`` and ``items`` as the dialect can have them."""
        words = node.words
        if self.as_it_is:
            return node
        if "prefixItems" in words and not self.spells("prefixItems"):
            return self.tuple_items(node, pieces)
        is_array = types is not None and "array" in types
        items = words.get("items")
        is_none = items is not None and (self.wording.is_false(items) if self.is_input else is_closed(items))
        if is_none and "prefixItems" not in words:
            if self.rule("boolean_schemas"):
                return node
            if self.spells("not"):
                pieces["items"] = Written({"not": {}})
                return node
            node = self.limit_items(node, 0)
            if self.is_input and self.rule("items_needed"):
                pieces["items"] = self.as_object(self.spell(Made({}, node.path), ITEM))
            else:
                node = node.without("items")
        elif items is None and is_array and self.is_input and self.rule("items_needed"):
            pieces["items"] = self.as_object(self.spell(Made({}, node.path), ITEM))
        return node

    def limit_items(self, node: Node, count: int) -> Node:
        """No more than so many items, as a keyword or in words."""
        result = node.copy()
        if not self.is_input:
            if "maxItems" in node.words and "prefixItems" in node.words:
                return result
            text = f"At most {plural(count, 'item', 'items')}."
            said = Sentence("items", "items", text, node.where("items"))
            said.slot += -0.5 if "prefixItems" in node.words else 0.5
            result.notes.append(said)
            return result
        if "maxItems" not in result.words:
            result.added = result.added | {"maxItems"}
        result.words["maxItems"] = min(node.words.get("maxItems", count), count)
        return result

    def tuple_items(self, node: Node, pieces: dict[str, Any]) -> Node:
        """``prefixItems`` as ``items`` (ruling 38)."""
        words = node.words
        rest = words.get("items")
        closed = rest is not None and (self.wording.is_false(rest) if self.is_input else is_closed(rest))
        positions = [position for position in words["prefixItems"] if not self.wording.is_false(position)]
        longer = not closed and not ("maxItems" in words and words["maxItems"] <= len(words["prefixItems"]))
        schemas = list(positions)
        if longer:
            schemas.append(Made({}, node.path) if rest is None else rest)
        result = node.copy()
        if closed:
            result = self.limit_items(node, len(words["prefixItems"]))
        result.words["prefixItems"] = words["prefixItems"]
        result.words.pop("items", None)
        items = self.tuple_item(schemas, node.path)
        if items is not None:
            pieces["items"] = items
            said = Sentence("tuple", "prefixItems", "", node.where("prefixItems"))
            said.text = self.tuple_sentence(words["prefixItems"])
            result.notes.append(said)
            result.words = {("items" if word == "prefixItems" else word): value for word, value in result.words.items()}
        return result

    def tuple_sentence(self, positions: list) -> str:
        return next(
            text
            for _, word, text in self.wording.sentences({"prefixItems": positions}, False, self.wire, False)
            if word == "prefixItems"
        )

    def tuple_item(self, schemas: list, path: str) -> Any:
        any_json = not schemas or any(self.wording.is_any(schema) for schema in schemas)
        if any_json:
            if not self.is_input:
                return None
            return self.as_object(self.spell(Made({}, path), ITEM))
        spelled: list[Written] = []
        for schema in schemas:
            one = self.as_object(self.spell(schema, NODE))
            if not any(plain_equal(one, other) for other in spelled):
                spelled.append(one)
        if len(spelled) == 1:
            return spelled[0]
        if self.closed and self.collide(spelled):
            return self.as_object(self.spell(Made({}, path), ITEM))
        return Written({"anyOf": spelled})

    def spell_word(self, word: str, value: Any) -> Any:
        if word in SCHEMA_MAPS:
            return Written({name: self.sub(child) for name, child in value.items()})
        if word in SCHEMA_LISTS:
            return [self.sub(child) for child in value]
        if word == "items":
            is_bare = isinstance(value, Place) and (value.raw is True or value.raw == {})
            return self.sub(value, ITEM if is_bare else NODE)
        if word in ("additionalProperties", "unevaluatedProperties", "unevaluatedItems"):
            if isinstance(value, Place) and isinstance(value.raw, bool):
                return value.raw
            return self.sub(value)
        if word in ONE_SCHEMA:
            return self.sub(value)
        return self.copy_data(once(value) if word == "enum" and not self.as_it_is else value)

    def sub(self, schema: Any, role: Role = NODE) -> Any:
        spelled = self.spell(schema, role)
        if isinstance(spelled, bool) and not self.rule("boolean_schemas"):
            return self.as_object(spelled)
        return spelled

    # --- the root -----------------------------------------------------------------------------------------------

    def spell_root(self, root: Place) -> dict[str, Any]:
        if not (self.is_input and self.rule("root_object")):
            if isinstance(root.raw, dict) and is_never(root.raw):
                return Written(self.copy_data(root.raw)) if self.as_it_is else self.as_object(False)
            spelled = self.spell_gathered(self.gather(root, at_root=True), ROOT, "")
            return self.as_object(spelled)
        node = self.gather(root, at_root=True)
        spelled = False if node is False else self.spell_input(Node({}, "") if node is True else node, ROOT)
        if spelled is False:  # nothing is accepted: an object without properties
            self.lose("", "type", "unreachable", "")
            spelled = self.spell_input(Node({"type": "object"}, ""), ROOT)
        only = self.rule("root_keywords")
        if only is not None:
            for word in spelled:
                if word not in only:
                    self.lose("", word, "unspoken", "")
            spelled = Written({word: value for word, value in spelled.items() if word in only})
        return spelled


# --- small helpers ---------------------------------------------------------------------------------------------


def type_list(words: dict[str, Any]) -> list[str] | None:
    value = words.get("type")
    if value is None:
        return None
    return [value] if isinstance(value, str) else list(value)


def kinds_of(values: list) -> list[str]:
    """The JSON types of values: numbers are integers only when all of them are."""
    kinds = list(dict.fromkeys(json_type(value) for value in values))
    if "number" in kinds and "integer" in kinds:
        kinds = list(dict.fromkeys("number" if kind == "integer" else kind for kind in kinds))
    return kinds


def once(values: list) -> list:
    """JSON values, equal ones once."""
    found: list = []
    for value in values:
        if not any(equal(value, other) for other in found):
            found.append(value)
    return found


def admits(types: list[str], value: Any) -> bool:
    kind = json_type(value)
    if kind == "integer" or (kind == "number" and value == int(value)):
        return "integer" in types or "number" in types
    return kind in types


def found_type(explicit: list[str] | None, kind: str, values: list) -> str:
    """The type as the author wrote it, else as the values have it."""
    if kind in ("integer", "number"):
        if explicit is not None:
            return next(one for one in explicit if one in ("integer", "number"))
        return "integer" if all(isinstance(value, int) for value in values) else "number"
    return kind


def rename(node: Node, word: str, new: str, value: Any) -> Node:
    """A rewritten keyword takes the place of the one it replaces."""
    result = node.copy()
    result.words = {}
    for one, old in node.words.items():
        if one == word:
            result.words[new] = value
        elif one != new:
            result.words[one] = old
    result.origin[new] = node.where(word)
    return result


def stands_for(word: str, targets: dict) -> bool:
    return word in ("enum", "const") and ("enum" in targets or "const" in targets)


def plain_equal(a: Any, b: Any) -> bool:
    """JSON equality of spelled values that may hold markers."""
    if isinstance(a, Marker) or isinstance(b, Marker):
        return isinstance(a, Marker) and a == b
    if isinstance(a, dict) and isinstance(b, dict):
        return set(a) == set(b) and all(plain_equal(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(plain_equal(one, other) for one, other in zip(a, b, strict=False))
    if isinstance(a, (dict, list)) or isinstance(b, (dict, list)):
        return False
    return canon(a) == canon(b)


def set_added(result: Written, word: str, value: Any) -> None:
    """Set a word that may be new: then it goes where added words go."""
    if word in result:
        result[word] = value
        return
    result[word] = value
    result.added = (*result.added, word)
    for later in ADDED:
        if later in result.added:
            result[later] = result.pop(later)


def append_all(text: str, more: list[str]) -> str:
    for one in more:
        text = append(text, one)
    return text


def is_python_pattern(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    plain = re.sub(r"\\\\", "", pattern)
    if re.search(r"\\[bB]", plain) or re.search(r"\\[1-9]", plain):
        return False
    return not re.search(r"\(\?(?:=|!|<=|<!|P=)", plain)
