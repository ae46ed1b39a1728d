"""Real proxies on free loopback ports in front of citestream, a client that detects truncated answers, and a model."""

import asyncio
import contextlib
import inspect
import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PATIENCE_S = 30  # a busy machine
PACKAGES = {"nginx": "nginx-light", "haproxy": "haproxy", "slowhttptest": "slowhttptest", "curl": "curl",
            "openssl": "openssl"}
SEARCHED = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"


def program(name):
    return shutil.which(name, path=SEARCHED)


def skip_without(*names):
    """Exits if a program is missing, with the line by which ctest recognises a skipped test."""
    missing = [name for name in names if not program(name)]
    if missing:
        print("SKIPPED: not installed: " + ", ".join(f"{name} (Debian: {PACKAGES[name]})" for name in missing))
        raise SystemExit(0)


# Streams of chat completions with unique words and some markers.

def event(text, finish=None, references=None):
    graph = {"references": {"files": references, "web": []}} if references else None
    choice = {"index": 0, "finish_reason": finish, "delta": {"content": text, "graph_data": graph}}
    payload = {"id": "1", "object": "chat.completion.chunk", "model": "palmyra-x5", "choices": [choice]}
    return f"data: {json.dumps(payload)}\n\n"


def answer_events(name, count):
    """The events of an answer, `count` of them with text."""
    marker = (" [", "Report", ".pdf](", "file", "-17)")
    tokens = [marker[i % 20 - 10] if 10 <= i % 20 < 15 else f" {name}{i}" for i in range(count)]
    file = {"text": "Sales rose 20%.", "fileId": "file-17", "score": 0.9, "page": 3, "cite": "file-17"}
    return [*map(event, tokens), event(None, "stop", [file]), "data: [DONE]\n\n"]


# Processes. Only those started here are ended.

NGINX = """
{main}
{user} worker_processes 1; daemon off; pid {folder}/nginx{port}.pid; error_log stderr notice;
events {{ worker_connections 2048; }}
http {{
  client_body_temp_path {folder}/n1; proxy_temp_path {folder}/n2; fastcgi_temp_path {folder}/n3;
  uwsgi_temp_path {folder}/n4; scgi_temp_path {folder}/n5;
  {http}
}}
"""

HAPROXY = """
global
  nbthread 1
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  timeout check 30s
  {options}
frontend front
  bind 127.0.0.1:{port} backlog 4096
  default_backend back
backend back
{servers}
"""


class Peers(contextlib.ExitStack):
    """Starts processes and ends them, last first."""

    def __init__(self, binary):
        super().__init__()
        self.binary = binary
        self.folder = self.enter_context(tempfile.TemporaryDirectory())
        self.count = 0

    def spawn(self, command, files=None, **more):
        self.count += 1
        log = os.path.join(self.folder, f"{self.count}.log")
        bound = (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))) if files else None
        with open(log, "w", encoding="utf-8") as out:
            more.setdefault("stdout", out)
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=out, preexec_fn=bound, **more)
        process.log = log
        self.callback(end, process)
        return process

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def model(self, recordings, *options, port=0):
        """Starts a model that answers with `recordings`, texts by name. Returns its process, with its port."""
        paths = [self.write(name + ".sse", text) for name, text in recordings.items()]
        process = self.spawn([self.binary, "replay", *paths, "--listen", f"127.0.0.1:{port}", *options])
        process.port = own_port(process)
        return process

    def replay(self, recordings, *options):
        """Returns the port of such a model."""
        return self.model(recordings, *options).port

    def citestream(self, backend, *options, port=0, files=None, threads=2):
        """Starts citestream in front of the port `backend`. Returns its process, with its port."""
        process = self.spawn([self.binary, "proxy", "--listen", f"127.0.0.1:{port}", "--threads", str(threads),
                              "--upstream", f"http://127.0.0.1:{backend}", *options], files)
        process.port = own_port(process)
        return process

    def start_nginx(self, http, main="", before=(), **more):
        """Starts nginx with these lines, in which PORT is a free port. Returns its process, with its port."""
        port = free_port()
        user = "user root;" if os.geteuid() == 0 else ""
        text = NGINX.format(main=main, user=user, folder=self.folder, port=port, http=http.replace("PORT", str(port)))
        path = self.write(f"nginx{port}.conf", text)
        process = self.spawn([*before, program("nginx"), "-c", path, "-e", "stderr"], **more)
        process.port = port
        return process

    def nginx(self, backend, options=""):
        """Starts nginx in front of the port `backend`. Returns its port."""
        location = f"location / {{ proxy_pass http://127.0.0.1:{backend}; {options} }}"
        process = self.start_nginx(f"access_log off; server {{ listen 127.0.0.1:PORT; {location} }}")
        wait_until(lambda: listens(process.port), process)
        return process.port

    def haproxy(self, backends, options="", server_options=""):
        """Starts HAProxy in front of the ports `backends`."""
        servers = "\n".join(f"  server s{each} 127.0.0.1:{each} {server_options}" for each in backends)
        return self.haproxy_with(servers, options)[0]

    def haproxy_with(self, servers, options=""):
        """Starts HAProxy in front of `servers`, lines of its configuration. Returns its port and its process."""
        port = free_port()
        path = self.write(f"haproxy{port}.conf", HAPROXY.format(port=port, servers=servers, options=options))
        process = self.spawn([program("haproxy"), "-db", "-f", path])
        wait_until(lambda: listens(port), process)
        return port, process


