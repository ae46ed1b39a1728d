#!/usr/bin/env python3
"""lua_test.py BINARY LIBRARY COMPILER INCLUDE: the Lua module gives the output of `citestream filter`, also in real nginx."""

import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile

BINARY, LIBRARY, INCLUDE = map(os.path.realpath, (*sys.argv[1:3], sys.argv[4]))
COMPILER = sys.argv[3]
sys.dont_write_bytecode = True

from bindings import ALLOWED, REQUEST, SOURCE, STYLES, answers, declarations, detailed, expect, filtered, guarded, layouts, leaking, natively_cited, openai_event
from peers import PATIENCE_S, Answer, Broken, Peers, free_port, listens, log_of, program, wait_until

MODULE = os.path.join(SOURCE, "src", "lua")
LUA_MODULES = ("/usr/lib/nginx/modules/ndk_http_module.so", "/usr/lib/nginx/modules/ngx_http_lua_module.so")

# Reads a stream from a file, feeds it in pieces of the given sizes and prints the output.
FEED = """
local citestream = require("citestream")
local file = assert(io.open(arg[1], "rb"))
local bytes = file:read("*a")
for pass = 3, #arg do
  local stream, at = citestream.stream({ style = arg[2] }), 1
  for size in arg[pass]:gmatch("%d+") do
    io.write(stream:feed(bytes:sub(at, at + size - 1)))
    at = at + size
  end
  io.write(stream:feed(bytes:sub(at)))
  local last, complete = stream:finish()
  assert(complete)
  io.write(last)
  stream:close()
end
"""

GUARD = """
local citestream = require("citestream")
local allowed = { unpack(arg, 3) }
local stream = citestream.stream({ style = "keep", egress = arg[2], egress_allow = allowed })
for byte in assert(io.open(arg[1], "rb")):read("*a"):gmatch(".") do io.write(stream:feed(byte)) end
io.write((stream:finish()))
"""

MISUSE = """
local citestream = require("citestream")
local function fails(word, call, ...)
  local worked, problem = pcall(call, ...)
  assert(not worked and problem:find(word, 1, true), tostring(problem))
end
fails("citestream: style is not one of", citestream.options, { style = "bold" })
fails("citestream: no option has the name colour", citestream.stream, { colour = "red" })
citestream.options({ max_event_bytes = 1e15, supported = 5e-5, not_found = 0 })
fails("options have names", citestream.options, { "numeric" })
local stream = citestream.stream()
local out, complete = stream:finish()
assert(out == "" and complete)
fails("colour", citestream.define, "chat", { colour = "red" })
fails('"chat" (defined: none', citestream.stream, "chat")
citestream.define("chat", { style = "numeric" })
citestream.define("bare", { style = "strip" })
fails('"cht" (defined: bare, chat)', citestream.stream, "cht")
assert(citestream.stream("chat").options == citestream.stream("chat").options)
fails("citestream:", stream.feed, stream, "data: x\\n\\n")
local options = citestream.options({ marker = { "[a:{key}]", "[b:{key}]" }, only_known = true })
assert(options:decide({ content_type = "text/event-stream" }) == citestream.EVENTS)
assert(options:decide({ content_type = "text/event-stream", content_encoding = "br" }) == citestream.BYPASSED)
assert(options:decide({ content_type = "application/json", path = "/v1/chat/completions" }) == citestream.JSON)
assert(options:decide({ content_type = "text/html" }) == citestream.PASS)
local broken = citestream.stream(options)
broken:feed('data: {"choices":[{"index":0,"delta":{"content":"a [b"},"finish_reason":null}]}\\n\\n')
local last, whole = broken:abort("went away", "gone")
assert(not whole and last:find("[b", 1, true) and last:find("went away", 1, true), last)
-- Streams that are forgotten give their memory back.
local function resident()
  local file = assert(io.open("/proc/self/statm"))
  local pages = file:read("*a"):match("^%d+ (%d+)")
  file:close()
  return tonumber(pages) * 4096
end
local event = 'data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]}\\n\\n'
local function use(count)
  for i = 1, count do
    citestream.stream(options):feed(event)
    if i % 20 == 0 then collectgarbage() end
  end
  collectgarbage() collectgarbage()
end
use(50)
local before = resident()
use(1000)
assert(resident() - before < 20 * 2 ^ 20, resident() - before)
"""

