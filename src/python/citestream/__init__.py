"""Clean text and checked citations from the event streams of language models.

    stream = citestream.Stream(style="numeric")
    clean = stream.feed(chunk)          # for each chunk of bytes
    clean = stream.finish()             # at the end
    stream.citations()                  # each citation and whether its source exists

Loads libcitestream.so.1 (Debian package libcitestream1). If the system does not find it, set CITESTREAM_LIBRARY to its path.
"""

from .records import (Anchor, Citation, CitationEvent, EndEvent, Event, Match, Origin, Position, Reference,
                      ResolvedEvent, RewriteMode, SourceSpan, SourceType, Statistics, Status, TextEvent)
from .stream import Error, IncompleteError, OptionError, Options, Request, Stream, rewrite, rewrite_async, version

__all__ = [
    "Anchor", "Citation", "CitationEvent", "EndEvent", "Error", "Event", "IncompleteError", "Match", "OptionError",
    "Options", "Origin", "Position", "Reference", "Request", "ResolvedEvent", "RewriteMode", "SourceSpan", "SourceType",
    "Statistics", "Status", "Stream", "TextEvent", "rewrite", "rewrite_async", "version"
]
