/// \file
/// Runs the citestream binary as a child process.
#pragma once

#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace citestream_tests {

/// One run of `citestream ARGUMENTS…` with pipes for its standard input, output and error.
class child {
 public:
  /// \param max_files  limit of its file descriptors; 0: that of the test
  /// \param always_search_leaks  search for leaks in this process, if there is a sanitizer; by default only
  /// the
  ///                             first process of each command does
  explicit child(const std::vector<std::string>& arguments, unsigned max_files = 0,
                 bool always_search_leaks = false);
  /// Kills the process if it still runs, as it does after a failed assertion.
  ~child();
  child(const child&) = delete;
  child& operator=(const child&) = delete;

  /// Writes \p bytes and reads output meanwhile, so that neither process blocks the other.
  void write(std::string_view bytes);
  void close_input();
  /// Reads until the output contains \p text. \return false if the process ended or hung first
  bool await(std::string_view text);
  /// Reads the next line of standard error, without its end.
  std::string error_line();
  /// Closes the input and reads all output. \return the exit code, or minus the signal. Throws if the process
  /// hangs
  int wait();
  /// Standard error after the lines that error_line() has returned, to the end of the process.
  std::string other_errors();
  void signal(int number) const;
  [[nodiscard]] pid_t process() const noexcept { return process_; }

  std::string out;  ///< standard output so far
  std::string err;  ///< standard error so far

 private:
  /// Waits for an event and reads what is available. \return false if nothing happened for too long
  bool poll_once(bool writing);

  pid_t process_{};
  int input_{-1};
  int output_{-1};
  int error_{-1};
  bool output_ended_{};
  bool error_ended_{};
  std::size_t lines_{};  ///< size of the lines of standard error that were returned
  int code_{};
};

/// The result of a finished run.
struct run_result {
  int code{};
  std::string out;
  std::string err;
};

/// Runs `citestream ARGUMENTS…` to its end with \p input on its standard input.
run_result run(const std::vector<std::string>& arguments, std::string_view input = {});

/// Runs `citestream filter ARGUMENTS…`.
run_result filter(std::vector<std::string> arguments, std::string_view input = {});

}  // namespace citestream_tests
