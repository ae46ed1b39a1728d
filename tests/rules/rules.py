"""The rules of the project, one function each: rule(root) yields "path:line: violation"."""

import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from source import code_only, includes, is_cpp, line_of, project_files, read

RANKS = {"base": 0, "framing": 1, "chunk": 1, "marker": 1, "dialect": 2, "cite": 2, "style": 3, "egress": 3,
         "rewrite": 3, "provenance": 4, "session": 4, "check": 4, "capi": 5, "replay": 5, "http": 5, "proxy": 6, "load": 6, "tools": 7,
         "js": 8}
CORE_RANK = 4
MAX_HEADER_LINES = 199
MAX_FUNCTION_LINES = 60
TOP_LEVEL = {"src", "include", "tests", "bench", "tools", "cmake", "docs", "CMakeLists.txt", "CMakePresets.json",
             "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE"}
# Headers that the core must not include: it does no I/O, reads no clock and starts no thread.
NOT_IN_CORE = {"fstream", "iostream", "istream", "ostream", "syncstream", "filesystem", "cstdio", "chrono",
               "ctime", "thread", "mutex", "shared_mutex", "condition_variable", "future", "semaphore",
               "stop_token", "latch", "barrier", "random", "csignal"}


class Skipped(Exception):
    """The rule cannot be checked here."""


def stage_of(path):
    """The folder of a file in src/ or include/citestream/, or "" if it is in neither."""
    parts = path.split("/")
    if parts[0] == "include" and (path.endswith(".h") or len(parts) == 3):
        return "capi"  # the headers of the C interface and the umbrella header are in no folder
    inner = parts[2:] if parts[0] == "include" else parts[1:]
    return inner[0] if len(inner) > 1 else ""


def included_stage(path, angle, what):
    """The stage that an #include in `path` names, or None for files that are not the project's."""
    if what.startswith("citestream/"):
        return stage_of("include/" + what)
    if angle:
        return None
    if "/" not in what:
        return stage_of(path)
    if what.startswith("."):
        return stage_of(os.path.normpath(os.path.join(os.path.dirname(path), what)))
    return what.split("/")[0]


def layers(root):
    """A file includes lower ranks and its own folder only."""
    for path in project_files(root):
        if not is_cpp(path, "src", "include"):
            continue
        own = stage_of(path)
        if own not in RANKS:
            yield f"{path}:1: is in no layer"
            continue
        for line, angle, what in includes(read(root, path)):
            other = included_stage(path, angle, what)
            if other is None or other == own:
                continue
            if other not in RANKS:
                yield f"{path}:{line}: {what} is in no layer"
            elif RANKS[other] >= RANKS[own]:
                yield f"{path}:{line}: {own} (layer {RANKS[own]}) includes {what} (layer {RANKS[other]})"


def public_headers(root):
    """Public headers are short, guarded, and know the standard library and each other only."""
    for path in project_files(root):
        if not is_cpp(path, "include"):
            continue
        text = read(root, path)
        lines = text.count("\n")
        if lines > MAX_HEADER_LINES:
            yield f"{path}:{lines}: {lines} lines; {MAX_HEADER_LINES} at most"
        if not re.search(r"^#pragma once$", text, re.M):
            yield f"{path}:1: no #pragma once"
        for line, angle, what in includes(text):
            ours = angle and what.startswith("citestream/")
            if not ours and not (angle and re.fullmatch(r"[a-z_0-9]+", what)):
                yield f"{path}:{line}: {what} is neither standard nor a public header of ours"


def headers_alone(root, compiler="c++"):
    """Each public header compiles alone, and twice."""
    headers = [path for path in project_files(root) if is_cpp(path, "include")]

    def errors_of(path):
        name = path[len("include/"):]
        with tempfile.NamedTemporaryFile("w", suffix=".cpp") as unit:
            unit.write(f"#include <{name}>\n#include <{name}>\n")
            unit.flush()
            run = subprocess.run(
                [compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                 "-I", os.path.join(root, "include"), unit.name],
                capture_output=True, text=True, check=False)
        return f"{path}:1: does not compile alone\n{run.stderr}" if run.returncode else None

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from filter(None, pool.map(errors_of, headers))


