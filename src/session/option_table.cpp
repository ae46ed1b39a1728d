// How the table of session options works.
//
// A row knows how to read one value into a session_options. Everything else is the same for all rows and is
// done here: splitting lists, choosing among names, and the reason for which a value is rejected. A list is
// read into a scratch object first, so a rejected list does not change the options.
//
// To add an option: add a row here and the code that uses it. The C interface, the command line, the proxy
// and the manual page then have it, and the tests in tests/session/option_table_test.cpp and
// tests/tools/manual_test.cpp name the documents that lack it. nginx also needs a field in
// src/nginx/ngx_http_citestream_module.h and a directive.
#include "option_table.hpp"

#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <system_error>

#include "base/decimal.hpp"
#include "base/field_text.hpp"
#include "base/web_url.hpp"
#include "chunk/json_scan.hpp"
#include "rewrite/json.hpp"

namespace citestream {
namespace {

using names = std::vector<std::string_view>;
using type = option_type;

constexpr std::uint8_t c_only = in_c_only;
constexpr std::uint8_t reading = in_proxy | in_filter | in_reading;
constexpr std::uint8_t finding = reading | in_load;
constexpr std::uint8_t answers = in_proxy | in_filter;
constexpr std::uint8_t judging = answers | in_judging;

/// A name and its value.
template <typename Value>
struct named {
  std::string_view name;
  Value value;
};

constexpr std::array<named<identifier_kind>, 3> identifier_kinds{
    {{"any", identifier_kind::any}, {"uuid", identifier_kind::uuid}, {"url", identifier_kind::url}}};
constexpr std::array<named<additions>, 3> addition_rules{
    {{"auto", additions::automatic}, {"always", additions::always}, {"never", additions::never}}};
constexpr std::array<named<offset_unit>, 3> offset_units{
    {{"utf8", offset_unit::utf8}, {"utf16", offset_unit::utf16}, {"codepoint", offset_unit::codepoint}}};
constexpr std::array<named<egress_mode>, 3> egress_modes{
    {{"off", egress_mode::off}, {"report", egress_mode::report}, {"enforce", egress_mode::enforce}}};
constexpr std::array<named<check_mode>, 2> check_modes{
    {{"off", check_mode::off}, {"report", check_mode::report}}};
constexpr std::array<named<unresolved_print>, 3> unresolved_prints{
    {{"keep", unresolved_print::keep}, {"drop", unresolved_print::drop}, {"mark", unresolved_print::mark}}};
constexpr std::array<named<egress_code>, 2> egress_codes{
    {{"inert", egress_code::inert}, {"exact", egress_code::exact}}};
constexpr std::array<named<bool>, 6> switches{
    {{"on", true}, {"off", false}, {"true", true}, {"false", false}, {"1", true}, {"0", false}}};

template <const auto& Table, auto Member>
bool choose(std::string_view value, session_options& to) {
  const auto found = std::ranges::find_if(Table, [&](const auto& one) { return one.name == value; });
  if (found != Table.end()) to.*Member = found->value;
  return found != Table.end();
}

template <const auto& Table>
names names_of() {
  names out;
  for (const auto& one : Table) out.push_back(one.name);
  return out;
}

template <typename Descriptor>
names names_in(std::span<const Descriptor* const> table) {
  names out;
  for (const Descriptor* one : table) out.push_back(one->name);
  return out;
}

template <typename Descriptor>
names auto_or(std::span<const Descriptor* const> table) {
  names out = names_in(table);
  out.insert(out.begin(), "auto");
  return out;
}

template <auto Find, auto Member>
bool find_or_auto(std::string_view value, session_options& to) {
  const auto* const found = Find(value);
  const bool known = found != nullptr || value == "auto";
  if (known) to.*Member = found;
  return known;
}

bool add_dialect(std::string_view value, session_options& to) {
  const dialect* found = find_dialect(value);
  if (found != nullptr) to.dialects.push_back(found);
  return found != nullptr;
}

bool add_grammar(std::string_view value, session_options& to) {
  const grammar* found = find_grammar(value);
  if (found != nullptr && std::ranges::find(to.grammars, found) == to.grammars.end())
    to.grammars.push_back(found);
  return found != nullptr;
}

bool add_marker_pattern(std::string_view value, session_options& to) {
  pattern_error why;
  auto pattern = compile_marker_pattern(value, why);
  if (pattern) to.patterns.push_back(std::move(*pattern));
  return pattern.has_value();
}

bool add_allowed_pattern(std::string_view value, session_options& to) {
  auto pattern = compile_egress_pattern(value);
  if (pattern) to.egress_allowed.push_back(std::move(*pattern));
  return pattern.has_value();
}

bool set_file_url(std::string_view value, session_options& to) {
  const bool valid = value.empty() || (is_web_url(value) && unknown_placeholder(value).empty());
  if (valid) to.file_url = value;
  return valid;
}

/// Reads a number from 0, also as programming languages print it: `0.85`, `5e-05`, `1e+15`.
std::optional<double> read_number(std::string_view value) {
  const bool plain = value.find_first_not_of("0123456789.eE+-") == std::string_view::npos &&
                     value.find_first_of("0123456789") == 0 && !value.ends_with('.');
  double number = 0;
  if (!plain || read_decimal(value, number) != std::errc{}) return std::nullopt;
  return number;
}

std::optional<std::size_t> read_limit(std::string_view value) {
  if (const auto number = whole_number<std::size_t>(value)) return number;
  const auto real = read_number(value);
  if (!real || *real >= static_cast<double>(std::numeric_limits<std::size_t>::max())) return std::nullopt;
  const auto number = static_cast<std::size_t>(*real);
  return static_cast<double>(number) == *real ? std::optional(number) : std::nullopt;
}

template <std::size_t limits::*Member, std::size_t Largest = std::numeric_limits<std::size_t>::max()>
bool set_limit(std::string_view value, session_options& to) {
  const auto number = read_limit(value);
  if (!number || *number > Largest) return false;
  to.bounds.*Member = *number;
  return true;
}

template <double verdict_thresholds::*Member>
bool set_threshold(std::string_view value, session_options& to) {
  const auto number = read_number(value);
  if (!number || *number > 1) return false;
  to.thresholds.*Member = *number;
  return true;
}

constexpr auto set_json_depth = &set_limit<&limits::max_json_depth, document::deepest>;

constexpr session_option table[] = {
    {"style", type::choice, answers, "NAME", "auto",
     "How citations are written into the text; auto: the style of the dialect, strip for most",
     &find_or_auto<&find_style, &session_options::style>, nullptr, [] { return auto_or(styles()); }},
    {"markers", type::list, finding, "NAMES", "",
     "Comma-separated marker grammars to recognise; if not set, those of the dialect (link for plain text)",
     &add_grammar, [](session_options& to) { to.grammars.clear(); }, [] { return names_in(grammars()); }},
    {"marker", type::repeated, finding, "PATTERN", "",
     "Custom marker pattern in addition to markers, such as '[ref:{key}]'; fields: {key}, {identifier}, "
     "{number}, {label}; repeatable",
     &add_marker_pattern, [](session_options& to) { to.patterns.clear(); }},
    {"identifiers", type::choice, finding, "KIND", "any",
     "Form that an identifier must have to make a citation",
     &choose<identifier_kinds, &session_options::identifiers>, nullptr, &names_of<identifier_kinds>},
    {"dialect", type::choice, finding, "NAME", "auto",
     "Wire format of the provider; set rag if a server sends its list of sources only after the text",
     &find_or_auto<&find_dialect, &session_options::dialect>, nullptr, [] { return auto_or(dialects()); }},
    {"offsets", type::choice, answers, "UNIT", "utf16", "Unit of text positions in citation records",
     &choose<offset_units, &session_options::offsets>, nullptr, &names_of<offset_units>},
    {"file_url", type::text, answers, "URL", "",
     "http or https URL template for cited files, with {file_id}, {page}, {title}; also adds annotations for "
     "cited files",
     &set_file_url},
    {"only_known", type::boolean, answers, "", "false",
     "Treat markers such as [9] and [doc9] as text unless they match a reference known before the text",
     &choose<switches, &session_options::only_known>},
    {"unresolved", type::choice, answers, "MODE", "keep",
     "How to print a citation that matches none of the references known before the text",
     &choose<unresolved_prints, &session_options::unresolved>, nullptr, &names_of<unresolved_prints>},
    {"repair", type::boolean, reading, "", "false",
     "Match an unknown identifier with the only known one within two edits (never a URL), or with the only "
     "title equal to the label",
     &choose<switches, &session_options::repair>},
    {"check", type::choice, answers, "MODE", "off",
     "Whether to compare each citation's claim with its references and add a verdict to its record",
     &choose<check_modes, &session_options::check>, nullptr, &names_of<check_modes>},
    {"supported", type::fraction, judging, "SUPPORT", "0.85",
     "Minimum support for the verdict supported, 0 to 1", &set_threshold<&verdict_thresholds::supported>},
    {"not_found", type::fraction, judging, "SUPPORT", "0.3",
     "Support below which the verdict is not_found, 0 to 1; at most supported",
     &set_threshold<&verdict_thresholds::not_found>},
    {"egress", type::choice, answers, "MODE", "off",
     "Handling of URLs in answers that are neither in a reference nor allowlisted; enforce makes them "
     "inert",
     &choose<egress_modes, &session_options::egress>, nullptr, &names_of<egress_modes>},
    {"egress_code", type::choice, answers, "HOW", "inert",
     "URLs in code with egress enforce: inert like other text, or exact to keep code that every renderer "
     "reads as code",
     &choose<egress_codes, &session_options::egress_on_code>, nullptr, &names_of<egress_codes>},
    {"egress_allow", type::list, answers, "PATTERNS", "",
     "Comma-separated URL allowlist for egress: https://example.com, https://example.com:8443, "
     "https://*.example.com",
     &add_allowed_pattern, [](session_options& to) { to.egress_allowed.clear(); }},
    {"max_event_bytes", type::whole, reading, "BYTES", "4194304",
     "Maximum size of one stream event, in bytes; larger events pass through unchanged",
     &set_limit<&limits::max_event_bytes>},
    {"max_body_bytes", type::whole, reading, "BYTES", "16777216",
     "Maximum size of a JSON answer, in bytes; larger answers pass through unchanged",
     &set_limit<&limits::max_body_bytes>},
    {"max_marker_bytes", type::whole, answers, "BYTES", "4096",
     "Maximum text held back while a marker is incomplete, in bytes", &set_limit<&limits::max_marker_bytes>},
    {"citations", type::choice, answers, "WHEN", "auto", "When to add citation records to the stream or body",
     &choose<addition_rules, &session_options::add>, nullptr, &names_of<addition_rules>},
    {"dialects", type::list, c_only, "NAMES", "",
     "Comma-separated dialects to try before the others, in this order; for dialect auto", &add_dialect,
     [](session_options& to) { to.dialects.clear(); }, [] { return names_in(dialects()); }},
    {"provenance", type::boolean, c_only, "", "false", "Resolve [REF|d_1] keys and add a summary by key",
     &choose<switches, &session_options::provenance>},
    {"events", type::boolean, c_only, "", "false", "Produce typed events",
     &choose<switches, &session_options::typed_events>},
    {"max_json_depth", type::whole, c_only, "LEVELS", "128",
     "Maximum nesting of a JSON payload, at most 1024", set_json_depth},
    {"max_label_bytes", type::whole, c_only, "BYTES", "256", "Maximum size of a link's label",
     &set_limit<&limits::max_label_bytes>},
    {"max_identifier_bytes", type::whole, c_only, "BYTES", "2048", "Maximum size of a link's identifier",
     &set_limit<&limits::max_identifier_bytes>},
    {"max_title_bytes", type::whole, c_only, "BYTES", "256", "Maximum size of a link's title",
     &set_limit<&limits::max_title_bytes>},
    {"max_parentheses", type::whole, c_only, "LEVELS", "32",
     "Maximum nesting of parentheses in an identifier", &set_limit<&limits::max_parentheses>},
    {"max_citations", type::whole, c_only, "N", "100000", "Maximum number of citations per answer",
     &set_limit<&limits::max_citations>},
    {"max_citation_bytes", type::whole, c_only, "BYTES", "16777216",
     "Maximum size of all markers, labels and identifiers of an answer",
     &set_limit<&limits::max_citation_bytes>},
    {"max_reference_bytes", type::whole, c_only, "BYTES", "16777216",
     "Maximum size of all references of an answer", &set_limit<&limits::max_reference_bytes>},
    {"max_addition_bytes", type::whole, c_only, "BYTES", "2097152",
     "Maximum size of the records added to a stream or body", &set_limit<&limits::max_addition_bytes>},
    {"max_printed_bytes", type::whole, c_only, "BYTES", "1048576",
     "Maximum size of the citations and lists that a style prints into an answer",
     &set_limit<&limits::max_printed_bytes>},
    {"max_list_bytes", type::whole, c_only, "BYTES", "262144",
     "Maximum size of the list that a style prints after an answer", &set_limit<&limits::max_list_bytes>},
    {"max_references", type::whole, c_only, "N", "100000", "Maximum number of references per answer",
     &set_limit<&limits::max_references>},
    {"max_envelopes", type::whole, c_only, "N", "8",
     "Shapes of events remembered per stream; 0 parses every event", &set_limit<&limits::max_envelopes>},
    {"max_choices", type::whole, c_only, "N", "128", "Maximum number of choices followed in one stream",
     &set_limit<&limits::max_choices>},
    {"max_texts", type::whole, c_only, "N", "4096", "Maximum number of texts followed in one choice",
     &set_limit<&limits::max_texts>},
    {"max_egress_records", type::whole, c_only, "N", "1000",
     "Maximum number of blocked URLs recorded per answer", &set_limit<&limits::max_egress_records>},
    {"max_checked_bytes", type::whole, c_only, "BYTES", "1048576",
     "Maximum size of an answer's text that is kept to check its claims",
     &set_limit<&limits::max_checked_bytes>},
    {"max_compared_bytes", type::whole, c_only, "BYTES", "16777216",
     "Maximum size of the claims and references compared in one answer",
     &set_limit<&limits::max_compared_bytes>},
};

std::string not_one_of(const names& valid) {
  std::string out("is not one of ");
  const char* separator = "";
  for (const std::string_view one : valid) {
    out.append(separator).append(one);
    separator = ", ";
  }
  return out;
}

/// The reason for which the `set` of a row rejected a value.
std::string reason(const session_option& option, std::string_view value) {
  if (option.choices != nullptr) return not_one_of(option.choices());
  if (option.set == &add_marker_pattern) {
    pattern_error why;
    static_cast<void>(compile_marker_pattern(value, why));
    return "at character " + std::to_string(why.column) + ": " + std::string(message(why.problem));
  }
  if (option.set == &add_allowed_pattern)
    return "is not one of https://host, https://host:port and https://*.host";
  if (option.set == &set_file_url) {
    if (!is_web_url(value)) return "is not a URL that starts with http:// or https://";
    return "contains '" + std::string(unknown_placeholder(value)) +
           "', which is not one of {file_id}, {page}, {title}";
  }
  if (option.set == set_json_depth)
    return "is not a whole number of at most " + std::to_string(document::deepest);
  if (option.type == type::boolean) return not_one_of(names_of<switches>());
  return option.type == type::fraction ? "is not a number from 0 to 1" : "is not a whole number";
}

/// Sets one value. Returns why it is rejected, or an empty string.
std::string set_value(const session_option& option, std::string_view value, session_options& to) {
  if (!json_scan::is_utf8(value)) return "is not UTF-8";
  return option.set(value, to) ? std::string() : reason(option, value);
}

}  // namespace

std::span<const session_option> session_option_table() noexcept {
  return table;
}

const session_option* find_session_option(std::string_view name) noexcept {
  const auto* found = std::ranges::find(table, name, &session_option::name);
  return found == std::end(table) ? nullptr : found;
}

std::string option_conflict(const session_options& options, std::string_view not_found,
                            std::string_view supported) {
  const verdict_thresholds& given = options.thresholds;
  if (given.not_found <= given.supported) return {};
  std::string out(not_found);
  append_decimal(given.not_found, out.append(" ("));
  append_decimal(given.supported, out.append(") must not exceed ").append(supported).append(" ("));
  return out.append(")");
}

std::string set_option(const session_option& option, std::span<const std::string> elements,
                       session_options& to, std::string& refused) {
  for (const std::string& one : elements) {
    session_options scratch;
    std::string why = set_value(option, one, scratch);
    if (why.empty()) continue;
    refused = one;
    return why;
  }
  if (option.clear != nullptr) option.clear(to);
  for (const std::string& one : elements) option.set(one, to);
  return {};
}

std::string set_option(const session_option& option, std::string_view text, session_options& to) {
  if (option.type != type::list) return set_value(option, text, to);
  std::vector<std::string> elements;
  while (const auto one = http::next_element(text)) elements.emplace_back(*one);
  std::string refused;
  return set_option(option, elements, to, refused);
}

}  // namespace citestream
