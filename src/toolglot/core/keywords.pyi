"""The keywords and types of JSON Schema, numbered; and the node that is the conjunction of others."""

from typing import Any

class Both:
    """A node that must match all of its parts. The walk makes them; a loss may stand at one."""

    def __init__(self, parts: tuple[Any, ...]) -> None: ...
    @property
    def parts(self) -> tuple[Any, ...]:
        """The raw nodes, none of them a ``Both``."""
