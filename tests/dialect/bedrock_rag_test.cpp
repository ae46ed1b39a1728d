// Answers of Bedrock's RetrieveAndGenerate, built from its documentation: one text, and citations of its
// words whose ends are inclusive.
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/session.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "base/indexed_text.hpp"
#include "rewrite/json.hpp"
#include "support/messages.hpp"
#include "support/parsed_json.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

const std::string received = "🐍 Sales [A](https://a.example/x) rose by 20% [b](s3://b/r.pdf). See [T";

std::string output(std::string_view text) {
  return message("output", "{\"text\":" + json_string(text) + "}");
}

/// The citation of \p words by a file and a page.
std::string citation_of(std::string_view words) {
  text_offset start;
  start.advance(std::string_view(received).substr(0, received.find(words)));
  text_offset end = start;
  end.advance(words);
  return R"({"generatedResponsePart":{"textResponsePart":{"span":{"start":)" +
         std::to_string(start.codepoint) + ",\"end\":" + std::to_string(end.codepoint - 1) +
         "},\"text\":" + json_string(words) +
         R"(}},"retrievedReferences":[{"content":{"text":"Sold."},"location":{"s3Location":{"uri":)"
         R"("s3://b/r.pdf"},"type":"S3"}},{"content":{"text":"Up."},"location":{"type":"WEB","webLocation":)"
         R"({"url":"https://a.example/x"}}}]})";
}

const std::vector<std::string> cited{"🐍 Sales", "Sales [A](https://a.example/x) rose",
                                     "by 20% [b](s3://b/r.pdf)."};

std::string answer_stream() {
  std::string out = message("guardrail", R"({"action":"NONE"})") + output(received.substr(0, 20)) +
                    output(received.substr(20, 30)) + message("citation", citation_of(cited[0]));
  out += message("citation", citation_of(cited[1])) + output(received.substr(50));
  return out + message("citation", citation_of(cited[2])) + message("guardrail", R"({"action":"NONE"})");
}

/// What a client makes of an answer: its text, what its citations quote, and the records.
struct client_view {
  indexed_text text;
  std::vector<std::string> quotes;
  std::string records;

  /// Adds a citation. What it covers must be what it quotes, once the text has come.
  void add_citation(json_value citation) {
    const json_value part = citation["generatedResponsePart"]["textResponsePart"];
    quotes.emplace_back(part["text"].string());
    spans.emplace_back(part["span"]["start"].integer().value_or(0),
                       part["span"]["end"].integer().value_or(-1));
  }
  void check() const {
    for (std::size_t i = 0; i < quotes.size(); ++i) {
      const auto first = static_cast<std::uint64_t>(spans[i].first);
      CHECK(text.part(first, static_cast<std::uint64_t>(spans[i].second + 1), offset_unit::codepoint) ==
            quotes[i]);
    }
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> spans;
};

client_view view_of(std::string_view bytes) {
  client_view out;
  for (const std::string& payload : message_data(bytes)) {
    const document one = parsed(payload);
    const json_value root = one.root();
    if (root["text"].is_string()) out.text.append(root["text"].string());
    if (root["generatedResponsePart"]) out.add_citation(root);
    if (root["citestream"]) out.records = root["citestream"].raw();
  }
  out.check();
  return out;
}

}  // namespace

TEST_CASE("the words that RetrieveAndGenerate cites are those of the clean text") {
  struct expectation {
    const style* how;
    std::string text;
    std::vector<std::string> quotes;
  };
  const expectation expected[] = {
      {&keep_style, received, cited},
      {&strip_style, "🐍 Sales rose by 20%. See [T", {"🐍 Sales", "Sales rose", "by 20%."}},
      {&numeric_style, "🐍 Sales [1] rose by 20% [2]. See [T", {"🐍 Sales", "Sales [1] rose", "by 20% [2]."}}};
  for (const auto& [how, text, quotes] : expected) {
    INFO(how->name);
    const stream_run seen = run_whole(options_for(*how), answer_stream());
    const client_view view = view_of(seen.out);
    CHECK(view.text.text() == text);
    CHECK(view.quotes == quotes);
    CHECK_FALSE(seen.end);
    if (how == &keep_style) continue;
    CHECK(seen.counts.unresolved == 0);
    const document records = parsed(view.records);
    std::size_t inclusive = 0;
    for (json_value one = records.root()["citations"].first(); one; one = one.next()) {
      if (one["native"]["end_inclusive"].boolean().value_or(false)) ++inclusive;
    }
    CHECK(inclusive > 0);
  }
}

TEST_CASE("how an answer of RetrieveAndGenerate is cut decides nothing") {
  const std::string stream = answer_stream();
  for (const style* how : {&keep_style, &strip_style, &numeric_style, &footnote_style}) {
    CHECK(cut_difference(options_for(*how), stream) == "");
  }
  CHECK(run_whole(options_for(keep_style), stream).out == stream);
}

