"""Markers planted into the texts of a recorded answer, at random word ends."""

import copy
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

# Code, links with the brackets around them, addresses and private markers: nothing is planted into them.
CLOSED = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|\(?\[[^\]]*\]\([^)]*\)\)?|https?://\S+|\ue200.*?\ue201", re.S)
WORD_END = re.compile(r"(?<=\w)(?=[\s.,;:!?]|\Z)")


def joined(events, delta_of):
    """The texts of a stream by key. `delta_of(event)` is the key and the text of a delta, or None."""
    texts = {}
    for key, text in filter(None, map(delta_of, events)):
        texts[key] = texts.get(key, "") + text
    return texts


def with_text_of_delta(event, text):
    """The event with another text in the member `text` of its `delta`."""
    name, payload = copy.deepcopy(event)
    payload["delta"]["text"] = text
    return name, payload


class Plants:
    """The markers planted into `texts`, by key of the text."""

    def __init__(self, texts, seed):
        self.random = random.Random(seed)
        self.urls = []
        self.texts = texts
        self.plants = {key: self.choose(text) for key, text in self.texts.items()}

    def choose(self, text):
        closed = [one.span() for one in CLOSED.finditer(text)]
        ends = [one.start() for one in WORD_END.finditer(text)
                if not any(start < one.start() < end for start, end in closed)]
        places = sorted(self.random.sample(ends, min(len(ends), self.random.randint(1, 12))))
        out = []
        for place in places:
            self.urls.append(f"https://plant.example/{len(self.urls)}")
            out.append((place, f" [Plant]({self.urls[-1]})"))
        return out

    def cited(self):
        """The pages of the markers, by key of the text that has any."""
        return {key: [marker[len(" [Plant]("):-1] for _, marker in plants] for key, plants in self.plants.items() if plants}

    def text(self, key, first, last):
        """The planted text for a range of the original one. A marker at its end belongs to it."""
        out, at = "", first
        for place, marker in self.plants[key]:
            if first < place <= last:
                out += self.texts[key][at:place] + marker
                at = place
        return out + self.texts[key][at:last]

    def pieces(self, run):
        """Deltas that follow each other directly, cut elsewhere and more often."""
        text = "".join(run)
        count = min(len(text) - 1, len(run) - 1 + self.random.randint(0, 6))
        cuts = sorted(self.random.sample(range(1, len(text)), count)) if count > 0 else []
        return [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)])]

    def replanted(self, events, delta_of, with_text, other):
        """The events with the planted texts.

        `delta_of(event)` is the key and the text of a delta, or None. `with_text(event, text)` is a delta with another
        text. `other(event)` is any other event, with the positions and repeats of the planted texts.
        """
        out, run, received = [], [], dict.fromkeys(self.texts, 0)
        for event, following in zip(events, [*events[1:], None]):
            delta = delta_of(event)
            if delta is None:
                out.append(other(event))
                continue
            key, text = delta
            run.append(self.text(key, received[key], received[key] + len(text)))
            received[key] += len(text)
            after = None if following is None else delta_of(following)
            if after is None or after[0] != key:
                out += [with_text(event, piece) for piece in self.pieces(run)]
                run = []
        return out

MAX_CUT_BYTES = 1_500_000  # bytes that check_cuts() rewrites, or up to twice as many
CUT_DISTANCE = 500  # bytes between the cuts of one pass, so that whole events are between most


