#include "session_flags.hpp"

#include <map>

#include <CLI/CLI.hpp>

#include "name_list.hpp"

namespace citestream::tools {

namespace {

const std::map<std::string, additions> addition_rules{
    {"auto", additions::automatic}, {"always", additions::always}, {"never", additions::never}};
const std::map<std::string, identifier_kind> identifier_kinds{
    {"any", identifier_kind::any}, {"uuid", identifier_kind::uuid}, {"url", identifier_kind::url}};

template <typename Values>
std::vector<std::string> keys(const Values& values) {
  std::vector<std::string> out;
  for (const auto& entry : values) out.push_back(entry.first);
  return out;
}

template <typename Descriptors>
std::vector<std::string> names(const Descriptors& descriptors, std::vector<std::string> out = {}) {
  for (const auto* descriptor : descriptors) out.emplace_back(descriptor->name);
  return out;
}

/// What is wrong with a pattern, or nothing.
std::string pattern_trouble(const std::string& pattern) {
  pattern_error why;
  if (compile_marker_pattern(pattern, why)) return {};
  return "'" + pattern + "', character " + std::to_string(why.column) + ": " +
         std::string(message(why.problem));
}

}  // namespace

void add_reading_options(CLI::App& command, session_flags& flags) {
  add_name_list(command, "--markers", flags.markers,
                "Marker grammars, separated by commas; without this option by dialect: numeric for "
                "Perplexity, source for Azure, link for Writer and for text alone",
                names(grammars()));
  command
      .add_option(
          "--marker", flags.patterns,
          "A marker of your own beside those, as '[ref:{key}]'; fields {key}, {identifier}, {number}, "
          "{label}; may be given several times")
      ->allow_extra_args(false)
      ->check(CLI::Validator(&pattern_trouble, "PATTERN"));
  command.add_option("--identifiers", flags.identifiers, "Which identifiers make a citation")
      ->check(CLI::IsMember(keys(identifier_kinds)))
      ->capture_default_str();
  command
      .add_option("--dialect", flags.dialect,
                  "Whose payloads these are; rag where a server's list of sources comes only behind the text")
      ->check(CLI::IsMember(names(dialects(), {"auto"})))
      ->capture_default_str();
}

void add_session_options(CLI::App& command, session_flags& flags) {
  command.add_option("--style", flags.style, "How a citation is printed into the text")
      ->check(CLI::IsMember(names(styles())))
      ->capture_default_str();
  add_reading_options(command, flags);
  command.add_option("--offsets", flags.offsets, "Unit of positions in JSON")
      ->check(CLI::IsMember(std::vector<std::string>{"utf8", "utf16", "codepoint"}))
      ->capture_default_str();
  command.add_option("--file-url", flags.file_url,
                     "Link to a cited file, with {file_id}, {page}, {title}; files then become annotations");
  command.add_flag(
      "--only-known", flags.only_known,
      "Where references are known before the text, leave [9], [doc9] and [text](address) that mean "
      "none of them as text");
  command.add_option("--citations", flags.citations, "Add citations to the stream or body")
      ->check(CLI::IsMember(keys(addition_rules)))
      ->capture_default_str();
}

session_options options_from(const session_flags& flags) {
  session_options options;
  options.style = find_style(flags.style);
  options.grammars.clear();
  for (const std::string& marker : names_in(flags.markers)) options.grammars.push_back(find_grammar(marker));
  for (const std::string& pattern : flags.patterns) {
    pattern_error why;
    if (const auto one = compile_marker_pattern(pattern, why)) options.patterns.push_back(*one);
  }
  options.identifiers = identifier_kinds.at(flags.identifiers);
  options.offsets = *offset_unit_from_name(flags.offsets);
  options.dialect = find_dialect(flags.dialect);  // null for auto
  options.add = addition_rules.at(flags.citations);
  options.file_url = flags.file_url;
  options.only_known = flags.only_known;
  return options;
}

}  // namespace citestream::tools
