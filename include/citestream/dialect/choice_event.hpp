/// \file
/// What a dialect reports about the text of one choice in one payload. Ranges are bytes of the payload.
#pragma once

#include <citestream/chunk/document.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace citestream {

struct own_event;

/// One of several texts of a choice, such as a content part of an output item or a content block. They may
/// alternate. All zero if a choice has one text. If texts have ids instead, see unit_named().
struct text_unit {
  std::uint32_t item{};  ///< index of the output item
  std::uint32_t part{};  ///< index of the part in it

  friend auto operator<=>(const text_unit&, const text_unit&) = default;  ///< in order of place
};

/// The text that was received last.
inline constexpr text_unit last_text{~std::uint32_t{}, ~std::uint32_t{}};

/// The only text of an answer. Records have a path whose item is null.
inline constexpr text_unit only_text{~std::uint32_t{}, 1};

/// All texts of the answer, joined in the order of their places.
inline constexpr text_unit all_texts{~std::uint32_t{}, 0};

/// The text with this id.
[[nodiscard]] text_unit unit_named(std::string_view id) noexcept;

/// What a payload holds at the place of a choice's text.
enum class text_slot : std::uint8_t {
  none,    ///< this payload has no place for text
  string,  ///< a string: the text
  null,    ///< `null`; text can replace it
  absent,  ///< the member is missing but its object exists; text can be inserted
};

/// Which of the texts of a choice a payload is about.
struct unit_mark {
  text_unit id;          ///< may be \ref last_text
  bool begins{};         ///< a new text begins, even if an earlier one had the same id
  bool ends{};           ///< this text ends with this payload
  bool ends_previous{};  ///< the text before this one has ended: it cannot continue later
  /// The text has no id: it continues until a payload with payload_signals::breaks_text.
  bool consecutive{};
  bool pauses{};            ///< something else follows: the text continues later, but a marker does not
  bool not_of_model{};      ///< with `begins`: the text is not of the model, and passes unchanged
  std::string_view name{};  ///< the id of the text as JSON, if records name it by that; empty: they do not
};

/// A repeat of a text in the same payload, which is kept equal to it.
struct text_mirror {
  std::optional<byte_range> token;  ///< a string or `null`
  std::string_view text;            ///< unescaped, if it is a string
  /// The repeat holds all text of the choice so far, and is replaced by all text sent so far. Set in every
  /// payload of the choice, or only in its last one.
  bool accumulates{};
};

/// The object that holds a text, such as `delta` or `message`.
struct text_holder {
  std::optional<byte_range> object;               ///< braces included
  std::string_view content_key{"content"};        ///< the text's key in it
  std::optional<byte_range> annotations;          ///< the value of its `annotations`, if there is one
  std::optional<byte_range> message_annotations;  ///< the same in a `message` that repeats the text
  bool can_annotate{};                            ///< OpenAI annotations may be inserted into it
};

/// The end of a choice.
struct choice_end {
  bool here{};  ///< the choice ends with this payload
  /// A stream that ends without it is incomplete. False: no payload of the dialect reports the end.
  bool expected{true};
  std::string_view reason;  ///< as in the payload; may be empty
};

/// One choice in one payload. Views are valid as long as the document.
struct choice_event {
  std::uint32_t choice{};           ///< its `index`, else its place in the list; 0 if there is no list
  text_slot slot{text_slot::none};  ///< what the payload holds at the place of the text
  /// The protocol does not allow an empty text in this payload: it is left out if no text can be sent.
  bool needs_text{};
  /// The dialect did not look at the characters of the text: with another text in `token` and `mirror`, it
  /// would report the same event. Only such events may be learned by their shape.
  bool independent_of_text{};
  /// A later payload repeats the text (dialect_event::repeats) or quotes words of it, so it is kept.
  bool keeps_text{};
  unit_mark unit;         ///< which of its texts
  std::string_view text;  ///< unescaped, if `slot` is string
  byte_range token;       ///< the bytes of the string or of `null`
  text_mirror mirror;     ///< the same text in `message`
  /// Citations without a marker, as ranges of dialect_event::cited: `[begin, text)` before the text,
  /// `[text, end)` after it.
  struct {
    std::uint32_t begin{};
    std::uint32_t text{};
    std::uint32_t end{};
  } cited;
  text_holder holder;  ///< the object that holds the text
  /// Writes an event with more of this text. `text` is a JSON string. Null: that event is a copy of this
  /// payload, which the protocol allows to be repeated.
  own_event (*more_text)(text_unit unit, std::string_view text){};
  choice_end end;  ///< whether it ends

  /// Sets the place of the text, the text and its bytes. \p string: a string of the payload.
  void set_text(json_value string) noexcept {
    slot = text_slot::string;
    text = string.string();
    token = string.range();
  }
};

}  // namespace citestream
