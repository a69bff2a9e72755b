"""References: what they point to, how targets hang together, and what an expansion costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from tests.twin.reading import (
    KEYWORDS,
    ONE_SCHEMA,
    REFERENCES,
    SCHEMA_LISTS,
    SCHEMA_MAPS,
    Document,
    Entry,
    Joined,
    NotASchema,
    Place,
    Resource,
    UnresolvableReference,
    check_json,
    draft_of,
    is_assertion,
    is_schema,
    read,
)

# --- URIs ------------------------------------------------------------------------------------------------------


def split_uri(uri: str) -> tuple[str, str]:
    head, _, fragment = uri.partition("#")
    return head, fragment


def parts_of(uri: str) -> tuple[str | None, str | None, str, str | None]:
    """Scheme, authority, path, query of a URI without fragment."""
    scheme = None
    head, colon, rest = uri.partition(":")
    if colon and head and head[0].isalpha() and all(c.isalnum() or c in "+-." for c in head):
        scheme, uri = head, rest
    query = None
    if "?" in uri:
        uri, _, query = uri.partition("?")
    authority = None
    if uri.startswith("//"):
        authority, slash, path = uri[2:].partition("/")
        uri = slash + path
    return scheme, authority, uri, query


def join_uri(base: str, reference: str) -> str:
    """RFC 3986, section 5.2, for references without fragment."""
    if reference == "":
        return base
    scheme, authority, path, query = parts_of(reference)
    if scheme is None:
        base_scheme, base_authority, base_path, base_query = parts_of(base)
        scheme = base_scheme
        if authority is None:
            authority = base_authority
            if path == "":
                path = base_path
                query = base_query if query is None else query
            elif not path.startswith("/"):
                folder = base_path.rpartition("/")[0]
                path = f"{folder}/{path}" if "/" in base_path or authority is not None else path
    path = remove_dots(path)
    text = "" if scheme is None else f"{scheme}:"
    if authority is not None:
        text += f"//{authority}"
    text += path
    return text if query is None else f"{text}?{query}"


def remove_dots(path: str) -> str:
    if "." not in path:
        return path
    segments = path.split("/")
    kept: list[str] = []
    for index, segment in enumerate(segments):
        last = index == len(segments) - 1
        if segment == "." or segment == "..":
            if segment == ".." and kept and kept[-1] != "":
                kept.pop()
            if last:
                kept.append("")
        else:
            kept.append(segment)
    return "/".join(kept)


# --- the library of documents ----------------------------------------------------------------------------------


class Library:
    """The author's document and the caller's resources: finds what a reference points to."""

    def __init__(self, schema: Any, resources: dict[str, Any] | None, draft: str | None) -> None:
        self.resources: dict[str, Resource] = {}
        self.documents: list[Document] = []
        self.document = self.add(schema, "", draft)
        for uri, raw in (resources or {}).items():
            check_json(raw)
            if is_schema(raw):
                self.add(raw, split_uri(uri)[0], draft)

    def add(self, raw: Any, uri: str, draft: str | None) -> Document:
        document = Document(raw, len(self.documents), uri, draft_of(raw, draft))
        self.documents.append(document)
        self.number_places(document)
        root = Resource(uri, document, ())
        document.resources[()] = root
        self.resources.setdefault(uri, root)
        self.find_identifiers(document, raw, (), root)
        return document

    def number_places(self, document: Document) -> None:
        """The position of every value in the document."""
        stack: list[tuple[tuple[str, ...], Any]] = [((), document.raw)]
        while stack:
            pointer, value = stack.pop()
            document.order[pointer] = len(document.order)
            if isinstance(value, dict):
                stack.extend(((*pointer, key), child) for key, child in reversed(value.items()))
            elif isinstance(value, list):
                stack.extend(((*pointer, str(i)), child) for i, child in reversed(list(enumerate(value))))

    def find_identifiers(self, document: Document, raw: Any, pointer: tuple[str, ...], resource: Resource) -> None:
        if not isinstance(raw, dict):
            return
        if document.old and "$ref" in raw:
            return
        identifier = raw.get("id" if document.draft in ("3", "4") else "$id")
        if isinstance(identifier, str):
            head, fragment = split_uri(identifier)
            if head:
                uri = join_uri(resource.uri, head)
                if pointer == ():
                    resource.uri = uri
                else:
                    resource = Resource(uri, document, pointer)
                    document.resources[pointer] = resource
                self.resources.setdefault(uri, resource)
            if fragment and not fragment.startswith("/"):
                resource.anchors.setdefault(fragment, pointer)
        for word, table in (("$anchor", resource.anchors), ("$dynamicAnchor", resource.dynamic)):
            if isinstance(raw.get(word), str):
                table.setdefault(raw[word], pointer)
                resource.anchors.setdefault(raw[word], pointer)
        if raw.get("$recursiveAnchor") is True and resource.pointer == pointer:
            resource.recursive = True
        for segments, child in raw_children(raw, document.reads_defs):
            self.find_identifiers(document, child, pointer + segments, resource)

    def root_place(self) -> Place:
        root = self.document.resources[()]
        return Place(self.document.raw, self.document, (), root, (root,))

    # --- resolving ---

    def resolve(self, place: Place, word: str, value: str) -> Place:
        """The target of a reference that stands at this place."""
        if word == "$recursiveRef" and value == "#":
            resource = place.resource
            if resource.recursive:
                resource = next(one for one in place.scope if one.recursive)
            return self.target(place, resource, resource.pointer, None)
        head, fragment = split_uri(value)
        uri = join_uri(place.resource.uri, head) if head else place.resource.uri
        resource = place.resource if not head else self.resources.get(uri)
        if resource is None:
            raise UnresolvableReference(f"at {place.path or 'the root'}: {value}")
        fragment = unquote(fragment)
        if fragment == "":
            return self.target(place, resource, resource.pointer, None)
        if fragment.startswith("/"):
            return self.follow_pointer(place, resource, fragment, value)
        if fragment not in resource.anchors:
            raise UnresolvableReference(f"at {place.path or 'the root'}: {value}")
        if word == "$dynamicRef" and fragment in resource.dynamic:
            resource = next((one for one in place.scope if fragment in one.dynamic), resource)
            return self.target(place, resource, resource.dynamic[fragment], fragment)
        return self.target(place, resource, resource.anchors[fragment], fragment)

    def follow_pointer(self, place: Place, resource: Resource, fragment: str, value: str) -> Place:
        pointer = resource.pointer
        raw = self.raw_at(resource.document, pointer)
        for segment in fragment.split("/")[1:]:
            segment = segment.replace("~1", "/").replace("~0", "~")
            if isinstance(raw, dict) and segment in raw:
                raw = raw[segment]
            elif isinstance(raw, list) and segment.isdecimal() and segment.isascii() and int(segment) < len(raw):
                if segment != "0" and segment.startswith("0"):
                    raise UnresolvableReference(f"at {place.path or 'the root'}: {value}")
                raw = raw[int(segment)]
            else:
                raise UnresolvableReference(f"at {place.path or 'the root'}: {value}")
            pointer = (*pointer, segment)
            resource = resource.document.resources.get(pointer, resource)
        return self.target(place, resource, pointer, None)

    def raw_at(self, document: Document, pointer: tuple[str, ...]) -> Any:
        raw = document.raw
        for segment in pointer:
            raw = raw[int(segment)] if isinstance(raw, list) else raw[segment]
        return raw

    def target(self, place: Place, resource: Resource, pointer: tuple[str, ...], called: str | None) -> Place:
        raw = self.raw_at(resource.document, pointer)
        if not is_schema(raw):
            raise NotASchema(f"the reference at {place.path or 'the root'} leads to no schema")
        scope = place.scope if resource in place.scope else (*place.scope, resource)
        return replace(
            place, raw=raw, document=resource.document, pointer=pointer, resource=resource, scope=scope, called=called
        )

    def may_reach(self, place: Place, word: str, value: str) -> list[Place]:
        """Every target a reference may have, whatever the dynamic scope."""
        targets = [self.resolve(place, word, value)]
        if word == "$dynamicRef":
            anchor = unquote(split_uri(value)[1])
            for document in self.documents:
                for resource in document.resources.values():
                    if anchor in resource.dynamic:
                        targets.append(self.target(place, resource, resource.dynamic[anchor], anchor))
        if word == "$recursiveRef":
            for document in self.documents:
                for resource in document.resources.values():
                    if resource.recursive:
                        targets.append(self.target(place, resource, resource.pointer, None))
        return targets


def raw_children(raw: dict, reads_defs: bool) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Where schemas stand in a raw schema object."""
    maps = [*SCHEMA_MAPS, "$defs", "definitions", "dependencies"] + (["defs"] if reads_defs else [])
    for word, value in raw.items():
        if word in maps and isinstance(value, dict):
            for name, child in value.items():
                yield (word, name), child
        elif word in (*SCHEMA_LISTS, "items") and isinstance(value, list):
            for index, child in enumerate(value):
                yield (word, str(index)), child
        elif word in ONE_SCHEMA or word == "additionalItems":
            yield (word,), value


