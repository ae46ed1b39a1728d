// Answers that the proxy rewrites, and answers that it passes through.
#include <atomic>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "support/proxied.hpp"
#include "support/strings.hpp"

using namespace loopback;
using citestream_tests::joined;

namespace {

/// Waits for three keep-alive comments, which show that time has passed.
void await_comments(wire& silent) {
  std::string comments;
  for (int i = 0; i < 3; ++i, comments.clear()) REQUIRE(silent.read_until(": keep-alive\n\n", comments));
}

const std::vector<std::string> deltas{delta("It grew by 20% "), delta("[x]("), delta("f1)"),
                                      delta(" last year."),     finish(),      done};

std::string json_body(std::string_view text) {
  return "{\"id\":\"1\",\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"finish_reason\":\"stop\","
         "\"message\":{\"role\":\"assistant\",\"content\":\"" +
         std::string(text) +
         "\",\"graph_data\":{\"references\":{\"files\":[{\"text\":\"s\",\"fileId\":\"file-1\",\"score\":1,"
         "\"cite\":"
         "\"f1\"}],\"web\":[]}}}}]}";
}

}  // namespace

TEST_CASE("every event reaches the client before the upstream sends the next one") {
  std::vector<gate> seen(deltas.size());
  const proxied setup([&](wire& client, int) {
    reader requests(client);
    requests.next();
    client.send(event_stream_head);
    for (std::size_t i = 0; i < deltas.size(); ++i) {
      client.send(chunk(deltas[i]));
      seen[i].wait();
    }
    client.send("0\r\n\r\n");
    requests.next();
  });
  wire client = setup.dial();
  client.send(chat_request);
  std::string head;
  REQUIRE(client.read_until("\r\n\r\n", head));
  CHECK(head.find("\r\nTransfer-Encoding: chunked\r\n") != std::string::npos);
  CHECK(head.find("\r\nX-Request-Id: r1\r\n") != std::string::npos);
  CHECK(head.find("\r\nX-Accel-Buffering: no\r\n") != std::string::npos);
  CHECK(head.find("Content-Length") == std::string::npos);
  std::string all = head.substr(head.find("\r\n\r\n") + 4);
  for (std::size_t i = 0; i < deltas.size(); ++i) {
    const std::size_t wanted = i + 1;
    const auto events = [&] {
      std::size_t count = 0;
      for (std::size_t at = all.find("\n\n"); at != std::string::npos; at = all.find("\n\n", at + 2)) ++count;
      return count;
    };
    while (events() < wanted) {
      const std::string more = client.read_some();
      REQUIRE_FALSE(more.empty());
      all += more;
    }
    seen[i].open();
  }
  REQUIRE(client.read_until("0\r\n\r\n", all));
  CHECK(text_of(all) == "It grew by 20% last year.");
  CHECK(all.find("\"citestream\":{\"version\":1") != std::string::npos);
}

TEST_CASE("the head of a stream is sent before its first event arrives") {
  gate head_seen;
  const proxied setup([&](wire& client, int) {
    reader requests(client);
    requests.next();
    client.send(event_stream_head + "1");  // half of a chunk's first line
    head_seen.wait();
    client.send("0\r\ndata: [DONE]\n\nXY\r\n0\r\n\r\n");
  });
  wire client = setup.dial();
  client.send(chat_request);
  std::string head;
  CHECK(client.read_until("\r\n\r\n", head));
  head_seen.open();
}

TEST_CASE("the events of one read are sent as one chunk") {
  const proxied setup(answer_all(event_stream_head + chunk(deltas[0]) + chunk(deltas[1]) + chunk(deltas[2]) +
                                 chunk(deltas[3]) + chunk(deltas[4] + deltas[5]) + "0\r\n\r\n"));
  const message answer = setup.ask(chat_request);
  CHECK(answer.complete);
  CHECK(answer.chunks.size() == 1);
  CHECK(text_of(answer.body) == "It grew by 20% last year.");
}

