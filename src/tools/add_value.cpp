#include "add_value.hpp"

#include <charconv>

#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/split.hpp>

#include "nearest.hpp"

namespace citestream::tools {

CLI::Validator not_empty() {
  return {[](const std::string& text) { return text.empty() ? "the value is empty" : std::string(); }, ""};
}

CLI::Validator whole_number_from(unsigned least) {
  const auto wrong = [least](const std::string& text) {
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    const bool counts = digits && text.size() < 19 && std::stoull(text) >= least;
    return counts ? std::string()
                  : "'" + text + "' is not a whole number of at least " + std::to_string(least);
  };
  return {wrong, ""};
}

CLI::Validator number_between(double least, double most, std::string_view what) {
  const auto written = [](double number) {
    char text[32];
    const auto done = std::to_chars(text, text + sizeof text, number, std::chars_format::fixed);
    return std::string(text, done.ptr);
  };
  const std::string expected =
      "is not a " + std::string(what) + " from " + written(least) + " to " + written(most);
  const auto wrong = [least, most, expected](const std::string& text) {
    double number{};
    const bool read = CLI::detail::lexical_cast(text, number);
    return read && number >= least && number <= most ? std::string() : "'" + text + "' " + expected;
  };
  return {wrong, ""};
}

std::string shown_names(const std::vector<std::string>& names) {
  return names.empty() ? "" : "{" + boost::algorithm::join(names, ",") + "}";
}

CLI::Validator one_of(const std::vector<std::string>& names) {
  return {[names](const std::string& name) { return name_error(name, names); }, shown_names(names)};
}

std::string list_error(const std::string& list) {
  return std::ranges::count(split_names({list}), "") > 0 ? "empty name in '" + list + "'" : "";
}

std::vector<std::string> split_names(const std::vector<std::string>& lists) {
  std::vector<std::string> out;
  if (!lists.empty())
    boost::algorithm::split(out, boost::algorithm::join(lists, ","), [](char c) { return c == ','; });
  return out;
}

}  // namespace citestream::tools
