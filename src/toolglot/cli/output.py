"""Writing: JSON, tables, and the one line an error gets."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

import click
import orjson
from rich import box
from rich.cells import cell_len
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


def table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], out: str | None = None, footer: str = "", whole: int = 0
) -> None:
    """Write rows as a table: within the width of a terminal, one line a row and in UTF-8 anywhere else.

    ``whole``: how many of the first columns a terminal keeps in one piece (but for the widest, where it has no room for
    all of them). Columns after these that do not fit either are left out, the last ones first.
    """
    cells = [[plain(cell) for cell in row] for row in rows]
    if out in (None, "-") and terminal(sys.stdout):
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        _print(columns, cells, plain(footer), whole)
        return
    lines = _lines(columns, cells) if cells else []
    if footer:
        lines += ["", plain(footer)] if cells else [plain(footer)]
    write("\n".join(lines).encode("utf-8", "backslashreplace"), out)


# A column that a terminal may break gets at least this width, or is left out.
_ROOM = 16
# What stands between two columns on a terminal.
_BETWEEN = 3
# Cells longer than this widen no column: their own line is as long as it must be.
_WIDEST = 40


def _print(columns: Sequence[str], cells: Sequence[Sequence[str]], footer: str, whole: int) -> None:
    """Write to a terminal."""
    console = Console()
    if cells:
        widths = [max(cell_len(each) for each in (name, *column)) for name, column in _by_column(columns, cells)]
        shown, kept = len(columns), sum(widths[:whole])
        while 0 < whole < shown and kept + _ROOM * (shown - whole) + _BETWEEN * (shown - 1) > console.width:
            shown -= 1
        broken = None
        if kept + _BETWEEN * (whole - 1) > console.width:
            broken = widths.index(max(widths[:whole]))
        grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
        for index, column in enumerate(columns[:shown]):
            grid.add_column(column, overflow="fold", no_wrap=index < whole and index != broken)
        for row in cells:
            grid.add_row(*(Text(cell) for cell in row[:shown]))
        console.print(grid)
        if shown < len(columns):
            console.print()
            console.print(f"Not shown: {', '.join(columns[shown:])}. A wider terminal and --json show them.")
        if footer:
            console.print()
    if footer:
        console.print(Text(footer), soft_wrap=True)


def _lines(columns: Sequence[str], cells: Sequence[Sequence[str]]) -> list[str]:
    """The table as lines: columns in line where cells are of ordinary length, nothing broken, no spaces at the end."""
    widths = [
        max(width for each in (name, *column) if (width := cell_len(each)) <= _WIDEST)
        for name, column in _by_column(columns, cells)
    ]
    lines = []
    for row in (columns, ["-" * width for width in widths], *cells):
        padded = (cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True))
        lines.append("  ".join(padded).rstrip())
    return lines


def _by_column(columns: Sequence[str], cells: Sequence[Sequence[str]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    return zip(columns, zip(*cells, strict=True), strict=True)
