"""bench_run_test.py ROOT PROGRAM: bench/run has a row for every benchmark of the program and judges its goals by names
that there are. Nothing is measured."""

import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import unittest

from drawn import can_draw, drawn

ROOT, PROGRAM = map(os.path.abspath, sys.argv[1:3])
GOALS = 20


def load_script():
    sys.path.insert(0, os.path.join(ROOT, "bench"))
    loader = importlib.machinery.SourceFileLoader("bench_run", os.path.join(ROOT, "bench", "run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench_run", loader))
    loader.exec_module(module)
    return module


def made_up(script):
    """Results of all benchmarks, as if each had been measured."""
    listed = subprocess.run([PROGRAM, "--benchmark_list_tests"], capture_output=True, encoding="utf-8", check=True)
    names = [script.plain_name(name) for name in listed.stdout.split()]
    one = {"ns": 2.0, "lowest": 1.0, "highest": 3.0, "events": 4, "bytes": 5, "heap": 6}
    return {name: {what: value for what, value in one.items() if (what == "heap") == name.startswith("memory/")}
            for name in names}


class BenchRun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.script = load_script()
        cls.results = made_up(cls.script)

    def test_every_benchmark_has_its_own_row(self):
        rows = list(self.script.main_table(self.results))[2:]
        self.assertEqual(len(rows), sum(not name.startswith("memory/") for name in self.results))
        self.assertEqual(len({tuple(row.split("|")[1:3]) for row in rows}), len(rows))
        self.assertTrue(any("egress guard" in row for row in rows))

    def test_every_goal_finds_its_numbers(self):
        goals = list(self.script.goals(self.results))
        self.assertEqual(len(goals), GOALS, goals)
        guard = {stream: bound for text, stream, _, bound in goals if "egress" in text}
        self.assertEqual(guard, {"text": 1.2, "text-usual": 1.2, "text-dense": 1.2})
        self.assertEqual(len(list(self.script.goal_table(self.results))), GOALS + 2)

    def test_the_other_tables_are_printed(self):
        self.assertGreater(len(list(self.script.memory_table(self.results))), 2)
        self.assertEqual(len(list(self.script.short_table(self.results))), len(self.script.SHAPES) + 2)

    def test_every_figure_finds_its_numbers(self):
        if not can_draw():
            self.skipTest("matplotlib is not installed")
        facts = {"cpu": "A CPU", "cores": 2, "commit": "abc", "time": "now", "load_before": 0, "load_after": 0}
        code, errors, _ = drawn("run", {"machine": facts, "results": self.results})
        self.assertEqual(code, 0, errors)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
