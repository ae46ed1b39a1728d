"""What is known of an answer: plain records, copied out of the library, valid as long as you keep them."""

from __future__ import annotations

import ctypes
import enum
from dataclasses import dataclass
from typing import List, Optional, Tuple, Union

from . import _library as c


class Treatment(enum.IntEnum):
    """What is to be done with an answer."""

    PASS = 0  #: byte for byte
    BYPASSED = 1  #: byte for byte although of a kind that is rewritten: compressed, or told to
    EVENTS = 2  #: an event stream, rewritten as it flows
    JSON = 3  #: one JSON body, rewritten as a whole


class Status(enum.Enum):
    """Whether a citation means something."""

    PENDING = 0  #: references have not come yet
    RESOLVED = 1  #: at least one reference matched
    UNRESOLVED = 2  #: none did: the model cited what does not exist


class Match(enum.Enum):
    """How a reference was found."""

    NONE = -1
    EXACT = 0
    NORMALIZED = 1  #: addresses that mean the same place


class SourceType(enum.Enum):
    """What is cited."""

    UNKNOWN = -1
    FILE = 0
    WEB = 1
    DOCUMENT = 2
    AGENT = 3


@dataclass(frozen=True)
class Position:
    """A position in the text that left, in three units. Python's own indices are `codepoint`."""

    utf8: int
    utf16: int
    codepoint: int


@dataclass(frozen=True)
class Reference:
    """A thing that may be cited. Texts are empty where nothing is known."""

    type: SourceType = SourceType.FILE
    id: str = ""
    cite: str = ""  #: what a marker's identifier says to mean this; empty: `id`, `url`, `number` do
    title: str = ""
    url: str = ""
    text: str = ""
    score: Optional[float] = None
    page: Optional[int] = None  #: from 1
    number: Optional[int] = None  #: its place in the provider's list, from 1
    tool: str = ""
    tool_call_id: str = ""
    file_path: str = ""


@dataclass(frozen=True)
class Citation:
    """One marker and what it means."""

    choice: int
    number: int  #: its source's, from 1
    label: str
    identifier: str
    marker: str  #: as the model wrote it
    start: Position  #: where it stands; equal to `end` where nothing is left of it
    end: Position
    claim_start: Position  #: the text that it supports
    claim_end: Position
    status: Status
    match: Match
    source_type: SourceType
    references: Tuple[Reference, ...]  #: best first


@dataclass(frozen=True)
class TextEvent:
    """Text of a choice, in the chosen style."""

    choice: int
    delta: int  #: the text delta, from 0, that released this; -1: the end did
    text: str


@dataclass(frozen=True)
class CitationEvent:
    """A marker found and placed; what it cites may not be known yet."""

    choice: int
    delta: int
    citation: Citation


@dataclass(frozen=True)
class ResolvedEvent:
    """A citation's whole record."""

    choice: int
    delta: int
    citation: Citation


@dataclass(frozen=True)
class EndEvent:
    """A choice has ended."""

    choice: int
    delta: int
    finish_reason: str  #: empty where the stream had none


Event = Union[TextEvent, CitationEvent, ResolvedEvent, EndEvent]


@dataclass(frozen=True)
class Statistics:
    """Counters since the start of the answer, as in `citestream.h`."""

    events: int
    deltas: int
    bytes_in: int
    bytes_out: int
    held: int
    held_max: int
    abandoned: int
    passed_through: int
    citations: int
    resolved: int
    unresolved: int
    pending: int
    problem_offset: int
    problem: int
    upstream_error: int


def _position(raw: c.Position) -> Position:
    return Position(raw.utf8, raw.utf16, raw.codepoint)


def _reference(raw: c.Reference) -> Reference:
    return Reference(
        SourceType(raw.type), raw.id.text(), raw.cite.text(), raw.title.text(), raw.url.text(), raw.text.text(),
        raw.score if raw.has & c.HAS_SCORE else None, raw.page if raw.has & c.HAS_PAGE else None,
        raw.number if raw.has & c.HAS_NUMBER else None, raw.tool.text(), raw.tool_call_id.text(),
        raw.file_path.text())


def citation_of(raw: c.Citation) -> Citation:
    """A copy of the library's record."""
    return Citation(
        raw.choice, raw.number, raw.label.text(), raw.identifier.text(), raw.marker.text(), _position(raw.start),
        _position(raw.end), _position(raw.claim_start), _position(raw.claim_end), Status(raw.status),
        Match(raw.match), SourceType(raw.source_type),
        tuple(_reference(raw.references[i].contents) for i in range(raw.reference_count)))


def event_of(raw: c.Event) -> Event:
    """A copy of the library's event."""
    if raw.type == 0:
        return TextEvent(raw.choice, raw.delta, raw.text.text())
    if raw.type == 3:
        return EndEvent(raw.choice, raw.delta, raw.finish_reason.text())
    citation = citation_of(raw.citation.contents)
    if raw.type == 1:
        return CitationEvent(raw.choice, raw.delta, citation)
    return ResolvedEvent(raw.choice, raw.delta, citation)


def statistics_of(raw: c.Statistics) -> Statistics:
    """A copy of the library's counters."""
    names = [name for name, _ in c.Statistics._fields_ if name != "struct_size"]  # pylint: disable=W0212
    return Statistics(**{name: getattr(raw, name) for name in names})


def raw_reference(reference: Reference, keep: List[bytes]) -> c.Reference:
    """The library's form of a reference. `keep` takes what has to live as long as it is used."""

    def text(value: str) -> c.Text:
        data = value.encode("utf-8", "surrogatepass")
        keep.append(data)
        return c.Text(ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p), len(data))

    known = ((reference.score, c.HAS_SCORE), (reference.page, c.HAS_PAGE), (reference.number, c.HAS_NUMBER))
    return c.Reference(
        ctypes.sizeof(c.Reference), reference.type.value, sum(bit for value, bit in known if value is not None),
        reference.score or 0.0, reference.page or 0, reference.number or 0, text(reference.id),
        text(reference.cite), text(reference.title), text(reference.url), text(reference.text),
        text(reference.tool), text(reference.tool_call_id), text(reference.file_path))
