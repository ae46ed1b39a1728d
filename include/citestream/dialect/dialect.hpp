/// \file
/// Dialects: where in a provider's payloads the answer's text, its references and its end are.
///
/// A dialect is a stateless descriptor, recognised from the payload. Its read() reports where things are and
/// changes nothing. Ranges are bytes of the payload.
#pragma once

#include <citestream/base/reference.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/marker/grammar.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// What a payload holds at the place of a choice's text.
enum class text_slot : std::uint8_t {
  none,    ///< this payload has no place for text
  string,  ///< a string: the text
  null,    ///< `null`; text can replace it
  absent,  ///< the member is missing but its object exists; text can be inserted
};

/// One choice in one payload. Views are valid as long as the document.
struct choice_event {
  std::uint32_t choice{};           ///< its `index`, else its place in the list; 0 if there is no list
  text_slot slot{text_slot::none};  ///< what the payload holds at the place of the text
  std::string_view text;            ///< unescaped, if `slot` is string
  /// The text itself decided nothing: a payload with another text in `token`, and the matching text in
  /// `mirror`, would be read in the same way. Only such events may be learned by their shape.
  bool text_free{};
  byte_range token;                  ///< the bytes of the string or of `null`
  std::optional<byte_range> mirror;  ///< the same text in `message`, to be kept equal (string or null)
  std::string_view mirror_text;      ///< unescaped, if the mirror is a string
  /// The mirror holds the whole text of the choice so far, not only this payload's, and must be replaced by
  /// all text sent so far. `mirror` and `mirror_text` are then set whenever the mirror is a string. Set in
  /// all payloads of a choice, or only in the one that ends it.
  bool mirror_accumulates{};
  /// Citations without a marker, as ranges of dialect_event::cited: `[begin, text)` before the text,
  /// `[text, end)` after it.
  struct {
    std::size_t begin{};
    std::size_t text{};
    std::size_t end{};
  } cited;
  std::optional<byte_range> holder;  ///< the object that holds the text (`delta`, `message`), braces included
  std::string_view content_key{"content"};        ///< the text's key in `holder`
  std::optional<byte_range> annotations;          ///< the value of `annotations` in `holder`, if there is one
  std::optional<byte_range> message_annotations;  ///< the same in a `message` that repeats the text
  bool can_annotate{};                            ///< OpenAI annotations may be inserted into `holder`
  bool finished{};                                ///< the choice ends with this payload
  /// A stream that ends without a finish is incomplete. False: no payload of the dialect reports the end.
  bool finish_expected{true};
  std::string_view finish_reason;  ///< as in the payload; empty if there is none
};

/// Where a payload holds a text that is not part of the answer but that clients may show.
enum class other_text_place : std::uint8_t {
  refusal,          ///< `refusal` next to the answer's text; in a stream, each is a delta
  message,          ///< the content of `message` if it differs from that of `delta` (or vice versa)
  message_refusal,  ///< the `refusal` of that `message`
};

/// "refusal", "message" or "message_refusal".
[[nodiscard]] std::string_view name(other_text_place place) noexcept;

/// One such text in one payload, or a place where the rest of an earlier one can be written.
struct other_text_event {
  other_text_place place{};  ///< where it is
  bool whole{};              ///< the payload holds all of it; the next payload starts another text
  choice_event at;           ///< its choice and range; `finished`: nothing more of it follows
};

/// A reference in a payload.
struct found_reference {
  std::optional<std::uint32_t> choice;  ///< nothing: it belongs to all choices
  reference ref;                        ///< owned; it outlives the payload
};

/// What one payload holds. Reused from payload to payload. The shape of an event is learned only if it holds
/// nothing but texts and references; check that when you add a member.
struct dialect_event {
  /// Set by the caller: report every text that a client may show, because none may pass unread. `other_texts`
  /// is then filled, content parts of every type except reasoning are texts, and a payload is read even if
  /// its `message` differs from its `delta` and does not repeat the whole answer.
  bool every_text{};
  std::vector<choice_event> choices;  ///< in order of place; views are valid as long as the document
  /// If `every_text` is set: texts that are not part of the answer.
  std::vector<other_text_event> other_texts;
  std::vector<found_reference> references;  ///< in the provider's order
  /// Keys of citations without a marker in the text. Digits alone are a place in the list of references,
  /// counted from 0.
  std::vector<std::string> cited;
  /// The top-level object, braces included: additions are inserted before its end. Empty: this payload cannot
  /// take any, and they are sent with a later event.
  byte_range root;
  bool error{};  ///< the payload is an error object
  /// Clears everything except `every_text`.
  void clear() noexcept {
    choices.clear();
    other_texts.clear();
    references.clear();
    cited.clear();
    root = {};
    error = false;
  }
};

/// Whether a payload is one event of a stream or a whole body.
enum class payload_kind : std::uint8_t { event, body };

/// A dialect: stateless, chosen by its name or recognised from the payload. Everything that other stages need
/// to know about a dialect is a field of it. Functions are never null, except where their comment allows it.
struct dialect {
  std::string_view name;  ///< used in options and `--help`; static
  /// Returns true only if the payload is certainly of this dialect.
  bool (*recognise)(json_value root, payload_kind kind);
  /// Reads a payload of a stream of this dialect. \return false if the payload is not understood; it then
  /// passes unchanged. A payload without anything of interest (only usage) is understood and has no choices.
  bool (*read)(json_value root, payload_kind kind, dialect_event& out);
  /// The markers in its answers: the grammars that are on unless the user chooses others.
  std::span<const grammar* const> grammars;
  /// Many servers use this form: a later payload may show that the stream is of a more specific dialect.
  bool general{};
  /// Grammars that are also on if references are known before the stream starts, except those of
  /// \ref session_options::provenance.
  std::span<const grammar* const> grammars_for_references{};
  /// Returns true if a payload that no dialect recognises may still hold a message of this form. The payload
  /// is then read as this dialect while the egress guard is on, because no text may pass it unread. Null:
  /// never.
  bool (*may_hold_message)(json_value root){};
  /// Appends the payload of an event that reports a failure of the upstream, as the clients of this dialect
  /// expect it: JSON without line breaks. \p message and \p code are JSON strings, with their quotes. Null:
  /// `{"error":{"message":…,"type":"upstream_error","code":…}}`, in NDJSON `{"error":message}`.
  void (*append_error)(std::string_view message, std::string_view code, std::string& out){};
  /// The event type of that event; empty: it has no `event:` line.
  std::string_view error_event{"error"};
  /// False: no payload brings references, so citations are resolved as soon as the answer has finished.
  bool sends_references{true};
};

// The built-in dialects that have a name in C++. find_dialect() finds these and all others.
extern const dialect perplexity_dialect;  ///< numbered references and an accumulated `message` in every event
extern const dialect writer_dialect;      ///< references in `delta.graph_data`
extern const dialect azure_dialect;       ///< Azure OpenAI "On Your Data": `delta.context`
extern const dialect xai_dialect;         ///< a list of URLs at the top level, at the end
extern const dialect rag_dialect;         ///< plain RAG servers: a list of references at the top level
extern const dialect openrouter_dialect;  ///< OpenAI's form with `provider`
extern const dialect mistral_dialect;     ///< text in parts
extern const dialect openai_dialect;      ///< chat completions without the features of the others

/// All dialects, in the order in which they are tried.
[[nodiscard]] std::span<const dialect* const> dialects() noexcept;

/// Returns the dialect with this name, or null.
[[nodiscard]] const dialect* find_dialect(std::string_view name) noexcept;

}  // namespace citestream
