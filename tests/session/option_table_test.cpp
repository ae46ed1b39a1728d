// The table of session options, and the documents that repeat it.
#include "session/option_table.hpp"

#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <catch2/catch.hpp>

using namespace citestream;

namespace {

const session_option& row(std::string_view name) {
  const session_option* found = find_session_option(name);
  REQUIRE(found != nullptr);
  return *found;
}

/// A valid value of the option other than its default.
std::string other_value(const session_option& one) {
  switch (one.type) {
    case option_type::choice:
      for (const std::string_view each : one.choices()) {
        if (each != one.default_text) return std::string(each);
      }
      break;
    case option_type::boolean:
      return one.default_text == "true" ? "false" : "true";
    case option_type::whole:
      return "77";
    case option_type::fraction:
      return "0.5";
    case option_type::list:
      return one.choices == nullptr ? "https://a.example" : std::string(one.choices().back());
    case option_type::repeated:
      return "[ref:{key}]";
    case option_type::text:
    case option_type::seconds:
      break;
  }
  return "https://a.example/{file_id}";
}

/// The values of all options in the table, as text.
std::string print(const session_options& from) {
  std::string out(from.style == nullptr ? "auto" : from.style->name);
  for (const grammar* one : from.grammars) out.append(" ").append(one->name);
  for (const marker_pattern& one : from.patterns) out.append(" ").append(one.as_grammar().name);
  for (const egress_pattern& one : from.egress_allowed) out.append(" ").append(one.host);
  out.append(from.dialect == nullptr ? " auto " : from.dialect->name).append(from.file_url);
  for (const dialect* one : from.dialects) out.append(" ").append(one->name);
  const limits& b = from.bounds;
  for (const double each : {from.thresholds.supported, from.thresholds.not_found})
    out.append(" ").append(std::to_string(each));
  for (const std::size_t each : {static_cast<std::size_t>(from.identifiers),
                                 static_cast<std::size_t>(from.offsets),
                                 static_cast<std::size_t>(from.add),
                                 static_cast<std::size_t>(from.egress),
                                 static_cast<std::size_t>(from.check),
                                 static_cast<std::size_t>(from.unresolved),
                                 static_cast<std::size_t>(from.repair),
                                 b.max_checked_bytes,
                                 b.max_compared_bytes,
                                 static_cast<std::size_t>(from.egress_on_code),
                                 static_cast<std::size_t>(from.only_known),
                                 static_cast<std::size_t>(from.provenance),
                                 static_cast<std::size_t>(from.typed_events),
                                 b.max_event_bytes,
                                 b.max_body_bytes,
                                 b.max_json_depth,
                                 b.max_marker_bytes,
                                 b.max_label_bytes,
                                 b.max_identifier_bytes,
                                 b.max_title_bytes,
                                 b.max_parentheses,
                                 b.max_citations,
                                 b.max_citation_bytes,
                                 b.max_reference_bytes,
                                 b.max_addition_bytes,
                                 b.max_printed_bytes,
                                 b.max_list_bytes,
                                 b.max_references,
                                 b.max_envelopes,
                                 b.max_choices,
                                 b.max_texts,
                                 b.max_egress_records}) {
    out.append(" ").append(std::to_string(each));
  }
  return out;
}

}  // namespace

TEST_CASE("the default of every option is that of session_options") {
  const std::string defaults = print({});
  for (const session_option& one : session_option_table()) {
    INFO(one.name);
    session_options options;
    CHECK(set_option(one, other_value(one), options).empty());
    CHECK(print(options) != defaults);
    if (one.clear != nullptr) {
      one.clear(options);
    } else {
      CHECK(set_option(one, one.default_text, options).empty());
    }
    CHECK(print(options) == defaults);
  }
}

TEST_CASE("every option has a unique name and a help text and a unit if not boolean") {
  std::set<std::string_view> seen;
  for (const session_option& one : session_option_table()) {
    INFO(one.name);
    CHECK(seen.insert(one.name).second);
    CHECK(!one.help.empty());
    CHECK(one.unit.empty() == (one.type == option_type::boolean));
    CHECK((one.choices != nullptr || one.type != option_type::choice));
    CHECK((one.clear != nullptr) == (one.type == option_type::list || one.type == option_type::repeated));
  }
}

