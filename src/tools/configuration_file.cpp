// Reads a TOML file into texts, each with its line. What a text means is decided by the table of options
// (configuration_options.cpp), which is the same for flags and variables. All errors of a file are collected;
// only text that is not TOML ends the reading.
#include "configuration_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <toml++/toml.h>

#include <boost/algorithm/string/join.hpp>

#include "base/decimal.hpp"
#include "nearest.hpp"

namespace citestream::tools {
namespace {

/// Collects values and errors from one parsed file.
class file_reader {
 public:
  explicit file_reader(std::string path) : path_(std::move(path)) {}

  void read(const toml::table& top, configuration_text& out) {
    for (const auto& [key, node] : top) {
      if (key == "upstreams") {
        read_upstreams(node, out);
      } else if (key == "routes") {
        read_routes(node, out);
      } else {
        read_value(key.str(), node, option_place::proxy, out.top);
      }
    }
  }

  std::vector<configuration_error> errors;

 private:
  std::string origin(const toml::node& node) const {
    return path_ + ":" + std::to_string(node.source().begin.line);
  }

  void fail(const toml::node& at, std::string what) { errors.push_back({origin(at), std::move(what)}); }

  void read_upstreams(const toml::node& node, configuration_text& out) {
    const toml::table* all = node.as_table();
    if (all == nullptr) return fail(node, "upstreams: expected tables like [upstreams.NAME]");
    for (const auto& [name, one] : *all) {
      const toml::table* section = one.as_table();
      if (section == nullptr) {
        fail(one, "upstreams." + std::string(name.str()) + ": expected a table like [upstreams.NAME]");
        continue;
      }
      out.upstreams.push_back({std::string(name.str()), origin(one), {}});
      read_section(*section, option_place::upstream, out.upstreams.back());
    }
  }

  void read_routes(const toml::node& node, configuration_text& out) {
    const toml::array* all = node.as_array();
    if (all == nullptr) return fail(node, "routes: expected tables like [[routes]]");
    for (const toml::node& one : *all) {
      const toml::table* section = one.as_table();
      if (section == nullptr) {
        fail(one, "routes: expected a table like [[routes]]");
        continue;
      }
      out.routes.push_back({{}, origin(one), {}});
      read_section(*section, option_place::route, out.routes.back());
    }
  }

  void read_section(const toml::table& section, option_place place, configured_section& out) {
    for (const auto& [key, node] : section) read_value(key.str(), node, place, out.values);
  }

  void read_value(std::string_view key, const toml::node& node, option_place place, configured_values& out) {
    const configuration_option* option = find_option(key, place);
    if (option == nullptr) return fail(node, unknown(key, place));
    configured_value made;
    made.origin = origin(node);
    if (!take(*option, node, made.values)) {
      return fail(node, std::string(key) + ": " + expected(*option) + ", not " + found(node));
    }
    const bool path = option->argument == "FILE" || option->argument == "DIR";
    if (path && !made.values.front().empty()) made.values.front() = resolved(made.values.front());
    out.emplace(key, std::move(made));
  }

  /// Resolves a path against the directory of the file that names it.
  [[nodiscard]] std::string resolved(const std::string& path) const {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path file = fs::absolute(path_, error);
    return error ? path : (file.parent_path() / path).lexically_normal().string();
  }

  static std::string unknown(std::string_view key, option_place place) {
    std::vector<std::string> known;
    if (place == option_place::proxy) known = {"upstreams", "routes"};
    for (const configuration_option& one : configuration_options()) {
      if (find_option(one.key, place) != nullptr) known.emplace_back(one.key);
    }
    const std::string meant = nearest(key, known);
    return "unknown key '" + std::string(key) + "'" +
           (meant.empty() ? "" : ", did you mean '" + meant + "'?");
  }

