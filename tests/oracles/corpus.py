"""The shared corpus of real tool catalogs, read once a process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Tool:
    """``draft`` is what to read its schemas as (``None``: their own ``$schema`` says)."""

    file: str
    name: str
    kind: str
    schema: Any
    output: Any
    draft: str | None

    @property
    def where(self) -> str:
        return f"{self.file}:{self.name}"

    def schemas(self) -> list[tuple[str, Any]]:
        """(direction, schema) for each schema the tool has."""
        both = [("input", self.schema)]
        return both if self.output is None else [*both, ("output", self.output)]


@cache
def tools(shared: Path) -> tuple[Tool, ...]:
    """Every tool of the public half, files and tools in a fixed order. Callers must not edit the schemas."""
    found: list[Tool] = []
    for path in sorted((shared / "corpus" / "public").glob("*.json")):
        document = json.loads(path.read_bytes())
        draft = "7" if "draft7" in path.stem else None
        found.extend(
            Tool(path.stem, tool["name"], document["kind"], tool.get("inputSchema"), tool.get("outputSchema"), draft)
            for tool in document["tools"]
        )
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Instance:
    """``valid`` is what the source states of ``data`` under the tool's schema as its author wrote it."""

    description: str
    valid: bool
    data: Any


@cache
def instances(shared: Path, file: str) -> dict[str, list[Instance]]:
    """The instances of one source, by tool name."""
    document = json.loads((shared / "corpus" / "instances" / f"{file}.json").read_bytes())
    return {
        name: [Instance(case.get("description", ""), case["valid"], case["data"]) for case in cases]
        for name, cases in document["instances"].items()
    }


def instance_files(shared: Path) -> list[str]:
    """The sources that have instances."""
    return sorted(path.stem for path in (shared / "corpus" / "instances").glob("*.json"))


def own_schemas(root: Path) -> list[tuple[str, Any]]:
    """(name, input schema) of the project's own documents: the golden fixtures and the example catalog, if there."""
    found = [
        (f"golden/{path.parent.name}", json.loads(path.read_bytes()))
        for path in sorted((root / "tests" / "golden").glob("*/schema.json"))
    ]
    example = root / "examples" / "catalog.json"
    if example.is_file():
        document = json.loads(example.read_bytes())
        listed = document["tools"] if isinstance(document, dict) else document
        found.extend((f"examples/{tool['name']}", tool["inputSchema"]) for tool in listed)
    return found
