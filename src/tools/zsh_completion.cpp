// The script has one function for each command, subcommands first. Each calls `_arguments` of zsh with the
// options of the command; a command with subcommands then calls the function of the selected one.
#include <algorithm>

#include <boost/algorithm/string/join.hpp>

#include "completed_command.hpp"
#include "completion.hpp"

namespace citestream::tools {

namespace {

/// Escapes text for single quotes and for the brackets and colons in the arguments of zsh's `_arguments`.
std::string in_quotes(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string action_of(const completed_argument& takes) {
  const std::string name = ":" + in_quotes(takes.name) + ":";
  switch (takes.kind) {
    case argument_kind::none:
      return {};
    case argument_kind::choice:
      return name + "(" + boost::algorithm::join(takes.choices, " ") + ")";
    case argument_kind::list:
      return name + "_values -s , names " + boost::algorithm::join(takes.choices, " ");
    case argument_kind::file:
      return name + "_files";
    case argument_kind::folder:
      return name + "_files -/";
    case argument_kind::other:
      break;
  }
  return name + " ";
}

std::string specification(const completed_option& option) {
  std::string out;
  for (const std::string& name : option.names) {
    const bool takes_value = option.takes.kind != argument_kind::none;
    out += std::string(" \\\n    '") + (option.repeats ? "*" : "") + name + (takes_value ? "=" : "") + "[" +
           in_quotes(option.description) + "]" + action_of(option.takes) + "'";
  }
  return out;
}

/// Returns the name of the function that completes a command.
std::string function_of(const completed_command& one) {
  std::string out = "_citestream" + (one.path.empty() ? "" : "_" + one.path);
  std::ranges::replace(out, ' ', '_');
  return out;
}

/// Returns the function that completes the options of a command and, if it has subcommands, their names.
std::string function(const completed_command& one, const std::vector<completed_command>& all) {
  std::string options;
  for (const completed_option& option : one.options) options += specification(option);
  std::string out = function_of(one) + "() {\n";
  if (one.commands.empty()) {
    out += "  _arguments" + options;
    if (one.positional.kind == argument_kind::choice) out += " \\\n    '1" + action_of(one.positional) + "'";
    if (one.positional.kind == argument_kind::file) out += " \\\n    '*" + action_of(one.positional) + "'";
    return out + "\n}\n\n";
  }
  std::string words;
  std::string cases;
  for (const completed_command& each : all) {
    if (!each.is_below(one)) continue;
    words += " " + each.word() + "\\:\"" + in_quotes(each.description) + "\"";
    cases += "    " + each.word() + ") " + function_of(each) + " ;;\n";
  }
  return out +
         "  local curcontext=$curcontext state state_descr line\n"
         "  typeset -A opt_args\n"
         "  _arguments -C" +
         options + " \\\n    '1:command:((" + words.substr(1) +
         "))' \\\n    '*::argument:->arguments' && return\n"
         "  [[ $state == arguments ]] || return 1\n"
         "  case $words[1] in\n" +
         cases + "  esac\n}\n\n";
}

}  // namespace

std::string zsh_completion(const CLI::App& app) {
  const std::vector<completed_command> commands = completed_commands(app);
  std::string out =
      "#compdef citestream\n# Completion of citestream for zsh, made by `citestream completion zsh`.\n\n";
  for (auto one = commands.rbegin(); one != commands.rend(); ++one) out += function(*one, commands);
  return out +
         "if [[ $funcstack[1] == _citestream ]]; then\n"
         "  _citestream \"$@\"\n"
         "else\n"
         "  compdef _citestream citestream\n"
         "fi\n";
}

}  // namespace citestream::tools
