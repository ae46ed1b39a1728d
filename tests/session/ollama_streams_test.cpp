// Streams of Ollama: one JSON object on each line.
#include <citestream/session/session.hpp>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/data.hpp"
#include "support/json_paths.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

const std::string head = R"({"model":"m","created_at":"2026-01-01T00:00:00.)";
const std::string numbers = R"("done_reason":"stop","done":true,"total_duration":5,"eval_count":3})";

/// A line of `/api/chat`. Its time differs from line to line.
std::string chat(std::string_view text, int time, std::string_view more = {}) {
  return head + std::to_string(100 + time) + R"(Z","message":{"role":"assistant","content":")" +
         std::string(text) + "\"" + std::string(more) + "},\"done\":false}\n";
}

std::string chat_end(std::string_view text = {}) {
  return head + R"(9Z","message":{"role":"assistant","content":")" + std::string(text) + "\"}," + numbers +
         "\n";
}

std::string generate(std::string_view text, int time) {
  return head + std::to_string(100 + time) + R"(Z","response":")" + std::string(text) +
         "\",\"done\":false}\n";
}

std::string generate_end() {
  return head + R"(9Z","response":"",)" + numbers + "\n";
}

const std::vector<std::string> cited{"It grew", " by 20% [Rep", "ort.pdf](f-17",
                                     ").",      " More [A",     "](b) text [C"};

/// An answer with markers that lines cut, and one that does not end.
std::string cited_chat() {
  std::string out;
  for (const std::string& text : cited) out += chat(text, static_cast<int>(out.size() % 90));
  return out + chat_end();
}

std::string cited_generate() {
  std::string out;
  for (const std::string& text : cited) out += generate(text, static_cast<int>(out.size() % 90));
  return out + generate_end();
}

session_options with_reference() {
  session_options options;
  reference ref;
  ref.id = "f-17";
  ref.title = "Report";
  ref.url = "https://docs.example.com/f-17";
  options.references.push_back(ref);
  return options;
}

/// The strings at \p path in all lines, joined.
std::string text_at(std::string_view bytes, const std::string& path) {
  std::string out;
  for (const std::string& line : payloads(bytes)) {
    const auto paths = paths_of(line);
    REQUIRE(paths);
    const auto at = paths->find(path);
    if (at != paths->end() && at->second.starts_with("string ")) out += at->second.substr(7);
  }
  return out;
}

/// Every line is JSON: no blank line, no field of an event stream.
void check_lines(std::string_view bytes) {
  CHECK(bytes.ends_with('\n'));
  while (!bytes.empty()) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(line.size() + 1);
    document parsed;
    INFO(line);
    CHECK_FALSE(parsed.parse(line));
    CHECK(parsed.root().is_object());
  }
}

std::vector<std::string> recordings() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(data_dir() / "recordings/providers/ollama")) {
    if (entry.path().extension() == ".ndjson") out.push_back(read_file(entry.path()));
  }
  REQUIRE(out.size() >= 5);
  return out;
}

/// Checks that the output does not depend on the reads.
void check_cuts(const session_options& options, std::string_view stream) {
  const stream_run expected = run_whole(options, stream);
  session one(options);
  const auto same = [&](const pieces& parts) {
    const stream_run got = run(one, parts);
    one.reset();
    return comparable(got) == comparable(expected) && got.events.size() == expected.events.size();
  };
  for (std::size_t at = 0; at <= stream.size(); ++at) {
    INFO("cut at " << at);
    CHECK(same({stream.substr(0, at), stream.substr(at)}));
  }
  CHECK(same(cut_every(stream, 1)));
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    pieces parts;
    for (std::string_view rest = stream; !rest.empty();) {
      parts.push_back(rest.substr(0, 1 + random() % 200));
      rest.remove_prefix(parts.back().size());
    }
    CHECK(same(parts));
  }
}

}  // namespace

TEST_CASE("a recorded answer of Ollama without markers is unchanged") {
  if (!have_data("recordings/providers/ollama")) return;
  for (const style* chosen : styles()) {
    for (const std::string& bytes : recordings()) {
      session_options options;
      options.style = chosen;
      session one(options);
      const stream_run got = run(one, {bytes});
      CHECK(got.out == bytes);
      CHECK_FALSE(got.end);
      CHECK_FALSE(got.error);
      CHECK(got.counts.passed_through == 0);
      REQUIRE(one.recognised() != nullptr);
      CHECK(one.recognised()->name == "ollama");
    }
  }
}

