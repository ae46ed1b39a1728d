// One JSON body instead of a stream.
#include <citestream/chunk/document.hpp>

#include <optional>
#include <string>

#include <catch2/catch.hpp>

#include "support/data.hpp"
#include "support/served.hpp"

using citestream::document;
using citestream::json_value;
using citestream::recording;
using loopback::http_client;
using loopback::message;

namespace {

message body_of(const std::string& path, recording from) {
  return citestream_tests::served({std::move(from)}).ask(path, "{}");
}

message body_of(const std::string& path, std::string bytes) {
  return body_of(path, recording("a", {{0, std::move(bytes)}}, false));
}

/// The answer of a file with these bytes.
message body_of_file(const std::string& path, const std::string& file, const std::string& bytes) {
  citestream::recording_error error;
  std::optional<recording> from = citestream::parse_recording(file, bytes, error);
  REQUIRE(from);
  return body_of(path, *std::move(from));
}

std::string chat_body(std::string bytes) {
  const message response = body_of("/v1/chat", std::move(bytes));
  CHECK(response.status() == 200);
  CHECK(response.field("content-type") == "application/json");
  return response.body;
}

std::string chunk(const std::string& choices, const std::string& more) {
  return R"(data: {"id":"7","object":"chat.completion.chunk","choices":[)" + choices + "]," + more + "}\n\n";
}

}  // namespace

TEST_CASE("a chat stream becomes one completion with the text joined") {
  const std::string body = chat_body(
      ": ping\n\n" +
      chunk(R"({"index":0,"finish_reason":null,"message":{"content":null,"role":"assistant"},)"
            R"("delta":{"content":null,"role":"assistant"}})",
            R"("created":1,"model":"m","usage":null)") +
      chunk(R"({"index":0,"finish_reason":null,"message":{"content":"a\"é"},"delta":{"content":"a\"é"}})",
            R"("created":1,"model":"m","usage":null)") +
      chunk(R"({"index":0,"finish_reason":null,"message":{"content":"\n👍"},"delta":{"content":"\n👍"}})",
            R"("created":1,"model":"m","usage":null)") +
      chunk(R"({"index":0,"finish_reason":"stop","message":{"content":null},"delta":{}})",
            R"("created":1,"model":"m","usage":null)") +
      chunk("", R"("created":1,"model":"m","usage":{"total_tokens":3})") + "data: [DONE]\n\n");
  CHECK(body == R"({"id":"7","object":"chat.completion","choices":[{"index":0,"finish_reason":"stop",)"
                R"("message":{"content":"a\"é\n👍","role":"assistant"}}],"created":1,"model":"m",)"
                R"("usage":{"total_tokens":3}})");
}

TEST_CASE("choices are joined separately in any order") {
  const std::string body =
      chat_body(chunk(R"({"index":1,"delta":{"content":"B"}})", R"("model":"m")") +
                chunk(R"({"index":0,"delta":{"content":"A"}})", R"("model":"m")") +
                chunk(R"({"index":1,"delta":{"content":"b"},"finish_reason":"length"})", R"("model":"m")") +
                chunk(R"({"index":0,"delta":{"content":"a"},"finish_reason":"stop"})", R"("model":"m")"));
  document json;
  const auto error = json.parse(body);
  REQUIRE_FALSE(error);
  const json_value choices = json.root()["choices"];
  CHECK(choices[0]["index"].integer() == 0);
  CHECK(choices[0]["message"]["content"].string() == "Aa");
  CHECK(choices[0]["finish_reason"].string() == "stop");
  CHECK(choices[1]["index"].integer() == 1);
  CHECK(choices[1]["message"]["content"].string() == "Bb");
  CHECK(choices[1]["finish_reason"].string() == "length");
  CHECK_FALSE(choices[2]);
}

