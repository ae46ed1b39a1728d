#include "cite/passage.hpp"

#include <random>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

using citestream::find_passage;

namespace {

std::string passage(std::string_view claim, std::string_view text) {
  const auto found = find_passage(claim, text);
  return found ? std::string(text.substr(found->begin, found->end - found->begin)) : "none";
}

constexpr std::string_view specs =
    "The Aurora 4 is a lamp. It lasts 19 hours on one charge,\nmeasured at 21.5 degrees.\n- Case: "
    "recycled.\n\n"
    "It lasts. Sold in 2024!";

}  // namespace

TEST_CASE("the passage is the sentence with most words of the claim") {
  CHECK(passage("The lamp lasts 19 hours", specs) ==
        "It lasts 19 hours on one charge,\nmeasured at 21.5 degrees.");
  CHECK(passage("Its CASE is recycled", specs) == "- Case: recycled.");
  CHECK(passage("sold 2024", specs) == "Sold in 2024!");
  CHECK(passage("21", specs) == "It lasts 19 hours on one charge,\nmeasured at 21.5 degrees.");
}

TEST_CASE("of sentences with as many words the shortest is the passage") {
  CHECK(passage("it lasts", specs) == "It lasts.");
  CHECK(passage("same words", "same words.  same words.") == "same words.");
  CHECK(find_passage("same words", "same words. same words.")->begin == 0);
}

TEST_CASE("there is no passage if no sentence has half of the words") {
  CHECK(passage("A quick brown fox jumps", specs) == "none");
  CHECK(passage("lamp of Genoa", specs) == "none");
  CHECK(passage("", specs) == "none");
  CHECK(passage(" ?! ", specs) == "none");
  CHECK(passage("words", "") == "none");
}

TEST_CASE("scripts without blanks are compared by character") {
  CHECK(passage("电池续航", "屏幕很亮。电池可以续航十九小时！其他") == "电池可以续航十九小时！");
  CHECK(passage("Die Größe", "Das ist die Größe. Über alles.") == "Das ist die Größe.");
}

TEST_CASE("a passage without an end of a sentence is bounded") {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "filler ";
  text += "needle haystack ";
  for (int i = 0; i < 1000; ++i) text += "filler ";
  const std::string found = passage("needle haystack", text);
  CHECK(found.find("needle") != std::string::npos);
  CHECK(found.size() < 410);
}

TEST_CASE("any bytes have a passage inside the text") {
  std::mt19937 random(1);
  constexpr std::string_view bytes =
      "ab c.\n!\xC3\xA9\xE3\x80\x82\xFF"
      "12";
  const auto make = [&](std::size_t most) {
    std::string out;
    for (std::size_t i = random() % most; i > 0; --i) out += bytes[random() % bytes.size()];
    return out;
  };
  std::size_t found_any = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = make(60);
    const auto found = find_passage(make(12), text);
    if (!found) continue;
    ++found_any;
    REQUIRE(found->begin < found->end);
    REQUIRE(found->end <= text.size());
  }
  CHECK(found_any > 1000);
}
