#!/usr/bin/env python3
"""responses_planted_test.py CITESTREAM DATA [SEED...]: plants markers into recordings of OpenAI Responses.

Markers are inserted at random word ends, consistently into the deltas and all repeats of a text, and the
positions of the provider's annotations move with them. With style strip, a client must see the same answer as
without the markers.
"""

import copy
import json

from planted import PlantedTest, Plants, run

DELTA = "response.output_text.delta"
ADDED = "response.output_text.annotation.added"


def events_of(stream):
    """The events of a stream, as pairs of the name, or None, and the payload."""
    out = []
    for block in stream.decode().replace("\r\n", "\n").split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
        if "data" in fields:
            out.append((fields.get("event"), json.loads(fields["data"])))
    return out


def stream_of(events):
    lines = []
    for name, payload in events:
        if name is not None:
            lines.append(f"event: {name}\n")
        lines.append(f"data: {json.dumps(payload, ensure_ascii=False, separators=(',', ':'))}\n\n")
    return "".join(lines).encode()


def key_of(payload):
    return payload["output_index"], payload["content_index"]


def deltas_of(events):
    texts = {}
    for _, payload in events:
        if payload["type"] == DELTA:
            texts[key_of(payload)] = texts.get(key_of(payload), "") + payload["delta"]
    return texts


def parts_of(payload):
    """Each place of an event where a whole text is repeated."""
    if payload["type"] == "response.output_text.done":
        yield payload
    items = [payload.get("item", {}), *payload.get("response", {}).get("output", [])]
    parts = [payload.get("part", {})] + [part for item in items for part in item.get("content") or []]
    if not payload["type"].endswith(".added"):
        yield from (part for part in parts if part.get("type") == "output_text")


def delta_of(event):
    payload = event[1]
    return (key_of(payload), payload["delta"]) if payload["type"] == DELTA else None


def with_text(event, text):
    return event[0], {**event[1], "delta": text}


def shift(plants, key, annotation):
    """Moves an annotation with the text of this key."""
    for member in ("start_index", "end_index", "index"):
        if member in annotation:
            position = annotation[member]
            annotation[member] += sum(
                len(marker) for place, marker in plants.plants[key]
                if place < position or (place == position and member == "start_index" and
                                        annotation["end_index"] > position))


def text_parts(body):
    return (part for item in body["output"] for part in item.get("content") or [] if part["type"] == "output_text")


def shift_body(plants, body):
    for key, part in enumerate(text_parts(body)):
        for annotation in part["annotations"]:
            shift(plants, key, annotation)


class Planter(Plants):
    """Plants markers into one recording."""

    def __init__(self, events, seed):
        super().__init__(deltas_of(events), seed)
        self.events = self.renumbered(events, self.replanted(events, delta_of, with_text, self.shifted))

    def shifted(self, event):
        name, payload = copy.deepcopy(event)
        if payload["type"] == ADDED:
            shift(self, key_of(payload), payload["annotation"])
        for part in parts_of(payload):
            key = next(key for key, text in self.texts.items() if text == part["text"])
            part["text"] = self.text(key, 0, len(part["text"]))
            for annotation in part.get("annotations", []):
                shift(self, key, annotation)
        return name, payload

    @staticmethod
    def renumbered(before, events):
        if all("sequence_number" in payload for _, payload in before):
            for number, (_, payload) in enumerate(events):
                payload["sequence_number"] = number
        return events


class Planted(PlantedTest):
    def check_alone(self, events):
        """What holds in each answer that is sent. Returns the texts and their annotations."""
        texts, annotations = deltas_of(events), {}
        numbers = [payload["sequence_number"] for _, payload in events if "sequence_number" in payload]
        self.assertEqual(numbers, list(range(len(events) if numbers else 0)))
        for name, payload in events:
            self.assertIn(name, (None, payload["type"]))
            if payload["type"] == ADDED:
                known = annotations.setdefault(key_of(payload), [])
                self.assertEqual(payload["annotation_index"], len(known))
                known.append(payload["annotation"])
            for part in parts_of(payload):
                self.assertIn(part["text"], texts.values())
                if "annotations" in part:
                    key = next(key for key, text in texts.items() if text == part["text"])
                    self.assertEqual(part["annotations"], annotations.get(key, []))
        return texts, annotations

    @staticmethod
    def records_of(events):
        return events[-1][1]["response"].get("citestream", {}).get("citations", [])

    def check_recording(self, events, seed):
        planter = Planter(events, seed)
        stream = stream_of(planter.events)
        sent = self.filtered(stream)
        planted, plain = events_of(sent), events_of(self.filtered(stream_of(events)))
        self.assertEqual(self.check_alone(planted), self.check_alone(plain))
        ours, theirs = [], []
        for record in self.records_of(planted):
            is_ours = record.get("identifier", "").startswith("https://plant.example/")
            (ours if is_ours else theirs).append(record)
        self.assertEqual([record["identifier"] for record in ours], planter.urls)
        # The claim of a citation depends on the citation before it, which may be one of ours. The provider's own
        # positions count our markers, those of the records do not.
        unlike = {"number": 0, "group": 0, "claim_start": 0, "claim_end": 0, "native": None}
        self.assertEqual([{**record, **unlike} for record in theirs],
                         [{**record, **unlike} for record in self.records_of(plain)])
        self.check_splits(stream, sent, planter.random)

    def test_planted_markers(self):
        self.check_recordings(events_of, deltas_of)

    def test_planted_bodies(self):
        self.check_bodies("responses", text_parts, shift_body)


if __name__ == "__main__":
    run("OpenAI Responses", "providers/responses/*.sse", "openai-responses-*.sse")
