#include "proxy/config_snapshot.hpp"

#include <string>

#include <catch2/catch.hpp>

using namespace citestream;

namespace {

proxy_options two_upstreams() {
  proxy_options out;
  for (const char* name : {"a", "b"}) {
    upstream_options one;
    one.name = name;
    one.url = std::string("http://") + name + ".example/base";
    out.upstreams.push_back(one);
  }
  return out;
}

route_options route_to(const std::string& upstream, const std::string& path, const std::string& host = {}) {
  route_options out;
  out.upstream = upstream;
  out.path = path;
  out.host = host;
  return out;
}

std::string error_of(proxy_options options) {
  std::shared_ptr<const config_snapshot> made;
  return make_config_snapshot(std::move(options), made);
}

/// A request for a target.
struct parsed {
  explicit parsed(const std::string& target, const std::string& host = "h")
      : text("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n") {
    REQUIRE_FALSE(http::parse_request_head(text, 10, head));
  }
  std::string text;
  http::request_head head;
};

/// The name of the route that matches a request; `-` if none does.
std::string taken_by(const config_snapshot& all, const std::string& target, const std::string& host = "h") {
  const configured_route* found = all.find(parsed(target, host).head);
  return found == nullptr ? "-" : found->options.name;
}

}  // namespace

TEST_CASE("JSON answers to POST and to GET of a stored answer are rewritten") {
  CHECK(asks_for_answer("POST", "/anything"));
  CHECK(asks_for_answer("GET", "/v1/responses/resp_1"));
  CHECK(asks_for_answer("GET", "/v1/conversations/conv_1/items?limit=2"));
  CHECK(asks_for_answer("GET", "/v1/conversations/conv_1/items/msg_1"));
  CHECK(asks_for_answer("GET", "/v1beta/interactions/i-1?include_input=true"));
  CHECK_FALSE(asks_for_answer("GET", "/v1beta/interactions"));
  CHECK_FALSE(asks_for_answer("GET", "/v1/models"));
  CHECK_FALSE(asks_for_answer("GET", "/v1/models?next=/responses/1"));
  CHECK_FALSE(asks_for_answer("DELETE", "/v1/responses/resp_1"));
}

TEST_CASE("a path prefix matches whole segments only") {
  CHECK(is_below("/v1", "/v1"));
  CHECK(is_below("/v1/chat", "/v1"));
  CHECK(is_below("/v1?x=/v2", "/v1"));
  CHECK(is_below("/v1/", "/v1/"));
  CHECK(is_below("/v1", "/v1/"));
  CHECK(is_below("/", "/"));
  CHECK(is_below("/anything", "/"));
  CHECK_FALSE(is_below("/v10", "/v1"));
  CHECK_FALSE(is_below("/V1", "/v1"));
  CHECK_FALSE(is_below("/?x=/v1", "/v1"));
}

TEST_CASE("a path is compared decoded and without parameters and repeated slashes") {
  for (const char* path : {"/%761/chat", "/v%31", "//v1/chat", "/v1%2Fchat", "/v1//chat?a=%31", "/%2f%2Fv1/x",
                           "/\\v1/x", "/%5Cv1/x", "/v1;a=b/chat", "/;/v1/chat", "/v1;%2Fa", "/;/;/v1"}) {
    CAPTURE(path);
    for (const char* prefix : {"/v1", "/v1/", "//v1//", "/%761", "/v1;a/", "/v1/;a"}) {
      CAPTURE(prefix);
      CHECK(is_below(path, prefix));
      CHECK(is_below(path, "/"));
    }
  }
  for (const char* path : {"/?/v1", "/%3F/v1", "/v1%3F", "/v%1/chat", "/x?a=/v1", "/v;1", "/;v1", "/v1%3Ba"})
    CHECK_FALSE(is_below(path, "/v1"));
  CHECK(is_below("/q%3fx/c", "/q%3Fx"));
  CHECK_FALSE(is_below("/q%253Fx/c", "/q%3Fx"));
}

TEST_CASE("routes match by longest path and then by host in any order") {
  proxy_options options = two_upstreams();
  options.routes = {route_to("a", "/v1"), route_to("a", "/v1/chat"), route_to("b", "/v1", "api.example"),
                    route_to("b", "/only", "[::1]")};
  for (int turn = 0; turn < 2; ++turn) {
    std::shared_ptr<const config_snapshot> all;
    REQUIRE(make_config_snapshot(options, all).empty());
    CHECK(taken_by(*all, "/v1/models") == "/v1");
    CHECK(taken_by(*all, "/v1/models", "API.example:8080") == "api.example/v1");
    CHECK(taken_by(*all, "/v1/models", "api.example.evil") == "/v1");
    CHECK(taken_by(*all, "/v1/chat/completions", "api.example") == "/v1/chat");
    CHECK(taken_by(*all, "/only", "[::1]:80") == "[::1]/only");
    CHECK(taken_by(*all, "/only") == "-");
    CHECK(taken_by(*all, "/") == "-");
    std::reverse(options.routes.begin(), options.routes.end());
  }
}

