// citestream_manual: prints the manual page. Standard input is its template, citestream.1.in, in which the
// options of the proxy and the version are missing. Runs when the program is built.
#include <citestream/base/version.hpp>

#include <array>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <boost/algorithm/string/join.hpp>

#include "configuration_options.hpp"

namespace citestream::tools {
namespace {

/// Text that follows the help of an option.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> details{{
    {"unresolved",
     "With drop, nothing is printed; with mark, a mark such as [?]. The record of a citation that is not "
     "printed has the number 0 unless a reference arrives later."},
    {"repair",
     "Known identifiers of fewer than 8 characters are not used. The record has the match repaired and keeps "
     "what "
     "the model wrote."},
    {"check",
     "With report, a record has support, verdict, evidence and what is missing or contradicted. The text "
     "does not change."},
    {"egress",
     "With enforce, [a](https://host.example/x) becomes [a]\\(https[://]host[.]example/x) and <img becomes "
     "&lt;img. In code, a zero-width space is inserted into the URL. Each URL is reported in "
     "citestream.egress with its position and the reason. Only the text of rewritten answers is checked. "
     "Reasoning, tool calls and content that passes through unread are not. Clients cannot disable enforce: "
     "a request with X-Citestream-Bypass: 1 only disables all other changes to its answer."},
    {"egress_allow",
     "Scheme and port must match exactly. A * matches one or more labels of the host name: "
     "https://*.example.com does not match https://example.com."},
    {"max_body_bytes", "They are counted in citestream_bypassed_total as too_large."},
}};

/// Text as the source of a manual page.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '-' || c == '\\') out += '\\';
    if (c == '\'') {
      out += "\\(aq";
    } else {
      out += c;
    }
  }
  return out;
}

/// The paragraph about an option.
std::string entry(const configuration_option& one) {
  const bool flag = is_on_command_line(one);
  const std::string key(one.key);
  std::string out = ".TP\n.BR " + (flag ? escaped(option_flag(one)) : key);
  if (!one.argument.empty()) {
    out.append(flag ? " \" " : " \" = ").append("\\fI").append(one.argument).append("\\fR\"");
  }
  if (flag) out += "\nKey\n.BR " + key + " ,\nvariable\n.BR " + option_variable(one) + " .";
  out += "\n" + escaped(one.help) + ".\n";
  for (const auto& [about, more] : details) {
    if (about == key) out += escaped(more) + "\n";
  }
  const option_values choices = option_choices(one);
  if (!choices.empty()) out += "One of " + boost::algorithm::join(choices, ", ") + ".\n";
  if (!one.default_text.empty()) out += "Default: " + one.default_text + ".\n";
  return out;
}

std::string entries(option_place place) {
  std::string out;
  for (const configuration_option& one : configuration_options()) {
    if (one.place == place) out += entry(one);
  }
  return out;
}

void replace(std::string& page, std::string_view name, std::string_view text) {
  page.replace(page.find(name), name.size(), text);
}

}  // namespace
}  // namespace citestream::tools

int main() {
  using namespace citestream::tools;
  std::string page(std::istreambuf_iterator<char>(std::cin), {});
  replace(page, "@version@", citestream::version());
  replace(page, "@proxy@\n", entries(option_place::proxy));
  replace(page, "@answer@\n", entries(option_place::answer));
  replace(page, "@upstream@\n", entries(option_place::upstream));
  replace(page, "@route@\n", entries(option_place::route));
  std::cout << page;
}
