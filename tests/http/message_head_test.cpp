#include "http/message_head.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "http/body_decoder.hpp"
#include "http/error_response.hpp"
#include "http/fields.hpp"
#include "http/upstream_url.hpp"

using namespace citestream::http;

namespace {

unsigned status_of(const std::string& head) {
  request_head out;
  return parse_request_head(head, 100, out).status;
}

std::string post(const std::string& lines) {
  return "POST /v1/chat HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n";
}

response_head answer(const std::string& head, std::string_view method = "POST") {
  response_head out;
  REQUIRE(parse_response_head(head, 100, method, out));
  return out;
}

bool is_answer(const std::string& head) {
  response_head out;
  return parse_response_head(head, 100, "POST", out);
}

}  // namespace

TEST_CASE("the end of a head is found at every cut and later bytes are not scanned") {
  const std::string_view bytes = "GET / HTTP/1.1\r\nHost: a\r\n\r\nrest";
  for (std::size_t i = 0; i <= bytes.size(); ++i) {
    head_finder finder(1000);
    head_state state = finder.scan(bytes.substr(0, i));
    if (state == head_state::more) state = finder.scan(bytes);
    CHECK(state == head_state::found);
    CHECK(finder.size() == bytes.size() - 4);
  }
}

TEST_CASE("LF without CR and CR without LF and NUL are rejected immediately") {
  for (const std::string& bytes :
       {std::string("GET / HTTP/1.1\n"), std::string("GET /\rx"), std::string("G\0", 2), std::string("\n"),
        std::string("GET /\r\r"), std::string("GET /\r\0", 7)}) {
    head_finder finder(1000);
    CHECK(finder.scan(bytes) == head_state::malformed);
  }
}

TEST_CASE("the size of a head is limited at the same byte for every cut") {
  const std::string head = "GET / HTTP/1.1\r\nA: " + std::string(100, 'a') + "\r\n\r\n";
  head_finder exact(head.size());
  CHECK(exact.scan(head) == head_state::found);
  for (std::size_t i = 0; i <= head.size(); ++i) {
    head_finder finder(head.size() - 1);
    head_state state = finder.scan(std::string_view(head).substr(0, i));
    if (state == head_state::more) state = finder.scan(head);
    CHECK(state == head_state::too_long);
    CHECK(finder.size() == head.size() - 1);
  }
}

TEST_CASE("a request head is parsed into its parts") {
  request_head out;
  const std::string head =
      "POST /v1/chat?a=b HTTP/1.1\r\nhost: a:1\r\nContent-LENGTH:\t12 \r\nX: a \t b\r\n\r\n";
  CHECK_FALSE(parse_request_head(head, 100, out));
  CHECK(out.method == "POST");
  CHECK(out.target == "/v1/chat?a=b");
  CHECK(out.body == framing::length);
  CHECK(out.length == 12);
  CHECK(find(out.all, "x")->value == "a \t b");
  CHECK(out.persistent);
}

TEST_CASE("ambiguous framing is rejected") {
  for (const std::string lines : {"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                                  "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
                                  "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
                                  "Content-Length: 5\r\nContent-Length: 5\r\n",
                                  "Content-Length: 5, 5\r\n",
                                  "Content-Length: +5\r\n",
                                  "Content-Length: -5\r\n",
                                  "Content-Length: 0x5\r\n",
                                  "Content-Length: 5 5\r\n",
                                  "Content-Length:\r\n",
                                  "Content-Length: 18446744073709551616\r\n",
                                  "Content-Length: 99999999999999999999999\r\n",
                                  "Transfer-Encoding : chunked\r\n",
                                  "X: a\r\n b\r\n",
                                  "X: a\r\n\tb\r\n",
                                  " X: a\r\n",
                                  ": a\r\n",
                                  "X\r\n",
                                  "X: a\rb\r\n",
                                  "X: a\x01\r\n",
                                  "X: a\x7f\r\n",
                                  "X y: a\r\n",
                                  "Host: a\r\n",
                                  "Host: b\r\n"}) {
    INFO(lines);
    CHECK(status_of(post(lines)) == 400);
  }
  CHECK(status_of(post(std::string("X: a\0b\r\n", 8))) == 400);
  CHECK(status_of("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n") == 400);
}

