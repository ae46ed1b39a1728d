// Work is linear in the input, whatever it is made of and however it is cut.
#include <algorithm>
#include <ctime>
#include <limits>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "marker/texts.hpp"
#include "session/answer_harness.hpp"

namespace {

using citestream::answer;
using namespace citestream_tests;

std::string repeated(std::string_view pattern, std::size_t bytes) {
  std::string out;
  out.reserve(bytes + pattern.size());
  while (out.size() < bytes) out += pattern;
  return out;
}

/// Seconds of processor time, not of the clock on the wall: other programs run on this machine too.
double processor_time() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// The best of \p runs runs of \p text in deltas of \p size bytes.
double best_time(answer& a, std::string_view text, std::size_t size, std::size_t runs) {
  double best = std::numeric_limits<double>::max();
  std::string out;
  out.reserve(2 * text.size());
  for (std::size_t run = 0; run < runs; ++run) {
    a.reset();
    out.clear();
    const double start = processor_time();
    for (std::size_t at = 0; at < text.size(); at += size) a.push(text.substr(at, size), out);
    a.finish(out);
    best = std::min(best, processor_time() - start);
  }
  return best;
}

void check_linear(answer& a, std::string_view pattern, std::size_t delta) {
  std::size_t bytes = std::size_t{64} * 1024;
  double small = best_time(a, repeated(pattern, bytes), delta, 1);
  while (small < 0.010 && bytes < std::size_t{64} * 1024 * 1024) {
    bytes *= 2;
    small = best_time(a, repeated(pattern, bytes), delta, 1);
  }
  small = best_time(a, repeated(pattern, bytes), delta, 3);
  double large = best_time(a, repeated(pattern, 4 * bytes), delta, 3);
  // A busy machine makes single runs slow; a quadratic algorithm makes all of them slow.
  for (int attempt = 0; attempt < 8 && large > 5 * small; ++attempt) {
    small = best_time(a, repeated(pattern, bytes), delta, 3);
    large = std::min(large, best_time(a, repeated(pattern, 4 * bytes), delta, 3));
  }
  CAPTURE(pattern, delta, bytes, small, large);
  CHECK(large <= 5 * small);
}

}  // namespace

TEST_CASE("four times the text takes at most five times the time") {
  for (const printing how : {printing::strip, printing::numeric}) {
    answer a(options_for(how));
    for (const std::string_view pattern :
         {"[", "[](", "[a](", "[[a](", "![", "`", "` ``", "(", " ", "[a](b),", "[a](<", "[a](b \"",
          "![a](b \"[", "[[a](b \"\"", " (", "[a](b) ", "\\", "]", "]("}) {
      for (const std::size_t delta : {std::size_t{1}, std::size_t{64} * 1024})
        check_linear(a, pattern, delta);
    }
  }
}

TEST_CASE("four times the text takes at most five times the time where the egress guard enforces") {
  citestream::session_options options = options_for(printing::keep);
  options.egress = citestream::egress_mode::enforce;
  options.egress_allowed = {*citestream::compile_egress_pattern("https://*.good.example")};
  answer a(options);
  for (const std::string_view pattern :
       {"[",      "[](",        "[a](b ",  "](",   "![a](//b)", "[![](//b)", "<",    "<a ",
        "</a",    "<!--",       "`",       "`<",   "a://",      "a://b ",    "www.", "&#",
        "\n[a]:", "\n[a]: //b", "\n```\n", "\n- ", "\\",        "word "}) {
    check_linear(a, pattern, std::size_t{64} * 1024);
  }
}
