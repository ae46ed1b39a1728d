/// \file
/// What a dialect reports about one payload: where texts, references, annotations and the end are. Ranges are
/// bytes of the payload.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/base/reference.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/dialect/choice_event.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// An annotation of the provider: a citation of its own, with positions in the text that it sent.
struct native_annotation {
  std::uint32_t choice{};                          ///< whose text it is about
  text_unit unit{last_text};                       ///< the text of the choice that the positions are in
  offset_unit counted_in{offset_unit::codepoint};  ///< unit of the positions
  std::uint64_t start{};                           ///< from the start of this text
  std::uint64_t end{};                    ///< exclusive; equal to `start` if the annotation has one position
  std::uint64_t origin{};                 ///< the position in this text that the payload counts from
  bool end_inclusive{};                   ///< the number at `end_token` is that of the last position in it
  std::optional<byte_range> start_token;  ///< the number; nothing if it is missing, which means 0
  std::optional<byte_range> end_token;    ///< the same; nothing if there is at most one position
  std::optional<byte_range> quote_token;  ///< a string with the words from `start` to `end`
  std::string_view quote;                 ///< unescaped
  std::string_view source;                ///< URL of the page, or id of the file
  /// If `source` is empty: where the request has the cited document.
  std::optional<request_place> requested;
  /// If `source` is empty: the index of the source in the \ref citation_lists of earlier payloads.
  std::optional<std::size_t> listed;
};

/// A citation of the provider, for the records: one for each reference that it cites.
struct native_citation : native_traits {
  std::uint32_t choice{};                          ///< whose text it is about
  text_unit unit{last_text};                       ///< the text of the choice
  offset_unit counted_in{offset_unit::codepoint};  ///< unit of the position
  std::uint64_t start{};                           ///< from the start of this text
  std::uint64_t end{};                             ///< exclusive
  std::size_t reference{};                         ///< index of what it cites in dialect_event::references
  /// Instead of `reference`: the index of the source in the \ref citation_lists of earlier payloads.
  std::optional<std::size_t> listed;
  std::string_view json;   ///< the whole citation: an object
  std::string_view quote;  ///< the words from `start` to `end`; empty: not known
};

/// For protocols in which a text part has exactly one member: where its members move when it gets a list of
/// annotations. `{…}` becomes `{"outer":{"inner":[{…}],"list":[…]}}`.
struct moved_members {
  std::string_view outer;  ///< empty: they stay, and the list is a member next to them
  std::string_view inner;  ///< an array; its only element is the object with the members
};

/// The whole text of a unit so far again, and its annotations.
struct text_repeat {
  std::uint32_t choice{};            ///< whose text it is
  text_unit unit;                    ///< which text of it; may be \ref all_texts
  std::optional<byte_range> token;   ///< the string; nothing if the payload has the text itself
  std::string_view text;             ///< unescaped
  std::optional<byte_range> list;    ///< the list of its annotations, or `null`
  std::optional<byte_range> holder;  ///< if there is no list: the object that can get one
  moved_members moved;               ///< the same: where its members move
  std::size_t begin{};               ///< first of them in dialect_event::annotations
  std::size_t end{};                 ///< after the last
  std::string_view output_item;      ///< the id of its output item as JSON; empty: it has none
  /// The text has ended. If no payload has sent any of it before, this is the text itself. False: more of it
  /// may follow, or it is not of this answer.
  bool ended{};
};

/// Where a payload that ends a choice takes added citations in two lists: sources, and citations, which
/// refer to sources by their index. An earlier payload may have a list of sources, too; indexes continue in
/// the next.
struct citation_lists {
  bool takes_ours{true};                    ///< false: an earlier payload
  std::uint32_t choice{};                   ///< whose citations
  byte_range holder;                        ///< the object that can get an object with both lists
  std::optional<byte_range> object;         ///< that object, if the holder has one
  std::optional<byte_range> source_list;    ///< in it
  std::optional<byte_range> citation_list;  ///< the same
  std::vector<std::string_view> sources;    ///< the URL of each source in the list; empty: it has none
  /// The index of each source in dialect_event::references.
  std::vector<std::size_t> references;
  std::size_t cited{};  ///< greater than each index in the list of citations
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
  choice_event at;           ///< its choice and range; `end.here`: nothing more of it follows
};

/// A reference in a payload.
struct found_reference {
  std::optional<std::uint32_t> choice;  ///< nothing: it belongs to all choices
  reference ref;                        ///< owned; it outlives the payload
};

/// The number of an annotation that begins or ends in a payload.
struct annotation_number {
  std::optional<byte_range> token;  ///< may be missing
  bool by_text{};                   ///< the annotations of each text are numbered, not those of all texts
};

/// What a payload reports about the stream.
struct payload_signals {
  bool error{};      ///< the payload is an error object
  bool end{};        ///< all choices end with this payload
  bool last{};       ///< the stream ends with this payload: see stream_rules::ends_with_event
  bool annotates{};  ///< the provider is going to annotate its texts
  /// Ends a text whose payloads are unit_mark::consecutive, before this payload.
  bool breaks_text{};
  /// Clients may resume the stream by the numbers of its events, so no number may change.
  bool resumable{};
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
  std::vector<native_annotation> annotations;  ///< with positions to be converted
  std::vector<native_citation> natives;        ///< each may be repeated in other payloads
  annotation_number numbering;                 ///< of an annotation in this payload
  std::vector<citation_lists> lists;           ///< at most one for each choice
  std::vector<text_repeat> repeats;            ///< texts that were sent before; in a body, in their order
  /// The object that additions are inserted into. Missing: this payload cannot take any, and they are sent
  /// with a later event.
  json_value root;
  payload_signals signals;  ///< what the payload reports about the stream
  /// Clears everything except `every_text`.
  void clear() noexcept {
    choices.clear();
    other_texts.clear();
    references.clear();
    cited.clear();
    annotations.clear();
    natives.clear();
    numbering = {};
    lists.clear();
    repeats.clear();
    root = {};
    signals = {};
  }
};

}  // namespace citestream
