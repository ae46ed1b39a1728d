#include "session/answer_harness.hpp"

#include <algorithm>
#include <span>
#include <tuple>

#include <catch2/catch.hpp>

namespace citestream_tests {
namespace {

using citestream::citation;
using citestream::text_offset;

void render_mark(const citestream::citation_context&, std::string& out) {
  out += '\x01';
}

auto fields(const citation& c) {
  const auto offset = [](const text_offset& o) { return std::tuple(o.utf8, o.utf16, o.codepoint); };
  return std::tuple(c.number, c.label, c.identifier, c.marker, offset(c.start), offset(c.end),
                    offset(c.claim_start), offset(c.claim_end), c.status, c.type, c.references.size(),
                    c.match);
}

/// The position after \p before, counted from the start.
text_offset counted(std::string_view before) {
  text_offset out;
  for (const char c : before) {
    const auto byte = static_cast<unsigned char>(c);
    out.utf8 += 1;
    out.codepoint += (byte & 0xC0) == 0x80 ? 0 : 1;
    out.utf16 += (byte & 0xC0) == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1;
  }
  return out;
}

}  // namespace

const citestream::style mark_stays_style{"mark_stays", citestream::spacing::kept, &render_mark};
const citestream::style mark_goes_style{"mark_goes", citestream::spacing::trimmed, &render_mark};

const citestream::style& style_of(printing how) {
  switch (how) {
    case printing::keep:
      return citestream::keep_style;
    case printing::numeric:
      return citestream::numeric_style;
    case printing::mark_stays:
      return mark_stays_style;
    case printing::mark_goes:
      return mark_goes_style;
    default:
      return citestream::strip_style;
  }
}

citestream::session_options options_for(printing how, const citestream::grammar_options& markers) {
  citestream::session_options out;
  out.style = &style_of(how);
  out.identifiers = markers.identifiers;
  out.bounds = markers.bounds;
  return out;
}

answered run(citestream::answer& answer, const std::vector<std::string_view>& deltas) {
  answered out;
  answer.reset();
  for (const std::string_view delta : deltas) answer.push(delta, out.text);
  answer.finish(out.text);
  const std::span<const citation> all = answer.cites().all();
  out.citations.assign(all.begin(), all.end());
  return out;
}

void check_against(const answered& got, const printed_text& expected, std::string_view text) {
  CAPTURE(text);
  REQUIRE(got.text == expected.text);
  REQUIRE(got.citations.size() == expected.citations.size());
  for (std::size_t i = 0; i < got.citations.size(); ++i) {
    const citation& c = got.citations[i];
    CAPTURE(i, c.marker);
    const printed_citation fields{c.number, c.label, c.identifier, c.marker, c.start.utf8, c.end.utf8};
    const printed_citation& want = expected.citations[i];
    CHECK(fields.number == want.number);
    CHECK(fields.label == want.label);
    CHECK(fields.identifier == want.identifier);
    CHECK(fields.marker == want.marker);
    CHECK(fields.start == want.start);
    CHECK(fields.end == want.end);
    CHECK(c.start == counted(std::string_view(expected.text).substr(0, want.start)));
    CHECK(c.end == counted(std::string_view(expected.text).substr(0, want.end)));
  }
}

bool same(const answered& left, const answered& right) {
  return left.text == right.text && std::ranges::equal(left.citations, right.citations, {}, fields, fields);
}

}  // namespace citestream_tests
