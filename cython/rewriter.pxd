from libc.stdint cimport uint64_t
from cpython.object cimport PyObject

cdef enum:
    ORDERED = 20       # keywords whose order a Scan keeps; a node with more is walked again

cdef struct Scan:
    uint64_t mask
    int unknown
    int count                      # keys in all
    PyObject* value[64]            # by keyword
    PyObject* keys[ORDERED]        # in the author's order
    PyObject* values[ORDERED]
    signed char codes[ORDERED]

cdef class Table:
    cdef readonly str name
    cdef int action[64]
    cdef readonly dict formats
    cdef readonly bint identity
    cdef bint any_format, inline, closed, all_required, keep_required, nullable, type_lists, type_needed
    cdef bint items_needed, booleans, one_type_enums, string_enums, root_object, keep_unknown, python_patterns
    cdef bint unions_free, unions_annotated, root_reference, merges_all_of, read_only
    cdef str reference_keyword, definitions_keyword
    cdef tuple reference_siblings
    cdef object root_keywords, key_ok, pattern_ok, rename, extensions
    cdef object min_items_limit
    cdef dict words, format_words, counted
    cdef tuple condition_words
    cdef dict fitting              # property names -> whether the vendor's pattern matches them
    cdef str any_json, enclosing
    cdef uint64_t said             # keywords that are not spelled and are said
    cdef uint64_t plain            # keywords of a leaf that is copied as it stands
