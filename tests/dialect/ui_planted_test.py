#!/usr/bin/env python3
"""ui_planted_test.py CITESTREAM DATA [SEED...]: plants markers into UI message streams of the AI SDK and into AG-UI.

There are no recordings of them. The streams are written from the texts of recorded chat completions, each divided
into three texts: two that alternate, and one in a second step or in chunks. Without markers, a stream is sent byte for
byte. With planted markers and style strip, a client must see the same texts and repeats as without.
"""

import collections
import copy
import random
import re

import chat_planted_test
from planted import KnownPagesTest, Plants, PlantedTest, joined, run
from responses_planted_test import events_of, stream_of


def without_brackets(text):
    """The text without markers of any grammar."""
    return text.replace("[", "(").replace("]", ")")


def pieces_of(text, draw):
    """The text in deltas of one to three words. None ends with a blank, which could precede a marker."""
    words = re.findall(r"\s*\S+", text)
    while words:
        count = draw.randint(1, 3)
        yield "".join(words[:count])
        words = words[count:]


def alternating(first, second, draw):
    """The elements of both lists; the order within each is kept."""
    first, second, out = list(first), list(second), []
    while first and second:
        out.append((first if draw.random() < 0.7 else second).pop(0))
    return out + first + second


class UiStream:
    """The UI message stream of the AI SDK. The text of the second step has the id of one in the first."""

    @staticmethod
    def written(texts, draw):
        def text(name):
            return [{"type": "text-start", "id": name},
                    *({"type": "text-delta", "id": name, "delta": piece} for piece in pieces_of(texts[name], draw)),
                    {"type": "text-end", "id": name}]

        return [{"type": "start", "messageId": "m"}, {"type": "start-step"},
                {"type": "data-progress", "data": {"text": "[a](https://a.example)"}},
                *alternating(text("a"), text("b"), draw), {"type": "finish-step"}, {"type": "start-step"},
                {"type": "reasoning-start", "id": "r"}, {"type": "reasoning-delta", "id": "r", "delta": "Hm"},
                {"type": "reasoning-end", "id": "r"}, *text("c"), {"type": "finish-step"}, {"type": "finish"}]

    @staticmethod
    def delta_of(event):
        return (event[1]["id"], event[1]["delta"]) if event[1]["type"] == "text-delta" else None

    @staticmethod
    def planted(_planter, event):
        return event

    @staticmethod
    def bytes_of(events):
        return stream_of(events).replace(b'"id":"c"', b'"id":"a"') + b"data: [DONE]\n\n"

    @staticmethod
    def read(stream):
        """The events of what was sent. The text of the second step has its own id again."""
        events, step = events_of(stream.replace(b"data: [DONE]\n\n", b"")), 0
        for _, payload in events:
            step += payload["type"] == "start-step"
            if payload.get("id") == "a" and step == 2:
                payload["id"] = "c"
        return events

    @staticmethod
    def repeats_of(_event):
        return []

    @staticmethod
    def record_of(event):
        return event[1]["data"] if event[1]["type"] == "data-citestream" else None


class AgUi:
    """AG-UI. The last message comes in chunks; snapshots and the result repeat the messages."""

    @staticmethod
    def written(texts, draw):
        def content(name):
            return [{"type": "TEXT_MESSAGE_START", "messageId": name, "role": "assistant"},
                    *({"type": "TEXT_MESSAGE_CONTENT", "messageId": name, "delta": piece}
                      for piece in pieces_of(texts[name], draw)),
                    {"type": "TEXT_MESSAGE_END", "messageId": name}]

        def snapshot(names):
            return {"type": "MESSAGES_SNAPSHOT", "messages": [
                {"id": "u", "role": "user", "content": "[a](https://a.example)?"},
                *({"id": name, "role": "assistant", "content": texts[name]} for name in names)]}

        chunks = [{"type": "TEXT_MESSAGE_CHUNK", "messageId": "c", "role": "assistant", "delta": piece}
                  for piece in pieces_of(texts["c"], draw)]
        return [{"type": "RUN_STARTED", "threadId": "t", "runId": "r"}, *alternating(content("a"), content("b"), draw),
                snapshot("ab"), {"type": "STATE_DELTA", "delta": []}, *chunks, snapshot("abc"),
                {"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "result": texts["c"]}]

    @staticmethod
    def delta_of(event):
        return (event[1]["messageId"], event[1]["delta"]) if event[1].get("delta") and "messageId" in event[1] else None

    @staticmethod
    def planted(planter, event):
        name, payload = copy.deepcopy(event)
        for message in payload.get("messages", []):
            if message["role"] == "assistant":
                message["content"] = planter.text(message["id"], 0, len(message["content"]))
        if "result" in payload:
            payload["result"] = planter.text("c", 0, len(payload["result"]))
        return name, payload

    bytes_of = staticmethod(stream_of)
    read = staticmethod(events_of)

    @staticmethod
    def repeats_of(event):
        found = [(one["id"], one["content"]) for one in event[1].get("messages", []) if one["role"] == "assistant"]
        return found + [("c", event[1]["result"]) for _ in range("result" in event[1])]

    @staticmethod
    def record_of(event):
        return event[1]["value"] if event[1].get("name") == "citestream" else None


def with_text(event, text):
    return event[0], {**event[1], "delta": text}


class Planted(KnownPagesTest):
    def check_stream(self, protocol, texts, seed):
        written = [(None, payload) for payload in protocol.written(texts, random.Random(seed))]
        plain = protocol.bytes_of(written)
        self.assertEqual(PlantedTest.filtered(self, plain), plain)
        planter = Plants(texts, seed)
        events = planter.replanted(written, protocol.delta_of, with_text,
                                   lambda event: protocol.planted(planter, event))
        self.know(planter.urls)
        stream = protocol.bytes_of(events)
        sent = self.filtered(stream)
        seen = protocol.read(sent)
        self.assertEqual(joined(seen, protocol.delta_of), texts)
        repeats = [one for event in seen for one in protocol.repeats_of(event)]
        self.assertEqual(repeats, [one for event in written for one in protocol.repeats_of(event)])
        records = [record for record in map(protocol.record_of, seen) if record]
        cited = collections.Counter(one["identifier"] for record in records for one in record["citations"])
        self.assertEqual(cited, collections.Counter(planter.urls))
        sources = [payload["url"] for _, payload in seen if payload["type"] == "source-url"]
        self.assertEqual(sorted(sources), sorted(planter.urls) if protocol is UiStream else [])
        self.check_splits(stream, sent, planter.random)

    def check_recording(self, events, seed):
        text = without_brackets("\n\n".join(chat_planted_test.texts_of(events).values()))
        first, second = sorted(random.Random(seed).sample(range(1, len(text)), 2))
        texts = {"a": text[:first].strip(), "b": text[first:second].strip(), "c": text[second:].strip()}
        for protocol in (UiStream, AgUi):
            with self.subTest(protocol=protocol.__name__):
                self.check_stream(protocol, texts, seed)

    def test_planted_markers(self):
        self.check_recordings(lambda stream: events_of(stream.replace(b"data: [DONE]\n\n", b"")),
                              lambda events: len("".join(chat_planted_test.texts_of(events).values())) > 40)


if __name__ == "__main__":
    run("chat completions", "openai-chat-*.sse", "perplexity-*.sse", "writer-*.sse", seeds=(1, 2))
