# The keywords of JSON Schema by number, so that a schema object can be read into a 64-bit mask in one pass.
from libc.stdint cimport uint64_t
from cpython.object cimport PyObject

cdef enum:
    K_TYPE, K_TITLE, K_DESCRIPTION, K_PROPERTIES, K_REQUIRED, K_ITEMS, K_ENUM, K_CONST,
    K_DEFAULT, K_FORMAT, K_MINIMUM, K_MAXIMUM, K_XMINIMUM, K_XMAXIMUM, K_MULTIPLEOF, K_MINLENGTH,
    K_MAXLENGTH, K_PATTERN, K_MINITEMS, K_MAXITEMS, K_UNIQUEITEMS, K_PREFIXITEMS, K_CONTAINS, K_MINCONTAINS,
    K_MAXCONTAINS, K_ADDITIONAL, K_UNEVALPROPS, K_MINPROPS, K_MAXPROPS, K_PROPNAMES, K_PATTERNPROPS, K_DEPREQUIRED,
    K_DEPSCHEMAS, K_ANYOF, K_ONEOF, K_ALLOF, K_NOT, K_IF, K_THEN, K_ELSE,
    K_UNEVALITEMS, K_REF, K_DYNREF, K_RECREF, K_DEFS, K_DEFINITIONS, K_ID, K_ANCHOR,
    K_DYNANCHOR, K_SCHEMA, K_VOCABULARY, K_COMMENT, K_RECANCHOR, K_EXAMPLES, K_DEPRECATED, K_READONLY,
    K_WRITEONLY, K_CONTENTENCODING, K_CONTENTMEDIA, K_CONTENTSCHEMA, K_NULLABLE, K_EXAMPLE, K_ADDITIONALITEMS, K_DEPENDENCIES

cdef enum:
    T_STRING = 1
    T_NUMBER = 2
    T_INTEGER = 4
    T_BOOLEAN = 8
    T_OBJECT = 16
    T_ARRAY = 32
    T_NULL = 64
    T_ALL = 127

cdef class Keyword:
    cdef readonly str name
    cdef readonly int code

cdef dict CODES, TYPE_BITS
cdef tuple NAMES
cdef uint64_t bit(int code) noexcept
cdef class Both:
    # A node that must match all of its parts; parts are raw nodes.
    cdef readonly tuple parts

cdef int code_of(object key) except -2
# The number of a keyword, -1 for a name that is none, -2 for what is no string. Touches no Python object but the key.
cdef int quick_code(PyObject* key) noexcept
# The bit of a type's name, 0 for a name that is none.
cdef int quick_type(PyObject* name) noexcept
cdef object both(object first, object second)
cdef bint is_annotation(int code) noexcept
