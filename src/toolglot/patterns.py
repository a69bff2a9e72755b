"""Which regular expressions and property keys a vendor takes."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache

_LOOKAROUND = re.compile(r"\(\?(?:=|!|<=|<!)")
# What Python's ``re`` may one day read as an operation on sets, and warns of.
_AMBIGUOUS = ("[[", "--", "&&", "~~", "||")
_REFERENCE = re.compile(r"\(\?P=|\(\?\(")


@lru_cache(maxsize=4096)
def compiles_in_python(pattern: str) -> bool:
    r"""Whether a pattern compiles with ``re`` and holds no lookaround, ``\b``, ``\B`` or backreference."""
    at = 0
    while at < len(pattern):
        if pattern[at] == "\\":
            following = pattern[at + 1 : at + 2]
            if following in ("b", "B") or (following.isdigit() and following != "0"):
                return False
            at += 2
        else:
            at += 1
    bare = re.sub(r"\\.", "", pattern, flags=re.DOTALL)
    if _LOOKAROUND.search(bare) or _REFERENCE.search(bare):
        return False
    if any(mark in pattern for mark in _AMBIGUOUS):
        return False
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return False
    return True


_BAD_CHARACTER = re.compile(r"[^a-zA-Z0-9_.-]")


def safe_key(key: str) -> str:
    """A key that vendors take, for one that they refuse: its own to the key, whatever stands beside it.

    Raises ``UnicodeEncodeError`` for a key with a lone surrogate.

    Each bad character becomes ``_``, the result is cut to 55, and ``_`` with eight hex digits of the key's SHA-256 is
    appended.
    """
    digest = hashlib.sha256(key.encode()).hexdigest()[:8]
    return f"{_BAD_CHARACTER.sub('_', key)[:55]}_{digest}"
