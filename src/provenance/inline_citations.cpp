#include <citestream/provenance/provenance.hpp>

#include "parsed_request.hpp"

namespace citestream {

namespace {

constexpr std::string_view member = "inline_citations";
constexpr std::string_view config_member = "query_config";

/// Sets `inline_citations` in the `query_config` of \p holder, unless it has a value.
void switch_on(json_value holder, splicer& edits) {
  const json_value config = holder[config_member];
  const json_value value = config[member];
  if (!config) {
    edits.insert_member(holder.range(), config_member, R"({"inline_citations":true})");
  } else if (config.is_null()) {
    edits.replace(config.range(), R"({"inline_citations":true})");
  } else if (config.is_object() && !value) {
    edits.insert_member(config.range(), member, "true");
  } else if (value.is_null()) {
    edits.replace(value.range(), "true");
  }
}

void switch_on_all(json_value root, splicer& edits) {
  if (root["graph_ids"].is_array() && root["question"].is_string()) switch_on(root, edits);
  for (const json_value& tool : root["tools"].elements()) {
    const json_value function = tool["function"];
    if (tool["type"].string() == "graph" && function.is_object()) switch_on(function, edits);
  }
}

}  // namespace

status provenance::add_inline_citations(parsed_request& request, std::string& out, const limits& bounds) {
  return request.edit(bounds, out, &switch_on_all);
}

status add_inline_citations(std::string_view body, std::string& out, const limits& bounds) {
  provenance::parsed_request request(body);
  return add_inline_citations(request, out, bounds);
}

}  // namespace citestream
