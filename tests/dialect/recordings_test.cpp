// The dialects on recorded streams.
#include "chunk/recordings.hpp"

#include <citestream/dialect/dialect.hpp>

#include <map>
#include <string>

#include <catch2/catch.hpp>

using namespace citestream;

namespace {

/// What one stream says, all payloads put together.
struct summary {
  std::string dialect;  ///< of the first payload that some dialect recognises
  std::map<std::uint32_t, std::string> text;
  std::size_t choices{};
  std::size_t mirrored{};
  std::size_t finished{};
  std::size_t references{};
  std::string message;   ///< the last accumulated text
  std::size_t unread{};  ///< payloads that pass, those before the dialect is known included
};

void add(const dialect_event& event, summary& to) {
  for (const choice_event& choice : event.choices) {
    to.text[choice.choice] += choice.text;
    ++to.choices;
    if (choice.mirror) ++to.mirrored;
    if (choice.finished) ++to.finished;
    if (choice.mirror_accumulates) to.message = choice.mirror_text;
  }
  to.references += event.references.size();
}

summary summarise(const std::string& name) {
  summary out;
  document doc;
  dialect_event event;
  const dialect* known = nullptr;
  for (const std::string& payload :
       citestream_tests::payloads_of(citestream_tests::data_dir() / "recordings" / name)) {
    REQUIRE_FALSE(doc.parse(payload));
    for (const dialect* candidate : dialects()) {
      if (known == nullptr && candidate->recognise(doc.root(), payload_kind::event)) known = candidate;
    }
    if (known != nullptr && known->read(doc.root(), payload_kind::event, event)) {
      add(event, out);
    } else {
      ++out.unread;
    }
  }
  if (known != nullptr) out.dialect = known->name;
  return out;
}

std::size_t total(const summary& of) {
  std::size_t bytes = 0;
  for (const auto& [choice, text] : of.text) bytes += text.size();
  return bytes;
}

}  // namespace

TEST_CASE("Writer's recorded streams are read whole") {
  if (!citestream_tests::have_data("recordings")) return;
  const summary text = summarise("writer-01-chat-stream-text.sse");
  CHECK(text.dialect == "writer");
  CHECK(text.choices == 39);
  CHECK(text.mirrored == 39);
  CHECK(text.finished == 1);
  CHECK(text.unread == 0);
  CHECK(text.text.at(0).substr(0, 5) == "Sure,");
  CHECK(total(text) == 165);

  const summary two = summarise("writer-02-chat-stream-n2-interleaved.sse");
  CHECK(two.dialect == "writer");
  CHECK(two.text.size() == 2);
  CHECK(two.choices == 99);
  CHECK(two.mirrored == 99);
  CHECK(two.finished == 2);
  CHECK(total(two) == 441);

  const summary tools = summarise("writer-03-chat-stream-tool-calls.sse");
  CHECK(tools.dialect == "writer");
  CHECK(total(tools) == 0);
  CHECK(tools.finished == 1);

  const summary old = summarise("writer-06-framework-2024-tool-calls.sse");
  CHECK(old.dialect == "writer");
  CHECK(old.mirrored == 0);
  CHECK(old.finished == 1);

  const summary graph = summarise("synthetic/writer-kg-inline-citations.sse");
  CHECK(graph.dialect == "writer");
  CHECK(graph.references == 4);
  CHECK(graph.finished == 1);
  CHECK(graph.unread == 0);
  CHECK(graph.text.at(0).find("](") != std::string::npos);
}

TEST_CASE("OpenAI's recorded streams and their like are read whole") {
  if (!citestream_tests::have_data("recordings")) return;
  for (const char* name : {"openai-chat-01-mdlink-two.sse", "openai-chat-04-mdlink-two-b.sse",
                           "openai-chat-05-file-token-6.sse"}) {
    CAPTURE(name);
    const summary stream = summarise(name);
    CHECK(stream.dialect == "openai");
    CHECK(stream.finished == 1);
    CHECK(stream.mirrored == 0);
    CHECK(stream.text.size() == 1);
    CHECK(total(stream) >= 90);
    CHECK(stream.unread <= 1);
  }
  CHECK(summarise("openai-chat-01-mdlink-two.sse").references == 0);
}

TEST_CASE("OpenRouter's recorded stream is read whole") {
  if (!citestream_tests::have_data("recordings")) return;
  const summary stream = summarise("openrouter-01-annotations.sse");
  CHECK(stream.dialect == "openrouter");
  CHECK(stream.finished == 2);  // again in its usage event
  CHECK(stream.mirrored == 0);
  CHECK(stream.references > 1);
  CHECK(stream.unread == 0);
  CHECK(total(stream) >= 90);
}

TEST_CASE("Perplexity's recorded streams are read whole") {
  if (!citestream_tests::have_data("recordings")) return;
  const summary stream = summarise("perplexity-01-sonar-citations.sse");
  CHECK(stream.dialect == "perplexity");
  CHECK(stream.choices == 191);
  CHECK(stream.mirrored == 191);
  CHECK(stream.references == 191U * 7);
  CHECK(stream.finished == 1);
  CHECK(stream.unread == 0);
  CHECK(stream.text.at(0).find(".[1][5]") != std::string::npos);
  CHECK(stream.text.at(0) == stream.message);

  const summary brief = summarise("perplexity-03-sonar-short.sse");
  CHECK(brief.dialect == "perplexity");
  CHECK(brief.text.at(0) == "1 2 3");
  CHECK(brief.message == "1 2 3");
  CHECK(brief.references == 6U * 8);
}

TEST_CASE("Azure's stream is read whole") {
  if (!citestream_tests::have_data("recordings")) return;
  const summary stream = summarise("synthetic/azure-oyd-stub.sse");
  CHECK(stream.dialect == "azure");
  CHECK(stream.text.at(0) == "42 is the meaning of life");
  CHECK(stream.references == 1);
  CHECK(stream.finished == 1);
  CHECK(stream.unread == 0);
}

TEST_CASE("recorded streams of other kinds are recognised by nobody") {
  if (!citestream_tests::have_data("recordings")) return;
  std::size_t streams = 0;
  for (const auto& file : citestream_tests::recordings()) {
    const std::string name = file.filename().string();
    const bool other = name.find("anthropic") == 0 || name.find("cohere") == 0 || name.find("gemini") == 0 ||
                       name.find("openai-responses") == 0 || name.find("writer-05") == 0;
    if (!other) continue;
    CAPTURE(name);
    const summary stream = summarise(name);
    CHECK(stream.dialect.empty());
    CHECK(stream.unread > 0);
    ++streams;
  }
  CHECK(streams >= 8);
}
