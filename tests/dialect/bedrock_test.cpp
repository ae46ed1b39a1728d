// Answers of Bedrock's Converse, in binary messages: each text block is a text of its own.
#include <citestream/dialect/dialect.hpp>
#include <citestream/provenance/provenance.hpp>
#include <citestream/session/session.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "dialect/client_view.hpp"
#include "support/data.hpp"
#include "support/messages.hpp"
#include "support/parsed_json.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

std::string event(const std::string& type, const std::string& members) {
  return message(type, "{" + members + R"(,"p":"abcdefgh"})");
}

std::string delta(int block, const std::string& members) {
  return event("contentBlockDelta",
               R"("contentBlockIndex":)" + std::to_string(block) + R"(,"delta":{)" + members + "}");
}

std::string text(int block, const std::string& piece) {
  return delta(block, R"("text":")" + piece + "\"");
}

std::string stop(int block) {
  return event("contentBlockStop", R"("contentBlockIndex":)" + std::to_string(block));
}

const std::string start = event("messageStart", R"("role":"assistant")");
const std::string end = event("messageStop", R"("stopReason":"end_turn")");
const std::string metadata = event("metadata", R"("usage":{"inputTokens":1},"metrics":{"latencyMs":2})");

const std::string named =
    delta(2, R"("citation":{"title":"Page A","sourceContent":[{"text":"Sales rose."}],)"
             R"("location":{"web":{"url":"https://a.example/x","domain":"a.example"}}})");

const std::string answer_stream =
    start + text(0, "🐍 In short [") + text(0, "T](https://a.example/") + text(0, "x): ") + stop(0) +
    event("contentBlockStart", R"("contentBlockIndex":1,"start":{"toolUse":{"name":"t","toolUseId":"i"}})") +
    delta(1, R"("toolUse":{"input":"{}"})") + stop(1) + named + text(2, "sales rose [B](gone)") +
    text(2, " much") + stop(2) + text(3, ". See [T") + stop(3) + end + metadata;

const std::string answer_body =
    R"({"output":{"message":{"role":"assistant","content":[{"text":"🐍 In short [T](https://a.example/x): "},)"
    R"({"toolUse":{"name":"t","toolUseId":"i","input":{}}},{"citationsContent":{"content":[)"
    R"({"text":"sales rose [B](gone) much"}],"citations":[{"title":"Page A","sourceContent":[)"
    R"({"text":"Sales rose."}],"location":{"web":{"url":"https://a.example/x","domain":"a.example"}}}]}},)"
    R"({"text":". See [T"}]}},"stopReason":"end_turn","usage":{"inputTokens":1}})";

/// Reads messages and fails at a damaged one.
block_view view_of(std::string_view bytes) {
  block_view out;
  eventstream_decoder decoder;
  decoder.feed(bytes);
  for (frame item; decoder.next(item);) {
    REQUIRE(item.kind == frame_kind::event);
    out.types.emplace_back(item.event);
    const document one = parsed(item.data);
    const json_value root = one.root();
    if (root["delta"]["text"].is_string()) {
      out.texts[root["contentBlockIndex"].integer().value()] += root["delta"]["text"].string();
      std::size_t members = 0;
      for (json_value each = root["delta"].first(); each; each = each.next()) ++members;
      CHECK(members == 1);
    }
    if (item.event == "metadata") out.records = root["citestream"].raw();
  }
  decoder.finish();
  CHECK_FALSE(decoder.cut_off());
  return out;
}

}  // namespace

TEST_CASE("each text block of Converse is clean") {
  const std::pair<const style*, std::map<std::int64_t, std::string>> styles[] = {
      {&strip_style, {{0, "🐍 In short: "}, {2, "sales rose much"}, {3, ". See [T"}}},
      {&numeric_style, {{0, "🐍 In short [1]: "}, {2, "sales rose [2] much"}, {3, ". See [T"}}}};
  for (const auto& [how, expected] : styles) {
    INFO(how->name);
    const stream_run seen = run_whole(options_for(*how), answer_stream);
    CHECK(view_of(seen.out).texts == expected);
    CHECK(seen.counts.resolved == 1);
    CHECK(seen.counts.unresolved == 1);
    CHECK(seen.counts.passed_through == 0);
    CHECK_FALSE(seen.end);
  }
}

TEST_CASE("how messages are cut decides nothing") {
  for (const style* how : {&strip_style, &numeric_style, &footnote_style}) {
    CHECK(cut_difference(options_for(*how), answer_stream) == "");
  }
}

TEST_CASE("a body of Converse has the texts and the records of the stream") {
  // Not with footnotes: their list names what is known when a text ends.
  for (const style* how : {&keep_style, &strip_style, &numeric_style}) {
    INFO(how->name);
    const block_view streamed = view_of(run_whole(options_for(*how), answer_stream).out);
    session one(options_for(*how));
    std::string body;
    REQUIRE_FALSE(one.rewrite_body(answer_body, body));
    const document seen = parsed(body);
    const json_value blocks = seen.root()["output"]["message"]["content"];
    CHECK(blocks[0]["text"].string() == streamed.texts.at(0));
    CHECK(blocks[2]["citationsContent"]["content"][0]["text"].string() == streamed.texts.at(2));
    CHECK(blocks[3]["text"].string() == streamed.texts.at(3));
    CHECK(seen.root()["citestream"].raw() == streamed.records);
  }
}

TEST_CASE("records are in the last message and name the block of the citation") {
  CHECK(record_paths(view_of(run_whole(options_for(strip_style), answer_stream).out).records) ==
        std::vector<std::string>{R"({"block":0})", R"({"block":2})", R"({"block":2})"});
}

TEST_CASE("citations in a block of their own are about the text block before it") {
  const auto cited = [](int page) {
    return R"({"location":{"web":{"url":"https://a.example/)" + std::to_string(page) + R"(","domain":"a"}}})";
  };
  const auto places = [](std::string_view record) {
    const document records = parsed(record);
    std::vector<std::string> out;
    for (json_value one = records.root()["citations"].first(); one; one = one.next())
      out.push_back(std::string(one["anchor"].string()) + " " + std::string(one["start"].raw()) + " " +
                    std::string(one["end"].raw()) + " " + std::string(one["path"].raw()) + " group " +
                    std::string(one["group"].raw()));
    return out;
  };
  const std::string expected = R"(block 4 12 {"block":1} group 0)";
  for (int count = 1; count <= 3; ++count) {
    for (const bool more : {true, false}) {
      INFO(count << " citations, text after them: " << more);
      std::string stream = start + text(0, "One ") + stop(0) + text(1, "Hi ") + text(1, "claim") + stop(1);
      std::string list;
      for (int page = 0; page < count; ++page) {
        stream += delta(2, R"("citation":)" + cited(page));
        list += (page == 0 ? "" : ",") + cited(page);
      }
      stream += stop(2) + (more ? text(3, " more") + stop(3) : "") + end + metadata;
      CHECK(places(view_of(run_whole(options_for(strip_style), stream).out).records) ==
            std::vector<std::string>(static_cast<std::size_t>(count), expected));
      const std::string body =
          R"({"output":{"message":{"role":"assistant","content":[{"text":"One "},{"text":"Hi claim"},)"
          R"({"citationsContent":{"content":[],"citations":[)" +
          list + "]}}" + (more ? R"(,{"text":" more"})" : "") + R"(]}},"stopReason":"end_turn"})";
      session one(options_for(strip_style));
      std::string sent;
      REQUIRE_FALSE(one.rewrite_body(body, sent));
      CHECK(places(parsed(sent).root()["citestream"].raw()) ==
            std::vector<std::string>(static_cast<std::size_t>(count), expected));
    }
  }
}

namespace {

/// A request with a document, a page, and citations of them if \p enabled.
session_options asked_by(const std::string& enabled) {
  session_options options = options_for(strip_style);
  REQUIRE_FALSE(read_request_references(
      R"({"messages":[{"role":"user","content":[{"document":{"name":"Specs","format":"txt",)"
      R"("source":{"text":"The case is new. Sales rose by 20% in May."},"citations":{"enabled":)" +
          enabled +
          R"(}}},{"searchResult":{"source":"https://a.example/x","title":"Page A",)"
          R"("content":[{"text":"Sales rose."}]}}]}]})",
      options.references));
  return options;
}

/// The citations in the events of a stream, with the type of the next event.
std::vector<std::string> citations_of(std::string_view stream) {
  std::vector<std::string> out;
  eventstream_decoder decoder;
  decoder.feed(stream);
  bool last = false;
  for (frame item; decoder.next(item);) {
    if (last) out.back().append(" before ").append(item.event);
    const document one = parsed(item.data);
    last = one.root()["delta"]["citation"].is_object();
    if (last) out.emplace_back(one.root().raw());
  }
  return out;
}

const std::string asked_stream = start + text(0, "Sales rose by 20% [1") + text(0, "]. More [2]. See [2].") +
                                 stop(0) + named + text(2, "Rose [T](https://a.example/x).") + stop(2) + end +
                                 metadata;

}  // namespace

TEST_CASE("added citations are in the block of their markers if requested") {
  const stream_run whole = run_whole(asked_by("true"), asked_stream);
  const std::vector<std::string> expected{
      R"({"contentBlockIndex":0,"delta":{"citation":{"title":"Specs","sourceContent":[{"text":)"
      R"("Sales rose by 20% in May."}],"location":{"documentChar":{"documentIndex":0,"start":17,"end":42}},"citestream":true}}})"
      " before contentBlockDelta",
      R"({"contentBlockIndex":0,"delta":{"citation":{"title":"Page A","sourceContent":[{"text":)"
      R"("Sales rose."}],"location":{"web":{"url":"https://a.example/x"}},"citestream":true}}})"
      " before contentBlockStop"};
  std::vector<std::string> found = citations_of(whole.out);
  REQUIRE(found.size() == 3);
  CHECK(
      found[2].starts_with(R"({"contentBlockIndex":2)"));  // of the provider; a marker of its page adds none
  found.pop_back();
  CHECK(found == expected);
  CHECK(cut_difference(asked_by("true"), asked_stream) == "");
}

TEST_CASE("a request without citations gets no added ones unless always added") {
  session_options options = asked_by("false");
  CHECK(citations_of(run_whole(options, asked_stream).out).size() == 1);
  options.add = additions::always;
  CHECK(citations_of(run_whole(options, asked_stream).out).size() == 3);
}

TEST_CASE("a list of citations in a body gets those of markers in its text") {
  const std::string content =
      R"({"output":{"message":{"role":"assistant","content":[{"citationsContent":{"content":[)"
      R"({"text":"Sales rose by 20% [1]."}],"citations":[)";
  const std::string rest = R"(]}}]}},"stopReason":"end_turn"})";
  session one(asked_by("true"));
  std::string body;
  REQUIRE_FALSE(one.rewrite_body(content + rest, body));
  const document seen = parsed(body);
  const json_value block = seen.root()["output"]["message"]["content"].first()["citationsContent"];
  CHECK(block["content"].first()["text"].string() == "Sales rose by 20%.");
  CHECK(block["citations"].first()["location"]["documentChar"]["end"].raw() == "42");
  CHECK_FALSE(block["citations"].first().next());
}

TEST_CASE("the texts of one block of a body are one text that its citations are about") {
  session one;
  std::string body;
  REQUIRE_FALSE(one.rewrite_body(
      R"({"output":{"message":{"role":"assistant","content":[{"text":"No [a"},{"citationsContent":{"content":[)"
      R"({"text":"One [T](https://a.exam"},{"text":"ple/x) two."}],"citations":[{"title":"T","location":)"
      R"({"web":{"url":"https://b.example/y"}}}]}}]}},"stopReason":"end_turn"})",
      body));
  const document seen = parsed(body);
  const json_value blocks = seen.root()["output"]["message"]["content"];
  CHECK(blocks[0]["text"].string() == "No [a");
  CHECK(blocks[1]["citationsContent"]["content"][0]["text"].string() == "One");
  CHECK(blocks[1]["citationsContent"]["content"][1]["text"].string() == " two.");
  const json_value record = seen.root()["citestream"]["citations"][1];
  CHECK(record["anchor"].string() == "block");
  CHECK(record["start"].integer() == 5);
  CHECK(record["end"].integer() == 13);
}

TEST_CASE("a text of a body that gets citations of ours is in a block with citations") {
  const auto body = [](const std::string& blocks) {
    return R"({"output":{"message":{"role":"assistant","content":[)" + blocks +
           R"(]}},"stopReason":"end_turn"})";
  };
  const std::string plain = R"({ "text":"It rose." })";
  const auto rewritten = [](const session_options& options, const std::string& bytes) {
    session one(options);
    std::string out;
    REQUIRE_FALSE(one.rewrite_body(bytes, out));
    return out;
  };
  for (const std::string block :
       {R"({ "text":"Sales rose by 20% [1]." })",
        R"({"citationsContent":{"content":[{"text":"Sales rose by 20% [1]."}]}})",
        R"({"citationsContent":{"content":[{"text":"Sales rose by 20% [1]."}],"citations":null}})"}) {
    const document seen = parsed(rewritten(asked_by("true"), body(plain + "," + block)));
    const json_value content = seen.root()["output"]["message"]["content"];
    CHECK(content.first().raw() == plain);
    const json_value cited = content.first().next();
    CHECK_FALSE(cited.first().next());  // a block is a union
    CHECK(cited["citationsContent"]["content"].first()["text"].string() == "Sales rose by 20%.");
    CHECK_FALSE(cited["citationsContent"]["content"].first().next());
    CHECK(cited["citationsContent"]["citations"].first()["location"]["documentChar"]["end"].raw() == "42");
    CHECK(seen.root()["citestream"]["citations"].first()["status"].string() == "resolved");
  }
  const std::string marked = R"({"text":"Sales rose by 20% [1]."})";
  CHECK(rewritten(asked_by("false"), body(marked)).find("citationsContent") == std::string::npos);
}

TEST_CASE("text held at the end of a block is sent before its end") {
  const block_view seen = view_of(run_whole(options_for(strip_style), answer_stream).out);
  std::vector<std::string> types = view_of(answer_stream).types;
  const auto first = std::find(types.begin(), types.end(), "contentBlockStop");
  types.insert(first, "contentBlockDelta");
  const auto last = std::find(types.rbegin(), types.rend(), "contentBlockStop");
  types.insert(last.base() - 1, "contentBlockDelta");
  CHECK(seen.types == types);
}

TEST_CASE("without metadata a message that has stopped is complete") {
  const std::string cut = answer_stream.substr(0, answer_stream.size() - metadata.size());
  const stream_run seen = run_whole(options_for(strip_style), cut);
  CHECK_FALSE(seen.end);
  CHECK(view_of(seen.out).texts == view_of(run_whole(options_for(strip_style), answer_stream).out).texts);
}

TEST_CASE("a broken stream of messages ends with an exception") {
  std::string exception;
  append_exception_message("modelStreamErrorException",
                           R"({"message":"the upstream ended inside the answer"})", exception);
  const std::size_t answer = answer_stream.size() - metadata.size() - end.size();
  for (const std::size_t size : {start.size(), start.size() + 5, answer / 2, answer, answer + 20}) {
    const stream_run seen = run_whole(options_for(strip_style), answer_stream.substr(0, size));
    CHECK(seen.end.code == errc::upstream_incomplete);
    CHECK(seen.out.ends_with(exception));
    const std::string_view kept = std::string_view(seen.out).substr(0, seen.out.size() - exception.size());
    if (!kept.empty()) view_of(kept);
  }
}

TEST_CASE("an exception of the upstream passes after held text and nothing follows it") {
  std::string exception;
  append_exception_message("throttlingException", R"({"message":"slow down"})", exception);
  const stream_run seen = run_whole(options_for(strip_style), start + text(0, "see [a") + exception);
  CHECK(seen.out == start + text(0, "see") + text(0, " [a") + exception);
  const std::string cited = start + text(0, "see [T](https://a.example/) or [a") + exception;
  CHECK(run_whole(options_for(strip_style), cited).out.ends_with(text(0, " [a") + exception));
}

TEST_CASE("a marker of Converse may go on after messages without text") {
  const std::string tool =
      event("contentBlockStart", R"("contentBlockIndex":1,"start":{"toolUse":{"name":"t"}})");
  for (const std::string& between :
       {tool, delta(1, R"("toolUse":{"input":"{}"})"), delta(0, R"("reasoningContent":{"text":"so"})"),
        tool + stop(1), event("newMessage", R"("news":1)")}) {
    const stream_run seen =
        run_whole(options_for(strip_style), start + text(0, "see [T](https://a.ex") + between +
                                                text(0, "ample/) now") + stop(0) + end + metadata);
    CHECK(view_of(seen.out).texts.at(0) == "see now");
    CHECK(seen.out.find(between) != std::string::npos);
  }
}

TEST_CASE("held text is sent before a damaged message and nothing is added after it") {
  const std::string before = start + text(0, "see [a");
  std::string damaged = text(0, "](x) b") + end + metadata;
  damaged[30] = static_cast<char>(~damaged[30]);
  for (const std::size_t size : {std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
    session one(options_for(numeric_style));
    const std::string all = before + damaged;
    const stream_run seen = run(one, cut_every(all, size));
    CHECK(seen.out == start + text(0, "see ") + text(0, "[a") + damaged);
    CHECK(seen.counts.passed_through == 1);
    CHECK(seen.error.code == errc::damaged_message);
    CHECK(seen.error.offset == before.size());
  }
}

TEST_CASE("messages without markers pass unchanged") {
  session_options options = options_for(strip_style);
  options.add = additions::never;
  const std::string plain =
      start + text(0, "One") + text(0, " two") + stop(0) + named + text(2, ".") + stop(2) + end + metadata;
  CHECK(run_whole(options, plain).out == plain);
}

TEST_CASE("recorded messages of Bedrock pass unchanged") {
  if (!have_data("recordings/providers/bedrock")) return;
  std::size_t streams = 0;
  session_options options = options_for(keep_style);
  options.add = additions::never;
  for (const auto& entry : std::filesystem::directory_iterator(data_dir() / "recordings/providers/bedrock")) {
    INFO(entry.path().string());
    const std::string bytes = read_file(entry.path());
    if (entry.path().extension() == ".eventstream") {
      const stream_run seen = run_whole(options, bytes);
      CHECK(seen.out == bytes);
      CHECK_FALSE(seen.end);
      ++streams;
      if (entry.path().string().find("converse") == std::string::npos) continue;
      session_options stripped = options_for(strip_style);  // may move a blank to the next event
      stripped.add = additions::never;
      CHECK(view_of(run_whole(stripped, bytes).out).texts == view_of(bytes).texts);
    }
    if (entry.path().extension() != ".json" || entry.path().string().ends_with("request.json")) continue;
    session one(options);
    std::string body;
    CHECK_FALSE(one.rewrite_body(bytes, body));
    CHECK(body == bytes);
    CHECK(one.statistics().passed_through == 0);
    CHECK(one.recognised()->name == "bedrock");
  }
  CHECK(streams >= 7);
}

TEST_CASE("Converse is recognised by the first message with and without padding") {
  const auto without = [](const std::string& type, const std::string& members) {
    return message(type, "{" + members + "}");
  };
  const std::string first = without("messageStart", R"("role":"assistant")");
  const std::string stream =
      first +
      without("contentBlockDelta",
              R"("contentBlockIndex":0,"delta":{"text":"Hi [T](https://a.example/x) x"})") +
      without("contentBlockStop", R"("contentBlockIndex":0)") +
      without("messageStop", R"("stopReason":"end_turn")") + without("metadata", R"("usage":{})");
  CHECK(view_of(run_whole(options_for(strip_style), stream).out).texts.at(0) == "Hi x");
  for (const std::string& begun : {first, start, without("messageStart", R"("role":"assistant","new":1)")}) {
    const stream_run cut = run_whole(options_for(strip_style), begun);
    CHECK(cut.end.code == errc::upstream_incomplete);
    CHECK(cut.out.find("modelStreamErrorException") != std::string::npos);
    CHECK(run_whole(options_for(strip_style), begun + stream.substr(0, 20)).out == cut.out);
  }
  const std::string other = message("somethingElse", R"({"role":"assistant"})");
  CHECK(run_whole(options_for(strip_style), other).out == other);
}
