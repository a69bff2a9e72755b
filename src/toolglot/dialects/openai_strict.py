"""OpenAI: function tools and response formats with ``strict: true``."""

from __future__ import annotations

from toolglot.dialects.model import Dialect, Evidence, Limit, Rule

_GUIDE = "developers.openai.com structured-outputs guide, Supported schemas"
_GUIDE_DATE = "2026-09-11"
_OLD_GUIDE = "OpenAI structured-outputs guide, text of 2024-08 to 2025-04 (copies)"
_NODE = "npm openai 7.59.0, lib/transform.js (list of unsupported keywords)"
_NODE_DATE = "2026-11-17"
_PYTHON = "openai-python 3.57.0, openai/lib/_pydantic.py"
_PROBES = "github.com/pydantic/pydantic-ai/issues/7315 and pull/7333, pull/7400 (live probes)"
_PYDANTIC_AI = "pydantic-ai-slim 2.68.0, profiles/openai.py and providers/openai.py"
_ROOT = "github.com/nspady/google-calendar-mcp/issues/39; github.com/langchain-ai/langchainjs/issues/9804"
_LOOKAROUND = "github.com/Kilo-Org/kilocode/issues/12111; github.com/vercel/ai/pull/21037"
_UNTYPED = "github.com/can1357/oh-my-pi/issues/211"
_STRESS = "public report: jsonschema-llm stress report, live API"
_LITELLM = "litellm 1.110.2, prompt_templates/json_schema_utils.py"

_NOT_FINE_TUNED = "Fine-tuned models refuse it."
_DENIED = "Refused: on the SDK's list of keywords it will not send; no live message seen."

