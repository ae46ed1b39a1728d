// Properties of every claim and every reference.
#include <citestream/check/support.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/rounds.hpp"

using citestream::support;
using citestream::support_scorer;
using citestream_tests::scaled;

namespace {

using texts = std::vector<std::string>;

const texts vocabulary{"tea",         "grew",  "GRAZ",    "Tim Cook",  "25%",  "20%", "$1,499",
                       "1.5 million", "1998",  "the",     "and",       "not",  ". ",  ", ",
                       "[1]",         "東京",  "don't",   "caf\u00E9", "U.S.", "two", "x",
                       "2024-03-15",  "GPT-4", "twenty-", "\n\n",      "'"};

std::string random_text(std::mt19937& random, std::size_t words) {
  std::string out;
  for (std::size_t i = 0; i < words; ++i)
    out += vocabulary[random() % vocabulary.size()] + (random() % 5 == 0 ? "" : " ");
  return out;
}

std::string random_bytes(std::mt19937& random, std::size_t size) {
  std::string out;
  for (std::size_t i = 0; i < size; ++i) {
    // Letters, digits and lead bytes in turn, because random bytes contain hardly any words.
    const unsigned kind = random() % 4;
    out += static_cast<char>(kind == 0   ? random() % 256
                             : kind == 1 ? 'a' + random() % 4
                             : kind == 2 ? '0' + random() % 10
                                         : 0xC0 + random() % 64);
  }
  return out;
}

std::vector<std::string_view> views(const texts& all) {
  return {all.begin(), all.end()};
}

/// The parts of a result, to compare.
std::string shown(const support& found) {
  std::string out = std::to_string(found.value) + " " + std::string(name(found.verdict)) + " " +
                    std::string(found.attributed_to) + " " + std::to_string(found.content_words);
  const auto add_place = [&](const citestream::support_evidence& place) {
    for (const std::size_t each : {place.reference, place.begin, place.end})
      out += " " + std::to_string(each);
  };
  if (found.evidence) add_place(*found.evidence);
  for (const auto& list :
       {found.matched_words, found.missing_numbers, found.missing_names, found.missing_words}) {
    out += " |";
    for (const std::string_view each : list) out.append(" ").append(each);
  }
  for (const citestream::contradiction& each : found.contradictions) {
    out += " " + std::string(each.rule) + " " + std::to_string(each.claim_begin);
    add_place(each.found);
  }
  return out;
}

void check_sound(const support& found, std::string_view claim, const texts& references) {
  CHECK(found.value >= 0);
  CHECK(found.value <= 1);
  CHECK(found.coverage >= 0);
  CHECK(found.coverage <= 1);
  CHECK((found.evidence.has_value() == (found.coverage > 0)));
  if (found.evidence) {
    REQUIRE(found.evidence->reference < references.size());
    CHECK(found.evidence->begin < found.evidence->end);
    CHECK(found.evidence->end <= references[found.evidence->reference].size());
  }
  for (const auto& list :
       {found.matched_words, found.missing_numbers, found.missing_names, found.missing_words}) {
    for (const std::string_view text : list) {
      CHECK(!text.empty());
      CHECK(text.data() >= claim.data());
      CHECK(text.data() + text.size() <= claim.data() + claim.size());
    }
  }
  // Each content word is in one list. Adjacent missing names are listed as one.
  const std::size_t others =
      found.matched_words.size() + found.missing_numbers.size() + found.missing_words.size();
  CHECK((found.missing_names.empty() ? others == found.content_words : others < found.content_words));
  CHECK(found.matched_words.empty() == !found.evidence.has_value());
}

}  // namespace

TEST_CASE("results are valid and do not depend on earlier claims") {
  std::mt19937 random(7);
  support_scorer warm;
  for (int round = 0; round < 3000; ++round) {
    const bool noise = round % 3 == 0;
    const auto make = [&](std::size_t size) {
      return noise ? random_bytes(random, size) : random_text(random, size);
    };
    const std::string claim = make(random() % 30);
    texts references;
    for (std::size_t i = random() % 4; i > 0; --i) references.push_back(make(random() % 200));
    const auto given = views(references);
    const support first = warm.score(claim, given);
    INFO(claim);
    check_sound(first, claim, references);
    support_scorer fresh;
    const support& again = fresh.score(claim, given);
    CHECK(again.value == first.value);
    CHECK(again.evidence == first.evidence);
  }
}

