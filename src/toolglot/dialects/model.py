"""What a dialect is: a table of rows, each with the evidence for it. No code path of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

Confidence = Literal["documented", "observed", "inferred"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a row stands: the source, its ISO date, and how far to trust it."""

    source: str
    date: str
    confidence: Confidence
    note: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the walk and the value a dialect gives it (see ``RULES``)."""

    value: Any
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Limit:
    """A vendor's limit on size. Limits are reported by lint, never rewritten."""

    value: int
    evidence: Evidence


#: Every rule of the walk with the value that changes nothing, and what it means.
RULES: Mapping[str, tuple[Any, str]] = MappingProxyType(
    {
        "references": ("keep", "identity, inline or keep: what becomes of a reference"),
        "reference_keyword": ("$ref", "how a kept reference is written"),
        "definitions_keyword": ("$defs", "where kept definitions live, at the root"),
        "reference_siblings": ((), "keywords allowed beside a kept reference"),
        "root_reference": (False, "whether # may be written for the root"),
        "closed_objects": (False, "every object is closed; open ones are encoded"),
        "required": ("author", "as_is, author, or all (an optional one becomes nullable)"),
        "null": ("type", "type, or nullable: how null is written"),
        "type_lists": (True, "whether type may be a list"),
        "type_needed": (False, "whether every node needs a type"),
        "items_needed": (False, "whether every array needs items"),
        "boolean_schemas": (False, "whether true and false are schemas"),
        "enum_values": ("any", "any, one_type, or strings: what an enum may hold"),
        "union_siblings": ("any", "any, annotations, or none: what may stand beside anyOf"),
        "root_object": (False, "whether the root must be an object without combinators"),
        "root_keywords": (None, "the only keywords a root may hold"),
        "property_keys": (None, "the pattern a property key must match; others are renamed (letters, digits, _ . -)"),
        "patterns": ("any", "any, or python: which regular expressions are taken"),
        "min_items_limit": (None, "the largest minItems that is taken"),
        "unknown_keywords": ("drop", "keep or drop: keywords that are not JSON Schema's"),
        "extensions": (None, "the only x- keywords that stay; none: like any unknown keyword"),
        "outputs": (None, "the dialect that output schemas are spelled in, if another"),
    }
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """A named spelling of one contract.

    ``keywords`` are the keywords it spells, ``rejected`` those known to be refused, ignored or unknown (they are
    dropped, as is any keyword not listed), ``formats`` the values of ``format`` it takes (``None``: any).
    ``rules`` overrides ``RULES``; ``limits`` are the vendor's limits on size. ``revision`` is an ISO date.
    """

    name: str
    title: str
    revision: str
    keywords: Mapping[str, Evidence]
    formats: Mapping[str, Evidence] | None = None
    rules: Mapping[str, Rule] = field(default_factory=dict)
    rejected: Mapping[str, Evidence] = field(default_factory=dict)
    limits: Mapping[str, Limit] = field(default_factory=dict)

    def __post_init__(self) -> None:
        unknown = sorted(set(self.rules) - set(RULES))
        if unknown:
            raise ValueError(f"dialect {self.name}: no such rule: {', '.join(unknown)}; rules are {', '.join(RULES)}")
        for name in ("keywords", "formats", "rules", "rejected", "limits"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, MappingProxyType(dict(value)))

    def rule(self, name: str) -> Any:
        """The value of a rule: the dialect's own, else the one that changes nothing."""
        own = self.rules.get(name)
        return RULES[name][0] if own is None else own.value
