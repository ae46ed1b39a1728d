// A request is read in linear time.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "provenance/rewritten.hpp"
#include "support/linear.hpp"
#include "support/strings.hpp"

using namespace citestream_tests;

namespace {

constexpr std::size_t large_text = 4000;

preparation reading(const std::function<std::string(std::size_t)>& make) {
  return [make](std::size_t size) {
    const auto out = std::make_shared<std::string>();
    return [out, body = make(size)] {
      std::vector<citestream::reference> sources;
      out->clear();
      REQUIRE_FALSE(citestream::add_provenance(body, {}, *out, sources));
    };
  };
}

}  // namespace

TEST_CASE("a result with n tag openings is processed in linear time") {
  check_linear(large_text, reading([](std::size_t n) {
                 return lone_result(citestream::json_string(repeated("[REF|", n)));
               }));
  check_linear(large_text, reading([](std::size_t n) {
                 return lone_result(citestream::json_string(repeated("[REF|", n) + repeated("d]", n)));
               }));
  check_linear(large_text, reading([](std::size_t n) {
                 return lone_result(citestream::json_string("[REF|" + repeated("x", 5 * n)));
               }));
  check_linear(large_text, reading([](std::size_t n) {
                 return lone_result(citestream::json_string("[REF|d_1]" + repeated("[", 5 * n)));
               }));
}

TEST_CASE("an object with n texts is processed in linear time") {
  const auto object = [](std::string_view members) {
    return R"({"contents":[{"parts":[{"functionResponse":{"name":"t","response":{"output":"x",)" +
           std::string(members) + "}}}]}]}";
  };
  check_linear(large_text, reading([=](std::size_t n) {
                 return object(R"("a":[)" + repeated(R"("[REF|d_1]\u00e9")", n, ",") + "]");
               }));
  check_linear(
      200, reading([=](std::size_t n) {
        return object(R"("a":)" + repeated(R"({"[REF|":")" + std::string(100, '[') + R"("},"b":)", n) + "1");
      }));
}

TEST_CASE("n results with n calls are processed in linear time") {
  check_linear(200, reading([](std::size_t n) { return messages(repeated(result("c", R"("x")"), n, ",")); }));
  check_linear(200, reading([](std::size_t n) {
                 std::string list;
                 for (std::size_t i = 0; i < n; ++i) list += call(std::to_string(i), "t") + ",";
                 for (std::size_t i = 0; i < n; ++i)
                   list += result(std::to_string(i), R"("[REF|d_1]\nx")") + ",";
                 return messages(list + "1");
               }));
}

TEST_CASE("content with n parts is processed in linear time") {
  check_linear(200, reading([](std::size_t n) {
                 return lone_result("[" + repeated(R"({"type":"text","text":"x"})", n, ",") + "]");
               }));
  check_linear(
      200, reading([](std::size_t n) {
        return messages(repeated(R"({"role":"system","content":[1]})", n, ",") + "," + result("c", R"("x")"));
      }));
}
