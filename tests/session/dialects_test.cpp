// Sessions with streams of every dialect: the grammars that they use, and texts that events repeat.
#include <citestream/session/answer.hpp>

#include <algorithm>
#include <filesystem>

#include <catch2/catch.hpp>

#include "support/data.hpp"
#include "support/json_paths.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

std::string recording(const char* name) {
  return read_file(data_dir() / "recordings" / name);
}

/// The strings at \p path of those events in \p bytes that have it.
std::vector<std::string> strings_at(std::string_view bytes, const std::string& path) {
  std::vector<std::string> found;
  for (const std::string& event : payloads(bytes)) {
    const auto paths = paths_of(event);
    if (!paths) continue;
    const auto at = paths->find(path);
    if (at != paths->end() && at->second.starts_with("string ")) found.push_back(at->second.substr(7));
  }
  return found;
}

std::string chunk(const std::string& rest) {
  return "data: {\"object\":\"chat.completion.chunk\"," + rest + "}\n\n";
}

session_options strip_with(std::vector<const grammar*> grammars) {
  session_options options;
  options.grammars = std::move(grammars);
  return options;
}

}  // namespace

TEST_CASE("a recorded message contains the rewritten deltas so far in every style") {
  if (!have_data("recordings")) return;
  for (const char* name : {"perplexity-01-sonar-citations.sse", "perplexity-03-sonar-short.sse"}) {
    const std::string bytes = recording(name);
    for (const style* chosen : styles()) {
      session_options options;
      options.style = chosen;
      const stream_run got = run_whole(options, bytes);
      const auto deltas = strings_at(got.out, "choices.0.delta.content");
      const auto mirrors = strings_at(got.out, "choices.0.message.content");
      INFO(name << " as " << chosen->name);
      CHECK(got.counts.passed_through == 0);
      CHECK(payloads(got.out).size() == payloads(bytes).size());
      REQUIRE(deltas.size() == payloads(bytes).size());
      REQUIRE(mirrors.size() == deltas.size());
      std::string sum;
      for (std::size_t i = 0; i < deltas.size(); ++i) {
        sum += deltas[i];
        REQUIRE(mirrors[i] == sum);
      }
    }
  }
}

TEST_CASE("numbers in a recorded answer are removed and resolve to the list's sources") {
  if (!have_data("recordings")) return;
  const std::string bytes = recording("perplexity-01-sonar-citations.sse");
  session one;
  const stream_run got = run(one, {bytes});
  CHECK(got.counts.resolved == 11);
  CHECK(got.counts.unresolved + got.counts.pending == 0);
  for (const char* path : {"choices.0.delta.content", "choices.0.message.content"}) {
    std::string all;
    for (const std::string& text : strings_at(got.out, path)) all += text;
    CHECK(all.find("simplicity.") != std::string::npos);
    for (const char* marker : {"[1]", "[2]", "[3]", "[4]", "[5]"})
      CHECK(all.find(marker) == std::string::npos);
  }
  // Line ends are unchanged.
  CHECK(std::count(got.out.begin(), got.out.end(), '\n') == std::count(got.out.begin(), got.out.end(), '\r'));
  const auto cited = strings_at(bytes, "citations.4");
  for (const citation& cite : one.cites(0).all()) {
    if (cite.identifier != "5") continue;
    REQUIRE(cite.references.size() == 1);
    const reference& ref = one.cites(0).references()[cite.references[0]];
    CHECK(ref.url == cited.at(0));
    CHECK_FALSE(ref.title.empty());
    CHECK_FALSE(ref.text.empty());
  }
}

TEST_CASE("early references are added to the first of two finish events") {
  if (!have_data("recordings")) return;
  const stream_run got = run_whole({}, recording("openrouter-01-annotations.sse"));
  std::size_t given = 0;
  bool finished = false;
  for (const std::string& event : payloads(got.out)) {
    const auto paths = paths_of(event);
    if (!paths || paths->count("citestream.version") == 0) continue;
    ++given;
    finished =
        paths->at("choices.0.finish_reason") == "string stop" && paths->count("usage.total_tokens") == 0;
  }
  CHECK(given == 1);
  CHECK(finished);
}

