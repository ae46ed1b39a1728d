// Answers of RAG servers in the plain form: the text is a string at the top level, and the list may be in any
// event.
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/session.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

constexpr const char* text_names[] = {"answer", "response", "text", "content", "result", "token"};
constexpr const char* list_names[] = {"sources",      "citations", "references", "source_documents",
                                      "source_nodes", "documents", "context"};

const std::string text = "Cats purr [1]. Dogs bark [src_2]. Owls `a[3]` hoot [Source 1].";
const std::string clean = "Cats purr. Dogs bark. Owls `a[3]` hoot.";

std::string list(const std::string& name) {
  return '"' + name +
         R"(":[{"title":"Cats","url":"https://cats.example/"},{"title":"Dogs","text":"They bark."}])";
}

std::string member(const std::string& name, std::string_view value) {
  return '"' + name + R"(":")" + std::string(value) + '"';
}

/// Writes payloads as events or as lines.
struct framed {
  const char* before;
  const char* after;
};
constexpr framed framings[] = {{"data: ", "\n\n"}, {"", "\n"}};

/// Where the list of an answer is.
enum class place : std::uint8_t { first, with_first_text, with_last_text, last };

/// A stream with the text in pieces of \p size bytes.
std::string stream_of(const framed& by, const std::string& name, const std::string& sources, place where,
                      std::size_t size) {
  std::string out;
  const auto add = [&](const std::string& members) { out += by.before + ('{' + members + '}') + by.after; };
  if (where == place::first) add(list(sources));
  for (std::size_t at = 0; at < text.size(); at += size) {
    const bool listed = at == 0 ? where == place::with_first_text
                                : at + size >= text.size() && where == place::with_last_text;
    add(member(name, std::string_view(text).substr(at, size)) + (listed ? ',' + list(sources) : ""));
  }
  if (where == place::last) add(list(sources));
  return out;
}

/// The text of all payloads that a client reads.
std::string text_of(const stream_run& got, const framed& by, const std::string& name) {
  std::string out;
  std::string_view rest = got.out;
  const std::string start = "\"" + name + "\":\"";
  while (!rest.empty()) {
    const std::size_t end = rest.find(by.after);
    const std::string_view line = rest.substr(0, end);
    const std::size_t at = line.find(start);
    // The record and the list have members of these names, too, but after the text or without it.
    if (at == std::string_view(by.before).size() + 1) {
      const std::string_view value = line.substr(at + start.size());
      out += value.substr(0, value.find('"'));
    }
    rest.remove_prefix(end + std::string_view(by.after).size());
  }
  return out;
}

}  // namespace

TEST_CASE("a plain answer is read without a chosen dialect wherever its list is") {
  for (const framed& by : framings) {
    for (const char* name : text_names) {
      for (const char* sources : list_names) {
        for (const place where : {place::first, place::with_first_text, place::with_last_text, place::last}) {
          const std::string bytes = stream_of(by, name, sources, where, 7);
          INFO(bytes);
          session_options options;
          session work(options);
          const stream_run whole = run(work, {bytes});
          CHECK_FALSE(whole.end);
          CHECK(text_of(whole, by, name) == clean);
          CHECK(whole.counts.resolved == 3);
          CHECK(whole.counts.unresolved == 0);
          for (const std::size_t size : {1U, 2U, 5U, 64U}) {
            work.reset();
            CHECK(comparable(run(work, cut_every(bytes, size))) == comparable(whole));
          }
        }
      }
    }
  }
}

TEST_CASE("a plain answer is clean however its text is divided and at every cut in two") {
  const framed& by = framings[0];
  for (std::size_t size = 1; size <= text.size(); ++size) {
    const std::string bytes = stream_of(by, "answer", "sources", place::last, size);
    session work{session_options{}};
    const stream_run whole = run(work, {bytes});
    CHECK(text_of(whole, by, "answer") == clean);
    if (size % 13 != 0) continue;
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
      work.reset();
      const std::string_view all = bytes;
      CHECK(comparable(run(work, {all.substr(0, cut), all.substr(cut)})) == comparable(whole));
    }
  }
}

