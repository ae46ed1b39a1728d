"""Upstream, proxies and client of a measurement, with the processor time and the memory of the proxy.

`citestream replay` is the upstream, `citestream load` the client. A target is what is between them: a proxy that
measure() starts anew each time, or nothing (`direct`).
"""

import contextlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time

from facts import ROOT, text_of

sys.path.insert(0, os.path.join(ROOT, "tests", "support"))
from peers import PACKAGES, PATIENCE_S, end, free_port, listens, log_of, own_port, program, wait_until  # noqa: E402

IN_NGINX = ("nginx module", "nginx Lua")  # measured only if --only names them
CHECKING = ("citestream", "citestream check")  # targets of the modes with claims: without and with check=report
REWRITES = (*CHECKING, *IN_NGINX)  # targets that remove the markers

# name: streams, seconds, seconds of warm-up, additional options of load, options of replay
MODES = {
    "burst": (16, 4.0, 0.5, ("--read-every", "20"), ("--pace", "0")),
    "small": (32, 3.0, 0.5, ("--read-every", "20"), ("--pace", "0")),
    "paced": (50, 6.0, 1.5, ("--ramp", "1", "--drain", "0"), ("--pace", "50/s", "--send-times")),
    "claims": (16, 4.0, 0.5, ("--read-every", "20"), ("--pace", "0")),
    "claims-paced": (50, 8.0, 0.5, ("--ramp", "1"), ("--pace", "50/s")),
}
QUICK = {"burst": (4, 0.5, 0.1), "small": (4, 0.5, 0.1), "paced": (10, 0.8, 0.2), "claims": (4, 0.5, 0.1),
         "claims-paced": (4, 0.5, 0.1)}
OPEN_PACE = ("--pace", "1/s", "--loop")

NGINX = """
{modules}
{user} worker_processes 1; worker_rlimit_nofile {files}; daemon off;
pid {folder}/nginx.pid; error_log {folder}/nginx.err warn;
env CITESTREAM_LIBRARY;
events {{ worker_connections {connections}; }}
http {{
  {settings}
  access_log off; gzip off; tcp_nodelay on; keepalive_requests 1000000000;
  client_body_temp_path {folder}/n1; proxy_temp_path {folder}/n2; fastcgi_temp_path {folder}/n3;
  uwsgi_temp_path {folder}/n4; scgi_temp_path {folder}/n5;
  upstream api {{ server 127.0.0.1:{upstream}; keepalive 64; keepalive_requests 1000000000; }}
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    location / {{
      proxy_pass http://api; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_buffering off; proxy_read_timeout 600s;
      {filters}
    }}
  }}
}}
"""

HAPROXY = """
global
  nbthread 1
  maxconn {connections}
defaults
  mode http
  option http-no-delay
  timeout connect 5s
  timeout client 600s
  timeout server 600s
frontend front
  bind 127.0.0.1:{port} backlog 4096
  default_backend back
backend back
  http-reuse always
  server api 127.0.0.1:{upstream}
"""


# Additional nginx configuration by target.
MODULES_OF_NGINX = "/usr/lib/nginx/modules"
INSIDE = {
    "nginx": ("", "", ""),
    "nginx module": ("load_module {build}/ngx_http_citestream_module.so;", "", "citestream on;"),
    "nginx Lua": (f"load_module {MODULES_OF_NGINX}/ndk_http_module.so; load_module {MODULES_OF_NGINX}/ngx_http_lua_module.so;",
                  'lua_package_path "{root}/src/lua/?.lua;/usr/share/lua/5.1/?.lua;;"; init_by_lua_block {{ options = {{}} }}',
                  'header_filter_by_lua_block {{ require("citestream").header_filter(options) }} '
                  'body_filter_by_lua_block {{ require("citestream").body_filter() }}'),
}


class Unusable(Exception):
    """Something cannot be measured on this machine. The message is the reason."""


def find_program(name):
    found = program(name)
    if not found:
        raise Unusable(f"{name} is not installed (Debian: {PACKAGES[name]})")
    return found


# The served streams have the form of Writer's, with a marker of six tokens in every forty tokens. In the modes with
# claims, every tenth event is a marker that ends a claim, about one of five references of 2 KB.

