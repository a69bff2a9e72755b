"""Google's own messages as judges of the gemini family.

``FunctionDeclaration.parameters`` is a ``Schema`` message. Read from proto JSON, it raises on an unknown field, on a
wrong type and on a value that a field cannot hold: where the API answers 400. It is blind to what is no field's
business (a dangling ``ref``, an array without ``items``, a property in ``required`` that is not declared, what stands
beside ``anyOf``): ``structure.py`` looks at those.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

import pytest

#: The message's module by package. These import lazily; nothing lighter holds the descriptors.
MODULES = {
    "aiplatform": "google.cloud.aiplatform_v1.types.tool",
    "generativelanguage": "google.ai.generativelanguage_v1beta.types.content",
}

#: What JSON parsing allows, so that only the message decides. json_format's own default is 100 nested messages.
_DEPTH = 600


class Refused(ValueError):
    """The message refuses the document; the text says where and why."""


@cache
def declaration(package: str) -> Any:
    """The protobuf class ``FunctionDeclaration``; skips the test where the package is not installed."""
    module = pytest.importorskip(MODULES[package], reason=f"google's {package} messages are not installed")
    return module.FunctionDeclaration.pb()


def fields(package: str) -> dict[str, str]:
    """Field name in JSON -> field name in the proto file, of the ``Schema`` message."""
    schema = declaration(package).DESCRIPTOR.fields_by_name["parameters"].message_type
    return {field.json_name: field.name for field in schema.fields}


def parse(parameters: dict[str, Any], package: str = "aiplatform") -> dict[str, Any]:
    """Read proto JSON into ``FunctionDeclaration.parameters`` and give it back as the message writes it.

    Raises ``Refused``. What comes back is compared with what went in: a value that the message took but did not keep
    (``null`` for an object, an enum by number) is refused too.
    """
    json_format = importlib.import_module("google.protobuf.json_format")
    message = declaration(package)()
    try:
        json_format.ParseDict({"name": "tool", "parameters": parameters}, message, max_recursion_depth=_DEPTH)
    except (json_format.ParseError, OverflowError) as error:
        raise Refused(str(error)) from None
    back: dict[str, Any] = json_format.MessageToDict(message).get("parameters", {})
    if _normal(parameters) != _normal(back):
        raise Refused("the message keeps something else than it was given")
    return back


def over_the_wire(parameters: dict[str, Any], package: str = "aiplatform") -> bool:
    """Whether the message survives being written and read as bytes (a reader takes 100 nested messages)."""
    json_format = importlib.import_module("google.protobuf.json_format")
    errors = importlib.import_module("google.protobuf.message")
    kind = declaration(package)
    message = json_format.ParseDict({"name": "tool", "parameters": parameters}, kind(), max_recursion_depth=_DEPTH)
    try:
        return bool(kind.FromString(message.SerializeToString()) == message)
    except errors.DecodeError:
        return False


_COUNTS = {"minItems", "maxItems", "minProperties", "maxProperties", "minLength", "maxLength"}


def _normal(schema: Any) -> Any:
    """A schema without what protobuf cannot tell from absence (empty, false, zero); counts (64 bits) as text."""
    done: dict[str, Any] = {}
    work = [(schema, done)]
    while work:
        source, target = work.pop()
        for key, value in source.items():
            if key in ("properties", "defs") and isinstance(value, dict):
                members: dict[str, Any] = {}
                for name, member in value.items():
                    members[name] = {}
                    work.append((member, members[name]))
                if members:
                    target[key] = members
            elif key == "anyOf" and isinstance(value, list):
                if value:
                    target[key] = [{} for _ in value]
                    work.extend(zip(value, target[key], strict=True))
            elif key == "items" and isinstance(value, dict):
                target[key] = {}
                work.append((value, target[key]))
            elif key in _COUNTS and not isinstance(value, bool):
                if int(value):
                    target[key] = str(int(value))
            elif key in ("default", "example") or value is None or value:
                target[key] = value
    return done
