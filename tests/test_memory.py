"""The compiled core keeps nothing that it should give back, takes nothing that is not its own, and minds no thread.

Counted are the blocks that Python has handed out, which tells of a single forgotten object, and resident memory, which
tells of what is not Python's. Where the collector is off, a cycle that a projection leaves behind counts as forgotten.
"""

from __future__ import annotations

import gc
import json
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

import toolglot as tg

ROOT = Path(__file__).resolve().parents[1]
DIALECTS = ("canonical", "flat", "openai_strict", "anthropic_strict", "bedrock_strict", "nova", "gemini")

PROJECTIONS = 10_000
#: Blocks that may be there after 10,000 projections and were not before: what Python itself keeps on the way.
BLOCKS = 200
#: Resident memory that may be there after 10,000 projections and was not before.
BYTES = 4 * 1024 * 1024
#: Objects that may be left to the collector after 10,000 projections: those of pytest and the like.
CYCLES = 20


def deep(levels: int) -> Any:
    inner: Any = {"type": "string"}
    for _ in range(levels):
        inner = {"type": "object", "properties": {"inner": inner}}
    return inner


def at_a(node: Any, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"first": {"type": "string", "minLength": 1}, "a": node}, **more}


def raising() -> dict[str, Any]:
    """Inputs that raise in at least one dialect; most errors are raised half-way through the work."""
    return {
        "false": False,
        "no schema": 17,
        "type of a wrong kind": at_a({"type": 5}),
        "type unknown": at_a({"type": "strnig"}),
        "properties are a list": at_a({"type": "object", "properties": []}),
        "items are a number": at_a({"type": "array", "items": 7}),
        "enum is a string": at_a({"enum": "a"}),
        "required is a string": at_a({"type": "object", "required": "a"}),
        "union of nothing": at_a({"anyOf": []}),
        "conjunction of a number": at_a({"allOf": [{"type": "string"}, 3]}),
        "a key that is no string": at_a({"type": "object", "properties": {1: {}}}),
        "a value that is no JSON": at_a({"type": "string", "default": {1, 2}}),
        "a number that is not finite": at_a({"type": "number", "default": float("nan")}),
        "a reference that points nowhere": at_a({"$ref": "#/$defs/Gone"}),
        "a reference behind another": at_a(
            {"$ref": "#/$defs/A"}, **{"$defs": {"A": {"items": {"$ref": "#/$defs/Gone"}}}}
        ),
        "a reference elsewhere": at_a({"$ref": "https://example.com/schema.json"}),
        "a reference that is a number": at_a({"$ref": 4}),
        "malformed behind a recursion": at_a(
            {"$ref": "#/$defs/A"},
            **{"$defs": {"A": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"type": 5}}}}},
        ),
        "too deep": deep(300),
    }


def good() -> dict[str, Any]:
    """The example catalog's schemas and the golden ones."""
    catalog = json.loads((ROOT / "examples" / "catalog.json").read_text("utf-8"))
    found = {f"examples/{tool['name']}": tool["inputSchema"] for tool in catalog["tools"]}
    for file in sorted((Path(__file__).parent / "golden").glob("*/schema.json")):
        found[f"golden/{file.parent.name}"] = json.loads(file.read_text("utf-8"))
    return found


def attempt(schema: Any, dialect: str, losses: bool = False) -> None:
    try:
        projection = tg.project(schema, dialect)
    except tg.SchemaError:
        return
    if losses:
        projection.losses  # noqa: B018


def containers(value: Any) -> Iterator[Any]:
    """Every dict and list of a JSON value."""
    stack = [value]
    while stack:
        found = stack.pop()
        if isinstance(found, dict):
            yield found
            stack.extend(found.values())
        elif isinstance(found, list):
            yield found
            stack.extend(found)


@pytest.fixture(params=["gc on", "gc off"])
def collector(request: pytest.FixtureRequest) -> Iterator[str]:
    """Both ways; what was there before is put away first."""
    gc.collect()
    if request.param == "gc off":
        gc.disable()
    yield str(request.param)
    gc.enable()
    gc.collect()


