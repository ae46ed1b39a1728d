// How a request gets its keys.
//
// The messages are read once, in order. Calls of an assistant's message are stored by id. Each tool result
// becomes a reference: its text without old tags, the name and place that the result itself gives, and what
// is missing from the arguments of its call. Its key is its number in the request. The edits (a header above
// the first text of the result, tags removed from all texts) are collected and applied to the body at the
// end, so all other bytes are unchanged.
//
// If the body has an error or a duplicate key, the edits are dropped and the body is passed through. Cost:
// linear in the body, plus a logarithmic lookup per tool result.
#include <citestream/chunk/document.hpp>
#include <citestream/provenance/provenance.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/provenance_key.hpp"
#include "content.hpp"
#include "instructions.hpp"
#include "rewrite/splice.hpp"
#include "tags.hpp"
#include "tool_result.hpp"

namespace citestream {

namespace {

/// A tool call in an assistant's message. Views of the parsed body.
struct tool_call {
  std::string_view name;
  std::string_view arguments;
};

/// Calls \p take for each text of a message's content.
template <typename Take>
void for_each_text(json_value content, const Take& take) {
  if (content.is_string()) return take(content);
  if (!content.is_array()) return;
  for (json_value part = content.first(); part; part = part.next()) {
    if (const json_value text = provenance::text_of_part(part)) take(text);
  }
}

/// Adds a header to each tool result of one request.
class request_editor {
 public:
  request_editor(std::string_view body, const provenance_options& options)
      : body_(body),
        options_(options),
        parsed_(options.bounds.max_json_depth),
        sources_(options.bounds.max_json_depth) {}

  status run(std::vector<reference>& found);
  void apply(std::string& out) { edits_.apply(body_, out); }

 private:
  void note_calls(json_value message);
  void take_message(json_value message);
  void take_result(json_value message, json_value content);
  void edit_text(json_value text, std::string_view header);
  [[nodiscard]] tool_call call_of(json_value message) const;
  [[nodiscard]] bool is_agent_tool(std::string_view name) const noexcept;

  std::string_view body_;
  const provenance_options& options_;
  document parsed_;
  provenance::source_reader sources_;
  splicer edits_;
  std::map<std::string_view, tool_call> calls_;  ///< by id; a later call with the same id replaces an earlier
  std::vector<reference> found_;
  std::string json_;
};

void request_editor::note_calls(json_value message) {
  const json_value calls = message["tool_calls"];
  if (!calls.is_array()) return;
  for (json_value call = calls.first(); call; call = call.next()) {
    const std::string_view id = call["id"].string();
    const json_value function = call["function"];
    if (!id.empty()) calls_[id] = {function["name"].string(), function["arguments"].string()};
  }
}

tool_call request_editor::call_of(json_value message) const {
  const auto found = calls_.find(message["tool_call_id"].string());
  tool_call call = found != calls_.end() ? found->second : tool_call();
  if (call.name.empty()) call.name = message["name"].string();
  return call;
}

bool request_editor::is_agent_tool(std::string_view name) const noexcept {
  const auto& names = options_.agent_tools;
  return std::find(names.begin(), names.end(), name) != names.end();
}

void request_editor::take_message(json_value message) {
  const std::string_view role = message["role"].string();
  if (role == "assistant") return note_calls(message);
  if (role != "tool" && role != "function") return;
  const json_value content = message["content"];
  bool any = false;
  for_each_text(content, [&](json_value) { any = true; });
  if (any) take_result(message, content);
}

void request_editor::take_result(json_value message, json_value content) {
  const tool_call call = call_of(message);
  reference& source = found_.emplace_back();
  source.tool = call.name;
  source.tool_call_id = message["tool_call_id"].string();
  bool first = true;
  for_each_text(content, [&](json_value text) {
    if (!std::exchange(first, false)) source.text += '\n';
    strip_provenance_tags(text.string(), source.text);
  });
  const bool says_agent = sources_.read_result(source.text, source);
  sources_.read_arguments(call.arguments, source);
  const bool agent = says_agent || is_agent_tool(call.name);
  const auto kind = agent ? provenance_key::kind::agent : provenance_key::kind::data;
  source.cite = provenance_key::make_key(kind, found_.size());
  provenance::complete(source, agent);

  std::string header = provenance_key::make_tag(source.cite) + "\\n";
  for_each_text(content, [&](json_value text) { edit_text(text, std::exchange(header, {})); });
}

/// Inserts \p header above a text and removes the tags inside it.
void request_editor::edit_text(json_value text, std::string_view header) {
  const byte_range token = text.range();
  const std::string_view inside = text.raw().substr(1, token.size() - 2);
  json_.assign(1, '"').append(header);
  const std::size_t begin = json_.size();
  if (provenance::may_have_tags(text.string())) {
    provenance::strip_tags_in_json(inside, json_);
    if (std::string_view(json_).substr(begin) != inside) return edits_.replace(token, json_ += '"');
  }
  edits_.replace({token.begin, token.begin + 1}, std::string_view(json_).substr(0, begin));
}

status request_editor::run(std::vector<reference>& found) {
  if (const status error = parsed_.parse(body_)) return error;
  const json_value messages = parsed_.root()["messages"];
  if (messages.is_array()) {
    for (json_value one = messages.first(); one; one = one.next()) take_message(one);
  }
  if (!found_.empty() && options_.instructions) provenance::add_instructions(body_, messages, edits_);
  if (parsed_.duplicate()) return {errc::duplicate_key, 0};
  found = std::move(found_);
  return {};
}

}  // namespace

status add_provenance(std::string_view body, const provenance_options& options, std::string& out,
                      provenance_registry& registry) {
  registry.references.clear();
  status result{errc::body_too_large, options.bounds.max_body_bytes};
  if (body.size() <= options.bounds.max_body_bytes) {
    request_editor work(body, options);
    result = work.run(registry.references);
    if (!result) {
      work.apply(out);
      return {};
    }
  }
  out.append(body);
  return result;
}

}  // namespace citestream
