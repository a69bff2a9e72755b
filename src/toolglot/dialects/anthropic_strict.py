"""Anthropic: tools with ``strict: true`` and JSON outputs."""

from __future__ import annotations

from toolglot.dialects.model import Dialect, Evidence, Limit, Rule

_GUIDE = "platform.claude.com structured-outputs page (copy: johnzfitch/claude-wiki@68bc267)"
_GUIDE_DATE = "2026-09-26"
_TROUBLE = "platform.claude.com tool-use troubleshooting page (copy: johnzfitch/claude-wiki@7b8bacb)"
_PYTHON = "anthropic-sdk-python 2.14.0, lib/_parse/_transform.py"
_TYPESCRIPT = "npm @anthropic-ai/sdk 1.14.0, lib/transform-json-schema.js"
_SDK_DATE = "2026-11-24"
_PROBE = "github.com/BerriAI/litellm/pull/34319 (live probe of api.anthropic.com)"
_PROBE_DATE = "2026-07-22"
_ENUM = "github.com/BerriAI/litellm/issues/37881"
_ROOT = "github.com/anthropics/claude-code/issues/5319 (also 27337, 40075)"
_KEYS = "github.com/anthropics/claude-code/issues/79418; github.com/decocms/studio/pull/6874"
_WIRE = "public report: wire tests of a Dart client for Anthropic"

