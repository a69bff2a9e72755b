"""What a figure is divided by: work that no projection can do without, measured in the same run."""

from __future__ import annotations

import copy
import gc
import time
from collections.abc import Callable, Sequence
from typing import Any

import orjson

Clock = Callable[[], float]


def round_trip(texts: Sequence[bytes]) -> None:
    """RT: read each JSON text and write it again, with orjson."""
    loads, dumps = orjson.loads, orjson.dumps
    for text in texts:
        dumps(loads(text))


def copied(value: Any) -> Any:
    """A recursive copy of a JSON value, in plain Python."""
    kind = type(value)
    if kind is dict:
        return {key: copied(item) for key, item in value.items()}
    if kind is list:
        return [copied(item) for item in value]
    return value


def copy_all(schemas: Sequence[Any]) -> None:
    """COPY: a recursive copy of each schema, in plain Python."""
    for schema in schemas:
        copied(schema)


def deepcopy_all(schemas: Sequence[Any]) -> None:
    """``copy.deepcopy`` of each schema."""
    deepcopy = copy.deepcopy
    for schema in schemas:
        deepcopy(schema)


def seconds(work: Callable[[], object], clock: Clock = time.perf_counter) -> float:
    """How long ``work`` takes, the garbage of whatever ran before it put away; the collector stays on."""
    gc.collect()
    start = clock()
    work()
    return clock() - start


def interleaved(works: Sequence[Callable[[], object]], rounds: int, clock: Clock = time.perf_counter) -> list[float]:
    """The best time of each work. One round runs each of them once, so that noise of the machine meets them all."""
    best = [float("inf")] * len(works)
    for _ in range(rounds):
        for at, work in enumerate(works):
            best[at] = min(best[at], seconds(work, clock))
    return best
