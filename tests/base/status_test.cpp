#include <citestream/base/status.hpp>

#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

#include <catch2/catch.hpp>

namespace {

using citestream::errc;

constexpr int last_code = static_cast<int>(errc::damaged_message);
constexpr int unused_code = 6;  // the numbers of the C interface have a gap

std::string_view message_of(int code) {
  return citestream::message(static_cast<errc>(code));
}

}  // namespace

TEST_CASE("every error code has a message of its own on one line") {
  std::set<std::string_view> seen{message_of(last_code + 1)};  // the message of unknown codes
  for (int code = 0; code <= last_code; ++code) {
    if (code == unused_code) continue;
    const std::string_view text = message_of(code);
    INFO("code " << code << ": " << text);
    REQUIRE_FALSE(text.empty());
    CHECK(seen.insert(text).second);
    CHECK(text.find('\n') == std::string_view::npos);
    CHECK(text.back() != '.');
  }
}

TEST_CASE("no error code follows the last one") {
  for (int code = last_code + 1; code <= 255; ++code) {
    REQUIRE(message_of(code) == "unknown error");
  }
}

TEST_CASE("an error code converts to a standard one") {
  STATIC_REQUIRE(std::is_convertible_v<errc, std::error_code>);
  for (int code = 0; code <= last_code; ++code) {
    const std::error_code converted = static_cast<errc>(code);
    CHECK(converted.value() == code);
    CHECK(converted.category() == citestream::error_category());
    CHECK(converted.message() == std::string(message_of(code)));
    CHECK(static_cast<bool>(converted) == (code != 0));
    CHECK(converted == static_cast<errc>(code));
  }
  CHECK(std::string_view(citestream::error_category().name()) == "citestream");
}

TEST_CASE("codes of other categories are not ours") {
  const std::error_code ours = errc::invalid_json;
  CHECK(ours != std::error_code(ours.value(), std::generic_category()));
}

TEST_CASE("a status is true if it holds an error") {
  CHECK_FALSE(citestream::status{});
  CHECK_FALSE(citestream::status{errc::ok, 12});
  CHECK(citestream::status{errc::invalid_json, 0});
}
