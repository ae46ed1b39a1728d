"""Records of an answer: plain objects, copied from the library, valid as long as you keep them."""

from __future__ import annotations

import ctypes
import enum
from dataclasses import dataclass
from typing import List, Optional, Tuple, Union

from . import _library as c


class RewriteMode(enum.IntEnum):
    """How an answer is handled."""

    PASS = 0  #: passed through byte for byte
    BYPASSED = 1  #: passed through although its type is rewritten: it is compressed, or bypassed
    EVENTS = 2  #: an event stream or NDJSON, rewritten as it flows
    JSON = 3  #: one JSON body, rewritten as a whole


class Status(enum.Enum):
    """Whether the references of a citation are known."""

    PENDING = 0  #: references have not arrived yet
    RESOLVED = 1  #: at least one reference matched
    UNRESOLVED = 2  #: no reference matched: the model cited something that does not exist


class Match(enum.Enum):
    """How an identifier and a reference match."""

    NONE = -1
    EXACT = 0
    NORMALIZED = 1  #: addresses that are equal once normalized
    NATIVE = 2  #: the provider has said which reference it cites
    REPAIRED = 3  #: a corrupted identifier, see the option `repair`


class Origin(enum.Enum):
    """Who has cited."""

    MARKER = 0  #: the model, with a marker in the text
    PROVIDER = 1  #: the provider, apart from the text
    BOTH = 2  #: both cite the same reference at the same place


class Anchor(enum.Enum):
    """What `start` and `end` of a citation are."""

    MARKER = 0  #: where the marker is, or what was printed for it
    CLAIM = 1  #: the words that the citation supports
    POINT = 2  #: one place in the text, or what was printed there
    BLOCK = 3  #: a whole text of the answer, such as a content block
    NONE = 4  #: unknown: all positions are 0


class SourceType(enum.Enum):
    """What kind of thing a reference is."""

    UNKNOWN = -1
    FILE = 0
    WEB = 1
    DOCUMENT = 2
    AGENT = 3
    SEARCH_RESULT = 4
    TOOL = 5
    PLACE = 6


VERDICTS = ("supported", "contradicted", "not_found", "unsure")


@dataclass(frozen=True)
class Position:
    """A position in the output text, in three units. Python's own indices are `codepoint`."""

    utf8: int
    utf16: int
    codepoint: int


@dataclass(frozen=True)
class SourceSpan:
    """A part of a source, as its provider counts."""

    unit: str  #: `char`, `page`, `block` or `chunk`
    start: int
    end: int  #: exclusive
    base: int  #: the number of the first one in the source: 0, or 1 for pages


@dataclass(frozen=True)
class Reference:
    """A thing that can be cited. Unknown texts are empty."""

    type: SourceType = SourceType.FILE
    id: str = ""
    cite: str = ""  #: the identifier by which markers cite it; empty: by `id`, `url` or `number`
    title: str = ""
    url: str = ""
    text: str = ""
    score: Optional[float] = None
    page: Optional[int] = None  #: from 1
    number: Optional[int] = None  #: its place in the provider's list, from 1
    tool: str = ""
    tool_call_id: str = ""
    file_path: str = ""
    excerpts: Tuple[str, ...] = ()  #: what the provider's citation quotes from it
    span: Optional[SourceSpan] = None  #: the cited part of the source
    container: str = ""  #: id of the container that a file is in
    opaque: str = ""  #: data for the provider only: a JSON object, or empty
    uses: Tuple[str, ...] = ()  #: for an agent's output: the keys made from content in it


@dataclass(frozen=True)
class Citation:
    """A citation and its references."""

    choice: int
    number: int  #: number of its source, from 1
    label: str
    identifier: str
    marker: str  #: as the model wrote it; empty without a marker
    start: Position  #: its position; equal to `end` if the style prints nothing
    end: Position
    claim_start: Position  #: the text that it supports
    claim_end: Position
    status: Status
    match: Match
    source_type: SourceType
    references: Tuple[Reference, ...]  #: best first
    group: int = 0  #: from 0; the citations of one marker, or of one place of the provider, share it
    origin: Origin = Origin.MARKER
    anchor: Anchor = Anchor.MARKER
    native: str = ""  #: what the provider wrote, a JSON object; may be empty, or not kept
    native_unit: Optional[str] = None  #: `utf8`, `utf16` or `codepoint`: of positions in it; None: it has none
    support: Optional[float] = None  #: from 0 to 1: how much of the claim is in the references; None: no verdict
    verdict: Optional[str] = None  #: `supported`, `contradicted`, `not_found` or `unsure`, with `check="report"`
    attributed_to: str = ""  #: words at the start of the claim that name its source
    finding: str = ""  #: the verdict and its evidence, a JSON object; empty if there is no verdict
    score: Optional[float] = None  #: how sure the provider is of this citation; None: not its own, or not known
    path: str = ""  #: which text of the answer it is in, a JSON object such as `{"block":2}`; empty if the answer has one text

    @property
    def title(self) -> str:
        """The title of the first reference; may be empty."""
        return self.references[0].title if self.references else ""


