"""Reading JSON and JSON Schema: errors, exact integers, drafts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from toolglot.core.references import Unresolvable
from toolglot.core.wording import Malformed, TooDeep, has_long_digits

#: Containers a schema or a document may nest (what the JSON writer takes).
MAX_DEPTH = 254


class SchemaError(ValueError):
    """A schema that cannot be spelled.

    ``tool`` names the tool (or is None), ``path`` is a JSON Pointer into its schema. The text names the tool, the path
    and the remedy, and never echoes a value of the schema.
    """

    def __init__(self, message: str, *, path: str = "", tool: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.tool = tool

    def __str__(self) -> str:
        where = f"#{self.path}" if self.path else "the root"
        text = f"tool {self.tool}: {where}: {self.message}" if self.tool else f"{where}: {self.message}"
        return text if text.isprintable() else "".join(map(_printable, text))

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuilt, (type(self), self.message, self.path, self.tool))

    def named(self, tool: str) -> SchemaError:
        """The same error, naming a tool."""
        if self.tool is None:
            self.tool = tool
        return self


def _printable(character: str) -> str:
    """A character as it stands in one line of text."""
    return character if character.isprintable() else character.encode("unicode_escape").decode()


def _rebuilt(kind: type[SchemaError], message: str, path: str, tool: str | None) -> SchemaError:
    return kind(message, path=path, tool=tool)


class NotASchema(SchemaError):
    """What was given is no JSON, or no JSON Schema."""


class UnresolvableReference(SchemaError):
    """A reference points nowhere; ``reference`` is the reference as written."""

    def __init__(self, message: str, *, path: str = "", tool: str | None = None, reference: str = "") -> None:
        super().__init__(message, path=path, tool=tool)
        self.reference = reference


class SchemaTooDeep(SchemaError):
    """The schema nests deeper than ``MAX_DEPTH`` containers, as given or as spelled."""


def loads(data: bytes | bytearray | memoryview | str) -> Any:
    """Parse JSON. Integers of any size keep their digits.

    Raises ``NotASchema`` for what is no JSON, and ``SchemaTooDeep`` for JSON that nests too deep to be read.
    """
    raw = as_bytes(data)
    try:
        if has_long_digits(raw):
            value = json.loads(raw, parse_constant=_refuse, parse_float=_finite)
            json.dumps(value, ensure_ascii=False).encode()  # a lone surrogate has no UTF-8
            return value
        return orjson.loads(raw)
    except RecursionError:
        raise SchemaTooDeep(f"nests deeper than {MAX_DEPTH} containers; flatten it") from None
    except UnicodeEncodeError:
        raise NotASchema("holds a lone surrogate, which is no text; mend the string") from None
    except ValueError as error:
        if not raw.strip():
            raise NotASchema("empty; it should be JSON") from None
        _check_text(raw)
        # orjson has said "Recursion limit reached" and "depth limit exceeded"
        if re.search("recursion|depth limit", str(error), re.IGNORECASE):
            raise SchemaTooDeep(f"nests deeper than {MAX_DEPTH} containers; flatten it") from None
        line, column = getattr(error, "lineno", None), getattr(error, "colno", None)
        at = f" (line {line}, column {column})" if line else ""
        raise NotASchema(f"no valid JSON{at}; mend the syntax there") from None


def _check_text(raw: bytes) -> None:
    """Raise ``NotASchema`` where the bytes are no UTF-8, with the reason."""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        if raw[error.start : error.start + 1] == b"\xed" and raw[error.start + 1 : error.start + 2] >= b"\xa0":
            raise NotASchema("holds a lone surrogate, which is no text; mend the string") from None
        raise NotASchema(f"no valid UTF-8 (byte {error.start}); write it as UTF-8") from None


def as_bytes(data: bytes | bytearray | memoryview | str) -> bytes:
    """JSON text as bytes."""
    if type(data) is bytes:
        return data
    return data.encode("utf-8", "surrogatepass") if isinstance(data, str) else bytes(data)


def _finite(text: str) -> float:
    value = float(text)
    if value - value != 0.0:
        raise ValueError("a number that is not finite")
    return value


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def dumps(value: Any) -> bytes:
    """Write compact JSON as UTF-8. Integers of any size keep their digits; equal values give equal bytes."""
    try:
        return orjson.dumps(value)
    except TypeError:
        pass
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    except RecursionError:
        raise SchemaTooDeep(f"nests deeper than {MAX_DEPTH} containers; flatten it") from None
    except (TypeError, ValueError):
        what = "holds a value that JSON cannot write (a lone surrogate, a number that is not finite)"
        raise NotASchema(what) from None


_DRAFT = re.compile(r"json-schema\.org/draft-0?(\d+)/")
_MODERN = re.compile(r"json-schema\.org/draft/(2019-09|2020-12)/schema")


def draft_of(schema: Any, draft: str | int | None = None) -> int | None:
    """The draft whose rules for siblings of ``$ref`` and for identifiers hold: 3 to 7, 2019, or None for 2020-12.

    ``draft`` overrides what ``$schema`` says: ``"7"``, ``"draft-07"``, ``"2019-09"``, ``"2020-12"``.
    Raises ``ValueError`` for a draft that is none of these.
    """
    if draft is not None:
        text = str(draft).lower().removeprefix("draft").lstrip("-").lstrip("0")
        if text in ("3", "4", "5", "6", "7"):
            return int(text)
        if text in ("2019-09", "2019", "201909"):
            return 2019
        if text in ("2020-12", "2020", "202012"):
            return None
        raise ValueError("draft must be one of 3, 4, 6, 7, 2019-09, 2020-12")
    name = schema.get("$schema") if isinstance(schema, dict) else None
    if not isinstance(name, str):
        return None
    found = _DRAFT.search(name)
    if found:
        return int(found.group(1))
    return 2019 if "2019-09" in name and _MODERN.search(name) else None


def knows_draft(schema: Any) -> bool:
    """Whether ``$schema`` is absent or names a draft; any other is read as 2020-12, with a warning."""
    name = schema.get("$schema") if isinstance(schema, dict) else None
    return not isinstance(name, str) or bool(_DRAFT.search(name) or _MODERN.search(name))


def escape(segment: str) -> str:
    """A name as a segment of a JSON Pointer."""
    return segment.replace("~", "~0").replace("/", "~1")


def places(document: Any) -> Iterator[tuple[Any, str]]:
    """Every container of a JSON value with its JSON Pointer, outer ones first. Bounded; no recursion."""
    stack: list[tuple[Any, str, int]] = [(document, "", 0)]
    while stack:
        value, path, depth = stack.pop()
        if depth > 4 * MAX_DEPTH:
            continue
        if isinstance(value, dict):
            yield value, path
            below = [(item, f"{path}/{escape(str(key))}", depth + 1) for key, item in value.items()]
        elif isinstance(value, list):
            yield value, path
            below = [(item, f"{path}/{at}", depth + 1) for at, item in enumerate(value)]
        else:
            continue
        stack.extend(entry for entry in reversed(below) if isinstance(entry[0], (dict, list)))


_HOLDS_ONE = frozenset(
    "additionalProperties unevaluatedProperties propertyNames items additionalItems contains not if then else "
    "unevaluatedItems".split()
)
_HOLDS_LIST = frozenset("anyOf oneOf allOf prefixItems items".split())
_HOLDS_MAP = frozenset("properties patternProperties dependentSchemas dependencies $defs definitions defs".split())


def path_of(node: Any, document: Any, resources: Mapping[str, Any]) -> str:
    """Where a raw node stands: a JSON Pointer into the document (``URI#pointer`` in another resource)."""
    for base, root in (("", document), *resources.items()):
        found = _place_in(node, root)
        if found is not None:
            return f"{base}#{found}" if base else found
    return ""


def _place_in(node: Any, root: Any) -> str | None:
    """A container by identity; anything else where a schema should stand, then where any value stands."""
    if isinstance(node, dict | list):
        for count, (value, path) in enumerate(places(root)):
            if value is node:
                return path
            if count > 1_000_000:
                return None
    beside: str | None = None
    for count, (value, path) in enumerate(places(root)):
        if count > 1_000_000:
            break
        pairs = enumerate(value) if isinstance(value, list) else value.items()
        for key, item in pairs:
            if item is not node:
                continue
            here = f"{path}/{escape(str(key))}"
            if _holds_schema(path, value, key):
                return here
            beside = beside or here
    return beside


def _holds_schema(path: str, container: Any, key: Any) -> bool:
    """Whether a schema should stand at a key of a container, by the keyword that holds it."""
    holder = path.rsplit("/", 1)[-1]
    if isinstance(container, list):
        return holder in _HOLDS_LIST
    return holder in _HOLDS_MAP or key in _HOLDS_ONE


def error_from(error: Exception, document: Any, resources: Mapping[str, Any]) -> SchemaError:
    """The public error for one that the compiled core raised."""
    if isinstance(error, Malformed):
        node, keyword, what = error.args
        path = path_of(node, document, resources)
        if keyword is None:
            shaped = "neither" in what or "no JSON object" in what or "accepts nothing" in what
            remedy = "a schema is an object or a boolean" if shaped else "write it as JSON has it"
            return NotASchema(f"{what}; {remedy}", path=path)
        path += f"/{escape(keyword)}"
        return NotASchema(f"{keyword} is {what}; write it as JSON Schema 2020-12 has it", path=path)
    if isinstance(error, Unresolvable):
        node, reference = error.args
        remedy = "mend the reference"
        if not reference.startswith("#"):
            remedy = "give its document (resources= in Python)"
        return UnresolvableReference(
            f"{reference} points nowhere; {remedy}",
            path=path_of(node, document, resources),
            reference=reference,
        )
    if isinstance(error, TooDeep | RecursionError):
        return SchemaTooDeep(f"nests deeper than {MAX_DEPTH} containers; flatten it")
    raise error
