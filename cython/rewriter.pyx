# cython: language_level=3, initializedcheck=False
"""The walk that spells a schema in a dialect.

One table-driven traversal. A node is read into a bit mask of its keywords; most nodes are then written straight out.
References, conjunctions, unions, splits by type and encodings take the longer ways, each in its own method of `Walk`.
"""
from libc.stdint cimport uint64_t
from cpython.dict cimport PyDict_Copy, PyDict_Next, PyDict_SetItem
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_CheckExact

import re
from operator import itemgetter

from toolglot.core.keywords cimport *
from toolglot.core.merging cimport adds_nothing, merge_into, pattern_matches, value_list
from toolglot.core.references cimport Dynamic, Graph, Resource, Target, key_of
from toolglot.core.merging import Undecided
from toolglot.core.references import MISSING, Unresolvable
from toolglot.core.wording cimport json_key, copied, fill1, fill2, joined, json_equal, json_text, number_text
from toolglot.core.wording import Malformed, TooDeep

cdef extern from *:
    """
    /* A dict that takes n keys without growing; a plain one where CPython keeps that call to itself. */
    #if PY_VERSION_HEX < 0x030D0000
    #define toolglot_new_dict(n) ((n) > 5 ? _PyDict_NewPresized(n) : PyDict_New())
    #else
    #define toolglot_new_dict(n) PyDict_New()
    #endif
    """
    dict new_dict "toolglot_new_dict"(Py_ssize_t)

cdef int MAX_DEPTH = 254
cdef int MAX_STEPS = 400           # nested resolving steps that write nothing
cdef int MAX_LOOKS = 400           # nodes looked at to tell a type or a shape
cdef int MAX_PRODUCT = 16

# What is done with a keyword that needs no more thought.
cdef enum:
    A_DROP, A_KEEP, A_DATA, A_SAY, A_SCHEMA, A_SCHEMAS, A_SCHEMA_MAP, A_SPECIAL

# Where a node stands.
cdef enum:
    F_ROOT = 1
    F_OPTIONAL = 2
    F_NODE_FORM = 4    # a definition: never the root's form
    F_NULLABLE = 8     # the author's node admits null
    F_INLINE = 16      # its reference is not kept
    F_NULLREF = 32     # its reference, if kept, is to the definition that also admits null

# What the last spelled node is, besides its JSON types.
cdef enum:
    S_TEXT = 256
    S_ENTRIES = 512
    S_UNKNOWN = 1024

cdef uint64_t ONE = 1
cdef uint64_t READ_BITS = (
    bit(K_NULLABLE) | bit(K_EXAMPLE) | bit(K_ADDITIONALITEMS) | bit(K_DEPENDENCIES) | bit(K_RECANCHOR)
)
cdef uint64_t LEAF_BITS = (
    bit(K_MINIMUM) | bit(K_MAXIMUM) | bit(K_XMINIMUM) | bit(K_XMAXIMUM) | bit(K_MULTIPLEOF) | bit(K_MINLENGTH)
    | bit(K_MAXLENGTH) | bit(K_FORMAT) | bit(K_ENUM) | bit(K_DEFAULT)
)
cdef uint64_t REF_BITS = bit(K_REF) | bit(K_DYNREF) | bit(K_RECREF)
cdef uint64_t UNION_BITS = bit(K_ANYOF) | bit(K_ONEOF)
cdef uint64_t VALUE_BITS = bit(K_ENUM) | bit(K_CONST)
cdef uint64_t CLOSING_BITS = (
    bit(K_PROPERTIES) | bit(K_REQUIRED) | bit(K_ADDITIONAL) | bit(K_UNEVALPROPS) | bit(K_PATTERNPROPS)
    | bit(K_PROPNAMES)
)
cdef uint64_t OBJECT_BITS = CLOSING_BITS | bit(K_MINPROPS) | bit(K_MAXPROPS) | bit(K_DEPREQUIRED) | bit(K_DEPSCHEMAS)
cdef uint64_t ARRAY_BITS = (
    bit(K_ITEMS) | bit(K_PREFIXITEMS) | bit(K_CONTAINS) | bit(K_MINCONTAINS) | bit(K_MAXCONTAINS)
    | bit(K_MINITEMS) | bit(K_MAXITEMS) | bit(K_UNIQUEITEMS) | bit(K_UNEVALITEMS)
)
cdef uint64_t STRING_BITS = bit(K_MINLENGTH) | bit(K_MAXLENGTH) | bit(K_PATTERN) | bit(K_FORMAT)
cdef uint64_t NUMBER_BITS = (
    bit(K_MINIMUM) | bit(K_MAXIMUM) | bit(K_XMINIMUM) | bit(K_XMAXIMUM) | bit(K_MULTIPLEOF)
)
cdef uint64_t ANNOTATION_BITS = (
    bit(K_TITLE) | bit(K_DESCRIPTION) | bit(K_DEFAULT) | bit(K_EXAMPLES) | bit(K_DEPRECATED) | bit(K_READONLY)
    | bit(K_WRITEONLY) | bit(K_COMMENT) | bit(K_SCHEMA) | bit(K_ID) | bit(K_ANCHOR) | bit(K_DYNANCHOR)
    | bit(K_VOCABULARY) | bit(K_RECANCHOR) | bit(K_DEFS) | bit(K_DEFINITIONS) | bit(K_CONTENTENCODING)
    | bit(K_CONTENTMEDIA) | bit(K_CONTENTSCHEMA) | bit(K_EXAMPLE) | bit(K_NULLABLE) | bit(K_ADDITIONALITEMS)
)
cdef uint64_t SAID_ANNOTATIONS = bit(K_DEFAULT) | bit(K_EXAMPLES) | bit(K_DEPRECATED) | bit(K_CONTENTENCODING)
cdef uint64_t CONDITION_BITS = bit(K_IF) | bit(K_THEN) | bit(K_ELSE)
cdef uint64_t IDENTIFIER_BITS = (
    bit(K_ID) | bit(K_ANCHOR) | bit(K_DYNANCHOR) | bit(K_VOCABULARY) | bit(K_RECANCHOR) | bit(K_DEFS)
    | bit(K_DEFINITIONS) | bit(K_SCHEMA)
)
# Assertions that have no sentence of their own.
cdef uint64_t OTHER_BITS = (
    bit(K_ANYOF) | bit(K_ONEOF) | bit(K_ALLOF) | bit(K_PROPERTIES) | bit(K_REQUIRED) | bit(K_ITEMS)
    | bit(K_UNEVALITEMS) | bit(K_TYPE)
)

# Keywords whose shape is checked before anything is done with a node.
cdef uint64_t CHECKED_BITS = (
    (~ANNOTATION_BITS | bit(K_DEFS) | bit(K_DEFINITIONS)) & ~(bit(K_TYPE) | bit(K_CONST) | REF_BITS | bit(K_DEPENDENCIES))
)
cdef uint64_t MAP_BITS = (
    bit(K_PROPERTIES) | bit(K_PATTERNPROPS) | bit(K_DEPSCHEMAS) | bit(K_DEPREQUIRED) | bit(K_DEFS) | bit(K_DEFINITIONS)
)
cdef uint64_t LISTED_BITS = bit(K_ANYOF) | bit(K_ONEOF) | bit(K_ALLOF) | bit(K_PREFIXITEMS)
cdef uint64_t SCHEMA_BITS = (
    bit(K_CONTAINS) | bit(K_ADDITIONAL) | bit(K_UNEVALPROPS) | bit(K_PROPNAMES) | bit(K_NOT) | bit(K_IF) | bit(K_THEN)
    | bit(K_ELSE) | bit(K_UNEVALITEMS)
)
cdef uint64_t COUNT_BITS = (
    bit(K_MINLENGTH) | bit(K_MAXLENGTH) | bit(K_MINITEMS) | bit(K_MAXITEMS) | bit(K_MINPROPS) | bit(K_MAXPROPS)
    | bit(K_MINCONTAINS) | bit(K_MAXCONTAINS)
)

# What reading itself rewrites.
cdef uint64_t READ_ONLY_BITS = bit(K_REF) | bit(K_RECREF) | bit(K_ID) | bit(K_DEFS)

cdef long long SAFE_INTEGER = 9007199254740991

# The types by bit, in the order in which missing ones are listed.
cdef tuple TYPE_ORDER = (
    (T_OBJECT, "object"), (T_ARRAY, "array"), (T_STRING, "string"), (T_NUMBER, "number"), (T_INTEGER, "integer"),
    (T_BOOLEAN, "boolean"), (T_NULL, "null"),
)


cdef uint64_t bits_of_type(int kind) noexcept:
    """The keywords that concern values of one type."""
    if kind == T_OBJECT:
        return OBJECT_BITS
    if kind == T_ARRAY:
        return ARRAY_BITS
    if kind == T_STRING:
        return STRING_BITS
    if kind == T_NUMBER or kind == T_INTEGER:
        return NUMBER_BITS
    return 0


cdef int ACTION_OF[64]
cdef int _k
for _k in range(64):
    ACTION_OF[_k] = A_KEEP
for _k in (K_ENUM, K_CONST, K_DEFAULT, K_EXAMPLES, K_DEPREQUIRED, K_CONTENTSCHEMA, K_VOCABULARY, K_DEPENDENCIES,
           K_ADDITIONALITEMS, K_EXAMPLE):
    ACTION_OF[_k] = A_DATA
for _k in (K_CONTAINS, K_UNEVALPROPS, K_PROPNAMES, K_NOT, K_IF, K_THEN, K_ELSE, K_UNEVALITEMS, K_ADDITIONAL):
    ACTION_OF[_k] = A_SCHEMA
for _k in (K_PREFIXITEMS, K_ANYOF, K_ONEOF, K_ALLOF):
    ACTION_OF[_k] = A_SCHEMAS
for _k in (K_PATTERNPROPS, K_DEPSCHEMAS, K_PROPERTIES, K_DEFS, K_DEFINITIONS):
    ACTION_OF[_k] = A_SCHEMA_MAP
# Checked or changed wherever they stand.
cdef uint64_t SPECIAL_BITS = (
    bit(K_PROPERTIES) | bit(K_REQUIRED) | bit(K_ITEMS) | bit(K_TYPE) | bit(K_ENUM) | bit(K_CONST) | bit(K_FORMAT)
    | bit(K_PATTERN) | bit(K_MINITEMS) | bit(K_ADDITIONAL) | bit(K_TITLE) | bit(K_DESCRIPTION) | bit(K_EXAMPLES)
    | bit(K_DEPRECATED) | bit(K_ONEOF) | bit(K_ANYOF) | bit(K_PREFIXITEMS) | bit(K_SCHEMA)
)


cdef class Table:
    """A dialect, compiled. `spec` is the mapping that `toolglot.projection` makes of a Dialect."""

    def __init__(self, dict spec):
        cdef int code
        self.name = spec["name"]
        rules = spec["rules"]
        spelled = spec["keywords"]
        self.formats = dict.fromkeys(spec["formats"] or ())
        self.any_format = spec["formats"] is None
        self.identity = rules["references"] == "identity"
        self.inline = rules["references"] == "inline"
        self.read_only = rules["references"] == "read"
        self.closed = rules["closed_objects"]
        self.all_required = rules["required"] == "all"
        self.keep_required = rules["required"] == "as_is"
        self.nullable = rules["null"] == "nullable"
        self.type_lists = rules["type_lists"]
        self.type_needed = rules["type_needed"]
        self.items_needed = rules["items_needed"]
        self.booleans = rules["boolean_schemas"]
        self.one_type_enums = rules["enum_values"] == "one_type"
        self.string_enums = rules["enum_values"] == "strings"
        self.root_object = rules["root_object"]
        self.keep_unknown = rules["unknown_keywords"] == "keep"
        self.extensions = rules["extensions"]
        self.python_patterns = rules["patterns"] == "python"
        self.unions_free = rules["union_siblings"] == "any"
        self.unions_annotated = rules["union_siblings"] == "annotations"
        self.root_reference = rules["root_reference"]
        self.reference_keyword = rules["reference_keyword"]
        self.definitions_keyword = rules["definitions_keyword"]
        self.reference_siblings = tuple(rules["reference_siblings"])
        self.root_keywords = None if rules["root_keywords"] is None else frozenset(rules["root_keywords"])
        self.min_items_limit = rules["min_items_limit"]
        self.key_ok = None if rules["property_keys"] is None else re.compile(rules["property_keys"]).search
        self.fitting = {}
        self.rename = spec["rename"]
        self.pattern_ok = spec["pattern_ok"]
        self.words = {name: tuple(text.split("{}")) for name, text in spec["sentences"].items()}
        self.format_words = dict(spec["format_sentences"])
        self.counted = dict(spec["counted"])
        self.condition_words = tuple(spec["condition"])
        self.any_json = spec["any_json"]
        self.enclosing = spec["enclosing"]
        self.merges_all_of = self.closed or "allOf" not in spelled
        whole = self.identity or self.read_only
        for code in range(64):
            name = NAMES[code]
            if name in spelled or whole:
                self.action[code] = ACTION_OF[code]
            elif (ANNOTATION_BITS >> code) & 1:
                self.action[code] = A_SAY if (SAID_ANNOTATIONS >> code) & 1 else A_DROP
            else:
                self.action[code] = A_SAY
            if not whole and ((IDENTIFIER_BITS & ~bit(K_SCHEMA)) >> code) & 1:
                self.action[code] = A_DROP
        self.said = 0
        for code in range(64):
            if self.action[code] == A_SAY:
                self.said |= ONE << code
        self.plain = bit(K_TYPE) | bit(K_DESCRIPTION)
        for code in (K_TITLE, K_MINIMUM, K_MAXIMUM, K_XMINIMUM, K_XMAXIMUM, K_MULTIPLEOF, K_MINLENGTH, K_MAXLENGTH,
                     K_FORMAT, K_ENUM, K_DEFAULT):
            if self.action[code] == A_KEEP or self.action[code] == A_DATA:
                self.plain |= ONE << code


cdef list EMPTY = []
cdef dict EMPTY_NODE = {}


cdef class Extras:
    """What a node carries beyond its keywords: merged-in entries to leave, leftovers, sentences."""
    cdef list left            # leftover keyword dicts
    cdef list left_from       # the raw nodes they come from
    cdef str cut              # T of a cut
    cdef bint missing
    cdef list entered         # what `leave` undoes
    cdef dict origin          # keyword -> raw node it comes from (when losses are asked for)
    cdef str union_sentence
    cdef str union_keyword
    cdef uint64_t added       # keywords to be written after the author's
    cdef object said_here     # sentences ready made
    cdef set merged           # targets that the node holds already

    def __init__(self):
        self.left = EMPTY
        self.left_from = EMPTY

    cdef int leave_over(self, dict leftover, object raw) except -1:
        """Notes keywords that no merge could take in, and the raw node they come from."""
        if self.left is EMPTY:
            self.left = []
            self.left_from = []
        self.left.append(leftover)
        self.left_from.append(raw)
        return 0

    cdef int enter(self, tuple entry) except -1:
        if self.entered is None:
            self.entered = []
        self.entered.append(entry)
        return 0

    cdef bint speaks(self):
        """Whether the node has sentences beyond those of its keywords."""
        return (
            self.left is not EMPTY or self.cut is not None or self.missing or self.said_here is not None
            or self.union_sentence is not None
        )


