"""readme_test.py ROOT BINARY LOOP: runs the README's commands and compares the output with what it shows.

LOOP is the README's C++ example, built.
"""

import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request

from readme_blocks import commands, example, stream

ROOT, BINARY, LOOP = (pathlib.Path(argument).absolute() for argument in sys.argv[1:4])
README = (ROOT / "README.md").read_text(encoding="utf-8")
BEFORE = stream(example(README, "before"))
AFTER = stream(example(README, "after"))
PATIENCE_S = 30


def run(command, given="", **options):
    return subprocess.run(command, input=given, capture_output=True, encoding="utf-8", timeout=PATIENCE_S, **options)


class Served:
    """A command that serves until it is ended, and ends well."""

    def __init__(self, command, folder):
        self.command = command
        self.process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, encoding="utf-8")
        self.lines = []
        self.reader = threading.Thread(target=lambda: self.lines.extend(self.process.stderr))

    def __enter__(self):
        # The address is in the first line. A thread reads the rest so that the pipe never fills.
        self.lines.append(self.process.stderr.readline())
        self.reader.start()
        found = re.search(r" on (http://\S+)", self.lines[0])
        if not found:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"{self.command} said {self.lines[0]!r}")
        self.url = found[1]
        return self

    def __exit__(self, kind, *_):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(PATIENCE_S)
        self.reader.join()
        self.process.stderr.close()
        if kind is None and code != 0:
            raise AssertionError(f"{self.command} ended with {code}: {self.lines}")

    def ask(self, path="/v1/chat"):
        body = json.dumps({"model": "answer", "stream": True}).encode()
        with urllib.request.urlopen(f"{self.url}{path}", body, PATIENCE_S) as answer:
            return answer.read().decode()


