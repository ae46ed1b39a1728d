// Streams of AG-UI: texts are messages with ids, and an event without its text is left out.
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/session.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/parsed_json.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

std::string event(const std::string& type, const std::string& members = {}) {
  return "data: {\"type\":\"" + type + "\"" + members + "}\n\n";
}

std::string of(const std::string& id) {
  return R"(,"messageId":")" + id + "\"";
}

std::string text(const std::string& id, const std::string& piece) {
  return event("TEXT_MESSAGE_CONTENT", of(id) + R"(,"delta":")" + piece + "\"");
}

std::string message(const std::string& id, const std::string& deltas) {
  return event("TEXT_MESSAGE_START", of(id) + R"(,"role":"assistant")") + deltas +
         event("TEXT_MESSAGE_END", of(id));
}

std::string chunk(const std::string& id, const std::string& piece) {
  return event("TEXT_MESSAGE_CHUNK", (id.empty() ? "" : of(id)) + R"(,"delta":")" + piece + "\"");
}

const std::string ids = R"(,"threadId":"t","runId":"r")";
const std::string begin = event("RUN_STARTED", ids);

std::string run_of(const std::string& events, const std::string& result = {}) {
  return begin + events + event("RUN_FINISHED", ids + result);
}

const std::string result_of_tool =
    event("TOOL_CALL_RESULT",
          of("r1") +
              R"(,"toolCallId":"c1","content":"[{\"id\":\"f-1\",\"title\":\"Report\",\"text\":\"Rose.\"}]")");
const std::string snapshot = event(
    "MESSAGES_SNAPSHOT",
    R"~(,"messages":[{"id":"u","role":"user","content":"Why? [Q](q)"},{"id":"m1","role":"assistant",)~"
    R"~("content":"🐍 Sales rose [R](f-1) much."},{"id":"old","role":"assistant","content":"Old [O](o)"}])~");

const std::string answer_stream =
    run_of(result_of_tool +
               message("m1", text("m1", "🐍 Sales rose ") + event("STATE_DELTA", R"(,"delta":[])") +
                                 text("m1", "[R](") + event("RAW", R"(,"event":{})") + text("m1", "f-1)") +
                                 text("m1", " much.")) +
               snapshot + message("m2", text("m2", "See [T")),
           R"(,"result":"See [T")");

struct client_view {
  std::map<std::string, std::string, std::less<>> texts;
  std::vector<std::string> types;
  std::string snapshot;
  std::string result;
  std::string records;
};

client_view view_of(std::string_view bytes) {
  client_view out;
  for (const std::string& payload : payloads(bytes)) {
    const document one = parsed(payload);
    const json_value root = one.root();
    const std::string type(root["type"].string());
    out.types.push_back(type);
    if (type == "TEXT_MESSAGE_CONTENT" || type == "TEXT_MESSAGE_CHUNK")
      out.texts[std::string(root["messageId"].string())] += root["delta"].string();
    if (type == "TEXT_MESSAGE_CONTENT") CHECK_FALSE(root["delta"].string().empty());
    if (type == "MESSAGES_SNAPSHOT") out.snapshot = root["messages"].raw();
    if (type == "RUN_FINISHED") out.result = root["result"].string();
    if (type == "CUSTOM") out.records = root["value"].raw();
  }
  return out;
}

}  // namespace

TEST_CASE("messages of AG-UI and their repeats are clean") {
  const std::pair<const style*, std::string> styles[] = {{&strip_style, "🐍 Sales rose much."},
                                                         {&numeric_style, "🐍 Sales rose [1] much."}};
  for (const auto& [how, expected] : styles) {
    INFO(how->name);
    const stream_run seen = run_whole(options_for(*how), answer_stream);
    const client_view view = view_of(seen.out);
    CHECK(view.texts == std::map<std::string, std::string, std::less<>>{{"m1", expected}, {"m2", "See [T"}});
    CHECK(view.result == "See [T");
    const document messages = parsed(view.snapshot);
    CHECK(messages.root()[std::size_t{0}]["content"].string() == "Why? [Q](q)");
    CHECK(messages.root()[std::size_t{1}]["content"].string() == expected);
    CHECK(messages.root()[std::size_t{2}]["content"].string() == "Old [O](o)");
    CHECK(seen.counts.resolved == 1);
    CHECK_FALSE(seen.end);
  }
}

TEST_CASE("how a stream of AG-UI is cut decides nothing") {
  for (const style* how : {&strip_style, &numeric_style, &footnote_style}) {
    CHECK(cut_difference(options_for(*how), answer_stream) == "");
  }
}

TEST_CASE("an event of AG-UI whose whole text is held is left out") {
  const std::string stream = run_of(message("m", text("m", "One") + text("m", " two") + text("m", " [T") +
                                                     text("m", "](u") + text("m", ")") + text("m", ".")));
  session_options options = options_for(strip_style);
  options.add = additions::never;
  CHECK(run_whole(options, stream).out ==
        run_of(message("m", text("m", "One") + text("m", " two") + text("m", "."))));
  session without_cache([&] {
    options.bounds.max_envelopes = 0;
    return options;
  }());
  CHECK(run(without_cache, {stream}).out == run_whole(options, stream).out);
}

TEST_CASE("a claim of AG-UI starts in the message that its path names") {
  const std::string stream = run_of(message("m", text("m", "Sales fell in 2020")) +
                                    message("n", text("n", "Costs rose [L](u).") + text("n", " Gains")) +
                                    message("o", text("o", "[L](u) fell")));
  const document records = parsed(view_of(run_whole(options_for(strip_style), stream).out).records);
  const json_value first = records.root()["citations"].first();
  CHECK(first["path"].raw() == R"({"message":"n"})");
  CHECK(first["claim_start"].integer() == 18);
  CHECK(first["claim_end"].integer() == 28);
  CHECK(first.next()["path"].raw() == R"({"message":"o"})");
  CHECK(first.next()["claim_start"].integer() == 35);
  CHECK(first.next()["claim_end"].integer() == 35);
}

TEST_CASE("chunks of AG-UI without an id belong to the text before them") {
  session_options options = options_for(strip_style);
  options.add = additions::never;
  const std::string stream = run_of(chunk("m", "[T") + chunk("", "](u) One [B") + chunk("", "](v)"));
  CHECK(run_whole(options, stream).out == run_of(chunk("m", "") + chunk("", "One") + chunk("", "")));
}

TEST_CASE("a message of chunks of AG-UI ends before an event of another kind") {
  session_options options = options_for(strip_style);
  options.add = additions::never;
  const std::string first = chunk("m", "Let me check.") + chunk("", " [T");
  const std::string rest = chunk("n", "Done [T") + chunk("", "](u).");
  for (const std::string type :
       {"TOOL_CALL_START", "TOOL_CALL_CHUNK", "TOOL_CALL_RESULT", "STATE_SNAPSHOT", "STATE_DELTA",
        "MESSAGES_SNAPSHOT", "CUSTOM", "STEP_STARTED", "REASONING_START", "THINKING_START"}) {
    INFO(type);
    const std::string stream = run_of(first + event(type) + rest);
    const std::string expected = run_of(chunk("m", "Let me check.") + chunk("", "") + chunk("", " [T") +
                                        event(type) + chunk("n", "Done") + chunk("", "."));
    CHECK(run_whole(options, stream).out == expected);
    CHECK(cut_difference(options, stream) == "");
  }
  const std::string begun = event("TEXT_MESSAGE_START", of("n")) + text("n", "Two");
  CHECK(run_whole(options, run_of(first + begun)).out ==
        run_of(chunk("m", "Let me check.") + chunk("", "") + chunk("", " [T") + begun));
  const std::string empty = run_of(first + chunk("m", "") + event("TOOL_CALL_CHUNK"));
  CHECK(run_whole(options, empty).out == run_of(chunk("m", "Let me check.") + chunk("", "") + chunk("m", "") +
                                                chunk("", " [T") + event("TOOL_CALL_CHUNK")));
  // A chunk with the id continues the message.
  const std::string named =
      run_of(chunk("m", "a") + chunk("m", " [T") + event("STATE_DELTA") + chunk("m", "](u) b."));
  CHECK(run_whole(options, named).out ==
        run_of(chunk("m", "a") + chunk("m", "") + event("STATE_DELTA") + chunk("m", " b.")));
  for (const std::string type : {"RAW", "ACTIVITY_DELTA", "REASONING_ENCRYPTED_VALUE", "SUBAGENT_STARTED"}) {
    INFO(type);
    CHECK(run_whole(options, run_of(first + event(type) + chunk("", "](u)."))).out ==
          run_of(chunk("m", "Let me check.") + chunk("", "") + event(type) + chunk("", ".")));
  }
}

TEST_CASE("the records of AG-UI are an event before the end of the run") {
  const client_view seen = view_of(run_whole(options_for(strip_style), answer_stream).out);
  REQUIRE(seen.types.size() > 2);
  CHECK(seen.types.end()[-2] == "CUSTOM");
  const document records = parsed(seen.records);
  const json_value record = records.root()["citations"][std::size_t{0}];
  CHECK(record["path"].raw() == R"({"message":"m1"})");
  CHECK(record["title"].string() == "Report");
  CHECK(record["references"][std::size_t{0}]["tool_call_id"].string() == "c1");
}

TEST_CASE("the rest of a message of AG-UI comes before its end") {
  const client_view before = view_of(answer_stream);
  const client_view after = view_of(run_whole(options_for(strip_style), answer_stream).out);
  CHECK(after.types.size() == before.types.size() - 2 + 2);  // two left out; the rest, and the records
  const auto last = std::find(after.types.rbegin(), after.types.rend(), "TEXT_MESSAGE_END");
  CHECK(*(last + 1) == "TEXT_MESSAGE_CONTENT");
}

TEST_CASE("the result of a run of AG-UI is clean whichever message it repeats") {
  const std::string texts = result_of_tool + message("m1", text("m1", "One [R](f-1).")) +
                            message("m2", text("m2", "Two [R](f-1).")) + message("m3", text("m3", "Three."));
  const auto result = [&](const std::string& given) {
    const std::string stream = run_of(texts, R"(,"result":")" + given + "\"");
    return view_of(run_whole(options_for(strip_style), stream).out).result;
  };
  CHECK(result("One [R](f-1).") == "One.");
  CHECK(result("Two [R](f-1).") == "Two.");
  CHECK(result("Three.") == "Three.");
  CHECK(result("Four [R](f-1).") == "Four [R](f-1).");
}

TEST_CASE("a run of AG-UI without markers passes unchanged") {
  const std::string plain = run_of(message("m", text("m", "One") + text("m", " two.")) + chunk("n", "Three"),
                                   R"(,"result":{"a":[]})");
  CHECK(run_whole(options_for(strip_style), plain).out == plain);
}

TEST_CASE("a failed run of AG-UI ends with its error event") {
  const std::string cut = begin + event("TEXT_MESSAGE_START", of("m")) + text("m", "So [T");
  const stream_run seen = run_whole(options_for(strip_style), cut);
  CHECK(seen.end.code == errc::upstream_incomplete);
  CHECK(seen.out.ends_with(text("m", " [T") + event("RUN_ERROR",
                                                    R"(,"message":"the upstream ended inside the answer",)"
                                                    R"("code":"upstream_error")")));
  const std::string failed = cut + event("RUN_ERROR", R"(,"message":"Full")");
  const stream_run reported = run_whole(options_for(strip_style), failed);
  CHECK_FALSE(reported.end);
  CHECK(reported.out.ends_with(text("m", " [T") + event("RUN_ERROR", R"(,"message":"Full")")));
}

TEST_CASE("messages of AG-UI that are not of the model pass unchanged") {
  const auto said = [](const std::string& role, const std::string& id, const std::string& words) {
    return event("TEXT_MESSAGE_START", of(id) + R"(,"role":")" + role + "\"") + text(id, words) +
           text(id, " [X]") + text(id, "(y)") + event("TEXT_MESSAGE_END", of(id));
  };
  session_options options = options_for(strip_style);
  options.add = additions::never;
  for (const std::string role : {"user", "system", "developer", "tool"}) {
    INFO(role);
    const std::string before = said(role, "u", "Why [W](u)");
    const std::string after = said(role, "v", "See [V](v)");
    const std::string stream = run_of(before + message("m", text("m", "So [R](f) it") + text("m", " is.")) +
                                      after + message("n", text("n", "And [S](g) so.")));
    const std::string expected = run_of(before + message("m", text("m", "So it") + text("m", " is.")) +
                                        after + message("n", text("n", "And so.")));
    CHECK(run_whole(options, stream).out == expected);
    CHECK(cut_difference(options, stream) == "");
    const std::string chunks =
        run_of(event("TEXT_MESSAGE_CHUNK", of("u") + R"(,"role":")" + role + R"x(","delta":"Why [W](u)")x") +
               chunk("u", " [X](y)") + chunk("m", "So [R](f) it."));
    CHECK(run_whole(options, chunks).out.find(chunk("u", " [X](y)") + chunk("m", "So it.")) !=
          std::string::npos);
  }
}

