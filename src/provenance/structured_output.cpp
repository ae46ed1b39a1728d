// How a request asks for an answer that is JSON for a program: "structured output" or "JSON mode".
//
// | protocol | member |
// |---|---|
// | chat completions, Cohere, Mistral, Interactions | `response_format` |
// | OpenAI Responses | `text.format` |
// | Anthropic Messages | `output_config.format`, earlier `output_format` |
// | Gemini | `responseMimeType` of `generationConfig`; Interactions: `response_mime_type` |
// | Ollama | `format`: "json" or a schema |
// | Bedrock Converse | `outputConfig.textFormat` |
//
// Most are objects with a `type`, and `text` is prose. A schema has no type or one of JSON's. The body is
// parsed only if it contains one of the names.
#include <citestream/chunk/document.hpp>
#include <citestream/provenance/provenance.hpp>

#include <algorithm>

#include "parsed_request.hpp"

namespace citestream {

namespace {

bool is_json_type(std::string_view media_type) noexcept {
  return !media_type.empty() && media_type != "text/plain";
}

bool is_json_format(json_value format) noexcept {
  if (format.is_string()) return !format.string().empty() && format.string() != "text";
  if (!format.is_object() || format.empty()) return false;
  return format["type"].string() != "text" || is_json_type(format["mime_type"].string());
}

bool is_json_generation(json_value config) noexcept {
  return is_json_type(config["responseMimeType"].string()) ||
         is_json_type(config["response_mime_type"].string());
}

bool names_format(std::string_view body) noexcept {
  constexpr std::string_view names[] = {R"(ormat")", R"("responseMimeType")", R"("response_mime_type")"};
  return std::ranges::any_of(
      names, [body](std::string_view name) { return body.find(name) != std::string_view::npos; });
}

}  // namespace

bool provenance::requests_json(parsed_request& request, const limits& bounds) {
  if (!names_format(request.body()) || request.parse(bounds)) return false;
  const json_value root = request.json().root();
  const json_value formats[] = {root["response_format"],
                                root["text"]["format"],
                                root["output_config"]["format"],
                                root["output_format"],
                                root["outputConfig"]["textFormat"],
                                root["format"]};
  return std::ranges::any_of(formats, &is_json_format) || is_json_generation(root) ||
         is_json_generation(root["generationConfig"]) || is_json_generation(root["generation_config"]);
}

bool requests_json(std::string_view body, const limits& bounds) {
  provenance::parsed_request request(body);
  return requests_json(request, bounds);
}

}  // namespace citestream