class Readme(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "answer.sse").write_text(BEFORE, encoding="utf-8")

    def ours(self, command):
        """The README's commands that start with build/release/citestream COMMAND, as argument lists."""
        all_of_them = [shlex.split(line) for line in commands(README)]
        found = [[str(BINARY), *line[1:]] for line in all_of_them
                 if line[:2] == ["build/release/citestream", command]]
        self.assertTrue(found, f"the README shows no {command}")
        return found

    def with_free_port(self, arguments):
        place = arguments.index("--listen") + 1
        return [*arguments[:place], re.sub(r":\d+$", ":0", arguments[place]), *arguments[place + 1:]]

    def test_every_command_is_tested_here(self):
        known = {"build/release/citestream proxy", "build/release/citestream filter",
                 "build/release/citestream replay", "build/release/citestream load", "build/release/citestream check", "./tools/run",
                 "./tools/test"}
        for line in commands(README):
            self.assertIn(" ".join(line.split()[:1 if line.startswith("./") else 2]), known)

    def test_the_stream_before_becomes_the_stream_after(self):
        result = run([BINARY, "filter"], BEFORE)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, AFTER)

    def test_the_filter_commands(self):
        seen = set()
        for arguments in self.ours("filter"):
            result = run(arguments, cwd=self.folder)
            self.assertEqual((result.returncode, result.stderr), (0, ""), arguments)
            form = arguments[arguments.index("--to") + 1]
            seen.add(form)
            if form == "text":
                self.assertEqual(result.stdout.rstrip("\n"), "Sales grew by 20%.")
            else:
                document = json.loads(result.stdout)
                self.assertEqual(document["content"], "Sales grew by 20%.")
                self.assertEqual([each["label"] for each in document["citations"]], ["Report.pdf"])
                self.assertEqual(len(document["sources"]), 1)
        self.assertEqual(seen, {"text", "json"})

    def test_the_check_commands(self):
        claim = {"claim": "Sales grew by 20%.", "references": ["Last year sales rose 20%."]}
        (self.folder / "claims.jsonl").write_text(json.dumps(claim) + "\n", encoding="utf-8")
        page = {"collection": "web_search", "source": "https://example.com/a", "title": "A page"}
        (self.folder / "documents.json").write_text(json.dumps([page]), encoding="utf-8")
        seen = {}
        for arguments in self.ours("check"):
            result = run(arguments, cwd=self.folder)
            self.assertEqual((result.returncode, result.stderr), (0, ""), arguments)
            seen[arguments[2]] = result.stdout
        self.assertEqual(sorted(seen), ["answer", "claims", "format"])
        self.assertTrue(seen["answer"].startswith("grounded: yes\n"), seen["answer"])
        self.assertGreaterEqual(json.loads(seen["claims"])["support"], 0.5)
        self.assertEqual(json.loads(seen["format"])["formatted_citations"], ["[A page](https://example.com/a)"])

    def test_replay_and_proxy(self):
        for replay in self.ours("replay"):
            with Served(self.with_free_port(replay), self.folder) as upstream:
                started = time.monotonic()
                self.assertEqual(upstream.ask(), BEFORE)
                pace_s = int(replay[replay.index("--pace") + 1]) / 1000
                self.assertGreaterEqual(time.monotonic() - started, pace_s * (BEFORE.count("\n\n") - 1))
                for proxy in self.ours("proxy"):
                    if "--config" in proxy:
                        continue
                    proxy = self.with_free_port(proxy)
                    proxy[proxy.index("--upstream") + 1] = upstream.url  # the README's is not on this machine
                    with Served(proxy, self.folder) as relay:
                        self.assertEqual(relay.ask(), AFTER)

    def test_the_configuration(self):
        text = example(README, "configuration")
        file = self.folder / "citestream.toml"
        file.write_text(text, encoding="utf-8")
        [command] = [line for line in self.ours("proxy") if "--config" in line]
        checked = run([*command, "--check-config"], cwd=self.folder)
        self.assertEqual((checked.returncode, checked.stderr), (0, ""))
        with Served([str(BINARY), "replay", "answer.sse", "--pace", "0"], self.folder) as upstream:
            # The README's upstreams are not on this machine.
            file.write_text(re.sub(r'"https://[^"]*"', f'"{upstream.url}"', text), encoding="utf-8")
            with Served([*command, "--listen", "127.0.0.1:0"], self.folder) as relay:
                self.assertIn('"content":"[1]."', relay.ask())
                self.assertEqual(relay.ask("/openai/v1/chat"), AFTER)

    def test_load(self):
        with Served([str(BINARY), "replay", "answer.sse", "--pace", "0"], self.folder) as upstream:
            with Served([str(BINARY), "proxy", "--upstream", upstream.url, "--listen", "127.0.0.1:0"], self.folder) as relay:
                for arguments in self.ours("load"):
                    for option, value in (("--url", relay.url), ("--streams", "2"), ("--duration", "0.5")):
                        arguments[arguments.index(option) + 1] = value
                    result = run(arguments, cwd=self.folder)
                    self.assertEqual((result.returncode, result.stderr), (0, ""))
                    self.assertRegex(result.stdout, r"^[1-9][0-9 ]* answers, 0 wrong, ")

    def test_the_loop(self):
        result = run([LOOP], BEFORE)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        payloads = [json.loads(event.removeprefix("data: ")) for event in result.stdout.split("\n\n") if event]
        text = "".join(each["choices"][0]["delta"]["content"] or "" for each in payloads)
        self.assertEqual(text, "Sales grew by 20% [1].")
        self.assertEqual([each["label"] for each in payloads[-1]["citestream"]["citations"]], ["Report.pdf"])

    def test_the_loop_goes_on_after_an_event_that_is_no_json(self):
        broken = 'data: {"object":"chat.completion.chunk","choices":[{\n\n'
        result = run([LOOP], broken + BEFORE)
        self.assertRegex(result.stderr, r"^.+ at byte \d+\n$")
        self.assertTrue(result.stdout.startswith(broken))
        self.assertIn('"citestream"', result.stdout)

    def test_the_commands_to_start_with(self):
        for line in commands(README):
            if line.startswith("./"):
                script = ROOT / line.split()[0]
                self.assertTrue(os.access(script, os.X_OK), f"{line}: not to be run")
                self.assertEqual(run(["bash", "-n", script]).returncode, 0)

    def test_links_lead_somewhere(self):
        for target in re.findall(r"\]\((?!https?:)([A-Z][\w./-]+)\)", re.sub(r"```.*?```", "", README, flags=re.S)):
            self.assertTrue((ROOT / target).exists(), f"README.md links to {target}, which is not there")

    def test_it_is_short(self):
        self.assertLessEqual(README.count("\n"), 250)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
