// Mistral. Its payloads are in golden/mistral.md.
#include <citestream/dialect/dialect.hpp>

#include <string>

#include <catch2/catch.hpp>

using namespace citestream;

TEST_CASE("each text part of Mistral's content is text and references keep their order") {
  const std::string payload =
      R"({"choices":[{"index":2,"delta":{"content":[{"type":"reference","reference_ids":[3]},{"type":"text","text":"a"},)"
      R"({"type":"reference","reference_ids":[0,"k"]}]}}]})";
  document doc;
  dialect_event event;
  REQUIRE_FALSE(doc.parse(payload));
  REQUIRE(find_dialect("mistral")->recognise(doc.root(), payload_kind::event));
  REQUIRE(find_dialect("mistral")->read(doc.root(), payload_kind::event, event));
  REQUIRE(event.choices.size() == 1);
  const choice_event& choice = event.choices[0];
  CHECK(choice.choice == 2);
  CHECK(choice.text == "a");
  CHECK(choice.holder.content_key == "text");
  CHECK(event.cited == std::vector<std::string>{"3", "0", "k"});
  CHECK(choice.cited.begin == 0);
  CHECK(choice.cited.text == 1);
  CHECK(choice.cited.end == 3);
}

TEST_CASE("other parts do not change how Mistral's event is read") {
  document doc;
  dialect_event event;
  for (const char* part :
       {R"({"type":"image_url","image_url":"x"})", R"({"type":"text"})", R"({})", "1", "null"}) {
    CAPTURE(part);
    const std::string payload = R"({"choices":[{"index":0,"delta":{"content":[{"type":"text","text":"a"},)" +
                                std::string(part) + "]}}]}";
    REQUIRE_FALSE(doc.parse(payload));
    if (!find_dialect("mistral")->read(doc.root(), payload_kind::event, event))
      continue;  // it passes through
    std::string text;
    for (const choice_event& choice : event.choices) text += choice.text;
    CHECK(text == "a");
    CHECK(event.cited.empty());
  }
}
