// Text and citations of an answer are the same for every cut and equal those of the reference implementation.
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <simdjson.h>

#include "marker/link_reference.hpp"
#include "marker/texts.hpp"
#include "session/answer_harness.hpp"
#include "support/data.hpp"

namespace {

using citestream::answer;
using citestream::grammar_options;
using citestream::identifier_kind;
using namespace citestream_tests;

const std::vector<printing> styles{printing::strip, printing::keep, printing::numeric};

/// One answer per style, with the result for the whole text.
class cutter {
 public:
  explicit cutter(printing how, const grammar_options& options = {})
      : how_(how), options_(options), answer_(options_for(how, options)) {}

  void whole(std::string_view text) {
    text_ = text;
    expected_ = run(answer_, {text});
    check_against(expected_, print(text, options_, how_), text);
  }

  void check(const std::vector<std::string_view>& deltas) {
    if (same(run(answer_, deltas), expected_)) return;
    const answered got = run(answer_, deltas);
    CAPTURE(style_of(how_).name, deltas);
    check_against(got, print(text_, options_, how_), text_);
    FAIL("a cut changed the claims of citations");
  }

  void byte_by_byte() {
    std::vector<std::string_view> bytes;
    for (std::size_t i = 0; i < text_.size(); ++i) bytes.push_back(text_.substr(i, 1));
    check(bytes);
  }

  void every_two() {
    for (std::size_t i = 0; i <= text_.size(); ++i) check({text_.substr(0, i), text_.substr(i)});
  }

  void every_three() {
    for (std::size_t i = 1; i < text_.size(); ++i) {
      for (std::size_t j = i + 1; j < text_.size(); ++j) {
        check({text_.substr(0, i), text_.substr(i, j - i), text_.substr(j)});
      }
    }
  }

 private:
  printing how_;
  grammar_options options_;
  answer answer_;
  std::string_view text_;
  answered expected_;
};

/// The recorded deltas of answers that contain links.
std::vector<std::vector<std::string>> recorded_answers() {
  std::vector<std::vector<std::string>> out;
  simdjson::dom::parser parser;
  const std::string file = read_file(data_dir() / "marker-fragments.jsonl");
  for (std::size_t at = 0; at < file.size();) {
    const std::size_t end = std::min(file.find('\n', at), file.size());
    const simdjson::dom::element line = parser.parse(file.substr(at, end - at));
    at = end + 1;
    if (line["md_links"].get_uint64().value() == 0) continue;
    std::vector<std::string>& deltas = out.emplace_back();
    for (const simdjson::dom::element delta : line["fragments"].get_array()) {
      deltas.emplace_back(delta.get_string().value());
    }
  }
  return out;
}

void check_random_texts(const grammar_options& options, std::size_t rounds, unsigned seed) {
  random_source random(seed);
  for (const printing how : {printing::strip, printing::keep, printing::numeric, printing::mark_goes}) {
    cutter cuts(how, options);
    for (std::size_t i = 0; i < scaled(rounds); ++i) {
      const std::string text = difficult_text(random, 1 + below(random, 60));
      cuts.whole(text);
      cuts.byte_by_byte();
      cuts.check(cut(text, random, 6));
    }
  }
}

}  // namespace

TEST_CASE("every cut of the examples in two and in three gives the same") {
  for (const printing how : styles) {
    cutter cuts(how);
    for (const std::string& text : example_texts()) {
      cuts.whole(text);
      cuts.every_two();
      cuts.every_three();
      cuts.byte_by_byte();
    }
  }
}

TEST_CASE("every cut of composed answers in two and in three gives the same") {
  random_source random(21);
  for (std::size_t i = 0; i < scaled(200); ++i) {
    const std::string text = composed_answer(random, 5 + below(random, 4));
    for (const printing how : styles) {
      cutter cuts(how);
      cuts.whole(text);
      cuts.every_two();
      cuts.every_three();
    }
  }
}

TEST_CASE("long composed answers cut at random give the same") {
  random_source random(22);
  for (std::size_t i = 0; i < scaled(100); ++i) {
    const std::string text = composed_answer(random, 400);
    for (const printing how : styles) {
      cutter cuts(how);
      cuts.whole(text);
      cuts.byte_by_byte();
      for (const std::size_t longest : {3U, 20U, 500U}) cuts.check(cut(text, random, longest));
    }
  }
}

TEST_CASE("hostile texts give the reference's result for every cut") {
  check_random_texts({}, 8000, 23);
}

TEST_CASE("hostile texts at small limits give the reference's result for every cut") {
  check_random_texts(small_limits(), 8000, 24);
}

TEST_CASE("hostile texts with only URLs give the reference's result for every cut") {
  grammar_options options;
  options.identifiers = identifier_kind::url;
  check_random_texts(options, 4000, 25);
}

TEST_CASE("recorded answers give the same for recorded and other cuts") {
  if (!have_data("marker-fragments.jsonl")) return;
  random_source random(26);
  std::size_t citations = 0;
  for (const std::vector<std::string>& deltas : recorded_answers()) {
    std::string text;
    for (const std::string& delta : deltas) text += delta;
    for (const printing how : styles) {
      cutter cuts(how);
      cuts.whole(text);
      cuts.check({deltas.begin(), deltas.end()});
      cuts.byte_by_byte();
      for (std::size_t i = 0; i < scaled(200); ++i) cuts.check(cut(text, random, 1 + below(random, 40)));
    }
    citations += find_markers(text, {}).size();
  }
  CHECK(citations > 0);
}
