// Requests of each protocol: where results, calls and the system prompt are.
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "provenance/rewritten.hpp"
#include "support/parsed_json.hpp"

using namespace citestream_tests;
using citestream::citation_instructions;
using citestream::json_value;

namespace {

/// A request of one protocol with one call and its result, `12%`.
struct protocol {
  std::string_view name;
  std::string_view request;       ///< `@` is where the key is inserted
  std::string_view instructions;  ///< the start of what is inserted before the instructions
};

constexpr std::string_view key = "[REF|d_1]\\n";

const protocol protocols[] = {
    {"chat completions",
     R"({"messages":[{"role":"system","content":"Be brief."},{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a/q3.pdf\"}"}}]},{"role":"tool","tool_call_id":"c1","content":"@12%"}]})",
     "Be brief.\\n\\n"},
    {"OpenAI Responses",
     R"({"instructions":"Be brief.","input":[{"type":"function_call","call_id":"c1","name":"read","arguments":"{\"path\":\"a/q3.pdf\"}"},{"type":"function_call_output","call_id":"c1","output":"@12%"}]})",
     "Be brief.\\n\\n"},
    {"OpenAI Responses, parts and no instructions",
     R"({"input":[{"type":"custom_tool_call","call_id":"c1","name":"read","input":"{\"path\":\"a/q3.pdf\"}"},{"type":"custom_tool_call_output","call_id":"c1","output":[{"type":"input_text","text":"@12%"}]}]})",
     R"("instructions":")"},
    {"Anthropic",
     R"({"system":"Be brief.","messages":[{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"read","input":{"path":"a/q3.pdf"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"@12%"}]}]})",
     "Be brief.\\n\\n"},
    {"Anthropic, blocks",
     R"({"system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"read","input":{"path":"a/q3.pdf"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"@12%"}]}]}]})",
     R"(,{"type":"text","text":")"},
    {"Anthropic without a system prompt",
     R"({"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"read","input":{"path":"a/q3.pdf"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"@12%"}]}]})",
     R"("system":")"},
    {"Gemini",
     R"({"systemInstruction":{"parts":[{"text":"Be brief."}]},"contents":[{"role":"model","parts":[{"functionCall":{"id":"c1","name":"read","args":{"path":"a/q3.pdf"}}}]},{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"read","response":{"output":"@12%"}}}]}]})",
     R"(,{"text":")"},
    {"Gemini in the names of Protocol Buffers",
     R"({"system_instruction":{"parts":[{"text":"Be brief."}]},"contents":[{"role":"model","parts":[{"function_call":{"id":"c1","name":"read","args":{"path":"a/q3.pdf"}}}]},{"role":"user","parts":[{"function_response":{"id":"c1","name":"read","response":{"output":"@12%"}}}]}]})",
     R"(,{"text":")"},
    {"Gemini without a system prompt",
     R"({"contents":[{"role":"model","parts":[{"functionCall":{"name":"c1","args":{"path":"a/q3.pdf"}}}]},{"role":"user","parts":[{"functionResponse":{"name":"c1","response":{"result":"@12%"}}}]}]})",
     R"("systemInstruction":{"parts":[{"text":")"},
    {"Interactions",
     R"({"input":[{"type":"function_call","id":"c1","name":"read","arguments":{"path":"a/q3.pdf"}},{"type":"function_result","call_id":"c1","name":"read","result":"@12%"}]})",
     R"("system_instruction":")"},
    {"Cohere",
     R"({"messages":[{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a/q3.pdf\"}"}}]},{"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"@12%"}]}]})",
     R"({"role":"system","content":")"},
    {"Ollama",
     R"({"messages":[{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"read","arguments":{"path":"a/q3.pdf"}}}]},{"role":"tool","tool_name":"read","tool_call_id":"c1","content":"@12%"}]})",
     R"({"role":"system","content":")"},
    {"Converse",
     R"({"system":[{"text":"Be brief."}],"messages":[{"role":"assistant","content":[{"toolUse":{"toolUseId":"c1","name":"read","input":{"path":"a/q3.pdf"}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"c1","content":[{"text":"@12%"}]}}]}]})",
     R"(,{"text":")"},
    {"AG-UI",
     R"({"threadId":"t","runId":"r","context":[],"messages":[{"id":"1","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a/q3.pdf\"}"}}]},{"id":"2","role":"tool","toolCallId":"c1","content":"@12%"}]})",
     R"({"description":"How to cite","value":")"},
};

