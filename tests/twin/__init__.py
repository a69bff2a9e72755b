"""A slow, naive, readable projector: the spec in plain Python, to compare the compiled core with."""

from tests.twin.reading import NotASchema, SchemaTooDeep, UnresolvableReference
from tests.twin.walk import project

__all__ = ["NotASchema", "SchemaTooDeep", "UnresolvableReference", "project"]
