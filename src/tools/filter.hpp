// `citestream filter`: converts each input to one output form.
#pragma once

#include <citestream/session/options.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace citestream::tools {

enum class input_form : std::uint8_t { sse, deltas, json, text };
enum class output_form : std::uint8_t { sse, text, json, events, frames, body };

struct filter_request {
  std::string file;  ///< empty or `-`: standard input
  input_form from{input_form::sse};
  output_form to{output_form::sse};
  session_options options;
  std::size_t split{};     ///< bytes at a time; 0: as they arrive
  std::uint32_t choice{};  ///< with text output: index of the choice
  bool one_of_several{};   ///< a document then names its file, and the output ends with a line break
  bool colours{};          ///< with text output: shows citations in colour
};

/// Returns true if \p to can be made from \p from.
[[nodiscard]] bool can_convert(input_form from, output_form to) noexcept;

/// Bytes in, bytes out.
class pipeline {
 public:
  virtual ~pipeline() = default;
  virtual void write(std::string_view bytes, std::string& out) = 0;
  /// Ends the input. \throws failure after appending the rest of the output
  virtual void finish(std::string& out) = 0;
  /// A line for standard error although the run succeeded, or an empty string.
  [[nodiscard]] virtual std::string notice() const { return {}; }
  /// True if a part of the input could not be read. A line on standard error has reported it.
  [[nodiscard]] virtual bool refused() const { return false; }
};

/// For `--from sse` and `--from json`. \p name is the input's name in messages. (session_pipelines.cpp)
[[nodiscard]] std::unique_ptr<pipeline> make_session_pipeline(const filter_request& request,
                                                              std::string name);

/// The name of a file as JSON can have it: bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string document_name(const filter_request& request);

/// Reads the input to its end and writes the output. What is made of one read is written before the next, so
/// that nothing waits for input. Memory is constant, except for a document or a body. \throws failure
/// \return true if all of the input was read; otherwise standard error says what was not
[[nodiscard]] bool run_filter(const filter_request& request);

}  // namespace citestream::tools
