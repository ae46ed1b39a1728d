"""Shared by the tests of both bindings: answers, the output of `citestream filter` for them, and the C interface."""

import json
import os
import re
import subprocess
import sys
import tempfile

from peers import answer_events

SOURCE = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
HEADER = os.path.join(SOURCE, "include", "citestream", "citestream.h")
with open(HEADER, encoding="utf-8") as header:
    STYLES = re.findall(r"`(\w+)`", re.search(r"\| `style` \|([^|]*)\|", header.read()).group(1))
STRUCTS = ("text", "reference", "answer_facts", "statistics", "position", "citation", "event",
           "request_rules")


# A request with a document and with the result of another agent.
REQUEST = {
    "documents": [{"title": "Report", "text": "It grew."}],
    "messages": [{"role": "assistant",
                  "tool_calls": [{"id": "c", "type": "function", "function": {"name": "ask", "arguments": "{}"}}]},
                 {"role": "tool", "tool_call_id": "c", "content": "12%"}],
}


def openai_event(text, finish=None, **more):
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
    return f"data: {json.dumps({'id': '1', 'object': 'chat.completion.chunk', 'choices': [choice], **more})}\n\n"


def answers():
    """Complete streams by name: a cited file, addresses cited by number, text in many scripts."""
    writer = "".join(answer_events("word", 40))
    numbered = "".join([
        *map(openai_event, ["Grows", " fast [", "1", "] and", " far [2, 7].", " 😀 é\u00e9 増加 `[1]`"]),
        openai_event(None, "stop", citations=["https://example.com/a", "https://example.com/b"]),
        "data: [DONE]\n\n"])
    return {"writer": writer.encode(), "numbered": numbered.encode()}


def natively_cited():
    """A stream of Anthropic: a marker, and a citation of the provider's own in the second block."""
    def event(kind, **members):
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **members})}\n\n"

    def block(index, text, *citations):
        deltas = [{"type": "citations_delta", "citation": one} for one in citations]
        deltas.append({"type": "text_delta", "text": text})
        return (event("content_block_start", index=index, content_block={"type": "text", "text": ""})
                + "".join(event("content_block_delta", index=index, delta=one) for one in deltas)
                + event("content_block_stop", index=index))

    place = {"type": "char_location", "cited_text": "Q", "document_index": 0, "document_title": "D",
             "start_char_index": 3, "end_char_index": 4}
    message = {"type": "message", "role": "assistant", "content": []}
    return (event("message_start", message=message) + block(0, "😀 One [A](x). ") + block(1, "Two.", place)
            + event("message_delta", delta={"stop_reason": "end_turn"}) + event("message_stop")).encode()


def detailed():
    """Streams whose citations have what few have: a score, a container, and what only their provider understands."""
    def events(*payloads):
        return "".join(f"data: {json.dumps(one)}\n\n" for one in payloads).encode()

    part = {"text": "One."}
    grounding = {"groundingChunks": [{"web": {"uri": "https://a.example/", "title": "A"}}],
                 "groundingSupports": [{"segment": {"endIndex": 4, "text": "One."}, "groundingChunkIndices": [0],
                                        "confidenceScores": [0.75]}]}
    rated = events({"candidates": [{"content": {"parts": [part]}, "finishReason": "STOP",
                                    "groundingMetadata": grounding}], "modelVersion": "m"})
    place = {"output_index": 0, "content_index": 0}
    citation = {"type": "container_file_citation", "container_id": "c-1", "file_id": "f-1", "filename": "F",
                "start_index": 0, "end_index": 3}
    contained = events(
        {"type": "response.created", "response": {"object": "response", "output": []}},
        {"type": "response.output_text.delta", **place, "delta": "One."},
        {"type": "response.output_text.annotation.added", **place, "annotation_index": 0, "annotation": citation},
        {"type": "response.output_text.done", **place, "text": "One."},
        {"type": "response.completed", "response": {"object": "response", "output": []}})
    page = (b'"type": "web_search_result_location", "url": "https://w.example/", "title": "W", '
            b'"encrypted_index": "Eo8"')
    opaque = re.sub(rb'"type": "char_location".*?"end_char_index": 4', page, natively_cited())
    return [rated, contained, opaque]


def filtered(binary, stream, *options):
    """Returns the output of `citestream filter` for a stream."""
    done = subprocess.run([binary, "filter", *options], input=stream, capture_output=True, check=False)
    return done.stdout


ALLOWED = ("https://ok.example", "https://*.files.example")  # of the addresses in leaking()


def leaking():
    """Returns a stream with an image at an address that is not allowed, and with allowed addresses."""
    texts = ["See ![a](https://evil.exa", "mple/p.png?q=1), ![b](https://ok.example/b.png) and",
             " [c](https://a.files.example/c)."]
    return "".join([*map(openai_event, texts), openai_event(None, "stop"), "data: [DONE]\n\n"]).encode()


def guarded(binary, mode):
    """Returns the output of `citestream filter` for leaking()."""
    allowed = [word for address in ALLOWED for word in ("--egress-allow", address)]
    out = filtered(binary, leaking(), "--style", "keep", "--egress", mode, *allowed)
    expect(out.count(b'"reason":"not_allowed"') == (mode != "off"), out)
    expect((b"evil.exa" in out) == (mode != "enforce") and b"https://a.files.example/c" in out, out)
    return out


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


def layouts(compiler, include):
    """Returns sizes and offsets of the structs for a C compiler: {"text": {"": 16, "data": 0, …}, …}."""
    with open(HEADER, encoding="utf-8") as file:
        header = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    members = {name: re.findall(r"(\w+);", re.search(r"\{([^{}]*)\} citestream_%s;" % name, header)[1])
               for name in STRUCTS}
    lines = []
    for name, its in members.items():
        lines.append(f'printf("{name}  %zu\\n", sizeof(citestream_{name}));')
        lines += [f'printf("{name} {m} %zu\\n", offsetof(citestream_{name}, {m}));' for m in its]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "layout.cpp")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#include <cstdio>\n#include <citestream/citestream.h>\nint main() {\n" + "\n".join(lines) + "\n}\n")
        program = os.path.join(folder, "layout")
        subprocess.run([compiler, "-I", os.path.join(SOURCE, "include"), "-I", include, path, "-o", program], check=True)
        printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    found = {name: {} for name in STRUCTS}
    for line in printed.splitlines():
        name, member, number = line.split(" ")
        found[name][member] = int(number)
    return found


def declarations():
    """The functions of the header, one line each, without comments."""
    with open(HEADER, encoding="utf-8") as file:
        header = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    return {" ".join(text.split()) for text in re.findall(r"CITESTREAM_API ([^;]*);", header)}
