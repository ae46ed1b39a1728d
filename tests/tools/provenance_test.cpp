// `citestream filter --provenance-request`: an answer whose request had tool results.
#include <citestream/provenance/provenance.hpp>

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "support/answer_inputs.hpp"
#include "support/child.hpp"
#include "support/parsed_json.hpp"
#include "support/scratch_folder.hpp"

using namespace citestream_tests;
using citestream::json_value;

namespace {

constexpr std::string_view request =
    R"({"messages":[{"role":"function","name":"read_file","content":"{\"file_path\":\"q3.pdf\",\"text\":\"It grew.\"}"},)"
    R"({"role":"function","name":"ask_analyst","content":"It did."}]})";

const std::string answer = "Revenue grew. [REF|d_1] So they say [REF|a_2]. No [REF|d_3].";

}  // namespace

TEST_CASE("the keys of an answer cite the tool results of its request") {
  const scratch_file file("request.json", request);
  for (const std::string from : {"text", "deltas", "sse"}) {
    const std::string input = from == "text"     ? answer
                              : from == "deltas" ? json_text(answer) + "\n"
                                                 : chunk(0, json_text(answer)) + chunk(0, "null", "\"stop\"");
    const auto made = filter({"--from", from, "--to", "json", "--provenance-request", file.path(),
                              "--provenance-agents", "ask_analyst"},
                             input);
    INFO(from << made.err << made.out);
    REQUIRE(made.code == 0);
    const auto out = parsed(made.out);
    const json_value root = out.root();
    CHECK(root["content"].string() == "Revenue grew. So they say. No.");
    const json_value first = root["citations"].first();
    CHECK(first["status"].string() == "resolved");
    CHECK(first["file_path"].string() == "q3.pdf");
    CHECK(first["text"].string() == R"({"file_path":"q3.pdf","text":"It grew."})");
    CHECK(first.next()["source_type"].string() == "agent");
    CHECK(first.next().next()["status"].string() == "unresolved");
    CHECK(root["provenance"]["d_1"]["label"].string() == "q3.pdf");
    CHECK(root["provenance"]["a_2"]["tool"].string() == "ask_analyst");
    CHECK(root["markdown_content"].string().find("**q3.pdf**") != std::string_view::npos);
  }
}

TEST_CASE("a rewritten stream has the summary by key") {
  const scratch_file file("request.json", request);
  const std::string input = chunk(0, json_text(answer)) + chunk(0, "null", "\"stop\"") + event_of("[DONE]");
  const auto made = filter({"--provenance-request", file.path()}, input);
  CHECK(made.code == 0);
  CHECK(made.out.find(R"("provenance":{"d_1":{"label":"q3.pdf")") != std::string::npos);
  CHECK(made.out.find(R"("d_2":{"label":"ask_analyst")") != std::string::npos);
}

TEST_CASE("without a request a document has no keys") {
  CHECK(filter({"--from", "text", "--to", "json"}, answer).out.find("provenance") == std::string::npos);
}

TEST_CASE("a request that cannot be read is a clear error") {
  const scratch_file file("request.json", "{\"messages\":[}");
  const auto broken = filter({"--from", "text", "--provenance-request", file.path()}, answer);
  CHECK(broken.code == 1);
  CHECK(broken.err.find("request.json: invalid JSON") != std::string::npos);
  CHECK(filter({"--from", "text", "--provenance-request", "/nowhere.json"}, answer).code == 1);
  CHECK(filter({"--from", "text", "--provenance-agents", "a"}, answer).code == 2);
}

TEST_CASE("documents of the request are references of every form of answer") {
  const scratch_file file(
      "request.json",
      R"({"input":[{"role":"user","content":[{"type":"input_file","filename":"spec.txt","file_data":"data:text/plain;base64,SXQgZ3Jldy4="}]},)"
      R"({"type":"function_call","call_id":"c","name":"search","arguments":"{}"},)"
      R"({"type":"function_call_output","call_id":"c","output":"Costs fell."}]})");
  const std::string text = "It grew [1]. Costs fell [REF|d_1].";
  const std::string answered =
      R"([{"index":0,"message":{"content":)" + json_text(text) + R"(},"finish_reason":"stop"}])";
  const std::string sent =
      R"([{"index":0,"delta":{"content":)" + json_text(text) + R"(},"finish_reason":"stop"}])";
  for (const auto& [from, input] : std::vector<std::pair<std::string, std::string>>{
           {"sse", event_of(R"({"object":"chat.completion.chunk","choices":)" + sent + "}")},
           {"json", R"({"object":"chat.completion","choices":)" + answered + "}"}}) {
    const auto made = filter({"--from", from, "--to", "json", "--provenance-request", file.path()}, input);
    REQUIRE(made.code == 0);
    const auto out = parsed(made.out);
    CHECK(out.root()["content"].string() == "It grew. Costs fell.");
    CHECK(out.root()["citations"][0]["title"].string() == "spec.txt");
    CHECK(out.root()["citations"][0]["text"].string() == "It grew.");
    CHECK(out.root()["citations"][1]["references"][0]["tool"].string() == "search");
    CHECK(out.root()["uncited"].raw() == "[]");
  }
}

