// Answers of Amazon Titan and Meta Llama through Bedrock: events in base64, and bodies.
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/session.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/messages.hpp"
#include "support/parsed_json.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

std::string chunk(std::string_view event) {
  return message("chunk", event);
}

/// One of the two models.
struct model {
  std::string text;
  std::string rest;  ///< members of each delta
  std::string last;  ///< members of the last event

  [[nodiscard]] std::string event(const std::string& piece, bool ends) const {
    return "{\"" + text + "\":\"" + piece + "\"," + (ends ? last : rest) + "}";
  }
  [[nodiscard]] std::string stream(const std::vector<std::string>& texts) const {
    std::string out;
    for (const std::string& one : texts) out += chunk(event(one, &one == &texts.back()));
    return out;
  }
};

const model models[] = {
    {"outputText",
     R"("index":0,"totalOutputTextTokenCount":null,"completionReason":null,"inputTextTokenCount":12)",
     R"("index":0,"totalOutputTextTokenCount":9,"completionReason":"FINISH","inputTextTokenCount":null,)"
     R"("amazon-bedrock-invocationMetrics":{"inputTokenCount":12})"},
    {"generation", R"("prompt_token_count":null,"generation_token_count":2,"stop_reason":null)",
     R"("prompt_token_count":null,"generation_token_count":7,"stop_reason":"stop",)"
     R"("amazon-bedrock-invocationMetrics":{"inputTokenCount":12})"}};

const std::vector<std::string> texts{"Caf\u00e9s", " rose [T](ht", "tps://a.example/x) by 20% [", "T](x"};

std::string text_of(std::string_view stream, const std::string& member) {
  std::string out;
  for (const std::string& event : message_data(stream)) out += parsed(event).root()[member].string();
  return out;
}

}  // namespace

TEST_CASE("texts of Titan and Llama are rewritten and held text is in the last event") {
  for (const model& one : models) {
    const std::string stream = one.stream(texts);
    for (const auto& [how, expected] : std::vector<std::pair<const style*, std::string>>{
             {&keep_style, "Cafés rose [T](https://a.example/x) by 20% [T](x"},
             {&strip_style, "Cafés rose by 20% [T](x"},
             {&numeric_style, "Cafés rose [1] by 20% [T](x"}}) {
      const stream_run seen = run_whole(options_for(*how), stream);
      CHECK(text_of(seen.out, one.text) == expected);
      CHECK(message_data(seen.out).size() == texts.size());
      CHECK(seen.counts.passed_through == 0);
      CHECK_FALSE(seen.end);
      if (how == &keep_style) continue;
      const document last = parsed(message_data(seen.out).back());
      CHECK(last.root()["citestream"]["citations"][0]["identifier"].string() == "https://a.example/x");
      CHECK(last.root()["amazon-bedrock-invocationMetrics"].is_object());
    }
  }
}

TEST_CASE("events of Titan and Llama give the same bytes at every cut") {
  for (const model& one : models) {
    const std::string stream = one.stream(texts);
    CHECK(cut_difference(options_for(numeric_style), stream) == "");
  }
}

TEST_CASE("a stream of Titan or Llama without its last event is incomplete") {
  for (const model& one : models) {
    std::string stream;
    for (const std::string& piece : texts) stream += chunk(one.event(piece, false));
    const stream_run seen = run_whole({}, stream);
    CHECK(seen.end.code == errc::upstream_incomplete);
    CHECK(seen.out.find("modelStreamErrorException") != std::string::npos);
  }
}

TEST_CASE("bodies of Titan and Llama have the same text as their streams") {
  std::string all;
  for (const std::string& piece : texts) all += piece;
  const std::string bodies[] = {
      R"({"inputTextTokenCount":5,"results":[{"tokenCount":3,"outputText":")" + all +
          R"(","completionReason":"FINISH"}]})",
      R"({"generation":")" + all +
          R"(","prompt_token_count":5,"generation_token_count":2,"stop_reason":"stop"})"};
  for (std::size_t i = 0; i < std::size(models); ++i) {
    session one(options_for(numeric_style));
    std::string out;
    REQUIRE_FALSE(one.rewrite_body(bodies[i], out));
    const document made = parsed(out);
    const json_value root = made.root();
    const json_value text = i == 0 ? root["results"][0]["outputText"] : root["generation"];
    CHECK(text.string() ==
          text_of(run_whole(options_for(numeric_style), models[i].stream(texts)).out, models[i].text));
    CHECK(root["citestream"]["citations"][0]["status"].string() == "unresolved");
  }
}

TEST_CASE("a stream of Titan may leave out members without a value") {
  const std::string stream =
      chunk(R"({"outputText":"Up [T](","index":0.0,"inputTextTokenCount":28.0})") +
      chunk(R"({"outputText":"x).","index":0.0})") +
      chunk(
          R"({"outputText":" Yes.","index":0.0,"totalOutputTextTokenCount":8.0,"completionReason":"FINISH"})");
  const stream_run seen = run_whole({}, stream);
  CHECK(text_of(seen.out, "outputText") == "Up. Yes.");
  CHECK_FALSE(seen.end);
}

TEST_CASE("events that only have a text pass") {
  for (const model& one : models) {
    const std::string stream = chunk("{\"" + one.text + "\":\"[T](x)\"}");
    CHECK(run_whole({}, stream).out.starts_with(stream));
  }
  const std::string sse = "data: " + models[1].event("[T](x)", true) + "\n\n";
  CHECK(run_whole({}, sse).out == sse);  // not in a message
}
