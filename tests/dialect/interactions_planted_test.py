#!/usr/bin/env python3
"""interactions_planted_test.py CITESTREAM DATA [SEED...]: plants markers into recordings of Gemini's Interactions.

Markers are inserted at random word ends of the texts, and the provider's annotations, which count bytes of UTF-8 from
the start of their text, move with them. With style strip, a client must see the same texts and the same annotations as
without the markers, in a stream and in a body.
"""

import copy
import json

from planted import PlantedTest, Plants, joined, with_text_of_delta, run
from responses_planted_test import events_of, stream_of

DONE = b"event: done\ndata: [DONE]\n\n"


def delta_of(payload):
    """The delta of a text or of annotations, or an empty object."""
    return payload.get("delta", {}) if payload.get("event_type") == "step.delta" else {}


def text_delta(event):
    delta = delta_of(event[1])
    return (event[1]["index"], delta["text"]) if delta.get("type") == "text" else None


def texts_of(events):
    return joined(events, text_delta)


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
        self.events = self.replanted(events, text_delta, with_text_of_delta, self.moved)

    def move(self, key, annotation):
        text = self.texts[key].encode()
        first = len(text[:annotation.get("start_index", 0)].decode())
        last = len(text[:annotation["end_index"]].decode())
        annotation["start_index"] = len(self.text(key, 0, first).encode())
        annotation["end_index"] = annotation["start_index"] + len(self.text(key, first, last).encode())

    def moved(self, event):
        name, payload = copy.deepcopy(event)
        for annotation in delta_of(payload).get("annotations", []):
            self.move(payload["index"], annotation)
        return name, payload


class Planted(PlantedTest):
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
        self.check_splits(stream, sent, planter.random)
        body = json.loads(self.filtered(json.dumps(as_body(planter.events)).encode(), "--to", "body"))
        parts = {index: step["content"][0] for index, step in enumerate(body["steps"]) if "content" in step}
        self.assertEqual({index: part["text"] for index, part in parts.items()}, texts_of(events))
        self.check_annotations({index: part["annotations"] for index, part in parts.items()}, annotations_of(events))

    def test_planted_markers(self):
        self.check_recordings(lambda stream: events_of(stream.replace(DONE, b"")), texts_of)


if __name__ == "__main__":
    run("Interactions", "providers/interactions/*.sse")
