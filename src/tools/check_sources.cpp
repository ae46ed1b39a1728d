#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "check.hpp"
#include "known_sources.hpp"
#include "rewrite/json.hpp"

namespace citestream::tools {

namespace {

/// Appends the lines of a text, each indented: no line of it can look like the start of another source.
void append_indented(std::string_view text, std::string& out) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \t") != std::string_view::npos) out.append("  ").append(line).append("\n");
  }
}

/// The name of a source on one line, or an empty string.
std::string title_line(const reference& ref) {
  for (const std::string& each : {ref.title, ref.url, ref.id}) {
    std::string line = each.substr(0, each.find_first_of("\r\n"));
    if (!line.empty()) return line;
  }
  return {};
}

void append_context(const reference& ref, std::size_t number, std::string& out) {
  if (number > 1) out += '\n';
  const std::string title = title_line(ref);
  out += "Source " + std::to_string(number) + (title.empty() ? ":" : ": " + title) + '\n';
  if (ref.text != title) append_indented(ref.text, out);
}

}  // namespace

void print_sources(byte_input& input, source_form form) {
  const known_sources sources = parse_known_sources(input.name(), read_all(input));
  std::string out;
  std::size_t number = 0;
  if (form == source_form::json) out += '[';
  for (const reference& ref : sources.references) {
    ++number;
    if (form == source_form::context) {
      append_context(ref, number, out);
      continue;
    }
    if (number > 1) out += ',';
    out += "{\"number\":" + std::to_string(number) + ",\"reference\":";
    append_reference_json(ref, out);
    out += '}';
  }
  if (form == source_form::json) out += "]\n";
  write_to_standard_output(out);
}

}  // namespace citestream::tools
