#include <citestream/check/support.hpp>

namespace citestream {

claim_finding finding_of(const support& found) {
  const auto owned = [](std::span<const std::string_view> views) {
    return std::vector<std::string>(views.begin(), views.end());
  };
  claim_finding out;
  out.verdict = found.verdict;
  out.support = found.value;
  out.attributed_to = found.attributed_to;
  out.evidence = found.evidence;
  out.matched_words = owned(found.matched_words);
  out.missing_numbers = owned(found.missing_numbers);
  out.missing_names = owned(found.missing_names);
  out.missing_words = owned(found.missing_words);
  out.contradictions.assign(found.contradictions.begin(), found.contradictions.end());
  return out;
}

namespace {

class word_checker final : public claim_checker {
 public:
  explicit word_checker(const verdict_thresholds& thresholds) : scorer_(thresholds) {}

  claim_finding check(std::string_view claim, std::span<const std::string_view> references) override {
    return finding_of(scorer_.score(claim, references));
  }

 private:
  support_scorer scorer_;
};

}  // namespace

extern constinit const claim_check word_check{
    .name = "words", .make = [](const verdict_thresholds& thresholds) -> std::unique_ptr<claim_checker> {
      return std::make_unique<word_checker>(thresholds);
    }};

}  // namespace citestream
