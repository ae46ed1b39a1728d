// Clients that do not read, or disconnect in the middle: over HTTP/2 with a small window, else over HTTP/1.1.
import assert from 'node:assert/strict';
import {once} from 'node:events';
import {request as http_request} from 'node:http';
import {connect} from 'node:http2';
import {request as https_request} from 'node:https';
import test from 'node:test';
import {setTimeout as sleep} from 'node:timers/promises';

import {eventually, front_before, has_http_2} from './harness.mjs';

const timeout = 60_000;
const window_bytes = 1000;
const filler = 'x'.repeat(3000);
const far_too_much = 64 * 2 ** 20;  // bytes; what kernels and front hold is a fraction

const payload = (content, finish = null) => `data: ${JSON.stringify({
  object: 'chat.completion.chunk', choices: [{index: 0, delta: {content}, finish_reason: finish}]})}\n\n`;
const event = (i) => payload(`${filler} w${i} [R.pdf](f-${i})`);
const text_of = (count) => Array.from({length: count}, (_, i) => `${filler} w${i}`).join(' ');

// Whether the other side takes what was written before 80 turns of the event loop have brought nothing. Turns are counted
// rather than time, because on a busy machine time passes without anything running.
async function drained(answer) {
  for (let turn = 0; turn < 80 && !answer.destroyed; ++turn) {
    if (!answer.writableNeedDrain) return true;
    await sleep(5);
  }
  return false;
}

// A model: `/short…` has ten events, `/endless` as many as the front takes, `/open/…` the same without an end, and
// `/silent` one without an end.
class Model {
  answers = {};  // by path: {sent: events, stuck, left}

  serve(asked, answer) {
    const state = this.answers[asked.url] = {sent: 0, stuck: false, left: false};
    asked.resume();
    answer.on('close', () => (state.left = !answer.writableEnded));
    answer.writeHead(200, {'Content-Type': 'text/event-stream'});
    this.write(asked.url, answer, state);
  }

  async write(path, answer, state) {
    const enough = path === '/silent' ? 1 : path.startsWith('/short') ? 10 : far_too_much / filler.length;
    while (state.sent < enough) {
      if (answer.write(event(state.sent++))) continue;
      state.stuck = !await drained(answer);
      if (state.stuck || state.left) break;
    }
    if (path.startsWith('/short') || path === '/endless') answer.end(payload('', 'stop') + 'data: [DONE]\n\n');
  }
}

// Requests `path`. The answer is not read until the test reads it.
class Client {
  constructor(url) {
    this.url = url;
    if (has_http_2) this.session = connect(url, {settings: {initialWindowSize: window_bytes}});
    this.session?.on('error', () => {});
  }

  async ask(path) {
    if (this.session) {
      const stream = this.session.request({':path': path, ':method': 'POST'});
      stream.end('{"stream":true}');
      await once(stream, 'response');
      return stream;
    }
    const asked = (this.url.startsWith('https:') ? https_request : http_request)(`${this.url}${path}`, {method: 'POST', agent: false});
    asked.end('{"stream":true}');
    const [answer] = await once(asked, 'response');
    return answer;
  }

  close() {
    this.session?.destroy();
  }
}

// Reads all of it: the text of `count` events and nothing else.
async function check_text(stream, count) {
  let bytes = '';
  for await (const part of stream.setEncoding('utf8')) bytes += part;
  const events = bytes.split('\n\n').filter(Boolean).map((one) => one.slice('data: '.length));
  assert.equal(events.pop(), '[DONE]');
  const text = events.map((one) => JSON.parse(one).choices[0].delta.content).join('');
  assert.equal(text.length, text_of(count).length);
  assert.ok(text === text_of(count));  // not equal(): its message would have megabytes
}

async function fronted(use) {
  const model = new Model();
  await front_before((asked, answer) => model.serve(asked, answer), async (url, front) => {
    const client = new Client(url);
    try {
      await use({model, client, url});
    } finally {
      client.close();
    }
    await front.stop();
    assert.deepEqual(front.lines.filter((line) => /\[(alert|crit|emerg)\]/.test(line)), []);
  });
}

const stuck = (model, path) => eventually(`${path} to be stuck`, () => model.answers[path]?.stuck || undefined);

test('a client that does not read stops its upstream only and loses no byte', {timeout}, async () => {
  await fronted(async ({model, client}) => {
    const slow = await client.ask('/endless');
    await stuck(model, '/endless');
    const {sent} = model.answers['/endless'];
    assert.ok(sent < far_too_much / filler.length / 2, `${sent} events were taken`);
    for (let i = 0; i < 5; ++i) await check_text(await client.ask(`/short${i}`), 10);
    await check_text(slow, sent);
  });
});

test('a client that disconnects from a blocked or silent answer closes only its upstream', {timeout}, async () => {
  await fronted(async ({model, client}) => {
    const left = (path) => eventually(`${path} to be left`, () => model.answers[path].left || undefined);
    const stays = await client.ask('/endless');
    for (const path of ['/open/1', '/silent']) {
      const leaves = await client.ask(path);
      if (path !== '/silent') await stuck(model, path);
      leaves.on('error', () => {});
      leaves.destroy();
      await left(path);
    }
    await stuck(model, '/endless');
    await check_text(stays, model.answers['/endless'].sent);
  });
});

test('a connection that breaks ends all its answers', {timeout, skip: !has_http_2}, async () => {
  await fronted(async ({model, client, url}) => {
    const other = new Client(url);
    const paths = ['/open/1', '/open/2', '/silent'];
    for (const path of paths) (await other.ask(path)).on('error', () => {});
    await Promise.all(paths.slice(0, 2).map((path) => stuck(model, path)));
    other.close();
    await eventually('all to be left', () => paths.every((path) => model.answers[path].left) || undefined);
    await check_text(await client.ask('/short'), 10);
  });
});
