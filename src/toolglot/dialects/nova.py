"""Amazon Nova: tools in Converse, not strict."""

from __future__ import annotations

from toolglot.dialects.model import Dialect, Evidence, Limit, Rule

_DEFINITION = "docs.aws.amazon.com Amazon Nova user guide, tool-use-definition page (copy)"
_TROUBLE = "docs.aws.amazon.com Amazon Nova user guide, prompting-tool-troubleshooting page (copy)"
_DATE = "2025"
_ADAPTERS = "pydantic-ai-slim 2.68.0, profiles/amazon.py; litellm 1.110.2, types/llms/bedrock.py"
_ADAPTERS_DATE = "2026-11-30"
_MODEL = "botocore 1.44.8, bedrock-runtime service model"
_MODEL_DATE = "2026-11-20"

_SILENT = "AWS says nothing about nested levels: taken below the root, where the service hands on any document."

NOVA = Dialect(
    name="nova",
    title="Amazon Nova tools",
    revision="2026-11-30",
    keywords={
        **dict.fromkeys(
            ("type", "properties", "required"),
            Evidence(_DEFINITION, _DATE, "documented", "The three keys that the root holds; taken everywhere."),
        ),
        "description": Evidence(
            _TROUBLE, _DATE, "inferred", "Unsupported at the root; AWS says nothing about nested levels."
        ),
        "additionalProperties": Evidence(
            _TROUBLE, _DATE, "inferred", "Unsupported at the root; AWS says nothing about nested levels."
        ),
        **dict.fromkeys(
            ("allOf", "anyOf", "oneOf"),
            Evidence(_DEFINITION, _DATE, "inferred", f"A fourth key at the root. {_SILENT}"),
        ),
        **dict.fromkeys(
            (
                "not",
                "if",
                "then",
                "else",
                "dependentSchemas",
                "prefixItems",
                "items",
                "contains",
                "patternProperties",
                "propertyNames",
                "unevaluatedItems",
                "unevaluatedProperties",
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
                "dependentRequired",
                "default",
                "deprecated",
                "readOnly",
                "writeOnly",
                "examples",
                "format",
                "contentEncoding",
                "contentMediaType",
                "contentSchema",
            ),
            Evidence(f"{_DEFINITION}; {_MODEL}, ToolInputSchema", _DATE, "inferred", _SILENT),
        ),
    },
    rejected={
        "title": Evidence(
            _TROUBLE,
            _DATE,
            "documented",
            "Ignored together with its tool when at the root. AWS does not forbid nested ones: left out to be safe.",
        ),
        "$schema": Evidence(_TROUBLE, _DATE, "documented", "Ignored together with its tool when at the root."),
        **dict.fromkeys(
            ("$defs", "definitions"),
            Evidence(f"{_DEFINITION}; {_ADAPTERS}", _DATE, "inferred", "Ignored: a fourth key at the root."),
        ),
        "$ref": Evidence(
            _ADAPTERS,
            _ADAPTERS_DATE,
            "inferred",
            "Unknown: no sentence of AWS names it, but without definitions at the root it has no target.",
        ),
        "$dynamicRef": Evidence(_ADAPTERS, _ADAPTERS_DATE, "inferred", "Unknown: like $ref."),
        **dict.fromkeys(
            ("$id", "$anchor", "$dynamicAnchor", "$vocabulary", "$comment"),
            Evidence(_DEFINITION, _DATE, "inferred", "Unknown: no source names it; says nothing without references."),
        ),
    },
    rules={
        "references": Rule(
            "inline",
            Evidence(
                f"{_DEFINITION}; {_ADAPTERS}",
                _ADAPTERS_DATE,
                "inferred",
                "Definitions have no place at the root, so a reference has no target; adapters inline for Nova.",
            ),
        ),
        "required": Rule(
            "author",
            Evidence(_DEFINITION, _DATE, "documented", "Taken at the root; AWS sets no condition on its names."),
        ),
        "root_object": Rule(
            True,
            Evidence(
                f"{_DEFINITION}; {_TROUBLE}", _DATE, "documented", "The root is an object and holds no combinator."
            ),
        ),
        "root_keywords": Rule(
            ("type", "properties", "required"),
            Evidence(
                f"{_DEFINITION}; {_TROUBLE}",
                _DATE,
                "documented",
                "No other key at the root. The failure is silent: the model passes over the tool.",
            ),
        ),
        "items_needed": Rule(
            True,
            Evidence(_DEFINITION, _DATE, "inferred", "AWS says nothing about arrays without items: the safe side."),
        ),
        "boolean_schemas": Rule(
            False, Evidence(_DEFINITION, _DATE, "inferred", "AWS says nothing about true and false: the safe side.")
        ),
        "unknown_keywords": Rule(
            "drop",
            Evidence(_DEFINITION, _DATE, "inferred", "Unknown whether extensions are taken: stripped to be safe."),
        ),
    },
    limits={
        "tool_name_chars": Limit(
            64, Evidence(f"{_MODEL}, ToolName", _MODEL_DATE, "documented", "Characters of a tool's name.")
        ),
    },
)
