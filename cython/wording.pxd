cdef str number_text(object value)
cdef str json_text(object value)
cdef str joined(object description, list sentences)
cdef bint json_equal(object a, object b, int room=*) except -1
cdef object copied(object value, int room)
cdef str fill1(tuple parts, str a)
cdef str fill2(tuple parts, str a, str b)
cdef object json_key(object value, int room=*)
