#!/usr/bin/env python3
"""cohere_planted_test.py CITESTREAM DATA [SEED...]: plants markers into recordings of Cohere v2.

Markers are planted as in responses_planted_test.py. Positions and words of Cohere's citations move with them. With
style strip, a client must see the same texts and citations as without the markers.
"""

import copy

from planted import PlantedTest, Plants, joined, run
from responses_planted_test import events_of, stream_of


def text_of(payload):
    """The text of a delta, or None."""
    if payload["type"] != "content-delta":
        return None
    return payload["delta"]["message"]["content"].get("text")


def text_delta(event):
    text = text_of(event[1])
    return None if text is None else (event[1]["index"], text)


def with_text(event, text):
    name, payload = copy.deepcopy(event)
    payload["delta"]["message"]["content"]["text"] = text
    return name, payload


def texts_of(events):
    return joined(events, text_delta)


def citations_of(events):
    return [payload["delta"]["message"]["citations"] for _, payload in events if payload["type"] == "citation-start"]


def shift(plants, key, annotation):
    """Moves a citation with the text of this key."""
    first, last = annotation["start"], annotation["end"]
    planted = plants.text(key, 0, len(plants.texts[key]))
    annotation["start"] += sum(len(marker) for place, marker in plants.plants[key] if place <= first < last)
    annotation["end"] += sum(len(marker) for place, marker in plants.plants[key] if place < last)
    annotation["text"] = planted[annotation["start"]:annotation["end"]]


def text_blocks(body):
    return (block for block in body["message"]["content"] if block["type"] == "text")


def shift_body(plants, body):
    for citation in body["message"]["citations"]:
        shift(plants, 0, citation)  # each recorded body has one text


class Planter(Plants):
    """Plants markers into one recording."""

    def __init__(self, events, seed):
        super().__init__(texts_of(events), seed)
        self.events = self.replanted(events, text_delta, with_text, self.shifted)

    def shifted(self, event):
        name, payload = copy.deepcopy(event)
        if payload["type"] == "citation-start":
            citation = payload["delta"]["message"]["citations"]
            shift(self, citation.get("content_index", max(self.texts)), citation)
        return name, payload


class Planted(PlantedTest):
    def check_recording(self, events, seed):
        planter = Planter(events, seed)
        stream = stream_of(planter.events)
        sent = self.filtered(stream)
        seen = events_of(sent)
        self.assertEqual(texts_of(seen), texts_of(events))
        self.assertEqual(citations_of(seen), citations_of(events))
        records = seen[-1][1]["delta"].get("citestream", {}).get("citations", [])
        self.assertEqual([one["identifier"] for one in records if one["origin"] == "marker"], planter.urls)
        self.check_splits(stream, sent, planter.random)

    def test_planted_markers(self):
        self.check_recordings(lambda stream: events_of(stream.replace(b"data: [DONE]\n\n", b"")), texts_of)

    def test_planted_bodies(self):
        self.check_bodies("cohere", text_blocks, shift_body)


if __name__ == "__main__":
    run("Cohere", "providers/cohere/*.sse", "cohere-*.sse")
