#!/usr/bin/env python3
"""completion_test.py bash|zsh CITESTREAM: a real shell completes everything that `--help` names.

What there is to complete is read from `--help`, of the program and of every command below it; the scripts are made
from something else, the options themselves.
"""

import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

# `  -h,--help  text`, `  --to TEXT:{json,text}=json  text`, `  filter  text`
OPTION = re.compile(r"^  (?:-\w,)?(--[a-z-]+)( [^ ]+)?", re.M)
COMMAND = re.compile(r"^  ([a-z]+) ", re.M)


class Command:
    """One command's words, and what its help names."""

    def __init__(self, program, words):
        said = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout
        parts = dict(re.findall(r"^(\w+):\n(.*?)(?:\n\n|\Z)", said, re.M | re.S))
        self.words = words
        self.commands = COMMAND.findall(parts.get("Subcommands", ""))
        self.positionals = parts.get("Positionals", "")
        self.options = {}  # name: choices
        parts.pop("Examples", None)
        groups = [text for name, text in parts.items() if name not in ("Subcommands", "Positionals")]
        for name, argument in OPTION.findall("\n".join(groups)):
            choices = re.search(r":\{(.*)\}", argument)
            self.options[name] = choices.group(1).split(",") if choices else []


def commands_of(program, words=()):
    found = [Command(program, list(words))]
    for word in found[0].commands:
        found += commands_of(program, [*words, word])
    return found


def expected(commands):
    """Typed words, the last one possibly incomplete, and its expected completions."""
    for one in commands:
        start = ["citestream", *one.words]
        yield [*start, "--"], sorted(one.options)
        if one.commands:
            yield [*start, ""], sorted(one.commands)
            yield [*start, one.commands[-1][:2]], sorted(word for word in one.commands if word.startswith(one.commands[-1][:2]))
        for name, choices in one.options.items():
            if choices:
                yield [*start, name, ""], sorted(choices)
    yield ["citestream", "completion", ""], ["bash", "zsh"]
    yield ["citestream", "help", "fil"], ["filter"]
    yield ["citestream", "proxy", "--log-l"], ["--log-level"]
    yield ["citestream", "filter", "--style", "num"], ["numeric"]
    yield ["citestream", "filter", "--style", "=", "num"], ["numeric"]  # bash takes --style=num apart
    yield ["citestream", "filter", "--style", "="], sorted(next(one for one in commands if one.words == ["filter"]).options["--style"])
    yield ["citestream", "filter", "--markers", "link,num"], ["link,numeric"]
    yield ["citestream", "filter", "--split", ""], []
    yield ["citestream", "filter", "--from", "text", "--to", "jso"], ["json"]
    yield ["citestream", "filter", "answer"], ["answer.sse"]
    yield ["citestream", "filter", "--references", "an"], ["answer.sse"]
    yield ["citestream", "replay", "an"], ["answer.sse"]
    yield ["citestream", "proxy", "--config", "answer"], ["answer.sse"]
    yield ["citestream", "proxy", "--record", ""], ["folder"]


def completed_by_bash(script, questions, folder):
    """Each question is answered by bash's function, with what bash would have set for it."""
    lines = ["set -u", f"source {shlex.quote(script)}", "complete -p citestream >/dev/null || exit 1"]
    for words in questions:
        lines.append(f"COMP_WORDS=({shlex.join(words)}) COMP_CWORD={len(words) - 1}")
        lines.append("_citestream; printf '%s ' \"${COMPREPLY[@]}\"; printf '\\n'")
    said = subprocess.run(["bash", "--norc", "-c", "\n".join(lines)],
                          capture_output=True, text=True, check=False, cwd=folder)
    if said.returncode or said.stderr:
        sys.exit(f"bash: {said.returncode}\n{said.stderr}")
    return [sorted(line.split()) for line in said.stdout.splitlines()]


# In place of inserting what it found, zsh prints it. Calls of compadd that only compute pass.
ZSH = r"""
PS1= PS2= LISTMAX=0
fpath=(${0:h} $fpath)
autoload -Uz compinit && compinit -D -u
compadd() {
  [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]] || { builtin compadd "$@"; return }
  local -a hits
  builtin compadd -A hits "$@"
  found+=($hits)
  builtin compadd "$@"
}
show() {
  found=()
  _main_complete
  print -r -- "<<${(j: :)found}>>"
  compstate[insert]= compstate[list]=
}
zle -C show list-choices show
bindkey '^I' show
print 'set''up'
"""


class Terminal:
    """An interactive zsh, which has to answer within a minute."""

    def __init__(self, folder):
        self.process, self.screen = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "TERM": "dumb", "COLUMNS": "9999", "LC_ALL": "C.UTF-8"})

    def type(self, keys):
        os.write(self.screen, keys.encode())

    def until(self, pattern):
        seen, deadline = "", time.monotonic() + 60
        while not (found := re.search(pattern, seen, re.S)):
            if not select.select([self.screen], [], [], max(0, deadline - time.monotonic()))[0]:
                sys.exit(f"zsh says nothing more:\n{seen}")
            seen += os.read(self.screen, 65536).decode(errors="replace")
        return found

    def close(self):
        os.close(self.screen)
        os.waitpid(self.process, 0)


def completed_by_zsh(script, questions, folder):
    functions = os.path.join(os.path.dirname(folder), "functions")
    os.mkdir(functions)
    shutil.copy(script, os.path.join(functions, "_citestream"))
    setup = os.path.join(functions, "setup")
    with open(setup, "w", encoding="utf-8") as file:
        file.write(ZSH)
    shell = Terminal(folder)
    shell.type(f"source {setup}\n")
    shell.until("setup")
    answers = []
    for words in questions:
        shell.type(" ".join(words).replace(" = ", "=").replace(" =", "=") + "\t")
        # A list's element is completed separately; an option's name may include its =.
        before = words[-1].rpartition(",")[0]
        found = shell.until(r"<<(.*?)>>").group(1).split()
        answers.append(sorted({(before and before + ",") + re.sub(r"(?<=.)=$", "", word) for word in found}))
        shell.type("\x15")
    shell.close()
    return answers


def main(shell, program):
    if not shutil.which(shell):
        print(f"SKIPPED: {shell} is not installed")
        return
    questions = list(expected(commands_of(program)))
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "script")
        with open(script, "w", encoding="utf-8") as file:
            subprocess.run([program, "completion", shell], stdout=file, check=True)
        subprocess.run([shell, "-n", script], check=True)
        here = os.path.join(folder, "here")
        os.makedirs(os.path.join(here, "folder"))
        with open(os.path.join(here, "answer.sse"), "w", encoding="utf-8"):
            pass
        ask = {"bash": completed_by_bash, "zsh": completed_by_zsh}[shell]
        answers = ask(script, [words for words, _ in questions], here)
    wrong = [f"{' '.join(words)}|: {got}, not {want}"
             for (words, want), got in zip(questions, answers, strict=True) if got != want]
    if wrong or len(questions) < 50:
        sys.exit("\n".join([f"{len(questions)} questions", *wrong]))
    print(f"{len(questions)} questions")


if __name__ == "__main__":
    main(*sys.argv[1:])
