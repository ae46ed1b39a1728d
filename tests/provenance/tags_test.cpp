// Removing tags, compared with a plain search that starts again after each removal.
#include "provenance/tags.hpp"

#include <citestream/provenance/provenance.hpp>

#include <random>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "support/json_model.hpp"

namespace {

std::string stripped(std::string_view text) {
  std::string out = "kept\n";
  citestream::strip_provenance_tags(text, out);
  REQUIRE(out.starts_with("kept\n"));
  return out.substr(5);
}

/// Removes the first tag, and the line break after it if nothing precedes it, until there are no tags.
std::string stripped_slowly(std::string text) {
  static const std::regex tag(R"(\[REF\\?\|[^\[\]\r\n]{1,506}\])");
  std::smatch found;
  while (std::regex_search(text, found, tag)) {
    const auto at = static_cast<std::size_t>(found.position());
    const bool line = at == 0 && text.substr(static_cast<std::size_t>(found.length())).starts_with('\n');
    text.erase(at, static_cast<std::size_t>(found.length()) + (line ? 1U : 0U));
  }
  return text;
}

/// The inside of a JSON string, with each character written in one of the possible ways.
std::string spelled(const std::string& text, std::mt19937& random) {
  std::string out;
  for (const char c : text) {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    const unsigned way = static_cast<unsigned>(random() % 4);
    if (way == 0 && byte < 0x80) {
      const std::string_view upper = "0123456789ABCDEF";
      out += std::string("\\u00") + digits[byte >> 4U] + (random() % 2 == 0 ? digits : upper)[byte & 15U];
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '"' || c == '\\' || (c == '/' && way == 1)) {
      out += std::string("\\") + c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string meaning(const std::string& inside) {
  const auto value = citestream_tests::read_model('"' + inside + '"');
  REQUIRE(value);
  return value->text;
}

std::string random_text(std::mt19937& random) {
  static const std::vector<std::string> pieces{
      "[REF|", "[REF\\|",   "d_1",         "]",  "[",  "RE", "F|", "|", "\n",         "a_2", " ",
      "x",     "[REF|d_1]", "[REF|d_1]\n", "\r", "\"", "\\", "/",  "é", "\U0001F680", "n",   "[RE"};
  std::string out;
  for (auto count = random() % 14; count > 0; --count) out += pieces[random() % pieces.size()];
  return out;
}

}  // namespace

TEST_CASE("tags are removed with the line break of a header") {
  const std::vector<std::pair<std::string, std::string>> examples{
      {"[REF|d_1]\nRevenue grew.", "Revenue grew."},
      {"[REF|d_1]\n[REF|a_2|d_3]\n\nRevenue", "\nRevenue"},
      {"Revenue grew [REF|d_1].\nIt did. [REF|d_1|d_2]\n", "Revenue grew .\nIt did. \n"},
      {"[REF|d_1] Revenue", " Revenue"},
      {"[REF\\|d_1]\nRevenue", "Revenue"},
      {"[REF\\\\|d_1] [REF\\d_1|]", "[REF\\\\|d_1] [REF\\d_1|]"},
      {"[REF|x]\r\ny", "\r\ny"},
      {"[REF|]", "[REF|]"},
      {"[REF|a\nb]", "[REF|a\nb]"},
      {"[ref|d_1] [REF d_1] REF|d_1]", "[ref|d_1] [REF d_1] REF|d_1]"},
      {"[RE[REF|d_1]F|d_2]\nx", "x"},
      {"[REF|[x]d_1]", "[REF|[x]d_1]"},
      {"", ""},
  };
  for (const auto& [text, left] : examples) {
    INFO(text);
    CHECK(stripped(text) == left);
    CHECK(stripped_slowly(text) == left);
  }
}

TEST_CASE("a tag has at most 512 bytes however it is escaped") {
  for (const std::size_t bytes : {505U, 506U, 507U}) {
    for (const char* filler : {"x", "é", "\U0001F680", "€"}) {
      std::string key;
      while (key.size() + std::string_view(filler).size() <= bytes) key += filler;
      while (key.size() < bytes) key += 'y';
      CHECK(stripped("[REF|" + key + "]").empty() == (bytes <= 506));
    }
    std::string escaped;  // U+00E9, two bytes; U+20AC, three; U+1F680, four
    for (std::size_t i = 0; i + 9 <= bytes; i += 9) escaped += "\\u00e9\\u20ac\\ud83d\\ude80";
    escaped.append(bytes % 9, 'y');
    std::string out;
    citestream::provenance::strip_tags_in_json("[REF|" + escaped + "]", out);
    CHECK(out.empty() == (bytes <= 506));
  }
}

TEST_CASE("no text keeps a tag and the result equals that of a plain search") {
  std::mt19937 random(4711);
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = random_text(random);
    const std::string left = stripped(text);
    INFO(text);
    REQUIRE(left == stripped_slowly(text));
    REQUIRE(stripped(left) == left);
  }
}

TEST_CASE("the same tags are removed in JSON strings and the rest keeps its escapes") {
  std::mt19937 random(4712);
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = random_text(random);
    const std::string inside = spelled(text, random);
    REQUIRE(meaning(inside) == text);
    std::string left;
    citestream::provenance::strip_tags_in_json(inside, left);
    INFO(inside);
    REQUIRE(meaning(left) == stripped(text));
    if (meaning(left) == text) REQUIRE(left == inside);
  }
}
