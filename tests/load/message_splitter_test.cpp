// The plain reader of binary messages, compared with the library's decoder.
#include "load/message_splitter.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/messages.hpp"
#include "support/strings.hpp"

using namespace citestream_tests;
using citestream::load::message_splitter;
using citestream::load::stream_item;

namespace {

/// The events, as text, of a stream read \p size bytes at a time.
std::vector<std::string> split(std::string_view stream, std::size_t size) {
  message_splitter reader(200);
  std::vector<std::string> out;
  for (const std::string_view piece : cut_every(stream, size)) {
    reader.feed(piece);
    for (stream_item item; reader.next(item);) {
      out.push_back(std::string(item.type) + "|" + std::string(item.data));
      if (item.what == stream_item::kind::damaged) out.back() = "damaged";
      if (item.what == stream_item::kind::too_large) out.back() = "too large";
    }
  }
  if (reader.ended_inside_event()) out.emplace_back("cut");
  return out;
}

std::string exception() {
  std::string out;
  citestream::append_exception_message("throttlingException", R"({"message":"m"})", out);
  return out;
}

}  // namespace

TEST_CASE("messages are read at every cut up to one that is damaged or large or cut") {
  const std::string first = message("messageStart", R"({"role":"assistant"})");
  const std::string second = message("contentBlockDelta", R"({"delta":{"text":"a"}})");
  const std::vector<std::string> read{R"(messageStart|{"role":"assistant"})",
                                      R"(contentBlockDelta|{"delta":{"text":"a"}})"};
  struct example {
    std::string more;
    std::vector<std::string> seen;
  };
  std::string damaged = first;
  damaged[first.size() - 6] ^= 1;
  std::string lengths = first;
  lengths[3] ^= 1;
  for (const auto& [more, seen] :
       {example{{}, {}}, example{exception(), {R"(error|{"message":"m"})"}},
        example{damaged + first, {"damaged"}}, example{lengths + first, {"damaged"}},
        example{first.substr(0, 20), {"cut"}},
        example{message("metadata", std::string(200, ' ')) + first, {"too large"}}}) {
    const std::string stream = first + second + more;
    std::vector<std::string> expected = read;
    expected.insert(expected.end(), seen.begin(), seen.end());
    for (std::size_t size = 1; size <= stream.size(); ++size) CHECK(split(stream, size) == expected);
  }
}
