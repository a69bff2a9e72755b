"""Unions: alternatives multiplied out, flattened into one object, told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.twin.merging import MOST_BRANCHES, Node, alike, both, distinct, matches, merge, path_of
from tests.twin.reading import ASSERTIONS, Place, read
from tests.twin.words import Made, Sentence, canon, compact, constants_of, equal

if TYPE_CHECKING:
    from tests.twin.walk import Walk

FLATTENED_BESIDE = (
    "properties",
    "required",
    "additionalProperties",
    "unevaluatedProperties",
    "patternProperties",
    "propertyNames",
)


def unions_of(words: dict[str, Any]) -> list[str]:
    return [word for word in words if word in ("anyOf", "oneOf")]


# --- telling branches apart ------------------------------------------------------------------------------------


def are_disjoint(walk: Walk, branches: list) -> bool:
    return all(two_are_disjoint(walk, branches[i], branches[j]) for i in range(len(branches)) for j in range(i))


def two_are_disjoint(walk: Walk, a: Any, b: Any) -> bool:
    ours, theirs = walk.wording.types(a), walk.wording.types(b)
    if ours is not None and theirs is not None and not share_a_type(ours, theirs):
        return True
    ours, theirs = required_constants(walk, a), required_constants(walk, b)
    return any(
        name in theirs and not any(equal(one, other) for one in values for other in theirs[name])
        for name, values in ours.items()
    )


def share_a_type(ours: list[str], theirs: list[str]) -> bool:
    wide = {"number" if one == "integer" else one for one in theirs}
    return any(("number" if one == "integer" else one) in wide for one in ours)


def required_constants(walk: Walk, schema: Any) -> dict[str, list]:
    """The properties a schema requires that hold constants, with their values."""
    found: dict[str, list] = {}
    required: list[str] = []
    properties: dict[str, Any] = {}
    for words in walk.wording.peek(schema):
        required.extend(words.get("required", []))
        for name, child in words.get("properties", {}).items():
            properties.setdefault(name, child)
    for name in required:
        if name in properties:
            values = walk.wording.constants(properties[name])
            if values is not None:
                found[name] = values
    return found


# --- alternatives ----------------------------------------------------------------------------------------------


def product(walk: Walk, node: Node) -> tuple[list, bool]:
    """``anyOf`` and ``oneOf`` of one node multiplied; False when that passes 16 branches."""
    first, second = unions_of(node.words)
    branches, others = node.words[first], node.words[second]
    if len(branches) * len(others) > MOST_BRANCHES:
        return [], False
    return [both(one, other) for one in branches for other in others], True


def alternatives(walk: Walk, branches: list) -> list[Node]:
    """Every alternative of a union resolved; its own unions multiplied out, up to 16 in all."""
    branches = [branch for branch in branches if not walk.wording.is_impossible(branch)]
    gathered = [walk.gather(branch, merging=True) for branch in branches]
    nodes = [Node({}, path_of(branches[i])) if one is True else one for i, one in enumerate(gathered)]
    nodes = [node for node in nodes if node is not False]
    multiplied: list[Node] = []
    for node in nodes:
        multiplied.extend(multiply(walk, node, 0))
        if len(multiplied) > MOST_BRANCHES:
            return [say_unions(node) for node in nodes]
    return multiplied


def multiply(walk: Walk, node: Node, depth: int) -> list[Node]:
    unions = unions_of(node.words)
    if not unions or depth > MOST_BRANCHES:
        return [say_unions(node)]
    rest = node.without(unions[0])
    result = []
    for branch in node.words[unions[0]]:
        if walk.wording.is_impossible(both(Made(rest.words, rest.path), branch)):
            continue
        merged, _ = merge(rest, walk.gather(branch, merging=True), "first")
        if merged is not False:
            result.extend(multiply(walk, merged, depth + 1))
        if len(result) > MOST_BRANCHES:
            break
    return result


def say_unions(node: Node) -> Node:
    unions = unions_of(node.words)
    if not unions:
        return node
    result = node.without(*unions)
    result.leftovers.extend(({word: node.words[word]}, node.where(word)) for word in unions)
    return result


def can_be_object(walk: Walk, node: Node) -> bool:
    types = node.words.get("type", "object")
    return types == "object" or "object" in types


# --- flattening ------------------------------------------------------------------------------------------------


def flatten(walk: Walk, node: Node, word: str, branches: list, head: str) -> tuple[Any, bool]:
    """One object in the place of a union of objects, and whether one alternative was left, which the node became.

    ``head`` begins the sentence.
    """
    where = node.where(word)
    all_of_them = alternatives(walk, branches)
    kept = [one for one in all_of_them if can_be_object(walk, one)]
    if len(kept) < len(all_of_them):
        walk.lose(where, word, "unreachable", "")
    result = node.without("anyOf", "oneOf", "enum", "const")
    if len(kept) == 1:
        return walk.become(
            node.without(*(one for one in unions_of(node.words) if one != word)), word, kept[0], True
        ), True
    for one in kept:
        result.leftovers.extend(one.leftovers)
        for key in ("if", "then", "else", "dependentSchemas"):
            if key in one.words:
                result.leftovers.append(({key: one.words[key]}, one.where(key)))
    if not kept:
        if "type" in result.words:
            result.words["type"] = "object"
        return result, False
    names = {id(one): names_of(one) for one in kept}
    own = node.words.get("properties", {})
    result.words["properties"] = joined_names(walk, node, own, kept, names)
    required = joined_required(node, kept)
    if "required" in node.words or required:
        result.words["required"] = required
    join_closing(node, kept, result)
    if "type" not in result.words:
        result.words["type"] = "object"
    parts = [told(walk, one, kept, names) for one in kept]
    if any(part != "()" for part in parts):
        result.notes.append(Sentence("union", word, f"{head} {'; '.join(parts)}.", where))
    # words the node did not have come last, in the order of added words
    added = ["type", "properties", "patternProperties", "required", "additionalProperties"]
    order = [*node.words, *(name for name in added if name not in node.words)]
    result.words = {name: result.words[name] for name in order if name in result.words}
    result.added = frozenset(name for name in result.words if name not in node.words)
    return result, False


def names_of(node: Node) -> dict[str, Any]:
    """The names an alternative declares, and those it only requires."""
    return dict(node.words.get("properties", {}))


def joined_names(walk: Walk, node: Node, own: dict, kept: list[Node], names: dict) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for name, schema in own.items():
        if all(name in names[id(one)] for one in kept):
            refined = [both(schema, other) for other in distinct([names[id(one)][name] for one in kept])]
            result[name] = refined[0] if len(refined) == 1 else Made({"anyOf": refined}, path_of(schema))
        else:
            result[name] = schema
    for one in kept:
        for name in names[id(one)]:
            if name not in result:
                schemas = [names[id(other)][name] for other in kept if name in names[id(other)]]
                result[name] = joined(walk, distinct(schemas))
    for one in kept:
        for name in one.words.get("required", []):
            if name not in result:
                holder = node if {"patternProperties", "additionalProperties"} & set(node.words) else one
                result[name] = undeclared(holder.words, name, holder.path)
    return result


def undeclared(words: dict[str, Any], name: str, path: str) -> Any:
    """The schema of a name that is required but not declared (ruling 15)."""
    matching = [schema for pattern, schema in words.get("patternProperties", {}).items() if matches(pattern, name)]
    if matching:
        return both(*matching)
    others = words.get("additionalProperties")
    if others is None or is_closed(others):
        return Made({}, path)
    return others


def joined(walk: Walk, schemas: list) -> Any:
    """The schema of a name that several alternatives declare."""
    if len(schemas) == 1:
        return schemas[0]
    constants = [plain_constants(schema) for schema in schemas]
    if all(words is not None for words in constants):
        return joined_constants(schemas, constants)
    return Made({"anyOf": schemas}, path_of(schemas[0]))


def plain_constants(schema: Any) -> dict[str, Any] | None:
    """The words of a schema that is nothing but constants, with its type and annotations."""
    if isinstance(schema, Made):
        words = schema.words
    elif isinstance(schema, Place) and isinstance(schema.raw, dict):
        words = read(schema)
    else:
        return None
    asserted = {word for word in words if word in ASSERTIONS}
    return words if asserted & {"enum", "const"} and asserted <= {"enum", "const", "type"} else None


def joined_constants(schemas: list, constants: list) -> Made:
    first = constants[0]
    words = {word: value for word, value in first.items() if word not in ASSERTIONS and word != "default"}
    types = [one.get("type") for one in constants]
    if types[0] is not None and all(canon(one) == canon(types[0]) for one in types):
        words["type"] = types[0]
    values: list = []
    for one in constants:
        for value in constants_of(one) or []:
            if not any(equal(value, other) for other in values):
                values.append(value)
    words["enum"] = values
    return Made(words, path_of(schemas[0]))


def joined_required(node: Node, kept: list[Node]) -> list[str]:
    required = list(node.words.get("required", []))
    for name in kept[0].words.get("required", []):
        if all(name in one.words.get("required", []) for one in kept) and name not in required:
            required.append(name)
    return required


def others_of(node: Node) -> Any:
    if "additionalProperties" in node.words:
        return node.words["additionalProperties"]
    rest = node.words.get("unevaluatedProperties")
    return rest if is_closed(rest) else None


def is_closed(schema: Any) -> bool:
    return isinstance(schema, Place) and schema.raw is False


def join_closing(node: Node, kept: list[Node], result: Node) -> None:
    if "additionalProperties" not in node.words:
        others = [others_of(one) for one in kept]
        constraining = [
            one for one in others if one is not None and not (isinstance(one, Place) and one.raw in (True, False, {}))
        ]
        if all(is_closed(one) for one in others):
            result.words["additionalProperties"] = others[0]
        elif constraining:
            schemas = distinct(constraining)
            result.words["additionalProperties"] = (
                schemas[0] if len(schemas) == 1 else Made({"anyOf": schemas}, path_of(schemas[0]))
            )
    patterns: dict[str, list] = {}
    for one in kept:
        for pattern, schema in one.words.get("patternProperties", {}).items():
            patterns.setdefault(pattern, []).append(schema)
    own = node.words.get("patternProperties", {})
    if patterns or own:
        result.words["patternProperties"] = dict(own)
        for pattern, schemas in patterns.items():
            if pattern not in own:
                several = distinct(schemas)
                result.words["patternProperties"][pattern] = (
                    several[0] if len(several) == 1 else Made({"anyOf": several}, path_of(several[0]))
                )


def told(walk: Walk, node: Node, kept: list[Node], names: dict) -> str:
    """One alternative in the sentence of ruling 31."""
    own = names[id(node)]
    required = list(dict.fromkeys(node.words.get("required", [])))
    parts = [told_name(walk, name, own.get(name), differs(name, kept, names)) for name in required]
    for name in own:
        if name not in required and differs(name, kept, names):
            parts.append(f"[{told_name(walk, name, own[name], True)}]")
    return f"({', '.join(parts)})"


def differs(name: str, kept: list[Node], names: dict) -> bool:
    schemas = [names[id(one)][name] for one in kept if name in names[id(one)]]
    return any(not alike(schemas[0], other) for other in schemas[1:])


def told_name(walk: Walk, name: str, schema: Any, is_different: bool) -> str:
    wire = walk.wire(name)
    if schema is None and is_different:
        return f"{wire}: any JSON"
    if schema is not None:
        values = walk.wording.constants(schema)
        if values is not None and len(values) == 1:
            return f"{wire} {compact(values[0])}"
        if is_different:
            return f"{wire}: {walk.wording.phrase(schema)}"
    return wire


__all__ = ["FLATTENED_BESIDE", "alternatives", "are_disjoint", "flatten", "matches", "product"]
