"""Gemini on Vertex AI (Agent Platform): ``parameters`` of a function declaration."""

from __future__ import annotations

from toolglot.dialects.model import Dialect, Evidence, Limit, Rule

_PAGE = "docs.cloud.google.com Agent Platform function-calling page, schema attributes (quoted in a public note)"
_PAGE_DATE = "2026-09-28"
_PROTO = "google-cloud-aiplatform 2.7.0, aiplatform_v1/types/openapi.py and tool.py"
_PROTO_DATE = "2026-10-28"
_REFERENCE = "github.com/anomalyco/opencode/issues/12295; github.com/su-kaka/gcli2api/pull/374"
_UNION = "github.com/anomalyco/opencode/issues/14700 and 14788"
_UNTYPED = "github.com/google-gemini/gemini-cli/issues/2282"
_OLD_NAMES = "github.com/datastax/astra-assistants-api/issues/73"
_UNKNOWN_NAMES = "github.com/tashfeenahmed/freellmapi/pull/105"
_FORMAT = "github.com/hideya/langchain-mcp-tools-ts/issues/36"

_BEYOND_PAGE = "Disagreement: a field of the proto, but not on the page's list, which excludes all others."
_NO_FIELD = "Refused: the proto has no such field, and an unknown name fails the whole request."