TEST_CASE("markers in an answer of Ollama are removed and its last line has the records") {
  for (const auto& [stream, path] :
       {std::pair{cited_chat(), "message.content"}, {cited_generate(), "response"}}) {
    const stream_run got = run_whole(with_reference(), stream);
    check_lines(got.out);
    CHECK(std::count(got.out.begin(), got.out.end(), '\n') == 7);  // one for one
    CHECK(text_at(got.out, path) == "It grew by 20%. More text [C");
    const std::vector<std::string> lines = payloads(got.out);
    const auto last = paths_of(lines.back());
    REQUIRE(last);
    CHECK(last->at(path) == "string  [C");  // what was held
    CHECK(last->at("citestream.citations.0.status") == "string resolved");
    CHECK(last->at("citestream.citations.1.status") == "string unresolved");
    for (std::size_t i = 0; i + 1 < lines.size(); ++i)
      CHECK(paths_of(lines[i])->count("citestream.version") == 0);
    CHECK(got.counts.resolved == 1);
    CHECK(got.counts.unresolved == 1);
    CHECK(got.counts.pending == 0);
  }
}

TEST_CASE("a line of Ollama changes only in its text") {
  const stream_run got = run_whole({}, cited_chat());
  std::string expected = cited_chat();
  const auto replace = [&](const std::string& from, const std::string& to) {
    REQUIRE(expected.find(from) != std::string::npos);
    expected.replace(expected.find(from), from.size(), to);
  };
  replace("\" by 20% [Rep\"", "\" by 20%\"");
  replace("\"ort.pdf](f-17\"", "\"\"");
  replace("\" More [A\"", "\" More\"");
  replace("\").\"", "\".\"");
  replace("\"](b) text [C\"", "\" text\"");
  const std::size_t end = expected.rfind("{\"model\"");
  CHECK(got.out.substr(0, end) == expected.substr(0, end));
}

TEST_CASE("the list of a style is in the last line of Ollama") {
  session_options options = with_reference();
  options.style = &footnote_style;
  const stream_run got = run_whole(options, cited_chat());
  check_lines(got.out);
  CHECK(std::count(got.out.begin(), got.out.end(), '\n') == 7);
  const auto last = paths_of(payloads(got.out).back());
  REQUIRE(last);
  CHECK(last->at("message.content").find("](https://docs.example.com/f-17)") != std::string::npos);
}

TEST_CASE("references known before an answer of Ollama turn on the markers of RAG servers") {
  session_options options = with_reference();
  options.references[0].number = 1;
  const stream_run got = run_whole(options, chat("It grew [1", 1) + chat("].", 2) + chat_end());
  CHECK(text_at(got.out, "message.content") == "It grew.");
  CHECK(got.counts.resolved == 1);
}

TEST_CASE("thinking and tool calls of Ollama are not changed") {
  const std::string thinking = chat("", 1, R"j(,"thinking":"see [A](b)")j");
  const std::string call =
      chat("", 2, R"j(,"tool_calls":[{"function":{"name":"f","arguments":{"q":"[A](b)"}}}])j");
  const stream_run got = run_whole({}, thinking + call + cited_chat());
  CHECK(got.out.starts_with(thinking + call));
  // Held text is sent before a line that cannot be read, in a line without the thinking.
  const std::string notice = chat("a", 4, R"j(,"content":"b")j");
  const stream_run held = run_whole({}, chat("x [A", 3, R"(,"thinking":"t")") + notice + chat_end());
  check_lines(held.out);
  CHECK(text_at(held.out.substr(0, held.out.find(notice)), "message.content") == "x [A");
  CHECK(text_at(held.out, "message.thinking") == "t");
}

TEST_CASE("a stream of Ollama is the same for every cut") {
  check_cuts(with_reference(), cited_chat());
  check_cuts({}, cited_generate());
  check_cuts({}, "\xEF\xBB\xBF\r\n " + cited_chat() + "\n\r\n");
  std::string crlf = cited_chat();
  for (std::size_t at = 0; (at = crlf.find('\n', at)) != std::string::npos; at += 2) crlf.insert(at, "\r");
  check_cuts({}, crlf);
  session_options small;
  small.bounds.max_event_bytes = 120;
  check_cuts(small, chat("a [A", 1) + chat("](b)", 2) + chat(std::string(200, 'x'), 3) + chat("b [C](d)", 4) +
                        chat_end());
  for (const egress_mode guard : {egress_mode::report, egress_mode::enforce}) {
    session_options guarded;
    guarded.egress = guard;
    check_cuts(guarded, cited_chat());
  }
}

