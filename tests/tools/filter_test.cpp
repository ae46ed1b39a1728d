#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "support/answer_inputs.hpp"
#include "support/child.hpp"
#include "support/lines.hpp"
#include "support/parsed_json.hpp"
#include "support/scratch_folder.hpp"

using namespace citestream_tests;
using citestream::document;

namespace {

/// The text that the `text` events of a choice make together.
std::string text_of_events(const std::vector<std::string>& lines, std::int64_t choice = 0) {
  std::string out;
  for (const std::string& line : lines) {
    const document event = parsed(line);
    if (event.root()["type"].string() == "text" && event.root()["choice"].integer() == choice) {
      out += event.root()["text"].string();
    }
  }
  return out;
}

std::size_t count_of(const std::vector<std::string>& lines, std::string_view type) {
  std::size_t out = 0;
  for (const std::string& line : lines) out += parsed(line).root()["type"].string() == type ? 1U : 0U;
  return out;
}

/// The joined text of the events in a written stream.
std::string text_of_stream(const std::string& stream) {
  std::string out;
  for (const std::string& line : lines_of(stream)) {
    if (!line.starts_with("data: {")) continue;
    const document payload = parsed(std::string_view(line).substr(6));
    out += payload.root()["choices"][0]["delta"]["content"].string();
  }
  return out;
}

}  // namespace

TEST_CASE("a notice warns that the verdicts of a check are not in the output") {
  const std::string answer = R"({"answer":"Sales rose [1].","sources":[{"title":"A","text":"Sales rose."}]})";
  for (const auto& [to, records] :
       {std::pair("text", false), std::pair("json", true), std::pair("events", true)}) {
    INFO(to);
    const auto got = run({"filter", "--from", "json", "--to", to, "--check", "report"}, answer);
    CHECK(got.code == 0);
    CHECK((got.err.find("--check report has no effect") == std::string::npos) == records);
    CHECK((got.out.find("\"verdict\"") != std::string::npos) == records);
  }
  CHECK(run({"filter", "--from", "json", "--to", "text"}, answer).err.empty());
}

TEST_CASE("every input form becomes text") {
  const auto [form, input] = GENERATE(from_range(answers_by_form()));
  INFO(form);
  const auto stripped = filter({"--from", form, "--to", "text"}, input);
  CHECK(stripped.code == 0);
  CHECK(stripped.err.empty());
  CHECK(stripped.out == stripped_text);
  CHECK(filter({"--from", form, "--to", "text", "--style", "numeric"}, input).out == numbered_text);
  CHECK(filter({"--from", form, "--to", "text", "--style", "keep"}, input).out == answer_text());
}

TEST_CASE("every input form becomes typed events") {
  const scratch_file references("references.json", references_json);
  const auto [form, input] = GENERATE(from_range(answers_by_form()));
  INFO(form);
  const auto run = filter({"--from", form, "--to", "events", "--references", references.path()}, input);
  CHECK(run.code == 0);
  CHECK(run.err.empty());
  const auto lines = lines_of(run.out);
  CHECK(text_of_events(lines) == stripped_text);
  CHECK(count_of(lines, "citation") == 3);
  CHECK(count_of(lines, "resolved") == 3);
  REQUIRE(count_of(lines, "end") == 1);
  const document end = parsed(lines.back());
  CHECK(end.root()["unresolved"].raw() == "[3]");
  CHECK(end.root()["uncited"][0]["id"].string() == "f2");
}

TEST_CASE("typed events have the documented members in their order") {
  const auto run = filter({"--from", "deltas", "--to", "events"}, answer_lines());
  const auto lines = lines_of(run.out);
  REQUIRE(lines.size() > 4);
  CHECK(lines[0] == R"({"type":"text","delta":0,"choice":0,"text":"Revenue grew"})");
  CHECK(lines[1] == R"({"type":"text","delta":1,"choice":0,"text":" 20%"})");
  CHECK(lines[2] == R"({"type":"citation","delta":3,"choice":0,"number":1,"label":"Report.pdf",)"
                    R"("identifier":"f1","start":16,"end":16,"status":"pending"})");
  CHECK(lines[3] == R"({"type":"text","delta":3,"choice":0,"text":". Größe )"
                    "\U0001F680\"}");
  CHECK(run.out.find(R"({"type":"resolved","number":1,"choice":0,)") != std::string::npos);
  const std::string end = R"({"type":"end","choice":0,"finish_reason":null,"unresolved":[3],"uncited":[)";
  CHECK(lines.back().starts_with(end));
}

