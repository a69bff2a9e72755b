"""Two independent converters for schemas spelled in the gemini family.

The family writes null as ``nullable: true`` and, on Vertex, references as ``ref: "#/defs/NAME"`` with ``defs`` at the
root. ``to_json_schema`` gives the JSON Schema 2020-12 that says the same, so that a judge can run it. ``to_proto``
gives the proto JSON of Google's ``Schema`` message, so that the message itself can refuse it. The two share neither
tables nor walk, and nothing with the rewriter: a mistake in one of the three shows as a disagreement.

Both walk with a list instead of the call stack, give a new document that shares no container with the input, and
stop with ``ValueError`` past ``MAX_DEPTH`` nested containers. Names of properties and of definitions are data: a
property called ``nullable``, ``ref`` or ``type`` stays a name. Contents of ``enum``, ``default`` and ``example`` are
data too.

Source: https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/Schema and the descriptors of
``google-cloud-aiplatform`` and ``google-ai-generativelanguage`` (November 2026).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

#: Nested containers that a schema may have: the depth the rest of the package reads and writes.
MAX_DEPTH = 254

#: The two ``Schema`` messages: Vertex AI's (``gemini``) and the Developer API's (``gemini_api``).
ProtoMessage: TypeAlias = Literal["aiplatform", "generativelanguage"]

_DEFINITION = re.compile(r"#/defs/([A-Za-z0-9_.-]+)")


def to_json_schema(spelled: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema 2020-12 that accepts what a schema of the gemini family accepts.

    ``nullable: true`` lets the node accept null: null joins ``type`` (a list then), ``enum`` and ``anyOf``; a node
    that holds a reference (or another keyword that null would have to pass) becomes ``anyOf`` of itself and null.
    ``ref``/``defs`` become ``$ref``/``$defs``. Everything else stays, in its order.

    ``spelled`` is an object like ``{"type": "object", "properties": {"a": {"type": "string", "nullable": true}}}``;
    that gives ``{"type": "object", "properties": {"a": {"type": ["string", "null"]}}}``.

    Raises ``ValueError``, naming the place as a JSON Pointer: a schema that is neither object nor boolean, a ``ref``
    that is neither ``#`` nor ``#/defs/NAME`` (``NAME`` of ``A-Z a-z 0-9 _ . -``), or nesting past ``MAX_DEPTH``.
    """
    root: dict[str, Any] = {}
    work: list[tuple[Mapping[str, Any], dict[str, Any], str, int]] = [(_object(spelled, "", 1), root, "", 1)]

    def child(value: Any, place: str, level: int) -> Any:
        if isinstance(value, bool):
            return value
        made: dict[str, Any] = {}
        work.append((_object(value, place, level), made, place, level))
        return made

    while work:
        node, out, at, depth = work.pop()
        for key, value in node.items():
            place = f"{at}/{key}"
            if key == "nullable":
                continue
            if key == "ref":
                out["$ref"] = _json_pointer(value, place)
            elif key in ("properties", "defs"):
                members = _object(value, place, depth + 1)
                out["$defs" if key == "defs" else key] = {
                    name: child(member, f"{place}/{_token(name)}", depth + 2) for name, member in members.items()
                }
            elif key == "anyOf" and isinstance(value, (list, tuple)):
                out[key] = [child(branch, f"{place}/{index}", depth + 2) for index, branch in enumerate(value)]
            elif key in ("items", "additionalProperties"):
                out[key] = child(value, place, depth + 1)
            else:
                out[key] = _data(value, place, depth + 1)
        if node.get("nullable") is True:
            _admit_null(out)
    return root