def event(text, finish=None, references=None):
    graph = {"sources": None, "status": "finished" if references else None, "subqueries": None}
    if references:
        graph["references"] = references
    delta = {"content": text, "role": "assistant", "tool_calls": None, "graph_data": graph, "llm_data": None,
             "image_data": None, "translation_data": None, "web_search_data": None, "refusal": None}
    choice = {"index": 0, "finish_reason": finish, "message": delta, "delta": delta, "logprobs": None}
    payload = {"id": "1533878c-55a1-4b4c-8a1f-6f7f0a4b2d10", "object": "chat.completion.chunk", "choices": [choice],
               "created": 1755846931, "model": "palmyra-x4", "usage": None, "system_fingerprint": "v1"}
    return "data: " + json.dumps(payload, separators=(",", ":")) + "\n\n"


def file_of(name, text):
    return {"text": text, "fileId": name, "score": 0.9, "page": 3, "cite": name}


def stream_of(tokens, files):
    last = event(None, "stop", {"files": files, "web": []})
    return event(None) + "".join(map(event, tokens)) + last + "data: [DONE]\n\n"


def answer(events):
    """Returns an answer with this many events, not counting [DONE]."""
    marker = (" [", "Annual", " report", ".pdf](", "file", "-17)")
    tokens = [marker[i % 40 - 30] if 30 <= i % 40 < 36 else f" w{i % 1000:03d}" for i in range(events - 2)]
    return stream_of(tokens, [file_of("file-17", "Sales rose 20%.")])


