// Perplexity. Its payloads are in golden/perplexity*.md.
#include <citestream/dialect/dialect.hpp>

#include <string>

#include <catch2/catch.hpp>

#include "dialect/stream_summary.hpp"

using namespace citestream;
using citestream_tests::stream_summary;
using citestream_tests::summarise;
using citestream_tests::total;

TEST_CASE("Perplexity's recorded streams are read completely") {
  if (!citestream_tests::have_data("recordings")) return;
  const stream_summary stream = summarise("perplexity-01-sonar-citations.sse");
  CHECK(stream.dialect == "perplexity");
  CHECK(stream.choices == 191);
  CHECK(stream.mirrored == 191);
  CHECK(stream.references == 191U * 7);
  CHECK(stream.finished == 1);
  CHECK(stream.unread == 0);
  CHECK(stream.text.at(0).find(".[1][5]") != std::string::npos);
  CHECK(stream.text.at(0) == stream.message);

  const stream_summary brief = summarise("perplexity-03-sonar-short.sse");
  CHECK(brief.dialect == "perplexity");
  CHECK(brief.text.at(0) == "1 2 3");
  CHECK(brief.message == "1 2 3");
  CHECK(brief.references == 6U * 8);
}

TEST_CASE("an entry of an address list that is not an address is the source's text") {
  document doc;
  dialect_event event;
  for (const dialect* read_by : {find_dialect("perplexity"), find_dialect("xai")}) {
    REQUIRE_FALSE(doc.parse(
        R"({"choices":[],"citations":["HTTP://a.org","Acme grew 12%.","https://"],"search_results":[{"title":"A","url":"HTTP://a.org"},{"title":"B","url":"https://b.org"}]})"));
    REQUIRE(read_by->read(doc.root(), payload_kind::event, event));
    REQUIRE(event.references.size() == 4);
    const auto ref = [&](std::size_t i) { return event.references[i].ref; };
    CHECK(ref(0).type == source_type::web);
    CHECK(ref(0).url == "HTTP://a.org");
    CHECK(ref(0).title == "A");
    CHECK(ref(0).number == 1);
    CHECK(ref(1).type == source_type::document);
    CHECK(ref(1).text == "Acme grew 12%.");
    CHECK(ref(1).title == ref(1).text);
    CHECK(ref(1).url.empty());
    CHECK(ref(1).number == 2);
    CHECK(ref(2).url == "https://b.org");
    CHECK_FALSE(ref(2).number);
    CHECK(ref(3).type == source_type::document);
    CHECK(ref(3).number == 3);
  }
}
