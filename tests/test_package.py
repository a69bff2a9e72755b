"""The package itself: typed, versioned, light to import, and set up by the README's two commands."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import metadata, version
from importlib.resources import files
from pathlib import Path

import pytest

import toolglot as tg

DIALECTS = tg.dialects()
ROOT = Path(__file__).parent.parent
COMMANDS = [
    'python -m pip install ".[cli]" && toolglot project examples/catalog.json --dialect openai_strict',
    'python -m pip install ".[test]" && python -m pytest',
]


def test_the_package_is_typed() -> None:
    assert files("toolglot").joinpath("py.typed").is_file()


def test_the_version_is_that_of_the_metadata() -> None:
    assert tg.__version__ == version("toolglot")


def test_the_licence_is_named() -> None:
    assert metadata("toolglot")["License-Expression"] == "Apache-2.0"


def test_the_import_brings_nothing_it_does_not_need() -> None:
    extras = ["click", "rich", "jsonschema_rs", "mcp", "fastmcp", "pydantic", "msgspec", "redis", "jsonschema", "httpx"]
    code = f"import json, sys, toolglot; print(json.dumps([n for n in {extras!r} if n in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=True)
    assert json.loads(done.stdout) == []


def test_every_public_name_is_there() -> None:
    assert len(set(tg.__all__)) == len(tg.__all__)
    for name in tg.__all__:
        assert hasattr(tg, name)


@pytest.mark.skipif(not (ROOT / "README.md").is_file(), reason="not in a checkout")
def test_the_readme_holds_its_two_commands() -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert [block.strip() for block in blocks if "pip install" in block] == COMMANDS


@pytest.mark.skipif(not (ROOT / "README.md").is_file(), reason="not in a checkout")
def test_the_readme_names_every_dialect() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    for name in DIALECTS:
        assert f"| `{name}` |" in text


@pytest.mark.skipif(not (ROOT / "README.md").is_file(), reason="not in a checkout")
def test_the_examples_of_the_readme_run() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        done = subprocess.run([sys.executable, "-c", block], capture_output=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr.decode()
