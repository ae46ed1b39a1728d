// How a request gets its keys.
//
// The request is read once, in order (request_form.hpp). Calls are stored by id. Each tool result becomes a
// reference: its text without old tags, the name and place that the result itself gives, and what is missing
// from the arguments of its call. Its key is its number in the request. The edits (a header above the first
// text of the result, tags removed from all texts) are collected and applied to the body at the end, so all
// other bytes are unchanged.
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
#include "request_form.hpp"
#include "rewrite/splice.hpp"
#include "tags.hpp"
#include "tool_result.hpp"

namespace citestream {

namespace {

/// A tool call. Views of the parsed body.
struct tool_call {
  std::string_view name;
  std::string_view arguments;  ///< JSON
};

/// The member of an object that gets its key if the object has no text of its own.
constexpr std::string_view key_name = "citestream_key";

/// The text of a result that is an object, as Gemini's are: `output` or `result`, if that is a string.
json_value text_of_object(json_value object) noexcept {
  for (const std::string_view name : {"output", "result"}) {
    if (const json_value text = object[name]; text.is_string()) return text;
  }
  return {};
}

/// Calls \p take for each text of a result.
template <typename Take>
void for_each_text(json_value content, const Take& take) {
  if (content.is_string()) return take(content);
  if (content.is_object()) {
    if (const json_value text = text_of_object(content)) take(text);
    return;
  }
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
  void take_result(const provenance::request_step& result);
  void mark_object(json_value object, std::string_view tag);
  void edit_text(json_value text, std::string_view header);
  [[nodiscard]] tool_call call_of(const provenance::request_step& result) const;
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

tool_call request_editor::call_of(const provenance::request_step& result) const {
  const auto found = calls_.find(result.id);
  tool_call call = found != calls_.end() ? found->second : tool_call();
  if (call.name.empty()) call.name = result.name;
  return call;
}

bool request_editor::is_agent_tool(std::string_view name) const noexcept {
  const auto& names = options_.agent_tools;
  return std::find(names.begin(), names.end(), name) != names.end();
}

void request_editor::take_result(const provenance::request_step& result) {
  bool any = false;
  for_each_text(result.value, [&](json_value) { any = true; });
  const bool whole = !any && result.value.is_object();  // the object itself is the text
  if (!any && !whole) return;
  const tool_call call = call_of(result);
  reference& source = found_.emplace_back();
  source.tool = call.name;
  source.tool_call_id = result.id;
  bool first = true;
  for_each_text(result.value, [&](json_value text) {
    if (!std::exchange(first, false)) source.text += '\n';
    strip_provenance_tags(text.string(), source.text);
  });
  if (whole) source.text = result.value.raw();
  const bool says_agent = sources_.read_result(source.text, source);
  sources_.read_arguments(call.arguments, source);
  const bool agent = says_agent || is_agent_tool(call.name);
  const auto kind = agent ? provenance_key::kind::agent : provenance_key::kind::data;
  source.cite = provenance_key::make_key(kind, found_.size());
  provenance::complete(source, agent);

  const std::string tag = provenance_key::make_tag(source.cite);
  if (whole) return mark_object(result.value, tag);
  std::string header = tag + "\\n";
  for_each_text(result.value, [&](json_value text) { edit_text(text, std::exchange(header, {})); });
}

/// Gives an object without a text its key as a member, or replaces the key that it has.
void request_editor::mark_object(json_value object, std::string_view tag) {
  const std::string json = std::string("\"").append(tag).append("\"");
  if (const json_value old = object[key_name]) {
    edits_.replace(old.range(), json);
  } else {
    edits_.insert_member(body_, object.range(), key_name, json);
  }
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
  const provenance::request_content request = provenance::read_request(parsed_.root());
  for (const provenance::request_step& step : request.steps) {
    if (step.is_result) {
      take_result(step);
    } else if (!step.id.empty()) {
      calls_[step.id] = {step.name, step.value.is_string() ? step.value.string() : step.value.raw()};
    }
  }
  if (!found_.empty() && options_.instructions)
    provenance::add_instructions(body_, parsed_.root(), request, edits_);
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
