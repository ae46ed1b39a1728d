// The replay server over real sockets.
#include <citestream/chunk/document.hpp>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "support/chat_events.hpp"
#include "support/messages.hpp"
#include "support/served.hpp"

using citestream::recording;
using citestream::replay_options;
using citestream::replay_pace;
using citestream::replay_server;
using citestream_tests::chat_event;
using citestream_tests::served;
using loopback::eventually;
using loopback::http_client;
using loopback::message;

namespace {

const std::string stream_request = R"({"model":"a","stream":true})";

// Line ends of all kinds, comments, a BOM, bytes that are not UTF-8, no blank line at the end.
const std::string odd_bytes =
    "\xEF\xBB\xBF: hello\n\ndata: {\"a\":1}\r\n\r\ndata: \xFF\xC3\r\rid: 7\ndata:x\ndata: y\n\n: "
    "ping\n\ndata: last";

recording plain(std::string name, std::string bytes) {
  return {std::move(name), {{0, std::move(bytes)}}, false};
}

recording timed(std::string name, std::vector<citestream::recording_piece> pieces) {
  return {std::move(name), std::move(pieces), true};
}

std::string error_code_of(const message& response) {
  citestream::document json;
  const auto error = json.parse(response.body);
  REQUIRE_FALSE(error);
  CHECK(response.field("content-type") == "application/json");
  CHECK_FALSE(json.root()["error"]["message"].string().empty());
  return std::string(json.root()["error"]["code"].string());
}

}  // namespace

