// The manual page and docs/proxy.md have every option of the proxy.
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include <catch2/catch.hpp>

#include "support/child.hpp"
#include "tools/configuration_options.hpp"

using namespace citestream::tools;

namespace {

std::string contents(const std::string& path) {
  std::ifstream file(CITESTREAM_SOURCE_DIR + ("/" + path));
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The page as it reads: without the escapes of dashes, quotes and backslashes.
std::string manual() {
  std::string out = contents("src/tools/citestream.1");
  for (const auto& [from, to] : {std::pair{R"(\\-)", "-"}, {R"(\\\(aq)", "'"}, {R"(\\\(dq)", "\""}}) {
    out = std::regex_replace(out, std::regex(from), to);
  }
  return out;
}

bool has(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

}  // namespace

TEST_CASE("the manual has every option's names and help and default") {
  const std::string page = manual();
  REQUIRE_FALSE(page.empty());
  for (const configuration_option& one : configuration_options()) {
    const std::string key(one.key);
    INFO(key);
    if (is_on_command_line(one)) {
      CHECK(has(page, "\n.BR " + option_flag(one)));
      CHECK(has(page, "\n.BR " + key + " ,\nvariable\n.BR " + option_variable(one) + " .\n"));
    } else {
      CHECK(has(page, "\n.BR " + key));
    }
    CHECK(has(page, std::string(one.help)));
    if (!one.preset.empty()) CHECK(has(page, "\nDefault: " + std::string(one.preset) + ".\n"));
    for (const std::string& choice : option_choices(one)) CHECK(has(page, choice));
  }
}

TEST_CASE("every option of the table is a row of docs/proxy.md with its default and help and values") {
  const std::string page = contents("docs/proxy.md");
  REQUIRE_FALSE(page.empty());
  for (const configuration_option& one : configuration_options()) {
    const std::string preset = one.preset.empty() ? "" : "`" + std::string(one.preset) + "`";
    std::string help = std::regex_replace(std::string(one.help), std::regex("\\|"), "\\|");
    const option_values choices = option_choices(one);
    for (const std::string& choice : choices) {
      help.append(&choice == &choices.front() ? ": `" : " `").append(choice).append(1, '`');
    }
    INFO(one.key);
    CHECK(has(page, "\n| `" + std::string(one.key) + "` | " + preset + " | " + help + " |\n"));
  }
}

TEST_CASE("every flag of the command's help is in the manual") {
  const std::string page = manual();
  const std::string help = citestream_tests::run({"proxy", "--help"}).out;
  const std::regex flag("\n  (?:-h,)?(--[a-z-]+)");
  std::size_t flags = 0;
  for (std::sregex_iterator at(help.begin(), help.end(), flag), end; at != end; ++at) {
    const std::string name = (*at)[1];
    INFO(name);
    CHECK(has(page, name));
    ++flags;
  }
  CHECK(flags > 30);
}

TEST_CASE("the options for many documents are in the manual") {
  const std::string page = manual();
  const std::string help = citestream_tests::run({"filter", "--help"}).out;
  for (const char* option : {"--jobs", "--lines", "--resume"}) {
    INFO(option);
    CHECK(has(help, option));
    CHECK((has(page, "\n.BI " + std::string(option)) || has(page, "\n.B " + std::string(option) + "\n")));
  }
}
