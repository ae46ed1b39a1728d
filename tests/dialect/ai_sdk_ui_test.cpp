// UI message streams of the AI SDK: texts have ids, and citations are parts of their own.
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/session.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "dialect/client_view.hpp"
#include "support/parsed_json.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

std::string part(const std::string& type, const std::string& members = {}) {
  return "data: {\"type\":\"" + type + "\"" + members + "}\n\n";
}

std::string named(const std::string& id) {
  return R"(,"id":")" + id + "\"";
}

std::string text(const std::string& id, const std::string& piece) {
  return part("text-delta", named(id) + R"(,"delta":")" + piece + "\"");
}

std::string whole_text(const std::string& id, const std::string& deltas) {
  return part("text-start", named(id)) + deltas + part("text-end", named(id));
}

std::string page(const std::string& url, const std::string& title) {
  return part("source-url", R"(,"sourceId":"s1","url":")" + url + R"(","title":")" + title + "\"");
}

const std::string start = part("start", R"(,"messageId":"m")") + part("start-step");
const std::string finish = part("finish-step") + part("finish");
const std::string done = "data: [DONE]\n\n";

std::string message(const std::string& parts) {
  return start + parts + finish + done;
}

// The model cites a page that the server shows, a document, and a page that a document names.
const std::string document_part =
    part("source-document", R"(,"sourceId":"f-1","mediaType":"text/plain","title":"Report")");
const std::string answer_stream = message(
    page("https://a.example/x", "Page A") + document_part + part("data-progress", R"(,"data":{"done":1})") +
    whole_text("t1", text("t1", "🐍 In short [A](https://a.ex") + part("data-progress", R"(,"data":2)") +
                         text("t1", "ample/x): sales") + text("t1", " rose [R](f-1")) +
    part("finish-step") + part("start-step") + whole_text("t1", text("t1", "[R](f-1) See [T")));

struct client_view {
  std::vector<std::string> texts;
  std::vector<std::string> types;
  std::vector<std::string> own;  ///< our sources, without their type
  std::string records;
};

client_view view_of(std::string_view bytes) {
  client_view out;
  std::map<std::string, std::size_t, std::less<>> open;
  for (const std::string& payload : payloads(bytes)) {
    if (payload == "[DONE]") continue;
    const document one = parsed(payload);
    const json_value root = one.root();
    const std::string type(root["type"].string());
    const std::string id(root["id"].string());
    out.types.push_back(type);
    if (type == "text-start") {
      REQUIRE(open.emplace(id, out.texts.size()).second);
      out.texts.emplace_back();
    }
    if (type == "text-delta") out.texts.at(open.at(id)) += root["delta"].string();
    if (type == "text-end") REQUIRE(open.erase(id) == 1);
    if (root["providerMetadata"]["citestream"])
      out.own.emplace_back(std::string(root["sourceId"].string()) + " " +
                           std::string(root["title"].string()) + " " +
                           std::string(root["providerMetadata"]["citestream"].raw()));
    if (type == "data-citestream") out.records = root["data"].raw();
  }
  return out;
}

}  // namespace

TEST_CASE("each text of a UI message is clean") {
  const std::pair<const style*, std::vector<std::string>> styles[] = {
      {&strip_style, {"🐍 In short: sales rose [R](f-1", " See [T"}},
      {&numeric_style, {"🐍 In short [1]: sales rose [R](f-1", "[2] See [T"}}};
  for (const auto& [how, expected] : styles) {
    INFO(how->name);
    const stream_run seen = run_whole(options_for(*how), answer_stream);
    CHECK(view_of(seen.out).texts == expected);
    CHECK(seen.counts.resolved == 2);
    CHECK_FALSE(seen.end);
    CHECK(seen.out.ends_with(part("finish") + done));
  }
}

