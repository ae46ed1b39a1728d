// Several upstreams: which one a request is sent to, and which options apply to its answer.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "support/proxied.hpp"

using namespace loopback;

namespace {

/// Answers each request with \p name, the request line and Host.
upstream::script echo(const std::string& name) {
  return [name](wire& client, int) {
    reader requests(client);
    for (message one = requests.next(); !one.head.empty(); one = requests.next()) {
      const std::string body = name + ": " + one.head.substr(0, one.head.find("\r\n"));
      client.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    }
  };
}

std::string streamed() {
  return event_stream_head + chunk(delta("A claim ") + delta("[x](f1)") + delta(".") + finish() + done) +
         "0\r\n\r\n";
}

std::string json() {
  return json_answer(
      R"({"object":"chat.completion","choices":[{"index":0,"message":{"content":"A [x](f1)."}}]})");
}

std::string get(const std::string& target, const std::string& host = "proxy", const std::string& more = {}) {
  return "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + more + "\r\n";
}

std::string post(const std::string& target) {
  return "POST " + target + " HTTP/1.1\r\nHost: proxy\r\nContent-Length: 2\r\n\r\n{}";
}

citestream::route_options& add_route(citestream::proxy_options& to, const std::string& upstream,
                                     const std::string& path, const std::string& host = {}) {
  citestream::route_options one;
  one.upstream = upstream;
  one.path = path;
  one.host = host;
  to.routes.push_back(one);
  return to.routes.back();
}

void add_upstream(citestream::proxy_options& to, const std::string& name, const std::string& url) {
  citestream::upstream_options one;
  one.name = name;
  one.url = url;
  to.upstreams.push_back(one);
}

}  // namespace

TEST_CASE("path and host of a request select the upstream") {
  const upstream writer(echo("writer"));
  const upstream openai(echo("openai"));
  const proxied setup(echo("main"), [&](citestream::proxy_options& options) {
    add_upstream(options, "writer", writer.url() + "/base");
    add_upstream(options, "openai", openai.url());
    add_route(options, "writer", "/w").strip_prefix = true;
    add_route(options, "openai", "/w/o");
    add_route(options, "openai", "/", "openai.example");
  });
  CHECK(setup.ask(get("/v1")).body == "main: GET /v1 HTTP/1.1");
  CHECK(setup.ask(get("/w/v1?a=b")).body == "writer: GET /base/v1?a=b HTTP/1.1");
  CHECK(setup.ask(get("/w")).body == "writer: GET /base/ HTTP/1.1");
  CHECK(setup.ask(get("/w/o/v1")).body == "openai: GET /w/o/v1 HTTP/1.1");
  CHECK(setup.ask(get("/wide")).body == "main: GET /wide HTTP/1.1");
  CHECK(setup.ask(get("/v1", "OpenAI.example:99")).body == "openai: GET /v1 HTTP/1.1");
  // Nothing else in a request selects its upstream.
  CHECK(setup.ask(get("/v1", "proxy", "X-Forwarded-Host: openai.example\r\n")).body ==
        "main: GET /v1 HTTP/1.1");
  CHECK(setup.ask(get("http://openai.example/v1", "proxy")).status() == 400);
}

TEST_CASE("each upstream has its own connection pool") {
  upstream other(echo("other"));
  const proxied setup(echo("main"), [&](citestream::proxy_options& options) {
    options.threads = 1;
    add_upstream(options, "other", other.url());
    add_route(options, "other", "/o");
  });
  wire client = setup.dial();
  reader answers(client);
  for (int i = 0; i < 3; ++i) {
    client.send(get("/o/x"));
    CHECK(answers.next().body == "other: GET /o/x HTTP/1.1");
    client.send(get("/x"));
    CHECK(answers.next().body == "main: GET /x HTTP/1.1");
  }
  CHECK(setup.up.connections() == 1);
  CHECK(other.connections() == 1);
}

TEST_CASE("a request without a route is a 404 in the API's format before its body") {
  const proxied setup(echo("main"), [](citestream::proxy_options& options) {
    add_upstream(options, "only", options.upstream.url);
    options.upstream.url.clear();
    add_route(options, "only", "/v1");
  });
  const message answer =
      setup.ask("POST /v2 HTTP/1.1\r\nHost: proxy\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n");
  CHECK(answer.status() == 404);
  CHECK(answer.head.find("Not Found") != std::string::npos);
  CHECK(answer.body ==
        "{\"error\":{\"message\":\"no route matches this path and "
        "host\",\"type\":\"invalid_request_error\","
        "\"code\":\"no_route\"}}\n");
  CHECK(setup.ask(get("/v1")).body == "main: GET /v1 HTTP/1.1");
  CHECK(setup.up.connections() == 1);
}

