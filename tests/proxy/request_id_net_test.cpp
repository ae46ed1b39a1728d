// X-Request-Id: the value sent to the upstream and the value sent to the client.
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "http/request_id.hpp"
#include "support/proxied.hpp"

using namespace loopback;

namespace {

std::string request(const std::string& fields) {
  return "GET /v1/models HTTP/1.1\r\nHost: proxy\r\n" + fields + "\r\n";
}

bool is_made(const std::string& id) {
  return id.size() == 32 && id.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

TEST_CASE("a valid request id is sent to the upstream and back") {
  kept_requests heard;
  const proxied proxy(heard.script());
  for (const std::string& id : {std::string("abc"), std::string(128, '~'), std::string("{\"a\":1}")}) {
    const message answer = proxy.ask(request("x-request-ID: " + id + "\r\n"));
    CHECK(answer.field("X-Request-Id") == id);
    CHECK(heard.last().field("X-Request-Id") == id);
  }
}

TEST_CASE("a missing or invalid request id is replaced by a new one") {
  kept_requests heard;
  const proxied proxy(heard.script());
  std::set<std::string> seen;
  for (const std::string& fields :
       {std::string(), std::string("X-Request-Id: \r\n"), "X-Request-Id: " + std::string(129, 'a') + "\r\n",
        std::string("X-Request-Id: a b\r\n"), std::string("X-Request-Id: \xC3\xA9\r\n"),
        std::string("X-Request-Id: a\r\nx-request-id: b\r\n")}) {
    const message answer = proxy.ask(request(fields));
    const std::string id = answer.field("X-Request-Id");
    CHECK(is_made(id));
    CHECK(heard.last().field("X-Request-Id") == id);
    seen.insert(id);
  }
  CHECK(seen.size() == 6);
}

TEST_CASE("an answer keeps its own request id") {
  kept_requests heard("HTTP/1.1 200 OK\r\nx-request-id: theirs\r\nContent-Length: 2\r\n\r\nok");
  const proxied proxy(heard.script());
  const message answer = proxy.ask(request("X-Request-Id: ours\r\n"));
  CHECK(answer.has("x-request-id: theirs"));
  CHECK(answer.head.find("ours") == std::string::npos);
  CHECK(heard.last().has("X-Request-Id: ours"));
}

TEST_CASE("errors of the proxy contain the request id") {
  proxied proxy(answer_all(ok_answer));
  CHECK(is_made(proxy.ask("GET / HTTP/1.1\r\n\r\n").field("X-Request-Id")));
  CHECK(is_made(proxy.ask(std::string("GET \x01 HTTP/1.1\r\nHost: a\r\nX-Request-Id: x\r\n\r\n"))
                    .field("X-Request-Id")));
  proxy.up.stop_listening();
  const message answer = proxy.ask(request("X-Request-Id: mine\r\n"));
  CHECK(answer.status() == 502);
  CHECK(answer.field("X-Request-Id") == "mine");
}

TEST_CASE("a stream without a request id from the upstream gets one in its head") {
  const proxied proxy(
      answer_all("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n" +
                 chunk(delta("a") + finish() + done) + "0\r\n\r\n"));
  std::string asked = chat_request;
  asked.insert(asked.find("Content-Type"), "X-Request-Id: stream-7\r\n");
  CHECK(proxy.ask(asked).field("X-Request-Id") == "stream-7");
}
