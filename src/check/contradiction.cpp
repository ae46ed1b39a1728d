// The rules about contradictions.
//
// Each rule compares two words, one of the claim and one of the evidence, that exclude one another, and asks
// whether both texts speak of the same thing there. For most rules that is so if at least half of the content
// words around the one are around the other (context_at()).
//
//   negation    a word that one text negates and the other never does
//
// A set of content words is a bit mask of the first 64.
#include "check/contradiction.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

namespace citestream::check_detail {
namespace {

using words = std::span<const text_word>;
using word_mask = std::uint64_t;

constexpr std::size_t claim_reach = 4;     // words around a word of the claim
constexpr std::size_t evidence_reach = 6;  // words around a word of the evidence

[[nodiscard]] word_mask mask_of(const text_word& each) noexcept {
  return each.word < 64 ? word_mask{1} << each.word : 0;
}

[[nodiscard]] std::size_t first_near(std::size_t at, std::size_t reach) noexcept {
  return at > reach ? at - reach : 0;
}

/// How many words around a word of the claim are around a word of the evidence.
struct context {
  std::size_t all{};
  std::size_t found{};

  [[nodiscard]] bool half() const noexcept { return all > 0 && found * 2 >= all; }
};

[[nodiscard]] context context_at(words claim, std::size_t i, words evidence, std::size_t j) noexcept {
  word_mask around = 0;
  for (std::size_t k = first_near(i, claim_reach); k < claim.size() && k <= i + claim_reach; ++k) {
    const bool same_kind = claim[i].sense.kind != 0 && claim[k].sense.kind == claim[i].sense.kind;
    if (k != i && claim[k].sentence == claim[i].sentence && !same_kind) around |= mask_of(claim[k]);
  }
  word_mask there = 0;
  for (std::size_t k = first_near(j, evidence_reach); k < evidence.size() && k <= j + evidence_reach; ++k) {
    if (k != j && evidence[k].sentence == evidence[j].sentence) there |= mask_of(evidence[k]);
  }
  return {static_cast<std::size_t>(std::popcount(around)),
          static_cast<std::size_t>(std::popcount(around & there))};
}

/// Applies the rules to one claim and its evidence.
class comparison {
 public:
  comparison(const compared_texts& texts, std::vector<conflict>& out)
      : texts_(texts), claim_(texts.claim), evidence_(texts.evidence), out_(out) {}

  void run() {
    if (texts_.known_language) {
      find_negations();
    }
  }

 private:
  void add(std::string_view rule, std::size_t i, std::size_t j) {
    const bool known =
        std::any_of(out_.begin(), out_.end(), [i](const conflict& each) { return each.claim == i; });
    if (!known) out_.push_back({rule, i, j});
  }

  void find_negations();

  compared_texts texts_;
  words claim_;
  words evidence_;
  std::vector<conflict>& out_;
};

/// Finds words that only one of claim and evidence negates.
void comparison::find_negations() {
  if (texts_.claim_negates == texts_.evidence_negates) return;  // they may negate different words
  const words negating = texts_.claim_negates ? claim_ : evidence_;
  const auto negates = [](words text, std::uint32_t word) {
    bool plain = false;
    bool negated = false;
    for (const text_word& each : text) {
      if (each.word == word) (each.negated ? negated : plain) = true;
    }
    return negated && !plain;
  };
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    const std::uint32_t word = claim_[i].word;
    if (word == no_word || claim_[i].is_number || !negates(negating, word)) continue;
    for (std::size_t j = 0; j < evidence_.size(); ++j) {
      const context around = context_at(claim_, i, evidence_, j);
      if (evidence_[j].word == word && (around.half() || around.all == 0)) add("negation", i, j);
    }
  }
}

}  // namespace

void find_contradictions(const compared_texts& texts, std::vector<conflict>& out) {
  comparison(texts, out).run();
}

}  // namespace citestream::check_detail