TEST_CASE("references and annotations are those of the last event that has them") {
  const std::string empty = R"({"sources":null,"status":null,"subqueries":null})";
  const auto event = [](const std::string& delta) {
    return chunk(R"({"index":0,"delta":)" + delta + "}", R"("citations":["https://example.org/"])");
  };
  const std::string body = chat_body(
      event(R"({"content":"x","graph_data":)" + empty + "}") +
      event(R"({"content":"y","graph_data":{"references":{"files":[],"web":[]}},"annotations":[{"n":1}]})") +
      event(R"({"content":null,"graph_data":{"references":{"files":[{"cite":"i"}]}},"annotations":[]})") +
      event(R"({"content":null,"graph_data":{"sources":null,"status":"finished"},"annotations":null})") +
      event(R"({"content":null,"graph_data":)" + empty + "}"));
  document json;
  const auto error = json.parse(body);
  REQUIRE_FALSE(error);
  const json_value message = json.root()["choices"][0]["message"];
  CHECK(message["content"].string() == "xy");
  CHECK(message["graph_data"].raw() == R"({"references":{"files":[{"cite":"i"}]}})");
  CHECK(message["annotations"].raw() == R"([{"n":1}])");
  CHECK(json.root()["citations"].raw() == R"(["https://example.org/"])");
}

TEST_CASE("a message accumulated next to the deltas is not counted twice") {
  const std::string body =
      chat_body(chunk(R"({"index":0,"message":{"content":"a"},"delta":{"content":"a"}})", R"("x":1)") +
                chunk(R"({"index":0,"message":{"content":"ab"},"delta":{"content":"b"}})", R"("x":1)") +
                chunk(R"({"index":0,"message":{"content":"ab"},"finish_reason":"stop"})", R"("x":1)"));
  CHECK(body.find(R"("content":"ab")") != std::string::npos);
}

TEST_CASE("a content in parts stays a list and its text parts are joined") {
  const auto event = [](const std::string& content) {
    return chunk(R"({"index":0,"delta":{"content":)" + content + "}}", R"("x":1)");
  };
  const std::string body = chat_body(
      event(R"("a")") + event(R"([{"type":"text","text":"b"},{"type":"reference","reference_ids":[1]}])") +
      event(R"([{"type":"text","text":"c"}])") + event(R"("d")"));
  CHECK(body.find(R"("content":[{"type":"text","text":"ab"},{"type":"reference","reference_ids":[1]},)"
                  R"({"type":"text","text":"cd"}])") != std::string::npos);
  CHECK(chat_body(event(R"([{"type":"text","text":""}])")).find(R"("content":[])") != std::string::npos);
}

TEST_CASE("tool calls are joined from their pieces") {
  const auto event = [](const std::string& calls) {
    const std::string message = R"({"content":null,"tool_calls":)" + calls + "}";
    return chunk(R"({"index":0,"message":)" + message + R"(,"delta":)" + message + "}", R"("x":1)");
  };
  const std::string body = chat_body(
      event("null") +
      event(R"([{"index":0,"id":"c1","type":"function","function":{"name":"f","arguments":null}}])") +
      event(R"([{"index":0,"id":null,"type":null,"function":{"name":null,"arguments":"{\"a\":"}}])") +
      event(R"([{"index":0,"id":null,"type":null,"function":{"name":null,"arguments":"1}"}}])"));
  CHECK(body.find(R"("content":null,"tool_calls":[{"index":0,"id":"c1","type":"function",)"
                  R"("function":{"name":"f","arguments":"{\"a\":1}"}}])") != std::string::npos);
}

TEST_CASE("a graph question becomes one answer whether bare or in data") {
  const std::string first = R"({"question":"q?","answer":"It ","sources":null,"subqueries":null})";
  const std::string second =
      R"({"question":"q?","answer":"is.","sources":[{"file_id":"f"}],"references":{"web":[]}})";
  const std::string expected =
      R"({"question":"q?","answer":"It is.","sources":[{"file_id":"f"}],"subqueries":null,"references":{"web":[]}})";
  CHECK(body_of("/v1/graphs/question", "data: " + first + "\n\ndata: " + second + "\n\n").body == expected);
  CHECK(
      body_of("/v1/graphs/question", "data: {\"data\":" + first + "}\n\ndata: {\"data\":" + second + "}\n\n")
          .body == expected);
}

TEST_CASE("lines of Ollama become one object with the texts joined") {
  const std::string head = R"({"model":"m","created_at":"t)";
  const std::string lines =
      head +
      R"(1","message":{"role":"assistant","content":"","thinking":"hm"},"done":false})"
      "\n" +
      head +
      R"(2","message":{"role":"assistant","content":"a ","tool_calls":[{"id":1}]},"done":false})"
      "\n" +
      head +
      R"(3","message":{"role":"assistant","content":"b","tool_calls":[{"id":2}]},"done":false})"
      "\n" +
      head +
      R"(4","message":{"role":"assistant","content":""},"done":true,"eval_count":3})"
      "\n";
  const auto answer = [](const std::string& path, const std::string& bytes) {
    citestream::replay_options options;
    options.recordings.push_back(recording("a", {{0, bytes}}, false, "application/x-ndjson"));
    citestream::replay_server server(std::move(options));
    const std::error_code error = server.start();
    REQUIRE_FALSE(error);
    http_client client(server.port());
    client.post(path, R"({"stream":false})");
    return client.response();
  };
  CHECK(
      answer("/api/chat", lines).body ==
      head +
          R"(4","message":{"role":"assistant","content":"a b","thinking":"hm","tool_calls":[{"id":1},{"id":2}]},)"
          R"("done":true,"eval_count":3})");
  const std::string generated = head +
                                R"(1","response":"a ","done":false})"
                                "\n" +
                                head +
                                R"(2","response":"b","done":true})"
                                "\n";
  CHECK(answer("/api/generate", generated).body == head + R"(2","response":"a b","done":true})");
}

