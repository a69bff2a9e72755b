"""What the benchmarks read: the catalog of 10,000 real tools where it is at hand, else the project's own schemas."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

ROOT = Path(__file__).resolve().parents[1]
CATALOG = Path("corpus") / "catalog-10k.json.gz"

#: How many schemas a pass reads at least; a smaller set is repeated.
ENOUGH = 2_000


@dataclass(frozen=True, slots=True)
class Schemas:
    """The schemas of one run. ``source`` says where they come from; ``real`` whether that is the catalog.

    ``texts`` are compact JSON, ``parsed`` the same schemas as ``orjson`` reads them, no container in two of them.
    """

    source: str
    real: bool
    texts: tuple[bytes, ...]
    parsed: tuple[Any, ...]

    def without(self, left_out: frozenset[int]) -> Schemas:
        """The same set without the schemas at these places."""
        kept = [at for at in range(len(self.texts)) if at not in left_out]
        texts = tuple(self.texts[at] for at in kept)
        return Schemas(self.source, self.real, texts, tuple(self.parsed[at] for at in kept))


def catalog_path() -> Path | None:
    """The catalog in ``$TOOLGLOT_SHARED`` (else ``../shared`` beside the repository); None where there is none."""
    named = os.environ.get("TOOLGLOT_SHARED")
    path = (Path(named) if named else ROOT.parent / "shared") / CATALOG
    return path if path.is_file() else None


def schemas(limit: int | None = None) -> Schemas:
    """The input schemas of the catalog, or of the examples and fixtures. ``limit``: about so many, evenly picked."""
    path = catalog_path()
    if path is None:
        found = list(_own())
        source = f"{len(found)} schemas of examples/ and tests/golden/, for want of {CATALOG} in $TOOLGLOT_SHARED"
        found *= -(-(limit or ENOUGH) // len(found))
    else:
        tools = orjson.loads(gzip.decompress(path.read_bytes()))["tools"]
        found = [tool["inputSchema"] for tool in tools]
        source = f"{len(found):,} tools of {path.name}"
    if limit is not None and limit < len(found):
        found = found[:: len(found) // limit][:limit]
        source = f"{limit:,} of {source}"
    texts = tuple(orjson.dumps(schema) for schema in found)
    return Schemas(source, path is not None, texts, tuple(orjson.loads(text) for text in texts))


def _own() -> Iterator[Any]:
    for tool in json.loads((ROOT / "examples" / "catalog.json").read_text("utf-8"))["tools"]:
        yield tool["inputSchema"]
    for file in sorted((ROOT / "tests" / "golden").glob("*/schema.json")):
        yield json.loads(file.read_text("utf-8"))


# --- growth ------------------------------------------------------------------------------------------------------


def ladder(n: int) -> Any:
    """n definitions, each of which refers to the next one twice: 2^n places when references are inlined."""
    step: dict[str, Any] = {
        f"D{at}": {
            "type": "object",
            "properties": {"left": {"$ref": f"#/$defs/D{at + 1}"}, "right": {"$ref": f"#/$defs/D{at + 1}"}},
        }
        for at in range(n)
    }
    step[f"D{n}"] = {"type": "string"}
    return {"type": "object", "properties": {"top": {"$ref": "#/$defs/D0"}}, "$defs": step}


def ring(n: int) -> Any:
    """n definitions, each of which refers to the next one and the last one to the first."""
    step = {
        f"D{at}": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "next": {"$ref": f"#/$defs/D{(at + 1) % n}"}},
        }
        for at in range(n)
    }
    return {"type": "object", "properties": {"top": {"$ref": "#/$defs/D0"}}, "$defs": step}


def clique(n: int) -> Any:
    """n definitions, each of which refers to every one: n! paths without a repeated definition."""
    step = {
        f"D{at}": {"type": "object", "properties": {f"p{to}": {"$ref": f"#/$defs/D{to}"} for to in range(n)}}
        for at in range(n)
    }
    return {"type": "object", "properties": {"top": {"$ref": "#/$defs/D0"}}, "$defs": step}


def nest(n: int) -> Any:
    """n objects, one in the other."""
    inner: dict[str, Any] = {"type": "object", "properties": {"leaf": {"type": "string"}}}
    for _ in range(n - 1):
        # required: an optional one costs openai_strict two containers more a level, which JSON writers do not take
        inner = {"type": "object", "properties": {"inner": inner}, "required": ["inner"]}
    return inner


def enum(n: int) -> Any:
    """One property that takes n strings."""
    return {"type": "object", "properties": {"pick": {"type": "string", "enum": [f"value {at}" for at in range(n)]}}}


def wide(n: int) -> Any:
    """n properties, every other one required, each with a rule of its own."""
    rules: tuple[dict[str, Any], ...] = (
        {"type": "string", "description": "A text."},
        {"type": "integer", "minimum": 0, "maximum": 10},
        {"type": "array", "items": {"type": "string", "maxLength": 8}},
        {"type": ["string", "null"], "default": None},
    )
    return {
        "type": "object",
        "properties": {f"p{at}": {**rules[at % 4]} for at in range(n)},
        "required": [f"p{at}" for at in range(0, n, 2)],
    }


def all_of(n: int) -> Any:
    """A conjunction of n objects with a property each."""
    branches = [
        {"type": "object", "properties": {f"p{at}": {"type": "string"}}, "required": [f"p{at}"]} for at in range(n)
    ]
    return {"type": "object", "properties": {"all": {"allOf": branches}}}


def all_of_rules(n: int) -> Any:
    """A conjunction of n rules on one string, no two of which make one."""
    branches = [{"pattern": f"^.*{at}.*$"} for at in range(n)]
    return {"type": "object", "properties": {"all": {"type": "string", "allOf": branches}}}


def all_of_references(n: int) -> Any:
    """A conjunction of n references to n definitions."""
    step = {f"D{at}": {"type": "object", "properties": {f"p{at}": {"type": "string"}}} for at in range(n)}
    branches = [{"$ref": f"#/$defs/D{at}"} for at in range(n)]
    return {"type": "object", "properties": {"all": {"allOf": branches}}, "$defs": step}


@dataclass(frozen=True, slots=True)
class Growth:
    """A schema that grows with n. ``error``: the name of the error that the largest n must raise, in time."""

    title: str
    make: Callable[[int], Any]
    sizes: tuple[int, ...]
    error: str | None = None


GROWTH: dict[str, Growth] = {
    "ladder": Growth("a ladder of n shared definitions", ladder, (10, 20, 100, 1_000)),
    "ring": Growth("n definitions in a ring", ring, (10, 100, 1_000)),
    "clique": Growth("n definitions, each refers to all", clique, (5, 10, 20, 60)),
    "nest": Growth("n nested objects", nest, (12, 60, 120)),
    "too_deep": Growth("300 nested objects: the error", nest, (300,), "SchemaTooDeep"),
    "enum": Growth("an enum of n", enum, (10, 1_000, 10_000, 100_000)),
    "wide": Growth("n properties", wide, (10, 100, 500, 5_000)),
    "all_of": Growth("n allOf branches: objects", all_of, (10, 100, 1_000)),
    "all_of_rules": Growth("n allOf branches: patterns", all_of_rules, (10, 100, 1_000)),
    "all_of_references": Growth("n allOf branches: references", all_of_references, (10, 100, 1_000)),
}
