#!/usr/bin/env python3
"""cohere_planted_test.py CITESTREAM DATA [SEED...]: plants markers into recordings of Cohere v2.

Markers are planted as in responses_planted_test.py. Positions and words of Cohere's citations move with them. With
style strip, a client must see the same texts and citations as without the markers.
"""

import copy
import glob
import os
import random
import subprocess
import sys
import unittest

import responses_planted_test
from responses_planted_test import events_of, stream_of


def text_of(payload):
    """The text of a delta, or None."""
    if payload["type"] != "content-delta":
        return None
    return payload["delta"]["message"]["content"].get("text")


def texts_of(events):
    texts = {}
    for _, payload in events:
        if text_of(payload) is not None:
            texts[payload["index"]] = texts.get(payload["index"], "") + text_of(payload)
    return texts


def citations_of(events):
    return [payload["delta"]["message"]["citations"] for _, payload in events if payload["type"] == "citation-start"]


class Planter(responses_planted_test.Planter):
    """Plants markers into one recording."""

    def __init__(self, events, seed):  # pylint: disable=super-init-not-called
        self.random = random.Random(seed)
        self.urls = []
        self.texts = texts_of(events)
        self.plants = {key: self.choose(text) for key, text in self.texts.items()}
        self.events = self.planted(events)

    def shift(self, key, annotation):
        first, last = annotation["start"], annotation["end"]
        planted = self.text(key, 0, len(self.texts[key]))
        annotation["start"] += sum(len(marker) for place, marker in self.plants[key] if place <= first < last)
        annotation["end"] += sum(len(marker) for place, marker in self.plants[key] if place < last)
        annotation["text"] = planted[annotation["start"]:annotation["end"]]

    def planted(self, events):
        out, run, received = [], [], dict.fromkeys(self.texts, 0)
        for place, (name, payload) in enumerate(events):
            payload = copy.deepcopy(payload)
            text = text_of(payload)
            if payload["type"] == "citation-start":
                citation = payload["delta"]["message"]["citations"]
                self.shift(citation.get("content_index", max(self.texts)), citation)
            if text is None:
                out.append((name, payload))
                continue
            key, first = payload["index"], received[payload["index"]]
            received[key] += len(text)
            run.append(self.text(key, first, received[key]))
            following = events[place + 1][1]
            if text_of(following) is not None and following["index"] == key:
                continue
            for piece in self.pieces(run):
                payload["delta"]["message"]["content"]["text"] = piece
                out.append((name, copy.deepcopy(payload)))
            run = []
        return out


class Planted(unittest.TestCase):
    def filtered(self, stream, *options):
        done = subprocess.run([PROGRAM, "filter", "--style", "strip", *options], input=stream, capture_output=True,
                              timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def check_recording(self, events, seed):
        planter = Planter(events, seed)
        stream = stream_of(planter.events)
        sent = self.filtered(stream)
        seen = events_of(sent)
        self.assertEqual(texts_of(seen), texts_of(events))
        self.assertEqual(citations_of(seen), citations_of(events))
        records = seen[-1][1]["delta"].get("citestream", {}).get("citations", [])
        self.assertEqual([one["identifier"] for one in records if one["origin"] == "marker"], planter.urls)
        for size in (1, *planter.random.sample(range(2, 4000), 2)):
            self.assertEqual(self.filtered(stream, "--split", str(size)), sent, f"--split {size}")

    def test_planted_markers(self):
        checked = 0
        for path in RECORDINGS:
            with open(path, "rb") as file:
                events = events_of(file.read().replace(b"data: [DONE]\n\n", b""))
            if not texts_of(events):
                continue
            checked += 1
            for seed in SEEDS:
                with self.subTest(recording=os.path.basename(path), seed=seed):
                    self.check_recording(events, seed)
        self.assertGreater(checked, 0)


if __name__ == "__main__":
    PROGRAM, DATA = sys.argv[1:3]
    SEEDS = [int(seed) for seed in sys.argv[3:]] or [1, 2, 3]
    RECORDINGS = sorted(glob.glob(f"{DATA}/recordings/providers/cohere/*.sse") +
                        glob.glob(f"{DATA}/recordings/cohere-*.sse"))
    if not RECORDINGS:
        print(f"SKIPPED: no recordings of Cohere in {DATA} (set CITESTREAM_DATA)")
        sys.exit(0)
    unittest.main(argv=sys.argv[:1])
