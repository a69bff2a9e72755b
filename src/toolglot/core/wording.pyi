"""Texts: numbers and values as JSON, sentences joined to a description, templates filled."""

from collections.abc import Iterable
from typing import Any

class TooDeep(Exception):
    """A document nested deeper than the walk goes."""

class Malformed(Exception):
    """A node that is no schema. ``args``: the raw node, the keyword (None: the node itself), what is wrong with it."""

    args: tuple[Any, str | None, str]

def join(description: object, sentences: Iterable[str]) -> str:
    """The description of a node or tool with sentences appended, each once; the author's text comes first."""

def has_long_digits(text: bytes) -> bool:
    """Whether JSON bytes hold a run of 19 or more digits, which ``orjson`` may read as a float."""