cdef class Walk:
    """One spelling of one document."""
    cdef readonly Table t
    cdef readonly object document
    cdef readonly Graph graph
    cdef readonly object draft, resources
    cdef readonly long long max_nodes
    cdef readonly bint strict
    cdef readonly bint input
    cdef bint typed           # types are needed, unions and types are worked out
    cdef bint closed
    cdef bint other_names     # `ref`, `defs` or `id` are keywords here
    cdef bint old_siblings, old_ids, bare_refs
    cdef int depth, steps, looks
    cdef int shape
    cdef long long left
    cdef int paid
    cdef list emitted         # kept references: [(holder, Target, nullable)]
    cdef list scope
    cdef list component_sets
    cdef bint shares                 # a target's spelled form serves its later references too
    cdef bint sharing                # ... as it is, not as a copy: only where nobody can see it
    cdef bint all_kept               # no definition is inlined because it serves one reference alone
    cdef bint root_special
    cdef bint unplaced               # the sentences asked for have no place in the schema
    cdef object at                   # (container, key) of the boolean schema being spelled
    cdef bint writing_object         # the sentences asked for are those of a closed object
    cdef readonly list losses
    cdef readonly dict written       # id(raw node) -> the nodes it was spelled as (when losses are asked for)
    cdef dict raw_of
    cdef list alive
    cdef list absent
    cdef readonly list sentences     # the root's, where the root has no place for them
    cdef readonly object description # the root's, likewise
    cdef dict wire                   # keys to the names the caller writes
    cdef dict positions              # id(container) -> places of its keys

    def __init__(self, Table table, object document, bint direction_input, object draft, object resources,
                 long long max_nodes, bint strict, object draft_of):
        """`draft` overrides what the document says of itself; `draft_of` reads the latter when it must be read."""
        cdef bint whole = type(document) is dict
        self.t = table
        self.document = document
        self.input = direction_input
        self.draft = draft
        self.resources = resources
        self.max_nodes = max_nodes
        self.strict = strict
        self.closed = table.closed and direction_input
        self.typed = table.type_needed and direction_input
        if draft is not None or (whole and "$schema" in <dict>document):
            draft = draft_of(document, draft)
            if draft is not None:
                self.old_siblings = draft <= 7
                self.old_ids = draft <= 4
        if whole and "defs" in <dict>document:
            self.bare_refs = type((<dict>document)["defs"]) is dict and not table.identity
        self.other_names = self.bare_refs or self.old_ids
        self.shares = table.inline and not table.all_required and not table.nullable
        self.sharing = False

    # ------------------------------------------------------------------ the whole document

    def run(self, bint record=False, bint sharing=False):
        """The spelled document; with `record`, `losses` is filled with tuples as well. With `sharing` the result may
        hold parts of the document, and one part several times: for callers that write it out and drop both."""
        cdef object result
        self.sharing = sharing and not self.t.nullable
        while True:
            self.depth = 0
            self.steps = 0
            self.shape = 0
            self.paid = 0
            self.emitted = None
            self.scope = None
            self.root_special = False
            self.absent = None
            self.at = None
            self.unplaced = False
            self.writing_object = False
            self.sentences = None
            self.description = None
            self.losses = None
            if record:
                self.losses = []
                self.raw_of = {}
                self.alive = []
                self.written = {}
                self.shares = False
            self.left = self.max_nodes
            if self.graph is not None:
                self.begin_graph()
            met = self.graph is not None
            try:
                result = self.spell_root()
                if self.emitted:
                    result = self.write_definitions(result)
                    if result is None:
                        continue
            except TooDeep:
                if self.graph is None or self.t.inline or self.all_kept:
                    raise
                # single definitions nested too deep in each other: all references stay
                self.all_kept = True
                continue
            if not met and self.t.inline and self.graph is not None and self.graph.in_place:
                # a place passed before the first reference was a cyclic target
                continue
            if self.graph is not None:
                self.graph.dispose()
                self.graph = None
            self.emitted = None
            return result

    cdef Graph need_graph(self):
        if self.graph is None:
            self.graph = Graph(
                self.document, {} if self.resources is None else self.resources, self.old_siblings, self.old_ids,
                self.bare_refs, self.strict,
            )
            self.begin_graph()
        return self.graph

    cdef int begin_graph(self) except -1:
        """What only documents with references need."""
        cdef Graph graph = self.graph
        self.emitted = []
        cdef Target target, root = graph.root
        self.component_sets = [None] * (len(graph.targets) + 1)
        self.scope = [root.resource]
        if root.cyclic:
            self.set_of(root.component, {root.index})
        self.left = self.max_nodes - root.size
        if self.t.inline:
            for target in graph.targets:
                target.spelled = None
            return 0
        for target in graph.targets:
            target.uses = 0
            target.merging = False
        for target in graph.targets:
            for reference, _ in target.edges:
                if type(reference) is Target:
                    (<Target>reference).uses += 1
        for target in graph.targets:
            if self.all_kept:
                target.single = target.single_null = False
            elif not target.cyclic and target.uses <= 1:
                target.single = True
                target.single_null = True
        return 0

    cdef int set_of(self, int component, object value) except -1:
        while component >= len(self.component_sets):
            self.component_sets.append(None)
        self.component_sets[component] = value
        return 0

    cdef object spell_root(self):
        cdef object result
        if self.document is False:
            raise Malformed(self.document, None, "false, which accepts nothing")
        if type(self.document) is not dict and type(self.document) is not bool:
            raise Malformed(self.document, None, "no JSON object")
        if self.document is True and self.t.root_object and self.input:
            self.root_special = True
            result = self.spell_dict({}, F_ROOT)
        else:
            result = self.spell(self.document, F_ROOT)
        if self.t.root_object and self.input and (result is None or (type(result) is dict and "type" not in <dict>result)):
            # the root accepts nothing: an object without properties, and a loss that says so
            self.root_special = True
            self.depth = 0
            self.lose(self.document, "type", None, "unreachable", "", False, None)
            result = self.spell_dict({}, F_ROOT)
        if result is None:
            result = {}
        elif result is False:
            result = {"not": {}}
        elif result is True and not self.t.identity:
            result = {}
        return result

    cdef object write_definitions(self, object result):
        """Spells the definitions that kept references need and names them; None asks for another run."""
        cdef dict spelled = {}
        cdef Py_ssize_t at = 0
        cdef Target target
        cdef object holder, node
        cdef bint nullable
        cdef dict uses = {}, inside = {}
        cdef dict names = {}, known_places = {}
        cdef list wanted
        cdef Py_ssize_t before
        while at < len(self.emitted):
            holder, target, nullable = self.emitted[at]
            at += 1
            key = (target.index, nullable)
            uses[key] = uses.get(key, 0) + 1
            if key in spelled:
                continue
            if target is self.graph.root and not nullable and self.t.root_reference and not self.root_special:
                continue
            spelled[key] = None
            self.depth = 2
            before = len(self.emitted)
            node = self.spell(target.node, F_NODE_FORM)
            if node is None:
                node = self.never()
            if nullable and type(node) is dict:
                node = self.with_null(<dict>node)
            spelled[key] = node
            inside[key] = [(one.index, two) for _, one, two in self.emitted[before:]]
        again = False
        circling = on_cycles(inside)
        for key, count in uses.items():
            target = <Target>self.graph.targets[key[0]]
            if count == 1 and not self.all_kept and key in spelled and not (target.single_null if key[1] else target.single) \
                    and key not in circling:
                if key[1]:
                    target.single_null = True
                else:
                    target.single = True
                again = True
        if again:
            return None
        self.positions = {}
        wanted = [(self.position_of(<Target>self.graph.targets[index]), nullable, index) for index, nullable in spelled]
        wanted.sort()
        taken = set()
        definitions = {}
        for _, nullable, index in wanted:
            target = <Target>self.graph.targets[index]
            if (index, False) in names and nullable:
                base = names[(index, False)] + "_or_null"
            else:
                base = self.clean_name(target)
                if nullable:
                    base += "_or_null"
            name = base
            count = 2
            while name in taken:
                name = f"{base}_{count}"
                count += 1
            taken.add(name)
            names[(index, nullable)] = name
            definitions[name] = spelled[(index, nullable)]
        for holder, target, nullable in self.emitted:
            name = names.get((target.index, nullable))
            (<dict>holder)[self.t.reference_keyword] = (
                "#" if name is None else f"#/{self.t.definitions_keyword}/{name}"
            )
        if definitions:
            if type(result) is dict:
                (<dict>result).pop(self.t.definitions_keyword, None)
                (<dict>result)[self.t.definitions_keyword] = definitions
        return result

    cdef str clean_name(self, Target target):
        cdef object name = self.graph.name_of(target)
        if target is self.graph.root or name is None:
            title = target.node.get("title") if type(target.node) is dict else None
            name = title if type(title) is str and title else "Root"
        return re.sub(r"[^A-Za-z0-9_.-]", "_", name) or "_"

    cdef tuple position_of(self, Target target):
        """Where a target stands in its document, as the places of its segments."""
        cdef object at = target.resource.document
        cdef list places = [0 if at is self.document else 1]
        for segment in target.path:
            if type(at) is dict and segment in <dict>at:
                known = self.positions.get(id(at))
                if known is None:
                    known = {name: number for number, name in enumerate(<dict>at)}
                    self.positions[id(at)] = known
                places.append(known[segment])
                at = (<dict>at)[segment]
            elif type(at) is list and segment.isdigit() and int(segment) < len(<list>at):
                places.append(int(segment))
                at = (<list>at)[int(segment)]
            else:
                break
        return tuple(places)

    # ------------------------------------------------------------------ one node

    cdef int code_here(self, object key) except -2:
        """The number of a keyword in this document, -1 for a name that is none."""
        cdef int code = quick_code(<PyObject*>key)
        if code < 0 and self.other_names:
            return self.other_code(key)
        return -1 if code < 0 else code

    cdef int other_code(self, object key) except -2:
        if self.bare_refs:
            if key == "ref":
                return K_REF
            if key == "defs":
                return K_DEFS
        if self.old_ids and key == "id":
            return K_ID
        return -1

    cdef int scan(self, dict node, Scan* s) except -1:
        """Reads a node's keywords into a mask, and the order they stand in."""
        cdef Py_ssize_t position = 0
        cdef PyObject* key
        cdef PyObject* value
        cdef int code, count = 0
        s.mask = 0
        s.unknown = 0
        while PyDict_Next(node, &position, &key, &value):
            code = quick_code(key)
            if code < 0:
                if code == -2:
                    raise Malformed(node, None, "a key that is no string")
                if self.other_names:
                    code = self.other_code(<object>key)
            if code < 0:
                s.unknown += 1
            else:
                s.mask |= ONE << code
                s.value[code] = value
            if count < ORDERED:
                s.keys[count] = key
                s.values[count] = value
                s.codes[count] = code
            count += 1
        s.count = count
        return 0

    cdef bint needs_reading(self, Scan* s):
        if s.mask & READ_BITS:
            return True
        if (s.mask >> K_ITEMS) & 1 and type(<object>s.value[K_ITEMS]) is list:
            return True
        if (s.mask >> K_XMINIMUM) & 1 and type(<object>s.value[K_XMINIMUM]) is bool:
            return True
        if (s.mask >> K_XMAXIMUM) & 1 and type(<object>s.value[K_XMAXIMUM]) is bool:
            return True
        return False

    cdef object spell(self, object raw, int flags):
        """A fresh spelled node; None for one that accepts nothing where the dialect has no word for that."""
        cdef object result
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise TooDeep()
        if type(raw) is dict:
            result = self.spell_dict(<dict>raw, flags)
        elif type(raw) is bool:
            result = self.spell_bool(raw, flags)
        elif type(raw) is Both:
            result = self.spell_slowly(raw, flags)
        else:
            raise Malformed(raw, None, "neither an object nor a boolean")
        self.depth -= 1
        if self.losses is not None and type(raw) is dict:
            self.note_written(raw, result)
        return result

    cdef int note_written(self, object raw, object result) except -1:
        """Remembers what a raw node was spelled as, for the places of its losses."""
        if type(result) is dict:
            self.alive.append(raw)
            places = self.written.setdefault(id(raw), [])
            if len(<list>places) < 10 and not any(one is result for one in <list>places):
                (<list>places).append(result)
        return 0

    cdef object never(self):
        """The node that accepts nothing."""
        return False if self.t.booleans else {"not": {}}

    cdef object spell_bool(self, object raw, int flags):
        cdef Scan s
        cdef object place
        if raw is False:
            self.shape = 0
            if self.t.booleans:
                return False
            if self.t.action[K_NOT] != A_SAY:
                return {"not": {}}
            return None
        self.shape = S_UNKNOWN
        if self.t.booleans:
            return True
        if self.typed:
            place, self.at = self.at, None
            self.scan(EMPTY_NODE, &s)
            return self.view(EMPTY_NODE, place, None, flags, &s)
        return {}

    cdef object spell_dict(self, dict node, int flags):
        cdef Scan s
        cdef object entered = None
        cdef object result
        cdef Target target
        self.scan(node, &s)
        if not s.mask & ~self.t.plain and not s.unknown and not flags & F_ROOT:
            result = self.leaf(node, &s, self.sharing and not (flags & F_OPTIONAL and self.t.all_required))
            if result is not None:
                return result
        if s.mask & CHECKED_BITS:
            self.check_node(node, node, &s)
        if self.graph is not None and self.graph.in_place and self.t.inline:
            found = self.graph.in_place.get(key_of(node))
            if found is not None:
                target = <Target>found
                entered = (target.component, self.component_sets[target.component])
                if entered[1] is None:
                    self.set_of(target.component, {target.index})
                else:
                    (<set>entered[1]).add(target.index)
                    entered = None
        if self.t.read_only and s.mask & (REF_BITS | bit(K_ID)):
            result = self.spell_slowly(node, flags)
        elif s.mask == bit(K_REF) and s.count == 1 and self.shares and not flags & F_ROOT:
            result = self.spell_shared(node, flags)
        elif s.mask == bit(K_REF) and s.count == 1 and not self.t.inline and not self.t.identity \
                and not flags & (F_ROOT | F_INLINE | F_NULLREF) and self.kept_as_it_is(node):
            result = self.kept_bare(node)
        elif self.t.identity:
            if s.mask & REF_BITS:
                self.check_reference(node, &s)
                self.need_graph()
            result = self.plain(node, node, None, flags, &s)
        elif s.mask & REF_BITS or self.needs_reading(&s) or (
            (s.mask >> K_ALLOF) & 1 and self.merges_here(flags)
        ) or ((s.mask >> K_NOT) & 1 and len(node) == 1 and not self.t.booleans):
            result = self.spell_slowly(node, flags)
        else:
            result = self.view(node, node, None, flags, &s)
        if entered is not None:
            self.set_of(entered[0], entered[1])
        return result

    cdef object spell_shared(self, dict node, int flags):
        """A bare reference where references are inlined: a target that was spelled before is copied."""
        cdef object found = self.need_graph().references.get(key_of(node))
        cdef Target target
        cdef long long cost
        cdef bint entry
        cdef object result
        if type(found) is not Target or self.graph.dynamic or type((<Target>found).node) is not dict:
            return self.spell_slowly(node, flags)
        target = <Target>found
        self.graph.limit = self.left if not self.paid else self.max_nodes
        entry = not target.looped and not (
            target.cyclic and target.component < len(self.component_sets)
            and self.component_sets[target.component] is not None
        ) and self.depth + 2 * self.graph.reach_of(target) <= MAX_DEPTH
        if entry and target.spelled is not None and target.spelled_flags == flags & F_OPTIONAL:
            cost = self.graph.cost_of(target)
            if not self.paid:
                if cost > self.left:
                    return self.spell_slowly(node, flags)
                self.left -= cost
            self.shape = target.shape
            return target.spelled if self.sharing else cloned(target.spelled)
        cost = self.left
        result = self.spell_slowly(node, flags)
        if entry and type(result) is dict and (self.paid or self.left < cost):
            target.spelled = result
            target.spelled_flags = flags & F_OPTIONAL
            target.shape = self.shape
        return result

    cdef bint kept_as_it_is(self, dict node):
        """Whether a node that is only a reference stays one."""
        cdef object found = self.need_graph().references.get(key_of(node))
        if type(found) is not Target:
            return False
        return type((<Target>found).node) is dict and not (<Target>found).looped \
            and not (<Target>found).single

    cdef dict kept_bare(self, dict node):
        cdef Target target = <Target>self.graph.references[key_of(node)]
        cdef dict out = {self.t.reference_keyword: target}
        self.emitted.append((out, target, False))
        self.shape = self.shape_of_target(target)
        return out

    cdef dict leaf(self, dict node, Scan* s, bint share):
        """A scalar node that the dialect spells word for word: a copy, or itself. None for any other."""
        cdef int kind
        cdef dict out
        cdef object value
        if not (s.mask >> K_TYPE) & 1:
            return None
        kind = quick_type(s.value[K_TYPE])
        if not kind & (T_STRING | T_NUMBER | T_INTEGER | T_BOOLEAN):
            return None
        if (s.mask >> K_DESCRIPTION) & 1 and not PyUnicode_CheckExact(<object>s.value[K_DESCRIPTION]):
            return None
        if (s.mask >> K_TITLE) & 1 and not PyUnicode_CheckExact(<object>s.value[K_TITLE]):
            return None
        if s.mask & LEAF_BITS:
            if self.typed and s.mask & ~bits_of_type(kind) & (STRING_BITS | NUMBER_BITS) & ~bit(K_FORMAT):
                return None
            if (s.mask >> K_FORMAT) & 1 and not self.t.any_format and not (
                PyUnicode_CheckExact(<object>s.value[K_FORMAT]) and <object>s.value[K_FORMAT] in self.t.formats
            ):
                return None
            if s.mask & NUMBER_BITS:
                for code in (K_MINIMUM, K_MAXIMUM, K_XMINIMUM, K_XMAXIMUM, K_MULTIPLEOF):
                    if (s.mask >> <int>code) & 1 and not is_number(<object>s.value[<int>code]):
                        return None
            if (s.mask >> K_MINLENGTH) & 1 and not is_count(<object>s.value[K_MINLENGTH]):
                return None
            if (s.mask >> K_MAXLENGTH) & 1 and not is_count(<object>s.value[K_MAXLENGTH]):
                return None
            if (s.mask >> K_DEFAULT) & 1:
                value = <object>s.value[K_DEFAULT]
                if type(value) is dict or type(value) is list or type(value) is float:
                    return None
            if (s.mask >> K_ENUM) & 1:
                value = <object>s.value[K_ENUM]
                if type(value) is not list or not value or kind != T_STRING:
                    return None
                for one in <list>value:
                    if not PyUnicode_CheckExact(one) or not one:
                        return None
                if has_twins(<list>value) and not self.t.keep_required:
                    return None
                if not share:
                    out = PyDict_Copy(node)
                    out["enum"] = list(<list>value)
                    self.shape = kind
                    return out
        self.shape = kind
        return node if share else PyDict_Copy(node)

    cdef bint merges_here(self, int flags):
        if self.t.read_only:
            return False
        if self.t.closed:
            return self.input or self.t.action[K_ALLOF] == A_SAY
        return self.t.action[K_ALLOF] == A_SAY or (flags & F_ROOT and self.t.root_object and self.input)

    cdef object spell_slowly(self, object raw, int flags):
        """References, old constructs, conjunctions."""
        cdef Extras ex
        cdef object node, result
        cdef Scan s
        cdef Target target
        if self.t.read_only and type(raw) is dict:
            node = self.upgraded(<dict>raw)
            if type(node) is bool:
                return self.spell_bool(node, flags)
            self.scan(<dict>node, &s)
            if self.old_siblings and s.mask & REF_BITS:
                node = {key: value for key, value in (<dict>node).items() if self.code_here(key) >= 0 and (
                    (REF_BITS | bit(K_DEFS) | bit(K_DEFINITIONS) | bit(K_SCHEMA)) >> self.code_here(key)) & 1}
                self.scan(<dict>node, &s)
            return self.plain(<dict>node, raw, None, flags, &s)
        if type(raw) is dict and not self.t.inline:
            self.scan(<dict>raw, &s)
            if s.mask & REF_BITS and not (flags & F_ROOT):
                node = raw
                if self.needs_reading(&s):
                    node = self.upgraded(<dict>raw)
                    self.scan(<dict>node, &s)
                if type(node) is dict:
                    if s.mask & REF_BITS:
                        self.check_reference(<dict>node, &s)
                        target = self.need_graph().settle(self.reference_of(raw, node), self.scope)
                        if target.single and not flags & (F_INLINE | F_NULLREF):
                            node = self.through(<dict>node, target)
                            target = self.graph.settle(self.graph.references[key_of(node)], self.scope)
                            self.scan(<dict>node, &s)
                        if not flags & F_INLINE and self.may_keep(target, &s, flags):
                            return self.keep_reference(<dict>node, raw, target, flags, &s, None)
                        if not self.old_siblings and s.mask & ~(REF_BITS | ANNOTATION_BITS) and (
                            target.merging and target.cyclic
                        ) and type(target.node) is dict:
                            ex = Extras()
                            ex.leave_over({
                                key: value for key, value in (<dict>node).items()
                                if not is_annotation(code_of(key)) and not (code_of(key) >= 0 and (REF_BITS >> code_of(key)) & 1)
                            }, raw)
                            return self.keep_reference(<dict>node, raw, target, flags, &s, ex)
            elif (s.mask >> K_ALLOF) & 1 and not flags & F_ROOT:
                node = self.lone_reference(<dict>raw, &s)
                if node is not None:
                    return self.spell_slowly(node, flags)
        ex = Extras()
        if self.losses is not None:
            ex.origin = {}
        node = self.resolve(raw, ex, flags)
        if type(node) is bool:
            self.leave(ex)
            return self.spell_bool(node, flags)
        self.scan(<dict>node, &s)
        result = self.view(<dict>node, raw, ex, flags, &s)
        self.leave(ex)
        if ex.origin is not None:
            for origin in (<dict>ex.origin).values():
                if type(origin) is dict:
                    self.note_written(origin, result)
        return result

    cdef object through(self, dict node, Target target):
        """A reference to a single target that is a bare reference itself: the reference that it is."""
        cdef dict combined
        cdef object reference = self.graph.references.get(key_of(node))
        cdef int hops = 0
        while target.single and type(target.node) is dict and hops < len(self.graph.targets) \
                and self.graph.is_bare(<dict>target.node) and not target.looped:
            combined = {}
            for key, value in node.items():
                code = self.code_here(key)
                if code >= 0 and (REF_BITS >> code) & 1:
                    for name, item in (<dict>target.node).items():
                        code = code_of(name)
                        if not (code >= 0 and (IDENTIFIER_BITS >> code) & 1):
                            combined.setdefault(name, node[name] if name in node and is_annotation(code_of(name)) else item)
                elif is_annotation(code):
                    combined.setdefault(key, value)
                else:
                    combined[key] = value
            reference = self.graph.reference_of(target.node)
            self.graph.adopt(combined, reference)
            if self.losses is not None:
                self.raw_of[id(combined)] = node
            node = combined
            target = self.graph.settle(reference, self.scope)
            hops += 1
        if reference is None:
            self.graph.adopt(node, target)
        return node

    cdef object lone_reference(self, dict node, Scan* s):
        """A node whose allOf holds one reference (and annotations), to what is being merged in around it: that
        reference, the rest beside it. None for any other node."""
        cdef object branches = <object>s.value[K_ALLOF], branch
        cdef dict combined = {}
        cdef Target target
        if type(branches) is not list or not branches or s.mask & REF_BITS:
            return None
        if self.needs_reading(s) and ((s.mask & READ_BITS) != bit(K_NULLABLE) or type(
            (<dict>node).get("items")) is list or (s.mask & (bit(K_XMINIMUM) | bit(K_XMAXIMUM)))):
            return None
        branch = None
        for one in <list>branches:
            if type(one) is dict and branch is None and self.has_reference(<dict>one):
                branch = one
            elif not adds_nothing(one):
                return None
        if type(branch) is not dict or not self.has_reference(<dict>branch) or not self.need_graph().is_bare(<dict>branch):
            return None
        target = self.graph.settle(self.graph.reference_of(branch), self.scope)
        if not target.merging or not target.cyclic:
            return None
        for key, value in node.items():
            if key == "allOf":
                for name, item in (<dict>branch).items():
                    combined.setdefault(name, node.get(name, item))
                for one in <list>branches:
                    if type(one) is dict and one is not branch:
                        for name, item in (<dict>one).items():
                            if name != "nullable":
                                combined.setdefault(name, node.get(name, item))
            elif key != "nullable":
                # beside allOf it says nothing
                combined.setdefault(key, value)
        self.graph.adopt(combined, self.graph.reference_of(branch))
        if self.losses is not None:
            self.raw_of[id(combined)] = node
        return combined

    cdef bint has_reference(self, dict node):
        cdef int code
        for name in node:
            code = self.code_here(name)
            if code >= 0 and (REF_BITS >> code) & 1:
                return True
        return False

    cdef int check_reference(self, dict node, Scan* s) except -1:
        if (s.mask >> K_REF) & 1 and type(<object>s.value[K_REF]) is not str:
            raise Malformed(node, "$ref", "no string")
        if (s.mask >> K_DYNREF) & 1 and type(<object>s.value[K_DYNREF]) is not str:
            raise Malformed(node, "$dynamicRef", "no string")
        if (s.mask >> K_RECREF) & 1 and <object>s.value[K_RECREF] != "#":
            raise Malformed(node, "$recursiveRef", "not the only value it may have, #")
        return 0

    cdef object reference_of(self, object raw, object node):
        """What a node refers to; a node that reading made refers to what its raw node does."""
        cdef Graph graph = self.need_graph()
        if node is raw:
            return graph.reference_of(raw)
        found = graph.references.get(key_of(node))
        if found is not None:
            return found
        return graph.reference_of(raw)

    cdef bint may_keep(self, Target target, Scan* s, int flags):
        """Whether a reference stays a reference."""
        if not self.old_siblings and s.mask & ~(REF_BITS | ANNOTATION_BITS):
            return False
        if (target.single_null if flags & F_NULLREF else target.single) or target.looped or target.node is MISSING:
            return False
        return type(target.node) is dict

    cdef int leave(self, Extras ex) except -1:
        """Undoes what resolving entered, innermost first."""
        cdef object entry
        while ex.entered:
            entry = ex.entered.pop()
            kind = entry[0]
            if kind == "paid":
                self.paid -= 1
            elif kind == "component":
                self.set_of(entry[1], entry[2])
            elif kind == "merging":
                (<Target>entry[1]).merging = False
            elif kind == "scope":
                self.scope = entry[1]
        return 0

    cdef bint expand(self, Target target, Extras ex) except -1:
        """Whether a target is expanded here (True) or cut (False); enters it."""
        cdef Graph graph = self.graph
        cdef object current
        cdef long long cost
        graph.limit = self.left if not self.paid else self.max_nodes
        if target.looped:
            return False
        if not self.t.inline:
            if target.merging:
                if target.cyclic:
                    return False
                self.enter_scope(target, ex)
                return True
            if not target.single:
                cost = graph.cost_of(target)
                if not self.paid and cost > self.left:
                    return False
                if not self.paid:
                    self.left -= cost
            target.merging = True
            ex.enter(("merging", target))
            self.enter_scope(target, ex)
            return True
        current = None
        if target.cyclic:
            if target.component < len(self.component_sets):
                current = self.component_sets[target.component]
            if current is not None and target.index in <set>current:
                return False
        if not self.paid:
            cost = graph.cost_of(target)
            if cost > self.left:
                return False
        if self.depth + graph.reach_of(target) > MAX_DEPTH:
            return False
        if not self.paid:
            self.left -= cost
        self.paid += 1
        ex.enter(("paid",))
        if target.cyclic:
            if current is None:
                ex.enter(("component", target.component, None))
                self.set_of(target.component, {target.index})
            else:
                (<set>current).add(target.index)
        self.enter_scope(target, ex)
        return True

    cdef int enter_scope(self, Target target, Extras ex) except -1:
        if self.graph.dynamic and (not self.scope or self.scope[-1] is not target.resource):
            ex.enter(("scope", self.scope))
            self.scope = self.scope + [target.resource]
        return 0

    cdef str title_of(self, Target target):
        """T: what a cut target is called."""
        if type(target.node) is dict:
            title = (<dict>target.node).get("title")
            if type(title) is str and title:
                return title
        if target is self.graph.root or self.graph.name_of(target) is None:
            return self.t.enclosing
        return self.graph.name_of(target)

    cdef dict cut_node(self, Target target):
        """The shapeless node that stands for a target that is not expanded."""
        cdef dict node = {}
        cdef Target at = target
        cdef int hops = 0
        while type(at.node) is dict and hops < 64:
            kind = (<dict>at.node).get("type")
            if kind is not None:
                if (<dict>at.node).get("nullable") is True:
                    kind = [kind] if type(kind) is str else list(kind)
                    if "null" not in kind:
                        kind.append("null")
                node["type"] = kind
                break
            reference = self.graph.references.get(key_of(at.node))
            if type(reference) is not Target:
                break
            at = <Target>reference
            hops += 1
        node["title"] = self.title_of(target)
        return node

    # ------------------------------------------------------------------ reading and resolving

    cdef object upgraded(self, dict node):
        """The node as 2020-12 has it: itself, a changed copy, or a boolean."""
        cdef Scan s
        cdef dict out
        cdef object value
        self.scan(node, &s)
        if len(node) == 1 and (s.mask >> K_NOT) & 1:
            value = <object>s.value[K_NOT]
            if value is True or (type(value) is dict and not value):
                return False
        if not self.needs_reading(&s):
            return node
        out = {}
        for key, value in node.items():
            code = self.code_here(key)
            if code == K_ITEMS and type(value) is list:
                out["prefixItems"] = value
            elif code == K_ADDITIONALITEMS:
                if type(node.get("items")) is list:
                    out["items"] = value
            elif code == K_EXAMPLE:
                if "examples" not in node:
                    out["examples"] = [value]
            elif code == K_NULLABLE or code == K_RECANCHOR:
                pass
            elif code == K_DEPENDENCIES:
                if type(value) is not dict:
                    raise Malformed(node, "dependencies", "no object")
                required = {name: names for name, names in (<dict>value).items() if type(names) is list}
                schemas = {name: schema for name, schema in (<dict>value).items() if type(schema) is not list}
                if required:
                    out["dependentRequired"] = {**node.get("dependentRequired", {}), **required}
                if schemas:
                    out["dependentSchemas"] = {**node.get("dependentSchemas", {}), **schemas}
            elif code == K_XMINIMUM and type(value) is bool:
                if value and "minimum" in node:
                    out[key] = node["minimum"]
            elif code == K_XMAXIMUM and type(value) is bool:
                if value and "maximum" in node:
                    out[key] = node["maximum"]
            elif code == K_MINIMUM and node.get("exclusiveMinimum") is True:
                pass
            elif code == K_MAXIMUM and node.get("exclusiveMaximum") is True:
                pass
            elif (code == K_DEPREQUIRED and "dependentRequired" in out) or \
                    (code == K_DEPSCHEMAS and "dependentSchemas" in out):
                pass
            else:
                out[key] = value
        if node.get("nullable") is True:
            out = self.with_null_read(out, node)
        if s.mask & REF_BITS and not self.t.read_only and self.has_reference(out):
            self.graph_of(node)
            if key_of(out) not in self.graph.references:
                self.graph.adopt(out, self.graph.reference_of(node))
        if self.losses is not None:
            self.raw_of[id(out)] = node
            self.alive.append(out)
        return out

    cdef Graph graph_of(self, dict node):
        """The graph, made now for a node whose reference must be a good one."""
        cdef Scan s
        self.scan(node, &s)
        self.check_reference(node, &s)
        return self.need_graph()

    cdef dict with_null_read(self, dict node, dict raw):
        """`nullable: true`, read as null."""
        cdef dict out
        cdef object kind
        if "type" in node:
            kind = node["type"]
            if type(kind) is str:
                if kind != "null":
                    node["type"] = [kind, "null"]
            elif type(kind) is list and "null" not in <list>kind:
                node["type"] = [*kind, "null"]
        if type(node.get("enum")) is list:
            if not any(value is None for value in node["enum"]):
                node["enum"] = [*node["enum"], None]
        elif "const" in node and node["const"] is not None:
            out = {}
            for key, value in node.items():
                out["enum" if key == "const" else key] = [value, None] if key == "const" else value
            node = out
        if "type" in node or "enum" in node or "const" in node:
            return node
        for union in ("anyOf", "oneOf"):
            if type(node.get(union)) is list:
                if not any(self.only_null(branch) for branch in node[union]):
                    node[union] = [*node[union], {"type": "null"}]
                return node
        for name in ("$ref", "ref", "$dynamicRef", "$recursiveRef"):
            code = self.code_here(name)
            if name in node and code >= 0 and (REF_BITS >> code) & 1:
                inner = {name: node[name]}
                reference = self.need_graph().reference_of(raw)
                self.graph.adopt(inner, reference)
                out = {}
                for key, value in node.items():
                    if key == name:
                        out["anyOf"] = [inner, {"type": "null"}]
                    else:
                        out[key] = value
                return out
        return node

    cdef bint only_null(self, object raw):
        """Whether a raw node accepts null alone, as far as it says so itself."""
        if type(raw) is not dict:
            return False
        cdef dict node = <dict>raw
        cdef object kind = node.get("type")
        if kind == "null" or (type(kind) is list and len(<list>kind) == 1 and kind[0] == "null"):
            return True
        if "const" in node:
            return node["const"] is None
        values = node.get("enum")
        return type(values) is list and len(<list>values) > 0 and all(value is None for value in <list>values)

    cdef object resolve(self, object raw, Extras ex, int flags):
        """A raw node with its reference followed and (where that is done) its allOf merged: a dict or a boolean."""
        cdef object node, other, result
        cdef dict merged, target_node
        cdef Scan s
        cdef Target target
        cdef bint spelled_all_of
        if type(raw) is bool:
            return raw
        if type(raw) is Both:
            return self.resolve_both(<Both>raw, ex, flags)
        if type(raw) is not dict:
            raise Malformed(raw, None, "neither an object nor a boolean")
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise TooDeep()
        node = raw
        self.scan(<dict>node, &s)
        if self.needs_reading(&s) or ((s.mask >> K_NOT) & 1 and s.count == 1):
            node = self.upgraded(<dict>raw)
            if type(node) is bool:
                self.steps -= 1
                return node
            self.scan(<dict>node, &s)
        if s.mask & CHECKED_BITS:
            self.check_node(<dict>node, raw, &s)
        self.types_here(&s, raw)
        if not (s.mask & REF_BITS) and not ((s.mask >> K_ALLOF) & 1 and self.merges_here(flags)):
            self.note_origin(ex, <dict>node, raw)
            self.steps -= 1
            return node
        if s.mask & REF_BITS:
            self.check_reference(<dict>node, &s)
            node = self.follow(<dict>node, raw, ex, flags, &s)
            if type(node) is bool:
                self.steps -= 1
                return node
        else:
            self.note_origin(ex, <dict>node, raw)
        if "allOf" in <dict>node and self.merges_here(flags):
            node = self.merge_all_of(<dict>node, raw, ex, flags)
        self.steps -= 1
        return node

    cdef int note_origin(self, Extras ex, dict node, object raw) except -1:
        if ex.origin is not None:
            for key in node:
                ex.origin.setdefault(key, raw)
        return 0

    cdef bint conjoins(self, Target target):
        """Whether a target may bring other targets into the node it is merged into."""
        return type(target.node) is dict and ("allOf" in <dict>target.node or "$ref" in <dict>target.node)

    cdef object follow(self, dict node, object raw, Extras ex, int flags, Scan* s):
        """A node whose reference is replaced by its target, merged with its siblings."""
        cdef Target target = self.need_graph().settle(self.reference_of(raw, node), self.scope)
        cdef object found
        cdef dict siblings = {}, before = {}, merged, out
        cdef list left = []
        cdef bint seen = False, constrained = False
        cdef int code
        if target.node is MISSING:
            ex.missing = True
            found = {}
        elif type(target.node) is bool:
            found = target.node
        elif ex.merged is not None and target.index in ex.merged:
            found = True
        elif self.expand(target, ex):
            first = target
            while type(target.node) is dict and len(<dict>target.node) == 1 and "$ref" in <dict>target.node:
                # a name for another name: followed here, without nesting
                target = self.graph.settle(self.graph.reference_of(target.node), self.scope)
                if type(target.node) is not dict or not self.expand(target, ex):
                    break
            else:
                first = None
            if first is None:
                found = self.resolve(target.node, ex, flags & ~F_ROOT if self.t.inline else flags)
                if ex.merged is not None:
                    ex.merged.add(target.index)
                elif self.conjoins(target):
                    ex.merged = {target.index}
            elif target.node is MISSING:
                ex.missing = True
                found = {}
            elif type(target.node) is bool:
                found = target.node
            else:
                ex.cut = self.title_of(target)
                found = self.cut_node(target)
        else:
            ex.cut = self.title_of(target)
            found = self.cut_node(target)
        for key, value in node.items():
            code = self.code_here(key)
            if code >= 0 and (REF_BITS >> code) & 1:
                seen = True
                continue
            if self.old_siblings and not (code == K_DEFS or code == K_DEFINITIONS or code == K_SCHEMA):
                continue
            if (code == K_TITLE or code == K_DESCRIPTION) and type(value) is not str:
                continue
            siblings[key] = value
            if not seen:
                before[key] = value
            if not is_annotation(code):
                constrained = True
        if found is False:
            return False
        if found is True:
            found = {}
        if not siblings and not self.has_identifiers(<dict>found):
            return found
        merged = {}
        for key, value in (<dict>found).items():
            code = code_of(key)
            if code >= 0 and (IDENTIFIER_BITS >> code) & 1:
                continue
            if self.bare_refs and key == "defs":
                continue
            merged[key] = value
        if not siblings:
            return merged
        target_keys = list(merged)
        merge_into(merged, siblings, left, True, False, True)
        if left:
            if not self.merges_here(flags):
                # the siblings stay as they are, the target stands in allOf
                out = {}
                branch = {key: value for key, value in (<dict>found).items()}
                for key, value in node.items():
                    code = self.code_here(key)
                    if code >= 0 and (REF_BITS >> code) & 1:
                        if "allOf" not in siblings:
                            out["allOf"] = [branch]
                    elif code == K_ALLOF:
                        out[key] = [*value, branch]
                    else:
                        out[key] = value
                self.note_origin(ex, out, raw)
                return out
            for leftover in left:
                ex.leave_over(leftover, raw)
        out = {}
        for key in before:
            if key in merged and key not in target_keys:
                out[key] = merged[key]
        for key in target_keys:
            if key in merged:
                out[key] = merged[key]
        for key, value in merged.items():
            if key not in out:
                out[key] = value
        if ex.origin is not None:
            for key in siblings:
                ex.origin[key] = raw
        return out

    cdef object merge_all_of(self, dict node, object raw, Extras ex, int flags):
        cdef object branches = node["allOf"], part
        cdef dict merged = {key: value for key, value in node.items() if key != "allOf"}
        cdef list left, owned = [None]
        if type(branches) is not list or not branches:
            raise Malformed(raw if type(raw) is dict else node, "allOf", "no list of schemas")
        if ex.merged is None:
            ex.merged = set()
        for number, branch in enumerate(<list>branches):
            if any(json_equal(branch, earlier) for earlier in (<list>branches)[max(0, number - 8):number]):
                continue
            part = self.resolve(branch, ex, flags)
            if part is False:
                return False
            if part is True:
                continue
            left = []
            merge_into(merged, self.without_identifiers(<dict>part), left, False, True, False, owned)
            for leftover in left:
                ex.leave_over(leftover, branch)
        return merged

    cdef bint has_identifiers(self, dict node) except -1:
        """Whether a node holds what never merges from a target."""
        cdef Py_ssize_t position = 0
        cdef PyObject* key
        cdef PyObject* value
        cdef int code
        while PyDict_Next(node, &position, &key, &value):
            code = quick_code(key)
            if code >= 0:
                if (IDENTIFIER_BITS >> code) & 1:
                    return True
            elif self.bare_refs and <object>key == "defs":
                return True
        return False

    cdef dict without_identifiers(self, dict node):
        if not self.has_identifiers(node):
            return node
        return {
            key: value for key, value in node.items()
            if code_of(key) < 0 or not (IDENTIFIER_BITS >> code_of(key)) & 1
        }

    cdef object resolve_both(self, Both node, Extras ex, int flags):
        cdef object part, merged = None
        cdef list left
        cdef dict trial
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise TooDeep()
        if ex.merged is None:
            ex.merged = set()
        for raw in node.parts:
            part = self.resolve(raw, ex, flags)
            if part is False:
                self.steps -= 1
                return False
            if part is True:
                continue
            if merged is None:
                merged = dict(self.without_identifiers(<dict>part))
                continue
            left = []
            if self.merges_here(flags):
                merge_into(<dict>merged, self.without_identifiers(<dict>part), left, True, True, False)
                for leftover in left:
                    ex.leave_over(leftover, raw)
            else:
                trial = dict(<dict>merged)
                merge_into(trial, self.without_identifiers(<dict>part), left, True, True, False)
                if left:
                    (<dict>merged)["allOf"] = [*(<dict>merged).get("allOf", ()), part]
                else:
                    merged = trial
        self.steps -= 1
        return True if merged is None else merged

    # ------------------------------------------------------------------ kept references

    cdef object keep_reference(self, dict node, object raw, Target target, int flags, Scan* s, Extras ex):
        cdef dict out = {}, holder
        cdef list sentences = None
        cdef uint64_t say = 0
        cdef bint beside = True
        cdef int code
        cdef str name = self.t.reference_keyword
        if not self.old_siblings and s.count > 1:
            say = s.mask & self.t.said & SAID_ANNOTATIONS
            for code in range(64):
                if ((s.mask & ANNOTATION_BITS & ~IDENTIFIER_BITS & ~say) >> code) & 1 and self.t.action[code] != A_DROP:
                    if NAMES[code] not in self.t.reference_siblings:
                        beside = False
        if say or ex is not None:
            if flags & F_OPTIONAL and type(target.node) is dict and self.takes_null(<dict>target.node):
                flags |= F_NULLABLE
            sentences = self.say(node, raw, say, s, ex, 0, flags)
            if sentences and "description" not in self.t.reference_siblings:
                beside = False
        holder = out if beside else {name: None}
        for key, value in node.items():
            code = self.code_here(key)
            if code >= 0 and (REF_BITS >> code) & 1:
                if beside:
                    out[name] = None
                else:
                    out["anyOf"] = [holder]
            elif self.old_siblings or code < 0:
                continue
            elif code == K_TITLE or code == K_DESCRIPTION:
                if self.t.action[code] != A_DROP and type(value) is str:
                    out[key] = value
            elif (ANNOTATION_BITS >> code) & 1 and self.t.action[code] != A_DROP and self.t.action[code] != A_SAY \
                    and not (IDENTIFIER_BITS >> code) & 1:
                out[key] = copied(value, MAX_DEPTH - self.depth)
        if not beside and len(out) == 1 and not sentences:
            out = holder
        if sentences:
            out["description"] = joined(out.get("description"), sentences)
        holder[name] = target
        self.emitted.append((holder, target, False))
        self.shape = self.shape_of_target(target)
        return out

    cdef int shape_of_target(self, Target target) except -1:
        """What a definition is spelled as; worked out once for each."""
        if target.shape < 0:
            target.shape = self.shape_of(target.node, 0)
        return target.shape

    cdef dict with_null(self, dict spelled, dict m=None, object raw=None):
        """A spelled node of the nullable family that admits null as well."""
        cdef str name = self.t.reference_keyword
        cdef Py_ssize_t at
        cdef dict out
        if self.emitted is not None and name in spelled:
            for at in range(len(self.emitted) - 1, -1, -1):
                holder, target, nullable = self.emitted[at]
                if holder is spelled:
                    self.emitted[at] = (holder, target, True)
                    break
            return spelled
        if "anyOf" in spelled:
            for branch in spelled["anyOf"]:
                if name not in branch:
                    self.with_null(<dict>branch)
                    return spelled
            self.with_null(spelled["anyOf"][0])
            return spelled
        self.insert_nullable(spelled, m, raw)
        return spelled

    cdef int insert_nullable(self, dict node, dict m=None, object raw=None) except -1:
        """Adds `nullable: true`: where the author wrote it, else in the order of added keys."""
        cdef object before = None
        cdef list items
        if type(raw) is dict and (<dict>raw).get("nullable") is True:
            seen = False
            for key in <dict>raw:
                if key == "nullable":
                    seen = True
                elif seen and key in node:
                    before = key
                    break
        if before is None and m is not None:
            for key in ("properties", "items", "anyOf", "required"):
                if key in node and key not in m:
                    before = key
                    break
        if before is None:
            node["nullable"] = True
            return 0
        items = list(node.items())
        node.clear()
        for key, value in items:
            if key == before:
                node["nullable"] = True
            node[key] = value
        return 0

    cdef int shape_of(self, object raw, int hops) except -1:
        """The JSON types (and encoding) that a raw node will be spelled as, through references."""
        cdef Scan s
        cdef int shape = 0, one, seen = 0
        cdef object node, values, found
        cdef Target target
        if hops == 0:
            self.looks = MAX_LOOKS
        self.looks -= 1
        if hops > 24 or self.looks < 0:
            return S_UNKNOWN
        if type(raw) is bool or raw is MISSING:
            if raw is False:
                return 0
            return T_STRING | S_TEXT if self.closed else S_UNKNOWN
        if type(raw) is Both:
            for part in (<Both>raw).parts:
                one = self.shape_of(part, hops + 1)
                if not one & (S_UNKNOWN | S_TEXT):
                    shape = one if not shape else (shape & one or shape)
            return shape if shape else (T_STRING | S_TEXT if self.closed else S_UNKNOWN)
        if type(raw) is not dict:
            return S_UNKNOWN
        node = self.upgraded(<dict>raw)
        if type(node) is bool:
            return self.shape_of(node, hops)
        self.scan(<dict>node, &s)
        if s.mask & REF_BITS:
            target = self.need_graph().settle(self.reference_of(raw, node), self.scope)
            if target.looped:
                return T_STRING | S_TEXT if self.closed else S_UNKNOWN
            return self.shape_of(target.node, hops + 1)
        if (s.mask >> K_ALLOF) & 1 and type(<object>s.value[K_ALLOF]) is list and not (s.mask >> K_TYPE) & 1:
            return self.shape_of(Both(tuple(
                [{key: value for key, value in (<dict>node).items() if key != "allOf"}, *<list>s.value[K_ALLOF]]
            )), hops + 1)
        if s.mask & UNION_BITS and not (self.closed and s.mask & CLOSING_BITS):
            for code in (K_ANYOF, K_ONEOF):
                if (s.mask >> code) & 1 and type(<object>s.value[code]) is list:
                    for branch in <list>s.value[code]:
                        one = self.shape_of(branch, hops + 1)
                        if one & (T_STRING if one & S_TEXT else 0) & seen or one & S_ENTRIES and seen & T_ARRAY \
                                or (shape & S_TEXT and one & T_STRING) or (shape & S_ENTRIES and one & T_ARRAY):
                            return T_STRING | S_TEXT
                        seen |= one & T_ALL
                        shape |= one
            return shape
        one = self.types_here(&s, raw)
        if not one:
            values = value_list(<dict>node)
            if values is not None:
                one = types_of_values(values)
            else:
                one = self.inferred(&s)
        if not one:
            return T_STRING | S_TEXT if self.closed else S_UNKNOWN
        if one & T_NULL and s.mask & VALUE_BITS:
            values = value_list(<dict>node)
            if values is not None and not any(value is None for value in values):
                one &= ~T_NULL
        if self.closed and one & T_OBJECT and self.object_is_encoded(<dict>node, &s):
            shape = T_ARRAY | S_ENTRIES if self.is_map(<dict>node, &s) else T_STRING | S_TEXT
            one &= ~T_OBJECT
            if (shape & T_ALL) & one:
                return T_STRING | S_TEXT
            return shape | one
        return one

    # ------------------------------------------------------------------ types

    cdef int types_here(self, Scan* s, object raw) except -1:
        """The types a node names, as bits; 0 if it names none. Checks the keyword."""
        cdef object value
        cdef int types, one
        if not (s.mask >> K_TYPE) & 1:
            return 0
        types = quick_type(s.value[K_TYPE])
        if types:
            return types
        value = <object>s.value[K_TYPE]
        if type(value) is str:
            raise Malformed(raw, "type", "not one of JSON Schema's seven types")
        if type(value) is not list or not value:
            raise Malformed(raw, "type", "neither a type nor a list of types")
        for name in <list>value:
            one = quick_type(<PyObject*>name)
            if not one:
                raise Malformed(raw, "type", "a list that holds what is no type")
            types |= one
        return types

    cdef int inferred(self, Scan* s):
        """Types by the keywords of a node that names none."""
        cdef int types = 0
        if s.mask & OBJECT_BITS:
            types |= T_OBJECT
        if s.mask & ARRAY_BITS:
            types |= T_ARRAY
        if s.mask & STRING_BITS:
            types |= T_STRING
        if s.mask & NUMBER_BITS:
            types |= T_NUMBER
        return types

    cdef bint constrains(self, object raw):
        """Whether a schema for other properties is more than an annotation."""
        return type(raw) is Both or (type(raw) is dict and not adds_nothing(raw))

    cdef bint is_map(self, dict node, Scan* s):
        if (s.mask >> K_PATTERNPROPS) & 1 and <object>s.value[K_PATTERNPROPS]:
            return True
        return bool((s.mask >> K_ADDITIONAL) & 1 and self.constrains(<object>s.value[K_ADDITIONAL]))

    cdef bint object_is_encoded(self, dict node, Scan* s):
        """Closed dialects, below the root: whether the object is written as entries or as JSON text."""
        if (s.mask >> K_PROPERTIES) & 1 and <object>s.value[K_PROPERTIES]:
            properties = <object>s.value[K_PROPERTIES]
            if type(properties) is not dict:
                return False
            for schema in (<dict>properties).values():
                if not self.accepts_nothing(schema):
                    return False
        if (s.mask >> K_REQUIRED) & 1 and <object>s.value[K_REQUIRED]:
            return False
        if s.mask & (CONDITION_BITS | bit(K_DEPSCHEMAS)) and self.conditional_names(node, None):
            return False
        if self.is_map(node, s):
            return True
        return not ((s.mask >> K_ADDITIONAL) & 1 and <object>s.value[K_ADDITIONAL] is False)

    cdef dict conditional_names(self, dict node, Extras ex):
        """Properties declared only in conditionals: names to raw nodes."""
        cdef dict found = {}
        cdef object own = node.get("properties")
        cdef list places = []
        for source in [node] + (ex.left if ex is not None else []):
            for key in ("if", "then", "else"):
                if key in source:
                    places.append(source[key])
            schemas = (<dict>source).get("dependentSchemas")
            if type(schemas) is dict:
                places.extend((<dict>schemas).values())
        for place in places:
            for name, schema in self.declared_in(place, 0).items():
                if (type(own) is dict and name in <dict>own) or self.accepts_nothing(schema):
                    continue
                found.setdefault(name, []).append(schema)
        return {name: self.any_of(schemas) for name, schemas in found.items()}

    cdef dict declared_in(self, object raw, int hops):
        """The properties a raw node declares, through references and allOf."""
        cdef dict out = {}
        cdef object node
        if hops == 0:
            self.looks = MAX_LOOKS
        self.looks -= 1
        if type(raw) is not dict or hops > 8 or self.looks < 0:
            return out
        node = self.upgraded(<dict>raw)
        if type(node) is not dict:
            return out
        if type((<dict>node).get("properties")) is dict:
            out.update((<dict>node)["properties"])
        reference = self.peeked(node)
        if reference is not node:
            for name, schema in self.declared_in(reference, hops + 1).items():
                out.setdefault(name, schema)
        branches = (<dict>node).get("allOf")
        if type(branches) is list:
            for branch in <list>branches:
                for name, schema in self.declared_in(branch, hops + 1).items():
                    out.setdefault(name, schema)
        return out

    cdef object any_of(self, list schemas):
        """The node that any of the schemas accepts; equal ones once."""
        cdef list once = distinct(schemas)
        return once[0] if len(once) == 1 else {"anyOf": once}

    cdef object peeked(self, object raw):
        """A raw node, its references followed without entering anything."""
        cdef int hops = 0
        cdef Target target
        while type(raw) is dict and hops < 24:
            has = False
            for name in ("$ref", "$dynamicRef", "$recursiveRef"):
                if name in <dict>raw:
                    has = True
            if self.bare_refs and "ref" in <dict>raw and type((<dict>raw)["ref"]) is str:
                has = True
            if not has:
                break
            reference = self.need_graph().reference_of(raw)
            if reference is None:
                break
            target = self.graph.settle(reference, self.scope)
            if target.node is MISSING:
                return True
            raw = target.node
            hops += 1
        return raw

    # ------------------------------------------------------------------ a resolved node

    cdef object view(self, dict m, object raw, Extras ex, int flags, Scan* s):
        """Spells a node without reference (and without allOf where that is merged)."""
        cdef int types
        if flags & F_OPTIONAL and (s.mask >> K_DEFAULT) & 1 and <object>s.value[K_DEFAULT] is None \
                and not flags & F_NULLABLE:
            flags = flags | F_NULLABLE if self.takes_null(m) else flags & ~F_OPTIONAL
        if ex is not None and ex.cut is not None and self.closed and not flags & F_ROOT:
            return self.text_node(m, raw, ex, flags, s)
        if self.input and s.mask & UNION_BITS:
            if flags & F_ROOT and self.t.root_object:
                return self.flatten(m, raw, ex, flags, s)
            if self.closed and s.mask & CLOSING_BITS:
                types = self.types_here(s, raw)
                if not types or types & T_OBJECT:
                    return self.flatten(m, raw, ex, flags, s)
            if self.typed:
                return self.union(m, raw, ex, flags, s)
        if flags & F_ROOT and self.t.root_object and self.input:
            return self.root(m, raw, ex, flags, s)
        if self.typed:
            return self.typed_node(m, raw, ex, flags, s)
        return self.plain(m, raw, ex, flags, s)

    cdef object plain(self, dict m, object raw, Extras ex, int flags, Scan* s):
        """Spells a node whose type need not be worked out."""
        cdef int types = self.types_here(s, raw)
        self.shape = types if types else S_UNKNOWN
        return self.emit(m, raw, ex, flags, s, types, 0)

    cdef object root(self, dict m, object raw, Extras ex, int flags, Scan* s):
        """The root of a dialect whose root is an object."""
        cdef int types = self.types_here(s, raw)
        cdef Scan again
        cdef dict kept
        if s.mask & VALUE_BITS and self.t.type_needed:
            self.root_special = True
            values = value_list(m)
            if values is None:
                raise Malformed(raw, "enum", "no list")
            if any(type(value) is dict for value in values):
                ex = self.saying(ex, self.values_said("const" if "const" in m else "enum", values, raw, ex))
            else:
                types = types_of_values(values)
            kept = {key: value for key, value in m.items() if key != "enum" and key != "const"}
            if not types & T_OBJECT and types:
                kept["type"] = self.type_value(types)
            self.scan(kept, &again)
            return self.root(kept, raw, ex, flags, &again)
        if types and not types & T_OBJECT:
            self.root_special = True
            kept = {key: value for key, value in m.items() if is_annotation(code_of(key)) and code_of(key) >= 0}
            self.lose(raw, "type", m.get("type"), "unreachable", "", False, None)
            self.scan(kept, &again)
            return self.emit(kept, raw, None, flags, &again, T_OBJECT, T_OBJECT)
        if types & ~T_OBJECT or type(m.get("type")) is list:
            if types & ~T_OBJECT:
                self.root_special = True
                self.lose(raw, "type", m.get("type"), "unreachable", "", False, None)
            kept = dict(m)
            kept["type"] = "object"
            self.scan(kept, &again)
            return self.emit(kept, raw, ex, flags, &again, T_OBJECT, 0)
        if not types:
            values = value_list(m)
            types = self.inferred(s)
            if values is None and types & ~T_OBJECT and not types & T_OBJECT:
                self.root_special = True
                kept = {key: value for key, value in m.items() if is_annotation(code_of(key)) and code_of(key) >= 0}
                self.lose(raw, "type", None, "unreachable", "", False, None)
                self.scan(kept, &again)
                return self.emit(kept, raw, None, flags, &again, T_OBJECT, T_OBJECT)
            if types & ~T_OBJECT:
                self.root_special = True
            if m or raw is not self.document:
                self.lose(raw, "type", None, "unreachable", "", False, None)
            return self.emit(m, raw, ex, flags, s, T_OBJECT, T_OBJECT)
        return self.emit(m, raw, ex, flags, s, T_OBJECT, 0)

    cdef object typed_node(self, dict m, object raw, Extras ex, int flags, Scan* s):
        """Spells a node of a dialect that needs types."""
        cdef int types = self.types_here(s, raw), infer = 0
        cdef list values
        if ex is not None and ex.cut is not None and self.closed:
            return self.text_node(m, raw, ex, flags, s)
        if s.mask & VALUE_BITS and not self.plain_values(s, types):
            return self.valued(m, raw, ex, flags, s, types)
        if not types:
            types = infer = self.inferred(s)
            if not types:
                return self.any_json(m, raw, ex, flags, s)
            self.lose(raw, "type", None, "unreachable", "", False, None)
        return self.by_types(m, raw, ex, flags, s, types, infer)

    cdef bint plain_values(self, Scan* s, int types):
        """Whether an enum is a list of strings on a string: nothing to work out."""
        cdef object values
        if types != T_STRING or (s.mask >> K_CONST) & 1:
            return False
        values = <object>s.value[K_ENUM]
        if type(values) is not list or not values:
            return False
        for value in <list>values:
            if not PyUnicode_CheckExact(value) or not value:
                return False
        return True

    cdef object by_types(self, dict m, object raw, Extras ex, int flags, Scan* s, int types, int infer):
        """Spells a node whose types are known: as it is, encoded, or split."""
        cdef bint encoded = (
            self.closed and types & T_OBJECT and not flags & F_ROOT and self.props_encoded(m, ex, s)
        )
        if not types & (types - 1):
            if types == T_NULL and self.t.nullable:
                return self.null_node(m, raw, ex, flags, s)
            if encoded:
                if self.is_map(m, s):
                    return self.entries_node(m, raw, ex, flags, s)
                return self.text_node(m, raw, ex, flags, s)
            self.shape = types
            return self.emit(m, raw, ex, flags, s, types, infer)
        if self.t.type_lists and not encoded and not infer:
            self.shape = types
            return self.emit(m, raw, ex, flags, s, types, infer)
        return self.split(m, raw, ex, flags, s, types)

    cdef bint props_encoded(self, dict m, Extras ex, Scan* s):
        if ex is not None and ex.left is not EMPTY and self.conditional_names(m, ex):
            return False
        return self.object_is_encoded(m, s)

    cdef object any_json(self, dict m, object raw, Extras ex, int flags, Scan* s):
        """A node that accepts any JSON."""
        cdef dict out
        cdef list sentences, branches
        if self.closed:
            return self.text_node(m, raw, ex, flags, s)
        branches = self.any_branches(True)
        self.lose(raw, "type", None, "unreachable", "", False, None)
        self.shape = T_ALL
        sentences = self.said_of(m, raw, ex, flags, s, 0)
        return self.union_written(m, raw, ex, flags, s, branches, sentences, False)

    cdef list any_branches(self, bint outer):
        """The smallest form of any JSON."""
        cdef list branches = [{"type": "string"}, {"type": "number"}, {"type": "boolean"}, {"type": "object"}]
        if self.t.nullable:
            branches[0]["nullable"] = True
        if outer:
            branches.append({"type": "array", "items": {"anyOf": self.any_branches(False)}})
        if not self.t.nullable:
            branches.append({"type": "null"})
        return branches

    cdef dict any_items(self):
        """The item of any JSON, for an array that must have one."""
        if self.depth + (1 if self.closed or not self.typed else 3) > MAX_DEPTH:
            raise TooDeep()
        if self.closed:
            return {"type": "string", "description": self.word0("text")}
        if self.typed:
            return {"anyOf": self.any_branches(False)}
        return {}

    # ------------------------------------------------------------------ enums and constants

    cdef object valued(self, dict m, object raw, Extras ex, int flags, Scan* s, int types):
        """A node with enum or const, in a dialect that needs types."""
        cdef list values, kept, groups
        cdef object value
        cdef int kind, found
        cdef dict node
        cdef Scan again
        cdef bint null = False
        if (s.mask >> K_ENUM) & 1 and type(<object>s.value[K_ENUM]) is not list:
            raise Malformed(raw, "enum", "no list")
        values = value_list(m)
        if not types:
            found = types_of_values(values)
        else:
            found = types
        kept = [value for value in values if type_of(value) & found or (type_of(value) == T_INTEGER and found & T_NUMBER)
                or (type(value) is float and found & T_INTEGER and value.is_integer())]
        if self.closed and any(type(value) is dict or type(value) is list for value in kept):
            return self.text_node(m, raw, ex, flags, s)
        if not kept or any(type(value) is dict or type(value) is list for value in kept):
            # nothing of the list can be spelled: it is said, the type stays
            node = {key: item for key, item in m.items() if key != "enum" and key != "const"}
            self.scan(node, &again)
            return self.with_said(node, m, raw, ex, flags, &again, types if types else types_of_values(values), s)
        null = any(value is None for value in kept)
        mixed = not types and any(type(value) is float for value in kept)
        groups = []
        for value in distinct(kept):
            if value is None:
                continue
            kind = self.type_in(value, types)
            if mixed and kind == T_INTEGER:
                kind = T_NUMBER
            for group in groups:
                if group[0] == kind:
                    group[1].append(value)
                    break
            else:
                groups.append((kind, [value]))
        if not groups:
            return self.null_node(m, raw, ex, flags, s)
        if len(groups) == 1 and not (null and not self.t.nullable):
            return self.one_group(m, raw, ex, flags, s, groups[0][0], groups[0][1], types, null)
        return self.value_branches(m, raw, ex, flags, s, groups, null)

    cdef int type_in(self, object value, int types):
        """The type a value is written with, given those a node names (0: none)."""
        cdef int kind = type_of(value)
        if kind == T_INTEGER and types and not types & T_INTEGER:
            return T_NUMBER
        if kind == T_NUMBER and types and not types & T_NUMBER and types & T_INTEGER:
            return T_INTEGER
        return kind

    cdef object null_node(self, dict m, object raw, Extras ex, int flags, Scan* s):
        """A node that only null matches."""
        cdef dict node = {key: value for key, value in m.items() if key not in ("type", "enum", "const")}
        cdef dict out
        cdef Scan again
        cdef list said
        self.scan(node, &again)
        if not self.t.nullable:
            return self.emit_with(node, m, raw, ex, flags, &again, "null", None, s)
        said = [fill1(self.t.words["const"], "null")]
        self.lose(raw, "const" if "const" in m else "enum" if "enum" in m else "type", None, "carried", said[0], False,
                  None)
        ex = self.saying(ex, said)
        out = self.emit_with(node, m, raw, ex, flags, &again, "string", None, s)
        self.insert_nullable(out, m, raw)
        self.shape = T_STRING | T_NULL
        return out

    cdef Extras saying(self, Extras ex, list said):
        cdef Extras new = Extras()
        if ex is not None:
            new.cut, new.missing = ex.cut, ex.missing
            if ex.left is not EMPTY:
                new.left, new.left_from = list(ex.left), list(ex.left_from)
            new.origin, new.union_sentence, new.union_keyword = ex.origin, ex.union_sentence, ex.union_keyword
            new.added = ex.added
        new.said_here = said
        return new

    cdef object emit_with(self, dict node, dict m, object raw, Extras ex, int flags, Scan* s, str kind, object values,
                          Scan* before):
        """Writes a node with `type` and `enum` settled: each at the author's place, else added."""
        cdef dict whole = {}
        cdef Scan again
        cdef bint typed = False
        for key, value in m.items():
            if key == "type":
                whole[key] = kind
                typed = True
            elif key == "enum" or key == "const":
                if values is not None and "enum" not in whole and "const" not in whole:
                    if key == "const" and self.t.action[K_CONST] != A_SAY and len(<list>values) == 1:
                        whole["const"] = values[0]
                    elif key == "enum" and "const" in m and self.t.action[K_CONST] != A_SAY:
                        pass
                    else:
                        whole["enum"] = values
            else:
                whole[key] = value
        self.scan(whole, &again)
        return self.emit(whole, raw, ex, flags, &again, <int>TYPE_BITS[kind], 0 if typed else <int>TYPE_BITS[kind])

    cdef object one_group(self, dict m, object raw, Extras ex, int flags, Scan* s, int kind, list values, int types,
                          bint null):
        """enum or const of one type (null apart, where it is `nullable`)."""
        cdef dict node, out
        cdef Scan again
        cdef bint spelled = True
        cdef list said
        cdef str name = name_of_type(kind)
        cdef object where = "const" if "const" in m else "enum"
        if self.t.string_enums and (kind != T_STRING or any(not value for value in values)):
            spelled = False
        if spelled:
            out = self.emit_with(m, m, raw, ex, flags, s, name, values, s)
        else:
            said = self.values_said(where, values if where == "enum" else value_list(m), raw, ex)
            out = self.emit_with(m, m, raw, self.saying(ex, said), flags, s, name, None, s)
        if null:
            self.insert_nullable(out, m, raw)
        self.shape = kind | (T_NULL if null else 0)
        return out

    cdef object with_said(self, dict node, dict m, object raw, Extras ex, int flags, Scan* s, int types, Scan* before):
        cdef object where = "const" if "const" in m else "enum"
        cdef list said = self.values_said(where, value_list(m) or m.get("enum") or [], raw, ex)
        if not types:
            return self.typed_node(node, raw, self.saying(ex, said), flags, s)
        return self.by_types(node, raw, self.saying(ex, said), flags, s, types, 0 if "type" in node else types)

    cdef list values_said(self, object where, list values, object raw, Extras ex):
        cdef str sentence
        cdef object origin = raw
        if ex is not None and ex.origin is not None:
            origin = ex.origin.get(where, raw)
        if where == "const":
            sentence = fill1(self.t.words["const"], json_text(values[0]))
        else:
            sentence = self.one_of(values, origin)
        self.lose(origin, where, values[0] if where == "const" else values, "carried", sentence, False, None)
        return [sentence]

    cdef object value_branches(self, dict m, object raw, Extras ex, int flags, Scan* s, list groups, bint null):
        """An enum of several types: a branch a type."""
        cdef list branches = []
        cdef dict node = {}
        cdef dict branch
        cdef Scan again, inner
        cdef int kinds = 0
        cdef uint64_t general
        cdef list sentences
        for kind, values in groups:
            branch = {"type": name_of_type(kind)}
            if "const" in m and len(values) == 1:
                branch["const"] = values[0]
            else:
                branch["enum"] = values
            for key, value in m.items():
                code = code_of(key)
                if code >= 0 and (bits_of_type(kind) >> code) & 1:
                    branch[key] = value
            self.scan(branch, &inner)
            kinds |= kind
            self.depth += 2
            branches.append(self.one_group(branch, raw, self.origins(ex), 0, &inner, kind, values, kind, False))
            self.depth -= 2
        if null:
            if self.t.nullable:
                self.first_free(branches)["nullable"] = True
            else:
                branches.append({"type": "null"})
        for key, value in m.items():
            code = code_of(key)
            if code == K_ENUM or code == K_CONST:
                node.setdefault("anyOf", True)
            elif code == K_TYPE or (code >= 0 and ((OBJECT_BITS | ARRAY_BITS | STRING_BITS | NUMBER_BITS) >> code) & 1):
                continue
            else:
                node[key] = value
        self.scan(node, &again)
        sentences = self.said_of(node, raw, ex, flags, &again, 0)
        result = self.union_written(node, raw, ex, flags, &again, branches, sentences, False)
        self.shape = kinds | (T_NULL if null else 0)
        return result

    cdef Extras origins(self, Extras ex):
        """Extras that know only where keywords come from."""
        cdef Extras new
        if ex is None or ex.origin is None:
            return None
        new = Extras()
        new.origin = ex.origin
        return new

    cdef dict first_free(self, list branches):
        for branch in branches:
            if self.t.reference_keyword not in branch:
                return <dict>branch
        return <dict>branches[0]

    # ------------------------------------------------------------------ splitting by type

    cdef object split(self, dict m, object raw, Extras ex, int flags, Scan* s, int types):
        """A list of types as branches, each with the keywords that concern it."""
        cdef list order = [], branches = []
        cdef dict node = {}, branch
        cdef Scan again, inner
        cdef int kind, shape = 0
        cdef bint null = False, clash = False
        cdef list sentences
        cdef object named = m.get("type")
        cdef Py_ssize_t mark = 0 if self.emitted is None else len(self.emitted)
        cdef Py_ssize_t losses = len(self.losses) if self.losses is not None else 0
        if type(named) is list:
            for name in (dict.fromkeys(<list>named) if has_twins(<list>named) else <list>named):
                order.append(<int>TYPE_BITS[name])
        else:
            for kind, name in TYPE_ORDER:
                if types & kind:
                    order.append(kind)
        if types & T_NULL and self.t.nullable:
            null = True
            order = [kind for kind in order if kind != T_NULL]
        if len(order) == 1:
            branch = {}
            for key, value in m.items():
                branch[key] = name_of_type(order[0]) if key == "type" else value
            self.scan(branch, &inner)
            out = self.by_types(branch, raw, ex, flags, &inner, order[0], 0 if "type" in m else order[0])
            if null:
                out = self.with_null(<dict>out, m, raw)
                self.shape |= T_NULL
            return out
        if not order:
            return self.null_node(m, raw, ex, flags, s)
        for kind in order:
            branch = {"type": name_of_type(kind)}
            for key, value in m.items():
                code = code_of(key)
                if code >= 0 and (bits_of_type(kind) >> code) & 1:
                    branch[key] = value
            self.scan(branch, &inner)
            self.depth += 2
            if self.depth > MAX_DEPTH:
                raise TooDeep()
            branches.append(self.by_types(branch, raw, self.origins(ex), 0, &inner, kind, 0))
            self.depth -= 2
            if clashes(shape, self.shape):
                clash = True
            shape |= self.shape
        if clash:
            if self.emitted is not None:
                del self.emitted[mark:]
            if self.losses is not None:
                del self.losses[losses:]
            return self.text_node(m, raw, ex, flags, s)
        if null:
            self.first_free(branches)["nullable"] = True
        for key, value in m.items():
            code = code_of(key)
            if code == K_TYPE:
                node["anyOf"] = True
            elif code >= 0 and ((OBJECT_BITS | ARRAY_BITS | STRING_BITS | NUMBER_BITS) >> code) & 1:
                continue
            else:
                node[key] = value
        self.scan(node, &again)
        sentences = self.said_of(node, raw, ex, flags, &again, bit(K_ANYOF))
        result = self.union_written(node, raw, ex, flags, &again, branches, sentences, False)
        self.shape = shape | (T_NULL if null else 0)
        return result

    # ------------------------------------------------------------------ unions

    cdef object union(self, dict m, object raw, Extras ex, int flags, Scan* s):
        """anyOf and oneOf whose alternatives stay alternatives."""
        cdef list branches, kept = [], spelled = [], sentences
        cdef dict node = {}, constraint = {}
        cdef bint null = False, exclusive = False, clash = False
        cdef int shape = 0
        cdef Scan again
        cdef object one
        cdef Py_ssize_t mark = 0 if self.emitted is None else len(self.emitted)
        cdef Py_ssize_t losses
        cdef Extras own = ex
        self.types_here(s, raw)
        if (s.mask & UNION_BITS) == UNION_BITS:
            first, second = [key for key in m if key == "anyOf" or key == "oneOf"]
            mine, yours = self.schemas(m, first, raw), self.schemas(m, second, raw)
            if len(mine) * len(yours) <= MAX_PRODUCT:
                branches = [both(one, two) for one in mine for two in yours]
                exclusive = not self.disjoint(m["oneOf"])
            else:
                branches = mine
                exclusive = first == "oneOf" and not self.disjoint(mine)
                own = self.saying(ex, None)
                own.leave_over({second: yours}, raw)
        else:
            first = "anyOf" if (s.mask >> K_ANYOF) & 1 else "oneOf"
            branches = self.schemas(m, first, raw)
            exclusive = first == "oneOf" and not self.disjoint(branches)
        if s.mask & ~(UNION_BITS | ANNOTATION_BITS) or (s.mask & UNION_BITS) == UNION_BITS:
            for key, value in m.items():
                code = code_of(key)
                if code == K_ANYOF or code == K_ONEOF:
                    node.setdefault("anyOf", True)
                elif code < 0 or is_annotation(code) or self.t.unions_free:
                    node[key] = value
                else:
                    constraint[key] = value
        else:
            node = m
        if constraint:
            if self.losses is not None:
                self.alive.append(constraint)
                self.raw_of[id(constraint)] = raw
        for branch in branches:
            if branch is False or (
                type(branch) is dict and len(<dict>branch) == 1 and "not" in <dict>branch
                and self.upgraded(<dict>branch) is False
            ):
                continue
            if self.t.nullable and self.only_null(branch):
                null = True
                continue
            one = both(constraint, branch) if constraint else branch
            if type(one) is Both and self.clashing(<Both>one):
                continue
            kept.append(one)
        if constraint and null and "type" in constraint:
            kind = constraint["type"]
            null = kind == "null" or (type(kind) is list and "null" in kind)
        if not kept:
            if null:
                return self.null_node({k: v for k, v in m.items() if k != "anyOf" and k != "oneOf"}, raw, own, flags, s)
            self.shape = 0
            return self.spell_bool(False, flags)
        if len(kept) == 1:
            return self.single(m, raw, own, flags, kept[0], null)
        losses = len(self.losses) if self.losses is not None else 0
        self.depth += 1
        for branch in kept:
            if self.losses is not None:
                self.at = None
                if type(branch) is bool and branch in branches:
                    self.at = (m.get("anyOf") or m.get("oneOf"), branches.index(branch))
            one = self.spell(branch, 0)
            if one is None:
                continue
            if clashes(shape, self.shape):
                clash = True
            shape |= self.shape
            spelled.append(one)
        self.depth -= 1
        if clash and self.closed:
            if self.emitted is not None:
                del self.emitted[mark:]
            if self.losses is not None:
                del self.losses[losses:]
            return self.text_node(m, raw, ex, flags, s)
        if not spelled:
            self.shape = 0
            return self.spell_bool(False, flags)
        if exclusive:
            own = self.saying(own, None)
            own.union_sentence = self.word0("oneOf")
            own.union_keyword = "oneOf"
        if node is m:
            sentences = self.said_of(node, raw, own, flags, s, UNION_BITS)
        else:
            self.scan(node, &again)
            sentences = self.said_of(node, raw, own, flags, &again, UNION_BITS)
        result = self.union_written(node, raw, own, flags, &again, spelled, sentences, null)
        self.shape = shape | (T_NULL if null else 0)
        return result

    cdef bint clashing(self, Both node):
        """Whether the parts of a node are known to share no type."""
        cdef int types = 0, one
        for part in node.parts:
            one = self.known_types(part, 0)
            if one & T_NUMBER:
                one |= T_INTEGER
            if one:
                types = one if not types else types & one
                if not types:
                    return True
        return False

    cdef list schemas(self, dict m, str keyword, object raw):
        value = m[keyword]
        if type(value) is not list or not value:
            raise Malformed(raw if type(raw) is dict else m, keyword, "no list of schemas")
        return <list>value

    cdef object single(self, dict m, object raw, Extras ex, int flags, object branch, bint null):
        """A union of one alternative: the node becomes that alternative, its own annotations winning."""
        cdef dict rest = {}, combined
        cdef object result, node
        cdef Scan s
        if type(branch) is dict:
            # checked before its keywords move to a node made here, so that an error names its place
            self.scan(<dict>branch, &s)
            self.check_node(<dict>branch, branch, &s)
        for key, value in m.items():
            if key != "anyOf" and key != "oneOf":
                code = code_of(key)
                if is_annotation(code):
                    rest[key] = value
        if type(branch) is dict:
            combined = {}
            for key, value in m.items():
                if key == "anyOf" or key == "oneOf":
                    for name, item in (<dict>branch).items():
                        combined.setdefault(name, rest.get(name, item))
                elif is_annotation(code_of(key)):
                    combined.setdefault(key, value)
            if self.has_reference(<dict>branch):
                self.need_graph().adopt(combined, self.graph.reference_of(branch))
            if self.losses is not None:
                self.raw_of[id(combined)] = raw if type(raw) is dict else branch
                self.alive.append(combined)
            node = combined
        else:
            node = both(rest, branch)
        if null:
            flags |= F_NULLABLE
        if null and type(node) is dict and self.graph is not None:
            reference = self.graph.references.get(key_of(node))
            if reference is not None:
                flags |= F_INLINE if self.graph.settle(reference, self.scope).single_null else F_NULLREF
        if ex is not None and (ex.left is not EMPTY or ex.said_here is not None):
            result = self.spell_with(node, raw, ex, flags)
        else:
            result = self.spell_again(node, flags)
        if null and type(result) is dict:
            result = self.with_null(<dict>result)
            self.shape |= T_NULL
        return result

    cdef object spell_again(self, object node, int flags):
        """Spells a node made here at the depth of the one it replaces."""
        cdef object result
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise TooDeep()
        self.depth -= 1
        result = self.spell(node, flags)
        self.depth += 1
        self.steps -= 1
        return result

    cdef object spell_with(self, object raw, object origin, Extras outer, int flags):
        """Spells a node that also carries what an outer one has left over."""
        cdef Extras ex = Extras()
        cdef object node, result
        cdef Scan s
        if self.losses is not None:
            ex.origin = {}
        node = self.resolve(raw, ex, flags)
        ex.left = [*ex.left, *outer.left] if outer.left is not EMPTY else ex.left
        ex.left_from = [*ex.left_from, *outer.left_from] if outer.left is not EMPTY else ex.left_from
        if outer.said_here:
            ex.said_here = outer.said_here
        if type(node) is bool:
            self.leave(ex)
            return self.spell_bool(node, flags)
        self.scan(<dict>node, &s)
        result = self.view(<dict>node, raw if type(raw) is dict else origin, ex, flags, &s)
        self.leave(ex)
        return result

    cdef object union_written(self, dict node, object raw, Extras ex, int flags, Scan* s, list branches, list sentences,
                              bint null):
        """Writes an anyOf at the place of the key `anyOf` of `node` (added where it has none)."""
        cdef dict out = {}
        cdef str text
        cdef dict first
        if null:
            self.nullable_branch(branches)
        if not self.t.unions_free and not self.t.unions_annotated:
            text = joined(node.get("description"), sentences)
            if text:
                first = self.free_branch(branches, flags)
                own = first.get("description")
                sentence = [own] if type(own) is str and own else []
                if "description" in first:
                    first["description"] = joined(text, sentence)
                else:
                    self.insert_description(first, joined(text, sentence))
            return {"anyOf": branches}
        for key, value in node.items():
            code = code_of(key)
            if code == K_ANYOF or code == K_ONEOF:
                out["anyOf"] = branches
            elif code == K_TITLE or code == K_DESCRIPTION:
                if self.t.action[code] != A_DROP and type(value) is str:
                    out[key] = value
            elif code < 0:
                if self.keeps_unknown(key):
                    out[key] = copied(value, MAX_DEPTH - self.depth)
            elif self.t.action[code] != A_DROP and self.t.action[code] != A_SAY and is_annotation(code) \
                    and not (IDENTIFIER_BITS >> code) & 1:
                out[key] = copied(value, MAX_DEPTH - self.depth)
        if sentences:
            if "description" in out:
                out["description"] = joined(out["description"], sentences)
            else:
                out["description"] = joined(None, sentences)
        if "anyOf" not in out:
            out["anyOf"] = branches
        return out

    cdef int nullable_branch(self, list branches) except -1:
        for branch in branches:
            if self.t.reference_keyword not in branch:
                self.with_null(<dict>branch)
                return 0
        self.with_null(<dict>branches[0])
        return 0

    cdef int insert_description(self, dict node, str text) except -1:
        """Adds a description in the order of added keys: before a nullable that was added."""
        if "nullable" in node:
            flag = node.pop("nullable")
            node["description"] = text
            node["nullable"] = flag
        else:
            node["description"] = text
        return 0

    cdef dict free_branch(self, list branches, int flags):
        """The first branch that may hold a description; if all are references the first is inlined."""
        cdef Py_ssize_t at
        cdef object target, node
        cdef dict branch
        for branch in branches:
            if self.t.reference_keyword not in branch:
                if "anyOf" in branch:
                    return self.free_branch(branch["anyOf"], flags)
                return branch
        branch = <dict>branches[0]
        for at in range((len(self.emitted) if self.emitted is not None else 0) - 1, -1, -1):
            holder, target, nullable = self.emitted[at]
            if holder is branch:
                if (<Target>target).merging or type((<Target>target).node) is not dict:
                    break
                del self.emitted[at]
                (<Target>target).merging = True
                self.depth += 1
                node = self.spell((<Target>target).node, F_NODE_FORM)
                self.depth -= 1
                (<Target>target).merging = False
                if type(node) is dict:
                    if nullable:
                        node = self.with_null(<dict>node)
                    branches[0] = node
                    if self.t.reference_keyword in <dict>node:
                        return <dict>node
                    if "anyOf" in <dict>node:
                        return self.free_branch((<dict>node)["anyOf"], flags)
                    return <dict>node
                break
        return branch

    cdef bint disjoint(self, list branches):
        """Whether no document can match two of the branches, as far as types and constants show."""
        cdef list notes
        cdef Py_ssize_t i, j
        cdef int one, two
        if len(branches) > 200:
            return False
        notes = [(self.known_types(branch, 0), self.required_constants(branch)) for branch in branches]
        for i in range(len(notes)):
            for j in range(i):
                one, two = notes[i][0], notes[j][0]
                if one and two:
                    if one & T_NUMBER:
                        one |= T_INTEGER
                    if two & T_NUMBER:
                        two |= T_INTEGER
                    if not one & two:
                        continue
                for name, values in (<dict>notes[i][1]).items():
                    others = (<dict>notes[j][1]).get(name)
                    if others is not None and not (values & others):
                        break
                else:
                    return False
        return True

    cdef dict required_constants(self, object raw):
        """Required properties of a branch that hold constants: names to sets of JSON texts."""
        cdef dict out = {}
        cdef object node = self.peeked(raw)
        if type(node) is Both:
            for part in (<Both>node).parts:
                out.update(self.required_constants(part))
            return out
        if type(node) is not dict:
            return out
        required, properties = (<dict>node).get("required"), (<dict>node).get("properties")
        if type(required) is list and type(properties) is dict:
            for name in required:
                if type(name) is str and name in <dict>properties:
                    schema = self.peeked((<dict>properties)[name])
                    if type(schema) is dict:
                        values = value_list(<dict>schema)
                        if values is not None:
                            out[name] = {constant_key(value) for value in values}
        return out

    cdef int known_types(self, object raw, int hops) except -1:
        """The types a raw node can match, 0 when that is not known."""
        cdef object node, values, kind
        cdef int types = 0, one
        if hops == 0:
            self.looks = MAX_LOOKS
        self.looks -= 1
        if hops > 24 or self.looks < 0:
            return 0
        if type(raw) is Both:
            for part in (<Both>raw).parts:
                one = self.known_types(part, hops + 1)
                if one:
                    types = one if not types else (types & one or types)
            return types
        node = self.peeked(raw)
        if type(node) is dict:
            node = self.upgraded(<dict>node)
        if type(node) is not dict:
            return 0
        kind = (<dict>node).get("type")
        if type(kind) is str:
            return <int>TYPE_BITS.get(kind, 0)
        if type(kind) is list:
            for name in <list>kind:
                types |= <int>TYPE_BITS.get(name, 0) if type(name) is str else 0
            return types
        values = value_list(<dict>node)
        if values is not None:
            return types_of_values(values)
        for union in ("anyOf", "oneOf"):
            branches = (<dict>node).get(union)
            if type(branches) is list:
                for branch in <list>branches:
                    one = self.known_types(branch, hops + 1)
                    if not one:
                        return 0
                    types |= one
                return types
        branches = (<dict>node).get("allOf")
        if type(branches) is list:
            for branch in <list>branches:
                one = self.known_types(branch, hops + 1)
                if one:
                    return one
        return 0

    # ------------------------------------------------------------------ unions made one object

    cdef list alternatives(self, dict m, Extras ex, int flags, object raw, bint top):
        """The alternatives of a node's unions, resolved and without unions of their own."""
        cdef list names = [key for key in m if key == "anyOf" or key == "oneOf"]
        cdef list pairs, out = [], inner
        cdef object part
        cdef dict base, merged
        cdef list left
        cdef Extras own
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise TooDeep()
        if len(names) == 2:
            mine, yours = self.schemas(m, names[0], raw), self.schemas(m, names[1], raw)
            if len(mine) * len(yours) <= MAX_PRODUCT:
                pairs = [both(one, two) for one in mine for two in yours]
            else:
                pairs = mine
                ex.leave_over({names[1]: yours}, raw)
        else:
            pairs = self.schemas(m, names[0], raw)
        outer = ex.merged
        for branch in pairs:
            # the alternatives stand side by side: what one merges in does not count for the next
            ex.merged = set(outer) if outer is not None else None
            mark = len(ex.entered) if ex.entered is not None else 0
            part = self.resolve(branch, ex, flags | F_ROOT)
            if part is True:
                out.append({})
            elif part is not False and ("anyOf" in <dict>part or "oneOf" in <dict>part):
                base = {key: value for key, value in (<dict>part).items() if key != "anyOf" and key != "oneOf"}
                inner = self.alternatives(<dict>part, ex, flags, branch, False)
                if len(out) + len(inner) + len(pairs) - 1 <= MAX_PRODUCT:
                    for more in inner:
                        merged = dict(base)
                        left = []
                        merge_into(merged, more, left, True, True, False)
                        for leftover in left:
                            ex.leave_over(leftover, branch)
                        out.append(merged)
                else:
                    for key in ("anyOf", "oneOf"):
                        if key in <dict>part:
                            ex.leave_over({key: (<dict>part)[key]}, branch)
                    out.append(base)
            elif part is not False:
                out.append(part)
            self.flag_merging(ex, mark, False)
        ex.merged = outer
        self.flag_merging(ex, 0, True)
        self.steps -= 1
        return out

    cdef int flag_merging(self, Extras ex, Py_ssize_t since, bint on) except -1:
        if ex.entered is not None:
            for entry in ex.entered[since:]:
                if entry[0] == "merging":
                    (<Target>entry[1]).merging = on
        return 0

    cdef object flatten(self, dict m, object raw, Extras ex, int flags, Scan* s):
        """A union beside properties, or at a root: one object."""
        cdef Extras own = Extras() if ex is None else ex
        cdef list alternatives, objects = [], others
        cdef dict node, names = {}, mine, properties
        cdef list required, rests, common
        cdef uint64_t added = 0
        cdef Scan again
        cdef object rest, result, sentence
        cdef int types
        cdef bint exclusive = (s.mask & UNION_BITS) == bit(K_ONEOF)
        self.types_here(s, raw)
        if self.losses is not None and own.origin is None:
            own.origin = {}
            self.note_origin(own, m, raw)
        alternatives = self.alternatives(m, own, flags, raw, True)
        for alternative in alternatives:
            kinds = (<dict>alternative).get("type")
            if kinds is not None and kinds != "object" and not (type(kinds) is list and "object" in kinds):
                self.lose(raw, "oneOf" if exclusive else "anyOf", None, "unreachable", "", False, None)
                continue
            objects.append(alternative)
        if len(objects) == 1:
            # one alternative left: the node becomes it
            node = {key: value for key, value in m.items() if key != "anyOf" and key != "oneOf"}
            rests = []
            merge_into(node, self.without_identifiers(<dict>objects[0]), rests, False, True, False)
            for leftover in rests:
                own.leave_over(leftover, raw)
            if own.origin is not None:
                for key in objects[0]:
                    own.origin.setdefault(key, raw)
            self.scan(node, &again)
            result = self.view(node, raw, own, flags, &again)
            if ex is None:
                self.leave(own)
            return result
        if flags & F_ROOT:
            self.root_special = True
        mine = m.get("properties") if type(m.get("properties")) is dict else {}
        for name, schema in mine.items():
            names[name] = schema
        declared = {}
        for alternative in objects:
            theirs = (<dict>alternative).get("properties")
            if type(theirs) is dict:
                for name, schema in (<dict>theirs).items():
                    declared.setdefault(name, []).append(schema)
        for name, schemas in declared.items():
            if name in mine:
                if len(schemas) == len(objects):
                    names[name] = self.any_of([both(mine[name], schema) for schema in schemas])
            else:
                names[name] = self.joined_schemas(<list>schemas)
        for alternative in objects:
            theirs = (<dict>alternative).get("required")
            if type(theirs) is list and not self.t.keep_required:
                for name in <list>theirs:
                    if type(name) is str and name not in names:
                        names[name] = self.undeclared(
                            name, m if "patternProperties" in m or "additionalProperties" in m else <dict>alternative
                        )
        required = list(m["required"]) if type(m.get("required")) is list else []
        common = None
        for alternative in objects:
            theirs = (<dict>alternative).get("required")
            theirs = theirs if type(theirs) is list else []
            if common is None:
                common = list(theirs)
            else:
                theirs = set(theirs)
                common = [name for name in common if name in theirs]
        required = list(dict.fromkeys([*required, *(common or ())]))
        node = {key: value for key, value in m.items() if key != "anyOf" and key != "oneOf"}
        if names or not self.closed or flags & F_ROOT:
            if "properties" not in node:
                added |= bit(K_PROPERTIES)
            node["properties"] = names
        if required:
            if "required" not in node:
                added |= bit(K_REQUIRED)
            node["required"] = required
        if "additionalProperties" not in node and objects:
            rests = []
            closed = 0
            for alternative in objects:
                rest = (<dict>alternative).get("additionalProperties")
                if rest is False or (<dict>alternative).get("unevaluatedProperties") is False:
                    closed += 1
                elif self.constrains(rest):
                    rests.append(rest)
            if closed == len(objects):
                added |= bit(K_ADDITIONAL)
                node["additionalProperties"] = False
            elif rests:
                added |= bit(K_ADDITIONAL)
                node["additionalProperties"] = self.any_of(rests)
        patterns = {}
        for alternative in objects:
            theirs = (<dict>alternative).get("patternProperties")
            if type(theirs) is dict:
                for pattern, schema in (<dict>theirs).items():
                    patterns.setdefault(pattern, []).append(schema)
        if patterns:
            if "patternProperties" not in node:
                added |= bit(K_PATTERNPROPS)
                node["patternProperties"] = {}
            node["patternProperties"] = {
                **node["patternProperties"], **{p: self.any_of(<list>schemas) for p, schemas in patterns.items()}
            }
        for key in ("enum", "const"):
            node.pop(key, None)
        for alternative in objects:
            for key in ("if", "then", "else", "dependentSchemas"):
                if key in alternative:
                    own.leave_over({key: alternative[key]}, raw)
        own.union_keyword = "oneOf" if exclusive else "anyOf"
        own.union_sentence = self.union_sentence(objects, declared, exclusive)
        kinds = node.get("type")
        if kinds is not None and flags & F_ROOT:
            node["type"] = "object"
        own.added = added
        self.scan(node, &again)
        if self.typed and not flags & F_ROOT:
            types = self.types_here(&again, raw)
            result = self.by_types(node, raw, own, flags, &again, types if types else T_OBJECT, 0 if types else T_OBJECT)
        else:
            result = self.emit(node, raw, own, flags, &again, T_OBJECT, 0 if kinds is not None else T_OBJECT)
        if ex is None:
            self.leave(own)
        return result

    cdef object joined_schemas(self, list schemas):
        """One schema for a name that several alternatives declare: constants become one enum."""
        cdef list once = distinct(schemas), values = []
        cdef dict first, out
        cdef object kind = None
        if len(once) == 1:
            return once[0]
        for number, schema in enumerate(once):
            if type(schema) is not dict:
                return {"anyOf": once}
            mine = value_list(<dict>schema)
            if mine is None:
                return {"anyOf": once}
            for key in <dict>schema:
                code = code_of(key)
                if not (code == K_TYPE or code == K_ENUM or code == K_CONST or is_annotation(code)):
                    return {"anyOf": once}
            if number == 0:
                kind = (<dict>schema).get("type")
            elif not json_equal(kind, (<dict>schema).get("type")):
                kind = None
            values.extend(mine)
        first = <dict>once[0]
        out = {}
        for key, value in first.items():
            if key in ("default", "enum", "const"):
                continue
            if key == "type":
                if kind is not None:
                    out[key] = kind
                continue
            out[key] = value
        out["enum"] = distinct(values)
        return out

    cdef str union_sentence(self, list alternatives, dict declared, bint exclusive):
        cdef list parts = [], names
        cdef set differing = set()
        cdef dict properties
        for name, schemas in declared.items():
            if len(distinct(schemas)) > 1:
                differing.add(name)
        for alternative in alternatives:
            names = []
            properties = (<dict>alternative).get("properties")
            properties = properties if type(properties) is dict else {}
            required = (<dict>alternative).get("required")
            required = dict.fromkeys(required) if type(required) is list else {}
            for name in required:
                if type(name) is not str:
                    continue
                values = None
                if name in properties:
                    seen = self.peeked(properties[name])
                    values = value_list(<dict>seen) if type(seen) is dict else None
                if values is not None and len(values) == 1:
                    names.append(f"{self.wire_name(name)} {json_text(values[0])}")
                elif name in differing:
                    names.append(f"{self.wire_name(name)}: {self.phrase(properties.get(name, True))}")
                else:
                    names.append(self.wire_name(name))
            for name, schema in properties.items():
                if name in differing and name not in required:
                    seen = self.peeked(schema)
                    values = value_list(<dict>seen) if type(seen) is dict else None
                    if values is not None and len(values) == 1:
                        names.append(f"[{self.wire_name(name)} {json_text(values[0])}]")
                    else:
                        names.append(f"[{self.wire_name(name)}: {self.phrase(schema)}]")
            parts.append(f"({', '.join(names)})")
        if all(part == "()" for part in parts):
            return None
        return fill1(self.t.words["rootOneOf" if exclusive else "rootAnyOf"], "; ".join(parts))

    # ------------------------------------------------------------------ writing

    cdef bint keeps_unknown(self, str key):
        if not self.t.keep_unknown:
            return False
        if self.t.extensions is not None and key.startswith("x-"):
            return key in self.t.extensions
        return True

    cdef bint key_fits(self, str name) except -1:
        """Whether a property's name matches the vendor's pattern; remembered."""
        cdef object known = self.t.fitting.get(name)
        if known is None:
            known = self.t.key_ok(name) is not None
            if len(self.t.fitting) > 10000:
                self.t.fitting.clear()
            if len(name) <= 256:
                self.t.fitting[name] = known
        return known is True

    cdef str wire_name(self, str name):
        """A property's name as the caller writes it."""
        cdef object found
        if self.t.key_ok is None or not self.input or self.key_fits(name):
            return name
        if self.wire is None:
            self.wire = {}
        found = self.wire.get(name)
        if found is None:
            try:
                found = self.t.rename(name)
            except UnicodeEncodeError:
                raise Malformed(self.document, None, "a property name with a lone surrogate") from None
            self.wire[name] = found
        return <str>found

    cdef dict emit(self, dict m, object raw, Extras ex, int flags, Scan* s, int types, int infer):
        """Writes a node keyword by keyword, in the author's order; added keys last."""
        cdef dict out = new_dict(s.count + 2)
        cdef Py_ssize_t position = 0
        cdef PyObject* key_ptr = NULL
        cdef PyObject* value_ptr = NULL
        cdef object key, value, one
        cdef int code, action, at = 0
        cdef uint64_t say = 0, added = 0
        cdef list sentences, absent = None
        cdef dict properties = None
        cdef object required_names = None
        cdef bint declares = False, is_map = False
        cdef bint object_here = self.input and types & T_OBJECT and not self.t.keep_required
        cdef str map_name = None
        cdef object items = None
        cdef Py_ssize_t closing = -1     # the count that `items: false` leaves
        cdef Scan again
        cdef bint limited = flags & F_ROOT and self.t.root_keywords is not None and self.input
        cdef bint ordered = s.count <= ORDERED
        # keywords that concern none of the node's types say nothing
        cdef uint64_t idle = 0
        if ex is not None:
            added = ex.added
        if self.typed and types & T_ARRAY and (s.mask >> K_ITEMS) & 1 and self.accepts_nothing(<object>s.value[K_ITEMS]):
            closing = 0
            if (s.mask >> K_PREFIXITEMS) & 1 and type(<object>s.value[K_PREFIXITEMS]) is list:
                closing = len(<list>s.value[K_PREFIXITEMS])
            if (s.mask >> K_MAXITEMS) & 1 and is_count(<object>s.value[K_MAXITEMS]) \
                    and <object>s.value[K_MAXITEMS] <= closing:
                closing = -1
            elif self.t.action[K_MAXITEMS] == A_SAY:
                m = {**m, "maxItems": closing}
                self.scan(m, &again)
                return self.emit(m, raw, ex, flags, &again, types, infer)
        if self.typed and types:
            if not types & T_OBJECT:
                idle |= OBJECT_BITS
            if not types & T_ARRAY:
                idle |= ARRAY_BITS
            if not types & T_STRING:
                idle |= STRING_BITS & ~bit(K_FORMAT)
            if not types & (T_NUMBER | T_INTEGER):
                idle |= NUMBER_BITS
        if object_here:
            properties = self.declared(m, raw, ex, s, flags)
            required_names = self.required_names(m, raw, properties, s)
            if self.closed:
                is_map = self.is_map(m, s)
        while True:
            if ordered:
                if at >= s.count:
                    break
                key_ptr, value_ptr, code = s.keys[at], s.values[at], s.codes[at]
                at += 1
            else:
                if not PyDict_Next(m, &position, &key_ptr, &value_ptr):
                    break
                code = self.code_here(<object>key_ptr)
            key = <object>key_ptr
            if code < 0:
                if self.t.keep_unknown and self.keeps_unknown(<str>key):
                    out[key] = copied(<object>value_ptr, MAX_DEPTH - self.depth)
                continue
            if ((added | idle) >> code) & 1:
                if (added >> code) & 1 and (
                    self.t.action[code] == A_SAY or (limited and NAMES[code] not in self.t.root_keywords)
                ):
                    say |= ONE << code
                continue
            value = <object>value_ptr
            action = self.t.action[code]
            if limited and NAMES[code] not in self.t.root_keywords and code != K_DESCRIPTION:
                # no place for it at this root: said, if it is a rule
                if (SAID_ANNOTATIONS >> code) & 1 or not (ANNOTATION_BITS >> code) & 1:
                    say |= ONE << code
                continue
            if self.t.read_only and (READ_ONLY_BITS >> code) & 1:
                self.write_read(out, code, key, value, raw)
                continue
            if not (SPECIAL_BITS >> code) & 1:
                if action == A_KEEP:
                    if type(value) is dict or type(value) is list:
                        # an annotation of the wrong type says nothing; assertions were checked before
                        if self.t.identity or self.t.read_only:
                            out[key] = copied(value, MAX_DEPTH - self.depth)
                    else:
                        PyDict_SetItem(out, key, value)
                elif action == A_DATA:
                    out[key] = copied(value, MAX_DEPTH - self.depth)
                elif action == A_SAY:
                    if not (code == K_PROPNAMES and is_map and self.spell_key(value, {})):
                        say |= ONE << code
                elif action == A_SCHEMA:
                    if type(value) is bool and (code == K_UNEVALPROPS or code == K_UNEVALITEMS):
                        out[key] = value
                        continue
                    one = self.spell(value, 0)
                    out[key] = self.never() if one is None else one
                elif action == A_SCHEMAS:
                    out[key] = self.spell_list(value, <str>key, raw, m)
                elif action == A_SCHEMA_MAP:
                    out[key] = self.spell_map(value, <str>key, raw, m)
                continue
            if code == K_TYPE:
                if type(value) is list:
                    if self.t.type_needed:
                        value = list(dict.fromkeys(<list>value)) if has_twins(<list>value) else list(<list>value)
                        out[key] = value[0] if len(<list>value) == 1 else value
                    else:
                        out[key] = list(<list>value)
                else:
                    PyDict_SetItem(out, key, value)
            elif code == K_DESCRIPTION or code == K_TITLE:
                if type(value) is str:
                    if action != A_DROP:
                        PyDict_SetItem(out, key, value)
                elif self.t.identity:
                    out[key] = copied(value, MAX_DEPTH - self.depth)
            elif code == K_PROPERTIES:
                if object_here:
                    out[key] = None
                    one = self.spell_properties(properties, required_names, m, raw, ex, s, is_map, flags)
                    absent = self.absent
                    out[key] = one
                    declares = True
                else:
                    if action == A_SAY:
                        say |= ONE << code
                    else:
                        out[key] = self.spell_map(value, <str>key, raw, m)
                        absent = self.absent
            elif code == K_REQUIRED:
                if type(value) is not list:
                    raise Malformed(raw, "required", "no list of strings")
                if action == A_SAY:
                    say |= ONE << code
                elif object_here:
                    out[key] = None
                else:
                    out[key] = self.required_as_is(<list>value, raw)
            elif code == K_ADDITIONAL:
                if self.closed:
                    if types & T_OBJECT:
                        if value is not False:
                            self.lose_openness(raw, ex, value, is_map)
                        out[key] = False
                    elif action == A_SAY or value is not False:
                        say |= ONE << code
                    else:
                        out[key] = False
                elif self.t.closed and not self.input:
                    if value is False and action != A_SAY:
                        out[key] = False
                    else:
                        say |= ONE << code
                elif action == A_SAY:
                    say |= ONE << code
                else:
                    if value is True and not self.t.booleans:
                        out[key] = {} if self.t.action[K_NOT] == A_SAY else True
                    elif value is False:
                        out[key] = False
                    else:
                        one = self.spell(value, 0)
                        out[key] = False if one is None else one
            elif code == K_ITEMS:
                if action == A_SAY:
                    say |= ONE << code
                elif (s.mask >> K_PREFIXITEMS) & 1 and self.t.action[K_PREFIXITEMS] == A_SAY:
                    continue
                elif type(value) is list and not self.t.identity:
                    raise Malformed(raw, "items", "a list")
                elif self.t.identity and type(value) is list:
                    out[key] = self.spell_list(value, <str>key, raw, m)
                elif self.input and self.t.items_needed:
                    if not self.typed and (
                        value is False or (type(value) is dict and self.upgraded(<dict>value) is False)
                    ):
                        out[key] = self.never()
                        continue
                    out[key] = self.spell_items(value, raw)
                elif self.t.booleans or self.t.identity or (value is not True and value is not False):
                    one = self.spell(value, 0)
                    if one is None:
                        say |= ONE << code
                    else:
                        out[key] = one
                elif value is False:
                    if self.t.action[K_NOT] != A_SAY:
                        out[key] = self.never()
                    else:
                        say |= ONE << code
                else:
                    out[key] = {}
            elif code == K_PREFIXITEMS:
                if action != A_SAY:
                    out[key] = self.spell_list(value, <str>key, raw, m)
                else:
                    one = self.tuple_items(value, m, raw, ex, s)
                    if one is not None:
                        out["items"] = one
                    say |= ONE << code
            elif code == K_ENUM:
                if type(value) is not list:
                    raise Malformed(raw, "enum", "no list")
                if action == A_SAY:
                    say |= ONE << code
                else:
                    out[key] = copied(value if self.t.keep_required else distinct(<list>value), MAX_DEPTH - self.depth)
            elif code == K_CONST:
                if action == A_SAY:
                    if self.t.action[K_ENUM] != A_SAY and "enum" not in m:
                        if not self.t.string_enums or (type(value) is str and value) or not self.input:
                            out["enum"] = [copied(value, MAX_DEPTH - self.depth)]
                        else:
                            say |= ONE << code
                    else:
                        say |= ONE << code
                else:
                    out[key] = copied(value, MAX_DEPTH - self.depth)
            elif code == K_FORMAT:
                if type(value) is not str:
                    raise Malformed(raw, "format", "no string")
                if action != A_SAY and (self.t.any_format or value in self.t.formats):
                    PyDict_SetItem(out, key, value)
                else:
                    say |= ONE << code
            elif code == K_PATTERN:
                if type(value) is not str:
                    raise Malformed(raw, "pattern", "no string")
                if action != A_SAY and (not self.t.python_patterns or self.t.pattern_ok(value)):
                    PyDict_SetItem(out, key, value)
                else:
                    say |= ONE << code
            elif code == K_MINITEMS:
                self.check(code, value, m, raw)
                if action != A_SAY and (self.t.min_items_limit is None or value <= self.t.min_items_limit):
                    PyDict_SetItem(out, key, value)
                else:
                    say |= ONE << code
            elif code == K_EXAMPLES:
                if type(value) is not list:
                    if self.t.identity:
                        out[key] = copied(value, MAX_DEPTH - self.depth)
                    continue
                if action == A_SAY:
                    say |= ONE << code
                elif action != A_DROP:
                    out[key] = copied(value, MAX_DEPTH - self.depth)
            elif code == K_DEPRECATED:
                if type(value) is not bool:
                    if self.t.identity:
                        out[key] = copied(value, MAX_DEPTH - self.depth)
                    continue
                if action == A_SAY:
                    say |= ONE << code
                elif action != A_DROP:
                    PyDict_SetItem(out, key, value)
            elif code == K_ONEOF or code == K_ANYOF:
                if action != A_SAY:
                    out[key] = self.spell_list(value, <str>key, raw, m)
                elif code == K_ONEOF and "anyOf" not in m and self.t.action[K_ANYOF] != A_SAY:
                    out["anyOf"] = self.spell_list(value, <str>key, raw, m)
                    if not self.disjoint(value):
                        say |= ONE << code
                else:
                    say |= ONE << code
            elif code == K_SCHEMA:
                if self.t.identity:
                    out[key] = copied(value, MAX_DEPTH - self.depth)
                elif action != A_DROP and (flags & F_ROOT or self.t.read_only) and type(value) is str \
                        and is_2020(<str>value):
                    PyDict_SetItem(out, key, value)
        # ---- what is added, in the fixed order
        if infer:
            out["type"] = self.type_value(infer)
        if self.input and self.t.items_needed and types & T_ARRAY and not (s.mask & (bit(K_ITEMS) | bit(K_PREFIXITEMS))
                                                                           and "items" in out):
            items = self.any_items()
            if self.typed:
                self.lose(raw, "items", None, "encoded" if self.closed else "unreachable",
                          self.word0("text") if self.closed else "", False, None)
        if self.closed and types & T_OBJECT and not (s.mask >> K_ADDITIONAL) & 1:
            self.lose_openness(raw, ex, None, is_map)
        elif self.closed and types & T_OBJECT and (added >> K_ADDITIONAL) & 1 and m["additionalProperties"] is not False:
            self.lose_openness(raw, ex, m["additionalProperties"], is_map)
        if is_map and not properties and flags & F_ROOT:
            self.root_special = True
        if object_here and not declares and (
            properties or is_map or (self.closed or flags & F_ROOT and self.t.root_object)
        ):
            one = self.spell_properties(properties, required_names, m, raw, ex, s, is_map, flags)
            absent = self.absent
        else:
            one = None
        self.absent = absent
        if say or absent is not None or (ex is not None and ex.speaks()) or (
            self.closed and types & T_ARRAY and (s.mask >> K_PREFIXITEMS) & 1
        ):
            self.writing_object = object_here
            self.unplaced = limited
            sentences = self.say(m, raw, say, s, ex, types, flags)
            self.unplaced = False
            self.writing_object = False
            if sentences:
                if limited:
                    self.sentences = sentences if self.sentences is None else self.sentences + sentences
                elif self.t.action[K_DESCRIPTION] != A_DROP:
                    out["description"] = joined(out.get("description"), sentences)
        if one is not None:
            out["properties"] = one
        if items is not None:
            out["items"] = items
        if not object_here and self.input and not self.t.keep_required and "required" in out:
            out["required"] = [
                name for name in dict.fromkeys(out["required"]) if absent is None or name not in absent
            ]
        if object_here:
            self.write_required(out, required_names, absent, added, flags)
        if self.closed and types & T_OBJECT and "additionalProperties" not in out:
            out["additionalProperties"] = False
        if closing >= 0:
            out["maxItems"] = closing
        self.shape = types if types else S_UNKNOWN
        if limited:
            self.description = out.get("description")
            out = {key: value for key, value in out.items() if key in self.t.root_keywords}
        return out

    cdef int write_read(self, dict out, int code, object key, object value, object raw) except -1:
        """Identifiers and references as 2020-12 writes them."""
        if code == K_ID:
            if type(value) is str:
                uri, _, fragment = value.partition("#")
                if uri:
                    out["$id"] = uri
                if ANCHOR.fullmatch(fragment) is not None:
                    out["$anchor"] = fragment
        elif code == K_DEFS:
            out["$defs"] = self.spell_map(value, "$defs", raw, None)
        elif code == K_RECREF:
            out["$ref"] = "#"
        elif type(value) is str:
            out["$ref"] = self.need_graph().aimed(raw, <str>value)
        else:
            raise Malformed(raw, "$ref", "no string")
        return 0

    cdef object type_value(self, int types):
        cdef list names = [name for kind, name in TYPE_ORDER if types & <int>kind]
        return names[0] if len(names) == 1 else names

    cdef list required_as_is(self, list value, object raw):
        for name in value:
            if type(name) is not str:
                raise Malformed(raw, "required", "no list of strings")
        return list(value)

    cdef int check_node(self, dict node, object raw, Scan* s) except -1:
        """The shapes of a node's keywords (`NotASchema` names the first that is wrong)."""
        cdef uint64_t rest = s.mask & CHECKED_BITS
        cdef int code
        cdef object value
        self.types_here(s, raw)
        for code in range(64):
            if not rest >> code:
                break
            if not (rest >> code) & 1:
                continue
            value = <object>s.value[code]
            if (MAP_BITS >> code) & 1:
                if type(value) is not dict:
                    raise Malformed(raw, NAMES[code], "no object")
                if code != K_PROPERTIES:
                    for name, one in (<dict>value).items():
                        if not PyUnicode_CheckExact(name):
                            raise Malformed(value, None, "a key that is no string")
                        if code != K_DEPREQUIRED and not is_schema(one):
                            raise Malformed(one, None, "neither an object nor a boolean")
                if code == K_DEPREQUIRED:
                    for names in (<dict>value).values():
                        if type(names) is not list or not all_strings(<list>names):
                            raise Malformed(raw, NAMES[code], "no object of lists of strings")
            elif (LISTED_BITS >> code) & 1:
                if type(value) is not list or not value:
                    raise Malformed(raw, NAMES[code], "no list of schemas")
                for one in <list>value:
                    if not is_schema(one):
                        raise Malformed(one, None, "neither an object nor a boolean")
            elif (SCHEMA_BITS >> code) & 1:
                if not is_schema(value):
                    raise Malformed(value, None, "neither an object nor a boolean")
            elif code == K_ITEMS:
                if not is_schema(value) and type(value) is not list:
                    raise Malformed(value, None, "neither an object nor a boolean")
            elif (NUMBER_BITS >> code) & 1:
                if not is_number(value) and not (
                    type(value) is bool and (code == K_XMINIMUM or code == K_XMAXIMUM)
                ):
                    raise Malformed(raw, NAMES[code], "no finite number")
            elif (COUNT_BITS >> code) & 1:
                self.check(code, value, node, raw)
            elif code == K_REQUIRED:
                if type(value) is not list or not all_strings(<list>value):
                    raise Malformed(raw, NAMES[code], "no list of strings")
            elif code == K_ENUM:
                if type(value) is not list:
                    raise Malformed(raw, NAMES[code], "no list")
            elif code == K_PATTERN or code == K_FORMAT:
                if type(value) is not str:
                    raise Malformed(raw, NAMES[code], "no string")
            elif code == K_UNIQUEITEMS:
                if type(value) is not bool:
                    raise Malformed(raw, NAMES[code], "no boolean")
        return 0

    cdef int check(self, int code, object value, dict m, object raw) except -1:
        """The shape of a scalar keyword."""
        if type(value) is bool and self.t.identity and (code == K_XMINIMUM or code == K_XMAXIMUM):
            return 0
        if (NUMBER_BITS >> code) & 1:
            if type(value) is int:
                return 0
            if type(value) is float and value - value == 0.0:
                return 0
            raise Malformed(raw, NAMES[code], "no finite number")
        if code in (K_MINLENGTH, K_MAXLENGTH, K_MINITEMS, K_MAXITEMS, K_MINPROPS, K_MAXPROPS, K_MINCONTAINS,
                    K_MAXCONTAINS):
            if type(value) is int and value >= 0:
                return 0
            if type(value) is float and 0 <= <double>value < 9e15 and (<double>value) == (<double><long long>value):
                return 0
            raise Malformed(raw, NAMES[code], "no non-negative integer")
        if code == K_UNIQUEITEMS:
            if type(value) is not bool:
                raise Malformed(raw, "uniqueItems", "no boolean")
            return 0
        if type(value) is dict or type(value) is list:
            raise Malformed(raw, NAMES[code], "no plain value")
        return 0

    cdef object spell_list(self, object value, str key, object raw, dict m):
        cdef list out = []
        if type(value) is not list or not value:
            raise Malformed(raw if type(raw) is dict else m, key, "no list of schemas")
        self.depth += 1
        for number, item in enumerate(<list>value):
            if self.losses is not None:
                self.at = (value, number) if type(item) is bool else None
            one = self.spell(item, 0)
            if one is None:
                one = self.never() if self.t.booleans or self.t.action[K_NOT] != A_SAY else {}
            out.append(one)
        self.depth -= 1
        return out

    cdef object spell_map(self, object value, str key, object raw, dict m):
        cdef dict out = {}
        cdef list absent = None
        cdef bint properties = key == "properties" and m is not None and not self.t.booleans
        if type(value) is not dict:
            raise Malformed(raw if type(raw) is dict else m, key, "no object")
        self.depth += 1
        required = m.get("required") if properties else None
        required = set(required) if type(required) is list else ()
        for name, item in (<dict>value).items():
            if type(name) is not str:
                raise Malformed(value, None, "a key that is no string")
            one = self.spell(item, F_OPTIONAL if properties and name not in required else 0)
            if one is None:
                if key == "properties":
                    if absent is None:
                        absent = []
                    absent.append(name)
                    continue
                one = self.never()
            out[name] = one
        self.depth -= 1
        self.absent = absent
        return out

    # ------------------------------------------------------------------ objects

    cdef dict declared(self, dict m, object raw, Extras ex, Scan* s, int flags):
        """The properties of an object, with those that only conditionals or `required` name."""
        cdef dict properties = {}, more
        cdef bint copied_here = False
        cdef object rest, schema
        if (s.mask >> K_PROPERTIES) & 1:
            if type(<object>s.value[K_PROPERTIES]) is not dict:
                raise Malformed(raw, "properties", "no object")
            properties = <dict>s.value[K_PROPERTIES]
        else:
            copied_here = True
        if self.closed and (s.mask & (CONDITION_BITS | bit(K_DEPSCHEMAS)) or (ex is not None and ex.left is not EMPTY)):
            if not ((s.mask >> K_ADDITIONAL) & 1 and <object>s.value[K_ADDITIONAL] is False):
                more = self.conditional_names(m, ex)
                if more:
                    properties = {**properties, **more}
                    copied_here = True
        if (s.mask >> K_REQUIRED) & 1:
            required = <object>s.value[K_REQUIRED]
            if type(required) is not list:
                raise Malformed(raw, "required", "no list of strings")
            for name in <list>required:
                if type(name) is not str:
                    raise Malformed(raw, "required", "no list of strings")
                if name not in properties:
                    if not copied_here:
                        properties = dict(properties)
                        copied_here = True
                    properties[name] = self.undeclared(<str>name, m)
        return properties

    cdef object undeclared(self, str name, dict m):
        """The schema that applies to a required name nobody declares."""
        cdef object schema = None
        patterns = m.get("patternProperties")
        if type(patterns) is dict:
            for pattern, more in (<dict>patterns).items():
                try:
                    if pattern_matches(pattern, name):
                        schema = more if schema is None else both(schema, more)
                except Undecided:
                    pass
        if schema is None:
            schema = m.get("additionalProperties", True)
        return {} if schema is False or schema is True else schema

    cdef object required_names(self, dict m, object raw, dict properties, Scan* s):
        """The names that must be given, as a list without duplicates."""
        if not (s.mask >> K_REQUIRED) & 1:
            return None
        value = <object>s.value[K_REQUIRED]
        if self.t.all_required:
            return value
        if len(<list>value) > 1 and has_twins(<list>value):
            return list(dict.fromkeys(<list>value))
        return list(<list>value)

    cdef dict spell_properties(self, dict properties, object required, dict m, object raw, Extras ex, Scan* s,
                               bint is_map, int flags):
        """The spelled properties; those that must be absent are left in `self.absent`."""
        cdef dict out = {}
        cdef list absent = None
        cdef object one, name
        cdef bint optional
        cdef object needed = required
        cdef bint renames = self.t.key_ok is not None
        cdef Py_ssize_t position = 0
        cdef PyObject* key
        cdef PyObject* value
        if required is not None and len(<list>required) > 8:
            needed = set(required)
        self.depth += 1
        while PyDict_Next(properties, &position, &key, &value):
            name = <object>key
            if not PyUnicode_CheckExact(name):
                raise Malformed(properties, None, "a key that is no string")
            optional = needed is None or name not in needed
            if self.losses is not None:
                self.at = (properties, name) if type(<object>value) is bool else None
            if optional and self.t.all_required:
                # the wrapper nests twice
                self.depth += 2
                one = self.spell(<object>value, F_OPTIONAL)
                self.depth -= 2
            else:
                one = self.spell(<object>value, F_OPTIONAL if optional else 0)
            if one is None:
                if absent is None:
                    absent = []
                absent.append(name)
                continue
            if renames and not self.key_fits(<str>name):
                wire = self.wire_name(<str>name)
                self.lose_rename(properties, name, wire)
                name = wire
            if optional and self.t.all_required and type(one) is dict:
                one = self.wrapped(
                    <dict>one,
                    <object>value if self.losses is None or type(<object>value) is not bool else (properties, <object>key),
                )
            out[name] = one
        if is_map:
            name = "additional_properties"
            count = 2
            while name in out or name in properties:
                name = f"additional_properties_{count}"
                count += 1
            one = self.entries(self.map_value(m), m, [], None)
            self.shape = T_ARRAY | S_ENTRIES
            if self.t.all_required:
                one = self.wrapped(<dict>one, None)
            out[name] = one
        self.depth -= 1
        self.absent = absent
        return out

    cdef int write_required(self, dict out, object required, object absent, uint64_t added, int flags) except -1:
        cdef list names
        if self.t.all_required:
            properties = out.get("properties")
            if properties is None:
                out.pop("required", None)
                return 0
            out["required"] = list(<dict>properties)
            return 0
        if required is None:
            if "required" in out:
                del out["required"]
            if flags & F_ROOT and self.t.root_keywords is not None and "required" in self.t.root_keywords:
                out["required"] = []
            return 0
        names = <list>required
        if absent is not None:
            names = [name for name in names if name not in absent]
        if self.t.key_ok is not None:
            for name in names:
                if not self.key_fits(<str>name):
                    names = [self.wire_name(<str>name) for name in names]
                    break
        out["required"] = names
        return 0

    cdef dict wrapped(self, dict one, object raw):
        """An optional property where every property is required: nullable."""
        cdef dict out = {}
        cdef bint bare
        if self.shape & T_NULL if not self.shape & (S_UNKNOWN | S_TEXT) else self.admits_null(one, 0):
            self.lose_null(raw)
            sentence = self.word0("null")
            if self.t.reference_keyword in one and "description" not in self.t.reference_siblings:
                return {"description": joined(None, [sentence]), "anyOf": [one]}
            self.describe(one, raw, sentence)
            return one
        self.lose_omission(raw)
        found = one.get("description")
        if found is not None:
            out["description"] = found
            del one["description"]
        found = one.get("title")
        if found is not None:
            out["title"] = found
            del one["title"]
        if len(one) == 1 and "anyOf" in one:
            branches = <list>one["anyOf"]
            branches.append(PyDict_Copy(NULL_BRANCH))
            out["anyOf"] = branches
        else:
            out["anyOf"] = [one, PyDict_Copy(NULL_BRANCH)]
        return out

    cdef int describe(self, dict node, object raw, str sentence) except -1:
        """Adds a sentence to a written node; a description that is added stands in the order of added keys."""
        cdef object before = None
        cdef list items
        if "description" not in node and type(raw) is dict:
            for key in ("nullable", "properties", "items", "anyOf", "required", "additionalProperties"):
                if key in node and key not in <dict>raw and not (
                    key == "anyOf" and ("oneOf" in <dict>raw or "type" in <dict>raw or "enum" in <dict>raw)
                ):
                    before = key
                    break
        if before is None:
            node["description"] = joined(node.get("description"), [sentence])
            return 0
        items = list(node.items())
        node.clear()
        for key, value in items:
            if key == before:
                node["description"] = sentence
            node[key] = value
        return 0

    cdef bint admits_null(self, dict spelled, int hops) except -1:
        """Whether a spelled node admits null, through kept references."""
        cdef object kind, target
        target = spelled.get(self.t.reference_keyword)
        if type(target) is Target:
            return (self.shape_of_target(<Target>target) & (T_NULL | S_TEXT)) == T_NULL
        if spelled.get("nullable") is True:
            return True
        kind = spelled.get("type")
        if kind is not None:
            if type(kind) is str:
                return kind == "null"
            if "null" not in <list>kind:
                return False
            values = spelled.get("enum")
            return values is None or None in <list>values
        if "enum" in spelled:
            return None in <list>spelled["enum"]
        branches = spelled.get("anyOf")
        if type(branches) is list and hops < MAX_DEPTH:
            for branch in <list>branches:
                if type(branch) is dict and self.admits_null(<dict>branch, hops + 1):
                    return True
        return False

    cdef object map_value(self, dict m):
        """The schema of a map's values: patterns, then the rest."""
        cdef list schemas = []
        patterns = m.get("patternProperties")
        if type(patterns) is dict:
            schemas.extend((<dict>patterns).values())
        rest = m.get("additionalProperties")
        if self.constrains(rest):
            schemas.append(rest)
        schemas = [schema for schema in schemas if schema is not False]
        return self.any_of(schemas) if schemas else True

    cdef dict entries(self, object value, dict m, list sentences, object author):
        """The array of entries that stands for a map."""
        cdef dict out = {"type": "array"}, key_node = {"type": "string"}
        cdef object spelled
        cdef list said
        if m is not None and "propertyNames" in m:
            self.spell_key(m["propertyNames"], key_node)
        if author is not None:
            title = (<dict>author).get("title")
            if type(title) is str and self.t.action[K_TITLE] != A_DROP:
                out["title"] = title
        said = [*sentences, self.word0("entries")]
        out["description"] = joined((<dict>author).get("description") if author is not None else None, said)
        self.depth += 3
        spelled = self.spell(value, 0)
        self.depth -= 3
        if spelled is None:
            spelled = {"type": "string"}
        out["items"] = {
            "type": "object",
            "properties": {"key": key_node, "value": spelled},
            "required": ["key", "value"],
            "additionalProperties": False,
        }
        return out

    cdef bint spell_key(self, object names, dict key_node) except -1:
        """propertyNames on `key`, as far as it is spelled; whether all of it is."""
        cdef object node = self.peeked(names)
        cdef bint whole = True
        if type(node) is not dict:
            return node is not False
        for name, value in (<dict>node).items():
            code = code_of(name)
            if is_annotation(code) or (code == K_TYPE and value == "string"):
                continue
            if code == K_PATTERN and self.t.action[code] != A_SAY and type(value) is str \
                    and (not self.t.python_patterns or self.t.pattern_ok(value)):
                key_node[name] = value
            elif code == K_FORMAT and self.t.action[code] != A_SAY and type(value) is str \
                    and (self.t.any_format or value in self.t.formats):
                key_node[name] = value
            elif code == K_ENUM and self.t.action[code] != A_SAY and type(value) is list and value \
                    and all(type(item) is str for item in <list>value):
                key_node[name] = list(value)
            elif code == K_CONST and self.t.action[code] != A_SAY and type(value) is str:
                key_node[name] = value
            else:
                whole = False
        return whole

    cdef dict entries_node(self, dict m, object raw, Extras ex, int flags, Scan* s):
        """A map, written as entries."""
        cdef uint64_t say = 0
        cdef int code
        cdef list sentences
        cdef dict out
        cdef dict scratch = {}
        for code in range(64):
            if (s.mask >> code) & 1:
                if code == K_ADDITIONAL:
                    if <object>s.value[code] is False:
                        say |= ONE << code
                elif code == K_TYPE or code == K_PROPERTIES or code == K_REQUIRED:
                    pass
                elif code == K_PROPNAMES:
                    if not self.spell_key(<object>s.value[code], scratch):
                        say |= ONE << code
                elif (SAID_ANNOTATIONS >> code) & 1 or not is_annotation(code):
                    say |= ONE << code
        sentences = self.say(m, raw, say, s, ex, T_OBJECT, flags)
        self.lose(self.origin_of(raw, ex, "additionalProperties"), "additionalProperties"
                  if "additionalProperties" in m else "patternProperties", None, "encoded", self.word0("entries"),
                  False, None)
        out = self.entries(self.map_value(m), m, sentences, m)
        self.shape = T_ARRAY | S_ENTRIES
        return out

    cdef dict text_node(self, dict m, object raw, Extras ex, int flags, Scan* s):
        """A node written as JSON text."""
        cdef dict out = {"type": "string"}
        cdef uint64_t say = 0
        cdef int code
        cdef list sentences
        say = s.mask & (SAID_ANNOTATIONS | ~ANNOTATION_BITS)
        if (ex is not None and ex.cut is not None) or not (
            (s.mask >> K_TYPE) & 1 and type(<object>s.value[K_TYPE]) is list and len(<list>s.value[K_TYPE]) > 1
        ):
            say &= ~bit(K_TYPE)
        for code in (K_PROPERTIES, K_REQUIRED, K_PATTERNPROPS):
            if (say >> code) & 1 and not <object>s.value[code]:
                say &= ~(ONE << code)
        title = m.get("title")
        if type(title) is str and self.t.action[K_TITLE] != A_DROP:
            out["title"] = title
        sentences = self.say(m, raw, say, s, ex, 0, flags)
        sentences.append(self.word0("text"))
        self.lose(raw, "$ref" if ex is not None and ex.cut is not None else "type", m.get("type"), "encoded",
                  self.word0("text"), False, None)
        out["description"] = joined(m.get("description"), sentences)
        self.shape = T_STRING | S_TEXT
        return out

    # ------------------------------------------------------------------ arrays

    cdef bint accepts_nothing(self, object raw):
        return raw is False or (
            type(raw) is dict and len(<dict>raw) == 1 and "not" in <dict>raw and self.upgraded(<dict>raw) is False
        )

    cdef object spell_items(self, object value, object raw):
        """The item of an array that must have one."""
        cdef object one
        cdef int shape = self.shape
        if value is False or (type(value) is dict and self.upgraded(<dict>value) is False):
            one = self.any_items()
        elif value is True or (type(value) is dict and not value):
            one = self.any_items()
            if self.typed:
                self.lose(raw, "items", True, "encoded" if self.closed else "unreachable",
                          self.word0("text") if self.closed else "", False, None)
        else:
            one = self.spell(value, 0)
            if one is None:
                one = self.any_items()
        self.shape = shape
        return one

    cdef object tuple_items(self, object value, dict m, object raw, Extras ex, Scan* s):
        """The single item schema that a tuple becomes."""
        cdef list positions, spelled = []
        cdef set texts = set()
        cdef Py_ssize_t lost = len(self.losses) if self.losses is not None else 0
        cdef int shape = 0, before = self.shape
        cdef bint clash = False, anything = False
        cdef object one, rest
        cdef Py_ssize_t mark = 0 if self.emitted is None else len(self.emitted)
        if type(value) is not list or not value:
            raise Malformed(raw if type(raw) is dict else m, "prefixItems", "no list of schemas")
        positions = list(<list>value)
        rest = m.get("items", True)
        maximum = m.get("maxItems")
        if rest is not False and not (type(maximum) in (int, float) and maximum <= len(positions)):
            if self.upgraded(<dict>rest) is not False if type(rest) is dict else True:
                positions.append(rest)
        self.depth += 1
        for position in positions:
            if position is True or (type(position) is dict and adds_nothing(position)):
                anything = True
                continue
            self.shape = 0
            one = self.spell(position, 0)
            if one is None:
                continue
            text = self.comparable(one)
            if text in texts:
                continue
            if clashes(shape, self.shape):
                clash = True
            shape |= self.shape
            texts.add(text)
            spelled.append(one)
        self.depth -= 1
        self.shape = before
        if anything or (clash and self.closed):
            if self.emitted is not None:
                del self.emitted[mark:]
            if self.losses is not None:
                del self.losses[lost:]
            if not self.input:
                return None
            return self.any_items()
        if not spelled:
            return self.any_items() if self.input else None
        if len(spelled) == 1:
            return spelled[0]
        return {"anyOf": spelled}

    cdef str comparable(self, object spelled):
        """Text that is equal for equal spelled nodes, references by target."""
        return json_text(self.with_targets(spelled, 0))

    cdef object with_targets(self, object value, int hops):
        if type(value) is dict:
            return {key: self.with_targets(item, hops + 1) for key, item in (<dict>value).items()}
        if type(value) is list:
            return [self.with_targets(item, hops + 1) for item in <list>value]
        if type(value) is Target:
            return f"#{(<Target>value).index}"
        return value

    # ------------------------------------------------------------------ words

    cdef str word0(self, str name):
        return <str>(<tuple>self.t.words[name])[0]

    cdef str count_text(self, object number, str thing):
        singular, plural = self.t.counted[thing]
        return f"{number_text(number)} {singular if number == 1 else plural}"

    cdef list said_of(self, dict node, object raw, Extras ex, int flags, Scan* s, uint64_t but):
        """Sentences for everything of a node but its union: what its table does not keep."""
        cdef uint64_t say = self.t.said
        if not self.t.unions_free:
            say |= ~ANNOTATION_BITS
        say &= s.mask & ~but & ~UNION_BITS
        if say or (ex is not None and ex.speaks()):
            return self.say(node, raw, say, s, ex, 0, flags)
        return []

    cdef object origin_of(self, object raw, Extras ex, str key):
        if ex is not None and ex.origin is not None:
            return ex.origin.get(key, raw)
        return raw

    cdef list say(self, dict m, object raw, uint64_t say, Scan* s, Extras ex, int types, int flags):
        """The sentences of a node, in the fixed order; each is noted as a loss."""
        cdef list out = []
        cdef dict w = self.t.words
        cdef list leftovers = ex.left if ex is not None else None
        cdef object low, high, value
        cdef bint whole = types != 0 and not types & ~(T_INTEGER | T_NULL)
        cdef list absent = self.absent
        self.absent = None
        self.say_one(out, m, raw, say, s, ex, types, flags, whole, True)
        if leftovers:
            self.say_leftovers(out, leftovers, ex, flags)
        if ex is not None and ex.missing:
            self.add(out, raw, "$ref", None, self.word0("missing"), "carried")
        if absent:
            text = fill1(w["absent"], ", ".join([self.wire_name(name) for name in absent]))
            self.add_at(out, <int>RANKS["absent"], raw, "properties", None, text)
        if ex is not None and ex.cut is not None:
            self.add_at(out, 90, raw, "$ref", None, fill1(w["cycle"], ex.cut))
        if ex is not None and ex.said_here:
            for text in ex.said_here:
                out.append((<int>RANKS["enum"], text))
        if ex is not None and ex.union_sentence is not None:
            self.add_at(out, <int>RANKS["oneOf"], raw, ex.union_keyword, None, ex.union_sentence)
        if len(out) > 1 and (absent or (ex is not None and ex.speaks())):
            out.sort(key=BY_RANK)
        return [(<tuple>pair)[1] for pair in out]

    cdef int add_at(self, list out, int rank, object raw, str keyword, object value, str text) except -1:
        out.append((rank, text))
        self.lose(raw, keyword, value, "carried", text, False, None)
        return 0

    cdef int add(self, list out, object raw, str keyword, object value, str text, str effect) except -1:
        out.append((<int>RANKS.get(keyword, 80), text))
        self.lose(raw, keyword, value, effect, text, False, None)
        return 0

    cdef int say_leftovers(self, list out, list leftovers, Extras ex, int flags) except -1:
        """Leftovers, each in its keyword's place; those without a sentence of their own last."""
        cdef Scan s
        cdef dict leftover, rest, own
        cdef Py_ssize_t at
        for at in range(len(leftovers)):
            leftover = <dict>leftovers[at]
            raw = ex.left_from[at] if at < len(ex.left_from) else None
            self.scan(leftover, &s)
            if s.mask & OTHER_BITS:
                rest = {
                    key: value for key, value in leftover.items()
                    if code_of(key) < 0 or (OTHER_BITS >> code_of(key)) & 1 or (code_of(key) == K_ADDITIONAL and len(leftover) > 1
                                                                               and "properties" in leftover)
                }
                text = fill1(self.t.words["other"], self.schema_text(rest))
                out.append((85, text))
                self.lose(raw, next(iter(rest)), rest, "carried", text, False, None)
                own = {key: value for key, value in leftover.items() if key not in rest}
                if own:
                    self.scan(own, &s)
                    self.say_one(out, own, raw, s.mask, &s, None, 0, flags, False, False)
            else:
                self.say_one(out, leftover, raw, s.mask, &s, None, 0, flags, False, False)
        return 0

    cdef int say_one(self, list out, dict m, object raw, uint64_t say, Scan* s, Extras ex, int types, int flags,
                     bint whole, bint own) except -1:
        cdef dict w = self.t.words
        cdef object low, high, value, names
        cdef str text
        cdef uint64_t bits
        cdef dict other
        if not say:
            return 0
        if say & NUMBER_BITS:
            low = <object>s.value[K_MINIMUM] if (say >> K_MINIMUM) & 1 else None
            high = <object>s.value[K_MAXIMUM] if (say >> K_MAXIMUM) & 1 else None
            if low is not None:
                self.check(K_MINIMUM, low, m, raw)
                if whole and low <= -SAFE_INTEGER:
                    self.lose(self.origin_of(raw, ex, "minimum"), "minimum", low, "unspoken", "", True, None)
                    low = None
            if high is not None:
                self.check(K_MAXIMUM, high, m, raw)
                if whole and high >= SAFE_INTEGER:
                    self.lose(self.origin_of(raw, ex, "maximum"), "maximum", high, "unspoken", "", True, None)
                    high = None
            if low is not None and high is not None:
                text = fill2(w["range"], number_text(low), number_text(high))
                out.append((1, text))
                self.lose(self.origin_of(raw, ex, "minimum"), "minimum", low, "carried", text, False, None)
                self.lose(self.origin_of(raw, ex, "maximum"), "maximum", high, "carried", text, False, None)
            elif low is not None:
                self.add_at(out, 1, self.origin_of(raw, ex, "minimum"), "minimum", low, fill1(w["minimum"], number_text(low)))
            elif high is not None:
                self.add_at(out, 2, self.origin_of(raw, ex, "maximum"), "maximum", high, fill1(w["maximum"], number_text(high)))
            if (say >> K_XMINIMUM) & 1:
                value = <object>s.value[K_XMINIMUM]
                self.check(K_XMINIMUM, value, m, raw)
                if whole and value <= -SAFE_INTEGER:
                    self.lose(self.origin_of(raw, ex, "exclusiveMinimum"), "exclusiveMinimum", value, "unspoken", "", True, None)
                else:
                    self.add_at(out, 3, self.origin_of(raw, ex, "exclusiveMinimum"), "exclusiveMinimum", value,
                                fill1(w["exclusiveMinimum"], number_text(value)))
            if (say >> K_XMAXIMUM) & 1:
                value = <object>s.value[K_XMAXIMUM]
                self.check(K_XMAXIMUM, value, m, raw)
                if whole and value >= SAFE_INTEGER:
                    self.lose(self.origin_of(raw, ex, "exclusiveMaximum"), "exclusiveMaximum", value, "unspoken", "", True, None)
                else:
                    self.add_at(out, 4, self.origin_of(raw, ex, "exclusiveMaximum"), "exclusiveMaximum", value,
                                fill1(w["exclusiveMaximum"], number_text(value)))
            if (say >> K_MULTIPLEOF) & 1:
                value = <object>s.value[K_MULTIPLEOF]
                self.check(K_MULTIPLEOF, value, m, raw)
                self.add_at(out, 5, self.origin_of(raw, ex, "multipleOf"), "multipleOf", value,
                            fill1(w["multipleOf"], number_text(value)))
        if say & STRING_BITS:
            self.say_counts(out, m, raw, say, s, ex, K_MINLENGTH, K_MAXLENGTH, "length", "minLength", "maxLength",
                            "character", 10)
            if (say >> K_PATTERN) & 1:
                value = <object>s.value[K_PATTERN]
                if type(value) is not str:
                    raise Malformed(raw, "pattern", "no string")
                self.add_at(out, 12, self.origin_of(raw, ex, "pattern"), "pattern", value, fill1(w["pattern"], <str>value))
            if (say >> K_FORMAT) & 1:
                value = <object>s.value[K_FORMAT]
                if type(value) is not str:
                    raise Malformed(raw, "format", "no string")
                found = self.t.format_words.get(value)
                self.add_at(out, 13, self.origin_of(raw, ex, "format"), "format", value,
                            <str>found if found is not None else fill1(w["format"], <str>value))
        if say & ARRAY_BITS:
            if (say >> K_PREFIXITEMS) & 1 and not self.typed and own and (s.mask >> K_ITEMS) & 1 \
                    and <object>s.value[K_ITEMS] is False and not (s.mask >> K_MAXITEMS) & 1:
                self.add_at(out, 20, self.origin_of(raw, ex, "items"), "items", False,
                            fill1(w["maxItems"], self.count_text(len(<object>s.value[K_PREFIXITEMS]), "item")))
            self.say_counts(out, m, raw, say, s, ex, K_MINITEMS, K_MAXITEMS, "items", "minItems", "maxItems", "item", 20)
            if (say >> K_ITEMS) & 1 and <object>s.value[K_ITEMS] is False and not (s.mask >> K_PREFIXITEMS) & 1:
                self.add_at(out, 20, self.origin_of(raw, ex, "items"), "items", False,
                            fill1(w["maxItems"], self.count_text(0, "item")))
                say &= ~bit(K_ITEMS)
            if (say >> K_UNIQUEITEMS) & 1:
                self.check(K_UNIQUEITEMS, <object>s.value[K_UNIQUEITEMS], m, raw)
                if <object>s.value[K_UNIQUEITEMS] is True:
                    self.add_at(out, 22, self.origin_of(raw, ex, "uniqueItems"), "uniqueItems", True, self.word0("uniqueItems"))
            if (say >> K_PREFIXITEMS) & 1:
                value = <object>s.value[K_PREFIXITEMS]
                if type(value) is not list or not value:
                    raise Malformed(raw, "prefixItems", "no list of schemas")
                self.add_at(out, 23, self.origin_of(raw, ex, "prefixItems"), "prefixItems", value,
                            fill1(w["prefixItems"], ", ".join([self.phrase(item) for item in <list>value])))
            if (say >> K_CONTAINS) & 1:
                self.say_contains(out, m, raw, s, ex)
        if say & OBJECT_BITS:
            self.say_object(out, m, raw, say, s, ex)
        if (say >> K_CONST) & 1:
            value = <object>s.value[K_CONST]
            self.add_at(out, <int>RANKS["const"], self.origin_of(raw, ex, "const"), "const", value,
                        fill1(w["const"], json_text(value)))
        if (say >> K_ENUM) & 1:
            value = <object>s.value[K_ENUM]
            if type(value) is not list:
                raise Malformed(raw, "enum", "no list")
            self.add_at(out, <int>RANKS["enum"], self.origin_of(raw, ex, "enum"), "enum", value,
                        self.one_of(<list>value, self.origin_of(raw, ex, "enum")))
        if say & SAID_ANNOTATIONS:
            self.say_annotations(out, m, raw, say, s, ex, flags)
        if (say >> K_ONEOF) & 1 and self.t.action[K_ANYOF] != A_SAY and not self.input and "anyOf" not in m:
            self.add_at(out, <int>RANKS["oneOf"], self.origin_of(raw, ex, "oneOf"), "oneOf", None, self.word0("oneOf"))
            say &= ~bit(K_ONEOF)
        if (say >> K_NOT) & 1:
            value = <object>s.value[K_NOT]
            if value is not False:
                self.add_at(out, <int>RANKS["not"], self.origin_of(raw, ex, "not"), "not", value,
                            fill1(w["not"], self.schema_text(value)))
        if (say >> K_IF) & 1 and say & (bit(K_THEN) | bit(K_ELSE)):
            text = self.condition_text(s, say)
            out.append((<int>RANKS["if"], text))
            for code in (K_IF, K_THEN, K_ELSE):
                if (say >> code) & 1:
                    self.lose(self.origin_of(raw, ex, NAMES[code]), NAMES[code], <object>s.value[code], "carried", text,
                              False, None)
        if (say >> K_UNEVALITEMS) & 1 and adds_nothing(<object>s.value[K_UNEVALITEMS]):
            say &= ~bit(K_UNEVALITEMS)
        bits = say & OTHER_BITS
        if own and types & T_OBJECT and self.input:
            bits &= ~(bit(K_PROPERTIES) | bit(K_REQUIRED))
        if bits:
            other = {key: value for key, value in m.items() if code_of(key) >= 0 and (bits >> code_of(key)) & 1}
            if other:
                text = fill1(w["other"], self.schema_text(other))
                out.append((85, text))
                for key, value in other.items():
                    self.lose(self.origin_of(raw, ex, key), key, value, "carried", text, False, None)
        return 0

    cdef int say_counts(self, list out, dict m, object raw, uint64_t say, Scan* s, Extras ex, int low_code, int high_code,
                        str both_name, str low_name, str high_name, str thing, int rank) except -1:
        cdef object low = <object>s.value[low_code] if (say >> low_code) & 1 else None
        cdef object high = <object>s.value[high_code] if (say >> high_code) & 1 else None
        cdef str text
        if low is not None:
            self.check(low_code, low, m, raw)
            if type(low) is float:
                low = int(low)
            if low == 0:
                low = None
        if high is not None:
            self.check(high_code, high, m, raw)
            if type(high) is float:
                high = int(high)
        if low is not None and high is not None:
            text = fill2(self.t.words[both_name], number_text(low), number_text(high))
            out.append((rank, text))
            self.lose(self.origin_of(raw, ex, low_name), low_name, low, "carried", text, False, None)
            self.lose(self.origin_of(raw, ex, high_name), high_name, high, "carried", text, False, None)
        elif low is not None:
            self.add_at(out, rank, self.origin_of(raw, ex, low_name), low_name, low,
                        fill1(self.t.words[low_name], self.count_text(low, thing)))
        elif high is not None:
            self.add_at(out, rank, self.origin_of(raw, ex, high_name), high_name, high,
                        fill1(self.t.words[high_name], self.count_text(high, thing)))
        return 0

    cdef int say_contains(self, list out, dict m, object raw, Scan* s, Extras ex) except -1:
        cdef object low = m.get("minContains"), high = m.get("maxContains")
        cdef str phrase, text
        if low is not None:
            self.check(K_MINCONTAINS, low, m, raw)
            low = int(low)
        if high is not None:
            self.check(K_MAXCONTAINS, high, m, raw)
            high = int(high)
        if low == 0 and high is None:
            return 0
        phrase = self.phrase(m["contains"])
        if high is None:
            if low is None or low == 1:
                text = fill1(self.t.words["contains"], phrase)
            else:
                text = fill2(self.t.words["containsAtLeast"], self.count_text(low, "item"), phrase)
        elif low == 0:
            text = fill2(self.t.words["containsAtMost"], self.count_text(high, "item"), phrase)
        else:
            parts = self.t.words["containsRange"]
            text = parts[0] + number_text(1 if low is None else low) + parts[1] + number_text(high) + parts[2] + phrase + parts[3]
        out.append((24, text))
        for key in ("contains", "minContains", "maxContains"):
            if key in m:
                self.lose(self.origin_of(raw, ex, key), key, m[key], "carried", text, False, None)
        return 0

    cdef int say_object(self, list out, dict m, object raw, uint64_t say, Scan* s, Extras ex) except -1:
        cdef dict w = self.t.words
        cdef object value
        cdef bint closed_said = False
        for code, name in ((K_ADDITIONAL, "additionalProperties"), (K_UNEVALPROPS, "unevaluatedProperties")):
            if (say >> <int>code) & 1:
                value = <object>s.value[<int>code]
                if value is False:
                    if self.closed and <int>code == K_UNEVALPROPS and self.writing_object:
                        continue
                    self.add_at(out, 30, self.origin_of(raw, ex, name), name, False, self.word0("closed"))
                elif self.constrains(value):
                    self.add_at(out, 31, self.origin_of(raw, ex, name), name, value,
                                fill1(w["additionalProperties"], self.phrase(value)))
                elif value is not True and type(value) is not dict:
                    raise Malformed(raw, name, "neither an object nor a boolean")
        self.say_counts(out, m, raw, say, s, ex, K_MINPROPS, K_MAXPROPS, "properties", "minProperties", "maxProperties",
                        "property", 32)
        if (say >> K_PROPNAMES) & 1:
            value = <object>s.value[K_PROPNAMES]
            if not (value is True or (type(value) is dict and self.only_strings(<dict>value))):
                if type(value) is dict and only_pattern(<dict>value):
                    text = fill1(w["propertyNames"], (<dict>value)["pattern"])
                else:
                    text = fill1(w["propertyNames"], self.schema_text(value))
                self.add_at(out, 34, self.origin_of(raw, ex, "propertyNames"), "propertyNames", value, text)
        if (say >> K_PATTERNPROPS) & 1:
            value = <object>s.value[K_PATTERNPROPS]
            if type(value) is not dict:
                raise Malformed(raw, "patternProperties", "no object")
            for pattern, schema in (<dict>value).items():
                self.add_at(out, 35, self.origin_of(raw, ex, "patternProperties"), "patternProperties", value,
                            fill2(w["patternProperties"], pattern, self.phrase(schema)))
        if (say >> K_DEPREQUIRED) & 1:
            value = <object>s.value[K_DEPREQUIRED]
            if type(value) is not dict:
                raise Malformed(raw, "dependentRequired", "no object")
            for name, names in (<dict>value).items():
                if type(names) is not list or any(type(one) is not str for one in names):
                    raise Malformed(raw, "dependentRequired", "no lists of strings")
                if names:
                    self.add_at(out, 36, self.origin_of(raw, ex, "dependentRequired"), "dependentRequired", value,
                                fill2(w["dependentRequired"], self.wire_name(name),
                                      ", ".join([self.wire_name(one) for one in names])))
        if (say >> K_DEPSCHEMAS) & 1:
            value = <object>s.value[K_DEPSCHEMAS]
            if type(value) is not dict:
                raise Malformed(raw, "dependentSchemas", "no object")
            for name, schema in (<dict>value).items():
                if adds_nothing(schema):
                    continue
                self.add_at(out, 37, self.origin_of(raw, ex, "dependentSchemas"), "dependentSchemas", value,
                            fill2(w["dependentSchemas"], self.wire_name(name), self.schema_text(schema)))
        return 0

    cdef bint only_strings(self, dict names):
        for key, value in names.items():
            code = code_of(key)
            if not is_annotation(code) and not (code == K_TYPE and value == "string"):
                return False
        return True

    cdef int say_annotations(self, list out, dict m, object raw, uint64_t say, Scan* s, Extras ex, int flags) except -1:
        cdef object value
        cdef dict w = self.t.words
        if (say >> K_DEFAULT) & 1:
            value = <object>s.value[K_DEFAULT]
            if not (value is None and flags & F_OPTIONAL and flags & F_NULLABLE):
                self.add_at(out, 60, self.origin_of(raw, ex, "default"), "default", value, fill1(w["default"], json_text(value)))
        if (say >> K_EXAMPLES) & 1:
            value = <object>s.value[K_EXAMPLES]
            if type(value) is list and value:
                self.add_at(out, 61, self.origin_of(raw, ex, "examples"), "examples", value,
                            fill1(w["examples"], ", ".join([json_text(one) for one in (<list>value)[:3]])))
        if (say >> K_DEPRECATED) & 1 and <object>s.value[K_DEPRECATED] is True:
            self.add_at(out, 62, self.origin_of(raw, ex, "deprecated"), "deprecated", True, self.word0("deprecated"))
        if (say >> K_CONTENTENCODING) & 1:
            value = <object>s.value[K_CONTENTENCODING]
            if type(value) is str:
                self.add_at(out, 63, self.origin_of(raw, ex, "contentEncoding"), "contentEncoding", value,
                            fill1(w["contentEncoding"], <str>value))
        return 0

    cdef bint takes_null(self, dict m):
        """Whether a raw node admits null."""
        cdef object kind = m.get("type"), values
        if type(kind) is str:
            return kind == "null"
        if kind is None and type(m.get("anyOf")) is list and "enum" not in m and "const" not in m:
            for branch in <list>m["anyOf"]:
                if type(branch) is dict and len(<dict>branch) == 1 and (<dict>branch).get("type") == "null":
                    return True
        values = value_list(m)
        if values is not None:
            return any(value is None for value in values)
        types = self.known_types(m, 0)
        return types == 0 or bool(types & T_NULL)

    cdef str one_of(self, list values, object raw):
        """`One of: ...`, at most 1,000 characters of values."""
        cdef list texts = [json_text(value) for value in values]
        cdef str text = ", ".join(texts)
        cdef Py_ssize_t used = 0, kept = 0
        if len(text) <= 1000:
            return fill1(self.t.words["enum"], text)
        for one in texts:
            more = len(<str>one) + (2 if kept else 0)
            if used + more > 1000:
                break
            used += more
            kept += 1
        self.lose(raw, "enum", values[kept:], "unspoken", "", False, None)
        return fill2(self.t.words["enumMore"], ", ".join(texts[:kept]), str(len(texts) - kept))

    cdef str condition_text(self, Scan* s, uint64_t say):
        cdef list parts = []
        for code, word in zip((K_IF, K_THEN, K_ELSE), self.t.condition_words):
            if (say >> <int>code) & 1:
                parts.append(f"{word} {self.schema_text(<object>s.value[<int>code])}")
        return " ".join(parts) + "."

    cdef str phrase(self, object raw):
        """A few words for a schema."""
        cdef str text = None
        cdef list values
        cdef object node = raw
        cdef int types
        if type(raw) is Both:
            node = (<Both>raw).parts[0]
        node = self.peeked(node)
        if type(node) is dict:
            node = self.upgraded(<dict>node)
        if type(node) is dict:
            own = raw if type(raw) is dict else node
            values = value_list(<dict>node)
            if values is not None and values:
                text = ", ".join([json_text(value) for value in values[:5]])
                if len(values) > 5:
                    text += ", ..."
            else:
                title = (<dict>own).get("title")
                if not (type(title) is str and title):
                    title = (<dict>node).get("title")
                if type(title) is str and title:
                    text = title
        if text is None:
            text = self.types_text(raw)
        if len(text) > 80:
            text = text[:77] + "..."
        return text

    cdef str types_text(self, object raw):
        cdef list names = self.type_names(raw, 0)
        return " or ".join(dict.fromkeys(names)) if names else self.t.any_json

    cdef list type_names(self, object raw, int hops):
        """The names of the types a raw node can match, in its own order; empty when not known."""
        cdef list names = [], more
        cdef object node
        if hops == 0:
            self.looks = MAX_LOOKS
        self.looks -= 1
        if hops > 24 or self.looks < 0:
            return names
        if type(raw) is Both:
            for part in (<Both>raw).parts:
                more = self.type_names(part, hops + 1)
                if more:
                    return more
            return names
        node = self.peeked(raw)
        if type(node) is dict:
            node = self.upgraded(<dict>node)
        if type(node) is not dict:
            return names
        kind = (<dict>node).get("type")
        if type(kind) is str:
            return [kind]
        if type(kind) is list:
            return [name for name in <list>kind if type(name) is str]
        values = value_list(<dict>node)
        if values is not None:
            return [name_of_type(type_of(value)) for value in values]
        for union in ("anyOf", "oneOf"):
            branches = (<dict>node).get(union)
            if type(branches) is list:
                for branch in <list>branches:
                    more = self.type_names(branch, hops + 1)
                    if not more:
                        return []
                    names.extend(more)
                return names
        branches = (<dict>node).get("allOf")
        if type(branches) is list:
            for branch in <list>branches:
                more = self.type_names(branch, hops + 1)
                if more:
                    return more
        return names

    cdef str schema_text(self, object raw):
        """Compact JSON of a raw schema: references resolved one level, at most 300 characters."""
        cdef str text = self.raw_text(raw, 0, 0)
        cdef list members
        cdef Py_ssize_t used = 1
        cdef int resolved = 0
        if type(raw) is dict and len(text) > 300 and self.has_reference(<dict>raw):
            reference = self.graph_reference(raw)
            if reference is not None:
                found = self.graph.settle(reference, self.scope).node
                if type(found) is dict:
                    raw = found
                    resolved = 1
        if len(text) <= 300 or type(raw) is not dict:
            return text if len(text) <= 300 else "{...}"
        members = []
        for key, value in (<dict>raw).items():
            member = f"{json_text(key)}:{self.raw_text(value, resolved, 1)}"
            if used + len(member) + 1 + 4 > 300:
                break
            members.append(member)
            used += len(member) + 1
        if not members:
            return "{" + ", ".join(list(<dict>raw)[:10]) + "}"
        return "{" + ",".join(members) + ",...}"

    cdef str raw_text(self, object value, int resolved, int depth):
        cdef Target target
        if depth > MAX_DEPTH:
            raise TooDeep()
        if type(value) is Both:
            return self.raw_text({"allOf": list((<Both>value).parts)}, resolved, depth)
        if type(value) is dict:
            if self.graph is not None or "$ref" in <dict>value:
                reference = None
                if type((<dict>value).get("$ref")) is str or (self.graph is not None and key_of(value) in self.graph.references):
                    reference = self.graph_reference(value)
                if reference is not None:
                    target = self.graph.settle(reference, self.scope)
                    if resolved or target.node is MISSING:
                        return "{" + self.title_of(target) + "}"
                    return self.raw_text(target.node, 1, depth + 1)
            return "{" + ",".join([
                f"{json_text(key)}:{self.raw_text(item, resolved, depth + 1)}" for key, item in (<dict>value).items()
            ]) + "}"
        if type(value) is list:
            return "[" + ",".join([self.raw_text(item, resolved, depth + 1) for item in <list>value]) + "]"
        return json_text(value)

    cdef object graph_reference(self, object node):
        """The reference of a node that the graph has read as a schema; None for data."""
        cdef Graph graph = self.need_graph()
        return graph.references.get(key_of(node))

    # ------------------------------------------------------------------ losses

    cdef int lose(self, object raw, str keyword, object value, str effect, str sentence, bint implicit, object out) except -1:
        if self.losses is None:
            return 0
        if type(raw) is dict:
            hops = 0
            while id(raw) in self.raw_of and hops < 100:
                raw = self.raw_of[id(raw)]
                hops += 1
        if self.unplaced and effect == "carried":
            effect = "unspoken"
        self.alive.append(raw)
        self.losses.append((raw, keyword, value, effect, sentence, implicit))
        return 0

    cdef int lose_openness(self, object raw, Extras ex, object value, bint is_map) except -1:
        """A closed object that was open (or a map beside names, which is encoded)."""
        if self.losses is None:
            return 0
        if is_map:
            self.lose(self.origin_of(raw, ex, "additionalProperties"), "additionalProperties", value, "encoded",
                      self.word0("entries"), False, None)
        elif value is None:
            self.lose(raw, "additionalProperties", None, "unreachable", "", True, None)
        else:
            self.lose(self.origin_of(raw, ex, "additionalProperties"), "additionalProperties", value, "unreachable", "",
                      False, None)
        return 0

    cdef int lose_rename(self, dict properties, str name, str wire) except -1:
        if self.losses is not None:
            self.lose(properties.get(name), "properties", name, "encoded", "", False, None)
        return 0

    cdef int lose_null(self, object raw) except -1:
        if self.losses is not None and raw is not None:
            self.lose(raw, "required", None, "unreachable", self.word0("null"), False, None)
        return 0

    cdef int lose_omission(self, object raw) except -1:
        if self.losses is not None and raw is not None:
            self.lose(raw, "required", None, "encoded", "", False, None)
        return 0


