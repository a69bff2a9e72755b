# cython: language_level=3
"""The intersection of two schema objects (neither a reference, neither with allOf).

What has no exact intersection stays as the first one has it; the other's keywords are left over, to be said.
"""
import re
from math import lcm
from re import _parser as parser

from toolglot.core.keywords cimport *
from toolglot.core.wording cimport json_equal, json_key

# What Python's `re` may one day read as an operation on sets, and warns of.
cdef tuple AMBIGUOUS = ("[[", "--", "&&", "~~", "||")
# How a pattern behaves: (compiled, variable repeats), or None where it is not worked out.
cdef dict COMPILED = {}
cdef double MAX_MATCHING = 1e6


class Undecided(Exception):
    """A pattern that is not matched against a name: it does not compile, or could take forever."""


def _repeats(parsed, inside=False):
    """The repeats of variable length in a parsed pattern; raises Undecided where one stands in another or over a
    choice, or where a group is referred to: those may take exponential time."""
    count = 0
    for operator, argument in parsed:
        name = str(operator)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            low, high, body = argument
            if int(high) > 1 and inside:
                raise Undecided()
            count += _repeats(body, inside or int(high) > 1) + (int(low) != int(high))
        elif name == "BRANCH":
            if inside:
                raise Undecided()
            count += max(_repeats(branch, inside) for branch in argument[1])
        elif name == "SUBPATTERN":
            count += _repeats(argument[3], inside)
        elif name in ("ASSERT", "ASSERT_NOT"):
            count += _repeats(argument[1], inside)
        elif name == "ATOMIC_GROUP":
            count += _repeats(argument, inside)
        elif name in ("GROUPREF", "GROUPREF_EXISTS"):
            raise Undecided()
    return count


cdef bint pattern_matches(str pattern, str name) except -1:
    """Whether a pattern of patternProperties matches a name. Raises Undecided where that is not worked out."""
    known = COMPILED.get(pattern, COMPILED)
    if known is COMPILED:
        try:
            if any(mark in pattern for mark in AMBIGUOUS):
                raise Undecided()
            known = (re.compile(pattern), _repeats(parser.parse(pattern)))
        except (re.error, RecursionError, OverflowError, Undecided):
            known = None
        if len(COMPILED) > 1000:
            COMPILED.clear()
        if len(pattern) <= 256:
            COMPILED[pattern] = known
    if known is None or <double>(len(name) + 1) ** <int>(known[1] + 1) > MAX_MATCHING:
        raise Undecided()
    return known[0].search(name) is not None


cdef bint adds_nothing(object schema):
    """Whether a schema accepts everything: `true`, `{}`, annotations only."""
    if schema is True:
        return True
    if type(schema) is not dict:
        return False
    for key in <dict>schema:
        if not is_annotation(code_of(key)):
            return False
    return True


cdef list value_list(dict node):
    """The values that `const` and `enum` leave, None if the node has neither."""
    if "const" in node:
        if type(node.get("enum")) is list:
            if not any(json_equal(node["const"], value) for value in node["enum"]):
                return []
        return [node["const"]]
    values = node.get("enum")
    return values if type(values) is list else None


cdef object same_types(object first, object second):
    """The types in common, in the first one's order; None if there are none."""
    cdef list mine = [first] if type(first) is str else list(first)
    cdef list yours = [second] if type(second) is str else list(second)
    cdef list kept = []
    for one in mine:
        if one in yours or (one == "integer" and "number" in yours):
            kept.append(one)
        elif one == "number" and "integer" in yours:
            kept.append("integer")
    if not kept:
        return None
    if len(kept) == len(mine) and kept == mine:
        return first
    return kept[0] if len(kept) == 1 else kept


cdef dict renamed(dict node, str old, str new, object value):
    """A copy of a node with one keyword replaced at its place."""
    cdef dict out = {}
    for key, item in node.items():
        if key == old:
            out[new] = value
        elif key != new:
            out[key] = item
    return out


cdef dict picked(dict node, tuple names):
    return {key: node[key] for key in node if key in names}


cdef tuple CONTAINS = ("contains", "minContains", "maxContains")
cdef tuple CONDITION = ("if", "then", "else")
cdef tuple OBJECT_GROUP = ("properties", "patternProperties", "additionalProperties", "unevaluatedProperties")
cdef tuple ARRAY_GROUP = ("items", "prefixItems", "contains", "unevaluatedItems")


cdef bint has_any(dict node, tuple names):
    for name in names:
        if name in node:
            return True
    return False


