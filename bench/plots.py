#!/usr/bin/python3
"""bench/plots.py run|proxy|embed JSON FOLDER: draws the figures of one run of bench/run, bench/proxy or bench/embed.

Writes SVG files that follow the reader's light or dark theme. Each names the machine, the commit, the date and the load
of the run. A figure whose numbers are missing is an error, and then no file is written.
"""

import io
import json
import os
import re
import sys

import matplotlib
matplotlib.use("svg")
from matplotlib import pyplot, ticker  # noqa: E402  (after the choice of the output)

from facts import median  # noqa: E402

READ = "1400"  # bytes, as in bench/run
STAGES = (("floor_memchr/{}", "two memchr a line"), ("floor_text/{}", "simdjson, the text alone"),
          ("floor_walk/{}", "simdjson, every field"), ("floor_dom/{}", "simdjson DOM"), (f"sse/{{}}/{READ}", "sse"),
          ("chunk/{}", "chunk"), ("dialect/{}", "chunk and dialect"), (f"envelope/{{}}/{READ}", "sse to dialect, shapes known"),
          ("splice/{}", "rewrite of a payload"), (f"text/{{}}/{READ}", "all: stream to text"),
          (f"rewrite/{{}}/{READ}", "all: stream to stream"))
SIZES = ((f"rewrite/{{}}/{READ}", "citestream, stream to stream"), ("floor_walk/{}", "simdjson, every field"),
         ("floor_text/{}", "simdjson, the text alone"), ("floor_memchr/{}", "two memchr a line"))
SHAPES = ("writer", "openai", "random", "perplexity")
SCALING = (("scaling/events", "events in the stream"), ("scaling/citations", "citations before"))
TARGETS = ("direct", "nginx", "haproxy", "citestream")
PERCENTILES = ("p50", "p90", "p95", "p99")

# Colours as drawn, their names in the style sheet, and their values in a light and a dark theme.
COLOURS = {"#010101": ("ink", "#1f2328", "#e6edf3"), "#020202": ("soft", "#59636e", "#9198a1"),
           "#030303": ("edge", "#d1d9e0", "#3d444d"), "#040404": ("ours", "#0969da", "#4493f8"),
           "#050505": ("first", "#8c959f", "#656c76"), "#060606": ("second", "#bc4c00", "#db6d28"),
           "#070707": ("third", "#1a7f37", "#3fb950")}
INK, SOFT, EDGE, OURS, FIRST, SECOND, THIRD = COLOURS
COLOUR_OF = {"citestream": OURS, "nginx": SECOND, "haproxy": THIRD, "direct": FIRST}


class Missing(Exception):
    """A series has no numbers. The message names it."""


def need(found, what):
    if found is None or found == []:
        raise Missing(f"no numbers of {what}")
    return found


def panels(count, height, title):
    figure, axes = pyplot.subplots(1, count, figsize=(9.2, height), squeeze=False)
    figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")
    return figure, axes[0]


def bars(axes, title, rows, unit):
    """Draws horizontal bars. `rows` are (name, value, colour)."""
    values = [value for _, value, _ in rows]
    drawn = axes.barh([name for name, _, _ in rows], values, color=[colour for _, _, colour in rows], height=0.7)
    axes.bar_label(drawn, [f"{value:.3g}" if value < 1000 else f"{value:,.0f}" for value in values], padding=3,
                   color=SOFT, fontsize=8)
    axes.invert_yaxis()
    axes.set_xlim(0, max(values) * 1.18 or 1)
    axes.locator_params(axis="x", nbins=5)
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_xlabel(unit)


def logarithmic(axis):
    (axis.axes.set_xscale if axis.axis_name == "x" else axis.axes.set_yscale)("log")
    axis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(ticker.StrMethodFormatter("{x:,.0f}"))
    axis.set_minor_locator(ticker.NullLocator())