TEST_CASE("the served bytes equal the recording at every pace and split") {
  const std::vector<recording> recordings{
      plain("a", odd_bytes),
      plain("a", chat_event("one") + chat_event("two") + "data: [DONE]\n\n"),
      plain("a", std::string(300'000, 'x') + "\n\n"),
      plain("a", ""),
      timed("a", {{0, "data: a"}, {0.001, ""}, {0.002, "\n\ndata: \xE2\x82"}, {0.002, "\xAC\n\n"}}),
  };
  for (const recording& each : recordings) {
    for (const replay_pace pace : {replay_pace::recorded, replay_pace::interval, replay_pace::none}) {
      for (const std::size_t split : {0U, 1U, 2U, 7U, 1000U}) {
        if (split == 1 && each.bytes().size() > 100'000) continue;
        replay_options options = served::options({each});
        options.pace = pace;
        options.interval = std::chrono::milliseconds(1);
        options.split = split;
        const served on(std::move(options));
        const message response = on.ask("/v1/chat", stream_request);
        INFO("pace " << static_cast<int>(pace) << " split " << split);
        CHECK(response.status() == 200);
        CHECK(response.field("content-type") == "text/event-stream");
        CHECK(response.complete);
        CHECK(response.body == each.bytes());
        for (std::size_t i = 0; split != 0 && i + 1 < response.chunks.size(); ++i) {
          REQUIRE(response.chunks[i].size() == split);
        }
        if (split != 0) CHECK(response.chunks.size() == (each.bytes().size() + split - 1) / split);
      }
    }
  }
}

TEST_CASE("each event is one chunk with the comments before it") {
  for (const replay_pace pace : {replay_pace::recorded, replay_pace::interval, replay_pace::none}) {
    replay_options options = served::options({plain("a", odd_bytes)});
    options.pace = pace;
    const served on(std::move(options));
    const message response = on.ask("/v1/chat", stream_request);
    CHECK(response.chunks == std::vector<std::string>{"\xEF\xBB\xBF: hello\n\ndata: {\"a\":1}\r\n\r",
                                                      "\ndata: \xFF\xC3\r\r", "id: 7\ndata:x\ndata: y\n\n",
                                                      ": ping\n\ndata: last"});
  }
}

TEST_CASE("a recording's pieces are sent as chunks and not before their times") {
  const served on({timed("a", {{0.05, "data: a\n\nda"}, {0.1, "ta: b\n\n"}, {0.15, "data: c\n\n"}})});
  http_client client(on.server.port());
  const auto start = std::chrono::steady_clock::now();
  client.post("/v1/chat", stream_request);
  message response = client.head();
  for (const int due_ms : {50, 100, 150}) {
    REQUIRE(client.chunk(response));
    CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(due_ms));
  }
  CHECK_FALSE(client.chunk(response));
  CHECK(response.complete);
  CHECK(response.chunks == std::vector<std::string>{"data: a\n\nda", "ta: b\n\n", "data: c\n\n"});
}

TEST_CASE("events are sent at least one interval apart") {
  replay_options options = served::options({plain("a", chat_event("1") + chat_event("2") + chat_event("3"))});
  options.pace = replay_pace::interval;
  options.interval = std::chrono::milliseconds(30);
  const served on(std::move(options));
  const auto start = std::chrono::steady_clock::now();
  const message response = on.ask("/v1/chat", stream_request);
  CHECK(response.chunks.size() == 3);
  CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(60));
}

TEST_CASE("a disconnect is noticed during silence while another client is served") {
  const served on({timed("a", {{0, "data: a\n\n"}, {3600, "data: b\n\n"}}), plain("b", chat_event("x"))});
  http_client waiting(on.server.port());
  waiting.post("/v1/chat", stream_request);
  message begun = waiting.head();
  REQUIRE(waiting.chunk(begun));

  const message other = on.ask("/v1/chat", R"({"model":"b","stream":true})");
  CHECK(other.complete);
  CHECK(other.body == chat_event("x"));
  CHECK(on.server.counts().streams_disconnected == 0);

  waiting.close();
  CHECK(eventually([&] { return on.server.counts().streams_disconnected == 1; }));
  CHECK(on.server.counts().streams_started == 2);
  CHECK(eventually([&] { return on.server.counts().streams_complete == 1; }));
}

TEST_CASE("a disconnect in the middle of a fast stream is noticed") {
  replay_options options = served::options({plain("a", std::string(8'000'000, 'x'))});
  options.loop = true;
  const served on(std::move(options));
  http_client client(on.server.port());
  client.post("/v1/chat", stream_request);
  message begun = client.head();
  REQUIRE(client.chunk(begun));
  client.close();
  CHECK(eventually([&] { return on.server.counts().streams_disconnected == 1; }));
}

TEST_CASE("many concurrent clients receive every byte") {
  std::string bytes;
  for (int i = 0; i < 50; ++i) bytes += chat_event("token " + std::to_string(i));
  replay_options options = served::options({plain("a", bytes)});
  options.pace = replay_pace::interval;
  options.interval = std::chrono::milliseconds(2);
  const served on(std::move(options));
  std::vector<std::string> got(40);
  std::vector<std::thread> clients;
  for (std::string& each : got) {
    clients.emplace_back([&each, &on] {
      http_client client(on.server.port());
      client.post("/v1/chat", stream_request);
      each = client.response().body;
    });
  }
  for (std::thread& each : clients) each.join();
  for (const std::string& each : got) CHECK(each == bytes);
  CHECK(eventually([&] { return on.server.counts().streams_complete == 40; }));
}

TEST_CASE("a looping stream repeats until the client disconnects") {
  replay_options options = served::options({timed("a", {{0, "data: a\n\n"}, {0.01, "data: b\n\n"}})});
  options.loop = true;
  const served on(std::move(options));
  http_client client(on.server.port());
  client.post("/v1/chat", stream_request);
  message response = client.head();
  for (int i = 0; i < 7; ++i) REQUIRE(client.chunk(response));
  CHECK(response.body == "data: a\n\ndata: b\n\ndata: a\n\ndata: b\n\ndata: a\n\ndata: b\n\ndata: a\n\n");
  client.close();
  CHECK(eventually([&] { return on.server.counts().streams_disconnected == 1; }));
}

TEST_CASE("a stream with --die-after sends its first bytes and no end") {
  const std::string bytes = chat_event("one") + chat_event("two");
  for (const std::size_t split : {0U, 5U}) {
    for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{bytes.size() - 1}}) {
      replay_options options = served::options({plain("a", bytes)});
      options.die_after = size;
      options.split = split;
      const served on(std::move(options));
      http_client client(on.server.port());
      client.post("/v1/chat", stream_request);
      const message response = client.response();
      CHECK(response.body == bytes.substr(0, size));
      CHECK_FALSE(response.complete);
      CHECK(client.at_end());
    }
  }
  replay_options options = served::options({plain("a", bytes)});
  options.die_after = bytes.size();
  const served on(std::move(options));
  CHECK(on.ask("/v1/chat", stream_request).complete);
}

