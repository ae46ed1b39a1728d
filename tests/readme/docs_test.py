"""docs_test.py ROOT BUILD: follows README.md and docs/ and compares the results with the pages.

Every shell command of every page is run: servers on free ports, providers replaced by a recorded stream. Every C, Python,
Lua and nginx example is run if its interpreter is installed. Every link, anchor, flag and file name must exist.
"""

import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

from pages import anchors, blocks, commands, example, links, page_names, prose, read_page

ROOT, BUILD = (pathlib.Path(argument).absolute() for argument in sys.argv[1:3])
BINARY = BUILD / "citestream"
LOOP, QUICKSTART = (BUILD / "tests/readme" / name for name in ("readme_loop", "readme_quickstart"))
LIBRARY = BUILD / "libcitestream.so.1"
MODULE = BUILD / "ngx_http_citestream_module.so"
PAGES = {name: read_page(ROOT, name) for name in page_names(ROOT)}
README = PAGES["README.md"]
PATIENCE_S = 60
MAX_README_LINES = 175


def stream_of(code):
    """The event stream whose events are shown one per line."""
    return "".join(line + "\n\n" for line in code.splitlines())


BEFORE = stream_of(example(README, "before"))


def run(command, given="", **options):
    return subprocess.run(command, input=given, capture_output=True, encoding="utf-8", timeout=PATIENCE_S, check=False,
                          **options)


class Server:
    """A command that serves until it is stopped, on a free port."""

    def __init__(self, arguments, folder):
        arguments = list(arguments)
        if "--listen" not in arguments:
            arguments += ["--listen", "127.0.0.1:0"]
        place = arguments.index("--listen") + 1
        self.shown = arguments[place]  # the address in the page
        arguments[place] = re.sub(r":\d+$", ":0", arguments[place])
        self.process = subprocess.Popen([str(BINARY), *arguments], cwd=folder, stderr=subprocess.PIPE, encoding="utf-8")
        self.lines = [self.process.stderr.readline()]
        self.reader = threading.Thread(target=lambda: self.lines.extend(self.process.stderr))
        self.reader.start()
        found = re.search(r" on http://(\S+)", self.lines[0])
        if not found:
            self.stop()
            raise AssertionError(f"{arguments}: {self.lines}")
        self.address = found[1]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(PATIENCE_S)
        self.reader.join()
        self.process.stderr.close()
        return code


class Session:
    """Runs the commands of one page in order, in a separate folder, as a reader would."""

    def __init__(self, test, page, folder):
        self.test, self.page, self.folder = test, page, pathlib.Path(folder)
        self.servers = contextlib.ExitStack()
        self.addresses = {}  # as the page has them: as they are here
        for stream in ("answer.sse", "new.sse"):
            (self.folder / stream).write_text(BEFORE, encoding="utf-8")
        tools = self.folder / "bin"
        tools.mkdir()
        (tools / "citestream").symlink_to(BINARY)
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "WRITER_API_KEY": "none"}

    def here(self, text):
        """The text with the addresses of this machine; a provider is a recorded stream."""
        for shown, address in self.addresses.items():
            text = text.replace(shown, address)
        if re.search(r'https://api\.[\w.]+', text):
            if "provider" not in self.addresses:
                self.serve(["replay", "answer.sse", "--pace", "0"], "provider")
            text = re.sub(r"https://api\.[\w.]+", "http://" + self.addresses["provider"], text)
        return text

    def serve(self, arguments, name=None):
        server = Server(arguments, self.folder)
        self.servers.callback(lambda: self.test.assertEqual(server.stop(), 0, f"{self.page}: {arguments}: {server.lines}"))
        self.addresses[name or server.shown] = server.address

    def run(self, command, comment):
        """Runs one command of the page. \return what it prints"""
        command = re.sub(r"^build/release/", "", command)
        words = shlex.split(command)
        if words[:1] == ["citestream"] and words[1] in ("proxy", "replay") and not {"--check-config", "--print-config"} & set(words):
            arguments = shlex.split(self.here(command))[1:]
            if "--config" in arguments:
                file = self.folder / arguments[arguments.index("--config") + 1]
                file.write_text(self.here(file.read_text(encoding="utf-8")), encoding="utf-8")
            self.serve(arguments)
            return ""
        if words[:2] == ["citestream", "play"]:
            return ""  # tests/page
        if words[:2] == ["citestream", "load"]:
            command = re.sub(r"--duration \S+", "--duration 0.5", re.sub(r"--streams \S+", "--streams 2", command))
        if words[:1] == ["curl"]:
            if not shutil.which("curl"):
                return ""
            command = command.replace("curl -N", "curl -sSfN")
        done = run(["bash", "-c", self.here(command)], cwd=self.folder, env=self.environment)
        expected = int((re.search(r"exit code (\d)", comment) or [0, 0])[1])
        self.test.assertEqual((done.returncode, done.stderr), (expected, ""), f"{self.page}: {command}: {done.stdout}")
        return done.stdout

    def close(self):
        self.servers.close()


