#include "request_options.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "http/forwarding.hpp"

namespace citestream::http {
namespace {

constexpr std::string_view prefix = "x-citestream-";

refusal bad_option(std::string_view message) noexcept {
  return {400, "invalid_request_option", message};
}

template <class Table>
std::string names_of(const Table& table) {
  std::string out;
  for (const auto* one : table) out.append(out.empty() ? "" : ", ").append(one->name);
  return out;
}

refusal read_style(std::string_view value, request_options& out) {
  static const std::string wrong = "X-Citestream-Style is one of " + names_of(styles());
  out.style = find_style(value);
  return out.style == nullptr ? bad_option(wrong) : refusal{};
}

refusal read_markers(std::string_view value, request_options& out) {
  static const std::string wrong =
      "X-Citestream-Markers is one or more, separated by commas, of " + names_of(grammars());
  while (const auto name = next_element(value)) {
    const grammar* found = find_grammar(*name);
    if (found == nullptr) return bad_option(wrong);
    if (std::ranges::find(out.markers, found) == out.markers.end()) out.markers.push_back(found);
  }
  return out.markers.empty() ? bad_option(wrong) : refusal{};
}

refusal read_offsets(std::string_view value, request_options& out) {
  out.offsets = offset_unit_from_name(value);
  return out.offsets ? refusal{} : bad_option("X-Citestream-Offsets is one of utf8, utf16, codepoint");
}

refusal read_bypass(std::string_view value, request_options& out) {
  out.bypass = value == "1";
  return value == "1" || value == "0" ? refusal{} : bad_option("X-Citestream-Bypass is 1 or 0");
}

struct known_option {
  std::string_view name;  ///< behind the prefix
  refusal (*read)(std::string_view value, request_options& out);
};

constexpr std::array<known_option, 4> known{{{"style", &read_style},
                                             {"markers", &read_markers},
                                             {"offsets", &read_offsets},
                                             {"bypass", &read_bypass}}};

}  // namespace

void request_options::apply_to(session_options& options) const {
  if (style != nullptr) options.style = style;
  if (!markers.empty()) options.grammars = markers;
  if (offsets) options.offsets = *offsets;
}

refusal read_request_options(const fields& all, request_options& out) {
  for (const field& one : all) {
    if (!is_request_option(one.name)) continue;
    if (count(all, one.name) > 1) return bad_option("an X-Citestream field is there twice");
    const auto is_it = [&](const known_option& option) {
      return same_name(option.name, one.name.substr(prefix.size()));
    };
    const auto found = std::ranges::find_if(known, is_it);
    if (found == known.end())
      return bad_option("the X-Citestream fields are -Style, -Markers, -Offsets and -Bypass");
    if (const refusal no = found->read(one.value, out)) return no;
  }
  return {};
}

}  // namespace citestream::http
