/// \file
/// The shape of chat completions (`choices[].delta`, `choices[].message`), which several dialects share.
#pragma once

#include <citestream/dialect/dialect.hpp>

#include <cstdint>
#include <string_view>

namespace citestream::chat {

/// The member of a choice that holds the text: `delta` in an event, `message` in a body.
[[nodiscard]] json_value holder_of(json_value choice, payload_kind kind) noexcept;

/// Whether `message` repeats `delta` in a choice of an event.
enum class mirroring : std::uint8_t {
  none,       ///< one of the two is missing, or `message` has no text member
  equal,      ///< both have the same text (a missing text counts as empty)
  whole,      ///< only `message` has text, at the end of the choice or without `delta`: the whole answer
  different,  ///< they differ: `message` accumulates, or means something else
};
[[nodiscard]] mirroring mirroring_of(json_value choice) noexcept;

/// Returns true if the `message` of a choice in an event differs from its `delta` and is not a repeat at the
/// end.
[[nodiscard]] bool accumulates(json_value root, payload_kind kind) noexcept;

/// Returns true if the top level has `citations` or `search_results`. Such a stream numbers its sources and
/// is read by the dialects for that.
[[nodiscard]] bool has_numbered_sources(json_value root) noexcept;

/// Returns true if `object` names a chat completion or a chunk of one.
[[nodiscard]] bool is_chat_object(json_value root) noexcept;

/// Returns true if the payload reports an error: `{"error":…}`.
[[nodiscard]] bool is_error(json_value root) noexcept;

/// Sets the holder, and where the text at `holder[key]` is.
void read_slot(json_value holder, std::string_view key, choice_event& out) noexcept;

/// Reads a part of a content that is not text.
using part_reader = void (*)(json_value part, std::uint32_t choice, dialect_event& out);

/// Call after the choices of a payload were read. For each choice whose content is a list, every text part
/// (`{"type":"text","text":…}`, or a string) becomes a text of its own, as if each were in a separate
/// event. The last one ends the choice. A citation belongs to the text after it, at the end to the last text.
/// \p others: reads the other parts; null if they are ignored.
void read_parts(json_value root, payload_kind kind, dialect_event& out, part_reader others = nullptr);

/// Reads the references of one choice.
using reference_reader = void (*)(json_value choice, payload_kind kind, const choice_event& found,
                                  dialect_event& out);

/// A \ref reference_reader for `annotations[].url_citation` next to the text, and in the `message` of an
/// event.
void read_annotations(json_value choice, payload_kind kind, const choice_event& found, dialect_event& out);

/// Reads sources that are cited by their place, from 1: the URLs in `citations` (strings, or objects with
/// `url`), and their `title`, `url` and `snippet` in `search_results`. A search result whose URL differs from
/// that of the citation at the same place is a source without a number.
void read_numbered_sources(json_value root, dialect_event& out);

/// Reads `choices` and their references. Members of a wrong type count as missing, and entries that are not
/// objects are skipped. Returns false if the index of a choice is not an integer from 0 to 1,000,000.
[[nodiscard]] bool read_choices(json_value root, payload_kind kind, reference_reader references,
                                dialect_event& out);

/// Reads a payload in OpenAI's form. \p known: it belongs to the stream even if it does not look like it.
/// Returns false if it is not in this form, or if the texts of its `message` and `delta` differ: one of them
/// would keep its markers. With dialect_event::every_text, both are read.
[[nodiscard]] bool read_payload(json_value root, payload_kind kind, reference_reader references,
                                dialect_event& out, bool known = false);

/// Reads a payload in OpenAI's form with `annotations` and with the sources in \p list, which may be
/// missing. If there is such a list, the payload is known.
[[nodiscard]] bool read_with_sources(json_value root, payload_kind kind, json_value list, dialect_event& out,
                                     bool known = false);

/// Reads a payload of a general form, with `annotations`, with content in parts and with a list of sources at
/// the top level, as RAG servers send it. A string in such a list counts only if it is a URL. \p others: see
/// read_parts().
[[nodiscard]] bool read_general_with(part_reader others, json_value root, payload_kind kind,
                                     dialect_event& out);
template <part_reader others = nullptr>
[[nodiscard]] bool read_general(json_value root, payload_kind kind, dialect_event& out) {
  return read_general_with(others, root, kind, out);
}

}  // namespace citestream::chat