LAYOUT = """
require("citestream")
local ffi = require("ffi")
for name, members in arg[1]:gmatch("(%S+):(%S+)") do
  print(name .. "  " .. ffi.sizeof("citestream_" .. name))
  for member in members:gmatch("[%w_]+") do
    print(name .. " " .. member .. " " .. ffi.offsetof("citestream_" .. name, member))
  end
end
"""

HTTP = """
  access_log off; lua_package_path "{module}/?.lua;/usr/share/lua/5.1/?.lua;;";
  {init}
  server {{
    listen 127.0.0.1:PORT;
    location / {{
      proxy_pass http://127.0.0.1:{backend}; proxy_buffering off; proxy_http_version 1.1;
{example}
    }}
    location = /plain {{ return 200 "[a](b) as it is"; }}
  }}
"""


def lua(script, *arguments):
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        file.write(script)
        file.flush()
        done = subprocess.run(["luajit", file.name, *arguments], capture_output=True, check=False,
                              env={**os.environ, "CITESTREAM_LIBRARY": LIBRARY, "LUA_PATH": f"{MODULE}/?.lua"})
    expect(done.returncode == 0, done.stderr.decode())
    return done.stdout


def module_text():
    with open(os.path.join(MODULE, "citestream.lua"), encoding="utf-8") as file:
        return file.read()


def examples():
    """Returns the code in the module's comments: for nginx's http block, a location, outside nginx, and options."""
    comments = re.findall(r"(?:^--.*\n)+", module_text(), re.M)
    blocks = [re.sub(r"^--   ", "", block, flags=re.M)
              for comment in comments for block in re.findall(r"(?:^--   .*\n)+", comment, re.M)]
    expect(len(blocks) == 3, f"examples that nothing runs: {blocks}")
    return (*blocks, re.search(r"\{ style = [^}]*\} \}", module_text())[0])


def examples_run():
    _, _, anywhere, options = examples()
    stream = answers()["writer"]
    with tempfile.NamedTemporaryFile() as file:
        file.write(stream)
        file.flush()
        out = lua('local chunk = io.open(arg[1], "rb"):read("*a")\n' + anywhere, file.name)
        expect(out == filtered(BINARY, stream, "--style", "numeric"), "the example gives something else")
    lua(f'require("citestream").options({options})')


def declarations_are_those_of_the_header():
    declared = re.search(r"ffi\.cdef\(\[\[(.*?)\]\]\)", module_text(), re.S)[1]
    functions = [" ".join(text.split()) for text in re.findall(r"^\w[^;{}]*\([^;]*\)(?=;)", declared, re.M)]
    expect(len(functions) >= 12, f"only {functions} were found")
    for function in functions:
        expect(function in declarations(), f"not in the header: {function}")
    theirs = layouts(COMPILER, INCLUDE)
    asked = {name: theirs[name] for name in ("text", "answer_facts", "statistics", "position", "reference", "citation", "request_rules")}
    order = " ".join(f"{name}:{','.join(m for m in its if m)}" for name, its in asked.items())
    found = {name: {} for name in asked}
    for line in lua(LAYOUT, order).decode().splitlines():
        name, member, number = line.split(" ")
        found[name][member] = int(number)
    expect(found == asked, f"{found} is not {asked}")


def every_cut_gives_what_filter_gives():
    source = random.Random(9)
    for stream in answers().values():
        with tempfile.NamedTemporaryFile() as file:
            file.write(stream)
            file.flush()
            for style in STYLES:
                expected = filtered(BINARY, stream, "--style", style)
                cuts = [str(at) for at in range(len(stream))] if style == "numeric" else ["0"]
                cuts += ["1 " * len(stream), *(" ".join(str(source.randint(1, 200)) for _ in range(9)) for _ in range(20))]
                expect(lua(FEED, file.name, style, *cuts) == expected * len(cuts), f"{style} gives something else")


