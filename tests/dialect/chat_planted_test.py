#!/usr/bin/env python3
"""chat_planted_test.py CITESTREAM DATA [SEED...]: plants markers into recordings of chat completions.

Markers are planted as in responses_planted_test.py, also into the `message` next to a delta: Writer repeats the delta
there, Perplexity all of the text so far. Their pages are known before the text. With style strip, a client must see
the same texts, repeats and annotations as without the markers.

The recordings of OpenAI have no annotations. They get those that a web search has: one for each link in the text, of
which the positions move with the markers.
"""

import copy
import re

from planted import KnownPagesTest, Plants, joined, run
from responses_planted_test import events_of, stream_of

LINK = re.compile(r"\(?\[([^\]]*)\]\((https?://[^)]*)\)\)?")


def choice_of(event):
    return next(iter(event[1].get("choices", [])), None)


def text_delta(event):
    choice = choice_of(event)
    text = choice and choice.get("delta", {}).get("content")
    return (choice["index"], text) if text else None


def repeat_of(event):
    """The object that repeats text of the choice next to the delta, or None."""
    choice = choice_of(event)
    repeat = choice and choice.get("message")
    return repeat if repeat and repeat.get("content") else None


def with_text(event, text):
    name, payload = copy.deepcopy(event)
    choice_of((name, payload))["delta"]["content"] = text
    return name, payload


def texts_of(events):
    return joined(events, text_delta)


def repeats_all(events):
    """Whether the `message` of each event has all of the text so far."""
    return any(repeat_of(event) and not text_delta(event) for event in events)


def with_repeats(events, cumulative):
    """The events, with the texts of their deltas in each `message`."""
    texts = {}
    for event in events:
        key, text = text_delta(event) or ((choice_of(event) or {}).get("index"), "")
        texts[key] = texts.get(key, "") + text
        if repeat_of(event):
            repeat_of(event)["content"] = texts[key] if cumulative else text
    return events


def annotated(events):
    """The events, with an annotation for each link of a text in the event that finishes its choice."""
    out = copy.deepcopy(events)
    texts = texts_of(events)
    for event in out:
        choice = choice_of(event)
        if choice and choice.get("finish_reason"):
            choice["delta"]["annotations"] = [
                {"type": "url_citation", "url_citation": {
                    "url": link[2], "title": link[1], "start_index": link.start(), "end_index": link.end()}}
                for link in LINK.finditer(texts.get(choice["index"], ""))]
    return out


def annotations_of(events):
    """The annotations of each choice, without those of planted markers."""
    found = {}
    for event in events:
        choice = choice_of(event) or {}
        for one in choice.get("delta", {}).get("annotations") or []:
            if not one["url_citation"]["url"].startswith("https://plant.example/"):
                found.setdefault(choice["index"], []).append(one)
    return found


class Planter(Plants):
    """Plants markers into one recording."""

    def __init__(self, events, seed):
        super().__init__(texts_of(events), seed)
        self.events = with_repeats(self.replanted(events, text_delta, with_text, self.shifted), repeats_all(events))

    def shifted(self, event):
        event = copy.deepcopy(event)
        choice = choice_of(event) or {}
        for one in choice.get("delta", {}).get("annotations") or []:
            span = one["url_citation"]
            first, last = span["start_index"], span["end_index"]
            if first < last:
                plants = self.plants[choice["index"]]
                span["start_index"] += sum(len(marker) for place, marker in plants if place <= first)
                span["end_index"] += sum(len(marker) for place, marker in plants if place < last)
        return event


class Planted(KnownPagesTest):
    def check_repeats(self, events, cumulative):
        self.assertEqual(with_repeats(copy.deepcopy(events), cumulative), events)

    def check_recording(self, events, seed):
        cumulative = repeats_all(events)
        self.check_repeats(events, cumulative)
        planter = Planter(events, seed)
        self.know(planter.urls)
        stream = stream_of(planter.events)
        sent = self.filtered(stream)
        planted, plain = events_of(sent), events_of(self.filtered(stream_of(events)))
        self.assertEqual(texts_of(planted), texts_of(plain))
        self.check_repeats(planted, cumulative)
        self.assertEqual(annotations_of(planted), annotations_of(plain))
        records, cited = [], {}
        for _, payload in planted:  # the last finish event has the records of all choices
            records = payload.get("citestream", {}).get("citations", records)
        for record in records:
            if record.get("identifier", "").startswith("https://plant.example/"):
                self.assertEqual(record["status"], "resolved")
                cited.setdefault(record["choice"], []).append(record["identifier"])
        self.assertEqual(cited, planter.cited())
        self.check_splits(stream, sent, planter.random)

    def test_planted_markers(self):
        def read(stream):
            return events_of(stream.replace(b"data: [DONE]\n\n", b""))

        self.check_recordings(read, texts_of, [path for path in self.recordings if "openai-chat" not in path])
        self.check_recordings(lambda stream: annotated(read(stream)), texts_of,
                              [path for path in self.recordings if "openai-chat" in path])


if __name__ == "__main__":
    run("chat completions", "openai-chat-*.sse", "openrouter-*.sse", "perplexity-*.sse", "writer-*.sse")