TEST_CASE("transfer codings other than chunked are not implemented") {
  for (const std::string value : {"gzip", "xchunked", "chunked, identity", "gzip, chunked", "identity",
                                  "chunked;q=1", "\"chunked\"", "chunked,", ""}) {
    INFO(value);
    CHECK(status_of(post("Transfer-Encoding: " + value + "\r\n")) == 501);
  }
  CHECK(status_of(post("Transfer-Encoding: Chunked\r\n")) == 0);
}

TEST_CASE("malformed request lines and hosts are rejected") {
  for (const std::string line : {"GET  / HTTP/1.1",
                                 "GET / HTTP/1.1 ",
                                 " GET / HTTP/1.1",
                                 "GET /",
                                 "GET",
                                 "",
                                 "G{T / HTTP/1.1",
                                 "GET /a b HTTP/1.1",
                                 "GET /\x7f HTTP/1.1",
                                 "GET /\xc3\xa4 HTTP/1.1",
                                 "GET /\ta HTTP/1.1",
                                 "GET a HTTP/1.1",
                                 "GET * HTTP/1.1",
                                 "GET /#a HTTP/1.1",
                                 "GET / http/1.1",
                                 "GET / HTTP/11",
                                 "GET ftp://a/ HTTP/1.1",
                                 "GET http://b/ HTTP/1.1",
                                 "GET http://a HTTP/1.1",
                                 "GET http://u@a/ HTTP/1.1",
                                 "GET /a/../b HTTP/1.1",
                                 "GET /%2e%2E/b HTTP/1.1",
                                 "GET /a/. HTTP/1.1",
                                 "GET /..\\b HTTP/1.1",
                                 "GET /a/..%2fx HTTP/1.1",
                                 "GET /a%2F.. HTTP/1.1",
                                 "GET /a%2f%2e%2E%2fx HTTP/1.1",
                                 "GET /%2e%2e%2f HTTP/1.1",
                                 "GET /%2f/../ HTTP/1.1",
                                 "GET /a/..;/b HTTP/1.1",
                                 "GET /a/..;x=1 HTTP/1.1",
                                 "GET /.;/b HTTP/1.1",
                                 "GET /a%2f%2e%2e;x%2fb HTTP/1.1",
                                 "GET /a/..%3b/b HTTP/1.1",
                                 "GET /a/%2E.%3Bx/b HTTP/1.1",
                                 "GET /a%5C.%2e%5cx HTTP/1.1"}) {
    INFO(line);
    CHECK(status_of(line + "\r\nHost: a\r\n\r\n") == 400);
  }
  CHECK(status_of("GET / HTTP/2.0\r\nHost: a\r\n\r\n") == 505);
  CHECK(status_of("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n") == 501);
  CHECK(status_of("TRACE / HTTP/1.1\r\nHost: a\r\n\r\n") == 501);
  CHECK(status_of("GET / HTTP/1.1\r\n\r\n") == 400);
  CHECK(status_of("GET / HTTP/1.0\r\n\r\n") == 0);
  CHECK(status_of("GET /a%2fb/c%2F..d/%2f HTTP/1.1\r\nHost: a\r\n\r\n") == 0);
  CHECK(status_of("GET /a..b/.c/...?x=/../ HTTP/1.1\r\nHost: a\r\n\r\n") == 0);
  CHECK(status_of("GET /a;../b..;c/;/.%3a HTTP/1.1\r\nHost: a\r\n\r\n") == 0);
  for (const std::string host : {"", "a b", "a/b", "u@a", "a,b", "a?", "\xc3\xa4"}) {
    INFO(host);
    CHECK(status_of("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n") == 400);
  }
}

TEST_CASE("absolute form with the same host is routed by its path") {
  request_head out;
  const std::string head = "GET http://Api.example:80/v1?q HTTP/1.1\r\nHost: api.example:80\r\n\r\n";
  CHECK_FALSE(parse_request_head(head, 100, out));
  CHECK(out.target == "/v1?q");
}

TEST_CASE("a hundred fields pass and one more is too many") {
  std::string lines;
  for (int i = 0; i < 99; ++i) lines += "A: b\r\n";
  CHECK(status_of(post(lines)) == 0);
  CHECK(status_of(post(lines + "A: b\r\n")) == 431);
}