GEMINI = Dialect(
    name="gemini",
    title="Gemini function declarations on Vertex AI",
    revision="2026-11-30",
    keywords={
        "type": Evidence(
            _PAGE,
            _PAGE_DATE,
            "documented",
            "One name, in the proto's upper case; lower case is taken too (Developer API).",
        ),
        "nullable": Evidence(_PAGE, _PAGE_DATE, "documented", "The way to admit null."),
        "required": Evidence(_PAGE, _PAGE_DATE, "documented"),
        "format": Evidence(_PAGE, _PAGE_DATE, "documented", "Values: see the formats."),
        "description": Evidence(_PAGE, _PAGE_DATE, "documented", "Not beside anyOf."),
        "properties": Evidence(_PAGE, _PAGE_DATE, "documented"),
        "items": Evidence(_PAGE, _PAGE_DATE, "documented", "One schema."),
        "enum": Evidence(_PAGE, _PAGE_DATE, "documented", "Strings."),
        "anyOf": Evidence(_PAGE, _PAGE_DATE, "documented", "Alone in its node."),
        "ref": Evidence(
            _PROTO,
            _PROTO_DATE,
            "documented",
            "Disagreement: the proto writes it without the dollar sign, the page with it.",
        ),
        "defs": Evidence(
            _PROTO,
            _PROTO_DATE,
            "documented",
            "At the root only. Disagreement: the proto writes it without the dollar sign, the page with it.",
        ),
    },
    formats={
        "date-time": Evidence(
            _FORMAT,
            "2025-06-17",
            "observed",
            "Disagreement: in 2025 strings took only enum and date-time; the proto of 2026-10 names more (float, "
            "double, int32, int64, email, byte, date, password) and most have no effect.",
        ),
    },
    rejected={
        **dict.fromkeys(
            ("$ref", "$defs"),
            Evidence(
                f"{_OLD_NAMES}; {_REFERENCE}",
                "2026-05-09",
                "observed",
                "Disagreement: an unknown name in 2024, later mapped to ref by one API; spelled as ref and defs here.",
            ),
        ),
        "definitions": Evidence(_PROTO, _PROTO_DATE, "inferred", _NO_FIELD),
        "additionalProperties": Evidence(
            _PROTO, _PROTO_DATE, "documented", f"{_BEYOND_PAGE} The Developer API refuses it."
        ),
        **dict.fromkeys(
            ("title", "default", "example", "propertyOrdering"),
            Evidence(_PROTO, _PROTO_DATE, "documented", _BEYOND_PAGE),
        ),
        **dict.fromkeys(
            (
                "minItems",
                "maxItems",
                "minProperties",
                "maxProperties",
                "minLength",
                "maxLength",
                "minimum",
                "maximum",
                "pattern",
            ),
            Evidence(_PROTO, _PROTO_DATE, "documented", f"{_BEYOND_PAGE} An older page named maximum as unsupported."),
        ),
        **dict.fromkeys(
            (
                "oneOf",
                "allOf",
                "not",
                "const",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "multipleOf",
                "uniqueItems",
                "prefixItems",
                "$schema",
            ),
            Evidence(_PROTO, _PROTO_DATE, "inferred", _NO_FIELD),
        ),
        **dict.fromkeys(
            ("contains", "patternProperties", "propertyNames", "if", "then", "else"),
            Evidence(f"{_UNKNOWN_NAMES}; {_PROTO}", "2026-05", "inferred", f"{_NO_FIELD} Seen on the Developer API."),
        ),
        "examples": Evidence(_OLD_NAMES, "2024-09-26", "observed", _NO_FIELD),
        **dict.fromkeys(
            (
                "$id",
                "$anchor",
                "$dynamicAnchor",
                "$dynamicRef",
                "$vocabulary",
                "$comment",
                "dependentRequired",
                "dependentSchemas",
                "minContains",
                "maxContains",
                "unevaluatedItems",
                "unevaluatedProperties",
                "deprecated",
                "readOnly",
                "writeOnly",
                "contentEncoding",
                "contentMediaType",
                "contentSchema",
            ),
            Evidence(_PROTO, _PROTO_DATE, "inferred", _NO_FIELD),
        ),
    },
    rules={
        "references": Rule(
            "keep", Evidence(_PROTO, _PROTO_DATE, "documented", "Fields for a reference and for definitions exist.")
        ),
        "reference_keyword": Rule(
            "ref",
            Evidence(_PROTO, _PROTO_DATE, "documented", "Pointers of the form #/defs/NAME; the page writes $ref."),
        ),
        "definitions_keyword": Rule(
            "defs", Evidence(_PROTO, _PROTO_DATE, "documented", "At the root only; the page writes $defs.")
        ),
        "reference_siblings": Rule(
            ("description",),
            Evidence(
                _REFERENCE,
                "2026-05-09",
                "observed",
                "The server takes description and default beside a reference; default is not spelled here.",
            ),
        ),
        "root_reference": Rule(
            False,
            Evidence(_PROTO, _PROTO_DATE, "inferred", "A reference names a definition; none to the root is shown."),
        ),
        "required": Rule(
            "author",
            Evidence(
                "github.com/iBUHub/AIStudioToAPI/issues/154",
                "2026-05-05",
                "observed",
                "Optional properties stay optional; a required name must be a property (Developer API).",
            ),
        ),
        "null": Rule(
            "nullable",
            Evidence(_PROTO, _PROTO_DATE, "documented", "Its list of types has no null, but nullable exists."),
        ),
        "type_lists": Rule(
            False,
            Evidence(
                f"{_PROTO}; public reports of the parser refusing a list",
                _PROTO_DATE,
                "inferred",
                "The field holds one value; a list is a parse error.",
            ),
        ),
        "type_needed": Rule(True, Evidence(_UNTYPED, "2025-06-27", "observed", "A node without a type is refused.")),
        "items_needed": Rule(
            True,
            Evidence(
                "github.com/DEEIX-AI/DEEIX-Chat/issues/546",
                "2026-07-31",
                "observed",
                "An array without items is refused (Developer API).",
            ),
        ),
        "boolean_schemas": Rule(
            False, Evidence(_PROTO, _PROTO_DATE, "inferred", "A schema is a message; a boolean cannot stand for one.")
        ),
        "enum_values": Rule(
            "strings",
            Evidence(
                f"github.com/microsoft/azure-devops-mcp/issues/139; {_PROTO}",
                "2025",
                "observed",
                "The field holds strings and numbers are a parse error. Disagreement: numbers as strings under type "
                "integer were refused until 2026-03, while the proto's own example has them.",
            ),
        ),
        "union_siblings": Rule(
            "none",
            Evidence(_UNION, "2026-07-05", "observed", "anyOf must be the only field set, without a description even."),
        ),
        "root_object": Rule(
            True,
            Evidence(
                "github.com/spring-projects/spring-ai/issues/1373",
                "2024",
                "observed",
                "The root's type must be object.",
            ),
        ),
        "unknown_keywords": Rule(
            "drop",
            Evidence(
                "github.com/router-for-me/CLIProxyAPI internal/util/gemini_schema.go@a7e3596b",
                "2026-08-22",
                "observed",
                "Unknown names are refused, extensions as well, and with them the whole request.",
            ),
        ),
        "outputs": Rule(
            "flat",
            Evidence(
                "modelcontextprotocol.io specification 2025-11-25, Tools",
                "2025-11-25",
                "documented",
                "Clients judge results by the listed outputSchema, as JSON Schema: this spelling is none.",
            ),
        ),
    },
    limits={
        "depth": Limit(
            32,
            Evidence(_PAGE, _PAGE_DATE, "documented", "Levels of nesting. Other tools stop at 4 or 5 out of caution."),
        ),
        "tools": Limit(128, Evidence(_PROTO, _PROTO_DATE, "documented", "Function declarations in a request.")),
        "tool_name_chars": Limit(
            64,
            Evidence(_PROTO, _PROTO_DATE, "documented", "Characters of a function's name. An SDK's text says 128."),
        ),
        "property_key_chars": Limit(
            64,
            Evidence(
                _PROTO,
                _PROTO_DATE,
                "documented",
                "Characters of a parameter's name: letters, digits and underscores, no digit first.",
            ),
        ),
    },
)
