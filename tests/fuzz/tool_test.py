"""tool_test.py ROOT: tools/fuzz runs a target, reports the result and rejects an unknown target."""

import os
import re
import subprocess
import sys
import unittest

ROOT = os.path.abspath(sys.argv[1])


def fuzz(*arguments):
    done = subprocess.run([os.path.join(ROOT, "tools", "fuzz"), *arguments], stdin=subprocess.DEVNULL,
                          capture_output=True, encoding="utf-8", timeout=240, check=False)
    return done.returncode, done.stdout, done.stderr


class Tool(unittest.TestCase):
    def test_one_target_is_run_and_counted(self):
        code, out, errors = fuzz("sse", "1")
        self.assertEqual(code, 0, out + errors)
        counted = re.fullmatch(r"sse: (\d+) executions, (\d+) edges, nothing found\n", out)
        self.assertTrue(counted, out)
        self.assertGreater(int(counted[1]), 10)
        self.assertGreater(int(counted[2]), 10)

    def test_wrong_usage_names_the_targets(self):
        for wrong in (["nonsense"], ["sse", "-1"], ["../sse"]):
            code, out, errors = fuzz(*wrong)
            self.assertEqual((code, out), (2, ""))
            for target in os.listdir(os.path.join(ROOT, "tests", "fuzz", "corpus")):
                self.assertRegex(errors, rf"\b{target}\b")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