TEST_CASE("only 100-continue can be expected") {
  request_head out;
  const std::string head = post("Expect: 100-Continue\r\nContent-Length: 3\r\n");
  CHECK_FALSE(parse_request_head(head, 100, out));
  CHECK(out.expects_continue);
  CHECK(status_of(post("Expect: magic\r\n")) == 417);
  CHECK(status_of(post("Expect: 100-continue\r\nExpect: 100-continue\r\n")) == 417);
  CHECK_FALSE(parse_request_head("GET / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n", 100, out));
  CHECK_FALSE(out.expects_continue);
}

TEST_CASE("the framing of a response depends on its status and method") {
  CHECK(answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n").body == framing::length);
  CHECK(answer("HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n").body == framing::chunked);
  CHECK(answer("HTTP/1.1 200 \r\n\r\n").body == framing::until_close);
  CHECK(answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "HEAD").body == framing::none);
  CHECK(answer("HTTP/1.1 204 No\r\n\r\n").body == framing::none);
  CHECK(answer("HTTP/1.1 304 No\r\nContent-Length: 5\r\n\r\n").body == framing::none);
  CHECK(answer("HTTP/1.1 103 Hints\r\n\r\n").body == framing::none);
  CHECK(answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n").persistent);
  CHECK(answer("HTTP/1.1 204 No\r\nContent-Length: 0\r\n\r\n").persistent);
  for (const char* field : {"Content-Length: 5", "Transfer-Encoding: chunked"}) {  // where no body may be
    CHECK_FALSE(answer("HTTP/1.1 204 No\r\n" + std::string(field) + "\r\n\r\n").persistent);
    CHECK_FALSE(answer("HTTP/1.1 200 OK\r\n" + std::string(field) + "\r\n\r\n", "HEAD").persistent);
  }
  CHECK_FALSE(answer("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\n").persistent);
  CHECK_FALSE(answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: a, Close\r\n\r\n").persistent);
}

TEST_CASE("responses that cannot be forwarded safely are rejected") {
  for (const std::string head :
       {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "HTTP/1.1 200 OK\r\nX: a\rb\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX : a\r\n\r\n", "HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n", "HTTP/1.1 600 OK\r\n\r\n",
        "HTTP/1.1 200 O\x01K\r\n\r\n", "HTTP/2 200 OK\r\n\r\n", "ICY 200 OK\r\n\r\n", "\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"}) {
    INFO(head);
    CHECK_FALSE(is_answer(head));
  }
}

TEST_CASE("a body decoder ends according to its framing") {
  std::string out;
  body_decoder none(framing::none, 0);
  CHECK(none.complete());
  CHECK(none.feed("abc", out) == 0);
  body_decoder length(framing::length, 3);
  CHECK(length.feed("ab", out) == 2);
  CHECK_FALSE(length.complete());
  CHECK(length.feed("cdef", out) == 1);
  CHECK(length.complete());
  CHECK(out == "abc");
  body_decoder open(framing::until_close, 0);
  CHECK(open.feed("xyz", out) == 3);
  CHECK_FALSE(open.complete());
  CHECK(open.ends_with_connection());
}

TEST_CASE("upstream URLs are parsed and invalid ones are reported") {
  upstream_url url;
  CHECK(parse_upstream_url("https://api.example/base/", url).empty());
  CHECK(url.tls);
  CHECK(url.host == "api.example");
  CHECK(url.port == "443");
  CHECK(url.authority == "api.example");
  CHECK(url.base_path == "/base");
  CHECK_FALSE(url.is_address);
  CHECK(parse_upstream_url("http://[::1]:8080", url).empty());
  CHECK(url.host == "::1");
  CHECK(url.authority == "[::1]:8080");
  CHECK(url.base_path.empty());
  CHECK(url.is_address);
  CHECK(parse_upstream_url("HTTP://127.0.0.1:80", url).empty());
  CHECK(url.authority == "127.0.0.1");
  CHECK(url.is_address);
  for (const std::string good : {"http://127.1", "http://[fe80::1%eth0]:80", "http://300.0.0.1.example",
                                 "http://a_b.c-d.example.:80"}) {
    INFO(good);
    CHECK(parse_upstream_url(good, url).empty());
  }
  for (const std::string bad : {"",
                                "api.example",
                                "ftp://a",
                                "http://",
                                "http://:80",
                                "http://a:b",
                                "http://a:99999",
                                "http://u@a",
                                "http://a?b",
                                "http://a/#c",
                                "http://a b",
                                "http://[::1",
                                "http://a\r\nb",
                                "http://[::1]x",
                                "http://300.0.0.1",
                                "http://[1::2::3]",
                                "http://[a.example]/x",
                                "http://a|b\"c",
                                "http://a%2fb",
                                "http://a\\b",
                                "http://a..b",
                                "http://.a"}) {
    INFO(bad);
    CHECK_FALSE(parse_upstream_url(bad, url).empty());
  }
  CHECK(parse_upstream_url("http://exämple.com", url) ==
        "'http://exämple.com' has blanks, control characters or letters outside ASCII");
}

TEST_CASE("error responses are JSON in the API's format") {
  const std::string all = error_response({502, "upstream_tls", "a \"b\" \\ \n\xff é 🙂"}, {.close = true});
  CHECK(all.starts_with("HTTP/1.1 502 Bad Gateway\r\n"));
  CHECK(all.find("Connection: close\r\n") != std::string::npos);
  const std::string body = all.substr(all.find("\r\n\r\n") + 4);
  CHECK(body ==
        "{\"error\":{\"message\":\"a \\\"b\\\" \\\\ \\u000a\\u00ff \\u00e9 "
        "\\ud83d\\ude42\",\"type\":\"upstream_error\","
        "\"code\":\"upstream_tls\"}}\n");
  CHECK(all.find("Content-Length: " + std::to_string(body.size()) + "\r\n") != std::string::npos);
  CHECK(error_response({400, "x", "y"}, {.bodiless = true}).ends_with("\r\n\r\n"));
}

TEST_CASE("an error response has the form of the API that the path names") {
  const auto body = [](unsigned status, std::string_view target) {
    const std::string all = error_response({status, "c", "m"}, {.target = target});
    return all.substr(all.find("\r\n\r\n") + 4);
  };
  const std::string anthropic = R"({"type":"error","error":{"type":"api_error","message":"m"}})";
  CHECK(body(502, "/v1/messages") == anthropic + "\n");
  CHECK(body(504, "/base/v1/messages/?beta=true") == anthropic + "\n");
  CHECK(body(400, "/v1/messages/count_tokens") ==
        R"({"type":"error","error":{"type":"invalid_request_error","message":"m"}})"
        "\n");
  CHECK(body(502, "/v1beta/models/g:streamGenerateContent?alt=sse") ==
        R"({"error":{"code":502,"message":"m","status":"UNAVAILABLE"}})"
        "\n");
  CHECK(body(413, "/v1beta/models/g:generateContent") ==
        R"({"error":{"code":413,"message":"m","status":"INVALID_ARGUMENT"}})"
        "\n");
  for (const char* target : {"/api/chat", "/api/generate"}) CHECK(body(502, target) == "{\"error\":\"m\"}\n");
  for (const char* target : {"/v2/chat", "/model/x/converse", "/model/x/converse-stream", "/model/x/invoke",
                             "/a/model/x/invoke-with-response-stream"}) {
    CHECK(body(502, target) == "{\"message\":\"m\"}\n");
  }
  for (const char* target : {"", "/", "/v1/chat/completions", "/v2/chat/completions", "/v1/responses",
                             "/v1/threads/t/messages", "/chain/invoke", "/invoke"}) {
    CHECK(body(502, target) ==
          "{\"error\":{\"message\":\"m\",\"type\":\"upstream_error\",\"code\":\"c\"}}\n");
  }
}

TEST_CASE("the host of an authority has brackets if it is an IPv6 address") {
  CHECK(authority_of("a.example", "80") == "a.example:80");
  CHECK(authority_of("192.0.2.1", "80") == "192.0.2.1:80");
  CHECK(authority_of("2001:db8::1", "443") == "[2001:db8::1]:443");
}
