// Requests that are rewritten on their way to the upstream, and the effect on the answer.
#include <citestream/provenance/provenance.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "support/proxied.hpp"
#include "support/strings.hpp"

using namespace loopback;
using citestream_tests::occurrences;

namespace {

void give_provenance(citestream::proxy_options& options) {
  default_route(options).requests.provenance = true;
}

std::string post(const std::string& path, std::string_view body, const std::string& more = "",
                 const std::string& type = "application/json") {
  return "POST " + path + " HTTP/1.1\r\nHost: proxy\r\nContent-Type: " + type + "\r\n" + more +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

const std::string request_body =
    R"({"model":"m","stream":true, "messages":[{"role":"user","content":"How was Q3?"},)"
    R"({"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":)"
    R"({"name":"read_file","arguments":"{\"path\":\"reports/q3.pdf\"}"}},{"id":"call_2","type":"function",)"
    R"("function":{"name":"ask_analyst","arguments":"{}"}}]},)"
    R"({"role":"tool","tool_call_id":"call_1","content":"Revenue grew 12%."},)"
    R"({"role":"tool","tool_call_id":"call_2","content":"Growth was broad."}]})";

/// The body that the upstream must receive for `request_body`.
std::string expected_body(const citestream::provenance_options& how = {}) {
  std::string out;
  std::vector<citestream::reference> sources;
  CHECK_FALSE(citestream::add_provenance(request_body, how, out, sources));
  CHECK(sources.size() == 2);
  CHECK(out != request_body);
  return out;
}

const std::string answer_text =
    "Revenue grew 12% year-over-year. [REF|d_1] All of it [REF|d_1|a_2]. No [REF|d_7]";

std::string answer_events() {
  std::string out;
  for (const char byte : answer_text) out += delta({&byte, 1});
  return out + delta("") +
         R"(data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"finish_reason":"stop","delta":{}}]})" +
         "\n\n" + done;
}

const std::string summary =
    R"("provenance":{"d_1":{"label":"q3.pdf","source_type":"file","tool":"read_file","tool_call_id":"call_1",)"
    R"("file_path":"reports/q3.pdf"},"a_2":{"label":"ask_analyst","source_type":"agent","tool":"ask_analyst",)"
    R"("tool_call_id":"call_2"}})";

void send(const proxied& setup, const std::string& request) {
  CHECK(setup.ask(request).complete);
}

void check_answer(const std::string& body) {
  CHECK(text_of(body) == "Revenue grew 12% year-over-year. All of it. No");
  CHECK(occurrences(body, R"("status":"resolved")") == 3);
  CHECK(occurrences(body, R"("status":"unresolved")") == 1);
  CHECK(body.find(summary) != std::string::npos);
}

}  // namespace

TEST_CASE("a request is sent with keys and the citations of its answer are resolved") {
  kept_requests up(event_stream_head + chunk(answer_events()) + "0\r\n\r\n");
  const proxied setup(up.script(), [](citestream::proxy_options& options) {
    give_provenance(options);
    default_route(options).requests.sources.agent_tools = {"ask_analyst"};
  });
  const message answer = setup.ask(post("/v1/%63hat/completions", request_body));
  citestream::provenance_options how;
  how.agent_tools = {"ask_analyst"};
  const std::string expected = expected_body(how);
  CHECK(up.last().body == expected);
  CHECK(up.last().complete);
  CHECK(up.last().head.starts_with("POST /v1/%63hat/completions "));
  CHECK(up.last().has("Content-Length: " + std::to_string(expected.size())));
  CHECK(occurrences(up.last().head, "Content-Length") == 1);
  CHECK(answer.complete);
  check_answer(answer.body);
  CHECK(setup.server.metrics().requests.changed == 1);
  CHECK(setup.server.metrics().requests.unread == 0);
}

TEST_CASE("an answer sent byte by byte is resolved like a whole one") {
  const std::string bytes = event_stream_head + chunk(answer_events()) + "0\r\n\r\n";
  const proxied setup(
      [&](wire& client, int) {
        reader requests(client);
        requests.next();
        for (const char& byte : bytes) client.send({&byte, 1});
        requests.next();
      },
      [](citestream::proxy_options& options) {
        give_provenance(options);
        default_route(options).requests.sources.agent_tools = {"ask_analyst"};
      });
  check_answer(setup.ask(post("/v1/chat", request_body)).body);
}

