// URLs and request files.
#include "load/request.hpp"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

using namespace citestream::load;

TEST_CASE("a URL is parsed into its parts") {
  target to;
  REQUIRE(parse_target("http://127.0.0.1:8080", to).empty());
  CHECK((!to.tls && to.is_address && to.host == "127.0.0.1" && to.port == "8080" && to.path.empty()));
  CHECK(to.authority == "127.0.0.1:8080");
  REQUIRE(parse_target("https://api.example.com/v1/chat?a=b", to).empty());
  CHECK((to.tls && !to.is_address && to.host == "api.example.com" && to.port == "443"));
  CHECK((to.path == "/v1/chat?a=b" && to.authority == "api.example.com"));
  REQUIRE(parse_target("http://[::1]:9/", to).empty());
  CHECK((to.is_address && to.host == "::1" && to.port == "9" && to.authority == "[::1]:9" && to.path == "/"));
  REQUIRE(parse_target("http://a/v1/chat/?b=c", to).empty());
  CHECK(to.path == "/v1/chat/?b=c");
  REQUIRE(parse_target("http://a?b=c", to).empty());
  CHECK(to.path == "/?b=c");
}

TEST_CASE("an unusable URL is rejected and named") {
  for (const std::string text : {"", "x", "127.0.0.1:80", "ftp://a", "http://", "http:///x", "http://a:x/",
                                 "http://a:99999/", "http://a/#x", "http://a/ b", "http://a\r\nX: y"}) {
    target to;
    CHECK(parse_target(text, to).starts_with("'" + text + "'"));
  }
  target to;
  CHECK(parse_target("http://user:secret@a/", to) ==
        "the URL must not contain a user, a query or a fragment");
}

TEST_CASE("a line is a body or a body with a path and a text") {
  std::vector<request> read;
  const std::string lines =
      "{\"model\": \"a\", \"stream\":true}\r\n\n  \n"
      "{\"text\":\"caf\\u00e9\",\"body\":{\"stream\":false},\"path\":\"/v1/chat?x=%20\"}\n{}";
  REQUIRE(parse_requests(lines, read).empty());
  REQUIRE(read.size() == 3);
  CHECK((read[0].body == "{\"model\": \"a\", \"stream\":true}" && read[0].stream && read[0].path.empty()));
  CHECK_FALSE(read[0].text);
  CHECK((read[1].body == "{\"stream\":false}" && !read[1].stream && read[1].path == "/v1/chat?x=%20"));
  CHECK(read[1].text == "caf\xC3\xA9");
  CHECK(read[2].body == "{}");
}

TEST_CASE("a line that is not a request is reported with its number") {
  const auto why = [](const std::string& lines) {
    std::vector<request> read;
    return parse_requests(lines, read);
  };
  CHECK(why("") == "contains no request");
  CHECK(why("\n{}\n{").find("line 3: ") == 0);
  CHECK(why("[]") == "line 1: not a JSON object");
  CHECK(why("{\"body\":1}") == "line 1: \"body\" is not an object");
  for (const std::string path : {"\"\"", "\"v1\"", "\"/a b\"", "\"/\\r\\nX: y\"", "7"}) {
    CHECK(why("{\"body\":{},\"path\":" + path + "}") == "line 1: \"path\" is not a path like /v1/chat");
  }
  CHECK(why("{\"body\":{},\"text\":null}") == "line 1: \"text\" is not a string");
}

TEST_CASE("a request's path is its own or the URL's or that of chat completions") {
  target to;
  const auto line = [&](const std::string& url, const std::string& path) {
    REQUIRE(parse_target(url, to).empty());
    request what = chat_request("m");
    what.path = path;
    const std::string message = http_message(what, to, {"X-A: b"});
    CHECK(message.find("\r\nX-A: b\r\n") != std::string::npos);
    CHECK(message.find("\r\nContent-Length: " + std::to_string(what.body.size()) + "\r\n") !=
          std::string::npos);
    CHECK(message.find("\r\nHost: " + to.authority + "\r\n") != std::string::npos);
    CHECK(message.substr(message.find("\r\n\r\n") + 4) == what.body);
    return message.substr(0, message.find("\r\n"));
  };
  CHECK(line("http://a", "") == "POST /v1/chat/completions HTTP/1.1");
  CHECK(line("http://a/", "") == "POST /v1/chat/completions HTTP/1.1");
  CHECK(line("http://a/v1/chat", "") == "POST /v1/chat HTTP/1.1");
  CHECK(line("http://a/v1/chat", "/x?y") == "POST /x?y HTTP/1.1");
}