cdef dict NULL_BRANCH = {"type": "null"}

cdef dict RANKS = {
    "absent": 38, "const": 50, "enum": 51, "oneOf": 70, "not": 71, "if": 72, "$ref": 90,
}


cdef set on_cycles(dict inside):
    """The definitions that lead back to themselves (Tarjan, without recursion)."""
    cdef dict order = {}, low = {}
    cdef set on_stack = set(), found = set()
    cdef list stack = [], work
    for first in inside:
        if first in order:
            continue
        order[first] = low[first] = len(order)
        stack.append(first)
        on_stack.add(first)
        work = [(first, iter(inside[first]))]
        while work:
            key, onward = work[-1]
            for other in onward:
                if other not in order:
                    order[other] = low[other] = len(order)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(inside.get(other, ()))))
                    break
                if other in on_stack:
                    low[key] = min(low[key], order[other])
            else:
                work.pop()
                if work:
                    outer = work[-1][0]
                    low[outer] = min(low[outer], low[key])
                if low[key] == order[key]:
                    members = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        members.append(member)
                        if member == key:
                            break
                    if len(members) > 1 or key in inside.get(key, ()):
                        found.update(members)
    return found


BY_RANK = itemgetter(0)
ANCHOR = re.compile(r"[A-Za-z_][-A-Za-z0-9._]*")


