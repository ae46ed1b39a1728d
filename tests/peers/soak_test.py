"""soak_test.py BINARY: a short tools/soak finds no fault, and each of its checks can fail."""

import os
import subprocess
import sys
import unittest

from peers import PATIENCE_S

BINARY = os.path.abspath(sys.argv[1])
SOAK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "soak")


def soak(*options):
    done = subprocess.run([SOAK, "--binary", BINARY, "--seed", "1", *options], capture_output=True, encoding="utf-8",
                          timeout=8 * PATIENCE_S, check=False)
    return done.returncode, done.stdout + done.stderr


class Soak(unittest.TestCase):
    def test_a_run_of_some_seconds_passes(self):
        code, said = soak("0.15", "--clients", "60", "--silence", "10")
        self.assertEqual(code, 0, said)
        self.assertIn("no failures", said)

    def test_its_checks_can_fail(self):
        code, said = soak("0.1", "--clients", "40", "--plant", "answers,memory,metrics,descriptors,lateness")
        self.assertEqual(code, 1, said)
        for name in ("answers", "memory", "metrics", "descriptors", "lateness"):
            self.assertIn(f"FAILED: {name}: ", said)
        self.assertRegex(said, r"FAILED: answers: .*; the proxy: time=")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
