"""One schema spelled in one dialect: the projection, and what it loses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from toolglot import patterns, sentences
from toolglot.core.references import Unresolvable
from toolglot.core.rewriter import Table, Walk
from toolglot.core.wording import Malformed, TooDeep
from toolglot.dialects import RULES, Dialect
from toolglot.dialects import dialect as dialect_named
from toolglot.schema import as_bytes, draft_of, dumps, error_from, escape, knows_draft, loads, places

Direction = Literal["input", "output"]
Effect = Literal["carried", "unspoken", "encoded", "unreachable"]

#: How many JSON values a projection may expand its references to.
MAX_NODES = 100_000

_tables: dict[str, tuple[Dialect, Table]] = {}
_chosen: dict[tuple[str, str], Table] = {}
_FAULTS = (Malformed, Unresolvable, TooDeep, RecursionError)


@dataclass(frozen=True, slots=True)
class Loss:
    """One rule that a projection spells differently.

    ``path`` is a JSON Pointer to the schema node in the author's document, ``keyword`` the rule there, ``value`` its
    value as JSON text. ``effect``: ``carried`` said in words (``sentence``), ``unspoken`` said nowhere, ``encoded`` the
    caller writes another shape, ``unreachable`` some canonical documents cannot be written. ``implicit``: the author
    wrote nothing of the kind (an object left open by default). ``places``: at most ten pointers into the projection.
    """

    path: str
    keyword: str
    value: str
    effect: Effect
    sentence: str = ""
    implicit: bool = False
    places: tuple[str, ...] = ()


def _compiled(name: str, dialect: Dialect, **rules: Any) -> Table:
    """A dialect's table for the core, some of its rules replaced."""
    return Table(
        {
            "name": name,
            "keywords": frozenset(dialect.keywords),
            "formats": None if dialect.formats is None else tuple(dialect.formats),
            "rules": {rule: dialect.rule(rule) for rule in RULES} | rules,
            "sentences": sentences.SENTENCES,
            "format_sentences": sentences.FORMATS,
            "counted": sentences.COUNTED,
            "condition": sentences.CONDITION,
            "any_json": sentences.ANY_JSON,
            "enclosing": sentences.ENCLOSING,
            "rename": patterns.safe_key,
            "pattern_ok": patterns.compiles_in_python,
        }
    )


def table_of(dialect: Dialect) -> Table:
    """The compiled table of a dialect, made once."""
    known = _tables.get(dialect.name)
    if known is not None and known[0] is dialect:
        return known[1]
    table = _compiled(dialect.name, dialect)
    _tables[dialect.name] = (dialect, table)
    return table


class Projection:
    """One schema in one dialect.

    ``schema`` is the spelled schema: a fresh dict that shares nothing with the input. ``losses`` are computed from the
    input when first asked for: do not edit the input before (or project with ``eager=True``). Editing ``schema`` never
    matters to anything else.
    """

    __slots__ = ("_losses", "_walk", "dialect", "direction", "schema")

    schema: Any
    dialect: str
    direction: Direction

    def __init__(self, walk: Walk, dialect: str, direction: Direction, schema: Any) -> None:
        self._walk = walk
        self._losses: tuple[Loss, ...] | None = None
        self.dialect = dialect
        self.direction = direction
        self.schema = schema

    def __repr__(self) -> str:
        return f"<Projection {self.dialect} {self.direction}>"

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What the projection spells differently, in document order of the walk; one loss per path, keyword, effect."""
        if self._losses is None:
            self._losses = _losses(self._walk)
        return self._losses

    @property
    def root_description(self) -> str | None:
        """The root's description where the dialect's root has no place for one."""
        found: str | None = self._walk.description
        return found

    @property
    def root_sentences(self) -> tuple[str, ...]:
        """The root's sentences where the dialect's root has no place for them."""
        return tuple(self._walk.sentences or ())

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was read in a way the author may not have meant."""
        if knows_draft(self._walk.document):
            return ()
        return ("$schema names no draft of JSON Schema that is known here; the schema is read as 2020-12",)

    def to_json(self) -> bytes:
        """The spelled schema as compact JSON, the same bytes every time."""
        return dumps(self.schema)