def leaves_nothing(work: Callable[[], None], times: int) -> str:
    """What ``times`` runs leave behind, in words, after some that warm everything up; too much of it is an error."""
    off, process = not gc.isenabled(), psutil.Process()
    for _ in range(max(3, times // 5)):
        work()
    gc.collect()
    memory, blocks = process.memory_info().rss, sys.getallocatedblocks()
    for _ in range(times):
        work()
    memory = process.memory_info().rss - memory
    cycles = gc.collect()  # which also empties the free lists that Python keeps
    blocks = sys.getallocatedblocks() - blocks
    found = f"{blocks} blocks, {memory:,} bytes" + (f", {cycles} objects in cycles" if off else "")
    assert blocks <= BLOCKS, found
    assert memory <= BYTES, found
    assert not off or cycles <= CYCLES, found
    return found


@pytest.mark.parametrize("what", ["good", "raising"])
def test_ten_thousand_projections_leave_nothing(what: str, collector: str, count: Callable[[str], None]) -> None:
    inputs = list((good() if what == "good" else raising()).values())

    def work() -> None:
        for schema in inputs:
            for dialect in DIALECTS:
                attempt(schema, dialect)

    times = -(-PROJECTIONS // (len(inputs) * len(DIALECTS)))
    done = times * len(inputs) * len(DIALECTS)
    count(f"memory, {what} input, {collector}: {done:,} projections left {leaves_nothing(work, times)}")


def test_losses_leave_nothing(collector: str, count: Callable[[str], None]) -> None:
    inputs = list(good().values())

    def work() -> None:
        for schema in inputs:
            for dialect in DIALECTS:
                attempt(schema, dialect, losses=True)

    count(f"memory, losses, {collector}: {8 * len(inputs) * len(DIALECTS):,} left {leaves_nothing(work, 8)}")


def test_bytes_to_bytes_leaves_nothing(collector: str, count: Callable[[str], None]) -> None:
    texts = [json.dumps(schema).encode() for schema in good().values()]
    texts += [b"", b"{", b'{"a": }', b"17", b'{"type": "object", "properties": {"a": {"$ref": "#/gone"}}}', b"\xff"]

    def work() -> None:
        for text in texts:
            for dialect in DIALECTS:
                try:
                    tg.project_json(text, dialect)
                except tg.SchemaError:
                    continue

    count(f"memory, bytes, {collector}: {12 * len(texts) * len(DIALECTS):,} left {leaves_nothing(work, 12)}")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_ever_new_names_are_not_kept(dialect: str) -> None:
    """Names, definitions and patterns that differ each time: what is remembered of them is bounded."""

    def batch(number: int) -> None:
        for at in range(number * 1_000, (number + 1) * 1_000):
            schema = at_a(
                {"$ref": f"#/$defs/D{at}"},
                **{"$defs": {f"D{at}": {"type": "object", "properties": {f"na me {at}": {"pattern": f"^{at}$"}}}}},
            )
            attempt(schema, dialect)

    for number in range(12):
        batch(number)
    gc.collect()
    blocks = sys.getallocatedblocks()
    for number in range(12, 24):
        batch(number)
    gc.collect()
    # A cache that was half full may fill up; one that grows for ever would hold 12,000 entries more.
    assert sys.getallocatedblocks() - blocks < 6_000


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_input_is_held_no_longer_than_the_projection(dialect: str, collector: str) -> None:
    """Every container of the input has as many references after as before, and is in nothing that was made."""
    for name, schema in {**good(), **raising()}.items():
        nodes = list(containers(schema))
        before = [sys.getrefcount(node) for node in nodes]
        for _ in range(3):
            attempt(schema, dialect, losses=True)
        after = [sys.getrefcount(node) for node in nodes]
        assert after == before, name


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_projection_shares_no_container_with_the_input(dialect: str) -> None:
    for name, schema in good().items():
        own = {id(node) for node in containers(schema)}
        spelled = tg.project(schema, dialect).schema
        made = list(containers(spelled))
        assert not own & {id(node) for node in made}, name
        assert len({id(node) for node in made}) == len(made), f"{name}: one container in two places"


def test_constants_are_neither_lost_nor_hoarded() -> None:
    """What everything shares. The counts of a hundred projections a dialect would show as thousands."""
    inputs = list({**good(), **raising()}.values())
    constants = [None, True, False, 0, 1, "type", "object", "string", "properties", "description", "$ref", "", (), b""]
    for dialect in DIALECTS:
        for schema in inputs:
            attempt(schema, dialect)
    gc.collect()
    before = [sys.getrefcount(value) for value in constants]
    for _ in range(10):
        for dialect in DIALECTS:
            for schema in inputs:
                attempt(schema, dialect, losses=True)
    gc.collect()
    for value, one, other in zip(constants, before, [sys.getrefcount(value) for value in constants], strict=True):
        assert abs(other - one) < 50, f"{value!r}: {one} references before, {other} after"


# --- threads -----------------------------------------------------------------------------------------------------

THREADS = 4
ROUNDS = 2_000


def together(work: Callable[[int], None]) -> None:
    """Runs ``work(number)`` in threads that take turns as often as the interpreter lets them."""
    failures: list[BaseException] = []
    start = threading.Barrier(THREADS)

    def run(number: int) -> None:
        try:
            start.wait(timeout=60)
            work(number)
        except BaseException as error:
            failures.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=300)
    finally:
        sys.setswitchinterval(interval)
    assert not any(thread.is_alive() for thread in threads)
    if failures:
        raise failures[0]


def everything() -> list[tuple[Any, str]]:
    """Every input, made anew, in every dialect."""
    return [(schema, dialect) for schema in {**good(), **raising()}.values() for dialect in DIALECTS]


def outcome(schema: Any, dialect: str) -> bytes:
    try:
        projection = tg.project(schema, dialect)
        return projection.to_json() + repr(projection.losses).encode()
    except tg.SchemaError as error:
        return f"{type(error).__name__}: {error}".encode()


@pytest.mark.parametrize("shared", [True, False], ids=["the same schemas", "schemas of their own"])
def test_threads_give_what_one_thread_gives(shared: bool) -> None:
    jobs = everything()
    alone = [outcome(schema, dialect) for schema, dialect in jobs]
    wrong: list[tuple[int, int]] = []

    def work(number: int) -> None:
        own = jobs if shared else everything()
        for turn in range(ROUNDS):
            # All at the same job, or each a stretch of the list apart.
            at = (turn if shared else turn + number * len(jobs) // THREADS) % len(jobs)
            if outcome(*own[at]) != alone[at]:
                wrong.append((number, at))

    together(work)
    assert wrong == []
