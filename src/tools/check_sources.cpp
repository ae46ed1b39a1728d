#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "check.hpp"
#include "known_references.hpp"
#include "rewrite/json.hpp"

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

void append_context(const reference& ref, std::string& out) {
  if (!out.empty()) out += '\n';
  const std::string title = title_line(ref);
  out += "Source " + cited_number(ref) + (title.empty() ? ":" : ": " + title) + '\n';
  if (ref.text != title) append_indented(ref.text, out);
}

}  // namespace

void print_sources(byte_input& input, source_form form) {
  const known_references sources = parse_known_references(input.name(), read_all(input));
  std::string out;
  if (form == source_form::context) {
    for (const reference& ref : sources.references) append_context(ref, out);
  } else {
    append_json_array(sources.references, out, [&](const reference& ref) {
      out += "{\"number\":" + cited_number(ref) + ",\"reference\":";
      append_reference_json(ref, out);
      out += '}';
    });
    out += '\n';
  }
  write_to_standard_output(out);
}

}  // namespace citestream::tools
