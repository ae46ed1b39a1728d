// `citestream filter`: one input form in, one output form out.
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
  std::uint32_t choice{};  ///< for text out: which of several
};

/// Whether that input can become that output.
[[nodiscard]] bool can_convert(input_form from, output_form to) noexcept;

/// Bytes in, bytes out.
class pipeline {
 public:
  virtual ~pipeline() = default;
  virtual void write(std::string_view bytes, std::string& out) = 0;
  /// The input has ended. \throws failure after appending what still leaves
  virtual void finish(std::string& out) = 0;
  /// What is worth a line on standard error although the run succeeded; empty: nothing.
  [[nodiscard]] virtual std::string notice() const { return {}; }
  /// Whether a part of the input could not be read, which a line on standard error has said.
  [[nodiscard]] virtual bool refused() const { return false; }
};

/// For `--from sse` and `--from json`. \p name is the input's, for messages. (session_pipelines.cpp)
[[nodiscard]] std::unique_ptr<pipeline> make_session_pipeline(const filter_request& request,
                                                              std::string name);

/// Reads the input to its end, in large pieces where they are there, and writes what comes of a piece before
/// it waits for the next. Constant memory, except for a document or a body. \throws failure
/// \return whether all of the input was read; what was not has been named on standard error
[[nodiscard]] bool run_filter(const filter_request& request);

}  // namespace citestream::tools
