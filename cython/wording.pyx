# cython: language_level=3
"""Texts: numbers and values as JSON, sentences joined to a description, templates filled."""
import json

import orjson

from cpython.dict cimport PyDict_Next
from cpython.object cimport PyObject

cdef object dumps = orjson.dumps
cdef str ENDERS = ".!?:;\u2026\u3002\uff0e\uff01\uff1f"
# Closing quotes and brackets that may stand between a sentence's end and the end of the text.
cdef str CLOSERS = "\"')]}>\u2019\u201d\u00bb\u203a\u300d\u300f\uff09\uff3d\u3011\u300b\u3009"
cdef dict SMALL = {n: str(n) for n in range(-1, 1025)}


class TooDeep(Exception):
    """A document nested deeper than the walk goes."""


class Malformed(Exception):
    """A node that is no schema: the raw node, the keyword, what is wrong."""


cdef extern from "Python.h":
    bint PyUnicode_IS_COMPACT_ASCII(object)
    Py_ssize_t PyUnicode_GET_LENGTH(object)
    const unsigned char* PyUnicode_1BYTE_DATA(object)


cdef bint is_plain(str text):
    """Whether a string stands in JSON as it is, between quotes."""
    cdef const unsigned char* data
    cdef Py_ssize_t at, length
    if not PyUnicode_IS_COMPACT_ASCII(text):
        return False
    data = PyUnicode_1BYTE_DATA(text)
    length = PyUnicode_GET_LENGTH(text)
    for at in range(length):
        if data[at] < 32 or data[at] == 34 or data[at] == 92 or data[at] == 127:
            return False
    return True


cdef str number_text(object value):
    """A number as JSON writes it, in its shortest form."""
    if type(value) is int:
        found = SMALL.get(value)
        if found is not None:
            return <str>found
        try:
            return str(value)
        except ValueError:
            raise Malformed(value, None, "an integer too long to be written") from None
    if type(value) is float:
        return (<bytes>dumps(value)).decode()
    return json_text(value)


cdef str json_text(object value):
    """Compact JSON; integers of any size keep their digits."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if type(value) is int:
        return number_text(value)
    if type(value) is str:
        if is_plain(<str>value):
            return '"' + <str>value + '"'
    elif type(value) is float:
        if value - value != 0.0:
            raise Malformed(value, None, "a number that is not finite")
    elif type(value) is dict or type(value) is list:
        copied(value, 254)
    else:
        raise Malformed(value, None, "a value that is no JSON")
    try:
        return (<bytes>dumps(value)).decode()
    except TypeError:
        pass
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except RecursionError:
        raise TooDeep() from None
    except (TypeError, ValueError):
        raise Malformed(value, None, "a value that JSON cannot write") from None


cdef str joined(object description, list sentences):
    """The author's description, then the sentences. A sentence already contained is not added."""
    cdef str text, sentence, own, closed
    cdef list parts
    cdef set said = None
    own = <str>description if type(description) is str else ""
    if own and not own.isspace():
        if len(sentences) == 1:
            sentence = <str>sentences[0]
            return own if sentence in own else ended(own) + sentence
        parts = []
    else:
        if len(sentences) == 1:
            return <str>sentences[0]
        own = ""
        parts = []
    said = set()
    closed = own
    for sentence in sentences:
        if sentence in said or (own and sentence in closed):
            continue
        if not parts and own:
            closed = ended(own)
        said.add(sentence)
        parts.append(sentence)
    if not parts:
        return own
    # every sentence ends with a full stop, so that one blank joins them
    text = " ".join(parts)
    return closed + text if own else text


cdef str ended(str text):
    """An author's text, closed so that a sentence may follow."""
    cdef Py_ssize_t stop
    text = text.rstrip()
    stop = len(text) - 1
    while stop > 0 and text[stop] in CLOSERS:
        stop -= 1
    return text + (" " if text[stop] in ENDERS else ". ")


def join(description, sentences):
    """The description of a node or tool with sentences appended."""
    return joined(description, list(sentences))


cdef bint json_equal(object a, object b, int room=400) except -1:
    """Equality of JSON values: 1 and 1.0 are alike, true is not 1."""
    if a is b:
        return True
    if room <= 0:
        raise TooDeep()
    cdef object ta = type(a), tb = type(b)
    if ta is bool or tb is bool:
        return a is b
    if ta is dict:
        if tb is not dict or len(<dict>a) != len(<dict>b):
            return False
        for key, value in (<dict>a).items():
            if key not in <dict>b or not json_equal(value, (<dict>b)[key], room - 1):
                return False
        return True
    if ta is list:
        if tb is not list or len(<list>a) != len(<list>b):
            return False
        for one, other in zip(<list>a, <list>b):
            if not json_equal(one, other, room - 1):
                return False
        return True
    if tb is dict or tb is list:
        return False
    return a == b


cdef object json_key(object value, int room=254):
    """A hashable that is equal for equal JSON values."""
    if room <= 0:
        raise TooDeep()
    if type(value) is dict:
        return (0, frozenset([(key, json_key(item, room - 1)) for key, item in (<dict>value).items()]))
    if type(value) is list:
        return (1, tuple([json_key(item, room - 1) for item in <list>value]))
    if type(value) is bool:
        return (2, value)
    if value is None or type(value) is str or type(value) is int or type(value) is float:
        return value
    parts = getattr(value, "parts", None)
    if parts is not None:
        # a node that must match several
        return (3, tuple([json_key(part, room - 1) for part in parts]))
    raise Malformed(value, None, "a value that is no JSON")


cdef object copied(object value, int room):
    """A deep copy of a JSON value that may nest `room` containers more."""
    cdef dict new
    cdef list items
    cdef PyObject* key
    cdef PyObject* item
    cdef Py_ssize_t position = 0
    cdef object kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:
        return value
    if kind is dict:
        if room <= 0:
            raise TooDeep()
        new = {}
        while PyDict_Next(<dict>value, &position, &key, &item):
            if type(<object>key) is not str:
                raise Malformed(value, None, "a key that is no string")
            new[<object>key] = copied(<object>item, room - 1)
        return new
    if kind is list:
        if room <= 0:
            raise TooDeep()
        items = []
        for one in <list>value:
            items.append(copied(one, room - 1))
        return items
    if kind is float:
        if value != value or value - value != 0.0:
            raise Malformed(value, None, "a number that is not finite")
        return value
    if isinstance(value, (str, int, float)):
        return value
    raise Malformed(value, None, "a value that is no JSON")


cdef str fill1(tuple parts, str a):
    return <str>parts[0] + a + <str>parts[1]


cdef str fill2(tuple parts, str a, str b):
    return <str>parts[0] + a + <str>parts[1] + b + <str>parts[2]


def has_long_digits(bytes text):
    """Whether JSON bytes hold a run of 19 or more digits, which orjson may read as a float."""
    cdef const unsigned char* data = text
    cdef Py_ssize_t size = len(text), at = 18, low, high
    while at < size:
        if 48 <= data[at] <= 57:
            low = at
            while low > 0 and 48 <= data[low - 1] <= 57:
                low -= 1
            high = at
            while high + 1 < size and 48 <= data[high + 1] <= 57:
                high += 1
            if high - low >= 18:
                return True
            at = high
        at += 19
    return False
