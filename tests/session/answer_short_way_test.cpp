// An answer has a shortcut for plain text. After every delta its result equals that of an answer without it:
// one with an additional grammar, which needs every byte and finds nothing.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "marker/texts.hpp"
#include "session/answer_harness.hpp"
#include "session/answer_stages.hpp"

namespace {

using namespace citestream;
using namespace citestream_tests;

constexpr std::array<char, 256> every_byte = [] {
  std::array<char, 256> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i);
  return bytes;
}();

step find_nothing(const grammar&, recogniser_state&, const lexed_byte&, const grammar_options&,
                  marker_match&) {
  return step::none;
}

const grammar look_at_every_byte{"none", {every_byte.data(), every_byte.size()}, &find_nothing};

void print_line_end(const citation_context&, std::string& out) {
  out += '\n';
}

void print_list(const citations&, std::size_t, std::string& out) {
  out += "list";
}

const style line_ends{"line_ends", spacing::kept, &print_line_end, &print_list};

const std::vector<const style*> tried_styles{&line_ends,      &strip_style,    &keep_style,
                                             &numeric_style,  &footnote_style, &mark_stays_style,
                                             &mark_goes_style};

/// Pieces of text that the shortcut must not handle, and some that it should.
const std::vector<std::string>& pieces() {
  static const std::vector<std::string> all{
      "a",
      "word",
      " the",
      "b ",
      " ",
      "  ",
      "\t",
      ".",
      ". ",
      ",",
      "; ",
      "(",
      ")",
      " (",
      "( ",
      "\\",
      "\\(",
      "\\\\",
      "!",
      "`",
      "```\n",
      "~~~\n",
      "\n",
      "\r\n",
      "\r",
      "\n\n",
      "- ",
      "> ",
      "| ",
      "# ",
      "1. ",
      "[",
      "]",
      "](",
      "[a](b)",
      " [a](b)",
      "([a](b))",
      "( [a](b) ",
      "[x](y), [z](w)",
      "[1]",
      " [1][2]",
      "[src_1]",
      "[REF|d_1]",
      "<|f-1|>",
      "【4:0†s】",
      "<co>in</co: 0>",
      " <co>x</co: 1>",
      "<",
      "\xEE\x88\x80"
      "cite"
      "\xEE\x88\x82"
      "k"
      "\xEE\x88\x81",
      "\xEE\x88",
      "【",
      "é",
      "“q”",
      "…",
      "増",
      "。",
      "🚀",
      "\xC2\xA0",
      "\xE3",
      "\x80",
      "\xF0\x9F",
      "-",
  };
  return all;
}

/// The state that an answer reports between two deltas.
auto state_of(const answer_stages& a) {
  return std::vector<std::uint64_t>{a.held(), a.held_max(), a.waiting() ? 1U : 0U, a.cites().all().size()};
}

/// An answer with the shortcut and one without.
class pair {
 public:
  explicit pair(session_options options)
      : short_(options, nullptr, options.check),
        long_(with_every_byte(options), nullptr, options.check),
        small_(options.bounds.max_marker_bytes < 100) {
    names_ = std::string(options.style->name) + " at " + std::to_string(options.bounds.max_marker_bytes);
    for (const grammar* one : options.grammars) names_.append(" ").append(one->name);
  }

  void push(std::string_view delta) {
    const bool plain = ++pushed_ % 3 > 0 && short_.pass_plain(delta);
    if (plain || short_.pass(delta, left_.text)) {
      left_.text.append(delta);
      ++unchanged_;
    }
    plain_ += plain ? 1U : 0U;
    long_.push(delta, right_.text);
    check();
  }
  void cite(std::string_view key) {
    short_.cite(key);
    long_.cite(key);
    check();
  }
  void add_reference(const reference& one) {
    short_.add_reference(one);
    long_.add_reference(one);
  }
  void finish(bool list) {
    short_.finish(left_.text);
    long_.finish(right_.text);
    check();
    if (list) {
      short_.append_list(left_.text);
      long_.append_list(right_.text);
      check();
    }
    const auto all = [](const answer_stages& a) {
      return std::vector<citation>(a.cites().all().begin(), a.cites().all().end());
    };
    left_.citations = all(short_);
    right_.citations = all(long_);
    REQUIRE(same(left_, right_));
  }
  void reset() {
    short_.reset();
    long_.reset();
    left_ = right_ = {};
  }
  [[nodiscard]] const std::string& names() const { return names_; }
  [[nodiscard]] std::size_t citations() const { return left_.citations.size(); }
  [[nodiscard]] std::size_t unchanged() const { return unchanged_; }
  /// How many deltas pass_plain() took.
  [[nodiscard]] std::size_t plain() const { return plain_; }

