// Work is linear in the input for every grammar, text and cut.
#include <citestream/session/answer.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "support/answering.hpp"

using namespace citestream_tests;

namespace {

using citestream::answer;

/// Maximum of held text, and a text that is longer. Small, because valgrind is slow.
constexpr std::size_t max_held = 1024;
constexpr std::size_t bytes = 1536;

answer answer_for(const std::vector<const citestream::grammar*>& on) {
  citestream::session_options options;
  options.grammars = on;
  options.bounds.max_marker_bytes = max_held;
  return answer(options);
}

void check_grammar(answer& a, std::string_view start, std::string_view pattern, std::size_t delta) {
  CAPTURE(start, pattern, delta);
  check_linear(bytes, answering(a, start, pattern, delta));
}

struct hostile {
  const citestream::grammar* on;
  std::string_view start;
  std::string_view pattern;
};

const hostile texts[] = {
    {&citestream::numeric_grammar, "[1", ",1"},
    {&citestream::numeric_grammar, "", "[1,"},
    {&citestream::numeric_grammar, "", "[1,2]"},
    {&citestream::numeric_grammar, "", "[["},
    {&citestream::numeric_grammar, "", "[[1"},
    {&citestream::numeric_grammar, "", "[[1]](u"},
    {&citestream::numeric_grammar, "[[1]](", "【"},
    {&citestream::numeric_grammar, "", "【"},
    {&citestream::numeric_grammar, "", "［1"},
    {&citestream::file_grammar, "", "<|file-"},
    {&citestream::file_grammar, "", "<|file-1"},
    {&citestream::lenticular_grammar, "", "【"},
    {&citestream::lenticular_grammar, "", "【4†"},
    {&citestream::ref_grammar, "", "[REF|d_1|"},
    {&citestream::ref_grammar, "[REF", "|d_1"},
    {&citestream::private_grammar, "", "\uE200"},
    {&citestream::private_grammar, "", "\uE200cite\uE202"},
    {&citestream::private_grammar, "\uE200cite", "\uE202k"},
    {&citestream::private_grammar, "", "\\"},
    {&citestream::source_grammar, "", "[src_"},
    {&citestream::source_grammar, "[src_a", ",src_a"},
    {&citestream::tag_grammar, "", "<co>"},
    {&citestream::tag_grammar, "", "<co>[1]x[1]y[1]z"},
    {&citestream::tag_grammar, "<co>", "[1]"},
    {&citestream::tag_grammar, "<co>", "</co"},
    {&citestream::tag_grammar, "<co>", "x"},
    {&citestream::tag_grammar, "", "<co>a</co: 0:[1,"},
    {&citestream::tag_grammar, "", "<co: 1,"},
    {&citestream::tag_grammar, "", "<citation>a"},
    {&citestream::tag_grammar, "", "<"},
};

}  // namespace

TEST_CASE("scanning is linear with each grammar alone") {
  for (const hostile& one : texts) {
    answer a = answer_for({one.on});
    for (const std::size_t delta : {std::size_t{1}, std::size_t{64} * 1024}) {
      check_grammar(a, one.start, one.pattern, delta);
    }
  }
}

TEST_CASE("scanning is linear with patterns") {
  struct example {
    std::string_view pattern;
    std::string_view repeated;
  };
  for (const example& one :
       {example{"[ref:{key}]", "[ref:"}, example{"[[[[[[[[{key}]", "["}, example{"<{label}:{key}>", "<a:"},
        example{"[{key}[/ref]", "[a[/re"}, example{"[{key}]", "[a,"}}) {
    citestream::pattern_error why;
    const auto pattern = citestream::compile_marker_pattern(one.pattern, why);
    REQUIRE(pattern);
    citestream::session_options options;
    options.patterns.push_back(*pattern);
    answer a(options);
    for (const std::size_t delta : {std::size_t{1}, std::size_t{64} * 1024}) {
      check_grammar(a, "", one.repeated, delta);
    }
  }
}

TEST_CASE("scanning is linear with all grammars together") {
  answer a = answer_for({citestream::grammars().begin(), citestream::grammars().end()});
  for (const hostile& one : texts) check_grammar(a, one.start, one.pattern, std::size_t{64} * 1024);
}