TEST_CASE("typed events are in text order in every input form") {
  const std::string answer = "A [R](f1). B [Z](zz).";
  const std::string body = R"({"object":"chat.completion","choices":[{"index":0,"message":{"content":")" +
                           answer + R"("},"finish_reason":"stop"}]})";
  for (const auto& [form, input] : std::vector<std::pair<const char*, std::string>>{
           {"sse",
            event_of(R"({"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":")" +
                     answer + R"("},"finish_reason":"stop"}]})")},
           {"json", body},
           {"deltas", '"' + answer + "\"\n"},
           {"text", answer}}) {
    INFO(form);
    const auto run = filter({"--from", form, "--to", "events", "--style", "numeric"}, input);
    std::string shown;
    for (const std::string& line : lines_of(run.out)) {
      const document event = parsed(line);
      if (event.root()["type"].string() == "text") shown += event.root()["text"].string();
      if (event.root()["type"].string() == "citation")
        shown += '{' + std::string(event.root()["label"].string()) + '}';
    }
    CHECK(shown == "A [1]{R}. B [2]{Z}.");
  }
}

TEST_CASE("chat events have an object as delta also if only the last has the answer") {
  const auto event = [](const std::string& more) {
    return event_of(R"({"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":""})" +
                    more + "}]}");
  };
  const auto run =
      filter({}, event(R"(,"finish_reason":null)") +
                     event(R"(,"message":{"content":"A [R](11111111-2222-3333-4444-555555555555)."},)"
                           R"("finish_reason":"stop")") +
                     "data: [DONE]\n\n");
  std::size_t records = 0;
  for (const std::string& line : lines_of(run.out)) {
    if (!line.starts_with("data: {")) continue;
    const document read = parsed(line.substr(6));
    CHECK(read.root()["choices"].first()["delta"].is_object());
    records += read.root()["citestream"] ? 1U : 0U;
  }
  CHECK(records == 1);
  CHECK(run.out.find("[R]") == run.out.rfind("[R]"));  // in the record alone
}

