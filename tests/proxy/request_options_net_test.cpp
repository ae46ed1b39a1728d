// Options in a request for its own answer.
#include <citestream/style/style.hpp>

#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "support/proxied.hpp"

using namespace loopback;

namespace {

std::string streamed() {
  return event_stream_head +
         chunk(delta("\xF0\x9F\x8C\x9E A claim ") + delta("[x](f1)") + delta(" and [2].") + finish() + done) +
         "0\r\n\r\n";
}

constexpr const char* sun = "\xF0\x9F\x8C\x9E";

std::string text(const proxied& setup, const std::string& lines) {
  return text_of(setup.ask(with_fields(lines)).body);
}

}  // namespace

TEST_CASE("a request selects style and markers and offsets and its route the rest") {
  const proxied setup(answer_all(streamed()));
  const std::string start = std::string(sun) + " A claim";
  CHECK(text(setup, "") == start + " and [2].");
  CHECK(text(setup, "X-Citestream-Style: numeric\r\n") == start + " [1] and [2].");
  CHECK(text(setup, "x-citestream-markers: numeric\r\n") == start + " [x](f1) and.");
  CHECK(text(setup, "X-Citestream-Markers: link , numeric\r\nX-Citestream-Style: superscript\r\n") ==
        start + "<sup>[1]</sup> and<sup>[2]</sup>.");
  // The claim ends after one character outside the BMP and eight others.
  for (const auto& [unit, end] : {std::pair{"utf8", "12"}, {"utf16", "10"}, {"codepoint", "9"}}) {
    const message answer = setup.ask(with_fields(std::string("X-Citestream-Offsets: ") + unit + "\r\n"));
    CHECK(answer.body.find(std::string("\"offsets\":\"") + unit + "\"") != std::string::npos);
    CHECK(answer.body.find(std::string("\"start\":") + end + ",") != std::string::npos);
  }
  CHECK(text(setup, "X-Citestream-Bypass: 0\r\n") == start + " and [2].");
}

TEST_CASE("a bypass request gets the upstream's answer byte for byte") {
  kept_requests seen(streamed());
  const proxied setup(seen.script(), [](citestream::proxy_options& options) {
    default_route(options).requests.provenance = true;
    default_route(options).requests.inline_citations = true;
  });
  const std::string body =
      R"({"messages":[{"role":"tool","tool_call_id":"t","content":"found"}],"tools":[{"type":"graph","function":{}}]})";
  const message passed = setup.ask(
      "POST /v1/chat HTTP/1.1\r\nHost: proxy\r\nContent-Type: application/json\r\nX-Citestream-Bypass: 1\r\n"
      "Content-Length: " +
      std::to_string(body.size()) + "\r\n\r\n" + body);
  CHECK(event_stream_head + chunk(passed.body) + "0\r\n\r\n" == streamed());
  CHECK(passed.has("X-Citestream: bypassed"));
  CHECK(seen.last().head.find("Content-Length: " + std::to_string(body.size())) != std::string::npos);
  CHECK(setup.server.metrics().requests.changed == 0);
  CHECK(
      setup.server.metrics().answers.bypassed[static_cast<std::size_t>(citestream::bypass_reason::option)] ==
      1);
}