TEST_CASE("every limit has a row") {
  constexpr std::size_t rows_of_limits = sizeof(limits) / sizeof(std::size_t);
  std::size_t found = 0;
  for (const session_option& one : session_option_table()) found += one.name.starts_with("max_") ? 1U : 0U;
  CHECK(found == rows_of_limits);
}

TEST_CASE("dialects to try first are a list of names") {
  session_options options;
  CHECK(set_option(row("dialects"), "rag, openai", options).empty());
  CHECK(options.dialects == std::vector<const dialect*>{find_dialect("rag"), &openai_dialect});
  CHECK(set_option(row("dialects"), "auto", options).starts_with("is not one of "));
  CHECK(options.dialects.size() == 2);
}

TEST_CASE("a rejected list does not change the option") {
  session_options options;
  CHECK(set_option(row("markers"), "link, numeric,link,", options).empty());
  CHECK(options.grammars == std::vector{&link_grammar, &numeric_grammar});
  CHECK(set_option(row("markers"), "ref,what", options).starts_with("is not one of "));
  CHECK(options.grammars == std::vector{&link_grammar, &numeric_grammar});
  CHECK(set_option(row("markers"), "", options).empty());
  CHECK(options.grammars.empty());

  const std::array<std::string, 2> addresses{"https://a.example", "ftp://b.example"};
  std::string refused;
  CHECK(set_option(row("egress_allow"), addresses, options, refused) ==
        "is not one of https://host, https://host:port and https://*.host");
  CHECK(refused == "ftp://b.example");
  CHECK(options.egress_allowed.empty());
}

TEST_CASE("a repeated option adds a text and a list replaces it") {
  session_options options;
  CHECK(set_option(row("marker"), "[a,{key}]", options).empty());
  CHECK(set_option(row("marker"), "[b:{key}]", options).empty());
  CHECK(options.patterns.size() == 2);
  CHECK(set_option(row("marker"), "[ref", options).starts_with("at character "));
  const std::array<std::string, 1> elements{"[c:{key}]"};
  std::string refused;
  CHECK(set_option(row("marker"), elements, options, refused).empty());
  REQUIRE(options.patterns.size() == 1);
  CHECK(options.patterns[0].as_grammar().name == "[c:{key}]");
}

TEST_CASE("an invalid value is rejected with the valid ones") {
  session_options options;
  const auto set = [&](std::string_view name, std::string_view to) {
    return set_option(row(name), to, options);
  };
  CHECK(set("offsets", "utf7") == "is not one of utf8, utf16, codepoint");
  CHECK(set("style", "bold").starts_with("is not one of auto, strip, keep"));
  CHECK(set("dialect", "auto").empty());
  CHECK(set("style", "auto").empty());
  CHECK(set("only_known", "perhaps") == "is not one of on, off, true, false, 1, 0");
  for (const char* const wrong :
       {"", "-1", "1k", " 1", "99999999999999999999999", "1.5", "1e-1", "1e+20", "inf", "nan", "0x1"}) {
    INFO(wrong);
    CHECK(set("max_choices", wrong) == "is not a whole number");
  }
}