cdef int merge_into(dict node, dict other, list left, bint node_inner, bint other_inner, bint other_wins,
                    list owned=None) except -1:
    """Makes `node` match `other` too. `inner`: the side stands in a target or an allOf branch, so that its
    `unevaluated*` sees only itself. `other_wins`: annotations of `other` override. `owned` holds the properties that
    an earlier merge into this node made, so that a thousand branches do not copy them a thousand times."""
    cdef int code
    cdef bint contains_done = False, condition_done = False
    cdef dict replacement, objects = None, arrays = None
    cdef bint had_objects = has_any(node, OBJECT_GROUP), had_arrays = has_any(node, ARRAY_GROUP)
    for group, keyword in ((OBJECT_GROUP, "unevaluatedProperties"), (ARRAY_GROUP, "unevaluatedItems")):
        if keyword in node and node_inner and has_any(other, group):
            left.append({keyword: node.pop(keyword)})
    for key, value in list(other.items()):
        code = code_of(key)
        if code < 0 or is_annotation(code):
            if key not in node or other_wins:
                node[key] = value
            continue
        if code == K_PROPERTIES or code == K_PATTERNPROPS or code == K_ADDITIONAL:
            if objects is None:
                objects = merge_objects(node, other, left, owned)
            if key in objects:
                node[key] = objects.pop(key)
            continue
        if code == K_ITEMS or code == K_PREFIXITEMS:
            if arrays is None:
                arrays = merge_arrays(node, other)
            if key in arrays:
                node[key] = arrays.pop(key)
            continue
        if code == K_UNEVALPROPS or code == K_UNEVALITEMS:
            group = OBJECT_GROUP if code == K_UNEVALPROPS else ARRAY_GROUP
            if key in node:
                if not json_equal(node[key], value):
                    left.append({key: value})
            elif other_inner and (had_objects if code == K_UNEVALPROPS else had_arrays):
                left.append({key: value})
            else:
                node[key] = value
            continue
        if code == K_CONTAINS or code == K_MINCONTAINS or code == K_MAXCONTAINS:
            if not contains_done:
                contains_done = True
                merge_group(node, other, CONTAINS, "contains", left)
            continue
        if code == K_IF or code == K_THEN or code == K_ELSE:
            if not condition_done:
                condition_done = True
                merge_group(node, other, CONDITION, "if", left)
            continue
        if code == K_ENUM or code == K_CONST:
            if "enum" in node or "const" in node:
                replacement = merge_values(node, other, key, value, left)
                if replacement is not None:
                    node.clear()
                    node.update(replacement)
            else:
                node[key] = value
            continue
        if key not in node:
            node[key] = value
            continue
        merge_keyword(node, key, code, node[key], value, left)
    for group in (objects, arrays):
        if group:
            node.update(group)
    return 0


cdef dict merge_values(dict node, dict other, str key, object value, list left):
    """enum and const of both sides; the replacement of the node, or None when it stays."""
    cdef list mine = value_list(node), common = []
    cdef list yours = [value] if key == "const" else value
    if type(yours) is not list:
        left.append({key: value})
        return None
    known = {json_key(two) for two in yours}
    for one in mine:
        if json_key(one) in known:
            common.append(one)
    if not common:
        left.append({key: value})
        return None
    if "const" in node:
        return None
    if key == "const":
        return renamed(node, "enum", "const", common[0])
    if len(common) != len(mine):
        node["enum"] = common
    return None


cdef int merge_keyword(dict node, str key, int code, object mine, object yours, list left) except -1:
    cdef object kept
    if code == K_TYPE:
        kept = same_types(mine, yours)
        if kept is None:
            left.append({key: yours})
        else:
            node[key] = kept
    elif code in (K_MINIMUM, K_XMINIMUM, K_MINLENGTH, K_MINITEMS, K_MINPROPS):
        if yours > mine:
            node[key] = yours
    elif code in (K_MAXIMUM, K_XMAXIMUM, K_MAXLENGTH, K_MAXITEMS, K_MAXPROPS):
        if yours < mine:
            node[key] = yours
    elif code == K_MULTIPLEOF:
        if mine == yours:
            pass
        elif type(mine) is not type(yours) or not mine or not yours:
            left.append({key: yours})
        elif mine % yours == 0:
            pass
        elif yours % mine == 0:
            node[key] = yours
        elif type(mine) is int and type(yours) is int and mine and yours:
            node[key] = lcm(mine, yours)
        else:
            left.append({key: yours})
    elif code == K_UNIQUEITEMS:
        if yours is True:
            node[key] = True
    elif code == K_REQUIRED:
        node[key] = list(dict.fromkeys([*mine, *yours]))
    elif code == K_PROPNAMES:
        node[key] = both(mine, yours)
    elif code == K_DEPREQUIRED:
        kept = dict(mine)
        for name, names in yours.items():
            kept[name] = list(dict.fromkeys([*kept.get(name, ()), *names]))
        node[key] = kept
    elif code == K_DEPSCHEMAS:
        kept = dict(mine)
        for name, schema in yours.items():
            kept[name] = both(kept[name], schema) if name in kept else schema
        node[key] = kept
    elif json_equal(mine, yours):
        pass
    elif code == K_ANYOF and type(mine) is list and type(yours) is list and len(mine) * len(yours) <= 16:
        node[key] = [both(one, two) for one in mine for two in yours]
    else:
        left.append({key: yours})
    return 0


