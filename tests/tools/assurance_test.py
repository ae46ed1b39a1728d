"""assurance_test.py: tools/coverage counts a report and names what is not run; tools/failed_tests names failed tests;
tools/lint finds a mistake."""

import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def run(tool, *arguments):
    done = subprocess.run([os.path.join(ROOT, "tools", tool), *arguments], capture_output=True, encoding="utf-8",
                          timeout=240, check=False)
    return done.returncode, done.stdout + done.stderr


def report_of(counts, branches):
    """An lcov report of one file of the core, and of one that is not of the core and is not run at all."""
    core = os.path.realpath(os.path.join(ROOT, "src", "framing", "sse_decoder.cpp"))
    rows = [f"SF:{core}", *(f"DA:{line},{count}" for line, count in enumerate(counts, 1)),
            *(f"BRDA:{line},0,{branch},{count}" for branch, (line, count) in enumerate(branches)), "end_of_record",
            f"SF:{os.path.realpath(__file__)}", *(f"DA:{line},0" for line in range(1, 100)), "end_of_record"]
    return "\n".join(rows) + "\n"


class Coverage(unittest.TestCase):
    def coverage(self, counts, branches):
        with tempfile.TemporaryDirectory() as folder:
            report = os.path.join(folder, "report.lcov")
            with open(report, "w", encoding="utf-8") as out:
                out.write(report_of(counts, branches))
            code, said = run("coverage", report)
            with open(os.path.join(folder, "uncovered"), encoding="utf-8") as named:
                return code, said, named.read()

    def test_enough_coverage(self):
        code, said, named = self.coverage([1] * 19 + [0], [(3, 7)] * 9 + [(4, 0)])
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r"all +95\.00 % of lines +90\.00 % of branches")
        self.assertEqual(named, "src/framing/sse_decoder.cpp:4: 1 branches not taken\nsrc/framing/sse_decoder.cpp:20: not run\n")

    def test_too_few_lines(self):
        code, said, _ = self.coverage([1] * 18 + [0] * 2, [(3, 7)])
        self.assertEqual(code, 1)
        self.assertIn("fewer than 95 % of lines", said)

    def test_too_few_branches(self):
        code, said, _ = self.coverage([1], [(3, 7)] * 8 + [(4, 0), (5, "-")])
        self.assertEqual(code, 1)
        self.assertIn("fewer than 90 % of branches", said)

    def test_a_report_of_nothing(self):
        with tempfile.NamedTemporaryFile("w", suffix=".lcov") as empty:
            self.assertEqual(run("coverage", empty.name)[0], 1)


class FailedTests(unittest.TestCase):
    """Reports as ctest writes them: it runs two programs."""

    def named(self, *programs):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "CTestTestfile.cmake"), "w", encoding="utf-8") as tests:
                tests.writelines(f'add_test("{name}" sh -c "{text}")\n' for name, text in programs)
            report = os.path.join(folder, "tests.xml")
            subprocess.run(["ctest", "--test-dir", folder, "--output-junit", report], capture_output=True, check=False)
            return run("failed_tests", folder)

    def shown(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
                out.write(text)
            return run("failed_tests", folder)

    def test_a_failure_has_its_name_and_the_end_of_its_output(self):
        code, said = self.named(("good: one", "echo fine"), ("bad: <two>", "seq 100 199; exit 3"))
        self.assertEqual(code, 0, said)
        title, *output = said.splitlines()
        self.assertRegex(title, "^== .*: bad: <two>$")
        self.assertEqual(output, [f"  {line}" for line in range(170, 200)])

    def test_nothing_failed(self):
        self.assertEqual(self.named(("good", "echo fine")), (0, ""))

    def test_an_invalid_report_is_skipped(self):
        code, said = self.shown("tests.xml", "<testsuite><testcase")
        self.assertEqual(code, 0)
        self.assertIn("unclosed token", said)

    def test_a_preset_that_did_not_build_has_the_end_of_its_log(self):
        code, said = self.shown("tools_build.log", "".join(f"{line}\n" for line in range(100, 200)))
        self.assertEqual(code, 0)
        title, *output = said.splitlines()
        self.assertRegex(title, "^== .* did not build$")
        self.assertEqual(output, [f"  {line}" for line in range(170, 200)])

    def test_nothing_was_run(self):
        self.assertEqual(run("failed_tests", "no_such_preset"), (0, ""))
        self.assertEqual(run("failed_tests")[0], 1)


class Lint(unittest.TestCase):
    @unittest.skipUnless(shutil.which("clang-tidy-19"), "clang-tidy-19 is not installed")
    def test_lint_finds_a_mistake(self):
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "mistake.cpp")
            with open(source, "w", encoding="utf-8") as out:
                out.write("#include <string>\n#include <utility>\nstd::size_t f(std::string a) {\n"
                          "  const std::string b = std::move(a);\n  return a.size() + b.size();\n}\n")
            code, said = run("lint", source)
            self.assertEqual(code, 1, said)
            self.assertIn("bugprone-use-after-move", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
