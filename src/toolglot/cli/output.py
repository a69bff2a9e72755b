"""Writing: JSON, tables, and the one line an error gets."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TextIO

import click
import orjson
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text


def one_line(message: object) -> str:
    """The message on one line, without control characters (they could drive a terminal)."""
    return " ".join(plain(str(message)).split())


def plain(text: str) -> str:
    """The text with each character that is no printable one (line ends, escapes, bidirectional marks) as a space."""
    return "".join(char if char.isprintable() else " " for char in text)


def complain(message: object) -> None:
    """One line on standard error."""
    click.echo(f"toolglot: {one_line(message)}", err=True)


def to_json(value: Any, indent: bool) -> bytes:
    """JSON as UTF-8: compact, or indented by two. Integers of any size and nesting of any depth are written."""
    try:
        return orjson.dumps(value, option=orjson.OPT_INDENT_2 if indent else None)
    except (TypeError, orjson.JSONEncodeError):
        pass
    shape: dict[str, Any] = {"indent": 2} if indent else {"separators": (",", ":")}
    try:
        return json.dumps(value, ensure_ascii=False, **shape).encode()
    except UnicodeEncodeError:
        return json.dumps(value, **shape).encode()


def terminal(stream: TextIO | None) -> bool:
    """Whether the stream is one that a person reads on a terminal; a closed one is not."""
    return stream is not None and stream.isatty()


def indented(wish: bool | None, out: str | None) -> bool:
    """Whether to indent: as wished, else only for a terminal."""
    return (out in (None, "-") and terminal(sys.stdout)) if wish is None else wish


def write(data: bytes, out: str | None) -> None:
    """Write a document and a line end to the file OUT, or to standard output."""
    if out in (None, "-"):
        click.echo(data)
        return
    assert out is not None
    try:
        Path(out).write_bytes(data + b"\n")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise click.ClickException(f"{out} cannot be written: {reason}") from None


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], out: str | None = None, footer: str = "") -> None:
    """Write rows as a table: within the width of a terminal, unwrapped and in UTF-8 anywhere else."""
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in columns:
        grid.add_column(column, overflow="fold")
    for row in rows:
        grid.add_row(*(Text(plain(cell)) for cell in row))
    if out in (None, "-") and terminal(sys.stdout):
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        _print(Console(), grid, footer)
        return
    text = io.StringIO()
    _print(Console(file=text, width=_UNWRAPPED, color_system=None), grid, footer)
    lines = "\n".join(line.rstrip() for line in text.getvalue().splitlines())
    write(lines.encode("utf-8", "backslashreplace"), out)


# Wide enough that no cell is ever folded where the output is not a terminal.
_UNWRAPPED = 1_000_000


def _print(console: Console, grid: Table, footer: str) -> None:
    if grid.row_count:
        console.print(grid)
        if footer:
            console.print()
    if footer:
        console.print(Text(plain(footer)), soft_wrap=True)
