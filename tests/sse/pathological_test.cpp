// Work is linear in the bytes, whatever they are: the time at four times the size is within five times.
#include <citestream/sse/decoder.hpp>

#include <algorithm>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

namespace {

std::size_t decode(citestream::sse_decoder& decoder, std::string_view stream, std::size_t piece) {
  decoder.reset();
  citestream::sse_item item;
  std::size_t bytes = 0;
  for (std::size_t at = 0; at < stream.size(); at += piece) {
    decoder.feed(stream.substr(at, piece));
    while (decoder.next(item)) bytes += item.raw.size();
  }
  decoder.finish();
  while (decoder.next(item)) bytes += item.raw.size();
  return bytes;
}

/// The best of several runs, the first of which warms the decoder: noise only ever adds.
double seconds(citestream::sse_decoder& decoder, std::string_view stream, std::size_t piece) {
  REQUIRE(decode(decoder, stream, piece) == stream.size());
  double best = 1e9;
  for (int run = 0; run < 3; ++run) {
    const std::clock_t start = std::clock();  // the processor's time: others may be busy meanwhile
    (void)decode(decoder, stream, piece);
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

std::string repeated(std::string_view part, std::size_t bytes) {
  std::string out;
  out.reserve(bytes + part.size());
  while (out.size() < bytes) out += part;
  return out;
}

void check_linear(const std::function<std::string(std::size_t)>& make, std::size_t bytes, std::size_t piece,
                  std::size_t max_event_bytes) {
  const std::string small = make(bytes);
  const std::string large = make(4 * bytes);
  citestream::sse_decoder decoder(max_event_bytes);
  double ratio = 0;
  double best_large = 1e9;
  double best_small = 1e9;
  for (int attempt = 0; attempt < 8; ++attempt) {  // a machine that was busy once is asked again
    best_large = std::min(best_large, seconds(decoder, large, piece));
    best_small = std::min(best_small, seconds(decoder, small, piece));
    // The clock ticks in microseconds; what takes less than a tick counts as one.
    ratio = best_large / std::max(best_small, 1e-6);
    // Quadratic would be 16. What goes at nearly the memory's speed is linear, though the smaller stream may
    // fit a cache and the larger not.
    if (best_large < 2e-9 * static_cast<double>(large.size())) ratio = 4;
    if (ratio <= 8) break;
  }
  CHECK(ratio <= 8);
}

}  // namespace

TEST_CASE("hostile streams take time in proportion to their size") {
  const auto endless_of = [](std::string_view start, std::string_view part) {
    return [=](std::size_t bytes) { return std::string(start) + repeated(part, bytes); };
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
    for (const std::size_t bound : {1U << 16, 1U << 24}) {  // most bytes pass; all of them are kept
      INFO("bound " << bound);
      check_linear(make, 1 << 19, 4 << 10, bound);
      check_linear(make, 1 << 19, 16 << 20, bound);
      check_linear(make, 1 << 17, 1, bound);
    }
  }
}
