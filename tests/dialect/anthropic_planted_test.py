#!/usr/bin/env python3
"""anthropic_planted_test.py CITESTREAM DATA [SEED...]: plants markers into recordings of Anthropic.

Markers are planted as in responses_planted_test.py; their pages are known before the text. With style strip, a client
must see the same texts and citations in each block as without the markers, and ours in the block of their marker.
"""


from planted import KnownPagesTest, Plants, joined, with_text_of_delta, run
from responses_planted_test import events_of, stream_of


def delta_of(event, kind):
    """The delta of an event, if it is of this kind, or None."""
    delta = event[1].get("delta", {})
    return delta if event[1]["type"] == "content_block_delta" and delta["type"] == kind else None


def text_delta(event):
    delta = delta_of(event, "text_delta")
    return None if delta is None else (event[1]["index"], delta["text"])


def texts_of(events):
    return joined(events, text_delta)


def citations_of(events):
    """The citations of each block: those of the provider, and the URLs of ours."""
    provider, ours = {}, {}
    for event in events:
        delta = delta_of(event, "citations_delta")
        if delta is None:
            continue
        citation = delta["citation"]
        planted = citation.get("url", "").startswith("https://plant.example/")
        (ours if planted else provider).setdefault(event[1]["index"], []).append(citation["url"] if planted else citation)
    return provider, ours


def text_blocks(body):
    return (block for block in body["content"] if block["type"] == "text")


def without_planted(body):
    """The body without the citations of planted markers."""
    for block in text_blocks(body):
        if block.get("citations"):
            block["citations"] = [one for one in block["citations"]
                                  if not one.get("url", "").startswith("https://plant.example/")]
            if not block["citations"]:
                del block["citations"]
    return body


class Planted(KnownPagesTest):
    def check_recording(self, events, seed):
        planter = Plants(texts_of(events), seed)
        self.know(planter.urls)
        stream = stream_of(planter.replanted(events, text_delta, with_text_of_delta, lambda event: event))
        sent = self.filtered(stream)
        seen = events_of(sent)
        self.assertEqual(texts_of(seen), texts_of(events))
        provider, ours = citations_of(seen)
        self.assertEqual(provider, citations_of(events)[0])
        self.assertEqual(ours, planter.cited())
        rest = [event for event in events if text_delta(event) is None and event[1]["type"] != "message_delta"]
        self.assertEqual([event for event in seen if event in rest], rest)
        records = [record for _, payload in seen for record in payload.get("citestream", {}).get("citations", [])]
        self.assertEqual([one["identifier"] for one in records if one["origin"] == "marker"], planter.urls)
        self.check_splits(stream, sent, planter.random)

    def test_planted_markers(self):
        self.check_recordings(events_of, texts_of)

    def test_planted_bodies(self):
        self.check_bodies("anthropic", text_blocks, without_ours=without_planted)


if __name__ == "__main__":
    run("Anthropic", "providers/anthropic/*.sse", "anthropic-*.sse")