@dataclass(frozen=True)
class TextEvent:
    """Text of a choice, in the chosen style."""

    choice: int
    delta: int  #: the text delta, from 0, that released this; -1 if the end of the stream did
    text: str


@dataclass(frozen=True)
class CitationEvent:
    """A marker was found. Follows the text up to `citation.end`; its references may not be known yet."""

    choice: int
    delta: int
    citation: Citation


@dataclass(frozen=True)
class ResolvedEvent:
    """The complete record of a citation. A citation that only the provider has made has no other event."""

    choice: int
    delta: int
    citation: Citation


@dataclass(frozen=True)
class EndEvent:
    """A choice has ended."""

    choice: int
    delta: int
    finish_reason: str  #: empty if the stream had none


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


def _span(raw: c.Reference) -> Optional[SourceSpan]:
    if raw.span_unit < 0:
        return None
    return SourceSpan(("char", "page", "block", "chunk")[raw.span_unit], raw.span_start, raw.span_end, raw.span_base)


def reference_of(raw: c.Reference) -> Reference:
    """Copies the library's reference."""
    return Reference(
        SourceType(raw.type), raw.id.text(), raw.cite.text(), raw.title.text(), raw.url.text(), raw.text.text(),
        raw.score if raw.has & c.HAS_SCORE else None, raw.page if raw.has & c.HAS_PAGE else None,
        raw.number if raw.has & c.HAS_NUMBER else None, raw.tool.text(), raw.tool_call_id.text(),
        raw.file_path.text(), tuple(raw.excerpts[i].text() for i in range(raw.excerpt_count)), _span(raw),
        raw.container.text(), raw.opaque.text(), tuple(raw.uses.text().split()))


def citation_of(raw: c.Citation) -> Citation:
    """Copies the library's record."""
    return Citation(
        raw.choice, raw.number, raw.label.text(), raw.identifier.text(), raw.marker.text(), _position(raw.start),
        _position(raw.end), _position(raw.claim_start), _position(raw.claim_end), Status(raw.status),
        Match(raw.match), SourceType(raw.source_type),
        tuple(reference_of(raw.references[i].contents) for i in range(raw.reference_count)), raw.group,
        Origin(raw.origin), Anchor(raw.anchor), raw.native.text(),
        None if raw.native_unit < 0 else ("utf8", "utf16", "codepoint")[raw.native_unit],
        None if raw.verdict < 0 else raw.support, None if raw.verdict < 0 else VERDICTS[raw.verdict],
        raw.attributed_to.text(), raw.finding.text(), raw.score if raw.has & c.HAS_SCORE else None,
        raw.path.text())


def event_of(raw: c.Event) -> Event:
    """Copies the library's event."""
    if raw.type == 0:
        return TextEvent(raw.choice, raw.delta, raw.text.text())
    if raw.type == 3:
        return EndEvent(raw.choice, raw.delta, raw.finish_reason.text())
    citation = citation_of(raw.citation.contents)
    if raw.type == 1:
        return CitationEvent(raw.choice, raw.delta, citation)
    return ResolvedEvent(raw.choice, raw.delta, citation)


def statistics_of(raw: c.Statistics) -> Statistics:
    """Copies the library's counters."""
    names = [name for name, _ in c.Statistics._fields_ if name != "struct_size"]  # pylint: disable=W0212
    return Statistics(**{name: getattr(raw, name) for name in names})


def raw_reference(reference: Reference, keep: List[bytes]) -> c.Reference:
    """Converts a reference to the library's struct. Appends the bytes that it points to to `keep`."""

    def text(value: str) -> c.Text:
        data = value.encode()
        keep.append(data)
        return c.Text(ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p), len(data))

    for value in (reference.page, reference.number):
        if value is not None and not -(1 << 63) <= value < 1 << 63:
            raise OverflowError(f"a page or number of a reference has more than 64 bits: {value}")
    known = ((reference.score, c.HAS_SCORE), (reference.page, c.HAS_PAGE), (reference.number, c.HAS_NUMBER))
    return c.Reference(
        ctypes.sizeof(c.Reference), reference.type.value, sum(bit for value, bit in known if value is not None),
        reference.score or 0.0, reference.page or 0, reference.number or 0, text(reference.id),
        text(reference.cite), text(reference.title), text(reference.url), text(reference.text),
        text(reference.tool), text(reference.tool_call_id), text(reference.file_path))
