#!/usr/bin/env python3
"""python_test.py BINARY LIBRARY COMPILER INCLUDE: the Python package gives the output of `citestream filter` for every cut."""

import ast
import asyncio
import copy
import ctypes
import gc
import io
import json
import os
import pickle
import random
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest
import zipfile

BINARY, LIBRARY, INCLUDE = map(os.path.realpath, (*sys.argv[1:3], sys.argv[4]))
COMPILER = sys.argv[3]
os.environ["CITESTREAM_LIBRARY"] = LIBRARY

from bindings import ALLOWED, REQUEST, SOURCE, STYLES, answers, declarations, detailed, filtered, guarded, layouts, leaking, natively_cited, openai_event  # noqa: E402

PACKAGE = os.path.join(SOURCE, "src", "python")
sys.path.insert(0, PACKAGE)
sys.dont_write_bytecode = True

import citestream  # noqa: E402
from citestream import _library  # noqa: E402


def pieces(stream, *cuts):
    ends = [0, *cuts, len(stream)]
    return [stream[a:b] for a, b in zip(ends, ends[1:])]


def run(chunks, **options):
    with citestream.Stream(**options) as stream:
        return b"".join([*map(stream.feed, chunks), stream.finish()])


def examples():
    """Returns {documented name: code} for all indented blocks in docstrings of the package."""
    found = {}
    for name in sorted(os.listdir(os.path.join(PACKAGE, "citestream"))):
        if not name.endswith(".py"):
            continue
        with open(os.path.join(PACKAGE, "citestream", name), encoding="utf-8") as file:
            tree = ast.parse(file.read())
        for node in ast.walk(tree):
            if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            blocks = re.findall(r"(?:^    .*\n)+", (ast.get_docstring(node) or "") + "\n", re.M)
            for block in blocks:
                found.setdefault(getattr(node, "name", name), []).append(textwrap.dedent(block))
    return found


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Interface(unittest.TestCase):
    def test_structs_are_laid_out_as_in_the_header(self):
        theirs = layouts(COMPILER, INCLUDE)
        ours = {"text": _library.Text, "reference": _library.Reference, "answer_facts": _library.Facts,
                "statistics": _library.Statistics, "position": _library.Position, "citation": _library.Citation,
                "event": _library.Event, "request_rules": _library.RequestRules}
        self.assertEqual(ours.keys(), theirs.keys())
        for name, struct in ours.items():
            layout = {"": ctypes.sizeof(struct)}
            layout.update({member: getattr(struct, member).offset for member, _ in struct._fields_})
            self.assertEqual(layout, theirs[name], name)

    def test_functions_take_as_many_arguments_as_in_the_header(self):
        count = {text.split("(")[0].split()[-1].lstrip("*"): 0 if text.endswith("(void)") else text.count(",") + 1
                 for text in declarations()}
        for name, (_, arguments) in _library.FUNCTIONS.items():
            self.assertEqual(len(arguments), count[name], name)

    def test_a_missing_or_different_library_is_an_import_error_with_advice(self):
        code = ("try:\n    import citestream\n"
                "except ImportError as error:\n    print(error)")
        for name in ("libc.so.6", "/nowhere/libcitestream.so.1"):
            done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=False,
                                  env={**os.environ, "CITESTREAM_LIBRARY": name, "PYTHONPATH": PACKAGE})
            for part in (name, "package libcitestream1", "CITESTREAM_LIBRARY", "libcitestream.so.1"):
                self.assertIn(part, done.stdout, done.stderr)

    def test_the_examples_in_docstrings_run(self):
        found = examples()
        self.assertEqual({name: len(its) for name, its in found.items()}, {"__init__.py": 1, "Stream": 1, "Request": 1})
        stream = answers()["writer"]
        expected = filtered(BINARY, stream, "--style", "numeric")
        client = io.BytesIO()
        exec(found["Stream"][0], {"citestream": citestream, "upstream": pieces(stream, 7, 900), "client": client})
        self.assertEqual(client.getvalue(), expected)
        names = {"citestream": citestream, "chunk": stream}
        exec(found["__init__.py"][0], names)
        self.assertTrue(names["stream"].complete)
        self.assertEqual(len(names["stream"].citations()), 2)
        sent = []
        names = {"citestream": citestream, "body": json.dumps(REQUEST).encode(), "post": sent.append}
        exec(found["Request"][0], names)
        self.assertIn(b"[REF|d_1]", sent[0])
        options = re.findall(r"`(\w+=[^`]+)`", citestream.Options.__doc__)
        self.assertEqual(len(options), 5)
        eval(f"citestream.Options({', '.join(options)})", {"citestream": citestream})

    def test_types_are_checked(self):
        if not shutil.which("mypy"):
            self.skipTest("mypy is not installed")
        done = subprocess.run(["mypy", "--strict", "--cache-dir", os.devnull, os.path.join(PACKAGE, "citestream")],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_wheel_contains_the_package_with_the_version_of_the_library(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "source")
            shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
            built = subprocess.run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", folder, copy],
                                   capture_output=True, text=True, check=False, cwd=folder)
            if "No module named build" in built.stderr:
                self.skipTest("python3-build is not installed")
            self.assertEqual(built.returncode, 0, built.stdout + built.stderr)
            wheel = next(name for name in os.listdir(folder) if name.endswith(".whl"))
            self.assertIn(f"citestream-{citestream.version()}-", wheel)
            site = os.path.join(folder, "site")
            with zipfile.ZipFile(os.path.join(folder, wheel)) as archive:
                archive.extractall(site)
            self.assertTrue(os.path.exists(os.path.join(site, "citestream", "py.typed")))
            code = "import citestream; print(citestream.Stream().finish(), citestream.__file__)"
            said = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=True,
                                  cwd=folder, env={**os.environ, "PYTHONPATH": site}).stdout
            self.assertIn(site, said)