TEST_CASE("the style of a UI message is numeric unless another is chosen") {
  const std::string chat =
      R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"A [R](u)."},)"
      R"("finish_reason":"stop"}]})"
      "\n\ndata: [DONE]\n\n";
  const std::string numeric = run_whole(options_for(numeric_style), answer_stream).out;
  const std::string strip = run_whole(options_for(strip_style), answer_stream).out;
  CHECK(numeric != strip);
  for (const bool chosen : {false, true}) {  // grammars, which are independent of the style
    session_options options;
    if (chosen) options.grammars = {&link_grammar};
    session one(options);
    for (int round = 0; round < 2; ++round) {  // the choices of a session are reused
      CHECK(run(one, {answer_stream}).out == numeric);
      one.reset();
      CHECK(run(one, {chat}).out.find(R"("content":"A.")") != std::string::npos);
      one.reset();
    }
  }
  session_options forced;
  forced.dialect = find_dialect("ai_sdk_ui");
  CHECK(run_whole(forced, answer_stream).out == numeric);
  forced.style = &strip_style;
  CHECK(run_whole(forced, answer_stream).out == strip);
}

TEST_CASE("a text of a UI message that nothing ends is sent before its step ends") {
  const stream_run seen =
      run_whole(options_for(strip_style),
                message(part("text-start", named("t1")) + text("t1", "See [T") + text("t1", "](x")));
  const client_view view = view_of(seen.out);
  CHECK(view.texts == std::vector<std::string>{"See [T](x"});
  const auto last_delta = std::find(view.types.rbegin(), view.types.rend(), "text-delta");
  CHECK(*(last_delta.base()) == "finish-step");
}

TEST_CASE("how a UI message is cut decides nothing") {
  for (const style* how : {&strip_style, &numeric_style, &footnote_style}) {
    CHECK(cut_difference(options_for(*how), answer_stream) == "");
  }
}

TEST_CASE("a source that the server shows is not repeated") {
  const client_view seen = view_of(run_whole(options_for(numeric_style), answer_stream).out);
  CHECK(seen.own.empty());
  CHECK(std::ranges::count(seen.types, "source-document") == 1);
  CHECK(std::ranges::count(seen.types, "source-url") == 1);
}

TEST_CASE("each cited source is a part once however many texts cite it") {
  session_options options = options_for(strip_style);
  const auto know = [&](const std::string& id, const std::string& url, const std::string& title) {
    reference& ref = options.references.emplace_back();
    ref.type = url.empty() ? source_type::document : source_type::web;
    ref.id = id;
    ref.url = url;
    ref.title = title;
  };
  know("p-1", "https://a.example/x", "A");
  know("p-2", "https://a.example/x#part", "A");  // the same page
  know("f-1", "", "Report");
  options.references.back().cite = "c-1";
  know("", "", "Notes");
  options.references.back().cite = "n-1";
  know("", "", "Plans");
  options.references.back().cite = "n-2";
  const std::string cites = "Hi [W](https://a.example/x) [V](p-2) [R](f-1) [N](n-1) [P](n-2) [W](p-1).";
  std::string texts;
  for (const std::string id : {"1", "2", "3"}) texts += whole_text(id, text(id, cites));
  const std::vector<std::string> titles{"A", "Report", "Notes", "Plans"};
  const auto titles_of = [&](const std::string& stream) {
    std::vector<std::string> out;
    const std::string sent = run_whole(options, stream).out;
    for (const std::string& payload : payloads(sent)) {
      if (payload.find("\"source-") == std::string::npos || payload.find("\"data-") != std::string::npos)
        continue;
      const document one = parsed(payload);
      out.emplace_back(one.root()["title"].string());
    }
    return out;
  };
  CHECK(titles_of(message(texts)) == titles);
  const std::string shown =
      page("https://a.example/x", "A") +
      part("source-document", R"(,"sourceId":"f-1","mediaType":"text/plain","title":"Report")");
  CHECK(titles_of(message(shown + texts)) == titles);
  CHECK(titles_of(message(shown + part("start-step") + texts + part("finish-step") + texts)) == titles);
}

