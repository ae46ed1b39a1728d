// The npm package gives what `citestream filter` gives, at every cut, and gives its memory back.
import assert from 'node:assert/strict';
import {createHook} from 'node:async_hooks';
import {spawnSync} from 'node:child_process';
import {readFileSync, readdirSync} from 'node:fs';
import {createServer} from 'node:http';
import {once} from 'node:events';
import {test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {inspect} from 'node:util';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {codings, reply_encoded} from './codings.mjs';

const {CITESTREAM_BINARY: binary, CITESTREAM_PACKAGE: folder, CITESTREAM_STREAMS: streams} = process.env;

// The hook of node:test, which notes the test of every promise, takes half the time of these tests. It is never enabled.
Object.getPrototypeOf(createHook({})).enable = function () { return this; };

// The instances that the package makes: their memory, and how many sessions and options they have that are not freed.
const instances = [];
const instantiate = WebAssembly.instantiate;
WebAssembly.instantiate = async (...given) => {
  const {exports} = await instantiate(...given);
  const seen = {exports, memory: exports.memory, open: 0, options: 0};
  instances.push(seen);
  const counted = {
    citestream_options: (...all) => (++seen.options, exports.citestream_options(...all)),
    citestream_free_options: (...all) => (--seen.options, exports.citestream_free_options(...all)),
    citestream_session: (...all) => (++seen.open, exports.citestream_session(...all)),
    citestream_free_session: (...all) => {
      --seen.open;
      if (seen.damaged) throw new WebAssembly.RuntimeError('unreachable');
      exports.citestream_free_session(...all);
    },
  };
  return {exports: {...exports, ...counted}};
};
setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');
const open_sessions = () => instances.reduce((sum, {open}) => sum + open, 0);

const {CitationStream, CitestreamError, check, citestream, events, parse, readRequest, withCitations} =
  await import(pathToFileURL(`${folder}/citestream.js`));

const types = {
  sse: 'text/event-stream',
  ndjson: 'application/x-ndjson',
  eventstream: 'application/vnd.amazon.eventstream',
};
const inputs = readdirSync(streams)
  .filter((name) => !name.startsWith('silent'))  // a recording with times, which only replay reads
  .map((name) => ({name, bytes: readFileSync(`${streams}/${name}`), type: types[name.split('.').pop()]}));

/** The output of `citestream filter`. */
function filtered(bytes, ...flags) {
  const run = spawnSync(binary, ['filter', ...flags], {input: bytes, maxBuffer: 1 << 28});
  return run.stdout;
}

/** A reproducible source of random numbers below `limit`. */
function numbers(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % limit;
  };
}

