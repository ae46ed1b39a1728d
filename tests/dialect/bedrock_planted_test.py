#!/usr/bin/env python3
"""bedrock_planted_test.py CITESTREAM DATA [SEED...]: plants markers into recordings of AWS Bedrock.

Markers are inserted at random word ends into the text of binary messages, whose lengths and CRCs are written anew.
With style strip, a client must see the same answer as without the markers, in messages whose CRCs are right.

There are no recordings of RetrieveAndGenerate. Its messages are made of the texts of the others, with citations of
random words.
"""

import base64
import copy
import json
import random
import struct
import zlib

from planted import CLOSED, PlantedTest, Plants, run


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
        holder = event.get("delta", event)  # Titan and RetrieveAndGenerate have no `delta`
        member = next((name for name in ("text", "outputText") if isinstance(holder.get(name), str)), None)
        if member is None or "completionReason" in self.event:
            return None
        # Consecutive blocks of Nova are one text.
        key = 0 if event is not self.event else event.get("contentBlockIndex", event.get("index", 0))
        return key, holder, member

    def text(self):
        """The key of the text, and its next piece; or None."""
        holder = self.holder()
        return holder and (holder[0], holder[1][holder[2]])

    def with_text(self, text):
        out = copy.deepcopy(self)  # keeps that `event` is `payload`
        _, holder, member = out.holder()
        holder[member] = text
        return out

    def message(self):
        payload = self.payload
        if "bytes" in payload:
            payload = {**payload, "bytes": base64.b64encode(compact(self.event)).decode()}
        return message_of(self.headers, compact(payload))


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def events_of(stream):
    """The events. The last one of Titan is divided into its text and the end."""
    out = []
    for event in (Event(*one) for one in messages_of(stream)):
        if event.event.get("outputText") and "completionReason" in event.event:
            delta = copy.deepcopy(event)
            del delta.event["completionReason"]
            out.append(delta)
            event.event["outputText"] = ""
        out.append(event)
    return out


def texts_of(events):
    texts = {}
    for key, text in filter(None, map(Event.text, events)):
        texts[key] = texts.get(key, "") + text
    return texts


def as_retrieved(text, seed):
    """A stream of RetrieveAndGenerate with this text, and citations of words that have come."""
    sizes = random.Random(seed)
    headers = b"".join(len(name).to_bytes(1, "big") + name + b"\x07" + len(value).to_bytes(2, "big") + value
                       for name, value in ((b":event-type", b"output"), (b":message-type", b"event")))
    out, at = [], 0
    while at < len(text):
        size = sizes.randint(1, 40)
        out.append({"text": text[at:at + size]})
        at = min(at + size, len(text))
        if sizes.random() < 0.3:
            first = sizes.randrange(at)
            last = sizes.randrange(first, min(at, first + 80))
            part = {"span": {"start": first, "end": last}, "text": text[first:last + 1]}
            url = f"https://source.example/{len(out)}"
            out.append({"generatedResponsePart": {"textResponsePart": part}, "retrievedReferences": [
                {"content": {"text": "."}, "location": {"type": "WEB", "webLocation": {"url": url}}}]})
    return [Event(headers, compact(one)) for one in out]


def text_blocks(body):
    """The text blocks of a body of Converse. Texts with citations are in blocks of their own."""
    for block in body["output"]["message"]["content"]:
        yield from block["citationsContent"]["content"] if "citationsContent" in block else [block]


class Planter(Plants):
    """Plants markers into one recording."""

    def __init__(self, events, seed):
        super().__init__(texts_of(events), seed)
        self.events = self.replanted(events, Event.text, Event.with_text, self.shifted)

    def shifted(self, event):
        """Moves the span of a citation of RetrieveAndGenerate, whose end is inclusive, with its words."""
        out = copy.deepcopy(event)
        part = out.event.get("generatedResponsePart", {}).get("textResponsePart")
        if part is not None:
            span = part["span"]
            first, last = span["start"], span["end"] + 1
            span["start"] = len(self.text(0, 0, first))
            part["text"] = self.text(0, first, last)
            span["end"] = span["start"] + len(part["text"]) - 1
        return out


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
        self.check_recordings(events_of, texts_of)

    def test_planted_bodies(self):
        self.check_bodies("bedrock", text_blocks)

    def test_retrieve_and_generate(self):
        for path in self.recordings:
            with open(path, "rb") as file:
                text = max(texts_of(events_of(file.read())).values(), key=len, default="")
            text = CLOSED.sub("", text.replace("[", "(").replace("`", "'"))
            for seed in self.seeds if text else ():
                with self.subTest(recording=path, seed=seed):
                    self.check_retrieved(as_retrieved(text, seed), text, seed)

    def check_retrieved(self, events, text, seed):
        planter = Planter(events, seed)
        stream = b"".join(event.message() for event in planter.events)
        sent = self.filtered(stream)
        planted = [event.event for event in events_of(sent)]
        self.assertEqual(texts_of(events_of(sent)), {0: text})
        cited = [event["generatedResponsePart"]["textResponsePart"] for event in planted
                 if "generatedResponsePart" in event]
        for part in cited:
            self.assertEqual(text[part["span"]["start"]:part["span"]["end"] + 1], part["text"])
        own = [event["retrievedReferences"][0]["location"]["webLocation"]["url"] for event in planted
               if "retrievedReferences" in event]
        self.assertEqual([url for url in own if url.startswith("https://source.example/")],
                         [event.event["retrievedReferences"][0]["location"]["webLocation"]["url"] for event in events
                          if "retrievedReferences" in event.event])
        carriers = [event for event in planted if "citestream" in event]
        self.assertEqual(len(carriers), 1)
        records = carriers[0]["citestream"]["citations"]
        self.assertEqual([one["identifier"] for one in records if one["origin"] == "marker"], planter.urls)
        self.check_splits(stream, sent, planter.random)


if __name__ == "__main__":
    run("Bedrock", "providers/bedrock/*.eventstream")
