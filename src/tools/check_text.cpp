#include "check_text.hpp"

#include <cmath>
#include <cstdint>

#include "base/ascii.hpp"
#include "base/code_point.hpp"

namespace citestream::tools {

namespace {

constexpr std::string_view indent = "      ";
constexpr std::size_t max_value_bytes = 400;

void append_list(std::string_view title, std::span<const std::string_view> texts, std::string& out) {
  if (texts.empty()) return;
  out += indent;
  out += title;
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
    out += indent;
    out += "contradicted: ";
    append_plain_line(claim.substr(each.claim_begin, each.claim_end - each.claim_begin), max_value_bytes,
                      out);
    out += " (";
    out += each.rule;
    out += "; the text has ";
    append_plain_line(references[place.reference].substr(place.begin, place.end - place.begin),
                      max_value_bytes, out);
    out += ")\n";
  }
  append_list("missing numbers", found.missing_numbers, out);
  append_list("missing names", found.missing_names, out);
  append_list("missing words", found.missing_words, out);
}

/// Returns the number of bytes of a control character at the start of \p text; 0: there is another character.
/// U+0080 to U+009F are control characters for some terminals. U+202A to U+202E and U+2066 to U+2069 reorder
/// what is shown.
std::size_t control_at(std::string_view text) noexcept {
  const auto byte = [&](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
  };
  if (ascii::is_control(text[0])) return 1;
  if (byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) < 0xA0) return 2;
  const bool override = byte(1) == 0x80 && byte(2) >= 0xAA && byte(2) <= 0xAE;
  const bool isolate = byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9;
  return byte(0) == 0xE2 && (override || isolate) ? 3 : 0;
}

}  // namespace

void append_plain_line(std::string_view text, std::size_t max_bytes, std::string& out) {
  const std::size_t end = utf8_prefix(text, max_bytes).size();
  bool blank = false;
  for (std::size_t i = 0; i < end; ++i) {
    const std::size_t control = control_at(text.substr(i, end - i));
    if (control == 0) {
      out += text[i];
      blank = text[i] == ' ';
      continue;
    }
    if (!blank) out += ' ';
    blank = true;
    i += control - 1;
  }
  if (end < text.size()) out += "…";
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
  out += '\n';
  out += indent;
  out += name(found.verdict);
  out += '\n';
  if (found.evidence) {
    const support_evidence& at = *found.evidence;
    out += indent;
    out += "references[" + std::to_string(at.reference) + "]: ";
    append_plain_line(references[at.reference].substr(at.begin, at.end - at.begin), max_value_bytes, out);
    out += '\n';
  } else {
    out += indent;
    out += "no evidence found\n";
  }
  if (!found.attributed_to.empty()) {
    out += indent;
    out += "not checked: ";
    append_plain_line(found.attributed_to, max_value_bytes, out);
    out += '\n';
  }
  append_missing_lines(claim, found, references, out);
  out += '\n';
}

}  // namespace citestream::tools
