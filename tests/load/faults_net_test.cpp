// Each kind of fault, from servers that produce it.
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "loaded.hpp"
#include "support/proxied.hpp"

using namespace loopback;
using citestream_tests::load;
using citestream_tests::load_result;

namespace {

/// A chunked answer with the last chunk.
std::string whole(const std::string& stream) {
  return event_stream_head + (stream.empty() ? "" : chunk(stream)) + "0\r\n\r\n";
}

std::string with_length(const std::string& head, const std::string& body, std::size_t length) {
  return "HTTP/1.1 " + head + "\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n" + body;
}

const std::string good = delta("One") + finish() + done;
const std::string line = "{\"message\":{\"content\":\"One\"},\"done\":true}\n";

/// Sends three requests to \p url on one stream.
load_result ask(const std::string& url, std::vector<std::string> more = {}) {
  more.insert(more.end(), {"--streams", "1", "--count", "3", "--drain", "20"});
  return load(url, more);
}

}  // namespace

TEST_CASE("a fault is named by its kind") {
  const auto& [answer, kinds] = GENERATE(values<std::pair<std::string, std::string>>(
      {{whole(good), ""},
       {whole("data: {\"choices\":[]}\n\n" + done), ""},
       {with_length("200 OK\r\nContent-Type: text/event-stream;charset=utf-8", good, good.size()), ""},
       {with_length("200 OK\r\nContent-Type: application/jsonl", line, line.size()), ""},
       {whole(delta("One")), "unfinished "},
       {whole(delta("One") + finish() + "data: {\"object\":\"chat.comp"), "unfinished "},
       {whole(delta("One") + finish() + "event: x\ndata: {\"a\":\ndata: 1"), "unfinished "},
       {whole(delta("One") + finish() + "data: {\"choices\":[]}"), ""},
       {whole(delta("One") + finish() + "data: [DONE]"), ""},
       {whole(""), "unfinished "},
       {whole(": nothing\n\n"), "unfinished "},
       {whole("event: error\ndata: {\"error\":{\"message\":\"x\"}}\n\n"), "error-event "},
       {whole(delta("One") + "event: error\ndata: {\"error\":{\"message\":\"x\"}}\n\n"), "error-event "},
       {whole(delta("One") + "data: {\"error\":{\"message\":\"x\",\"code\":500}}\n\n"), "error-event "},
       {whole(delta("One") + "data: {\"choices\":[}\n\n" + finish() + done), "invalid-json "},
       {whole(delta("\xFF") + finish() + done), "invalid-json "},
       {whole(delta("[A](f1)") + finish() + done), "marker "},
       {whole(delta("[A](") + delta("f1)") + "data: {\n\n" + finish() + done), "invalid-json marker "},
       {with_length("503 Service Unavailable\r\nContent-Type: text/plain", "busy", 4), "status "},
       {with_length("200 OK\r\nContent-Type: text/html", "<p>", 3), "content-type "},
       {with_length("200 OK", "<p>", 3), "content-type "},
       {"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
        "http "},
       {"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "http "},
       {"not HTTP\r\n\r\n", "http "},
       {whole(good) + "more", "http "}}));
  INFO(answer);
  const upstream up(answer_all(answer));
  const load_result got = ask(up.url());
  CHECK(got.faults() == kinds);
  CHECK(got.total("answers") == 3);
  CHECK(got.total("wrong") == (kinds.empty() ? 0 : 3));
  CHECK(got.code == (kinds.empty() ? 0 : 1));
}

TEST_CASE("a connection closed inside the answer is a cut") {
  const std::string answer =
      GENERATE(std::string(), std::string("HTTP/1.1 200 OK\r\nContent-"), event_stream_head + chunk(good),
               event_stream_head + "5\r\ndat",
               with_length("200 OK\r\nContent-Type: text/event-stream", good, good.size() + 1));
  for (const bool reset : {false, true}) {
    const upstream up([&](wire& client, int) {
      reader(client).next();
      client.send(answer);
      if (reset) client.rst();
    });
    INFO(answer << (reset ? " reset" : " closed"));
    const load_result got = ask(up.url());
    CHECK(got.faults() == "cut ");
    CHECK(got.fault("cut") == 3);
  }
}

TEST_CASE("a stream that ends with its connection is whole") {
  const upstream up([](wire& client, int) {
    reader(client).next();
    client.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + good);
  });
  const load_result got = ask(up.url());
  CHECK(got.faults().empty());
  CHECK(got.number("connections") == 3);
}

TEST_CASE("silence is a fault after the idle timeout") {
  const upstream up([](wire& client, int) {
    reader(client).next();
    client.send(event_stream_head + chunk(delta("One")));
    client.read_all();
  });
  const load_result got = ask(up.url(), {"--idle-timeout", "0.2"});
  CHECK(got.faults() == "silence ");
  CHECK(got.fault("silence") == 3);
}

TEST_CASE("a TLS handshake that the end of the run interrupts is not a fault") {
  const upstream up([](wire& client, int) { client.read_all(); });
  const std::string url = "https" + up.url().substr(4);
  const auto for_seconds = [&](const char* duration, std::vector<std::string> more) {
    more.insert(more.end(), {"--streams", "1", "--drain", "0", "--duration", duration});
    return load(url, more);
  };
  const load_result interrupted = for_seconds("0.5", {});
  CHECK(interrupted.code == 0);
  CHECK(interrupted.faults().empty());
  CHECK(interrupted.number("still_running") == 1);
  const load_result late = for_seconds("5", {"--connect-timeout", "0.2", "--count", "1"});
  CHECK(late.faults() == "tls ");
  CHECK(late.report.root()["faults"]["tls"]["first"].string() == "not in time");
}

TEST_CASE("a server that cannot be reached is a fault of the connection") {
  upstream up(answer_all(whole(good)));
  up.stop_listening();
  const load_result got = ask(up.url());
  CHECK(got.faults() == "connect ");
  CHECK(got.number("requests") == 0);
}

TEST_CASE("an idle connection that the server closes costs a request and no fault") {
  const upstream up([](wire& client, int) {
    reader(client).next();
    client.send(whole(good));  // and closes without announcing it
  });
  const load_result got = ask(up.url());
  CHECK(got.faults().empty());
  CHECK(got.total("answers") == 3);
  CHECK(got.number("connections") == 3);
}

TEST_CASE("an interim answer is not the answer") {
  const upstream up(
      answer_all("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + whole(good)));
  const load_result got = ask(up.url());
  CHECK(got.faults().empty());
  CHECK(got.number("connections") == 1);
  CHECK(got.report.root()["statuses"]["200"].integer() == 3);
}

TEST_CASE("the result is the same for every cut of the answer") {
  const std::string stream =
      delta("One [A](") + delta("f1)") + "event: error\ndata: {}\n\n" + finish() + done;
  const std::string answer =
      event_stream_head + chunk(stream.substr(0, 70)) + chunk(stream.substr(70)) + "0\r\n\r\n";
  for (const std::size_t size : {1U, 2U, 3U, 7U, 64U, 500U}) {
    const upstream up([&](wire& client, int) {
      reader requests(client);
      for (message one = requests.next(); !one.head.empty(); one = requests.next()) {
        for (std::size_t at = 0; at < answer.size(); at += size)
          client.send(std::string_view(answer).substr(at, size));
      }
    });
    const load_result got = ask(up.url());
    CHECK(got.faults() == "error-event marker ");
    CHECK(got.total("events") == 3 * 5);
  }
}
