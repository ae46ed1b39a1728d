// A style that is not in the library: writes "(see: Report.pdf)" for each citation of the event stream on
// standard input.
#include <citestream/citestream.hpp>

#include <iostream>
#include <string>
#include <unistd.h>

namespace {

// Titles come from other parties, so nothing in them may become markup.
void render(const citestream::citation_context& cite, std::string& out) {
  out += "(see: ";
  citestream::append_inert_markdown(cite.label, 256, out);
  out += ")";
}

constexpr citestream::style see_style{.name = "see", .space = citestream::spacing::kept, .render = &render};

}  // namespace

int main() {
  citestream::session_options options;
  options.style = &see_style;
  citestream::session session(options);

  std::string out;
  char bytes[16384];
  for (ssize_t count; (count = read(STDIN_FILENO, bytes, sizeof bytes)) > 0; out.clear()) {
    if (auto error = session.write({bytes, static_cast<std::size_t>(count)}, out)) {
      std::cerr << message(error.code) << " at byte " << error.offset << '\n';
    }
    std::cout << out << std::flush;
  }
  const auto error = session.finish(out);
  std::cout << out;
  return error ? 1 : 0;
}