TEST_CASE("events of Anthropic become one message with the blocks joined") {
  const auto event = [](const std::string& type, const std::string& rest) {
    return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + rest + "}\n\n";
  };
  const auto delta = [&](int index, const std::string& members) {
    return event("content_block_delta",
                 ",\"index\":" + std::to_string(index) + ",\"delta\":{" + members + "}");
  };
  const auto start = [&](int index, const std::string& members) {
    return event("content_block_start",
                 ",\"index\":" + std::to_string(index) + ",\"content_block\":{" + members + "}");
  };
  const std::string stream =
      event(
          "message_start",
          R"(,"message":{"id":"m","type":"message","role":"assistant","content":[],"stop_reason":null,"usage":{"input_tokens":9,"output_tokens":1}})") +
      start(0, R"("type":"thinking","thinking":"","signature":"")") +
      delta(0, R"("type":"thinking_delta","thinking":"hm")") +
      delta(0, R"("type":"signature_delta","signature":"S")") +
      start(1, R"("type":"text","text":"","citations":null)") + event("ping", "") +
      delta(1, R"("type":"citations_delta","citation":{"url":"u"})") +
      delta(1, R"("type":"text_delta","text":"a ")") + delta(1, R"("type":"text_delta","text":"\"b\"")") +
      event("content_block_stop", ",\"index\":1") + start(2, R"("type":"tool_use","id":"t","input":{})") +
      delta(2, R"("type":"input_json_delta","partial_json":"{\"q\"")") +
      delta(2, R"("type":"input_json_delta","partial_json":":1}")") +
      event("message_delta", R"(,"delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":30})") +
      event("message_stop", "");
  CHECK(
      body_of("/v1/messages", stream).body ==
      R"({"id":"m","type":"message","role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"S"},)"
      R"({"type":"text","text":"a \"b\"","citations":[{"url":"u"}]},{"type":"tool_use","id":"t","input":{"q":1}}],)"
      R"("stop_reason":"tool_use","usage":{"input_tokens":9,"output_tokens":30}})");
}

TEST_CASE("the input of a tool call that breaks off is an empty object") {
  const auto anthropic = [](const std::string& input) {
    return R"(data: {"type":"message_start","message":{"id":"m","content":[]}})"
           "\n\n"
           R"(data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","input":{}}})"
           "\n\n"
           R"(data: {"type":"content_block_delta","index":0,"delta":{"partial_json":")" +
           input + "\"}}\n\n";
  };
  const auto converse = [](const std::string& input) {
    return R"(data: {"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"t"}}})"
           "\n\n"
           R"(data: {"contentBlockIndex":0,"delta":{"toolUse":{"input":")" +
           input + "\"}}}\n\n";
  };
  for (const std::string input : {R"({\"a\":)", R"({\"a\":\"b)", "{", R"({\"a\":1}})"}) {
    INFO(input);
    CHECK(body_of("/v1/messages", anthropic(input)).body ==
          R"({"id":"m","content":[{"type":"tool_use","input":{}}]})");
    CHECK(
        body_of("/model/m/converse", converse(input)).body ==
        R"({"output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","input":{}}}]}}})");
  }
  CHECK(body_of("/v1/messages", anthropic(R"({\"a\":1})")).body ==
        R"({"id":"m","content":[{"type":"tool_use","input":{"a":1}}]})");
  CHECK(
      body_of("/model/m/converse", converse(R"({\"a\":1})")).body ==
      R"({"output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","input":{"a":1}}}]}}})");
}