TEST_CASE("a connection serves sequential and pipelined requests") {
  const served on({plain("a", chat_event("x"))});
  http_client client(on.server.port());
  for (int round = 0; round < 3; ++round) {
    client.post("/v1/chat", stream_request);
    CHECK(client.response().body == chat_event("x"));
    client.post("/v1/chat", R"({"model":"a"})");
    CHECK(client.response().field("content-type") == "application/json");
  }
  for (int i = 0; i < 4; ++i) client.post("/v1/chat", i % 2 == 0 ? stream_request : "{}");
  for (int i = 0; i < 4; ++i) {
    const message response = client.response();
    CHECK(response.status() == 200);
    CHECK(response.complete);
    CHECK((response.body == chat_event("x")) == (i % 2 == 0));
  }
  CHECK(on.server.counts().connections == 1);
  CHECK(on.server.counts().requests == 10);
}

TEST_CASE("an HTTP 1.0 client receives the bytes unchunked until the close") {
  const served on({plain("a", odd_bytes)});
  http_client client(on.server.port());
  client.send("POST /v1/chat HTTP/1.0\r\nContent-Length: " + std::to_string(stream_request.size()) +
              "\r\n\r\n" + stream_request);
  const message response = client.response();
  CHECK(response.field("transfer-encoding").empty());
  CHECK(response.body == odd_bytes);
}

TEST_CASE("Connection close is honoured") {
  const served on({plain("a", odd_bytes)});
  for (const std::string& body : {stream_request, std::string("[]")}) {
    http_client client(on.server.port());
    client.send("POST /v1/chat HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: " +
                std::to_string(body.size()) + "\r\n\r\n" + body);
    const message response = client.response();
    CHECK(response.complete);
    CHECK(response.field("connection") == "close");
    CHECK(client.at_end());
  }
}

TEST_CASE("Ollama's lines are streamed unless the request declines") {
  const std::string lines = R"({"model":"m","response":"a","done":false})"
                            "\n"
                            R"({"model":"m","response":"","done":true})"
                            "\n";
  citestream::replay_options options;
  options.pace = citestream::replay_pace::none;
  options.send_times = true;  // has no effect: NDJSON has no comments
  options.recordings.push_back(citestream::recording("a", {{0, lines}}, false, "application/x-ndjson"));
  citestream::replay_server server(std::move(options));
  const std::error_code error = server.start();
  REQUIRE_FALSE(error);
  for (const char* path : {"/api/generate", "/api/chat"}) {
    http_client client(server.port());
    client.post(path, R"({"model":"a"})");
    const message response = client.response();
    CHECK(response.status() == 200);
    CHECK(response.field("content-type") == "application/x-ndjson");
    CHECK(response.body == lines);
  }
}

TEST_CASE("messages of Bedrock are streamed or joined as the path requires") {
  const std::string stream =
      citestream_tests::message("messageStart", R"({"role":"assistant","p":"a"})") +
      citestream_tests::message("contentBlockDelta", R"({"contentBlockIndex":0,"delta":{"text":"a "}})") +
      citestream_tests::message("contentBlockDelta", R"({"contentBlockIndex":0,"delta":{"text":"b"}})") +
      citestream_tests::message(
          "contentBlockStart",
          R"({"contentBlockIndex":1,"start":{"toolUse":{"name":"t","toolUseId":"i"}}})") +
      citestream_tests::message("contentBlockDelta",
                                R"({"contentBlockIndex":1,"delta":{"toolUse":{"input":"{\"x\":1}"}}})") +
      citestream_tests::message("contentBlockDelta",
                                R"({"contentBlockIndex":2,"delta":{"citation":{"title":"T"}}})") +
      citestream_tests::message("contentBlockDelta", R"({"contentBlockIndex":2,"delta":{"text":"c"}})") +
      citestream_tests::message("messageStop", R"({"stopReason":"end_turn","p":"a"})") +
      citestream_tests::message("metadata", R"({"usage":{"inputTokens":1}})");
  citestream::replay_options options;
  options.pace = citestream::replay_pace::none;
  options.send_times = true;  // has no effect: messages have no comments
  citestream::recording_error ignored;
  options.recordings.push_back(*citestream::parse_recording("a.eventstream", stream, ignored));
  options.recordings.push_back(*citestream::parse_recording(
      "b.eventstream", citestream_tests::message("chunk", R"({"messageStart":{}})"), ignored));
  const served on(std::move(options));
  const auto answer = [&](const std::string& path) { return on.ask(path, "{}"); };
  const message streamed = answer("/model/a/converse-stream");
  CHECK(streamed.status() == 200);
  CHECK(streamed.field("content-type") == "application/vnd.amazon.eventstream");
  CHECK(streamed.body == stream);
  CHECK(
      answer("/model/a/converse").body ==
      R"({"stopReason":"end_turn","usage":{"inputTokens":1},"output":{"message":{"role":"assistant","content":[)"
      R"({"text":"a b"},{"toolUse":{"name":"t","toolUseId":"i","input":{"x":1}}},)"
      R"({"citationsContent":{"content":[{"text":"c"}],"citations":[{"title":"T"}]}}]}}})");
  CHECK(answer("/model/other/invoke-with-response-stream").body ==
        citestream_tests::message("chunk", R"({"messageStart":{}})"));
  CHECK(answer("/model/b/converse").status() == 501);
  CHECK(answer("/model/a/other").status() == 404);
}