TEST_CASE("a message of the model that another one interrupts continues after it") {
  session_options options = options_for(strip_style);
  options.add = additions::never;
  const std::string user = event("TEXT_MESSAGE_START", of("u") + R"(,"role":"user")");
  const std::string open = event("TEXT_MESSAGE_START", of("m") + R"(,"role":"assistant")");
  const std::string stream =
      run_of(open + text("m", "One") + user + text("u", "[W](u)") + text("m", " [R](f) two.") +
             text("u", " [X](y)") + event("TEXT_MESSAGE_END", of("m")));
  const std::string expected =
      run_of(open + text("m", "One") + user + text("u", "[W](u)") + text("m", " two.") +
             text("u", " [X](y)") + event("TEXT_MESSAGE_END", of("m")));
  CHECK(run_whole(options, stream).out == expected);
}

TEST_CASE("records of AG-UI count no text that is not of the model") {
  const std::string user = event("TEXT_MESSAGE_START", of("u") + R"(,"role":"user")") +
                           text("u", "[W](u) Why?") + event("TEXT_MESSAGE_END", of("u"));
  const auto records = [](const std::string& before) {
    return view_of(run_whole(options_for(strip_style),
                             run_of(before + result_of_tool + message("m", text("m", "It grew [R](f-1)."))))
                       .out)
        .records;
  };
  CHECK(records(user) == records(""));
  CHECK(records(user).find(R"("start":7)") != std::string::npos);
}

