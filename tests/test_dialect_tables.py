"""The tables of the seven dialects: names, pinned lists, evidence, and the registry."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, replace
from typing import Any, get_args

import pytest

from toolglot.dialects import RULES, Dialect, Evidence, Limit, Rule, UnknownDialect, dialect, dialects, register
from toolglot.dialects.model import Confidence

NAMES = ("canonical", "flat", "openai_strict", "anthropic_strict", "bedrock_strict", "nova", "gemini")


def words(text: str) -> list[str]:
    return text.split()


# JSON Schema 2020-12, by vocabulary, written out by hand.
IDENTIFIERS = words("$id $anchor $dynamicAnchor $vocabulary $ref $dynamicRef $defs definitions")
APPLICATORS = words(
    "allOf anyOf oneOf not if then else dependentSchemas prefixItems items contains properties patternProperties "
    "additionalProperties propertyNames unevaluatedItems unevaluatedProperties"
)
ASSERTIONS = words(
    "type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems "
    "minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired"
)
ANNOTATIONS = words(
    "description default deprecated readOnly writeOnly examples format contentEncoding contentMediaType contentSchema"
)
STANDARD = {"$schema", "$comment", "title", *IDENTIFIERS, *APPLICATORS, *ASSERTIONS, *ANNOTATIONS}

# Ruling 39, written out by hand.
ANTHROPIC = (
    "type title description properties required items anyOf additionalProperties enum const format default minItems"
)
KEYWORDS: dict[str, set[str]] = {
    "canonical": STANDARD,
    "flat": {"$schema", "$comment", "title", *APPLICATORS, *ASSERTIONS, *ANNOTATIONS},
    "openai_strict": set(
        words(
            "type title description properties required items anyOf $ref $defs additionalProperties enum const format "
            "pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems"
        )
    ),
    "anthropic_strict": set(ANTHROPIC.split()),
    "bedrock_strict": set(ANTHROPIC.split()),
    "nova": {*APPLICATORS, *ASSERTIONS, *ANNOTATIONS},
    "gemini": set(words("type nullable required format description properties items enum anyOf ref defs")),
}
TEN_FORMATS = set(words("date-time time date duration email hostname uri ipv4 ipv6 uuid"))
FORMATS: dict[str, set[str] | None] = {
    "canonical": None,
    "flat": None,
    "openai_strict": set(words("date-time time date duration email hostname ipv4 ipv6 uuid")),
    "anthropic_strict": TEN_FORMATS,
    "bedrock_strict": TEN_FORMATS,
    "nova": None,
    "gemini": {"date-time"},
}
CLOSED: dict[str, Any] = {
    "references": "inline",
    "closed_objects": True,
    "type_needed": True,
    "items_needed": True,
    "enum_values": "one_type",
    "union_siblings": "annotations",
    "root_object": True,
    "min_items_limit": 1,
    "property_keys": r"^[a-zA-Z0-9_.-]{1,64}$",
}
# What differs from the value that changes nothing.
RULE_VALUES: dict[str, dict[str, Any]] = {
    "canonical": {
        "references": "identity",
        "required": "as_is",
        "boolean_schemas": True,
        "unknown_keywords": "keep",
    },
    "flat": {
        "references": "inline",
        "required": "as_is",
        "boolean_schemas": True,
        "unknown_keywords": "keep",
        "extensions": ("x-mcp-header",),
    },
    "openai_strict": {
        "root_reference": True,
        "closed_objects": True,
        "required": "all",
        "type_needed": True,
        "items_needed": True,
        "enum_values": "one_type",
        "union_siblings": "annotations",
        "root_object": True,
        "patterns": "python",
    },
    "anthropic_strict": CLOSED,
    "bedrock_strict": CLOSED,
    "nova": {
        "references": "inline",
        "items_needed": True,
        "root_object": True,
        "root_keywords": ("type", "properties", "required"),
    },
    "gemini": {
        "reference_keyword": "ref",
        "definitions_keyword": "defs",
        "reference_siblings": ("description",),
        "null": "nullable",
        "type_lists": False,
        "type_needed": True,
        "items_needed": True,
        "enum_values": "strings",
        "union_siblings": "none",
        "root_object": True,
        "outputs": "flat",
    },
}
LIMITS: dict[str, dict[str, int]] = {
    "canonical": {},
    "flat": {},
    "openai_strict": {
        "depth": 10,
        "properties": 5000,
        "enum_values": 1000,
        "text_chars": 120_000,
        "long_enum_chars": 15_000,
        "tools": 128,
        "tool_name_chars": 64,
        "tool_description_chars": 1024,
    },
    "anthropic_strict": {
        "strict_tools": 20,
        "optional_properties": 24,
        "unions": 16,
        "property_key_chars": 64,
        "tool_name_chars": 64,
    },
    "bedrock_strict": {
        "strict_tools": 20,
        "optional_properties": 24,
        "unions": 16,
        "property_key_chars": 64,
        "tool_name_chars": 64,
    },
    "nova": {"tool_name_chars": 64},
    "gemini": {"depth": 32, "tools": 128, "tool_name_chars": 64, "property_key_chars": 64},
}
DATE = re.compile(r"20\d\d(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")


@pytest.fixture
def own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """The registry is a copy for the time of the test."""
    module = importlib.import_module("toolglot.dialects")
    monkeypatch.setattr(module, "_registry", dict(module._registry))


def rows(entry: Dialect) -> Iterator[tuple[str, Evidence]]:
    for part in ("keywords", "formats", "rejected"):
        table: Mapping[str, Evidence] = getattr(entry, part) or {}
        for key, evidence in table.items():
            yield f"{part}.{key}", evidence
    for name, rule in entry.rules.items():
        yield f"rules.{name}", rule.evidence
    for name, limit in entry.limits.items():
        yield f"limits.{name}", limit.evidence


def test_names_and_their_order() -> None:
    assert dialects() == NAMES
    assert [dialect(name).name for name in NAMES] == list(NAMES)


@pytest.mark.parametrize(
    "name",
    ["Canonical", "FLAT", "openai-strict", "openai", " nova", "nova ", "gemini\n", "", None, 3, b"flat", ["flat"]],
)
def test_other_names_are_unknown(name: Any) -> None:
    with pytest.raises(UnknownDialect) as caught:
        dialect(name)
    assert isinstance(caught.value, ValueError)
    assert str(caught.value).endswith(": " + ", ".join(NAMES))


def test_a_dialect_is_no_name() -> None:
    with pytest.raises(UnknownDialect):
        dialect(dialect("flat"))  # type: ignore[arg-type]


def test_the_unknown_name_is_not_echoed() -> None:
    with pytest.raises(UnknownDialect) as caught:
        dialect("sk-SECRET-42")
    assert "SECRET" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


@pytest.mark.parametrize("name", NAMES)
def test_keywords_are_pinned(name: str) -> None:
    assert set(dialect(name).keywords) == KEYWORDS[name]


@pytest.mark.parametrize("name", NAMES)
def test_formats_are_pinned(name: str) -> None:
    formats = dialect(name).formats
    assert (None if formats is None else set(formats)) == FORMATS[name]


@pytest.mark.parametrize("name", NAMES)
def test_rules_are_pinned(name: str) -> None:
    entry = dialect(name)
    changed = {rule: entry.rule(rule) for rule in RULES if entry.rule(rule) != RULES[rule][0]}
    assert changed == RULE_VALUES[name]


@pytest.mark.parametrize("name", NAMES)
def test_limits_are_pinned(name: str) -> None:
    limits = dialect(name).limits
    assert {key: limit.value for key, limit in limits.items()} == LIMITS[name]
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", key) for key in limits)


@pytest.mark.parametrize("name", NAMES)
def test_a_keyword_is_spelled_or_rejected(name: str) -> None:
    entry = dialect(name)
    assert not set(entry.keywords) & set(entry.rejected)
    assert set(entry.keywords) | set(entry.rejected) >= STANDARD


@pytest.mark.parametrize("name", NAMES)
def test_a_rejection_says_which(name: str) -> None:
    notes = {key: evidence.note for key, evidence in dialect(name).rejected.items()}
    told = re.compile(r"(Refused|Ignored|Unknown|Disagreement)\b|Not resolved\b")
    assert {key: note for key, note in notes.items() if not told.match(note)} == {}


@pytest.mark.parametrize("name", NAMES)
def test_every_row_has_its_evidence(name: str) -> None:
    entry = dialect(name)
    assert DATE.fullmatch(entry.revision)
    assert len(entry.revision) == 10
    assert entry.title.strip()
    for place, evidence in rows(entry):
        assert evidence.source.strip() == evidence.source != "", place
        assert DATE.fullmatch(evidence.date), place
        assert evidence.date <= entry.revision, place
        assert evidence.confidence in get_args(Confidence), place


@pytest.mark.parametrize("name", NAMES)
def test_a_changed_rule_has_its_own_row(name: str) -> None:
    assert set(RULE_VALUES[name]) <= set(dialect(name).rules)


def test_the_outputs_of_a_dialect_are_spelled_in_a_dialect() -> None:
    named = {dialect(name).rule("outputs") for name in NAMES} - {None}
    assert named <= set(NAMES)


@pytest.mark.usefixtures("own_registry")
def test_register_adds_at_the_end() -> None:
    first = replace(dialect("nova"), name="zz_first")
    second = replace(dialect("nova"), name="aa_second", limits={"depth": Limit(3, Evidence("us", "2026", "inferred"))})
    assert register(first) is first
    assert register(second) is second
    assert dialects() == (*NAMES, "zz_first", "aa_second")
    assert dialect("zz_first") is first
    with pytest.raises(UnknownDialect, match=r"gemini, zz_first, aa_second$"):
        dialect("zz_third")


def test_the_registry_is_as_before() -> None:
    assert dialects() == NAMES


@pytest.mark.usefixtures("own_registry")
def test_register_refuses_a_taken_name() -> None:
    with pytest.raises(ValueError, match=r"taken; .*dataclasses\.replace"):
        register(dialect("flat"))
    own = replace(dialect("flat"), name="own_flat")
    register(own)
    with pytest.raises(ValueError, match="taken"):
        register(own)
    assert dialects() == (*NAMES, "own_flat")


@pytest.mark.usefixtures("own_registry")
@pytest.mark.parametrize("name", ["", "Own", "own-flat", "1own", "_own", "own flat", "own\n", "öwn", "own_é", None, 3])
def test_register_refuses_a_bad_name(name: Any) -> None:
    with pytest.raises(ValueError, match=r"must match \^\[a-z\]\[a-z0-9_\]\*\$; .*dataclasses\.replace"):
        register(replace(dialect("flat"), name=name))
    assert dialects() == NAMES


@pytest.mark.parametrize("entry", [None, "flat", {"name": "own"}, Dialect])
def test_register_refuses_what_is_no_dialect(entry: Any) -> None:
    with pytest.raises(TypeError, match="Dialect"):
        register(entry)


@pytest.mark.usefixtures("own_registry")
def test_register_from_many_threads() -> None:
    base = dialect("flat")

    def attempt(number: int) -> bool:
        try:
            register(replace(base, name=f"own_{number % 50}"))
        except ValueError:
            return False
        return True

    with ThreadPoolExecutor(16) as pool:
        won = sum(pool.map(attempt, range(400)))
    assert won == 50
    assert set(dialects()) == {*NAMES, *(f"own_{number}" for number in range(50))}


@pytest.mark.parametrize("name", NAMES)
def test_a_dialect_does_not_change(name: str) -> None:
    entry: Any = dialect(name)
    with pytest.raises(FrozenInstanceError):
        entry.name = "other"
    for part in ("keywords", "rules", "rejected", "limits", *(["formats"] if entry.formats is not None else [])):
        with pytest.raises(TypeError):
            getattr(entry, part)["x"] = None
    for _, evidence in rows(entry):
        with pytest.raises(FrozenInstanceError):
            evidence.source = "other"  # type: ignore[misc]
    for rule in entry.rules.values():
        assert isinstance(rule.value, bool | int | str | tuple)


def test_a_dialect_does_not_share_its_tables() -> None:
    keywords = {"type": Evidence("us", "2026", "inferred")}
    entry = Dialect(name="own", title="Own", revision="2026-11-30", keywords=keywords)
    keywords["enum"] = keywords["type"]
    assert set(entry.keywords) == {"type"}


def test_an_unknown_rule_is_refused() -> None:
    rule = Rule("x", Evidence("us", "2026", "inferred"))
    with pytest.raises(ValueError, match=r"no such rule: refs; rules are references, "):
        Dialect(name="own", title="Own", revision="2026-11-30", keywords={}, rules={"refs": rule})
