"""Streams: rewrite the bytes of an answer to the same answer with clean text and checked citations."""

from __future__ import annotations

import ctypes
import threading
import weakref
from typing import (AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, List, Optional, Sequence, Tuple,
                    TypeVar, Union)

from . import _library as c
from .records import (Citation, Event, Reference, RewriteMode, Statistics, citation_of, event_of, raw_reference,
                      reference_of, statistics_of)

_c = c.load()

Self = TypeVar("Self")
Value = Union[str, bool, int, float, Sequence[str]]


class Error(Exception):
    """A call of the library failed. `code` is the number in `citestream.h`."""

    def __init__(self, code: int, message: str = "") -> None:
        super().__init__(message or (_c.citestream_message(code) or b"").decode())
        self.code = code

    def __reduce__(self) -> Tuple[object, ...]:
        return type(self), (self.code, str(self)), self.__dict__


class OptionError(Error, ValueError):
    """An option does not exist, or its value is not valid."""


class IncompleteError(Error, EOFError):
    """The answer is incomplete. All of its output has been returned, with `event: error` at the end."""


def _checked(code: int) -> int:
    if code < 0:
        raise Error(code)
    return code


def _bytes(chunk: Union[bytes, bytearray, memoryview]) -> bytes:
    if isinstance(chunk, bytes):
        return chunk
    try:
        return bytes(memoryview(chunk))
    except TypeError:
        raise TypeError("bytes expected; encode the text first" if isinstance(chunk, str) else
                        f"bytes expected, not {type(chunk).__name__}") from None


def _word(value: Value) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) if isinstance(value, (str, int, float)) else ",".join(value)


class _Owner:
    """Owns an object of the library and frees it with this one. At exit, a daemon thread may still use it: the process
    frees it then."""

    def _own(self, handle: ctypes.c_void_p, free: Callable[[ctypes.c_void_p], None]) -> None:
        self._handle = handle
        self._free = weakref.finalize(self, free, handle)
        self._free.atexit = False

    def __reduce__(self) -> Tuple[object, ...]:  # also called by copy()
        raise TypeError(f"cannot pickle '{type(self).__name__}' object")


class _Immutable(_Owner):
    """Copies are the object itself."""

    def __copy__(self: Self) -> Self:
        return self

    def __deepcopy__(self: Self, _: object) -> Self:
        return self


class Options(_Immutable):
    """Options of streams. Any number of streams and threads can share them. They never change; a copy is the same object.

    Names and values are those of `citestream_options_set()` in `citestream.h`: `style="numeric"`,
    `markers=["link", "numeric"]`, `offsets="codepoint"`, `only_known=True`, `max_body_bytes=1 << 20` …
    `marker` is one pattern or a list of them. `references` are those known before the answer; their `excerpts`, `span`,
    `container`, `opaque` and `uses` are ignored. Raises OptionError.
    """

    def __init__(self, *, references: Iterable[Reference] = (), marker: Union[str, Sequence[str]] = (),
                 **values: Value) -> None:
        handle = ctypes.c_void_p()
        _checked(_c.citestream_options_create(ctypes.byref(handle)))
        self._own(handle, _c.citestream_options_free)
        for name, value in values.items():
            if value is None:
                raise TypeError(f"option {name}: a value is expected, not None")
            self._set(name, _word(value))
        self.events = _word(values.get("events", False)) in ("on", "true", "1")
        for pattern in [marker] if isinstance(marker, str) else marker:
            self._set("marker", pattern)
        conflict = self._problem()
        if conflict:
            raise OptionError(c.BAD_VALUE, conflict)
        for reference in references:
            keep: List[bytes] = []
            raw = raw_reference(reference, keep)
            code = _c.citestream_options_add_reference(handle, ctypes.byref(raw))
            if code == c.BAD_ARGUMENT:
                raise OptionError(code, f"references: {reference.type} is not a type of a reference")
            _checked(code)

    def _set(self, name: str, value: str) -> None:
        data = value.encode()
        code = _c.citestream_options_set(self._handle, name.encode(), data, len(data))
        if code < 0:
            raise OptionError(code, self._problem())

    def _problem(self) -> str:
        return (_c.citestream_options_problem(self._handle) or b"").decode()

    def decide(self, *, content_type: str, method: str = "POST", path: str = "/", status: int = 200,
               content_encoding: str = "", bypass: bool = False) -> RewriteMode:
        """Decides how to handle an answer, from the heads of the request and of the answer."""
        keep = [value.encode("utf-8", "surrogateescape") for value in (method, path, content_type, content_encoding)]
        texts = [c.Text(ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p), len(data)) for data in keep]
        facts = c.Facts(ctypes.sizeof(c.Facts), status, int(bypass), *texts)
        return RewriteMode(_checked(_c.citestream_decide(self._handle, ctypes.byref(facts))))


