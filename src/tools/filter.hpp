/// \file
/// `citestream filter`: converts each input to one output form.
#pragma once

#include <citestream/session/options.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer_run.hpp"
#include "batch.hpp"

namespace citestream::tools {

/// Values of `--to`.
enum class output_form : std::uint8_t { stream, text, json, events, frames, body };

/// One input and how to convert it.
struct filter_request {
  std::string file;  ///< empty or `-`: standard input; of a document in memory, its name
  input_form from{input_form::automatic};
  std::optional<output_form> to;  ///< default: that of the input, see default_output()
  session_options options;
  std::size_t split{};     ///< size of the pieces to process, in bytes; 0: as they are read
  std::uint32_t choice{};  ///< with text output: index of the choice
  std::string graph;       ///< file for the graph of provenance; empty: none
  bool one_of_several{};   ///< true: documents contain the file name, and the output ends with a line break
  bool colours{};          ///< with text output: show citations in colour
};

/// Returns the output form if none is chosen.
[[nodiscard]] output_form default_output(input_form from) noexcept;

/// Returns true if \p from can be converted to \p to. An automatic form is converted if the input allows it.
[[nodiscard]] bool can_convert(input_form from, output_form to) noexcept;

/// Converts input bytes to output bytes. Its messages do not contain the name of the input.
class pipeline {
 public:
  virtual ~pipeline() = default;
  /// Processes \p bytes, or the text of one delta, and appends the output that is complete.
  virtual void write(std::string_view bytes, std::string& out) = 0;
  /// Ends the input and appends the rest of the output. \return the error in the input, or an empty string
  [[nodiscard]] virtual std::string finish(std::string& out) = 0;
  /// Returns a notice for standard error about a run that succeeded, or an empty string.
  [[nodiscard]] virtual std::string notice() { return {}; }
  /// Adds a reference that follows what was written. For deltas.
  virtual void add_reference(const reference&) {}
};

/// Returns the pipeline that converts `request.from` to `request.to`, see pipelines.cpp.
[[nodiscard]] std::unique_ptr<pipeline> make_pipeline(const filter_request& request);

/// Returns the file name for a JSON document, with invalid UTF-8 replaced. Empty if there is only one input.
[[nodiscard]] std::string document_name(const filter_request& request);

/// Reads the input to its end and writes the output to \p out. The output of one read is written before the
/// next read, so that no complete output waits for more input. Memory use is constant, except for documents
/// and JSON bodies. \param from  its name is `request.file` \return true if all of the input was accepted;
/// otherwise messages on standard error name the rejected parts \throws command_error
[[nodiscard]] bool run_filter(const filter_request& request, const input_document& from, document_sink& out);

}  // namespace citestream::tools