TEST_CASE("with egress every message of AG-UI is read") {
  session_options options = options_for(strip_style);
  options.egress = egress_mode::enforce;
  const std::string image = "![a](https://b.example/)";
  const std::string stream = run_of(event("TEXT_MESSAGE_START", of("u") + R"(,"role":"user")") +
                                    text("u", image) + event("TEXT_MESSAGE_END", of("u")));
  CHECK(run_whole(options, stream).out.find(image) == std::string::npos);
}

TEST_CASE("a stream of AG-UI is recognised without the start of its run") {
  const std::string answer = message("m", text("m", "One [R](f-1)") + text("m", "."));
  const std::string finished = event("RUN_FINISHED", ids);
  for (const std::string& stream :
       {answer, chunk("m", "One [R](f-1)."), text("m", "One [R](f-1)."), result_of_tool + answer}) {
    const client_view seen = view_of(run_whole(options_for(strip_style), stream + finished).out);
    CHECK(seen.texts.at("m") == "One.");
    CHECK_FALSE(seen.records.empty());
  }
}

TEST_CASE("a snapshot of AG-UI does not show the start of a marker that is held") {
  const auto shown = [](const std::string& content) {
    return event("MESSAGES_SNAPSHOT",
                 R"(,"messages":[{"id":"m","role":"assistant","content":")" + content + "\"}]");
  };
  const std::string before = text("m", "One [R](") + shown("One [R](");
  const std::string stream = run_of(message("m", before + text("m", "f-1) two.")));
  const stream_run got = run_whole({}, stream);
  const client_view seen = view_of(got.out);
  CHECK(seen.texts.at("m") == "One two.");
  CHECK(seen.snapshot == R"([{"id":"m","role":"assistant","content":"One"}])");
  CHECK(cut_difference({}, stream) == "");
  CHECK(view_of(run_whole({}, run_of(message("m", before))).out).texts.at("m") == "One [R](");
}