class Request(_Immutable):
    """The JSON body of a chat request: what it gives the model to cite, and what is sent instead of it.

        request = citestream.Request(body, keys=True)
        answer = post(request.body)
        stream = citestream.Stream(style="numeric", request=request)

    - `documents`: its documents and search results are references of the answer.
    - `keys`: each tool result gets a key such as `[REF|d_1]`; with `"content"` it is made from the bytes of the result.
    - `tools`: only the results of these tools get keys.
    - `agent_tools`: the results of these tools are another agent's.
    - `instructions`: with `keys`, tells the model to cite them.
    - `inline_citations`: Writer's graph tools request inline citations.
    - `remove_own`: removes citations that were added to answers from the history (Anthropic).

    Do not change a request whose body is signed: turn all off but `documents`. A body that cannot be read stays as it
    is, and `problem` is set. Threads may share a request.
    """

    def __init__(self, body: Union[bytes, bytearray, memoryview], *, documents: bool = True,
                 keys: Union[bool, str] = False,
                 instructions: bool = True, agent_tools: Union[str, Sequence[str]] = (),
                 tools: Union[str, Sequence[str]] = (),
                 inline_citations: bool = False, remove_own: bool = True) -> None:
        if keys not in (False, True, "counter", "content"):
            raise ValueError(f'keys is {keys!r}, not False, True, "counter" or "content"')
        data, names, of_tools = _bytes(body), _word(agent_tools).encode(), _word(tools).encode()
        switches = ((documents, c.REQUEST_DOCUMENTS), (keys, c.REQUEST_KEYS), (instructions, c.REQUEST_INSTRUCTIONS),
                    (inline_citations, c.REQUEST_INLINE_CITATIONS), (remove_own, c.REQUEST_REMOVE_OWN),
                    (keys == "content", c.REQUEST_CONTENT_KEYS))
        rules = c.RequestRules(ctypes.sizeof(c.RequestRules), sum(bit for on, bit in switches if on), 0,
                               *(c.Text(ctypes.cast(ctypes.c_char_p(list_), ctypes.c_void_p), len(list_))
                                 for list_ in (names, of_tools)))
        handle = ctypes.c_void_p()
        code = _checked(_c.citestream_request_create(ctypes.byref(rules), data, len(data), ctypes.byref(handle)))
        self._own(handle, _c.citestream_request_free)
        #: why the body could not be read; None if it was
        self.problem: Optional[Error] = Error(code) if code else None

    @property
    def body(self) -> bytes:
        """The body to send."""
        raw = c.Text()
        _checked(_c.citestream_request_body(self._handle, ctypes.byref(raw)))
        return raw.bytes()

    @property
    def references(self) -> Tuple[Reference, ...]:
        """What the answer may cite: documents and search results, then tool results with keys."""
        raw = ctypes.POINTER(c.Reference)()
        found = []
        for index in range(_c.citestream_request_reference_count(self._handle)):
            _checked(_c.citestream_request_reference(self._handle, index, ctypes.byref(raw)))
            found.append(reference_of(raw.contents))
        return tuple(found)


