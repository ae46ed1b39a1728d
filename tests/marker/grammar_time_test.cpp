// Work is linear in the input for every grammar, whatever the text is made of and however it is cut.
#include <citestream/session/answer.hpp>

#include <algorithm>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

namespace {

using citestream::answer;

answer answer_for(const std::vector<const citestream::grammar*>& on) {
  citestream::session_options options;
  options.grammars = on;
  return answer(options);
}

std::string repeated(std::string_view start, std::string_view pattern, std::size_t bytes) {
  std::string out(start);
  out.reserve(bytes + pattern.size());
  while (out.size() < bytes) out += pattern;
  return out;
}

/// Seconds of this process's time: what else the machine does counts little.
double time_of(answer& a, std::string_view text, std::size_t size) {
  static std::string out;  // its memory is paid for once
  out.clear();
  out.reserve(2 * text.size());
  a.reset();
  const std::clock_t start = std::clock();
  for (std::size_t at = 0; at < text.size(); at += size) a.push(text.substr(at, size), out);
  a.finish(out);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

double best_time(answer& a, const std::string& text, std::size_t size) {
  double best = time_of(a, text, size);
  for (int run = 0; run < 2; ++run) best = std::min(best, time_of(a, text, size));
  return best;
}

void check_linear(answer& a, std::string_view start, std::string_view pattern, std::size_t delta) {
  std::size_t bytes = std::size_t{64} * 1024;
  while (time_of(a, repeated(start, pattern, bytes), delta) < 0.010 && bytes < std::size_t{16} * 1024 * 1024)
    bytes *= 2;
  const std::string short_text = repeated(start, pattern, bytes);
  const std::string long_text = repeated(start, pattern, 4 * bytes);
  double small = best_time(a, short_text, delta);
  double large = best_time(a, long_text, delta);
  // A busy machine makes single runs slow; a quadratic algorithm makes all of them slow.
  for (int attempt = 0; attempt < 5 && large > 5 * small; ++attempt) {
    small = std::max(small, best_time(a, short_text, delta));
    large = std::min(large, best_time(a, long_text, delta));
  }
  CAPTURE(start, pattern, delta, bytes, small, large);
  CHECK(large <= 5 * small);
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

TEST_CASE("four times the text takes at most five times the time with each grammar alone") {
  for (const hostile& one : texts) {
    answer a = answer_for({one.on});
    for (const std::size_t delta : {std::size_t{1}, std::size_t{64} * 1024}) {
      check_linear(a, one.start, one.pattern, delta);
    }
  }
}

TEST_CASE("four times the text takes at most five times the time with patterns") {
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
      check_linear(a, "", one.repeated, delta);
    }
  }
}

TEST_CASE("four times the text takes at most five times the time with all grammars at once") {
  answer a = answer_for({citestream::grammars().begin(), citestream::grammars().end()});
  for (const hostile& one : texts) check_linear(a, one.start, one.pattern, std::size_t{64} * 1024);
}
