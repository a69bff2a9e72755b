"""``toolglot dialects``: the dialects, and the rows of one with their evidence."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from typing import Any

import click

import toolglot as tg
from toolglot.dialects.model import RULES, Dialect, Evidence

from .output import indented, table, to_json, write


@click.command(short_help="List the dialects, or the rows of one.")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
@click.option("--indent/--compact", default=None, help="How JSON is laid out.  [default: indented on a terminal]")
def dialects(name: str | None, as_json: bool, indent: bool | None) -> int:
    """List the dialects; with NAME, every row of that dialect and the evidence for it."""
    if name is None:
        every = [tg.dialect(each) for each in tg.dialects()]
        if as_json:
            value: Any = [{"name": each.name, "title": each.title, "revision": each.revision} for each in every]
            write(to_json(value, indented(indent, None)), None)
        else:
            table(["name", "title", "revision"], ([each.name, each.title, each.revision] for each in every))
        return 0
    dialect = named(name)
    if as_json:
        write(to_json(_value(dialect), indented(indent, None)), None)
    else:
        footer = f"{dialect.name}: {dialect.title}, revision {dialect.revision}"
        columns = ["row", "name", "value", "confidence", "date", "source", "note"]
        table(columns, _rows(dialect), footer=footer, whole=5)
    return 0


def named(name: str) -> Dialect:
    """The dialect of this name; an error that tells the nearest name there is."""
    try:
        return tg.dialect(name)
    except tg.UnknownDialect as error:
        near = difflib.get_close_matches(name.lower(), tg.dialects(), n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise click.ClickException(f"{error}{hint}") from None


def _rows(dialect: Dialect) -> list[list[str]]:
    """The dialect's rows as cells: its rules, keywords, formats, and limits."""
    rows = [["rule", name, _text(rule.value), *_cells(rule.evidence)] for name, rule in dialect.rules.items()]
    rows += [["keyword", name, "spelled", *_cells(evidence)] for name, evidence in dialect.keywords.items()]
    rows += [["keyword", name, "not spelled", *_cells(evidence)] for name, evidence in dialect.rejected.items()]
    if dialect.formats is not None:
        rows += [["format", name, "spelled", *_cells(evidence)] for name, evidence in dialect.formats.items()]
    rows += [["limit", name, str(limit.value), *_cells(limit.evidence)] for name, limit in dialect.limits.items()]
    return rows


def _cells(evidence: Evidence) -> list[str]:
    return [evidence.confidence, evidence.date, evidence.source, evidence.note]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _value(dialect: Dialect) -> dict[str, Any]:
    """The dialect as JSON values."""
    return {
        "name": dialect.name,
        "title": dialect.title,
        "revision": dialect.revision,
        "rules": {
            name: {"value": rule.value, "meaning": RULES[name][1], **_evidence(rule.evidence)}
            for name, rule in dialect.rules.items()
        },
        "keywords": _all(dialect.keywords),
        "rejected": _all(dialect.rejected),
        "formats": None if dialect.formats is None else _all(dialect.formats),
        "limits": {name: {"value": limit.value, **_evidence(limit.evidence)} for name, limit in dialect.limits.items()},
    }


def _all(rows: Mapping[str, Evidence]) -> dict[str, dict[str, str]]:
    return {name: _evidence(evidence) for name, evidence in rows.items()}


def _evidence(evidence: Evidence) -> dict[str, str]:
    return {
        "source": evidence.source,
        "date": evidence.date,
        "confidence": evidence.confidence,
        "note": evidence.note,
    }