TEST_CASE("encoded events of Bedrock are streamed or joined to the body of their model") {
  const auto chunks = [](std::initializer_list<std::string_view> events) {
    std::string out;
    for (const std::string_view each : events) out += citestream_tests::message("chunk", std::string(each));
    return out;
  };
  const std::string claude =
      chunks({R"({"type":"message_start","message":{"role":"assistant","content":[]}})",
              R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})",
              R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a "}})",
              R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"b"}})"});
  const std::string nova = chunks(
      {R"({"messageStart":{"role":"assistant"}})",
       R"({"contentBlockDelta":{"delta":{"text":"a "},"contentBlockIndex":0}})",
       R"({"contentBlockStop":{"contentBlockIndex":0}})",
       R"({"contentBlockDelta":{"delta":{"text":"b"},"contentBlockIndex":1}})",
       R"({"contentBlockStop":{"contentBlockIndex":1}})",
       R"({"contentBlockStart":{"start":{"toolUse":{"name":"t","toolUseId":"i"}},"contentBlockIndex":2}})",
       R"({"contentBlockDelta":{"delta":{"text":"c"},"contentBlockIndex":3}})",
       R"({"messageStop":{"stopReason":"end_turn"}})"});
  const std::string titan =
      chunks({R"({"outputText":"a ","index":0,"completionReason":null,"inputTextTokenCount":3})",
              R"({"outputText":"b","index":0,"completionReason":"FINISH"})"});
  const std::string llama = chunks({R"({"generation":"a ","prompt_token_count":3,"stop_reason":null})",
                                    R"({"generation":"b","prompt_token_count":null,"stop_reason":"stop"})"});
  citestream::replay_options options;
  options.pace = citestream::replay_pace::none;
  citestream::recording_error ignored;
  for (const auto& [name, stream] : {std::pair("claude.eventstream", claude),
                                     {"nova.eventstream", nova},
                                     {"titan.eventstream", titan},
                                     {"llama.eventstream", llama}})
    options.recordings.push_back(*citestream::parse_recording(name, stream, ignored));
  const served on(std::move(options));
  const auto answer = [&](const std::string& path) { return on.ask(path, "{}").body; };
  CHECK(answer("/model/claude/invoke-with-response-stream") == claude);
  CHECK(answer("/model/claude/invoke") == R"({"role":"assistant","content":[{"type":"text","text":"a b"}]})");
  CHECK(answer("/model/nova/invoke") ==
        R"({"stopReason":"end_turn","output":{"message":{"role":"assistant","content":[{"text":"a b"},)"
        R"({"toolUse":{"name":"t","toolUseId":"i","input":{}}},{"text":"c"}]}}})");
  CHECK(answer("/model/titan/invoke") ==
        R"({"inputTextTokenCount":3,"results":[{"completionReason":"FINISH","outputText":"a b"}]})");
  CHECK(answer("/model/llama/invoke") ==
        R"({"prompt_token_count":3,"stop_reason":"stop","generation":"a b"})");
}

TEST_CASE("a model name selects a recording and other requests rotate") {
  const std::string graph = "data: {\"question\":\"q\",\"answer\":\"x\",\"sources\":[]}\n\n";
  const served on({plain("a", chat_event("a")), plain("g", graph), plain("b", chat_event("b"))});
  const auto body = [&](std::string_view path, std::string_view request) {
    return on.ask(path, request).body;
  };
  const std::string any = R"({"model":"palmyra-x5","stream":true})";
  CHECK(body("/v1/chat/completions", R"({"model":"b","stream":true})") == chat_event("b"));
  CHECK(body("/v1/chat", any) == chat_event("a"));
  CHECK(body("/v1/chat?x=1", any) == chat_event("b"));
  CHECK(body("/v1/graphs/question", any) == graph);
  CHECK(body("/v1/graphs/question", any) == graph);
  CHECK(body("/v1/chat", any) == chat_event("b"));
  CHECK(body("/v1/chat/completions", any) == chat_event("a"));
  CHECK(body("/v1/graphs/question", R"({"model":"a","stream":true})") == chat_event("a"));
}

