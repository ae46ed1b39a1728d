// Raw markers of every grammar of the library are found by plain matching.
#include "load/raw_markers.hpp"

#include <citestream/dialect/dialect.hpp>
#include <citestream/marker/grammar.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

using namespace citestream::load;

namespace {

std::string found(std::string_view text, std::vector<std::string> names) {
  marker_options options;
  options.names = std::move(names);
  return find_raw_marker(text, options, {}).value_or("");
}

}  // namespace

TEST_CASE("a marker of each grammar is found in text") {
  const std::map<std::string_view, std::string> markers{{"link", "[Report.pdf](f1)"},
                                                        {"numeric", "[1, 2]"},
                                                        {"source", "[doc1]"},
                                                        {"ref", "[REF|d_1|a_2]"},
                                                        {"file", "<|file-123|>"},
                                                        {"lenticular", "【4:0†source】"},
                                                        {"private", "\uE200cite\uE202turn0search1\uE201"},
                                                        {"tag", "<citation>key</citation>"},
                                                        {"cite", "[cite: 1, 2]"}};
  for (const auto& [name, marker] : markers) {
    INFO(name);
    CHECK(can_find_marker(name));
    CHECK(citestream::find_grammar(name) != nullptr);
    CHECK(found("Sales grew " + marker + ".", {std::string(name)}) == marker);
    CHECK(found("Sales grew by 5 [%] (net) <b>.", {std::string(name)}).empty());
  }
  CHECK(found("a <|file-1>.", {"file"}) == "<|file-1>");
  CHECK(found("a \uE200filecite\uE202k\uE201.", {"private"}) == "\uE200filecite\uE202k\uE201");
  CHECK_FALSE(can_find_marker("what"));
}

TEST_CASE("code and images and escaped brackets hold no marker") {
  for (const char* const text : {"`[1]`", "``a ` [1]``", "```\n[1]\n", "\\[1]"})
    CHECK(found(text, {"numeric"}).empty());
  CHECK(found("![alt](f1)", {"link"}).empty());
  CHECK(found("` [1]", {"numeric"}) == "[1]");
}

TEST_CASE("an exclamation mark makes only a link an image") {
  CHECK(found("Wow![1]", {"numeric"}) == "[1]");
  CHECK(found("![1](f1)", {"numeric"}).empty());
  CHECK(found("\\![a.pdf](f-1)", {"link"}) == "[a.pdf](f-1)");
  CHECK(found("\\\\![a.pdf](f-1)", {"link"}).empty());
  CHECK(found("Wow!`a`[1](f1)", {"numeric"}) == "[1]");
}

TEST_CASE("a user's pattern and the kind of identifiers are respected") {
  marker_options options;
  options.patterns = {"[ref:{key}]"};
  CHECK(find_raw_marker("a [ref:k1] b", options, {}) == "[ref:k1]");
  CHECK_FALSE(find_raw_marker("a [ref:] b", options, {}));
  options.patterns.clear();
  options.identifiers = "url";
  CHECK_FALSE(find_raw_marker("[a](f1)", options, {}));
  CHECK(find_raw_marker("[a](https://a.example/x)", options, {}) == "[a](https://a.example/x)");
  CHECK(find_raw_marker("[a](HTTP://a.example/x)", options, {}));
  options.identifiers = "uuid";
  CHECK(find_raw_marker("[a](7f3c0000-0000-4000-8000-00000000abcd)", options, {}));
}

TEST_CASE("without an option the markers are those of the dialect") {
  CHECK(find_raw_marker("a [1]", {}, "perplexity") == "[1]");
  CHECK_FALSE(find_raw_marker("a [1]", {}, {}));
  marker_options azure;
  azure.dialect = "azure";
  CHECK(find_raw_marker("a [doc1]", azure, {}) == "[doc1]");
  CHECK(find_raw_marker("a [cite: 1]", {}, "gemini") == "[cite: 1]");
  for (const citestream::dialect* const known : citestream::dialects()) {
    INFO(known->name);
    std::vector<std::string_view> names;
    for (const citestream::grammar* const one : known->grammars) {
      const auto& may_be_text = known->markers.only_known;
      if (std::ranges::find(may_be_text, one) == may_be_text.end()) names.push_back(one->name);
    }
    CHECK(markers_of_dialect(known->name) == names);
  }
}
