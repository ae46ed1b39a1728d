#!/usr/bin/env python3
"""interactions_planted_test.py CITESTREAM DATA [SEED...]: plants markers into recordings of Gemini's Interactions.

Markers are inserted at random word ends of the texts, and the provider's annotations, which count bytes of UTF-8 from
the start of their text, move with them. With style strip, a client must see the same texts and the same annotations as
without the markers, in a stream and in a body.
"""

import copy
import glob
import json
import os
import subprocess
import sys
import unittest

from planted import Plants
from responses_planted_test import events_of, stream_of


def delta_of(payload):
    """The delta of a text or of annotations, or an empty object."""
    return payload.get("delta", {}) if payload.get("event_type") == "step.delta" else {}


def texts_of(events):
    texts = {}
    for _, payload in events:
        if delta_of(payload).get("type") == "text":
            texts[payload["index"]] = texts.get(payload["index"], "") + delta_of(payload)["text"]
    return texts


def annotations_of(events):
    found = {}
    for _, payload in events:
        found.setdefault(payload.get("index"), []).extend(delta_of(payload).get("annotations", []))
    return found


def as_body(events):
    """The body of the same answer, each step with one text."""
    annotations = annotations_of(events)
    steps = [{"type": "thought"} for _ in range(max(texts_of(events)) + 1)]
    for index, text in texts_of(events).items():
        part = {"type": "text", "text": text, "annotations": annotations[index]}
        steps[index] = {"type": "model_output", "content": [part]}
    return {"id": "i", "object": "interaction", "steps": steps}


class Planter(Plants):
    """Plants markers into one recording."""

    def __init__(self, events, seed):
        super().__init__(texts_of(events), seed)
        self.events = self.planted(events)

    def move(self, key, annotation):
        text = self.texts[key].encode()
        first = len(text[:annotation.get("start_index", 0)].decode())
        last = len(text[:annotation["end_index"]].decode())
        annotation["start_index"] = len(self.text(key, 0, first).encode())
        annotation["end_index"] = annotation["start_index"] + len(self.text(key, first, last).encode())

    def planted(self, events):
        out, run, received = [], [], dict.fromkeys(self.texts, 0)
        for place, (name, payload) in enumerate(events):
            payload = copy.deepcopy(payload)
            for annotation in delta_of(payload).get("annotations", []):
                self.move(payload["index"], annotation)
            if delta_of(payload).get("type") != "text":
                out.append((name, payload))
                continue
            key, first = payload["index"], received[payload["index"]]
            received[key] += len(payload["delta"]["text"])
            run.append(self.text(key, first, received[key]))
            following = events[place + 1][1]
            if delta_of(following).get("type") == "text" and following["index"] == key:
                continue
            for piece in self.pieces(run):
                payload["delta"]["text"] = piece
                out.append((name, copy.deepcopy(payload)))
            run = []
        return out


class Planted(unittest.TestCase):
    def filtered(self, stream, *options):
        done = subprocess.run([PROGRAM, "filter", "--style", "strip", *options], input=stream, capture_output=True,
                              timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout

    @staticmethod
    def own(annotations):
        return [one for one in annotations if one["url"].startswith("https://plant.example/")]

    def check_annotations(self, seen, plain):
        """The provider's are those of the answer without markers; ours follow them."""
        for index, annotations in seen.items():
            ours = self.own(annotations)
            self.assertEqual(annotations, plain.get(index, []) + ours)
            for one in ours:
                self.assertLess(one["start_index"], one["end_index"])

    def check_recording(self, events, seed):
        planter = Planter(events, seed)
        stream = stream_of(planter.events) + DONE
        sent = self.filtered(stream)
        seen = events_of(sent.replace(DONE, b""))
        self.assertTrue(sent.endswith(DONE))
        self.assertEqual(texts_of(seen), texts_of(events))
        self.check_annotations(annotations_of(seen), annotations_of(events))
        citations = seen[-1][1]["interaction"]["citestream"]["citations"]
        markers = [one for one in citations if one["origin"] != "provider"]
        self.assertEqual([one["identifier"] for one in markers], planter.urls)
        theirs = sum(len(one) for one in annotations_of(events).values())
        self.assertEqual(len(citations) - len(markers), theirs)
        for size in (1, *planter.random.sample(range(2, 4000), 2)):
            self.assertEqual(self.filtered(stream, "--split", str(size)), sent, f"--split {size}")
        body = json.loads(self.filtered(json.dumps(as_body(planter.events)).encode(), "--to", "body"))
        parts = {index: step["content"][0] for index, step in enumerate(body["steps"]) if "content" in step}
        self.assertEqual({index: part["text"] for index, part in parts.items()}, texts_of(events))
        self.check_annotations({index: part["annotations"] for index, part in parts.items()}, annotations_of(events))

    def test_planted_markers(self):
        checked = 0
        for path in RECORDINGS:
            with open(path, "rb") as file:
                events = events_of(file.read().replace(DONE, b""))
            checked += 1
            for seed in SEEDS:
                with self.subTest(recording=os.path.basename(path), seed=seed):
                    self.check_recording(events, seed)
        self.assertGreater(checked, 0)


if __name__ == "__main__":
    DONE = b"event: done\ndata: [DONE]\n\n"
    PROGRAM, DATA = sys.argv[1:3]
    SEEDS = [int(seed) for seed in sys.argv[3:]] or [1, 2, 3]
    RECORDINGS = sorted(glob.glob(f"{DATA}/recordings/providers/interactions/*.sse"))
    if not RECORDINGS:
        print(f"SKIPPED: no recordings of Interactions in {DATA} (set CITESTREAM_DATA)")
        sys.exit(0)
    unittest.main(argv=sys.argv[:1])
