#!/usr/bin/env python3
"""bedrock_planted_test.py CITESTREAM DATA [SEED...]: plants markers into recordings of AWS Bedrock.

Markers are inserted at random word ends into the text of binary messages, whose lengths and CRCs are written anew.
With style strip, a client must see the same answer as without the markers, in messages whose CRCs are right.
"""

import base64
import copy
import glob
import json
import struct
import sys
import unittest
import zlib

from planted import PlantedTest, Plants


def messages_of(stream):
    """The messages of a stream, as pairs of the encoded headers and the payload. Checks lengths and CRCs."""
    out, at = [], 0
    while at < len(stream):
        total, headers, crc = struct.unpack(">III", stream[at:at + 12])
        assert crc == zlib.crc32(stream[at:at + 8]), f"prelude at {at}"
        message = stream[at:at + total]
        assert zlib.crc32(message[:-4]) == struct.unpack(">I", message[-4:])[0], f"message at {at}"
        out.append((message[12:12 + headers], message[12 + headers:-4]))
        at += total
    return out


def message_of(headers, payload):
    lengths = struct.pack(">II", 16 + len(headers) + len(payload), len(headers))
    body = lengths + struct.pack(">I", zlib.crc32(lengths)) + headers + payload
    return body + struct.pack(">I", zlib.crc32(body))


class Event:
    """A message and the event in it, which may be encoded."""

    def __init__(self, headers, payload):
        self.headers = headers
        self.payload = json.loads(payload)
        encoded = self.payload.get("bytes")
        self.event = self.payload if encoded is None else json.loads(base64.b64decode(encoded))

    def holder(self):
        """The key of the text that the event continues, and the object with its member `text`; or None."""
        event = self.event.get("contentBlockDelta", self.event)
        if "text" not in event.get("delta", {}):
            return None
        # Consecutive blocks of Nova are one text.
        key = 0 if event is not self.event else event.get("contentBlockIndex", event.get("index"))
        return key, event["delta"]

    def with_text(self, text):
        out = copy.deepcopy(self)  # keeps that `event` is `payload`
        out.holder()[1]["text"] = text
        return out

    def message(self):
        payload = self.payload
        if "bytes" in payload:
            payload = {**payload, "bytes": base64.b64encode(compact(self.event)).decode()}
        return message_of(self.headers, compact(payload))


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def events_of(stream):
    return [Event(*one) for one in messages_of(stream)]


def text_delta(event):
    holder = event.holder()
    return holder and (holder[0], holder[1]["text"])


def texts_of(events):
    texts = {}
    for holder in filter(None, (event.holder() for event in events)):
        texts[holder[0]] = texts.get(holder[0], "") + holder[1]["text"]
    return texts


class Planter(Plants):
    """Plants markers into one recording."""

    def __init__(self, events, seed):
        super().__init__(texts_of(events), seed)
        self.events = self.replanted(events, text_delta, Event.with_text, lambda event: event)


class Planted(PlantedTest):
    def check_recording(self, events, seed):
        planter = Planter(events, seed)
        stream = b"".join(event.message() for event in planter.events)
        sent = self.filtered(stream)
        planted = events_of(sent)
        plain = events_of(self.filtered(b"".join(event.message() for event in events)))
        self.assertEqual(texts_of(planted), texts_of(plain))
        others = [[event.event for event in each if event.holder() is None and "citestream" not in event.event]
                  for each in (events, planted)]
        carriers = [event.event for event in planted if "citestream" in event.event]
        self.assertEqual(len(carriers), 1)
        self.assertEqual([one for one in others[0] if one in others[1]], others[1])
        self.assertEqual(len(others[0]), len(others[1]) + 1)
        cited = [record.get("identifier", "") for record in carriers[0]["citestream"]["citations"]]
        self.assertEqual([url for url in cited if url.startswith("https://plant.example/")], planter.urls)
        self.check_splits(stream, sent, planter.random)

    def test_planted_markers(self):
        self.check_recordings(RECORDINGS, SEEDS, events_of, texts_of)


if __name__ == "__main__":
    DATA = sys.argv[2]
    SEEDS = [int(seed) for seed in sys.argv[3:]] or [1, 2, 3]
    RECORDINGS = sorted(glob.glob(f"{DATA}/recordings/providers/bedrock/*.eventstream"))
    if not RECORDINGS:
        print(f"SKIPPED: no recordings of Bedrock in {DATA} (set CITESTREAM_DATA)")
        sys.exit(0)
    unittest.main(argv=sys.argv[:1])
