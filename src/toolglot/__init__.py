"""One tool contract, every model's dialect, compiled."""

from toolglot.dialects import Dialect, Evidence, Limit, Rule, UnknownDialect, dialect, dialects, register
from toolglot.projection import Loss, Projection, project, project_json, read
from toolglot.schema import NotASchema, SchemaError, SchemaTooDeep, UnresolvableReference, dumps, loads
from toolglot.tools import SpelledTool, Tool

__version__ = "0.1.0"

__all__ = [
    "Dialect",
    "Evidence",
    "Limit",
    "Loss",
    "NotASchema",
    "Projection",
    "Rule",
    "SchemaError",
    "SchemaTooDeep",
    "SpelledTool",
    "Tool",
    "UnknownDialect",
    "UnresolvableReference",
    "__version__",
    "dialect",
    "dialects",
    "dumps",
    "loads",
    "project",
    "project_json",
    "read",
    "register",
]
