#include "terminal.hpp"

#include <cstdlib>
#include <string_view>
#include <unistd.h>

#include "byte_input.hpp"
#include "commands.hpp"

namespace citestream::tools {

namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing changes it
  return value == nullptr ? std::string_view() : std::string_view(value);
}

}  // namespace

bool shows_colours(int descriptor) {
  return ::isatty(descriptor) == 1 && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
}

void announce_terminal(const byte_input& input, const std::string& command) {
  if (input.is_terminal()) print_notice_line(command, "reading from the terminal; end the input with Ctrl-D");
}

}  // namespace citestream::tools