TEST_CASE("a cited page that is not shown is a part of the message") {
  session_options options = options_for(strip_style);
  reference ref;
  ref.type = source_type::web;
  ref.url = "https://a.example/x";
  ref.title = "Page A";
  options.references.push_back(ref);
  const std::string stream = message(whole_text("t", text("t", "🐍 One [T](https://a.example/x).")));
  const std::string out = run_whole(options, stream).out;
  const std::string own =
      R"(data: {"sourceId":"citestream-1","type":"source-url","url":"https://a.example/x",)"
      R"("title":"Page A","providerMetadata":{"citestream":{"number":1,"start":6,"end":6}}})"
      "\n\n";
  CHECK(out.find(own + part("text-end", named("t"))) != std::string::npos);
}

TEST_CASE("the records of a UI message are a part before its end") {
  const client_view seen = view_of(run_whole(options_for(strip_style), answer_stream).out);
  const auto at = std::find(seen.types.begin(), seen.types.end(), "data-citestream");
  REQUIRE(at != seen.types.end());
  CHECK(*(at + 1) == "finish");
  CHECK(record_paths(seen.records) == std::vector<std::string>{R"({"text":"t1"})", R"({"text":"t1"})"});
}

TEST_CASE("the records of a UI message without a finish part are a part before DONE") {
  for (const style* how : {&strip_style, &numeric_style, &footnote_style}) {
    INFO(how->name);
    const std::string cited = text("t", "See [A](u)") + text("t", " and [B");
    for (const std::string& texts : {whole_text("t", cited), part("text-start", named("t")) + cited}) {
      const stream_run seen = run_whole(options_for(*how), start + texts + done);
      CHECK_FALSE(seen.end);
      const client_view view = view_of(seen.out);  // requires that each delta is inside its text
      CHECK(view.types.back() == "data-citestream");
      CHECK(std::ranges::count(view.types, "data-citestream") == 1);
      CHECK(view.texts.front().find("and [B") != std::string::npos);
      const std::size_t records = seen.out.find(R"("type":"data-citestream")");
      CHECK(seen.out.find("\"citestream\"") > records);  // no other part has the member
    }
  }
}

TEST_CASE("no delta of a UI message follows the end of its text") {
  const std::string cited = whole_text("t", text("t", "See [A](u)."));
  for (const std::string& next : {part("text-start", named("v")), whole_text("v", ""), std::string()}) {
    for (const std::string& end : {part("finish") + done, done, part("error", R"(,"errorText":"e")")}) {
      const client_view view =
          view_of(run_whole(options_for(footnote_style), start + cited + next + end).out);
      CHECK(view.texts.front().starts_with("See[^1]."));
    }
  }
}

TEST_CASE("a UI message without markers passes unchanged") {
  session_options options = options_for(strip_style);
  options.add = additions::never;
  const std::string plain = message(page("https://a.example/x", "A") + part("reasoning-start", named("r")) +
                                    whole_text("t", text("t", "One") + text("t", "") + text("t", " two.")));
  CHECK(run_whole(options, plain).out == plain);
  CHECK(run_whole(options_for(strip_style), message(whole_text("t", text("t", "One")))).out ==
        message(whole_text("t", text("t", "One"))));
}

TEST_CASE("a failed UI message ends with an error part") {
  const stream_run seen =
      run_whole(options_for(strip_style), start + part("text-start", named("t")) + text("t", "So [T"));
  CHECK(seen.end.code == errc::upstream_incomplete);
  CHECK(seen.out.ends_with(text("t", " [T") +
                           part("error", R"(,"errorText":"the upstream ended inside the answer")")));
  const std::string stopped = start + whole_text("t", text("t", "So")) + part("abort");
  CHECK_FALSE(run_whole(options_for(strip_style), stopped).end);
}

