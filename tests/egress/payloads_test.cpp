// Known ways to exfiltrate data with an answer, and their expected output.
#include "egress/payloads.hpp"

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "egress/staged.hpp"

using namespace citestream_tests;

namespace {

std::vector<std::string_view> bytes_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t i = 0; i < text.size(); ++i) out.push_back(text.substr(i, 1));
  return out;
}

}  // namespace

TEST_CASE("each payload gives its expected output") {
  const std::vector<payload> all = payloads();
  CHECK(all.size() >= 100);
  for (const payload& one : all) {
    INFO(one.name);
    CHECK(staged(one.text) == one.expected);
  }
}

TEST_CASE("each payload gives the same for every cut in two and three and byte by byte") {
  for (const payload& one : payloads()) {
    INFO(one.name);
    const std::string_view text = one.text;
    citestream::egress_stage by = stage();
    std::size_t wrong = 0;
    const auto check = [&](const std::vector<std::string_view>& pieces) {
      by = stage();
      wrong += staged(by, pieces) == one.expected ? 0U : 1U;
    };
    check(bytes_of(text));
    for (std::size_t i = 0; i <= text.size(); ++i) {
      check({text.substr(0, i), text.substr(i)});
      for (std::size_t j = i + 1; j < text.size(); j += 3) {
        check({text.substr(0, i), text.substr(i, j - i), text.substr(j)});
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("the records of a payload do not depend on the cut or the mode") {
  for (const payload& one : payloads()) {
    INFO(one.name);
    citestream::egress_stage whole = stage();
    citestream::egress_stage bytes = stage();
    citestream::egress_stage report = stage(citestream::egress_mode::report);
    staged(whole, {one.text});
    staged(bytes, bytes_of(one.text));
    CHECK(staged(report, bytes_of(one.text)) == one.text);
    REQUIRE(whole.records().size() == bytes.records().size());
    REQUIRE(whole.records().size() == report.records().size());
    for (std::size_t i = 0; i < whole.records().size(); ++i) {
      CHECK(whole.records()[i].position == bytes.records()[i].position);
      CHECK(whole.records()[i].kind == report.records()[i].kind);
      CHECK(whole.records()[i].position.utf8 <= one.expected.size());
    }
  }
}

TEST_CASE("concatenated payloads give the same for any cuts") {
  const std::vector<payload> all = payloads();
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    std::string text;
    for (int i = 0; i < 4; ++i) {
      const std::string& one = all[random() % all.size()].text;
      text += one.substr(random() % one.size());
    }
    citestream::egress_stage by = stage();
    const std::string expected = staged(by, {text});
    std::vector<std::string_view> pieces;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = 1 + random() % 9;
      pieces.push_back(std::string_view(text).substr(at, size));
      at += size;
    }
    by = stage();
    CHECK(staged(by, pieces) == expected);
  }
}
