"""llguidance, a constrained-decoding engine, as a judge of the strict dialects.

It compiles a schema to a grammar (a byte tokenizer does; no model is needed). What it cannot compile, a vendor's
decoder most likely refuses too, but for the reasons in ``ALLOWED``, which are the engine's own bounds.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

#: reason -> (what its message looks like, why a schema that is refused so may still be right)
ALLOWED: dict[str, tuple[str, str]] = {
    "integer range": (
        r"Failed to generate regex for integer range: .*-?\d{18}",
        "bounds are read as doubles and cut to 64 bits: it breaks down next to 2^63 and for maxima below -10^18",
    ),
    "number range": (
        r"Failed to generate regex for float range: .*(\d{18}|e1[89]|e[2-9]\d|e\d{3})|regex parse error:\s+\(+0\\\.",
        "decimal bounds are spelled digit by digit, and very large or very small ones are given up",
    ),
    "multipleOf digits": (
        r"Value for 'multipleOf' has too many digits",
        "multiples are kept as 32-bit integers and a power of ten",
    ),
    "lookaround": (
        r"look-around, including look-ahead and look-behind, is not supported|lookarounds not supported yet",
        "lookaround and word boundaries (\\b, and \\< \\> in its own syntax) are beyond its engine",
    ),
    "depth": (r"recursion limit exceeded", "its JSON reader takes 127 nested containers, some 61 nested objects"),
    "unsatisfiable": (r"Unsatisfiable schema", "right when the canonical schema admits nothing either"),
}

#: Reasons that are faults of ours when they appear.
FAULTS: dict[str, str] = {
    "definition name": r"Invalid URI reference",
    "reference": r"Pointer '.*' does not exist|circular references",
    "keyword": r"Unimplemented keys|not supported\. Enable",
    "format": r"Unknown format",
    "pattern": r"regex parse error",
    "type": r"Invalid type",
    "count that is no integer": r"Expected positive integer",
    "size": r"too big|too large|too many|limit",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """``reason`` is ``""`` for a compiled schema, else a key of ``ALLOWED`` or ``FAULTS``, or ``"unknown"``."""

    reason: str
    message: str = ""

    @property
    def compiled(self) -> bool:
        return not self.reason

    @property
    def allowed(self) -> bool:
        return self.compiled or self.reason in ALLOWED


@cache
def _engine() -> tuple[Any, Any]:
    llguidance = pytest.importorskip("llguidance", reason="llguidance is not installed")
    return llguidance.LLMatcher, llguidance.LLTokenizer("byte")


def classify(message: str) -> str:
    """The reason behind a message of the engine."""
    for reason, (seen, _why) in ALLOWED.items():
        if re.search(seen, message):
            return reason
    for reason, seen in FAULTS.items():
        if re.search(seen, message):
            return reason
    return "unknown"


def compiled(schema: dict[str, Any]) -> Verdict:
    """Whether the engine compiles a schema, and if not, why."""
    matcher, tokenizer = _engine()
    try:
        grammar = matcher.grammar_from_json_schema(json.dumps(schema))
    except ValueError as error:
        return Verdict(classify(str(error)), str(error))
    refused, messages = matcher.validate_grammar_with_warnings(grammar, tokenizer)
    return Verdict(classify(messages[0]), messages[0]) if refused else Verdict("")


def writes(schema: dict[str, Any], document: Any) -> bool:
    """Whether a model held to the grammar of ``schema`` can write ``document``, compact, its keys in that order.

    The schema must compile.
    """
    matcher, tokenizer = _engine()
    grammar = matcher.grammar_from_json_schema(json.dumps(schema), overrides={"whitespace_flexible": False})
    held = matcher(tokenizer, grammar)
    if held.is_error():
        raise ValueError(held.get_error())
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    tokens = tokenizer.tokenize_str(text)
    return bool(held.try_consume_tokens(tokens) == len(tokens) and held.is_accepting())
