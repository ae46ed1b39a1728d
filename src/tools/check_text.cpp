#include "check_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/characters.hpp"
#include "base/code_point.hpp"

namespace citestream::tools {

namespace {

constexpr std::string_view indent = "      ";
constexpr std::size_t max_value_bytes = 400;

void append_list(std::string_view title, std::span<const std::string_view> texts, std::string& out) {
  if (texts.empty()) return;
  out.append(indent).append(title);
  const char* separator = ": ";
  for (const std::string_view text : texts) {
    out += separator;
    append_plain_line(text, max_value_bytes, out);
    separator = ", ";
  }
  out += '\n';
}

/// Appends the lines about contradictions and about missing numbers, names and words of a claim.
void append_missing_lines(std::string_view claim, const support& found,
                          std::span<const std::string_view> references, std::string& out) {
  for (const contradiction& each : found.contradictions) {
    const support_evidence& place = each.found;
    out.append(indent).append("contradicted: ");
    append_plain_line(claim.substr(each.claim_begin, each.claim_end - each.claim_begin), max_value_bytes,
                      out);
    out.append(" (").append(each.rule).append("; the text has ");
    append_plain_line(references[place.reference].substr(place.begin, place.end - place.begin),
                      max_value_bytes, out);
    out += ")\n";
  }
  append_list("missing numbers", found.missing_numbers, out);
  append_list("missing names", found.missing_names, out);
  append_list("missing words", found.missing_words, out);
}

/// Returns true if \p code controls a terminal or reorders what is shown: also U+0080 to U+009F, which some
/// terminals interpret.
bool is_control(std::uint32_t code) noexcept {
  return code < 0x20 || within(code, 0x7F, 0x9F) || within(code, 0x202A, 0x202E) ||
         within(code, 0x2066, 0x2069);
}

}  // namespace

void append_plain_line(std::string_view text, std::size_t max_bytes, std::string& out) {
  const std::string_view shown = utf8_prefix(text, max_bytes);
  bool blank = false;
  for (std::string_view rest = shown; !rest.empty();) {
    const code_point next = first_code_point(rest);
    const std::string_view bytes = rest.substr(0, std::max<std::size_t>(next.length, 1));  // 0: not UTF-8
    const bool control = next.length > 0 && is_control(next.value);
    if (!control) out += bytes;
    if (control && !blank) out += ' ';
    blank = control || bytes == " ";
    rest.remove_prefix(bytes.size());
  }
  if (shown.size() < text.size()) out += "…";
}

void append_two_decimals(double share, std::string& out) {
  const auto hundredths = static_cast<std::uint32_t>(std::lround(share * 100));
  out += std::to_string(hundredths / 100) + '.' + std::to_string(hundredths / 10 % 10) +
         std::to_string(hundredths % 10);
}

void append_support_text(std::string_view claim, const support& found,
                         std::span<const std::string_view> references, std::string& out) {
  append_two_decimals(found.value, out);
  out += "  ";
  append_plain_line(claim, max_value_bytes, out);
  out.append("\n").append(indent).append(name(found.verdict)).append("\n");
  if (found.evidence) {
    const support_evidence& at = *found.evidence;
    const std::string_view text = references[at.reference].substr(at.begin, at.end - at.begin);
    append_list("references[" + std::to_string(at.reference) + "]", {&text, 1}, out);
  } else {
    out.append(indent).append("no evidence found\n");
  }
  if (const std::string_view who = found.attributed_to; !who.empty())
    append_list("not checked", {&who, 1}, out);
  append_missing_lines(claim, found, references, out);
  out += '\n';
}

}  // namespace citestream::tools
