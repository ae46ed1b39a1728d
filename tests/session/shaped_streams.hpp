/// \file
/// Streams in the forms of several providers, with given texts and fields.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "support/strings.hpp"

namespace citestream_tests {

/// Writes events of one form. Texts and fields are JSON and are written unchanged.
struct event_form {
  std::string_view name;
  /// The event with the text \p text (without quotes), the varying field \p field (a JSON value), and \p all
  /// if the form repeats the whole text.
  std::string (*event)(std::string_view text, std::string_view field, std::string_view all);
};

/// All forms.
const std::vector<event_form>& event_forms();

/// A complete stream of that form: one event per text, \p fields in turn, a finish event and `[DONE]`.
std::vector<std::string> shaped_stream(const event_form& form, const std::vector<std::string>& texts,
                                       const std::vector<std::string>& fields);

}  // namespace citestream_tests