TEST_CASE("a request cannot switch off egress that its route enforces") {
  const std::string body = delta("See [a](https://evil.exa") + delta("mple/q) [x](f1).") + finish() + done;
  const std::string stream = event_stream_head + chunk(body) + "0\r\n\r\n";
  using citestream::egress_mode;
  for (const egress_mode mode : {egress_mode::enforce, egress_mode::report}) {
    const proxied setup(answer_all(stream), [&](citestream::proxy_options& options) {
      default_route(options).session.egress = mode;
    });
    const message asked = setup.ask(with_fields("X-Citestream-Style: keep\r\n"));
    CHECK(asked.body.find(R"("egress":[{"choice":0,"kind":"link","reason":"not_allowed")") !=
          std::string::npos);
    const message passed = setup.ask(with_fields("X-Citestream-Bypass: 1\r\n"));
    const bool enforced = mode == egress_mode::enforce;
    CHECK(text_of(asked.body) == (enforced ? "See [a]\\\\(https[://]evil[.]example/q) [x](f1)."
                                           : "See [a](https://evil.example/q) [x](f1)."));
    CHECK((passed.body == body) == !enforced);
    if (enforced) CHECK(text_of(passed.body) == "See [a]\\\\(https[://]evil[.]example/q) [x](f1).");
    CHECK(passed.body.find("\"citestream\"") == std::string::npos);
    CHECK(passed.has("X-Citestream: bypassed") == !enforced);
  }
}

TEST_CASE("options for the proxy are not forwarded even if they have no effect") {
  for (const bool counts : {true, false}) {
    kept_requests seen(streamed());
    const proxied setup(seen.script(),
                        [&](citestream::proxy_options& options) { options.request_options = counts; });
    const std::string lines =
        "X-Citestream-Style: numeric\r\nX-Citestream-Offsets: utf8\r\nX-CITESTREAM-Bypass: 0\r\n"
        "X-Citestreams: mine\r\n";
    CHECK(text(setup, lines).ends_with(counts ? " [1] and [2]." : " A claim and [2]."));
    CHECK(seen.last().head.find("X-Citestream-") == std::string::npos);
    CHECK(seen.last().head.find("CITESTREAM-") == std::string::npos);
    CHECK(seen.last().head.find("X-Citestreams: mine\r\n") != std::string::npos);
  }
}

TEST_CASE("request options do not change which answers are rewritten") {
  const std::string plain = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 7\r\n\r\n[x](f1)";
  const proxied setup(answer_all(plain));
  const message answer = setup.ask(with_fields("X-Citestream-Style: numeric\r\n"));
  CHECK(answer.body == "[x](f1)");
  CHECK_FALSE(setup.ask(with_fields("X-Citestream-Bypass: 1\r\n")).has("X-Citestream: bypassed"));
}

TEST_CASE("an invalid option is a 400 that names it and is not forwarded") {
  const proxied setup(answer_all(streamed()));
  std::string names;
  for (const citestream::style* one : citestream::styles())
    names.append(names.empty() ? "" : ", ").append(one->name);
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"X-Citestream-Style: bold\r\n", "X-Citestream-Style must be one of " + names},
      {"X-Citestream-Style: numeric \"\r\n", "X-Citestream-Style must be one of"},
      {"X-Citestream-Style:\r\n", "X-Citestream-Style must be one of"},
      {"X-Citestream-Markers: link, foot\r\n", "must be a comma-separated list of "},
      {"X-Citestream-Markers: ,\r\n", "X-Citestream-Markers must be a comma-separated list of"},
      {"X-Citestream-Offsets: bytes\r\n", "X-Citestream-Offsets must be one of utf8, utf16, codepoint"},
      {"X-Citestream-Bypass: yes\r\n", "X-Citestream-Bypass must be 1 or 0"},
      {"X-Citestream-Sytle: strip\r\n",
       "unknown X-Citestream field: there are -Style, -Markers, -Offsets and -Bypass"},
      {"X-Citestream-Bypass: 1\r\nx-citestream-bypass: 0\r\n", "is repeated"}};
  for (const auto& [lines, message_part] : wrong) {
    INFO(lines);
    const message answer = setup.ask(with_fields(lines));
    CHECK(answer.status() == 400);
    CHECK(answer.has("Content-Type: application/json"));
    CHECK(answer.body.find(message_part) != std::string::npos);
    CHECK(answer.body.find("\"type\":\"invalid_request_error\",\"code\":\"invalid_request_option\"") !=
          std::string::npos);
  }
  CHECK(setup.up.connections() == 0);
}
