// Streams and bodies that end inside an event or a value never look complete.
#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/recorded_payloads.hpp"
#include "support/rounds.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

const std::string error_event =
    "event: error\n"
    R"(data: {"error":{"message":"the upstream ended inside the answer","type":"upstream_error",)"
    R"("code":"upstream_incomplete"}})"
    "\n\n";

const std::string text_event =
    R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"a [A](b"}}]})"
    "\n\n";
const std::string finish_event =
    R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})"
    "\n\n";
const std::string responses_event =
    "event: response.output_text.delta\n"
    R"(data: {"type":"response.output_text.delta","item_id":"m","output_index":0,"delta":"Hi"})"
    "\n\n";
const std::string upstream_error = R"(data: {"error":{"message":"overloaded"}})"
                                   "\n\n";

bool is_json(std::string_view data) {
  thread_local document parsed;
  return !parsed.parse(data);
}

/// The state at the end of a stream, by a direct reading of the standard.
struct last_block {
  bool done{};          ///< `[DONE]`, or an event that ends the answer before it, has arrived
  bool unfinished{};    ///< the last event has no blank line, and its data is not complete JSON
  std::size_t whole{};  ///< bytes up to the end of the last complete event
};

/// Reads streams with LF line ends and one line of data per event.
last_block read_end(std::string_view bytes) {
  last_block out;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = bytes.find("\n\n", at);
    std::string_view block = bytes.substr(at, end == std::string_view::npos ? end : end - at);
    while (block.starts_with('\n')) block.remove_prefix(1);
    std::string data;
    bool fields = false;
    for (std::string_view rest = block; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      if (line.starts_with("data: ")) data = line.substr(6);
      fields = fields || !line.starts_with(':');
    }
    const bool ends =
        end != std::string_view::npos && (data.starts_with(R"({"type":"message-end")") ||
                                          data.ends_with(R"("event_type":"interaction.completed"})"));
    if (data == "[DONE]" || ends) out.done = true;
    if (end == std::string_view::npos) {
      out.unfinished = fields && data != "[DONE]" && !is_json(data);
      if (!out.unfinished) out.whole = bytes.size();
      return out;
    }
    at = out.whole = end + 2;
  }
  return out;
}

void check_cut(session& reused, std::string_view bytes) {
  const last_block expected = read_end(bytes);
  const stream_run got = run(reused, {bytes});
  const stream_run shorter = (reused.reset(), run(reused, {bytes.substr(0, expected.whole)}));
  reused.reset();
  if (expected.done) CHECK(got.end.code == errc::ok);
  if (expected.done || !expected.unfinished) return;
  CHECK(got.end.code == errc::upstream_incomplete);
  const std::vector<std::string> sent = payloads(got.out);
  CHECK(std::all_of(sent.begin(), sent.end(), is_json));
  CHECK(got.counts.events == shorter.counts.events);
}

}  // namespace

TEST_CASE("a stream that ends inside an event is always incomplete") {
  const std::string cut = "data: {\"object\":\"chat.comp";
  struct {
    std::string before;
    std::string cut;
    bool told;  // by an added error event: the form is known, or nothing has arrived
  } const cases[] = {
      {"", cut, true},
      {": ping\n\n", cut, true},
      {"event: ping\ndata: {}\n\n", cut, false},
      {upstream_error, cut, false},
      {text_event + upstream_error, cut, false},
      {finish_event, "data: {\"object\":\"chat.completion.chunk\",\"choices\":[],\"usage\":{\"prompt", true},
      {responses_event, "event: response.output_text.delta\ndata: {\"type\":\"response.outp", false},
      {responses_event, "event: response.output_text.delta\n", false},
      {responses_event, "event: respon", false},
      {responses_event, "eve", false},
      {responses_event, "data", false},
      {responses_event, "data:", false},
      {responses_event, "id: 7\n: comment\n", false},
      {responses_event, "event: error\ndata: {\"err", false},
      {finish_event, "data: {\"a\":\ndata: 1", true},
      {finish_event, "data: [DON", true},
  };
  for (const auto& one : cases) {
    INFO(one.before << one.cut);
    const stream_run before = run_whole({}, one.before);
    const stream_run got = run_whole({}, one.before + one.cut);
    CHECK(got.end.code == errc::upstream_incomplete);
    CHECK(got.end.offset == one.before.size() + one.cut.size());
    // The unfinished event is not sent.
    std::string sent = before.out;
    const std::size_t told_before = sent.find(error_event);
    if (told_before != std::string::npos) sent.erase(told_before);
    CHECK(got.out == sent + (one.told ? error_event : ""));
    session reused;
    CHECK(comparable(run(reused, cut_every(one.before + one.cut, 1))) == comparable(got));
  }
}

