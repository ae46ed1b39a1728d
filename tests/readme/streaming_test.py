"""streaming_test.py ROOT BUILD: every example of README.md and docs/ sends each event before the next one arrives.

A program gets one event on its input; its output must come, before a deadline, while the input stays open. A server gets one
event from its upstream, and the client must have it before the upstream sends the next.
"""

import asyncio
import os
import pathlib
import queue
import re
import shlex
import subprocess
import sys
import tempfile
import threading
import unittest

from pages import blocks, commands, example, page_names, read_page
from peers import PATIENCE_S, Answer, Model, end, free_port, listens, own_port, patiently, program, wait_until

ROOT, BUILD = (pathlib.Path(argument).absolute() for argument in sys.argv[1:3])
PAGES = {name: read_page(ROOT, name) for name in page_names(ROOT)}
README, EMBEDDING = PAGES["README.md"], PAGES["docs/embedding.md"]
EVENTS = [(line + "\n\n").encode() for line in example(README, "before").splitlines()]
LIBRARY = BUILD / "libcitestream.so.1"
MODULE = BUILD / "ngx_http_citestream_module.so"
LUA_MODULES = [pathlib.Path("/usr/lib/nginx/modules") / name for name in ("ndk_http_module.so", "ngx_http_lua_module.so")]
ENVIRONMENT = {**os.environ, "CITESTREAM_LIBRARY": str(LIBRARY), "LD_LIBRARY_PATH": str(BUILD),
               "PYTHONPATH": str(ROOT / "src/python"), "LUA_PATH": f"{ROOT}/src/lua/?.lua;;"}

# Examples that read an event stream, by language. C++ examples without input have places in examples.cpp.in.
FED = {"c": {"c"}, "python": {"python"}, "lua": {"lua"}, "nginx": {"nginx", "nginx-lua"}, "cpp": {"loop", "quickstart"}}


# How programs read their input. nginx reads from its upstream.
INPUT = ("STDIN", "stdin", "std::cin", "io.lines", "io.read")


class SlowInput:
    """A program whose input is a pipe that stays open."""

    def __init__(self, command, folder):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        cwd=folder, env=ENVIRONMENT)
        self.output = b""
        self.parts = queue.Queue()
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        while part := self.process.stdout.read1():
            self.parts.put(part)
        self.parts.put(None)

    def give(self, event):
        self.process.stdin.write(event)
        self.process.stdin.flush()

    def wait_for(self, complete):
        """Reads until `complete(output)`; fails after the deadline."""
        while not complete(self.output):
            try:
                part = self.parts.get(timeout=PATIENCE_S)
            except queue.Empty:
                raise AssertionError(f"{self.process.args[0]} sent only {self.output} until its next input") from None
            if part is None:
                raise AssertionError(f"{self.process.args[0]} ended: {self.process.stderr.read()}")
            self.output += part

    def close(self):
        self.process.stdin.close()
        end(self.process)
        self.reader.join()
        self.process.stdout.close()
        self.process.stderr.close()