def lines(axes, title, series, labels):
    """Draws lines with points. `series` are (name, [(x, y)...], colour), `labels` those of x and y."""
    for name, points, colour in series:
        axes.plot(*zip(*points), marker="o", markersize=4, label=name, color=colour)
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    if len(series) > 1:
        axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))


# bench/run

def time_of(results, name):
    return need(results.get(name), name)["ns"]


def stages(results):
    figure, axes = panels(2, 4.2, "Cost of each stage beside parsers of the same bytes")
    for place, stream in zip(axes, ("writer", "openai")):
        rows = [(label, time_of(results, name.format(stream)),
                 FIRST if name.startswith("floor") else OURS) for name, label in STAGES]
        bars(place, stream, rows, "ns an event")
    axes[1].set_yticklabels([])
    return figure


def event_size(results):
    figure, axes = panels(1, 3.6, "Cost over the size of an event")
    size = {shape: need(results.get(f"rewrite/{shape}/{READ}"), f"rewrite/{shape}/{READ}")["bytes"] for shape in SHAPES}
    series = [(label, [(size[shape], time_of(results, name.format(shape))) for shape in sorted(SHAPES, key=size.get)],
               colour) for (name, label), colour in zip(SIZES, (OURS, SECOND, THIRD, FIRST))]
    lines(axes[0], ", ".join(sorted(SHAPES, key=size.get)), series, ("bytes an event", "ns an event"))
    logarithmic(axes[0].xaxis)
    logarithmic(axes[0].yaxis)
    return figure


def scaling(results):
    figure, axes = panels(2, 3, "Cost of an event over the length of the stream and its citations")
    for place, (prefix, label) in zip(axes, SCALING):
        points = sorted((int(name.rsplit("/", 1)[1]), one["ns"]) for name, one in results.items()
                        if name.startswith(prefix + "/"))
        if len(points) < 2:
            raise Missing(f"fewer than two points of {prefix}")
        lines(place, label, [("citestream", points, OURS)], (label, "ns an event"))
        logarithmic(place.xaxis)
        place.xaxis.set_major_locator(ticker.FixedLocator([count for count, _ in points]))
        place.set_ylim(0, max(value for _, value in points) * 1.3)
    return figure


# bench/proxy

def per_round(results, mode, name, value):
    rounds = results["measured"].get(mode, {}).get(name)
    return [value(got) for got in need(rounds, f"{name}, {mode}") if got]


def proxy_cost(results):
    figure, axes = panels(3, 2.6, "CPU time of the proxies, one thread each")
    for place, (mode, per, title) in zip(axes, (("burst", "events", "an event, many in a read"),
                                                ("paced", "events", "an event, one in a read"),
                                                ("small", "answers", "an answer of three events"))):
        rows = []
        for name in TARGETS[1:]:
            costs = per_round(results, mode, name, lambda got, per=per: got["proxy_cpu_s"] * 1e6 / got["total"][per])
            rows.append((name, median(need(costs, f"{name}, {mode}")), COLOUR_OF[name]))
        bars(place, title, rows, "CPU µs")
    for place in axes[1:]:
        place.set_yticklabels([])
    return figure


def proxy_latency(results):
    figure, axes = panels(1, 3.4, "Time on the way of an event, streams of 50 events a second")
    series = []
    for name in TARGETS:
        points = [(point, median(need(per_round(results, "paced", name, lambda got, at=point: got["on_the_way_us"][at]),
                                      f"{name}, paced"))) for point in PERCENTILES]
        series.append((name, points, COLOUR_OF[name]))
    lines(axes[0], "", series, ("percentile", "µs"))
    axes[0].set_ylim(bottom=0)
    return figure


def proxy_streams(results):
    figure, axes = panels(1, 3, "Memory of an open stream")
    series = []
    for name in TARGETS[1:]:
        points = sorted((got["streams"], got["kib_per_stream"]) for got in results["open"].get(name, []) if got)
        series.append((name, need(points, f"{name}, open"), COLOUR_OF[name]))
    lines(axes[0], "", series, ("open streams", "KiB a stream"))
    axes[0].set_ylim(bottom=0)
    axes[0].set_xlim(left=0)
    return figure


