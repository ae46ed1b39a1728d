/// \file
/// The shape of chat completions (`choices[].delta`, `choices[].message`), which several dialects share.
#pragma once

#include <citestream/dialect/dialect.hpp>

#include <cstdint>
#include <string_view>

namespace citestream::chat {

/// How models cite a list of references that a RAG server gave them: `[1]`, `[src_1]`, `[REF|d_1]`.
inline constexpr const grammar* list_grammars[] = {&numeric_grammar, &source_grammar, &ref_grammar};

/// The member of a choice that holds the text: `delta` in an event, `message` in a body.
[[nodiscard]] json_value holder_of(json_value choice, payload_kind kind) noexcept;

/// How `message` stands to `delta` in a choice of an event.
enum class mirroring : std::uint8_t {
  none,       ///< one of the two is not there, or `message` has no text member
  equal,      ///< they hold the same text (none at all counts as the empty text)
  different,  ///< they do not: `message` accumulates, or means something else
};
[[nodiscard]] mirroring mirroring_of(json_value choice) noexcept;

/// Whether a choice of an event holds in `message` what its `delta` does not.
[[nodiscard]] bool accumulates(json_value root, payload_kind kind) noexcept;

/// Whether the top level has lists of sources in a form of their own (`citations`, `search_results`): such a
/// stream numbers its sources, and belongs to the dialects that know how.
[[nodiscard]] bool has_numbered_sources(json_value root) noexcept;

/// Whether `object` names a chat completion, whole or in chunks.
[[nodiscard]] bool is_chat_object(json_value root) noexcept;

/// Whether the payload reports an error: `{"error":…}`.
[[nodiscard]] bool is_error(json_value root) noexcept;

/// Fills in where the text at `holder[key]` is, and the holder.
void read_slot(json_value holder, std::string_view key, choice_event& out) noexcept;

/// Reads what a part of a content says that is no text.
using part_reader = void (*)(json_value part, std::uint32_t choice, dialect_event& out);

/// Parts the choices of a payload that was read whose content is a list: each text part (`{"type":"text",
/// "text":…}`, or a text alone) is a place for text of its own, as if each had come in an event. The last
/// ends the choice, and has what is cited behind it; what is cited before a text goes with it. \p others:
/// null where parts that are no text say nothing. \return whether the payload has no key twice.
[[nodiscard]] bool read_parts(json_value root, payload_kind kind, dialect_event& out,
                              part_reader others = nullptr);

/// Reads the references that one choice brings.
using reference_reader = void (*)(json_value choice, payload_kind kind, const choice_event& found,
                                  dialect_event& out);

/// A \ref reference_reader: `annotations[].url_citation` beside the text.
void read_annotations(json_value choice, payload_kind kind, const choice_event& found, dialect_event& out);

/// Reads sources that are cited by their place, from 1: the addresses in `citations` (strings, or objects
/// with `url`), what `search_results` says about them (`title`, `url`, `snippet`). A search result of another
/// address than the citation at its place is a source without a number.
void read_numbered_sources(json_value root, dialect_event& out);

/// Reads `choices`, each with its references. Members of a wrong type count as absent; what is no object is
/// passed over. \return false: a choice's index is negative or over 1,000,000.
[[nodiscard]] bool read_choices(json_value root, payload_kind kind, reference_reader references,
                                dialect_event& out);

/// Reads a payload in OpenAI's form; \p known: it is one of the stream whatever it looks like. \return false:
/// it is none, or its `message` holds what its `delta` does not and would keep the markers that `delta`
/// loses.
[[nodiscard]] bool read_payload(json_value root, payload_kind kind, reference_reader references,
                                dialect_event& out, bool known = false);

/// The same with `annotations`, and with the list of sources that starts with \p first, where that is one:
/// such a payload is known.
[[nodiscard]] bool read_with_sources(json_value root, payload_kind kind, json_value first,
                                     dialect_event& out);

/// A payload of a stream of a general form: with `annotations`, and with a list of sources at the top level
/// where a plain RAG server would say so. A text in such a list counts only where it is an address.
[[nodiscard]] bool read_general(json_value root, payload_kind kind, dialect_event& out);

}  // namespace citestream::chat
