"""./tools/run as the README describes it: it prints a clean answer of the demo model and its citations, then serves."""
import asyncio
import os
import re
import signal
import subprocess
import sys
import unittest

from peers import fetch, fetch_page, patiently

ROOT = sys.argv.pop()
BINARY = os.path.join(ROOT, "build", "release", "citestream")
PATIENCE_S = 60
LISTEN = ["--listen", "127.0.0.1:0"]


class RunTest(unittest.TestCase):
    def test_once_shows_the_answer_and_ends(self):
        built = os.stat(BINARY).st_mtime_ns
        done = subprocess.run(["tools/run", "--once", *LISTEN], cwd=ROOT, capture_output=True, text=True, timeout=280)
        self.assertEqual(done.returncode, 0, done.stderr)
        text, _, citations = done.stdout.partition("\nCitations\n")
        self.assertIn("12.4 kW", text)
        self.assertNotIn("](", text)
        self.assertRegex(citations, r"\[1\] Aurora_4_Datasheet\.pdf, page 3 +\(resolved\)")
        self.assertEqual(os.stat(BINARY).st_mtime_ns, built, "a second start builds nothing")

    def test_it_goes_on_serving_and_says_how_to_ask(self):
        with subprocess.Popen(["tools/run", *LISTEN], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as run:
            try:
                shown = ""
                while "curl" not in shown:
                    line = run.stdout.readline()
                    self.assertNotEqual(line, "", "it ended: " + shown)
                    shown += line
                while "http://" not in shown.partition("curl")[2]:
                    line = run.stdout.readline()
                    self.assertNotEqual(line, "", "no address behind curl: " + shown)
                    shown += line
                port, path = re.search(r"http://127\.0\.0\.1:(\d+)(/\S*?)(?=['\"\s]|$)", shown.partition("curl")[2]).groups()
                self.assertIn(b'"citestream"', asyncio.run(patiently(fetch(int(port), "demo", path))))
                page = ""
                while "http://" not in page:
                    page = run.stdout.readline()
                    self.assertNotEqual(page, "", "no address of the page")
                port, path = re.search(r"http://127\.0\.0\.1:(\d+)(/\S*)", page).groups()
                self.assertIn("<title>citestream", asyncio.run(patiently(fetch_page(int(port), path))))
            finally:
                run.send_signal(signal.SIGTERM)
                run.communicate(timeout=PATIENCE_S)


if __name__ == "__main__":
    unittest.main()
