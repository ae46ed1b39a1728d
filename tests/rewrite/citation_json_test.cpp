#include <citestream/chunk/document.hpp>

#include <string>

#include <catch2/catch.hpp>

#include "rewrite/json.hpp"

using namespace citestream;

namespace {

/// A position at which the three units differ.
text_offset at(std::uint64_t codepoint) {
  return {codepoint * 4, codepoint * 2, codepoint};
}

void cite(citations& into, std::string_view label, std::string_view identifier, std::uint64_t place = 7) {
  const std::string marker = "[" + std::string(label) + "](" + std::string(identifier) + ")";
  const auto added = into.add({.label = label,
                               .identifier = identifier,
                               .marker = marker,
                               .number = into.number_of(identifier),
                               .place = {at(place), at(place + 1)},
                               .claim = {at(2), at(place)}});
  REQUIRE(added);
}

reference web(std::string url, std::string title = {}) {
  reference ref;
  ref.type = source_type::web;
  ref.url = std::move(url);
  ref.title = std::move(title);
  return ref;
}

reference file(std::string id, std::string name, std::string text = {}) {
  reference ref;
  ref.type = source_type::file;
  ref.id = id;
  ref.cite = std::move(id);
  ref.title = std::move(name);
  ref.text = std::move(text);
  return ref;
}

std::string record(const citations& from, std::size_t index, offset_unit unit = offset_unit::utf16) {
  std::string out;
  append_citation_json(from.all()[index], from, 3, unit, out);
  return out;
}

struct annotations {
  std::string json;
  std::size_t count{};
};

annotations annotate(const citations& from, std::string_view file_url = {}) {
  annotations out;
  for (std::size_t i = 0; i < from.all().size(); ++i) {
    std::string one;
    const std::string url = append_annotation_json(from, i, file_url, one);
    CHECK(url.empty() == one.empty());
    if (url.empty()) continue;
    out.json.append(out.json.empty() ? "" : ",").append(one);
    ++out.count;
  }
  document doc;
  REQUIRE_FALSE(doc.parse("[" + out.json + "]"));
  std::size_t seen = 0;
  for (json_value one = doc.root().first(); one; one = one.next(), ++seen) {
    const json_value source = one["url_citation"];
    CHECK(one["type"].string() == "url_citation");
    CHECK(source["start_index"].integer());
    CHECK(source["end_index"].integer());
    CHECK(source["url"].string().substr(0, 4) == "http");
    CHECK_FALSE(source["title"].string().empty());
  }
  CHECK(seen == out.count);
  return out;
}

}  // namespace

TEST_CASE("a pending citation has a position and no source") {
  citations from;
  cite(from, "Report", "id1");
  CHECK(
      record(from, 0) ==
      R"j({"number":1,"choice":3,"group":0,"origin":"marker","label":"Report","identifier":"id1",)j"
      R"j("marker":"[Report](id1)",)j"
      R"("start":14,"end":16,"claim_start":4,"claim_end":14,"anchor":"marker","native":null,"status":"pending",)"
      R"("source_type":null,"match":null,"references":[]})");
}

TEST_CASE("a resolved citation has its best reference and all of them") {
  citations from;
  cite(from, "", "id1");
  reference low = file("id1", "Low", "low text");
  low.score = 0.25;
  reference best = file("id1", "Best", std::string(300, 'x'));
  best.score = 0.75;
  best.page = 15;
  from.add_reference(low);
  from.add_reference(best);
  from.resolve();
  CHECK(
      record(from, 0) ==
      R"j({"number":1,"choice":3,"group":0,"origin":"marker","identifier":"id1","marker":"[](id1)","start":14,"end":16,)j"
      R"("claim_start":4,"claim_end":14,"anchor":"marker","native":null,"status":"resolved","source_type":"file","match":"exact",)"
      R"("title":"Best","file_id":"id1","page":15,"score":0.75,"snippet":")" +
          std::string(200, 'x') +
          R"(","references":[{"type":"file","id":"id1","cite":"id1","title":"Best","text":")" +
          std::string(300, 'x') + R"(","score":0.75,"page":15},)" +
          R"({"type":"file","id":"id1","cite":"id1","title":"Low","text":"low text","score":0.25}]})");
}

