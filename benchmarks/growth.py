"""One growth case in one dialect, in a process of its own: ``python -m benchmarks.growth CASE DIALECT`` prints JSON."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import orjson

import toolglot as tg
from benchmarks.inputs import GROWTH
from benchmarks.yardsticks import Clock, seconds

ROUNDS = 7
PATIENCE = 3.0


def peak_memory() -> int | None:
    """The most memory this process has held, in bytes; None where the system does not say.

    ``VmHWM`` first: on Linux ``ru_maxrss`` starts from what the parent held when it started this process.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        for line in status.read_text("ascii", "replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def measured(case: str, dialect: str, clock: Clock = time.perf_counter) -> dict[str, Any]:
    """The best times (seconds) over the sizes of a case, and the peak memory (bytes) after the largest."""
    growth = GROWTH[case]
    before = peak_memory()
    steps = []
    for size in growth.sizes:
        schema = growth.make(size)
        raised: str | None = None
        written = b""

        def work(schema: Any = schema) -> None:
            nonlocal raised
            try:
                tg.project(schema, dialect)
            except tg.SchemaError as error:
                raised = type(error).__name__

        best, spent, rounds = float("inf"), 0.0, 0
        while rounds < ROUNDS and (rounds < 1 or spent < PATIENCE):
            took = seconds(work, clock)
            best, spent, rounds = min(best, took), spent + took, rounds + 1
        peak = peak_memory()
        if raised is None:
            written = tg.project(schema, dialect).to_json()
        steps.append(
            {
                "n": size,
                "seconds": best,
                "rounds": rounds,
                "bytes_in": _length(schema),
                "bytes_out": len(written),
                "raised": raised,
            }
        )
    losses = None
    if raised is None:
        start = clock()
        count = len(tg.project(schema, dialect).losses)
        losses = {"count": count, "seconds": clock() - start}
    return {"case": case, "dialect": dialect, "steps": steps, "before": before, "peak": peak, "losses": losses}


def _length(schema: Any) -> int:
    try:
        return len(orjson.dumps(schema))
    except TypeError:  # deeper than orjson goes
        return len(str(schema))


if __name__ == "__main__":
    chosen = time.process_time if "--cpu" in sys.argv else time.perf_counter
    print(json.dumps(measured(sys.argv[1], sys.argv[2], chosen)))