TEST_CASE("citations of a JSON body are resolved against the request") {
  const std::string body =
      R"({"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"It grew. [REF|d_1]"},"finish_reason":"stop"}]})";
  kept_requests up(json_answer(body));
  const proxied setup(up.script(), give_provenance);
  const message answer =
      setup.ask(post("/openai/deployments/d/chat/completions?api-version=1", request_body));
  CHECK(answer.body.find(R"("content":"It grew.")") != std::string::npos);
  CHECK(answer.body.find(R"("status":"resolved")") != std::string::npos);
  CHECK(answer.body.find(R"("label":"q3.pdf")") != std::string::npos);
  CHECK(up.last().body == expected_body());
}

TEST_CASE("each request on a connection has its own sources") {
  kept_requests up(event_stream_head + chunk(answer_events()) + "0\r\n\r\n");
  const proxied setup(up.script(), give_provenance);
  wire client = setup.dial();
  reader answers(client);
  client.send(post("/v1/chat", request_body));
  CHECK(occurrences(answers.next().body, R"("status":"resolved")") == 2);  // a_2 is d_2 here
  client.send(post("/v1/chat", R"({"messages":[{"role":"user","content":"hi"}]})"));
  const message second = answers.next();
  CHECK(occurrences(second.body, R"("status":"resolved")") == 0);
  CHECK(occurrences(second.body, R"("status":"unresolved")") == 4);
  CHECK(second.body.find(R"("provenance":{})") != std::string::npos);
  CHECK(text_of(second.body) == "Revenue grew 12% year-over-year. All of it. No");
}

TEST_CASE("a chunked request is rewritten and sent with its length") {
  kept_requests up;
  const proxied setup(up.script(), give_provenance);
  std::string request =
      "POST /v1/chat HTTP/1.1\r\nHost: proxy\r\nContent-Type: application/json; charset=utf-8\r\n"
      "Transfer-Encoding: chunked\r\n\r\n";
  for (std::size_t at = 0; at < request_body.size(); at += 7) request += chunk(request_body.substr(at, 7));
  send(setup, request + "0\r\n\r\n");
  CHECK(up.last().body == expected_body());
  CHECK(up.last().field("Transfer-Encoding").empty());
}

TEST_CASE("without instructions only the headers are added") {
  kept_requests up;
  const proxied setup(up.script(), [](citestream::proxy_options& options) {
    give_provenance(options);
    default_route(options).requests.sources.instructions = false;
  });
  send(setup, post("/v1/chat", request_body));
  citestream::provenance_options how;
  how.instructions = false;
  CHECK(up.last().body == expected_body(how));
  CHECK(up.last().body.find("system") == std::string::npos);
}

TEST_CASE("fields that describe the exact bytes of a changed request are dropped") {
  kept_requests up;
  const proxied setup(up.script(), give_provenance);
  const std::string digests = "Content-MD5: x\r\nDigest: y\r\nContent-Digest: z\r\nX-Other: stays\r\n";
  send(setup, post("/v1/chat", request_body, digests));
  CHECK(up.last().field("Content-MD5").empty());
  CHECK(up.last().field("Digest").empty());
  CHECK(up.last().field("Content-Digest").empty());
  CHECK(up.last().field("X-Other") == "stays");
  send(setup, post("/v1/chat", R"({"messages":[]})", digests));
  CHECK(up.last().field("Content-MD5") == "x");
}

TEST_CASE("a chat request is recognised by path and body and not by content type") {
  kept_requests up;
  const proxied setup(up.script(), give_provenance);
  for (const char* type :
       {"text/plain", "application/x-www-form-urlencoded", "application/vnd.api+json", ""}) {
    INFO(type);
    send(setup, post("/v1/chat", request_body, "", type));
    CHECK(up.last().body != request_body);
    CHECK(up.last().body.find("[REF|d_1]") != std::string::npos);
  }
  for (const char* body : {"a=b", "[1]", "\"x\"", "\xEF\xBB\xBF{}"}) {
    INFO(body);
    send(setup, post("/v1/chat", body, "", "text/plain"));
    CHECK(up.last().body == body);
  }
  CHECK(setup.server.metrics().requests.changed == 4);
  CHECK(setup.server.metrics().requests.unread == 0);
}

TEST_CASE("requests other than chats pass through unchanged") {
  kept_requests up;
  const proxied setup(up.script(), give_provenance);
  for (const std::string& request :
       {post("/v1/embeddings", request_body), post("/v1/chats", request_body),
        post("/v1/chat/x", request_body), post("/v1/models?x=/v1/chat", request_body),
        "PUT" + post("/v1/chat", request_body).substr(4)}) {
    INFO(request);
    send(setup, request);
    CHECK(up.last().body == request_body);
  }
  CHECK(setup.server.metrics().requests.changed == 0);
  CHECK(setup.server.metrics().requests.unread == 0);
}

