# cython: language_level=3
"""Reference targets of a schema document: resolving, cycles, and what expanding one costs.

A `Graph` is made when the walk meets the first reference. It reads only what the root reaches; identifiers and
anchors are indexed when a reference needs them. Remote references resolve from the given resources alone.
"""
from urllib.parse import quote, unquote, urljoin

from cpython.dict cimport PyDict_Next
from cpython.object cimport PyObject

from toolglot.core.keywords cimport *
from toolglot.core.wording cimport json_text
from toolglot.core.wording import Malformed, TooDeep

cdef int ROOM = 254
cdef long long ENDLESS = 1 << 60


cdef extern from "Python.h":
    object PyLong_FromVoidPtr(void*)


cdef object key_of(object node):
    """The identity of a node, as a dict's key."""
    return PyLong_FromVoidPtr(<void*>node)


class _Missing:
    def __repr__(self):
        return "MISSING"


MISSING = _Missing()


class Unresolvable(Exception):
    """A reference that points nowhere: the raw node and the reference as written."""


cdef class Target:
    def __repr__(self):
        return f"Target({self.pointer!r})"


cdef class Resource:
    def __init__(self, str base, object root, object document, tuple path):
        self.base = base
        self.root = root
        self.document = document
        self.path = path
        self.anchors = {}
        self.dynamic = {}
        self.recursive = type(root) is dict and root.get("$recursiveAnchor") is True


cdef class Dynamic:
    def __init__(self, Target initial, str anchor):
        self.initial = initial
        self.anchor = anchor


# How a keyword holds schemas.
cdef enum:
    H_NONE = 0
    H_ONE = 1       # a schema
    H_LIST = 2      # a list of schemas
    H_MAP = 3       # names to schemas
    H_EITHER = 4    # a schema or a list of them
    H_LOOSE = 5     # names to schemas or to lists of strings
    H_DEFS = 6      # definitions: not part of the place itself

cdef int HOLDS[64]
cdef int _k
for _k in range(64):
    HOLDS[_k] = H_NONE
for _k in (K_CONTAINS, K_ADDITIONAL, K_UNEVALPROPS, K_PROPNAMES, K_NOT, K_IF, K_THEN, K_ELSE, K_UNEVALITEMS,
           K_ADDITIONALITEMS):
    HOLDS[_k] = H_ONE
for _k in (K_PREFIXITEMS, K_ANYOF, K_ONEOF, K_ALLOF):
    HOLDS[_k] = H_LIST
for _k in (K_PROPERTIES, K_PATTERNPROPS, K_DEPSCHEMAS):
    HOLDS[_k] = H_MAP
HOLDS[K_ITEMS] = H_EITHER
HOLDS[K_DEPENDENCIES] = H_LOOSE
HOLDS[K_DEFS] = H_DEFS
HOLDS[K_DEFINITIONS] = H_DEFS