TEST_CASE("a record has positions in the requested unit and an annotation in code points") {
  citations from;
  cite(from, "R", "https://example.com/a");
  from.add_reference(web("https://EXAMPLE.com/a", "A"));
  from.resolve();
  document doc;
  const std::pair<offset_unit, std::int64_t> units[] = {
      {offset_unit::utf8, 28}, {offset_unit::utf16, 14}, {offset_unit::codepoint, 7}};
  for (const auto& [unit, start] : units) {
    REQUIRE_FALSE(doc.parse(record(from, 0, unit)));
    CHECK(doc.root()["start"].integer() == start);
    CHECK(doc.root()["match"].string() == "normalized");
    CHECK(doc.root()["source_type"].string() == "web");
  }
  REQUIRE_FALSE(doc.parse(annotate(from).json));
  CHECK(doc.root()["url_citation"]["start_index"].integer() == 7);
  CHECK(doc.root()["url_citation"]["end_index"].integer() == 8);
}

TEST_CASE("an annotation has all four fields") {
  citations from;
  cite(from, "Label", "https://example.com/a");
  from.add_reference(web("https://example.com/a", "Title \"quoted\""));
  from.resolve();
  CHECK(annotate(from).json == R"({"type":"url_citation","url_citation":{"start_index":7,"end_index":8,)"
                               R"("url":"https://example.com/a","title":"Title \"quoted\""}})");
}

TEST_CASE("a title falls back to the label and then to the URL") {
  citations from;
  cite(from, "Label", "https://example.com/a");
  cite(from, "", "https://example.com/b");
  from.add_reference(web("https://example.com/a"));
  from.add_reference(web("https://example.com/b"));
  from.resolve();
  const annotations out = annotate(from);
  CHECK(out.count == 2);
  CHECK(out.json.find(R"("title":"Label")") != std::string::npos);
  CHECK(out.json.find(R"("title":"https://example.com/b")") != std::string::npos);
}

TEST_CASE("only web links become annotations") {
  citations from;
  for (const char* url :
       {"javascript:alert(1)", "data:text/html,x", "ftp://example.com/", "//example.com", "https://"}) {
    cite(from, "bad", url);
    from.add_reference(web(url, "bad"));
  }
  cite(from, "good", "HTTP://example.com/x");
  from.add_reference(web("http://example.com/x", "good"));
  cite(from, "nowhere", "https://example.com/unknown");
  from.resolve();
  const annotations out = annotate(from);
  CHECK(out.count == 1);
  CHECK(out.json.find("good") != std::string::npos);
  CHECK(out.json.find("bad") == std::string::npos);
  CHECK(out.json.find("unknown") == std::string::npos);
}

TEST_CASE("files become annotations if a link to them is known") {
  citations from;
  cite(from, "F", "f 1");
  cite(from, "W", "https://example.com/a");
  from.add_reference(file("f 1", "File"));
  from.add_reference(web("https://example.com/a", "A"));
  from.resolve();
  CHECK(annotate(from).count == 1);
  CHECK(annotate(from, "ftp://x.example/{file_id}").count == 1);
  const annotations out = annotate(from, "https://x.example/{file_id}#page={page}");
  CHECK(out.count == 2);
  CHECK(out.json.find(R"("url":"https://x.example/f%201","title":"File")") != std::string::npos);
}

TEST_CASE("a citation of several snippets is one annotation") {
  citations from;
  cite(from, "A", "https://example.com/a");
  for (const char* text : {"first", "second", "third"}) {
    reference ref = web("https://example.com/a", "A");
    ref.text = text;
    from.add_reference(ref);
  }
  from.resolve();
  REQUIRE(from.all()[0].references.size() == 3);
  CHECK(annotate(from).count == 1);
}

TEST_CASE("without citations there are no annotations") {
  citations from;
  CHECK(annotate(from, "https://x.example/{file_id}").json.empty());
  cite(from, "a", "b");
  from.resolve();
  CHECK(annotate(from, "https://x.example/{file_id}").json.empty());
}

TEST_CASE("huge titles and URLs are truncated in annotations and complete in records") {
  std::string title;
  while (title.size() < 1'000'000) title += "\xE2\x82\xAC";
  const std::string url = "https://example.com/" + std::string(1'000'000, 'x');
  citations from;
  cite(from, "T", "https://example.com/a");
  from.add_reference(web("https://example.com/a", title));
  reference endless = web(url, "endless");
  endless.cite = "c";
  from.add_reference(endless);
  cite(from, "U", "c");
  from.resolve();
  const annotations out = annotate(from);
  CHECK(out.count == 1);
  document doc;
  REQUIRE_FALSE(doc.parse(out.json));
  CHECK(doc.root()["url_citation"]["title"].string() == title.substr(0, 1023));
  REQUIRE_FALSE(doc.parse(record(from, 0)));
  CHECK(doc.root()["title"].string() == title);
  REQUIRE_FALSE(doc.parse(record(from, 1)));
  CHECK(doc.root()["url"].string() == url);
}