/** Bytes in pieces, whose sizes `next` chooses. */
function* pieces(bytes, next) {
  for (let at = 0; at < bytes.length;) {
    const size = next();
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

function streamOf(bytes, next = () => 1 << 30) {
  return ReadableStream.from(pieces(new Uint8Array(bytes), next));
}

async function whole(stream) {
  return Buffer.from(await new Response(stream).arrayBuffer());
}

test('a stream is the one that filter writes, in every style and however it is cut', async () => {
  for (const {name, bytes} of inputs) {
    for (const style of ['strip', 'numeric', 'markdown', 'keep']) {
      const expected = filtered(bytes, '--style', style);
      const random = numbers(bytes.length);
      for (const next of [undefined, () => 1, () => 1 + random(40), () => 1 + random(700)]) {
        const got = await whole(streamOf(bytes, next).pipeThrough(new CitationStream({style})));
        assert.ok(got.equals(expected), `${name} in ${style} differs`);
      }
    }
  }
});

test('a stream counts what it receives, holds back and sends', async () => {
  const stream = new CitationStream();
  assert.equal(stream.statistics().events, 0);
  const [writer, reader] = [stream.writable.getWriter(), stream.readable.getReader()];
  const event = (content) =>
    `data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}}}]}\n\n`;
  const begin = event('It grew [Rep');
  writer.write(Buffer.from(begin));
  const sent = (await reader.read()).value.length;
  const { events, deltas, bytesIn, bytesOut, held, dialect } = stream.statistics();
  assert.deepEqual({ events, deltas, bytesIn, bytesOut, held, dialect },
    { events: 1, deltas: 1, bytesIn: begin.length, bytesOut: sent, held: ' [Rep'.length, dialect: 'openai' });
  writer.write(Buffer.from(event('ort](f1).')));
  writer.write(Buffer.from('data: [DONE]\n\n'));
  writer.close();
  while (!(await reader.read()).done);
  const { held: rest, heldMax, unresolved } = stream.statistics();
  assert.deepEqual({ rest, heldMax, unresolved }, { rest: 0, heldMax: ' [Rep'.length, unresolved: 1 });
});

test('typed events are those that filter prints', async () => {
  for (const {name, bytes} of inputs.filter(({name}) => !name.includes('silent'))) {
    const expected = filtered(bytes, '--to', 'events', '--style', 'numeric').toString().trimEnd().split('\n').map((line) => JSON.parse(line));
    for (const next of [undefined, () => 7]) {
      const got = [];
      for await (const event of events(streamOf(bytes, next), {style: 'numeric'})) got.push(event);
      assert.deepEqual(got, expected, name);
    }
  }
});

test('a body is rewritten as a whole', async () => {
  const body = {object: 'chat.completion', choices: [{index: 0, finish_reason: 'stop', message: {content: 'It grew [Report](f1).'}}]};
  const got = await parse(JSON.stringify(body));
  assert.equal(got.choices[0].message.content, 'It grew.');
  assert.equal(got.citestream.citations[0].identifier, 'f1');
});

/** Runs `work` with the address of a server that answers with `reply(response, request)`. */
async function serving(reply, work) {
  const server = createServer((request, response) => reply(response, request));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await work(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('fetch with citations cleans answers and leaves everything else alone', async () => {
  const clean = withCitations(fetch, {style: 'numeric'});
  for (const {name, bytes, type} of inputs) {
    const headers = {'content-type': type, 'content-length': bytes.length, 'content-md5': 'x', 'accept-ranges': 'bytes', 'x-other': 'here'};
    await serving((response) => response.writeHead(200, headers).end(bytes), async (url) => {
      const answer = await clean(url);
      for (const name of ['content-length', 'content-md5', 'accept-ranges']) assert.equal(answer.headers.get(name), null);
      assert.equal(answer.headers.get('x-other'), 'here');
      assert.ok((await whole(answer.body)).equals(filtered(bytes, '--style', 'numeric')), name);
    });
  }
  await serving((response) => response.writeHead(200, {'content-type': 'text/plain'}).end('[a](b)'), async (url) => {
    assert.equal(await (await clean(url)).text(), '[a](b)');
  });
  await serving((response) => response.writeHead(404, {'content-type': 'application/json'}).end('{"a":1}'), async (url) => {
    const answer = await clean(url);
    assert.equal(answer.status, 404);
    assert.deepEqual(await answer.json(), {a: 1});
  });
  assert.equal((await citestream(new Response(null, {status: 204}))).status, 204);
});

test('an answer that breaks off is sent so far and then fails', async () => {
  const event = 'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"It grew [Rep"}}]}\n\n';
  const broken = (response) => {
    response.writeHead(200, {'content-type': 'text/event-stream'});
    response.write(event, () => response.destroy());
  };
  await serving(broken, async (url) => {
    const answer = await withCitations()(url);
    let text = '';
    await assert.rejects(async () => {
      for await (const bytes of answer.body) text += Buffer.from(bytes);
    });
    assert.match(text, /\[Rep/);
    assert.match(text, /"error"/);
  });
  const short = streamOf(Buffer.from(event)).pipeThrough(new CitationStream());
  await assert.rejects(whole(short), CitestreamError);
});

test('options that are not valid are refused with their name', async () => {
  const refused = (options) => assert.rejects(parse('{}', options), CitestreamError);
  await refused({style: 'bold'});
  await refused({colour: 'red'});
  await refused({maxMarkerBytes: -1});
});

test('options of requests are switches and names, and others are refused with their name', async () => {
  const body = JSON.stringify({messages: [
    {role: 'assistant', tool_calls: [{id: 'c1', type: 'function', function: {name: 'read', arguments: '{}'}}]},
    {role: 'tool', tool_call_id: 'c1', content: 'Sales rose 20%.'}]});
  for (const off of [false, 'false', 'off', '0', 0, undefined]) assert.equal((await readRequest(body, {provenance: off})).body, body);
  const keyed = (await readRequest(body, {provenance: true})).body;
  assert.notEqual(keyed, body);
  for (const on of ['true', 'on', '1', 1]) assert.equal((await readRequest(body, {provenance: on})).body, keyed);
  const answers = {style: 'numeric', references: [{id: 'a'}], provenanceTools: null, provenanceAgents: 'a,b'};  // they may share an object
  assert.equal((await readRequest(body, {...answers, provenance: true})).body, keyed);

  const bad = [['provenance', 'nein'], ['provenance', Object.create(null)], ['requestReferences', 'nein'], ['citationInstructions', 'maybe'],
    ['inlineCitations', 'no'], ['inlineCitations', ''], ['provenanceKeys', 'random'], ['provenanceTools', 5], ['provenanceAgents', [5]],
    ['provenence', true], ['style', 'nonsense']];
  for (const [name, value] of bad) {
    const refused = (error) => error instanceof CitestreamError && error.message.startsWith(name);
    await assert.rejects(readRequest('{}', {[name]: value}), refused);
    await assert.rejects(withCitations(() => assert.fail('it is sent'), {[name]: value})('https://example.com'), refused);
    await assert.rejects(whole(new CitationStream({[name]: value}).readable), refused);
  }
});

test('limits of verdicts that exclude each other are refused with their names', async () => {
  const refused = (error) => error instanceof CitestreamError && error.message === 'notFound (0.5) must not exceed supported (0.1)';
  await assert.rejects(parse('{}', {check: 'report', supported: 0.1, notFound: 0.5}), refused);
  await parse('{}', {check: 'report', supported: 0.5, notFound: 0.5});
});

test('options that have no text are refused with their name, and nothing of them is kept', async () => {
  const cycle = [{id: 'a'}];
  cycle[0].self = cycle;
  const open_options = () => instances.reduce((sum, {options}) => sum + options, 0);
  for (const [name, value] of [['references', cycle], ['references', [{id: 1n}]], ['style', Object.create(null)], ['marker', [Object.create(null)]]]) {
    const refused = (error) => error instanceof CitestreamError && error.message.startsWith(`${name}: `);
    await assert.rejects(parse('{}', {[name]: value}), refused);
    await assert.rejects(withCitations(() => assert.fail('it is sent'), {[name]: value})('https://example.com'), refused);
    await assert.rejects(whole(new CitationStream({[name]: value}).readable), refused);
  }
  await assert.rejects(parse('{}', {style: 'bold'}), CitestreamError);
  assert.equal(open_options(), 0);
});

test('nothing is read before there is a reader', async () => {
  let pulled = 0;
  const source = new ReadableStream({pull: (to) => { ++pulled; to.enqueue(new TextEncoder().encode(': comment\n\n')); }}, {highWaterMark: 0});
  const reader = (await citestream(new Response(source, {headers: {'content-type': 'text/event-stream'}}))).body.getReader();
  await reader.read();
  const after_one = pulled;
  await new Promise((done) => setImmediate(done));
  assert.ok(pulled <= after_one + 1);
  await reader.cancel();
});

test('a write waits until its output is read', async () => {
  const {readable, writable} = new CitationStream({style: 'numeric'});
  const writer = writable.getWriter();
  const small = chunk('It grew.');
  const written = [];
  const write = (bytes) => writer.write(bytes).then(() => written.push(bytes.length));
  write(small);
  write(small);
  assert.ok(writer.desiredSize <= 0, `${writer.desiredSize}`);
  let ready = false;
  writer.ready.then(() => (ready = true));
  await new Promise((done) => setTimeout(done, 50));
  assert.deepEqual({written, ready}, {written: [], ready: false});
  const reader = readable.getReader();
  await reader.read();
  await reader.read();
  await writer.ready;
  assert.equal(writer.desiredSize, 1);
  assert.deepEqual(written, [small.length, small.length]);
  await reader.cancel();
});

const chunk = (content, more = '') => Buffer.from(
  `data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}}${more}}]}\n\n`);
const event_stream = (body) => new Response(body, {headers: {'content-type': 'text/event-stream'}});

// Before the test with a thousand streams, whose memory would hide a small leak.
test('memory is given back by 50,000 streams that end, are cancelled or fail', {timeout: 800_000}, async () => {
  const small = new Uint8Array(Buffer.concat([chunk('It grew [Rep'), chunk('ort](f1).', ',"finish_reason":"stop"')]));
  const body = (pull) => event_stream(new ReadableStream({pull}, {highWaterMark: 0}));
  const clean = withCitations(async () => body((to) => (to.enqueue(small), to.close())));
  const kinds = [
    async () => whole((await citestream(body((to) => (to.enqueue(small), to.close())))).body),
    async () => {
      const reader = (await citestream(body((to) => to.enqueue(small)))).body.getReader();
      await reader.read();
      await reader.cancel();
      await reader.cancel();
    },
    async () => (await citestream(body((to) => to.enqueue(small)))).body.cancel(),
    async () => assert.rejects(whole((await citestream(body(() => Promise.reject(new Error('reset'))))).body), /reset/),
    async () => {
      for await (const {type} of events([small])) if (type === 'text') break;
    },
    async () => whole((await clean('https://example.com/v1/messages', {method: 'POST', body: '{"messages":[]}'})).body),
  ];
  const run = async (count) => {
    for (let i = 0; i < count; ++i) await kinds[i % kinds.length]();
    gc();
    return {modules: instances.map(({memory}) => memory.buffer.byteLength), heap: process.memoryUsage().heapUsed};
  };
  const warm = await run(1000);
  const {modules, heap} = await run(50_000);
  assert.deepEqual(modules, warm.modules);
  assert.ok(heap - warm.heap < 1_200_000, `${heap - warm.heap} bytes more in the heap`);  // 24 for each stream
  assert.equal(open_sessions(), 0);
});

test('a thousand streams at once do not disturb each other', async () => {
  const {bytes} = inputs.find(({name}) => name === 'openai-chat.sse');
  const expected = filtered(bytes, '--style', 'numeric');
  const random = numbers(7);
  const all = Array.from({length: 1000}, () => whole(streamOf(bytes, () => 1 + random(900)).pipeThrough(new CitationStream({style: 'numeric'}))));
  for (const got of await Promise.all(all)) assert.ok(got.equals(expected));
});

test('memory is given back by streams that nobody reads to their end', async () => {
  for (let i = 0; i < 200; ++i) {
    const stream = new CitationStream();
    stream.writable.getWriter().write(chunk('It grew [Rep')).catch(() => {});
    await stream.readable.getReader().read();
  }
  assert.ok(open_sessions() > 0);
  while (open_sessions() > 1) {  // one may still be on the stack
    gc();
    await new Promise((done) => setImmediate(done));
  }
});

test('a stream that cannot be freed in a damaged instance is no error, and new ones use another', async () => {
  const unread = async () => {
    for (let i = 0; i < 20; ++i) {
      const stream = new CitationStream();
      stream.writable.getWriter().write(chunk('It grew [Rep')).catch(() => {});
      await stream.readable.getReader().read();
    }
  };
  const ended = new CitationStream();
  const writing = ended.writable.getWriter();
  writing.write(chunk('It grew.', ',"finish_reason":"stop"'));
  writing.close();
  await unread();
  const damaged = instances.find(({open}) => open >= 20);
  const [open, count] = [damaged.open, instances.length];
  damaged.damaged = true;
  while (damaged.open > open - 10) {  // an error in a finalizer would end this program
    gc();
    await new Promise((done) => setImmediate(done));
  }
  assert.match(String(await whole(ended.readable)), /It grew\./);
  assert.ok((await whole(streamOf(inputs[0].bytes).pipeThrough(new CitationStream()))).equals(filtered(inputs[0].bytes)));
  assert.ok(instances.length > count);
});

test('a stream that traps does not disturb the others, and new ones work', async () => {
  const other = new CitationStream({style: 'numeric'});
  const [writer, reader] = [other.writable.getWriter(), other.readable.getReader()];
  writer.write(chunk('It grew [Rep'));
  assert.match(String(Buffer.from((await reader.read()).value)), /It grew/);

  const count = instances.length;
  for (let i = 0; i < 3; ++i) {
    const before = instances.map(({open}) => open);
    const bad = new CitationStream();
    const [to, from] = [bad.writable.getWriter(), bad.readable.getReader()];
    to.closed.catch(() => {});
    to.write(chunk('It fell'));
    await from.read();
    const used = instances.find(({open}, at) => open > (before[at] ?? 0));
    used.exports.__stack_pointer.value = 16;  // no room is left on its stack
    to.write(chunk(' by half')).catch(() => {});
    await assert.rejects(from.read(), (error) => error instanceof CitestreamError && error.cause instanceof Error);
  }
  // No nesting overflows it, even with the largest limit.
  const deep = Buffer.from(`data: {"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}\n\n`);
  assert.ok((await whole(event_stream(streamOf(deep)).body.pipeThrough(new CitationStream({maxJsonDepth: 1024})))).includes(deep));

  writer.write(chunk('ort](f1).', ',"finish_reason":"stop"'));
  assert.match(String(Buffer.from((await reader.read()).value)), /"content":" ?\[1\]\."/);
  writer.close();
  while (!(await reader.read()).done);
  const {bytes} = inputs.find(({name}) => name === 'openai-chat.sse');
  assert.ok((await whole(streamOf(bytes).pipeThrough(new CitationStream()))).equals(filtered(bytes)));
  assert.ok(instances.length > count);
});

test('a stream for whose bytes there is no memory fails, is freed, and does not disturb the others', async () => {
  const other = new CitationStream({style: 'numeric'});
  const [writer, reader] = [other.writable.getWriter(), other.readable.getReader()];
  writer.write(chunk('It grew [Rep'));
  await reader.read();
  const used = instances.at(-1);
  const {exports, open} = used;
  const count = instances.length;
  const for_the_others = exports.citestream_allocate(1 << 26);
  const taken = exhaust(exports);
  exports.citestream_release(for_the_others);
  const large = Buffer.alloc(1 << 28);
  await assert.rejects(whole(event_stream(streamOf(large)).body.pipeThrough(new CitationStream())), /out of memory/);
  await assert.rejects(parse(large), /out of memory/);
  assert.equal(used.open, open);
  writer.write(chunk('ort](f1).', ',"finish_reason":"stop"'));
  assert.match(String(Buffer.from((await reader.read()).value)), /"content":" ?\[1\]\."/);
  writer.close();
  while (!(await reader.read()).done);
  assert.ok((await whole(streamOf(inputs[0].bytes).pipeThrough(new CitationStream()))).equals(filtered(inputs[0].bytes)));
  assert.equal(instances.length, count);
  for (const at of taken) exports.citestream_release(at);
});

/** Takes all memory of an instance. It is not written to, so that the system has not to provide it. */
function exhaust(exports) {
  const taken = [];
  for (let size = 1 << 30; size >= 8; size >>>= 1) {
    for (let at; (at = exports.citestream_allocate(size)) !== 0;) taken.push(at >>> 0);
  }
  return taken;
}

test('memory above 2 GB is used', async () => {
  await parse('{}');
  const {exports} = instances.at(-1);
  const taken = exhaust(exports);
  const [high, low] = [taken.filter((at) => at > 2 ** 31), taken.filter((at) => at <= 2 ** 31)];
  assert.ok(high.length > 0);
  for (const at of high) exports.citestream_release(at);
  for (const {name, bytes} of inputs) {
    assert.ok((await whole(streamOf(bytes, () => 500).pipeThrough(new CitationStream({style: 'numeric'})))).equals(filtered(bytes, '--style', 'numeric')), name);
  }
  for (const at of low) exports.citestream_release(at);
});

test('if the memory of an instance is exhausted its streams fail, and new ones use another', async () => {
  const stream = new CitationStream();
  const [writer, reader] = [stream.writable.getWriter(), stream.readable.getReader()];
  writer.write(chunk('It grew [Rep'));
  await reader.read();
  const {exports} = instances.at(-1);
  const count = instances.length;
  const for_the_copy = exports.citestream_allocate(20_000);
  const taken = exhaust(exports);
  exports.citestream_release(for_the_copy);
  writer.write(chunk('x'.repeat(19_000))).catch(() => {});
  await assert.rejects(reader.read(), (error) => error instanceof CitestreamError && error.cause instanceof Error);
  for (const at of taken) exports.citestream_release(at);
  const {bytes} = inputs.find(({name}) => name === 'openai-chat.sse');
  assert.ok((await whole(streamOf(bytes).pipeThrough(new CitationStream()))).equals(filtered(bytes)));
  assert.equal(instances.length, count + 1);
});

test('an error reaches a reader that comes late, after all that was sent before it', async () => {
  const answer = await citestream(event_stream(streamOf(chunk('It grew [Rep'))));
  await new Promise((done) => setImmediate(done));
  let text = '';
  await assert.rejects(async () => {
    for await (const bytes of answer.body) {
      await new Promise((done) => setImmediate(done));
      text += Buffer.from(bytes);
    }
  }, /ended inside the answer/);
  assert.match(text, /\[Rep.*"error"/s);
});

test('a stream that fails with any reason fails for the reader with that reason', async () => {
  const whole_answer = Buffer.concat([chunk('It grew.', ',"finish_reason":"stop"'), Buffer.from('data: [DONE]\n\n')]);
  const check = async (begin, reason) => {
    const broken = () => {
      let pulled = 0;
      return new ReadableStream({pull: (to) => (pulled++ === 0 ? to.enqueue(begin) : to.error(reason))}, {highWaterMark: 0});
    };
    const aborted = () => {
      const stream = new CitationStream();
      const writer = stream.writable.getWriter();
      writer.closed.catch(() => {});
      writer.write(begin).then(() => writer.abort(reason), () => {});
      return stream.readable;
    };
    const same = (error) => (reason === undefined || reason === null ? error.message === 'the stream failed' : error === reason);
    const failing = async (stream) => {
      const reader = stream.getReader();
      for (;;) {
        const next = await reader.read().catch((error) => ({error}));
        if ('error' in next) return assert.ok(same(next.error), `${inspect(next.error)} instead of ${inspect(reason)}`);
        assert.ok(!next.done, `ends without the failure ${inspect(reason)}`);
      }
    };
    await failing((await citestream(event_stream(broken()))).body);
    await failing(broken().pipeThrough(new CitationStream()));
    await failing(aborted());
    const types = [];
    await assert.rejects(async () => {
      for await (const {type} of events(broken())) types.push(type);
    }, same);
    assert.ok(types.includes('text'));
  };
  for (const begin of [chunk('It grew [Rep'), whole_answer]) {
    const no_texts = [Object.create(null), Symbol('reset'), {toString() { throw new Error('no text'); }}];
    for (const reason of [undefined, null, '', 0, false, 'reset', new Error('reset'), ...no_texts]) await check(begin, reason);
  }
});

test('a cancelled stream cancels its source, and may be cancelled while it is read', async () => {
  const left = [];
  const source = () => event_stream(new ReadableStream({cancel: (why) => left.push(why)}));
  const reader = (await citestream(source())).body.getReader();
  const reading = reader.read();
  await reader.cancel('enough');
  assert.equal((await reading).done, true);
  await (await citestream(source())).body.cancel('unread');
  const piped = source().body.pipeThrough(new CitationStream());
  await piped.cancel('piped');
  for (let i = 0; i < 1000 && left.length < 3; ++i) await new Promise((done) => setImmediate(done));
  assert.deepEqual(left, ['enough', 'unread', 'piped']);
});

test('an abort signal ends the answer and the request, without an error event', async () => {
  let closed;
  const reply = (response) => {
    response.writeHead(200, {'content-type': 'text/event-stream'});
    response.write(chunk('It grew [Rep'));
    closed = once(response, 'close');
  };
  const open = open_sessions();
  await serving(reply, async (url) => {
    const init = {method: 'POST', body: '{}'};
    const requests = [(signal) => [url, {...init, signal}], (signal) => [new Request(url, {...init, signal})]];
    for (const [request, reason] of requests.flatMap((one) => [[one], [one, new Error('enough')]])) {
      const giving_up = new AbortController();
      const answer = await withCitations()(...request(giving_up.signal));
      const reader = answer.body.getReader();
      assert.match(String(Buffer.from((await reader.read()).value)), /It grew/);
      giving_up.abort(reason);
      await assert.rejects(reader.read(), reason ?? {name: 'AbortError'});
      await closed;
    }
  });
  assert.ok(open_sessions() <= open);
});

test('requests are rewritten as the options say, and answers cite what was in them', async () => {
  const request = {model: 'm', stream: true, messages: [
    {role: 'user', content: 'How much?'},
    {role: 'assistant', tool_calls: [{id: 'c1', type: 'function', function: {name: 'read', arguments: '{}'}}]},
    {role: 'tool', tool_call_id: 'c1', content: 'Sales rose 20%.'}]};
  const got = [];
  const reply = async (response, from) => {
    const body = Buffer.concat(await from.toArray());
    got.push({url: from.url, body: String(body), length: from.headers['content-length'], digest: from.headers['content-digest']});
    response.writeHead(200, {'content-type': 'text/event-stream'});
    response.end(Buffer.concat([chunk('Sales grew [REF|d_1].', ',"finish_reason":"stop"'), Buffer.from('data: [DONE]\n\n')]));
  };
  await serving(reply, async (url) => {
    const body = JSON.stringify(request);
    const asked = async (options, input, init) => (await withCitations(fetch, options)(input, init)).text();
    const init = {method: 'POST', headers: {'content-type': 'application/json'}, body};
    const chat = `${url}/v1/chat/completions`;
    const keyed = await asked({provenance: true, style: 'numeric'}, chat, {...init, headers: {...init.headers, 'content-length': String(body.length), 'content-digest': 'x'}});
    assert.match(keyed, /Sales grew \[1\]\./);
    assert.match(keyed, /"status":"resolved"/);
    assert.match(keyed, /"provenance":\{"d_1"/);
    const [first] = got;
    const {messages} = JSON.parse(first.body);
    assert.match(messages.at(-1).content, /^\[REF\|d_1\]\n/);
    assert.equal(messages[0].role, 'system');
    assert.equal(first.length, String(Buffer.byteLength(first.body)));
    assert.equal(first.digest, undefined);

    for (const again of [new Request(chat, init), new URL(chat)]) {  // the same from a Request, and bytes from a URL
      const more = again instanceof URL ? {...init, body: new TextEncoder().encode(body)} : undefined;
      assert.equal(await asked({provenance: true, style: 'numeric'}, again, more), keyed);
      assert.equal(got.at(-1).body, first.body);
    }
    await asked({provenance: true, citationInstructions: false, provenanceKeys: 'content', provenanceTools: ['other']}, chat, init);
    assert.equal(got.at(-1).body, body);  // no result of that tool
    for (const [headers, path] of [[{authorization: 'AWS4-HMAC-SHA256 x'}, '/v1/chat/completions'], [{}, '/v1/embeddings'],
      [{}, '/v1/chat/completions?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=x']]) {
      await asked({provenance: true}, url + path, {...init, headers: {...init.headers, ...headers}});
      assert.equal(got.at(-1).body, body);
    }
    await asked({provenance: 'false', inlineCitations: 'false'}, chat, init);
    assert.equal(got.at(-1).body, body);
    await asked({inlineCitations: true}, `${url}/v1/graphs/question`, {...init, body: '{"graph_ids":["g"],"question":"q"}'});
    assert.equal(JSON.parse(got.at(-1).body).query_config.inline_citations, true);

    const read = await readRequest(body, {provenance: true});
    assert.equal(read.body, first.body);
    const plain = await fetch(chat, {...init, body: read.body});
    assert.equal(await (await citestream(plain, {style: 'numeric', request: read})).text(), keyed);
    const cut = body.slice(0, -2);
    assert.deepEqual(await readRequest(cut, {provenance: true}), {body: cut, read: false});
  });
});

test('a body that is not changed is the one that was given', async () => {
  const bodies = [[0x1f, 0x8b, 8, 0, 0xff, 0xfe], [...Buffer.from('\ufeff{"messages":[]}')], [...Buffer.from('{"messages":[')], []].map((all) => Uint8Array.from(all));
  for (const body of [...bodies, ...bodies.map((bytes) => bytes.buffer), '\ud800', '\ufeff{"messages":[]}']) {
    assert.equal((await readRequest(body)).body, body);
    assert.equal((await readRequest(body, {provenance: true})).body, body);
  }
  const changed = await readRequest(Buffer.from('{"graph_ids":["g"],"question":"q","messages":[]}'), {inlineCitations: true});
  assert.equal(typeof changed.body, 'string');
});

test('an answer cites the documents of its request', async () => {
  const request = {model: 'm', messages: [{role: 'user', content: [
    {type: 'document', title: 'Report', source: {type: 'text', media_type: 'text/plain', data: 'Sales rose 20%.'}}]}]};
  const read = await readRequest(JSON.stringify(request));
  const answer = JSON.stringify({object: 'chat.completion', choices: [{index: 0, message: {content: 'Sales rose 20% [1].'}}]});
  const {citestream: record} = await parse(answer, {request: read, markers: ['numeric'], check: 'report'});
  assert.equal(record.citations[0].title, 'Report');
  const without = await readRequest(JSON.stringify(request), {requestReferences: 'false'});
  assert.equal((await parse(answer, {request: without, markers: ['numeric']})).citestream.citations[0].status, 'unresolved');
  assert.equal(record.citations[0].verdict, 'supported');
  const other = await parse(answer, {markers: 'numeric', references: [{title: 'Own', url: 'https://example.com/own'}]});
  assert.equal(other.citestream.citations[0].url, 'https://example.com/own');
  const json = await readRequest(JSON.stringify({...request, response_format: {type: 'json_object'}}));
  assert.deepEqual(await parse(answer, {request: json, markers: ['numeric']}), JSON.parse(answer));
});

test('claims are compared as the command line compares them', async () => {
  const claim = 'Profit fell 5% to 0.00012 in 2023.';
  const references = ['Profit fell by 7% in 2023 — to 0.0001.', 'Nothing'];
  const run = spawnSync(binary, ['check', 'claims'], {input: JSON.stringify({claim, references}) + '\n'});
  assert.deepEqual(await check(claim, references), JSON.parse(String(run.stdout)));
});

test('the question of a bare answer is compared with it', async () => {
  const question = 'How long can tents be returned?';
  const references = ['Boots: 14 days. Tents can be returned within 30 days.'];
  for (const claim of ['30 days.', '14 days.', 'No.', 'Tents can be returned within 30 days after purchase.']) {
    const run = spawnSync(binary, ['check', 'claims'], {input: JSON.stringify({claim, question, references}) + '\n'});
    assert.deepEqual(await check(claim, references, {question}), JSON.parse(String(run.stdout)));
  }
  assert.equal((await check('14 days.', references, {question})).verdict, 'contradicted');
  for (const options of [undefined, {}, {question: undefined}, {question: null}, {question: ''}])
    assert.equal((await check('14 days.', references, options)).compared, undefined);
});

test('addresses that are not allowed become inert', async () => {
  const text = Buffer.concat([chunk('See ![x](https://evil.example/?q=1)', ',"finish_reason":"stop"'), Buffer.from('data: [DONE]\n\n')]);
  const got = await whole(streamOf(text).pipeThrough(new CitationStream({egress: 'enforce'})));
  assert.ok(got.equals(filtered(text, '--egress', 'enforce')));
  assert.doesNotMatch(String(got), /!\[x\]\(https:/);
});

test('numbers are read and written as on other platforms', async () => {
  for (const score of ['0.1', '1e-5', '0.0001', '1e22', '123456789.125', '5e-324', '1.7976931348623157e308', '-0.0', '0.30000000000000004', '12345678901234567890.5', '100000', '1e5']) {
    const stream = Buffer.from(`data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"x [R](f1).","graph_data":{"sources":[{"file_id":"f1","snippet":"s","score":${score}}]}},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`);
    const got = await whole(streamOf(stream).pipeThrough(new CitationStream()));
    assert.equal(String(got), String(filtered(stream)));
  }
});

test('a clone of an answer has what the answer has', async () => {
  const reply = (response, {url}) => (url === '/' ? response.writeHead(302, {location: '/answer'}).end()
    : response.writeHead(200, {'content-type': 'text/event-stream', 'x-other': 'here'}).end(chunk('It grew.', ',"finish_reason":"stop"')));
  await serving(reply, async (url) => {
    const answer = await withCitations()(url);
    const clone = answer.clone();
    const all = [answer, clone, clone.clone()];
    const facts = ({url, redirected, type, status, headers}) => ({url, redirected, type, status, other: headers.get('x-other')});
    for (const one of all) assert.deepEqual(facts(one), {url: `${url}/answer`, redirected: true, type: 'basic', status: 200, other: 'here'});
    const texts = await Promise.all(all.map((one) => one.text()));
    assert.match(texts[0], /It grew/);
    assert.deepEqual(texts, [texts[0], texts[0], texts[0]]);
    assert.throws(() => answer.clone(), TypeError);
  });
});

test('what is not an answer or cannot be read passes unchanged', async () => {
  const unchanged = async (response) => assert.equal(await citestream(response), response);
  await unchanged(new Response(null, {status: 204}));
  await unchanged(new Response('[a](b)', {headers: {'content-type': 'text/html'}}));
  await unchanged(new Response('x', {headers: {'content-type': 'text/event-stream', 'content-encoding': 'compress'}}));
  await unchanged(new Response('data: x\n\n', {status: 500, headers: {'content-type': 'text/event-stream'}}));
  await serving((response) => response.writeHead(200, {'content-type': 'text/event-stream'}).end(), async (url) => {
    const answer = await withCitations()(url, {method: 'HEAD'});
    assert.equal(answer.body, null);
    assert.equal((await citestream(await fetch(url))).url, `${url}/`);
  });
  await serving((response) => response.writeHead(200, {'content-type': 'application/json'}).end('{"choices":[{"message":{"content":"x [a](b)"}}]}'), async (url) => {
    assert.match(await (await withCitations()(url)).text(), /\[a\]\(b\)/);  // a GET of something else
  });
});

test('an answer that fetch has decompressed is rewritten, and another passes unchanged with its header', async () => {
  const {bytes} = inputs[0];
  await serving((response, request) => reply_encoded(bytes, request, response), async (url) => {
    for (const coding of Object.keys(codings)) {
      const [plain, answer] = [await fetch(`${url}/encoded/${coding}`), await withCitations()(`${url}/encoded/${coding}`)];
      const received = await whole(plain.body);
      const decoded = received.equals(bytes);
      assert.ok(decoded || coding === 'zstd', coding);
      assert.equal(answer.headers.get('content-encoding'), decoded ? null : coding);
      assert.equal(answer.url, plain.url);
      assert.ok((await whole(answer.body)).equals(decoded ? filtered(bytes) : received), coding);
    }
  });
});

test('the first bytes tell whether an answer is compressed, however they arrive', async () => {
  const body = Buffer.from('{"object":"chat.completion","choices":[{"index":0,"message":{"content":"It grew [Report](f1)."}}]}');
  const of_each_type = Object.values(types).map((type) => inputs.find((one) => one.type === type));
  const forms = [...of_each_type, {name: 'body', bytes: body, type: 'application/json'}];
  for (const {name, bytes, type} of forms) {
    const clean = await whole((await citestream(new Response(bytes, {headers: {'content-type': type}}))).body);
    for (const [coding, encode] of Object.entries(codings)) {
      const encoded = encode(bytes);
      for (const size of [1, 2, 3, 5, 16, 1 << 20]) {
        const received = (all) => new Response(streamOf(all, () => size), {headers: {'content-type': type, 'content-encoding': coding}});
        const [decoded, raw] = [await citestream(received(bytes)), await citestream(received(encoded))];
        assert.equal(decoded.headers.get('content-encoding'), null, `${name} ${coding}`);
        assert.ok((await whole(decoded.body)).equals(clean), `${name} ${coding}`);
        assert.equal(raw.headers.get('content-encoding'), coding, `${name} ${coding}`);
        assert.ok((await whole(raw.body)).equals(encoded), `${name} ${coding}`);
      }
    }
  }
});

test('a compressed answer that fails or is cancelled does so for its reader and its source', async () => {
  const headers = {'content-type': 'text/event-stream', 'content-encoding': 'zstd'};
  const failing = (bytes) => new ReadableStream({start: (to) => bytes && to.enqueue(bytes), pull: (to) => to.error(new Error('reset'))}, {highWaterMark: 0});
  for (const bytes of [undefined, chunk('It'), codings.zstd(chunk('It'))])
    await assert.rejects(whole((await citestream(new Response(failing(bytes), {headers}))).body), /reset/);
  const left = [];
  const source = new ReadableStream({start: (to) => to.enqueue(codings.zstd(chunk('It'))), cancel: (why) => left.push(why)});
  await (await citestream(new Response(source, {headers}))).body.cancel('enough');
  assert.deepEqual(left, ['enough']);
});

test('an event stream with a Content-Encoding starts with its first field or comment', async () => {
  const headers = {'content-type': 'text/event-stream', 'content-encoding': 'gzip'};
  for (const first of [': ping\n\n', 'data: {}\n\n', '\ufeffid: 1\n']) {
    const source = new ReadableStream({start: (to) => to.enqueue(Buffer.from(first))});  // and nothing after it
    const answer = await citestream(new Response(source, {headers}));
    assert.equal(answer.headers.get('content-encoding'), null);  // it is not compressed
    await answer.body.cancel();
  }
});

test('a chunk that is not bytes cancels its source', async () => {
  const events = {'content-type': 'text/event-stream'};
  const read = async (response) => whole((await citestream(response)).body);
  for (const headers of [events, {...events, 'content-encoding': 'gzip'}, {'content-type': 'application/json'}]) {
    const left = [];
    const source = new ReadableStream({start: (to) => to.enqueue('{"a":1'), cancel: (why) => left.push(why)});
    await assert.rejects(read(new Response(source, {headers})), TypeError);
    assert.equal(left.length, 1);
    const twice = new Response(new ReadableStream({start: (to) => to.enqueue('{"a":1')}), {headers});
    twice.clone();  // the source is cancelled only after both
    await assert.rejects(read(twice), TypeError);
  }
});

test('a list in a JSON answer is rewritten element by element', async () => {
  const element = (text) => JSON.stringify({candidates: [{content: {parts: [{text}], role: 'model'}}], modelVersion: 'gemini-2.5-flash'});
  const list = Buffer.from(`\ufeff\n[${element('It grew [Rep')}\n,\n${element('ort](f1).')}\n]`);
  const answer = new Response(streamOf(list, () => 1), {headers: {'content-type': 'application/json'}});
  const got = Buffer.from(await (await citestream(answer)).arrayBuffer());
  assert.deepEqual(got, filtered(list));
  assert.match(String(got), /"text":"It grew".*"text":"\."/s);
});

test('what is no use of the interface is an error that says so', async () => {
  assert.throws(() => withCitations('numeric'), CitestreamError);
  assert.throws(() => withCitations(fetch, 'numeric'), CitestreamError);
  assert.throws(() => new CitationStream(null), CitestreamError);
  await assert.rejects(parse('{}', {request: {body: ''}}), CitestreamError);
  await assert.rejects(parse('{}', {references: 7}), CitestreamError);
  await assert.rejects(parse('{}', {events: true}), CitestreamError);
  await assert.rejects(readRequest('{}', {provenance: true, provenanceKeys: 'random'}), CitestreamError);
  await assert.rejects(parse(7), TypeError);
  await assert.rejects(whole(new Response(ReadableStream.from(['text'])).body && ReadableStream.from(['text']).pipeThrough(new CitationStream())), TypeError);
  let sent = 0;
  await assert.rejects(withCitations(() => ++sent, {style: 'bold'})('https://example.com'), /style: 'bold'/);
  assert.equal(sent, 0);
  const used = event_stream(streamOf(chunk('x')));
  await used.text();
  await assert.rejects(citestream(used), TypeError);
  const written = new CitationStream({style: 'bold'});
  await assert.rejects(written.readable.getReader().read(), CitestreamError);
  await assert.rejects(written.writable.getWriter().write(chunk('x')), CitestreamError);
});
