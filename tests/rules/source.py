"""Files of the project for the rules: their list, and C++ with comments and strings blanked."""

import os
import re
import subprocess

CPP_ENDINGS = (".cpp", ".hpp")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
UNTRACKED_FOLDERS = {".git", "build", "node_modules", "__pycache__", ".cache"}


def project_files(root):
    """Returns all files that are tracked or would be added by `git add`; without git, all files that are not built."""
    listed = subprocess.run(
        ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, check=False)
    if listed.returncode == 0 and os.path.exists(os.path.join(root, ".git")):
        paths = listed.stdout.decode("utf-8", "surrogateescape").split("\0")
    else:
        paths = []
        for folder, folders, names in os.walk(root):
            folders[:] = [name for name in folders if name not in UNTRACKED_FOLDERS]
            paths += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return sorted(path for path in set(paths) if path and os.path.isfile(os.path.join(root, path)))


def read(root, path):
    """Returns the text of a file. Invalid UTF-8 is replaced."""
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def is_cpp(path, *folders):
    """Whether `path` is C++ in one of the top-level `folders`."""
    return path.endswith(CPP_ENDINGS) and path.split("/")[0] in folders


def includes(text):
    """(line number, whether in angle brackets, what) of each #include."""
    return [(text.count("\n", 0, found.start(2)) + 1, found[1] == "<", found[2])
            for found in INCLUDE.finditer(text)]


LEXEME = re.compile(
    r'//(?:\\\n|[^\n])*'                                        # line comment
    r'|/\*.*?\*/'                                               # block comment
    r'|\b(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)"'  # raw string
    r'|"(?:\\.|[^"\\\n])*"'                                     # string
    r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'",                    # character, not a digit separator
    re.S)


def code_only(text):
    """Returns the text with comments, strings and directives blanked. Lines and columns do not change."""
    def blank(found):
        kept = re.sub(r"[^\n]", " ", found[0])
        return '"' + kept[1:-1] + '"' if found[0][0] == '"' else kept
    text = LEXEME.sub(blank, text)
    return re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", blank, text, flags=re.M)


def line_of(text, position):
    return text.count("\n", 0, position) + 1
