// The scanner alone: its tokens join to the input, and its markers are those of the reference.
#include "marker/scanner.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "marker/link_reference.hpp"
#include "marker/texts.hpp"

namespace {

using citestream::grammar_options;
using citestream::identifier_kind;
using citestream::marker_scanner;
using citestream::marker_token;
using citestream::scanner_options;
using citestream::token_kind;
using namespace citestream_tests;

marker_scanner scanner_for(const grammar_options& markers) {
  scanner_options options;
  options.markers = markers;
  return marker_scanner(options);
}

/// The result of a scanner, with positions in the input.
struct scanned {
  std::string text;
  std::vector<found_marker> markers;
};

void take_tokens(marker_scanner& scanner, scanned& out) {
  for (marker_token token; scanner.next(token);) {
    const std::size_t begin = out.text.size();
    out.text += token.text;
    if (token.kind != token_kind::marker) continue;
    out.markers.push_back(
        {begin, out.text.size(), std::string(token.fields.label), std::string(token.fields.identifier)});
  }
}

scanned scan(marker_scanner& scanner, const std::vector<std::string_view>& deltas, std::size_t bound) {
  scanned out;
  scanner.reset();
  std::size_t given = 0;
  for (const std::string_view delta : deltas) {
    scanner.feed(delta);
    take_tokens(scanner, out);
    given += delta.size();
    REQUIRE(out.text.size() + scanner.held() == given);
    REQUIRE(scanner.held() <= bound);
  }
  scanner.finish();
  take_tokens(scanner, out);
  return out;
}

void check_same(const scanned& got, const std::vector<found_marker>& expected, std::string_view text) {
  CAPTURE(text);
  REQUIRE(got.text == text);
  REQUIRE(got.markers.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    REQUIRE(got.markers[i].begin == expected[i].begin);
    REQUIRE(got.markers[i].end == expected[i].end);
    REQUIRE(got.markers[i].label == expected[i].label);
    REQUIRE(got.markers[i].identifier == expected[i].identifier);
  }
}

std::vector<std::string_view> bytes_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t i = 0; i < text.size(); ++i) out.push_back(text.substr(i, 1));
  return out;
}

void check_many(const grammar_options& options, std::size_t rounds, unsigned seed) {
  random_source random(seed);
  marker_scanner scanner = scanner_for(options);
  for (std::size_t i = 0; i < scaled(rounds); ++i) {
    const std::string text = difficult_text(random, 1 + below(random, 80));
    const std::vector<found_marker> expected = find_markers(text, options);
    const std::size_t bound = options.bounds.max_marker_bytes;
    check_same(scan(scanner, {text}, bound), expected, text);
    check_same(scan(scanner, bytes_of(text), bound), expected, text);
    check_same(scan(scanner, cut(text, random, 7), bound), expected, text);
  }
}

}  // namespace

TEST_CASE("tokens join to the input and markers equal those of the reference") {
  check_many({}, 30000, 31);
}

TEST_CASE("markers equal those of the reference with small limits") {
  check_many(small_limits(), 30000, 32);
}

TEST_CASE("markers equal those of the reference if only some identifiers count") {
  grammar_options options;
  options.identifiers = identifier_kind::url;
  check_many(options, 15000, 33);
  options.identifiers = identifier_kind::uuid;
  check_many(options, 5000, 34);
}

TEST_CASE("a title that may fail keeps the brackets before it open") {
  grammar_options urls;
  urls.identifiers = identifier_kind::url;
  marker_scanner any = scanner_for({});
  marker_scanner url = scanner_for(urls);
  for (const std::string_view end :
       {"\"a](http://x)", "t\"a](http://x)", "\n](http://x)", "\")](http://x)", "\"", ""}) {
    for (const std::string_view start :
         {"[[b](c \"", "[![b](c \"", "[[[b](http://x \"", "x [a [b](<c d> \""}) {
      const std::string text = std::string(start) + std::string(end);
      check_same(scan(any, bytes_of(text), 4096), find_markers(text, {}), text);
      check_same(scan(url, bytes_of(text), 4096), find_markers(text, urls), text);
    }
  }
}

TEST_CASE("a link after an overlong label with a tag inside is found at every limit") {
  const std::string before = "[a<co>b[c</co: 0>";
  for (const std::string marker :
       {"[label](identifier)", "[label](<identifier>)", "[label](identifier \"title\")"}) {
    for (std::size_t bound = 0; bound <= before.size() + marker.size(); ++bound) {
      scanner_options options{{&citestream::link_grammar, &citestream::tag_grammar}, {}};
      options.markers.bounds.max_label_bytes = bound;
      marker_scanner scanner(options);
      CAPTURE(marker, bound);
      const std::string text = before + marker + " d";
      const std::size_t found = bound < std::string_view("label").size() ? 1 : 2;
      CHECK(scan(scanner, {text}, text.size()).markers.size() == found);
      CHECK(scan(scanner, bytes_of(text), text.size()).markers.size() == found);
    }
  }
}

TEST_CASE("an answer that ends in a title has the markers inside that text") {
  marker_scanner scanner = scanner_for({});
  for (const std::string_view text : {"![a](b \"[c](d)", "[a](b \"[c](d)", "[a](b \"[c](d)\""}) {
    const scanned whole = scan(scanner, {text}, 4096);
    REQUIRE(whole.markers.size() == 1);
    check_same(scan(scanner, bytes_of(text), 4096), whole.markers, text);
  }
}

TEST_CASE("a small limit loses no byte and holds for every cut") {
  random_source random(35);
  for (const std::size_t bound : {1U, 7U, 16U, 40U}) {
    grammar_options options;
    options.bounds.max_marker_bytes = bound;
    marker_scanner scanner = scanner_for(options);
    for (std::size_t i = 0; i < scaled(4000); ++i) {
      const std::string text = difficult_text(random, 1 + below(random, 80));
      const scanned expected = scan(scanner, {text}, bound);
      REQUIRE(expected.text == text);
      check_same(scan(scanner, bytes_of(text), bound), expected.markers, text);
      check_same(scan(scanner, cut(text, random, 7), bound), expected.markers, text);
    }
  }
}

TEST_CASE("a scanner skips only bytes that cannot start a marker") {
  marker_scanner scanner = scanner_for({});
  marker_token token;
  CHECK(!scanner.pass("a", 0));  // the line may still open a fence
  scanner.feed("a");
  CHECK(!scanner.pass("b", 0));  // fed text has to be read first
  while (scanner.next(token)) continue;
  CHECK(scanner.pass("bc, d.", 0));
  for (const std::string_view text : {"\n", "\r", "`", "\\", "!", "["}) {
    CHECK(!scanner.pass(text, 0));
    CHECK(!scanner.pass("four" + std::string(text), 0));
    CHECK(!scanner.pass(std::string(text) + "four", 0));
  }
  scanner.feed("[x");
  while (scanner.next(token)) continue;
  CHECK(!scanner.pass("y", 0));  // text is held
  scanner.feed("](z)!");
  while (scanner.next(token)) continue;
  CHECK(scanner.pass("y", 0));
  scanner.feed("[a](b)");  // not an image: the `!` is not directly before it
  CHECK((scanner.next(token) && token.kind == token_kind::marker));
}