def to_proto(spelled: Mapping[str, Any], message: ProtoMessage = "aiplatform") -> dict[str, Any]:
    """The proto JSON of Google's ``Schema`` message for a schema of the gemini family.

    ``type`` is written in upper case, as the names of the message's enum are; field names are those of the protobuf
    JSON mapping (``anyOf``, ``minItems``, ``additionalProperties``), which the family's keywords already are.
    Every keyword is handed on, known or not, and every value as it is: the message refuses what it does not know
    (``google.protobuf.json_format.ParseDict``), just where the API answers 400.

    ``message`` says whose message: ``"aiplatform"`` (Vertex AI, with ``ref``, ``defs`` and ``additionalProperties``)
    or ``"generativelanguage"`` (the Developer API, without).

    ``spelled`` is an object like ``{"type": "object", "properties": {"a": {"type": "string", "nullable": true}}}``;
    that gives ``{"type": "OBJECT", "properties": {"a": {"type": "STRING", "nullable": true}}}``.

    Raises ``ValueError``, naming the place as a JSON Pointer: one of the three fields that generativelanguage's
    message does not have, a schema that is no object, or nesting past ``MAX_DEPTH``; also for an unknown ``message``.
    """
    if message not in ("aiplatform", "generativelanguage"):
        raise ValueError(f"no such message: {message!r}; messages are aiplatform, generativelanguage")
    vertex = message == "aiplatform"
    root: dict[str, Any] = {}
    pending: list[tuple[Mapping[str, Any], dict[str, Any], str, int]] = [(_object(spelled, "", 1), root, "", 1)]

    def message_for(source: Any, pointer: str, containers: int) -> dict[str, Any]:
        target: dict[str, Any] = {}
        pending.append((_object(source, pointer, containers), target, pointer, containers))
        return target

    while pending:
        source, target, at, containers = pending.pop()
        for name, value in source.items():
            pointer = f"{at}/{name}"
            if not vertex and name in ("ref", "defs", "additionalProperties"):
                raise ValueError(f"{pointer}: generativelanguage's Schema message has no such field")
            match name:
                case "type" if isinstance(value, str):
                    target[name] = value.upper()
                case "items":
                    target[name] = message_for(value, pointer, containers + 1)
                case "anyOf" if isinstance(value, (list, tuple)):
                    target[name] = [
                        message_for(value[index], f"{pointer}/{index}", containers + 2) for index in range(len(value))
                    ]
                case "properties" | "defs":
                    entries: dict[str, Any] = {}
                    for entry, schema in _object(value, pointer, containers + 1).items():
                        entries[entry] = message_for(schema, f"{pointer}/{_token(entry)}", containers + 2)
                    target[name] = entries
                case "additionalProperties" if not isinstance(value, bool):
                    target[name] = message_for(value, pointer, containers + 1)
                case _:
                    target[name] = _data(value, pointer, containers + 1)
    return root


def _admit_null(out: dict[str, Any]) -> None:
    """Let a converted node (its children may still be empty) accept null."""
    beyond = {"$ref", "const", "oneOf", "allOf", "not", "if"} & out.keys()
    if beyond:
        notes: dict[str, Any] = {key: out[key] for key in ("title", "description") if key in out}
        definitions: dict[str, Any] = {"$defs": out["$defs"]} if "$defs" in out else {}
        rest = {key: value for key, value in out.items() if key not in notes and key not in definitions}
        out.clear()
        out.update(notes, anyOf=[rest, {"type": "null"}], **definitions)
        return
    types = out.get("type")
    if isinstance(types, str):
        out["type"] = types if types == "null" else [types, "null"]
    elif isinstance(types, list) and "null" not in types:
        types.append("null")
    values = out.get("enum")
    if isinstance(values, list) and None not in values:
        values.append(None)
    branches = out.get("anyOf")
    if isinstance(branches, list):
        branches.append({"type": "null"})


def _json_pointer(value: Any, at: str) -> str:
    """``#`` or ``#/defs/NAME`` as JSON Schema writes it."""
    if value == "#":
        return "#"
    found = _DEFINITION.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise ValueError(f"{at}: a ref must be # or #/defs/NAME")
    return f"#/$defs/{found[1]}"


def _object(value: Any, at: str, depth: int) -> Mapping[str, Any]:
    """``value`` where an object has to be, ``depth`` containers down."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{at or '#'}: must be an object, not {type(value).__name__}")
    if depth > MAX_DEPTH:
        raise ValueError(f"{at}: nested past {MAX_DEPTH} containers")
    return value


def _token(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _data(value: Any, at: str, depth: int) -> Any:
    """A copy of JSON data that shares no container with it."""
    holder: list[Any] = []
    work: list[tuple[Any, Any, Any, int]] = [(value, holder, None, depth)]
    while work:
        source, target, key, level = work.pop()
        made: Any = source
        if isinstance(source, (Mapping, list, tuple)):
            if level > MAX_DEPTH:
                raise ValueError(f"{at}: nested past {MAX_DEPTH} containers")
            if isinstance(source, Mapping):
                made = dict.fromkeys(source)
                work.extend((member, made, name, level + 1) for name, member in source.items())
            else:
                made = [None] * len(source)
                work.extend((member, made, index, level + 1) for index, member in enumerate(source))
        if key is None:
            target.append(made)
        else:
            target[key] = made
    return holder[0]
