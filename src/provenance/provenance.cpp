// How a request gets its keys.
//
// The request is read once, in order (request_form.hpp). Calls are stored by id. Each tool result becomes a
// reference. Its text is what the model can read, without old tags. Its name and place are those in the
// result; what the result does not give is taken from the arguments of the call. Its key is its number in the
// request or made from its content. Tags are removed from all strings of all results and documents, so that
// none can pretend to be another. The edits are collected and applied to the body at the end, so all other
// bytes are unchanged.
//
// If the body has an error or a duplicate key, the edits are dropped and the body is passed through. Cost:
// linear in the body, plus a logarithmic lookup per tool result.
#include <citestream/chunk/document.hpp>
#include <citestream/provenance/provenance.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/ascii.hpp"
#include "base/fnv1a.hpp"
#include "base/provenance_key.hpp"
#include "chunk/json_scan.hpp"
#include "instructions.hpp"
#include "parsed_request.hpp"
#include "request_form.hpp"
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

bool is_one_of(std::string_view name, const std::vector<std::string>& names) noexcept {
  return std::ranges::find(names, name) != names.end();
}

/// Keys made from the content of results.
class content_keys {
 public:
  /// Returns the key for \p content: its hash, with as many digits as make it unique, at least six.
  /// Empty if all digits of another hash are equal.
  std::string take(provenance_key::kind kind, std::string_view content) {
    const std::string digits = digits_of(content);
    for (std::size_t count = provenance_key::fewest_content_digits; count <= digits.size(); count += 2) {
      std::string key = provenance_key::make_key(kind, std::string_view(digits).substr(0, count));
      const auto [at, added] = contents_.try_emplace(key, content);
      if (added || at->second == content) return key;
    }
    return {};
  }

 private:
  /// FNV-1a of 64 bits, mixed as in MurmurHash3, so that its first digits depend on all bytes.
  static std::string digits_of(std::string_view content) {
    std::uint64_t hash = fnv1a::hash_of(content);
    hash = (hash ^ (hash >> 33U)) * 0xFF51AFD7ED558CCDU;
    hash = (hash ^ (hash >> 33U)) * 0xC4CEB9FE1A85EC53U;
    hash ^= hash >> 33U;
    std::string digits(provenance_key::max_key_digits, '0');
    for (char& digit : digits) {
      digit = ascii::hex_digits[hash >> 60U];
      hash <<= 4U;
    }
    return digits;
  }

  std::map<std::string, std::string> contents_;  ///< by key
};

/// Appends JSON. \p write appends the inside of each of its strings.
template <typename Write>
void copy_json(std::string_view json, std::string& out, const Write& write) {
  std::size_t copied = 0;
  provenance::for_each_string(json, [&](byte_range token) {
    out.append(json, copied, token.begin + 1 - copied);
    write(json.substr(token.begin + 1, token.size() - 2));
    copied = token.end - 1;
  });
  out.append(json, copied);
}

/// Appends JSON without its tags.
void strip_json(std::string_view json, std::string& out) {
  copy_json(json, out, [&](std::string_view inside) { provenance::strip_tags_in_json(inside, out); });
}

/// Appends JSON as a text: without tags and without escapes.
void append_as_text(std::string_view json, std::string& out) {
  std::string text;
  copy_json(json, out, [&](std::string_view inside) {
    text.clear();
    json_scan::append_unescaped(inside, text);
    strip_provenance_tags(text, out);
  });
}

/// Appends the members of an object without \p skipped and without tags, to make a key from.
void append_members(json_value object, std::string_view skipped, std::string& out) {
  for (const json_value& one : object) {
    if (one.key() == skipped) continue;
    strip_provenance_tags(one.key(), out);
    strip_json(one.raw(), out.append(1, '\0'));
    out += '\0';
  }
}

/// What the model can read in a part that is not text; missing for media.
json_value readable(json_value part) noexcept {
  for (const std::string_view name : {"json", "searchResult"}) {
    if (part[name]) return part[name];
  }
  if (part["type"].string() == "search_result") return part;
  const json_value inner = part["document"];
  const json_value document = inner || part["type"].string() != "document" ? inner : part;
  const json_value source = document["source"];
  const bool has_text =
      inner["data"] || source["text"] || source["content"] || source["type"].string() == "text";
  return has_text ? document : json_value();
}

