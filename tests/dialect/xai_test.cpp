// xAI. Its payloads are in golden/xai.md.
#include <citestream/dialect/dialect.hpp>

#include <string>

#include <catch2/catch.hpp>

using namespace citestream;

TEST_CASE("xAI is recognised by its model or its list of addresses only") {
  document doc;
  const auto is_xai = [&](const std::string& payload) {
    REQUIRE_FALSE(doc.parse(payload));
    return find_dialect("xai")->recognise(doc.root(), payload_kind::event);
  };
  CHECK(is_xai(R"({"object":"chat.completion.chunk","model":"grok-4","choices":[]})"));
  CHECK(is_xai(R"({"choices":[],"citations":["https://a.org"]})"));
  CHECK_FALSE(is_xai(R"({"object":"chat.completion.chunk","model":"my-grok-4","choices":[]})"));
  CHECK_FALSE(is_xai(R"({"model":"grok-4","choices":{}})"));
  CHECK_FALSE(is_xai(R"({"choices":[],"citations":[]})"));
  CHECK_FALSE(is_xai(R"({"choices":[],"citations":[{"url":"https://a.org"}]})"));
  CHECK_FALSE(is_xai(R"({"choices":[],"citations":"https://a.org"})"));
}

TEST_CASE("an address of xAI is numbered by its position in the list") {
  document doc;
  dialect_event event;
  REQUIRE_FALSE(doc.parse(R"({"choices":[],"citations":["https://a.org",null,7,"https://b.org"]})"));
  REQUIRE(find_dialect("xai")->read(doc.root(), payload_kind::event, event));
  REQUIRE_FALSE(event.references.empty());
  CHECK(event.references.front().ref.url == "https://a.org");
  CHECK(event.references.front().ref.number == 1);
  CHECK(event.references.back().ref.url == "https://b.org");
  CHECK(event.references.back().ref.number == 4);
}
