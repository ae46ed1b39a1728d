// True claims and their false twins (contrast_pairs.jsonl, written for this test): how often the true one has
// the higher support, how often the verdicts are on the right side, and how often a true claim is called
// contradicted. The references of one half were not looked at while the rules were written. Also false claims
// (contradicted_claims.jsonl) that must stay contradicted whatever a new rule explains.
#include <citestream/check/support.hpp>
#include <citestream/chunk/document.hpp>

#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

using citestream::claim_verdict;

namespace {

struct counts {
  std::size_t pairs{};
  std::size_t higher{};        ///< pairs whose true claim has more support
  std::size_t right{};         ///< claims with a verdict on the right side, of both kinds
  std::size_t false_alarms{};  ///< true claims that are called contradicted
};

std::ifstream open_claims(const std::string& name) {
  return std::ifstream(std::string(CITESTREAM_SOURCE_DIR) + "/tests/check/" + name);
}

counts measured(std::string_view half) {
  counts out;
  citestream::document parsed;
  citestream::support_scorer scorer;
  std::ifstream in = open_claims("contrast_pairs.jsonl");
  for (std::string line; std::getline(in, line);) {
    REQUIRE_FALSE(parsed.parse(line));
    const auto root = parsed.root();
    if (root["half"].string() != half) continue;
    const std::string_view references[] = {root["reference"].string()};
    const auto found = [&](std::string_view member) {
      const citestream::support& result = scorer.score(root[member].string(), references);
      return std::pair(result.value, result.verdict);
    };
    const auto rejected = [](claim_verdict verdict) {
      return verdict == claim_verdict::contradicted || verdict == claim_verdict::not_found;
    };
    const auto [support, verdict] = found("claim");
    const auto [twin_support, twin_verdict] = found("twin");
    ++out.pairs;
    out.higher += support > twin_support ? 1U : 0U;
    out.right += rejected(verdict) ? 0U : 1U;
    out.right += rejected(twin_verdict) ? 1U : 0U;
    out.false_alarms += verdict == claim_verdict::contradicted ? 1U : 0U;
  }
  return out;
}

}  // namespace

TEST_CASE("true claims rank above their false twins") {
  for (const std::string_view half : {"development", "held_out"}) {
    const counts found = measured(half);
    INFO(half << ": " << found.higher << " higher, " << found.right << " right, " << found.false_alarms
              << " false alarms of " << found.pairs);
    CHECK(found.pairs >= 95);
    CHECK(found.higher * 100 >= found.pairs * 85);
    CHECK(found.right * 100 >= found.pairs * 2 * 80);
    CHECK(found.false_alarms * 100 <= found.pairs * 3);
  }
}

TEST_CASE("true claims of summaries in four languages are hardly ever contradicted") {
  std::size_t claims = 0;
  std::size_t false_alarms = 0;
  citestream::document parsed;
  citestream::support_scorer scorer;
  std::ifstream in = open_claims("prose_claims.jsonl");
  for (std::string line; std::getline(in, line);) {
    REQUIRE_FALSE(parsed.parse(line));
    const std::string_view references[] = {parsed.root()["reference"].string()};
    const auto verdict = scorer.score(parsed.root()["claim"].string(), references).verdict;
    ++claims;
    false_alarms += verdict == claim_verdict::contradicted ? 1U : 0U;
  }
  INFO(false_alarms << " of " << claims);
  CHECK(claims > 350);
  CHECK(false_alarms * 100 <= claims * 3);
}

// Questions, limits, replaced numbers: a rule that explains such differences away easily hides
// contradictions.
TEST_CASE("contradictions that are easily explained away are found") {
  std::size_t claims = 0;
  citestream::document parsed;
  citestream::support_scorer scorer;
  std::ifstream in = open_claims("contradicted_claims.jsonl");
  for (std::string line; std::getline(in, line); ++claims) {
    INFO(line);
    REQUIRE_FALSE(parsed.parse(line));
    const std::string_view references[] = {parsed.root()["reference"].string()};
    CHECK(scorer.score(parsed.root()["claim"].string(), references).verdict == claim_verdict::contradicted);
  }
  CHECK(claims > 100);
}

TEST_CASE("supported claims in ordinary prose are hardly ever called contradicted") {
  std::size_t claims = 0;
  std::size_t false_alarms = 0;
  citestream::document parsed;
  citestream::support_scorer scorer;
  std::ifstream in = open_claims("claims.jsonl");
  for (std::string line; std::getline(in, line);) {
    REQUIRE_FALSE(parsed.parse(line));
    const auto root = parsed.root();
    if (root["label"].string() != "supported") continue;
    std::vector<std::string_view> references;
    for (auto each = root["references"].first(); each; each = each.next())
      references.push_back(each.string());
    ++claims;
    const auto verdict = scorer.score(root["claim"].string(), references).verdict;
    false_alarms += verdict == claim_verdict::contradicted ? 1U : 0U;
  }
  for (const std::string_view half : {"development", "held_out"}) {
    const counts found = measured(half);
    claims += found.pairs;
    false_alarms += found.false_alarms;
  }
  CHECK(claims > 290);
  CHECK(false_alarms * 100 <= claims * 3);
}
