// How well the score separates supported claims from others, with claims written and judged for this test
// (claims.jsonl): similar words, paraphrases, half-truths, wrong numbers, other names, other subjects.
#include <citestream/check/support.hpp>
#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

namespace {

/// Support of each claim, by label.
std::map<std::string, std::vector<double>> judged() {
  std::map<std::string, std::vector<double>> out;
  std::ifstream in(std::string(CITESTREAM_SOURCE_DIR) + "/tests/check/claims.jsonl");
  citestream::document parsed;
  citestream::support_scorer scorer;
  std::vector<std::string_view> references;
  for (std::string line; std::getline(in, line);) {
    REQUIRE_FALSE(parsed.parse(line));
    const auto root = parsed.root();
    references.clear();
    for (auto each = root["references"].first(); each; each = each.next())
      references.push_back(each.string());
    out[std::string(root["label"].string())].push_back(
        scorer.score(root["claim"].string(), references).value);
  }
  return out;
}

/// The probability that a supported claim has a higher score than another claim. Ties count half.
double auroc(const std::vector<double>& supported, const std::vector<double>& others) {
  double wins = 0;
  for (const double a : supported) {
    for (const double b : others) wins += a > b ? 1 : a == b ? 0.5 : 0;
  }
  return wins / static_cast<double>(supported.size() * others.size());
}

double share_from(const std::vector<double>& values, double least) {
  const auto count = std::count_if(values.begin(), values.end(), [least](double v) { return v >= least; });
  return static_cast<double>(count) / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("supported claims rank above all others") {
  auto claims = judged();
  const std::vector<double> supported = claims.at("supported");
  REQUIRE(supported.size() > 80);
  std::vector<double> others;
  for (const auto& [label, values] : claims) {
    if (label != "supported") others.insert(others.end(), values.begin(), values.end());
  }
  REQUIRE(others.size() > 80);
  CHECK(auroc(supported, others) > 0.97);
  CHECK(auroc(supported, claims.at("partial")) > 0.95);
  CHECK(auroc(supported, claims.at("contradicted")) > 0.95);
  CHECK(auroc(supported, claims.at("unsupported")) > 0.99);
  CHECK(auroc(supported, claims.at("unrelated")) > 0.99);
}

TEST_CASE("a threshold of one half separates supported claims nearly optimally") {
  auto claims = judged();
  const std::vector<double> supported = claims.at("supported");
  std::vector<double> others;
  for (const auto& [label, values] : claims) {
    if (label != "supported") others.insert(others.end(), values.begin(), values.end());
  }
  const auto accuracy = [&](double least) {
    return (share_from(supported, least) + 1 - share_from(others, least)) / 2;
  };
  double best = 0;
  for (const double least : supported) best = std::max(best, accuracy(least));
  CHECK(accuracy(0.5) > 0.94);
  CHECK(accuracy(0.5) > best - 0.03);
  CHECK(share_from(claims.at("contradicted"), 0.5) == 0);
  CHECK(share_from(claims.at("unrelated"), 0.3) == 0);
}

TEST_CASE("the verdicts on the judged claims are those of the table in docs/checking.md") {
  std::map<std::string, citestream::verdict_counts> counts;
  std::ifstream in(std::string(CITESTREAM_SOURCE_DIR) + "/tests/check/claims.jsonl");
  citestream::document parsed;
  citestream::support_scorer scorer;
  for (std::string line; std::getline(in, line);) {
    REQUIRE_FALSE(parsed.parse(line));
    const auto root = parsed.root();
    std::vector<std::string_view> references;
    for (auto each = root["references"].first(); each; each = each.next())
      references.push_back(each.string());
    const auto verdict = scorer.score(root["claim"].string(), references).verdict;
    ++counts[std::string(root["label"].string())][static_cast<std::size_t>(verdict)];
  }
  std::ifstream page(std::string(CITESTREAM_SOURCE_DIR) + "/docs/checking.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  std::uint64_t all = 0;
  for (const auto& [label, found] : counts) {
    // The columns of the table are in another order than the verdicts.
    const auto [supported, contradicted, not_found, unsure] = found;
    const std::uint64_t sum = supported + contradicted + not_found + unsure;
    std::string row = "|";
    for (const std::uint64_t each : {sum, supported, unsure, not_found, contradicted})
      row += " " + std::to_string(each) + " |";
    INFO(label << ' ' << row);
    CHECK(text.find(row) != std::string::npos);
    all += sum;
  }
  CHECK(text.find("Verdicts on " + std::to_string(all) + " claims") != std::string::npos);
}