cdef bint has_twins(list names):
    """Whether a list of names holds one twice."""
    cdef Py_ssize_t i, j
    if len(names) > 12:
        return len(set(names)) != len(names)
    for i in range(1, len(names)):
        for j in range(i):
            if names[i] == names[j]:
                return True
    return False


cdef object cloned(object value):
    """A copy of a spelled node, container by container."""
    cdef Py_ssize_t position = 0
    cdef PyObject* key
    cdef PyObject* item
    cdef dict out
    cdef list items
    cdef Py_ssize_t at
    if type(value) is dict:
        out = PyDict_Copy(<dict>value)
        while PyDict_Next(<dict>value, &position, &key, &item):
            if type(<object>item) is dict or type(<object>item) is list:
                PyDict_SetItem(out, <object>key, cloned(<object>item))
        return out
    items = list(<list>value)
    for at in range(len(items)):
        if type(items[at]) is dict or type(items[at]) is list:
            items[at] = cloned(items[at])
    return items


cdef bint clashes(int shape, int one):
    """Whether alternatives so far and one more share a JSON type that one of them uses as an encoding."""
    return bool(
        (one & S_TEXT and shape & T_STRING) or (shape & S_TEXT and one & T_STRING)
        or (one & S_ENTRIES and shape & T_ARRAY) or (shape & S_ENTRIES and one & T_ARRAY)
    )


