# cython: language_level=3
"""The keywords and types of JSON Schema, numbered; and the node that is the conjunction of others."""
from libc.stdint cimport uint64_t
from libc.string cimport memcmp
from toolglot.core.wording cimport json_equal
from cpython.object cimport PyObject

cdef extern from "Python.h":
    bint PyUnicode_CheckExact(PyObject*)
    bint PyUnicode_IS_COMPACT_ASCII(PyObject*)
    Py_ssize_t PyUnicode_GET_LENGTH(PyObject*)
    const unsigned char* PyUnicode_1BYTE_DATA(PyObject*)

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


# A small open-addressed table from a keyword's text to its number: text is compared, no Python hash is taken.
cdef enum:
    SLOTS = 512

cdef int slot_code[SLOTS]
cdef const unsigned char* slot_text[SLOTS]
cdef Py_ssize_t slot_length[SLOTS]


cdef unsigned int slot_of(const unsigned char* text, Py_ssize_t length) noexcept:
    return (<unsigned int>length * 37 + text[0] * 11 + text[length - 1] * 5 + text[length >> 1] * 83) & (SLOTS - 1)


cdef int fill_slots() except -1:
    cdef unsigned int slot
    for slot in range(SLOTS):
        slot_code[slot] = -1
    for code, name in enumerate(NAMES):
        text = PyUnicode_1BYTE_DATA(<PyObject*>name)
        length = PyUnicode_GET_LENGTH(<PyObject*>name)
        slot = slot_of(text, length)
        while slot_code[slot] != -1:
            slot = (slot + 1) & (SLOTS - 1)
        slot_code[slot] = code
        slot_text[slot] = text
        slot_length[slot] = length
    return 0


fill_slots()


cdef int quick_code(PyObject* key) noexcept:
    cdef Py_ssize_t length
    cdef const unsigned char* text
    cdef unsigned int slot
    if not PyUnicode_CheckExact(key):
        return -2
    if not PyUnicode_IS_COMPACT_ASCII(key):
        return -1
    length = PyUnicode_GET_LENGTH(key)
    if length < 2 or length > 21:
        return -1
    text = PyUnicode_1BYTE_DATA(key)
    slot = slot_of(text, length)
    while slot_code[slot] != -1:
        if slot_length[slot] == length and memcmp(slot_text[slot], text, length) == 0:
            return slot_code[slot]
        slot = (slot + 1) & (SLOTS - 1)
    return -1


cdef int quick_type(PyObject* name) noexcept:
    cdef Py_ssize_t length
    cdef const unsigned char* text
    if not PyUnicode_CheckExact(name) or not PyUnicode_IS_COMPACT_ASCII(name):
        return 0
    length = PyUnicode_GET_LENGTH(name)
    text = PyUnicode_1BYTE_DATA(name)
    if length == 6:
        if memcmp(text, <const char*>"string", 6) == 0:
            return T_STRING
        if memcmp(text, <const char*>"object", 6) == 0:
            return T_OBJECT
        if memcmp(text, <const char*>"number", 6) == 0:
            return T_NUMBER
    elif length == 7:
        if memcmp(text, <const char*>"integer", 7) == 0:
            return T_INTEGER
        if memcmp(text, <const char*>"boolean", 7) == 0:
            return T_BOOLEAN
    elif length == 5:
        if memcmp(text, <const char*>"array", 5) == 0:
            return T_ARRAY
    elif length == 4:
        if memcmp(text, <const char*>"null", 4) == 0:
            return T_NULL
    return 0


cdef int code_of(object key) except -2:
    """The number of a keyword, -1 for a name that is none."""
    cdef int code = quick_code(<PyObject*>key)
    return -1 if code < 0 else code


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
    if type(first) is dict and type(second) is dict and json_equal(first, second):
        return first
    cdef tuple left = (<Both>first).parts if type(first) is Both else (first,)
    cdef tuple right = (<Both>second).parts if type(second) is Both else (second,)
    return Both(left + right)
