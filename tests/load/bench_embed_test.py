"""bench_embed_test.py ROOT BUILD: bench/embed runs, and docs/performance.md has a row for each way. No figure is judged."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from drawn import can_draw, drawn

ROOT, BUILD = map(os.path.abspath, sys.argv[1:3])
PATIENCE_S = 240  # a busy machine


class BenchEmbed(unittest.TestCase):
    def test_every_way_is_measured_and_has_a_row_in_the_docs(self):
        path = os.path.join(self.enterContext(tempfile.TemporaryDirectory()), "out.json")
        done = subprocess.run([os.path.join(ROOT, "bench", "embed"), "--quick", "--build", BUILD, "--json", path],
                              capture_output=True, encoding="utf-8", timeout=PATIENCE_S, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(path, encoding="utf-8") as file:
            results = json.load(file)
        self.assertIn("C++", results["measured"])
        if can_draw():
            code, errors, _ = drawn("embed", results)
            self.assertEqual(code, 0, errors)
        measured = set(re.findall(r"^\| ([^|]+) \| \S", done.stdout, re.M)) - {"CPU µs an event"}
        self.assertLessEqual({"C++", "C", "Python", "proxy"}, measured)
        self.assertEqual(len(measured), 11 - done.stderr.count("left out: "), done.stderr)
        with open(os.path.join(ROOT, "docs", "performance.md"), encoding="utf-8") as file:
            block = re.search(r"<!-- embed: begin -->\n(.*?)<!-- embed: end -->", file.read(), re.S)[1]
        self.assertLessEqual(measured, set(re.findall(r"^\| ([^|]+) \|", block, re.M)))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