TEST_CASE("ambiguous request bodies pass through unchanged and are counted") {
  kept_requests up(event_stream_head + chunk(answer_events()) + "0\r\n\r\n");
  const proxied setup(up.script(), give_provenance);
  const std::vector<std::pair<std::string, std::string>> requests{
      {"\x1f\x8b\x08\x01", "Content-Encoding: gzip\r\n"},
      {request_body, "Content-Encoding: br\r\n"},
      {request_body.substr(1), ""},
      {"{\"messages\":[]," + request_body.substr(1), ""},
      {std::string(500, '[') + std::string(500, ']'), ""},
      {"\xff", ""}};
  for (const auto& [body, more] : requests) {
    INFO(body);
    const message answer = setup.ask(post("/v1/chat", body, more));
    CHECK(up.last().body == body);
    CHECK(text_of(answer.body) == answer_text);  // nobody gave it keys
  }
  CHECK(setup.server.metrics().requests.changed == 0);
  CHECK(setup.server.metrics().requests.unread == requests.size());
  send(setup, post("/v1/chat", request_body, "Content-Encoding: identity\r\n"));
  CHECK(setup.server.metrics().requests.changed == 1);
}

TEST_CASE("a compressed request whose documents are not read is counted") {
  kept_requests up;
  const proxied setup(up.script(), [](citestream::proxy_options& options) {
    default_route(options).requests.references = true;
  });
  send(setup, post("/v1/chat", "\x1f\x8b\x08\x01", "Content-Encoding: gzip\r\n"));
  CHECK(setup.server.metrics().requests.unread == 1);
}

TEST_CASE("a request without a body is not counted as unreadable") {
  kept_requests up;
  const proxied setup(up.script(), give_provenance);
  send(setup, "POST /v1/chat HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\r\n");
  send(setup, post("/v1/chat", ""));
  CHECK(setup.server.metrics().requests.unread == 0);
}

TEST_CASE("without provenance requests and answers are unchanged") {
  kept_requests up(event_stream_head + chunk(answer_events()) + "0\r\n\r\n");
  const proxied setup(up.script());
  const message answer = setup.ask(post("/v1/chat", request_body));
  CHECK(up.last().body == request_body);
  CHECK(text_of(answer.body) == answer_text);
  CHECK(answer.body.find("citestream") == std::string::npos);
}

TEST_CASE("inline citations are requested of graph tools and graph questions") {
  kept_requests up;
  const proxied setup(up.script(), [](citestream::proxy_options& options) {
    default_route(options).requests.inline_citations = true;
  });
  const std::string tools =
      R"({"model":"palmyra-x5","messages":[{"role":"tool","content":"x"}],"tools":[{"type":"graph","function":{"graph_ids":["g"],"subqueries":false)";
  send(setup, post("/v1/chat", tools + "}}]}"));
  CHECK(up.last().body == tools + R"(,"query_config":{"inline_citations":true}}}]})");
  const std::string question = R"({"graph_ids":["g"],"question":"q","query_config":{"max_snippets":3)";
  send(setup, post("/v1/graphs/question", question + "}}"));
  CHECK(up.last().body == question + R"(,"inline_citations":true}})");
  send(setup, post("/v1/graphs", question + "}}"));
  CHECK(up.last().body == question + "}}");
  CHECK(setup.server.metrics().requests.changed == 2);
}

TEST_CASE("provenance and inline citations can be combined") {
  kept_requests up;
  const proxied setup(up.script(), [](citestream::proxy_options& options) {
    give_provenance(options);
    default_route(options).requests.inline_citations = true;
  });
  const std::string body = R"({"tools":[{"type":"graph","function":{}}],)" + request_body.substr(1);
  send(setup, post("/v1/chat", body));
  CHECK(up.last().body ==
        R"({"tools":[{"type":"graph","function":{"query_config":{"inline_citations":true}}}],)" +
            expected_body().substr(1));
  CHECK(setup.server.metrics().requests.changed == 1);
}