TEST_CASE("the models are the recordings") {
  const served on({plain("a", ""), plain("b \"2\"", "")});
  http_client client(on.server.port());
  client.get("/v1/models");
  citestream::document json;
  const auto error = json.parse(client.response().body);
  REQUIRE_FALSE(error);
  CHECK(json.root()["data"][0]["id"].string() == "a");
  CHECK(json.root()["data"][1]["id"].string() == "b \"2\"");
  CHECK(json.root()["models"][1]["id"].string() == "b \"2\"");
  CHECK_FALSE(json.root()["data"][2]);
}

TEST_CASE("errors are JSON with a fitting status") {
  const served on({plain("a", "data: {\"value\":\"x\"}\n\n")});
  const auto expect = [&](message response, int status, const std::string& code) {
    CHECK(response.status() == status);
    CHECK(error_code_of(response) == code);
  };
  expect(on.ask("/v1/chat", ""), 400, "invalid_body");
  expect(on.ask("/v1/chat", "{\"stream\":true"), 400, "invalid_body");
  expect(on.ask("/v1/chat", "[1]"), 400, "invalid_body");
  expect(on.ask("/v1/chat", "{\"stream\":false}"), 501, "no_single_body");
  expect(on.ask("/v1/chats", "{}"), 404, "not_found");
  expect(on.ask("/v1/models", "{}"), 405, "method_not_allowed");
  http_client client(on.server.port());
  client.get("/v1/chat");
  const message not_allowed = client.response();
  CHECK(not_allowed.field("allow") == "POST");
  expect(not_allowed, 405, "method_not_allowed");
  client.post("/v1/chat", stream_request);  // the connection is still open after an error
  CHECK(client.response().complete);
  const served empty(std::vector<recording>{});
  expect(empty.ask("/v1/chat", "{}"), 503, "no_recording");
}

