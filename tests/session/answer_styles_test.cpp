// Each style that prints something equals the reference's text with each mark replaced by the printed
// citation: for every cut, in every unit of offsets, and without holding text longer.
#include <citestream/style/style.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "marker/texts.hpp"
#include "session/answer_harness.hpp"

namespace {

using namespace citestream;
using namespace citestream_tests;

struct printer {
  const style* how{};
  std::function<std::string(const printed_citation&)> print;
};

std::string number_of(const printed_citation& cite) {
  return std::to_string(cite.number);
}

std::string label_of(const printed_citation& cite) {
  const auto inert = [](std::string_view text) {
    std::string out;
    append_inert_markdown(text, 1024, out, inert_place::anywhere);
    return out;
  };
  const bool number = cite.label.find_first_not_of("0123456789,-^ ") == std::string::npos;
  if (!number && !inert(cite.label).empty()) return inert(cite.label);
  if (cite.identifier.find_first_not_of("0123456789,-^ ") != std::string::npos) return inert(cite.identifier);
  return cite.identifier.empty() ? "" : "\\[" + cite.identifier + "\\]";
}

/// Independent implementations of the styles.
const std::vector<printer> models{
    {&numeric_style, [](const printed_citation& cite) { return "[" + number_of(cite) + "]"; }},
    {&footnote_style, [](const printed_citation& cite) { return "[^" + number_of(cite) + "]"; }},
    {&superscript_style, [](const printed_citation& cite) { return "<sup>[" + number_of(cite) + "]</sup>"; }},
    {&html_style,
     [](const printed_citation& cite) {
       const std::string n = number_of(cite);
       return "<sup><a href=\"#cite-" + n + "\" data-citation=\"" + n + "\">[" + n + "]</a></sup>";
     }},
    {&label_style, &label_of}};

/// One for each style that prints something. A style without a model here is tested elsewhere; its own output
/// is then the expected one for every cut.
std::vector<printer> all_printers() {
  std::vector<printer> out;
  for (const style* how : styles()) {
    if (how->render == nullptr) continue;
    const auto is_of = [&](const printer& one) { return one.how == how; };
    const auto model = std::find_if(models.begin(), models.end(), is_of);
    out.push_back(model != models.end()
                      ? *model
                      : printer{how, [how](const printed_citation& cite) {
                                  std::string text;
                                  how->render({cite.label, cite.identifier, cite.number, nullptr}, text);
                                  return text;
                                }});
  }
  return out;
}

const std::vector<printer> printers = all_printers();

/// The way of printing whose marks the style replaces.
printing marks_of(const style& how) {
  return how.space == spacing::trimmed ? printing::mark_goes : printing::mark_stays;
}

session_options options_for(const style& how, const grammar_options& markers) {
  session_options out = citestream_tests::options_for(marks_of(how), markers);
  out.style = &how;
  return out;
}

/// The first \p left bytes of \p marked with their marks replaced.
printed_text replaced(const printer& by, const printed_text& marked, std::size_t left) {
  printed_text out;
  std::size_t at = 0;
  std::size_t printed_end = std::string::npos;
  for (printed_citation cite : marked.citations) {
    if (cite.start >= left) break;
    out.text.append(marked.text, at, cite.start - at);
    at = cite.end;
    if (printed_end == out.text.size()) out.text += by.how->separator;
    cite.start = out.text.size();
    const std::string text = by.print(cite);
    out.text += text;
    cite.end = out.text.size();
    if (!text.empty()) printed_end = cite.end;
    out.citations.push_back(cite);
  }
  if (at < left) out.text.append(marked.text, at, left - at);
  return out;
}

/// Checks that \p styled equals \p plain after each piece, and \p expected at the end.
void check_cut(answer& styled, answer& plain, const printer& by, const printed_text& marked,
               const printed_text& expected, const std::vector<std::string_view>& deltas) {
  styled.reset();
  plain.reset();
  answered got;
  std::string marks;
  for (const std::string_view delta : deltas) {
    styled.push(delta, got.text);
    plain.push(delta, marks);
    if (got.text == replaced(by, marked, marks.size()).text) continue;
    CAPTURE(by.how->name, deltas, marks, got.text);
    FAIL("withheld other text than the marks");
  }
  styled.finish(got.text);
  got.citations.assign(styled.cites().all().begin(), styled.cites().all().end());
  CAPTURE(by.how->name);
  check_against(got, expected, marked.text);
}

void check_text(const printer& by, answer& styled, answer& plain, const std::string& text,
                const grammar_options& options, bool thorough) {
  const printed_text marked = print(text, options, marks_of(*by.how));
  const printed_text expected = replaced(by, marked, marked.text.size());
  const auto check = [&](const std::vector<std::string_view>& deltas) {
    check_cut(styled, plain, by, marked, expected, deltas);
  };
  const std::string_view all = text;
  std::vector<std::string_view> bytes;
  for (std::size_t i = 0; i < all.size(); ++i) bytes.push_back(all.substr(i, 1));
  check({all});
  check(bytes);
  if (!thorough) return;
  for (std::size_t i = 0; i <= all.size(); ++i) check({all.substr(0, i), all.substr(i)});
  if (all.size() > 40) return;
  for (std::size_t i = 1; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      check({all.substr(0, i), all.substr(i, j - i), all.substr(j)});
    }
  }
}

}  // namespace

TEST_CASE("every style prints the examples alike at every cut in two and in three") {
  for (const printer& by : printers) {
    answer styled(options_for(*by.how, {}));
    answer plain(citestream_tests::options_for(marks_of(*by.how)));
    for (const std::string& text : example_texts()) check_text(by, styled, plain, text, {}, true);
  }
}

TEST_CASE("every style prints composed and hostile answers alike byte by byte") {
  random_source random(61);
  grammar_options small;
  small.bounds.max_marker_bytes = 4096;
  small.bounds.max_label_bytes = 6;
  for (const grammar_options& options : {grammar_options{}, small}) {
    for (const printer& by : printers) {
      answer styled(options_for(*by.how, options));
      answer plain(citestream_tests::options_for(marks_of(*by.how), options));
      for (std::size_t i = 0; i < scaled(150); ++i) {
        check_text(by, styled, plain, composed_answer(random, 8), options, false);
        check_text(by, styled, plain, difficult_text(random, 1 + below(random, 60)), options, false);
      }
    }
  }
}

TEST_CASE("no style holds more text than the limit") {
  random_source random(62);
  for (const std::size_t bound : {1U, 9U, 40U}) {
    grammar_options options;
    options.bounds.max_marker_bytes = bound;
    for (const printer& by : printers) {
      answer styled(options_for(*by.how, options));
      answer plain(citestream_tests::options_for(marks_of(*by.how), options));
      for (std::size_t i = 0; i < scaled(150); ++i) {
        const std::string text = difficult_text(random, 1 + below(random, 60));
        styled.reset();
        plain.reset();
        std::string out;
        for (const char& byte : text) {
          styled.push({&byte, 1}, out);
          plain.push({&byte, 1}, out);
          REQUIRE(styled.held() <= bound);
          REQUIRE(styled.held() == plain.held());
        }
        REQUIRE(styled.abandoned() == plain.abandoned());
      }
    }
  }
}
