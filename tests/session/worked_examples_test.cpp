// Worked examples of supported systems, from the bytes of their streams to the records.
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

std::string writer_event(const std::string& content, const std::string& graph = "null",
                         const char* finish = "null") {
  const std::string said = R"({"content":)" + content + R"(,"role":"assistant","graph_data":)" + graph + "}";
  return R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,"finish_reason":)" +
         std::string(finish) + R"(,"message":)" + said + R"(,"delta":)" + said + "}]}\n\n";
}

std::string plain_event(const std::string& content, const char* finish = "null") {
  return R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":)" + content +
         R"(},"finish_reason":)" + finish + "}]}\n\n";
}

std::string marked(const session& one, std::size_t at) {
  const citation& cite = one.cites(0).all()[at];
  std::string said = std::to_string(cite.number) + " " + cite.identifier + " ";
  said += name(cite.status);
  for (const std::uint32_t ref : cite.references) said += " " + one.cites(0).references()[ref].title;
  return said;
}

reference known(std::string id, std::string title, source_type type) {
  reference ref;
  ref.id = std::move(id);
  ref.title = std::move(title);
  ref.type = type;
  return ref;
}

session_options typed(const style& chosen, std::vector<const grammar*> on = {}) {
  session_options options;
  options.style = &chosen;
  options.grammars = std::move(on);
  options.typed_events = true;
  return options;
}

}  // namespace

TEST_CASE("an answer of Writer with two files cited is clean and both are resolved") {
  const std::string references =
      R"({"references":{"files":[{"text":"Revenue rose by a fifth.","fileId":"f-1","score":0.9,"page":15,"cite":"id1"},)"
      R"({"text":"So did costs.","fileId":"f-2","score":0.5,"cite":"id2"}],"web":[]},"sources":null,"status":"finished","subqueries":null})";
  const std::string stream = writer_event("null") + writer_event("\"Revenue grew by 20% [Financial_\"") +
                             writer_event("\"Report.pdf](id\"") +
                             writer_event("\"1), and costs with it [Costs.xlsx]\"") +
                             writer_event("\"(id2).\"") + writer_event("null", references, "\"stop\"");
  session one(typed(strip_style));
  const stream_run whole = run(one, {stream});
  CHECK(text_of(whole) == "Revenue grew by 20%, and costs with it.");
  CHECK(one.recognised() == find_dialect("writer"));
  CHECK(whole.counts.resolved == 2);
  REQUIRE(one.cites(0).all().size() == 2);
  CHECK(one.cites(0).all()[0].label == "Financial_Report.pdf");
  CHECK(one.cites(0).references()[one.cites(0).all()[0].references[0]].page == 15);
  CHECK(one.cites(0).all()[1].marker == "[Costs.xlsx](id2)");
  for (std::size_t at = 1; at < stream.size(); ++at) {
    one.reset();
    const std::string_view bytes = stream;
    REQUIRE(run(one, {bytes.substr(0, at), bytes.substr(at)}).out == whole.out);
  }
}

TEST_CASE("provenance keys are resolved by a registry that is known before") {
  session_options options = typed(strip_style, {&ref_grammar});
  options.references = {known("d_1", "read_csv", source_type::document),
                        known("a_2", "analyst", source_type::agent),
                        known("d_3", "search", source_type::document)};
  session one(options);
  const stream_run got = run(one, {plain_event("\"Revenue grew 12% year-over-year. [REF|\"") +
                                   plain_event("\"d_1] Margins held. [REF|d_1|a_\"") +
                                   plain_event("\"2] Or not [REF|d_9].\"", "\"stop\"")});
  CHECK(text_of(got) == "Revenue grew 12% year-over-year. Margins held. Or not.");
  REQUIRE(one.cites(0).all().size() == 4);
  CHECK(marked(one, 0) == "1 d_1 resolved read_csv");
  CHECK(marked(one, 1) == "1 d_1 resolved read_csv");
  CHECK(marked(one, 2) == "2 a_2 resolved analyst");
  CHECK(marked(one, 3) == "3 d_9 unresolved");
  const citation& first = one.cites(0).all()[0];
  CHECK(first.claim_start.utf8 == 0);
  CHECK(first.claim_end.utf8 == std::string_view("Revenue grew 12% year-over-year.").size());
  CHECK(one.cites(0).uncited().size() == 1);
}

TEST_CASE("a sentence with a number in brackets gets a footnote or superscript") {
  const std::string stream =
      plain_event("\"The company revenue grew by 20% [1\"") + plain_event("\"].\"", "\"stop\"");
  for (const auto& [chosen, expected] : std::vector<std::pair<const char*, std::string>>{
           {"footnote", "The company revenue grew by 20%[^1]."},
           {"superscript", "The company revenue grew by 20%<sup>[1]</sup>."},
           {"numeric", "The company revenue grew by 20% [1]."},
           {"strip", "The company revenue grew by 20%."}}) {
    const style* as = find_style(chosen);
    if (as == nullptr) continue;
    session_options options = typed(*as, {&numeric_grammar});
    options.references = {known("", "Financial_Report.pdf", source_type::document)};
    options.references[0].number = 1;
    options.references[0].page = 15;
    session one(options);
    const stream_run got = run(one, {stream});
    INFO(chosen);
    CHECK(text_of(got).substr(0, expected.size()) == expected);
    if (std::string_view(chosen) == "footnote") {
      CHECK(text_of(got).find("[^1]: **Financial_Report.pdf** (p. 15)") != std::string::npos);
    }
    CHECK(got.counts.resolved == 1);
  }
}