cdef list distinct(list values):
    """JSON values, equal ones once."""
    cdef set seen = set()
    cdef list out = []
    for value in values:
        key = json_key(value)
        if key not in seen:
            seen.add(key)
            out.append(value)
    return out


cdef bint is_number(object value):
    return type(value) is int or (type(value) is float and <double>value - <double>value == 0.0)


cdef bint is_schema(object value):
    return type(value) is dict or type(value) is bool or type(value) is Both


cdef bint all_strings(list names):
    for name in names:
        if not PyUnicode_CheckExact(name):
            return False
    return True


cdef bint is_count(object value):
    return type(value) is int and value >= 0


cdef bint only_pattern(dict names):
    """Whether propertyNames says a pattern and nothing else."""
    if type(names.get("pattern")) is not str:
        return False
    for key, value in names.items():
        code = code_of(key)
        if not is_annotation(code) and not (code == K_TYPE and value == "string") and code != K_PATTERN:
            return False
    return True


cdef bint is_2020(str uri):
    return uri.rstrip("#") == "https://json-schema.org/draft/2020-12/schema"


cdef str name_of_type(int kind):
    for one, name in TYPE_ORDER:
        if kind == <int>one:
            return <str>name
    return "string"


cdef int type_of(object value):
    cdef object kind = type(value)
    if kind is str:
        return T_STRING
    if kind is bool:
        return T_BOOLEAN
    if kind is int:
        return T_INTEGER
    if kind is float:
        return T_NUMBER
    if value is None:
        return T_NULL
    if kind is list:
        return T_ARRAY
    return T_OBJECT


cdef int types_of_values(list values):
    cdef int types = 0
    for value in values:
        types |= type_of(value)
    if types & T_NUMBER:
        types &= ~T_INTEGER
    return types


cdef object constant_key(object value):
    """A key that is equal for equal JSON values."""
    if type(value) is float and value.is_integer():
        value = int(value)
    return json_text(value)
