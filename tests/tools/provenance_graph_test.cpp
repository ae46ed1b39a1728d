// `citestream filter --provenance-graph`: what is in the graph of several choices, of citations that the
// provider makes, and of documents.
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/answer_inputs.hpp"
#include "support/child.hpp"
#include "support/parsed_json.hpp"
#include "support/scratch_folder.hpp"

using namespace citestream_tests;
using citestream::json_value;

namespace {

std::string event(int choice, const std::string& delta, const std::string& finish = "null") {
  return event_of(R"({"object":"chat.completion.chunk","choices":[{"index":)" + std::to_string(choice) +
                  R"(,"delta":{)" + delta + R"(},"finish_reason":)" + finish + "}]}");
}

/// A whole choice with that text.
std::string choice_of(int choice, const std::string& text) {
  return event(choice, R"("content":)" + json_text(text), R"("stop")");
}

/// A text of a choice with an annotation of the provider.
std::string annotated(int choice, const std::string& text, const std::string& url) {
  const std::string citation = R"({"url":")" + url + R"(","title":"T","start_index":0,"end_index":)" +
                               std::to_string(text.size()) + "}";
  return event(choice, R"("content":)" + json_text(text)) +
         event(choice, R"("annotations":[{"type":"url_citation","url_citation":)" + citation + "}]",
               R"("stop")");
}

std::string graph_of(const std::string& input, std::vector<std::string> more = {}) {
  const scratch_folder to;
  std::vector<std::string> arguments{"--to", "text", "--provenance-graph", to.path("graph.json")};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const auto made = filter(arguments, input);
  INFO(made.err);
  REQUIRE(made.code == 0);
  return to.read("graph.json");
}

/// `answer<id title` for each citation of an answer.
std::string derivations(json_value root) {
  std::string out;
  for (json_value one = root["wasDerivedFrom"].first(); one; one = one.next()) {
    const std::string_view used = one["prov:usedEntity"].string();
    out.append(one["prov:generatedEntity"].string()).append("<").append(used).append(" ");
    out.append(root["entity"][used]["citestream:url"].string()).append("\n");
  }
  return out;
}

}  // namespace

TEST_CASE("each choice derives from its own references and equal ones are one entity") {
  const auto out = parsed(graph_of(annotated(0, "A is big.", "https://a.example/") +
                                   annotated(1, "B is small.", "https://b.example/") +
                                   annotated(2, "A is big.", "https://a.example/")));
  CHECK(derivations(out.root()) ==
        "citestream:answer<citestream:reference_1 https://a.example/\n"
        "citestream:answer_2<citestream:reference_2 https://b.example/\n"
        "citestream:answer_3<citestream:reference_1 https://a.example/\n");
  CHECK(out.root()["wasDerivedFrom"].first()["citestream:citation"].integer() == 1);
}

TEST_CASE("what an agent uses is in the graph once for all choices") {
  const scratch_file file(
      "request.json",
      R"({"messages":[{"role":"function","name":"ask","content":"So they say [REF|d_3f9a2c]."}]})");
  std::string input;
  for (const int choice : {0, 1}) input += choice_of(choice, "So they say [REF|a_1].");
  const auto out =
      parsed(graph_of(input, {"--provenance-request", file.path(), "--provenance-agents", "ask"}));
  CHECK(derivations(out.root()) ==
        "citestream:a_1<citestream:d_3f9a2c \n"
        "citestream:answer<citestream:a_1 \n"
        "citestream:answer_2<citestream:a_1 \n");
}

TEST_CASE("documents of the request are used and have their id") {
  const scratch_file file("request.json",
                          R"({"documents":[{"id":"doc one","title":"Manual","text":"It holds 40 litres."},)"
                          R"({"title":"Second","text":"It weighs 5 kg."}],)"
                          R"("messages":[{"role":"tool","tool_call_id":"c","content":"It grew."}]})");
  const auto out =
      parsed(graph_of(choice_of(0, "It holds 40 litres [1]."), {"--provenance-request", file.path()}));
  const json_value root = out.root();
  std::string used;
  for (json_value one = root["used"].first(); one; one = one.next())
    used.append(one["prov:entity"].string()).append(" ");
  CHECK(used == "citestream:reference_1 citestream:reference_2 citestream:d_1 ");
  CHECK(root["entity"]["citestream:reference_1"]["citestream:id"].string() == "doc one");
  CHECK(derivations(root) == "citestream:answer<citestream:reference_1 \n");
  CHECK_FALSE(root["activity"]["citestream:call_"]);
}
