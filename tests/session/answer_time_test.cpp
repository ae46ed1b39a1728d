// Work is linear in the input, for any text and any cut.
#include <string_view>

#include "marker/texts.hpp"
#include "session/answer_harness.hpp"
#include "support/answering.hpp"

namespace {

using citestream::answer;
using namespace citestream_tests;

/// Maximum of held text, and a text that is longer. Small, because valgrind is slow.
constexpr std::size_t max_held = 1024;
constexpr std::size_t bytes = 1536;
constexpr std::size_t at_once = std::size_t{64} * 1024;

}  // namespace

TEST_CASE("four times the text takes at most five times the work") {
  for (const printing how : {printing::strip, printing::numeric}) {
    citestream::session_options options = options_for(how);
    options.bounds.max_marker_bytes = max_held;
    answer a(options);
    for (const std::string_view pattern :
         {"[", "[](", "[a](", "[[a](", "![", "`", "` ``", "(", " ", "[a](b),", "[a](<", "[a](b \"",
          "![a](b \"[", "[[a](b \"\"", " (", "[a](b) ", "\\", "]", "]("}) {
      for (const std::size_t delta : {std::size_t{1}, at_once}) {
        CAPTURE(pattern, delta);
        check_linear(bytes, answering(a, "", pattern, delta));
      }
    }
  }
}

TEST_CASE("four times the text takes at most five times the work with egress enforced") {
  citestream::session_options options = options_for(printing::keep);
  options.bounds.max_marker_bytes = max_held;
  options.egress = citestream::egress_mode::enforce;
  options.egress_allowed = {*citestream::compile_egress_pattern("https://*.good.example")};
  answer a(options);
  for (const std::string_view pattern :
       {"[",      "[](",        "[a](b ",  "](",   "![a](//b)", "[![](//b)", "<",    "<a ",
        "</a",    "<!--",       "`",       "`<",   "a://",      "a://b ",    "www.", "&#",
        "\n[a]:", "\n[a]: //b", "\n```\n", "\n- ", "\\",        "word "}) {
    CAPTURE(pattern);
    check_linear(bytes, answering(a, "", pattern, at_once));
  }
}
