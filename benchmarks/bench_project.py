"""P1, P2 and P8 under pytest-benchmark: ``python -m pytest benchmarks``. One group a dialect, one a growth case.

Nothing is judged here; ``python -m benchmarks.bars`` judges.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import toolglot as tg
from benchmarks.bars import project_all, project_json_all
from benchmarks.inputs import GROWTH, Schemas, schemas
from benchmarks.yardsticks import copy_all, round_trip

#: Schemas in a pass: enough for a steady figure, few enough for a run of a minute.
PICKED = 2_500
ROUNDS = 7
DIALECTS = tg.dialects()


@pytest.fixture(scope="module")
def taken() -> Schemas:
    """The schemas that no dialect refuses."""
    found = schemas(PICKED)
    left_out = set()
    for at, schema in enumerate(found.parsed):
        for dialect in DIALECTS:
            try:
                tg.project(schema, dialect)
            except tg.SchemaError:
                left_out.add(at)
    return found.without(frozenset(left_out))


def measure(benchmark: Any, taken: Schemas, work: Callable[[], None]) -> None:
    benchmark.extra_info["input"] = taken.source
    benchmark.extra_info["schemas"] = len(taken.texts)
    benchmark.pedantic(work, rounds=ROUNDS, iterations=1, warmup_rounds=1)


@pytest.mark.parametrize("dialect", DIALECTS)
class TestDialect:
    """Each dialect beside its yardstick."""

    @pytest.fixture(autouse=True)
    def group(self, benchmark: Any, dialect: str, taken: Schemas) -> None:
        benchmark.group = f"{dialect}: {len(taken.texts):,} schemas"

    def test_round_trip(self, benchmark: Any, taken: Schemas, dialect: str) -> None:
        measure(benchmark, taken, lambda: round_trip(taken.texts))

    def test_project(self, benchmark: Any, taken: Schemas, dialect: str) -> None:
        measure(benchmark, taken, lambda: project_all(taken.parsed, dialect))

    def test_project_json(self, benchmark: Any, taken: Schemas, dialect: str) -> None:
        measure(benchmark, taken, lambda: project_json_all(taken.texts, dialect))


@pytest.mark.benchmark(group="yardsticks")
class TestYardsticks:
    def test_round_trip(self, benchmark: Any, taken: Schemas) -> None:
        measure(benchmark, taken, lambda: round_trip(taken.texts))

    def test_copy_in_plain_python(self, benchmark: Any, taken: Schemas) -> None:
        measure(benchmark, taken, lambda: copy_all(taken.parsed))


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("case", GROWTH)
def test_growth(benchmark: Any, case: str, dialect: str) -> None:
    growth = GROWTH[case]
    schema = growth.make(growth.sizes[-1])
    benchmark.group = f"{growth.title}, n = {growth.sizes[-1]:,}"

    def work() -> str | None:
        try:
            tg.project(schema, dialect)
        except tg.SchemaError as error:
            return type(error).__name__
        return None

    assert benchmark.pedantic(work, rounds=3, iterations=1) == growth.error