ANTHROPIC_STRICT = Dialect(
    name="anthropic_strict",
    title="Anthropic strict tool use and JSON outputs",
    revision="2026-11-30",
    keywords={
        "type": Evidence(_GUIDE, _GUIDE_DATE, "documented", "The seven names of JSON Schema."),
        "title": Evidence(_PYTHON, _SDK_DATE, "observed", "The SDK keeps it."),
        "description": Evidence(_PYTHON, _SDK_DATE, "observed", "The SDK keeps it, and moves what it drops into it."),
        "properties": Evidence(_GUIDE, _GUIDE_DATE, "documented", "Optional ones are allowed, within a limit."),
        "required": Evidence(_GUIDE, _GUIDE_DATE, "documented", "Required keys are written first in the output."),
        "items": Evidence(_GUIDE, _GUIDE_DATE, "documented"),
        "anyOf": Evidence(
            _GUIDE, _GUIDE_DATE, "documented", "Counts toward the limit on unions; not at a tool's root."
        ),
        "additionalProperties": Evidence(_GUIDE, _GUIDE_DATE, "documented", "Only false, and needed on every object."),
        "enum": Evidence(
            _GUIDE,
            _GUIDE_DATE,
            "documented",
            "Scalars of one type. The letter case of a value is not guaranteed in the output.",
        ),
        "const": Evidence(_GUIDE, _GUIDE_DATE, "documented", "A scalar."),
        "format": Evidence(_GUIDE, _GUIDE_DATE, "documented", "Ten values; the SDKs move others to the description."),
        "default": Evidence(
            _GUIDE, _GUIDE_DATE, "documented", "For all types; both SDKs move it to the description nevertheless."
        ),
        "minItems": Evidence(_GUIDE, _GUIDE_DATE, "documented", "Only 0 and 1."),
    },
    formats=dict.fromkeys(
        ("date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"),
        Evidence(_GUIDE, _GUIDE_DATE, "documented", "The page's list; nothing was found on how others are answered."),
    ),
    rejected={
        "$ref": Evidence(
            _GUIDE,
            _GUIDE_DATE,
            "documented",
            "Disagreement: local references without recursion are accepted; inlined here, since neighbours of one are "
            "refused (observed) and cycles too.",
        ),
        **dict.fromkeys(
            ("$defs", "definitions"),
            Evidence(
                _GUIDE,
                _GUIDE_DATE,
                "documented",
                "Disagreement: accepted by the API, but the SDKs write definitions into the description; no reference "
                "is left that would need it.",
            ),
        ),
        "allOf": Evidence(
            _GUIDE,
            _GUIDE_DATE,
            "documented",
            "Disagreement: accepted within limits, not with a $ref inside; merged here.",
        ),
        "pattern": Evidence(
            f"{_TROUBLE}; {_GUIDE}",
            "2026-04-26",
            "documented",
            "Disagreement: the structured-outputs page (2026-09-26) takes simple expressions, the troubleshooting page "
            "says that a strict tool with one is refused, and the SDKs never send it.",
        ),
        "oneOf": Evidence(f"{_PROBE}; {_WIRE}", _PROBE_DATE, "observed", "Refused as an unsupported schema type."),
        "maxItems": Evidence("github.com/experientiallabs/experiential/pull/804", "2026-09-05", "observed", "Refused."),
        **dict.fromkeys(
            ("uniqueItems", "contains", "minContains", "maxContains", "minProperties", "maxProperties"),
            Evidence("github.com/BerriAI/litellm/pull/33981", "2026-07-20", "observed", "Refused."),
        ),
        **dict.fromkeys(
            (
                "prefixItems",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "patternProperties",
                "propertyNames",
                "dependentRequired",
                "dependentSchemas",
                "unevaluatedProperties",
                "if",
                "then",
                "else",
                "not",
            ),
            Evidence(_PROBE, _PROBE_DATE, "observed", "Refused."),
        ),
        **dict.fromkeys(
            ("minimum", "maximum", "multipleOf", "minLength", "maxLength"),
            Evidence(_GUIDE, _GUIDE_DATE, "documented", "Refused: named on the page as unsupported."),
        ),
        **dict.fromkeys(
            (
                "unevaluatedItems",
                "discriminator",
                "nullable",
                "$anchor",
                "$dynamicAnchor",
                "$dynamicRef",
                "$vocabulary",
                "contentEncoding",
                "contentMediaType",
                "contentSchema",
            ),
            Evidence(_GUIDE, _GUIDE_DATE, "inferred", "Unknown: no source names it."),
        ),
        **dict.fromkeys(
            ("$id", "examples", "$comment", "readOnly", "writeOnly", "deprecated"),
            Evidence(
                _PROBE, _PROBE_DATE, "inferred", "Unknown: made-up keywords were ignored in this probe, not later."
            ),
        ),
        "$schema": Evidence(
            f"{_TYPESCRIPT}; npm @ai-sdk/anthropic 4.0.105",
            _SDK_DATE,
            "inferred",
            "Ignored: one SDK drops it, another client sends it without an error.",
        ),
    },
    rules={
        "references": Rule(
            "inline",
            Evidence(
                _GUIDE,
                _GUIDE_DATE,
                "documented",
                "Recursive schemas are not supported. Local references are, but a public report has neighbours of one "
                "refused, and the SDKs drop them.",
            ),
        ),
        "closed_objects": Rule(
            True,
            Evidence(
                f"{_GUIDE}; {_WIRE}",
                _GUIDE_DATE,
                "documented",
                "additionalProperties must be there and false; true, a schema or nothing is refused.",
            ),
        ),
        "required": Rule(
            "author", Evidence(_GUIDE, _GUIDE_DATE, "documented", "Optional properties stay optional, 24 a request.")
        ),
        "type_lists": Rule(
            True,
            Evidence(
                _GUIDE,
                _GUIDE_DATE,
                "documented",
                "Accepted, toward the limit on unions; beside enum refused (observed).",
            ),
        ),
        "type_needed": Rule(
            True,
            Evidence(_PYTHON, _SDK_DATE, "inferred", "The SDK raises on {}; a type is always taken."),
        ),
        "items_needed": Rule(
            True,
            Evidence(_GUIDE, _GUIDE_DATE, "inferred", "No sentence found on arrays without items: the safe side."),
        ),
        "boolean_schemas": Rule(False, Evidence(_PYTHON, _SDK_DATE, "inferred", "The SDK raises on true and false.")),
        "enum_values": Rule(
            "one_type",
            Evidence(_ENUM, "2026-08-21", "observed", "A value must match one declared type; a type list is refused."),
        ),
        "union_siblings": Rule(
            "annotations",
            Evidence(
                _PYTHON,
                _SDK_DATE,
                "inferred",
                "The SDK keeps title and description, and loses combinators beside anyOf.",
            ),
        ),
        "root_object": Rule(
            True,
            Evidence(
                _ROOT,
                "2026-03-28",
                "observed",
                "A tool's root is an object; oneOf, allOf and anyOf are refused there, strict or not.",
            ),
        ),
        "min_items_limit": Rule(1, Evidence(_GUIDE, _GUIDE_DATE, "documented", "minItems of 0 or 1, no more.")),
        "property_keys": Rule(
            r"^[a-zA-Z0-9_.-]{1,64}$",
            Evidence(_KEYS, "2026-09-02", "observed", "Other keys are refused. In May 2025 the dot was not allowed."),
        ),
        "unknown_keywords": Rule(
            "drop",
            Evidence(
                f"public report: probe-derived tests against api.anthropic.com; {_PROBE}",
                "2026-09-27",
                "observed",
                "Disagreement: an x- keyword was refused on 2026-09-27, made-up ones were ignored on 2026-07-22.",
            ),
        ),
    },
    limits={
        "strict_tools": Limit(20, Evidence(_GUIDE, _GUIDE_DATE, "documented", "Strict tools in a request.")),
        "optional_properties": Limit(
            24,
            Evidence(
                _GUIDE,
                _GUIDE_DATE,
                "documented",
                "Optional properties in a request, over all strict tools and the output schema. Those behind a "
                "reference seem not to count (pydantic-ai-slim 2.68.0).",
            ),
        ),
        "unions": Limit(
            16,
            Evidence(
                _GUIDE,
                _GUIDE_DATE,
                "documented",
                "Properties with anyOf or a type list in a request. One public report (2026-09-02) has 16 time out and "
                "15 work.",
            ),
        ),
        "property_key_chars": Limit(64, Evidence(_KEYS, "2026-09-02", "observed", "Characters of a property key.")),
        "tool_name_chars": Limit(
            64,
            Evidence(
                "github.com/anthropics/claude-code/issues/3102; github.com/jedisct1/openapi-mcp/issues/9",
                "2025-07-07",
                "observed",
                "Disagreement: errors of the API name 64 and 128; the pages said 64 until 2026-08-21, then 128.",
            ),
        ),
    },
)