# Prints the citations of a stream.
CITED = """
local stream = require("citestream").stream({ check = "report" })
stream:feed(assert(io.open(arg[1], "rb")):read("*a"))
stream:finish()
for _, one in ipairs(stream:citations()) do
  local ref = one.references[1] or { excerpts = {}, source_span = {} }
  print(one.number, one.group, one.origin, one.anchor, one.status, one.match, one.marker, one.start.codepoint,
        one["end"].codepoint, one.native and #one.native > 9, one.native_unit, ref.title, ref.excerpts[1],
        ref.source_span.unit, ref.source_span["end"], one.verdict, one.finding and #one.finding > 9,
        one.path)
end
"""

# Prints what few citations have, of the last one of each stream.
DETAILS = """
for _, name in ipairs(arg) do
  local stream = require("citestream").stream({})
  stream:feed(assert(io.open(name, "rb")):read("*a"))
  stream:finish()
  local all = stream:citations()
  local last = all[#all]
  print(last.score, last.references[1].container, last.references[1].opaque)
end
"""


def citations_are_tables():
    with tempfile.NamedTemporaryFile() as file:
        file.write(natively_cited())
        file.flush()
        lines = lua(CITED, file.name).decode().splitlines()
    expected = ["1 0 marker marker unresolved nil [A](x) 5 5 nil nil nil nil nil nil nil nil {\"block\":0}",
                "2 1 provider block resolved native nil 7 11 true nil D Q char 4 not_found true {\"block\":1}"]
    expect([line.replace("\t", " ") for line in lines] == expected, lines)
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, str(place)) for place in range(3)]
        for name, stream in zip(names, detailed()):
            with open(name, "wb") as out:
                out.write(stream)
        details = lua(DETAILS, *names).decode().splitlines()
    wanted = ["0.75\tnil\tnil", "nil\tc-1\tnil", 'nil\tnil\t{"encrypted_index":"Eo8"}']
    expect(details == wanted, details)


# Prints what a request becomes, what can be cited, and what the answer to it cites.
ASKED = """
local citestream = require("citestream")
local request = citestream.request(arg[1], { keys = true, instructions = false, agent_tools = { "ask" } })
print(request.body, request.problem)
for _, one in ipairs(request:references()) do print(one.type, one.number, one.cite, one.title) end
local stream = citestream.stream({}, nil, request)
stream:feed(arg[2])
stream:finish()
for _, one in ipairs(stream:citations()) do print(one.status, one.references[1].title) end
print(citestream.request("{", {}).body, citestream.request('{"documents":[', {}).problem)
assert(not pcall(citestream.request, "{}", { key = true }))
assert(not pcall(citestream.request, "{}", { keys = "random" }))
local _, crossed = pcall(citestream.options, { supported = 0.1, not_found = 0.5 })
assert(crossed:find("not_found (0.5) must not exceed supported (0.1)", 1, true), crossed)
assert(citestream.request(arg[1], { keys = "content" }).body:find("%[REF|d_%x%x%x%x%x%x%]"))
for _, tools in ipairs({ { "look" }, "look" }) do
  assert(not citestream.request(arg[1], { keys = true, tools = tools }).body:find("REF|d_", 1, true))
end
"""


def requests_are_rewritten():
    lines = lua(ASKED, json.dumps(REQUEST), openai_event("Up [1], by 12% [REF|a_1].", "stop")).decode().splitlines()
    body, problem = lines[0].split("\t")
    expect(json.loads(body)["messages"][1]["content"] == "[REF|a_1]\n12%" and problem == "nil", body)
    expected = ["document 1 Report Report", "agent nil a_1 ask", "resolved Report", "resolved ask"]
    expect([line.replace("\t", " ") for line in lines[1:-1]] == expected, lines)
    expect(lines[-1] == "{\tinvalid JSON", lines[-1])