TEST_CASE("requests of every protocol get keys except signed ones") {
  const std::string anthropic =
      R"({"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"12%"}]}]})";
  kept_requests up;
  const proxied setup(up.script(), give_provenance);
  for (const std::string path :
       {"/v1/messages", "/openai/v1/responses", "/model/m/converse", "/model/m/converse-stream",
        "/v1beta/models/m:generateContent", "/v1beta/models/m:streamGenerateContent?alt=sse",
        "/v1beta/interactions", "/v2/chat", "/api/chat", "/model/m/invoke",
        "/model/m/invoke-with-response-stream", "/v1/projects/p/locations/l/publishers/a/models/m:rawPredict",
        "/v1/projects/p/locations/l/publishers/a/models/m:streamRawPredict"}) {
    INFO(path);
    send(setup, post(path, anthropic));
    CHECK(up.last().body.find("[REF|d_1]\\n12%") != std::string::npos);
  }
  send(setup,
       post("/model/m/converse", anthropic, "Authorization: AWS4-HMAC-SHA256 Credential=a, Signature=b\r\n"));
  CHECK(up.last().body == anthropic);
  send(setup, post("/model/m/converse", anthropic, "Authorization: Bearer k\r\n"));
  CHECK(up.last().body != anthropic);
  for (const std::string path : {"/v1/embeddings", "/v1/messages/count_tokens", "/invoke"}) {
    INFO(path);
    send(setup, post(path, anthropic));
    CHECK(up.last().body == anthropic);
  }
}

TEST_CASE("a request to a presigned URL is sent unchanged") {
  kept_requests up;
  const proxied setup(up.script(), [](citestream::proxy_options& options) {
    give_provenance(options);
    default_route(options).requests.inline_citations = true;
  });
  const std::string body =
      R"({"tools":[{"type":"graph","function":{}}],"messages":[)"
      R"({"role":"assistant","content":[{"type":"text","text":"A","citations":[{"encrypted_index":""}]}]},)"
      R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"12%"}]}]})";
  for (const std::string query :
       {"X-Amz-Signature=ab", "a=b&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=ab",
        "x-amz-signature=ab&", "&X%2DAmz%2Dsignature=ab", "X-Amz-Algorithm"}) {
    INFO(query);
    send(setup, post("/model/m/converse?" + query, body));
    CHECK(up.last().body == body);
  }
  for (const std::string query : {"", "X-Amz-Signatures=ab", "a=X-Amz-Signature", "X%2-Amz-Signature=ab"}) {
    INFO(query);
    send(setup, post("/model/m/converse?" + query, body));
    CHECK(up.last().body != body);
  }
}

TEST_CASE("citations of ours are removed from the history whatever the options are") {
  const auto request = [](std::string_view citations) {
    return R"({"messages":[{"role":"assistant","content":[{"type":"text","text":"A","citations":)" +
           std::string(citations) + "}]}]}";
  };
  kept_requests up;
  const proxied setup(up.script());
  const std::string ours = request(R"([{"type":"web_search_result_location","encrypted_index":""}])");
  const std::string genuine = request(R"([{"type":"web_search_result_location","encrypted_index":"E"}])");
  for (const std::string path :
       {"/v1/messages", "/v1/messages?beta=true", "/v1/messages/count_tokens", "/model/m/invoke",
        "/model/m/invoke-with-response-stream", "/v1/models/m:rawPredict", "/v1/models/m:streamRawPredict"}) {
    INFO(path);
    send(setup, post(path, ours));
    CHECK(up.last().body == request("null"));
    send(setup, post(path, genuine));
    CHECK(up.last().body == genuine);
    send(setup, post(path, ours, "Authorization: AWS4-HMAC-SHA256 Credential=a, Signature=b\r\n"));
    CHECK(up.last().body == ours);
  }
  const auto batch = [](const std::string& first, const std::string& second) {
    return R"({"requests":[{"custom_id":"a","params":)" + first + R"(},{"custom_id":"b","params":)" + second +
           "}]}";
  };
  send(setup, post("/v1/messages/batches", batch(genuine, ours)));
  CHECK(up.last().body == batch(genuine, request("null")));
  const auto counted = [](const std::string& body) { return R"({"input":{"converse":)" + body + "}}"; };
  send(setup, post("/model/m/count-tokens", counted(ours)));
  CHECK(up.last().body == counted(request("null")));
}

TEST_CASE("a request is rewritten up to the largest size that is accepted") {
  const auto request = [](std::string_view citations) {
    return R"({"messages":[{"role":"user","content":")" + std::string(17U * 1024 * 1024, 'x') +
           R"("},{"role":"assistant","content":[{"type":"text","text":"A","citations":)" +
           std::string(citations) + "}]}]}";
  };
  kept_requests up;
  const proxied setup(up.script());
  send(setup,
       post("/v1/messages", request(R"([{"type":"web_search_result_location","encrypted_index":""}])")));
  const bool rewritten = up.last().body == request("null");
  CHECK(rewritten);
  CHECK(setup.server.metrics().requests.unread == 0);
}