def core_is_pure(root):
    """The core includes no I/O, no clocks, no threads and no third party; simdjson in src/chunk only."""
    for path in project_files(root):
        if not is_cpp(path, "src", "include") or RANKS.get(stage_of(path), CORE_RANK) > CORE_RANK:
            continue
        for line, angle, what in includes(read(root, path)):
            if what == "simdjson.h" and path.startswith("src/chunk/"):
                continue
            if what.startswith("citestream/") or (not angle and not what.startswith("boost/")):
                continue
            if what in NOT_IN_CORE or not re.fullmatch(r"[a-z_0-9]+", what):
                yield f"{path}:{line}: {what} does not belong in the core"


CONDITION = re.compile(r"\b(?:if|while|switch)\s*(?:constexpr\s*)?\(")


def closing(code, opening):
    """Returns the position of the bracket that closes the one at `opening`, or the end."""
    depth = 0
    for place in range(opening, len(code)):
        depth += (code[place] in "([{") - (code[place] in ")]}")
        if depth == 0:
            return place
    return len(code)


def expression_end(code, start):
    """Returns the end of the statement or bracket that contains the expression at `start`."""
    depth = 0
    for place in range(start, len(code)):
        if code[place] in "([{":
            depth += 1
        elif code[place] in ")]}":
            depth -= 1
            if depth < 0:
                return place
        elif code[place] == ";" and depth == 0:
            return place
    return len(code)


def coroutines(root):
    """No code that g++ 12 is known to miscompile: see CONTRIBUTING.md, "Coroutines"."""
    for path in project_files(root):
        if not is_cpp(path, "src", "tests", "bench"):
            continue
        code = code_only(read(root, path))
        for found in CONDITION.finditer(code):
            if re.search(r"\bco_await\b", code[found.end():closing(code, found.end() - 1)]):
                yield f"{path}:{line_of(code, found.start())}: co_await in a condition"
        for statement in re.finditer(r"[^;{}]+", code):
            if len(re.findall(r"\bco_await\b", statement[0])) > 1:
                yield f"{path}:{line_of(code, statement.start())}: two co_await in one statement"
        for found in re.finditer(r"\bco_await\b", code):
            if "{" in code[found.end():expression_end(code, found.end())]:
                yield (f"{path}:{line_of(code, found.start())}: "
                       "lambda or braced temporary inside a co_await expression")


UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|X" r"XX)\b")
REGISTRY = re.compile(
    r"registry\.npm|npmjs\.(?:org|com)|yarnpkg\.com|(?:deb|ftp|security|snapshot|archive|mirrors?)\.debian\.org"
    r"|archive\.ubuntu\.com|nodesource\.com|apt\.llvm\.org|pypi\.org|pythonhosted\.org|crates\.io"
    r"|proxy\.golang\.org|rubygems\.org|ghcr\.io|docker\.io|conan\.io", re.I)
LOCK_FILES = ("package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml")
LOCKED_ADDRESS = re.compile(r'"resolved"\s*:|^\s*resolved\s|tarball:', re.M)


def nothing_left_over(root):
    """No notes to self, no registry host names, no download addresses in lock files."""
    for path in project_files(root):
        text = read(root, path)
        if "\0" in text:  # a picture
            continue
        locked = os.path.basename(path) in LOCK_FILES
        rules = [(REGISTRY, "host of a package registry")]
        rules.append((LOCKED_ADDRESS, "download address in a lock file") if locked
                     else (UNFINISHED, "note to self"))
        for pattern, what in rules:
            for found in pattern.finditer(text):
                yield f"{path}:{line_of(text, found.start())}: {what}: {found[0].strip()}"


CONTAINER = re.compile(r"^\s*(?:template\s*<.*>\s*)?(?:inline\s+)?(?:namespace|class|struct|union|enum|extern)\b"
                       r"(?![^{]*\)\s*(?:const|noexcept|override|final|->|$))", re.S)


