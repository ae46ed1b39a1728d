// Work is linear in the input for any bytes.
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "framing/sse_decoder.hpp"
#include "support/linear.hpp"
#include "support/strings.hpp"

using namespace citestream_tests;

namespace {

std::size_t decode(citestream::sse_decoder& decoder, std::string_view stream, std::size_t piece) {
  decoder.reset();
  citestream::frame item;
  std::size_t bytes = 0;
  for (std::size_t at = 0; at < stream.size(); at += piece) {
    decoder.feed(stream.substr(at, piece));
    while (decoder.next(item)) bytes += item.raw.size();
  }
  decoder.finish();
  while (decoder.next(item)) bytes += item.raw.size();
  return bytes;
}

preparation decoding(const std::function<std::string(std::size_t)>& make, std::size_t piece,
                     std::size_t max_event_bytes) {
  return [=](std::size_t bytes) {
    const auto decoder = std::make_shared<citestream::sse_decoder>(max_event_bytes);
    return [=, stream = make(bytes)] { REQUIRE(decode(*decoder, stream, piece) == stream.size()); };
  };
}

}  // namespace

TEST_CASE("hostile streams are decoded in linear time") {
  const auto endless_of = [](std::string_view start, std::string_view part) {
    return [=](std::size_t bytes) { return std::string(start) + repeated_to(bytes, part); };
  };
  const std::pair<const char*, std::function<std::string(std::size_t)>> hostile[] = {
      {"CR only", endless_of("", "\r")},
      {"LF only", endless_of("", "\n")},
      {"lines ended by CR", endless_of("", "data: x\r")},
      {"events ended by CR", endless_of("", "data: x\r\r")},
      {"one comment", endless_of(":", "x")},
      {"comments", endless_of("", ":x\r\n")},
      {"comments in a block", endless_of("data: x\n", ":\n")},
      {"one field", endless_of("data: ", "x")},
      {"one unknown field", endless_of("", "x")},
      {"empty data lines", endless_of("", "data\n")},
      {"ids", endless_of("", "id:1\n")},
  };
  for (const auto& [name, make] : hostile) {
    INFO(name);
    for (const std::size_t bound : {1U << 11, 1U << 24}) {  // most bytes pass; all of them are kept
      INFO("bound " << bound);
      check_linear(1 << 14, decoding(make, 4 << 10, bound));
      check_linear(1 << 14, decoding(make, 16 << 20, bound));
      check_linear(1 << 12, decoding(make, 1, bound));
    }
  }
}