class Commands(unittest.TestCase):
    """Every shell command of every page works as described."""

    def start(self, page):
        session = Session(self, page, self.enterContext(tempfile.TemporaryDirectory()))
        self.addCleanup(session.close)
        return session

    def test_the_pages(self):
        count = 0
        for page, text in PAGES.items():
            with self.subTest(page=page):
                count += self.run_page(self.start(page), text)
        self.assertGreater(count, 20)

    def run_page(self, session, text):
        count, printed = 0, ""
        for block in blocks(text):
            if block.directive == "file":
                (session.folder / block.name).write_text(block.code, encoding="utf-8")
            elif block.directive == "example" and block.language == "toml":
                (session.folder / "citestream.toml").write_text(block.code, encoding="utf-8")
            elif block.directive == "output":
                self.assertEqual(printed.rstrip("\n"), block.code.rstrip("\n"), f"{session.page}:{block.line}")
            elif block.language == "sh":
                for command, comment in commands(block.code):
                    count += 1
                    printed = self.run_command(session, command, comment)
        return count

    def run_command(self, session, command, comment):
        first = command.split()[0]
        if first in ("./tools/run", "./tools/test") or first.startswith(("tools/", "bench/")):
            script = ROOT / first
            self.assertTrue(os.access(script, os.X_OK), f"{session.page}: {command}: it cannot be executed")
            self.assertIn(run(["head", "-n1", script]).stdout, ("#!/usr/bin/env bash\n", "#!/usr/bin/env python3\n"))
            return ""
        if first in ("cmake", "ctest", "apt", "pip", "gcc", "g++"):
            return ""  # tests/install, tests/packages, tests/bindings and every build
        return session.run(command, comment)


class Readme(unittest.TestCase):
    """The README shows what the program really does."""

    def setUp(self):
        self.out = run([BINARY, "filter"], BEFORE)
        self.assertEqual((self.out.returncode, self.out.stderr), (0, ""))

    def test_the_stream_before_becomes_the_stream_after(self):
        record = re.search(r'(?<="citestream":){.*}(?=})', self.out.stdout)[0]
        self.assertEqual(self.out.stdout.replace(record, "{…}"), stream_of(example(README, "after")))

    def test_the_record_is_the_one_that_is_added(self):
        last = json.loads(self.out.stdout.rstrip("\n").rpartition("\n")[2].removeprefix("data: "))
        self.assertEqual(last["citestream"]["citations"], [json.loads(example(README, "record"))])

    def test_the_programs(self):
        for program in (LOOP, QUICKSTART):
            done = run([program], BEFORE)
            self.assertEqual((done.returncode, done.stderr), (0, ""), program)
            payloads = [json.loads(event.removeprefix("data: ")) for event in done.stdout.split("\n\n") if event]
            text = "".join(each["choices"][0]["delta"].get("content") or "" for each in payloads)
            self.assertEqual(text, "Sales grew by 20% [1].")
            self.assertEqual([each["label"] for each in payloads[-1]["citestream"]["citations"]], ["Report.pdf"])

    def test_the_loop_goes_on_after_an_event_that_is_not_json(self):
        broken = 'data: {"choices":[{\n\n'
        done = run([LOOP], broken + BEFORE)
        self.assertRegex(done.stderr, r"^.+ at byte \d+\n$")
        self.assertTrue(done.stdout.startswith(broken))
        self.assertIn('"citestream"', done.stdout)

    def test_the_configuration_routes_as_its_comments_say(self):
        page = PAGES["docs/proxy.md"]
        with tempfile.TemporaryDirectory() as folder:
            session = Session(self, "docs/proxy.md", folder)
            self.addCleanup(session.close)
            (session.folder / "citestream.toml").write_text(session.here(example(page, "configuration")), encoding="utf-8")
            session.serve(["proxy", "--config", "citestream.toml", "--listen", "127.0.0.1:0"], "proxy")
            ask = "curl -sSfN http://{}{}/v1/chat -d '{{\"model\":\"answer\",\"stream\":true}}'"
            if shutil.which("curl"):
                numeric, stripped = (run(["bash", "-c", ask.format(session.addresses["proxy"], below)]).stdout
                                     for below in ("", "/openai"))
                self.assertIn('"content":"[1]."', numeric)
                self.assertEqual(stripped, self.out.stdout)
            session.close()

    def test_its_figures_are_those_of_the_page_about_performance(self):
        table = re.search(r"^## Performance\n(.*?)^## ", README, re.M | re.S)[1]
        figures = re.findall(r"(\d[\d.]*) µs", table)
        self.assertGreater(len(figures), 4)
        measured = re.search(r"<!-- embed: begin -->\n(.*?)<!-- embed: end -->", PAGES["docs/performance.md"], re.S)[1]
        for text in (table, PAGES["docs/embedding.md"]):
            for cell in re.findall(r"\| (\d[\d.]*)(?: µs)? (?=\|)", text):
                self.assertRegex(measured, rf"\| {re.escape(cell)}[ |]", cell)

    def test_it_is_short(self):
        self.assertLessEqual(README.count("\n"), MAX_README_LINES)


