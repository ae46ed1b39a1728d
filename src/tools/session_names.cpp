#include "session_names.hpp"

#include <array>
#include <utility>

namespace citestream::tools {
namespace {

constexpr std::array<std::pair<std::string_view, identifier_kind>, 3> identifier_kinds{
    {{"any", identifier_kind::any}, {"uuid", identifier_kind::uuid}, {"url", identifier_kind::url}}};
constexpr std::array<std::pair<std::string_view, additions>, 3> addition_rules{
    {{"auto", additions::automatic}, {"always", additions::always}, {"never", additions::never}}};

template <class Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> out;
  for (const auto* one : table) out.emplace_back(one->name);
  return out;
}

template <class Table>
std::vector<std::string> keys_of(const Table& table) {
  std::vector<std::string> out;
  out.reserve(table.size());
  for (const auto& one : table) out.emplace_back(one.first);
  return out;
}

template <class Table>
auto value_of(const Table& table, std::string_view name) {
  for (const auto& one : table) {
    if (one.first == name) return one.second;
  }
  return table.front().second;
}

}  // namespace

std::vector<std::string> style_names() {
  return names_of(styles());
}

std::vector<std::string> grammar_names() {
  return names_of(grammars());
}

std::vector<std::string> dialect_names() {
  std::vector<std::string> out = names_of(dialects());
  out.insert(out.begin(), "auto");
  return out;
}

std::vector<std::string> offset_names() {
  return {"utf8", "utf16", "codepoint"};
}

std::vector<std::string> identifier_names() {
  return keys_of(identifier_kinds);
}

identifier_kind identifier_named(std::string_view name) {
  return value_of(identifier_kinds, name);
}

std::vector<std::string> addition_names() {
  return keys_of(addition_rules);
}

additions addition_named(std::string_view name) {
  return value_of(addition_rules, name);
}

std::vector<std::string> egress_names() {
  return {"off", "report", "enforce"};
}

std::string trouble_of_address(const std::string& pattern) {
  if (compile_egress_pattern(pattern)) return {};
  return "'" + pattern + "' is none of https://host, https://host:port and https://*.host";
}

std::string trouble_of_pattern(const std::string& pattern) {
  pattern_error why;
  if (compile_marker_pattern(pattern, why)) return {};
  return "'" + pattern + "', character " + std::to_string(why.column) + ": " +
         std::string(message(why.problem));
}

}  // namespace citestream::tools
