"""The contract itself: nothing is respelled."""

from __future__ import annotations

from toolglot.dialects.model import Dialect, Evidence, Rule

_MCP = "modelcontextprotocol.io specification 2025-11-25, Tools"
_CORE = "json-schema.org draft 2020-12, Core"
_VALIDATION = "json-schema.org draft 2020-12, Validation"

CANONICAL = Dialect(
    name="canonical",
    title="Canonical: the contract as its author wrote it",
    revision="2026-11-30",
    keywords={
        **dict.fromkeys(
            (
                "$schema",
                "$id",
                "$anchor",
                "$dynamicAnchor",
                "$vocabulary",
                "$comment",
                "$ref",
                "$dynamicRef",
                "$defs",
            ),
            Evidence(_CORE, "2020-12", "documented", "Identifiers, references and comments of the core vocabulary."),
        ),
        "definitions": Evidence(
            _CORE, "2020-12", "documented", "Replaced by $defs; the metaschema still allows the old name."
        ),
        **dict.fromkeys(
            (
                "allOf",
                "anyOf",
                "oneOf",
                "not",
                "if",
                "then",
                "else",
                "dependentSchemas",
                "prefixItems",
                "items",
                "contains",
                "properties",
                "patternProperties",
                "additionalProperties",
                "propertyNames",
                "unevaluatedItems",
                "unevaluatedProperties",
            ),
            Evidence(_CORE, "2020-12", "documented", "Applicator and unevaluated vocabularies."),
        ),
        **dict.fromkeys(
            (
                "type",
                "enum",
                "const",
                "multipleOf",
                "maximum",
                "exclusiveMaximum",
                "minimum",
                "exclusiveMinimum",
                "maxLength",
                "minLength",
                "pattern",
                "maxItems",
                "minItems",
                "uniqueItems",
                "maxContains",
                "minContains",
                "maxProperties",
                "minProperties",
                "required",
                "dependentRequired",
            ),
            Evidence(_VALIDATION, "2020-12", "documented", "Validation vocabulary."),
        ),
        **dict.fromkeys(
            ("title", "description", "default", "deprecated", "readOnly", "writeOnly", "examples"),
            Evidence(_VALIDATION, "2020-12", "documented", "Meta-data vocabulary."),
        ),
        **dict.fromkeys(
            ("format", "contentEncoding", "contentMediaType", "contentSchema"),
            Evidence(_VALIDATION, "2020-12", "documented", "Format and content vocabularies."),
        ),
    },
    rules={
        "references": Rule(
            "identity",
            Evidence(
                _MCP,
                "2025-11-25",
                "documented",
                "A tool's inputSchema is JSON Schema, 2020-12 unless it says otherwise: references are legal in it.",
            ),
        ),
        "required": Rule(
            "as_is", Evidence(_MCP, "2025-11-25", "documented", "The specification asks nothing of required.")
        ),
        "boolean_schemas": Rule(
            True, Evidence(_CORE, "2020-12", "documented", "true and false are schemas in 2020-12.")
        ),
        "unknown_keywords": Rule(
            "keep", Evidence(_CORE, "2020-12", "documented", "Unknown keywords are annotations, not errors.")
        ),
    },
)