 private:
  static session_options with_every_byte(session_options options) {
    if (options.grammars.empty()) options.grammars = {&link_grammar};
    options.grammars.push_back(&look_at_every_byte);
    return options;
  }
  void check() {
    REQUIRE(left_.text == right_.text);
    REQUIRE(state_of(short_) == state_of(long_));
    // Spaces inside a run are released with it. One by one they may exceed a small limit.
    if (!small_) REQUIRE(short_.abandoned() == long_.abandoned());
  }

  answer_stages short_;
  answer_stages long_;
  answered left_;
  answered right_;
  bool small_;  // the limit is small
  std::size_t unchanged_{};
  std::size_t plain_{};
  std::size_t pushed_{};
  std::string names_;  // of style and grammars
};

session_options options_for(random_source& random, const style* chosen) {
  session_options options;
  options.style = chosen;
  for (const grammar* one : grammars()) {
    if (below(random, 3) == 0) options.grammars.push_back(one);
  }
  if (below(random, 4) == 0) options.bounds.max_marker_bytes = 1 + below(random, 12);
  options.only_known = below(random, 4) == 0;
  return options;
}

std::string text_of(random_source& random) {
  const std::size_t first = below(random, pieces().size());
  const std::size_t alphabet = below(random, 2) == 0 ? pieces().size() : 1 + below(random, 9);
  std::string text;
  for (std::size_t left = below(random, 40); left > 0; --left) {
    text += below(random, 3) == 0 ? "word" : pieces()[(first + below(random, alphabet)) % pieces().size()];
  }
  return text;
}

}  // namespace

TEST_CASE("the shortcut for plain text gives the same result after every delta") {
  random_source random(51);
  std::size_t citations = 0;
  std::size_t unchanged = 0;
  std::size_t plain = 0;
  reference known;
  known.cite = "b";
  for (std::size_t i = 0; i < scaled(400); ++i) {
    const style* chosen = tried_styles[i % tried_styles.size()];
    pair both(options_for(random, chosen));
    INFO(both.names());
    for (std::size_t round = 0; round < 12; ++round) {
      both.reset();
      if (round % 4 == 0) both.add_reference(known);
      const std::string text = text_of(random);
      INFO(text);
      // The second part is text after the end of the answer.
      for (std::size_t part = 0; part < 2; ++part) {
        for (const std::string_view delta : cut(text, random, 1 + below(random, 12))) {
          both.push(delta);
          if (below(random, 20) == 0) both.cite("k");
          if (below(random, 20) == 0) both.push({});
        }
        both.finish(below(random, 3) == 0);
      }
      citations += both.citations();
    }
    unchanged += both.unchanged();
    plain += both.plain();
  }
  CHECK(plain > scaled(200));
  CHECK(citations > scaled(400));
  CHECK(unchanged > scaled(400));
}

TEST_CASE("the shortcut for plain text gives the same for every cut in two") {
  random_source random(52);
  for (std::size_t i = 0; i < scaled(60); ++i) {
    const style* chosen = tried_styles[i % tried_styles.size()];
    pair both(options_for(random, chosen));
    const std::string text = "so. " + text_of(random);
    INFO(both.names() << ": " << text);
    for (std::size_t at = 0; at <= text.size(); ++at) {
      both.reset();
      both.push("A");
      both.push(std::string_view(text).substr(0, at));
      both.push(std::string_view(text).substr(at));
      both.finish(true);
    }
  }
}