def functions(code):
    """(first line, last line) of every function body that is not inside another one."""
    containers = 0
    head = place = 0
    while place < len(code):
        byte = code[place]
        if byte == ";":
            head = place + 1
        elif byte == "}":
            containers -= 1
            head = place + 1
        elif byte == "(":
            place = closing(code, place)
        elif byte == "{":
            before = code[head:place]
            if CONTAINER.match(re.sub(r"\b(?:public|private|protected)\s*:", " ", before)):
                containers += 1
                head = place + 1
            else:
                end = closing(code, place)
                after = code[end + 1:].lstrip()[:1]
                if after not in (",", "{"):  # an initialiser of a constructor: the body follows
                    if ")" in before:
                        first = head + len(before) - len(before.lstrip())
                        yield line_of(code, first), line_of(code, end)
                    head = end + 1
                place = end
        place += 1


def short_functions(root):
    """No function in src/ or include/ has more than 60 lines, signature and braces included."""
    for path in project_files(root):
        if not is_cpp(path, "src", "include"):
            continue
        for first, last in functions(code_only(read(root, path))):
            if last - first + 1 > MAX_FUNCTION_LINES:
                yield f"{path}:{first}: a function of {last - first + 1} lines; {MAX_FUNCTION_LINES} at most"


def top_level(root):
    """Only known files and folders are at the top of the tree."""
    names = {path.split("/")[0] for path in project_files(root)}
    for name in sorted(names):
        if name not in TOP_LEVEL and not name.startswith("."):
            yield f"{name}:1: does not belong at the top level"


TEST_NAME = re.compile(r'\b(?:TEST_CASE|SCENARIO)\s*\(\s*"((?:\\.|[^"\\])*)"')


def test_names(root):
    """ctest and Catch2 can both pass on the name of every test case."""
    for path in project_files(root):
        if not is_cpp(path, "tests"):
            continue
        text = read(root, path)
        for found in TEST_NAME.finditer(text):
            bad = sorted(set(found[1]) & set(';\\,[]"'))
            if bad or found[1] != found[1].strip() or not found[1]:
                yield f"{path}:{line_of(text, found.start())}: a test name with {' '.join(bad) or 'blanks'}"


# Names that a tool or a convention gives, and folders of data that is named like the thing it belongs to.
GIVEN_NAMES = {".npmrc", "CMakeLists.txt", "README.md", "__init__.py", "package.json", "package-lock.json", "postinst", "postrm",
               "prerm", "run"}
NAMED_LIKE_SUBJECT = re.compile(r"/(?:golden|corpus|dictionaries|regressions)/|^docs/examples/")


def unique_names(root):
    """No two files of the tree have the same name, except a header and its source, names given by a tool, and data."""
    first = {}
    for path in project_files(root):
        if os.path.basename(path) in GIVEN_NAMES or NAMED_LIKE_SUBJECT.search(path):
            continue
        # A header and its source are in the same folder of src/ and include/citestream/.
        folder, name = os.path.split(re.sub(r"\.(?:c|h|cpp|hpp)$", "", path.replace("include/citestream/", "src/", 1)))
        other_folder, other = first.setdefault(name, (folder, path))
        if other_folder != folder:
            yield f"{path}:1: {other} has the same name"


def executable_scripts(root):
    """Scripts that start with #! are executable."""
    for path in project_files(root):
        if path.split("/")[0] in ("tools", "bench", ".ci") and read(root, path).startswith("#!"):
            if not os.access(os.path.join(root, path), os.X_OK):
                yield f"{path}:1: a script that is not executable"


def one_asio(root):
    """Macros that change Asio are set for all targets or none: everything in one binary must see the same Asio."""
    for path in project_files(root):
        if not (path.endswith("CMakeLists.txt") or path.startswith(("src/", "include/", "cmake/"))):
            continue
        for number, line in enumerate(read(root, path).splitlines(), 1):
            for_all = path == "CMakeLists.txt" and line.strip().startswith("add_compile_definitions(")
            if "BOOST_ASIO_" in line and not for_all:
                yield f"{path}:{number}: a macro that changes Asio"


