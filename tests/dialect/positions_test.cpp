// The positions of a provider's annotations, in every dialect that has some.
#include <citestream/dialect/dialect.hpp>

#include <string>
#include <string_view>

#include <catch2/catch.hpp>

using namespace citestream;

namespace {

/// An event with an annotation. Tests replace START and END by its positions.
struct annotated {
  std::string_view by;
  std::string_view event;
};

const annotated all[] = {
    {"openai", R"({"choices":[{"index":0,"delta":{"annotations":[{"type":"url_citation","url_citation":)"
               R"({"url":"https://a.example/","title":"A","start_index":START,"end_index":END}}]}}]})"},
    {"responses",
     R"({"type":"response.output_text.annotation.added","item_id":"m","output_index":0,"content_index":0,)"
     R"("annotation_index":0,"annotation":{"type":"url_citation","url":"https://a.example/","title":"A",)"
     R"("start_index":START,"end_index":END}})"},
    {"cohere",
     R"({"type":"citation-start","index":0,"delta":{"message":{"citations":{"start":START,"end":END,)"
     R"("sources":[{"type":"document","id":"d"}],"type":"TEXT_CONTENT","content_index":0}}}})"},
    {"gemini",
     R"({"candidates":[{"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example/","title":"A"}}],)"
     R"("groundingSupports":[{"segment":{"startIndex":START,"endIndex":END},"groundingChunkIndices":[0]}]}}]})"},
    {"interactions",
     R"({"index":0,"delta":{"annotations":[{"start_index":START,"end_index":END,"url":"https://a.example/",)"
     R"("title":"A","type":"url_citation"}],"type":"text_annotation_delta"},"event_type":"step.delta"})"},
    {"bedrock_rag",
     R"({"generatedResponsePart":{"textResponsePart":{"span":{"start":START,"end":END}}},"retrievedReferences":)"
     R"([{"content":{"text":"T"},"location":{"type":"WEB","webLocation":{"url":"https://a.example/"}}}]})"},
};

std::string event_of(const annotated& one, std::string_view start, std::string_view end) {
  std::string out(one.event);
  out.replace(out.find("START"), 5, start);
  return out.replace(out.find("END"), 3, end);
}

/// Returns true if the event has an annotation or citation with a place.
bool is_placed(const dialect_event& read) {
  for (const native_annotation& found : read.annotations) {
    if (found.start_token || found.end_token) return true;
  }
  for (const native_citation& found : read.natives) {
    if (found.anchor != citation_anchor::none) return true;
  }
  return false;
}

bool is_placed(const annotated& one, std::string_view start, std::string_view end) {
  document payload;
  dialect_event read;
  const std::string event = event_of(one, start, end);
  INFO(one.by << ": " << event);
  REQUIRE_FALSE(payload.parse(event));
  const dialect* const by = find_dialect(one.by);
  REQUIRE(by != nullptr);
  CHECK(by->read(payload.root(), payload_kind::event, read));
  return is_placed(read);
}

}  // namespace

TEST_CASE("positions are integers from 0 in order or the annotation has no place") {
  constexpr std::string_view bad[] = {
      "-1", "1.5", "1e300", "\"1\"", "null", "[1]", "18446744073709551615000", "-9223372036854775808"};
  for (const annotated& one : all) {
    CHECK(is_placed(one, "1", "2"));
    CHECK(is_placed(one, "2", "2"));
    CHECK(is_placed(one, "0", "9223372036854775807"));
    CHECK_FALSE(is_placed(one, "3", "2"));
    for (const std::string_view value : bad) {
      CHECK_FALSE(is_placed(one, value, "2"));
      CHECK_FALSE(is_placed(one, "0", value));
    }
  }
}