/// What a tool result consists of, without tags.
class result_content {
 public:
  explicit result_content(const provenance::request_step& result) {
    if (result.value.is_string()) add_text(result.value);
    if (result.value.is_object()) add_object(result.value);
    if (result.value.is_array()) add_parts(result.value, {});
    if (result.parts.is_array()) add_parts(result.parts, result.value);
  }

  /// Its first text, which the key is put above; missing if it is an object without a text.
  [[nodiscard]] json_value first() const noexcept { return first_; }
  /// Its texts, one line each.
  [[nodiscard]] const std::string& texts() const noexcept { return texts_; }
  /// Returns true if there is nothing that a key could be put above.
  [[nodiscard]] bool blank() const noexcept {
    return texts_.find_first_not_of(" \t\r\n") == std::string::npos && !object_;
  }
  /// All that the model can read.
  [[nodiscard]] std::string text() const {
    return texts_ + others_.substr(texts_.empty() && !others_.empty() ? 1 : 0);
  }
  /// All of it, to make a key from. For a result with only texts, these texts.
  [[nodiscard]] std::string identity() const { return texts_ + rest_; }

 private:
  void add_text(json_value text) {
    if (first_) texts_ += '\n';
    if (!first_) first_ = text;
    strip_provenance_tags(text.string(), texts_);
  }

  void add_object(json_value object) {
    const json_value text = text_of_object(object);
    if (text) add_text(text);
    const char* separator = "\n{";
    for (const json_value& one : object) {
      if (one.key() == key_name || one.range() == text.range()) continue;
      strip_provenance_tags(one.key(), others_.append(separator).append(1, '"'));
      append_as_text(one.raw(), others_.append("\":"));
      separator = ",";
      object_ = true;
    }
    if (!object_) return;
    others_ += '}';
    append_members(object, key_name, rest_);
  }

  /// \param value  a value that has been added
  void add_parts(json_value list, json_value value) {
    for (const json_value& part : list) {
      if (const json_value text = provenance::text_of_part(part)) {
        add_text(text);
      } else if (!value || part["json"].range() != value.range()) {
        // The place among the texts is a part of the content. Clients move `cache_control`.
        rest_.append(1, '\0').append(std::to_string(texts_.size())).append(1, '\0');
        append_members(part, "cache_control", rest_);
        if (const json_value other = readable(part)) append_as_text(other.raw(), others_ += '\n');
      }
    }
  }

  json_value first_;
  bool object_{};  ///< there is an object with more than its text
  std::string texts_;
  std::string others_;  ///< what else the model can read: each in a line, after a line break
  std::string rest_;    ///< all that is not a text, to make a key from
};

/// Adds the keys made from content in all strings of a value.
void list_uses(json_value value, std::string& keys) {
  const std::string_view json = value.raw();
  std::string text;
  provenance::for_each_string(json, [&](byte_range token) {
    text.clear();
    json_scan::append_unescaped(json.substr(token.begin + 1, token.size() - 2), text);
    provenance::list_content_keys(text, keys);
  });
}

/// Adds a line with its key to each tool result of a request, and removes old tags.
class request_editor {
 public:
  request_editor(const provenance_options& options, splicer& edits)
      : options_(options), edits_(edits), sources_(options.bounds.max_json_depth) {}

  /// Returns the tool results.
  [[nodiscard]] std::vector<reference> run(json_value root);

 private:
  void take_result(const provenance::request_step& result);
  [[nodiscard]] std::string add_source(const provenance::request_step& result, const result_content& content);
  void mark_object(json_value object, std::string_view tag);
  void strip(json_value value, std::string_view header = {}, json_value text = {});
  [[nodiscard]] tool_call call_of(const provenance::request_step& result) const;
  [[nodiscard]] std::string take_key(provenance_key::kind kind, const result_content& content);

  const provenance_options& options_;
  splicer& edits_;
  provenance::source_reader sources_;
  std::map<std::string_view, tool_call> calls_;  ///< by id; a later call with the same id replaces an earlier
  std::vector<reference> found_;
  content_keys keys_;
  std::set<std::string> cited_;  ///< keys of `found_`
  std::string json_;
};

tool_call request_editor::call_of(const provenance::request_step& result) const {
  const auto found = calls_.find(result.id);
  tool_call call = found != calls_.end() ? found->second : tool_call();
  if (call.name.empty()) call.name = result.name;
  return call;
}

