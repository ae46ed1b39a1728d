"""bench_plots_test.py: bench/plots.py draws the figures of each script and reports a missing series."""

import copy
import sys
import unittest
import xml.etree.ElementTree

from drawn import can_draw, drawn

NAMES = ("floor_memchr/{}", "floor_text/{}", "floor_walk/{}", "floor_dom/{}", "sse/{}/1400", "chunk/{}", "dialect/{}",
         "envelope/{}/1400", "splice/{}", "text/{}/1400", "rewrite/{}/1400")
FACTS = {"cpu": "A CPU", "cores": 2, "commit": "abc1234", "date": "2026-01-02T03:04:05Z", "load_before": [0.25, 0, 0],
         "load_after": [0.75, 0, 0]}


def of_run():
    results = {name.format(shape): {"ns": 100.0 + place, "bytes": 300.0 + 100 * place}
               for place, shape in enumerate(("writer", "openai", "random", "perplexity")) for name in NAMES}
    for what in ("events", "citations"):
        results.update({f"scaling/{what}/{count}": {"ns": 90.0} for count in (1, 100)})
    facts = {**FACTS, "time": FACTS["date"], "load_before": 0.25, "load_after": 0.75}
    return {"machine": facts, "results": results}


def of_proxy():
    times = {point: 50.0 for point in ("p50", "p90", "p95", "p99")}
    one = {"proxy_cpu_s": 1.0, "total": {"events": 1000, "answers": 10}, "on_the_way_us": times}
    names = ("direct", "nginx", "haproxy", "citestream")
    return {"facts": FACTS, "measured": {mode: {name: [one, one, None] for name in names} for mode in ("burst", "small", "paced")},
            "open": {name: [{"streams": count, "kib_per_stream": 9.0} for count in (10, 20)] for name in names[1:]}}


def of_embed():
    return {"facts": FACTS, "measured": {"C": {"burst": [1e-7]}, "proxy": {"burst": [2e-7], "paced": [3e-5]}}}


GIVEN = {"run": (of_run, ("stages", "event-size", "scaling")),
         "proxy": (of_proxy, ("proxy-cost", "proxy-latency", "proxy-streams")), "embed": (of_embed, ("embed-cost",))}


def lacking(given, *path):
    out = copy.deepcopy(given)
    place = out
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    return out


class BenchPlots(unittest.TestCase):
    def test_each_script_has_its_figures_with_facts_and_both_themes(self):
        for kind, (make, names) in GIVEN.items():
            code, errors, files = drawn(kind, make())
            self.assertEqual(code, 0, errors)
            self.assertEqual(sorted(files), sorted(name + ".svg" for name in names))
            for text in files.values():
                xml.etree.ElementTree.fromstring(text)
                self.assertIn("A CPU, 2 cores; commit abc1234; 2026-01-02T03:04:05Z; load 0.2 before, 0.8 after", text)
                self.assertIn("prefers-color-scheme: dark", text)
                self.assertIn("var(--ours)", text)
                self.assertNotRegex(text, "#0[1-7]0[1-7]0[1-7]")

    def test_a_run_gives_the_same_bytes_each_time(self):
        self.assertEqual(drawn("embed", of_embed()), drawn("embed", of_embed()))

    def test_a_missing_series_is_an_error_and_nothing_is_written(self):
        cases = (("run", ("results", "floor_dom/writer"), "floor_dom/writer"),
                 ("run", ("results", "scaling/citations/1"), "scaling/citations"),
                 ("proxy", ("measured", "paced", "haproxy"), "haproxy, paced"),
                 ("proxy", ("open", "citestream"), "citestream, open"),
                 ("embed", ("measured", "proxy", "paced"), "paced"))
        for kind, path, named in cases:
            code, errors, files = drawn(kind, lacking(GIVEN[kind][0](), *path))
            self.assertEqual((code, files), (1, {}), path)
            self.assertIn(named, errors)


if __name__ == "__main__":
    if can_draw():
        unittest.main(argv=sys.argv[:1])
    else:
        print("SKIPPED: matplotlib is not installed (Debian: python3-matplotlib)")