# --- the graph of targets --------------------------------------------------------------------------------------


def children(words: dict[str, Any]) -> Iterator[Any]:
    for word, value in words.items():
        if word in SCHEMA_MAPS:
            yield from value.values()
        elif word in SCHEMA_LISTS:
            yield from value
        elif word in ONE_SCHEMA:
            yield value


class Graph:
    """Which targets lead to which, and which of them lie on a cycle."""

    def __init__(self, library: Library, unresolvable: str) -> None:
        self.library = library
        self.unresolvable = unresolvable
        self.root = library.root_place()
        self.edges: dict[Any, list[Any]] = {}
        self.dynamic: set[Any] = set()  # targets with a dynamic reference below them
        waiting = [self.root]
        while waiting:
            place = waiting.pop(0)
            if place.location in self.edges:
                continue
            targets: list[Place] = []
            self.collect(place, place.location, targets)
            self.edges[place.location] = [target.location for target in targets]
            waiting.extend(targets)
        #: Targets that are no part of a cycle and that one reference only leads to.
        counts: dict[Any, int] = {}
        for targets_of_one in self.edges.values():
            for location in targets_of_one:
                counts[location] = counts.get(location, 0) + 1
        self.reach = {location: self.reachable(location) for location in self.edges}
        self.components: dict[Any, Any] = {}
        for location in self.edges:
            self.components[location] = min(
                [location, *(one for one in self.reach[location] if location in self.reach[one])]
            )

        self.used_once = {one for one in self.edges if counts.get(one, 0) <= 1 and not self.is_cyclic(one)}

    def collect(self, schema: Any, holder: Any, targets: list[Place]) -> None:
        if isinstance(schema, Joined):
            for part in schema.parts:
                self.collect(part, holder, targets)
            return
        if isinstance(schema.raw, bool):
            return
        words = read(schema)
        for word, value in words.items():
            if word in REFERENCES:
                if word != "$ref":
                    self.dynamic.add(holder)
                try:
                    targets.extend(self.library.may_reach(schema, word, value))
                except UnresolvableReference:
                    if self.unresolvable != "any":
                        raise
        for child in children(words):
            self.collect(child, holder, targets)

    def reachable(self, location: Any) -> set[Any]:
        seen: set[Any] = set()
        waiting = list(self.edges[location])
        while waiting:
            one = waiting.pop()
            if one not in seen:
                seen.add(one)
                waiting.extend(self.edges[one])
        return seen

    def is_cyclic(self, location: Any) -> bool:
        return location in self.reach and location in self.reach[location]

    def component(self, location: Any) -> Any:
        """The smallest target of the strongly connected set this one lies in; only cyclic ones share one."""
        return self.components.get(location, location)

    def is_dynamic(self, location: Any) -> bool:
        reached = {location} | self.reach.get(location, set())
        return any(one in self.dynamic for one in reached)

    def enter(self, place: Place) -> None:
        """The walk goes in place through this position."""
        location = place.location
        if not self.is_cyclic(location):
            return
        component = self.component(location)
        if place.entry is not None and place.entry.component == component:
            place.entry.expanded.add(location)
        else:
            place.entry = Entry(component, {location})

    def is_cut(self, place: Place, target: Place) -> bool:
        """Whether a reference from this place to this target is cut by the rule on cycles."""
        if not self.is_cyclic(target.location):
            return False
        entry = place.entry
        inside = entry is not None and entry.component == self.component(target.location)
        return inside and target.location in entry.expanded

    def expand(self, place: Place, target: Place) -> Place:
        """The target, entered from this place."""
        target = replace(target, entry=place.entry)
        self.enter(target)
        return target