TEST_CASE("text released at the end has no delta") {
  const auto run = filter({"--from", "deltas", "--to", "events"}, "\"a [b](c\"\n");
  const auto lines = lines_of(run.out);
  REQUIRE(lines.size() == 3);
  CHECK(lines[1] == R"({"type":"text","delta":null,"choice":0,"text":" [b](c"})");
}

TEST_CASE("the finish reason of a stream is in its end event") {
  const auto lines = lines_of(filter({"--to", "events"}, answer_stream()).out);
  CHECK(parsed(lines.back()).root()["finish_reason"].string() == "stop");
}

TEST_CASE("a stream becomes a stream with clean text and citations") {
  const auto run = filter({}, answer_stream());
  CHECK(run.code == 0);
  CHECK(run.err.empty());
  CHECK(text_of_stream(run.out) == stripped_text);
  CHECK(run.out.starts_with(": hello\n\n"));
  CHECK(run.out.ends_with("data: [DONE]\n\n"));
  CHECK(run.out.find("\"citestream\":{\"version\":1") != std::string::npos);
}

TEST_CASE("with style keep a stream passes unchanged") {
  const auto run = filter({"--style", "keep"}, answer_stream());
  CHECK(run.code == 0);
  CHECK(run.out == answer_stream());
}

TEST_CASE("the flag decides whether citations are added") {
  const auto has_citations = [](const run_result& run) {
    return run.out.find("\"citestream\":") != std::string::npos;
  };
  CHECK_FALSE(has_citations(filter({"--citations", "never"}, answer_stream())));
  CHECK_FALSE(has_citations(filter({"--style", "keep"}, answer_stream())));
  CHECK(has_citations(filter({"--style", "keep", "--citations", "always"}, answer_stream())));
  CHECK(has_citations(filter({"--from", "json", "--to", "body"}, answer_body())));
}

TEST_CASE("a link template makes annotations of cited files") {
  const std::string link = "https://docs.example.com/{file_id}#page={page}";
  CHECK(filter({}, answer_stream()).out.find("docs.example.com") == std::string::npos);
  const auto run = filter({"--file-url", link}, answer_stream());
  CHECK(run.out.find("https://docs.example.com/f1#page=15") != std::string::npos);
}

TEST_CASE("a link template that makes no web link is rejected") {
  const auto run = filter({"--file-url", "foo"}, answer_stream());
  CHECK(run.code == 2);
  CHECK(run.out.empty());
  CHECK(run.err.find("--file-url: 'foo' is not a URL that starts with http:// or https://") !=
        std::string::npos);
}

TEST_CASE("a body becomes a body with clean text and citations") {
  const auto run = filter({"--from", "json", "--to", "body"}, answer_body());
  CHECK(run.code == 0);
  const document body = parsed(run.out);
  CHECK(body.root()["choices"][0]["message"]["content"].string() == stripped_text);
  CHECK(body.root()["citestream"]["citations"][0]["status"].string() == "resolved");
}

TEST_CASE("only identifiers of the chosen kind make a citation") {
  const auto run = filter({"--from", "text", "--identifiers", "url"}, answer_text());
  CHECK(run.out == "Revenue grew 20% [Report.pdf](f1). Größe \U0001F680 rose, too [X](gone).");
}

TEST_CASE("a user's own marker is found and an invalid pattern is rejected") {
  const auto run = citestream_tests::run({"filter", "--from", "text", "--to", "text", "--style", "numeric",
                                          "--marker", "[ref:{key}]", "--marker", "<{label}|{number}>"},
                                         "a [ref:x, y] b <T|7> c [L](u).");
  CHECK(run.code == 0);
  CHECK(run.out == "a [1][2] b [3] c [4].");
  const auto wrong = citestream_tests::run({"filter", "--marker", "é[{key}"}, "");
  CHECK(wrong.code == 2);
  CHECK(wrong.err.find("character 3: a pattern cannot end with a field") != std::string::npos);
}

TEST_CASE("a blocked address is reported or made inert and an allowed one passes") {
  const std::string one = "Größe ![a](https://evil.exa";
  const std::string two =
      "mple/p.png?q=1), ![b](https://ok.example/b.png) and [c](https://a.files.example/c).";
  const std::string as_it_is = one + two;
  const std::string inert =
      "Größe ![a]\\(https[://]evil[.]example/p.png?q=1), ![b](https://ok.example/b.png) and "
      "[c](https://a.files.example/c).";
  const std::string stream = chunk(0, json_text(one)) + chunk(0, json_text(two)) +
                             chunk(0, "null", "\"stop\"", references_json) + event_of("[DONE]");
  const std::string found = R"({"choice":0,"kind":"image","reason":"not_allowed","position":9})";
  for (const std::string mode : {"off", "report", "enforce"}) {
    INFO(mode);
    const std::string& text = mode == "enforce" ? inert : as_it_is;
    const std::string record = mode == "off" ? "" : ",\"egress\":[" + found + "]";
    const auto run = [&](const std::string& to) {
      const auto done = filter({"--to", to, "--style", "keep", "--egress", mode, "--egress-allow",
                                "https://ok.example", "--egress-allow", "https://*.files.example"},
                               stream);
      CHECK(done.code == 0);
      CHECK(done.err.empty());
      CHECK((to == "text" || record.empty() || done.out.find(record) != std::string::npos));
      CHECK((done.out.find("\"egress\"") == std::string::npos) == (to == "text" || record.empty()));
      return done.out;
    };
    CHECK(run("text") == text);
    CHECK(parsed(run("json")).root()["content"].string() == text);
    CHECK(text_of_events(lines_of(run("events"))) == text);
    const std::string sent = run("sse");
    CHECK(text_of_stream(sent) == text);
    CHECK((sent.find("evil.exa") == std::string::npos) == (mode == "enforce"));
  }
  CHECK(filter({"--egress", "enforce", "--style", "keep", "--from", "text"}, as_it_is).out ==
        "Größe ![a]\\(https[://]evil[.]example/p.png?q=1), ![b]\\(https[://]ok[.]example/b.png) and "
        "[c]\\(https[://]a[.]files[.]example/c).");  // nothing is allowed
}

TEST_CASE("an unknown guard mode and an invalid allowed address are rejected") {
  CHECK(filter({"--egress", "perhaps"}, answer_stream()).code == 2);
  const auto wrong = filter({"--egress", "enforce", "--egress-allow", "evil"}, answer_stream());
  CHECK(wrong.code == 2);
  CHECK(wrong.out.empty());
  CHECK(wrong.err.find("'evil' is not one of https://host, https://host:port and https://*.host") !=
        std::string::npos);
}

TEST_CASE("positions are counted in the chosen unit") {
  const auto start_of_second = [](const std::string& unit) {
    const auto run = filter({"--from", "text", "--to", "json", "--offsets", unit}, answer_text());
    return parsed(run.out).root()["citations"][1]["start"].integer();
  };
  CHECK(start_of_second("codepoint") == 30);
  CHECK(start_of_second("utf16") == 31);
  CHECK(start_of_second("utf8") == 35);
}

TEST_CASE("text held beyond the limit is released") {
  const auto run = filter({"--from", "deltas", "--to", "events", "--max-marker-bytes", "8"},
                          "\"a [label so long\"\n\"](x) b\"\n");
  const auto lines = lines_of(run.out);
  CHECK(text_of_events(lines) == "a [label so long](x) b");
  CHECK(count_of(lines, "citation") == 0);
}

TEST_CASE("a dialect can be forced") {
  const std::string stream = event_of(R"({"answer":"a [b](c) d"})");
  CHECK(filter({"--to", "text", "--dialect", "writer"}, stream).out == "a d");
  CHECK(filter({"--to", "text", "--dialect", "openai"}, stream).out.empty());
}

TEST_CASE("text out is of one choice and it can be chosen") {
  CHECK(filter({"--to", "text"}, two_choices_stream()).out == "One done. End");
  CHECK(filter({"--to", "text", "--choice", "1"}, two_choices_stream()).out == "Two.");
}

TEST_CASE("a missing choice is a failure") {
  const std::string said = "citestream: filter: standard input: no choice 99 in the answer (see --choice)\n";
  for (const auto& [form, input] : {std::pair<std::string, std::string>{"sse", two_choices_stream()},
                                    std::pair<std::string, std::string>{"json", answer_body()}}) {
    const auto run = filter({"--from", form, "--to", "text", "--choice", "99"}, input);
    INFO(form);
    CHECK(run.code == 1);
    CHECK(run.out.empty());
    CHECK(run.err == said);
  }
  CHECK(filter({"--from", "text", "--choice", "99"}, "a").code == 2);
  CHECK(filter({"--from", "deltas", "--choice", "99"}, "\"a\"").code == 2);
  const std::string silent = chunk(0, "null") + chunk(0, "null", "\"stop\"");
  const auto run = filter({"--to", "text"}, silent);  // a choice without text, for example a tool call
  CHECK(run.code == 0);
  CHECK(run.err.empty());
}

TEST_CASE("text that is not UTF-8 passes as text and is replaced in JSON") {
  const std::string bytes = "a\xFF [b](c)\xE2\x82";
  CHECK(filter({"--from", "text"}, bytes).out == "a\xFF \xE2\x82");
  for (const char* form : {"events", "json"}) {
    const auto run = filter({"--from", "text", "--to", form, "--split", "1"}, bytes);
    CHECK(run.out.find("\uFFFD") != run.out.rfind("\uFFFD"));  // one for each of the two
    CHECK(run.out.find('\xFF') == std::string::npos);
  }
}

TEST_CASE("a bad line of deltas is named and the following ones are read") {
  const auto run = filter({"--from", "deltas"}, "\"a [b](c\"\n\"d\"\nnot json\n\"e\"\n");
  CHECK(run.code == 1);
  CHECK(run.out == "a [b](cde");
  CHECK(lines_of(run.err).size() == 1);
  CHECK(run.err.starts_with("citestream: filter: standard input:3: "));
  const auto two = filter({"--from", "deltas", "--to", "json"}, "[1]\n\"a [b](\"\n{\"x\"\n\"c).\"");
  CHECK(two.code == 1);
  CHECK(parsed(two.out).root()["content"].string() == "a.");
  REQUIRE(lines_of(two.err).size() == 2);
  CHECK(lines_of(two.err)[0].starts_with("citestream: filter: standard input:1: "));
  CHECK(lines_of(two.err)[1].starts_with("citestream: filter: standard input:3: "));
  CHECK(filter({"--from", "deltas"}, "[1]\n").code == 1);
  CHECK(filter({"--from", "deltas"}, "{\"other\":1}\n").code == 1);
}

TEST_CASE("markers of other grammars that cite a reference are named on standard error") {
  const scratch_file list("list.json", R"([{"title":"A","text":"a"},{"title":"B","text":"b"}])");
  const auto run =
      filter({"--from", "text", "--references", list.path()}, "Tea [1] and milk [src_2] or [9].");
  CHECK(run.out == "Tea [1] and milk [src_2] or [9].");
  CHECK(run.code == 0);
  CHECK(
      run.err ==
      "citestream: filter: standard input: markers that cite references were left in the text, such as [1], "
      "[src_2]; --markers link,numeric,source reads them\n");
  CHECK(filter({"--from", "text", "--references", list.path()}, "Tea [9] (1).").err.empty());
  for (const char* const read : {"[[1]](https://a.example/)", "[A [1]](x)", "[src_1](x)"}) {
    INFO(read);
    const auto all_read =
        filter({"--from", "text", "--references", list.path(), "--split", "1"}, std::string("Tea ") + read);
    CHECK(all_read.err.empty());
    const auto next = filter({"--from", "text", "--references", list.path()}, read + std::string("[2]."));
    CHECK(next.err.find("such as [2]; --markers") != std::string::npos);
  }
  const scratch_file documents("documents.json", R"([{"document":"Tea sells.","collection":"faq"},null])");
  CHECK(filter({"--from", "text", "--markers", "numeric", "--to", "text", "--references", documents.path()},
               "Tea [1].")
            .out == "Tea.");
  CHECK(filter({"--from", "text", "--markers", "numeric", "--references", list.path()}, "Tea [1].")
            .err.empty());
  const auto pattern =
      filter({"--from", "text", "--marker", "[{key}]", "--references", list.path()}, "Tea [1].");
  CHECK(pattern.out == "Tea.");
  CHECK(pattern.err.empty());
  CHECK(filter({"--from", "text"}, "Tea [1].").err.empty());
}

TEST_CASE("references given in advance select the markers of a generic stream") {
  const scratch_file side("side.json", R"([{"title":"A"},{"title":"B"}])");
  const std::string start =
      R"({"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":)";
  const std::string stream = event_of(start + R"("A [1] b [sr"},"finish_reason":null}]})") +
                             event_of(start + R"("c_2] c [2]."},"finish_reason":"stop"}]})") +
                             event_of("[DONE]");
  CHECK(filter({"--to", "text", "--references", side.path()}, stream).out == "A b c.");
  CHECK(filter({"--to", "text"}, stream).out == "A [1] b [src_2] c [2].");
  CHECK(filter({"--to", "text", "--markers", "link", "--references", side.path()}, stream).out ==
        "A [1] b [src_2] c [2].");
}

TEST_CASE("a repeat that differs from the text is left unchanged with a notice") {
  const auto event = [](const std::string& type, const std::string& more) {
    return event_of(R"({"type":"response.)" + type + "\"" + more + "}");
  };
  const std::string at = R"(,"output_index":0,"content_index":0)";
  const std::string stream = event("created", R"(,"response":{"object":"response"})") +
                             event("output_text.delta", at + R"~(,"delta":"a [A](b)")~") +
                             event("output_text.done", at + R"~(,"text":"another [A](b)")~") +
                             event("completed", R"(,"response":{"object":"response","output":[]})");
  const auto run = filter({}, stream);
  CHECK(run.code == 0);
  CHECK(run.out.find(R"~("text":"another [A](b)")~") != std::string::npos);
  CHECK(run.err ==
        "citestream: filter: standard input: 1 repeats or annotations do not fit the text and were left "
        "unchanged\n");
}

