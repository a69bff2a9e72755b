"""The walk that spells a schema in a dialect."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

_Effect = Literal["carried", "unspoken", "encoded", "unreachable"]

class Table:
    """A dialect, compiled: what the walk does with each keyword. ``toolglot.projection`` makes the mapping it takes."""

    def __init__(self, spec: dict[str, Any]) -> None: ...
    @property
    def name(self) -> str:
        """The dialect's name."""

    @property
    def formats(self) -> dict[str, None]:
        """The formats that are spelled, in order; empty where there are none or all are."""

    @property
    def identity(self) -> bool:
        """Whether a document is spelled as it came."""

class Walk:
    """One spelling of one document. It holds the document, and changes nothing in it."""

    def __init__(
        self,
        table: Table,
        document: Any,
        direction_input: bool,
        draft: str | int | None,
        resources: Mapping[str, Any] | None,
        max_nodes: int,
        strict: bool,
        draft_of: Callable[[Any, str | int | None], int | None],
    ) -> None:
        """``draft`` overrides what the document says of itself; ``draft_of`` reads the latter when it must be read.

        ``strict``: a reference that points nowhere raises ``Unresolvable``; otherwise it is any JSON.
        """

    @property
    def t(self) -> Table:
        """The table."""

    @property
    def document(self) -> Any:
        """The document as given."""

    @property
    def draft(self) -> str | int | None:
        """The draft as given."""

    @property
    def resources(self) -> Mapping[str, Any] | None:
        """The other documents as given, by URI."""

    @property
    def max_nodes(self) -> int:
        """How many JSON values references may expand to."""

    @property
    def strict(self) -> bool:
        """Whether a reference that points nowhere raises."""

    @property
    def input(self) -> bool:
        """Whether a model writes what is spelled, rather than reads it."""

    @property
    def losses(self) -> list[tuple[Any, str, Any, _Effect, str, bool]] | None:
        """After ``run(True)``: raw node, keyword, its value, effect, sentence, and whether it is implicit."""

    @property
    def written(self) -> dict[int, list[Any]]:
        """After ``run(True)``: the id of a raw node -> the nodes it was spelled as."""

    @property
    def description(self) -> str | None:
        """The root's description, where the dialect's root has no place for one."""

    @property
    def sentences(self) -> list[str] | None:
        """The root's sentences, where the dialect's root has no place for them."""

    def run(self, record: bool = False, sharing: bool = False) -> Any:
        """The spelled document, which shares nothing with the given one; with ``record``, the losses as well.

        ``sharing``: for a caller that only writes it out, it may hold parts of the given document.
        Raises ``Malformed``, ``Unresolvable``, ``TooDeep``.
        """