class Requests(unittest.TestCase):
    def test_an_answer_cites_documents_and_tool_results_of_its_request(self):
        body = json.dumps(REQUEST).encode()
        request = citestream.Request(body, keys=True, instructions=False, agent_tools=["ask"])
        self.assertIsNone(request.problem)
        self.assertEqual(json.loads(request.body)["messages"][1]["content"], "[REF|a_1]\n12%")
        self.assertEqual([(one.type, one.number, one.cite) for one in request.references],
                         [(citestream.SourceType.DOCUMENT, 1, "Report"), (citestream.SourceType.AGENT, None, "a_1")])
        stream = citestream.Stream(style="numeric", request=request)
        del request
        text = openai_event("Up [1], by 12% [REF|a_1].", "stop").encode()
        stream.feed(text)
        stream.finish()
        self.assertEqual([one.title for one in stream.citations()], ["Report", "ask"])

    def test_keys_may_be_made_from_content_and_only_for_some_tools(self):
        body = json.dumps(REQUEST).encode()
        first, second = (citestream.Request(body, keys="content", instructions=False) for _ in range(2))
        self.assertRegex(json.loads(first.body)["messages"][1]["content"], r"^\[REF\|d_[0-9a-f]{6}\]\n12%$")
        self.assertEqual(first.body, second.body)
        self.assertEqual(citestream.Request(body, keys="counter").body, citestream.Request(body, keys=True).body)
        for tools in (["look"], "look"):
            self.assertEqual(citestream.Request(body, keys=True, tools=tools, remove_own=False).body, body)
        self.assertIn(b"a_1", citestream.Request(body, keys=True, agent_tools="ask").body)
        with self.assertRaises(ValueError):
            citestream.Request(body, keys="random")

    def test_what_is_not_wanted_is_not_done(self):
        body = json.dumps(REQUEST).encode()
        nothing = citestream.Request(body, documents=False, remove_own=False)
        self.assertEqual((nothing.body, nothing.references), (body, ()))
        own = b'{"messages":[{"role":"assistant","content":[{"citations":[{"encrypted_index":""}]}]}]}'
        self.assertIn(b'"citations":null', citestream.Request(own).body)
        self.assertEqual(citestream.Request(own, remove_own=False).body, own)
        graph = b'{"tools":[{"type":"graph","function":{}}]}'
        self.assertIn(b'"inline_citations":true', citestream.Request(graph, inline_citations=True).body)

    def test_a_body_that_cannot_be_read_stays_as_it_is(self):
        request = citestream.Request(b'{"documents":["a"],', keys=True)
        self.assertEqual(request.body, b'{"documents":["a"],')
        self.assertEqual(request.references, ())
        self.assertIn("JSON", str(request.problem))
        with self.assertRaises(TypeError):
            citestream.Request("text")


