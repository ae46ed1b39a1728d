/// \file
/// Dialects: where in a provider's payloads the answer's text, its references and its end are.
///
/// A dialect is a stateless descriptor, recognised from the payload. Its read() reports where things are and
/// changes nothing. Ranges are bytes of the payload.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/base/reference.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/dialect/api_path.hpp>
#include <citestream/dialect/dialect_event.hpp>
#include <citestream/marker/grammar.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// Whether a payload is one event of a stream or a whole body.
enum class payload_kind : std::uint8_t { event, body };

/// A citation of ours, to be written in the provider's form. The strings are JSON, with their quotes.
struct own_citation {
  text_unit unit{};                          ///< the text that it is in
  source_type type{};                        ///< of its best reference
  std::uint32_t number{};                    ///< of its source, from 1
  std::string_view url{};                    ///< of the page, or the link to the file; empty: there is none
  std::string_view title{};                  ///< never empty
  std::string_view id{};                     ///< the provider's id of the reference
  std::string_view excerpt{};                ///< the start of the reference's text
  std::optional<request_place> requested{};  ///< where the request has the reference
  /// The passage of its text that the claim is about; `""` if none was found or looked for: see
  /// dialect::quotes_requests.
  std::string_view quote{};
  std::int64_t quote_start{};  ///< where it is in the source, in characters
  std::int64_t quote_end{};    ///< exclusive
  text_span printed{};         ///< what the style printed, from the start of the text sent
  text_span claim{};           ///< the text that it supports, in the same way
  /// The claim; `""` if the text sent is not kept (text_mirror::accumulates).
  std::string_view claim_text{};
  std::size_t source{};  ///< index of its source, if the dialect lists sources apart

  /// The index of the document of the request that `quote` is from; nothing if it is from none.
  [[nodiscard]] std::optional<std::int64_t> quoted_document() const noexcept {
    constexpr std::size_t empty = 2;  // `""`
    const bool quoted = requested && requested->part == request_part::document && quote.size() > empty;
    return quoted ? std::optional(requested->index) : std::nullopt;
  }
};

/// The event for a citation of ours.
struct annotation_event {
  text_unit unit;                      ///< the text that it is about
  std::string_view item_id;            ///< id of its output item
  std::size_t index{};                 ///< number of the text's annotations before it
  std::uint64_t index_in_answer{};     ///< number of the annotations of all texts before it
  std::optional<std::int64_t> number;  ///< of the event; nothing if the events have no numbers
  std::string_view citation;           ///< the JSON that dialect::append_citation wrote
};

/// An event that we add.
struct own_event {
  std::string_view type;  ///< static; empty: it has none
  std::string payload;    ///< JSON without line breaks
};

/// A failure of the upstream.
struct failure_event {
  std::string_view message;            ///< a JSON string, with its quotes
  std::string_view code;               ///< the same
  std::optional<std::int64_t> number;  ///< of the event; nothing if the events have no numbers
  unsigned status{502};                ///< of the HTTP response
};