def _losses(done: Walk) -> tuple[Loss, ...]:
    document, resources = done.document, done.resources or {}
    walk = Walk(done.t, document, done.input, done.draft, resources, done.max_nodes, done.strict, draft_of)
    try:
        spelled = walk.run(True)
    except _FAULTS as error:
        raise error_from(error, document, resources) from None
    paths = {id(value): path for value, path in places(document)}
    for base, root in resources.items():
        for value, path in places(root):
            paths.setdefault(id(value), f"{base}#{path}")
    where = {id(value): path for value, path in places(spelled)}
    found: dict[tuple[str, str, str], Loss] = {}
    for raw, keyword, value, effect, sentence, implicit in walk.losses or ():
        if isinstance(raw, tuple):
            # a boolean schema: its container and its key
            path = f"{paths.get(id(raw[0]), '')}/{escape(str(raw[1]))}"
        else:
            path = paths.get(id(raw), "")
        key = (path, keyword, effect)
        if key in found:
            continue
        at = tuple(where[id(out)] for out in walk.written.get(id(raw), ()) if id(out) in where)[:10]
        found[key] = Loss(path, keyword, _text(value), effect, sentence, implicit, at)
    return tuple(found.values())


def _text(value: Any) -> str:
    try:
        return dumps(value).decode()
    except ValueError:
        return ""


def _table_for(dialect: str, direction: str) -> Table:
    """The table that a dialect and a direction ask for; remembered."""
    found = dialect_named(dialect)
    if direction != "input" and direction != "output":
        raise ValueError('direction must be "input" or "output"')
    other = found.rule("outputs") if direction == "output" else None
    table = table_of(found if other is None else dialect_named(other))
    _chosen[dialect, direction] = table
    return table


def project(
    schema: Any,
    dialect: str,
    direction: Direction = "input",
    *,
    draft: str | int | None = None,
    resources: Mapping[str, Any] | None = None,
    max_nodes: int = MAX_NODES,
    unresolvable: Literal["raise", "any"] = "raise",
    eager: bool = False,
) -> Projection:
    """Spell a JSON Schema in a dialect.

    ``schema`` is a dict (or a boolean) as JSON gives it; it is never changed. ``direction``: ``"input"`` for what a
    model writes, ``"output"`` for what it reads. ``draft`` overrides ``$schema``. ``resources`` are the documents that
    remote references may point to, by URI; nothing is ever fetched. ``max_nodes`` bounds what references expand to;
    past it they become shapeless nodes, listed in ``losses``. ``unresolvable="any"`` reads a dangling reference as any
    JSON instead of raising. ``eager`` computes the losses at once.

    Raises ``UnknownDialect``, ``NotASchema``, ``UnresolvableReference``, ``SchemaTooDeep``.
    """
    try:
        table = _chosen[dialect, direction]
    except (KeyError, TypeError):
        table = _table_for(dialect, direction)
    walk = Walk(table, schema, direction == "input", draft, resources, max_nodes, unresolvable == "raise", draft_of)
    try:
        spelled = walk.run()
    except _FAULTS as error:
        raise error_from(error, schema, resources or {}) from None
    projection = Projection(walk, dialect, direction, spelled)
    if eager:
        projection.losses  # noqa: B018 - asked for, so that later edits of the input do not matter
    return projection


def project_json(
    data: bytes | bytearray | memoryview | str,
    dialect: str,
    direction: Direction = "input",
    *,
    draft: str | int | None = None,
    resources: Mapping[str, Any] | None = None,
    max_nodes: int = MAX_NODES,
    unresolvable: Literal["raise", "any"] = "raise",
) -> bytes:
    """Spell a JSON Schema given as JSON bytes; the result is compact JSON (``canonical``: the bytes as they came).

    Takes and raises what ``project`` does.
    """
    try:
        table = _chosen[dialect, direction]
    except (KeyError, TypeError):
        table = _table_for(dialect, direction)
    raw = as_bytes(data)
    schema = loads(raw)
    walk = Walk(table, schema, direction == "input", draft, resources, max_nodes, unresolvable == "raise", draft_of)
    try:
        spelled = walk.run(False, True)
        return raw if table.identity else dumps(spelled)
    except _FAULTS as error:
        raise error_from(error, schema, resources or {}) from None


_READ: Table | None = None


def read(schema: Any, *, draft: str | int | None = None, resources: Mapping[str, Any] | None = None) -> Any:
    """The canonical schema as it is read: JSON Schema 2020-12, old constructs upgraded where they stand.

    Raises ``NotASchema``, ``SchemaTooDeep``.
    """
    global _READ
    if _READ is None:
        _READ = _compiled("read", dialect_named("canonical"), references="read")
    try:
        return Walk(_READ, schema, False, draft, resources, MAX_NODES, False, draft_of).run()
    except _FAULTS as error:
        raise error_from(error, schema, resources or {}) from None