TEST_CASE("a stream that arrives byte by byte gives the same output") {
  const std::string bytes = event_stream_head + chunk(joined(deltas)) + "0\r\n\r\n";
  const proxied setup([&](wire& client, int number) {
    reader requests(client);
    requests.next();
    for (std::size_t i = 0; i < bytes.size(); i += number == 0 ? bytes.size() : 1) {
      client.send(std::string_view(bytes).substr(i, number == 0 ? bytes.size() : 1));
    }
    requests.next();
  });
  wire first = setup.dial();
  first.send(chat_request);
  const message whole = reader(first).next();
  // The second client must not get the first one's upstream connection.
  first.close();
  gate unused;
  proxied second([&](wire& client, int) {
    reader requests(client);
    requests.next();
    for (const char& byte : bytes) client.send({&byte, 1});
    requests.next();
  });
  const message pieces = second.ask(chat_request);
  CHECK(whole.complete);
  CHECK(pieces.complete);
  CHECK(pieces.head == whole.head);
  CHECK(pieces.body == whole.body);
  CHECK(text_of(pieces.body) == "It grew by 20% last year.");
}

TEST_CASE("the choices of one stream are rewritten separately") {
  const std::string stream = delta("a [x]", 0) + delta("b [x](f1", 1) + delta("(f1) c", 0) + delta(") d", 1) +
                             finish(0) + finish(1) + done;
  const proxied setup(answer_all(event_stream_head + chunk(stream) + "0\r\n\r\n"));
  const message answer = setup.ask(chat_request);
  CHECK(answer.complete);
  CHECK(text_of(answer.body, 0) == "a c");
  CHECK(text_of(answer.body, 1) == "b d");
}

TEST_CASE("one style serves all streams of a proxy") {
  const proxied setup(answer_all(event_stream_head + chunk(joined(deltas)) + "0\r\n\r\n"),
                      [](citestream::proxy_options& options) {
                        default_route(options).session.style = &citestream::keep_style;
                        default_route(options).session.add = citestream::additions::never;
                      });
  CHECK(setup.ask(chat_request).body == joined(deltas));
}

TEST_CASE("fifty concurrent clients get their own answers") {
  const proxied setup([](wire& client, int) {
    reader requests(client);
    for (message one = requests.next(); !one.head.empty(); one = requests.next()) {
      const std::string name = one.field("X-Name");
      client.send(event_stream_head);
      for (int i = 0; i < 20; ++i) client.send(chunk(delta(name + "[x](f1) ")));
      client.send(chunk(finish() + done) + "0\r\n\r\n");
    }
  });
  std::vector<std::string> texts(50);
  std::vector<std::thread> clients;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    clients.emplace_back([&setup, &text = texts[i], i] {
      const message answer = setup.ask("POST /v1/chat HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nX-Name: n" +
                                       std::to_string(i) + "\r\n\r\n");
      text = answer.complete ? text_of(answer.body) : "";
    });
  }
  for (std::thread& one : clients) one.join();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::string expected;
    for (int k = 0; k < 20; ++k) expected += "n" + std::to_string(i) + " ";
    CHECK(texts[i].substr(0, expected.size() - 1) == expected.substr(0, expected.size() - 1));
    CHECK(texts[i].find('[') == std::string::npos);
  }
}

TEST_CASE("a JSON body is rewritten and its length corrected") {
  const proxied setup(answer_all(json_answer(json_body("It grew [x](f1)."))));
  wire client = setup.dial();
  reader answers(client);
  for (int i = 0; i < 2; ++i) {
    client.send(chat_request);
    const message answer = answers.next();
    CHECK(answer.complete);
    CHECK(answers.rest().empty());
    CHECK(answer.body.find("\"content\":\"It grew.\"") != std::string::npos);
    CHECK(answer.body.find("\"citestream\":") != std::string::npos);
    CHECK(answer.field("Content-Length") == std::to_string(answer.body.size()));
    CHECK(answer.field("ETag").empty());
  }
}

TEST_CASE("a chunked JSON body is sent with its length") {
  const std::string body = json_body("[x](f1)!");
  const proxied setup(
      answer_all("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" +
                 chunk(body.substr(0, 30)) + chunk(body.substr(30)) + "0\r\n\r\n"));
  const message answer = setup.ask(chat_request);
  CHECK(answer.field("Content-Length") == std::to_string(answer.body.size()));
  CHECK(answer.body.find("\"content\":\"!\"") != std::string::npos);
}

TEST_CASE("JSON of no known dialect and JSON for a GET are unchanged") {
  const proxied setup(answer_all(json_answer("{\"data\":[{\"id\":\"palmyra\"}]}")));
  for (const std::string& request : {chat_request, get_request}) {
    const message answer = setup.ask(request);
    CHECK(answer.body == "{\"data\":[{\"id\":\"palmyra\"}]}");
    CHECK(answer.has("ETag: \"e\""));
  }
}

