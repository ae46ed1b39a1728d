"""rolling_restart_test.py BINARY: three proxies behind HAProxy are replaced one by one during 200 streams.

No stream breaks or loses a byte: the old process finishes its answers while the new one serves new requests on the
same port.
"""

import asyncio
import os
import sys
import unittest

from peers import Answer, Broken, Peers, answer_events, fetch, listens, patiently, skip_without, stop_softly, until

BINARY = os.path.abspath(sys.argv[1])
CLIENTS = 200
EVENTS = 24
PACE_MS = 100  # an answer takes 2.4 s
NAMES = [f"a{i}" for i in range(5)]


class Crowd:
    """Clients that send one request after the other until finish()."""

    def __init__(self, port, expected):
        self.port, self.expected = port, expected
        self.under_way = self.whole = 0
        self.wrong = []
        self.over = False
        self.all_there = asyncio.Event()
        self.clients = [asyncio.create_task(self.client(i)) for i in range(CLIENTS)]

    async def client(self, number):
        await asyncio.sleep(number * PACE_MS * EVENTS / CLIENTS / 1000)  # some begin and some end at any time
        turn = number
        while not self.over:
            turn += 1
            await self.one(NAMES[turn % len(NAMES)])

    async def one(self, name):
        self.under_way += 1
        if self.under_way == CLIENTS:
            self.all_there.set()
        try:
            answer = await Answer.ask(self.port, name)
            body = await answer.whole()
            if (answer.status, body) != (200, self.expected[name]):
                raise Broken(f"status {answer.status}, {len(body)} bytes instead of {len(self.expected[name])}")
            self.whole += 1
        except Broken as error:
            self.wrong.append(str(error))
        self.under_way -= 1

    async def finish(self):
        self.over = True
        await asyncio.gather(*self.clients)


class RollingRestart(unittest.TestCase):
    async def replace(self, peers, model, old, beside):
        """Stops a proxy gracefully. Another takes its port, `beside` the old one or as soon as that has closed it."""
        if beside:
            peers.citestream(model, port=old.port)
        stop_softly(old)
        if not beside:
            await until("port given up", lambda: not listens(old.port))
        self.assertIsNone(old.poll(), "it did not wait for its answers")
        if not beside:
            peers.citestream(model, port=old.port)
        await until("end of the old one", lambda: old.poll() is not None)
        self.assertEqual(old.returncode, 0)

    async def restart_all(self, peers):
        model = peers.replay({name: "".join(answer_events(name, EVENTS)) for name in NAMES}, "--pace", str(PACE_MS))
        ours = [peers.citestream(model) for _ in range(3)]
        expected = dict(zip(NAMES, await asyncio.gather(*(fetch(ours[0].port, name) for name in NAMES))))
        front = peers.haproxy([each.port for each in ours], "option redispatch 1",
                              "check inter 1s fall 1 rise 1")
        crowd = Crowd(front, expected)
        await patiently(crowd.all_there.wait())
        for number, old in enumerate(ours):
            await self.replace(peers, model, old, beside=number % 2 == 0)
        await crowd.finish()
        return crowd

    def test_no_stream_breaks_or_loses_a_byte(self):
        with Peers(BINARY) as peers:
            crowd = asyncio.run(self.restart_all(peers))
        print(f"{crowd.whole} answers whole, {len(crowd.wrong)} not", file=sys.stderr)
        self.assertEqual(crowd.wrong, [])
        self.assertGreater(crowd.whole, 2 * CLIENTS)


if __name__ == "__main__":
    skip_without("haproxy")
    unittest.main(argv=sys.argv[:1])
