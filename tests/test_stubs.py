"""The type stubs of the compiled core are installed, and name nothing that is not there."""

from __future__ import annotations

import ast
import importlib
import inspect
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.resources import files

import pytest

CORE = files("toolglot.core")
COMPILED = sorted(
    {entry.name.partition(".")[0] for entry in CORE.iterdir() if entry.name.endswith(tuple(EXTENSION_SUFFIXES))}
)
# Names of the stubs' own.
PRIVATE = {"_Effect"}


def test_there_are_compiled_modules() -> None:
    assert {"references", "rewriter", "wording"} <= set(COMPILED)


@pytest.mark.parametrize("name", COMPILED)
def test_every_compiled_module_has_a_stub(name: str) -> None:
    assert CORE.joinpath(f"{name}.pyi").is_file()


@pytest.mark.parametrize("name", COMPILED)
def test_what_a_stub_names_is_there_and_documented(name: str) -> None:
    module = importlib.import_module(f"toolglot.core.{name}")
    tree = ast.parse(CORE.joinpath(f"{name}.pyi").read_text("utf-8"))
    assert ast.get_docstring(tree)
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            assert hasattr(module, node.target.id)
        if not isinstance(node, ast.ClassDef | ast.FunctionDef) or node.name in PRIVATE:
            continue
        found = getattr(module, node.name)
        if isinstance(node, ast.FunctionDef):
            assert callable(found)
            assert ast.get_docstring(node)
            continue
        assert inspect.isclass(found)
        for member in node.body:
            if isinstance(member, ast.FunctionDef):
                assert hasattr(found, member.name), f"{name}.{node.name}.{member.name}"
