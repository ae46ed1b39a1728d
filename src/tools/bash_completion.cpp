// The script is a fixed head and tail around three generated `case` statements. The first follows the words
// of the command line to find the command. The second sets the subcommands, options and positional argument
// that the command accepts. The third sets the kind and values of the argument if the previous word is an
// option. The tail passes the result to compgen.
#include <boost/algorithm/string/join.hpp>

#include "completed_command.hpp"
#include "completion.hpp"

namespace citestream::tools {

namespace {

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

}  // namespace citestream::tools