TEST_CASE("a list of sources after text with unread markers gives a hint") {
  const auto event = [](const std::string& text, const std::string& more) {
    return event_of(R"({"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":")" + text +
                    R"("},"finish_reason":null}])" + more + "}");
  };
  const std::string end = event_of(
      R"({"object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})");
  const std::string list = R"(,"references":[{"title":"A"}])";
  const std::string late = event("It grew [1].", "") + event("", list) + end;
  const std::string hint =
      "citestream: filter: standard input: references arrived after the text and no marker was recognised; "
      "--dialect rag reads [1], [src_1] and [REF|d_1]\n";
  for (const char* form : {"sse", "text", "json", "events"}) {
    for (const char* size : {"1", "4096"}) {
      const auto run = filter({"--to", form, "--split", size}, late);
      INFO(form);
      CHECK(run.code == 0);
      CHECK(run.err == hint);
    }
  }
  CHECK(filter({"--to", "text", "--dialect", "openai"}, late).err == hint);
  CHECK(filter({"--to", "text", "--dialect", "rag"}, late).out == "It grew.");
  const std::string note = R"(,"delta":{"annotations":[{"url_citation":{"url":"https://example.com/"}}]})";
  const std::string annotated =
      event_of(R"({"object":"chat.completion.chunk","choices":[{"index":0)" + note + "}]}");
  const scratch_file side("side.json", R"([{"title":"A"}])");
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--dialect", "rag"},
                                                    {"--markers", "link"},
                                                    {"--markers", "numeric"},
                                                    {"--references", side.path()}}) {
    CHECK(filter(arguments, late).err.empty());
  }
  for (const std::string& other :
       {event("", list) + event("It grew [1].", "") + end,
        event("It grew [A](x).", "") + event("", list) + end, event("It grew [1].", "") + annotated + end,
        event("It grew [1].", "") + end, answer_stream()}) {
    INFO(other);
    CHECK(filter({"--to", "text"}, other).err.empty());
  }
}

