#include "proxy/stream_tracking.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

using citestream::event_gap;

namespace {

struct piece {
  std::string sent;
  bool gap;
};

const std::vector<piece> endings{
    {"", true},
    {"\n", true},
    {": ping\n", true},
    {": ping\r\n", true},
    {": ping\r", true},
    {": ping", false},
    {":\n", true},
    {"data: a\n\n", true},
    {"data: a\r\n\r\n", true},
    {"data: a\r\r", true},
    {"data: a\r\n\r", true},
    {"data: a\n\n: ping\n", true},
    {"data: a\n\n: ping\n: pong\n", true},
    {"data: a\n\n: ping\nid: 1\n", false},
    {"data: a", false},
    {"data: a\n", false},
    {"data: a\r\n", false},
    {"data: a\r", false},
    {"data: a\n: inside\n", false},
    {"data: a\r\n: inside\r\n", false},
    {"data: a\n: inside\n\n", true},
    {"data: a\r\n\n", true},
    {"data: a\r\n\ndata: b\r", false},
    {"data: a\n\ndata: b\n\n\ndata: c", false},
    {"data: a\n\ndata: b\r\rdata: c\r\n", false},
    {"\n\n: ping", false},
};

/// A simple reference implementation that reads byte by byte from the start.
bool gap_after(std::string_view sent) {
  bool open = false;     // inside an event
  bool in_line = false;  // inside a line
  for (std::size_t i = 0; i < sent.size(); ++i) {
    const bool ends = sent[i] == '\n' || sent[i] == '\r';
    if (sent[i] == '\n' && i > 0 && sent[i - 1] == '\r') continue;
    if (ends && !in_line) open = false;
    if (!ends && !in_line) open = open || sent[i] != ':';
    in_line = !ends;
  }
  return !open && !in_line;
}

}  // namespace

TEST_CASE("a comment is allowed only between events for every cut of the stream") {
  for (const piece& one : endings) {
    INFO(one.sent);
    for (std::size_t cut = 0; cut <= one.sent.size(); ++cut) {
      event_gap gap;
      gap.feed(one.sent.substr(0, cut));
      gap.feed(one.sent.substr(cut));
      CHECK(gap.between_events() == one.gap);
    }
    event_gap bytewise;
    for (const char byte : one.sent) bytewise.feed(std::string(1, byte));
    CHECK(bytewise.between_events() == one.gap);
  }
}

TEST_CASE("comments are not allowed once the end mark of the stream was sent") {
  for (const std::string end :
       {"data: [DONE]\n\n", "data:[DONE]\r\n\r\n", "data: \t[DONE] \r\r", "data: [DONE]\n"}) {
    event_gap gap;
    gap.feed("data: a\n\n" + end);
    CHECK_FALSE(gap.between_events());
    gap.feed("\n: ping\n\n");
    CHECK_FALSE(gap.between_events());
  }
  for (const std::string text :
       {"data: {\"a\":\"[DONE]\"}\n\n", "data: [DONE]a\n\n", ": [DONE]\n\n", "[DONE]\n\n"}) {
    event_gap gap;
    gap.feed(text);
    CHECK(gap.between_events());
  }
}

TEST_CASE("comments are allowed in the right places for all short texts in two pieces") {
  constexpr std::string_view letters = "\n\r:a";
  for (std::size_t number = 0; number < 4 * 4 * 4 * 4 * 4 * 4 * 4; ++number) {
    std::string sent;
    for (std::size_t rest = number; sent.size() < 7; rest /= 4) sent += letters[rest % 4];
    bool same = true;
    for (std::size_t cut = 0; cut <= sent.size(); ++cut) {
      event_gap gap;
      gap.feed(std::string_view(sent).substr(0, cut));
      gap.feed(std::string_view(sent).substr(cut));
      same = same && gap.between_events() == gap_after(sent);
    }
    INFO(sent);
    REQUIRE(same);
  }
}

TEST_CASE("the name of a model is the value of a key") {
  using citestream::model_in;
  CHECK(model_in(R"({"id":"1","model":"gpt-4o"})") == "gpt-4o");
  CHECK(model_in(R"({"model" : "gpt-4o"})") == "gpt-4o");
  CHECK(model_in(R"({"owned_by":"model","model":"gpt-4o"})") == "gpt-4o");
  CHECK(model_in(R"({"model":{"id":1},"model":null,"model":"m"})") == "m");
  CHECK(model_in(R"(["model","gpt-4o"])").empty());
  CHECK(model_in(R"(["model" "gpt-4o"])").empty());
  CHECK(model_in(R"({"a":"model","b":"x"})").empty());
  CHECK(model_in(R"({"model")").empty());
  CHECK(model_in(R"({"model":)").empty());
}
