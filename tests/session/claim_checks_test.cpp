// Verdicts on citations: in records, bodies and typed events, the same however the input is cut, and without
// a change of the text.
#include <citestream/check/support.hpp>
#include <citestream/session/session.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "rewrite/json.hpp"
#include "support/chat_events.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

session_options checked() {
  session_options options;
  options.check = check_mode::report;
  options.checker = &word_check;
  options.dialect = find_dialect("rag");  // the list may come after the text
  return options;
}

const std::string sources =
    R"("sources":[{"title":"A","text":"Sales rose by 20% in May."},{"title":"B","text":"Rëfunds are paid within 30 days."},)"
    R"({"title":"C","text":"The weather was fine."},{"title":"D"}])";

/// \param early  the list of references comes before the text, otherwise after it
std::string answer_stream(bool early) {
  std::string out;
  const std::string list = event_of("{" + sources + "}");
  if (early) out += list;
  for (const std::string_view text : {"According to the report, sales ro", "se by 20% in May [1",
                                      "]. Rëfunds are paid within 14 days [2]. ",
                                      "Profit doubled [3][3], twice [4]. Nothing [9]. It was ", "fine [3]."})
    out += chat_event(text);
  if (!early) out += list;
  return out + chat_event("", "\"stop\"") + event_of("[DONE]");
}

struct checked_run {
  std::string out;
  std::string text;
  std::vector<std::string> found;     ///< verdicts of `citation` events
  std::vector<std::string> verdicts;  ///< of the records at the end
  std::string json;                   ///< of the records
  session_statistics counts;
};

std::string shown(const claim_finding* found) {
  return found == nullptr ? "-" : std::string(name(found->verdict));
}

checked_run run_checked(session& one, const pieces& parts) {
  checked_run result;
  const auto drain = [&] {
    for (session_event found; one.next(found);) {
      if (found.type == session_event_type::text) result.text += found.text;
      if (found.type == session_event_type::citation) result.found.push_back(shown(found.finding));
      if (found.type == session_event_type::resolved) CHECK(found.finding == nullptr);
    }
  };
  for (const std::string_view part : parts) {
    static_cast<void>(one.write(std::string(part), result.out));
    drain();
  }
  CHECK_FALSE(one.finish(result.out));
  drain();
  const citations& cites = one.cites(0);
  for (const auto& list : {cites.all(), cites.native()}) {
    for (const citation& cite : list) {
      result.verdicts.push_back(shown(cite.finding.get()));
      append_citation_json(cite, cites, 0, offset_unit::utf16, result.json);
    }
  }
  result.counts = one.statistics();
  return result;
}

checked_run run_checked(session_options options, const pieces& parts) {
  options.typed_events = true;
  session one(options);
  return run_checked(one, parts);
}

using names = std::vector<std::string>;
const names expected{"supported", "contradicted", "not_found", "not_found", "-", "-", "supported"};

}  // namespace

TEST_CASE("each citation with a text has a verdict") {
  for (const bool early : {false, true}) {
    for (const style* chosen : styles()) {
      INFO(chosen->name << (early ? " early" : " late"));
      session_options options = checked();
      options.style = chosen;
      options.add = additions::always;
      const checked_run run = run_checked(options, {answer_stream(early)});
      CHECK(run.verdicts == expected);
      CHECK(run.found == (early ? expected : names(expected.size(), "-")));
      CHECK(run.counts.verdicts == verdict_counts{2, 1, 2, 0});
      CHECK(run.out.find(run.json.substr(0, run.json.find('}'))) != std::string::npos);
    }
  }
}

TEST_CASE("text that only introduces or names references has no verdict") {
  const std::string list = event_of("{" + sources + "}");
  for (const bool early : {false, true}) {
    const std::string stream = (early ? list : "") +
                               chat_event("Sales rose by 20% in May [1].\n\nSources:\n[1] A\n[2] B\n\n") +
                               chat_event("- A, page 3 [1]\n- [2]\n\nSee: [3]\n\nProfits fell in June [1].") +
                               (early ? "" : list) + chat_event("", "\"stop\"");
    CHECK(run_checked(checked(), {stream}).verdicts ==
          names{"supported", "-", "-", "-", "-", "-", "not_found"});
  }
}

TEST_CASE("a record has the verdict with both places of a contradiction") {
  const checked_run run = run_checked(checked(), {answer_stream(false)});
  CHECK(run.json.find(
            R"("native":null,"support":1,"verdict":"supported","attributed_to":"According to the report, ",)"
            R"("evidence":{"reference":0,"start":0,"end":24,"offsets":"utf16"},)"
            R"("matched_words":["sales","rose","20%","May"],"status":"resolved")") != std::string::npos);
  CHECK(run.json.find(R"("contradictions":[{"rule":"number","claimed":"14","found":"30","start":24,"end":26,)"
                      R"("evidence":{"reference":0,"start":24,"end":26}}],"status")") != std::string::npos);
}