class PlantedTest(unittest.TestCase):
    """Tests of recordings with planted markers. run() sets their recordings."""

    known = ()  # the pages that are known before the text
    notice = ""  # what filter prints, as a regular expression

    def filtered(self, stream, *options):
        done = subprocess.run([sys.argv[1], "filter", "--style", "strip", *options], input=stream, capture_output=True,
                              timeout=60, check=False)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr.decode(), f"^{self.notice}$")
        return done.stdout

    def check_splits(self, stream, sent, sizes, *options):
        """`sent` does not depend on how the stream is cut. `sizes`: a random generator."""
        for size in (1, *sizes.sample(range(2, 4000), 2)):
            self.assertEqual(self.filtered(stream, "--split", str(size), *options), sent, f"--split {size}")
        if "CITESTREAM_LIBRARY" in os.environ:
            self.check_cuts(stream, sizes, "body" in options)

    def check_cuts(self, stream, places, is_body):
        """Cuts the stream at every place, or at evenly spread places if there are too many."""
        sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "python"))
        import citestream  # loads the library when it is imported
        how = citestream.RewriteMode.JSON if is_body else citestream.RewriteMode.EVENTS
        known = [citestream.Reference(type=citestream.SourceType.WEB, url=url, title="Plant") for url in self.known]
        step = max(1, len(stream) * CUT_DISTANCE // MAX_CUT_BYTES)
        with citestream.Stream(citestream.Options(style="strip", references=known), how=how) as rewriter:
            sent = rewriter.feed(stream) + rewriter.finish()
            for first in range(1 + places.randrange(step), min(CUT_DISTANCE + 1, len(stream)), step):
                cuts = [0, *range(first, len(stream), CUT_DISTANCE), len(stream)]
                rewriter.reset()
                cut = b"".join([rewriter.feed(stream[start:end]) for start, end in zip(cuts, cuts[1:])]) + rewriter.finish()
                self.assertEqual(cut, sent, f"cut at {cuts[1:-1]}")

    def check_recordings(self, events_of, texts_of, paths=None):
        """Calls check_recording() with the events of each recording that has texts, and with each seed."""
        checked = 0
        for path in self.recordings if paths is None else paths:
            with open(path, "rb") as file:
                events = events_of(file.read())
            if not texts_of(events):
                continue
            checked += 1
            for seed in self.seeds:
                with self.subTest(recording=os.path.basename(path), seed=seed):
                    self.check_recording(events, seed)
        self.assertGreater(checked, 0)

    def know(self, urls):
        """Called with the pages of the planted markers before the answer is filtered."""

    def check_body(self, body, seed, holders_of, shift, without_ours):
        planter = Plants({key: holder["text"] for key, holder in enumerate(holders_of(body))}, seed)
        self.know(planter.urls)
        planted = copy.deepcopy(body)
        shift(planter, planted)
        for key, holder in enumerate(holders_of(planted)):
            holder["text"] = planter.text(key, 0, len(holder["text"]))
        sent = self.filtered(json.dumps(planted).encode(), "--to", "body")
        seen, plain = json.loads(sent), json.loads(self.filtered(json.dumps(body).encode(), "--to", "body"))
        records = seen.pop("citestream")["citations"]
        plain.pop("citestream", None)
        self.assertEqual(without_ours(seen), plain)
        cited = [record.get("identifier", "") for record in records]
        self.assertEqual([url for url in cited if url.startswith("https://plant.example/")], planter.urls)
        self.check_splits(json.dumps(planted).encode(), sent, planter.random, "--to", "body")

    def check_bodies(self, provider, holders_of, shift=lambda planter, body: None, without_ours=lambda body: body):
        """Plants markers into the recorded bodies of a provider.

        `holders_of(body)` yields the objects whose `text` is text of the answer. `shift(planter, body)` moves the
        positions and repeats of the provider; texts have their number as key. `without_ours(body)` removes the
        citations of planted markers.
        """
        paths = [path for path in sorted(glob.glob(f"{self.data}/recordings/providers/{provider}/*.json")) if not path.endswith(".request.json")]
        self.assertGreater(len(paths), 0)
        for path in paths:
            with open(path, "rb") as file:
                body = json.load(file)
            for seed in self.seeds:
                with self.subTest(recording=os.path.basename(path), seed=seed):
                    self.check_body(body, seed, holders_of, shift, without_ours)


class KnownPagesTest(PlantedTest):
    """The same with the pages of the markers known before the text."""

    def filtered(self, stream, *options):
        return super().filtered(stream, "--references", self.references.name, *options)

    def know(self, urls):
        self.known = urls
        self.references = tempfile.NamedTemporaryFile("w", suffix=".json")
        self.addCleanup(self.references.close)
        json.dump([{"url": url, "title": "Plant"} for url in urls], self.references)
        self.references.flush()


def run(provider, *patterns, seeds=(1, 2, 3)):
    """Runs the tests of a script, whose arguments are CITESTREAM DATA [SEED...]. `patterns`: files in DATA/recordings."""
    PlantedTest.data = sys.argv[2]
    PlantedTest.seeds = [int(seed) for seed in sys.argv[3:]] or seeds
    PlantedTest.recordings = sorted(path for one in patterns for path in glob.glob(f"{sys.argv[2]}/recordings/{one}"))
    if not PlantedTest.recordings:
        print(f"SKIPPED: no recordings of {provider} in {sys.argv[2]} (set CITESTREAM_DATA)")
        sys.exit(0)
    unittest.main(argv=sys.argv[:1])