class Stream(_Owner):
    """One answer. Call `feed()` with its bytes, cut anywhere, and pass on what each call returns.

        stream = citestream.Stream(style="numeric")
        for chunk in upstream:
            client.write(stream.feed(chunk))
        client.write(stream.finish())

    Takes Options, or the same keywords. The answer to `request` may cite its references, too. `how` is the result of Options.decide(), by default an event stream.
    Threads may share a stream; a lock serialises their calls. Memory is freed with the object, by close(), or at
    the end of `with`. Typed events require `events=True`.
    """

    def __init__(self, options: Optional[Options] = None, *, how: RewriteMode = RewriteMode.EVENTS,
                 request: Optional[Request] = None, **values: Value) -> None:
        if options is not None and values:
            raise TypeError("either Options or keywords")
        self._options = options or Options(**values)  # type: ignore[arg-type]
        handle = ctypes.c_void_p()
        if request is None:
            code = _c.citestream_session_create(self._options._handle, how, None, ctypes.byref(handle))
        else:
            code = _c.citestream_session_create_for(self._options._handle, request._handle, how, None,
                                                    ctypes.byref(handle))
        _checked(code)
        self._own(handle, _c.citestream_session_free)
        self._lock = threading.Lock()
        self._complete: Optional[bool] = None

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Frees the memory. Further calls raise ValueError."""
        with self._lock:
            self._free()

    @property
    def complete(self) -> Optional[bool]:
        """Whether the answer is complete; None before finish() or abort()."""
        return self._complete

    def feed(self, chunk: Union[bytes, bytearray, memoryview]) -> bytes:
        """Takes the next bytes of the answer and returns the bytes to send, which may be empty.
        Raises TypeError for text, because the bytes of a character may be divided between two chunks."""
        data = _bytes(chunk)
        with self._lock:
            _checked(_c.citestream_session_write(self._open(), data, len(data), None))
            return self._taken()

    def finish(self) -> bytes:
        """Call when all bytes have arrived. Returns the rest of the output. If `complete` is False then, the output
        ends with `event: error`: close the connection instead of ending the answer properly."""
        with self._lock:
            code = _checked(_c.citestream_session_finish(self._open(), None))
            self._complete = code != c.INCOMPLETE
            return self._taken()

    def abort(self, message: Optional[str] = None, code: Optional[str] = None) -> bytes:
        """Call when the upstream has failed. Like finish(), but adds `event: error` with `message` and `code`.

        Surrogates, which the text of an exception may contain, become `?`."""
        message_bytes = None if message is None else message.encode("utf-8", "replace")
        code_bytes = None if code is None else code.encode("utf-8", "replace")
        with self._lock:
            result = _checked(_c.citestream_session_abort(self._open(), message_bytes, code_bytes, None))
            self._complete = result != c.INCOMPLETE
            return self._taken()

    def reset(self) -> None:
        """Prepares for another answer of the same kind."""
        with self._lock:
            _checked(_c.citestream_session_reset(self._open()))
            self._complete = None

    def events(self) -> Iterator[Event]:
        """Yields the typed events since the last call. Requires `events=True`.

        The events of a choice are in the order of its text: a citation follows exactly the text up to its
        `end`. Exception: style `keep` releases the text of a marker before the marker is recognised. Its
        citation may then come later; its position is in text already given.
        """
        if not self._options.events:
            raise OptionError(-2, "typed events need the option events=True")
        raw = c.Event(struct_size=ctypes.sizeof(c.Event))
        while True:
            with self._lock:
                if _checked(_c.citestream_session_next(self._open(), ctypes.byref(raw))) == 0:
                    return
                event = event_of(raw)
            yield event

    def citations(self) -> Tuple[Citation, ...]:
        """All citations so far, by choice and in order, as known so far."""
        raw = ctypes.POINTER(c.Citation)()
        found = []
        with self._lock:
            for place in range(_c.citestream_session_choices(self._open())):
                for index in range(_c.citestream_session_citation_count(self._handle, place)):
                    _checked(_c.citestream_session_citation(self._handle, place, index, ctypes.byref(raw)))
                    found.append(citation_of(raw.contents))
        return tuple(found)

    def statistics(self) -> Statistics:
        """Counters since the start of the answer."""
        raw = c.Statistics(struct_size=ctypes.sizeof(c.Statistics))
        with self._lock:
            _checked(_c.citestream_session_statistics(self._open(), ctypes.byref(raw)))
        return statistics_of(raw)

    @property
    def dialect(self) -> str:
        """The dialect recognised so far; empty if none."""
        raw = c.Text()
        with self._lock:
            _checked(_c.citestream_session_dialect(self._open(), ctypes.byref(raw)))
            return raw.text()

    def _open(self) -> ctypes.c_void_p:
        if not self._free.alive:
            raise ValueError("the stream is closed")
        return self._handle

    def _taken(self) -> bytes:
        raw = c.Text()
        _checked(_c.citestream_session_take(self._handle, ctypes.byref(raw)))
        return raw.bytes()


def rewrite(chunks: Iterable[bytes], options: Optional[Options] = None, **values: Value) -> Iterator[bytes]:
    """Rewrites the answer in `chunks` as it arrives. If `chunks` raises, yields the rest, which ends with `event: error`
    if the answer is an event stream, and re-raises the exception. If the answer is incomplete, raises IncompleteError
    after the last bytes."""
    with Stream(options, **values) as stream:  # type: ignore[arg-type]
        iterator = iter(chunks)
        while True:
            try:
                chunk = next(iterator)
            except StopIteration:
                break
            except Exception:
                out = stream.abort()
                if out:
                    yield out
                raise
            out = stream.feed(chunk)
            if out:
                yield out
        yield from _last(stream)


async def rewrite_async(chunks: AsyncIterable[bytes], options: Optional[Options] = None,
                        **values: Value) -> AsyncIterator[bytes]:
    """Like rewrite(), for `async for`."""
    with Stream(options, **values) as stream:  # type: ignore[arg-type]
        iterator = chunks.__aiter__()
        while True:
            try:
                chunk = await iterator.__anext__()
            except StopAsyncIteration:
                break
            except Exception:
                out = stream.abort()
                if out:
                    yield out
                raise
            out = stream.feed(chunk)
            if out:
                yield out
        for out in _last(stream):
            yield out


def _last(stream: Stream) -> Iterator[bytes]:
    out = stream.finish()
    if out:
        yield out
    if stream.complete is False:
        raise IncompleteError(c.INCOMPLETE)


def version() -> str:
    """Returns the version of the loaded library, `major.minor.patch`."""
    text: bytes = _c.citestream_version()
    return text.decode()
