"""Looking at spelled schemas: containers, text, the node under a name, what a call to the outside would be."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import unquote

from tests.oracles.structure import nodes

DIALECTS = ("canonical", "flat", "openai_strict", "anthropic_strict", "bedrock_strict", "nova", "gemini")
STRICT = ("openai_strict", "anthropic_strict", "bedrock_strict")
RENAMING = ("anthropic_strict", "bedrock_strict")
NULL = {"type": "null"}
JSON_TEXT = "Written as JSON text."
ENTRIES = "Written as a list of entries, each key once."


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def containers(value: Any) -> Iterator[Any]:
    """Every dict and list of a JSON value, one as often as it is met."""
    work = [value]
    while work:
        found = work.pop()
        if isinstance(found, (dict, list)):
            yield found
            work.extend(found.values() if isinstance(found, dict) else found)


def size(value: Any) -> int:
    """The number of JSON values, keys not counted."""
    count, work = 0, [value]
    while work:
        found = work.pop()
        count += 1
        if isinstance(found, (dict, list)):
            work.extend(found.values() if isinstance(found, dict) else found)
    return count


def depth(value: Any) -> int:
    """The number of containers around the innermost value."""
    deepest, work = 0, [(value, 0)]
    while work:
        found, level = work.pop()
        if isinstance(found, (dict, list)):
            deepest = max(deepest, level + 1)
            work.extend((item, level + 1) for item in (found.values() if isinstance(found, dict) else found))
    return deepest


def fresh(value: Any) -> Any:
    """A copy that shares no container with anything, within itself neither; no recursion."""
    if not isinstance(value, (dict, list)):
        return value
    out: Any = {} if isinstance(value, dict) else []
    work = [(value, out)]
    while work:
        old, new = work.pop()
        for key, item in old.items() if isinstance(old, dict) else enumerate(old):
            made: Any = {} if isinstance(item, dict) else [] if isinstance(item, list) else item
            if isinstance(old, dict):
                new[key] = made
            else:
                new.append(made)
            if made is not item and isinstance(item, (dict, list)):
                work.append((item, made))
    return out


def schemas(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema object, wherever a schema may stand; data and names are none."""
    for _, _, node in nodes(schema):
        if isinstance(node, dict):
            yield node


def keywords(schema: Any) -> set[str]:
    return {key for node in schemas(schema) for key in node}


def said(schema: Any) -> str:
    """All descriptions of a schema, one a line."""
    return "\n".join(node["description"] for node in schemas(schema) if isinstance(node.get("description"), str))


def at(document: Any, pointer: str) -> Any:
    """The value a JSON Pointer leads to (no percent decoding); KeyError where it leads nowhere."""
    for token in pointer.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        document = document[int(token)] if isinstance(document, list) else document[token]
    return document


def target(root: Any, node: Any) -> Any:
    """What a reference in the form ``#/...`` refers to, through further references; other nodes as they are."""
    seen: set[str] = set()
    while isinstance(node, dict):
        reference = node.get("$ref", node.get("ref"))
        if not isinstance(reference, str) or not reference.startswith("#") or reference in seen:
            break
        seen.add(reference)
        node = at(root, unquote(reference[1:]))
    return node


def bare(node: Any) -> Any:
    """The node without what ``openai_strict`` puts around it: the null branch of an ``anyOf``, an ``anyOf`` of one."""
    if not isinstance(node, dict) or not isinstance(node.get("anyOf"), list):
        return node
    branches = [branch for branch in node["anyOf"] if branch != NULL]
    around = {key: value for key, value in node.items() if key != "anyOf"}
    return {**branches[0], **around} if len(branches) == 1 else {**around, "anyOf": branches}


def admits_null(root: Any, node: Any) -> bool:
    """Whether a spelled node lists null, through references and unions."""
    node = target(root, node)
    if not isinstance(node, dict):
        return node is True
    types = node.get("type")
    if types == "null" or (isinstance(types, list) and "null" in types and "enum" not in node and "const" not in node):
        return True
    if node.get("nullable") is True:
        return True
    return any(admits_null(root, branch) for branch in node.get("anyOf", ()))


def settled(root: Any, node: Any) -> Any:
    """The node itself: through references and around the null branch, until neither is there."""
    while True:
        found = target(root, bare(node))
        if found is node or found == node:
            return found
        node = found


def under(root: Any, *names: str) -> Any:
    """The node of a parameter, by names of properties (``[]``: items), through references and the null branch."""
    node = settled(root, root)
    for name in names:
        node = settled(root, node["items"] if name == "[]" else node["properties"][name])
    return node


def safe_key(key: str) -> str:
    """Ruling 43, written once more: the key that vendors with a key pattern are shown."""
    if re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", key):
        return key
    clean = re.sub(r"[^a-zA-Z0-9_.-]", "_", key)
    return f"{clean[:55]}_{hashlib.sha256(key.encode()).hexdigest()[:8]}"


class _Trap:
    """What a process did while the trap was set: an audit hook cannot be taken out again, only be told to look away."""

    def __init__(self) -> None:
        self.set = False
        self.events: list[str] = []
        self.hooked = False

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.set and event.startswith(("open", "socket.", "urllib.", "os.", "subprocess.", "http.", "import")):
            self.events.append(f"{event} {arguments[:1]!r}")


_TRAP = _Trap()


@contextmanager
def trapped() -> Iterator[list[str]]:
    """Sockets, files, processes and imports are noted while this holds; the list tells which."""
    if not _TRAP.hooked:
        sys.addaudithook(_TRAP)
        _TRAP.hooked = True
    _TRAP.events, _TRAP.set = [], True
    try:
        yield _TRAP.events
    finally:
        _TRAP.set = False
