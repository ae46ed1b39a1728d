"""process_faults_test.py BINARY: processes that are killed, stopped and restarted, and a full disk.

A model killed inside its answer, a model and a client that are stopped for a while, a proxy killed behind HAProxy, and
recordings on a full file system. Broken answers are reported, all others are complete, and the next request is
served.
"""

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import unittest

from peers import (PATIENCE_S, Answer, Broken, Peers, admin_port, answer_events, fetch, fetch_page, log_of, patiently,
                   program, until, wait_until)

BINARY = os.path.abspath(sys.argv[1])
# The last one does not end during this test.
EVENTS = {"answer": 30, "longer": 80, "endless": 5000}
PACE_MS = 20
RECORDINGS = {name: "".join(answer_events("w", count)) for name, count in EVENTS.items()}


class ProcessFaults(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)
        self.peers = self.enterContext(Peers(BINARY))

    def model(self, port=0, pace=PACE_MS):
        return self.peers.model(RECORDINGS, "--pace", str(pace), port=port)

    async def begun(self, port, name="endless"):
        answer = await patiently(Answer.ask(port, name))
        self.addCleanup(answer.leave)
        for _ in range(3):
            self.assertIsNotNone(await patiently(answer.next_event()))
        return answer

    async def check_told(self, answer, code):
        with self.assertRaises(Broken):
            await patiently(answer.whole())
        self.assertIn(b"event: error\n", answer.body)
        self.assertIn(b'"code":"' + code + b'"', answer.body)

    async def test_a_model_that_is_killed(self):
        model = self.model()
        ours = self.peers.citestream(model.port)
        expected = await patiently(fetch(ours.port))
        answer = await self.begun(ours.port)
        model.kill()
        model.wait()
        await self.check_told(answer, b"upstream_closed")
        refused = await patiently(Answer.ask(ours.port))
        self.assertEqual(refused.status, 502)
        self.model(model.port)
        self.assertEqual(await patiently(fetch(ours.port)), expected)

    async def test_a_model_that_is_stopped(self):
        model = self.model()
        patient, ours = (self.peers.citestream(model.port, "--idle-timeout", str(seconds)) for seconds in (PATIENCE_S, 2))
        expected = await patiently(fetch(patient.port))
        answer = await self.begun(patient.port, "answer")
        model.send_signal(signal.SIGSTOP)
        await asyncio.sleep(0.3)  # less than the read timeout
        model.send_signal(signal.SIGCONT)
        self.assertEqual(await patiently(answer.whole()), expected)
        answer = await self.begun(ours.port)
        model.send_signal(signal.SIGSTOP)
        await self.check_told(answer, b"upstream_timeout")
        model.send_signal(signal.SIGCONT)
        self.assertEqual(await patiently(fetch(ours.port)), expected)

    async def test_a_client_that_is_stopped(self):
        model = self.model(pace=1)
        huge = self.peers.replay({"huge": "".join(answer_events("x" * 9000, 300))}, "--pace", "0")
        patient, ours = (self.peers.citestream(huge, "--client-stall-timeout", str(seconds)) for seconds in (2 * PATIENCE_S, 3))
        beside = self.peers.citestream(model.port)
        expected = await patiently(fetch(beside.port))
        whole = await patiently(fetch(ours.port, "huge"))
        for before, left in ((patient, False), (ours, True)):
            out = os.path.join(self.peers.folder, "got")
            client = self.peers.spawn([program("python3") or sys.executable, "-c", CLIENT, str(before.port), out])
            await asyncio.to_thread(wait_until, lambda client=client: "begun" in log_of(client), client)
            self.assertEqual(await patiently(fetch(beside.port)), expected)  # meanwhile
            if left:
                await asyncio.to_thread(wait_until, lambda: "end=client_stalled" in log_of(ours), ours)
            client.send_signal(signal.SIGCONT)
            await asyncio.to_thread(client.wait, PATIENCE_S)
            with open(out, "rb") as file:
                got = file.read()
            if left:
                self.assertLess(len(got), len(whole))
                self.assertFalse(got.endswith(b"0\r\n\r\n"))
            else:
                self.assertTrue(got.endswith(b"0\r\n\r\n"), got[-200:])
        self.assertEqual(await patiently(fetch(ours.port, "huge")), whole)

    async def test_a_killed_proxy_behind_haproxy(self):
        if not program("haproxy"):
            self.skipTest("haproxy is not installed")
        model = self.model(pace=100)  # all run until one proxy is killed
        quick = self.peers.citestream(self.model(pace=0).port).port
        expected, longer = [await patiently(fetch(quick, name)) for name in ("answer", "longer")]
        first, second = (self.peers.citestream(model.port) for _ in range(2))
        front = self.peers.haproxy([first.port, second.port], "option redispatch 1\n  retries 3",
                                   "check inter 1s fall 1 rise 1")
        answers = await asyncio.gather(*(self.begun(front, "longer") for _ in range(8)))
        first.kill()
        first.wait()
        ends = await patiently(asyncio.gather(*(one.whole() for one in answers), return_exceptions=True))
        self.assertEqual([end for end in ends if not isinstance(end, Broken)], [longer] * 4)
        self.assertEqual(await patiently(asyncio.gather(*(fetch(front) for _ in range(4)))), [expected] * 4)
        self.peers.citestream(model.port, port=first.port)
        second.kill()
        second.wait()

        async def answered():
            with contextlib.suppress(Broken):
                return await patiently(fetch(front)) == expected
        await until("HAProxy to find the one that was started again", answered)

    async def test_a_full_disk(self):
        folder = os.path.join(self.peers.folder, "small")
        os.mkdir(folder)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", folder], capture_output=True,
                                 check=False)
        if mounted.returncode:
            self.skipTest("no file system of 16 KiB can be mounted here")
        self.peers.callback(subprocess.run, ["umount", "-l", folder], check=True)
        ours = self.peers.citestream(self.model(pace=0).port, "--record", folder, "--admin", "127.0.0.1:0")
        direct = self.peers.citestream(self.model(pace=0).port)
        expected = await patiently(fetch(direct.port))
        for _ in range(8):
            self.assertEqual(await patiently(fetch(ours.port)), expected)

        async def lost():
            metrics = await patiently(fetch_page(admin_port(ours), "/metrics"))
            return int(re.search(r"^citestream_recordings_lost_total (\d+)", metrics, re.M)[1]) > 0
        await until("a lost recording to be counted", lost)
        for name in os.listdir(folder):  # existing recordings are complete
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                self.assertTrue(file.read().endswith("\n"), name)


CLIENT = """
import os, signal, socket, sys
client = socket.socket()
client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
client.connect(("127.0.0.1", int(sys.argv[1])))
body = b'{"model":"huge","stream":true}'
client.sendall(b"POST /v1/chat HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(body) + body)
got = [client.recv(1000)]
print("begun", flush=True)
os.kill(os.getpid(), signal.SIGSTOP)  # itself: another process would stop it too late
try:
    while got[-1]:
        got.append(client.recv(65536))
except OSError:
    pass
open(sys.argv[2], "wb").write(b"".join(got))
"""

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
