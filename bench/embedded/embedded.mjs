// embedded.mjs PACKAGE WAY READS FILE ROUNDS: sends the stream in FILE ROUNDS times, like a route handler. READS: `many` events in
// reads of 16 KB, or each `single` event in a read of its own.
// WAY: `citestream` rewrites it; `json` parses each event with JSON.parse() and writes it with JSON.stringify(); `plain` passes
// it through. All of them take a response and make one.
import {readFileSync} from 'node:fs';

const [folder, way, kind, file, rounds] = process.argv.slice(2);
const {citestream} = await import(`${folder}/citestream.js`);
const all = new Uint8Array(readFileSync(file));
const reads = [];
for (let at = 0, end; at < all.length; at = end) {
  end = kind === 'many' ? at + 16384 : all.indexOf(10, at) + 2;  // an event is a line and an empty one
  reads.push(all.subarray(at, end));
}

const headers = {'content-type': 'text/event-stream'};

function source() {
  let next = 0;
  return new ReadableStream({pull: (to) => (next < reads.length ? to.enqueue(reads[next++]) : to.close())}, {highWaterMark: 0});
}

/** A stream of what `work` makes of each read. */
function through(body, work) {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(to) {
      for (;;) {
        const {done, value} = await reader.read();
        if (done) return to.close();
        const out = work(value);
        if (out.length > 0) return to.enqueue(out);
      }
    },
  }, {highWaterMark: 0});
}

function json() {
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  let rest = '';
  return (bytes) => {
    const events = (rest + decoder.decode(bytes, {stream: true})).split('\n\n');
    rest = events.pop();
    const written = events.map((event) => {
      const data = event.slice('data: '.length);
      return data === '[DONE]' ? event : `data: ${JSON.stringify(JSON.parse(data))}`;
    });
    return encoder.encode(written.map((event) => `${event}\n\n`).join(''));
  };
}

const ways = {
  citestream: (response) => citestream(response),
  json: (response) => new Response(through(response.body, json()), {headers}),
  plain: (response) => new Response(through(response.body, (bytes) => bytes), {headers}),
};

let size = 0;
for (let round = 0; round < Number(rounds); ++round) {
  for await (const bytes of (await ways[way](new Response(source(), {headers}))).body) size += bytes.length;
}
process.exitCode = size === 0 && Number(rounds) > 0 ? 1 : 0;
