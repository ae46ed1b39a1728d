/// \file
/// Every bound in one place, with its unit, its default and where the number comes from.
#pragma once

#include <cstddef>
#include <cstdint>

namespace citestream {

/// Bounds on what the stages keep. A bound trips at the same byte however the input was cut.
struct limits {
  /// Bytes of one SSE event, line ends included. Past it the event's bytes pass unread.
  std::size_t max_event_bytes = 4 * 1024 * 1024;
  /// Bytes of one non-streaming JSON body. Past it the body passes unread.
  std::size_t max_body_bytes = 16 * 1024 * 1024;
  /// Levels of nesting in a JSON payload. Recorded payloads have at most 12.
  std::size_t max_json_depth = 128;
  /// Bytes of text withheld at any time. At the bound the text is released as it is.
  std::size_t max_marker_bytes = 4096;
  /// Bytes of a link's label, brackets not counted.
  std::size_t max_label_bytes = 256;
  /// Bytes of a link's identifier.
  std::size_t max_identifier_bytes = 2048;
  /// Bytes of a link's title, quotes not counted.
  std::size_t max_title_bytes = 256;
  /// Nested parentheses inside an identifier (CommonMark 0.31, 6.3, asks for at least three).
  std::size_t max_parentheses = 32;
  /// Citations kept for one answer. Past it a marker stays text (a 3-byte marker must not become
  /// 300 bytes without end).
  std::size_t max_citations = 100'000;
  /// Bytes of the markers, labels and identifiers of one answer's citations. Past it a marker stays text.
  std::size_t max_citation_bytes = 16 * 1024 * 1024;
  /// Bytes of the text in one answer's references. Later ones are dropped and counted.
  std::size_t max_reference_bytes = 16 * 1024 * 1024;
  /// Bytes of what is added to a stream or body: past it no further record is begun. Below the bound on an
  /// event, so that what leaves can be read again.
  std::size_t max_addition_bytes = 2 * 1024 * 1024;
  /// Bytes of the list that a style prints behind an answer: past it no further entry is begun. An event that
  /// carries it twice, as text and in a mirror, beside the records stays below the bound on an event.
  std::size_t max_list_bytes = 256 * 1024;
  /// References kept for one answer. Later ones are dropped and counted.
  std::size_t max_references = 100'000;
  /// Shapes of events that one stream remembers, plus one for each further choice. An event of a remembered
  /// shape is not parsed; with 0, every event is. Recorded streams have at most three shapes for a choice.
  std::size_t max_envelopes = 8;
  /// Choices of one stream that are followed. Events of further ones pass untouched.
  std::size_t max_choices = 128;
  /// Addresses that may not leave of which one answer keeps a record (\ref egress_record). Further ones are
  /// treated alike, and counted.
  std::size_t max_egress_records = 1000;
};

}  // namespace citestream