# --- bare references -------------------------------------------------------------------------------------------


def is_bare(words: dict[str, Any]) -> str | None:
    """The reference word of a schema that asserts nothing but it."""
    found = [word for word in words if is_assertion(word)]
    return found[0] if len(found) == 1 and found[0] in REFERENCES else None


def follow(library: Library, place: Place) -> Place | None:
    """The first target that is no bare reference; None when bare references only lead to each other."""
    seen = set()
    while place.location not in seen:
        if isinstance(place.raw, bool):
            return place
        seen.add(place.location)
        words = read(place)
        word = is_bare(words)
        if word is None:
            return place
        place = library.resolve(place, word, words[word])
    return None


# --- names -----------------------------------------------------------------------------------------------------


def name_of(place: Place) -> str:
    """A definition's name; the last segment that is no keyword and no number, else the last; or the anchor."""
    if len(place.pointer) > 1 and place.pointer[-2] in ("$defs", "definitions", "defs"):
        return place.pointer[-1]
    for word in ("$anchor", "$dynamicAnchor"):
        if isinstance(place.raw, dict) and isinstance(place.raw.get(word), str):
            return place.raw[word]
    for segment in reversed(place.pointer):
        if segment not in KEYWORDS and not segment.isdecimal():
            return segment
    if place.pointer:
        return place.pointer[-1]
    return place.resource.uri.rpartition("/")[2] or place.resource.uri


