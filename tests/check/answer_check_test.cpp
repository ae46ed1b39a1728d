// Bounds of check_answer(). What it finds is tested with the command: tests/tools/check_test.cpp.
#include <citestream/check/answer_check.hpp>
#include <citestream/cite/citations.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

using namespace citestream;

TEST_CASE("an answer without anything to compare it with has no grounding result") {
  for (const std::string_view text : {"", "Sales rose by 20%."}) {
    const answer_report report = check_answer(text, citations());
    CHECK(report.grounded == grounding::unknown);
    CHECK_FALSE(report.hallucination_detected);
    CHECK(report.findings.empty());
  }
}

TEST_CASE("a claim that cites nothing has only the reference with its evidence") {
  citations cites;
  std::string text;
  for (int i = 0; i < 200; ++i) {
    reference ref;
    ref.id = std::to_string(i);
    ref.text = "Sales rose by " + std::to_string(1000 + i) + " in May.";
    cites.add_reference(ref);
    text += "Sales rose by " + std::to_string(1000 + i) + " in May. ";
  }
  cites.resolve();
  const answer_report report = check_answer(text, cites);
  REQUIRE(report.claims.size() == 200);
  for (std::uint32_t i = 0; i < 200; ++i) {
    CHECK(report.claims[i].finding.references == std::vector{i});
    CHECK(report.claims[i].finding.evidence->reference == i);
    CHECK(report.claims[i].compared == claim_comparison::words);
  }
}

TEST_CASE("claims after max_compared_bytes are not compared and that is a finding") {
  citations cites;
  reference ref;
  ref.id = "a";
  ref.text = "Sales rose in May. Costs fell in May.";
  cites.add_reference(ref);
  cites.resolve();
  constexpr std::string_view text = "Sales rose in May. Costs fell in May. Profit rose in May.";
  const answer_report all = check_answer(text, cites);
  REQUIRE(all.claims.size() == 3);
  CHECK(all.not_compared == 0);
  CHECK(all.claims[1].finding.verdict == claim_verdict::supported);
  const answer_report some = check_answer(text, cites, {}, {}, ref.text.size() + 20);
  REQUIRE(some.claims.size() == 3);
  CHECK(some.not_compared == 2);
  CHECK(some.claims[0].finding.verdict == claim_verdict::supported);
  CHECK(some.claims[1].compared == claim_comparison::skipped);
  CHECK(some.claims[1].finding.verdict == claim_verdict::unsure);
  CHECK(some.claims[1].grounded == grounding::unknown);
  CHECK(some.claims[1].reason == "not compared: the answer and its texts are too large");
  REQUIRE(some.findings.size() == 1);
  CHECK(some.findings[0].ends_with(": 2 claims"));
}
