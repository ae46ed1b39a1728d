"""bench_proxy_test.py ROOT BINARY: bench/proxy runs and prints its tables. No figure is checked."""

import collections
import json
import os
import subprocess
import sys
import tempfile
import unittest

from drawn import can_draw, drawn

ROOT, BINARY = map(os.path.abspath, sys.argv[1:3])
SCRIPT = os.path.join(ROOT, "bench", "proxy")
sys.path.insert(0, os.path.dirname(SCRIPT))
from servers import answer_with_claims  # noqa: E402

PATIENCE_S = 240  # a busy machine under a sanitizer


def run(*options):
    return subprocess.run([SCRIPT, "--binary", BINARY, *options], capture_output=True, encoding="utf-8",
                          timeout=PATIENCE_S, check=False)


class BenchProxy(unittest.TestCase):
    def measured(self, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "deeper", "out.json")
            done = run("--quick", "--json", path, *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(path, encoding="utf-8") as file:
                return done, json.load(file)

    def test_every_mode_measures_every_target(self):
        done, results = self.measured("--open", "20")
        left_out = [name for name in ("nginx", "haproxy") if f"left out: {name} is not installed" in done.stderr]
        names = {"direct", "nginx", "haproxy", "citestream", "citestream keep"} - set(left_out)
        self.assertEqual(set(results["measured"]), {"burst", "small", "paced"})
        for mode, by_name in results["measured"].items():
            self.assertEqual(set(by_name), names, mode)
            for name, rounds in by_name.items():
                self.assertEqual(len(rounds), 1)
                self.assertGreater(rounds[0]["total"]["events"], 0, (mode, name))
                self.assertEqual(rounds[0]["faults"], {}, (mode, name))
        for rounds in results["measured"]["paced"].values():
            self.assertIn("on_the_way_us", rounds[0])
        self.assertEqual(set(results["open"]), names - {"direct"})
        for name, counts in results["open"].items():
            self.assertEqual([(got["streams"], got["answering"]) for got in counts], [(20, 20)], name)
        for head in ("Burst", "Small", "Paced", "Open"):
            self.assertIn(f"**{head}**", done.stdout)
        for name in names:
            self.assertIn(f"\n| {name} | ", done.stdout)
        self.assertEqual(results["facts"]["rounds"], 1)
        if can_draw() and not left_out:
            code, errors, _ = drawn("proxy", results)
            self.assertEqual(code, 0, errors)

    def test_rounds_and_selections_are_respected(self):
        done, results = self.measured("--only", "direct,citestream", "--modes", "small", "--rounds", "2")
        self.assertEqual(results["open"], {})
        self.assertEqual({name: len(rounds) for name, rounds in results["measured"]["small"].items()},
                         {"direct": 2, "citestream": 2})
        self.assertNotIn("**Burst**", done.stdout)

    def test_claims_are_measured_with_and_without_the_check(self):
        done, results = self.measured("--modes", "claims,claims-paced")
        for mode in ("claims", "claims-paced"):
            self.assertEqual(set(results["measured"][mode]), {"citestream", "citestream check"})
        self.assertEqual(done.stdout.count("\n| citestream check | "), 2)

    def test_every_tenth_event_ends_a_claim_that_gets_a_verdict(self):
        filtered = subprocess.run([BINARY, "filter", "--check", "report", "--to", "json"], capture_output=True, encoding="utf-8",
                                  input=answer_with_claims(302), check=True)
        verdicts = collections.Counter(one["verdict"] for one in json.loads(filtered.stdout)["citations"])
        self.assertEqual(verdicts, {"supported": 20, "contradicted": 10})

    def test_wrong_usage_is_reported(self):
        for options, word in ((("--only", "apache"), "'apache'"), (("--modes", "x"), "'x'"),
                              (("--open", "many"), "many")):
            done = run(*options)
            self.assertEqual(done.returncode, 2)
            self.assertIn(word, done.stderr)
        missing = subprocess.run([SCRIPT, "--binary", "/no/such"], capture_output=True, encoding="utf-8", check=False)
        self.assertEqual(missing.returncode, 1)
        self.assertIn("bench/proxy: no /no/such: build it with", missing.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
