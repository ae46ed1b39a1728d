#!/usr/bin/env python3
"""Checks that each rule of rules.py fails for planted violations in a temporary tree and passes for valid files.
Usage: rules_test.py [COMPILER]"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import discovered
import rules
import source

COMPILER = sys.argv.pop() if len(sys.argv) > 1 and not sys.argv[-1].startswith("-") else "c++"
HERE = os.path.dirname(os.path.abspath(__file__))
HEADER = "include/citestream/base/a.hpp"
CORE = "src/session/a.cpp"
SHELL = "src/proxy/a.cpp"


def lines(count):
    return "  step();\n" * count


GRAMMAR_TABLE = "src/marker/grammars.cpp"
GRAMMAR = {GRAMMAR_TABLE: "constexpr const grammar* table[] = {\n    &a_grammar,\n};\n", "src/marker/a.cpp": "",
           "tests/marker/a_test.cpp": "", "tests/marker/golden/a.md": "", "docs/markers.md": "\n| `a` | b |\n"}

EXACT_FIELDS = {
    "src/http/forwarding.cpp": 'constexpr array<2> names_of_exact_bytes{\n    "etag", "digest"};\nconstexpr array<1> b{"host"};\n',
    "src/nginx/stream_filter.c": '\nstatic void drop_fields_of_exact_bytes(int r) {\n  names[] = {ngx_string("Digest")};\n'
                                 '  ngx_http_clear_content_length(r);\n  ngx_http_clear_etag(r);\n}\n',
    "src/lua/citestream.lua": '\nlocal EXACT_BYTES = { "Content-Length", "ETag", "Digest" }\nlocal A = { "Host" }\n',
    "src/js/citestream.js": "  const exactFields = ['content-length', 'etag', 'digest'];\n"}


def without_digest(path):
    """The lists, without a field in that of `path`."""
    return {**EXACT_FIELDS, path: re.sub("digest", "etag", EXACT_FIELDS[path], flags=re.I)}


# rule -> [(description, files that break it)]
BROKEN = {
    "layers": [
        ("a higher layer", {"include/citestream/framing/a.hpp": "#include <citestream/cite/citation.hpp>\n"}),
        ("a sibling", {"src/framing/a.cpp": "#include <citestream/chunk/document.hpp>\n"}),
        ("a sibling, from the source folder", {"src/cite/a.cpp": '#  include "dialect/a.hpp"\n'}),
        ("a higher layer, by a relative path", {"src/framing/a.cpp": '#include "../session/a.hpp"\n'}),
        ("load in proxy", {SHELL: '#include "load/load.hpp"\n'}),
        ("a folder that has no layer", {"src/misc/a.cpp": "int a;\n"}),
        ("an include of no layer", {SHELL: '#include "misc/a.hpp"\n'}),
        ("a file in no folder", {"src/a.cpp": "int a;\n"}),
    ],
    "public_headers": [
        ("200 lines", {HEADER: "#pragma once\n" + "\n" * 199}),
        ("Boost", {HEADER: "#pragma once\n#include <boost/url.hpp>\n"}),
        ("simdjson", {HEADER: "#pragma once\n#include <simdjson.h>\n"}),
        ("a private header", {HEADER: '#pragma once\n#include "base/private.hpp"\n'}),
        ("no guard", {HEADER: "int a();\n"}),
    ],
    "headers_alone": [
        ("a missing include", {HEADER: "#pragma once\nstd::string a();\n"}),
        ("no guard", {HEADER: "struct a {};\n"}),
    ],
    "core_is_pure": [
        ("files", {CORE: "#include <fstream>\n"}),
        ("clocks", {CORE: "#include <chrono>\n"}),
        ("threads", {HEADER: "#include <thread>\n"}),
        ("streams", {CORE: "#include <iostream>\n"}),
        ("sockets", {CORE: "#include <sys/socket.h>\n"}),
        ("Boost", {CORE: "#include <boost/json.hpp>\n"}),
        ("Boost in quotes", {CORE: '#include "boost/json.hpp"\n'}),
        ("simdjson outside chunk", {CORE: "#include <simdjson.h>\n"}),
        ("OpenSSL", {"src/chunk/a.cpp": "#include <openssl/ssl.h>\n"}),
    ],
    "coroutines": [
        ("if", {SHELL: "if (co_await f()) g();\n"}),
        ("if with a declaration", {SHELL: "if (auto r = co_await f(); r) g();\n"}),
        ("while", {SHELL: "while (x && co_await f()) {\n}\n"}),
        ("two in one statement", {SHELL: "auto r = co_await f(co_await g());\n"}),
        ("two over lines", {"tests/proxy/a.cpp": "use(co_await f(),\n    co_await g());\n"}),
        ("a lambda", {SHELL: "co_await f([x] { return x; });\n"}),
        ("a braced temporary", {SHELL: "auto r = co_await f(options{1, 2});\n"}),
        ("a braced argument", {SHELL: "co_await f({1, 2});\n"}),
    ],
    "nothing_left_over": [
        ("a note", {CORE: "// TO" + "DO: later\n"}),
        ("another", {"README.md": "FIX" + "ME\n"}),
        ("a third", {"tools/run": "# X" + "XX\n"}),
        ("a host", {"tests/clients/.npmrc": "registry=https://registry." + "npm" + "js.org/\n"}),
        ("a mirror", {".ci/run": "deb http://deb." + "debian.org/debian\n"}),
        ("a lock file's address", {"tests/clients/package-lock.json": '{"a": {"resolved": "https://x"}}\n'}),
        ("a host in a lock file", {"tests/package-lock.json": '"https://registry.' + 'npm' + 'js.org/a"\n'}),
    ],
    "short_functions": [
        ("a function", {CORE: "namespace a {\n\nvoid f() {\n" + lines(59) + "}\n\n}  // namespace a\n"}),
        ("a member", {HEADER: "class a final : public b {\n public:\n  int f() const {\n" + lines(59) + "  }\n};\n"}),
        ("a template", {CORE: "template <class T>\nvoid f(T t) {\n" + lines(58) + "}\n"}),
        ("a constructor", {CORE: "a::a(int b)\n    : b_{b},\n      c_(b) {\n" + lines(57) + "}\n"}),
        ("a trailing return", {CORE: "auto f() -> struct x {\n" + lines(59) + "}\n"}),
        ("a brace in a string", {CORE: 'void f() {\n  g("}}");\n  h(\'}\');\n' + lines(57) + "}\n"}),
        ("the second of two", {CORE: "int f() {\n}\nint g() {\n" + lines(59) + "}\n"}),
        ("a namespace's lambda", {CORE: "const auto f = [](int x) {\n" + lines(59) + "};\n"}),
    ],
    "top_level": [
        ("a file", {"notes.txt": "\n"}),
        ("a folder", {"notes/a.md": "\n"}),
    ],
    "test_names": [
        (f"a name with {bad}", {"tests/base/a.cpp": f'TEST_CASE("a{bad}b", "[tag]") {{}}\n'})
        for bad in (";", "\\\\", ",", "[", "]", '\\"')
    ] + [("no name", {"tests/base/a.cpp": 'TEST_CASE("") {}\n'})],
    "unique_names": [
        ("two sources", {"src/base/a.cpp": "", "src/cite/a.cpp": ""}),
        ("a private header and a public one", {"src/base/a.hpp": "", "include/citestream/cite/a.hpp": ""}),
        ("two tests", {"tests/base/a_test.cpp": "", "tests/cite/a_test.cpp": ""}),
        ("a benchmark and a source", {"bench/a.cpp": "", "src/base/a.cpp": ""}),
        ("a fuzz target and a source", {"tests/fuzz/a.cpp": "", "src/base/a.cpp": ""}),
        ("a header of C and a source", {"src/nginx/a.h": "", "src/js/a.cpp": ""}),
        ("two scripts", {"tests/support/a.py": "", "bench/a.py": ""}),
        ("two commands", {"tools/a": "", "bench/a": ""}),
    ],
    "executable_scripts": [("a script", {"tools/run": "#!/bin/sh\n"})],
    "one_asio": [
        ("a definition", {"src/replay/CMakeLists.txt": "target_compile_definitions(a PRIVATE BOOST_ASIO_NO_X)\n"}),
        ("a macro", {SHELL: "#define BOOST_ASIO_NO_X\n"}),
        ("a folder", {"src/replay/CMakeLists.txt": "add_compile_definitions(BOOST_ASIO_NO_X)\n"}),
    ],
    "formatted": [("a line", {CORE: "int   a ;\n"})],
    "complete_tables": [("without " + left_out, {path: text for path, text in GRAMMAR.items() if path != left_out})
                        for left_out in GRAMMAR if left_out != GRAMMAR_TABLE]
                       + [("a style without a golden answer", {
                           "src/style/styles.cpp": "constexpr const style* table[] = {&a_style};\n",
                           "src/style/a.cpp": "", "tests/style/a_test.cpp": "", "docs/markers.md": "\n| `a` |\n",
                           "tests/session/golden/styles.md": "```stream style=b\n"})],
    "exact_fields": [(f"a field that {path} lacks", without_digest(path)) for path in EXACT_FIELDS]
                    + [("no list", {**EXACT_FIELDS, "src/lua/citestream.lua": "local NAMES = {}\n"})],
}

# rule -> files that look like violations but are valid
KEPT = {
    "layers": {
        "include/citestream/session/a.hpp": "#include <citestream/session/b.hpp>\n#include <string>\n",
        SHELL: '#include "b.hpp"\n#include "proxy/c.hpp"\n#include "replay/c.hpp"\n#include <boost/asio.hpp>\n',
        "src/tools/a.cpp": '#include "proxy/a.hpp"\n#include "replay/a.hpp"\n',
    },
    "public_headers": {HEADER: "#pragma once\n#include <citestream/base/b.hpp>\n#include <cstdint>\n" + "\n" * 196},
    "headers_alone": {HEADER: "#pragma once\n#include <string>\nstd::string a();\n"},
    "core_is_pure": {
        "src/chunk/a.cpp": '#include "a.hpp"\n#include <simdjson.h>\n#include <string>\n// #include <thread>\n',
        SHELL: "#include <boost/asio.hpp>\n#include <thread>\n",
    },
    "coroutines": {
        SHELL: "// if (co_await f())\nauto r = co_await f(std::move(x));\nif (r) {\n  co_await g(a[0]);\n}\n"
               'if (s) co_await h("{");\nfor (;;) {\n  co_await g();\n}\nspawn([] { co_return co_await f(); });\n',
    },
    "nothing_left_over": {"tests/clients/package-lock.json": '{"integrity": "sha512-+XX' + 'X/"}\n',
                          "tools/run": "mktemp XX" + "XXXX\n"},
    "short_functions": {
        CORE: "void f() {\n" + lines(58) + "}\n\nconst int table[] = {\n" + "    1,\n" * 80 + "};\n\n"
              "class a {\n" + "  int x() { return 1; }\n" * 80 + "};\n",
    },
    "top_level": {name + ("/a" if name.islower() and "." not in name else ""): "\n"
                  for name in rules.TOP_LEVEL | {".clang-format"}},
    "test_names": {"tests/base/a.cpp": 'TEST_CASE("a [b] (c)")'.replace("[b] ", "") + " {}\n"},
    "unique_names": {"include/citestream/base/a.hpp": "", "src/base/a.cpp": "", "src/base/b.cpp": "", "tests/base/c.cpp": "",
                     "tests/base/c.py": "", "bench/a_bench.cpp": "", "src/CMakeLists.txt": "", "src/base/CMakeLists.txt": "",
                     "tests/dialect/golden/a.md": "", "tests/session/golden/a.md": "", "tests/fuzz/dictionaries/a": "",
                     "tests/fuzz/corpus/a/b": "", "tests/fuzz/corpus/c/b": "", "docs/examples/b.cpp": ""},
    "executable_scripts": {"tools/build": "set(x)\n"},
    "one_asio": {SHELL: "#include <boost/asio.hpp>\n", "src/replay/CMakeLists.txt": "add_library(a)\n",
                 "CMakeLists.txt": "add_compile_definitions(BOOST_ASIO_NO_X)\n"},
    "formatted": {CORE: "int a;\n"},
    "complete_tables": GRAMMAR,
    "exact_fields": EXACT_FIELDS,
}


class RulesTest(unittest.TestCase):
    def setUp(self):
        self.root = self.enterContext(tempfile.TemporaryDirectory(prefix="citestream rules "))

    def plant(self, files):
        for path, text in files.items():
            full = os.path.join(self.root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as file:
                file.write(text)
        shutil.copy(os.path.join(HERE, "../../.clang-format"), self.root)

    def broken(self, rule, files):
        self.plant(files)
        try:
            return list(rule(self.root, COMPILER) if rule is rules.headers_alone else rule(self.root))
        except rules.Skipped as reason:
            self.skipTest(str(reason))

    def test_every_rule_is_tried(self):
        names = {rule.__name__ for rule in rules.RULES}
        self.assertEqual(names, set(BROKEN))
        self.assertEqual(names, set(KEPT))

    def test_every_rule_is_run_by_ctest(self):
        listed = re.search(r"foreach\(rule IN ITEMS([^)]*)\)", source.read(HERE, "CMakeLists.txt"))
        self.assertEqual(sorted(rule.__name__ for rule in rules.RULES), sorted(listed[1].split()))

    def test_every_folder_of_headers_has_a_layer(self):
        folders = os.listdir(os.path.join(HERE, "../../include/citestream"))
        self.assertLessEqual({name for name in folders if not name.endswith((".h", ".hpp"))}, set(rules.RANKS))

    def test_files_that_git_ignores_are_not_checked(self):
        self.plant({".gitignore": "/build/\n", "build/a.txt": "\n", "tools/new": "\n"})
        subprocess.run(["git", "init", "-q", self.root], check=True)
        found = source.project_files(self.root)
        self.assertIn("tools/new", found)
        self.assertNotIn("build/a.txt", found)

    def test_a_case_that_cannot_fail_is_reported(self):
        good = {"FAIL_REGULAR_EXPRESSION": [discovered.NO_MATCH], "SKIP_REGULAR_EXPRESSION": ["SKIPPED: "],
                "LABELS": ["unit"], "TIMEOUT": 300.0}

        def faults(properties, *runner):
            case = {"name": "a:case", "command": [*runner, "/nowhere/tests/a"],
                    "properties": [{"name": name, "value": value} for name, value in properties.items()]}
            return list(discovered.faults(case, "/nowhere/tests"))

        for runner in ((), ("/usr/bin/python3", "counting.py")):
            self.assertEqual(faults(good, *runner), [])
            for missing in good:
                some = {name: good[name] for name in good if name != missing}
                self.assertEqual(len(faults(some, *runner)), 1, missing)
        self.assertTrue(list(discovered.faults({"name": "a_test_NOT_BUILT-1"}, "/nowhere/tests")))


def broken_test(rule, what, files):
    def test(self):
        found = self.broken(rule, files)
        self.assertTrue(found, f"{rule.__name__} did not see {what}")
        for line in found:
            self.assertRegex(line, r"^[^:]+:\d+: ")
    return test


def kept_test(rule, files):
    return lambda self: self.assertEqual(self.broken(rule, files), [])


for RULE in rules.RULES:
    for WHAT, FILES in BROKEN.get(RULE.__name__, []):
        setattr(RulesTest, f"test_{RULE.__name__}_sees_{WHAT}", broken_test(RULE, WHAT, FILES))
    setattr(RulesTest, f"test_{RULE.__name__}_lets_right_things_pass",
            kept_test(RULE, KEPT.get(RULE.__name__, {})))

if __name__ == "__main__":
    unittest.main()
