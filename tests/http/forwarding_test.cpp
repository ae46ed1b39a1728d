#include "http/forwarding.hpp"

#include <string>

#include <catch2/catch.hpp>

#include "http/upstream_url.hpp"

using namespace citestream::http;

namespace {

std::string forwarded(const std::string& head, const std::string& upstream, std::uint64_t body_bytes = 0,
                      std::string_view via = {}) {
  request_head request;
  REQUIRE_FALSE(parse_request_head(head, 100, request));
  upstream_url url;
  REQUIRE(parse_upstream_url(upstream, url).empty());
  const std::string target = url.base_path + std::string(request.target);
  upstream_framing how;
  how.target = target;
  how.host = url.authority;
  how.body_bytes = body_bytes;
  how.via = via;
  return upstream_request_head(request, how);
}

std::string for_client(const std::string& head, const client_framing& how) {
  response_head answer;
  REQUIRE(parse_response_head(head, 100, "POST", answer));
  std::string out;
  append_client_head(answer, how, out);
  return out;
}

}  // namespace

TEST_CASE("a request is sent to the configured host below the base path") {
  CHECK(forwarded("POST /v1/chat?x=1 HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\n"
                  "Content-Length: 3\r\n\r\n",
                  "http://api.example:81/base", 3) ==
        "POST /base/v1/chat?x=1 HTTP/1.1\r\nHost: api.example:81\r\nX-Forwarded-Host: evil.example\r\n"
        "Accept-Encoding: identity\r\nContent-Length: 3\r\n\r\n");
}

TEST_CASE("hop-by-hop fields are dropped and protected ones are forwarded") {
  CHECK(
      forwarded("POST / HTTP/1.1\r\nHost: a\r\nConnection: Keep-Alive, X-Mine, Authorization, "
                "Content-Length, Host\r\n"
                "Keep-Alive: 5\r\nProxy-Connection: x\r\nTE: trailers\r\nTrailer: X\r\nUpgrade: "
                "h2c\r\nx-mine: 1\r\n"
                "X-Other: 2\r\nAuthorization: Bearer k\r\nAccept-Encoding: gzip\r\nExpect: 100-continue\r\n"
                "Content-Length: 2\r\n\r\n",
                "http://up", 2) ==
      "POST / HTTP/1.1\r\nHost: up\r\nX-Other: 2\r\nAuthorization: Bearer k\r\nAccept-Encoding: identity\r\n"
      "Content-Length: 2\r\n\r\n");
}

TEST_CASE("a forwarded request has one more entry in Via which Connection cannot remove") {
  CHECK(forwarded("GET / HTTP/1.1\r\nHost: a\r\nVia: 1.0 x, 1.1 y (a, b)\r\nConnection: Via\r\n\r\n",
                  "http://up", 0, "me") ==
        "GET / HTTP/1.1\r\nHost: up\r\nVia: 1.0 x, 1.1 y (a, b)\r\nVia: 1.1 me\r\nAccept-Encoding: "
        "identity\r\n\r\n");
  CHECK(forwarded("GET / HTTP/1.0\r\n\r\n", "http://up", 0, "me").find("\r\nVia: 1.0 me\r\n") !=
        std::string::npos);
}

TEST_CASE("a request has passed through each recipient that Via names") {
  const auto passed = [](const std::string& lines, std::string_view pseudonym) {
    request_head request;
    const std::string head = "GET / HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n";
    REQUIRE_FALSE(parse_request_head(head, 100, request));
    return has_passed(request.all, pseudonym);
  };
  const std::string lines =
      "via: 1.0 first,HTTP/1.1 \t second:80 (note), 2 third\r\nX: me\r\nVia: 1.1 last\r\n";
  for (const char* one : {"first", "second:80", "third", "THIRD", "last"}) CHECK(passed(lines, one));
  for (const char* one : {"1.0", "note)", "(note)", "second", "me", "thir"}) CHECK_FALSE(passed(lines, one));
  CHECK_FALSE(passed("", "me"));
  CHECK_FALSE(passed("Via: 1.1\r\nVia:\r\nVia: me\r\n", "me"));
}

TEST_CASE("a chunked request is sent with its length and one without body has none") {
  CHECK(forwarded("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", "http://up", 7)
            .find("\r\nContent-Length: 7\r\n") != std::string::npos);
  CHECK(forwarded("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "http://up").find("Content-Length") ==
        std::string::npos);
  CHECK(forwarded("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "http://up")
            .find("\r\nContent-Length: 0\r\n") != std::string::npos);
}

TEST_CASE("a rewritten answer loses the fields that describe its exact bytes") {
  client_framing how;
  how.body = framing::chunked;
  how.changed = true;
  CHECK(for_client("HTTP/1.1 200 Fine\r\nContent-Length: 5\r\nETag: x\r\nContent-MD5: x\r\nDigest: x\r\n"
                   "Content-Digest: x\r\nX-Request-Id: 7\r\nConnection: x-hop\r\nX-Hop: 1\r\n\r\n",
                   how) == "HTTP/1.1 200 Fine\r\nX-Request-Id: 7\r\nTransfer-Encoding: chunked\r\n\r\n");
}

TEST_CASE("an unchanged answer keeps its fields in order and case") {
  client_framing how;
  how.body = framing::length;
  how.length = 5;
  CHECK(for_client(
            "HTTP/1.1 429 Slow Down\r\nretry-after-ms: 20\r\nX-Should-Retry: true\r\nContent-Length: 5\r\n"
            "ETag: \"e\"\r\nSet-Cookie: a\r\nSet-Cookie: b\r\nX-Empty:\r\n\r\n",
            how) ==
        "HTTP/1.1 429 Slow Down\r\nretry-after-ms: 20\r\nX-Should-Retry: true\r\nETag: \"e\"\r\nSet-Cookie: "
        "a\r\n"
        "Set-Cookie: b\r\nX-Empty: \r\nContent-Length: 5\r\n\r\n");
}

TEST_CASE("an answer without a body keeps its Content-Length") {
  client_framing how;
  CHECK(for_client("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", how) ==
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n");
  CHECK(for_client("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n", how) ==
        "HTTP/1.1 204 No Content\r\n\r\n");
}

TEST_CASE("X-Accel-Buffering is added to streams unless the upstream sent it") {
  client_framing how;
  how.body = framing::chunked;
  how.streamed = true;
  CHECK(for_client("HTTP/1.1 200 OK\r\n\r\n", how) ==
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Accel-Buffering: no\r\n\r\n");
  CHECK(for_client("HTTP/1.1 200 OK\r\nx-accel-buffering: yes\r\n\r\n", how) ==
        "HTTP/1.1 200 OK\r\nx-accel-buffering: yes\r\nTransfer-Encoding: chunked\r\n\r\n");
}

TEST_CASE("closing and bypassing are announced in the head") {
  client_framing how;
  how.body = framing::until_close;
  how.close = true;
  how.bypassed = true;
  CHECK(for_client("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\n", how) ==
        "HTTP/1.1 200 OK\r\nX-Citestream: bypassed\r\nConnection: close\r\n\r\n");
}
