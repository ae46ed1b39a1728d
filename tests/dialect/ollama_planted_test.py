#!/usr/bin/env python3
"""ollama_planted_test.py CITESTREAM DATA [SEED...]: plants markers into recordings of Ollama.

Markers are planted as in responses_planted_test.py. With style strip, a client must see the same text as without the
markers, and every other member of every line unchanged, except for the records in the last one.
"""

import copy
import json

from planted import PlantedTest, Plants, run


def events_of(stream):
    return [json.loads(line) for line in stream.decode().splitlines()]


def stream_of(events):
    return "".join(json.dumps(event, ensure_ascii=False, separators=(",", ":")) + "\n" for event in events).encode()


def text_of(event):
    return event["message"]["content"] if "message" in event else event["response"]


def text_delta(event):
    text = text_of(event)
    return (0, text) if text else None


def with_text(event, text):
    out = copy.deepcopy(event)
    if "message" in out:
        out["message"]["content"] = text
    else:
        out["response"] = text
    return out


def texts_of(events):
    text = "".join(map(text_of, events))
    return {0: text} if text else {}


class Planted(PlantedTest):
    def check_recording(self, events, seed):
        planter = Plants(texts_of(events), seed)
        planted = planter.replanted(events, text_delta, with_text, lambda event: event)
        sent = self.filtered(stream_of(planted))
        seen = events_of(sent)
        self.assertEqual(texts_of(seen), texts_of(events))
        records = seen[-1].pop("citestream")["citations"]
        self.assertEqual([one["identifier"] for one in records], planter.urls)
        self.assertEqual([with_text(event, "") for event in seen], [with_text(event, "") for event in planted])
        self.check_splits(stream_of(planted), sent, planter.random)

    def test_planted_markers(self):
        self.check_recordings(events_of, texts_of)


if __name__ == "__main__":
    run("Ollama", "providers/ollama/[0-9][0-9]-[!b]*.ndjson")
