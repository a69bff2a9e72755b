"""Fixtures for the whole suite: the shared corpus beside the repository, and counts shown at the end of a run."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]

# ``tests`` is importable as a package (tests.oracles, tests.twin) from wherever pytest is called.
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))


def shared_directory() -> Path | None:
    """The shared data: ``$TOOLGLOT_SHARED``, else ``../shared`` beside the repository; ``None`` where there is none."""
    named = os.environ.get("TOOLGLOT_SHARED")
    path = Path(named) if named else ROOT.parent / "shared"
    return path if (path / "corpus" / "public").is_dir() else None


@pytest.fixture(scope="session")
def shared() -> Path:
    """The directory of shared data (corpus, vendors, cases); the test is skipped where it is not there."""
    path = shared_directory()
    if path is None:
        pytest.skip(f"no shared corpus: neither $TOOLGLOT_SHARED nor {ROOT.parent / 'shared'} holds corpus/public")
    return path


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root."""
    return ROOT


@pytest.fixture
def count(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Say what was counted: the line is printed, and shown again at the end of the run."""

    def say(line: str) -> None:
        print(line)
        record_property("count", line)

    return say


def pytest_terminal_summary(terminalreporter: Any) -> None:
    lines = [
        str(line)
        for outcome in ("passed", "failed")
        for report in terminalreporter.stats.get(outcome, [])
        for name, line in report.user_properties
        if name == "count"
    ]
    if lines:
        terminalreporter.section("counts")
        for line in sorted(lines):
            terminalreporter.write_line(line)
