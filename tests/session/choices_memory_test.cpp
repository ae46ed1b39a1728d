// Memory of a stream with many choices, measured with a byte counter.
#include <citestream/session/session.hpp>

#include <functional>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "support/counted_new.hpp"

using namespace citestream;
using citestream_tests::live_bytes;

namespace {

constexpr std::size_t megabyte = 1'000'000;
constexpr std::size_t large = 3'900'000;

std::string choice(std::size_t number, std::string_view text) {
  return R"({"index":)" + std::to_string(number) + R"(,"delta":{"content":")" + std::string(text) +
         R"("},"finish_reason":null})";
}

/// One event with the choices [first, last), padded to a size.
std::string event(std::size_t first, std::size_t last, std::size_t size, std::string_view text = "a [b") {
  std::string choices;
  for (std::size_t i = first; i < last; ++i) choices += (i > first ? "," : "") + choice(i, text);
  const std::string start = R"(data: {"object":"chat.completion.chunk","choices":[)" + choices + "]";
  const std::size_t padding = size > start.size() + 20 ? size - start.size() - 20 : 0;
  return start + R"(,"pad":")" + std::string(padding, 'x') + "\"}\n\n";
}

/// The memory that a session keeps for a stream, and its output.
struct kept_bytes {
  std::size_t before_end{};
  std::string out;
};

kept_bytes run(const std::function<std::string(std::size_t)>& part, std::size_t parts) {
  kept_bytes result;
  const std::size_t before = live_bytes;
  session one;
  for (std::size_t i = 0; i < parts; ++i) {
    std::string out;
    CHECK_FALSE(one.write(part(i), out));
    std::string().swap(out);
  }
  result.before_end = live_bytes - before;
  static_cast<void>(one.finish(result.out));
  return result;
}

}  // namespace

TEST_CASE("an event with many choices is stored once") {
  const kept_bytes one = run([](std::size_t) { return event(0, 1, large); }, 1);
  const kept_bytes all = run([](std::size_t) { return event(0, 128, large); }, 1);
  CHECK(all.before_end < one.before_end + 4 * megabyte);
  // Held text is sent in small events.
  CHECK(all.out.size() < megabyte);
  std::size_t texts = 0;
  for (std::size_t at = all.out.find(" [b"); at != std::string::npos; at = all.out.find(" [b", at + 1))
    ++texts;
  CHECK(texts == 128);
}

TEST_CASE("events of many choices are stored up to a limit and lose no text") {
  const kept_bytes one = run([](std::size_t) { return event(0, 1, large); }, 1);
  std::string sent;
  const std::size_t before = live_bytes;
  session many;
  for (std::size_t i = 0; i < 128; ++i) {
    std::string out;
    CHECK_FALSE(many.write(event(i, i + 1, large), out));
    sent += out.substr(0, 200);  // the texts
  }
  CHECK(live_bytes - before - sent.capacity() < one.before_end + 8 * megabyte);
  static_cast<void>(many.finish(sent));
  std::size_t texts = 0;
  for (std::size_t at = sent.find(" [b"); at != std::string::npos; at = sent.find(" [b", at + 1)) ++texts;
  CHECK(texts == 128);
}

TEST_CASE("an event with too many choices passes through unchanged and is counted") {
  const std::string plain = event(0, 1, 0, "a");
  for (const std::size_t choices : {129U, 60'000U}) {
    const std::string stream = plain + event(0, choices, 0, "x [A](b)");
    session one;
    std::string out;
    CHECK_FALSE(one.write(stream, out));
    CHECK(out == stream);
    CHECK(one.choices() == 1);
    CHECK(one.statistics().passed_through == 1);
  }
  session one;
  std::string out;
  CHECK_FALSE(one.write(event(0, 128, 0, "x [A](b)"), out));
  CHECK(out.find("[A](b)") == std::string::npos);
  CHECK(one.choices() == 128);
}

TEST_CASE("a body with too many choices passes through unchanged and is counted") {
  std::string body = R"({"object":"chat.completion","choices":[)";
  for (std::size_t i = 0; i < 129; ++i) {
    body += (i > 0 ? R"(,{"index":)" : R"({"index":)") + std::to_string(i);
    body += R"x(,"message":{"content":"x [A](b)"}})x";
  }
  body += "]}";
  session one;
  std::string out;
  CHECK_FALSE(one.rewrite_body(body, out));
  CHECK(out == body);
  CHECK(one.statistics().passed_through == 1);
}
