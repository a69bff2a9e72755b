"""Reading FILE: which of the documents it is, and the schemas or tools in it."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import click

import toolglot as tg

from .output import one_line

Kind = Literal["schema", "tool", "tools", "result"]

# A tool that lacks its inputSchema is told from a schema by the lack of all of these.
_SCHEMA_KEYS = frozenset(
    {"$schema", "$id", "$ref", "$dynamicRef", "$defs", "definitions", "type", "properties", "items", "enum", "const"}
    | {"anyOf", "oneOf", "allOf", "not"}
)


@dataclass(frozen=True, slots=True)
class Document:
    """What FILE holds. ``items`` is the schema, the tool, or the tools; ``frame`` the object a tool list stood in."""

    kind: Kind
    items: tuple[Any, ...]
    frame: Mapping[str, Any]
    source: str

    def only(self, name: str) -> Document:
        """The document of the one tool of that name."""
        if self.kind == "schema":
            raise click.ClickException(f"{self.source} is one schema: --tool needs tools")
        names = []
        for item in self.items:
            if isinstance(item, dict) and isinstance(item.get("name"), str):
                if item["name"] == name:
                    return Document("tool", (item,), {}, self.source)
                names.append(item["name"])
        near = difflib.get_close_matches(name, names, n=1)
        hint = f"; did you mean {near[0]}?" if near else f"; it has {', '.join(names[:10])}" if names else ""
        more = ", ..." if not near and len(names) > 10 else ""
        raise click.ClickException(f"{self.source} has no tool {name}{hint}{more}")


def read(file: str) -> Document:
    """Read FILE (``-``: standard input) and tell what it is; ``ClickException`` if it is none of them."""
    source = "standard input" if file == "-" else file
    return _document(_parse(_bytes(file, source), source), source)


def _bytes(file: str, source: str) -> bytes:
    try:
        if file != "-":
            return Path(file).read_bytes()
        return b"" if sys.stdin is None else sys.stdin.buffer.read()
    except FileNotFoundError:
        raise click.ClickException(f"{source}: there is no such file") from None
    except IsADirectoryError:
        raise click.ClickException(f"{source} is a directory; name a JSON file in it") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise click.ClickException(f"{source} cannot be read: {reason}") from None


def _parse(data: bytes, source: str) -> Any:
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return tg.loads(data)
    except tg.SchemaError as error:
        raise click.ClickException(f"{source}: {one_line(error.message)}") from None


def _document(value: Any, source: str) -> Document:
    if isinstance(value, list):
        return Document("tools", tuple(value), {}, source)
    if isinstance(value, dict):
        if "jsonrpc" in value:
            if "result" not in value:
                raise click.ClickException(f"{source} is a JSON-RPC message without a result; give a tools/list result")
            value = value["result"]
            if not isinstance(value, dict) or "tools" not in value:
                raise click.ClickException(f"{source} is a JSON-RPC response without result.tools")
        if isinstance(value.get("tools"), list):
            return Document("result", tuple(value["tools"]), value, source)
        if _is_tool(value):
            return Document("tool", (value,), {}, source)
        if "tools" in value and not value.keys() & _SCHEMA_KEYS:
            raise click.ClickException(f"{source}: tools should be a list")
        return Document("schema", (value,), {}, source)
    raise click.ClickException(f"{source} holds no schema, tool or list of tools")


def _is_tool(value: dict[str, Any]) -> bool:
    """Whether an object is a tool: by its schema, its name, or the ``type`` that other APIs give a tool."""
    if "inputSchema" in value or value.get("type") in ("function", "custom"):
        return True
    return isinstance(value.get("name"), str) and not value.keys() & _SCHEMA_KEYS
