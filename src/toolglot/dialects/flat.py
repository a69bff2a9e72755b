"""No reference anywhere, all else as it was: for clients and servers that cannot resolve one."""

from __future__ import annotations

from toolglot.dialects.model import Dialect, Evidence, Rule

_CORE = "json-schema.org draft 2020-12, Core"
_VALIDATION = "json-schema.org draft 2020-12, Validation"
_CLAUDE_CODE = "github.com/anthropics/claude-code/issues/18260 (also 10590, 20732, 25962)"
_CLAUDE_CODE_LIST = "github.com/anthropics/claude-code/issues/76040 (also 76881)"

FLAT = Dialect(
    name="flat",
    title="Flat: JSON Schema 2020-12 without references",
    revision="2026-11-30",
    keywords={
        **dict.fromkeys(
            ("$schema", "$comment"),
            Evidence(
                _CORE,
                "2020-12",
                "documented",
                "They point nowhere. Only a root $schema that names 2020-12 is still true once references are gone.",
            ),
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
            Evidence(_CORE, "2020-12", "documented", "Applicator and unevaluated vocabularies; needs no reference."),
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
    rejected={
        "$ref": Evidence(
            _CLAUDE_CODE,
            "2026-01",
            "observed",
            "Not resolved: arguments behind a reference arrive as JSON strings, while inline objects in the same call "
            "arrive as objects. The Copilot CLI, Codex and Ollama rows of the rule say the same.",
        ),
        "$defs": Evidence(
            _CLAUDE_CODE_LIST,
            "2026-07",
            "observed",
            "Refused: an outputSchema whose $defs are nested makes the client drop the whole server.",
        ),
        "definitions": Evidence(
            _CORE, "2020-12", "inferred", "Unknown to clients that skip $defs; without references it says nothing."
        ),
        "$dynamicRef": Evidence(
            _CLAUDE_CODE, "2026-01", "inferred", "Unknown: a client that cannot follow $ref cannot follow this one."
        ),
        **dict.fromkeys(
            ("$id", "$anchor", "$dynamicAnchor", "$vocabulary", "$recursiveRef", "$recursiveAnchor"),
            Evidence(_CORE, "2020-12", "inferred", "Ignored: serves references only; says nothing without them."),
        ),
    },
    rules={
        "references": Rule(
            "inline",
            Evidence(
                "github.com/github/copilot-cli/issues/1876; github.com/anthropics/claude-code/issues/81477 and 18260; "
                "github.com/openai/codex/issues/3152; github.com/ollama/ollama api/types.go@fb307609",
                "2026-08-21",
                "observed",
                "Copilot CLI 0.0.423 never resolves a reference (2026-03-06), Claude Code (2026-01) and Claude Desktop "
                "(2026-07-26) stringify what is behind one, Codex 0.29 shows it as a string (2025-09; newer source "
                "inlines), Ollama drops it on decoding (2026-08-21). Fireworks, Grok on Azure, Gemini parameters and "
                "Nova refuse or ignore it on the server; gpt-oss and GLM-5.3 do not see $defs. For Cursor and Windsurf "
                "no evidence was found either way.",
            ),
        ),
        "required": Rule("as_is", Evidence(_VALIDATION, "2020-12", "documented", "Taken as the author wrote it.")),
        "boolean_schemas": Rule(
            True, Evidence(_CORE, "2020-12", "documented", "true and false are schemas in 2020-12.")
        ),
        "unknown_keywords": Rule(
            "keep", Evidence(_CORE, "2020-12", "documented", "Unknown keywords are annotations, not errors.")
        ),
        "extensions": Rule(
            ("x-mcp-header",),
            Evidence(
                "modelcontextprotocol.io specification, tools",
                "2026-07-28",
                "inferred",
                "Names that begin with x- are notes of the harness that made the tool; this one is read by clients.",
            ),
        ),
    },
)
