"""Independent views of a projection, for checking it: none of them shares code with the rewriter."""

from __future__ import annotations

from toolglot.conformance.gemini_forms import ProtoMessage, to_json_schema, to_proto

__all__ = ["ProtoMessage", "to_json_schema", "to_proto"]