/// The request with \p text at the place of the key.
std::string request_of(const protocol& one, std::string_view text) {
  std::string out(one.request);
  return out.replace(out.find('@'), 1, text);
}

}  // namespace

TEST_CASE("a tool result of every protocol gets its key and nothing else changes") {
  for (const protocol& one : protocols) {
    INFO(one.name);
    const rewritten out = with_headers(request_of(one, ""));
    CHECK_FALSE(out.error);
    CHECK(out.body == request_of(one, key));
    REQUIRE(out.sources.size() == 1);
    CHECK(out.sources[0].text == "12%");
    CHECK(out.sources[0].file_path == "a/q3.pdf");  // from the arguments of its call
    CHECK(out.sources[0].tool == (one.name == "Gemini without a system prompt" ? "c1" : "read"));
    CHECK(out.sources[0].tool_call_id == "c1");
  }
}

TEST_CASE("the instructions are added once to the system prompt of every protocol") {
  for (const protocol& one : protocols) {
    INFO(one.name);
    const rewritten out = rewrite(request_of(one, ""), {});
    REQUIRE_FALSE(out.error);
    CHECK(parsed(out.body).root().is_object());
    const std::string text = citestream::json_string(citation_instructions());
    const std::string inserted = std::string(one.instructions) + text.substr(1, text.size() - 2);
    const std::size_t at = out.body.find(inserted);
    REQUIRE(at != std::string::npos);
    CHECK(out.body.find(text.substr(1, 40), at + inserted.size()) == std::string::npos);
    const rewritten again = rewrite(out.body, {});
    CHECK(again.body == out.body);
  }
}

TEST_CASE("a result that is an object without a text gets its key as a member") {
  const auto request = [](std::string_view member) {
    return R"({"contents":[{"role":"user","parts":[{"functionResponse":{"name":"read","response":{"rows":[1,2])" +
           std::string(member) + R"(}}}]}]})";
  };
  const rewritten out = with_headers(request(""));
  CHECK(out.body == request(R"(,"citestream_key":"[REF|d_1]")"));
  REQUIRE(out.sources.size() == 1);
  CHECK(out.sources[0].text == R"({"rows":[1,2]})");
  CHECK(with_headers(request(R"(,"citestream_key":"[REF|d_9]")")).body == out.body);
}

TEST_CASE("a result of Converse that is JSON gets its key as a member") {
  const auto request = [](const std::string& content) {
    return R"({"messages":[{"role":"user","content":[{"toolResult":{"toolUseId":"c1","content":[)" + content +
           "]}}]}]}";
  };
  const auto json = [](const std::string& member) { return R"({"json":{"rows":[1,2])" + member + "}}"; };
  const std::string document = R"({"document":{"name":"n"}},)";
  for (const std::string& before : {std::string(), document}) {
    const rewritten out = with_headers(request(before + json("")));
    CHECK(out.body == request(before + json(R"(,"citestream_key":"[REF|d_1]")")));
    REQUIRE(out.sources.size() == 1);
    CHECK(out.sources[0].text == R"({"rows":[1,2]})");
    CHECK(out.sources[0].tool_call_id == "c1");
    CHECK(with_headers(out.body).body == out.body);
  }
  // The key is above the first text if there is one.
  CHECK(with_headers(request(json("") + R"(,{"text":"12%"})")).body ==
        request(json("") + R"(,{"text":"[REF|d_1]\n12%"})"));
  CHECK(with_headers(request(R"({"json":{"output":"12%"}})")).body ==
        request(R"({"json":{"output":"[REF|d_1]\n12%"}})"));
  for (const std::string& none : {document + R"({"json":{}})", std::string(R"({"json":1})")})
    CHECK(with_headers(request(none)).body == request(none));
}

TEST_CASE("a request without results of tools is unchanged") {
  for (const std::string_view body :
       {R"({"contents":[{"parts":[{"text":"Hi"}]}]})", R"({"input":"Hi"})", R"({"input":[{"role":"user"}]})",
        R"({"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]})",
        R"({"contents":[1,{"parts":2}]})",
        R"({"messages":[{"role":"user","content":[{"toolResult":1},{"type":"tool_result"}]}]})"}) {
    const rewritten out = rewrite(body, {});
    CHECK_FALSE(out.error);
    CHECK(out.body == body);
  }
}

