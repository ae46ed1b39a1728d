// The npm package gives what `citestream filter` gives, at every cut, and gives its memory back.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {readFileSync, readdirSync} from 'node:fs';
import {createServer} from 'node:http';
import {once} from 'node:events';
import {test} from 'node:test';
import {pathToFileURL} from 'node:url';

const {CITESTREAM_BINARY: binary, CITESTREAM_PACKAGE: folder, CITESTREAM_STREAMS: streams} = process.env;
const {CitationStream, CitestreamError, citestream, events, parse, withCitations} =
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
    await serving((response) => response.writeHead(200, {'content-type': type, 'content-length': bytes.length}).end(bytes), async (url) => {
      const answer = await clean(url);
      assert.equal(answer.headers.get('content-length'), null);
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

test('a thousand streams at once do not disturb each other', async () => {
  const {bytes} = inputs.find(({name}) => name === 'openai-chat.sse');
  const expected = filtered(bytes, '--style', 'numeric');
  const random = numbers(7);
  const all = Array.from({length: 1000}, () => whole(streamOf(bytes, () => 1 + random(900)).pipeThrough(new CitationStream({style: 'numeric'}))));
  for (const got of await Promise.all(all)) assert.ok(got.equals(expected));
});

test('memory is given back by streams that end, are cancelled or fail', async () => {
  const {bytes} = inputs.find(({name}) => name === 'openai-chat.sse');
  const run = async (count) => {
    for (let i = 0; i < count; ++i) {
      const answer = await citestream(new Response(streamOf(bytes, () => 200), {headers: {'content-type': 'text/event-stream'}}));
      if (i % 3 === 0) await whole(answer.body);
      if (i % 3 === 1) {
        const reader = answer.body.getReader();
        await reader.read();
        await reader.cancel();
      }
      if (i % 3 === 2) {
        const failing = new ReadableStream({pull: () => Promise.reject(new Error('reset'))});
        const broken = await citestream(new Response(failing, {headers: {'content-type': 'text/event-stream'}}));
        await assert.rejects(whole(broken.body));
        await answer.body.cancel();
      }
    }
    return process.memoryUsage().external;
  };
  const warm = await run(300);
  const later = await run(3000);
  assert.ok(later < warm + (8 << 20), `${warm} bytes became ${later}`);
});
