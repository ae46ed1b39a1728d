// The options by name: one line each.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "options.hpp"

namespace citestream::capi {
namespace {

std::string_view trim(std::string_view text) noexcept {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Calls `take` with each element of a comma-separated list, until it returns false.
template <typename Take>
bool each_of(std::string_view list, const Take& take) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view one = trim(list.substr(0, comma));
    if (!one.empty() && !take(one)) return false;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return true;
}

template <typename Table>
std::string one_of(const Table& table) {
  std::string out("is one of ");
  const char* separator = "";
  for (const auto* one : table) {
    out.append(separator).append(one->name);
    separator = ", ";
  }
  return out;
}

// Each reader: whether `value` is one; where it is none, `why` goes on after the option's name.
using reader = bool (*)(std::string_view value, option_values& to, std::string& why);

bool read_style(std::string_view value, option_values& to, std::string& why) {
  const style* found = find_style(value);
  if (found == nullptr) {
    why = one_of(styles());
    return false;
  }
  to.session.style = found;
  return true;
}

bool read_markers(std::string_view value, option_values& to, std::string& why) {
  std::vector<const grammar*> all;
  const bool known = each_of(value, [&](std::string_view name) {
    const grammar* found = find_grammar(name);
    if (found != nullptr && std::ranges::find(all, found) == all.end()) all.push_back(found);
    return found != nullptr;
  });
  if (!known) {
    why = one_of(grammars()) + ", or several of them";
    return false;
  }
  to.session.grammars = std::move(all);
  return true;
}

bool read_marker(std::string_view value, option_values& to, std::string& why) {
  pattern_error problem;
  const auto pattern = compile_marker_pattern(value, problem);
  if (!pattern) {
    why.append("at character ").append(std::to_string(problem.column)).append(": ");
    why.append(message(problem.problem));
    return false;
  }
  to.session.patterns.push_back(*pattern);
  return true;
}

bool read_dialect(std::string_view value, option_values& to, std::string& why) {
  const dialect* found = find_dialect(value);
  if (found == nullptr && value != "auto") {
    why = one_of(dialects()) + ", auto";
    return false;
  }
  to.session.dialect = found;
  return true;
}

template <typename Value>
struct named {
  std::string_view name;
  Value value;
};

template <typename Value, std::size_t Count>
bool choose(const std::array<named<Value>, Count>& among, std::string_view value, Value& to,
            std::string& why) {
  for (const auto& one : among) {
    if (one.name != value) continue;
    to = one.value;
    return true;
  }
  why = "is one of ";
  const char* separator = "";
  for (const auto& one : among) {
    why.append(separator).append(one.name);
    separator = ", ";
  }
  return false;
}

bool read_identifiers(std::string_view value, option_values& to, std::string& why) {
  static constexpr std::array<named<identifier_kind>, 3> kinds{
      {{"any", identifier_kind::any}, {"uuid", identifier_kind::uuid}, {"url", identifier_kind::url}}};
  return choose(kinds, value, to.session.identifiers, why);
}

bool read_offsets(std::string_view value, option_values& to, std::string& why) {
  static constexpr std::array<named<offset_unit>, 3> units{
      {{"utf8", offset_unit::utf8}, {"utf16", offset_unit::utf16}, {"codepoint", offset_unit::codepoint}}};
  return choose(units, value, to.session.offsets, why);
}

bool read_citations(std::string_view value, option_values& to, std::string& why) {
  static constexpr std::array<named<additions>, 3> rules{
      {{"auto", additions::automatic}, {"always", additions::always}, {"never", additions::never}}};
  return choose(rules, value, to.session.add, why);
}

template <bool session_options::*Member>
bool read_switch(std::string_view value, option_values& to, std::string& why) {
  static constexpr std::array<named<bool>, 6> positions{
      {{"on", true}, {"off", false}, {"true", true}, {"false", false}, {"1", true}, {"0", false}}};
  return choose(positions, value, to.session.*Member, why);
}

bool read_egress(std::string_view value, option_values& to, std::string& why) {
  static constexpr std::array<named<egress_mode>, 3> modes{
      {{"off", egress_mode::off}, {"report", egress_mode::report}, {"enforce", egress_mode::enforce}}};
  return choose(modes, value, to.session.egress, why);
}

bool read_egress_allow(std::string_view value, option_values& to, std::string& why) {
  std::vector<egress_pattern> all;
  const bool patterns = each_of(value, [&](std::string_view text) {
    const auto one = compile_egress_pattern(text);
    if (one) all.push_back(*one);
    return one.has_value();
  });
  if (!patterns) {
    why = "is a list of https://host, https://host:port and https://*.host";
    return false;
  }
  to.session.egress_allowed = std::move(all);
  return true;
}

bool read_file_url(std::string_view value, option_values& to, std::string&) {
  to.session.file_url = value;
  return true;
}

bool read_json_paths(std::string_view value, option_values& to, std::string& why) {
  std::vector<std::string> all;
  const bool paths = each_of(value, [&](std::string_view path) {
    all.emplace_back(path);
    return path.front() == '/';
  });
  if (!paths) {
    why = "is a list of paths, each beginning with /";
    return false;
  }
  to.json_paths = std::move(all);
  return true;
}

template <std::size_t limits::*Member>
bool read_bound(std::string_view value, option_values& to, std::string& why) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (value.empty() || error != std::errc() || end != value.data() + value.size()) {
    why = "is a whole number";
    return false;
  }
  to.session.bounds.*Member = number;
  return true;
}

struct option {
  std::string_view name;
  reader read;
};

constexpr option table[] = {
    {"style", &read_style},
    {"markers", &read_markers},
    {"marker", &read_marker},
    {"identifiers", &read_identifiers},
    {"dialect", &read_dialect},
    {"offsets", &read_offsets},
    {"citations", &read_citations},
    {"file_url", &read_file_url},
    {"only_known", &read_switch<&session_options::only_known>},
    {"egress", &read_egress},
    {"egress_allow", &read_egress_allow},
    {"provenance", &read_switch<&session_options::provenance>},
    {"events", &read_switch<&session_options::typed_events>},
    {"json_paths", &read_json_paths},
    {"max_event_bytes", &read_bound<&limits::max_event_bytes>},
    {"max_body_bytes", &read_bound<&limits::max_body_bytes>},
    {"max_json_depth", &read_bound<&limits::max_json_depth>},
    {"max_marker_bytes", &read_bound<&limits::max_marker_bytes>},
    {"max_label_bytes", &read_bound<&limits::max_label_bytes>},
    {"max_identifier_bytes", &read_bound<&limits::max_identifier_bytes>},
    {"max_title_bytes", &read_bound<&limits::max_title_bytes>},
    {"max_parentheses", &read_bound<&limits::max_parentheses>},
    {"max_citations", &read_bound<&limits::max_citations>},
    {"max_citation_bytes", &read_bound<&limits::max_citation_bytes>},
    {"max_reference_bytes", &read_bound<&limits::max_reference_bytes>},
    {"max_addition_bytes", &read_bound<&limits::max_addition_bytes>},
    {"max_list_bytes", &read_bound<&limits::max_list_bytes>},
    {"max_references", &read_bound<&limits::max_references>},
    {"max_envelopes", &read_bound<&limits::max_envelopes>},
    {"max_choices", &read_bound<&limits::max_choices>},
    {"max_egress_records", &read_bound<&limits::max_egress_records>},
};

}  // namespace

int set_option(std::string_view name, std::string_view value, option_values& to, std::string& why) {
  const auto* found = std::ranges::find(table, name, &option::name);
  if (found == std::end(table)) {
    why.append("no option has the name ").append(name);
    return CITESTREAM_UNKNOWN_OPTION;
  }
  std::string problem;
  if (found->read(value, to, problem)) return CITESTREAM_OK;
  why.append(name).append(" ").append(problem);
  return CITESTREAM_BAD_VALUE;
}

}  // namespace citestream::capi
