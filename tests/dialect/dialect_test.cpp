#include <citestream/dialect/dialect.hpp>

#include <random>
#include <string>

#include <catch2/catch.hpp>

#include "support/rounds.hpp"

using namespace citestream;

TEST_CASE("dialects are found by name") {
  CHECK(find_dialect("openai") == &openai_dialect);
  CHECK(find_dialect("") == nullptr);
  CHECK(find_dialect("nobody") == nullptr);
  for (const dialect* known : dialects()) CHECK(find_dialect(known->name) == known);
}

TEST_CASE("a request is for the first API that has its path") {
  const auto asked = [](std::string_view target, std::string_view api) {
    const api_request found = find_api(target);
    CHECK((found.api == nullptr ? "" : found.api->name) == api);
    return found.kind;
  };
  using enum request_kind;
  CHECK(asked("/v1/chat/completions?a=/v2/chat", "openai") == chat);
  CHECK(asked("/openai/deployments/d/chat/completions/", "openai") == chat);
  CHECK(asked("/v1/responses", "responses") == chat);
  CHECK(asked("/v1/responses/resp_1/input_items", "responses") == history);
  CHECK(asked("/v1/conversations/c/items", "responses") == history);
  CHECK(asked("/v1/messages", "anthropic") == chat);
  CHECK(asked("/v1/messages/batches", "anthropic") == history);
  CHECK(asked("/v1/projects/p/publishers/a/models/m:streamRawPredict", "anthropic") == chat);
  CHECK(asked("/v1beta/models/m:streamGenerateContent?alt=sse", "gemini") == chat);
  CHECK(asked("/v1beta/models/m:countTokens", "gemini") == history);
  CHECK(asked("/v1beta/interactions", "interactions") == chat);
  CHECK(asked("/v2/chat", "cohere") == chat);
  CHECK(asked("/api/chat", "ollama") == chat);
  CHECK(asked("/api/generate", "ollama") == chat);
  CHECK(asked("/model/m/converse-stream", "bedrock") == chat);
  CHECK(asked("/model/m/invoke", "bedrock") == chat);
  CHECK(asked("/model/m/count-tokens", "bedrock") == history);
  CHECK(asked("/v1/chat", "") == chat);
  CHECK(asked("/v1/graphs/question", "writer") == graph_question);
  CHECK(asked("/v1/%63hat/completions", "openai") == chat);
  CHECK(asked("/v1/chat%2Fcompletions;a", "openai") == chat);
  CHECK(asked("/v1/chat/completions;%2Fa", "openai") == chat);
  CHECK(asked("/v1//messages//", "anthropic") == chat);
  CHECK(asked("/v1beta/models/m%3AstreamGenerateContent", "gemini") == chat);
  CHECK(asked("/v1/x%3F/chat/completions", "openai") == chat);
  CHECK(asked("/v1/embeddings%3F/chat", "") == chat);
  CHECK(asked("/invoke", "") == other);
  CHECK(asked("/v1/embeddings?q=/chat", "") == other);
  CHECK(asked("", "") == other);
}

TEST_CASE("every dialect names the grammars of its answers") {
  const auto only = [](const dialect& of) { return of.grammars.size() == 1 ? of.grammars[0] : nullptr; };
  CHECK(only(*find_dialect("writer")) == &link_grammar);
  CHECK(only(openai_dialect) == &link_grammar);
  CHECK(only(*find_dialect("openrouter")) == &link_grammar);
  CHECK(only(*find_dialect("mistral")) == &link_grammar);
  for (const dialect* const one : {find_dialect("perplexity"), find_dialect("xai")}) {
    REQUIRE(one->grammars.size() == 2);
    CHECK(one->grammars[0] == &numeric_grammar);
    CHECK(one->grammars[1] == &link_grammar);
    REQUIRE(one->markers.only_known.size() == 1);
    CHECK(one->markers.only_known[0] == &link_grammar);
  }
  CHECK(only(*find_dialect("azure")) == &source_grammar);
  REQUIRE(find_dialect("rag")->grammars.size() == 3);
  CHECK(find_dialect("rag")->grammars[0] == &numeric_grammar);
  CHECK(find_dialect("rag")->grammars[1] == &source_grammar);
  CHECK(find_dialect("rag")->grammars[2] == &ref_grammar);
}

TEST_CASE("values of any type in any place are read safely") {
  // All keys of the dialects, combined at random.
  const std::string_view keys[] = {"choices",    "delta",
                                   "message",    "content",
                                   "graph_data", "references",
                                   "files",      "web",
                                   "sources",    "file_id",
                                   "index",      "answer",
                                   "data",       "annotations",
                                   "error",      "url_citation",
                                   "url",        "finish_reason",
                                   "question",   "stages",
                                   "score",      "page",
                                   "citations",  "search_results",
                                   "context",    "model",
                                   "object",     "provider",
                                   "type",       "text",
                                   "title",      "results",
                                   "metadata",   "id"};
  const std::string_view scalars[] = {"null",
                                      "\"\"",
                                      "\"x\"",
                                      "0",
                                      "-1",
                                      "1e300",
                                      "true",
                                      "[]",
                                      "{}",
                                      "1000001",
                                      "\"grok-4\"",
                                      "\"sonar\"",
                                      "\"mistral-x\"",
                                      "\"chat.completion.chunk\"",
                                      "\"text\"",
                                      "\"reference\"",
                                      "\"https://a\""};
  std::mt19937 random(7);
  const auto value = [&](auto& self, int depth) -> std::string {
    const auto pick = random() % 4;
    if (depth == 0 || pick == 0) return std::string(scalars[random() % std::size(scalars)]);
    std::string out(1, pick == 1 ? '[' : '{');
    for (auto n = 1 + random() % 4; n > 0; --n) {
      if (out.size() > 1) out += ',';
      if (pick != 1) out.append(1, '"').append(keys[random() % std::size(keys)]).append("\":");
      out += self(self, depth - 1);
    }
    return out + (pick == 1 ? ']' : '}');
  };
  document doc;
  dialect_event event;
  std::size_t read = 0;
  for (std::size_t round = 0; round < citestream_tests::scaled(12'000); ++round) {
    const std::string payload = value(value, 6);
    for (const payload_kind kind : {payload_kind::event, payload_kind::body}) {
      for (const dialect* known : dialects()) {
        REQUIRE_FALSE(doc.parse(payload));
        const bool sure = known->recognise(doc.root(), kind);
        if (!known->read(doc.root(), kind, event)) continue;
        ++read;
        CAPTURE(payload, sure);
        for (const choice_event& choice : event.choices) {
          REQUIRE(choice.choice <= 1'000'000);
          REQUIRE((choice.slot == text_slot::none || choice.holder.object.has_value()));
          if (choice.slot == text_slot::string) REQUIRE(payload[choice.token.begin] == '"');
        }
      }
    }
  }
  CHECK(read > 1'000);
}
