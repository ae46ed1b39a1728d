/// \file
/// Dialects: where in a provider's payloads the answer's text, its references and its end are.
///
/// A dialect is a stateless descriptor, recognised from the payload. Its read() reports places; it changes
/// nothing. Ranges are bytes of the payload.
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

/// What stands where the text of a choice belongs.
enum class text_slot : std::uint8_t {
  none,    ///< this payload has no place for text
  string,  ///< a string: the text
  null,    ///< `null`: text can be put there
  absent,  ///< no such member, but its object is there: text can be inserted
};

/// One choice in one payload. Views live as long as the document.
struct choice_event {
  std::uint32_t choice{};           ///< its `index`, else its place in the list; 0 where there is no list
  text_slot slot{text_slot::none};  ///< what stands there, or could
  std::string_view text;            ///< unescaped, where `slot` is string
  /// The text decided nothing: another one in `token`, and the same or what has grown with it in `mirror`,
  /// would read alike. Events may then be read by their envelope.
  bool text_free{};
  byte_range token;                  ///< the string's or null's bytes
  std::optional<byte_range> mirror;  ///< the same text in `message`, to be kept equal (string or null)
  std::string_view mirror_text;      ///< unescaped, where the mirror is a string
  /// The mirror holds the whole text of the choice up to here, not this payload's alone: what stands there is
  /// to be all text that has left so far. Then `mirror` and `mirror_text` are set wherever there is a string.
  bool mirror_accumulates{};
  /// What is cited here without a marker in the text, in dialect_event::cited: `[begin, text)` before the
  /// text, `[text, end)` behind it.
  struct {
    std::size_t begin{};
    std::size_t text{};
    std::size_t end{};
  } cited;
  std::optional<byte_range> holder;  ///< the object that holds the text (`delta`, `message`), braces included
  std::string_view content_key{"content"};  ///< the text's key in `holder`
  std::optional<byte_range> annotations;    ///< the value of `annotations` in `holder`, where there is one
  bool can_annotate{};                      ///< `holder` is a place where OpenAI's annotations belong
  bool finished{};                          ///< the choice ends with this payload
  bool finish_expected{
      true};  ///< a stream that ends before a finish was cut off (false: no payload says the end)
  std::string_view finish_reason;  ///< as the payload says; empty where it says none
};

/// Where a text stands that is none of the answer's and that clients may show all the same.
enum class beside_place : std::uint8_t {
  refusal,  ///< `refusal` where the answer's text would be; in a stream each is a delta
  message,  ///< the content of `message` beside `delta` where it is not that of `delta` (or turned round)
  message_refusal,  ///< its `refusal`, likewise
};

/// "refusal", "message" or "message_refusal".
[[nodiscard]] std::string_view name(beside_place place) noexcept;

/// One such text in one payload, or a place that what is left of it can take.
struct text_beside {
  beside_place place{};  ///< where it stands
  bool whole{};          ///< all of it is in this payload: the next one brings another
  choice_event at;       ///< of which choice, and where; `finished`: nothing of it follows
};

/// A reference that a payload brings.
struct found_reference {
  std::optional<std::uint32_t> choice;  ///< nothing: it counts for all choices
  reference ref;                        ///< owned; it outlives the payload
};

/// What one payload says. Reused from payload to payload. Of an event that says more than texts and
/// references no envelope is learned: what is added here is to be looked at there.
struct dialect_event {
  /// Set by who reads: every text counts that a client may show, for it must not pass unseen. Then `beside`
  /// is read, parts of a content are texts whatever their type (but reasoning), and a `message` that holds
  /// what `delta` does not is no reason not to read the payload.
  bool every_text{};
  std::vector<choice_event> choices;  ///< in order of place; views live as long as the document
  std::vector<text_beside> beside;    ///< where `every_text` is set: texts that are none of the answer's
  std::vector<found_reference> references;  ///< in the provider's order
  /// Keys of what is cited without a marker in the text; digits alone mean a place in the list of references,
  /// from 0.
  std::vector<std::string> cited;
  /// The top-level object, braces included: additions are inserted before its end. Empty: this payload cannot
  /// take any, and they are sent with a later event.
  byte_range root;
  bool error{};  ///< the payload is an error object
  /// Keeps `every_text`.
  void clear() noexcept {
    choices.clear();
    beside.clear();
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
  std::string_view name;  ///< as options and `--help` have it; static
  /// Whether the payload is surely of this dialect.
  bool (*recognise)(json_value root, payload_kind kind);
  /// Reads a payload of a stream whose dialect this is. \return false: not a payload that it knows; it
  /// passes as it is. A payload that carries nothing of interest (usage only) is read and has no choices.
  bool (*read)(json_value root, payload_kind kind, dialect_event& out);
  /// What its answers cite with: the grammars that are on where none are chosen.
  std::span<const grammar* const> grammars;
  /// Its form is that of many: what comes later may show that a stream is of a more special one.
  bool general{};
  /// Grammars that are also on if references are known before the stream starts, except those of
  /// \ref session_options::provenance.
  std::span<const grammar* const> grammars_for_references{};
  /// Returns true if a payload that no dialect recognises may still hold a message of this form. The payload
  /// is then read as this dialect while the egress guard is on, because no text may pass it unread. Null:
  /// never.
  bool (*may_hold_message)(json_value root){};
};

extern const dialect perplexity_dialect;  ///< numbered sources and an accumulated `message` in every event
extern const dialect writer_dialect;      ///< references in `delta.graph_data`
extern const dialect azure_dialect;       ///< Azure OpenAI "On Your Data": `delta.context`
extern const dialect xai_dialect;         ///< a list of addresses at the top level, at the end
extern const dialect rag_dialect;         ///< plain RAG servers: a list of sources at the top level
extern const dialect openrouter_dialect;  ///< OpenAI's form with `provider`
extern const dialect mistral_dialect;     ///< text in parts
extern const dialect openai_dialect;      ///< chat completions without anything of the others

/// All dialects, in the order in which they are tried.
[[nodiscard]] std::span<const dialect* const> dialects() noexcept;

/// The dialect with that name, or null.
[[nodiscard]] const dialect* find_dialect(std::string_view name) noexcept;

}  // namespace citestream
