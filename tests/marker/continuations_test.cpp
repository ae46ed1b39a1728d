// A check of the reference itself: what is decided after a text does not change as more text follows.
#include "marker/continuations.hpp"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "marker/link_reference.hpp"
#include "marker/texts.hpp"

namespace {

using citestream::grammar_options;
using citestream::identifier_kind;
using namespace citestream_tests;

const std::vector<printing> styles{printing::strip, printing::mark_stays, printing::mark_goes};

/// Checks for every prefix of \p text that the decided output is kept one byte later.
void check_monotone(const std::string& text, const grammar_options& options, decisive_kinds& decisive) {
  std::vector<std::string> before(styles.size());
  for (std::size_t length = 1; length <= text.size(); ++length) {
    std::vector<std::string> now = certain_text(text.substr(0, length), options, styles, &decisive);
    for (std::size_t i = 0; i < styles.size(); ++i) {
      if (now[i].starts_with(before[i])) continue;
      CAPTURE(i, text.substr(0, length), before[i], now[i]);
      FAIL_CHECK("a byte took back what was certain: a continuation is missing");
    }
    before = std::move(now);
  }
}

decisive_kinds check_many(const grammar_options& options, std::size_t rounds, unsigned seed) {
  random_source random(seed);
  decisive_kinds decisive;
  for (std::size_t i = 0; i < scaled(rounds); ++i) {
    const std::size_t size = 1 + below(random, 20);
    check_monotone(difficult_text(random, size), options, decisive);
  }
  return decisive;
}

}  // namespace

TEST_CASE("decisions of the reference do not change as text is added") {
  const decisive_kinds decisive = check_many({}, 600, 1);
  for (const char* kind :
       {"text", "marker", "label", "label+wrap", "span+label", "failed destination+label"}) {
    INFO(kind);
    CHECK(decisive.contains(kind));
  }
}

TEST_CASE("decisions of the reference do not change with small limits") {
  check_many(small_limits(), 600, 2);
}

TEST_CASE("decisions of the reference do not change if only URLs and UUIDs count") {
  grammar_options options;
  options.identifiers = identifier_kind::url;
  check_many(options, 200, 3);
  options.identifiers = identifier_kind::uuid;
  check_many(options, 60, 4);
}
