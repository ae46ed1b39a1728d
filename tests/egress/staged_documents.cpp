// Reads documents separated by U+001E and writes the output of the egress stage for each, for tests of
// renderers. Options: `exact` keeps code, `cut=N` feeds N bytes at a time.
#include <algorithm>
#include <cstddef>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

#include "egress/egress_stage.hpp"

using namespace citestream;

int main(int count, char** arguments) {
  egress_code code = egress_code::inert;
  std::size_t cut = std::string_view::npos;
  for (int i = 1; i < count; ++i) {
    const std::string_view option = arguments[i];
    if (option == "exact") code = egress_code::exact;
    if (option.starts_with("cut=")) cut = std::stoul(std::string(option.substr(4)));
  }
  egress_stage stage(egress_mode::enforce, code, {*compile_egress_pattern("https://*.good.example")}, {});
  reference ref;
  ref.url = "https://ref.example/page?a=1";
  const std::string in{std::istreambuf_iterator<char>(std::cin), {}};
  const std::string_view all = in;
  std::string out;
  for (std::size_t at = 0; at <= all.size();) {
    const std::size_t end = std::min(all.find('\x1E', at), all.size());
    if (at > 0) out += '\x1E';
    stage.reset();
    stage.know(ref);
    text_edits edits;
    for (std::string_view text = all.substr(at, end - at); !text.empty();) {
      const std::string_view part = text.substr(0, cut);
      stage.feed(part, out, edits);
      text.remove_prefix(part.size());
    }
    stage.finish(out, edits);
    at = end + 1;
  }
  std::cout << out;
}