TEST_CASE("citations of ours are removed from the history of a request to Converse") {
  const auto request = [](std::string_view citations) {
    return R"({"messages":[{"role":"assistant","content":[{"text":"A"},{"citationsContent":{"content":[{"text":"B"}],)"
           R"("citations":)" +
           std::string(citations) + R"(}}]},{"role":"user","content":[{"text":"citationsContent"}]}]})";
  };
  const std::string own = R"({"title":"T","sourceContent":[{"text":"E"}],"location":{"web":{"url":"u"}}})";
  const std::string quoting =
      R"({"title":"T","location":{"documentChar":{"documentIndex":0,"start":0,"end":3}},"citestream":true})";
  const std::string theirs = R"({"location":{"web":{"domain":"d","url":"u"}}})";
  const std::string document = R"({"location":{"documentChar":{"documentIndex":0,"start":0,"end":3}}})";
  const auto cleaned = [](std::string_view body) {
    std::string out;
    CHECK_FALSE(citestream::remove_own_citations(body, out));
    return out;
  };
  CHECK(cleaned(request("[" + own + "," + quoting + "]")) == request("[]"));
  CHECK(cleaned(request("[" + theirs + "," + own + "," + document + "]")) ==
        request("[" + theirs + "," + document + "]"));
  for (const std::string& kept : {"[" + theirs + "]", std::string("[]"), std::string("null")})
    CHECK(cleaned(request(kept)) == request(kept));
  const auto counted = [](const std::string& body) { return R"({"input":{"converse":)" + body + "}}"; };
  CHECK(cleaned(counted(request("[" + theirs + "," + own + "]"))) == counted(request("[" + theirs + "]")));
}

TEST_CASE("citations of ours are removed from the history of a request to Cohere") {
  const auto request = [](std::string_view citations) {
    return R"({"messages":[{"role":"assistant","content":[{"type":"text","text":"A"}],"citations":)" +
           std::string(citations) + R"(},{"role":"user","content":"B"}]})";
  };
  const std::string theirs = R"({"start":0,"end":1,"text":"A","sources":[{"type":"document","id":"d:1"}]})";
  const std::string own = theirs.substr(0, theirs.size() - 1) + R"(,"citestream":true})";
  const auto cleaned = [](const std::string& body) {
    std::string out;
    CHECK_FALSE(citestream::remove_own_citations(body, out));
    return out;
  };
  CHECK(cleaned(request("[" + own + "]")) == request("[]"));
  CHECK(cleaned(request("[" + own + "," + theirs + "]")) == request("[" + theirs + "]"));
  CHECK(cleaned(request("[" + theirs + "]")) == request("[" + theirs + "]"));
}

TEST_CASE("citations of ours are removed from the history of a request to Anthropic") {
  const auto request = [](std::string_view citations) {
    return R"({"messages":[{"role":"assistant","content":[{"type":"text","text":"A","citations":)" +
           std::string(citations) +
           R"(},{"type":"text","text":"B"}]},{"role":"user","content":"encrypted_index"}]})";
  };
  const std::string own = R"({"type":"web_search_result_location","url":"u","encrypted_index":""})";
  const std::string theirs = R"({"type":"web_search_result_location", "url":"v","encrypted_index":"E"})";
  const std::string document = R"({"type":"char_location","document_index":0})";
  const auto cleaned = [](std::string_view body) {
    std::string out;
    CHECK_FALSE(citestream::remove_own_citations(body, out));
    return out;
  };
  CHECK(cleaned(request("[" + own + "," + own + "]")) == request("null"));
  const std::string quoting = R"({"type":"char_location","document_index":0,"citestream":true})";
  const std::string other = R"({"type":"char_location","document_index":0,"citestream":1})";
  CHECK(cleaned(request("[" + quoting + "," + other + "]")) == request("[" + other + "]"));
  CHECK(cleaned(request("[" + theirs + ", " + own + "," + document + "]")) ==
        request("[" + theirs + "," + document + "]"));
  for (const std::string& kept :
       {"[" + theirs + "]", std::string("[]"), std::string("null"), std::string("1")})
    CHECK(cleaned(request(kept)) == request(kept));
  const auto batch = [&](std::string_view citations) {
    return R"({"requests":[1,{"params":2},{"custom_id":"a","params":)" + request(citations) + "}]}";
  };
  CHECK(cleaned(batch("[" + own + "," + theirs + "]")) == batch("[" + theirs + "]"));
  constexpr std::string_view broken = R"({"encrypted_index":)";
  std::string out;
  const citestream::status error = citestream::remove_own_citations(broken, out);
  CHECK(error.code == citestream::errc::invalid_json);
  CHECK(out == broken);
}