TEST_CASE("a line of deltas without its line end counts") {
  CHECK(filter({"--from", "deltas"}, "\"a\"\n\"b\"").out == "ab");
}

TEST_CASE("a truncated stream fails after all of its text is written") {
  const std::string stream = chunk(0, json_text("a [b](c"));
  const auto text = filter({"--to", "text"}, stream);
  CHECK(text.code == 1);
  CHECK(text.out == "a [b](c");
  CHECK(lines_of(text.err).size() == 1);
  const auto passed = filter({}, stream);
  CHECK(passed.code == 1);
  CHECK(text_of_stream(passed.out).starts_with("a [b](c"));
  CHECK(passed.out.find("event: error\n") != std::string::npos);
}

TEST_CASE("frames of a truncated stream are written and fail like the stream") {
  const std::string answer = chunk(0, json_text("a"));
  const std::string other = "event: ping\ndata: {}\n\n";
  for (const std::string& stream :
       {answer, answer + "data: {\"object\"", other + "data: {\"x\"", other + "eve"}) {
    INFO(stream);
    const auto frames = filter({"--to", "frames"}, stream);
    const auto passed = filter({"--to", "sse"}, stream);
    CHECK(frames.code == 1);
    CHECK(frames.err == passed.err);
    CHECK_FALSE(frames.out.empty());
  }
  CHECK(filter({"--to", "frames"}, other).code == 0);
}