TEST_CASE("a finding quotes no live address from the text if egress is enforced") {
  const std::string stream =
      event_of("{" + sources + "}") +
      chat_event("According to ![i](https://evil.com/S), sales rose by 20% in May [1].") +
      chat_event("", "\"stop\"");
  session_options options = checked();
  CHECK(run_checked(options, {stream}).json.find(R"("According to ![i](https://evil.com/S), ")") !=
        std::string::npos);
  options.egress = egress_mode::enforce;
  for (const pieces& parts : {pieces{stream}, cut_every(stream, 1)}) {
    session one(options);
    const checked_run run = run_checked(one, parts);
    const std::string inert = R"("attributed_to":"According to ![i]\\(https[://]evil[.]com/S), ")";
    CHECK(run.json.find(inert) != std::string::npos);
    CHECK(run.out.find(inert) != std::string::npos);
    CHECK(run.out.find("](https:") == std::string::npos);
  }
}

TEST_CASE("verdicts and evidence do not depend on how the stream is cut") {
  for (const bool early : {false, true}) {
    const std::string stream = answer_stream(early);
    const checked_run whole = run_checked(checked(), {stream});
    session_options options = checked();
    options.typed_events = true;
    session one(options);
    const auto same = [&](const pieces& parts) {
      one.reset();
      const checked_run cut = run_checked(one, parts);
      return cut.out == whole.out && cut.json == whole.json && cut.found == whole.found;
    };
    for (std::size_t at = 1; at < stream.size(); ++at) {
      const std::string_view bytes = stream;
      REQUIRE(same({bytes.substr(0, at), bytes.substr(at)}));
    }
    for (const std::size_t size : {1U, 2U, 7U, 100U}) REQUIRE(same(cut_every(stream, size)));
  }
}

TEST_CASE("the text and its deltas are the same with and without the check") {
  for (const bool early : {false, true}) {
    for (const style* chosen : styles()) {
      session_options options = checked();
      options.check = check_mode::off;
      options.style = chosen;
      const checked_run plain = run_checked(options, {answer_stream(early)});
      session_options with = checked();
      with.style = chosen;
      const checked_run run = run_checked(with, {answer_stream(early)});
      INFO(chosen->name);
      CHECK(run.text == plain.text);
      CHECK(run.counts.held_max == plain.counts.held_max);
      CHECK(plain.verdicts == names(expected.size(), "-"));
      const auto events = payloads(run.out);
      const auto unchecked = payloads(plain.out);
      REQUIRE(events.size() == unchecked.size());
      for (std::size_t i = 0; i < events.size(); ++i) {
        if (events[i].find("\"citestream\"") == std::string::npos) CHECK(events[i] == unchecked[i]);
      }
    }
  }
}

TEST_CASE("a body has the same verdicts as a stream") {
  const std::string body =
      R"({"object":"chat.completion",)" + sources +
      R"(,"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":)" +
      json_string(
          "According to the report, sales rose by 20% in May [1]. Rëfunds are paid within 14 days [2].") +
      "}}]}";
  session one(checked());
  std::string out;
  REQUIRE_FALSE(one.rewrite_body(body, out));
  CHECK(out.find(R"("verdict":"supported","attributed_to":"According to the report, ")") !=
        std::string::npos);
  CHECK(out.find(R"("verdict":"contradicted")") != std::string::npos);
}

TEST_CASE("the words of a citation of the provider are checked") {
  const auto typed = [](std::string_view type, const std::string& members) {
    return "event: " + std::string(type) + "\n" +
           event_of("{\"type\":\"" + std::string(type) + "\"" + members + "}");
  };
  const std::string stream =
      typed("message-start", R"(,"delta":{"message":{"role":"assistant","content":[]}})") +
      typed("content-delta", R"(,"index":0,"delta":{"message":{"content":{"text":"Yës. Sales fell"}}})") +
      typed("content-delta", R"(,"index":0,"delta":{"message":{"content":{"text":" in May."}}})") +
      typed(
          "citation-start",
          R"(,"index":0,"delta":{"message":{"citations":{"start":5,"end":22,"text":"Sales fell in May","sources":[)"
          R"({"type":"document","id":"doc:0","document":{"title":"A","text":"Sales rose in May."}}]}}})") +
      typed("citation-end", R"(,"index":0)") + typed("content-end", R"(,"index":0)") +
      typed("message-end", R"(,"delta":{"finish_reason":"COMPLETE"})");
  session_options options = checked();
  options.dialect = nullptr;
  const checked_run whole = run_checked(options, {stream});
  CHECK(whole.verdicts == names{"contradicted"});
  CHECK(whole.counts.verdicts[static_cast<std::size_t>(claim_verdict::contradicted)] == 1);
  for (std::size_t at = 1; at < stream.size(); at += 3) {
    const std::string_view bytes = stream;
    const checked_run cut = run_checked(options, {bytes.substr(0, at), bytes.substr(at)});
    REQUIRE(cut.json == whole.json);
  }
}

TEST_CASE("claims after max_checked_bytes have no verdict") {
  session_options options = checked();
  const std::string_view first = "According to the report, sales rose by 20% in May";
  options.bounds.max_checked_bytes = first.size();
  CHECK(run_checked(options, {answer_stream(true)}).verdicts ==
        names{"supported", "-", "-", "-", "-", "-", "-"});
  options.bounds.max_checked_bytes = first.size() - 1;
  CHECK(run_checked(options, {answer_stream(false)}).verdicts == names(7, "-"));
}

TEST_CASE("claims after max_compared_bytes have no verdict") {
  session_options options = checked();
  options.bounds.max_compared_bytes = 100;
  for (const bool early : {false, true})
    CHECK(run_checked(options, {answer_stream(early)}).verdicts ==
          names{"supported", "-", "-", "-", "-", "-", "-"});
}

TEST_CASE("an entry of a list is compared once") {
  session_options options = checked();
  options.bounds.max_compared_bytes = 130;  // each comparison takes about 35
  const std::string text = "- A, page 1 [1]\n- A, page 2 [1]\n\nIt was fine [2].\n";
  for (const bool early : {false, true}) {
    const std::string list =
        early ? event_of(R"({"sources":[{"title":"A","text":"Sales rose by 20% in May."}]})") : "";
    const std::string both = event_of(
        R"({"sources":[{"title":"A","text":"Sales rose by 20% in May."},{"title":"C","text":"It was fine."}]})");
    CHECK(run_checked(options,
                      {list + chat_event(text) + both + chat_event("", "\"stop\"") + event_of("[DONE]")})
              .verdicts == names{"-", "-", "supported"});
  }
}

TEST_CASE("words that only introduce a source have no verdict at any cut") {
  const std::string text =
      "According to the annual report [1], sales rose by 20% in May. Based on the documents [1], it was "
      "fine. "
      "Laut Bericht [1] war es so. As the A [1] notes, it was. The report [1] states that it was fine. "
      "According to the CEO the firm lost the data [1]. According to plan [1]. Sales rose by 20% in May [1].";
  const names verdicts{"-", "-", "-", "-", "-", "not_found", "not_found", "supported"};
  const std::string list = event_of("{" + sources + "}");
  for (const bool early : {false, true}) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      INFO(early << ' ' << at);
      const std::string stream = (early ? list : "") + chat_event(text.substr(0, at)) +
                                 chat_event(text.substr(at)) + (early ? "" : list) +
                                 chat_event("", "\"stop\"") + event_of("[DONE]");
      REQUIRE(run_checked(checked(), {stream}).verdicts == verdicts);
    }
  }
}

TEST_CASE("without a checker there are no verdicts") {
  session_options options = checked();
  options.checker = nullptr;
  CHECK(run_checked(options, {answer_stream(true)}).verdicts == names(7, "-"));
}

TEST_CASE("many citations of a large text take bounded time and memory") {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "number " + std::to_string(i) + " ";
  std::string stream = event_of(R"({"sources":[{"title":"A","text":")" + text + R"("}]})");
  for (int i = 0; i < 2'000; ++i) stream += chat_event("The number is " + std::to_string(i) + " [1]. ");
  stream += chat_event("", "\"stop\"") + event_of("[DONE]");
  const checked_run run = run_checked(checked(), {stream});
  const auto with = run.verdicts.size() - static_cast<std::size_t>(std::ranges::count(run.verdicts, "-"));
  CHECK(with > 50);
  CHECK(with <= limits{}.max_compared_bytes / text.size());
}

TEST_CASE("verdicts of a stream change at the limits of the options") {
  const std::string stream = event_of("{" + sources + "}") +
                             chat_event("Sales in May were fine [1].", "\"stop\"") + event_of("[DONE]");
  const auto verdicts_of = [&](const verdict_thresholds& limits) {
    session_options options = checked();
    options.thresholds = limits;
    return run_checked(options, {stream}).verdicts;
  };
  CHECK(verdicts_of({}) == names{"unsure"});
  CHECK(verdicts_of({.supported = 0.3, .not_found = 0.1}) == names{"supported"});
  CHECK(verdicts_of({.supported = 1, .not_found = 0.99}) == names{"not_found"});
}