TEST_CASE("sources before the first text are known however a UI message begins") {
  const std::string source = page("https://a.example/x", "Page A");
  const std::string answer = whole_text("t", text("t", "One [T](https://a.ex") + text("t", "ample/x)."));
  for (const std::string& first :
       {part("start"), part("start", R"(,"messageMetadata":{"model":"m"})"),
        part("start", R"(,"messageId":"m")"),
        part("start") + part("data-x", R"(,"data":1)") + part("message-metadata", R"(,"messageMetadata":{})"),
        part("start") + part("reasoning-start", named("r")) +
            part("reasoning-delta", named("r") + R"x(,"delta":"Hm [T](u)")x") +
            part("reasoning-end", named("r")),
        part("start") + part("tool-input-start", R"(,"toolCallId":"c","toolName":"t")") +
            part("tool-output-available", R"(,"toolCallId":"c","output":{})"),
        part("start") + part("file", R"(,"url":"https://f.example/","mediaType":"image/png")"),
        std::string()}) {
    INFO(first);
    const std::string stream = first + source + answer + finish + done;
    const stream_run whole = run_whole(options_for(strip_style), stream);
    CHECK(whole.counts.resolved == 1);
    CHECK(whole.counts.unresolved == 0);
    CHECK(whole.out.starts_with(first + source));
    CHECK(view_of(whole.out).texts == std::vector<std::string>{"One."});
    CHECK(cut_difference(options_for(strip_style), stream) == "");
  }
}

TEST_CASE("a UI message that breaks off after its first part ends with an error part") {
  const std::string error = part("error", R"(,"errorText":"the upstream ended inside the answer")");
  const std::string stream =
      part("start") + page("https://a.example/x", "A") + whole_text("t", text("t", "One"));
  for (std::size_t cut = part("start").size(); cut <= stream.size(); ++cut) {
    INFO(cut);
    const stream_run seen = run_whole(options_for(strip_style), stream.substr(0, cut));
    CHECK(seen.end.code == errc::upstream_incomplete);
    CHECK(seen.out.ends_with(error));
  }
}

TEST_CASE("a stream that only starts like a UI message passes unchanged") {
  const std::string members = R"~("text":"a [T](u)","delta":"a [T](u)")~";
  for (const auto& stream :
       {part("start") + part("token", "," + members), part("text-delta", R"(,"id":"t",)" + members),
        part("start", R"(,"conversation":"c")") + part("text-delta", R"(,"id":"t",)" + members),
        part("start") + part("delta", "," + members) + part("end")}) {
    const stream_run seen = run_whole(options_for(strip_style), stream);
    CHECK(seen.out == stream);
    CHECK_FALSE(seen.end);
  }
  const std::string chat =
      R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"A [R](u)."},)"
      R"("finish_reason":"stop"}]})"
      "\n\ndata: [DONE]\n\n";
  CHECK(run_whole(options_for(strip_style), part("start") + chat).out.find(R"("content":"A.")") !=
        std::string::npos);
}

TEST_CASE("a UI message after another in one stream is rewritten like it at every cut") {
  const std::string first = start + page("https://a.example/x", "A") +
                            whole_text("t", text("t", "One [A](https://a.example/x).")) + finish;
  const std::string texts =
      whole_text("t", text("t", "Two [A](https://a.ex") + text("t", "ample/x) [R](f-1).")) + document_part;
  for (const std::string& second : {start + texts + finish, texts + finish, part("start") + texts}) {
    INFO(second);
    const std::string stream = first + second + done;
    const stream_run got = run_whole({}, stream);
    CHECK_FALSE(got.end);
    const client_view seen = view_of(got.out);
    CHECK(seen.texts == std::vector<std::string>{"One [1].", "Two [1] [2]."});
    CHECK(std::ranges::count(seen.types, "data-citestream") == 2);
    CHECK(record_paths(seen.records).size() == 3);
    CHECK(got.counts.resolved == 3);
    CHECK(cut_difference({}, stream) == "");
  }
  const stream_run broken = run_whole({}, first + start + texts);
  CHECK(broken.end.code == errc::upstream_incomplete);
  const stream_run trailing = run_whole({}, first + document_part);
  CHECK_FALSE(trailing.end);
  CHECK(trailing.out.ends_with(part("finish") + document_part));
}
