// A complete round trip: tool results get keys, the answer cites them, and every citation is resolved.
#include <citestream/provenance/provenance.hpp>
#include <citestream/session/session.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "provenance/rewritten.hpp"
#include "support/stream_runs.hpp"

using namespace citestream_tests;
using citestream::document;
using citestream::json_value;
using citestream::session_options;

namespace {

const std::string tools =
    call("call_1", "read_file") + "," +
    result("call_1",
           citestream::json_string(R"({"file_path":"reports/q3.pdf","text":"Revenue grew 12%."})")) +
    "," + call("call_2", "ask_analyst") + "," + result("call_2", R"("Growth was broad. [REF|d_1]")");

/// The session's options for a request.
session_options options_for(const std::string& body) {
  citestream::provenance_options how;
  how.agent_tools = {"ask_analyst"};
  session_options options;
  options.references = rewrite(body, how).sources;
  options.provenance = true;
  return options;
}

std::string delta(std::string_view text, std::string_view more = "") {
  return R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":)" +
         citestream::json_string(text) + "},\"finish_reason\":null}]" + std::string(more) + "}\n\n";
}

std::string finish(std::string_view more = "") {
  return R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}])" +
         std::string(more) + "}\n\n";
}

const std::string done = "data: [DONE]\n\n";

struct reading {
  std::string text;
  std::vector<std::string> statuses;
  std::vector<std::string> identifiers;
  std::string provenance;
  std::size_t events{};
};

/// The text and citations that a client reads from a stream.
reading read(const std::string& stream) {
  reading out;
  for (const std::string& payload : payloads(stream)) {
    document parsed;
    if (parsed.parse(payload)) continue;
    ++out.events;
    const json_value root = parsed.root();
    out.text += root["choices"][std::size_t{0}]["delta"]["content"].string();
    for (json_value one = root["citestream"]["citations"].first(); one; one = one.next()) {
      out.statuses.emplace_back(one["status"].string());
      out.identifiers.emplace_back(one["identifier"].string());
    }
    out.provenance += root["citestream"]["provenance"].raw();
  }
  return out;
}

using strings = std::vector<std::string>;

const std::string summary =
    R"({"d_1":{"label":"q3.pdf","source_type":"file","tool":"read_file","tool_call_id":"call_1",)"
    R"("file_path":"reports/q3.pdf"},)"
    R"("a_2":{"label":"ask_analyst","source_type":"agent","tool":"ask_analyst","tool_call_id":"call_2"}})";

}  // namespace

TEST_CASE("citations of the request's results are resolved for every cut") {
  const session_options options = options_for(messages(tools));
  const std::string stream = delta("Revenue grew 12% year-over-year. [RE") + delta("F|d_1]") +
                             delta(" It was broad. [REF|d_1|a_2] Costs fell. [REF|d_9]") + finish() + done;
  const std::string whole = run_whole(options, stream).out;
  const reading seen = read(whole);
  CHECK(seen.text == "Revenue grew 12% year-over-year. It was broad. Costs fell.");
  CHECK(seen.statuses == strings{"resolved", "resolved", "resolved", "unresolved"});
  CHECK(seen.identifiers == strings{"d_1", "d_1", "a_2", "d_9"});
  CHECK(seen.provenance == summary);
  CHECK(seen.events == read(stream).events);
  citestream::session one(options);
  for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
    one.reset();
    const std::string_view bytes = stream;
    REQUIRE(run(one, {bytes.substr(0, cut), bytes.substr(cut)}).out == whole);
  }
  one.reset();
  CHECK(run(one, cut_every(stream, 1)).out == whole);
}

TEST_CASE("an answer divided into deltas anywhere has the same text and citations") {
  const session_options options = options_for(messages(tools));
  const std::string text = "Revenue grew 12% year-over-year. [REF|d_1] So it did [REF|d_1|a_2].";
  for (std::size_t first = 0; first <= text.size(); ++first) {
    for (std::size_t second = first; second <= text.size(); second += 3) {
      const reading seen =
          read(run_whole(options, delta(text.substr(0, first)) + delta(text.substr(first, second - first)) +
                                      delta(text.substr(second)) + finish() + done)
                   .out);
      REQUIRE(seen.text == "Revenue grew 12% year-over-year. So it did.");
      REQUIRE(seen.statuses == strings{"resolved", "resolved", "resolved"});
    }
  }
}