TEST_CASE("a session uses the grammars of the recognised dialect") {
  const std::string writer = chunk(
      R"("choices":[{"index":0,"delta":{"content":"a [1] [A](b)."},"message":{"content":"a [1] [A](b)."},"finish_reason":"stop"}])");
  const std::string perplexity = chunk(
      R"("model":"sonar","choices":[{"index":0,"delta":{"content":"a [1] [A](b)."},"message":{"content":"a [1] [A](b)."},"finish_reason":"stop"}])");
  session one;
  for (int round = 0; round < 3; ++round) {  // one session for streams of different dialects
    CHECK(strings_at(run(one, {writer}).out, "choices.0.delta.content").at(0) == "a [1].");
    CHECK(one.recognised() == find_dialect("writer"));
    one.reset();
    CHECK(strings_at(run(one, {perplexity}).out, "choices.0.delta.content").at(0) == "a [A](b).");
    CHECK(one.recognised() == find_dialect("perplexity"));
    one.reset();
  }
}

TEST_CASE("chosen grammars apply to every dialect") {
  const std::string perplexity = chunk(
      R"("model":"sonar","choices":[{"index":0,"delta":{"content":"a [1] [A](b)."},"finish_reason":"stop"}])");
  const auto text = [&](std::vector<const grammar*> grammars) {
    return strings_at(run_whole(strip_with(std::move(grammars)), perplexity).out, "choices.0.delta.content")
        .at(0);
  };
  CHECK(text({&link_grammar}) == "a [1].");
  CHECK(text({&link_grammar, &numeric_grammar}) == "a.");
  CHECK(text({}) == "a [A](b).");
}

TEST_CASE("a forced dialect selects its grammars") {
  session_options options;
  options.dialect = find_dialect("rag");
  const std::string plain =
      chunk(R"("choices":[{"index":0,"delta":{"content":"a [src_1] [A](b)."},"finish_reason":"stop"}])");
  CHECK(strings_at(run_whole(options, plain).out, "choices.0.delta.content").at(0) == "a [A](b).");
}

namespace {

const grammar* const acme_grammars[] = {&ref_grammar};

bool is_acme(json_value root, payload_kind) {
  return root["acme"].is_object();
}
bool read_acme(json_value root, payload_kind kind, dialect_event& out) {
  return openai_dialect.read(root, kind, out);
}
/// A payload in its form that no built-in dialect recognises, if egress is on.
bool may_be_acme(json_value root) {
  return root["acme"].is_array();
}

const dialect acme_dialect{.name = "acme",
                           .recognise = &is_acme,
                           .read = &read_acme,
                           .grammars = acme_grammars,
                           .signs = {.may_hold_message = &may_be_acme}};
const dialect later_dialect{.name = "later",
                            .recognise = &is_acme,
                            .read = &read_acme,
                            .grammars = {},
                            .signs = {.may_hold_message = nullptr}};

void append_acme_error(const failure_event& one, std::string& out) {
  out.append(R"({"failure":)").append(one.message).append(",\"why\":").append(one.code).append("}");
}

const dialect* recognised(const session_options& options, const std::string& stream) {
  session one(options);
  run(one, {stream});
  return one.recognised();
}

}  // namespace

TEST_CASE("dialects of the user are tried first and in their order") {
  const std::string text =
      R"("choices":[{"index":0,"delta":{"content":"a [REF|d_1] [A](b)."},"finish_reason":)";
  const std::string acme = chunk(R"("acme":{},)" + text + "null}]");
  const std::string openai = chunk(text + "null}]");
  session_options options;
  options.dialects = {&acme_dialect, &later_dialect};
  CHECK(recognised({}, acme) == &openai_dialect);
  CHECK(recognised(options, acme) == &acme_dialect);
  CHECK(recognised(options, openai) == &openai_dialect);
  CHECK(strings_at(run_whole(options, acme).out, "choices.0.delta.content").at(0) == "a [A](b).");
  // A stream in a general form becomes the user's dialect before its first text.
  const std::string role =
      chunk(R"("choices":[{"index":0,"delta":{"role":"assistant"},"finish_reason":null}])");
  CHECK(recognised(options, role + acme) == &acme_dialect);
  options.dialects = {&later_dialect, &acme_dialect};
  CHECK(recognised(options, acme) == &later_dialect);
  options.dialect = &openai_dialect;
  CHECK(recognised(options, acme) == &openai_dialect);
}