def is_root(place: Place) -> bool:
    return place.location == (0, ())


def title_of(place: Place) -> str | None:
    title = place.raw.get("title") if isinstance(place.raw, dict) else None
    if isinstance(title, str) and title and not (place.document.old and "$ref" in place.raw):
        return title
    return None


def called(place: Place) -> str:
    """T: what a target is called in a sentence."""
    title = title_of(place)
    if title is not None:
        return title
    return "the enclosing object" if is_root(place) else name_of(place)


# --- the budget ------------------------------------------------------------------------------------------------


def size(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + sum(size(child) for child in value.values())
    if isinstance(value, list):
        return 1 + sum(size(child) for child in value)
    return 1


class TooBig(Exception):
    pass


class Budget:
    """What is left of ``max_nodes``, and what an expansion costs."""

    def __init__(self, library: Library, graph: Graph, max_nodes: int, merged_only: bool) -> None:
        self.library = library
        self.graph = graph
        self.merged_only = merged_only
        raw = library.document.raw
        self.left = max_nodes - size(raw)
        if isinstance(raw, dict):
            holders = ["$defs", "definitions"] + (["defs"] if library.document.reads_defs else [])
            self.left += sum(size(raw[word]) for word in holders if isinstance(raw.get(word), dict))

    def pay(self, place: Place, target: Place) -> bool:
        """Pay for expanding a target at a place; False when it costs more than is left."""
        if place.paid:
            return True
        copied = None if place.entry is None else Entry(place.entry.component, set(place.entry.expanded))
        self.spent = 0
        try:
            self.count(self.graph.expand(replace(place, entry=copied), target), frozenset({target.location}), False)
        except TooBig:
            return False
        self.left -= self.spent
        return True

    def spend(self, amount: int) -> None:
        self.spent += amount
        if self.spent > self.left:
            raise TooBig

    def count(self, target: Place, merging: frozenset, in_place: bool) -> None:
        self.spend(size(target.raw))
        self.count_below(target, merging, False)

    def count_below(self, schema: Any, merging: frozenset, in_all_of: bool) -> None:
        if isinstance(schema, Joined):
            for part in schema.parts:
                self.count_below(part, merging, True)
            return
        if isinstance(schema.raw, bool):
            return
        self.graph.enter(schema)
        words = read(schema)
        for word, value in words.items():
            if word in REFERENCES:
                self.count_reference(schema, words, word, value, merging, in_all_of)
            elif word in SCHEMA_MAPS or word in SCHEMA_LISTS or word in ONE_SCHEMA:
                for child in children({word: value}):
                    self.count_below(child, merging, word == "allOf")

    def count_reference(
        self, place: Place, words: dict, word: str, value: str, merging: frozenset, in_all_of: bool
    ) -> None:
        try:
            target = self.library.resolve(place, word, value)
        except UnresolvableReference:
            return
        if self.merged_only:
            is_merged = in_all_of or is_bare(words) is None
            if not is_merged or target.location in merging:
                return
        elif self.graph.is_cut(place, target):
            return
        self.count(self.graph.expand(place, target), merging | {target.location}, False)
