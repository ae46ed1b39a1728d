"""front_test.py BINARY: nginx and HAProxy in front of citestream forward streams without delay, and failures.

nginx has its default configuration: it buffers answers and uses HTTP/1.0 for upstreams. HAProxy has the two options that
the documentation recommends: without the first it delays each event by 0.2 s, without the second it notices a
disconnect only when there is something to send.
"""

import asyncio
import os
import sys
import unittest

from peers import (Answer, Broken, Model, Peers, admin_port, answer_events, fetch, log_of, patiently, skip_without,
                   stop_softly, until)

BINARY = os.path.abspath(sys.argv[1])
EVENTS = answer_events("w", 60)
HAPROXY_STREAMS = "option http-no-delay\n  option abortonclose"
HTTP_1_1 = 'proxy_http_version 1.1; proxy_set_header Connection "";'


class InFront(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)  # would log every slow start of a process

    def fronts(self, peers, backend):
        """Returns (name, port) of each proxy in front of citestream at port `backend`."""
        yield "nginx", peers.nginx(backend)
        yield "nginx, HTTP/1.1", peers.nginx(backend, HTTP_1_1)
        yield "haproxy", peers.haproxy([backend], HAPROXY_STREAMS)

    async def begin(self, model, port):
        """Starts an answer and waits for its first event. Returns the client's and the model's side."""
        asking = asyncio.ensure_future(Answer.ask(port))
        reader, writer = await patiently(model.connections.get())
        self.addCleanup(writer.close)
        writer.write(EVENTS[0].encode())
        answer = await patiently(asking)
        self.addCleanup(answer.leave)
        self.assertEqual(answer.status, 200)
        self.assertIsNotNone(await patiently(answer.next_event()))
        return answer, reader, writer

    async def test_each_event_arrives_before_the_next_is_sent(self):
        async with Model() as model:
            with Peers(BINARY) as peers:
                ours = peers.citestream(model.port)
                for name, port in (("direct", ours.port), *self.fronts(peers, ours.port)):
                    with self.subTest(name):
                        answer, _, writer = await self.begin(model, port)
                        for each in EVENTS[1:]:
                            writer.write(each.encode())
                            self.assertIsNotNone(await patiently(answer.next_event()))
                        writer.close()
                        self.assertIsNone(await patiently(answer.next_event()))
                        self.assertEqual(answer.body.count(b'"status":"resolved"'), 3)

    async def test_the_bytes_equal_those_without_a_front(self):
        with Peers(BINARY) as peers:
            names = [f"a{i}" for i in range(8)]
            model = peers.replay({name: "".join(answer_events(name, 60)) for name in names}, "--pace", "3")
            ours = peers.citestream(model)
            direct = await asyncio.gather(*(fetch(ours.port, name) for name in names))
            self.assertEqual(len(set(direct)), len(names))
            for front, port in self.fronts(peers, ours.port):
                with self.subTest(front):
                    self.assertEqual(await asyncio.gather(*(fetch(port, name) for name in names)), direct)

    async def test_a_client_that_disconnects_ends_the_answer_of_a_silent_model(self):
        async with Model() as model:
            with Peers(BINARY) as peers:
                for name, port in self.fronts(peers, peers.citestream(model.port).port):
                    with self.subTest(name):
                        answer, reader, _ = await self.begin(model, port)
                        answer.leave()
                        self.assertEqual(await patiently(reader.read()), b"")

    async def test_haproxy_checks_readyz_and_avoids_a_draining_proxy(self):
        async with Model() as model:
            with Peers(BINARY) as peers:
                pair = [peers.citestream(model.port, "--admin", ":0", "--drain", "60") for _ in range(2)]
                checked = "\n".join(
                    f"  server s{each.port} 127.0.0.1:{each.port} check port {admin_port(each)} inter 1s fall 1 rise 1"
                    for each in pair)
                port, front = peers.haproxy_with(checked, HAPROXY_STREAMS + "\n  option httpchk GET /readyz")
                begun = [await self.begin(model, port) for _ in pair]  # in turns: one on each
                stop_softly(pair[0])
                await until("HAProxy to see that the first one drains", lambda: (
                    f"s{pair[0].port} is DOWN, reason: Layer7 wrong status, code: 503" in log_of(front)))
                for answer, _, writer in begun:
                    for each in EVENTS[1:]:
                        writer.write(each.encode())
                    writer.close()
                    self.assertEqual((await patiently(answer.whole())).count(b'"status":"resolved"'), 3)
                await until("the first one to end", lambda: pair[0].poll() is not None)
                self.assertEqual(pair[0].returncode, 0)
                for _ in range(4):
                    answer, _, writer = await self.begin(model, port)
                    writer.close()

    async def test_a_truncated_answer_is_an_error(self):
        known = "".join(EVENTS)
        unknown = "".join(f'data: {{"what":{i}}}\n\n' for i in range(100))
        with Peers(BINARY) as peers:
            model = peers.replay({"known": known, "unknown": unknown}, "--pace", "1", "--die-after", "900")
            for name, port in self.fronts(peers, peers.citestream(model).port):
                with self.subTest(name):
                    answer = await Answer.ask(port, "known")
                    if name == "nginx":  # for HTTP/1.0 the event is the only sign of an error
                        self.assertIn(b"event: error\n", await patiently(answer.whole()))
                    else:
                        with self.assertRaises(Broken):
                            await patiently(answer.whole())
                        self.assertIn(b"event: error\n", answer.body)
                    self.assertIn(b'"code":"upstream_', answer.body)
                    answer = await Answer.ask(port, "unknown")
                    with self.assertRaises(Broken):
                        await patiently(answer.whole())
                    self.assertNotIn(b"event: error\n", answer.body)


if __name__ == "__main__":
    skip_without("nginx", "haproxy")
    unittest.main(argv=sys.argv[:1])
