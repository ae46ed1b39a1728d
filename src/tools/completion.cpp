// The commands and options of the application are read into `completed_command`, from which both scripts are
// made.
//
// For bash, the script is a fixed head and tail around three generated `case` statements. The first follows
// the words of the command line to find the command. The second sets the subcommands, options and positional
// argument that the command accepts. The third sets the kind and values of the argument if the previous word
// is an option. The tail passes the result to compgen.
//
// For zsh, the script has one function for each command, subcommands first. Each calls `_arguments` of zsh
// with the options of the command; a command with subcommands then calls the function of the selected one.
#include "completion.hpp"

#include <algorithm>
#include <vector>

#include <CLI/CLI.hpp>
#include <boost/algorithm/string/join.hpp>

namespace citestream::tools {

namespace {

/// Kind of the argument of an option, or of a positional argument.
enum class argument_kind { none, choice, list, file, folder, other };

/// The argument of an option, or a positional argument.
struct completed_argument {
  argument_kind kind{argument_kind::none};
  std::string name;                  ///< as shown by `--help`: FILE, NAME
  std::vector<std::string> choices;  ///< valid values of a `choice`, or valid elements of a `list`
};

/// One option of a command.
struct completed_option {
  std::vector<std::string> names;  ///< with dashes
  std::string description;         ///< help text up to its first semicolon
  completed_argument takes;        ///< its argument
  bool repeats{};                  ///< true if it can be given several times
};

/// One command, or the program itself.
struct completed_command {
  std::string path;  ///< words such as `check answer`; empty for the program itself
  std::string description;
  std::vector<std::string> commands;  ///< names of its direct subcommands
  std::vector<completed_option> options;
  completed_argument positional;

  /// Returns the last word of the path.
  [[nodiscard]] std::string word() const { return path.substr(path.rfind(' ') + 1); }
  /// Returns true if this is a direct subcommand of \p parent.
  [[nodiscard]] bool is_below(const completed_command& parent) const {
    return !path.empty() && path == parent.path + (parent.path.empty() ? "" : " ") + word();
  }
};

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

/// Returns the program and all of its subcommands, parents before children.
std::vector<completed_command> completed_commands(const CLI::App& app) {
  std::vector<completed_command> out;
  append(app, "", out);
  return out;
}

constexpr const char* head = R"(# Completion of citestream for bash, made by `citestream completion bash`.
_citestream() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local command='' word commands='' options='' values='' kind=''
  COMPREPLY=()
  # bash takes --name=value apart.
  if [[ $current == = ]]; then
    current=''
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$command $word" in
)";

constexpr const char* tail = R"(  esac
  case "$kind" in
    choice) mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current") ;;
    list)
      local before=''
      [[ $current != *,* ]] || before=${current%,*},
      mapfile -t COMPREPLY < <(compgen -P "$before" -W "$values" -- "${current##*,}")
      compopt -o nospace 2>/dev/null
      ;;
    file | folder)
      [[ $kind == file ]] && word=-f || word=-d
      mapfile -t COMPREPLY < <(compgen "$word" -- "$current")
      compopt -o filenames 2>/dev/null
      ;;
  esac
}
complete -F _citestream citestream
)";

std::string kind_of(const completed_argument& takes) {
  const std::string values = "values='" + boost::algorithm::join(takes.choices, " ") + "'";
  switch (takes.kind) {
    case argument_kind::choice:
      return "kind=choice " + values;
    case argument_kind::list:
      return "kind=list " + values;
    case argument_kind::file:
      return "kind=file";
    case argument_kind::folder:
      return "kind=folder";
    case argument_kind::none:
    case argument_kind::other:
      break;
  }
  return "kind=other";
}

std::string option_names(const completed_command& one) {
  std::vector<std::string> names;
  names.reserve(one.options.size());
  for (const completed_option& option : one.options) names.push_back(option.names.back());
  return boost::algorithm::join(names, " ");
}

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

std::string bash_completion(const CLI::App& app) {
  const std::vector<completed_command> commands = completed_commands(app);
  std::string out = head;
  for (const completed_command& one : commands) {
    for (const std::string& word : one.commands) {
      const std::string path = one.path + (one.path.empty() ? "" : " ") + word;
      out += "      '" + one.path + " " + word + "') command='" + path + "' ;;\n";
    }
  }
  out += "    esac\n  done\n  case \"$command\" in\n";
  for (const completed_command& one : commands) {
    out += "    '" + one.path + "') commands='" + boost::algorithm::join(one.commands, " ") + "' options='" +
           option_names(one) + "'";
    if (one.positional.kind != argument_kind::none) out += " " + kind_of(one.positional);
    out += " ;;\n";
  }
  out +=
      "  esac\n"
      "  [[ -z $commands ]] || kind=choice values=$commands\n"
      "  [[ $current != -* ]] || kind=choice values=$options\n"
      "  case \"$command $previous\" in\n";
  for (const completed_command& one : commands) {
    for (const completed_option& option : one.options) {
      if (option.takes.kind == argument_kind::none) continue;
      out += "    '" + one.path + " " + option.names.back() + "') " + kind_of(option.takes) + " ;;\n";
    }
  }
  return out + tail;
}

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