TEST_CASE("keys of a request are not among the markers that were left in a text") {
  const scratch_file file(
      "request.json",
      R"({"messages":[{"role":"tool","tool_call_id":"c","content":"It grew."}],"documents":["a"]})");
  const auto keyed = filter({"--from", "text", "--provenance-request", file.path()}, "It grew [REF|d_1].");
  CHECK(keyed.out == "It grew.");
  CHECK(keyed.err.empty());
  const auto placed = filter({"--from", "text", "--provenance-request", file.path()}, "It grew [1].");
  CHECK(placed.err.find("such as [1]; --markers link,ref,numeric reads them") != std::string::npos);
}

TEST_CASE("keys of a request may be made from the content of some tools") {
  const scratch_file file("request.json", request);
  citestream::provenance_options how;
  how.keys = citestream::provenance_keys::content;
  how.tools = {"ask_analyst"};
  std::vector<citestream::reference> sources;
  std::string changed;
  REQUIRE_FALSE(citestream::add_provenance(request, how, changed, sources));
  REQUIRE(sources.size() == 1);
  const std::string key = sources.front().cite;
  const auto made = filter({"--from", "text", "--to", "json", "--provenance-request", file.path(),
                            "--provenance-keys", "content", "--provenance-tools", "ask_analyst"},
                           "They say so [REF|" + key + "], not [REF|d_1].");
  REQUIRE(made.code == 0);
  const auto out = parsed(made.out);
  CHECK(out.root()["content"].string() == "They say so, not.");
  CHECK(out.root()["citations"].first()["status"].string() == "resolved");
  CHECK(out.root()["provenance"][key]["tool"].string() == "ask_analyst");
  CHECK(filter({"--from", "text", "--provenance-keys", "content"}, answer).code == 2);
  CHECK(filter({"--from", "text", "--provenance-request", file.path(), "--provenance-keys", "name"}, answer)
            .code == 2);
}

TEST_CASE("the graph of provenance has the results and what the answer cites") {
  const scratch_file file("request.json", request);
  const scratch_folder to;
  const std::string graph = to.path("graph.json");
  std::string expected;
  for (const std::string from : {"text", "sse", "json"}) {
    const std::string input =
        from == "text"  ? answer
        : from == "sse" ? chunk(0, json_text(answer)) + chunk(0, "null", "\"stop\"")
                        : R"({"object":"chat.completion","choices":[{"index":0,"message":{"content":)" +
                              json_text(answer) + R"(},"finish_reason":"stop"}]})";
    const auto made = filter({"--from", from, "--to", "text", "--style", "numeric", "--provenance-request",
                              file.path(), "--provenance-agents", "ask_analyst", "--provenance-graph", graph},
                             input);
    INFO(from << made.err << made.out);
    REQUIRE(made.code == 0);
    CHECK(made.out == "Revenue grew. [1] So they say [2]. No [3].");
    const std::string written = to.read("graph.json");
    if (expected.empty()) expected = written;
    CHECK(written == expected);
  }
  const auto out = parsed(expected);
  const json_value root = out.root();
  CHECK(root["entity"]["citestream:d_1"]["prov:label"].string() == "q3.pdf");
  CHECK(root["entity"]["citestream:d_1"]["citestream:file_path"].string() == "q3.pdf");
  CHECK(root["entity"]["citestream:answer"]["citestream:unresolved"].first().string() == "d_3");
  CHECK(root["activity"]["citestream:call_a_2"]["citestream:tool"].string() == "ask_analyst");
  CHECK(root["agent"]["citestream:agent_2"]["prov:label"].string() == "ask_analyst");
  CHECK(root["agent"]["citestream:agent_2"]["prov:type"].raw() ==
        R"({"$":"prov:SoftwareAgent","type":"prov:QUALIFIED_NAME"})");
  const json_value attributed = root["wasAttributedTo"].first();
  CHECK(attributed["prov:entity"].string() == "citestream:a_2");
  CHECK(attributed["prov:agent"].string() == "citestream:agent_2");
  const json_value derived = root["wasDerivedFrom"].first();
  CHECK(derived["prov:generatedEntity"].string() == "citestream:answer");
  CHECK(derived["prov:usedEntity"].string() == "citestream:d_1");
  CHECK(derived["citestream:claim"].string() == "Revenue grew.");
  CHECK(derived.next()["prov:usedEntity"].string() == "citestream:a_2");
  CHECK_FALSE(derived.next().next());
}