TEST_CASE("a failure is reported in the form of the dialect") {
  const std::string stream = chunk(R"("choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}])");
  const auto added = [&](std::string_view type) {
    dialect by = acme_dialect;
    by.failures.append_event = &append_acme_error;
    by.failures.event_type = type;
    session_options options;
    options.dialect = &by;
    return run_whole(options, stream, {stream_end::aborted, "reset", "upstream_failed"})
        .out.substr(stream.size());
  };
  const std::string data = R"(data: {"failure":"reset","why":"upstream_failed"})"
                           "\n\n";
  CHECK(added("failed") == "event: failed\n" + data);
  CHECK(added("") == data);
}

TEST_CASE("egress reads what may be a message of a dialect of the user") {
  const std::string stream =
      R"j(data: {"acme":[],"choices":[{"index":0,"message":{"content":"![x](https://evil.example/?q)"}}]})j"
      "\n\n";
  session_options options;
  options.egress = egress_mode::enforce;
  options.dialects = {&acme_dialect};
  CHECK(recognised(options, stream) == &acme_dialect);
}

TEST_CASE("an answer without grammars reads links unless a dialect is named") {
  const auto text = [](const session_options& options) {
    answer one(options);
    std::string out;
    one.push("a [1] [A](b).", out);
    one.finish(out);
    return out;
  };
  session_options options;
  CHECK(options.grammars.empty());
  CHECK(text(options) == "a [1].");
  options.dialect = find_dialect("perplexity");
  CHECK(text(options) == "a [A](b).");
  options.grammars = {&link_grammar};
  CHECK(text(options) == "a [1].");
}

TEST_CASE("a reference between text parts matches by id or by position from 0") {
  session_options options;
  for (const char* id : {"", "", "doc-b"}) {
    reference ref;
    ref.id = id;
    ref.title = "page " + std::to_string(options.references.size());
    ref.number = options.references.size() + 1;
    options.references.push_back(ref);
  }
  const std::string parts = chunk(
      R"("model":"mistral-large-latest","choices":[{"index":0,"delta":{"content":[{"type":"text","text":"a"},{"type":"reference","reference_ids":[0,"doc-b",7]},{"type":"text","text":"b."}]},"finish_reason":"stop"}])");
  session one(options);
  const stream_run got = run(one, {parts});
  CHECK(one.recognised() == find_dialect("mistral"));
  CHECK(got.counts.resolved == 2);
  CHECK(got.counts.unresolved == 1);
  std::vector<std::string> titles;
  for (const citation& cite : one.cites(0).all()) titles.emplace_back(one.cites(0).title(cite));
  CHECK(titles == std::vector<std::string>{"page 0", "page 2", "7"});
  CHECK(one.cites(0).uncited().size() == 1);
}

TEST_CASE("a generic stream becomes the dialect recognised before its first text") {
  const std::string role =
      chunk(R"("choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}])");
  const std::string text =
      chunk(R"("choices":[{"index":0,"delta":{"content":"a [1] [A](b)."},"finish_reason":"stop"}])");
  const std::string list = "data: {\"sources\":[{\"title\":\"S\"}]}\n\n";
  session one;
  for (const auto& [events, read_as, expected] :
       std::vector<std::tuple<std::string, const dialect*, std::string>>{
           {role + text, &openai_dialect, "a [1]."},
           {role + list + text, find_dialect("rag"), "a [A](b)."},
           {list + role + text, find_dialect("rag"), "a [A](b)."},
           {role + text + list, &openai_dialect, "a [1]."},
       }) {
    const stream_run got = run(one, {events});
    INFO(events);
    CHECK(one.recognised() == read_as);
    const auto texts = strings_at(got.out, "choices.0.delta.content");
    REQUIRE_FALSE(texts.empty());
    CHECK(texts.at(1) == expected);
    CHECK(got.counts.passed_through == 0);
    CHECK(one.cites(0).references().size() == (events.find("sources") == std::string::npos ? 0 : 1));
    one.reset();
  }
}