TEST_CASE("the order of references changes only the index") {
  std::mt19937 random(11);
  support_scorer scorer;
  for (int round = 0; round < 500; ++round) {
    const std::string claim = random_text(random, 12);
    texts references;
    for (int i = 0; i < 4; ++i) references.push_back(random_text(random, random() % 40));
    const support first = scorer.score(claim, views(references));
    std::string evidence;
    if (first.evidence) {
      evidence = references[first.evidence->reference].substr(first.evidence->begin,
                                                              first.evidence->end - first.evidence->begin);
    }
    const std::vector<std::string_view> missing(first.missing_words.begin(), first.missing_words.end());
    std::shuffle(references.begin(), references.end(), random);
    const support& other = scorer.score(claim, views(references));
    CHECK(other.value == first.value);
    if (other.evidence) {
      CHECK(evidence == references[other.evidence->reference].substr(
                            other.evidence->begin, other.evidence->end - other.evidence->begin));
    }
    CHECK(std::equal(missing.begin(), missing.end(), other.missing_words.begin(), other.missing_words.end()));
  }
}

TEST_CASE("removing content words from a reference never raises coverage") {
  std::mt19937 random(13);
  const texts plain{"tea", "grew", "Graz", "cook", "ferry", "ice", "lake", "nurse", "tunnel", "squirrel"};
  support_scorer scorer;
  for (int round = 0; round < 300; ++round) {
    std::string claim;
    for (int i = 0; i < 6; ++i) claim += plain[random() % plain.size()] + " ";
    texts words;
    for (int i = 0; i < 60; ++i) words.push_back(plain[random() % plain.size()]);
    double before = 1;
    while (!words.empty()) {
      std::string reference;
      for (const std::string& word : words) reference += word + " ";
      const std::string_view given[] = {reference};
      const double now = scorer.score(claim, given).coverage;
      CHECK(now <= before);
      before = now;
      // Replaced by a stop word, so that other words do not move closer together.
      const std::string gone = words[random() % words.size()];
      if (gone == "the") {
        words.pop_back();
        continue;
      }
      std::replace(words.begin(), words.end(), gone, std::string("the"));
      if (std::all_of(words.begin(), words.end(), [](const std::string& w) { return w == "the"; })) break;
    }
  }
}

TEST_CASE("a claim that a reference contains word for word is supported") {
  std::mt19937 random(17);
  support_scorer scorer;
  const std::string claim = "In 1926 Maria Keller moved 3 heavy looms, worth $1.5 million, from Graz to Brno";
  for (int round = 0; round < 200; ++round) {
    const std::string reference =
        random_text(random, random() % 100) + ". " + claim + ". " + random_text(random, random() % 100);
    const std::string_view given[] = {reference};
    const support& found = scorer.score(claim, given);
    CHECK(found.coverage == 1);
    CHECK(found.value > 0.95);
    CHECK(found.missing_numbers.empty());
    CHECK(found.contradicted_numbers.empty());
  }
}

TEST_CASE("a word of any length is accepted") {
  support_scorer scorer;
  const std::string word(100'000, 'a');
  const std::string digits(100'000, '9');
  const std::string_view given[] = {word, digits};
  CHECK(scorer.score(word, given).coverage == 1);
  CHECK(scorer.score(digits, given).coverage == 1);
}

TEST_CASE("references that earlier claims have cited give the same result") {
  std::mt19937 random(11);
  // More references than a scorer keeps, some larger than all that it keeps.
  texts pool;
  for (int i = 0; i < 300; ++i)
    pool.push_back(random_text(random, i % 50 == 0 ? 30'000 : 1 + random() % 400));
  const texts languages{"", "der die das und nicht ", "le la les et ne pas ", "el la los y no "};
  support_scorer used;
  for (std::size_t round = 0; round < scaled(6000); ++round) {
    const texts cited(1 + random() % 3, pool[random() % (round % 2 == 0 ? 5 : pool.size())]);
    const std::string& from = cited.front();
    const std::string claim = languages[random() % languages.size()] +
                              (random() % 2 == 0 ? random_text(random, 1 + random() % 12)
                                                 : from.substr(random() % from.size(), random() % 90));
    INFO(claim);
    const std::vector<std::string_view> references = views(cited);
    support_scorer fresh;
    CHECK(shown(used.score(claim, references)) == shown(fresh.score(claim, references)));
  }
}
