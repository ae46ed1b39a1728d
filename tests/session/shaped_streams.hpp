// Streams in the forms of several providers, with texts and fields of our own.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace citestream_tests {

/// Writes the events of one form. Texts and fields are JSON: they stand in the stream as they are given.
struct event_form {
  std::string_view name;
  /// The event with the text \p text (between quotes), the varying field \p field (a JSON value) and, where
  /// the form repeats all of the text, \p all.
  std::string (*event)(std::string_view text, std::string_view field, std::string_view all);
};

/// All forms.
const std::vector<event_form>& event_forms();

/// A whole stream of that form: one event a text, \p fields in turn, then a finish event and `[DONE]`.
std::vector<std::string> shaped_stream(const event_form& form, const std::vector<std::string>& texts,
                                       const std::vector<std::string>& fields);

/// All in one.
std::string joined(const std::vector<std::string>& events);

}  // namespace citestream_tests