TEST_CASE("line ends and blank lines of NDJSON are kept") {
  const std::string blank = "\n" + chat("a", 1) + "\r\n" + chat("b", 2) + " \n" + chat_end();
  CHECK(run_whole({}, blank).out == blank);
  std::string crlf = chat("a [A](b)", 1);
  crlf.insert(crlf.size() - 1, "\r");
  CHECK(run_whole({}, crlf).out.ends_with("}\r\n{\"error\":\"the upstream ended inside the answer\"}\r\n"));
}

TEST_CASE("the shape of lines is learned and changes no byte") {
  std::string stream;
  for (int i = 0; i < 50; ++i) stream += chat(i % 7 == 0 ? "word [A](b)" : "word ", i);
  stream += chat_end();
  const stream_run with = run_whole({}, stream);
  CHECK(with.counts.known_shape >= 45);
  session_options off;
  off.bounds.max_envelopes = 0;
  const stream_run without = run_whole(off, stream);
  CHECK(without.counts.known_shape == 0);
  CHECK(with.out == without.out);
  check_cuts({}, stream.substr(0, 1500));
}

TEST_CASE("a stream of Ollama that breaks off ends with an error line") {
  const std::string error = "{\"error\":\"reset\"}\n";
  const ending aborted{stream_end::aborted, "reset", "upstream_failed"};
  const std::string begin = chat("a", 1) + chat("b [A", 2);
  const stream_run got = run_whole({}, begin, aborted);
  check_lines(got.out);
  CHECK(got.end.code == errc::upstream_incomplete);
  CHECK(got.out.ends_with(error));
  CHECK(text_at(got.out, "message.content") == "ab [A");
  // Inside a line: its bytes are dropped.
  const stream_run inside = run_whole({}, begin + chat("cd", 3).substr(0, 90), aborted);
  CHECK(inside.out == got.out);
  // A complete last line without its line end.
  std::string whole = chat("c", 3);
  whole.pop_back();
  const stream_run open = run_whole({}, begin + whole, aborted);
  check_lines(open.out);
  CHECK(text_at(open.out, "message.content") == "ab [Ac");
  CHECK(open.out.ends_with(error));
  // Without a complete line.
  CHECK(run_whole({}, chat("a", 1).substr(0, 50), aborted).out == error);
  // Inside a line over the limit: the error starts a line of its own.
  session_options small;
  small.bounds.max_event_bytes = 200;
  const std::string large = chat("a", 1) + chat(std::string(300, 'x'), 1).substr(0, 350);
  CHECK(run_whole(small, large, aborted).out == large + "\n" + error);
  // After the last line nothing is missing, even without its line end.
  std::string complete = chat("a", 1) + chat_end();
  complete.pop_back();
  const stream_run done = run_whole({}, complete);
  CHECK_FALSE(done.end);
  CHECK(done.out == complete);
  CHECK(run_whole({}, complete + "\n", aborted).out == complete + "\n");
}

TEST_CASE("an error of Ollama is passed and reported once") {
  const std::string error = R"({"error":"model runner has stopped"})"
                            "\n";
  session one;
  const stream_run got = run(one, {chat("a [A", 1) + error});
  CHECK(one.upstream_error());
  CHECK_FALSE(got.end);
  CHECK(text_at(got.out, "message.content") == "a [A");
  CHECK(got.out.ends_with("}\n" + error));
  check_lines(got.out);
}

TEST_CASE("lines that are not of Ollama pass unchanged") {
  for (const std::string stream :
       {"{\"status\":\"pulling manifest\"}\n{\"status\":\"success\"}\n", "{\n  \"a\": 1\n}",
        "{}\nx\n[DONE]\n", "{\"error\":{\"message\":\"m\"}}"}) {
    CAPTURE(stream);
    const stream_run got = run_whole({}, stream);
    CHECK(got.out == stream);
    CHECK(got.end.code != errc::upstream_incomplete);
  }
}

TEST_CASE("a body of Ollama is one object") {
  session one(with_reference());
  std::string body = chat_end("It grew [Report](f-17). [C");
  body.pop_back();
  std::string out;
  CHECK_FALSE(one.rewrite_body(body, out));
  const auto paths = paths_of(out);
  REQUIRE(paths);
  CHECK(paths->at("message.content") == "string It grew. [C");
  CHECK(paths->at("citestream.citations.0.status") == "string resolved");
}

TEST_CASE("egress reads lines that may be of Ollama") {
  const std::string line = R"j({"message":{"content":"![x](https://evil.example/?q)"},"done":true})j"
                           "\n";
  session_options options;
  CHECK(run_whole(options, line).out == line);
  options.egress = egress_mode::enforce;
  CHECK(run_whole(options, line).out != line);
}
