"""Clean text and checked citations from the event streams of language models.

    stream = citestream.Stream(style="numeric")
    clean = stream.feed(chunk)          # as often as chunks come
    clean = stream.finish()             # at the end
    stream.citations()                  # what was cited, and whether it exists

Needs libcitestream.so.1; CITESTREAM_LIBRARY names one that is not where the system looks.
"""

from .records import (Citation, CitationEvent, EndEvent, Event, Match, Position, Reference, ResolvedEvent,
                      SourceType, Statistics, Status, TextEvent, Treatment)
from .stream import Error, IncompleteError, OptionError, Options, Stream, rewrite, rewrite_async, version

__all__ = [
    "Citation", "CitationEvent", "EndEvent", "Error", "Event", "IncompleteError", "Match", "OptionError", "Options",
    "Position", "Reference", "ResolvedEvent", "SourceType", "Statistics", "Status", "Stream", "TextEvent",
    "Treatment", "rewrite", "rewrite_async", "version"
]
