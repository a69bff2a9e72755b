"""The numbers to reach, measured: ``python -m benchmarks.bars``. Exit code 1 if one of them is missed.

What each number means, and how it is taken, is in ``benchmarks/README.md``.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import toolglot as tg
from benchmarks.inputs import GROWTH, ROOT, Schemas, schemas
from benchmarks.yardsticks import Clock, copy_all, deepcopy_all, interleaved, round_trip

#: The bar and the aim, in round trips: for each dialect, and for the one whose output is half as large again.
P1 = {"openai_strict": (1.5, 1.1)}
P1_OTHERS = (1.2, 0.9)
P2_ALL = (1.9, 1.6)

#: Seconds and bytes that a growth case may take, and the power of its size (JSON in and out) that its time may grow as:
#: 1 is linear, 2 the square; what is between leaves room for caches and noise.
P8_SECONDS = 0.2
P8_BYTES = 200_000_000
P8_POWER = 1.4
P8_TIMEOUT = 60

#: What the import may take beyond that of orjson, in seconds and bytes; how often each is started.
P9_SECONDS = 0.060
P9_BYTES = 15_000_000
P9_STARTS = 15

BARS = ("P1", "P2", "P8", "P9")


@dataclass(frozen=True, slots=True)
class Result:
    """One number against its bar. ``value`` is in ``unit``; ``aim`` is what one would like.

    ``ok``: whether the bar holds; None where it is not judged, since it is set for another input.
    """

    bar: str
    what: str
    dialect: str | None
    value: float | None
    unit: str
    limit: float
    ok: bool | None
    aim: float | None = None
    detail: dict[str, Any] | None = None


# --- P1 and P2: against the round trip ---------------------------------------------------------------------------


def refused(given: Schemas, dialects: Sequence[str]) -> dict[str, frozenset[int]]:
    """For each dialect the places of the schemas that raise."""
    out = {}
    for dialect in dialects:
        places = []
        for at, schema in enumerate(given.parsed):
            try:
                tg.project(schema, dialect)
            except tg.SchemaError:
                places.append(at)
        out[dialect] = frozenset(places)
    return out


def project_all(parsed: Sequence[Any], dialect: str) -> None:
    """Dict to dict, one result alive at a time."""
    project = tg.project
    for schema in parsed:
        project(schema, dialect).schema  # noqa: B018 - what is measured


def project_json_all(texts: Sequence[bytes], dialect: str) -> None:
    """Bytes to bytes."""
    project_json = tg.project_json
    for text in texts:
        project_json(text, dialect)


def speed(
    given: Schemas, dialects: Sequence[str], wanted: Sequence[str], rounds: int, clock: Clock
) -> tuple[list[Result], dict[str, Any]]:
    """P1 and P2 of each dialect, and the yardsticks in microseconds per schema.

    A round measures, for each dialect, the round trip, then the dialect; so each dialect has its own yardstick, taken
    as often as it was and beside it.
    """
    raising = refused(given, dialects)
    kept = given.without(frozenset().union(*raising.values()))
    texts, parsed, count = kept.texts, kept.parsed, len(kept.texts)
    works: list[Callable[[], object]] = [lambda: copy_all(parsed), lambda: deepcopy_all(parsed)]
    for dialect in dialects:
        works.append(lambda: round_trip(texts))
        works.append(lambda dialect=dialect: project_all(parsed, dialect))  # type: ignore[misc]
        works.append(lambda dialect=dialect: project_json_all(texts, dialect))  # type: ignore[misc]
    best = [1e6 * took / count for took in interleaved(works, rounds, clock)]
    results = []
    for at, dialect in enumerate(dialects):
        trip, first, second = best[2 + 3 * at : 5 + 3 * at]
        detail = {"round_trip_us": trip, "refused": len(raising[dialect])}
        for bar, took, (limit, aim) in (("P1", first, P1.get(dialect, P1_OTHERS)), ("P2", second, P2_ALL)):
            if bar in wanted:
                more = {"us": took, **detail}
                ratio = took / trip
                ok = ratio <= limit if given.real else None
                results.append(Result(bar, "time", dialect, ratio, "round trips", limit, ok, aim, more))
    trips = best[2::3]
    yardsticks = {
        "schemas": count,
        "left_out": len(given.texts) - count,
        "bytes": sum(map(len, texts)),
        "round_trip_us": min(trips),
        "round_trip_us_worst": max(trips),
        "copy_us": best[0],
        "deepcopy_us": best[1],
    }
    return results, yardsticks


# --- P8: growth --------------------------------------------------------------------------------------------------


def power(steps: Sequence[dict[str, Any]]) -> float:
    """The power of its size that the time grows as, over the last tenfold of the size or the nearest to that.

    The size is the JSON in and out: what references expand to is work that was asked for, until the budget ends it.
    """
    sizes = [step["bytes_in"] + step["bytes_out"] for step in steps]
    before = min(range(len(steps) - 1), key=lambda at: abs(math.log(sizes[-1] / sizes[at] / 10)))
    return math.log(steps[-1]["seconds"] / steps[before]["seconds"]) / math.log(sizes[-1] / sizes[before])


def grown(case: str, dialect: str, cpu: bool) -> list[Result]:
    """The growth case in a process of its own: time, growth and memory."""
    command = [sys.executable, "-m", "benchmarks.growth", case, dialect, *(["--cpu"] if cpu else [])]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=P8_TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        note = {"failure": f"no end after {P8_TIMEOUT} s"}
        return [Result("P8", f"{case} time", dialect, None, "s", P8_SECONDS, False, None, note)]
    if done.returncode:
        note = {"failure": done.stderr.decode(errors="replace").strip().rpartition("\n")[2]}
        return [Result("P8", f"{case} time", dialect, None, "s", P8_SECONDS, False, None, note)]
    found = json.loads(done.stdout)
    steps = found["steps"]
    last = steps[-1]
    as_expected = last["raised"] == GROWTH[case].error and all(step["raised"] is None for step in steps[:-1])
    slowest = max(step["seconds"] for step in steps)
    in_time = slowest <= P8_SECONDS and as_expected
    results = [Result("P8", f"{case} time", dialect, slowest, "s", P8_SECONDS, in_time, None, found)]
    if len(steps) > 1:
        growth = power(steps)
        results.append(Result("P8", f"{case} growth", dialect, growth, "power", P8_POWER, growth <= P8_POWER))
    if found["peak"] is not None:
        fits = found["peak"] <= P8_BYTES
        results.append(Result("P8", f"{case} memory", dialect, found["peak"], "bytes", P8_BYTES, fits))
    return results


# --- P9: the import ----------------------------------------------------------------------------------------------

_PEAK = """
import sys
try:
    lines = open("/proc/self/status").read().splitlines()
    print(next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")))
except (OSError, StopIteration):
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(peak if sys.platform == "darwin" else peak * 1024)
"""


def imports() -> list[Result]:
    """What ``import toolglot`` costs beyond ``import orjson``: medians of processes started in turn."""
    seconds: dict[str, list[float]] = {"orjson": [], "toolglot": []}
    peaks: dict[str, list[int]] = {"orjson": [], "toolglot": []}
    with tempfile.TemporaryDirectory() as empty:
        for turn in range(P9_STARTS + 1):
            for name, times in seconds.items():
                start = time.perf_counter()
                subprocess.run([sys.executable, "-c", f"import {name}"], cwd=empty, check=True)
                took = time.perf_counter() - start
                if turn:  # the first start of each fills the file cache
                    times.append(took)
        for _ in range(3):
            for name, found in peaks.items():
                code = f"import {name}\n{_PEAK}"
                done = subprocess.run([sys.executable, "-c", code], cwd=empty, capture_output=True, check=False)
                if done.returncode == 0:
                    found.append(int(done.stdout))
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    more = medians["toolglot"] - medians["orjson"]
    results = [Result("P9", "import time", None, more, "s", P9_SECONDS, more <= P9_SECONDS, None, medians)]
    if all(peaks.values()):
        held = {name: statistics.median(found) for name, found in peaks.items()}
        more = held["toolglot"] - held["orjson"]
        results.append(Result("P9", "import memory", None, more, "bytes", P9_BYTES, more <= P9_BYTES, None, held))
    return results


# --- in words ----------------------------------------------------------------------------------------------------


def machine() -> dict[str, Any]:
    """What the run was taken on."""
    model = platform.processor()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        lines = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = lines[0].split(":", 1)[1].strip() if lines else model
    return {
        "toolglot": tg.__version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "processor": model,
        "processors": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    }


def verdict(ok: bool | None) -> str:
    return "not judged" if ok is None else "pass" if ok else "FAIL"


def print_speed(results: Iterable[Result], bar: str, title: str) -> None:
    print(f"\n{bar}  {title}")
    print(f"{'dialect':<18}{'us':>9}{'RT us':>9}{'ratio':>9}{'bar':>7}{'aim':>7}  {'refused':>7}")
    for one in results:
        if one.bar == bar and one.detail is not None and one.value is not None:
            print(
                f"{one.dialect:<18}{one.detail['us']:>9.2f}{one.detail['round_trip_us']:>9.2f}{one.value:>9.2f}"
                f"{one.limit:>7.2f}{one.aim:>7.2f}  {one.detail['refused']:>7}  {verdict(one.ok)}"
                f"{', aim reached' if one.ok and one.aim is not None and one.value <= one.aim else ''}"
            )


def print_growth(results: Sequence[Result], dialects: Sequence[str]) -> None:
    tables = (
        ("time", "milliseconds, the slowest n", 1e3, 1),
        ("growth", "power of the size that the time grows as", 1.0, 2),
        ("memory", "peak memory of the process, MB", 1e-6, 0),
    )
    rows = {(one.what, one.dialect): one for one in results if one.bar == "P8"}
    width = max(len(case.title) for case in GROWTH.values()) + 16
    for kind, title, scale, digits in tables:
        limit = next((one.limit for (what, _), one in rows.items() if what.endswith(kind)), None)
        if limit is None:
            continue
        print(f"\nP8  {title}; bar {limit * scale:g}; ! marks what misses it")
        print(" " * width + "".join(f"{dialect[:11]:>12}" for dialect in dialects))
        for name, case in GROWTH.items():
            cells = [rows.get((f"{name} {kind}", dialect)) for dialect in dialects]
            if not any(cells):
                continue
            sizes = f"{case.title}, n to {case.sizes[-1]:,}" if len(case.sizes) > 1 else case.title
            print(f"{sizes:<{width}}" + "".join(_cell(one, scale, digits) for one in cells))
    print("\nP8  milliseconds for a projection and its losses at the largest n (no bar)")
    print(" " * width + "".join(f"{dialect[:11]:>12}" for dialect in dialects))
    for name, case in GROWTH.items():
        found = [rows.get((f"{name} time", dialect)) for dialect in dialects]
        took = [one.detail.get("losses") if one is not None and one.detail is not None else None for one in found]
        if any(took):
            cells_text = "".join(f"{one['seconds'] * 1e3:>11.1f} " if one else f"{'-':>11} " for one in took)
            print(f"{case.title:<{width}}{cells_text}")


def _cell(one: Result | None, scale: float, digits: int) -> str:
    if one is None:
        return f"{'-':>11} "
    text = "none" if one.value is None else f"{one.value * scale:.{digits}f}"
    return f"{text:>11}{'!' if one.ok is False else ' '}"


def _note(one: Result) -> str:
    """What else there is to say of a miss."""
    detail = one.detail or {}
    if "failure" in detail:
        return f" ({detail['failure']})"
    raised = [step["raised"] for step in detail.get("steps", ()) if step["raised"]]
    return f" (raised {raised[-1]})" if raised else ""


def print_imports(results: Iterable[Result]) -> None:
    print("\nP9  import toolglot, beyond import orjson")
    for one in results:
        if one.bar == "P9" and one.value is not None and one.detail is not None:
            scale, unit = (1e3, "ms") if one.unit == "s" else (1e-6, "MB")
            print(
                f"{one.what:<18}{one.detail['toolglot'] * scale:>9.1f} - {one.detail['orjson'] * scale:.1f} = "
                f"{one.value * scale:.1f} {unit}, bar {one.limit * scale:.0f}  {verdict(one.ok)}"
            )


# --- the command -------------------------------------------------------------------------------------------------


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bars", description=__doc__)
    parser.add_argument("bars", nargs="*", metavar="BAR", help=f"which to measure: {', '.join(BARS)} (all)")
    parser.add_argument("-d", "--dialect", action="append", choices=tg.dialects(), help="only this one (repeatable)")
    parser.add_argument("--rounds", type=int, default=9, help="rounds of P1 and P2, at least 7 (default: 9)")
    parser.add_argument("--cpu", action="store_true", help="processor time instead of the clock on the wall")
    parser.add_argument("--limit", type=int, help="about so many schemas instead of all (for a quick look)")
    parser.add_argument("--json", metavar="FILE", help="write the results to FILE as JSON (- for standard output)")
    options = parser.parse_args(given)
    options.bars = [name.upper() for name in options.bars] or list(BARS)
    unknown = sorted(set(options.bars) - set(BARS))
    if unknown:
        parser.error(f"no such bar: {', '.join(unknown)}; there are {', '.join(BARS)}")
    if options.rounds < 7:
        parser.error("--rounds must be at least 7")
    return options


def main(given: Sequence[str] | None = None) -> int:
    options = arguments(given)
    quiet = options.json == "-"
    out = sys.stderr if quiet else sys.stdout
    real, sys.stdout = sys.stdout, out
    try:
        report = run(options)
    finally:
        sys.stdout = real
    if options.json:
        text = json.dumps(report, indent=2) + "\n"
        if quiet:
            sys.stdout.write(text)
        else:
            Path(options.json).write_text(text, "utf-8")
    return 0 if report["ok"] else 1


def run(options: argparse.Namespace) -> dict[str, Any]:
    dialects = [name for name in tg.dialects() if not options.dialect or name in options.dialect]
    clock: Clock = time.process_time if options.cpu else time.perf_counter
    report: dict[str, Any] = {
        "machine": machine(),
        "clock": "process_time" if options.cpu else "perf_counter",
        "rounds": options.rounds,
    }
    about = report["machine"]
    print(f"toolglot {about['toolglot']}, {about['python']}, {about['system']}, {about['processor']}")
    print(f"load {about['load']} on {about['processors']} processors, {report['clock']}, best of {options.rounds}")
    results: list[Result] = []
    if "P9" in options.bars:
        results += imports()
        print_imports(results)
    if "P1" in options.bars or "P2" in options.bars:
        taken = schemas(options.limit)
        report["input"] = taken.source
        found, yardsticks = speed(taken, dialects, options.bars, options.rounds, clock)
        results += found
        report["yardsticks"] = yardsticks
        print(f"\ninput: {taken.source}")
        print(f"{yardsticks['left_out']} schemas that raise in a dialect are left out of every figure")
        if not taken.real:
            print("P1 and P2 are set for the catalog and are not judged on other schemas")
        print("microseconds per schema:")
        print(f"{'RT, orjson there and back':<28}{yardsticks['round_trip_us']:>8.2f}", end="")
        print(f"   to {yardsticks['round_trip_us_worst']:.2f} beside the noisiest dialect")
        for name, key in (("COPY, plain Python", "copy_us"), ("copy.deepcopy", "deepcopy_us")):
            print(f"{name:<28}{yardsticks[key]:>8.2f}   {yardsticks[key] / yardsticks['round_trip_us']:.2f} RT")
        del taken
        if "P1" in options.bars:
            print_speed(results, "P1", "project(schema, dialect).schema, dict to dict")
        if "P2" in options.bars:
            print_speed(results, "P2", "project_json, bytes to bytes")
    if "P8" in options.bars:
        for case in GROWTH:
            for dialect in dialects:
                results += grown(case, dialect, options.cpu)
        print_growth(results, dialects)
    judged = [one for one in results if one.ok is not None]
    missed = [one for one in judged if not one.ok]
    print()
    for one in missed:
        where = f" {one.dialect}" if one.dialect else ""
        value = "none" if one.value is None else f"{one.value:.4g}"
        print(f"FAIL {one.bar} {one.what}{where}: {value} {one.unit}, bar {one.limit:.4g}{_note(one)}")
    print(f"{len(judged) - len(missed)} of {len(judged)} bars hold")
    report["results"] = [asdict(one) for one in results]
    report["ok"] = not missed
    return report


if __name__ == "__main__":
    sys.exit(main())
