#include <citestream/session/treatment.hpp>

#include <algorithm>

namespace citestream {
namespace {

char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_name(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trim(std::string_view text) noexcept {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

// Whether the list names a coding other than identity (RFC 9110, 8.4).
bool is_encoded(std::string_view list) noexcept {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view coding = trim(list.substr(0, comma));
    if (!coding.empty() && !same_name(coding, "identity")) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

}  // namespace

treatment treatment_of(const answer_facts& facts) noexcept {
  // 206 is a piece of a body: nothing can be said about its text.
  if (facts.status < 200 || facts.status > 299 || facts.status == 206) return treatment::pass;
  const std::string_view type = trim(facts.content_type.substr(0, facts.content_type.find(';')));
  const bool events = same_name(type, "text/event-stream");
  if (!events && !(facts.json && same_name(type, "application/json"))) return treatment::pass;
  if (facts.bypass || is_encoded(facts.content_encoding)) return treatment::bypassed;
  return events ? treatment::events : treatment::json;
}

bool is_below(std::string_view path, std::string_view prefix) noexcept {
  path = path.substr(0, path.find('?'));
  if (prefix.ends_with('/')) prefix.remove_suffix(1);
  return path.starts_with(prefix) && (path.size() == prefix.size() || path[prefix.size()] == '/');
}

}  // namespace citestream
