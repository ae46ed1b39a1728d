// Configuration files: errors have a position, loading is repeatable, and a printed configuration loads
// unchanged. Input: TOML.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include "fuzz/fuzz_targets.hpp"
#include "fuzz/input.hpp"
#include "tools/configuration.hpp"

namespace citestream_tests {
namespace {

using namespace citestream::tools;

/// A file in memory that configuration can be loaded from, kept for all inputs.
class memory_file {
 public:
  memory_file()
      : file_(::memfd_create("fuzz", MFD_CLOEXEC)), path_("/proc/self/fd/" + std::to_string(file_)) {
    if (file_ < 0) std::abort();
  }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;
  ~memory_file() { ::close(file_); }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  void hold(std::string_view text) {
    if (::ftruncate(file_, 0) != 0) std::abort();
    while (!text.empty()) {
      const ssize_t size = ::pwrite(file_, text.data(), text.size(), ::lseek(file_, 0, SEEK_END));
      if (size <= 0) std::abort();
      text.remove_prefix(static_cast<std::size_t>(size));
    }
  }

 private:
  int file_;
  std::string path_;
};

struct loaded {
  std::vector<std::string> errors;
  std::string printed;
};

loaded load(memory_file& file, std::string_view text, const char* style = nullptr) {
  file.hold(text);
  configuration_sources from;
  from.file = file.path();
  if (style != nullptr) from.flags["style"] = {style};
  proxy_configuration all;
  loaded out;
  for (const configuration_error& one : load_proxy_configuration(from, all)) {
    out.errors.push_back(one.text());
  }
  out.printed = print_configuration(all);
  return out;
}

/// Removes the comment with the origin at the end of each line. A `  # ` inside a value is removed too, on
/// both sides of a comparison.
std::string values_of(const std::string& printed) {
  std::string out;
  for (std::size_t at = 0; at < printed.size();) {
    const std::size_t end = std::min(printed.find('\n', at), printed.size());
    const std::string line = printed.substr(at, end - at);
    out += line.substr(0, line.rfind("  # ")) + "\n";
    at = end + 1;
  }
  return out;
}

/// Checks that each error names an existing line.
std::string check_errors(const loaded& got, const std::string& path, std::string_view text) {
  const auto lines = static_cast<unsigned long>(std::ranges::count(text, '\n') + 1);
  for (const std::string& error : got.errors) {
    if (!error.starts_with(path + ":")) return "an error without its place: " + shown(error);
    const unsigned long line = std::strtoul(error.c_str() + path.size() + 1, nullptr, 10);
    // The error of a truncated file may be on the line after its last one.
    if (line == 0 || line > lines + 1) return "an error on no line: " + shown(error);
    if (error.ends_with(": ")) return "an error that says nothing: " + shown(error);
  }
  return {};
}

/// Returns true if the text names a file that the fuzzer must not open, because its content is not part of
/// the input.
bool names_a_device(std::string_view text) {
  return text.find("/dev") != std::string_view::npos || text.find("/proc") != std::string_view::npos ||
         text.find('\\') != std::string_view::npos;
}

}  // namespace

std::string check_config(std::string_view input, fuzz_run how) {
  static memory_file file;
  if (names_a_device(input)) return {};
  const loaded first = load(file, input);
  std::string wrong = check_errors(first, file.path(), input);
  if (!wrong.empty()) return wrong;
  const loaded again = load(file, input);
  if (again.errors != first.errors || again.printed != first.printed) return "not the same when loaded again";
  if (!first.errors.empty()) return {};
  const loaded printed = load(file, first.printed, how == fuzz_run::planted ? "footnote" : nullptr);
  if (!printed.errors.empty()) return "what is printed cannot be loaded: " + shown(printed.errors.front());
  if (values_of(printed.printed) != values_of(first.printed)) {
    return "what is printed loads to something else: " + shown(printed.printed);
  }
  return {};
}

}  // namespace citestream_tests
