#include "name_list.hpp"

#include <algorithm>
#include <cstddef>

#include <CLI/CLI.hpp>
#include <boost/algorithm/string/join.hpp>

#include "nearest.hpp"

namespace citestream::tools {

namespace {

void append_names(const std::string& list, std::vector<std::string>& out) {
  std::size_t begin = 0;
  for (std::size_t end = list.find(','); end != std::string::npos; end = list.find(',', begin)) {
    out.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  out.push_back(list.substr(begin));
}

/// Returns the error if \p name is not one of \p known, or an empty string.
std::string name_error(const std::string& name, const std::vector<std::string>& known) {
  if (std::ranges::find(known, name) != known.end()) return {};
  constexpr std::size_t short_list = 4;  // the right name is easy to find in it
  const std::string meant = known.size() > short_list ? nearest(name, known) : "";
  return "'" + name + "' is not one of " + boost::algorithm::join(known, ", ") +
         (meant.empty() ? "" : "; did you mean " + meant + "?");
}

/// Returns the names as they are shown in help, or an empty string if there are none.
std::string shown_names(const std::vector<std::string>& names) {
  return names.empty() ? "" : "{" + boost::algorithm::join(names, ",") + "}";
}

/// Returns the error in a list, or an empty string.
std::string list_error(const std::string& list, const std::vector<std::string>& known) {
  std::vector<std::string> names;
  append_names(list, names);
  for (const std::string& each : names) {
    if (each.empty()) return "empty name in '" + list + "'";
    if (known.empty()) continue;
    if (std::string why = name_error(each, known); !why.empty()) return why;
  }
  return {};
}

}  // namespace

CLI::Validator one_of(const std::vector<std::string>& names) {
  return {[names](const std::string& name) { return name_error(name, names); }, shown_names(names)};
}

CLI::Option* add_name_list(CLI::App& command, const std::string& option, std::vector<std::string>& lists,
                           const std::string& description, const std::vector<std::string>& known) {
  const auto check = [known](const std::string& list) { return list_error(list, known); };
  return command.add_option(option, lists, description)
      ->allow_extra_args(false)
      ->type_name("NAME,...")
      ->check(CLI::Validator(check, shown_names(known)));
}

std::vector<std::string> names_in(const std::vector<std::string>& lists) {
  std::vector<std::string> out;
  for (const std::string& list : lists) append_names(list, out);
  return out;
}

}  // namespace citestream::tools