TEST_CASE("what an agent cites is linked in the summary and in the graph") {
  const std::string said =
      R"({"messages":[)"
      R"({"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"ask_analyst","arguments":"{}"}}]},)"
      R"({"role":"tool","tool_call_id":"c1","content":"So they say [REF|d_3f9a2c]."}]})";
  const scratch_file file("request.json", said);
  const scratch_folder to;
  const std::string input = chunk(0, json_text("They say so [REF|a_1].")) + chunk(0, "null", "\"stop\"");
  const auto made =
      filter({"--from", "sse", "--to", "json", "--provenance-request", file.path(), "--provenance-agents",
              "ask_analyst", "--provenance-graph", to.path("graph.json")},
             input);
  REQUIRE(made.code == 0);
  const auto out = parsed(made.out);
  CHECK(out.root()["provenance"]["a_1"]["uses"].first().string() == "d_3f9a2c");
  CHECK(out.root()["citations"].first()["references"].first()["uses"].first().string() == "d_3f9a2c");
  const auto graph = parsed(to.read("graph.json"));
  CHECK(graph.root()["entity"]["citestream:d_3f9a2c"].is_object());
  const json_value derived = graph.root()["wasDerivedFrom"].first();
  CHECK(derived["prov:generatedEntity"].string() == "citestream:a_1");
  CHECK(derived["prov:usedEntity"].string() == "citestream:d_3f9a2c");
}

TEST_CASE("the graph has the citations of the document of the same run") {
  const scratch_file list("references.json",
                          R"([{"id":"f-17-report","title":"Annual Report"},{"id":"doc-abcdefgh"}])");
  const scratch_folder to;
  for (const std::string style : {"strip", "numeric", "html", "keep", "markdown"}) {
    for (const std::string unresolved : {"keep", "drop"}) {
      for (const std::string markers : {"", "numeric", "numeric,link"}) {
        INFO(style << " " << unresolved << " " << markers);
        std::vector<std::string> arguments{"--from",
                                           "text",
                                           "--to",
                                           "json",
                                           "--style",
                                           style,
                                           "--unresolved",
                                           unresolved,
                                           "--references",
                                           list.path(),
                                           "--provenance-graph",
                                           to.path("graph.json")};
        if (!markers.empty()) arguments.insert(arguments.end(), {"--markers", markers});
        const auto made =
            filter(arguments, "It grew \U0001F600 [1]. Then it fell [9]. End [2]. See [x](doc-abcdefgh).");
        REQUIRE(made.code == 0);
        std::string cited;
        const auto out = parsed(made.out);
        for (json_value one = out.root()["citations"].first(); one; one = one.next()) {
          if (one["status"].string() != "resolved") continue;
          cited.append(one["number"].raw()).append(" ").append(one["claim_start"].raw()).append("\n");
        }
        std::string derived;
        const auto graph = parsed(to.read("graph.json"));
        for (json_value one = graph.root()["wasDerivedFrom"].first(); one; one = one.next()) {
          derived.append(one["citestream:citation"].raw())
              .append(" ")
              .append(one["citestream:claim_start"].raw())
              .append("\n");
        }
        CHECK(derived == cited);
        CHECK_FALSE(derived.empty());
      }
    }
  }
}

TEST_CASE("a graph of provenance that cannot be made gives a message") {
  CHECK(filter({"--from", "text", "--provenance-graph", "/nonexistent/graph.json"}, answer).code == 1);
  CHECK(filter({"--from", "text", "--provenance-graph", ""}, answer).code == 2);
  CHECK(filter({"--from", "deltas", "--provenance-graph", "graph.json"}, "\"x\"\n").code == 2);
  const scratch_folder to;
  const auto cut = filter({"--from", "sse", "--provenance-graph", to.path("graph.json")}, "data: {\"x\":1");
  CHECK(cut.code == 1);
  CHECK(to.files().empty());
}

TEST_CASE("the instructions for citing are printed") {
  const auto made = run({"instructions"});
  CHECK(made.code == 0);
  CHECK(made.out == std::string(citestream::citation_instructions()) + "\n");
}