TEST_CASE("a stream that reports an error fails after all of it is written") {
  const std::string start = chunk(0, json_text("a [b](c"));
  const auto error = GENERATE(as<std::string>(), "event: error\ndata: {\"message\":\"overloaded\"}\n\n",
                              "data: {\"error\":{\"message\":\"overloaded\"}}\n\n");
  for (const std::string& end : {std::string(), event_of("[DONE]")}) {
    INFO(error << end);
    for (const char* form : {"sse", "text", "json", "events"}) {
      const auto run = filter({"--to", form}, start + error + end);
      CHECK(run.code == 1);
      CHECK(run.err == "citestream: filter: standard input: the stream reports an error\n");
      CHECK(run.out.find(" [b](c") != std::string::npos);
    }
    CHECK(filter({}, start + error + end).out.ends_with(error + end));
    CHECK(filter({"--to", "text"}, start + error + end).out == "a [b](c");
  }
}

TEST_CASE("a stream whose answer continues after an error succeeds") {
  const auto run = filter({"--to", "text"}, chunk(0, json_text("a")) + "event: error\ndata: {}\n\n" +
                                                chunk(0, json_text("b"), "\"stop\"") + event_of("[DONE]"));
  CHECK(run.code == 0);
  CHECK(run.err.empty());
  CHECK(run.out == "ab");
}

TEST_CASE("an event that is not JSON passes through and is reported") {
  const std::string stream =
      chunk(0, json_text("a")) + event_of("{broken") + chunk(0, json_text("b"), "\"stop\"");
  const auto run = filter({}, stream);
  CHECK(run.code == 0);
  CHECK(run.out == stream);
  CHECK(lines_of(run.err).size() == 1);
  CHECK(run.err.find("invalid JSON") != std::string::npos);
}

TEST_CASE("a stream of an unknown form gives no text and fails with a reason") {
  const std::string stream = event_of(R"({"kind":"something else"})");
  for (const char* form : {"text", "events", "json"}) {
    const auto run = filter({"--to", form}, stream);
    CHECK(run.code == 1);
    CHECK(run.err ==
          "citestream: filter: standard input: the format of the answer is unknown (see --dialect)\n");
  }
  const auto passed = filter({}, stream);
  CHECK(passed.code == 0);
  CHECK(passed.out == stream);
  CHECK(passed.err.empty());
  CHECK(filter({"--to", "frames"}, stream).code == 0);
}

TEST_CASE("a body that is not an answer passes through and fails") {
  const auto run = filter({"--from", "json", "--to", "body"}, "{\"a\": 1}");
  CHECK(run.code == 1);
  CHECK(run.out == "{\"a\": 1}");
  CHECK(lines_of(run.err).size() == 1);
  CHECK(filter({"--from", "json", "--to", "body"}, "{").code == 1);
}

