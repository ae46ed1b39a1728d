#include "rewrite/json.hpp"

#include <citestream/chunk/document.hpp>

#include <limits>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "support/json_model.hpp"

using namespace citestream;

namespace {

std::string url_of(std::string_view pattern, const reference& ref) {
  std::string out;
  append_file_url(pattern, ref, out);
  return out;
}

}  // namespace

TEST_CASE("a text escaped in parts equals the text escaped whole") {
  std::mt19937 random(6);
  const std::string_view bytes("ab\"\\\n\x1F\x7F\xC3\xA9 /\0", 12);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (auto left = random() % 40; left > 0; --left)
      text += bytes[random() % 4 == 0 ? random() % bytes.size() : 0];
    std::string expected;
    for (const char c : text) append_json_body({&c, 1}, expected);
    const std::size_t cut = random() % (text.size() + 1);
    std::string parts;
    append_json_body(std::string_view(text).substr(0, cut), parts);
    append_json_body(std::string_view(text).substr(cut), parts);
    REQUIRE(parts == expected);
    REQUIRE(json_string(text) == "\"" + expected + "\"");
  }
}

TEST_CASE("quotes and backslashes and control characters are escaped and nothing else") {
  CHECK(json_string("") == R"("")");
  CHECK(json_string("a\"b\\c/d") == R"("a\"b\\c/d")");
  CHECK(json_string("\n\t\r\b\f") == R"("\n\t\r\b\f")");
  CHECK(json_string(std::string("\0\x01\x0B\x1F\x7F", 5)) == "\"\\u0000\\u0001\\u000b\\u001f\x7F\"");
  CHECK(json_string("\xC3\xA9\xE2\x80\xA8\xF0\x9F\x98\x80") == "\"\xC3\xA9\xE2\x80\xA8\xF0\x9F\x98\x80\"");
  std::string out = "x";
  append_json_string("y", out);
  CHECK(out == "x\"y\"");
}

TEST_CASE("every code point survives escaping") {
  document doc;
  std::string all = "[";
  std::vector<std::string> points;
  for (std::uint32_t point = 0; point < 0x110000; ++point) {
    if (point >= 0xD800 && point < 0xE000) continue;
    std::string text = "<";
    citestream_tests::append_utf8(point, text);
    text += '>';
    if (all.size() > 1) all += ',';
    append_json_string(text, all);
    points.push_back(std::move(text));
  }
  all += ']';
  REQUIRE_FALSE(doc.parse(all));
  std::size_t at = 0;
  bool same = true;
  for (json_value text = doc.root().first(); text; text = text.next())
    same = same && text.string() == points[at++];
  CHECK(same);
  CHECK(at == 0x110000 - 0x800);
  CHECK(all.find('\n') == std::string::npos);
}

TEST_CASE("random strings survive escaping") {
  std::mt19937 random(5);
  document doc;
  for (int round = 0; round < 5'000; ++round) {
    std::string text;
    for (auto n = random() % 40; n > 0; --n) {
      const std::uint32_t limits[] = {0x20, 0x80, 0x800, 0xD800, 0x110000};
      std::uint32_t point = static_cast<std::uint32_t>(random()) % limits[random() % 5];
      if (point >= 0xD800 && point < 0xE000) point = '\\';
      citestream_tests::append_utf8(point, text);
    }
    REQUIRE_FALSE(doc.parse(json_string(text)));
    REQUIRE(doc.root().string() == text);
  }
}

TEST_CASE("a snippet is at most 200 whole code points") {
  CHECK(snippet("").empty());
  CHECK(snippet("short") == "short");
  std::string text;
  for (int i = 0; i < 200; ++i) text += "\xF0\x9F\x98\x80";
  CHECK(snippet(text) == text);
  CHECK(snippet(text + "x") == text);
  CHECK(snippet(text + "\xC3\xA9") == text);
  CHECK(snippet("a" + text) == ("a" + text).substr(0, 1 + 199 * 4));
}