TEST_CASE("the bytes of a last event that is not the start of JSON are sent") {
  const std::string joined = text_event.substr(0, text_event.size() - 1) + "data: [DONE]\n";
  for (const std::string& input : {std::string("data: hello\ndata: world\n"), std::string("data: hello"),
                                   finish_event + "data: {\"a\":1}}", finish_event + joined, joined}) {
    INFO(input);
    const stream_run got = run_whole({}, input);
    CHECK(got.out.starts_with(input));
    CHECK(got.counts.passed_through == 1);
    CHECK(cut_difference({}, input) == "");
  }
}

TEST_CASE("a last event that lacks only its blank line is an event") {
  for (const std::string_view end : {"", "\n", "\r", "\r\n"}) {
    for (const std::string& last : {finish_event, responses_event, upstream_error}) {
      std::string input = last;
      input.resize(input.size() - 2);
      input += end;
      const stream_run got = run_whole({}, input);
      CHECK(got.end.code == errc::ok);
      CHECK(got.out == input);
      CHECK(got.counts.events == 1);
    }
  }
  const stream_run done = run_whole({}, text_event + "data: [DONE]");
  CHECK(done.end.code == errc::ok);
  CHECK(done.out.ends_with("data: [DONE]"));
}

TEST_CASE("a last event that has changed ends with a blank line") {
  const auto event = [](const std::string& type, const std::string& payload) {
    return (type.empty() ? "" : "event: " + type + "\n") + "data: " + payload + "\n\n";
  };
  const std::string streams[] = {
      event("", R"~({"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"a [A](b)"},)~"
                R"("finish_reason":"stop"}]})"),
      event("", R"~({"candidates":[{"content":{"parts":[{"text":"a [A](b)"}]},"finishReason":"STOP"}],)~"
                R"("responseId":"r"})"),
      event("message-start",
            R"({"type":"message-start","delta":{"message":{"role":"assistant","content":[]}}})") +
          event(
              "content-delta",
              R"~({"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"a [A](b)"}}}})~") +
          event("message-end", R"({"type":"message-end","delta":{"finish_reason":"COMPLETE"}})"),
      event("response.created",
            R"({"type":"response.created","response":{"object":"response","output":[]}})") +
          event("response.output_text.delta",
                R"~({"type":"response.output_text.delta","output_index":0,"delta":"a [A](b)"})~") +
          event("response.completed",
                R"({"type":"response.completed","response":{"object":"response","output":[]}})")};
  for (const std::string& stream : streams) {
    for (const std::string line_end : {"\n", "\r\n", "\r"}) {
      std::string whole;
      for (const char byte : stream) whole += byte == '\n' ? line_end : std::string(1, byte);
      const stream_run expected = run_whole({}, whole);
      CHECK(expected.out.find("citestream") != std::string::npos);
      CHECK(expected.out.ends_with(line_end + line_end));
      const bool typed = stream.starts_with("event:");  // otherwise no line shows how lines end
      for (std::size_t cut = 1; cut <= 2 * line_end.size(); ++cut) {
        INFO(stream << cut);
        const std::string_view input = std::string_view(whole).substr(0, whole.size() - cut);
        const stream_run got = run_whole({}, input);
        CHECK(got.end.code == errc::ok);
        CHECK(payloads(got.out) == payloads(expected.out));
        const bool ends = got.out.ends_with("\n\n") || got.out.ends_with(line_end + line_end) ||
                          got.out.ends_with("\r\n\r") || got.out.ends_with("\r\r");
        CHECK(ends);
        if (typed && cut != 1) CHECK(got.out == expected.out);
        session one;
        CHECK(comparable(run(one, cut_every(input, 1))) == comparable(got));
      }
    }
  }
}

