"""Amazon Bedrock: structured outputs, and Converse tools with ``strict``."""

from __future__ import annotations

from toolglot.dialects.model import Dialect, Evidence, Limit, Rule

_GUIDE = "docs.aws.amazon.com Amazon Bedrock user guide, structured-output page"
_GUIDE_DATE = "2026"
_PROBES = "pydantic-ai-slim 2.68.0, providers/bedrock.py (live notes of 2026-05-19 and 2026-10-29)"
_PROBES_DATE = "2026-10-29"
_LANGCHAIN = "langchain-aws 1.9.1, chat_models/bedrock_converse.py"
_MODEL = "botocore 1.44.8, bedrock-runtime service model"
_MODEL_DATE = "2026-11"
_CLAUDE = "github.com/BerriAI/litellm/pull/34319 (live probe of api.anthropic.com)"
_CLAUDE_DATE = "2026-07-22"
_TOO_MANY = "github.com/pydantic/pydantic-ai/issues/5579"
_LIMITS = "pydantic-ai-slim 2.68.0, models/_anthropic_schema_limits.py"
_ROOT_TYPE = "public reports: Converse refusing inputSchema.json.type"
_KEYS = "github.com/anthropics/claude-code/issues/79418"

_FORWARDED = "Converse hands requests for Claude to a validator with Anthropic's rules"