  static bool take(const configuration_option& option, const toml::node& node, option_values& out) {
    if (is_list(option) && node.is_array()) {
      for (const toml::node& one : *node.as_array()) {
        if (!take_text(one, out)) return false;
      }
      return true;
    }
    switch (option.type) {
      case option_type::list:  // as in a flag or a variable
        if (const auto* value = node.as_string()) out = split_values(option, value->get());
        return node.is_string();
      case option_type::repeated:
      case option_type::choice:
      case option_type::text:
        return take_text(node, out);
      case option_type::boolean:
        if (const auto* value = node.as_boolean()) out = {value->get() ? "true" : "false"};
        return node.is_boolean();
      case option_type::fraction:
      case option_type::seconds:
        if (const auto* value = node.as_floating_point()) append_decimal(value->get(), out.emplace_back());
        if (node.is_floating_point()) return true;
        [[fallthrough]];
      case option_type::whole:
        if (const auto* value = node.as_integer()) out = {std::to_string(value->get())};
        return node.is_integer();
    }
    return false;
  }

  static bool take_text(const toml::node& node, option_values& out) {
    if (const auto* value = node.as_string()) out.push_back(value->get());
    return node.is_string();
  }

  static std::string expected(const configuration_option& option) {
    const option_values choices = option_choices(option);
    switch (option.type) {
      case option_type::list:
      case option_type::repeated:
        return "expected an array of strings";
      case option_type::choice:
      case option_type::text:
        if (!choices.empty()) return "expected one of \"" + boost::algorithm::join(choices, "\", \"") + "\"";
        return "expected a string";
      case option_type::boolean:
        return "expected true or false";
      case option_type::fraction:
      case option_type::seconds:
        return "expected a number";
      case option_type::whole:
        break;
    }
    return "expected a whole number";
  }

  static const char* found(const toml::node& node) {
    if (node.is_string()) return "a string";
    if (node.is_boolean()) return "a boolean";
    if (node.is_integer()) return "a whole number";
    if (node.is_floating_point()) return "a number with a fraction";
    if (node.is_array()) return "an array";
    return node.is_table() ? "a table" : "a date or a time";
  }

  std::string path_;
};

/// Translates an error message of the TOML parser into plain words. \param line  text of the line with the
/// error
std::string in_plain_words(std::string_view problem, std::string_view line) {
  const auto contains = [&](std::string_view part) { return problem.find(part) != std::string_view::npos; };
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; };
  const bool ends_in_string =
      contains("end-of-file") || (contains("control characters") && std::ranges::none_of(line, is_control));
  if (contains("string") && ends_in_string) return "string without a closing quote";
  if (contains("could not determine value type"))
    return "not a value; text is written in quotes, such as \"text\"";
  if (contains("expected value, saw")) return "value is missing after =";
  if (contains("expected '=', saw")) return "expected key = value";
  constexpr std::string_view again = "cannot redefine existing ";
  if (const std::size_t at = problem.find(again); at != std::string_view::npos) {
    return "set twice: " + std::string(problem.substr(at + again.size()));
  }
  constexpr std::string_view prefix = "Error while parsing ";
  if (problem.starts_with(prefix)) problem.remove_prefix(prefix.size());
  return "not valid TOML: " + std::string(problem);
}

/// Returns line \p number of \p text, counted from 1, or an empty view if \p text has fewer lines.
std::string_view line_of(std::string_view text, std::size_t number) {
  for (; number > 1; --number) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  std::string_view line = text.substr(0, text.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

std::vector<configuration_error> read_configuration_file(const std::string& path, configuration_text& out) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  const bool empty = file && file.peek() == std::ifstream::traits_type::eof() && !file.bad();
  if (!empty) text << file.rdbuf();
  if (!empty && (!file || !text)) {
    const int why = errno == 0 ? EIO : errno;
    out.unreadable = true;
    return {{path, std::generic_category().message(why)}};
  }
  file_reader reader(path);
  try {
    const toml::table top = toml::parse(text.str(), path);
    reader.read(top, out);
  } catch (const toml::parse_error& error) {
    const auto line = error.source().begin.line;
    out.unreadable = true;
    reader.errors.push_back(
        {path + ":" + std::to_string(line), in_plain_words(error.description(), line_of(text.str(), line))});
  }
  return std::move(reader.errors);
}

}  // namespace citestream::tools
