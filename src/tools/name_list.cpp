#include "name_list.hpp"

#include <CLI/CLI.hpp>

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

/// Returns the error in a list, or an empty string.
std::string list_error(const std::string& list, const std::vector<std::string>& known) {
  std::vector<std::string> names;
  append_names(list, names);
  const CLI::IsMember among(known);
  for (std::string& each : names) {
    if (each.empty()) return "empty name in '" + list + "'";
    if (known.empty()) continue;
    if (std::string why = among(each); !why.empty()) return why;
  }
  return {};
}

}  // namespace

CLI::Option* add_name_list(CLI::App& command, const std::string& option, std::vector<std::string>& lists,
                           const std::string& description, const std::vector<std::string>& known) {
  const auto check = [known](const std::string& list) { return list_error(list, known); };
  std::string shown;
  for (const std::string& each : known) shown += (shown.empty() ? "{" : ",") + each;
  if (!shown.empty()) shown += '}';
  return command.add_option(option, lists, description)
      ->allow_extra_args(false)
      ->type_name("NAME,...")
      ->check(CLI::Validator(check, shown));
}

std::vector<std::string> names_in(const std::vector<std::string>& lists) {
  std::vector<std::string> out;
  for (const std::string& list : lists) append_names(list, out);
  return out;
}

}  // namespace citestream::tools
