// JSON payloads: the document equals that of a second reader; inserting a text changes nothing else; an
// envelope accepts the same events as the parser. Input: index of a string, depth, cut, then JSON, U+001E,
// another text.
#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chunk/envelope.hpp"
#include "chunk/json_scan.hpp"
#include "fuzz/fuzz_targets.hpp"
#include "fuzz/input.hpp"
#include "rewrite/json.hpp"
#include "rewrite/splice.hpp"
#include "support/json_comparison.hpp"

namespace citestream_tests {
namespace {

using citestream::json_kind;

/// Returns true if a number in \p model has an exponent of so many digits that the parser always rejects it.
bool has_long_exponent(const model_value& model) {
  const std::size_t mark = model.text.find_first_of("eE");
  if (model.kind == json_kind::number && mark < model.text.size() && model.text.size() - mark > 15)
    return true;
  return std::ranges::any_of(model.children, has_long_exponent);
}

std::size_t depth_of(const model_value& model) {
  std::size_t deepest = 0;
  for (const model_value& child : model.children) deepest = std::max(deepest, depth_of(child));
  return deepest + (model.kind == json_kind::object || model.kind == json_kind::array ? 1 : 0);
}

std::string check_parse(std::string_view json, const std::optional<model_value>& model, std::size_t depth) {
  citestream::document doc(depth);
  const citestream::status error = doc.parse(json);
  if (!model) return error ? "" : "taken for JSON: " + shown(json);
  if (depth_of(*model) > depth || has_huge_number(*model)) return error ? "" : "not refused: " + shown(json);
  if (error) return has_long_exponent(*model) ? "" : "refused: " + shown(json);
  return same(doc.root(), *model) ? "" : "not laid out as a second reader sees it: " + shown(json);
}

void add_strings(const model_value& from, std::vector<const model_value*>& out) {
  if (from.kind == json_kind::string) out.push_back(&from);
  for (const model_value& child : from.children) add_strings(child, out);
}

/// Returns true if \p b equals \p a, except that the text of \p changed is \p text.
bool same_but_for(const model_value& a, const model_value& b, const model_value* changed,
                  std::string_view text) {
  if (a.kind != b.kind || a.key != b.key || a.children.size() != b.children.size()) return false;
  if (&a == changed ? b.text != text : b.text != a.text) return false;
  for (std::size_t i = 0; i < a.children.size(); ++i) {
    if (!same_but_for(a.children[i], b.children[i], changed, text)) return false;
  }
  return true;
}

std::string check_splice(std::string_view json, const model_value& model, const model_value& token,
                         const std::string& text, fuzz_run how) {
  std::string quoted;
  citestream::append_json_string(text, quoted);
  if (how == fuzz_run::planted) quoted = '"' + text + '"';
  citestream::splicer edits(json);
  edits.replace({token.begin, token.end}, quoted);
  std::string out;
  edits.apply(out);
  const auto changed = read_model(out);
  if (!changed) return "no JSON with another text: " + shown(out);
  if (!same_but_for(model, *changed, &token, text)) return "more changed than a text: " + shown(out);
  const std::string expected =
      std::string(json.substr(0, token.begin)) + quoted + std::string(json.substr(token.end));
  return out == expected ? "" : "bytes outside the text changed: " + shown(out);
}

/// The text of the event that \p bytes begin with, and the event's size, read in two parts.
std::string match_in_two(citestream::envelope& shape, const std::string& bytes, std::size_t cut) {
  const std::string start = bytes.substr(0, cut);
  citestream::envelope_match found = shape.match(start);
  if (found.cut) found = shape.resume(bytes);
  return found.size == 0 ? "none" : std::to_string(found.size) + ' ' + std::string(shape.texts()[0].body);
}

/// Checks the result of an envelope learned from \p json for an event in which that string is \p body.
std::string check_envelope_of(std::string_view json, const model_value& model, const model_value& token,
                              const std::string& body, std::size_t cut_at) {
  const std::string head = "data: ";
  const std::string learned = head + std::string(json) + "\n\n";
  const citestream::byte_range hole{head.size() + token.begin + 1, head.size() + token.end - 1};
  citestream::envelope shape;
  const std::vector<citestream::envelope_hole> holes{
      {citestream::hole_kind::text, hole, 0, 0, nullptr, false}};
  shape.learn(learned, holes, 1);
  const std::string other = learned.substr(0, hole.begin) + body + learned.substr(hole.end);
  const std::size_t size = shape.match(other).size;
  const auto text = read_model('"' + body + '"');
  if (size == 0) return text ? "an event of this shape is not known again: " + shown(other) : "";
  const std::string found(shape.texts()[0].body);
  if (match_in_two(shape, other, cut_at % (other.size() + 1)) != std::to_string(size) + ' ' + found) {
    return "not the same in two parts: " + shown(other);
  }
  if (text && (size != other.size() || found != body)) return "not all of the event: " + shown(other);
  const auto parsed = read_model(std::string_view(other).substr(head.size(), size - head.size() - 2));
  std::string unescaped;
  citestream::json_scan::append_unescaped(found, unescaped);
  if (!parsed || !same_but_for(model, *parsed, &token, unescaped))
    return "taken for the same shape: " + shown(other);
  return {};
}

}  // namespace

std::string check_chunk(std::string_view bytes, fuzz_run how) {
  fuzz_input input(bytes);
  const std::size_t which = input.choice(251);
  const std::size_t depths[] = {citestream::limits{}.max_json_depth, 3, 1024};
  const std::size_t depth = depths[input.choice(3)];
  const std::size_t cut = input.choice(251);
  const std::string_view json = input.until(part_end);
  const std::string other(input.rest());

  const auto model = read_model(json);
  std::string wrong = check_parse(json, model, depth);
  if (!wrong.empty() || !model) return wrong;
  std::vector<const model_value*> strings;
  add_strings(*model, strings);
  if (strings.empty()) return {};
  const model_value& token = *strings[which % strings.size()];
  if (is_utf8(other)) wrong = check_splice(json, *model, token, other, how);
  const bool one_line = json.find_first_of("\r\n") == std::string_view::npos;
  if (!wrong.empty() || !one_line || depth_of(*model) > 64) return wrong;
  return check_envelope_of(json, *model, token, other, cut);
}

}  // namespace citestream_tests
