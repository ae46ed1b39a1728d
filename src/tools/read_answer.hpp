/// \file
/// Reads an answer in any form: a stream, a recording, a JSON body or plain text.
#pragma once

#include <citestream/cite/citations.hpp>
#include <citestream/session/options.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "answer_run.hpp"

namespace citestream::tools {

/// What is known of an answer besides its bytes.
struct answer_input {
  std::string file;                        ///< path as typed; its extension helps to detect the form
  input_form from{input_form::automatic};  ///< `automatic` detects it; `sse` is any stream or recording
  session_options options;                 ///< with the style `strip`, the text of a choice has no markers
};

/// How an answer was read.
struct answer_reading {
  std::string error;    ///< why it could not be read completely; empty if it was
  bool unknown_form{};  ///< it is not empty and has no answer in a known format
  std::optional<std::uint64_t>
      held_max;  ///< maximum of bytes held back at once in one text; not set for plain text
  std::optional<double> first_text_seconds;  ///< from the request on; only for timed recordings
};

/// Takes the text of one choice and its citations, which are resolved.
using choice_taker = std::function<void(std::string_view text, const citations& cites)>;

/// Reads \p bytes and calls \p take for each choice, also if only a part of the answer could be read. Plain
/// text is one choice; it is read with the markers `link`, `numeric`, `source` and `ref` unless others are
/// chosen. \throws command_error if a recording is malformed
[[nodiscard]] answer_reading read_answer(const answer_input& from, const std::string& bytes,
                                         const choice_taker& take);

}  // namespace citestream::tools