TEST_CASE("a list of sources before another protocol does not change its text") {
  std::vector<std::string> streams;
  for (const char* name :
       {"cohere.sse", "gemini.sse", "interactions.sse", "responses.sse", "ollama-chat.ndjson"})
    streams.push_back(read_file(client_streams() / name));
  if (have_data("recordings")) streams.push_back(recording("anthropic-02-char-location-multi.sse"));
  const std::string list = R"({"sources":[{"id":"s-1","title":"S"}]})";
  for (const std::string& stream : streams) {
    const std::string both = (stream.starts_with('{') ? list + "\n" : "data: " + list + "\n\n") + stream;
    for (const egress_mode egress : {egress_mode::off, egress_mode::enforce}) {
      session_options options;
      options.egress = egress;
      options.typed_events = true;
      INFO(stream.substr(0, 200));
      const stream_run got = run_whole(options, both);
      CHECK(text_of(got) == text_of(run_whole(options, stream)));
      CHECK(text_of(got).size() > 40);
      CHECK_FALSE(got.end);
      CHECK(cut_difference(options, both) == "");
    }
  }
}

TEST_CASE("events that no dialect knows may come inside a marker of any protocol") {
  const std::string foreign = "event: tool.progress\ndata: {\"step\":1}\n\n";
  session_options options;
  options.typed_events = true;
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(client_streams())) {
    if (entry.path().extension() != ".sse") continue;
    const std::string stream = read_file(entry.path());
    const std::string_view blank = stream.find("\r\n\r\n") == std::string::npos ? "\n\n" : "\r\n\r\n";
    std::string mixed;
    std::size_t events = 0;
    for (std::size_t at = 0; at < stream.size(); ++events) {
      const std::size_t end = std::min(stream.find(blank, at), stream.size() - blank.size()) + blank.size();
      mixed += stream.substr(at, end - at) + foreign;
      at = end;
    }
    INFO(entry.path());
    const stream_run got = run_whole(options, mixed);
    const stream_run expected = run_whole(options, stream);
    CHECK(text_of(got) == text_of(expected));
    CHECK(got.counts.resolved == expected.counts.resolved);
    std::size_t passed = 0;
    for (std::size_t at = 0; (at = got.out.find(foreign, at)) != std::string::npos; ++at) ++passed;
    CHECK(passed == events);
    ++count;
  }
  CHECK(count >= 10);
}

