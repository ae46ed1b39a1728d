/// \file
/// Limits that users can set. Limits that belong to a format or a grammar are constants next to it.
#pragma once

#include <citestream/base/version.hpp>

#include <cstddef>
#include <cstdint>

namespace citestream {

/// Limits on what the stages keep. A limit is reached at the same byte however the input is cut.
struct limits {
  /// Maximum size of an event in bytes (SSE, line, array element, message). A larger one passes unchanged.
  std::size_t max_event_bytes = 4 * 1024 * 1024;
  /// Maximum size of one non-streaming JSON body in bytes. A larger body passes through unchanged. Also the
  /// maximum size of the text of a choice that is kept because its protocol repeats it. Repeats of a longer
  /// text pass through unchanged.
  std::size_t max_body_bytes = 16 * 1024 * 1024;
  /// Maximum nesting of a JSON payload, at most 1,024: a larger value is the same as that. Recorded payloads
  /// have at most 12 levels.
  std::size_t max_json_depth = 128;
  /// Maximum text held back for one text of an answer while a marker is incomplete, in bytes. At the limit it
  /// is released unchanged. Egress holds back up to 512 bytes more, and a text that another one interrupts
  /// keeps what it holds.
  std::size_t max_marker_bytes = 4096;
  /// Maximum size of a link's label in bytes, without its brackets.
  std::size_t max_label_bytes = 256;
  /// Maximum size of a link's identifier in bytes, and of the URL in `[[1]](url)`.
  std::size_t max_identifier_bytes = 2048;
  /// Maximum size of a link's title in bytes, without its quotes.
  std::size_t max_title_bytes = 256;
  /// Maximum nesting of parentheses inside an identifier (CommonMark 0.31, 6.3, requires at least three).
  std::size_t max_parentheses = 32;
  /// Maximum number of citations per answer. Further markers remain text. Without this limit, each marker of
  /// 3 bytes would add about 300 bytes of records.
  std::size_t max_citations = 100'000;
  /// Maximum size of all markers, labels and identifiers of one answer, in bytes. A further marker remains
  /// text.
  std::size_t max_citation_bytes = 16 * 1024 * 1024;
  /// Maximum size of all strings of one answer's references (ids, titles, URLs, texts, excerpts), in bytes.
  /// Later references are dropped and counted.
  std::size_t max_reference_bytes = 16 * 1024 * 1024;
  /// Maximum size of the records added to a stream or body, in bytes. At the limit no further record is
  /// started. Less than the limit of an event, so the output can be read again. Records are sent whenever a
  /// choice or message ends. Once they reach the limit together, further ones are sent at the end of the
  /// stream; in `ai_sdk_ui` they are only counted, as `omitted`.
  std::size_t max_addition_bytes = 2 * 1024 * 1024;
  /// Maximum size of the citations and lists that a style prints into one answer, in bytes. At the limit no
  /// further citation is printed: its marker remains text. Without this limit, a marker of 3 bytes could
  /// print a link of 8,000 bytes.
  std::size_t max_printed_bytes = 1024 * 1024;
  /// Maximum size of the list that a style prints after an answer, in bytes. At the limit no further entry is
  /// started. Small enough that an event with the list twice (as text and in a repeat) and with records stays
  /// under `max_event_bytes`.
  std::size_t max_list_bytes = 256 * 1024;
  /// Maximum number of references per answer. Later references are dropped and counted. Of one list of
  /// sources, only the first 100,001 are read, whatever this limit is: one more than its default, so that
  /// exceeding it is noticed.
  std::size_t max_references = 100'000;
  /// Shapes of events that one stream remembers (at most 1,024), plus one for each further choice, at
  /// most 63. An event of a remembered shape is not parsed; with 0, every event is. Recorded streams have at
  /// most three shapes for a choice.
  std::size_t max_envelopes = 8;
  /// Maximum number of choices of one stream that are rewritten. Events of further ones pass through
  /// unchanged.
  std::size_t max_choices = 128;
  /// Maximum number of texts of one choice of a stream that are rewritten. Events of further ones pass
  /// through unchanged; those with the id of an earlier text continue it. All texts of a body are rewritten.
  std::size_t max_texts = 4096;
  /// Maximum number of blocked URLs recorded per answer (\ref egress_record). Further ones are blocked
  /// too, and counted.
  std::size_t max_egress_records = 1000;
  /// Maximum size of an answer's text that is kept to check its claims, in bytes. Later claims have no
  /// verdict.
  std::size_t max_checked_bytes = 1024 * 1024;
  /// Maximum size of the claims and references compared in one answer, in bytes: about a tenth of a second.
  /// Later claims have no verdict.
  std::size_t max_compared_bytes = 16 * 1024 * 1024;
};

}  // namespace citestream
