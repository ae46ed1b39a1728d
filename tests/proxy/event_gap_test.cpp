#include "proxy/event_gap.hpp"

#include <string>
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
};

}  // namespace

TEST_CASE("a comment may follow where no event is open however the stream is cut") {
  for (const piece& one : endings) {
    INFO(one.sent);
    for (std::size_t cut = 0; cut <= one.sent.size(); ++cut) {
      event_gap gap;
      gap.feed(one.sent.substr(0, cut));
      gap.feed(one.sent.substr(cut));
      CHECK(gap.here() == one.gap);
    }
    event_gap bytewise;
    for (const char byte : one.sent) bytewise.feed(std::string(1, byte));
    CHECK(bytewise.here() == one.gap);
  }
}