/// Makes the key of the source that was added last.
std::string request_editor::take_key(provenance_key::kind kind, const result_content& content) {
  std::string counted = provenance_key::make_key(kind, found_.size());
  if (options_.keys == provenance_keys::counter) return counted;
  const std::string key = keys_.take(kind, content.identity());
  return key.empty() ? counted : key;
}

/// Adds a result to the references. \return its tag; empty if it gets no key
std::string request_editor::add_source(const provenance::request_step& result,
                                       const result_content& content) {
  const tool_call call = call_of(result);
  if (content.blank() || (!options_.tools.empty() && !is_one_of(call.name, options_.tools))) return {};
  reference& source = found_.emplace_back();
  source.tool = call.name;
  source.tool_call_id = result.id;
  source.text = content.text();
  bool agent = is_one_of(call.name, options_.agent_tools);
  agent = sources_.read_result(content.texts(), source) || agent;
  if (result.value.is_object()) {
    std::string json;
    strip_json(result.value.raw(), json);
    agent = sources_.read_result(json, source) || agent;
  }
  sources_.read_arguments(call.arguments, source);
  const auto kind = agent ? provenance_key::kind::agent : provenance_key::kind::data;
  const std::string key = take_key(kind, content);
  source.cite = key;
  if (agent) {
    list_uses(result.value, source.uses);
    list_uses(result.parts, source.uses);
  }
  provenance::complete(source, agent);
  if (!cited_.insert(key).second) found_.pop_back();  // an equal result has the key
  return provenance_key::make_tag(key);
}

void request_editor::take_result(const provenance::request_step& result) {
  const result_content content(result);
  std::string header = add_source(result, content);
  if (!header.empty() && !content.first()) mark_object(result.value, header);
  if (!header.empty()) header += "\\n";
  strip(result.value, header, content.first());
  strip(result.parts, header, content.first());
}

/// Gives an object without a text its key as a member, or replaces the key that it has.
void request_editor::mark_object(json_value object, std::string_view tag) {
  const std::string json = std::string("\"").append(tag).append("\"");
  if (const json_value old = object[key_name]) {
    edits_.replace(old.range(), json);
  } else {
    edits_.insert_member(object.range(), key_name, json);
  }
}

/// Removes the tags from all strings of a value. Inserts \p header above \p text, which is one of them.
void request_editor::strip(json_value value, std::string_view header, json_value text) {
  const std::size_t offset = value.range().begin;
  const std::string_view json = edits_.payload().substr(offset, value.range().size());
  provenance::for_each_string(json, [&](byte_range token) {
    const std::string_view inside = json.substr(token.begin + 1, token.size() - 2);
    token = {token.begin + offset, token.end + offset};
    json_ = '"';
    if (token == text.range()) json_ += header;
    const std::size_t begin = json_.size();
    provenance::strip_tags_in_json(inside, json_);
    if (std::string_view(json_).substr(begin) != inside) return edits_.replace(token, json_ += '"');
    if (begin > 1) edits_.replace({token.begin, token.begin + 1}, std::string_view(json_).substr(0, begin));
  });
}

std::vector<reference> request_editor::run(json_value root) {
  const provenance::request_content request = provenance::read_request(root);
  for (const provenance::request_step& step : request.steps) {
    if (step.is_result) {
      take_result(step);
    } else if (!step.id.empty()) {
      calls_[step.id] = {step.name, step.value.is_string() ? step.value.string() : step.value.raw()};
    }
  }
  for (const json_value& value : request.unkeyed) strip(value);
  if (!found_.empty() && options_.instructions) provenance::add_instructions(root, request, edits_);
  return std::move(found_);
}

}  // namespace

status provenance::add_provenance(parsed_request& request, const provenance_options& options,
                                  std::string& out, std::vector<reference>& references) {
  std::vector<reference> found;
  const status error = request.edit(options.bounds, out, [&](json_value root, splicer& edits) {
    found = request_editor(options, edits).run(root);
  });
  if (!error) std::ranges::move(found, std::back_inserter(references));
  return error;
}

status add_provenance(std::string_view body, const provenance_options& options, std::string& out,
                      std::vector<reference>& references) {
  provenance::parsed_request request(body);
  return add_provenance(request, options, out, references);
}

}  // namespace citestream