TEST_CASE("a body of RetrieveAndGenerate has the text and citations of its stream") {
  std::string list;
  for (const std::string& words : cited) list += (list.empty() ? "" : ",") + citation_of(words);
  for (const std::string& citations : {"[" + list + "]", std::string("[]")}) {
    session one(options_for(strip_style));
    std::string body;
    REQUIRE_FALSE(one.rewrite_body("{\"citations\":" + citations + ",\"output\":{\"text\":" +
                                       json_string(received) + R"(},"sessionId":"s"})",
                                   body));
    const document all = parsed(body);
    client_view view;
    view.text.append(all.root()["output"]["text"].string());
    for (json_value each = all.root()["citations"].first(); each; each = each.next()) view.add_citation(each);
    view.check();
    CHECK(view.text.text() == "🐍 Sales rose by 20%. See [T");
    if (citations != "[]") CHECK(view.quotes == std::vector<std::string>{"🐍 Sales", "Sales rose", "by 20%."});
    CHECK(all.root()["citestream"]["citations"].is_array());
  }
}

TEST_CASE("RetrieveAndGenerate: pages that only a marker cites are cited at the end") {
  session_options options = options_for(numeric_style);
  options.references.resize(2);
  options.references[0].url = "https://a.example/x";
  options.references[0].text = "Sold.";
  options.references[1].url = "https://a.example/y";
  const std::string text =
      "🐍 grew [A](https://a.example/x). Costs [B](https://a.example/y) fell [C](https://a.example/z)";
  const std::string by_provider =
      R"({"generatedResponsePart":{},"retrievedReferences":[)"
      R"({"content":{"text":"."},"location":{"type":"WEB","webLocation":{"url":"https://a.example/y"}}}]})";
  const std::string stream =
      output(text.substr(0, 30)) + message("citation", by_provider) + output(text.substr(30));
  const stream_run whole = run_whole(options, stream);
  const client_view view = view_of(whole.out);
  CHECK(view.text.text() == "🐍 grew [1]. Costs [2] fell [3]");
  REQUIRE(view.quotes.size() == 2);  // the first is that of the provider, without a place
  CHECK(view.quotes[1] == "🐍 grew");
  CHECK(
      whole.out.find(
          R"("retrievedReferences":[{"content":{"text":"Sold."},"location":{"type":"WEB","webLocation":{"url":"https://a.example/x"}}}])") !=
      std::string::npos);
  CHECK(cut_difference(options, stream) == "");
  CHECK(run_whole(options_for(keep_style), stream).out == stream);
}

TEST_CASE("only binary messages are an answer of RetrieveAndGenerate") {
  const dialect* const expected = find_dialect("bedrock_rag");
  const std::string payload = R"({"text":"See [A](https://a.example/x)."})";
  for (const std::string& stream : {message("output", payload), "data: " + payload + "\n\n"}) {
    session one;
    std::string out;
    CHECK_FALSE(one.write(stream, out));
    CHECK((one.recognised() == expected) == (stream.front() != 'd'));
  }
}

TEST_CASE("a failure of RetrieveAndGenerate is the exception of its service") {
  session one(options_for(strip_style));
  std::string out;
  CHECK_FALSE(one.write(output("See [T"), out));
  CHECK(one.finish(out, stream_end::aborted, "gone", "x").code == errc::upstream_incomplete);
  CHECK(view_of(out).text.text() == "See [T");
  CHECK(out.find("internalServerException") != std::string::npos);
}

TEST_CASE("a passage of a custom document has the id of the document") {
  const std::string citation =
      R"({"generatedResponsePart":{"textResponsePart":{"span":{"start":0,"end":4},"text":"Sales"}},)"
      R"("retrievedReferences":[{"location":{"type":"CUSTOM","customDocumentLocation":{"id":"doc-7"}}},)"
      R"({"content":{"text":"Up."},"location":{"type":"CUSTOM","customDocumentLocation":{"id":"doc-8"}}}]})";
  const stream_run seen =
      run_whole(options_for(strip_style),
                output("Sales [A](doc-7)") + message("citation", citation) + output(" rose [B](doc-8)."));
  const client_view view = view_of(seen.out);
  CHECK(view.text.text() == "Sales rose.");
  CHECK(seen.counts.resolved == 2);
  CHECK(view.records.find(R"("id":"doc-7")") != std::string::npos);
  session one(options_for(strip_style));
  std::string body;
  REQUIRE_FALSE(one.rewrite_body(
      R"({"output":{"text":"Sales rose."},"sessionId":"s","citations":[)" + citation + "]}", body));
  CHECK(parsed(body)
            .root()["citestream"]["citations"][std::size_t{1}]["references"][std::size_t{0}]["id"]
            .string() == "doc-8");
}
