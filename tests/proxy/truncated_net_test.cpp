// Answers that end with the connection, and whose last event or value is incomplete.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "proxy/failed_requests.hpp"
#include "support/proxied.hpp"

using namespace loopback;

namespace {

/// An upstream that sends \p body after a head without a length and closes.
upstream::script closing_after(std::string type, std::string body) {
  return answer_and_close("HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\n\r\n" + body);
}

const std::string error_start = "event: error\ndata: {\"error\":{\"message\":";

struct truncated {
  std::string before;  ///< complete events
  std::string cut;     ///< the start of another event
  bool told;           ///< the client gets an error event
};

std::vector<truncated> truncated_streams() {
  const std::string first = "data: {\"object\":\"chat.comp";
  const std::string responses =
      "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"id\":\"r\"}}\n\n";
  return {
      {"", first, true},
      {": ping\n\n", first, true},
      {"event: ping\ndata: {}\n\n", first, false},
      {"data: {\"error\":{\"message\":\"overloaded\"}}\n\n", first, false},
      {delta("It grew.") + finish(), "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"usa", true},
      {responses, "event: response.output_text.delta\ndata: {\"type\":\"resp", false}};
}

}  // namespace

TEST_CASE("a stream without length that ends inside an event gets no last chunk") {
  for (const truncated& one : truncated_streams()) {
    INFO(one.before << one.cut);
    const proxied setup(closing_after("text/event-stream", one.before + one.cut));
    const message answer = setup.ask(chat_request);
    CHECK(answer.status() == 200);
    CHECK_FALSE(answer.complete);
    CHECK((answer.body.find(error_start) != std::string::npos) == one.told);
    CHECK(answer.body.find(one.cut) == std::string::npos);
    CHECK(failed_requests(setup.server) == 1);
  }
}

TEST_CASE("an HTTP 1.0 client of a truncated stream gets an error event or a reset") {
  for (const truncated& one : truncated_streams()) {
    INFO(one.before << one.cut);
    const proxied setup(closing_after("text/event-stream", one.before + one.cut));
    wire client = setup.dial();
    client.send("POST /v1/chat HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}");
    const std::string all = client.read_all();
    CHECK((all.find(error_start) != std::string::npos) == one.told);
    CHECK(client.reset_seen() != one.told);
    CHECK(eventually([&] { return failed_requests(setup.server) == 1; }));
  }
}

TEST_CASE("an HTTP 1.0 client of lines gets a reset if the upstream sends none") {
  for (const std::string type :
       {"application/x-ndjson", "application/vnd.amazon.eventstream", "text/event-stream"}) {
    for (const std::string end : {"", "zz\r\n"}) {
      INFO(type << " " << end);
      const proxied setup(answer_and_close("HTTP/1.1 200 OK\r\nContent-Type: " + type +
                                           "\r\nTransfer-Encoding: chunked\r\n\r\n" + end));
      wire client = setup.dial();
      client.send("POST /api/chat HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}");
      const std::string all = client.read_all();
      const bool error_event = type == "text/event-stream";
      CHECK((all.find(error_start) != std::string::npos) == error_event);
      CHECK(client.reset_seen() != error_event);
      CHECK(eventually([&] { return failed_requests(setup.server) == 1; }));
    }
  }
}

TEST_CASE("a stream without length that ends after a whole event is complete") {
  const std::string stream = delta("It grew.") + finish();
  for (const std::string& body : {stream, stream + done, stream.substr(0, stream.size() - 2)}) {
    const proxied setup(closing_after("text/event-stream", body));
    const message answer = setup.ask(chat_request);
    CHECK(answer.complete);
    CHECK(failed_requests(setup.server) == 0);
  }
}

TEST_CASE("a truncated JSON body is a 502 and not an answer with a length") {
  const std::string whole =
      R"({"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"It grew."}}]})";
  for (std::size_t at = 1; at <= whole.size(); at += 7) {
    INFO("cut at " << at);
    const bool cut = at < whole.size();
    const proxied setup(closing_after("application/json", whole.substr(0, at)));
    const message answer = setup.ask(chat_request);
    CHECK(answer.status() == (cut ? 502 : 200));
    CHECK(answer.complete);
    CHECK((answer.body.find("\"code\":\"upstream_closed\"") != std::string::npos) == cut);
    CHECK(failed_requests(setup.server) == (cut ? 1 : 0));
  }
}

TEST_CASE("a JSON body of blanks or a part of a literal is a 502") {
  for (const std::string_view body : {"", " \n", "tru"}) {
    INFO(body);
    const proxied setup(closing_after("application/json", std::string(body)));
    CHECK(setup.ask(chat_request).status() == 502);
    CHECK(failed_requests(setup.server) == 1);
  }
}

TEST_CASE("a response that has no body is not truncated") {
  for (const std::string_view status :
       {"200 OK", "204 No Content", "205 Reset Content", "304 Not Modified"}) {
    INFO(status);
    const proxied setup([=](wire& client, int) {
      reader requests(client);
      requests.next();
      const bool sized = status.starts_with("200") || status.starts_with("205");
      client.send("HTTP/1.1 " + std::string(status) + "\r\nContent-Type: application/json\r\n" +
                  (sized ? "Content-Length: 0\r\n" : "") + "\r\n");
    });
    CHECK(setup.ask(chat_request).status() == std::stoi(std::string(status)));
    CHECK(failed_requests(setup.server) == 0);
  }
}