TEST_CASE("the records contain the tool and its call and its file") {
  const std::string out =
      run_whole(options_for(messages(tools)), delta("It grew. [REF|d_1]") + finish() + done).out;
  const std::string expected =
      R"("status":"resolved","source_type":"file","match":"exact","title":"q3.pdf","file_path":"reports/q3.pdf",)"
      R"("snippet":"{\"file_path\":\"reports/q3.pdf\",\"text\":\"Revenue grew 12%.\"}","references":[{"type":"file",)"
      R"("cite":"d_1","title":"q3.pdf","file_path":"reports/q3.pdf","text":"{\"file_path\":\"reports/q3.pdf\",)"
      R"(\"text\":\"Revenue grew 12%.\"}","tool":"read_file","tool_call_id":"call_1"}]}],"uncited":[{"type":"agent",)"
      R"("cite":"a_2","title":"ask_analyst","text":"Growth was broad. ","tool":"ask_analyst","tool_call_id":"call_2"}])";
  CHECK(out.find(expected) != std::string::npos);
}

TEST_CASE("keys that are not in the request are unresolved") {
  const session_options options = options_for(messages(R"({"role":"user","content":"q"})"));
  const reading seen = read(run_whole(options, delta("It grew. [REF|d_1]") + finish() + done).out);
  CHECK(seen.text == "It grew.");
  CHECK(seen.statuses == strings{"unresolved"});
  CHECK(seen.provenance == "{}");
  const std::string plain = delta("It grew [1].") + finish() + done;
  CHECK(run_whole(options, plain).out == plain);
}

TEST_CASE("provenance keys are markers next to those of the dialect and the user") {
  const std::string sources = R"(,"citations":["https://example.com/"])";
  const std::string stream = delta("One [1]. Two [REF|d_1].", sources) + finish(sources) + done;
  session_options options = options_for(messages(tools));
  options.dialect = citestream::find_dialect("xai");
  const reading seen = read(run_whole(options, stream).out);
  CHECK(seen.text == "One. Two.");
  CHECK(seen.statuses == strings{"resolved", "resolved"});
  options.grammars = {&citestream::link_grammar, &citestream::ref_grammar};
  CHECK(read(run_whole(options, stream).out).text == "One [1]. Two.");
  options.grammars = {&citestream::link_grammar};
  CHECK(read(run_whole(options, stream).out).text == "One [1]. Two.");
}

TEST_CASE("the provider's markers wait for references even if the keys are known") {
  const std::string graph =
      R"(,"graph_data":{"references":{"files":[{"fileId":"f","text":"t","cite":"f","score":1}]}})";
  const std::string event =
      R"(data: {"object":"chat.completion.chunk","choices":[],"usage":null)" + graph + "}\n\n";
  session_options options = options_for(messages(tools));
  options.dialect = citestream::find_dialect("writer");
  const reading seen =
      read(run_whole(options, delta("One [A](f). Two [REF|d_1].") + finish() + event + done).out);
  CHECK(seen.text == "One. Two.");
  CHECK(seen.statuses == strings{"resolved", "resolved"});
}

TEST_CASE("a JSON body is resolved in the same way") {
  citestream::session one(options_for(messages(tools)));
  std::string out;
  CHECK_FALSE(one.rewrite_body(
      R"({"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"It grew. [REF|d_1|a_2]"},"finish_reason":"stop"}]})",
      out));
  CHECK(out.find(R"("content":"It grew.")") != std::string::npos);
  CHECK(out.find(R"("provenance":)" + summary) != std::string::npos);
  CHECK(out.find("unresolved") == std::string::npos);
}

TEST_CASE("records contain the beginning of a long result") {
  const std::string text(10'000, 'x');
  const std::string out =
      run_whole(options_for(lone_result(citestream::json_string(text))), delta("It. [REF|d_1]") + finish())
          .out;
  CHECK(out.find("\"text\":\"" + text.substr(0, 4096) + "\",\"text_bytes\":10000,") != std::string::npos);
  CHECK(out.size() < 6'000);
}

TEST_CASE("without provenance there is no summary of keys") {
  session_options options = options_for(messages(tools));
  options.provenance = false;
  options.references.clear();  // they would enable the markers of RAG answers
  const std::string out = run_whole(options, delta("It grew. [REF|d_1]") + finish() + done).out;
  CHECK(read(out).text == "It grew. [REF|d_1]");
  CHECK(out.find("\"provenance\"") == std::string::npos);
}