BEDROCK_STRICT = Dialect(
    name="bedrock_strict",
    title="Amazon Bedrock structured outputs and strict tools",
    revision="2026-11-30",
    keywords={
        "type": Evidence(_GUIDE, _GUIDE_DATE, "documented"),
        "title": Evidence(_GUIDE, _GUIDE_DATE, "inferred", "The page's list of what is unsupported does not name it."),
        "description": Evidence(_GUIDE, _GUIDE_DATE, "inferred", "The page's unsupported list does not name it."),
        "properties": Evidence(_GUIDE, _GUIDE_DATE, "documented"),
        "required": Evidence(_GUIDE, _GUIDE_DATE, "documented"),
        "items": Evidence(_GUIDE, _GUIDE_DATE, "documented"),
        "anyOf": Evidence(_GUIDE, _GUIDE_DATE, "documented", "Below the root of a tool."),
        "additionalProperties": Evidence(
            _GUIDE,
            _GUIDE_DATE,
            "documented",
            "Only false; for Claude on every object, though one AWS example omits it.",
        ),
        "enum": Evidence(_GUIDE, _GUIDE_DATE, "documented", "Scalars only."),
        "const": Evidence(_GUIDE, _GUIDE_DATE, "documented"),
        "format": Evidence(_GUIDE, _GUIDE_DATE, "documented", "Ten values."),
        "default": Evidence(
            _GUIDE, _GUIDE_DATE, "inferred", "The page's list of what is unsupported does not name it."
        ),
        "minItems": Evidence(_GUIDE, _GUIDE_DATE, "documented", "Only 0 and 1."),
    },
    formats=dict.fromkeys(
        ("date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"),
        Evidence(_GUIDE, _GUIDE_DATE, "documented", "The page's list, the same ten as Anthropic's."),
    ),
    rejected={
        "$ref": Evidence(
            _GUIDE,
            _GUIDE_DATE,
            "documented",
            "Disagreement: internal references without recursion are accepted; inlined here.",
        ),
        **dict.fromkeys(
            ("$defs", "definitions"),
            Evidence(
                _GUIDE,
                _GUIDE_DATE,
                "documented",
                "Disagreement: accepted; no reference is left that would need it.",
            ),
        ),
        "allOf": Evidence(
            _GUIDE, _GUIDE_DATE, "documented", "Disagreement: accepted with limitations that are not told; merged here."
        ),
        "pattern": Evidence(
            _PROBES,
            _PROBES_DATE,
            "observed",
            "Disagreement: accepted without lookaround and backreferences (any escaped digit) on claude-opus-4-7 and "
            "qwen3-32b; Anthropic's pages contradict each other on it.",
        ),
        **dict.fromkeys(
            ("minLength", "maxLength"),
            Evidence(
                f"{_GUIDE}; {_PROBES}",
                _GUIDE_DATE,
                "documented",
                "Disagreement: refused by the page, measured as accepted on claude-sonnet-4-5 on 2026-05-19.",
            ),
        ),
        "oneOf": Evidence(
            "github.com/strands-agents/harness-sdk/issues/2664", "2026-06-16", "observed", "Refused; not on AWS's page."
        ),
        "maxItems": Evidence(
            f"github.com/BerriAI/litellm/pull/39115; {_PROBES}",
            "2026-09-01",
            "observed",
            "Refused, though the page's list of what is unsupported does not name it.",
        ),
        "contains": Evidence(
            _PROBES, _PROBES_DATE, "observed", "Refused for Claude, GLM, Qwen and Gemma; Ministral accepts it."
        ),
        **dict.fromkeys(
            ("minContains", "maxContains"),
            Evidence(_PROBES, _PROBES_DATE, "inferred", "Unknown: says nothing without contains, which is refused."),
        ),
        **dict.fromkeys(
            ("minimum", "maximum", "multipleOf"),
            Evidence(
                f"{_GUIDE}; github.com/AgentToolkit/altk-boost/issues/118",
                _GUIDE_DATE,
                "documented",
                "Refused; minimum and maximum observed on 2026-08-11.",
            ),
        ),
        **dict.fromkeys(
            ("exclusiveMinimum", "exclusiveMaximum"),
            Evidence(_PROBES, _PROBES_DATE, "observed", "Refused, though AWS's page does not name it."),
        ),
        "uniqueItems": Evidence(_GUIDE, _GUIDE_DATE, "inferred", f"Unknown: {_FORWARDED}, which refuse it."),
        **dict.fromkeys(
            (
                "not",
                "if",
                "then",
                "else",
                "prefixItems",
                "patternProperties",
                "propertyNames",
                "dependentRequired",
                "dependentSchemas",
                "unevaluatedProperties",
                "minProperties",
                "maxProperties",
            ),
            Evidence(_CLAUDE, _CLAUDE_DATE, "inferred", f"Unknown: {_FORWARDED}, which refuse it."),
        ),
        **dict.fromkeys(
            (
                "$schema",
                "$id",
                "$anchor",
                "$dynamicAnchor",
                "$dynamicRef",
                "$vocabulary",
                "$comment",
                "examples",
                "deprecated",
                "readOnly",
                "writeOnly",
                "unevaluatedItems",
                "contentEncoding",
                "contentMediaType",
                "contentSchema",
            ),
            Evidence(_GUIDE, _GUIDE_DATE, "inferred", "Unknown: no source names it."),
        ),
    },
    rules={
        "references": Rule(
            "inline",
            Evidence(_GUIDE, _GUIDE_DATE, "documented", "Recursion is not supported; internal references are."),
        ),
        "closed_objects": Rule(
            True,
            Evidence(
                f"{_GUIDE}; {_PROBES}",
                _GUIDE_DATE,
                "documented",
                "additionalProperties must be false on every object for Claude.",
            ),
        ),
        "required": Rule(
            "author", Evidence(_LIMITS, "2026-11", "observed", "Optional properties stay optional, 24 a request.")
        ),
        "type_lists": Rule(
            True, Evidence(f"{_LANGCHAIN}; {_PROBES}", "2026-11", "observed", "Accepted, toward the limit on unions.")
        ),
        "type_needed": Rule(
            True,
            Evidence(_GUIDE, _GUIDE_DATE, "inferred", "No sentence found on untyped nodes: the safe side."),
        ),
        "items_needed": Rule(
            True,
            Evidence(_GUIDE, _GUIDE_DATE, "inferred", "No sentence found on arrays without items: the safe side."),
        ),
        "boolean_schemas": Rule(
            False, Evidence(_GUIDE, _GUIDE_DATE, "inferred", "No sentence found on true and false: the safe side.")
        ),
        "enum_values": Rule(
            "one_type",
            Evidence(
                "github.com/BerriAI/litellm/issues/37881",
                "2026-08-21",
                "inferred",
                f"{_FORWARDED}, by which a value must match one declared type.",
            ),
        ),
        "union_siblings": Rule(
            "annotations",
            Evidence(_GUIDE, _GUIDE_DATE, "inferred", "No sentence found on neighbours of anyOf: the safe side."),
        ),
        "root_object": Rule(
            True,
            Evidence(
                f"{_ROOT_TYPE}; github.com/anthropics/claude-code/issues/5319",
                "2026",
                "observed",
                "Converse wants an object at a tool's root; for Claude combinators are refused there.",
            ),
        ),
        "min_items_limit": Rule(1, Evidence(_GUIDE, _GUIDE_DATE, "documented", "minItems of 0 or 1, no more.")),
        "property_keys": Rule(
            r"^[a-zA-Z0-9_.-]{1,64}$",
            Evidence(_KEYS, "2026-07-20", "inferred", f"{_FORWARDED}, by which other keys are refused."),
        ),
        "unknown_keywords": Rule(
            "drop",
            Evidence(_GUIDE, _GUIDE_DATE, "inferred", "Unknown whether extensions are taken: stripped to be safe."),
        ),
    },
    limits={
        "strict_tools": Limit(
            20, Evidence(_TOO_MANY, "2026-05-22", "observed", "Strict tools in a request; AWS's page states no limit.")
        ),
        "optional_properties": Limit(
            24,
            Evidence(
                _LIMITS, "2026-11", "observed", "Optional properties in a request for Claude; AWS's page is silent."
            ),
        ),
        "unions": Limit(
            16,
            Evidence(
                _LIMITS,
                "2026-11",
                "observed",
                "Properties with anyOf or a type list in a request for Claude; AWS's page is silent.",
            ),
        ),
        "property_key_chars": Limit(
            64, Evidence(_KEYS, "2026-07-20", "inferred", f"Characters of a property key: {_FORWARDED}.")
        ),
        "tool_name_chars": Limit(
            64, Evidence(f"{_MODEL}, ToolName", _MODEL_DATE, "documented", "Characters of a tool's name.")
        ),
    },
)
