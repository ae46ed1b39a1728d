/// \file
/// What several dialects read in the same way: texts and their ends, citations and their lists.
#pragma once

#include <citestream/chunk/document.hpp>
#include <citestream/dialect/dialect.hpp>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

namespace citestream {

/// The dialect::read of a dialect. \p read fills an empty \p out from an object, and returns false if it is
/// not understood.
template <auto read>
bool read_object(json_value root, payload_kind kind, dialect_event& out) {
  out.clear();
  return root.is_object() && read(root, kind, out) && !root.ambiguous();
}

/// The dialect::read of a dialect whose events and bodies differ. `is_body`: whether an object is a body,
/// which has all texts, and their ends.
template <auto read_event, auto is_body, auto read_body>
bool read_either(json_value root, payload_kind kind, dialect_event& out) {
  constexpr auto read = [](json_value object, payload_kind form, dialect_event& found) {
    if (form == payload_kind::event) return read_event(object, found);
    if (!is_body(object)) return false;
    found.root = object;
    found.signals.end = true;
    read_body(object, found);
    return true;
  };
  return read_object<read>(root, kind, out);
}

/// The dialect::read of a dialect without bodies.
template <auto read_event>
bool read_events(json_value root, payload_kind kind, dialect_event& out) {
  constexpr auto read = [](json_value object, payload_kind form, dialect_event& found) {
    return form == payload_kind::event && read_event(object, found);
  };
  return read_object<read>(root, kind, out);
}

/// The first of these members that is a text and not empty.
[[nodiscard]] inline std::string_view first_text(json_value object,
                                                 std::initializer_list<std::string_view> keys) noexcept {
  for (const std::string_view key : keys) {
    if (const std::string_view found = object[key].string(); !found.empty()) return found;
  }
  return {};
}

// ---- texts

/// Adds an entry for the text \p unit. No payload of such a protocol reports the end of a choice.
inline choice_event& add_place(text_unit unit, dialect_event& out) {
  choice_event& found = out.choices.emplace_back();
  found.unit.id = unit;
  found.end.expected = false;
  return found;
}

/// Adds such an entry with the string \p text.
inline choice_event& add_text(json_value text, text_unit unit, dialect_event& out) {
  choice_event& found = add_place(unit, out);
  found.set_text(text);
  return found;
}

/// Adds a repeat of the text \p unit, at \p text if that is a string.
inline text_repeat& add_repeat(json_value text, text_unit unit, dialect_event& out) {
  text_repeat& found = out.repeats.emplace_back();
  found.unit = unit;
  if (text.is_string()) found.token = text.range();
  found.text = text.string();
  return found;
}

// ---- citations

/// Sets where \p list is, the citations of a text; if it is missing, \p holder can get it.
inline void place_list(json_value holder, json_value list, text_repeat& found) noexcept {
  if (list.is_array() || list.is_null()) found.list = list.range();
  if (!list) found.holder = holder.range();
}

/// Sets where \p list is, and calls \p read with each citation, which adds annotations.
template <typename Read>
void read_list(json_value holder, json_value list, text_repeat& found, dialect_event& out, const Read& read) {
  place_list(holder, list, found);
  found.begin = out.annotations.size();
  for (const json_value& one : list) read(one);
  found.end = out.annotations.size();
}

/// Adds an annotation without a position. \p source: identifies what it cites, such as a URL.
inline native_annotation& add_annotation(text_unit unit, std::string_view source, dialect_event& out) {
  native_annotation& found = out.annotations.emplace_back();
  found.unit = unit;
  found.source = source;
  return found;
}

/// Sets the words that an annotation repeats, if \p words is a string.
inline void set_quote(json_value words, native_annotation& found) noexcept {
  if (!words.is_string()) return;
  found.quote_token = words.range();
  found.quote = words.string();
}

/// Adds a citation of the provider without a position. \p reference: index of what it cites.
inline native_citation& add_native(json_value citation, text_unit unit, std::size_t reference,
                                   dialect_event& out) {
  native_citation& cited = out.natives.emplace_back();
  cited.unit = unit;
  cited.reference = reference;
  cited.json = citation.raw();
  return cited;
}

/// Adds a citation of the provider for the claim at \p at, if that has an end.
inline native_citation& add_native(json_value citation, const native_annotation& at, std::size_t reference,
                                   dialect_event& out) {
  native_citation& cited = add_native(citation, at.unit, reference, out);
  cited.choice = at.choice;
  cited.counted_in = at.counted_in;
  cited.end_inclusive = at.end_inclusive;
  if (!at.end_token) return cited;
  cited.anchor = citation_anchor::claim;
  cited.start = at.start;
  cited.end = at.end;
  return cited;
}

/// Appends each part: a text, or an integer in decimal.
template <typename... Parts>
void append_all(std::string& out, const Parts&... parts) {
  const auto append = [&out](const auto& part) {
    if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(part)>>) {
      out += std::to_string(part);
    } else {
      out += part;
    }
  };
  (append(parts), ...);
}

/// A failure_form::append_body: an object with a message.
inline void append_message_body(const failure_event& one, std::string& out) {
  append_all(out, "{\"message\":", one.message, "}");
}

}  // namespace citestream