TEST_CASE("a limit may be written as programming languages print large numbers") {
  session_options options;
  for (const char* const value : {"1e+15", "1e15", "1000000000000000.0", "1000000000000000"}) {
    INFO(value);
    options.bounds.max_body_bytes = 0;
    CHECK(set_option(row("max_body_bytes"), value, options).empty());
    CHECK(options.bounds.max_body_bytes == 1'000'000'000'000'000);
  }
}

TEST_CASE("a nesting that the parser does not read is rejected") {
  session_options options;
  CHECK(set_option(row("max_json_depth"), "1024", options).empty());
  CHECK(options.bounds.max_json_depth == 1024);
  for (const char* const value : {"1025", "1e6", "x"})
    CHECK(set_option(row("max_json_depth"), value, options) == "is not a whole number of at most 1024");
  CHECK(options.bounds.max_json_depth == 1024);
}

TEST_CASE("a template of links to files is empty or a web URL") {
  session_options options;
  for (const char* const value : {"https://a.example/{file_id}", "HTTP://a.example/{title}#{page}", ""}) {
    CHECK(set_option(row("file_url"), value, options).empty());
    CHECK(options.file_url == value);
  }
  for (const char* const value :
       {"foo", "{file_id}", "/files/{file_id}", "ftp://a.example/{file_id}", "https:/a", "https://"}) {
    INFO(value);
    CHECK(set_option(row("file_url"), value, options) == "is not a URL that starts with http:// or https://");
    CHECK(options.file_url.empty());
  }
}

TEST_CASE("a template of links to files has known placeholders only") {
  session_options options;
  const auto error = [&](const std::string& rest) {
    return set_option(row("file_url"), "https://a.example/" + rest, options);
  };
  const std::string valid = "', which is not one of {file_id}, {page}, {title}";
  CHECK(error("{fileid}") == "contains '{fileid}" + valid);
  CHECK(error("{file_id") == "contains '{file_id" + valid);
  CHECK(error("{file_id}/{title#page={page}") == "contains '{title#page=" + valid);
  CHECK(error("{{page}}") == "contains '{" + valid);
  CHECK(options.file_url.empty());
  CHECK(error("{file_id}{title}#{page}").empty());
  CHECK(error("}").empty());
}

TEST_CASE("the C header documents every option with its values and its default") {
  std::ifstream file(CITESTREAM_SOURCE_DIR "/include/citestream/citestream.h");
  const std::string header{std::istreambuf_iterator<char>(file), {}};
  for (const session_option& one : session_option_table()) {
    INFO(one.name);
    if (one.name.starts_with("max_")) continue;  // one line documents all of them: the members of `limits`
    const std::size_t begin = header.find(" * | `" + std::string(one.name) + "` | ");
    REQUIRE(begin != std::string::npos);
    const std::string line = header.substr(begin, header.find('\n', begin) - begin);
    const bool descriptors =
        one.name == "dialect" || one.name == "style";  // values may be added without changing this header
    if (one.type == option_type::choice && !descriptors) {
      for (const std::string_view each : one.choices()) CHECK(line.find(each) != std::string::npos);
    }
    const std::string_view default_text =
        one.type == option_type::boolean ? std::string_view("off") : one.default_text;
    if (!default_text.empty()) CHECK(line.ends_with(" `" + std::string(default_text) + "` |"));
  }
}

TEST_CASE("the types of the npm package have every option") {
  std::ifstream file(CITESTREAM_SOURCE_DIR "/src/js/citestream.d.ts");
  const std::string types{std::istreambuf_iterator<char>(file), {}};
  for (const session_option& one : session_option_table()) {
    if (one.name == "events") continue;  // set by the function events()
    std::string name;
    for (std::size_t i = 0; i < one.name.size(); ++i) {
      if (one.name[i] != '_')
        name.push_back(one.name[i]);
      else
        name.push_back(static_cast<char>(std::toupper(one.name[++i])));
    }
    INFO(name);
    CHECK(types.find("\n  " + name + "?: ") != std::string::npos);
  }
}

TEST_CASE("limits of verdicts are numbers from 0 to 1") {
  for (const char* const name : {"supported", "not_found"}) {
    INFO(name);
    session_options options;
    for (const char* const value : {"-0.1", "1.1", "2", "0.", ".5", "1e-", "-1e-1", "+1", "", "x", "0.5x",
                                    "0.+5", "0.5.5", "1.000000000000001"}) {
      INFO(value);
      CHECK(set_option(row(name), value, options) == "is not a number from 0 to 1");
    }
    CHECK(print(options) == print({}));
    for (const char* const value : {"0", "1", "0.0", "1.000", "0.5", "5e-05", "1E-7"})
      CHECK(set_option(row(name), value, options).empty());
  }
  session_options options;
  CHECK(set_option(row("supported"), "0.9", options).empty());
  CHECK(options.thresholds.supported == 0.9);
  CHECK(set_option(row("not_found"), "0.9", options).empty());
  CHECK(option_conflict(options).empty());
  CHECK(set_option(row("not_found"), "0.91", options).empty());
  CHECK(option_conflict(options) == "not_found (0.91) must not exceed supported (0.9)");
}