# bench/embed

def embed_cost(results):
    figure, axes = panels(2, 3.2, "CPU time of the ways to embed")
    for place, (mode, title) in zip(axes, (("burst", "many events in a read"), ("paced", "one event in a read"))):
        found = {name: modes[mode] for name, modes in results["measured"].items() if mode in modes}
        rows = [(name, median(need(values, f"{name}, {mode}")) * 1e6,
                 SECOND if name == "nginx without citestream" else OURS) for name, values in found.items()]
        bars(place, title, need(rows, mode), "CPU µs an event")
    return figure


FIGURES = {"run": {"stages": stages, "event-size": event_size, "scaling": scaling},
           "proxy": {"proxy-cost": proxy_cost, "proxy-latency": proxy_latency, "proxy-streams": proxy_streams},
           "embed": {"embed-cost": embed_cost}}


def facts_line(facts):
    """Returns machine, commit, date and load."""
    before, after = facts["load"]
    return (f"{facts['cpu']}, {facts['cores']} cores; commit {facts['commit']}; {facts['date']}; "
            f"load {before:.1f} before, {after:.1f} after")


def facts_of(kind, given):
    if kind == "run":
        machine = given["machine"]
        return {**machine, "date": machine["time"], "load": (machine["load_before"], machine["load_after"])}
    facts = given["facts"]
    return {**facts, "load": (facts["load_before"][0], facts["load_after"][0])}


def svg_of(figure, facts_text):
    """Returns the figure with a style sheet for both themes instead of colours."""
    figure.text(0.01, 0.01, facts_text, fontsize=7.5, color=SOFT)
    figure.tight_layout(rect=(0, 0.05, 1, 0.98))
    out = io.StringIO()
    figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    text = out.getvalue()
    for drawn, (name, _, _) in COLOURS.items():
        text = text.replace(drawn, f"var(--{name})")
    themes = [" ".join(f"--{name}: {pair[theme]};" for name, *pair in COLOURS.values()) for theme in (0, 1)]
    style = (f"<style>svg {{ {themes[0]} }} @media (prefers-color-scheme: dark) {{ svg {{ {themes[1]} }} }}"
             " text { font-family: system-ui, sans-serif !important; }</style>")
    text = re.sub(r"<!DOCTYPE.*?>\n|<metadata>.*?</metadata>\n?|<\?xml.*?\?>\n", "", text, flags=re.S)
    return re.sub(r"(<svg [^>]*>)", lambda found: found[1] + "\n" + style, text, count=1).replace(" \n", "\n")


def draw(kind, given, folder):
    """Writes the figures of a script into a folder. Raises Missing before anything is written."""
    matplotlib.rcParams.update({
        "svg.fonttype": "none", "svg.hashsalt": "citestream", "font.size": 9, "text.color": INK, "axes.labelcolor": SOFT,
        "xtick.color": SOFT, "ytick.color": INK, "axes.edgecolor": EDGE, "axes.spines.top": False,
        "axes.spines.right": False, "axes.grid": False, "legend.labelcolor": INK})
    facts_text = facts_line(facts_of(kind, given))
    measured = given["results"] if kind == "run" else given
    files = {name: svg_of(figure(measured), facts_text) for name, figure in FIGURES[kind].items()}
    os.makedirs(folder, exist_ok=True)
    for name, text in files.items():
        with open(os.path.join(folder, name + ".svg"), "w", encoding="utf-8") as file:
            file.write(text)
    return list(files)


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in FIGURES:
        sys.exit(__doc__)
    kind, path, folder = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        given = json.load(file)
    try:
        for name in draw(kind, given, folder):
            print(os.path.join(folder, name + ".svg"))
    except Missing as error:
        sys.exit(f"bench/plots.py: {error} in {path}")


if __name__ == "__main__":
    main()