TEST_CASE("the line ends that a last event lacks are those of the stream") {
  const std::string chunk = R"x(data: {"candidates":[{"content":{"parts":[{"text":"a [A](b)"}]})x";
  for (const std::string line_end : {"\n", "\r\n", "\r"}) {
    const std::string end = line_end + line_end;
    const std::string whole = chunk + R"(}],"responseId":"r"})" + end + chunk +
                              R"(,"finishReason":"STOP"}],"responseId":"r"})" + end;
    const std::string expected = run_whole({}, whole).out;
    CHECK(expected.ends_with("}" + end));
    for (std::size_t cut = line_end.size(); cut <= end.size(); ++cut)  // CR LF CR is a blank line
      CHECK(run_whole({}, std::string_view(whole).substr(0, whole.size() - cut)).out == expected);
  }
}

TEST_CASE("a stream may end after any comment or unknown line") {
  for (const std::string_view last :
       {": keep-al", ":", "\n", "\xEF\xBB", "hello", "x: y\nz", "da\r\n0", "eve\n"}) {
    const std::string input = finish_event + std::string(last);
    const stream_run got = run_whole({}, input);
    CHECK(got.end.code == errc::ok);
    CHECK(got.out == input);
  }
}

TEST_CASE("anything after DONE passes through without harm") {
  const std::string input = finish_event + "data: [DONE]\n\ndata: {\"x";
  const stream_run got = run_whole({}, input);
  CHECK(got.end.code == errc::ok);
  CHECK(got.out == input);
}

TEST_CASE("a stream that ends inside an oversize event is incomplete") {
  session_options options;
  options.bounds.max_event_bytes = 200;
  const std::string large = "data: \"" + std::string(300, 'y') + "\"";
  for (const std::string_view end : {"", "\n", "\r"}) {
    const stream_run got = run_whole(options, finish_event + large + std::string(end));
    CHECK(got.end.code == errc::upstream_incomplete);
    CHECK(got.out == finish_event + large +
                         (end == "\n" ? "\n\n"
                          : end == "" ? "\n\n"
                                      : "\r\n\n") +
                         error_event);
  }
  CHECK(run_whole(options, finish_event + large + "\n\n").end.code == errc::ok);
  CHECK(run_whole(options, finish_event + ": " + std::string(300, 'y')).end.code == errc::ok);
}

TEST_CASE("an answer is complete if its unread last event may have been its end") {
  const std::string completed =
      R"(data: {"type":"response.completed","response":{"id":"r","output":[],"metadata":")";
  const std::string finished =
      R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop","x":")";
  const std::string chat = text_event + text_event;
  const std::string responses =
      R"(data: {"type":"response.created","response":{"object":"response","output":[]}})"
      "\n\n"
      R"(data: {"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta":"a"})"
      "\n\n";
  session_options options;
  options.bounds.max_event_bytes = 300;
  options.typed_events = true;
  for (const auto& [text, last] : {std::pair(responses, completed), std::pair(chat, finished)}) {
    for (const std::string& data : {last + R"(\ud83d)", last + std::string(400, 'x')}) {
      const std::string input = text + data + (text == chat ? "\"}]}\n\n" : "\"}}\n\n");
      INFO(input);
      session reused(options);
      for (const std::size_t size : {std::size_t{1}, std::size_t{7}, input.size()}) {
        const stream_run got = run(reused, cut_every(input, size));
        CHECK_FALSE(got.end);
        CHECK(got.error);
        CHECK(got.out.find("\"error\"") == std::string::npos);
        REQUIRE_FALSE(got.events.empty());
        CHECK(got.events.back().type == session_event_type::end);
        reused.reset();
      }
      // The answer has gone on, or the connection was lost.
      CHECK(run(reused, {input + text}).end.code == errc::upstream_incomplete);
      reused.reset();
      CHECK(run(reused, {input}, {stream_end::aborted, {}, {}}).end.code == errc::upstream_incomplete);
      reused.reset();
    }
    // The stream goes on, and its end event has not come.
    if (text == responses) {
      const std::string more =
          R"(data: {"type":"response.output_item.done","output_index":1,"item":{"type":"reasoning"}})";
      CHECK(run_whole(options, text + last + std::string(400, 'x') + "\"}}\n\n" + more + "\n\n").end.code ==
            errc::upstream_incomplete);
    }
    // No client can read these: they are not the end of an answer.
    for (const std::string_view data : {"upstream request timeout", "[1", "\"x"})
      CHECK(run_whole(options, text + "data: " + std::string(data) + "\n\n").end.code ==
            errc::upstream_incomplete);
  }
}