class Programs(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def needs(self, *names):
        for name in names:
            if not program(name):
                self.skipTest(f"{name} is not installed")
        if not LIBRARY.exists():
            self.skipTest("the shared library is not built")

    def start(self, *command):
        started = SlowInput([str(word) for word in command], self.folder)
        self.addCleanup(started.close)
        return started

    def check_events(self, *command):
        """Gives each event after the output for the one before it has come."""
        started = self.start(*command)
        for count, event in enumerate(EVENTS, 1):
            started.give(event)
            started.wait_for(lambda output, count=count: output.count(b"\n\n") >= count)
        self.assertIn(b'"citestream":{', started.output)

    def test_cpp(self):
        for name in FED["cpp"]:
            self.check_events(BUILD / "tests/readme" / f"readme_{name}")

    def test_c(self):
        self.needs("cc")
        (self.folder / "example.c").write_text(example(EMBEDDING, "c"), encoding="utf-8")
        subprocess.run(["cc", "-std=gnu11", f"-I{ROOT}/include", f"-I{BUILD}/include", "example.c", "-o", "example", LIBRARY],
                       cwd=self.folder, check=True)
        self.check_events(self.folder / "example")

    def test_python(self):
        self.needs()
        self.check_events(sys.executable, "-B", "-c", example(EMBEDDING, "python"))

    def test_lua(self):
        self.needs("luajit")
        (self.folder / "example.lua").write_text(example(EMBEDDING, "lua"), encoding="utf-8")
        self.check_events("luajit", "example.lua")

    def test_the_filter(self):
        self.check_events(BUILD / "citestream", "filter")
        started = self.start(BUILD / "citestream", "filter", "--to", "text")
        for event, text in zip(EVENTS, (b"Sales grew", b"Sales grew by 20%")):
            started.give(event)
            started.wait_for(lambda output, text=text: output == text)

    def test_every_example_with_input_is_here(self):
        for page, text in PAGES.items():
            for block in blocks(text):
                reads = block.language.startswith("nginx") or any(name in block.code for name in INPUT)
                if block.directive == "example" and block.language in FED and reads:
                    self.assertIn(block.name, FED[block.language], f"{page}:{block.line}: no test feeds this example slowly")


class Servers(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        # nginx serves as another user, who needs to reach the folder.
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.folder.chmod(0o755)

    def spawn(self, *command):
        log = self.folder / "log"
        with open(log, "wb") as out:
            process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                       cwd=self.folder, env=ENVIRONMENT)
        process.log = log
        self.addCleanup(end, process)
        return process

    async def check_events(self, port, model):
        """The upstream sends each event after the client has the one before it."""
        asking = asyncio.ensure_future(Answer.ask(port))
        _, upstream = await patiently(model.connections.get())
        answer = None
        for event in EVENTS:
            upstream.write(event)
            answer = answer or await patiently(asking)
            self.assertTrue((await patiently(answer.next_event())).startswith(b"data: "))
        upstream.close()
        self.assertIn(b'"citestream":{', await patiently(answer.whole()))

    async def test_the_proxy_of_the_readme(self):
        shown = next(command for block in blocks(README) if block.language == "sh" for command, _ in commands(block.code)
                     if "citestream proxy" in command)
        async with Model() as model:
            words = shlex.split(re.sub(r"https://[\w.]+", f"http://127.0.0.1:{model.port}", shown))
            words[words.index("--listen") + 1] = "127.0.0.1:0"
            process = self.spawn(BUILD / "citestream", *words[1:])
            await self.check_events(own_port(process), model)

    async def check_nginx(self, name, modules):
        missing = [str(each) for each in modules if not each.exists()]
        if not program("nginx") or missing:
            self.skipTest(f"nginx with {missing} is not installed")
        async with Model() as model:
            port = free_port()
            lines = example(EMBEDDING, name).replace("127.0.0.1:9000", f"127.0.0.1:{model.port}")
            lines = re.sub(r"listen [\d.:]+", f"listen 127.0.0.1:{port}", lines)
            if "server {" not in lines:
                lines = f"server {{ listen 127.0.0.1:{port};\n{lines}}}"
            folders = "".join(f"{kind}_temp_path {self.folder}/{kind};" for kind in
                              ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
            lua = f"lua_package_path '{ROOT}/src/lua/?.lua;;';" if "lua" in name else ""
            user = "user root;" if os.geteuid() == 0 else ""
            file = self.folder / "nginx.conf"
            file.write_text("".join(f"load_module {module};\n" for module in modules)
                            + f"{user} daemon off; worker_processes 1; pid {self.folder}/pid; error_log stderr;\n"
                              f"env CITESTREAM_LIBRARY; events {{}}\nhttp {{ access_log off; {folders} {lua}\n{lines} }}\n",
                            encoding="utf-8")
            process = self.spawn(program("nginx"), "-e", "stderr", "-c", file)
            wait_until(lambda: listens(port), process)
            await self.check_events(port, model)

    async def test_nginx_with_the_module(self):
        await self.check_nginx("nginx", [MODULE])

    async def test_nginx_with_lua(self):
        await self.check_nginx("nginx-lua", LUA_MODULES)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
