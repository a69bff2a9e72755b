"""The named dialects, and how to add one."""

from __future__ import annotations

import re
from threading import Lock

from toolglot.dialects.anthropic_strict import ANTHROPIC_STRICT
from toolglot.dialects.bedrock_strict import BEDROCK_STRICT
from toolglot.dialects.canonical import CANONICAL
from toolglot.dialects.flat import FLAT
from toolglot.dialects.gemini import GEMINI
from toolglot.dialects.model import RULES, Dialect, Evidence, Limit, Rule
from toolglot.dialects.nova import NOVA
from toolglot.dialects.openai_strict import OPENAI_STRICT

__all__ = ["RULES", "Dialect", "Evidence", "Limit", "Rule", "UnknownDialect", "dialect", "dialects", "register"]

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_lock = Lock()
_registry: dict[str, Dialect] = {
    entry.name: entry for entry in (CANONICAL, FLAT, OPENAI_STRICT, ANTHROPIC_STRICT, BEDROCK_STRICT, NOVA, GEMINI)
}


class UnknownDialect(ValueError):
    """No dialect has the name that was asked for. The message lists the names there are, never the one given."""


def _is_name(value: object) -> bool:
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def dialect(name: str) -> Dialect:
    """Return the dialect of exactly this name; case counts.

    Raises ``UnknownDialect`` for any other name, and for what is no string.
    """
    found = _registry.get(name) if _is_name(name) else None
    if found is None:
        raise UnknownDialect(f"unknown dialect; accepted names: {', '.join(dialects())}")
    return found


def dialects() -> tuple[str, ...]:
    """Return the names of all dialects: the built-in ones in a fixed order, then the registered ones in theirs."""
    with _lock:
        return tuple(_registry)


def register(dialect: Dialect) -> Dialect:
    """Add a dialect under its name, for the whole process, and return it.

    Raises ``TypeError`` when it is no ``Dialect``, and ``ValueError`` when its name is taken or is not of the form
    ``^[a-z][a-z0-9_]*$``. Safe to call from several threads.
    """
    if not isinstance(dialect, Dialect):
        raise TypeError("register() takes a toolglot Dialect; build one with Dialect(name=..., title=..., ...)")
    if not _is_name(dialect.name):
        raise ValueError(
            "a dialect's name must match ^[a-z][a-z0-9_]*$; rename it with dataclasses.replace(dialect, name=...)"
        )
    with _lock:
        if dialect.name in _registry:
            raise ValueError(
                f"dialect name {dialect.name} is taken; choose another with dataclasses.replace(dialect, name=...)"
            )
        _registry[dialect.name] = dialect
    return dialect
