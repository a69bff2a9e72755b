"""jsonschema-rs as a judge, with one error for whatever it cannot compile."""

from __future__ import annotations

from typing import Any

import jsonschema_rs


class DoesNotCompile(ValueError):
    """The engine refuses the schema; the text is its own."""


def as_written(schema: Any, draft: str | None = None, *, formats: bool = False) -> Any:
    """A validator of the author's document: ``draft`` ("7"), else its ``$schema``, else 2020-12.

    Raises ``DoesNotCompile``. Nothing is fetched.
    """
    try:
        kind = jsonschema_rs.Draft7Validator if draft == "7" else jsonschema_rs.validator_cls_for(schema)
        return kind(schema, offline=True, validate_formats=formats)
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        raise DoesNotCompile(str(error)) from None


def as_2020_12(schema: Any, *, formats: bool = False) -> Any:
    """A validator of a 2020-12 document. Raises ``DoesNotCompile``. Nothing is fetched."""
    try:
        return jsonschema_rs.Draft202012Validator(schema, offline=True, validate_formats=formats)
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        raise DoesNotCompile(str(error)) from None