TEST_CASE("a list of sources after events of other protocols begins a RAG stream") {
  const std::string text = R"({"text":"a [1] ![i](https://x.example/i).","score":1,"done":true})";
  session_options options;
  options.egress = egress_mode::enforce;
  options.style = &numeric_style;
  for (const char* other :
       {R"({"type":"start"})", R"({"type":"message_start","message":{"role":"assistant","content":[]}})",
        R"({"model":"m","message":{"role":"assistant","content":""},"done":false})",
        R"({"type":"source-url","sourceId":"1","url":"https://a.example"})", R"({"type":"status"})"}) {
    std::string events;
    for (const std::string& data : {std::string(R"({"sources":[{"title":"S"}]})"), std::string(other), text})
      events += "data: " + data + "\n\n";
    INFO(other);
    session one(options);
    const stream_run got = run(one, {events});
    CHECK(one.recognised() == find_dialect("rag"));
    CHECK(got.counts.resolved == 1);
    CHECK(got.counts.egress == 1);
    CHECK(cut_difference(options, events) == "");
  }
}

TEST_CASE("sources after the text resolve the markers of the dialect's grammars") {
  const std::string text =
      chunk(R"("choices":[{"index":0,"delta":{"content":"a [A](f-1)."},"finish_reason":null}])");
  const std::string end = chunk(
      R"("choices":[{"index":0,"delta":{"content":null,"graph_data":{"references":{"files":[{"fileId":"f-1","text":"t"}],"web":[]}}},"finish_reason":"stop"}])");
  session one;
  const stream_run got = run(one, {text + end});
  CHECK(one.recognised() == find_dialect("writer"));
  CHECK(got.counts.resolved == 1);
  CHECK(strings_at(got.out, "choices.0.delta.content").at(0) == "a.");
  session forced([] {
    session_options options;
    options.dialect = &openai_dialect;
    return options;
  }());
  CHECK(run(forced, {text + end}).counts.unresolved == 1);
  CHECK(forced.recognised() == &openai_dialect);
}

TEST_CASE("links resolve against a list of sources after the text") {
  const std::string text =
      chunk(R"("choices":[{"index":0,"delta":{"content":"a [A](https://a.org/)."},"finish_reason":"stop"}])");
  for (const char* list : {R"({"id":"7","title":"A","url":"https://a.org"})", R"("https://a.org/")"}) {
    const stream_run got =
        run_whole({}, text + chunk(R"("choices":[],"sources":[)" + std::string(list) + "]"));
    INFO(list);
    CHECK(got.counts.resolved == 1);
    CHECK(got.counts.passed_through == 0);
  }
}

TEST_CASE("references given in advance enable RAG markers in generic streams") {
  session_options options;
  for (std::int64_t number = 1; number < 3; ++number) {
    reference ref;
    ref.title = "page " + std::to_string(number);
    ref.number = number;
    options.references.push_back(ref);
  }
  const auto event = [](const std::string& more, const std::string& text, const char* finish) {
    return chunk(more + R"("choices":[{"index":0,"delta":{"content":")" + text + R"("},"finish_reason":)" +
                 finish + "}]");
  };
  const auto stream = [&](const std::string& more) {
    return event(more, "A [1] b [sr", "null") + event(more, "c_2] [A](b) c [REF|d_1].", "\"stop\"");
  };
  const auto content_of = [](const stream_run& got) {
    std::string sum;
    for (const std::string& part : strings_at(got.out, "choices.0.delta.content")) sum += part;
    return sum;
  };
  session one(options);
  for (const auto& [more, read_as, expected] :
       std::vector<std::tuple<std::string, const dialect*, std::string>>{
           {"", &openai_dialect, "A b c."},
           {R"("model":"grok-4",)", find_dialect("xai"), "A b [src_2] [A](b) c [REF|d_1]."},
           {R"("provider":"P",)", find_dialect("openrouter"), "A b c."},
           {R"("model":"mistral-large-latest",)", find_dialect("mistral"), "A b c."},
           {R"("sources":[{"title":"S"}],)", find_dialect("rag"), "A b [A](b) c."},
       }) {
    const std::string bytes = stream(more);
    INFO(bytes);
    const stream_run whole = run(one, {bytes});  // one session for all
    CHECK(one.recognised() == read_as);
    CHECK(content_of(whole) == expected);
    one.reset();
    for (std::size_t i = 0; i <= bytes.size(); ++i) {
      const std::string_view view = bytes;
      REQUIRE(comparable(run(one, {view.substr(0, i), view.substr(i)})) == comparable(whole));
      one.reset();
    }
  }
  // Text that starts with RAG markers enabled keeps them. A stream recognised at its first text does not
  // enable them.
  const std::string end = chunk(
      R"("choices":[{"index":0,"delta":{"content":" [2]","graph_data":{"references":{"files":[{"fileId":"b"}],"web":[]}}},"finish_reason":"stop"}])");
  CHECK(content_of(run(one, {event("", "A [1] [A](b)", "null") + end})) == "A");
  CHECK(one.recognised() == find_dialect("writer"));
  one.reset();
  CHECK(content_of(run(one, {end})) == " [2]");

  const std::string plain = stream("");
  session_options other = options;
  other.provenance = true;
  CHECK(content_of(run_whole(other, plain)) == "A b c.");
  for (reference& ref : other.references) ref.cite = "d_" + std::to_string(*ref.number);
  CHECK(content_of(run_whole(other, plain)) == "A [1] b [src_2] c.");
  other = options;
  other.grammars = {&link_grammar};
  CHECK(content_of(run_whole(other, plain)) == "A [1] b [src_2] c [REF|d_1].");
  other = options;
  other.dialect = &openai_dialect;
  CHECK(content_of(run_whole(other, plain)) == "A b c.");
  answer text(other);
  std::string out;
  text.push("A [1] [A](b) [src_2].", out);
  text.finish(out);
  CHECK(out == "A.");
}