TEST_CASE("a plain answer in a body is read with its list before or after the text") {
  for (const char* name : text_names) {
    for (const char* sources : list_names) {
      for (const bool first : {true, false}) {
        const std::string members =
            first ? list(sources) + ',' + member(name, text) : member(name, text) + ',' + list(sources);
        session work{session_options{}};
        std::string out;
        CHECK_FALSE(work.rewrite_body("{\"id\":3," + members + '}', out));
        INFO(out);
        CHECK(out.find(member(name, clean)) != std::string::npos);
        CHECK(work.statistics().resolved == 3);
      }
    }
  }
}

TEST_CASE("a body is read whatever other members it has if the dialect was chosen") {
  for (const char* other :
       {R"("type":"answer")", R"("object":"result")", R"("event":"message")", R"("data":{"x":1})",
        R"("generation_id":"g")", R"("event_type":"end","generation_id":"g")"}) {
    const std::string body =
        '{' + std::string(other) + ',' + member("answer", text) + ',' + list("sources") + '}';
    INFO(body);
    session_options options;
    options.dialect = find_dialect("rag");
    session chosen(options);
    std::string out;
    CHECK_FALSE(chosen.rewrite_body(body, out));
    CHECK(out.find(member("answer", clean)) != std::string::npos);
    CHECK(chosen.statistics().resolved == 3);
    session unknown{session_options{}};
    out.clear();
    CHECK_FALSE(unknown.rewrite_body(body, out));
    CHECK(out == body);
  }
}

TEST_CASE("plain text of other protocols passes unchanged") {
  for (const char* payload :
       {R"({"content":"a [1]","stop":false})", R"({"response":"a [1]","p":"abc"})",
        R"({"type":"text","text":"a [1]"})", R"({"event":"message","answer":"a [1]"})",
        R"({"text":"a [1]","generation_id":"x","citations":[{"start":0,"end":1,"text":"a"}]})"}) {
    const std::string bytes = "data: " + std::string(payload) + "\n\n";
    INFO(bytes);
    CHECK(run_whole(session_options{}, bytes).out == bytes);
  }
}

TEST_CASE("events added to a plain answer repeat neither its list nor its end") {
  const struct {
    std::string bytes;
    std::string added;  ///< up to the record
  } cases[] = {
      {R"({"answer":"X [1]"})"
       "\n"
       R"({"answer":" y.","sources":[{"title":"A"}]})"
       "\n",
       R"({"answer":"",)"},
      {R"({"sources":[{"title":"A"}],"final":true,"answer":"X [1].","id":4})"
       "\n",
       R"({"answer":"","id":4,)"},
      {R"({"final" : true , "sources":[{"title":"A"}], "answer":"X [1].", "usage":{"n":1} })"
       "\n",
       R"({ "answer":"",)"},
      {R"({"answer":"X [1]"})"
       "\n"
       R"({"answer":" y.","done":true})"
       "\n",
       R"({"answer":"",)"},
  };
  for (const auto& one : cases) {
    INFO(one.bytes);
    session_options options;
    options.dialect = find_dialect("rag");
    session work(options);
    const stream_run whole = run(work, {one.bytes});
    CHECK(whole.out.find('\n' + one.added + R"("citestream":)") != std::string::npos);
    for (std::size_t size = 1; size < 9; ++size) {
      work.reset();
      CHECK(comparable(run(work, cut_every(one.bytes, size))) == comparable(whole));
    }
  }
}

TEST_CASE("the event that ends a plain answer or has its late list has the records") {
  const std::string sources = R"("sources":[{"title":"A"}])";
  for (const std::string& end :
       {R"({"done":true,)" + sources + '}', R"({"answer":" y.","done":true,)" + sources + '}',
        R"({"answer":"","finish_reason":"stop",)" + sources + '}', "{\"done\":true}\n{" + sources + '}'}) {
    const std::string bytes = "{\"answer\":\"X [1]\",\"done\":false}\n" + end + '\n';
    INFO(bytes);
    session work{session_options{}};
    const stream_run got = run(work, {bytes});
    CHECK_FALSE(got.end);
    const std::string kept =
        "{\"answer\":\"X\",\"done\":false}\n" + end.substr(0, end.size() - 1) + R"(,"citestream":)";
    CHECK(got.out.starts_with(kept));
    CHECK(got.out.find('\n', kept.size()) == got.out.size() - 1);
    CHECK(got.counts.resolved == 1);
  }
}
