#include "name_list.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/split.hpp>

#include "nearest.hpp"

namespace citestream::tools {

std::string shown_names(const std::vector<std::string>& names) {
  return names.empty() ? "" : "{" + boost::algorithm::join(names, ",") + "}";
}

CLI::Validator one_of(const std::vector<std::string>& names) {
  return {[names](const std::string& name) { return name_error(name, names); }, shown_names(names)};
}

std::string list_error(const std::string& list) {
  return std::ranges::count(names_in({list}), "") > 0 ? "empty name in '" + list + "'" : "";
}

std::vector<std::string> names_in(const std::vector<std::string>& lists) {
  std::vector<std::string> out;
  if (!lists.empty())
    boost::algorithm::split(out, boost::algorithm::join(lists, ","), [](char c) { return c == ','; });
  return out;
}

}  // namespace citestream::tools
