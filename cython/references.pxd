cdef object key_of(object node)

cdef class Target:
    # A place that a reference points to.
    cdef readonly object node          # the raw node, or MISSING
    cdef readonly object resource      # the Resource it lies in
    cdef readonly tuple path           # its segments from the resource's document root
    cdef readonly str pointer          # the reference as written, for messages
    cdef readonly int index
    cdef readonly int component
    cdef readonly bint cyclic
    cdef readonly bint looped          # bare references that only lead to each other
    cdef bint single                   # kept dialects: its definition would serve one reference, so it is inlined
    cdef bint single_null              # the same for the definition that also admits null
    cdef bint merging                  # kept dialects: being merged into a node now
    cdef int shape                     # what its definition is spelled as; -1: not worked out
    cdef int uses
    cdef object spelled                # inlined: the form it was spelled in, if it was
    cdef int spelled_flags
    cdef list edges                    # [(Target | Dynamic, depth)]
    cdef long long size
    cdef int depth
    cdef long long cost
    cdef int reach
    cdef int order                     # scratch of the search for components
    cdef int low
    cdef bint on_stack
    cdef bint loop_known
    cdef list onward

cdef class Resource:
    cdef readonly str base
    cdef readonly object root
    cdef readonly object document      # the document root that holds it
    cdef readonly tuple path
    cdef dict anchors
    cdef dict dynamic
    cdef bint recursive

cdef class Dynamic:
    # A reference whose target depends on the resources entered before it.
    cdef readonly Target initial
    cdef readonly str anchor           # None for $recursiveRef

cdef class Graph:
    cdef readonly list targets
    cdef readonly Target root
    cdef dict references               # id(raw node) -> Target | Dynamic
    cdef readonly dict in_place        # id(raw node) -> cyclic Target met without a reference
    cdef readonly bint dynamic
    cdef readonly list missing
    cdef list kept_alive
    cdef dict by_key
    cdef dict bases                    # id(raw node) -> the Resource its reference is read in
    cdef dict local                    # references into the main document, as written
    cdef dict resources
    cdef dict given
    cdef Resource main
    cdef bint old_siblings
    cdef bint old_ids
    cdef bint bare_refs
    cdef bint indexed
    cdef bint strict
    cdef long long limit               # what may still be expanded
    cdef bint over                     # a count went past it
    cdef list pending
    cdef void dispose(self)
    cdef Target add(self, object node, Resource resource, tuple path, str pointer)
    cdef object name_of(self, Target target)
    cdef object reference_of(self, object node)
    cdef void adopt(self, object node, object reference)
    cdef Target settle(self, object reference, list scope)
    cdef Target add_now(self, object node, Resource resource, tuple path, str pointer)
    cdef int read_target(self, Target target) except -1
    cdef long long gather(self, object node, Resource resource, int depth, Target target, int stack) except -1
    cdef long long gather_all(self, object value, int holds, Resource resource, int depth, Target target, int stack) except -1
    cdef bint holds_reference(self, dict node) except -1
    cdef Resource embedded(self, object node, Resource outer)
    cdef int index(self) except -1
    cdef int index_document(self, Resource first) except -1
    cdef Resource resource_of(self, str uri)
    cdef int read_reference(self, object node, Resource resource) except -1
    cdef object dynamic_reference(self, Target target, object anchor)
    cdef Target find(self, str reference, Resource resource, object node)
    cdef Target follow(self, str pointer, Resource resource, str reference)
    cdef Target nowhere(self, str reference, Resource resource, object node)
    cdef list successors(self, Target target)
    cdef int find_components(self) except -1
    cdef str aimed(self, object node, str reference)
    cdef bint is_loop(self, Target target) except -1
    cdef bint is_bare(self, dict node) except -1
    cdef long long cost_of(self, Target target) except -1
    cdef int reach_of(self, Target target) except -1
    cdef list simulate(self, Target entry)
