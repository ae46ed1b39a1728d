"""slow_clients_test.py BINARY: 1,000 slow connections (slowhttptest) do not block the streams of 50 other clients.

The model sends the next event of a stream only after the client has received the previous one, so a stream that were
blocked would stop. Nothing is timed here; bench/slow_clients measures the latency.
"""

import asyncio
import contextlib
import os
import sys
import unittest

from peers import (HEAD, Answer, Model, Peers, answer_events, end, open_files, patiently, program, skip_without, until)

BINARY = os.path.abspath(sys.argv[1])
SLOW = 1000
STREAMS = 50
EVENTS = [event.encode() for event in answer_events("w", 15)]
# 15 KB, which the slow readers read in pieces of 5 bytes.
MODELS = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 15000\r\n\r\n" + b"x" * 15000
# The proxy must not close the slow connections before the streams have ended.
PATIENT = [word for name in ("client-head", "client-body", "client-idle", "client-stall", "answer", "idle")
           for word in (f"--{name}-timeout", "600")]

ATTACKS = {
    "slow head": ("-H", "-x", "20"),
    "slow body": ("-B", "-s", "8192", "-x", "20"),
    "slow read": ("-X", "-k", "5", "-w", "1", "-y", "512", "-n", "1", "-z", "5"),
}


class ModelWithList(Model):
    """Sends the list of models to every slow client, and streams to those that request a chat."""

    async def serve(self, reader, writer):
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):  # the proxy has closed the connection
            while head := await reader.readuntil(b"\r\n\r\n"):
                if head.startswith(b"GET "):
                    writer.write(MODELS)
                elif b" /v1/chat " in head:
                    await reader.readuntil(b"}]}")
                    writer.write(HEAD)
                    self.connections.put_nowait((reader, writer))
                    return
                else:
                    await reader.read()  # a body that never ends


class SlowClients(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)

    async def begin(self, model, port):
        asking = asyncio.ensure_future(Answer.ask(port))
        _, writer = await patiently(model.connections.get())
        self.addCleanup(writer.close)
        return await patiently(asking), writer

    async def check_streams(self, model, ours):
        streams = [await self.begin(model, ours.port) for _ in range(STREAMS)]
        for event in EVENTS:
            for _, writer in streams:
                writer.write(event)
            for answer, _ in streams:
                self.assertIsNotNone(await patiently(answer.next_event()))
            self.assertGreaterEqual(open_files(ours), SLOW)
        for answer, writer in streams:
            writer.close()
            body = await patiently(answer.whole())
            self.assertTrue(body.endswith(b"data: [DONE]\n\n"), body[-200:])

    async def test_streams_continue_while_slow_clients_are_connected(self):
        async with ModelWithList() as model:
            with Peers(BINARY) as peers:
                ours = peers.citestream(model.port, *PATIENT)
                for name, options in ATTACKS.items():
                    with self.subTest(name):
                        attack = peers.spawn([program("slowhttptest"), *options, "-c", str(SLOW), "-r", str(SLOW),
                                              "-l", "280", "-i", "1", "-u", f"http://127.0.0.1:{ours.port}/v1/models"])
                        await until("the slow clients to connect", lambda: open_files(ours) >= SLOW)
                        await self.check_streams(model, ours)
                        await asyncio.to_thread(end, attack)
                        await until("the slow clients to be gone", lambda: open_files(ours) < SLOW / 2)


if __name__ == "__main__":
    skip_without("slowhttptest")
    unittest.main(argv=sys.argv[:1])
