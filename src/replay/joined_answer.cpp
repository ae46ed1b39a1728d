#include "replay/joined_answer.hpp"

#include <algorithm>
#include <utility>

#include "rewrite/json.hpp"

namespace citestream::replay {
namespace {

constexpr int final_weight = 4;

/// Returns how informative a value is. A later value does not replace an earlier one of greater weight.
int weight_of(json_value value) {
  if (value["references"].is_object()) return 3;
  if (value.is_null()) return 0;
  if (!value.is_object() && !value.is_array()) return 2;
  for (const json_value& inner : value) {
    if (!inner.is_null()) return 2;
  }
  return 1;
}

}  // namespace

void joined_members::set(std::string_view key, json_value value) {
  put(key, std::string(value.raw()), weight_of(value));
}

void joined_members::set(std::string_view key, std::string raw) {
  put(key, std::move(raw), final_weight);
}

void joined_members::set_all(json_value object, std::string_view except) {
  for (const json_value& each : object) {
    if (except.empty() || each.key() != except) set(each.key(), each);
  }
}

std::string joined_members::json() const {
  std::string members;
  for (const member& each : all_) append_element(json_string(each.key) + ':' + each.raw, members);
  return '{' + members + '}';
}

void joined_members::put(std::string_view key, std::string raw, int its_weight) {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const member& m) { return m.key == key; });
  if (found == all_.end()) {
    all_.push_back({std::string(key), std::move(raw), its_weight});
  } else if (its_weight >= found->weight) {
    found->raw = std::move(raw);
    found->weight = its_weight;
  }
}

void append_element(std::string_view json, std::string& list) {
  list.append(list.empty() || json.empty() ? "" : ",").append(json);
}

std::string complete_input(const std::string& joined) {
  document json;
  const status error = json.parse(joined);
  return error.code == errc::invalid_json ? "{}" : joined;
}

}  // namespace citestream::replay
