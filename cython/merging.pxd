cdef int merge_into(dict node, dict other, list left, bint node_inner, bint other_inner, bint other_wins, list owned=*) except -1
cdef bint pattern_matches(str pattern, str name) except -1
cdef list value_list(dict node)
cdef bint adds_nothing(object schema)