TEST_CASE("a recording cut inside an event is never complete") {
  if (!have_data("recordings")) return;
  std::size_t checked = 0;
  for (const auto& file : recordings()) {
    const std::string bytes = read_file(file);
    if (bytes.find('\r') != std::string::npos) continue;
    session reused;
    // Cuts of the first and last events, and of some between them.
    const std::size_t near = 500;
    const std::size_t longest = 30'000;
    for (std::size_t at = 1; at < std::min(bytes.size(), longest); ++at) {
      const bool close = at < near || bytes.size() - at < near;
      if (at % (close ? cut_step : 4999) != 0) continue;
      INFO(file.filename().string() << " cut at " << at);
      check_cut(reused, std::string_view(bytes).substr(0, at));
      ++checked;
    }
  }
  CHECK(checked > 5'000 / cut_step);
}

TEST_CASE("a body cut anywhere is truncated and passes unchanged") {
  const std::string body =
      R"({"id":"c\"","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant",)"
      R"("content":"a \"[A](b) \\ c} ]"},"finish_reason":"stop"}],"usage":{"total_tokens":12}})";
  session one;
  std::string out;
  for (std::size_t at = 0; at < body.size(); ++at) {
    out.clear();
    const std::string_view cut = std::string_view(body).substr(0, at);
    const status result = one.rewrite_body(cut, out);
    CHECK(result.code == errc::upstream_incomplete);
    CHECK(result.offset == at);
    CHECK(out == cut);
    one.reset();
  }
  out.clear();
  CHECK(one.rewrite_body(body + "\n ", out).code == errc::ok);
}

TEST_CASE("a blank body and one that ends inside a literal or a number are truncated") {
  for (const std::string_view body :
       {" ", "\r\n\t ", "t", "tru", " fals", "\nnul", "-", "1.", "-2.5e", "1E+", "[1, tru", "[-"}) {
    session one;
    std::string out;
    const status result = one.rewrite_body(body, out);
    CHECK(result.code == errc::upstream_incomplete);
    CHECK(result.offset == body.size());
    CHECK(out == body);
  }
}

TEST_CASE("a body that is not JSON is not taken for a truncated one") {
  for (const std::string_view body :
       {"hello", "{\"a\":nope}", "{}}", "]", "<html>", "truth", "tru ", "nil", "01", "1-", "--", "1.2.3"}) {
    session one;
    std::string out;
    CHECK(one.rewrite_body(body, out).code == errc::invalid_json);
    CHECK(out == body);
  }
}

TEST_CASE("events that are added have the line ends of the stream") {
  const auto event = [](const std::string& payload) { return "data: " + payload + "\n\n"; };
  const std::string cited = R"x("delta":"a [A](b)"})x";
  const std::string streams[] = {
      text_event,
      event(R"({"candidates":[{"content":{"parts":[{"text":"a [A"}],"role":"model"}}],"modelVersion":"g"})"),
      event(R"({"type":"start","messageId":"m"})") + event(R"({"type":"text-start","id":"0"})") +
          event(R"({"type":"text-delta","id":"0",)" + cited) + event(R"({"type":"text-end","id":"0"})") +
          event(R"({"type":"finish"})"),
      event(R"({"type":"RUN_STARTED","threadId":"t","runId":"r"})") +
          event(R"({"type":"TEXT_MESSAGE_CONTENT","messageId":"m",)" + cited) +
          event(R"({"type":"RUN_FINISHED","threadId":"t","runId":"r"})")};
  for (const std::string& stream : streams) {
    INFO(stream);
    const auto with = [](std::string_view text, const std::string& line_end) {
      std::string out;
      for (const char byte : text) out += byte == '\n' ? line_end : std::string(1, byte);
      return out;
    };
    const std::string expected = run_whole({}, stream).out;
    CHECK(payloads(expected).size() > payloads(stream).size());
    for (const std::string line_end : {"\r\n", "\r"}) {
      CHECK(run_whole({}, with(stream, line_end)).out == with(expected, line_end));
      session one;
      CHECK(run(one, cut_every(with(stream, line_end), 1)).out == with(expected, line_end));
    }
  }
}