TEST_CASE("JSON over the limit passes through unread with and without a length") {
  const std::string body = json_body("[x](f1) " + std::string(5000, 'a'));
  const std::string chunked =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" +
      chunk(body.substr(0, 3000)) + chunk(body.substr(3000)) + "0\r\n\r\n";
  for (const std::string& answer : {json_answer(body), chunked}) {
    const proxied setup(answer_all(answer), [](citestream::proxy_options& options) {
      default_route(options).session.bounds.max_body_bytes = 2000;
    });
    const message got = setup.ask(chat_request);
    CHECK(got.complete);
    CHECK(got.body == body);
    CHECK(setup.server.metrics()
              .answers.bypassed[static_cast<std::size_t>(citestream::bypass_reason::too_large)] == 1);
  }
}

TEST_CASE("a truncated JSON body becomes an error and not half an answer") {
  const proxied setup(answer_and_close(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"choices\":"));
  const message answer = setup.ask(chat_request);
  CHECK(answer.status() == 502);
  CHECK(answer.body.find("\"code\":\"upstream_closed\"") != std::string::npos);
}

TEST_CASE("a compressed stream passes through byte for byte and is marked") {
  const std::string bytes("\x1f\x8b\x08\0[x](f1)\xff\xfe", 13);
  const proxied setup(answer_all(
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\nETag: \"e\"\r\n"
      "Transfer-Encoding: chunked\r\n\r\n" +
      chunk(bytes) + "0\r\n\r\n"));
  const message answer = setup.ask(chat_request);
  CHECK(answer.complete);
  CHECK(answer.body == bytes);
  CHECK(answer.has("ETag: \"e\""));
  CHECK(answer.has("X-Citestream: bypassed"));
  CHECK(setup.server.metrics()
            .answers.bypassed[static_cast<std::size_t>(citestream::bypass_reason::compressed)] == 1);
}

TEST_CASE("upstream errors and redirects keep the fields that SDKs use") {
  const std::string body =
      "{\"tpe\":\"BadRequest\",\"errors\":[{\"description\":\"[x](f1)\"}],\"extras\":{}}";
  for (const std::string status :
       {"429 Too Many Requests", "500 Internal Server Error", "400 Bad Request", "302 Found"}) {
    const std::string head =
        "HTTP/1.1 " + status +
        "\r\nContent-Type: application/json\r\nretry-after: 3\r\nretry-after-ms: 2500\r\n"
        "x-should-retry: true\r\nx-request-id: r9\r\nLocation: http://elsewhere.example/\r\nETag: \"e\"\r\n"
        "Content-Length: " +
        std::to_string(body.size()) + "\r\n\r\n";
    const proxied setup(answer_all(head + body));
    const message answer = setup.ask(chat_request);
    CHECK(answer.head == head);
    CHECK(answer.body == body);
    CHECK(setup.up.connections() == 1);
  }
}

TEST_CASE("a silent stream gets comments between events and never inside one") {
  gate seen;
  const proxied setup(
      in_two_parts(seen, delta("a"), finish() + done),
      [](citestream::proxy_options& options) { options.deadlines.keep_alive_comment = milliseconds(50); });
  wire client = setup.dial();
  client.send(chat_request);
  reader answers(client);
  CHECK(answers.until(": keep-alive\n\n"));
  seen.open();
  const message answer = answers.next();
  CHECK(answer.complete);
  CHECK(answer.chunks.at(1) == ": keep-alive\n\n");
  CHECK(text_of(answer.body) == "a");
}

TEST_CASE("added latency does not include the time in which the upstream is silent") {
  gate seen;
  const proxied setup(
      [&](wire& client, int) {
        reader(client).next();
        client.send(event_stream_head + chunk(delta("a")));
        seen.wait();
        client.send(chunk("data: {"));
        client.read_all();
      },
      [](citestream::proxy_options& options) { options.deadlines.idle = milliseconds(100); });
  wire client = setup.dial();
  client.send(chat_request);
  reader answers(client);
  CHECK(answers.until("\n\n"));
  seen.open();
  CHECK_FALSE(answers.next().complete);
  const auto samples = setup.server.metrics().delays.added.counts;
  CHECK(std::accumulate(samples.begin(), samples.end(), std::uint64_t{}) == 1);  // of the first event
}

