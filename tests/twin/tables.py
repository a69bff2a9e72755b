"""The dialect tables: data of the package, loaded whether or not the compiled core is there."""

from __future__ import annotations

import importlib
import sys
import types
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).parents[2] / "src"


def dialects_package() -> Any:
    try:
        return importlib.import_module("toolglot.dialects")
    except ImportError:
        pass
    before = {name: module for name, module in sys.modules.items() if name.split(".")[0] == "toolglot"}
    for name in before:
        del sys.modules[name]
    package = types.ModuleType("toolglot")
    package.__path__ = [str(SOURCE / "toolglot")]
    sys.modules["toolglot"] = package
    try:
        return importlib.import_module("toolglot.dialects")
    finally:
        for name in [name for name in sys.modules if name.split(".")[0] == "toolglot"]:
            del sys.modules[name]
        sys.modules.update(before)


def find(name: str) -> Any:
    return dialects_package().dialect(name)
