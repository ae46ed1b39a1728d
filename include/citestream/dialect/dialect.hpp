/// \file
/// Dialects: where in a provider's payloads the answer's text, its references and its end are.
///
/// A dialect is a stateless descriptor, recognised from the payload. Its read() reports where things are and
/// changes nothing. Ranges are bytes of the payload.
#pragma once

#include <citestream/chunk/document.hpp>
#include <citestream/dialect/api_path.hpp>
#include <citestream/dialect/dialect_event.hpp>
#include <citestream/dialect/own_citation.hpp>
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

/// A failure of the upstream.
struct failure_event {
  std::string_view message;            ///< a JSON string, with its quotes
  std::string_view code;               ///< the same
  std::optional<std::int64_t> number;  ///< of the event; nothing if the events have no numbers
  unsigned status{502};                ///< of the HTTP response
};

/// The grammar of most dialects.
inline constexpr const grammar* link_alone[] = {&link_grammar};
/// The grammars in which models cite a list of sources: `[1]`, `[src_1]`, `[REF|d_1]`.
inline constexpr const grammar* list_grammars[] = {&numeric_grammar, &source_grammar, &ref_grammar};

/// Markers in the answers of a dialect, and how they are printed.
struct marker_rules {
  /// The grammars of \ref dialect::grammars whose markers can also be ordinary text. Such a marker is text
  /// unless it cites a reference that is known when it is complete. Not used if the user chooses the
  /// grammars.
  std::span<const grammar* const> only_known{};
  /// Grammars that are also on if session_options::references contains a reference that is neither of
  /// add_provenance() nor a tool result.
  std::span<const grammar* const> for_references = list_grammars;
  /// Name of the style (\ref find_style) in which citations are printed unless the user chooses another.
  std::string_view style{"strip"};
};

/// How streams of a dialect are distinguished from others, besides \ref dialect::recognise.
struct dialect_signs {
  /// Called for each payload before the first text. Returns false if it shows that the stream is of another
  /// protocol whose streams begin in the same way. Null: recognise() is final.
  bool (*belongs)(json_value root){};
  /// Returns true if a payload that no dialect recognises may still hold a message of this form. The payload
  /// is then read as this dialect while the egress guard is on, because no text may pass it unread. Null:
  /// never.
  bool (*may_hold_message)(json_value root){};
  /// Many servers use this form: a later payload may show that the stream is of a more specific dialect.
  bool general{};
  /// A gateway may send a payload of this form, without text, before the stream of another protocol.
  bool may_precede{};
  /// Its events are binary messages: payloads of other streams are not tried.
  bool in_messages{};
  /// The type of the binary message that begins its streams, which are recognised by it too. Empty: not used.
  std::string_view first_message{};
};

/// Rules for the streams of a dialect.
struct stream_rules {
  /// An event marks the end of a stream. A stream without it is incomplete.
  bool ends_with_event{};
  /// More text may follow that event: a server has joined several answers.
  bool joins_answers{};
  /// The top-level member that numbers the events of a stream, one by one. Empty: they have no numbers.
  std::string_view event_number{};
  /// False: no payload after the end of the answer brings references, so citations are resolved there.
  bool sends_references{true};
  /// Appends the events that carry the records, before the event that ends the answer. Null: that event gets
  /// the member "citestream".
  void (*append_record)(std::string_view record, std::vector<own_event>& out){};
  /// Citations of the provider may follow the text that they are about, with positions in it.
  bool cites_places{};
  /// The provider quotes the words that it annotates: text that is still held back is sent before an
  /// annotation that ends in it.
  bool quotes_sent_words{};
  /// Its clients ignore comments in an event stream, as the WHATWG standard requires: a gateway may send some
  /// while the upstream is silent. Clients of other protocols fail on them, or are not known to ignore them.
  bool takes_comments{};
};

/// Names of the members of \ref text_unit in records, as in `"path":{"output":1,"content":0}`. Empty: the
/// dialect does not have this one.
struct path_names {
  std::string_view item{};  ///< of text_unit::item
  std::string_view part{};  ///< of text_unit::part
  /// The member of an event with text that has annotation_event::item_id. Records have it by the same name.
  std::string_view item_id{};
};

/// How a dialect reports failures of the upstream to its clients.
struct failure_form {
  /// Appends the payload of an event: JSON without line breaks. Null:
  /// `{"error":{"message":…,"type":"upstream_error","code":…}}`, in NDJSON `{"error":message}`.
  void (*append_event)(const failure_event& one, std::string& out){};
  /// The type of that event; empty: it has no `event:` line.
  std::string_view event_type{"error"};
  /// The type of the exception in a stream of binary messages.
  std::string_view exception{"modelStreamErrorException"};
  /// Appends the body of a response. Null: OpenAI's form, with the type `upstream_error`, `proxy_error` or
  /// `invalid_request_error`.
  void (*append_body)(const failure_event& one, std::string& out){};
};

/// A dialect: stateless, chosen by its name or recognised from the payload. Everything that other stages need
/// to know about a dialect is in it. Functions are never null, except where their comment allows it.
struct dialect {
  std::string_view name;  ///< used in options and `--help`; static
  /// Returns true if the payload has the form of this dialect. A later payload may disprove it, see
  /// dialect_signs::belongs.
  bool (*recognise)(json_value root, payload_kind kind);
  /// Reads a payload of a stream of this dialect. \return false if the payload is not understood; it then
  /// passes unchanged. A payload without anything of interest (only usage) is understood and has no choices.
  bool (*read)(json_value root, payload_kind kind, dialect_event& out);
  /// The markers in its answers: the grammars that are on unless the user chooses others.
  std::span<const grammar* const> grammars = link_alone;
  marker_rules markers{};   ///< more about its markers, and its style
  dialect_signs signs{};    ///< more about how it is recognised
  stream_rules stream{};    ///< rules for its streams
  path_names names{};       ///< of the texts of an answer, in records
  own_citation_form own{};  ///< how citations of citestream are written
  failure_form failures{};  ///< how failures are reported
  /// The paths of its API. Errors of the proxy itself have the body that failure_form::append_body() appends.
  std::span<const api_path> paths{};
};

/// Chat completions without the features of other dialects. find_dialect() finds all built-in ones.
extern const dialect openai_dialect;

/// All dialects, in the order in which they are tried.
[[nodiscard]] std::span<const dialect* const> dialects() noexcept;

/// Returns the dialect with this name, or null.
[[nodiscard]] const dialect* find_dialect(std::string_view name) noexcept;

}  // namespace citestream
