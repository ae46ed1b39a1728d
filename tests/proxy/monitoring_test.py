"""The alert rules, the dashboard, the balancer files and the documentation of the metrics fit what the proxy serves.

monitoring_test.py BINARY PROMTOOL: starts the proxy with the demo model. With an empty PROMTOOL, rules are not checked.
"""
import asyncio
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from peers import Peers, admin_port, fetch_page, patiently

ROOT = pathlib.Path(__file__).resolve().parents[2]
RULES = ROOT / "docs/deploy/alerts.yml"
DASHBOARD = ROOT / "docs/deploy/grafana.json"
BINARY, PROMTOOL = sys.argv[1:3]


def read_metrics():
    """The metrics page of a proxy that has just started."""
    with Peers(BINARY) as peers:
        proxy = peers.spawn([BINARY, "proxy", "--upstream", "demo:", "--listen", "127.0.0.1:0", "--admin", ":0"])
        return asyncio.run(patiently(fetch_page(admin_port(proxy), "/metrics")))


METRICS = read_metrics()
TYPES = dict(re.findall(r"^# TYPE (\S+) (\S+)$", METRICS, re.MULTILINE))
NAME = re.compile(r"\b(?:citestream|process)_[a-z_]+")


def type_of(name):
    base = re.sub(r"_(bucket|sum|count)$", "", name)
    return TYPES.get(name) or (TYPES.get(base) if TYPES.get(base) == "histogram" else None)


def misused(expression):
    """What is wrong with a query: unknown names, rates of gauges, and counters without a rate."""
    wrong = []
    for found in NAME.finditer(expression):
        kind = type_of(found[0])
        in_rate = re.search(r"(rate|increase)\($", expression[:found.start()]) is not None
        if kind is None:
            wrong.append(f"unknown {found[0]}")
        elif in_rate != (kind != "gauge"):
            wrong.append(f"{found[0]} is a {kind}")
    return wrong


def promtool(*arguments):
    return subprocess.run([PROMTOOL, *arguments], capture_output=True, text=True, timeout=120)


class Monitoring(unittest.TestCase):
    @unittest.skipUnless(PROMTOOL, "promtool is not installed")
    def test_promtool_accepts_the_rules_and_no_broken_ones(self):
        result = promtool("check", "rules", str(RULES))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        with tempfile.TemporaryDirectory() as folder:
            broken = pathlib.Path(folder, "broken.yml")
            broken.write_text(RULES.read_text().replace("> 0.05", "> 0.05)"))
            self.assertNotEqual(promtool("check", "rules", str(broken)).returncode, 0)

    @unittest.skipUnless(PROMTOOL, "promtool is not installed")
    def test_rules_fire_on_failures_and_not_before(self):
        series = {  # values each minute
            "citestream_config_last_reload_successful": "1 0x30",
            'citestream_upstream_errors_total{upstream="a",kind="upstream_reset"}': "0+30x30",
            'citestream_requests_total{route="/",status="502"}': "0+60x30",
            'citestream_refused_total{bound="max_streams"}': "0+1x30",
            'citestream_refused_total{bound="descriptors"}': "0x30",
            "process_open_fds": "90x30",
            "process_max_fds": "100x30",
            "citestream_build_info": "1x30",
        }
        labelled = [{"series": re.sub(r"(\{|$)", lambda m: '{job="j",instance="i"' + (',' if m[0] else '}'), name, count=1),
                     "values": values} for name, values in series.items()]
        expected = [("CitestreamReloadFailed", 3, []), ("CitestreamReloadFailed", 10, [{"instance": "i", "job": "j"}]),
                    ("CitestreamUpstreamErrors", 25, [{"instance": "i"}]),
                    ("CitestreamRefusing", 25, [{"instance": "i", "bound": "max_streams"}]),
                    ("CitestreamDescriptorsLow", 25, [{"instance": "i", "job": "j"}]),
                    ("CitestreamDown", 25, []), ("CitestreamBrokenConnections", 25, [])]
        # Only names and labels are compared: annotations are prose.
        rules = re.sub(r"(?m)^        annotations:\n(          .*\n)+", "", RULES.read_text())
        rules = re.sub(r"(?m)^        labels:\n          severity: \w+\n", "", rules)
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "rules.yml").write_text(rules)
            tests = [{"interval": "1m", "input_series": labelled, "alert_rule_test": [
                {"eval_time": f"{minute}m", "alertname": name, "exp_alerts": [{"exp_labels": one} for one in labels]}
                for name, minute, labels in expected]}]
            path = pathlib.Path(folder, "test.yml")
            path.write_text(json.dumps({"rule_files": ["rules.yml"], "evaluation_interval": "1m", "tests": tests}))
            result = promtool("test", "rules", str(path))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_rules_use_metrics_as_what_they_are(self):
        expressions = re.findall(r"expr: (?:\|\n((?: {10}.*\n)+)|(.*)\n)", RULES.read_text())
        self.assertGreater(len(expressions), 5)
        for expression in expressions:
            self.assertEqual(misused("".join(expression)), [], expression)

    def test_each_panel_has_a_description_and_shows_rates_of_counters_only(self):
        for panel in json.loads(DASHBOARD.read_text())["panels"]:
            if panel["type"] == "row":
                continue
            with self.subTest(panel["title"]):
                self.assertGreater(len(panel["description"]), 15)
                for target in panel["targets"]:
                    self.assertEqual(misused(target["expr"]), [])
                    per_second = panel["fieldConfig"]["defaults"]["unit"] in ("cps", "reqps", "Bps")
                    self.assertEqual(per_second, "rate(citestream" in target["expr"] and "/" not in target["expr"]
                                     and "histogram_quantile" not in target["expr"])

    def test_balancers_wait_longer_than_the_proxy(self):
        printed = subprocess.run([BINARY, "proxy", "--upstream", "demo:", "--print-config"],
                                 capture_output=True, text=True, timeout=60, check=True).stdout
        limits = {name: int(seconds) for name, seconds in re.findall(r"(?m)^(\w+_timeout) = (\d+)", printed)}
        silence = max(limits["connect_timeout"] + limits["answer_timeout"], limits["idle_timeout"])
        for name, pattern in (("nginx.conf", r"proxy_(?:read|send)_timeout (\d+)s;"),
                              ("haproxy.cfg", r"timeout (?:client|server) (\d+)s")):
            text = (ROOT / "docs/deploy" / name).read_text()
            waits = [int(seconds) for seconds in re.findall(pattern, text)]
            self.assertEqual(len(waits), 2)
            self.assertGreater(min(waits), silence)
            comments = " ".join(re.findall("#.*", text))
            self.assertEqual(set(re.findall(r"\w+_timeout", comments)) - set(limits), set())
        page = (ROOT / "docs/scaling.md").read_text()
        self.assertEqual(set(re.findall(r"`(\w+_timeout)`", page)) - set(limits), set())

    def test_the_documentation_lists_every_metric_with_its_labels(self):
        page = (ROOT / "docs/proxy.md").read_text()
        table = {name: set(labels.split(",")) - {""}
                 for name, labels in re.findall(r"(?m)^\| `([a-z_]+?)(?:\{([a-z_,]+)\})?` \|", page) if type_of(name)}
        served = {}
        for name in TYPES:
            rows = re.findall(rf"(?m)^{name}(?:_bucket)?\{{(.*)\}} ", METRICS)
            served[name] = {key for row in rows for key in re.findall(r'(\w+)="', row)} - {"le"}
        self.assertEqual(table, served)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
