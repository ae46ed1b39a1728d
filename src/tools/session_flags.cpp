#include "session_flags.hpp"

#include <CLI/CLI.hpp>

#include "name_list.hpp"
#include "session_names.hpp"

namespace citestream::tools {

void add_reading_options(CLI::App& command, session_flags& flags) {
  add_name_list(command, "--markers", flags.markers,
                "Marker grammars, separated by commas; without this option by dialect: numeric for "
                "Perplexity, source for Azure, link for Writer and for text alone",
                grammar_names());
  command
      .add_option(
          "--marker", flags.patterns,
          "A marker of your own beside those, as '[ref:{key}]'; fields {key}, {identifier}, {number}, "
          "{label}; may be given several times")
      ->allow_extra_args(false)
      ->check(CLI::Validator(&trouble_of_pattern, "PATTERN"));
  command.add_option("--identifiers", flags.identifiers, "Which identifiers make a citation")
      ->check(CLI::IsMember(identifier_names()))
      ->capture_default_str();
  command
      .add_option("--dialect", flags.dialect,
                  "Whose payloads these are; rag where a server's list of sources comes only behind the text")
      ->check(CLI::IsMember(dialect_names()))
      ->capture_default_str();
}

void add_session_options(CLI::App& command, session_flags& flags) {
  command.add_option("--style", flags.style, "How a citation is printed into the text")
      ->check(CLI::IsMember(style_names()))
      ->capture_default_str();
  add_reading_options(command, flags);
  command.add_option("--offsets", flags.offsets, "Unit of positions in JSON")
      ->check(CLI::IsMember(offset_names()))
      ->capture_default_str();
  command.add_option("--file-url", flags.file_url,
                     "Link to a cited file, with {file_id}, {page}, {title}; files then become annotations");
  command.add_flag(
      "--only-known", flags.only_known,
      "Where references are known before the text, leave [9], [doc9] and [text](address) that mean "
      "none of them as text");
  command
      .add_option("--egress", flags.egress,
                  "Addresses in answers that are neither a reference's nor allowed: let through, reported, "
                  "or made inert and reported")
      ->check(CLI::IsMember(egress_names()))
      ->capture_default_str();
  command
      .add_option("--egress-allow", flags.egress_allowed,
                  "An address that may leave: https://example.com, https://example.com:8443, "
                  "https://*.example.com; may be given several times")
      ->allow_extra_args(false)
      ->check(CLI::Validator(&trouble_of_address, "PATTERN"));
  command.add_option("--citations", flags.citations, "Add citations to the stream or body")
      ->check(CLI::IsMember(addition_names()))
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
  options.identifiers = identifier_named(flags.identifiers);
  options.offsets = *offset_unit_from_name(flags.offsets);
  options.dialect = find_dialect(flags.dialect);  // null for auto
  options.add = addition_named(flags.citations);
  options.file_url = flags.file_url;
  options.only_known = flags.only_known;
  options.egress = *egress_mode_from_name(flags.egress);
  for (const std::string& pattern : flags.egress_allowed) {
    if (const auto one = compile_egress_pattern(pattern)) options.egress_allowed.push_back(*one);
  }
  return options;
}

}  // namespace citestream::tools
