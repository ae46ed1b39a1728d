/// \file
/// Runs a command over many documents on several threads. Output has the order of the input. An interrupted
/// run can be resumed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "input_files.hpp"

namespace CLI {
class App;
}

namespace citestream::tools {

/// The options of commands that take many documents, as typed.
struct batch_flags {
  std::vector<std::string> files;  ///< also folders and lists
  std::size_t jobs{};              ///< documents at a time; 0: one for each CPU that the process may use
  bool lines{};                    ///< each line of the input is a document
  /// The file for the output, which may have lines of an earlier run. Empty: standard output.
  std::string resume;
};

/// Adds `--jobs`.
void add_jobs_option(CLI::App& command, std::size_t& jobs);
/// Adds the files, `--jobs`, `--lines` and `--resume`.
void add_batch_options(CLI::App& command, batch_flags& flags);

/// Takes the output and the messages of one document of a run.
class document_sink {
 public:
  virtual ~document_sink() = default;
  /// Writes output. \throws command_error
  virtual void write(std::string_view bytes) = 0;
  /// Prints a line on standard error. \param is_error  it is an error, not a notice
  virtual void report(bool is_error, const std::string& what) = 0;
  /// The document has this many bytes, if that is known.
  virtual void expect(std::optional<std::uint64_t> bytes) = 0;
  /// This many bytes more have been read.
  virtual void advance(std::size_t bytes) = 0;
};

/// Processes a document. \return false if the run failed \throws command_error, which is printed; the run
/// then continues with the next document
using document_work = std::function<bool(const input_document& from, document_sink& out)>;

/// Processes all documents, each with the work of one thread: \p make is called once in each. The output of a
/// document follows that of the documents before it. Buffered output of later documents is limited to 64 MiB
/// in total; then they wait.
///
/// If the output is JSON, each of several documents gives one object in a line. If its work throws a
/// command_error, the object gets the member `error`; without any output, the line is
/// `{"file":"a.sse","error":"..."}`.
///
/// With `flags.resume`, the documents must give one line each. Lines that the file has already are kept, an
/// incomplete one at its end is removed, and as many documents are skipped.
/// \param command  its name, for messages
/// \param json     the output is JSON
/// \return true if all documents succeeded
[[nodiscard]] bool run_batch(const std::string& command, document_list& documents, const batch_flags& flags,
                             bool json, const std::function<document_work()>& make);

/// Returns true if the run writes more than one output.
[[nodiscard]] bool writes_several_outputs(const document_list& documents, const batch_flags& flags) noexcept;

}  // namespace citestream::tools
