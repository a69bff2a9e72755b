"""Rules put into words: every sentence that a dialect writes into a description, in one place.

``{}`` marks where a value goes. The compiled core fills these in; it words nothing itself. The texts are those of the
specification's table of sentences, and their order in a description is ``ORDER``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

#: Sentences by the rule they state.
SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        "range": "Accepted range: {} to {}.",
        "minimum": "Minimum: {}.",
        "maximum": "Maximum: {}.",
        "exclusiveMinimum": "Must be greater than {}.",
        "exclusiveMaximum": "Must be less than {}.",
        "multipleOf": "Must be a multiple of {}.",
        "length": "Length: {} to {} characters.",
        "minLength": "At least {}.",
        "maxLength": "At most {}.",
        "pattern": "Must match the pattern {}.",
        "format": "Format: {}.",
        "items": "{} to {} items.",
        "minItems": "At least {}.",
        "maxItems": "At most {}.",
        "uniqueItems": "Items must be unique.",
        "prefixItems": "Items in order: {}.",
        "contains": "At least one item must be {}.",
        "containsAtLeast": "At least {} must be {}.",
        "containsAtMost": "At most {} must be {}.",
        "containsRange": "{} to {} items must be {}.",
        "closed": "No other properties are accepted.",
        "additionalProperties": "Other properties: each value is {}.",
        "properties": "{} to {} properties.",
        "minProperties": "At least {}.",
        "maxProperties": "At most {}.",
        "propertyNames": "Property names must match {}.",
        "patternProperties": "Properties matching {}: each value is {}.",
        "dependentRequired": "{} requires {}.",
        "dependentSchemas": "When {} is given: {}.",
        "absent": "Must not be sent: {}.",
        "const": "Must be {}.",
        "enum": "One of: {}.",
        "enumMore": "One of: {} and {} more.",
        "default": "Default: {}.",
        "examples": "Examples: {}.",
        "deprecated": "Deprecated.",
        "contentEncoding": "Encoded as {}.",
        "oneOf": "Exactly one alternative must match.",
        "rootOneOf": "Give one of these: {}.",
        "rootAnyOf": "Give at least one of these: {}.",
        "not": "Must not match: {}.",
        "other": "Must also match: {}.",
        "cycle": "Repeats the structure of {}, to any depth.",
        "missing": "Its structure is not available here.",
        "entries": "Written as a list of entries, each key once.",
        "text": "Written as JSON text.",
        "null": "Send null to leave it out.",
    }
)

#: The words of ``if``, ``then`` and ``else``, joined by blanks and closed with a full stop.
CONDITION = ("If", "then", "else")

#: Counted things, singular and plural.
COUNTED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "character": ("character", "characters"),
        "item": ("item", "items"),
        "property": ("property", "properties"),
    }
)

#: Formats in words; any other is said by ``SENTENCES["format"]``.
FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "date": "Must be an ISO-8601 date.",
        "time": "Must be an ISO-8601 time.",
        "date-time": "Must be an ISO-8601 date-time.",
        "duration": "Must be an ISO-8601 duration.",
        "email": "Must be an email address.",
        "idn-email": "Must be an email address.",
        "hostname": "Must be a hostname.",
        "idn-hostname": "Must be a hostname.",
        "ipv4": "Must be an IPv4 address.",
        "ipv6": "Must be an IPv6 address.",
        "uri": "Must be a URI.",
        "uri-reference": "Must be a URI reference.",
        "iri": "Must be an IRI.",
        "iri-reference": "Must be an IRI reference.",
        "uri-template": "Must be a URI template.",
        "uuid": "Must be a UUID.",
        "regex": "Must be a regular expression.",
        "json-pointer": "Must be a JSON Pointer.",
        "relative-json-pointer": "Must be a relative JSON Pointer.",
    }
)

#: What a phrase calls a schema that says nothing of itself, and a cut target without a name.
ANY_JSON = "any JSON"
ENCLOSING = "the enclosing object"
