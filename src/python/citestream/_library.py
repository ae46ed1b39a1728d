"""The shared library and the parts of its C interface that this package uses: `citestream/citestream.h`.

Struct members are in the header's order; the tests compare both.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from ctypes import POINTER, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

INTERFACE = 1  # the major version of the shared object, libcitestream.so.1, that this package is written for

INCOMPLETE = 7
BAD_ARGUMENT = -1
BAD_VALUE = -4
HAS_SCORE = 1
HAS_PAGE = 2
HAS_NUMBER = 4
REQUEST_DOCUMENTS = 1
REQUEST_KEYS = 2
REQUEST_INSTRUCTIONS = 4
REQUEST_INLINE_CITATIONS = 8
REQUEST_REMOVE_OWN = 16
REQUEST_CONTENT_KEYS = 32


class Text(ctypes.Structure):
    """Bytes owned by the library."""

    _fields_ = [("data", c_void_p), ("size", c_size_t)]

    def bytes(self) -> bytes:
        return ctypes.string_at(self.data, self.size) if self.size else b""

    def text(self) -> str:
        return self.bytes().decode()


class Reference(ctypes.Structure):
    """citestream_reference"""

    _fields_ = [("struct_size", c_size_t), ("type", c_int32), ("has", c_uint32), ("score", c_double),
                ("page", c_int64), ("number", c_int64), ("id", Text), ("cite", Text), ("title", Text),
                ("url", Text), ("text", Text), ("tool", Text), ("tool_call_id", Text), ("file_path", Text),
                ("excerpts", POINTER(Text)), ("excerpt_count", c_size_t), ("span_start", c_int64),
                ("span_end", c_int64), ("span_unit", c_int32), ("span_base", c_int32), ("container", Text),
                ("opaque", Text), ("uses", Text)]


class Facts(ctypes.Structure):
    """citestream_answer_facts"""

    _fields_ = [("struct_size", c_size_t), ("status", c_int32), ("bypass", c_int32), ("method", Text),
                ("path", Text), ("content_type", Text), ("content_encoding", Text)]


class RequestRules(ctypes.Structure):
    """citestream_request_rules"""

    _fields_ = [("struct_size", c_size_t), ("work", c_uint32), ("reserved", c_uint32), ("agent_tools", Text),
                ("tools", Text)]


class Statistics(ctypes.Structure):
    """citestream_statistics"""

    _fields_ = [("struct_size", c_size_t), ("events", c_uint64), ("deltas", c_uint64), ("bytes_in", c_uint64),
                ("bytes_out", c_uint64), ("held", c_uint64), ("held_max", c_uint64), ("abandoned", c_uint64),
                ("passed_through", c_uint64), ("citations", c_uint64), ("resolved", c_uint64),
                ("unresolved", c_uint64), ("pending", c_uint64), ("problem_offset", c_uint64),
                ("problem", c_int32), ("upstream_error", c_int32)]


class Position(ctypes.Structure):
    """citestream_position"""

    _fields_ = [("utf8", c_uint64), ("utf16", c_uint64), ("codepoint", c_uint64)]


class Citation(ctypes.Structure):
    """citestream_citation"""

    _fields_ = [("struct_size", c_size_t), ("choice", c_uint32), ("number", c_uint32), ("label", Text),
                ("identifier", Text), ("marker", Text), ("start", Position), ("end", Position),
                ("claim_start", Position), ("claim_end", Position), ("status", c_int32), ("match", c_int32),
                ("source_type", c_int32), ("reserved", c_int32),
                ("references", POINTER(POINTER(Reference))), ("reference_count", c_size_t), ("title", Text),
                ("group", c_uint32), ("origin", c_int32), ("anchor", c_int32), ("native_unit", c_int32),
                ("native", Text), ("support", c_double), ("verdict", c_int32), ("reserved_verdict", c_int32),
                ("attributed_to", Text), ("finding", Text), ("score", c_double), ("has", c_uint32),
                ("reserved_has", c_uint32), ("path", Text)]


class Event(ctypes.Structure):
    """citestream_event"""

    _fields_ = [("struct_size", c_size_t), ("type", c_int32), ("choice", c_uint32), ("delta", c_int64),
                ("text", Text), ("finish_reason", Text), ("citation", POINTER(Citation))]


# name: (result, arguments)
FUNCTIONS = {
    "citestream_message": (c_char_p, [c_int]),
    "citestream_version": (c_char_p, []),
    "citestream_options_create": (c_int, [POINTER(c_void_p)]),
    "citestream_options_free": (None, [c_void_p]),
    "citestream_options_set": (c_int, [c_void_p, c_char_p, c_char_p, c_size_t]),
    "citestream_options_problem": (c_char_p, [c_void_p]),
    "citestream_options_add_reference": (c_int, [c_void_p, POINTER(Reference)]),
    "citestream_decide": (c_int, [c_void_p, POINTER(Facts)]),
    "citestream_session_create": (c_int, [c_void_p, c_int, c_void_p, POINTER(c_void_p)]),
    "citestream_request_create": (c_int, [POINTER(RequestRules), c_char_p, c_size_t, POINTER(c_void_p)]),
    "citestream_request_free": (None, [c_void_p]),
    "citestream_request_body": (c_int, [c_void_p, POINTER(Text)]),
    "citestream_request_reference_count": (c_size_t, [c_void_p]),
    "citestream_request_reference": (c_int, [c_void_p, c_size_t, POINTER(POINTER(Reference))]),
    "citestream_session_create_for": (c_int, [c_void_p, c_void_p, c_int, c_void_p, POINTER(c_void_p)]),
    "citestream_session_free": (None, [c_void_p]),
    "citestream_session_reset": (c_int, [c_void_p]),
    "citestream_session_write": (c_int, [c_void_p, c_char_p, c_size_t, c_void_p]),
    "citestream_session_finish": (c_int, [c_void_p, c_void_p]),
    "citestream_session_abort": (c_int, [c_void_p, c_char_p, c_char_p, c_void_p]),
    "citestream_session_take": (c_int, [c_void_p, POINTER(Text)]),
    "citestream_session_statistics": (c_int, [c_void_p, POINTER(Statistics)]),
    "citestream_session_dialect": (c_int, [c_void_p, POINTER(Text)]),
    "citestream_session_choices": (c_size_t, [c_void_p]),
    "citestream_session_citation_count": (c_size_t, [c_void_p, c_size_t]),
    "citestream_session_citation": (c_int, [c_void_p, c_size_t, c_size_t, POINTER(POINTER(Citation))]),
    "citestream_session_next": (c_int, [c_void_p, POINTER(Event)]),
}


def load() -> ctypes.CDLL:
    """Loads the file that CITESTREAM_LIBRARY names, or the system's library. Raises ImportError if there is none, or if
    it is not this library."""
    name = os.environ.get("CITESTREAM_LIBRARY") or f"libcitestream.so.{INTERFACE}"
    try:
        library = ctypes.CDLL(name)
    except OSError as error:
        raise ImportError(_advice(str(error)), name="citestream", path=name) from None
    for function, (result, arguments) in FUNCTIONS.items():
        try:
            entry = getattr(library, function)
        except AttributeError as error:
            raise ImportError(_advice(str(error)), name="citestream", path=name) from None
        entry.restype = result
        entry.argtypes = arguments
    return library


def _advice(problem: str) -> str:
    return (f"citestream cannot use the shared library: {problem}. Install the package libcitestream{INTERFACE}, "
            f"or set CITESTREAM_LIBRARY to the path of libcitestream.so.{INTERFACE}")
