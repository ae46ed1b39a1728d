#include <citestream/style/style.hpp>

#include <cstddef>
#include <random>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

using citestream::append_inert_markdown;

namespace {

std::string inert(std::string_view text, std::size_t max_bytes = 1000) {
  std::string out;
  append_inert_markdown(text, max_bytes, out);
  return out;
}

}  // namespace

TEST_CASE("a broken character does not hide what follows it") {
  CHECK(inert("a\xC2\n[b") == "a \\[b");
  CHECK(inert("a\xF0[b](c)") == "a\\[b\\]\\(c\\)");
  CHECK(inert("a\xE2\x80") == "a");
  CHECK(inert("a\xE0\x80\xBC\xED\xA0\x80\xF8\xFF") == "a");
}

TEST_CASE("arbitrary bytes give no line break and no unescaped Markdown punctuation") {
  constexpr std::string_view alphabet = "a_\\:/w.@ \n[]<!\x80\xC2\xE2\xAE\xF0\xFF";
  std::mt19937 random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (auto length = random() % 40; length > 0; --length) text += alphabet[random() % alphabet.size()];
    const std::string out = inert(text, random() % 40);
    bool sound = true;
    for (std::size_t at = 0; at < out.size(); ++at) {
      if (out[at] == '\\') {
        ++at;  // and the escaped character
      } else {
        sound = sound && std::string_view("\n[]<!\xFF").find(out[at]) == std::string_view::npos;
      }
    }
    if (!sound) FAIL(text << " became " << out);
  }
}