namespace {

std::string responses_event(const std::string& type, const std::string& members) {
  return "event: response." + type + "\ndata: {\"type\":\"response." + type + "\"," + members + "}\n\n";
}

const std::string response_created = responses_event(
    "created",
    R"("response":{"id":"r","object":"response","status":"in_progress","output":[],"usage":null})");

std::string text_delta(const std::string& text) {
  return responses_event("output_text.delta",
                         R"("item_id":"i","output_index":0,"content_index":0,"delta":")" + text + "\"");
}

}  // namespace

TEST_CASE("a response without its last event has the joined text and is incomplete") {
  const std::string stream = response_created + text_delta("a ") + text_delta("\\\"b\\\"");
  CHECK(body_of("/v1/responses", stream).body ==
        R"({"id":"r","object":"response","status":"incomplete","output":[{"type":"message","id":"i",)"
        R"("role":"assistant","content":[{"type":"output_text","text":"a \"b\"","annotations":[]}],)"
        R"("status":"incomplete"}],"usage":null})");
  CHECK(body_of("/v1/responses", response_created).body ==
        R"({"id":"r","object":"response","status":"incomplete","output":[],"usage":null})");
}

TEST_CASE("a response without its last event keeps complete items and joins the others") {
  const auto item = [](const std::string& type, int index, const std::string& members) {
    return responses_event("output_item." + type,
                           "\"output_index\":" + std::to_string(index) + R"(,"item":{)" + members + "}");
  };
  const auto at = [](const std::string& type, const std::string& place, const std::string& members) {
    return responses_event(type, place + "," + members);
  };
  const std::string part = R"("output_index":2,"content_index":0)";
  const std::string stream =
      response_created + item("added", 0, R"("id":"s","type":"web_search_call","status":"in_progress")") +
      item("done", 0, R"("id":"s","type":"web_search_call","status":"completed")") +
      item("added", 1, R"("id":"r","type":"reasoning","summary":[])") +
      item("added", 2,
           R"("id":"m","type":"message","status":"in_progress","content":[],"role":"assistant")") +
      at("content_part.added", part, R"("part":{"type":"output_text","annotations":[],"text":""})") +
      at("output_text.delta", part, R"("delta":"One ")") +
      at("output_text.annotation.added", part, R"("annotation":{"url":"u"})") +
      at("output_text.annotation.added", part, R"("annotation":{"url":"v"})") +
      at("output_text.delta", part, R"("delta":"two")") +
      at("refusal.delta", R"("output_index":2,"content_index":1)", R"("delta":"No")") +
      item(
          "added", 3,
          R"("id":"f","type":"function_call","status":"in_progress","arguments":"","call_id":"c","name":"n")") +
      at("function_call_arguments.delta", R"("output_index":3)", R"("delta":"{\"a\"")") +
      at("function_call_arguments.delta", R"("output_index":3)", R"("delta":":")") +
      item("added", 4, R"("id":"t","type":"custom_tool_call","input":"","status":"in_progress")") +
      at("custom_tool_call_input.delta", R"("output_index":4)", R"("delta":"ls")") +
      item("added", 5, R"("id":"q","type":"reasoning","summary":[])") +
      at("reasoning_summary_part.added", R"("output_index":5,"summary_index":0)",
         R"("part":{"type":"summary_text","text":""})") +
      at("reasoning_summary_text.delta", R"("output_index":5,"summary_index":0)", R"("delta":"It ")") +
      at("reasoning_summary_text.delta", R"("output_index":5,"summary_index":0)", R"("delta":"grew")") +
      item("added", 6, R"("id":"w","type":"web_search_call","status":"in_progress")");
  CHECK(
      body_of("/v1/responses", stream).body ==
      R"({"id":"r","object":"response","status":"incomplete","output":[)"
      R"({"id":"s","type":"web_search_call","status":"completed"},)"
      R"({"id":"r","type":"reasoning","summary":[]},)"
      R"({"id":"m","type":"message","status":"incomplete","content":[)"
      R"({"type":"output_text","annotations":[{"url":"u"},{"url":"v"}],"text":"One two"},)"
      R"({"type":"refusal","refusal":"No"}],"role":"assistant"},)"
      R"({"id":"f","type":"function_call","status":"incomplete","arguments":"{\"a\":","call_id":"c","name":"n"},)"
      R"({"id":"t","type":"custom_tool_call","input":"ls","status":"incomplete"},)"
      R"({"id":"q","type":"reasoning","summary":[{"type":"summary_text","text":"It grew"}]},)"
      R"({"id":"w","type":"web_search_call","status":"incomplete"})"
      R"(],"usage":null})");
}

