// Skipping has no effect on the result: a scanner gives the same tokens as one that feeds each byte to the
// grammar.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "marker/scanner.hpp"
#include "marker/texts.hpp"

namespace {

using namespace citestream;
using namespace citestream_tests;

std::size_t skipped = 0;  // bytes, in all runs

std::size_t skip_and_count(recogniser_state& state, std::string_view bytes, std::uint64_t position,
                           std::span<const std::uint8_t, 256> special, const grammar_options& options) {
  const std::size_t taken = link_grammar.skip(state, bytes, position, special, options);
  skipped += taken;
  return taken;
}

grammar link_with(decltype(grammar::skip) skip) {
  grammar out = link_grammar;
  out.skip = skip;
  return out;
}
const grammar skipping = link_with(&skip_and_count);
const grammar plodding = link_with(nullptr);

/// A token, and the number of bytes held when it was returned.
struct seen {
  token_kind kind{};
  std::string text;
  std::string label;
  std::string identifier;
  std::string from;
  bool code{};
  bool abandoned{};
  std::size_t held{};
  friend bool operator==(const seen&, const seen&) = default;
};

void take(marker_scanner& scanner, std::vector<seen>& out) {
  for (marker_token token; scanner.next(token);) {
    out.push_back({token.kind, std::string(token.text), std::string(token.fields.label),
                   std::string(token.fields.identifier),
                   std::string(token.recognised_by ? token.recognised_by->name : ""), token.code,
                   token.abandoned, scanner.held()});
  }
  out.push_back({});  // the read ends here
  out.back().held = scanner.held();
}

std::vector<seen> scan(marker_scanner& scanner, const std::vector<std::string_view>& deltas,
                       std::size_t reserved) {
  std::vector<seen> out;
  scanner.reset();
  for (const std::string_view delta : deltas) {
    scanner.reserve(reserved);
    scanner.feed(delta);
    take(scanner, out);
  }
  scanner.finish();
  take(scanner, out);
  return out;
}

/// Complete and incomplete markers with labels and identifiers of realistic length.
std::string long_markers(random_source& random, std::size_t pieces) {
  const auto word = [&] {
    return std::string(1 + below(random, 40), static_cast<char>('a' + below(random, 26)));
  };
  std::string out;
  for (std::size_t i = 0; i < pieces; ++i) {
    const std::size_t kind = below(random, 14);
    if (kind == 0) out += hostile_text(random, 2);
    if (kind == 1) out += "[" + word() + "[" + word() + "](" + word() + ")](" + word() + ")";
    if (kind == 2) out += "[" + word() + "](" + word() + " \"" + word() + "\")";
    if (kind == 3) out += "[" + word() + "](<" + word() + ">)";
    if (kind == 4) out += "[" + word() + "](https://" + word() + ")";
    if (kind == 5) out += "![" + word() + "](" + word() + ")";
    if (kind == 6) out += "[1]";
    if (kind == 7) out += "[" + word() + "\n" + word() + "](" + word() + ")";
    if (kind == 8) out += "[[[src_1](" + word() + "[" + word() + "]";
    if (kind == 9) {  // another grammar's marker ends inside a label that has become too long
      out += "[" + word() + "<co>" + word() + "[" + word() + "</co: 0>" + word();
      out += (below(random, 2) == 0 ? "[" : "![") + word() + "](" + word() + ")";
    }
    if (kind >= 10)
      out += word() + " [" + word() + ".pdf](a1b2c3d4-0000-4000-8000-00000000000" + word()[0] + ")";
  }
  return out;
}

void check(const grammar_options& markers, const std::vector<const grammar*>& others, std::size_t reserved,
           std::size_t rounds, unsigned seed) {
  random_source random(seed);
  scanner_options options{others, markers};
  options.grammars.insert(options.grammars.begin(), &skipping);
  marker_scanner quick(options);
  options.grammars.front() = &plodding;
  marker_scanner slow(options);
  for (std::size_t i = 0; i < scaled(rounds); ++i) {
    const std::string text = i % 2 == 0 ? long_markers(random, 1 + below(random, 6))
                                        : difficult_text(random, 1 + below(random, 80));
    CAPTURE(text);
    for (const std::size_t longest : {std::size_t{1}, std::size_t{9}, text.size()}) {
      const std::vector<std::string_view> deltas = cut(text, random, longest);
      REQUIRE(scan(quick, deltas, reserved) == scan(slow, deltas, reserved));
    }
  }
}

}  // namespace

TEST_CASE("skipping gives the same tokens as reading byte by byte") {
  check({}, {}, 0, 4000, 81);
  check({}, {&numeric_grammar, &source_grammar, &ref_grammar, &tag_grammar}, 0, 2000, 82);
  for (const identifier_kind kind : {identifier_kind::url, identifier_kind::uuid}) {
    grammar_options only;
    only.identifiers = kind;
    check(only, {}, 0, 2000, 83);
  }
}

TEST_CASE("skipping respects every limit") {
  for (const std::size_t bound : {1U, 2U, 5U, 16U, 40U, 100U}) {
    grammar_options markers;
    markers.bounds.max_marker_bytes = bound;
    check(markers, {}, 0, 600, 84);
    check(markers, {}, 7, 600, 85);
  }
  for (const std::size_t bound : {0U, 1U, 3U, 12U, 39U}) {
    grammar_options markers;
    markers.bounds.max_label_bytes = bound;
    check(markers, {}, 0, 600, 86);
    markers = {};
    markers.bounds.max_identifier_bytes = bound;
    check(markers, {}, 0, 600, 87);
  }
}

TEST_CASE("skipping after another grammar's marker equals reading byte by byte") {
  for (const std::size_t bound : {13U, 40U, 70U, 100U}) {
    grammar_options markers;
    markers.bounds.max_marker_bytes = bound;
    check(markers, {&source_grammar, &tag_grammar}, 0, 600, 88);
    markers = {};
    markers.bounds.max_label_bytes = bound;
    check(markers, {&source_grammar, &tag_grammar}, 0, 600, 89);
  }
}

TEST_CASE("most bytes of a marker are skipped without being scanned") {
  const std::string text = "[Annual report of the company 2024.pdf](a1b2c3d4-0000-4000-8000-000000000001)";
  marker_scanner scanner({{&skipping}, {}});
  skipped = 0;
  scan(scanner, {text}, 0);
  CHECK(skipped >= text.size() - 8);
}
