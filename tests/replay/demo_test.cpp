// The demonstration answers.
#include "replay/demo.hpp"

#include <citestream/chunk/document.hpp>

#include <map>
#include <string>

#include <catch2/catch.hpp>

using citestream::document;
using citestream::json_value;
using citestream::recording;

namespace {

/// The joined answers of a demonstration, and its references.
struct told {
  std::map<std::int64_t, std::string> text;
  std::map<std::int64_t, std::string> references;
  std::map<std::int64_t, int> finished;
  int switches{};  // from one choice to another
};

void listen(json_value choice, std::int64_t& last, told& out) {
  const std::int64_t index = choice["index"].integer().value_or(-1);
  out.switches += index != last ? 1 : 0;
  last = index;
  CHECK(choice["message"].raw() == choice["delta"].raw());
  const json_value delta = choice["delta"];
  CHECK((delta["content"].is_string() || delta["content"].is_null()));
  CHECK(delta["content"].string().find("](") == std::string_view::npos);  // a marker is cut
  out.text[index] += delta["content"].string();
  if (!choice["finish_reason"].is_string()) return;
  ++out.finished[index];
  CHECK(delta["content"].is_null());
  out.references[index] = delta["graph_data"]["references"].raw();
}

told listen(const recording& from) {
  told out;
  std::int64_t last = 0;
  for (const auto& piece : from.pieces()) {
    document json;
    REQUIRE(piece.bytes.starts_with("data: {"));
    REQUIRE(piece.bytes.ends_with("}\n\n"));
    const auto error = json.parse(std::string_view(piece.bytes).substr(6));
    REQUIRE_FALSE(error);
    CHECK(json.root()["model"].string() == from.name());
    if (const json_value choice = json.root()["choices"][0]) {
      listen(choice, last, out);
      CHECK_FALSE(json.root()["choices"][1]);
    } else {
      CHECK(json.root()["usage"]["completion_tokens"].integer().value_or(0) > 20);
    }
  }
  return out;
}

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a demonstration is done in ten seconds at a steady pace") {
  const auto all = citestream::demo_recordings();
  REQUIRE(all.size() == 3);
  CHECK(all[0].name() == "demo");
  CHECK(all[1].name() == "demo-two-choices");
  CHECK(all[2].name() == "demo-unresolved");
  for (const recording& each : all) {
    CHECK(each.timed());
    CHECK(each.pieces().size() > 30);
    CHECK(each.pieces().back().seconds < 9);
    double before = each.pieces().front().seconds;
    for (const auto& piece : each.pieces()) {
      CHECK(piece.seconds - before < 0.045);
      CHECK((&piece == &each.pieces().front() || piece.seconds - before > 0.010));
      before = piece.seconds;
    }
  }
}

TEST_CASE("the first demonstration cites files and the web and not one reference") {
  const told one = listen(citestream::demo_recordings()[0]);
  REQUIRE(one.finished.at(0) == 1);
  CHECK(holds(one.text.at(0), "[Aurora_4_Datasheet.pdf](7c9e6679-7425-40de-944b-e07fc1f90ae7)"));
  CHECK(holds(one.text.at(0), "([Service_Manual.pdf](16fd2706-8baf-433b-82eb-8c7fada847da))"));
  CHECK(holds(one.text.at(0), "(https://example.org/tests/heat_pumps_(2025))"));
  for (const char* part : {"\"cite\":\"7c9e6679-7425-40de-944b-e07fc1f90ae7\"", "\"page\":41",
                           "\"score\":0.94", "\"cite\":\"16fd2706-8baf-433b-82eb-8c7fada847da\"",
                           "\"cite\":null", "\"url\":\"https://example.org/tests/heat_pumps_(2025)\""}) {
    CHECK(holds(one.references.at(0), part));
  }
}

TEST_CASE("the second demonstration interleaves two choices with references of their own") {
  const told two = listen(citestream::demo_recordings()[1]);
  CHECK(two.finished == std::map<std::int64_t, int>{{0, 1}, {1, 1}});
  CHECK(two.switches > 20);
  CHECK(holds(two.text.at(0), "](16fd2706-8baf-433b-82eb-8c7fada847da)"));
  CHECK_FALSE(holds(two.references.at(0), "https://"));
  CHECK(holds(two.text.at(1), "](https://example.com/survey?year=2025)"));
  CHECK(holds(two.references.at(1), "https://example.com/survey?year=2025"));
}

TEST_CASE("the third demonstration cites what no reference knows") {
  const told three = listen(citestream::demo_recordings()[2]);
  CHECK(holds(three.text.at(0), "[Warranty_Terms.pdf](00000000-0000-4000-8000-000000000000)"));
  CHECK_FALSE(holds(three.references.at(0), "00000000-0000-4000-8000-000000000000"));
  CHECK(holds(three.references.at(0), "16fd2706-8baf-433b-82eb-8c7fada847da"));
}