cdef class Graph:
    def __init__(self, object document, dict given, bint old_siblings, bint old_ids, bint bare_refs, bint strict):
        self.targets = []
        self.references = {}
        self.in_place = {}
        self.missing = []
        self.kept_alive = []
        self.by_key = {}
        self.local = {}
        self.bases = {}
        self.resources = {}
        self.given = given
        self.old_siblings = old_siblings
        self.old_ids = old_ids
        self.bare_refs = bare_refs
        self.strict = strict
        self.limit = ENDLESS
        base = document.get("id" if old_ids else "$id") if type(document) is dict else None
        base = base if type(base) is str else ""
        self.main = Resource(base.split("#", 1)[0], document, document, ())
        self.resources[self.main.base] = self.main
        self.pending = []
        self.root = self.add(document, self.main, (), "#")
        while self.pending:
            target = <Target>self.pending.pop()
            self.read_target(target)
        self.find_components()

    cdef void dispose(self):
        """Lets go of what the targets of a recursion hold of each other, so that nothing waits for the collector."""
        cdef object target
        for target in self.targets:
            (<Target>target).edges = None
            (<Target>target).onward = None
            (<Target>target).spelled = None

    def __del__(self):
        if self.targets is not None:
            self.dispose()

    # ------------------------------------------------------------------ targets

    cdef Target add(self, object node, Resource resource, tuple path, str pointer):
        cdef object key = key_of(node) if type(node) is dict else (key_of(resource.document), path)
        cdef object found = self.by_key.get(key)
        if found is not None:
            return <Target>found
        cdef Target target = Target()
        target.node = node
        target.resource = resource
        target.path = path
        target.pointer = pointer
        target.index = len(self.targets)
        target.component = -1
        target.cyclic = False
        target.looped = False
        target.loop_known = False
        target.on_stack = False
        target.single = False
        target.single_null = False
        target.merging = False
        target.shape = -1
        target.uses = 0
        target.edges = []
        target.size = 0
        target.depth = 0
        target.cost = -1
        target.reach = -1
        target.order = -1
        target.component = -1
        self.targets.append(target)
        self.by_key[key] = target
        self.pending.append(target)
        return target

    cdef object name_of(self, Target target):
        """What a target is called: its definition's name, its anchor, or the last segment that is no keyword."""
        cdef tuple path = target.path
        if len(path) > 1 and path[-2] in ("$defs", "definitions", "defs"):
            return path[-1]
        if type(target.node) is dict and target is not self.root:
            for key in ("$anchor", "$dynamicAnchor"):
                if type((<dict>target.node).get(key)) is str:
                    return (<dict>target.node)[key]
        if not path:
            return None
        for segment in reversed(path):
            if code_of(segment) < 0 and segment != "defs" and not segment.isdigit():
                return segment
        return path[-1]

    cdef object reference_of(self, object node):
        """The target (or Dynamic) of a raw node that holds a reference; reads it now if the graph has not."""
        cdef object found = self.references.get(key_of(node))
        if found is None:
            if not self.holds_reference(<dict>node):
                raise Malformed(node, "$ref", "no reference")
            # the node may be one that the walk made: its identity must not be used again
            self.kept_alive.append(node)
            self.read_reference(node, self.main)
            while self.pending:
                target = <Target>self.pending.pop()
                self.read_target(target)
            self.find_components()
            found = self.references.get(key_of(node))
        return found

    cdef void adopt(self, object node, object reference):
        """Lets a node made by the walk refer to what another node refers to."""
        self.references[key_of(node)] = reference
        self.kept_alive.append(node)

    cdef Target settle(self, object reference, list scope):
        """The target of a reference, given the resources entered so far (outermost first)."""
        cdef Dynamic dynamic
        cdef Resource resource
        if type(reference) is Target:
            return <Target>reference
        dynamic = <Dynamic>reference
        for resource in scope:
            if dynamic.anchor is None:
                if resource.recursive:
                    return self.add_now(resource.root, resource, resource.path, "#")
            elif dynamic.anchor in resource.dynamic:
                node, path = resource.dynamic[dynamic.anchor]
                return self.add_now(node, resource, path, "#" + dynamic.anchor)
        return dynamic.initial

    cdef Target add_now(self, object node, Resource resource, tuple path, str pointer):
        cdef Target target = self.add(node, resource, path, pointer)
        if self.pending:
            while self.pending:
                self.read_target(<Target>self.pending.pop())
            self.find_components()
        return target

    # ------------------------------------------------------------------ reading

    cdef int read_target(self, Target target) except -1:
        """Collects the references below a target (definitions apart), its size and its depth."""
        target.edges = []
        target.size = self.gather(target.node, target.resource, 1, target, 0)
        return 0

    cdef long long gather(self, object node, Resource resource, int depth, Target target, int stack) except -1:
        """Reads a schema below a target; returns its size in JSON values."""
        cdef Py_ssize_t position = 0
        cdef PyObject* key
        cdef PyObject* value
        cdef int code, holds
        cdef long long size = 1
        cdef bint refers = False
        cdef Py_ssize_t before
        cdef object reference
        if depth > target.depth:
            target.depth = depth
        if type(node) is not dict:
            return 1
        if stack > 2 * ROOM:
            raise TooDeep()
        if node is not target.node and (("id" if self.old_ids else "$id") in <dict>node):
            resource = self.embedded(node, resource)
        before = len(target.edges)
        if self.old_siblings and self.holds_reference(<dict>node):
            refers = True
        while not (refers and self.old_siblings) and PyDict_Next(<dict>node, &position, &key, &value):
            code = quick_code(key)
            holds = HOLDS[code] if code >= 0 else H_NONE
            if holds == H_NONE:
                if code == K_REF or code == K_DYNREF or code == K_RECREF or (
                    code == -1 and self.bare_refs and <object>key == "ref"
                ):
                    refers = True
                size += size_of(<object>value, ROOM)
            elif holds == H_ONE:
                size += self.gather(<object>value, resource, depth + 1, target, stack + 1)
            elif holds != H_DEFS:
                size += self.gather_all(<object>value, holds, resource, depth, target, stack)
        if refers and self.holds_reference(<dict>node):
            self.read_reference(node, resource)
            reference = self.references.get(key_of(node))
            if reference is not None:
                target.edges.insert(before, (reference, depth))
        return size

    cdef long long gather_all(self, object value, int holds, Resource resource, int depth, Target target,
                              int stack) except -1:
        """Reads the schemas that a list or a map holds."""
        cdef long long size = 1
        cdef Py_ssize_t position = 0
        cdef PyObject* key
        cdef PyObject* one
        if type(value) is list:
            if holds == H_LIST or holds == H_EITHER:
                for item in <list>value:
                    size += self.gather(item, resource, depth + 2, target, stack + 1)
        elif type(value) is dict:
            if holds == H_EITHER:
                return self.gather(value, resource, depth + 1, target, stack + 1)
            if holds == H_MAP or holds == H_LOOSE:
                while PyDict_Next(<dict>value, &position, &key, &one):
                    if type(<object>one) is list:
                        size += size_of(<object>one, ROOM)
                    else:
                        size += self.gather(<object>one, resource, depth + 2, target, stack + 1)
        return size

    cdef bint holds_reference(self, dict node) except -1:
        if type(node.get("$ref")) is str or type(node.get("$dynamicRef")) is str:
            return True
        if self.bare_refs:
            bare = node.get("ref")
            if type(bare) is str and bare.startswith("#/defs/"):
                return True
        return node.get("$recursiveRef") == "#"

    cdef Resource embedded(self, object node, Resource outer):
        """The resource that a node with its own identifier opens; the outer one if it opens none."""
        cdef object uri = (<dict>node).get("id" if self.old_ids else "$id")
        if type(uri) is not str or uri.startswith("#") or (self.old_siblings and "$ref" in <dict>node):
            return outer
        self.index()
        cdef str base = urljoin(outer.base, uri).split("#", 1)[0]
        found = self.resources.get(base)
        return <Resource>found if found is not None and (<Resource>found).root is node else outer

    cdef int index(self) except -1:
        """Reads every identifier and anchor of the documents, once."""
        if self.indexed:
            return 0
        self.indexed = True
        self.index_document(self.main)
        for uri, document in self.given.items():
            self.resource_of(uri)
        self.dynamic = any((<Resource>r).dynamic or (<Resource>r).recursive for r in self.resources.values())
        return 0

    cdef int index_document(self, Resource first) except -1:
        cdef list stack = [(first.root, first, ())]
        cdef Resource resource
        cdef object node, value, item
        cdef tuple path
        cdef str id_key = "id" if self.old_ids else "$id"
        while stack:
            node, resource, path = stack.pop()
            if type(node) is not dict or len(path) > 2 * ROOM:
                continue
            uri = (<dict>node).get(id_key)
            if type(uri) is str and not (self.old_siblings and "$ref" in <dict>node):
                if uri.startswith("#"):
                    resource.anchors.setdefault(unquote(uri[1:]), (node, path))
                elif node is not first.root:
                    base = urljoin(resource.base, uri).split("#", 1)[0]
                    if base not in self.resources:
                        self.resources[base] = Resource(base, node, first.document, path)
                    resource = <Resource>self.resources[base]
                    if resource.root is not node:
                        resource = Resource(base, node, first.document, path)
            anchor = (<dict>node).get("$anchor")
            if type(anchor) is str:
                resource.anchors.setdefault(anchor, (node, path))
            anchor = (<dict>node).get("$dynamicAnchor")
            if type(anchor) is str:
                resource.anchors.setdefault(anchor, (node, path))
                resource.dynamic.setdefault(anchor, (node, path))
            for key, value in (<dict>node).items():
                code = code_of(key)
                if code < 0:
                    if key == "defs" and self.bare_refs and type(value) is dict:
                        for name, item in (<dict>value).items():
                            stack.append((item, resource, path + (key, name)))
                    continue
                if HOLDS[code] == H_NONE:
                    continue
                if type(value) is list:
                    for at, item in enumerate(<list>value):
                        stack.append((item, resource, path + (key, str(at))))
                elif HOLDS[code] in (H_MAP, H_LOOSE, H_DEFS):
                    if type(value) is dict:
                        for name, item in (<dict>value).items():
                            stack.append((item, resource, path + (key, name)))
                elif type(value) is dict:
                    stack.append((value, resource, path + (key,)))
        return 0

    cdef Resource resource_of(self, str uri):
        """The resource of an absolute URI: embedded, or given; None if there is none."""
        cdef object found = self.resources.get(uri)
        if found is not None:
            return <Resource>found
        document = self.given.get(uri)
        if document is None:
            document = self.given.get(uri + "#")
        if document is None:
            return None
        cdef Resource resource = Resource(uri, document, document, ())
        self.resources[uri] = resource
        own = document.get("$id") if type(document) is dict else None
        if type(own) is str:
            resource.base = urljoin(uri, own).split("#", 1)[0]
            self.resources.setdefault(resource.base, resource)
        self.index_document(resource)
        return resource

    cdef int read_reference(self, object node, Resource resource) except -1:
        """Finds what a node's reference points to and remembers it for the node."""
        cdef object reference = (<dict>node).get("$ref")
        cdef object known = self.references.get(key_of(node))
        if known is not None:
            return 0
        self.bases[key_of(node)] = resource
        cdef str text
        cdef Target target
        if type(reference) is str:
            target = self.find(<str>reference, resource, node)
            self.references[key_of(node)] = target
            return 0
        if self.bare_refs and type((<dict>node).get("ref")) is str:
            target = self.find((<dict>node)["ref"], resource, node)
            self.references[key_of(node)] = target
            return 0
        reference = (<dict>node).get("$dynamicRef")
        if type(reference) is str:
            self.index()
            text = <str>reference
            target = self.find(text, resource, node)
            anchor = unquote(text.split("#", 1)[1]) if "#" in text else ""
            if anchor and not anchor.startswith("/") and type(target.node) is dict \
                    and (<dict>target.node).get("$dynamicAnchor") == anchor:
                self.references[key_of(node)] = self.dynamic_reference(target, anchor)
            else:
                self.references[key_of(node)] = target
            return 0
        if (<dict>node).get("$recursiveRef") == "#":
            self.index()
            target = self.find("#", resource, node)
            if type(target.node) is dict and (<dict>target.node).get("$recursiveAnchor") is True:
                self.references[key_of(node)] = self.dynamic_reference(target, None)
            else:
                self.references[key_of(node)] = target
        return 0

    cdef object dynamic_reference(self, Target target, object anchor):
        """A Dynamic, or the plain target where only one resource could ever answer."""
        cdef list candidates = [
            r for r in self.resources.values()
            if (anchor is None and (<Resource>r).recursive) or (anchor is not None and anchor in (<Resource>r).dynamic)
        ]
        if len(candidates) < 2:
            return target
        return Dynamic(target, anchor)

    cdef Target find(self, str reference, Resource resource, object node):
        """The target of a reference read in a resource."""
        cdef str uri, fragment
        cdef object found
        cdef tuple path
        found = self.local.get(reference) if resource is self.main else None
        if found is not None:
            return <Target>found
        if resource is self.main and type(resource.root) is dict and reference.startswith("#/$defs/"):
            definitions = (<dict>resource.root).get("$defs")
            fragment = reference[8:]
            if type(definitions) is dict and "/" not in fragment and "%" not in fragment and "~" not in fragment:
                at = (<dict>definitions).get(fragment)
                if type(at) is dict and ("id" if self.old_ids else "$id") not in <dict>at:
                    target = self.add(at, resource, ("$defs", fragment), reference)
                    self.local[reference] = target
                    return target
        uri, _, fragment = reference.partition("#")
        if uri:
            self.index()
            resource_found = self.resource_of(urljoin(resource.base, uri))
            if resource_found is None:
                resource_found = self.resource_of(uri)
            if resource_found is None:
                return self.nowhere(reference, resource, node)
            resource = resource_found
        if not fragment:
            return self.add(resource.root, resource, resource.path, reference)
        if fragment.startswith("/"):
            target = self.follow(unquote(fragment), resource, reference)
            if target is None and "%" in fragment:
                target = self.follow(fragment, resource, reference)
            return target if target is not None else self.nowhere(reference, resource, node)
        self.index()
        found = resource.anchors.get(unquote(fragment))
        if found is None:
            return self.nowhere(reference, resource, node)
        return self.add(found[0], resource, found[1], reference)

    cdef Target follow(self, str pointer, Resource resource, str reference):
        cdef object at = resource.root
        cdef list path = list(resource.path)
        cdef str segment
        cdef str id_key = "id" if self.old_ids else "$id"
        cdef Resource inside = resource
        for segment in pointer.split("/")[1:]:
            segment = segment.replace("~1", "/").replace("~0", "~")
            if type(at) is dict:
                if segment not in <dict>at:
                    return None
                at = (<dict>at)[segment]
            elif type(at) is list:
                if not segment.isdigit() or len(segment) > 9 or int(segment) >= len(<list>at):
                    return None
                at = (<list>at)[int(segment)]
            else:
                return None
            path.append(segment)
            if type(at) is dict and id_key in <dict>at:
                inside = self.embedded(at, inside)
        if type(at) is not dict and type(at) is not bool:
            return None
        return self.add(at, inside, tuple(path), reference)

    cdef Target nowhere(self, str reference, Resource resource, object node):
        if self.strict:
            raise Unresolvable(node, reference)
        self.missing.append((node, reference))
        cdef Target target = self.add(MISSING, resource, ("missing", reference), reference)
        return target

    # ------------------------------------------------------------------ cycles

    cdef list successors(self, Target target):
        """The targets that a target refers to; a dynamic reference leads to all it may reach."""
        cdef list out = []
        cdef object reference
        for reference, _ in target.edges:
            if type(reference) is Target:
                out.append(reference)
            else:
                out.append((<Dynamic>reference).initial)
                for resource in list(self.resources.values()):
                    if (<Dynamic>reference).anchor is None:
                        if (<Resource>resource).recursive:
                            out.append(self.add((<Resource>resource).root, resource, (<Resource>resource).path, "#"))
                    elif (<Dynamic>reference).anchor in (<Resource>resource).dynamic:
                        node, path = (<Resource>resource).dynamic[(<Dynamic>reference).anchor]
                        out.append(self.add(node, resource, path, "#" + (<Dynamic>reference).anchor))
        return out

    cdef int find_components(self) except -1:
        """Strongly connected components (Tarjan, without recursion)."""
        cdef list stack = [], work = []
        cdef Target target, other, member
        cdef int counter = 0, components = 0, at
        cdef bint descended
        cdef Py_ssize_t size
        for target in list(self.targets):
            target.onward = self.successors(target)
        while self.pending:
            target = <Target>self.pending.pop()
            self.read_target(target)
            target.onward = self.successors(target)
        for target in self.targets:
            target.order = -1
            target.on_stack = False
            target.cost = -1
            target.reach = -1
        for first in self.targets:
            if (<Target>first).order >= 0:
                continue
            work.append([first, 0])
            (<Target>first).order = (<Target>first).low = counter
            counter += 1
            stack.append(first)
            (<Target>first).on_stack = True
            while work:
                frame = <list>work[-1]
                target = <Target>frame[0]
                at = <int>frame[1]
                descended = False
                size = len(target.onward)
                while at < size:
                    other = <Target>target.onward[at]
                    at += 1
                    if other.order < 0:
                        other.order = other.low = counter
                        counter += 1
                        stack.append(other)
                        other.on_stack = True
                        frame[1] = at
                        work.append([other, 0])
                        descended = True
                        break
                    if other.on_stack and other.order < target.low:
                        target.low = other.order
                if descended:
                    continue
                work.pop()
                if work:
                    other = <Target>(<list>work[-1])[0]
                    if target.low < other.low:
                        other.low = target.low
                if target.low == target.order:
                    members = []
                    while True:
                        member = <Target>stack.pop()
                        member.on_stack = False
                        member.component = components
                        member.cyclic = True
                        members.append(member)
                        if member is target:
                            break
                    if len(members) == 1:
                        target.cyclic = target in target.onward
                    components += 1
        for target in self.targets:
            if target.cyclic:
                target.looped = self.is_loop(target)
                if type(target.node) is dict and target is not self.root \
                        and not (len(target.path) > 1 and target.path[-2] in ("$defs", "definitions", "defs")):
                    self.in_place[key_of(target.node)] = target
        return 0

    cdef str aimed(self, object node, str reference):
        """A reference as it is written once old constructs are upgraded, percent-encoded."""
        cdef str uri, fragment, segment
        cdef list out = []
        cdef object at
        cdef Resource resource
        uri, mark, fragment = reference.partition("#")
        self.reference_of(node)
        if not fragment.startswith("/"):
            return reference
        resource = self.bases.get(key_of(node), self.main)
        if uri:
            found = self.resource_of(urljoin(resource.base, uri))
            if found is None:
                return reference
            resource = found
        at = resource.root
        plain = unquote(fragment)
        if self.follow(plain, resource, reference) is None:
            plain = fragment
        for segment in plain.split("/")[1:]:
            segment = segment.replace("~1", "/").replace("~0", "~")
            new = segment
            if type(at) is dict:
                value = (<dict>at).get(segment)
                if segment == "items" and type(value) is list:
                    new = "prefixItems"
                elif segment == "additionalItems" and type((<dict>at).get("items")) is list:
                    new = "items"
                elif segment == "dependencies" and type(value) is dict:
                    new = "dependentSchemas"
                elif segment == "defs" and self.bare_refs and at is self.main.root:
                    new = "$defs"
                at = value
            elif type(at) is list and segment.isdigit() and len(segment) < 9 and int(segment) < len(<list>at):
                at = (<list>at)[int(segment)]
            else:
                at = None
            out.append(quote(new.replace("~", "~0").replace("/", "~1"), safe="~!$&'()*+,;=:@"))
        return f"{uri}#/" + "/".join(out)

    cdef bint is_loop(self, Target target) except -1:
        """Whether following bare references from a target never reaches a schema; settles all that it passes."""
        cdef list passed = []
        cdef Target at = target, one
        cdef object reference
        cdef bint loop
        while True:
            if at.loop_known:
                loop = at.looped
                break
            if at.on_stack:
                loop = True
                break
            at.on_stack = True
            passed.append(at)
            if type(at.node) is not dict or not self.is_bare(<dict>at.node):
                loop = False
                break
            reference = self.references.get(key_of(at.node))
            if type(reference) is not Target:
                loop = False
                break
            at = <Target>reference
        for one in passed:
            one.on_stack = False
            one.loop_known = True
            one.looped = loop
        return loop

    cdef bint is_bare(self, dict node) except -1:
        if not self.holds_reference(node):
            return False
        if self.old_siblings:
            return True
        for key in node:
            code = code_of(key)
            if not (code == K_REF or code == K_DYNREF or code == K_RECREF or is_annotation(code)):
                return False
        return True

    # ------------------------------------------------------------------ what expanding costs

    cdef long long cost_of(self, Target target) except -1:
        """JSON values that a new entry at this target expands to, all inner expansions included; past `limit` it is
        ENDLESS, and no more is counted."""
        cdef list work = [target]
        cdef list lacking
        cdef Target at
        if target.cost >= 0:
            return target.cost
        while work:
            at = <Target>work[-1]
            if at.cost >= 0:
                work.pop()
                continue
            self.over = False
            lacking = self.simulate(at)
            if self.over:
                # more than is left here is more than is left for all that holds it
                return ENDLESS
            if lacking:
                if len(work) > 4 * len(self.targets) + 8:
                    at.cost = ENDLESS
                    at.reach = 2 * ROOM
                    work.pop()
                    continue
                work.extend(lacking)
            else:
                work.pop()
        return target.cost

    cdef int reach_of(self, Target target) except -1:
        """How many containers deep a new entry at this target nests."""
        self.cost_of(target)
        return target.reach if target.cost >= 0 else 0

    cdef list simulate(self, Target entry):
        """Sets cost and reach of an entry; or says which targets must be known first."""
        cdef long long total = 0
        cdef int reach = 0
        cdef set expanded = {entry.index}
        cdef list stack = [(entry, 0)]
        cdef list lacking = []
        cdef Target target, other
        cdef int at, depth
        while stack:
            target, at = stack.pop()
            total += target.size
            if total > self.limit:
                self.over = True
                return None
            if at + target.depth > reach:
                reach = at + target.depth
            for reference, depth in target.edges:
                other = <Target>reference if type(reference) is Target else (<Dynamic>reference).initial
                if other.cyclic and other.component == entry.component:
                    if other.index in expanded:
                        continue
                    expanded.add(other.index)
                    stack.append((other, at + depth - 1))
                elif other.cost < 0:
                    lacking.append(other)
                else:
                    # the target stands where the reference stood
                    total += other.cost
                    if at + depth - 1 + other.reach > reach:
                        reach = at + depth - 1 + other.reach
                    if total > ENDLESS:
                        total = ENDLESS
        if lacking:
            return lacking
        entry.cost = total if total < ENDLESS else ENDLESS
        entry.reach = reach if reach < 100000 else 100000
        return None


cdef long long size_of(object value, int room) except -1:
    """JSON values in a piece of data; a long text counts as one more for every 256 characters."""
    cdef long long size = 1
    if type(value) is str:
        return 1 + (len(<str>value) >> 8)
    if type(value) is dict:
        if room <= 0:
            raise TooDeep()
        for item in (<dict>value).values():
            size += size_of(item, room - 1)
    elif type(value) is list:
        if room <= 0:
            raise TooDeep()
        for item in <list>value:
            size += size_of(item, room - 1)
    return size
