#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check.hpp"
#include "known_references.hpp"
#include "rewrite/json.hpp"
#include "whole_number.hpp"

namespace citestream::tools {

namespace {

/// Removes the first line of a text and returns it without its end. Some readers also end lines at VT, FF,
/// U+0085, U+2028 and U+2029 (Unicode 5.8).
std::string_view take_line(std::string_view& text) {
  constexpr std::array<std::string_view, 7> ends{"\r",       "\n",           "\v",          "\f",
                                                 "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const std::string_view end : ends) {
      if (!text.substr(at).starts_with(end)) continue;
      const std::string_view line = text.substr(0, at);
      text.remove_prefix(at + end.size());
      return line;
    }
  }
  return std::exchange(text, {});
}

/// Appends the lines of a text, each indented: no line of it can look like the start of another source.
void append_indented(std::string_view text, std::string& out) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.find_first_not_of(" \t") != std::string_view::npos) out.append("  ").append(line).append("\n");
  }
}

/// The name of a source on one line, or an empty string.
std::string title_line(const reference& ref) {
  for (const std::string& each : {ref.title, ref.url, ref.id}) {
    std::string_view rest = each;
    const std::string_view line = take_line(rest);
    if (!line.empty()) return std::string(line);
  }
  return {};
}

/// Returns true for a number as an answer cites it: `7`, not `007`.
bool is_number(const std::string& name) {
  const auto number = whole_number<std::uint64_t>(name);
  return number && std::to_string(*number) == name;
}

/// Returns the numbers with which an answer cites the sources: their names if all of them are numbers, or
/// else their places in the list.
std::vector<std::string> numbers_of(std::span<const reference> sources) {
  std::vector<std::string> names;
  std::vector<std::string> places;
  for (const reference& ref : sources) {
    names.push_back(ref.cite.empty() ? ref.id : ref.cite);
    places.push_back(std::to_string(names.size()));
  }
  return std::ranges::all_of(names, is_number) ? names : places;
}

void append_context(const reference& ref, const std::string& number, std::string& out) {
  if (!out.empty()) out += '\n';
  const std::string title = title_line(ref);
  out += "Source " + number + (title.empty() ? ":" : ": " + title) + '\n';
  if (ref.text != title) append_indented(ref.text, out);
}

}  // namespace

void print_sources(byte_input& input, source_form form) {
  const known_references sources = parse_known_references(input.name(), read_all(input));
  std::string out;
  const std::vector<std::string> numbers = numbers_of(sources.references);
  auto number = numbers.begin();
  if (form == source_form::context) {
    for (const reference& ref : sources.references) append_context(ref, *number++, out);
  } else {
    append_json_array(sources.references, out, [&](const reference& ref) {
      out += "{\"number\":" + *number++ + ",\"reference\":";
      append_reference_json(ref, out);
      out += '}';
    });
    out += '\n';
  }
  write_to_standard_output(out);
}

}  // namespace citestream::tools
