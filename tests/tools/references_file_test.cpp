#include "tools/references_file.hpp"

#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/parsed_json.hpp"

using citestream::reference;
using citestream::source_type;
using citestream::tools::read_references;

namespace {

std::vector<reference> references_of(std::string_view json) {
  const auto value = citestream_tests::parsed(json);
  std::vector<reference> out;
  REQUIRE(read_references(value.root(), out));
  return out;
}

bool is_refused(std::string_view json) {
  const auto value = citestream_tests::parsed(json);
  std::vector<reference> out;
  return !read_references(value.root(), out);
}

}  // namespace

TEST_CASE("references as Writer sends them are read") {
  const auto found = references_of(
      R"({"files":[{"fileId":"f","text":"t","score":0.5,"page":3,"cite":null}],"web":[{"url":"u","title":"T"}]})");
  REQUIRE(found.size() == 2);
  CHECK(found[0].type == source_type::file);
  CHECK(found[0].id == "f");
  CHECK(found[0].cite.empty());
  CHECK(found[0].score == 0.5);
  CHECK(found[0].page == 3);
  CHECK(found[1].type == source_type::web);
  CHECK(found[1].title == "T");
}

TEST_CASE("a reference keeps its citation name next to an equal id") {
  const auto found = references_of(R"({"files":[{"fileId":"f","cite":"f"}],"web":[{"cite":"w","url":"u"}]})");
  CHECK(found.at(0).cite == "f");  // as in the stream
  CHECK(found.at(1).id == "w");
  CHECK(found.at(1).cite.empty());
}

TEST_CASE("one list of references may be missing or null") {
  CHECK(references_of(R"({"files":null,"web":[{"url":"u"}]})").size() == 1);
  CHECK(references_of(R"({"files":[{"file_id":"f"}]})").size() == 1);
  CHECK(references_of(R"({"references":{"web":[]}})").empty());
}

TEST_CASE("a list of objects is read with the names that servers use") {
  const auto found = references_of(
      R"([{"type":"agent","id":"a"},{"chunk_id":"c","filename":"n","content":"t"},{"url":"https://u","snippet":"s"},)"
      R"({"file_id":"f"},"https://example.com/"])");
  REQUIRE(found.size() == 5);
  CHECK(found[0].type == source_type::agent);
  CHECK(found[1].type == source_type::document);
  CHECK(found[1].id == "c");
  CHECK(found[1].title == "n");
  CHECK(found[1].text == "t");
  CHECK(found[2].type == source_type::web);
  CHECK(found[2].text == "s");
  CHECK(found[3].type == source_type::file);
  CHECK(found[4].url == "https://example.com/");
  CHECK(found[4].number == 5);
}

TEST_CASE("a text that is not an address is the content of the source") {
  const std::string two_lines = "A\\nB";
  const std::string at_most(80, 'x');
  const auto found = references_of(R"(["Acme revenue grew 12% in 2023.","HTTPS://a.org","https://",")" +
                                   two_lines + "\",\"" + at_most + "\",\"" + at_most + "y\"]");
  REQUIRE(found.size() == 6);
  CHECK(found[0].type == source_type::document);
  CHECK(found[0].text == "Acme revenue grew 12% in 2023.");
  CHECK(found[0].title == found[0].text);
  CHECK(found[0].url.empty());
  CHECK(found[1].type == source_type::web);
  CHECK(found[1].url == "HTTPS://a.org");
  CHECK(found[1].text.empty());
  CHECK(found[2].type == source_type::document);
  CHECK(found[3].text == "A\nB");
  CHECK(found[3].title.empty());
  CHECK(found[4].title == at_most);
  CHECK(found[5].title.empty());
  CHECK(found[5].text == at_most + "y");
}

TEST_CASE("a page and a score may be written as texts") {
  const auto found = references_of(
      R"([{"id":"a","page":"4","score":"0.5"},{"id":"b","page":"iv","score":"nan"},{"id":"c","page":"4-5","score":"inf"},)"
      R"({"id":"d","page":" 4","score":"high"}])");
  REQUIRE(found.size() == 4);
  CHECK(found[0].page == 4);
  CHECK(found[0].score == 0.5);
  for (std::size_t i = 1; i < found.size(); ++i) {
    CHECK_FALSE(found[i].page);
    CHECK_FALSE(found[i].score);
  }
}

TEST_CASE("references keyed by their citation names are read") {
  const auto found = references_of(
      R"({"0":{"url":"https://a.org","title":"A","snippets":[["one","two"]],"description":null},"d_1":{"id":"x","name":"B"}})");
  REQUIRE(found.size() == 2);
  CHECK(found[0].id == "0");
  CHECK(found[0].type == source_type::web);
  CHECK(found[0].text == "one\ntwo");
  CHECK_FALSE(found[0].number);
  CHECK(found[1].id == "x");
  CHECK(found[1].cite == "d_1");
}

TEST_CASE("a list may be wrapped under any name that servers use") {
  for (const char* json : {R"({"sources":[{"title":"A"}]})", R"({"citations":{"results":[{"title":"A"}]}})",
                           R"({"references":{"k":{"title":"A"}}})", R"(["A"])"}) {
    INFO(json);
    const auto found = references_of(json);
    REQUIRE(found.size() == 1);
    CHECK(found[0].title == "A");
  }
}

TEST_CASE("anything but a list of references is rejected") {
  for (const char* json : {R"({"a":"b"})", R"({"title":"A"})", R"({"a":{"x":1}})", R"({"references":{}})",
                           "1", "null", "{}", R"({"a":1})", R"({"files":1})", "[1]", R"({"web":[[]]})"}) {
    INFO(json);
    CHECK(is_refused(json));
  }
}
