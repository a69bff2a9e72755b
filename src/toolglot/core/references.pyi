"""References: pointers, anchors, ``$id`` scopes, the graph of definitions, cycles and the cost of inlining."""

from typing import Any

class _Missing: ...

#: The node of a reference that points nowhere.
MISSING: _Missing

class Unresolvable(Exception):
    """A reference points nowhere. ``args``: the raw node that holds it, and the reference as written."""

    args: tuple[Any, str]