cdef int merge_group(dict node, dict other, tuple names, str head, list left) except -1:
    cdef dict mine = picked(node, names), yours = picked(other, names)
    if head not in node:
        for name in names:
            node.pop(name, None)
        node.update(yours)
    elif head in other and not json_equal(mine, yours):
        left.append(yours)
    return 0


cdef dict merge_objects(dict node, dict other, list left, list owned):
    """The merged keywords of the object group, each to be written where it stands first."""
    cdef dict out = {}
    cdef dict mine = node.get("properties") or {}, yours = other.get("properties") or {}
    cdef dict my_patterns = node.get("patternProperties") or {}, your_patterns = other.get("patternProperties") or {}
    cdef object my_rest = node.get("additionalProperties", True), your_rest = other.get("additionalProperties", True)
    cdef bint mine_closes = not adds_nothing(my_rest), yours_close = not adds_nothing(your_rest)
    cdef bint exact = True
    cdef dict merged
    if (mine_closes and any(p not in my_patterns for p in your_patterns)) or \
            (yours_close and any(p not in your_patterns for p in my_patterns)):
        exact = False
    try:
        for name in mine if your_patterns else ():
            for pattern in your_patterns:
                pattern_matches(pattern, name)
        for name in yours if my_patterns else ():
            for pattern in my_patterns:
                pattern_matches(pattern, name)
    except Undecided:
        exact = False
        your_patterns = {}
        my_patterns = {}
    if owned is not None and mine is owned[0] and exact and not mine_closes and not yours_close \
            and not my_patterns and not your_patterns:
        for name, schema in yours.items():
            mine[name] = both(mine[name], schema) if name in mine else schema
    elif mine or yours:
        merged = {}
        for name, schema in mine.items():
            if name in yours:
                merged[name] = both(schema, yours[name])
            elif exact:
                merged[name] = against(name, schema, your_patterns, your_rest, yours_close)
            else:
                merged[name] = schema
        for name, schema in yours.items():
            if name not in mine:
                merged[name] = against(name, schema, my_patterns, my_rest, mine_closes)
        out["properties"] = merged
        if owned is not None:
            owned[0] = merged
    elif "properties" in other and "properties" not in node:
        out["properties"] = {}
    if not exact:
        rest = picked(other, ("patternProperties", "additionalProperties"))
        if rest:
            left.append(rest)
        return out
    if "patternProperties" in other:
        merged = dict(my_patterns)
        for pattern, schema in your_patterns.items():
            merged[pattern] = both(merged[pattern], schema) if pattern in merged else schema
        out["patternProperties"] = merged
    if "additionalProperties" in other:
        if "additionalProperties" in node:
            out["additionalProperties"] = both(my_rest, your_rest)
        else:
            out["additionalProperties"] = your_rest
    return out


cdef object against(str name, object schema, dict patterns, object rest, bint closes):
    """A property that the other side does not declare, under the other side's patterns and rest."""
    cdef bint matched = False
    for pattern, more in patterns.items():
        if pattern_matches(pattern, name):
            matched = True
            schema = both(schema, more)
    if closes and not matched:
        schema = both(schema, rest)
    return schema


cdef dict merge_arrays(dict node, dict other):
    """The merged keywords of the array group, likewise."""
    cdef dict out = {}
    cdef object my_rest = node.get("items", True), your_rest = other.get("items", True)
    cdef list mine = node.get("prefixItems") or [], yours = other.get("prefixItems") or [], merged
    cdef Py_ssize_t at
    if mine or yours:
        merged = []
        for at in range(max(len(mine), len(yours))):
            one = mine[at] if at < len(mine) else my_rest
            two = yours[at] if at < len(yours) else your_rest
            merged.append(both(one, two))
        out["prefixItems"] = merged
    if "items" in other:
        out["items"] = both(my_rest, your_rest) if "items" in node else your_rest
    return out