TEST_CASE("encoded paths and repeated slashes match the route of the decoded path") {
  proxy_options options = two_upstreams();
  options.routes = {route_to("a", "/v1"), route_to("b", "/"), route_to("b", "/%61%20b"),
                    route_to("b", "/q%3Fx")};
  std::shared_ptr<const config_snapshot> all;
  REQUIRE(make_config_snapshot(options, all).empty());
  CHECK(taken_by(*all, "/a%20b/c") == "/%61%20b");
  CHECK(taken_by(*all, "/q%3fx/c") == "/q%3Fx");
  CHECK(taken_by(*all, "/q%253Fx/c") == "/");
  options.routes.push_back(route_to("b", "/a%20b/"));
  CHECK(error_of(options) == "the route '/a%20b/' is defined twice");
  for (const char* target : {"/%761/chat", "/v%31", "//v1/chat", "/v1%2Fchat", "/v1//chat?a=%31",
                             "/%2f%2Fv1/x", "/\\v1/x", "/%5Cv1/x"}) {
    CHECK(taken_by(*all, target) == "/v1");
  }
  for (const char* target : {"/?/v1", "/%3F/v1", "/v1%3F", "/v%1/chat", "/x?a=/v1"})
    CHECK(taken_by(*all, target) == "/");
}

TEST_CASE("a stripped prefix leaves a valid path") {
  configured_route one;
  const auto forwarded = [&](const char* target) { return one.forwarded_target(parsed(target).head); };
  one.options.path = "/writer";
  CHECK(forwarded("/writer/v1/chat?a=b") == "/writer/v1/chat?a=b");
  CHECK(forwarded("//writer/v1%2Fchat") == "//writer/v1%2Fchat");
  one.options.strip_prefix = true;
  for (const char* path : {"/writer", "/writer/"}) {
    one.options.path = path;
    CHECK(forwarded("/writer/v1/chat?a=/writer") == "/v1/chat?a=/writer");
    CHECK(forwarded("//%77riter/model/a%2Fb%0D%0A?a=%2F") == "/model/a%2Fb%0D%0A?a=%2F");
    CHECK(forwarded("/writer") == "/");
    CHECK(forwarded("/writer/") == "/");
    CHECK(forwarded("/writer?a") == "/?a");
    CHECK(forwarded("/writer;x/v1/chat;y") == "/v1/chat;y");
    CHECK(forwarded("/writer;x?a") == "/?a");
  }
  one.options.path = "/";
  CHECK(forwarded("/v1") == "/v1");
}

TEST_CASE("a single upstream gets every request that no route matches") {
  proxy_options options;
  options.upstream.url = "http://c.example";
  std::shared_ptr<const config_snapshot> all;
  REQUIRE(make_config_snapshot(options, all).empty());
  CHECK(taken_by(*all, "/x") == "/");
  options.upstreams = two_upstreams().upstreams;
  options.routes = {route_to("b", "/b")};
  REQUIRE(make_config_snapshot(options, all).empty());
  CHECK(taken_by(*all, "/x") == "/");
  CHECK(taken_by(*all, "/b/x") == "/b");
}

TEST_CASE("inconsistent routes and upstreams are rejected") {
  CHECK(error_of(proxy_options{}) == "no upstream is configured");
  CHECK(error_of(two_upstreams()) == "there are several upstreams but no routes");
  proxy_options options = two_upstreams();
  options.routes = {route_to("c", "/x")};
  CHECK(error_of(options) == "the route '/x' refers to an unknown upstream 'c'");
  options.routes = {route_to("a", "x")};
  CHECK(error_of(options) == "the route 'x' has a path that does not start with /");
  options.routes = {route_to("a", "/x", "h"), route_to("b", "/x", "H")};
  CHECK(error_of(options) == "the route 'H/x' is defined twice");
  options.upstreams[1].name = "a";
  CHECK(error_of(options) == "there are two upstreams named 'a'");
  options = two_upstreams();
  options.upstreams[0].url = "ftp://x";
  CHECK(error_of(options) == "upstream 'ftp://x' is not an http or https URL");
}

TEST_CASE("rewriting depends on status and media type and coding and the JSON setting") {
  const auto kind = [](const std::string& lines, bool json = true, int status = 200, bool bypass = false) {
    const std::string head = "HTTP/1.1 " + std::to_string(status) + " OK\r\n" + lines + "\r\n";
    http::response_head response;
    REQUIRE(http::parse_response_head(head, 100, "POST", response));
    response_facts answer = facts_of(response);
    answer.json = json;
    answer.bypass = bypass;
    return rewrite_mode_of(answer);
  };
  CHECK(kind("Content-Type: text/event-stream\r\n") == rewrite_mode::events);
  CHECK(kind("Content-Type: Text/Event-Stream; charset=utf-8\r\n", false) == rewrite_mode::events);
  CHECK(kind("Content-Type: application/json ; a=b\r\n") == rewrite_mode::json);
  CHECK(kind("Content-Type: application/json\r\n", false) == rewrite_mode::pass);
  CHECK(kind("Content-Type: text/event-stream\r\n", true, 429) == rewrite_mode::pass);
  CHECK(kind("Content-Type: application/json\r\n", true, 206) == rewrite_mode::pass);
  for (const char* lines : {"application/x-ndjson", "application/ndjson", "Application/JSONL; charset=utf-8",
                            "application/vnd.amazon.eventstream"}) {
    CHECK(kind(std::string("Content-Type: ") + lines + "\r\n", false) == rewrite_mode::events);
  }
  CHECK(kind("Content-Type: application/json-seq\r\n") == rewrite_mode::pass);
  CHECK(kind("") == rewrite_mode::pass);
  CHECK(kind("Content-Type: text/event-stream\r\nContent-Encoding: gzip\r\n") == rewrite_mode::bypassed);
  CHECK(kind("Content-Type: text/event-stream\r\nContent-Encoding: Identity\r\n") == rewrite_mode::events);
  CHECK(kind("Content-Type: application/json\r\nContent-Encoding: identity, br\r\n") ==
        rewrite_mode::bypassed);
  CHECK(kind("Content-Type: text/event-stream\r\n", true, 200, true) == rewrite_mode::bypassed);
  CHECK(kind("Content-Type: application/json\r\n", false, 200, true) == rewrite_mode::pass);
}