TEST_CASE("a recording with times is read as the stream that it holds") {
  const std::string lines =
      "{\"citestream_recording\":1,\"content_type\":\"text/event-stream\"}\n"
      "[0.1,\"data: {\\\"answer\\\":\\\"a [b](\"]\n[0.2,\"c) d\\\"}\\n\\n\"]\n";
  const scratch_file recording("recording.ndjson", lines);
  CHECK(filter({recording.path(), "--dialect", "writer", "--to", "text"}).out == "a d");
  CHECK(filter({"--dialect", "writer", "--to", "text"}, lines).out == "a d");
  for (const std::size_t cut : {5U, 30U, 70U, 100U}) {  // a line in two reads
    child program({"filter", "--dialect", "writer", "--to", "text"});
    program.write(std::string_view(lines).substr(0, cut));
    program.write(std::string_view(lines).substr(cut));
    CHECK(program.wait() == 0);
    CHECK(program.out == "a d");
  }
  const scratch_file broken("broken.ndjson", "{\"citestream_recording\":1}\n[oops]\n");
  const auto run = filter({broken.path()});
  CHECK(run.code == 1);
  CHECK(run.err.find("broken.ndjson:2") != std::string::npos);
  CHECK(lines_of(run.err).size() == 1);
}

TEST_CASE("a file is read as standard input is") {
  const scratch_file file("answer.sse", answer_stream());
  CHECK(filter({file.path()}).out == filter({}, answer_stream()).out);
  CHECK(filter({"-"}, answer_stream()).out == filter({}, answer_stream()).out);
}

TEST_CASE("a slow pipe sees text before the end of the input") {
  const auto [form, first, second] = GENERATE(table<std::string, std::string, std::string>(
      {{"sse", chunk(0, json_text("first ")), chunk(0, json_text("second"), "\"stop\"")},
       {"deltas", "\"first \"\n", "\"second\"\n"},
       {"text", "first ", "second"}}));
  INFO(form);
  child program({"filter", "--from", form, "--to", "text"});
  program.write(first);
  REQUIRE(program.await("first"));
  CHECK(program.out.find("second") == std::string::npos);
  program.write(second);
  REQUIRE(program.await("second"));
  CHECK(program.wait() == 0);
}

TEST_CASE("a slow pipe sees events and frames as soon as they are known") {
  child events({"filter", "--from", "deltas", "--to", "events"});
  events.write("\"a [b](c), \"\n");
  REQUIRE(events.await("\"type\":\"citation\""));
  CHECK(events.wait() == 0);
  child frames({"filter", "--to", "frames"});
  frames.write("data: x\n\n");
  REQUIRE(frames.await("\"data\":\"x\""));
  CHECK(frames.wait() == 0);
  child stream({"filter"});
  stream.write(": ping\n");
  REQUIRE(stream.await(": ping\n"));
  CHECK(stream.wait() == 0);
}

namespace {

std::string line_of(const std::string& text, const std::string& end = "false") {
  return R"({"model":"m","created_at":"t","message":{"role":"assistant","content":")" + text +
         R"("},"done":)" + end + "}\n";
}

const std::string ollama = line_of("It grew [A") + line_of("](b).") + line_of("", "true");
const std::string ollama_text = "It grew.";

}  // namespace

TEST_CASE("the form of an input is recognised by its first bytes") {
  const std::string body = line_of("It grew [A](b).", "true");
  std::string pretty = body;
  pretty.insert(1, "\n  ");
  for (const std::string& input : {ollama, "\xEF\xBB\xBF" + ollama, "\n " + ollama, body, pretty}) {
    for (const std::vector<std::string>& from :
         {std::vector<std::string>{}, {"--from", "auto"}, {"--split", "1"}}) {
      std::vector<std::string> arguments = from;
      arguments.insert(arguments.end(), {"--to", "text"});
      const auto run = filter(arguments, input);
      INFO(input << run.err);
      CHECK(run.code == 0);
      CHECK(run.out == ollama_text);
    }
  }
  CHECK(filter({}, answer_stream()).out == filter({"--from", "sse"}, answer_stream()).out);
  CHECK(filter({}, answer_body()).out == filter({"--from", "json"}, answer_body()).out);
  CHECK(filter({"--to", "body"}, answer_body()).out ==
        filter({"--from", "json", "--to", "body"}, answer_body()).out);
}

TEST_CASE("JSON lines stay JSON lines in the output") {
  const auto run = filter({}, ollama);
  CHECK(run.code == 0);
  CHECK(lines_of(run.out).size() == 3);
  CHECK(run.out.find("\"citestream\":{") != std::string::npos);
  for (const char* to : {"stream", "sse"}) CHECK(filter({"--to", to}, ollama).out == run.out);
  CHECK(filter({"--from", "ndjson"}, ollama).out == run.out);
  const auto cut = filter({}, ollama.substr(0, ollama.size() - 10));
  CHECK(cut.code == 1);
  CHECK(lines_of(cut.out).back().starts_with("{\"error\":\""));
  const auto frames = filter({"--to", "frames"}, ollama.substr(0, ollama.size() - 1));
  CHECK(frames.code == 0);
  CHECK(lines_of(frames.out).size() == 3);
}