/// A dialect: stateless, chosen by its name or recognised from the payload. Everything that other stages need
/// to know about a dialect is a field of it. Functions are never null, except where their comment allows it.
struct dialect {
  std::string_view name;  ///< used in options and `--help`; static
  /// Returns true only if the payload is certainly of this dialect.
  bool (*recognise)(json_value root, payload_kind kind);
  /// Called for each payload before the first text. Returns false if it shows that the stream is of another
  /// protocol, which begins alike. Null: what recognise() returns is certain.
  bool (*belongs)(json_value root){};
  /// Reads a payload of a stream of this dialect. \return false if the payload is not understood; it then
  /// passes unchanged. A payload without anything of interest (only usage) is understood and has no choices.
  bool (*read)(json_value root, payload_kind kind, dialect_event& out);
  /// The markers in its answers: the grammars that are on unless the user chooses others.
  std::span<const grammar* const> grammars;
  /// Those of `grammars` whose markers also occur as ordinary text: such a marker is text unless it cites a
  /// reference that is known when it is complete. Not used if the user chooses the grammars.
  std::span<const grammar* const> only_known{};
  /// Name of the style (\ref find_style) in which citations are printed unless the user chooses another.
  std::string_view style{"strip"};
  /// Many servers use this form: a later payload may show that the stream is of a more specific dialect.
  bool general{};
  /// Its events are binary messages: payloads of other streams are not tried.
  bool in_messages{};
  /// The type of the binary message that begins its streams, by which they are recognised too. Empty: the
  /// type says nothing.
  std::string_view first_message{};
  /// Names of the members of \ref text_unit in records, as in `"path":{"output":1,"content":0}`. Empty: the
  /// dialect does not have this one.
  std::string_view item_name{};
  std::string_view part_name{};  ///< the same
  /// The last event of a stream says that it is the last. A stream without it is incomplete.
  bool ends_with_event{};
  /// The top-level member that numbers the events of a stream, one by one. Empty: they have no numbers.
  std::string_view event_number{};
  /// Appends a citation of ours as the provider writes its own, in lists and events. \return false if it has
  /// no form for this one. Null: annotations are those of chat completions, next to the text.
  bool (*append_citation)(const own_citation& one, std::string& out){};
  /// Clients fail on citations that they did not ask for: those of ours are only added if the request asks
  /// for some (reference::citable), or with additions::always.
  bool cites_if_asked{};
  /// Citations of ours quote documents of the request that are plain text (own_citation::quote). If a request
  /// has any, the text of the answer is kept.
  bool quotes_requests{};
  /// Appends the events for it, which are sent when its text has ended. Null: there are none.
  void (*append_annotation)(const annotation_event& one, std::vector<own_event>& out){};
  /// An event whose whole text is held or removed may become the event of a citation that is complete, so
  /// that clients show it before its text has ended. append_annotation() appends one event.
  bool annotation_replaces_text{};
  /// The member of an event with text that is annotation_event::item_id, which records also have. Empty:
  /// events do not have one.
  std::string_view item_id_name{};
  /// Citations of the provider may come after the text that they are about, with positions in it.
  bool cites_places{};
  /// The provider quotes the words that it annotates: text that is still held back is sent before an
  /// annotation that ends in it.
  bool quotes_sent_words{};
  /// Its citations are sources without a place: each source is shown once in an answer, by the provider or by
  /// us, however often it is cited.
  bool shows_sources_once{};
  /// The member of a text with the list of its citations, if a payload may lack it (text_repeat::holder).
  std::string_view citations_name{};
  /// Appends the source of a citation of ours, as citation_lists holds it. \return false if the dialect has
  /// no form for it. Null: citations contain their sources.
  bool (*append_source)(const own_citation& one, std::string& out){};
  std::string_view sources_name{};  ///< the member with the list of sources: see citation_lists
  std::string_view lists_name{};    ///< the member with both lists
  /// Appends the events that carry the records, before the event that ends the answer. Null: that event gets
  /// the member "citestream".
  void (*append_record)(std::string_view record, std::vector<own_event>& out){};
  /// Grammars that are also on if references are known before the stream starts, except those of
  /// \ref session_options::provenance.
  std::span<const grammar* const> grammars_for_references{};
  /// Returns true if a payload that no dialect recognises may still hold a message of this form. The payload
  /// is then read as this dialect while the egress guard is on, because no text may pass it unread. Null:
  /// never.
  bool (*may_hold_message)(json_value root){};
  /// Appends the payload of an event that reports a failure of the upstream, as the clients of this dialect
  /// expect it: JSON without line breaks. Null: `{"error":{"message":…,"type":"upstream_error","code":…}}`,
  /// in NDJSON `{"error":message}`.
  void (*append_error)(const failure_event& one, std::string& out){};
  /// The event type of that event; empty: it has no `event:` line.
  std::string_view error_event{"error"};
  /// The type of the exception that reports a failure in a stream of binary messages.
  std::string_view exception{"modelStreamErrorException"};
  /// The paths of its API. Errors of the proxy itself have the body that append_error_body() appends there.
  std::span<const api_path> paths{};
  /// Appends the body of a response that reports a failure. Null: that of OpenAI (see append_error()).
  void (*append_error_body)(const failure_event& one, std::string& out){};
  /// False: no payload after the end of the answer brings references, so citations are resolved there.
  bool sends_references{true};
  /// Its clients ignore comments in an event stream, as the WHATWG standard requires: a gateway may send some
  /// while the upstream is silent. Clients of other protocols fail on them, or are not known to ignore them.
  bool takes_comments{};
};

// The built-in dialects that have a name in C++. find_dialect() finds these and all others.
extern const dialect perplexity_dialect;  ///< numbered references and an accumulated `message` in every event
extern const dialect writer_dialect;      ///< references in `delta.graph_data`
extern const dialect azure_dialect;       ///< Azure OpenAI "On Your Data": `delta.context`
extern const dialect xai_dialect;         ///< a list of URLs at the top level, at the end
extern const dialect rag_dialect;         ///< plain RAG servers: a list of references at the top level
extern const dialect openrouter_dialect;  ///< OpenAI's form with `provider`
extern const dialect mistral_dialect;     ///< text in parts
extern const dialect responses_dialect;   ///< OpenAI Responses: texts in output items, repeated at their end
extern const dialect openai_dialect;      ///< chat completions without the features of the others

/// All dialects, in the order in which they are tried.
[[nodiscard]] std::span<const dialect* const> dialects() noexcept;

/// Returns the dialect with this name, or null.
[[nodiscard]] const dialect* find_dialect(std::string_view name) noexcept;

}  // namespace citestream
