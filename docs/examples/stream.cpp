#include <citestream/citestream.hpp>

#include <iostream>
#include <string>
#include <unistd.h>

int main() {
  citestream::session_options options;
  options.style = &citestream::numeric_style;  // [1] instead of [Report.pdf](f-17)
  citestream::session session(options);

  std::string out;
  char bytes[16384];
  for (ssize_t count; (count = read(STDIN_FILENO, bytes, sizeof bytes)) > 0;) {
    if (auto error = session.write({bytes, static_cast<std::size_t>(count)}, out)) {
      std::cerr << message(error.code) << " at byte " << error.offset << '\n';  // that event passed unchanged
    }
    std::cout << out << std::flush;
    out.clear();  // keeps its capacity
  }
  const auto error = session.finish(out);
  std::cout << out;
  return error ? 1 : 0;
}