def clang_format_14():
    """Returns clang-format 14, or None. Other versions format differently."""
    for name in ("clang-format-14", "clang-format"):
        try:
            said = subprocess.run([name, "--version"], capture_output=True, text=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            continue
        if re.search(r"version 14\.", said):
            return name
    return None


def formatted(root):
    """C++ is formatted by clang-format 14."""
    program = clang_format_14()
    if program is None:
        raise Skipped("clang-format 14 is not installed")
    paths = [path for path in project_files(root) if is_cpp(path, "src", "include", "tests", "bench")]
    if not paths:
        return
    # One run for all files, because starting the program takes most of the time.
    run = subprocess.run([program, "--style=file", "--dry-run", "-Werror", *paths], cwd=root,
                         capture_output=True, text=True, check=False)
    if run.returncode:
        said = re.findall(r"^(\S+?):\d+:\d+: error:.*", run.stderr, re.M)
        for path in sorted(set(said)):
            yield f"{path}:1: not formatted (clang-format -i {path})"
        if not said:
            yield f"clang-format failed:\n{run.stderr}"


def table_entries(root, path, kind):
    """The names in a table of grammars, dialects or styles: `&link_grammar` is `link`."""
    table = re.search(r"table\[\] = \{(.*?)\};", read(root, path), re.S)
    return re.findall(rf"&(\w+)_{kind}\b", table[1]) if table else []


def complete_tables(root):
    """Each grammar, dialect and style has a source, a test, a golden answer and a row in the documentation.

    Source and test are named like it, or `numeric_style.cpp` if a grammar or dialect has that name too.
    """
    paths = set(project_files(root))
    for stage, kind, golden, page in (("marker", "grammar", "tests/marker/golden/{}.md", "docs/markers.md"),
                                      ("dialect", "dialect", "tests/dialect/golden/{}.md", "docs/providers.md"),
                                      ("style", "style", "tests/session/golden/styles.md", "docs/markers.md")):
        table = f"src/{stage}/{kind}s.cpp"
        if table not in paths:
            continue
        for name in table_entries(root, table, kind):
            source = f"src/{stage}/{name}_{kind}.cpp"
            if source not in paths:
                source = f"src/{stage}/{name}.cpp"
            stem = os.path.splitext(os.path.basename(source))[0]
            for path in (source, f"tests/{stage}/{stem}_test.cpp", golden.format(name)):
                if path not in paths:
                    yield f"{table}:1: {name} has no {path}"
            if page not in paths or f"\n| `{name}`" not in read(root, page):
                yield f"{table}:1: {name} has no row in {page}"
            if kind == "style" and golden in paths and f"style={name}\n" not in read(root, golden):
                yield f"{table}:1: {name} has no golden answer in {golden}"


# Where each program lists the fields that it removes from a message whose body it has changed.
EXACT_FIELDS = {"src/http/forwarding.cpp": r"names_of_exact_bytes\{.*?\}",
                "src/nginx/stream_filter.c": r"\nstatic void drop_fields_of_exact_bytes\(.*?\n\}",
                "src/lua/citestream.lua": r"\nlocal EXACT_BYTES = \{.*?\}",
                "src/js/citestream.js": r"const exactFields = \[.*?\]"}
EXACT_FIELD = re.compile(r"""["']([A-Za-z0-9-]+)["']|\bngx_http_clear_(\w+)\(""")
# src/http replaces the length of every message, so its list does not have it.
HANDLED_ELSEWHERE = {"content-length"}


def exact_fields(root):
    """A changed body loses the same fields about its exact bytes in the proxy, nginx, Lua and JavaScript."""
    paths = set(project_files(root))
    lists = {}
    for path, pattern in EXACT_FIELDS.items():
        if path not in paths:
            continue
        text = read(root, path)
        found = re.search(pattern, text, re.S)
        if found is None:
            yield f"{path}:1: has no list of the fields about exact bytes"
            continue
        names = {(name or cleared).lower().replace("_", "-") for name, cleared in EXACT_FIELD.findall(found[0])}
        lists[f"{path}:{line_of(text, found.end())}"] = names - HANDLED_ELSEWHERE
    for place, names in lists.items():
        for name in sorted(set().union(*lists.values()) - names):
            yield f"{place}: {name} is not in this list, but in another one"


RULES = [layers, public_headers, headers_alone, core_is_pure, coroutines, nothing_left_over, short_functions,
         top_level, test_names, unique_names, executable_scripts, one_asio, formatted, complete_tables, exact_fields]
