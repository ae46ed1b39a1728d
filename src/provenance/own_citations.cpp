#include <citestream/provenance/provenance.hpp>

#include <string>

#include "parsed_request.hpp"

namespace citestream {

namespace {

constexpr std::string_view quoted_index_name = R"("encrypted_index")";
constexpr std::string_view quoted_mark_name = R"("citestream")";
constexpr std::string_view quoted_block_name = R"("citationsContent")";
constexpr std::string_view index_name = quoted_index_name.substr(1, quoted_index_name.size() - 2);
constexpr std::string_view mark_name = quoted_mark_name.substr(1, quoted_mark_name.size() - 2);

/// The provider never sends an empty index or the mark. Clients of Converse drop the mark; a page that the
/// provider has found also has a `domain`.
bool is_own(json_value citation) noexcept {
  const json_value index = citation[index_name];
  const json_value page = citation["location"]["web"];
  return (index.is_string() && index.string().empty()) || citation[mark_name].boolean().value_or(false) ||
         (page["url"].is_string() && !page["domain"]);
}

/// Removes citations of ours from a list. If none is left, writes \p empty instead, as the provider does.
void clean(json_value list, std::string_view empty, splicer& edits) {
  std::string kept;
  bool any = false;
  for (const json_value& one : list.elements()) {
    if (is_own(one)) {
      any = true;
    } else {
      kept.append(kept.empty() ? "[" : ",").append(one.raw());
    }
  }
  if (any) edits.replace(list.range(), kept.empty() ? std::string(empty) : kept + "]");
}

void clean_message(json_value message, splicer& edits) {
  if (message["role"].string() != "assistant") return;
  clean(message["citations"], "[]", edits);
  for (const json_value& block : message["content"].elements()) {
    clean(block["citations"], "null", edits);
    clean(block["citationsContent"]["citations"], "[]", edits);
  }
}

void clean_messages(json_value request, splicer& edits) {
  for (const json_value& one : request["messages"].elements()) clean_message(one, edits);
}

void clean_request(json_value root, splicer& edits) {
  clean_messages(root, edits);
  clean_messages(root["input"]["converse"], edits);
  const json_value batch = root["requests"];
  for (const json_value& one : batch.elements()) clean_messages(one["params"], edits);
}

}  // namespace

bool provenance::may_have_own_citations(std::string_view body) noexcept {
  const auto has = [body](std::string_view name) { return body.find(name) != std::string_view::npos; };
  return has(quoted_index_name) || has(quoted_mark_name) || has(quoted_block_name);
}

status provenance::remove_own_citations(parsed_request& request, std::string& out, const limits& bounds) {
  return request.edit(bounds, out, &clean_request);
}

status remove_own_citations(std::string_view body, std::string& out, const limits& bounds) {
  if (!provenance::may_have_own_citations(body)) {
    out.append(body);
    return {};
  }
  provenance::parsed_request request(body);
  return remove_own_citations(request, out, bounds);
}

}  // namespace citestream
