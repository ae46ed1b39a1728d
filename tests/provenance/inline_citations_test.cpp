// Requesting inline citations from Writer.
#include <citestream/provenance/provenance.hpp>

#include <string>
#include <utility>

#include <catch2/catch.hpp>

using citestream::add_inline_citations;
using citestream::errc;

namespace {

std::string with_citations(const std::string& body) {
  std::string out;
  CHECK_FALSE(add_inline_citations(body, out));
  return out;
}

std::string graph_tool(const std::string& more) {
  return R"({ "type":"graph", "function": {"graph_ids":["g"],"subqueries":true)" + more + "} }";
}

std::string chat(const std::string& tools) {
  return "{\"model\":\"palmyra-x5\",\n \"tools\":[" + tools + "], \"messages\":[]}\n";
}

const std::string on = R"("query_config":{"inline_citations":true})";

}  // namespace

TEST_CASE("a graph tool without a query configuration gets one") {
  CHECK(with_citations(chat(graph_tool(""))) == chat(graph_tool("," + on)));
  CHECK(with_citations(chat(graph_tool(R"(,"query_config":null)"))) == chat(graph_tool("," + on)));
}

TEST_CASE("a query configuration keeps its other members") {
  CHECK(with_citations(chat(graph_tool(R"(,"query_config":{ "max_tokens" : 5e2 })"))) ==
        chat(graph_tool(R"(,"query_config":{ "max_tokens" : 5e2,"inline_citations":true })")));
  CHECK(with_citations(chat(graph_tool(R"(,"query_config":{})"))) == chat(graph_tool("," + on)));
  CHECK(with_citations(chat(graph_tool(R"(,"query_config":{"inline_citations":null})"))) ==
        chat(graph_tool("," + on)));
}

TEST_CASE("an existing value of inline_citations is kept") {
  for (const char* choice : {"true", "false", "\"no\"", "0"}) {
    const std::string body =
        chat(graph_tool(R"(,"query_config":{"inline_citations":)" + std::string(choice) + "}"));
    CHECK(with_citations(body) == body);
  }
  const std::string strange = chat(graph_tool(R"(,"query_config":[])"));
  CHECK(with_citations(strange) == strange);
}

TEST_CASE("only graph tools are changed") {
  const std::string others =
      R"({"type":"function","function":{"name":"graph","parameters":{}}},{"type":"llm","function":{"model":"m"}},)"
      R"({"type":"graph"},{"type":"graph","function":null},null,7,[],{"type":["graph"],"function":{}})";
  CHECK(with_citations(chat(others)) == chat(others));
  CHECK(with_citations(chat(others + "," + graph_tool("") + "," + graph_tool(""))) ==
        chat(others + "," + graph_tool("," + on) + "," + graph_tool("," + on)));
}

TEST_CASE("a graph question gets inline citations too") {
  const std::string question = R"({"graph_ids":["g"], "question":"How much?" })";
  CHECK(with_citations(question) == R"({"graph_ids":["g"], "question":"How much?",)" + on + " }");
  CHECK(with_citations(with_citations(question)) == with_citations(question));
  for (const char* body :
       {R"({"graph_ids":"g","question":"q"})", R"({"question":"q"})", R"({"graph_ids":[]})", "[]", "null",
        R"({"tools":{"type":"graph","function":{}}})"}) {
    CHECK(with_citations(body) == body);
  }
}

TEST_CASE("an ambiguous body is not changed") {
  for (const auto& [body, code] :
       {std::pair{std::string("{"), errc::invalid_json},
        std::pair{std::string(R"({"tools":[],"tools":[)") + graph_tool("") + "]}", errc::duplicate_key},
        std::pair{chat(graph_tool(R"(,"query_config":{},"query_config":{})")), errc::duplicate_key},
        std::pair{std::string(3000, '['), errc::json_too_deep}}) {
    std::string out = "kept ";
    CHECK(add_inline_citations(body, out).code == code);
    CHECK(out == "kept " + body);
  }
  citestream::limits bounds;
  bounds.max_body_bytes = 10;
  std::string out;
  CHECK(add_inline_citations(chat(graph_tool("")), out, bounds).code == errc::body_too_large);
  CHECK(out == chat(graph_tool("")));
}