TEST_CASE("each route rewrites answers in its own way") {
  const proxied setup(answer_all(streamed()), [](citestream::proxy_options& options) {
    default_route(options).session.style = &citestream::keep_style;
    add_route(options, "default", "/numbers").session.style = &citestream::numeric_style;
    add_route(options, "default", "/strip");
    add_route(options, "default", "/strip/not").bypass = true;
  });
  CHECK(text_of(setup.ask(post("/numbers")).body) == "A claim [1].");
  CHECK(text_of(setup.ask(post("/strip/x")).body) == "A claim.");
  CHECK(text_of(setup.ask(post("/")).body) == "A claim [x](f1).");
  const message passed = setup.ask(post("/strip/not"));
  CHECK(text_of(passed.body) == "A claim [x](f1).");
  CHECK(passed.has("X-Citestream: bypassed"));
  CHECK(passed.body.find("\"citestream\"") == std::string::npos);
  CHECK(
      setup.server.metrics().answers.bypassed[static_cast<std::size_t>(citestream::bypass_reason::option)] ==
      1);
  CHECK(setup.server.metrics().events.streams == 3);
}

TEST_CASE("JSON is rewritten below the paths of its route only") {
  const proxied setup(answer_all(json()), [](citestream::proxy_options& options) {
    add_route(options, "default", "/").json_paths = {"/v1/chat", "/v1/applications"};
  });
  CHECK(setup.ask(post("/v1/chat?x")).body.find("A.") != std::string::npos);
  CHECK(setup.ask(post("/v1/applications/7")).body.find("A.") != std::string::npos);
  CHECK(setup.ask(post("/v1/chats")).body.find("A [x](f1).") != std::string::npos);
  CHECK(setup.ask(post("/v1")).body.find("A [x](f1).") != std::string::npos);
}

TEST_CASE("a request that comes back to the proxy gets 508 and is not forwarded again") {
  std::uint16_t port = 0;
  // A proxy of another kind whose upstream is the first one: it passes Via on.
  const proxied setup([&](wire& client, int) {
    reader requests(client);
    const message request = requests.next();
    wire again = dial(port);
    again.send(request.head + request.body);
    const message answer = reader(again).next();
    client.send(answer.head + answer.body);
  });
  port = setup.server.port();
  const message answer = setup.ask(post("/v1/chat"));
  CHECK(answer.status() == 508);
  CHECK(answer.head.starts_with("HTTP/1.1 508 Loop Detected\r\n"));
  CHECK(answer.body.find("\"type\":\"proxy_error\",\"code\":\"loop_detected\"") != std::string::npos);
  CHECK(setup.up.connections() == 1);
}

TEST_CASE("two proxies in a row are not a loop but two that are each other's upstream are") {
  proxied second(echo("model"));
  const proxied first(answer_all(""), [&](citestream::proxy_options& options) {
    options.upstream.url = second.server.addresses().front();
  });
  CHECK(first.ask(get("/a")).body == "model: GET /a HTTP/1.1");
  citestream::proxy_options back;
  back.upstream.url = first.server.addresses().front();
  REQUIRE(second.server.reload(back).error.empty());
  const message answer = first.ask(get("/a"));
  CHECK(answer.status() == 508);
  CHECK(first.server.metrics().ended.counts[{"/", 508}] == 2);  // one of them comes back
  CHECK(second.server.metrics().ended.counts[{"/", 508}] == 1);
}

TEST_CASE("a reload changes routes and limits for new requests and not for running streams") {
  gate reloaded;
  const upstream other(echo("other"));
  proxied setup(in_two_parts(reloaded, delta("A claim "), delta("[x](f1)") + delta(".") + finish() + done));
  wire client = setup.dial();
  reader answers(client);
  client.send(post("/v1"));
  REQUIRE(answers.until("A claim"));
  citestream::proxy_options options;
  options.upstream.url = other.url();
  default_route(options).session.style = &citestream::keep_style;
  options.limits.max_head_bytes = 1000;
  CHECK(setup.server.reload({}).error == "no upstream is configured");
  citestream::proxy_options loop;
  loop.upstream.url = setup.server.addresses().front();
  CHECK(setup.server.reload(loop).error.find("is this proxy itself") != std::string::npos);
  REQUIRE(setup.server.reload(options).error.empty());
  CHECK(setup.ask(get("/new")).body == "other: GET /new HTTP/1.1");
  reloaded.open();
  const message streamed_answer = answers.next();
  CHECK(streamed_answer.complete);
  CHECK(text_of(streamed_answer.body) == "A claim.");
  client.send(get("/after"));
  CHECK(answers.next().body == "other: GET /after HTTP/1.1");
  client.send(get("/" + std::string(2000, 'a')));
  CHECK(answers.next().status() == 431);
}