TEST_CASE("no comment follows the end mark of a stream that the upstream keeps open") {
  gate over;
  // Another stream that is as silent gets comments.
  const proxied setup(
      [&](wire& client, int number) {
        reader requests(client);
        requests.next();
        client.send(event_stream_head + chunk(delta("a")));
        if (number == 0) client.send(chunk(finish()) + chunk(done));
        over.wait();
        client.send(number == 0 ? "0\r\n\r\n" : chunk(finish() + done) + "0\r\n\r\n");
      },
      [](citestream::proxy_options& options) {
        options.threads = 1;
        options.deadlines.keep_alive_comment = milliseconds(20);
      });
  wire ended = setup.dial();
  ended.send(chat_request);
  std::string answer;
  REQUIRE(ended.read_until("[DONE]\n\n", answer));
  wire silent = setup.dial();
  silent.send(chat_request);
  await_comments(silent);
  over.open();
  REQUIRE(ended.read_until("0\r\n\r\n", answer));
  CHECK(answer.find("keep-alive\n") == std::string::npos);
}

TEST_CASE("a client that does not read does not affect other streams") {
  gate stalled;
  std::atomic<int> sent{};
  const std::string endless_head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
  const proxied setup(
      [&](wire& client, int number) {
        reader requests(client);
        requests.next();
        // The first is silent for a while, the second ends with its connection, the third is not read.
        if (number == 1) client.send(endless_head + delta("b") + finish() + done);
        if (number != 1) client.send(event_stream_head + chunk(delta("a")));
        const std::string many = chunk(delta(std::string(4000, 'x')));
        while (number == 2 && client.send(many)) ++sent;
        stalled.wait();
        if (number == 0) client.send(chunk(finish() + done) + "0\r\n\r\n");
      },
      [](citestream::proxy_options& options) {
        options.threads = 1;
        options.deadlines.keep_alive_comment = milliseconds(50);
      });
  wire silent = setup.dial();
  wire ending = setup.dial();
  wire stuck = setup.dial(4096);
  std::string head;
  for (wire* one : {&silent, &ending, &stuck}) {
    one->send(chat_request);
    REQUIRE(one->read_until("\r\n\r\n", head));
  }
  CHECK(eventually([&, before = 0, same = 0]() mutable {
    same = sent > 100 && sent == before ? same + 1 : 0;
    before = sent;
    return same > 20;
  }));
  CHECK(silent.read_until(": keep-alive\n\n", head));
  stalled.open();
  CHECK(silent.read_until("[DONE]", head));
  CHECK(ending.read_until("0\r\n\r\n", head));
  stuck.rst();
}

TEST_CASE("a silent stream gets comments after a comment line of the upstream too") {
  for (const std::string ping : {": ping\n", ": ping\r\n"}) {
    gate seen;
    const proxied setup(
        in_two_parts(seen, delta("a") + ping, finish() + done),
        [](citestream::proxy_options& options) { options.deadlines.keep_alive_comment = milliseconds(50); });
    wire client = setup.dial();
    client.send(chat_request);
    reader answers(client);
    CHECK(answers.until(": keep-alive\n\n"));
    seen.open();
    const message answer = answers.next();
    CHECK(answer.complete);
    REQUIRE(answer.chunks.size() > 1);
    CHECK(answer.chunks[0].ends_with("\n\n" + ping));
    CHECK(answer.chunks[1] == ": keep-alive\n\n");
  }
}

namespace {

std::string ollama_line(const std::string& text, const std::string& end = "false") {
  return "{\"model\":\"m\",\"created_at\":\"t\",\"message\":{\"role\":\"assistant\",\"content\":\"" + text +
         "\"},\"done\":" + end + "}\n";
}

const std::string ollama_head =
    "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n";
const std::string ollama_request =
    "POST /api/chat HTTP/1.1\r\nHost: proxy\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";

}  // namespace