TEST_CASE("an invalid request is rejected and the connection closed") {
  const served on({plain("a", "")});
  const auto refuse = [&](std::string_view bytes, int status) {
    http_client client(on.server.port());
    client.send(bytes);
    const message response = client.response();
    CHECK(response.status() == status);
    CHECK_FALSE(error_code_of(response).empty());
    CHECK(client.at_end());
  };
  refuse("this is not HTTP\r\n\r\n", 400);
  refuse("GET /v1/models HTTP/1.1\r\nHost: a\r\nX: " + std::string(100'000, 'x') + "\r\n\r\n", 431);
  refuse(
      "POST /v1/chat HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n" + std::string(200'000, 'x'),
      413);
  CHECK(on.ask("/v1/chat", stream_request).complete);
}

TEST_CASE("an unknown coding is rejected and its body is not read as a request") {
  const served on({plain("a", "")});
  for (const std::string coding : {"gzip", "xchunked", "chunked, identity"}) {
    INFO(coding);
    http_client client(on.server.port());
    client.send("POST /v1/chat HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: " + coding +
                "\r\n\r\n0\r\n\r\nGET /v1/models HTTP/1.1\r\nHost: a\r\n\r\n");
    CHECK(client.response().status() == 501);
    CHECK(client.at_end());
  }
  CHECK(on.server.counts().requests == 0);
}

TEST_CASE("a client that expects 100 Continue gets it before it sends the body") {
  const served on({plain("a", chat_event("x"))});
  loopback::wire client = loopback::dial(on.server.port());
  client.send("POST /v1/chat HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: " +
              std::to_string(stream_request.size()) + "\r\n\r\n");
  std::string received;
  REQUIRE(client.read_until("\r\n\r\n", received));
  CHECK(received == "HTTP/1.1 100 Continue\r\n\r\n");
  client.send(stream_request);
  loopback::reader answers(client);
  CHECK(answers.next().body == chat_event("x"));
}

TEST_CASE("a recorded body is served unchanged") {
  const served on({recording("a", {{0, "{\"a\": 1}"}}, true, "application/json; charset=utf-8")});
  for (const std::string& request : {stream_request, std::string("{}")}) {
    const message response = on.ask("/v1/chat", request);
    CHECK(response.field("content-type") == "application/json; charset=utf-8");
    CHECK(response.body == "{\"a\": 1}");
  }
}

TEST_CASE("stopping closes every connection and can be done twice") {
  served on({timed("a", {{0, "data: a\n\n"}, {3600, "data: b\n\n"}})});
  http_client streaming(on.server.port());
  streaming.post("/v1/chat", stream_request);
  message begun = streaming.head();
  REQUIRE(streaming.chunk(begun));
  http_client idle(on.server.port());
  REQUIRE(eventually([&] { return on.server.counts().connections == 2; }));
  on.server.stop();
  on.server.stop();
  CHECK_FALSE(streaming.chunk(begun));
  CHECK_FALSE(begun.complete);
  CHECK(idle.at_end());
  CHECK_THROWS(http_client(on.server.port()));
}

TEST_CASE("a server that cannot listen returns the reason") {
  const served on({plain("a", "")});
  replay_options options;
  options.port = on.server.port();
  replay_server second(options);
  CHECK(second.start() == std::errc::address_in_use);
  options.address = "not.an.address";
  replay_server third(options);
  CHECK(third.start() == std::errc::invalid_argument);
}

TEST_CASE("the log has each answer and its end") {
  std::vector<std::string> lines;
  replay_options options = served::options({plain("a", chat_event("x"))});
  options.log = [&](std::string_view line) { lines.emplace_back(line); };
  served on(std::move(options));
  CHECK(on.ask("/v1/chat", stream_request).complete);
  CHECK(on.ask("/nothing", "{}").status() == 404);
  on.server.stop();  // the server's thread has ended, so the lines can be read
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == "a: stream begins");
  CHECK(lines[1] == "a: stream complete, " + std::to_string(chat_event("x").size()) + " bytes");
  CHECK(lines[2].starts_with("error 404: body, "));
}

TEST_CASE("chunks of Gemini are an event stream or an array or a body by the path") {
  const std::string first = R"({"candidates":[{"content":{"parts":[{"text":"a "}]}}],"responseId":"r"})";
  const std::string last =
      R"({"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}],"responseId":"r"})";
  const std::string events = "data: " + first + "\r\n\r\ndata: " + last + "\r\n\r\n";
  const std::string array = "[" + first + ",\r\n" + last + "\r\n]";
  const std::string body =
      R"({"candidates":[{"content":{"parts":[{"text":"a b"}]},"finishReason":"STOP"}],"responseId":"r"})";
  for (const std::string& recorded : {events, array, "\n" + array}) {
    for (const bool timed : {false, true}) {
      citestream::replay_options options;
      options.pace = citestream::replay_pace::none;
      const std::string type = recorded == events ? "text/event-stream" : "application/json; charset=UTF-8";
      std::vector<citestream::recording_piece> pieces{{0, recorded}};
      if (timed) pieces = {{0, recorded.substr(0, 60)}, {0.5, recorded.substr(60)}};
      options.recordings.push_back(citestream::recording("a", pieces, timed, type));
      citestream::replay_server server(std::move(options));
      const std::error_code error = server.start();
      REQUIRE_FALSE(error);
      const auto answer = [&](const std::string& path) {
        http_client client(server.port());
        client.post(path, "{}");
        return client.response();
      };
      const message sse = answer("/v1beta/models/a:streamGenerateContent?key=k&alt=sse");
      CHECK(sse.field("content-type") == "text/event-stream");
      CHECK(sse.body == events);
      for (const char* path :
           {"/v1beta/models/a:streamGenerateContent", "/v1beta/models/a:streamGenerateContent?alt=json",
            "/v1/projects/p/locations/l/publishers/google/models/other:streamGenerateContent"}) {
        const message streamed = answer(path);
        CHECK(streamed.status() == 200);
        CHECK(streamed.field("content-type").starts_with("application/json"));
        CHECK(streamed.body == (recorded == events ? array : recorded));
      }
      CHECK(answer("/v1beta/models/a:generateContent?x").body == body);
      CHECK(answer("/v1beta/models/a:countTokens").status() == 404);
      CHECK(answer("/v1beta/models/a").status() == 404);
    }
  }
}

TEST_CASE("an array made from a stream of Gemini that was cut off is not closed") {
  const std::string chunk = R"({"candidates":[{"content":{"parts":[{"text":"a"}]}}],"responseId":"r"})";
  citestream::replay_options options;
  options.recordings.push_back(citestream::recording("a", {{0, "data: " + chunk + "\n\ndata: {"}}, false));
  citestream::replay_server server(std::move(options));
  const std::error_code error = server.start();
  REQUIRE_FALSE(error);
  http_client client(server.port());
  client.post("/v1beta/models/a:streamGenerateContent", "{}");
  CHECK(client.response().body == "[" + chunk);
}