class Examples(unittest.TestCase):
    """The examples for other languages do the same as the C++ ones."""

    def setUp(self):
        self.page = PAGES["docs/embedding.md"]
        self.expected = run([LOOP], BEFORE).stdout
        self.environment = {**os.environ, "CITESTREAM_LIBRARY": str(LIBRARY), "LD_LIBRARY_PATH": str(BUILD),
                            "PYTHONPATH": str(ROOT / "src/python"), "LUA_PATH": f"{ROOT}/src/lua/?.lua;;"}
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def needs(self, *programs):
        for program in programs:
            if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin"):
                self.skipTest(f"{program} is not installed")
        if not LIBRARY.exists():
            self.skipTest("the shared library is not built")

    def test_c(self):
        self.needs("cc")
        (self.folder / "example.c").write_text(example(self.page, "c"), encoding="utf-8")
        built = run(["cc", "-std=gnu11", "-Wall", "-Wextra", f"-I{ROOT}/include", f"-I{BUILD}/include", "example.c", "-o",
                     "example", LIBRARY], cwd=self.folder)
        self.assertEqual((built.returncode, built.stderr), (0, ""))
        done = run([self.folder / "example"], BEFORE, env=self.environment)
        self.assertEqual((done.returncode, done.stdout), (0, self.expected))

    def test_python(self):
        self.needs()
        done = run([sys.executable, "-B", "-c", example(self.page, "python")], BEFORE, env=self.environment)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, self.expected, "Report.pdf RESOLVED\n"))

    def test_lua(self):
        self.needs("luajit")
        (self.folder / "example.lua").write_text(example(self.page, "lua"), encoding="utf-8")
        done = run(["luajit", "example.lua"], BEFORE, cwd=self.folder, env=self.environment)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, self.expected, ""))

    def test_requests_in_python(self):
        self.needs()
        done = run([sys.executable, "-B", "-c", example(self.page, "python-request")], env=self.environment)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "True ['Manual']\n", ""))

    def test_requests_in_lua(self):
        self.needs("luajit")
        (self.folder / "request.lua").write_text(example(self.page, "lua-request"), encoding="utf-8")
        done = run(["luajit", "request.lua"], cwd=self.folder, env=self.environment)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "true\tManual\n", ""))

    def test_requests_in_c(self):
        self.needs("cc")
        (self.folder / "request.c").write_text(example(self.page, "c-request"), encoding="utf-8")
        built = run(["cc", "-std=c11", "-Wall", "-Wextra", f"-I{ROOT}/include", f"-I{BUILD}/include", "-c", "request.c"],
                    cwd=self.folder)
        self.assertEqual((built.returncode, built.stderr), (0, ""))

    def test_nginx_accepts_its_configuration(self):
        self.needs("nginx")
        installed = "/usr/lib/nginx/modules"
        lua_modules = [f"{installed}/ndk_http_module.so", f"{installed}/ngx_http_lua_module.so"]
        for name, modules, more in (("nginx", [MODULE], ""),
                                    ("nginx-lua", lua_modules, f"lua_package_path '{ROOT}/src/lua/?.lua;;';")):
            if all(os.path.exists(module) for module in modules):
                self.check_nginx(example(self.page, name), modules, more)

    def check_nginx(self, lines, modules, more):
        load = "".join(f"load_module {module};\n" for module in modules)
        folders = "".join(f"{kind}_temp_path {self.folder}/{kind};" for kind in
                          ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        file = self.folder / "nginx.conf"
        file.write_text(f"{load}pid {self.folder}/pid; error_log stderr;\nevents {{}}\nhttp {{ access_log off; {folders} {more}\n"
                        + (lines if "server {" in lines else f"server {{ listen 127.0.0.1:8099;\n{lines}}}") + " }\n", encoding="utf-8")
        program = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
        done = run([program, "-t", "-e", "stderr", "-c", file], env=self.environment)
        self.assertEqual(done.returncode, 0, done.stderr)


class Names(unittest.TestCase):
    """Files, flags and links on the pages exist."""

    def test_links_and_anchors(self):
        for page, text in PAGES.items():
            for path, anchor in links(text):
                target = (ROOT / page).parent.joinpath(path).resolve() if path else ROOT / page
                self.assertTrue(target.exists(), f"{page} links to {path}, which does not exist")
                if anchor:
                    self.assertIn(anchor, anchors(target.read_text(encoding="utf-8")), f"{page} links to {path}#{anchor}")

    def test_the_installed_examples_are_those_of_the_pages(self):
        for page, name, file in (("embedding", "c", "stream.c"), ("embedding", "python", "stream.py"),
                                 ("embedding", "lua", "stream.lua"), ("embedding", "nginx", "nginx-location.conf"),
                                 ("embedding", "nginx-lua", "nginx-lua.conf"), ("library", "loop", "stream.cpp")):
            installed = (ROOT / "docs/examples" / file).read_text(encoding="utf-8")
            self.assertEqual(installed, example(PAGES[f"docs/{page}.md"], name), file)

    def test_every_page_is_linked_from_the_readme(self):
        linked = {path for path, _ in links(README)}
        self.assertLessEqual({page for page in PAGES if page.startswith("docs/")}, linked)

    def test_files(self):
        for page, text in PAGES.items():
            for path in re.findall(r"`((?:src|tests|tools|bench|cmake|include|docs)/[\w./+-]+)`", text):
                self.assertTrue((ROOT / path).exists(), f"{page} names {path}, which does not exist")
            for header in re.findall(r"`<?(citestream/[\w./]+\.hp*)>?`", text):
                self.assertTrue((ROOT / "include" / header).exists(), f"{page} names {header}, which is not a public header")

    def test_flags(self):
        help_of = ["", "proxy", "filter", "play", "replay", "load", "check answer", "check claims", "check format", "check sources", "diff", "completion"]
        known = set()
        for command in help_of:
            known |= set(re.findall(r"--[a-z][a-z-]+", run([BINARY, *command.split(), "--help"]).stdout))
        for page, text in PAGES.items():
            for line in re.findall(r"^.*(?<![\w-])--[a-z].*$", text, re.M):
                if re.search(r"\b(cmake|ctest|pkg-config|tools/|bench/|cc|git|parallel|SBATCH|split)\b", line):
                    continue
                for flag in re.findall(r"(?<![\w-])--[a-z][a-z-]+", line):
                    self.assertIn(flag, known, f"{page}: {line}")

    def test_grammars_styles_and_dialects_have_a_row(self):
        options = run([BINARY, "filter", "--help"]).stdout
        for option, page in (("--style", "markers"), ("--markers", "markers"), ("--dialect", "providers")):
            names = set(re.search(option + r" [^{]*\{([^}]+)\}", options)[1].split(",")) - {"auto"}
            self.assertLessEqual(names, set(re.findall(r"^\| `(\w+)` \|", PAGES[f"docs/{page}.md"], re.M)), option)

    def test_every_style_prints_what_its_row_shows(self):
        for style, shown in re.findall(r"^\| `(\w+)` \| `(Sales[^|]*?)`", PAGES["docs/markers.md"], re.M):
            done = run([BINARY, "filter", "--from", "text", "--style", style], "Sales grew by 20% [Report.pdf](f-17).")
            self.assertEqual(done.stdout.split("\n")[0], shown, style)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
