"""How many instructions a projection takes, counted by valgrind's callgrind over a fixed small input.

``python -m tests.instructions`` prints the counts beside the recorded ones; ``--record`` records them, for this Python
and this machine, in ``tests/instructions.json``. Record once a change to the core is final: the tests then hold the
core to 10% above what was recorded.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).with_suffix(".json")
ROOT = Path(__file__).resolve().parents[1]
DIALECTS = ("canonical", "flat", "openai_strict", "anthropic_strict", "bedrock_strict", "nova", "gemini")
WARM_UP = 5
ROUNDS = 20
#: What a count may be above the recorded one.
SLACK = 0.10

#: The fixed input. Any change here makes the recorded counts void (its digest is recorded with them).
SCHEMAS: tuple[dict[str, Any], ...] = (
    {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {
            "owner": {"type": "string", "description": "Who owns the repository"},
            "repo": {"type": "string", "description": "Its name"},
            "state": {"type": "string", "enum": ["open", "closed", "all"], "default": "open"},
            "labels": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 9, "uniqueItems": True},
            "page": {"type": "number", "minimum": 1, "description": "The page, from one."},
            "since": {"type": "string", "format": "date-time"},
        },
        "required": ["owner", "repo"],
        "additionalProperties": False,
    },
    {
        "type": "object",
        "title": "Arguments",
        "properties": {
            "name": {"title": "Name", "type": "string", "pattern": "^[a-z]+$", "minLength": 1, "maxLength": 40},
            "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None, "title": "Limit"},
            "value": {"anyOf": [{"type": "string"}, {"type": "number", "exclusiveMinimum": 0}, {"type": "boolean"}]},
            "either": {"oneOf": [{"$ref": "#/$defs/Point"}, {"type": "array", "items": {"$ref": "#/$defs/Point"}}]},
            "kind": {"const": "fixed"},
            "any": {},
        },
        "required": ["name", "kind"],
        "$defs": {
            "Point": {
                "type": "object",
                "properties": {"x": {"type": "number"}, "y": {"type": "number"}, "unit": {"type": "string"}},
                "required": ["x", "y"],
            }
        },
    },
    {
        "type": "object",
        "properties": {
            "query": {"$ref": "#/$defs/Node", "description": "The whole query."},
            "options": {
                "type": "object",
                "properties": {"depth": {"type": ["integer", "null"], "maximum": 9}, "flags": {"type": "array"}},
                "additionalProperties": {"type": "string"},
            },
            "headers": {"type": "object", "additionalProperties": {"type": "string"}},
            "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False},
        },
        "required": ["query"],
        "$defs": {
            "Node": {
                "type": "object",
                "properties": {
                    "op": {"enum": ["and", "or", "is", 1, None]},
                    "left": {"$ref": "#/$defs/Node"},
                    "right": {"anyOf": [{"$ref": "#/$defs/Node"}, {"$ref": "#/$defs/Leaf"}]},
                },
                "required": ["op"],
            },
            "Leaf": {"type": "object", "properties": {"value": {"type": "string"}}, "patternProperties": {"^x-": {}}},
        },
    },
    {
        "type": "object",
        "allOf": [
            {"properties": {"id": {"type": "string", "format": "uuid"}}, "required": ["id"]},
            {"properties": {"size": {"type": "integer", "multipleOf": 2}, "id": {"minLength": 36}}},
        ],
        "properties": {"note": {"type": "string", "examples": ["One.", "Two."], "deprecated": True}},
        "if": {"properties": {"size": {"const": 0}}},
        "then": {"required": ["note"]},
        "minProperties": 1,
    },
)


def key() -> str:
    """The Python and the machine that counts hold for, as in ``cpython-311-x86_64-linux-gnu``."""
    return str(sysconfig.get_config_var("SOABI") or f"{sys.implementation.cache_tag}-{sysconfig.get_platform()}")


def digest() -> str:
    """What tells one fixed input from another."""
    return hashlib.sha256(json.dumps([SCHEMAS, ROUNDS]).encode()).hexdigest()[:16]


def recorded() -> dict[str, Any]:
    """``{"input": digest, "counts": {key: {dialect: instructions}}}``."""
    if not RECORDED.is_file():
        return {"input": digest(), "counts": {}}
    found: dict[str, Any] = json.loads(RECORDED.read_text("utf-8"))
    return found


def counted() -> dict[str, int]:
    """Instructions for one pass over the fixed input in each dialect. Takes some ten seconds; needs valgrind."""
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "callgrind.out"
        # Each mark ends a part: what is collected so far is written to a file of its own.
        command = ["valgrind", "--tool=callgrind", "--dump-before=sched_yield", f"--callgrind-out-file={out}"]
        done = subprocess.run(
            [*command, sys.executable, "-m", "tests.instructions", "--workload"],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": "0"},
            capture_output=True,
            timeout=600,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(done.stderr.decode(errors="replace"))
        # Part 1 is all that comes before the first dialect, part 2 the first dialect.
        counts = {}
        for part, dialect in enumerate(DIALECTS, 2):
            found = re.search(r"^(?:summary|totals): (\d+)", Path(f"{out}.{part}").read_text("utf-8"), re.MULTILINE)
            if found is None:
                raise RuntimeError("callgrind wrote no total")
            counts[dialect] = int(found.group(1)) // ROUNDS
    return counts


def workload() -> None:
    """What is counted: the fixed input in every dialect, a mark after each."""
    import toolglot

    project = toolglot.project
    gc.disable()
    for dialect in DIALECTS:
        for _ in range(WARM_UP):
            for schema in SCHEMAS:
                project(schema, dialect)
    os.sched_yield()
    for dialect in DIALECTS:
        for _ in range(ROUNDS):
            for schema in SCHEMAS:
                project(schema, dialect)
        os.sched_yield()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.instructions", description=__doc__)
    parser.add_argument("--record", action="store_true", help="record the counts for this Python and machine")
    parser.add_argument("--workload", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.workload:
        workload()
        return
    book, counts = recorded(), counted()
    known = book["counts"].get(key(), {}) if book["input"] == digest() else {}
    print(key())
    for dialect, count in counts.items():
        before = known.get(dialect)
        print(f"{dialect:<18}{count:>10,}" + (f"{before:>12,}{count / before - 1:>+8.1%}" if before else ""))
    if options.record:
        kept = book["counts"] if book["input"] == digest() else {}
        book = {"input": digest(), "counts": {**kept, key(): counts}}
        RECORDED.write_text(json.dumps(book, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