TEST_CASE("a stream of the other framing than the one named is refused") {
  const auto lines = filter({"--from", "sse"}, ollama);
  CHECK(lines.code == 1);
  CHECK(lines.err == "citestream: filter: standard input: not an event stream (see --from)\n");
  const auto events = filter({"--from", "ndjson"}, answer_stream());
  CHECK(events.code == 1);
  CHECK(events.err == "citestream: filter: standard input: not JSON lines (see --from)\n");
}

TEST_CASE("a streamed array is recognised and rewritten") {
  const std::string element =
      R"({"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":")";
  const std::string stream =
      "[" + element + "a [A](b)\"}}]},\n" + element + "\"},\"finish_reason\":\"stop\"}]}]\n";
  const auto run = filter({}, stream);
  CHECK(run.code == 0);
  CHECK(run.out.starts_with("[" + element + "a\"}}]},\n{"));
  CHECK(run.out.ends_with("}]\n"));
  CHECK(filter({"--from", "array"}, stream).out == run.out);
  CHECK(filter({"--from", "array", "--to", "text"}, stream).out == "a");
  CHECK(lines_of(filter({"--to", "frames"}, stream).out).size() == 2);
  CHECK(filter({}, stream.substr(0, 60)).code == 1);
  CHECK(filter({"--from", "sse"}, stream).code == 1);
  CHECK(filter({"--from", "array"}, ollama).err ==
        "citestream: filter: standard input: not a JSON array (see --from)\n");
}

TEST_CASE("a file of JSON lines is not a recording with arrival times") {
  const scratch_folder folder;
  const std::string plain = folder.write("a.ndjson", ollama);
  std::string timed = "{\"citestream_recording\":1,\"content_type\":\"application/x-ndjson\"}\n";
  for (const std::string& line : lines_of(ollama)) {
    timed += "[0.1,\"";
    for (const char c : line) timed += c == '"' ? std::string("\\\"") : std::string(1, c);
    timed += "\\n\"]\n";
  }
  const std::string recorded = folder.write("b.ndjson", timed);
  for (const std::string& file : {plain, recorded}) {
    const auto run = filter({file, "--to", "text"});
    INFO(file << run.err);
    CHECK(run.code == 0);
    CHECK(run.out == ollama_text);
  }
  CHECK(filter({recorded}).out == filter({plain}).out);
  CHECK(filter({folder.path("."), "--to", "json"}).code == 0);
}

TEST_CASE("a line is written before the next one arrives") {
  child slow({"filter", "--from", "ndjson"});
  slow.write(line_of("first"));
  CHECK(slow.await("first"));
  slow.write(line_of("", "true"));
  CHECK(slow.wait() == 0);
}

TEST_CASE("plain answers of a RAG server are read without a choice of dialect") {
  const std::string list = R"("references":[{"title":"A","text":"It grew."}])";
  const std::string body = R"({"question":"?","answer":"It grew [1].",)" + list + "}";
  CHECK(filter({"--to", "text"}, body).out == "It grew.");
  CHECK(filter({"--to", "text", "--style", "numeric"}, body).out == "It grew [1].");
  CHECK(filter({"--to", "text"}, event_of(R"({"text":"It grew [1"})") + event_of(R"({"text":"]."})") +
                                     event_of("{" + list + "}"))
            .out == "It grew.");
  CHECK(filter({"--to", "text"}, "{\"text\":\"It grew [1\"}\n{\"text\":\"].\"}\n{" + list + "}\n").out ==
        "It grew.");
  CHECK(run({"check", "answer", "--to", "text"}, body).out.find("grounded: yes") == 0);
}

TEST_CASE("limits of a body and an event are options of commands that read answers") {
  const std::string body = R"({"choices":[{"message":{"content":"It [q](a)."}}]})";
  const std::string event =
      "data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"delta\":{\"content\":\"It "
      "[q](a).\"}}]}\n\n";
  for (const auto& [option, input] :
       {std::pair{"--max-body-bytes", body}, std::pair{"--max-event-bytes", event}}) {
    CHECK(run({"filter", option, std::to_string(input.size())}, input).out.find("It.") != std::string::npos);
    CHECK(run({"filter", option, std::to_string(input.size() - 1)}, input).out.find("It.") ==
          std::string::npos);
    CHECK(run({"check", "answer", option, std::to_string(input.size())}, input).err.find("exceeds") ==
          std::string::npos);
    CHECK(run({"check", "answer", option, "9"}, input).code != 0);
  }
}
