// With the option only_known, markers of unknown references remain text.
#include <citestream/session/answer.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "session/answer_stages.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

std::vector<reference> two_pages() {
  std::vector<reference> made(2);
  for (std::size_t i = 0; i < made.size(); ++i) {
    made[i].url = "https://example.com/" + std::to_string(i + 1);
    made[i].id = "doc" + std::to_string(i + 1);
    made[i].number = i + 1;
  }
  return made;
}

session_options only_known_in(const style& chosen) {
  session_options options;
  options.only_known = true;
  options.style = &chosen;
  options.grammars = {&numeric_grammar, &source_grammar, &ref_grammar, &link_grammar};
  return options;
}

struct result {
  std::string text;
  std::vector<std::string> markers;
  friend bool operator==(const result&, const result&) = default;
};

result run_text(const session_options& options, const std::vector<std::string_view>& deltas,
                const std::vector<reference>& known) {
  answer one(options);
  for (const reference& ref : known) one.add_reference(ref);
  result out;
  for (const std::string_view delta : deltas) one.push(delta, out.text);
  one.finish(out.text);
  one.resolve();
  for (const citation& cite : one.cites().all()) {
    if (out.markers.empty() || out.markers.back() != cite.marker) out.markers.push_back(cite.marker);
  }
  return out;
}

constexpr std::string_view mixed =
    "In [2024] a[1] b [9] c [1, 9] d [3-4], [doc2] [doc7] e ([8]) [A](https://example.com/2/) [B](x) "
    "[REF|d_9].";

}  // namespace

TEST_CASE("a marker of a reference not known before remains text in place") {
  const result got = run_text(only_known_in(numeric_style), {mixed}, two_pages());
  CHECK(got.text == "In [2024] a[1] b [9] c [1][2] d [3-4], [3] [doc7] e ([8]) [3] [B](x) [4].");
  CHECK(got.markers ==
        std::vector<std::string>{"[1]", "[1, 9]", "[doc2]", "[A](https://example.com/2/)", "[REF|d_9]"});
  CHECK(run_text(only_known_in(strip_style), {mixed}, two_pages()).text ==
        "In [2024] a b [9] c d [3-4], [doc7] e ([8]) [B](x).");
  CHECK(run_text(only_known_in(keep_style), {mixed}, two_pages()).text == mixed);
}

TEST_CASE("every cut in two and three keeps the same markers as text") {
  for (const style* chosen : styles()) {
    const session_options options = only_known_in(*chosen);
    const result whole = run_text(options, {mixed}, two_pages());
    CHECK(run_text(options, cut_every(mixed, 1), two_pages()) == whole);
    for (std::size_t i = 0; i <= mixed.size(); ++i) {
      REQUIRE(run_text(options, {mixed.substr(0, i), mixed.substr(i)}, two_pages()) == whole);
      for (std::size_t j = i + 1; j < mixed.size(); j += 7) {
        REQUIRE(run_text(options, {mixed.substr(0, i), mixed.substr(i, j - i), mixed.substr(j)},
                         two_pages()) == whole);
      }
    }
  }
}

TEST_CASE("without references before the text every marker is a citation") {
  session_options options = only_known_in(strip_style);
  const result none = run_text(options, {mixed}, {});
  options.only_known = false;
  CHECK(none == run_text(options, {mixed}, {}));
  CHECK(run_text(options, {"a [9]."}, two_pages()).text == "a.");
  // References that arrive after the start of the text are not known before it.
  options.only_known = true;
  answer one(options);
  std::string text;
  one.push("a", text);
  for (const reference& ref : two_pages()) one.add_reference(ref);
  one.push(" [9].", text);
  one.finish(text);
  CHECK(text == "a.");
}

TEST_CASE("references sent with the first text count as known before it") {
  const std::string first =
      R"(data: {"object":"chat.completion.chunk","model":"sonar","citations":["https://example.com/1"],"choices":[{"index":0,"delta":{"content":"a[1] b"},"finish_reason":null}]})"
      "\n\n";
  const std::string rest =
      R"(data: {"object":"chat.completion.chunk","model":"sonar","choices":[{"index":0,"delta":{"content":"[2] c[1]"},"finish_reason":"stop"}]})"
      "\n\n";
  session_options options;
  for (const bool only : {false, true}) {
    options.only_known = only;
    session one(options);
    const std::string stream = first + rest;
    const stream_run got = run(one, {stream});
    CHECK(got.counts.resolved == 2);
    CHECK(got.counts.unresolved == (only ? 0 : 1));
    CHECK((got.out.find("\"[2] c\"") != std::string::npos) == only);
    for (std::size_t at = 1; at < stream.size(); ++at) {
      one.reset();
      REQUIRE(run(one, {std::string_view(stream).substr(0, at), std::string_view(stream).substr(at)}).out ==
              got.out);
    }
  }
}

TEST_CASE("a user's grammar can declare that prose resembles its markers") {
  grammar mine = source_grammar;
  mine.name = "mine";
  session_options options = only_known_in(strip_style);
  options.grammars = {&mine};
  CHECK(run_text(options, {"a [doc2] b [doc7] c"}, two_pages()).text == "a b [doc7] c");
  mine.may_be_prose = false;
  CHECK(run_text(options, {"a [doc2] b [doc7] c"}, two_pages()).text == "a b c");
}

TEST_CASE("a user's grammar can declare its first number and the source of its keys") {
  grammar mine = source_grammar;
  mine.name = "mine";
  mine.first_place = [](std::string_view) noexcept -> std::int64_t { return 0; };
  mine.keyed_by_request = true;
  mine.keys = [](const marker_fields& marker, marker_keys& out) { out.add(marker.identifier.substr(3)); };
  session_options options = only_known_in(strip_style);
  options.grammars = {&mine, &numeric_grammar};
  answer_stages one(options, nullptr, options.check);
  for (const reference& ref : two_pages()) one.add_reference(ref);
  std::string text;
  one.push("a [doc1] b", text);
  CHECK(one.keyed_by_request());
  one.push(" [1] c", text);
  CHECK_FALSE(one.keyed_by_request());
  one.finish(text);
  one.resolve();
  REQUIRE(one.cites().all().size() == 2);
  const auto cited = [&](std::size_t i) {
    return one.cites().references()[one.cites().all()[i].references[0]].id;
  };
  CHECK(cited(0) == "doc2");
  CHECK(cited(1) == "doc1");
}