def answer_with_claims(events):
    """The same with claims. A claim has the words of a sentence of its reference, and every third a number of its own."""
    places, things = ("Lisbon", "Porto", "Faro", "Braga", "Evora"), ("ferries", "trams", "buses", "trains", "lifts", "boats")

    def sentence(at, number):
        return f"The city of {places[at % 5]} bought {number} new {things[at % 6]} for line {at % 30} last year"

    files = []
    for name in range(5):
        text = ". ".join(sentence(30 * name + i, 100 + i) for i in range(40))
        files.append(file_of(f"file-{name}", text[:2048]))
    tokens = []
    for claim in range((events - 2) // 10):
        words = sentence(30 * (claim % 5) + claim % 25, 100 + claim % 25 + (claim % 3 == 0)).split()
        tokens += [" " + " ".join(words[i * len(words) // 9:(i + 1) * len(words) // 9]) for i in range(9)]
        tokens.append(f" [Report](file-{claim % 5}).")
    return stream_of(tokens, files)


# Processes. Only processes started here are ended.

class Processes(contextlib.ExitStack):
    def __init__(self, folder):
        super().__init__()
        self.folder = folder
        allowed = sorted(os.sched_getaffinity(0))
        self.own = {allowed[0]} if len(allowed) > 1 else set(allowed)
        self.rest = set(allowed[1:]) or self.own

    def spawn(self, command, cpus, name, **more):
        log = os.path.join(self.folder, name.replace(" ", "_") + ".log")
        with open(log, "w", encoding="utf-8") as out:
            more.setdefault("stdout", out)
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=out, **more)
        os.sched_setaffinity(process.pid, cpus)
        process.log = log
        self.callback(end, process)
        return process


def start_upstream(processes, binary, folder, name, options):
    path = os.path.join(folder, name + ".sse")
    with open(path, "w", encoding="utf-8") as file:
        file.write(answer_with_claims(302) if name.startswith("claims") else answer(3 if name == "small" else 300))
    upstream = processes.spawn([binary, "replay", path, "--listen", "127.0.0.1:0", *options], processes.rest,
                               "replay_" + name)
    return own_port(upstream)


def start_target(processes, binary, name, upstream):
    """Starts the proxy `name` in front of the port `upstream`. Returns its process (None for direct) and its port."""
    if name == "direct":
        return None, upstream
    if name.startswith("citestream"):
        more = {"citestream keep": ["--style", "keep"], "citestream check": ["--check", "report"]}.get(name, [])
        command = [binary, "proxy", "--log-level", "off", "--threads", "1", "--listen", "127.0.0.1:0",
                   "--upstream", f"http://127.0.0.1:{upstream}", *more]
        process = processes.spawn(command, processes.own, name)
        return process, own_port(process)
    port = free_port()
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    values = {"folder": processes.folder, "port": port, "upstream": upstream, "files": files,
              "connections": min(files, 65536) - 100 if name in INSIDE else min(files // 2 - 50, 30000),
              "user": "user root;" if os.geteuid() == 0 else ""}
    is_nginx = name in INSIDE
    path = os.path.join(processes.folder, name.replace(" ", "_") + ".conf")
    build = os.path.dirname(os.path.abspath(binary))
    if is_nginx:
        inside = [part.format(build=build, root=ROOT) for part in INSIDE[name]]
        values.update(zip(("modules", "settings", "filters"), inside))
    with open(path, "w", encoding="utf-8") as file:
        file.write((NGINX if is_nginx else HAPROXY).format(**values))
    options = ["-c", path, "-e", values["folder"] + "/nginx.err"] if is_nginx else ["-db", "-f", path]
    found = {**os.environ, "CITESTREAM_LIBRARY": os.path.join(build, "libcitestream.so.1")}
    process = processes.spawn([find_program("nginx" if is_nginx else name), *options], processes.own, name, env=found)
    wait_until(lambda: listens(port), process)
    return process, port


# The kernel's counters for a process and its children.

def family(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            children = [int(child) for child in file.read().split()]
    except OSError:
        children = children_by_parent(pid)
    return [pid] + [each for child in children for each in family(child)]


def children_by_parent(pid):
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if int(text_of(f"/proc/{entry}/stat").rpartition(")")[2].split()[1]) == pid:
                found.append(int(entry))
    return found


def cpu_seconds(process):
    ticks = 0
    for pid in family(process.pid):
        with contextlib.suppress(OSError):
            fields = text_of(f"/proc/{pid}/stat").rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def resident_kib(process):
    total = 0
    for pid in family(process.pid):
        with contextlib.suppress(OSError):
            found = re.search(r"^VmRSS:\s+(\d+)", text_of(f"/proc/{pid}/status"), re.M)
            total += int(found[1]) if found else 0
    return total


def settled_kib(process, seconds):
    """Returns resident memory once it has not grown for this long. A busy machine may open streams late."""
    deadline = time.monotonic() + PATIENCE_S
    last, since = resident_kib(process), time.monotonic()
    while time.monotonic() < min(since + seconds, deadline):
        time.sleep(0.2)
        now = resident_kib(process)
        if now > last * 1.002:
            last, since = now, time.monotonic()
    return last


# Measurements.

def load_command(binary, name, port, streams, seconds, options):
    markers = [] if name in REWRITES else ["--allow-markers"]
    return [binary, "load", "--url", f"http://127.0.0.1:{port}", "--to", "json", "--streams", str(streams),
            "--duration", str(seconds), *markers, *options]


def report_of(process, seconds):
    out, _ = process.communicate(timeout=seconds + 60)
    try:
        return json.loads(out)
    except ValueError:
        raise Unusable(f"citestream load failed: {log_of(process).strip()[-300:]}") from None


def measure(outer, binary, name, upstream, mode, quick):
    streams, seconds, warm_up, options, _ = MODES[mode]
    if quick:
        streams, seconds, warm_up = QUICK[mode]
        options = ("--drain", "0") if mode == "paced" else options
    with Processes(outer.folder) as processes:
        proxy, port = start_target(processes, binary, name, upstream)
        before = cpu_seconds(proxy) if proxy else 0
        command = load_command(binary, name, port, streams, seconds, ["--warm-up", str(warm_up), *options])
        report = report_of(processes.spawn(command, processes.rest, "load", stdout=subprocess.PIPE), seconds)
        report["proxy_cpu_s"] = round(cpu_seconds(proxy) - before, 3) if proxy else 0
    return report


def measure_open(outer, binary, name, upstream, streams, settle):
    """Returns resident memory with this many slow streams open."""
    ramp = streams / 800
    with Processes(outer.folder) as processes:
        proxy, port = start_target(processes, binary, name, upstream)
        before = resident_kib(proxy)
        command = load_command(binary, name, port, streams, 600, ["--ramp", str(ramp), "--read-every", "20"])
        load = processes.spawn(command, processes.rest, "load", stdout=subprocess.PIPE)
        time.sleep(ramp)
        after = settled_kib(proxy, settle)
        load.send_signal(signal.SIGINT)
        report = report_of(load, 0)
    return {"streams": streams, "answering": report["statuses"].get("200", 0), "before_kib": before, "open_kib": after,
            "kib_per_stream": round((after - before) / streams, 2), "total": report["total"],
            "faults": report["faults"], "still_running": report["still_running"]}
