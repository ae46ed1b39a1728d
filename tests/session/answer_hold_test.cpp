// Only text that may still become part of a marker, or be removed with one, is held: after each byte the
// released text is exactly the common prefix of all continuations.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "marker/continuations.hpp"
#include "marker/link_reference.hpp"
#include "marker/texts.hpp"
#include "session/answer_harness.hpp"

namespace {

using citestream::answer;
using citestream::grammar_options;
using citestream::identifier_kind;
using namespace citestream_tests;

const std::vector<printing> styles{printing::strip, printing::mark_stays, printing::mark_goes};

std::vector<answer> answers_for(const grammar_options& options) {
  std::vector<answer> out;
  for (const printing how : styles) out.emplace_back(options_for(how, options));
  return out;
}

/// Checks that the text released after each byte of \p text is exactly the decided text. With a \p phase only
/// some of the bytes are checked.
void check_text(std::vector<answer>& answers, const std::string& text, const grammar_options& options,
                std::optional<std::size_t> phase = {}) {
  if (!phase && sanitized) phase = text.size();
  std::vector<std::string> left(answers.size());
  for (answer& a : answers) a.reset();
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (std::size_t i = 0; i < answers.size(); ++i) {
      answers[i].push(std::string_view(text).substr(at, 1), left[i]);
    }
    if (phase && !sampled(at, *phase)) continue;
    const std::vector<std::string> certain = certain_text(text.substr(0, at + 1), options, styles);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (left[i] == certain[i]) continue;
      CAPTURE(style_of(styles[i]).name, text.substr(0, at + 1), certain[i], left[i]);
      FAIL((left[i].size() < certain[i].size() ? "withheld too long" : "left too early"));
    }
  }
}

void check_many(const grammar_options& options, std::size_t rounds, unsigned seed) {
  random_source random(seed);
  std::vector<answer> answers = answers_for(options);
  for (std::size_t i = 0; i < scaled(rounds); ++i) {
    const std::size_t size = 1 + below(random, 24);
    check_text(answers, difficult_text(random, size), options, i);
  }
}

}  // namespace

TEST_CASE("only undecided text is held in the examples") {
  const grammar_options options;
  std::vector<answer> answers = answers_for(options);
  for (const std::string& text : example_texts()) check_text(answers, text, options);
}

TEST_CASE("a bracket is held while the title of a following link may fail") {
  grammar_options urls;
  urls.identifiers = identifier_kind::url;
  for (const grammar_options& options : {grammar_options{}, urls}) {
    std::vector<answer> answers = answers_for(options);
    for (const std::string start :
         {"[[b](c \"", "[![b](c \"", "[[[b](http://x \"", "![[a](b)[[c](<d e> \"", "![](b \"(["}) {
      for (const std::string end :
           {"\"a](http://x)", "t\"a](http://x)", "t\n](http://x)", "[t](http://x))\"a", "\")](http://x)"}) {
        check_text(answers, start + end, options);
      }
    }
  }
}

TEST_CASE("only undecided text is held in hostile text") {
  check_many({}, 150, 11);
}

TEST_CASE("only undecided text is held at small limits") {
  check_many(small_limits(), 150, 12);
}

TEST_CASE("only undecided text is held if only URLs are identifiers") {
  grammar_options options;
  options.identifiers = identifier_kind::url;
  check_many(options, 50, 13);
}

TEST_CASE("only undecided text is held if only UUIDs are identifiers") {
  grammar_options options;
  options.identifiers = identifier_kind::uuid;
  check_many(options, 40, 14);
}

TEST_CASE("keep holds no text") {
  random_source random(15);
  answer kept(options_for(printing::keep));
  for (std::size_t i = 0; i < scaled(2000); ++i) {
    const std::string text = difficult_text(random, 30);
    std::string left;
    kept.reset();
    for (std::size_t at = 0; at < text.size(); ++at) {
      kept.push(std::string_view(text).substr(at, 1), left);
      REQUIRE(left == text.substr(0, at + 1));
      REQUIRE(kept.held() == 0);
    }
    kept.finish(left);
    REQUIRE(left == text);
  }
}