def the_egress_guard_does_what_it_does_in_filter():
    with tempfile.NamedTemporaryFile() as file:
        file.write(leaking())
        file.flush()
        for mode in ("off", "report", "enforce"):
            expect(lua(GUARD, file.name, mode, *ALLOWED) == guarded(BINARY, mode), f"{mode} gives something else")


def nginx(peers, init, location, backend):
    """Starts nginx with these lines in its http block and in a location. Returns the process, with its port."""
    main = "".join(f"load_module {module}; " for module in LUA_MODULES) + "env CITESTREAM_LIBRARY;"
    return peers.start_nginx(HTTP.format(module=MODULE, init=init, example=location, backend=backend), main,
                             env={**os.environ, "CITESTREAM_LIBRARY": LIBRARY})


def nginx_does_not_start_with_a_wrong_option(peers):
    init, location = examples()[:2]
    process = nginx(peers, init.replace("numeric", "bold"), location, free_port())
    expect(process.wait(PATIENCE_S) != 0, "nginx started with a wrong option")
    expect(not listens(process.port), "nginx listens with a wrong option")
    expect("citestream: style is not one of auto, strip" in log_of(process), log_of(process))


async def in_nginx(peers):
    streams = answers()
    model = peers.replay({"answer": streams["writer"].decode()}, "--pace", "0", "--split", "17")
    dying = peers.replay({"answer": streams["writer"].decode()}, "--pace", "0", "--die-after", "900")
    cut_off = streams["writer"].decode().split("\n\n")[:5]
    ending = peers.replay({"answer": "\n\n".join([*cut_off, ""])}, "--pace", "0")  # the body ends properly
    unknown = peers.replay({"answer": 'data: {"some": "format"}\n\ndata: {"half'}, "--pace", "0")
    fronts = [nginx(peers, *examples()[:2], backend) for backend in (model, dying, ending, unknown)]
    for process in fronts:
        port = process.port
        wait_until(lambda: listens(port), process)
        if process is fronts[0]:
            for _ in range(5):
                answer = await Answer.ask(port)
                body = await answer.whole()
                expect("content-length" not in answer.fields, "a length that is no longer true")
                expect(body == filtered(BINARY, streams["writer"], "--style", "numeric"), "not what filter gives")
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /plain HTTP/1.0\r\n\r\n")
            expect((await reader.read()).endswith(b"[a](b) as it is"), "another answer was changed")
            writer.close()
        elif process is fronts[2]:
            answer = await Answer.ask(port)
            body = await answer.whole()
            expect(body == filtered(BINARY, "\n\n".join([*cut_off, ""]).encode(), "--style", "numeric"), "the answer that ends too early is not what filter gives")
            expect(b"event: error" in body, "an incomplete answer has no error event")
        else:
            answer = await Answer.ask(port)
            try:
                await answer.whole()
                raise AssertionError("a broken answer looks whole")
            except Broken:
                expect((b'"format"}' if process is fronts[3] else b" word1") in answer.body, "text that had come is lost")
    log = log_of(fronts[0])
    expect(log.count("cited 2 unresolved 0") == 5, log[-2000:])


def main():
    if not program("luajit"):
        print("SKIPPED: not installed: luajit (Debian: luajit2)")
        return
    declarations_are_those_of_the_header()
    every_cut_gives_what_filter_gives()
    citations_are_tables()
    requests_are_rewritten()
    the_egress_guard_does_what_it_does_in_filter()
    lua(MISUSE)
    examples_run()
    if not program("nginx") or not all(map(os.path.exists, LUA_MODULES)):
        print("SKIPPED: not installed: nginx with Lua (Debian: libnginx-mod-http-lua)")
        return
    with Peers(BINARY) as peers:
        nginx_does_not_start_with_a_wrong_option(peers)
        asyncio.run(in_nginx(peers))


if __name__ == "__main__":
    main()