TEST_CASE("the body of a response is that of its last event") {
  for (const std::string type : {"completed", "incomplete", "failed"}) {
    const std::string last = R"({"id":"r","object":"response","status":")" + type + R"(","output":[1]})";
    const std::string stream =
        response_created + text_delta("a") + responses_event(type, "\"response\":" + last);
    CHECK(body_of("/v1/responses", stream).body == last);
  }
}

TEST_CASE("text completions are joined and stay text completions") {
  const auto event = [](const std::string& choices) {
    return R"(data: {"id":"7","object":"text_completion","choices":[)" + choices + "]}\n\n";
  };
  const std::string body = chat_body(
      event(R"({"index":0,"text":"Hello ","logprobs":null,"finish_reason":null})") +
      event(R"({"index":1,"text":"B","logprobs":null,"finish_reason":null})") +
      event(R"({"index":0,"text":"world","logprobs":null,"finish_reason":null})") +
      event(R"({"index":0,"text":"","logprobs":null,"finish_reason":"stop"})") + "data: [DONE]\n\n");
  CHECK(body ==
        R"({"id":"7","object":"text_completion","choices":[{"index":0,"text":"Hello world","logprobs":null,)"
        R"("finish_reason":"stop"},{"index":1,"text":"B","logprobs":null,"finish_reason":null}]})");
}

TEST_CASE("a recorded body is served as it is") {
  for (const std::string& bytes :
       {std::string(R"({"id":"m","type":"message","content":[{"type":"text","text":"a [1]"}]})"),
        std::string("\n{\n  \"choices\": [{\"message\": {\"content\": \"a\"}}]\n}\n")}) {
    const message response = body_of_file("/v1/messages", "a.json", bytes);
    CHECK(response.status() == 200);
    CHECK(response.field("Content-Type") == "application/json");
    CHECK(response.body == bytes);
  }
  const std::string line = R"({"model":"m","message":{"role":"assistant","content":"a"},"done":true})";
  CHECK(body_of_file("/api/chat", "a.ndjson", line + "\n").body.find(R"("content":"a")") !=
        std::string::npos);
}

TEST_CASE("streams of other forms have no single body") {
  for (const std::string& bytes :
       {std::string("data: {\"value\":\"x\"}\n\n"), std::string("data: [DONE]\n\n"),
        std::string("data: {\"delta\":{\"content\":\"x\"}}\n\n"), std::string(": x\n\n"), std::string()}) {
    const message response = body_of("/v1/chat", bytes);
    CHECK(response.status() == 501);
    CHECK(response.body.find("\"code\":\"no_single_body\"") != std::string::npos);
  }
}

TEST_CASE("a recorded stream of an API becomes one completion") {
  for (const char* file :
       {"recordings/writer-01-chat-stream-text.sse", "recordings/writer-02-chat-stream-n2-interleaved.sse",
        "recordings/perplexity-01-sonar-citations.sse"}) {
    if (!citestream_tests::have_data(file)) return;
    const std::string bytes = citestream_tests::read_file(citestream_tests::data_dir() / file);
    document json;
    const auto error = json.parse(chat_body(bytes));
    INFO(file);
    REQUIRE_FALSE(error);
    CHECK(json.root()["object"].string() == "chat.completion");
    CHECK(json.root()["choices"][0]["finish_reason"].string() == "stop");
    CHECK(json.root()["choices"][0]["message"]["content"].string().size() > 20);
    CHECK(json.root()["usage"].is_object());
  }
}

