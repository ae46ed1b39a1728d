#include "completed_command.hpp"

#include <CLI/CLI.hpp>

namespace citestream::tools {

namespace {

/// Returns the names in a type such as `NAME:{one,two}`, the form in which `--help` shows choices.
std::vector<std::string> choices_in(const std::string& type) {
  const std::size_t open = type.find('{');
  const std::size_t close = type.rfind('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

completed_argument argument_of(const CLI::Option& option) {
  completed_argument out;
  if (option.get_items_expected_max() == 0) return out;
  const std::string type = option.get_type_name();
  out.name = type.substr(0, type.find(':'));
  out.choices = choices_in(type);
  const bool several = out.name == "NAMES";
  if (out.name == "FILE") {
    out.kind = argument_kind::file;
  } else if (out.name == "DIR") {
    out.kind = argument_kind::folder;
  } else if (out.choices.empty()) {
    out.kind = argument_kind::other;
  } else {
    out.kind = several ? argument_kind::list : argument_kind::choice;
  }
  return out;
}

completed_option option_of(const CLI::Option& option) {
  completed_option out;
  for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  const std::string& whole = option.get_description();
  out.description = whole.substr(0, whole.find(';'));
  out.takes = argument_of(option);
  out.repeats = option.get_expected_max() > 1;
  return out;
}

void append(const CLI::App& app, const std::string& path, std::vector<completed_command>& out) {
  completed_command one;
  one.path = path;
  one.description = app.get_description();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      one.positional = argument_of(*option);
    } else {
      one.options.push_back(option_of(*option));
    }
  }
  const auto below = app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* each : below) one.commands.push_back(each->get_name());
  out.push_back(one);
  for (const CLI::App* each : below) {
    append(*each, path + (path.empty() ? "" : " ") + each->get_name(), out);
  }
}

}  // namespace

bool completed_command::is_below(const completed_command& parent) const {
  return !path.empty() && path == parent.path + (parent.path.empty() ? "" : " ") + word();
}

std::string completed_command::word() const {
  return path.substr(path.rfind(' ') + 1);
}

std::vector<completed_command> completed_commands(const CLI::App& app) {
  std::vector<completed_command> out;
  append(app, "", out);
  return out;
}

}  // namespace citestream::tools