def end(process):
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def log_of(process):
    with open(process.log, encoding="utf-8", errors="replace") as file:
        return file.read()


# Waiting. Each of these fails after PATIENCE_S, or the patience given.

def wait_until(ready, process, patience_s=PATIENCE_S):
    """Polls until `ready()` is true while `process` runs. Returns its value."""
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline and process.poll() is None:
        found = ready()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError(f"{process.args[0]} ({process.poll()}) did not get ready: {log_of(process)[-500:]}")


async def until(what, condition):
    """Polls until `condition()` is true; it may be a coroutine function. `what` is named in the failure."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        found = condition()
        if inspect.isawaitable(found):
            found = await found
        if found:
            return found
        await asyncio.sleep(0.01)
    raise AssertionError(f"not within {PATIENCE_S} s: {what}")


async def patiently(what):
    """The result of an awaitable."""
    return await asyncio.wait_for(what, PATIENCE_S)


def own_port(process):
    """Returns the port on which a citestream command listens, from its log."""
    return int(wait_until(lambda: re.search(r" on http://127\.0\.0\.1:(\d+)", log_of(process)), process)[1])


def admin_port(process):
    return int(wait_until(lambda: re.search(r"administration on http://127\.0\.0\.1:(\d+)", log_of(process)), process)[1])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listens(port):
    with contextlib.suppress(OSError):
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    return False


def open_files(process):
    return len(os.listdir(f"/proc/{process.pid}/fd"))


def stop_softly(process):
    process.send_signal(signal.SIGTERM)


# A client.

class Broken(Exception):
    """The answer was truncated, or there was none."""


class Answer:
    """One answer as it arrives, on a separate connection."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.body = b""
        self.seen = 0  # of the body, by next_event()
        self.status, self.fields = 0, {}

    @classmethod
    async def ask(cls, port, model="answer", path="/v1/chat", method="POST"):
        body = json.dumps({"model": model, "stream": True, "messages": [{"role": "user", "content": "?"}]}).encode()
        body = body if method == "POST" else b""
        try:
            self = cls(*await asyncio.open_connection("127.0.0.1", port))
            self.writer.write(b"%s %s HTTP/1.1\r\nHost: proxy\r\nContent-Type: application/json\r\nConnection: close\r\n"
                              b"Content-Length: %d\r\n\r\n" % (method.encode(), path.encode(), len(body)) + body)
            head = await self.reader.readuntil(b"\r\n\r\n")
        except (OSError, asyncio.IncompleteReadError) as error:
            raise Broken(f"no answer: {error!r}") from error
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split()[1])
        self.fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:-2])}
        return self

    async def more(self):
        """Reads more of the body. Returns False if the answer is complete."""
        try:
            if "chunked" in self.fields.get("transfer-encoding", ""):
                size = int((await self.reader.readuntil(b"\r\n")).split(b";")[0], 16)
                data = (await self.reader.readexactly(size + 2))[:-2]
            elif "content-length" in self.fields:
                missing = int(self.fields["content-length"]) - len(self.body)
                data = await self.reader.read(missing)
                if missing and not data:
                    raise Broken(f"{missing} bytes are missing")
            else:
                data = await self.reader.read(65536)
        except (OSError, asyncio.IncompleteReadError) as error:
            raise Broken(f"after {len(self.body)} bytes: {error!r}") from error
        self.body += data
        return bool(data)

    async def next_event(self):
        """Returns the next complete event, or None at the end of the answer."""
        while (found := self.body.find(b"\n\n", self.seen)) < 0:
            if not await self.more():
                return None
        start, self.seen = self.seen, found + 2
        return self.body[start:self.seen]

    async def whole(self):
        with contextlib.closing(self.writer):
            while await self.more():
                pass
        return self.body

    def leave(self):
        self.writer.close()


async def fetch(port, model="answer", path="/v1/chat"):
    return await (await Answer.ask(port, model, path)).whole()


async def fetch_page(port, path):
    """The body of a GET that succeeds."""
    answer = await Answer.ask(port, path=path, method="GET")
    body = await answer.whole()
    assert answer.status == 200, f"{path}: status {answer.status}"
    return body.decode()


# An upstream.

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


class Model:
    """An upstream that a test drives: it sends `head`, and the test writes the body."""

    def __init__(self, head=HEAD):
        self.head = head
        self.connections = asyncio.Queue()  # (reader, writer) of each connection whose request has been read

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self.server.close()

    async def serve(self, reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.startswith(b"Content-Length:"))
        await reader.readexactly(length)
        writer.write(self.head)
        self.connections.put_nowait((reader, writer))