class Streams(unittest.TestCase):
    def test_every_style_gives_the_output_of_filter(self):
        for name, stream in answers().items():
            for style in STYLES:
                expected = filtered(BINARY, stream, "--style", style)
                self.assertTrue(expected)
                self.assertEqual(run([stream], style=style), expected, (name, style))
        self.assertNotEqual(run([stream]), stream)
        self.assertEqual(run([stream], style="keep"), stream)

    def test_egress_gives_the_output_of_filter(self):
        stream = leaking()
        for mode in ("off", "report", "enforce"):
            expected = guarded(BINARY, mode)
            for cuts in ((), range(1, len(stream))):
                given = run(pieces(stream, *cuts), style="keep", egress=mode, egress_allow=ALLOWED)
                self.assertEqual(given, expected, mode)
        with self.assertRaisesRegex(citestream.OptionError, "egress_allow"):
            citestream.Options(egress="enforce", egress_allow=["evil"])

    def test_every_cut_gives_the_same(self):
        options = citestream.Options(style="numeric")
        for stream in answers().values():
            whole = run([stream], style="numeric")
            for at in range(len(stream)):
                with citestream.Stream(options) as one:
                    first, last = pieces(stream, at)
                    self.assertEqual(one.feed(first) + one.feed(last) + one.finish(), whole)
            self.assertEqual(run([stream[i:i + 1] for i in range(len(stream))], style="numeric"), whole)
            source = random.Random(5)
            for _ in range(100):
                cuts = sorted(source.sample(range(len(stream)), 7))
                self.assertEqual(run(pieces(stream, *cuts), style="numeric"), whole)

    def test_decided_text_is_returned_immediately(self):
        with citestream.Stream() as stream:
            for event in answers()["numbered"].split(b"\n\n")[:1]:
                self.assertIn(b"Grows", stream.feed(event + b"\n\n"))

    def test_events_are_on_for_every_value_that_means_it(self):
        for value in (True, 1, "on", "true", "1"):
            stream = citestream.Stream(events=value)
            stream.feed(answers()["writer"])
            self.assertGreater(len(list(stream.events())), 0, value)

    def test_events_are_the_text_and_the_citations(self):
        for stream in answers().values():
            with citestream.Stream(style="numeric", events=True, markers=["link", "numeric"]) as one:
                one.feed(stream)
                one.finish()
                events = list(one.events())
                citations = one.citations()
                counted = one.statistics()
            text = "".join(e.text for e in events if isinstance(e, citestream.TextEvent))
            self.assertEqual(text.encode(), filtered(BINARY, stream, "--style", "numeric", "--to", "text",
                                                     "--markers", "link,numeric"))
            given = 0
            for event in events:  # a citation follows exactly the text up to its end
                if isinstance(event, citestream.TextEvent):
                    given += len(event.text.encode())
                if isinstance(event, citestream.CitationEvent):
                    self.assertEqual(event.citation.end.utf8, given)
            resolved = [e.citation for e in events if isinstance(e, citestream.ResolvedEvent)]
            self.assertEqual(resolved, list(citations))
            self.assertEqual(counted.citations, len(citations))
            self.assertEqual(counted.bytes_in, len(stream))
            self.assertIsInstance(events[-1], citestream.EndEvent)
            self.assertEqual(events[-1].finish_reason, "stop")
            for citation in citations:
                self.assertEqual(text[citation.start.codepoint:citation.end.codepoint][0], "[")
                self.assertEqual(text.encode()[citation.start.utf8:citation.end.utf8][:1], b"[")
        statuses = [citation.status for citation in citations]
        self.assertEqual(statuses, [citestream.Status.RESOLVED] * 2 + [citestream.Status.UNRESOLVED])
        self.assertEqual(citations[1].references[0].url, "https://example.com/b")

    def test_references_can_be_given_in_advance(self):
        known = [citestream.Reference(id="a1", title="Report", page=3, url="https://example.com/r", number=1)]
        stream = (openai_event("It grew [1].") + openai_event(None, "stop") + "data: [DONE]\n\n").encode()
        options = citestream.Options(references=known, markers=["numeric"])
        with citestream.Stream(options) as one:
            one.feed(stream)
            one.finish()
            citation = one.citations()[0]
        self.assertEqual((citation.label, citation.title), ("", "Report"))
        first = citation.references[0]
        self.assertEqual((first.id, first.title, first.page, first.score), ("a1", "Report", 3, None))

    def test_claims_are_checked(self):
        known = [citestream.Reference(id="a1", text="Sales rose by 20% in 2023.", number=1)]
        stream = (openai_event("Sales fell by 20% in 2023 [1]. It grew [7].") + openai_event(None, "stop") +
                  "data: [DONE]\n\n").encode()
        options = citestream.Options(references=known, markers=["numeric"], check="report", events=True)
        with citestream.Stream(options) as one:
            one.feed(stream)
            one.finish()
            first, second = one.citations()
            found = [event.citation.verdict for event in one.events() if isinstance(event, citestream.CitationEvent)]
        self.assertEqual((first.verdict, second.verdict, second.support), ("contradicted", None, None))
        self.assertEqual(found, ["contradicted", None])
        self.assertEqual(json.loads(first.finding)["contradictions"][0]["rule"], "antonym")
        self.assertAlmostEqual(json.loads(first.finding)["support"], first.support, 3)

    def test_citations_of_the_provider_follow_those_of_markers(self):
        with citestream.Stream(events=True) as one:
            one.feed(natively_cited())
            one.finish()
            marker, native = one.citations()
            resolved = [event.citation for event in one.events() if isinstance(event, citestream.ResolvedEvent)]
        self.assertEqual((marker.origin, marker.anchor), (citestream.Origin.MARKER, citestream.Anchor.MARKER))
        self.assertEqual((marker.native, marker.native_unit, marker.group), ("", None, 0))
        self.assertEqual((native.origin, native.anchor), (citestream.Origin.PROVIDER, citestream.Anchor.BLOCK))
        self.assertEqual((native.marker, native.match, native.group), ("", citestream.Match.NATIVE, 1))
        self.assertEqual("😀 One. Two."[native.start.codepoint:native.end.codepoint], "Two.")
        self.assertEqual(json.loads(native.native)["document_title"], "D")
        self.assertEqual(native.references[0].excerpts, ("Q",))
        self.assertEqual(native.references[0].span, citestream.SourceSpan("char", 3, 4, 0))
        self.assertEqual(resolved[-1], native)
        self.assertEqual((marker.path, native.path), ('{"block":0}', '{"block":1}'))

    def test_citations_have_a_score_and_a_container_and_what_their_provider_understands(self):
        found = []
        for stream in detailed():
            with citestream.Stream() as one:
                one.feed(stream)
                one.finish()
                last = one.citations()[-1]
            found.append((last.score, last.references[0].container, last.references[0].opaque))
        self.assertEqual(found, [(0.75, "", ""), (None, "c-1", ""), (None, "", '{"encrypted_index":"Eo8"}')])

    def test_a_truncated_answer_is_reported(self):
        stream = answers()["writer"]
        with citestream.Stream() as one:
            out = one.feed(stream[:len(stream) // 2])
            self.assertIsNone(one.complete)
            out += one.finish()
            self.assertIs(one.complete, False)
        self.assertIn(b"event: error", out)
        with citestream.Stream() as one:
            one.feed(stream[:len(stream) // 2])
            self.assertIn(b'"went away"', one.abort("went away", "gone"))
        with citestream.Stream() as one:
            one.feed(stream[:len(stream) // 2])
            self.assertIn(b'"no file ?"', one.abort("no file \udcff"))
        given = []
        with self.assertRaises(citestream.IncompleteError):
            for chunk in citestream.rewrite([stream[:300]]):
                given.append(chunk)
        self.assertIn(b"event: error", b"".join(given))

    def test_rewrite_yields_output_and_passes_on_exceptions(self):
        stream = answers()["writer"]

        def dying():
            yield stream[:400]
            raise ConnectionResetError("upstream")

        given = []
        with self.assertRaises(ConnectionResetError):
            for chunk in citestream.rewrite(dying(), style="numeric"):
                given.append(chunk)
        self.assertIn(b"event: error", given[-1])
        given.clear()
        with self.assertRaises(ConnectionResetError):
            for chunk in citestream.rewrite(dying(), how=citestream.RewriteMode.PASS):
                given.append(chunk)
        self.assertEqual(given, [stream[:400]])
        whole = b"".join(citestream.rewrite(pieces(stream, 100, 200, 300), style="numeric"))
        self.assertEqual(whole, run([stream], style="numeric"))

        thrown = citestream.rewrite(pieces(stream, 100, 200))
        next(thrown)
        with self.assertRaisesRegex(ValueError, "^of the consumer$"):
            thrown.throw(ValueError("of the consumer"))

        async def chunks():
            for piece in pieces(stream, 11, 500):
                await asyncio.sleep(0)
                yield piece

        async def collect():
            return b"".join([out async for out in citestream.rewrite_async(chunks(), style="numeric")])

        self.assertEqual(asyncio.run(collect()), whole)

    def test_a_stream_can_be_reused_after_reset(self):
        stream = answers()["numbered"]
        with citestream.Stream() as one:
            first = one.feed(stream) + one.finish()
            one.reset()
            self.assertEqual(one.feed(stream) + one.finish(), first)

    def test_an_answer_that_is_not_a_stream(self):
        body = (b'{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant",'
                b'"content":"It grew [Report](http://x/r)."},"finish_reason":"stop"}]}')
        options = citestream.Options(style="numeric")
        how = options.decide(content_type="application/json", path="/v1/chat/completions")
        self.assertIs(how, citestream.RewriteMode.JSON)
        with citestream.Stream(options, how=how) as one:
            self.assertEqual(one.feed(body), b"")
            self.assertIn(b"It grew [1].", one.finish())
        self.assertIs(options.decide(content_type="text/event-stream"), citestream.RewriteMode.EVENTS)
        self.assertIs(options.decide(content_type="text/event-stream", content_encoding="gzip"),
                      citestream.RewriteMode.BYPASSED)
        self.assertIs(options.decide(content_type="text/html"), citestream.RewriteMode.PASS)

    def test_misuse_raises_an_exception_with_the_reason(self):
        for values in ({"style": "bold"}, {"colour": "red"}, {"max_body_bytes": "many"}, {"marker": "[ref]"}):
            with self.assertRaises(citestream.OptionError) as raised:
                citestream.Stream(**values)
            self.assertIn(next(iter(values)), str(raised.exception))
        for values, message in (({"style": "bold"}, "style is not one of auto, strip"),
                                ({"stile": "strip"}, "no option has the name stile"),
                                ({"max_json_depth": 1025}, "max_json_depth is not a whole number of at most 1024"),
                                ({"references": [citestream.Reference(type=citestream.SourceType.UNKNOWN)]},
                                 "references: SourceType.UNKNOWN is not a type of a reference")):
            with self.assertRaisesRegex(citestream.OptionError, f"^{message}"):
                citestream.Options(**values)
        citestream.Options(supported=0.00005, not_found=0, max_event_bytes=1e16, max_body_bytes=1e6)
        for values in ({"not_found": "0.5", "supported": "0.1"}, {"supported": 0.1, "not_found": 0.5}):
            with self.assertRaisesRegex(citestream.OptionError, r"^not_found \(0.5\) must not exceed supported \(0.1\)$"):
                citestream.Options(**values)
        with self.assertRaisesRegex(TypeError, "^option style: a value is expected, not None$"):
            citestream.Options(style=None)
        citestream.Options(supported="0.1", not_found="0.1")
        for reference, error in ((citestream.Reference(page=1 << 63), OverflowError),
                                 (citestream.Reference(number=-(1 << 63) - 1), OverflowError),
                                 (citestream.Reference(title="\ud800"), UnicodeEncodeError)):
            with self.assertRaises(error):
                citestream.Options(references=[reference])
        citestream.Options(references=[citestream.Reference(page=(1 << 63) - 1, number=-(1 << 63))])
        with self.assertRaises(TypeError):
            citestream.Stream(citestream.Options(), style="strip")
        stream = citestream.Stream()
        with self.assertRaisesRegex(TypeError, "^bytes expected; encode the text first$"):
            stream.feed("data: text\n\n")
        for chunk in (5, [1, 2], None):
            with self.assertRaisesRegex(TypeError, f"^bytes expected, not {type(chunk).__name__}$"):
                stream.feed(chunk)
        for kind in (bytes, bytearray, memoryview):
            self.assertEqual(stream.feed(kind(b": ping\n\n")), b": ping\n\n")
        stream.finish()
        with self.assertRaises(citestream.Error):
            stream.feed(b"data: more\n\n")
        with self.assertRaises(citestream.OptionError):
            list(stream.events())  # without events=True
        stream.close()
        stream.close()
        for call in (lambda: stream.feed(b"x"), stream.finish, stream.citations, stream.statistics, stream.reset):
            with self.assertRaises(ValueError):
                call()


    def test_exceptions_reach_another_process(self):
        for kind in (citestream.Error, citestream.OptionError, citestream.IncompleteError):
            for message in ("", "the reason"):
                error = kind(-4, message)
                error.chunk = 7
                for other in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
                    self.assertIs(type(other), kind)
                    self.assertEqual((other.code, str(other), other.chunk), (-4, str(error), 7))


class Resources(unittest.TestCase):
    def test_threads_share_options_and_a_stream(self):
        stream = answers()["writer"]
        options = citestream.Options(style="numeric")
        whole = run([stream], style="numeric")
        wrong = []

        def work():
            for _ in range(30):
                with citestream.Stream(options) as one:
                    if b"".join([one.feed(stream), one.finish()]) != whole:
                        wrong.append(1)

        shared = citestream.Stream(options)
        counted = []

        def ask():
            for _ in range(300):
                shared.feed(b": ping\n\n")
                counted.append(shared.statistics().bytes_in)

        threads = [threading.Thread(target=work) for _ in range(4)] + [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        self.assertEqual(shared.statistics().bytes_in, 1200 * len(b": ping\n\n"))
        self.assertEqual(len(counted), 1200)

    def test_the_interpreter_exits_while_daemon_threads_use_streams(self):
        code = textwrap.dedent("""
            import threading, citestream
            stream = citestream.Stream(citestream.Options(style="numeric"))
            event = b'data: {"choices":[{"index":0,"delta":{"content":"A [R](f1). B"}}]}\\n\\n' * 2000
            started = threading.Barrier(4)

            def feed(one):
                started.wait()
                while True:
                    one.feed(event)

            for one in (stream, stream, citestream.Stream()):
                threading.Thread(target=feed, args=(one,), daemon=True).start()
            started.wait()
            """)
        for _ in range(12):
            done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=False,
                                  env={**os.environ, "PYTHONPATH": PACKAGE})
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_copies_of_options_and_requests_are_the_same_object(self):
        options, request, stream = citestream.Options(), citestream.Request(b"{}"), citestream.Stream()
        for one in (options, request):
            self.assertIs(copy.copy(one), one)
            self.assertIs(copy.deepcopy([one])[0], one)
        for made, ones in ((pickle.dumps, (options, request, stream)), (copy.copy, [stream]), (copy.deepcopy, [stream])):
            for one in ones:
                with self.assertRaisesRegex(TypeError, f"^cannot pickle '{type(one).__name__}' object$"):
                    made(one)

    def test_abandoned_streams_free_their_memory(self):
        stream = answers()["writer"]
        options = citestream.Options()

        def use(count):
            for _ in range(count):
                citestream.Stream(options).feed(stream)  # neither finished nor closed
            gc.collect()

        use(50)
        before = resident()
        use(1000)
        self.assertLess(resident() - before, 20 << 20)  # 1,000 of them would need over 100 MB


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
