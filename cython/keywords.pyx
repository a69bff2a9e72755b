# cython: language_level=3
"""The keywords and types of JSON Schema, numbered; and the node that is the conjunction of others."""
from libc.stdint cimport uint64_t
from cpython.dict cimport PyDict_GetItem
from cpython.object cimport PyObject

NAMES = (
    "type", "title", "description", "properties", "required", "items", "enum", "const",
    "default", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength",
    "maxLength", "pattern", "minItems", "maxItems", "uniqueItems", "prefixItems", "contains", "minContains",
    "maxContains", "additionalProperties", "unevaluatedProperties", "minProperties", "maxProperties", "propertyNames",
    "patternProperties", "dependentRequired",
    "dependentSchemas", "anyOf", "oneOf", "allOf", "not", "if", "then", "else",
    "unevaluatedItems", "$ref", "$dynamicRef", "$recursiveRef", "$defs", "definitions", "$id", "$anchor",
    "$dynamicAnchor", "$schema", "$vocabulary", "$comment", "$recursiveAnchor", "examples", "deprecated", "readOnly",
    "writeOnly", "contentEncoding", "contentMediaType", "contentSchema", "nullable", "example", "additionalItems",
    "dependencies",
)


cdef class Keyword:
    def __init__(self, str name, int code):
        self.name = name
        self.code = code

    def __repr__(self):
        return f"Keyword({self.name!r}, {self.code})"


CODES = {name: Keyword(name, code) for code, name in enumerate(NAMES)}
TYPE_BITS = {
    "string": T_STRING, "number": T_NUMBER, "integer": T_INTEGER, "boolean": T_BOOLEAN,
    "object": T_OBJECT, "array": T_ARRAY, "null": T_NULL,
}


cdef uint64_t bit(int code) noexcept:
    return (<uint64_t>1) << code


cdef uint64_t ANNOTATIONS = (
    bit(K_TITLE) | bit(K_DESCRIPTION) | bit(K_DEFAULT) | bit(K_EXAMPLES) | bit(K_DEPRECATED) | bit(K_READONLY)
    | bit(K_WRITEONLY) | bit(K_COMMENT) | bit(K_SCHEMA) | bit(K_ID) | bit(K_ANCHOR) | bit(K_DYNANCHOR)
    | bit(K_VOCABULARY) | bit(K_RECANCHOR) | bit(K_DEFS) | bit(K_DEFINITIONS) | bit(K_CONTENTENCODING)
    | bit(K_CONTENTMEDIA) | bit(K_CONTENTSCHEMA) | bit(K_EXAMPLE) | bit(K_NULLABLE) | bit(K_ADDITIONALITEMS)
)


cdef int code_of(object key) except -2:
    """The number of a keyword, -1 for a name that is none."""
    cdef PyObject* found = PyDict_GetItem(CODES, key)
    return -1 if found is NULL else (<Keyword>found).code


cdef bint is_annotation(int code) noexcept:
    return code < 0 or (ANNOTATIONS >> code) & 1


cdef class Both:
    def __init__(self, tuple parts):
        self.parts = parts


cdef object both(object first, object second):
    """The node that matches both; `true` and `{}` add nothing, `false` is `false`, equal nodes are one."""
    if first is second or second is True or (type(second) is dict and not second):
        return first
    if first is True or (type(first) is dict and not first):
        return second
    if first is False or second is False:
        return False
    cdef tuple left = (<Both>first).parts if type(first) is Both else (first,)
    cdef tuple right = (<Both>second).parts if type(second) is Both else (second,)
    return Both(left + right)