OPENAI_STRICT = Dialect(
    name="openai_strict",
    title="OpenAI strict function tools and structured outputs",
    revision="2026-11-30",
    keywords={
        "type": Evidence(_GUIDE, _GUIDE_DATE, "documented", "Needed on every node but a $ref or an anyOf."),
        "title": Evidence(_PYTHON, "2026-11-19", "observed", "The SDK sends titles."),
        "description": Evidence(f"{_PYTHON}; {_GUIDE}", "2026-11-19", "observed", "Anywhere but beside a $ref."),
        "properties": Evidence(_GUIDE, _GUIDE_DATE, "documented", "An object without it is refused."),
        "required": Evidence(_GUIDE, _GUIDE_DATE, "documented", "Exactly the keys of properties: no fewer, no more."),
        "items": Evidence(_GUIDE, _GUIDE_DATE, "documented", "Needed on arrays; one typed schema, no list."),
        "anyOf": Evidence(_GUIDE, _GUIDE_DATE, "documented", "Not at the root; each branch a strict schema itself."),
        "$ref": Evidence(_GUIDE, _GUIDE_DATE, "documented", "To # or to a definition at the root, alone in its node."),
        "$defs": Evidence(_GUIDE, _GUIDE_DATE, "documented", "At the root only; recursion is allowed."),
        "additionalProperties": Evidence(
            _GUIDE, _GUIDE_DATE, "documented", "Only false, and needed on every object, in union branches too."
        ),
        "enum": Evidence(_GUIDE, _GUIDE_DATE, "documented", "Values of one JSON type; empty and mixed ones refused."),
        "const": Evidence(_GUIDE, _GUIDE_DATE, "documented", "With a type beside it."),
        "format": Evidence(_GUIDE, _GUIDE_DATE, "documented", f"Nine values, any other is refused. {_NOT_FINE_TUNED}"),
        "pattern": Evidence(
            _GUIDE, _GUIDE_DATE, "documented", f"See the rule on patterns for what is taken. {_NOT_FINE_TUNED}"
        ),
        **dict.fromkeys(
            ("minimum", "maximum"),
            Evidence(_GUIDE, _GUIDE_DATE, "documented", _NOT_FINE_TUNED),
        ),
        **dict.fromkeys(
            ("exclusiveMinimum", "exclusiveMaximum"),
            Evidence(_GUIDE, _GUIDE_DATE, "documented", "Azure's page does not mention it."),
        ),
        "multipleOf": Evidence(_GUIDE, _GUIDE_DATE, "documented", _NOT_FINE_TUNED),
        **dict.fromkeys(
            ("minItems", "maxItems"),
            Evidence(_GUIDE, _GUIDE_DATE, "documented", f"{_NOT_FINE_TUNED} Back ends before 2025 refused it too."),
        ),
    },
    formats=dict.fromkeys(
        ("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"),
        Evidence(
            _GUIDE,
            _GUIDE_DATE,
            "documented",
            "The page's list is closed; uri and others are refused (github.com/tailcallhq/forgecode/issues/2974).",
        ),
    ),
    rejected={
        "default": Evidence(
            "github.com/openai/openai-agents-python/issues/4390 (maintainer's live test); "
            "github.com/dotnet/extensions/issues/6196",
            "2026-08-13",
            "observed",
            "Disagreement: accepted by api.openai.com on 2026-08-13, refused until early 2025 and by Azure still, and "
            "absent from the guide. It cannot take effect where every property is required.",
        ),
        **dict.fromkeys(
            ("minLength", "maxLength"),
            Evidence(
                _PROBES,
                "2026-08-12",
                "observed",
                "Disagreement: live probes found it accepted and enforced, but the guide does not list it, a report "
                "of 2025-12-18 has it refused, and fine-tuned models refuse it.",
            ),
        ),
        "definitions": Evidence(
            _GUIDE,
            _GUIDE_DATE,
            "documented",
            "Disagreement: accepted at the root like $defs, which is spelled instead.",
        ),
        "$schema": Evidence(
            "public report: rule set for two command-line agents",
            "2026",
            "observed",
            "Disagreement: one report has it accepted; not on the guide's list and most libraries strip it.",
        ),
        "$id": Evidence(
            "github.com/griptape-ai/griptape/issues/2150; openai-agents 0.24.0, agents/strict_schema.py",
            "2026-04-16",
            "observed",
            "Disagreement: accepted when it is a URI reference, refused otherwise; SDKs refuse nested ones.",
        ),
        "allOf": Evidence(
            f"{_GUIDE}; github.com/makenotion/notion-mcp-server/issues/102", _GUIDE_DATE, "documented", "Refused."
        ),
        "oneOf": Evidence(
            "github.com/docker/docker-agent/pull/4155; npm openai 7.59.0, lib/transform.js",
            "2026-09-03",
            "observed",
            "Refused; the guide's lists do not name it.",
        ),
        **dict.fromkeys(
            ("not", "if", "then", "else", "dependentRequired", "dependentSchemas"),
            Evidence(_GUIDE, _GUIDE_DATE, "documented", "Refused: named on the guide as unsupported."),
        ),
        "patternProperties": Evidence(
            _OLD_GUIDE,
            "2025-04",
            "documented",
            "Refused; the newer text names it for fine-tuned models only, SDKs still treat it as refused for all.",
        ),
        "propertyNames": Evidence(
            "github.com/can1357/oh-my-pi/issues/209", "2026-02-28", "observed", "Refused; on the SDK's list too."
        ),
        **dict.fromkeys(
            ("minProperties", "maxProperties", "unevaluatedProperties"),
            Evidence(_OLD_GUIDE, "2025-04", "documented", "Refused; on the SDK's list to this day."),
        ),
        "uniqueItems": Evidence(
            "github.com/mastra-ai/mastra/issues/23321; public report: live probe of gpt-5.6-terra",
            "2026-09-08",
            "observed",
            "Refused.",
        ),
        "prefixItems": Evidence(
            _PROBES,
            "2026-08-12",
            "observed",
            "Refused: it is not read, and the array then counts as one without items; beside items likely unenforced.",
        ),
        **dict.fromkeys(
            (
                "contains",
                "minContains",
                "maxContains",
                "unevaluatedItems",
                "$anchor",
                "$dynamicAnchor",
                "$dynamicRef",
                "$recursiveRef",
                "$recursiveAnchor",
                "dependencies",
                "additionalItems",
                "contentEncoding",
                "contentMediaType",
                "contentSchema",
            ),
            Evidence(_NODE, _NODE_DATE, "inferred", _DENIED),
        ),
        "$vocabulary": Evidence(_GUIDE, _GUIDE_DATE, "inferred", "Unknown: no source names it."),
        **dict.fromkeys(
            ("examples", "$comment", "readOnly", "writeOnly"),
            Evidence(_NODE, _NODE_DATE, "inferred", "Unknown: the SDK passes it on as an annotation; no answer seen."),
        ),
        **dict.fromkeys(
            ("deprecated", "nullable", "discriminator"),
            Evidence(
                _PYDANTIC_AI, "2026-11", "inferred", "Unknown: no answer seen; this library strips discriminator."
            ),
        ),
    },
    rules={
        "references": Rule(
            "keep", Evidence(_GUIDE, _GUIDE_DATE, "documented", "Definitions and recursive schemas are supported.")
        ),
        "root_reference": Rule(
            True, Evidence(_GUIDE, _GUIDE_DATE, "documented", "Recursion to the root is written #.")
        ),
        "reference_siblings": Rule(
            (),
            Evidence(
                "github.com/vectorize-io/hindsight/pull/3944",
                "2026-08-31",
                "observed",
                "No keyword may stand beside a reference, not even a description; an anyOf of one carries it.",
            ),
        ),
        "closed_objects": Rule(
            True, Evidence(_GUIDE, _GUIDE_DATE, "documented", "additionalProperties must be false on every object.")
        ),
        "required": Rule(
            "all",
            Evidence(_GUIDE, _GUIDE_DATE, "documented", "All properties are required; optional ones admit null."),
        ),
        "type_lists": Rule(
            True,
            Evidence(_GUIDE, _GUIDE_DATE, "documented", "A list with null is the guide's optional; not at the root."),
        ),
        "type_needed": Rule(
            True,
            Evidence(_UNTYPED, "2026-02-28", "observed", "A node without a type is refused, a lone const as well."),
        ),
        "items_needed": Rule(
            True,
            Evidence(
                "github.com/sigoden/aichat/pull/1049; github.com/garrytan/gbrain/pull/904",
                "2026-05-12",
                "observed",
                "An array without items is refused, by tools that are not strict too.",
            ),
        ),
        "boolean_schemas": Rule(
            False, Evidence(_STRESS, "2026-02", "observed", "true, false and {} have no strict form.")
        ),
        "enum_values": Rule(
            "one_type", Evidence(_STRESS, "2026-02", "observed", "Values of more than one type are refused.")
        ),
        "union_siblings": Rule(
            "annotations",
            Evidence(
                _GUIDE, _GUIDE_DATE, "inferred", "No sentence on it; a description beside anyOf is common practice."
            ),
        ),
        "root_object": Rule(
            True,
            Evidence(
                f"{_GUIDE}; {_ROOT}",
                _GUIDE_DATE,
                "documented",
                "An object without anyOf; for tools oneOf, allOf, enum and not are refused there too (observed).",
            ),
        ),
        "patterns": Rule(
            "python",
            Evidence(
                f"{_LOOKAROUND}; {_LITELLM}",
                "2026-09-17",
                "observed",
                "Lookaround is refused, and so is what Python's re cannot compile.",
            ),
        ),
        "unknown_keywords": Rule(
            "drop",
            Evidence(_NODE, _NODE_DATE, "inferred", "Unknown whether extensions are taken: stripped to be safe."),
        ),
    },
    limits={
        "depth": Limit(
            10,
            Evidence(_GUIDE, _GUIDE_DATE, "documented", "Levels of nesting; 5 until 2025 and on Azure's page still."),
        ),
        "properties": Limit(
            5000, Evidence(_GUIDE, _GUIDE_DATE, "documented", "Object properties in all. Azure's page says 100.")
        ),
        "enum_values": Limit(1000, Evidence(_GUIDE, _GUIDE_DATE, "documented", "Enum values in all.")),
        "text_chars": Limit(
            120_000,
            Evidence(
                _GUIDE, _GUIDE_DATE, "documented", "Characters of property and definition names, enum and const values."
            ),
        ),
        "long_enum_chars": Limit(
            15_000,
            Evidence(_GUIDE, _GUIDE_DATE, "documented", "Characters of one string enum with more than 250 values."),
        ),
        "tools": Limit(
            128,
            Evidence(
                "github.com/vishalmysore/Tools4AI/issues/16",
                "2025-11",
                "observed",
                "Tools in a request of Chat Completions: first seen 2024-05-15, last 2025-11; not in the SDK's types.",
            ),
        ),
        "tool_name_chars": Limit(
            64,
            Evidence(
                "openai-python 3.57.0, types/shared_params/function_definition.py",
                "2026-11-19",
                "documented",
                "Characters of a tool's name.",
            ),
        ),
        "tool_description_chars": Limit(
            1024,
            Evidence(
                "github.com/getsentry/sentry-mcp/issues/106",
                "2025-04-25",
                "observed",
                "Characters of a tool's description, on Chat Completions and Azure; not in the SDK's types.",
            ),
        ),
    },
)
