"""Clean text and checked citations from the event streams of language models.

    stream = citestream.Stream(style="numeric")
    clean = stream.feed(chunk)          # for each chunk of bytes
    clean = stream.finish()             # at the end
    stream.citations()                  # each citation and whether its source exists

Loads libcitestream.so.1 (Debian package libcitestream1). If the system does not find it, set CITESTREAM_LIBRARY to its path.
"""

from .records import (Citation, CitationEvent, EndEvent, Event, Match, Position, Reference, ResolvedEvent,
                      RewriteMode, SourceType, Statistics, Status, TextEvent)
from .stream import Error, IncompleteError, OptionError, Options, Stream, rewrite, rewrite_async, version

__all__ = [
    "Citation", "CitationEvent", "EndEvent", "Error", "Event", "IncompleteError", "Match", "OptionError", "Options",
    "Position", "Reference", "ResolvedEvent", "RewriteMode", "SourceType", "Statistics", "Status", "Stream",
    "TextEvent", "rewrite", "rewrite_async", "version"
]
