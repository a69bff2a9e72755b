"""``toolglot project``: spell schemas and tools in a dialect, or list what the dialect loses."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

import toolglot as tg
from toolglot.core.wording import join
from toolglot.tools import FOREIGN_KEYS

from .dialects import named
from .documents import Document, read
from .output import complain, indented, one_line, table, terminal, to_json, write

Direction = Literal["input", "output"]

#: What the description of a tool that cannot be read ends in.
UNAVAILABLE = "Its parameters are not available here."
_PROGRESS_FROM = 500


@click.command(short_help="Spell schemas and tools in a dialect.")
@click.argument("file")
@click.option("--dialect", "-d", required=True, metavar="NAME", help="The dialect to spell (see: toolglot dialects).")
@click.option("--tool", "name", metavar="NAME", help="Only the tool of this name.")
@click.option(
    "--direction",
    type=click.Choice(["input", "output"]),
    default="input",
    show_default=True,
    help="Who writes documents of a schema: a model (input) or a tool (output). A tool always gets both its schemas "
    "spelled; this chooses whose losses are listed.",
)
@click.option("--losses", is_flag=True, help="List what the dialect spells differently, instead of the schemas.")
@click.option("--json", "as_json", is_flag=True, help="With --losses: JSON instead of a table.")
@click.option("--indent/--compact", default=None, help="How JSON is laid out.  [default: indented on a terminal]")
@click.option("--output", "-o", "out", metavar="OUT", help="Write to this file instead of standard output.")
def project(
    file: str,
    dialect: str,
    name: str | None,
    direction: Direction,
    losses: bool,
    as_json: bool,
    indent: bool | None,
    out: str | None,
) -> int:
    """Spell the schema, tool or tools of FILE in a dialect.

    \b
    FILE holds           what is printed
    one schema           the schema, spelled
    one tool             the tool, in MCP form
    a list of tools      the list
    a tools/list result  {"tools": [...]}

    A tool of a list that cannot be read takes no other down: it is reported on standard error, listed without
    parameters (left out if it has no name), and the exit code is 1.

    \b
    toolglot project examples/catalog.json --dialect openai_strict
    toolglot project examples/catalog.json -d gemini --tool book_cabin --losses
    toolglot project - -d flat -o flat.json < examples/catalog.json
    """
    named(dialect)
    if as_json and not losses:
        raise click.UsageError("--json goes with --losses; without it, JSON is printed anyway")
    document = read(file)
    if name is not None:
        document = document.only(name)
    layout = indented(indent, out)
    if losses:
        rows, code = _losses(document, dialect, direction)
        if as_json:
            write(to_json(rows, layout), out)
        else:
            _print_losses(rows, document, out)
        return code
    if document.kind == "schema":
        projection = _schema(document, dialect, direction)
        write(to_json(projection.schema, True) if layout else projection.to_json(), out)
        return 0
    if document.kind == "tool":
        write(to_json(_tool(document, dialect).to_mcp(), layout), out)
        return 0
    tools: list[dict[str, Any]] = []
    code = 0
    for item, spelled in _spelled(document, dialect):
        if spelled is not None:
            tools.append(spelled.to_mcp())
            continue
        code = 1
        if _has_name(item):
            tools.append(_unavailable(item, dialect))
    value = tools if document.kind == "tools" else {**document.frame, "tools": tools}
    write(to_json(value, layout), out)
    return code


def _schema(document: Document, dialect: str, direction: Direction) -> tg.Projection:
    try:
        return tg.project(document.items[0], dialect, direction=direction)
    except tg.SchemaError as error:
        raise click.ClickException(f"{document.source}: {_said(error)}") from None


def _tool(document: Document, dialect: str) -> tg.SpelledTool:
    try:
        return tg.Tool.from_mcp(document.items[0]).project(dialect)
    except tg.SchemaError as error:
        raise click.ClickException(f"{document.source}: {_said(error)}") from None


def _spelled(document: Document, dialect: str) -> Iterator[tuple[Any, tg.SpelledTool | None]]:
    """Each tool of a list with its spelling, or with none after a line on standard error."""
    shown = len(document.items) > _PROGRESS_FROM and terminal(sys.stderr)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not shown) as progress:
        for index, item in enumerate(progress.track(document.items, description=f"Spelling {dialect}")):
            try:
                spelled = tg.Tool.from_mcp(item).project(dialect)
            except tg.SchemaError as error:
                if _has_name(item):
                    complain(_said(error, item["name"] or f"tools[{index}]"))
                else:
                    complain(f"tools[{index}]: {error.message}; the list leaves it out")
                yield item, None
            else:
                yield item, spelled


def _has_name(item: Any) -> bool:
    """Whether a tool that cannot be read can be listed all the same."""
    return isinstance(item, dict) and isinstance(item.get("name"), str)


def _said(error: tg.SchemaError, tool: str | None = None) -> str:
    """The error's one line, led by the tool and the path where it does not name them itself."""
    text = one_line(error)
    tool = tool or error.tool
    lead = [part for part in (tool, error.path) if part and part not in text]
    return ": ".join([*lead, text])


def _unavailable(item: dict[str, Any], dialect: str) -> dict[str, Any]:
    """The tool as it is listed when its schema cannot be read: an empty object, spelled in the dialect."""
    own = item.get("description")
    dropped = {"inputSchema", "outputSchema", *(() if "inputSchema" in item else FOREIGN_KEYS)}
    tool = {key: value for key, value in item.items() if key not in dropped}
    tool["description"] = join(own if isinstance(own, str) else None, [UNAVAILABLE])
    tool["inputSchema"] = tg.project({"type": "object", "properties": {}}, dialect).schema
    return tool


def _losses(document: Document, dialect: str, direction: Direction) -> tuple[list[dict[str, Any]], int]:
    """The rows of every loss, and the exit code."""
    if document.kind == "schema":
        return [_row(None, loss) for loss in _schema(document, dialect, direction).losses], 0
    if document.kind == "tool":
        spelled: tg.SpelledTool | None = _tool(document, dialect)
        listing = iter([(document.items[0], spelled)])
    else:
        listing = _spelled(document, dialect)
    rows: list[dict[str, Any]] = []
    code = 0
    for _, spelled in listing:
        if spelled is None:
            code = 1
            continue
        if direction == "input":
            found = spelled.losses
        else:
            found = spelled.output.losses if spelled.output is not None else ()
        rows.extend(_row(spelled.name, loss) for loss in found)
    return rows, code


def _row(tool: str | None, loss: tg.Loss) -> dict[str, Any]:
    return {
        "tool": tool,
        "path": loss.path,
        "keyword": loss.keyword,
        "value": loss.value,
        "effect": loss.effect,
        "sentence": loss.sentence,
        "implicit": loss.implicit,
        "places": loss.places,
    }


def _print_losses(rows: list[dict[str, Any]], document: Document, out: str | None) -> None:
    columns = ["path", "keyword", "effect", "sentence"]
    footer = "No losses."
    if rows:
        effects = Counter(row["effect"] for row in rows)
        footer = f"{len(rows)} {'loss' if len(rows) == 1 else 'losses'}"
        if document.kind != "schema":
            columns.insert(0, "tool")
            touched = len({row["tool"] for row in rows})
            footer += f" in {touched} of {len(document.items)} {'tool' if len(document.items) == 1 else 'tools'}"
        footer += ": " + ", ".join(f"{count} {effect}" for effect, count in sorted(effects.items()))
    table(columns, ([row[column] or "" for column in columns] for row in rows), out, footer)
