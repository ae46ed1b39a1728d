// The manual page and docs/proxy.md have every option of the proxy.
#include <citestream/base/version.hpp>

#include <cstdio>
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
  const std::string command = CITESTREAM_MANUAL " <" CITESTREAM_SOURCE_DIR "/src/tools/citestream.1.in";
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  std::string out;
  for (int c{}; (c = std::fgetc(pipe)) != EOF;) out += static_cast<char>(c);
  REQUIRE(::pclose(pipe) == 0);
  for (const auto& [from, to] : {std::pair{R"(\\-)", "-"}, {R"(\\\(aq)", "'"}, {R"(\\\(dq)", "\""}}) {
    out = std::regex_replace(out, std::regex(from), to);
  }
  return out;
}

bool has(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

}  // namespace

TEST_CASE("the manual has the version and the options of each place") {
  const std::string page = manual();
  CHECK(has(page, "\"citestream " + std::string(citestream::version()) + "\""));
  CHECK(has(page,
            "\n.TP\n.BR --unresolved \" \\fIMODE\\fR\"\nKey\n.BR unresolved ,\nvariable\n"
            ".BR CITESTREAM_UNRESOLVED .\nHow to print a citation"));
  CHECK(has(page, "The record of a citation that is not printed has the number 0"));
  CHECK(has(page, "\nOne of keep, drop, mark.\nDefault: keep.\n.TP\n"));
  CHECK(has(page, "\n.TP\n.BR --no-request-options\nKey\n"));
  CHECK(has(page, "\n.TP\n.BR url \" = \\fIURL\\fR\"\nURL of the API"));
  CHECK(has(page, "\n.TP\n.BR strip_prefix\nRemove the path"));
  CHECK_FALSE(std::regex_search(page, std::regex("@[a-z]+@")));
}

TEST_CASE("every option is a row of docs/proxy.md with default and help and values") {
  const std::string page = contents("docs/proxy.md");
  REQUIRE_FALSE(page.empty());
  for (const configuration_option& one : configuration_options()) {
    const std::string default_text = one.default_text.empty() ? "" : "`" + one.default_text + "`";
    std::string help = std::regex_replace(std::string(one.help), std::regex("\\|"), "\\|");
    const option_values choices = option_choices(one);
    for (const std::string& choice : choices) {
      help.append(&choice == &choices.front() ? ": `" : " `").append(choice).append(1, '`');
    }
    INFO(one.key);
    CHECK(has(page, "\n| `" + std::string(one.key) + "` | " + default_text + " | " + help + " |\n"));
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
