"""deploy_test.py BINARY: the files of docs/deploy, for real, with three replicas under load.

Only the ports are replaced. Draining or upgrading a replica breaks no stream. Killing one breaks exactly its own streams,
and their clients see an error and not a short answer.
"""

import asyncio
import json
import os
import signal
import sys
import unittest

from peers import (Answer, Broken, Peers, admin_port, answer_events, free_port, listens, patiently, program,
                   skip_without, stop_softly, until, wait_until)

BINARY = os.path.abspath(sys.argv[1])
DEPLOY = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "deploy")
EVENTS = 40
PACE_MS = 40
STREAMS = 30


def words(number):
    """The text of the answers of a replica begins each word with this."""
    return f"replica{number}w"


class Site:
    """Three replicas, each with a model of its own, behind one balancer."""

    def __init__(self, peers):
        self.peers = peers
        self.models = [peers.replay({"answer": "".join(answer_events(words(i), EVENTS))}, "--pace", str(PACE_MS))
                       for i in range(3)]
        self.replicas = [self.replica(i) for i in range(3)]

    def replica(self, number, port=0, admin=0):
        out = self.peers.citestream(self.models[number], "--admin", f":{admin}", "--drain", "30", port=port)
        out.admin = admin_port(out)
        return out

    def replace(self, number):
        """Starts a new process of a replica on the ports of the old one. Returns the old one."""
        old = self.replicas[number]
        self.replicas[number] = self.replica(number, old.port, old.admin)
        return old

    def configured(self, name, front):
        """The file of docs/deploy with the ports of this site."""
        with open(os.path.join(DEPLOY, name), encoding="utf-8") as file:
            text = file.read()
        ports = {"8000": front}
        for number, each in enumerate(self.replicas, 1):
            ports[f"127.0.0.1:808{number}"] = f"127.0.0.1:{each.port}"
            ports[f"port 908{number}"] = f"port {each.admin}"
        for old, new in ports.items():
            text = text.replace(old, str(new))
        return text

    def haproxy(self):
        front = free_port()
        path = self.peers.write("haproxy.cfg", self.configured("haproxy.cfg", front))
        process = self.peers.spawn([program("haproxy"), "-db", "-f", path])
        wait_until(lambda: listens(front), process)
        return front

    def nginx(self):
        front, folder = free_port(), self.peers.folder
        path = self.peers.write("nginx.conf", self.configured("nginx.conf", front))
        user = "user root;" if os.geteuid() == 0 else ""
        process = self.peers.spawn([program("nginx"), "-c", path, "-e", f"{folder}/nginx.err",
                                    "-g", f"daemon off; pid {folder}/nginx.pid; {user}"])
        wait_until(lambda: listens(front), process)
        return front


class Deploy(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)

    async def drain_and_upgrade(self, site, front):
        report = os.path.join(site.peers.folder, "load.json")
        with open(report, "w", encoding="utf-8") as out:
            load = site.peers.spawn([BINARY, "load", "--url", f"http://127.0.0.1:{front}", "--streams", str(STREAMS),
                                     "--duration", "600", "--drain", "60", "--to", "json"], stdout=out)
        for number in (0, 1):  # replicas that have streams of the load now
            await until("streams", lambda n=number: busy(site.replicas[n]))
        drained = site.replicas[0]
        stop_softly(drained)
        await until("end of the drained one", lambda: drained.poll() is not None)
        self.assertEqual(drained.returncode, 0)
        old = site.replace(1)  # both processes share the port
        stop_softly(old)
        await until("end of the old one", lambda: old.poll() is not None)
        self.assertEqual(old.returncode, 0)
        await until("streams of the new one", lambda: busy(site.replicas[1]))
        load.send_signal(signal.SIGINT)
        await until("report", lambda: load.poll() is not None)
        with open(report, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(load.returncode, 0, text)
        return json.loads(text)

    async def kill_one(self, site, front):
        """Returns the answers of which replica broke, and what their clients saw."""
        answers = [await patiently(Answer.ask(front)) for _ in range(STREAMS)]
        for each in answers:
            await patiently(each.next_event())
        killed = site.replicas[2]
        killed.kill()
        killed.wait()
        results = await asyncio.gather(*(patiently(each.whole()) for each in answers), return_exceptions=True)
        broken = set()
        for answer, result in zip(answers, results):
            of_killed = words(2).encode() in answer.body
            self.assertEqual(isinstance(result, Broken), of_killed, result)
            if of_killed:
                self.assertNotIn(b"[DONE]", answer.body)
                broken.add(str(result)[:60])
            else:
                self.assertIn(b"[DONE]", answer.body)
        self.assertTrue(broken)
        for _ in range(6):  # the others answer
            self.assertIn(b"[DONE]", await patiently((await Answer.ask(front)).whole()))
        return broken

    async def test_haproxy(self):
        with Peers(BINARY) as peers:
            site = Site(peers)
            await self.everything(site, site.haproxy())

    async def test_nginx(self):
        with Peers(BINARY) as peers:
            site = Site(peers)
            await self.everything(site, site.nginx())

    async def everything(self, site, front):
        report = await self.drain_and_upgrade(site, front)
        print(json.dumps(report)[:400], file=sys.stderr)
        print(await self.kill_one(site, front), file=sys.stderr)


def busy(process):
    """Returns true if a replica has an open connection."""
    wanted = f":{process.port:04X}"
    with open("/proc/net/tcp", encoding="ascii") as file:
        rows = [line.split() for line in file][1:]
    return any(row[1].endswith(wanted) and row[3] == "01" for row in rows)


if __name__ == "__main__":
    skip_without("haproxy", "nginx")
    unittest.main(argv=sys.argv[:1])