TEST_CASE("a reference is written with its known fields only") {
  const auto json = [](const reference& ref) {
    std::string out;
    append_reference_json(ref, out);
    return out;
  };
  reference ref;
  CHECK(json(ref) == R"({"type":"document"})");
  ref.type = source_type::file;
  ref.id = "f\"1";
  ref.cite = "c1";
  ref.title = "T";
  ref.url = "https://example.com/";
  ref.text = "text\n";
  ref.score = 0.95;
  ref.page = 15;
  ref.number = 3;
  CHECK(json(ref) == R"({"type":"file","id":"f\"1","cite":"c1","title":"T","url":"https://example.com/",)"
                     R"("text":"text\n","score":0.95,"page":15})");
  ref.file_path = "a/\"b\"";
  ref.tool = "t";
  ref.tool_call_id = "i";
  CHECK(
      json(ref) ==
      R"({"type":"file","id":"f\"1","cite":"c1","title":"T","url":"https://example.com/","file_path":"a/\"b\"",)"
      R"("text":"text\n","score":0.95,"page":15,"tool":"t","tool_call_id":"i"})");
  ref = {};
  ref.requested = request_place{request_part::document, 2};
  ref.container = "c\"";
  ref.opaque = R"({"encrypted_index":"x"})";
  CHECK(json(ref) == R"({"type":"document","index":2,"container":"c\"","opaque":{"encrypted_index":"x"}})");
  ref = {};
  ref.type = source_type::web;
  ref.score = 1e300;
  ref.page = -1;
  CHECK(json(ref) == R"({"type":"web","score":1e+300,"page":-1})");
  ref.score = std::numeric_limits<double>::infinity();
  CHECK(json(ref) == R"({"type":"web","page":-1})");
  ref.score = 1.0 / 3;
  document doc;
  REQUIRE_FALSE(doc.parse(json(ref)));
  CHECK(doc.root()["score"].number() == 1.0 / 3);
}

TEST_CASE("the first 4096 bytes of a tool result are written as whole characters") {
  const auto json = [](std::size_t before, const char* tool) {
    reference ref;
    ref.tool = tool;
    for (std::size_t i = 0; i < before; ++i) ref.text += 'x';
    ref.text += "\xF0\x9F\x98\x80";
    std::string out;
    append_reference_json(ref, out);
    return out;
  };
  CHECK(json(4092, "t").find("text_bytes") == std::string::npos);
  for (const std::size_t before : {4093U, 4094U, 4095U, 4096U}) {
    const std::string expected =
        '"' + std::string(before, 'x') + R"(","text_bytes":)" + std::to_string(before + 4);
    CHECK(json(before, "t").find(expected) != std::string::npos);
    CHECK(json(before, "").find("text_bytes") == std::string::npos);
  }
}

TEST_CASE("a provenance key's meaning is written under the key") {
  reference ref;
  ref.cite = "d_1";
  ref.title = "T\"";
  std::string out;
  append_provenance_member(ref, out);
  CHECK(out == R"("d_1":{"label":"T\"","source_type":"document"})");
  ref.type = source_type::web;
  ref.tool = "t";
  ref.tool_call_id = "c";
  ref.file_path = "p";
  ref.url = "u";
  ref.text = "not here";
  out.clear();
  append_provenance_member(ref, out);
  CHECK(
      out ==
      R"("d_1":{"label":"T\"","source_type":"web","tool":"t","tool_call_id":"c","file_path":"p","url":"u"})");
}

TEST_CASE("a link to a file has its fields percent-encoded") {
  reference ref;
  ref.type = source_type::file;
  ref.id = "a b/\xC3\xA9?#&%";
  ref.title = "Report (1).pdf";
  ref.page = 15;
  CHECK(url_of("https://x.example/{file_id}#page={page}", ref) ==
        "https://x.example/a%20b%2F%C3%A9%3F%23%26%25#page=15");
  CHECK(url_of("https://x.example/?t={title}&p={page}", ref) ==
        "https://x.example/?t=Report%20%281%29.pdf&p=15");
  CHECK(url_of("https://x.example/{other}/{file_id", ref) == "https://x.example/{other}/{file_id");
  CHECK(url_of("", ref).empty());
}

TEST_CASE("the page part of a link is omitted if the page is unknown") {
  reference ref;
  ref.id = "f";
  CHECK(url_of("https://x.example/{file_id}#page={page}", ref) == "https://x.example/f");
  CHECK(url_of("https://x.example/{file_id}#page={page}&zoom=1", ref) == "https://x.example/f#zoom=1");
  CHECK(url_of("https://x.example/?f={file_id}&p={page}#top", ref) == "https://x.example/?f=f#top");
  CHECK(url_of("https://x.example/?p={page}&f={file_id}", ref) == "https://x.example/?f=f");
  CHECK(url_of("https://x.example/?p={page}#p{page}", ref) == "https://x.example/");
  CHECK(url_of("https://x.example/{page}/{file_id}?", ref) == "https://x.example//f?");
}
