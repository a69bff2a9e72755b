"""The core takes no more than 10% more instructions than were recorded for a fixed small input."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable

import pytest
from tests import instructions

import toolglot as tg


def test_the_fixed_input_is_projected_in_every_dialect() -> None:
    for dialect in instructions.DIALECTS:
        for schema in instructions.SCHEMAS:
            assert isinstance(tg.project(schema, dialect).schema, dict)


def test_instructions(count: Callable[[str], None]) -> None:
    if os.environ.get("TOOLGLOT_FULL") != "1":
        pytest.skip("counting instructions is long: set TOOLGLOT_FULL=1")
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
    book = instructions.recorded()
    key = instructions.key()
    if key not in book["counts"]:
        pytest.skip(f"no count recorded for this Python ({key}): python -m tests.instructions --record")
    assert book["input"] == instructions.digest(), "the fixed input changed: python -m tests.instructions --record"
    known, found = book["counts"][key], instructions.counted()
    count(f"instructions: {found}")
    more = {dialect: f"{found[dialect]:,}, recorded {known[dialect]:,}" for dialect in found}
    over = {dialect: more[dialect] for dialect in found if found[dialect] > known[dialect] * (1 + instructions.SLACK)}
    assert not over, f"more than {instructions.SLACK:.0%} above what was recorded: {over}"
