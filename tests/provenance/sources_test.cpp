// Sources described by tool results in JSON.
#include <string>

#include <catch2/catch.hpp>

#include "provenance/rewritten.hpp"

using namespace citestream_tests;
using citestream::reference;
using citestream::source_type;

TEST_CASE("a source has the file and address that its result names") {
  const reference found = source_of(
      R"({"file_path":"reports/q3.pdf","url":"https://example.com/q3","content":"Revenue grew 12%."})");
  CHECK(found.file_path == "reports/q3.pdf");
  CHECK(found.url == "https://example.com/q3");
  CHECK(found.type == source_type::web);
  CHECK(found.title == "q3.pdf");
  CHECK(found.text.find("Revenue grew 12%.") != std::string::npos);
}

TEST_CASE("the names that tools use for files are understood") {
  for (const char* key : {"file_path", "filepath", "filePath", "path", "filename", "file_name", "fileName",
                          "file", "source", "document"}) {
    INFO(key);
    const reference found = source_of(std::string("{\"") + key + R"(":"data/a.csv"})");
    CHECK(found.file_path == "data/a.csv");
    CHECK(found.type == source_type::file);
    CHECK(found.title == "a.csv");
    CHECK(found.url.empty());
  }
}

TEST_CASE("the names that tools use for addresses are understood") {
  for (const char* key : {"url", "source_url", "web_url", "uri", "link", "href", "source", "path"}) {
    INFO(key);
    const reference found = source_of(std::string("{\"") + key + R"(":"https://example.com/a"})");
    CHECK(found.url == "https://example.com/a");
    CHECK(found.type == source_type::web);
    CHECK(found.file_path.empty());
    CHECK(found.title == "https://example.com/a");
  }
}

TEST_CASE("names in metadata and around the content are read too") {
  CHECK(source_of(R"({"page_content":"x","metadata":{"source":"a/b.txt","title":"B"}})").file_path ==
        "a/b.txt");
  CHECK(source_of(R"({"document":{"file_path":"a.pdf"},"text":"x"})").file_path == "a.pdf");
  CHECK(source_of(R"([{"url":"https://e.x/","title":"One"}])").title == "One");
  CHECK(source_of(R"({"title":"T","source":"Reuters"})").title == "T");
  CHECK(source_of(R"({"source":"Reuters","text":"x"})").title == "Reuters");
  CHECK(source_of(R"({"source":"Reuters","text":"x"})").file_path.empty());
}

TEST_CASE("a list of several entries does not name the source") {
  const reference found = source_of(R"([{"file_path":"a"},{"file_path":"b"}])");
  CHECK(found.file_path.empty());
  CHECK(found.title == "t");
  CHECK(found.type == source_type::document);
}

TEST_CASE("content is not used as a name") {
  CHECK(source_of(R"({"file":"line one\nline two"})").file_path.empty());
  CHECK(source_of("{\"file\":\"" + std::string(5000, 'x') + "\"}").file_path.empty());
  CHECK(source_of(R"({"document":"All of the text of the document. And more"})").file_path.empty());
  CHECK(source_of(R"({"path":["a"],"url":{"x":1},"title":3})").title == "t");
}

TEST_CASE("invalid JSON and duplicate keys do not name a source") {
  for (const char* text : {"file_path: a", R"("file_path")", R"({"file_path":"a")",
                           R"({"file_path":"a","file_path":"b"})", R"({"file_path":"a"} and more)"}) {
    INFO(text);
    const reference found = source_of(text);
    CHECK(found.file_path.empty());
    CHECK(found.text == text);
  }
}

TEST_CASE("the arguments of the call name the source if the result does not") {
  CHECK(source_of("plain text", R"({"path":"notes.md"})").file_path == "notes.md");
  CHECK(source_of("plain text", R"({"path":"notes.md"})").title == "notes.md");
  CHECK(source_of("plain text", R"({"url":"https://example.com/"})").type == source_type::web);
  CHECK(source_of(R"({"file_path":"a"})", R"({"path":"b","url":"https://c/"})").file_path == "a");
  CHECK(source_of(R"({"file_path":"a"})", R"({"path":"b","url":"https://c/"})").url.empty());
  CHECK(source_of("plain text", R"({"query":"revenue"})").title == "t");
  CHECK(source_of("plain text", "not JSON").title == "t");
}

TEST_CASE("a result can declare itself the output of an agent") {
  CHECK(source_of(R"({"type":"agent","answer":"x"})").cite == "a_1");
  CHECK(source_of(R"({"source_type":"agent","url":"https://e.x/"})").type == source_type::agent);
  CHECK(source_of(R"({"source_type":"agent","url":"https://e.x/"})").url == "https://e.x/");
  CHECK(source_of(R"({"type":"file","agent":"x"})").cite == "d_1");
  CHECK(source_of(R"(["agent"])").cite == "d_1");
}

TEST_CASE("a header inside a result does not hide its JSON") {
  const reference found = source_of("[REF|d_4]\n{\"file_path\":\"a.pdf\"}");
  CHECK(found.file_path == "a.pdf");
  CHECK(found.text == "{\"file_path\":\"a.pdf\"}");
}