TEST_CASE("lines of Ollama are rewritten and sent one by one without comments between them") {
  gate begun;
  gate quiet;
  gate over;
  // Beside the lines, an event stream that is as silent gets comments. They show that time has passed.
  const proxied setup(
      [&](wire& client, int number) {
        reader requests(client);
        requests.next();
        if (number == 1) {
          client.send(event_stream_head + chunk(delta("a")));
          over.wait();
          return;
        }
        client.send(ollama_head);
        begun.wait();
        client.send(chunk(ollama_line("It grew [x](")));
        quiet.wait();
        client.send(chunk(ollama_line("f1).")) + chunk(ollama_line("", "true")) + "0\r\n\r\n");
      },
      [](citestream::proxy_options& options) {
        options.threads = 1;
        options.deadlines.keep_alive_comment = milliseconds(20);
      });
  wire client = setup.dial();
  client.send(ollama_request);
  std::string head;
  REQUIRE(client.read_until("\r\n\r\n", head));
  wire events = setup.dial();
  events.send(chat_request);
  await_comments(events);
  begun.open();
  std::string body;
  REQUIRE(client.read_until("It grew\"},\"done\":false}\n", body));
  await_comments(events);
  quiet.open();
  REQUIRE(client.read_until("0\r\n\r\n", body));
  over.open();
  CHECK(body.find(ollama_line("It grew")) != std::string::npos);
  CHECK(body.find(ollama_line(".")) != std::string::npos);
  CHECK(body.find("\"citestream\":{") != std::string::npos);
  CHECK((head + body).find("keep-alive") == std::string::npos);
}

TEST_CASE("a silent stream gets comments only if the clients of its protocol ignore them") {
  const auto event = [](const std::string& payload) { return chunk("data: " + payload + "\n\n"); };
  struct silent_stream {
    std::string path;
    std::string begin;  ///< what is sent before the silence
    bool comments;
  };
  const silent_stream streams[] = {
      {"/v1/chat/completions?a=b", "", true},
      {"/v1/chat", "", false},
      {"/v1/messages", "", false},
      {"/v1/chat/completions", chunk(delta("a")), true},
      {"/any", chunk(delta("a")), true},
      {"/any", event(R"({"answer":"a","sources":[{"text":"t"}]})"), true},
      {"/any", event(R"({"unknown":1})"), false},
      {"/any",
       event(R"({"candidates":[{"content":{"parts":[{"text":"a"}],"role":"model"}}],"modelVersion":"g"})"),
       false},
      {"/any", event(R"({"interaction":{"object":"interaction"},"event_type":"interaction.created"})"),
       false},
      {"/any", event(R"({"type":"response.created","response":{"object":"response"},"sequence_number":0})"),
       false},
      {"/any",
       event(R"({"type":"message_start","message":{"type":"message","role":"assistant","content":[]}})"),
       false},
      {"/any",
       event(R"({"id":"i","type":"message-start","delta":{"message":{"role":"assistant","content":[]}}})"),
       false},
      {"/any", event(R"({"type":"start","messageId":"m"})"), false},
      {"/any", event(R"({"type":"RUN_STARTED","threadId":"t","runId":"r"})"), false},
      // The dialect decides once it is known.
      {"/v1/chat/completions", event(R"({"type":"RUN_STARTED","threadId":"t","runId":"r"})"), false}};
  for (const silent_stream& one : streams) {
    INFO(one.path << " " << one.begin);
    gate over;
    // A second stream that is as silent gets comments. They show that time has passed.
    const proxied setup(
        [&](wire& client, int number) {
          reader requests(client);
          requests.next();
          client.send(event_stream_head + (number == 0 ? one.begin : chunk(delta("a"))));
          over.wait();
        },
        [](citestream::proxy_options& options) {
          options.threads = 1;
          options.deadlines.keep_alive_comment = milliseconds(10);
        });
    wire client = setup.dial();
    client.send("POST " + one.path + " HTTP/1.1\r\nHost: proxy\r\nContent-Length: 2\r\n\r\n{}");
    std::string head;
    REQUIRE(client.read_until("\r\n\r\n", head));
    wire events = setup.dial();
    events.send(chat_request);
    std::string comments;
    for (int i = 0; i < 3; ++i, comments.clear()) REQUIRE(events.read_until(": keep-alive\n\n", comments));
    std::string body;
    if (one.comments) CHECK(client.read_until(": keep-alive\n\n", body));
    over.open();
    body += client.read_all();
    if (!one.comments) CHECK((head + body).find("keep-alive\n") == std::string::npos);
  }
}

TEST_CASE("lines of Ollama that break off end with an error line and no end of the body") {
  const proxied setup(
      answer_and_close(ollama_head + chunk(ollama_line("a [x](")) + chunk(ollama_line("b").substr(0, 20))));
  const message answer = setup.ask(ollama_request);
  CHECK_FALSE(answer.complete);
  const std::size_t error = answer.body.rfind("{\"error\":\"");
  REQUIRE(error != std::string::npos);
  CHECK(answer.body.substr(0, error) == ollama_line("a") + ollama_line(" [x]("));
  CHECK(answer.body.ends_with("\"}\n"));
}

