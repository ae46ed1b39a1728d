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

}  // namespace

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
  for (const std::string& list : lists) append_names(list, out);
  return out;
}

}  // namespace citestream::tools