TEST_CASE("an answer of Cohere has the joined blocks and citations and tool calls") {
  const auto event = [](const std::string& type, const std::string& members) {
    return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + members + "}\n\n";
  };
  const auto message = [&](const std::string& type, const std::string& index, const std::string& members) {
    return event(type, ",\"index\":" + index + R"(,"delta":{"message":{)" + members + "}}");
  };
  const std::string stream =
      event("message-start", R"(,"id":"m","delta":{"message":{"role":"assistant","content":[]}})") +
      message("tool-plan-delta", "0", R"("tool_plan":"I will")") +
      message("tool-call-start", "0",
              R"("tool_calls":{"id":"c","type":"function","function":{"name":"f","arguments":""}})") +
      message("tool-call-delta", "0", R"("tool_calls":{"function":{"arguments":"{}"}})") +
      message("content-start", "0", R"("content":{"type":"thinking","thinking":"H"})") +
      message("content-delta", "0", R"("content":{"thinking":"m"})") +
      message("content-start", "1", R"("content":{"type":"text","text":""})") +
      message("content-delta", "1", R"("content":{"text":"One "})") +
      message("citation-start", "0", R"("citations":{"start":0,"end":3,"text":"One"})") +
      event("citation-end", ",\"index\":0") + message("content-delta", "1", R"("content":{"text":"two"})") +
      event("message-end", R"(,"delta":{"finish_reason":"COMPLETE","usage":{}})");
  CHECK(body_of("/v2/chat", stream).body ==
        R"({"id":"m","message":{"role":"assistant","content":[{"type":"thinking","thinking":"Hm"},)"
        R"({"type":"text","text":"One two"}],"tool_plan":"I will","tool_calls":[{"id":"c","type":"function",)"
        R"("function":{"name":"f","arguments":"{}"}}],"citations":[{"start":0,"end":3,"text":"One"}]},)"
        R"("finish_reason":"COMPLETE","usage":{}})");
  const std::string ended_twice = stream + event("message-end", R"(,"delta":{"finish_reason":"ERROR"})");
  CHECK(body_of("/v2/chat", ended_twice).body.ends_with(R"(]},"finish_reason":"ERROR","usage":{}})"));
}

TEST_CASE("an interaction of Gemini becomes one body with its steps joined") {
  const std::string stream =
      R"(data: {"interaction":{"id":"i","status":"in_progress","object":"interaction"},"event_type":"interaction.created"})"
      "\n\n"
      R"(data: {"index":0,"step":{"type":"thought"},"event_type":"step.start"})"
      "\n\n"
      R"(data: {"index":0,"delta":{"signature":"s","type":"thought_signature"},"event_type":"step.delta"})"
      "\n\n"
      R"(data: {"index":1,"step":{"type":"model_output"},"event_type":"step.start"})"
      "\n\n"
      R"(data: {"index":1,"delta":{"text":"a ","type":"text"},"event_type":"step.delta"})"
      "\n\n"
      R"(data: {"index":1,"delta":{"text":"b","type":"text"},"event_type":"step.delta"})"
      "\n\n"
      R"(data: {"index":1,"delta":{"annotations":[1,2],"type":"text_annotation_delta"},"event_type":"step.delta"})"
      "\n\n"
      R"(data: {"interaction":{"id":"i","status":"completed"},"event_type":"interaction.completed"})"
      "\n\ndata: [DONE]\n\n";
  for (const char* const path : {"/v1/interactions", "/v1beta/interactions"}) {
    CHECK(
        body_of(path, stream).body ==
        R"({"id":"i","status":"completed","object":"interaction","steps":[{"type":"thought","signature":"s"},)"
        R"({"type":"model_output","content":[{"text":"a b","type":"text","annotations":[1,2]}]}]})");
  }
}

TEST_CASE("chunks of Gemini become one body with parts and grounding joined") {
  const auto chunk = [](const std::string& candidate) {
    return R"(data: {"candidates":[)" + candidate + R"(],"responseId":"r"})" + "\r\n\r\n";
  };
  const std::string stream =
      chunk(R"({"content":{"parts":[{"text":"hm","thought":true}],"role":"model"},"index":0})") +
      chunk(R"({"content":{"parts":[{"text":"a "}]},"index":0,"groundingMetadata":{}})") +
      chunk(R"({"content":{"parts":[{"text":"x"}]},"index":1,"finishReason":"STOP"})") +
      chunk(R"({"content":{"parts":[{"text":"b"}]},"groundingMetadata":{"groundingChunks":[1]}})") +
      chunk(R"({"groundingMetadata":{"groundingChunks":[1,2],"groundingSupports":[7]}})") +
      chunk(R"({"content":{"parts":[{"functionCall":{"name":"f"}}]}})") +
      chunk(R"({"content":{"parts":[{"text":"","thoughtSignature":"s"}]},"finishReason":"STOP",)"
            R"("groundingMetadata":{"groundingChunks":[3],"groundingSupports":[]}})");
  CHECK(body_of("/v1beta/models/a:generateContent", stream).body ==
        R"({"candidates":[{"content":{"parts":[{"text":"hm","thought":true},{"text":"a b"},)"
        R"({"functionCall":{"name":"f"}},{"text":"","thoughtSignature":"s"}],"role":"model"},"index":0,)"
        R"("groundingMetadata":{"groundingChunks":[1,2,3],"groundingSupports":[7]},"finishReason":"STOP"},)"
        R"({"content":{"parts":[{"text":"x"}]},"index":1,"finishReason":"STOP"}],"responseId":"r"})");
}
