"""descriptors_test.py BINARY: thousands of idle connections, large bodies, and a process without free file descriptors.

Existing clients continue; new ones are served, rejected or queued; and the next one is served as soon as there is room.
"""

import asyncio
import contextlib
import os
import re
import resource
import socket
import struct
import sys
import unittest

from peers import PATIENCE_S, Answer, Broken, Peers, answer_events, fetch, open_files, patiently, until, wait_until

BINARY = os.path.abspath(sys.argv[1])
EVENTS = 40
FEW_FILES = 64
BOUND = 100
MANY = 9900  # of the 10,000 clients that are accepted
KIB_EACH = 8


class Idle(list):
    """Idle connections, ended with a reset, so that no ports are left in TIME_WAIT for the next test."""

    def __init__(self, port, count):
        super().__init__()
        for _ in range(count):
            client = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.append(client)

    def end(self):
        while self:
            self.pop().close()


def resident_kib(process):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
        return int(re.search(r"^VmRSS:\s+(\d+)", file.read(), re.M)[1])


class Descriptors(unittest.TestCase):
    def setUp(self):
        self.peers = self.enterContext(Peers(BINARY))
        self.model = self.peers.replay({"answer": "".join(answer_events("w", EVENTS))}, "--pace", "20")

    def idle(self, port, count):
        clients = Idle(port, count)
        self.addCleanup(clients.end)
        return clients

    async def served(self, port):
        """Returns the first answer that a client gets. Earlier clients may be rejected because of missing descriptors."""
        async def served_now():
            with contextlib.suppress(Broken):
                answer = await patiently(Answer.ask(port))
                body = await patiently(answer.whole())
                return body if answer.status == 200 else None
        return await until("a client is served", served_now)

    async def without_descriptors(self, ours, expected):
        running = await Answer.ask(ours.port)
        await running.next_event()
        clients = self.idle(ours.port, 4 * FEW_FILES)
        wait_until(lambda: open_files(ours) >= FEW_FILES, ours)
        # An accepted client sends a request, for which a descriptor is left only if another client was just rejected.
        clients[0].sendall(b"GET /v1/models HTTP/1.1\r\nHost: proxy\r\n\r\n")
        told = await asyncio.to_thread(clients[0].recv, 4096)
        self.assertRegex(told, rb"^HTTP/1\.1 (200|50[23]) ")
        self.assertEqual(await patiently(running.whole()), expected)
        clients.end()
        self.assertEqual(await self.served(ours.port), expected)

    def test_running_out_of_descriptors(self):
        expected = asyncio.run(fetch(self.peers.citestream(self.model).port))
        # Each thread has a queue of clients that are not accepted yet. With one thread the first client is in front of it.
        ours = self.peers.citestream(self.model, files=FEW_FILES, threads=1)
        asyncio.run(self.without_descriptors(ours, expected))
        self.assertIsNone(ours.poll())

    def test_one_connection_over_the_limit(self):
        ours = self.peers.citestream(self.model, "--max-connections", str(BOUND))
        own = open_files(ours)
        clients = self.idle(ours.port, BOUND)
        wait_until(lambda: open_files(ours) >= own + BOUND, ours)
        one_more = self.idle(ours.port, 1)[0]
        self.assertRegex(one_more.recv(4096), rb"^HTTP/1\.1 503 ")  # before it has sent a request
        clients.end()
        self.assertTrue(asyncio.run(self.served(ours.port)))

    def test_many_idle_connections(self):
        allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, allowed))
        many = min(MANY, allowed - 200)
        ours = self.peers.citestream(self.model)
        expected = asyncio.run(fetch(ours.port))
        before = resident_kib(ours)
        clients = self.idle(ours.port, many)
        wait_until(lambda: open_files(ours) >= many, ours)
        each = (resident_kib(ours) - before) / many
        print(f"{many} idle connections, {each:.2f} KiB each", file=sys.stderr)
        self.assertLess(each, KIB_EACH)
        self.assertEqual(asyncio.run(fetch(ours.port)), expected)
        clients.end()
        wait_until(lambda: open_files(ours) < 100, ours)
        self.assertEqual(asyncio.run(fetch(ours.port)), expected)

    def test_memory_of_large_bodies_is_returned(self):
        async def post(port, body):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"POST /v1/chat HTTP/1.1\r\nHost: proxy\r\nContent-Type: application/json\r\nConnection: close\r\n"
                         b"Content-Length: %d\r\n\r\n" % len(body) + body)
            answer = await patiently(reader.read())
            self.assertTrue(answer.startswith(b"HTTP/1.1 200 "), answer[:200])
            writer.close()

        async def post_all(port):
            body = b'{"x":"' + b"a" * 15_000_000 + b'"}'
            await asyncio.gather(*[post(port, body) for _ in range(10)])

        ours = self.peers.citestream(self.model)
        asyncio.run(fetch(ours.port))
        before = resident_kib(ours)
        for _ in range(3):  # the allocator adapts to what is freed
            asyncio.run(post_all(ours.port))
        wait_until(lambda: resident_kib(ours) < before + 16 * 1024, ours)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