TEST_CASE("NDJSON that breaks off before its first line gets no event-stream event") {
  for (const std::string first : {"", "\n", " ", "\r\n\r\n", "\xEF\xBB\xBF", "\"x\"\n", "tru"}) {
    const proxied setup(answer_and_close(ollama_head + (first.empty() ? "" : chunk(first))));
    const message answer = setup.ask(ollama_request);
    INFO(answer.body);
    CHECK_FALSE(answer.complete);
    CHECK(first.starts_with(answer.body));
  }
}

TEST_CASE("an event stream that is declared as NDJSON and breaks off ends with an error event") {
  const proxied setup(answer_and_close(ollama_head + chunk(deltas[0])));
  const message answer = setup.ask(chat_request);
  INFO(answer.body);
  CHECK_FALSE(answer.complete);
  CHECK(text_of(answer.body) == "It grew by 20% ");
  CHECK(answer.body.find("event: error\ndata: {\"error\":") != std::string::npos);
}

TEST_CASE("binary messages that break off inside the first one end with a message about it") {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: application/vnd.amazon.eventstream\r\n\r\n";
  const std::string request =
      "POST /model/x/converse-stream HTTP/1.1\r\nHost: proxy\r\n"
      "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
  for (std::size_t size = 1; size < 12; ++size) {
    const proxied setup(answer_and_close(head + std::string(size, '\0')));
    const message answer = setup.ask(request);
    CHECK_FALSE(answer.complete);
    CHECK(answer.body.find("event:") == std::string::npos);
    CHECK(answer.body.find(":exception-type") != std::string::npos);
  }
}

TEST_CASE("an answer without any event is cut off however its body ends") {
  const std::string plain = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
  for (const std::string body : {"", "\n", ": ping\n\n"}) {
    for (const std::string& all :
         {plain + body, event_stream_head + (body.empty() ? "" : chunk(body)) + "0\r\n\r\n"}) {
      const proxied setup(answer_and_close(all));
      const message answer = setup.ask(chat_request);
      INFO(answer.body);
      CHECK_FALSE(answer.complete);
      CHECK(answer.body.starts_with(body));
      CHECK(answer.body.find("event: error\ndata: {\"error\":") != std::string::npos);
    }
  }
  const proxied complete(answer_and_close(plain + done));
  CHECK(complete.ask(chat_request).body == done);
  const proxied other(answer_and_close(plain + ": ping\n\n"));
  std::string to_other_api = chat_request;
  to_other_api.replace(to_other_api.find("/v1/chat"), 8, "/mcp");
  for (const std::string& request : {get_request, to_other_api})
    CHECK(other.ask(request).body == ": ping\n\n");
}

TEST_CASE("plain answers of a RAG server are rewritten in bodies and streams") {
  const std::string list = R"("sources":[{"title":"A","url":"https://a.example/"}])";
  for (const char* name : {"answer", "response", "text", "content"}) {
    const std::string text = '"' + std::string(name) + "\":\"";
    const std::string body = "{" + text + "It grew [1].\"," + list + "}";
    const proxied whole(answer_all(json_answer(body)));
    const message got = whole.ask(chat_request);
    INFO(got.body);
    CHECK(got.body.starts_with("{" + text + "It grew.\"," + list));
    CHECK(got.body.find("\"status\":\"resolved\"") != std::string::npos);
    const proxied events(answer_all(event_stream_head + chunk("data: {" + text + "It gr\"}\n\n") +
                                    chunk("data: {" + text + "ew [1\"}\n\ndata: {" + text + "].\"}\n\n") +
                                    chunk("data: {" + list + "}\n\n" + done) + "0\r\n\r\n"));
    const message streamed = events.ask(chat_request);
    INFO(streamed.body);
    CHECK(streamed.complete);
    CHECK(streamed.body.starts_with("data: {" + text + "It gr\"}\n\ndata: {" + text + "ew\"}\n\ndata: {" +
                                    text + ".\"}\n\ndata: {" + list + "}\n\n"));
    CHECK(streamed.body.find("\"status\":\"resolved\"") != std::string::npos);
    CHECK(streamed.body.ends_with(done));
  }
}