TEST_CASE("an answer cites the documents of its request unless this is off") {
  const std::string request =
      R"({"stream":true,"documents":[{"title":"Report","text":"It grew."},{"title":"Plan","text":"It will."}],"messages":[{"role":"user","content":"?"}]})";
  kept_requests up(event_stream_head +
                   chunk(delta("It grew [1], it will [Pl") + delta("an](Plan).") + finish() + done) +
                   "0\r\n\r\n");
  for (const bool on : {true, false}) {
    const proxied setup(up.script(), [on](citestream::proxy_options& options) {
      default_route(options).requests.references = on;
    });
    wire client = setup.dial();
    reader answers(client);
    client.send(post("/v1/chat/completions", request));
    const message answer = answers.next();
    CHECK(text_of(answer.body) == (on ? "It grew, it will." : "It grew [1], it will."));
    CHECK(occurrences(answer.body, R"("status":"resolved")") == (on ? 2 : 0));
    CHECK(up.last().body == request);
    client.send(post("/v1/chat/completions", R"({"messages":[]})"));  // has no documents
    CHECK(text_of(answers.next().body) == "It grew [1], it will.");
    CHECK(setup.server.metrics().requests.changed == 0);
  }
}

TEST_CASE("the answer to a request for JSON is sent unchanged") {
  const std::string events =
      delta(R"({\"md\":\"see [W](https://a.b) )") + delta(R"([1]\"})") + finish() + done;
  const std::string messages = R"("documents":["It grew."],"messages":[{"role":"user","content":"?"}])";
  kept_requests up(event_stream_head + chunk(events) + "0\r\n\r\n");
  const proxied setup(up.script());
  for (const std::string signature : {"", "Authorization: AWS4-HMAC-SHA256 Credential=x\r\n"}) {
    const auto body = [&](const std::string& format) {
      return setup.ask(post("/v1/chat/completions", "{" + format + messages + "}", signature)).body;
    };
    CHECK(body(R"("response_format":{"type":"json_object"},)") == events);
    CHECK(body(R"("response_format":{"type":"text"},)") != events);
    CHECK(body("") != events);
  }
}

TEST_CASE("the answer to an Ollama request for JSON is unchanged at both paths") {
  const std::string line = R"({"model":"m","created_at":"t","response":"{\"a\":\"[L](u)\"}","done":true})"
                           "\n";
  kept_requests up(
      "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n" +
      chunk(line) + "0\r\n\r\n");
  const proxied setup(up.script(), give_provenance);
  for (const std::string path : {"/api/generate", "/api/chat"}) {
    INFO(path);
    for (const std::string format : {R"("json")", R"({"type":"object"})"})
      CHECK(setup.ask(post(path, R"({"model":"m","prompt":"p","format":)" + format + "}")).body == line);
    const std::string request = R"({"model":"m","prompt":"p","system":"s"})";
    CHECK(setup.ask(post(path, request)).body != line);
    CHECK(up.last().body == request);
  }
}

TEST_CASE("a request for JSON does not switch the egress guard off") {
  const std::string events = delta("![a](https://evil.example/x)") + finish() + done;
  kept_requests up(event_stream_head + chunk(events) + "0\r\n\r\n");
  const proxied setup(up.script(), [](citestream::proxy_options& options) {
    default_route(options).session.egress = citestream::egress_mode::enforce;
  });
  const std::string request = R"({"response_format":{"type":"json_object"},"messages":[]})";
  CHECK(setup.ask(post("/v1/chat/completions", request)).body.find("![a](https:") == std::string::npos);
}

TEST_CASE("documents of a signed request are read unless the request is bypassed") {
  const std::string request = R"({"documents":["It grew."],"messages":[{"role":"user","content":"?"}]})";
  kept_requests up(event_stream_head + chunk(delta("It grew [1].") + finish() + done) + "0\r\n\r\n");
  const proxied setup(up.script());
  const auto text = [&](const std::string& field) {
    return text_of(setup.ask(post("/v1/chat/completions", request, field)).body);
  };
  CHECK(text("Authorization: AWS4-HMAC-SHA256 Credential=x\r\n") == "It grew.");
  CHECK(up.last().body == request);
  CHECK(text("X-Citestream-Bypass: 1\r\n") == "It grew [1].");
}
