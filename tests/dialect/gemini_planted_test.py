#!/usr/bin/env python3
"""gemini_planted_test.py CITESTREAM DATA [SEED...]: plants markers into recordings of Gemini.

Markers are inserted at random word ends of the text, and the provider's annotations, which count bytes of UTF-8
and quote their words, move with them. With style strip, a client must see the same text and the same annotations
as without the markers, in an event stream, in an array and in a body.
"""

import copy
import json
import os
import random
import re

from planted import PlantedTest, run

WORD_END = re.compile(r"(?<=\w)(?=[\s.,;:!?]|\Z)")
CLOSED = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|\[[^\]]*\]\([^)]*\)|https?://\S+", re.S)


def chunks_of(stream):
    """The chunks of an event stream or an array."""
    text = stream.decode()
    if text.startswith("["):
        return json.loads(text)
    return [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]


def as_events(chunks):
    return "".join(f"data: {json.dumps(one, ensure_ascii=False)}\r\n\r\n" for one in chunks).encode()


def as_array(chunks):
    return ("[" + "\n,\r\n".join(json.dumps(one, indent=2, ensure_ascii=False) for one in chunks) + "\n]\n").encode()


def candidates_of(chunks):
    return [one for chunk in chunks for one in chunk.get("candidates", [])]


def parts_of(chunks):
    return [part for one in candidates_of(chunks) for part in one.get("content", {}).get("parts", [])
            if "text" in part and not part.get("thought")]


def text_of(chunks):
    return "".join(part["text"] for part in parts_of(chunks))


def supports_of(chunks):
    return [one for candidate in candidates_of(chunks)
            for one in (candidate.get("groundingMetadata") or {}).get("groundingSupports", [])]


def slice_of(text, segment):
    return text.encode()[segment.get("startIndex", 0):segment["endIndex"]].decode(errors="replace")


UNCHANGED = r"citestream: filter: standard input: \d+ repeats or annotations do not fit the text and were .*\n"


class Planter:
    def __init__(self, chunks, seed):
        self.random = random.Random(seed)
        self.text = text_of(chunks)
        closed = [one.span() for one in CLOSED.finditer(self.text)]
        ends = [one.start() for one in WORD_END.finditer(self.text)
                if not any(start < one.start() < end for start, end in closed)]
        places = sorted(self.random.sample(ends, min(len(ends), self.random.randint(1, 12))))
        self.plants = [(place, self.random.choice([" [cite: 1]", f" [Plant](https://plant.example/{place})"]))
                       for place in places]
        self.chunks = copy.deepcopy(chunks)
        at = 0
        for part in parts_of(self.chunks):
            first, at = at, at + len(part["text"])
            part["text"] = self.planted(first, at)
        for support in supports_of(self.chunks):
            self.move(support["segment"])

    def planted(self, first, last):
        out, at = "", first
        for place, marker in self.plants:
            if first < place <= last:
                out, at = out + self.text[at:place] + marker, place
        return out + self.text[at:last]

    def move(self, segment):
        if slice_of(self.text, segment) != segment["text"]:
            return
        first = len(self.text.encode()[:segment.get("startIndex", 0)].decode())
        last = len(self.text.encode()[:segment["endIndex"]].decode())
        before = self.planted(0, first)
        segment["text"] = self.planted(first, last)
        segment["startIndex"] = len(before.encode())
        segment["endIndex"] = segment["startIndex"] + len(segment["text"].encode())


class Planted(PlantedTest):
    def check(self, chunks, plain, sent):
        """Compares with the answer without planted markers. Its own links are removed, too."""
        got = chunks_of(sent)
        text = text_of(plain)
        self.assertEqual(text_of(got), text)
        original = text_of(chunks)
        exact = [slice_of(original, one["segment"]) == one["segment"]["text"] for one in supports_of(chunks)]
        for kept, was, now in zip(exact, supports_of(plain), supports_of(got)):
            if kept:
                self.assertEqual({"startIndex": 0, **now["segment"]}, {"startIndex": 0, **was["segment"]})
                self.assertEqual(slice_of(text, now["segment"]), now["segment"]["text"])
        for ours in supports_of(got)[len(exact):]:
            self.assertEqual(slice_of(text, ours["segment"]), ours["segment"]["text"])
        sources = sum(len((one.get("groundingMetadata") or {}).get("groundingChunks", []))
                      for one in candidates_of(got))
        for support in supports_of(got):
            self.assertTrue(all(index < sources for index in support["groundingChunkIndices"]))

    def check_unchanged(self, bytes_, options):
        """Without markers, only the record of references that are not cited may be added."""
        sent = self.filtered(bytes_, *options)
        record = sent.find(b',"citestream":{')
        if record < 0:
            self.assertEqual(sent, bytes_)
            return
        size = len(sent) - len(bytes_)
        self.assertEqual(sent[:record] + sent[record + size:], bytes_)
        records = json.loads(b"{" + sent[record + 1:record + size] + b"}")["citestream"]["citations"]
        self.assertEqual([one for one in records if one["origin"] != "provider"], [])

    def test_planted_markers(self):
        checked = 0
        for path in self.recordings:
            with open(path, "rb") as file:
                bytes_ = file.read()
            chunks = [json.loads(bytes_)] if path.endswith(".json") else chunks_of(bytes_)
            if not CLOSED.search(text_of(chunks)):
                self.check_unchanged(bytes_, ["--to", "body"] if path.endswith(".json") else [])
            plain = chunks_of(self.filtered(as_events(chunks)))
            checked += 1
            for seed in self.seeds:
                with self.subTest(recording=os.path.basename(path), seed=seed):
                    planter = Planter(chunks, seed)
                    exact = all(slice_of(text_of(chunks), one["segment"]) == one["segment"]["text"]
                                for one in supports_of(chunks))
                    self.notice = "" if exact else f"({UNCHANGED})?"
                    for stream in (as_events(planter.chunks), as_array(planter.chunks)):
                        sent = self.filtered(stream)
                        self.check(chunks, plain, sent)
                        self.check_splits(stream, sent, planter.random)
                    if len(chunks) == 1:
                        body = self.filtered(json.dumps(planter.chunks[0]).encode(), "--to", "body")
                        self.check(chunks, plain, b"[" + body + b"]")
        self.assertGreater(checked, 0)


if __name__ == "__main__":
    run("Gemini", "providers/gemini/*.sse", "providers/gemini/*-body-*[!t].json", "gemini-*.sse")
