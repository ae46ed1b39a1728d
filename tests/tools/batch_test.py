"""batch_test.py parallel|slurm|spark ROOT BINARY: the scripts of docs/batch.md give the output of one run over all documents.

Slurm is a cluster of one machine on loopback, with a key and folders of its own, that ends with the test.
"""

import contextlib
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import unittest

from peers import end, program, wait_until

KIND, ROOT, BINARY = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
PATIENCE_S = 120
DOCUMENTS = 250
PROGRAMS = {"parallel": ("parallel",), "slurm": ("munged", "slurmctld", "slurmd", "sbatch", "sinfo"), "spark": ()}
SLURM = """
ClusterName=batch
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus}
PartitionName=all Nodes=ALL Default=YES State=UP
"""


def body(number):
    return f'{{"choices":[{{"message":{{"role":"assistant","content":"Answer {number}."}}}}]}}'


def example(name):
    page = (ROOT / "docs/batch.md").read_text(encoding="utf-8")
    return re.search(rf"^<!-- example: {name} -->\n```\w+\n(.*?)^```$", page, re.M | re.S)[1]


def free_ports(count):
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]


class Batch(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        tools = self.folder / "bin"
        tools.mkdir()
        (tools / "citestream").symlink_to(BINARY)
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}:/usr/sbin"}
        (self.folder / "in").mkdir()
        files = []
        for number in range(DOCUMENTS):
            files.append(f"in/{number}.json")
            (self.folder / files[-1]).write_text(body(number), encoding="utf-8")
        (self.folder / "files.txt").write_text("\n".join(files) + "\n", encoding="utf-8")
        self.expected = self.run_here("citestream", "filter", "@files.txt", "--to", "json", "--jobs", "1")
        self.assertEqual(self.expected.count("\n"), DOCUMENTS)
        self.assertNotIn('"error"', self.expected)

    def run_here(self, *command, given=None):
        done = subprocess.run(command, cwd=self.folder, env=self.environment, input=given, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding="utf-8", timeout=PATIENCE_S, check=False)
        self.assertEqual(done.returncode, 0, f"{command}: {done.stdout[-500:]} {done.stderr[-2000:]}")
        return done.stdout

    def text_of(self, name):
        return (self.folder / name).read_text(encoding="utf-8")


class Parallel(Batch):
    def test_the_commands(self):
        claim = '{"claim":"Sales rose %d%%.","references":["Last year sales rose %d%%."]}\n'
        claims = "".join(claim % (number, number) for number in range(50_000))
        self.assertGreater(len(claims), 3 * 1024 * 1024)  # several blocks
        (self.folder / "claims.jsonl").write_text(claims, encoding="utf-8")
        self.run_here("bash", "-c", "set -e\n" + example("parallel"))
        self.assertEqual(self.text_of("answers.jsonl"), self.expected)
        self.assertEqual(self.text_of("scores.jsonl"), self.run_here("citestream", "check", "claims", "claims.jsonl"))


class Spark(Batch):
    def test_the_programs_as_pipe_runs_them(self):
        commands = re.findall(r'\.pipe\("(.*?)"\)', example("spark"))
        self.assertEqual(len(commands), 2)
        bodies = "".join(body(number) + "\n" for number in range(DOCUMENTS))
        lines = self.run_here(*commands[0].split(), given=bodies).splitlines()
        self.assertEqual([f'"content":"Answer {number}."' in line for number, line in enumerate(lines)], [True] * DOCUMENTS)
        reports = self.run_here(*commands[1].split(), given=self.text_of("files.txt")).splitlines()
        self.assertEqual([re.match(r'\{"file":"(.*?)","valid":true,', line)[1] for line in reports],
                         self.text_of("files.txt").splitlines())


class Slurm(Batch):
    def start(self, *command):
        log = open(self.folder / (pathlib.Path(command[0]).name + ".log"), "wb")
        self.addCleanup(log.close)
        process = subprocess.Popen([program(command[0]), *command[1:]], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                   cwd=self.folder, env=self.environment)
        process.log = log.name
        self.addCleanup(end, process)
        return process

    def start_cluster(self):
        key, secret = self.folder / "key", self.folder / "munge.sock"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        configuration = SLURM.format(host=socket.gethostname().split(".")[0], folder=self.folder, ports=free_ports(2),
                                     cpus=os.cpu_count())
        (self.folder / "slurm.conf").write_text(configuration, encoding="utf-8")
        self.environment["SLURM_CONF"] = str(self.folder / "slurm.conf")
        munge = self.start("munged", "--foreground", "--force", "--key-file", key, "--socket", secret, "--pid-file",
                           self.folder / "munge.pid", "--seed-file", self.folder / "seed")
        wait_until(secret.exists, munge, PATIENCE_S)
        self.start("slurmctld", "-D")
        node = self.start("slurmd", "-D")
        wait_until(self.is_idle, node, PATIENCE_S)

    def is_idle(self):
        done = subprocess.run([program("sinfo"), "--noheader", "--format=%T"], env=self.environment, capture_output=True,
                              encoding="utf-8", timeout=PATIENCE_S, check=False)
        return done.stdout.strip() == "idle"

    def test_the_array(self):
        self.start_cluster()
        (self.folder / "job.sh").write_text(example("slurm"), encoding="utf-8")
        self.run_here("sbatch", "--wait", "job.sh")
        parts = [f"part-{number}.jsonl" for number in range(4)]
        self.assertEqual("".join(map(self.text_of, parts)), self.expected)
        second = self.text_of(parts[1])
        (self.folder / parts[1]).write_text(second[:len(second) // 2], encoding="utf-8")  # as after a kill
        (self.folder / parts[2]).unlink()
        self.run_here("sbatch", "--wait", "job.sh")
        self.assertEqual("".join(map(self.text_of, parts)), self.expected)


if __name__ == "__main__":
    missing = [name for name in PROGRAMS[KIND] if not program(name)]
    if missing:
        print(f"SKIPPED: {', '.join(missing)} not installed (Debian: parallel, munge, slurmctld, slurmd, slurm-client)")
    elif KIND == "slurm" and os.geteuid() != 0:
        print("SKIPPED: a cluster is started as root")
    else:
        unittest.main(argv=sys.argv[:1], defaultTest=KIND.capitalize())
