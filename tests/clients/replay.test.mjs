// The command `citestream replay` with node's own HTTP client.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import test from 'node:test';

import {Server, streams} from './harness.mjs';

const timeout = 60_000;
const file = `${streams}/openai-chat.sse`;
const recorded = readFileSync(file, 'utf8');

async function replaying(args, use) {
  const server = await new Server(['replay', ...args]).listening();
  let failed = true;
  try {
    await use(server);
    failed = false;
  } finally {
    const ended = server.stop();
    await (failed ? ended.catch(() => {}) : ended);
  }
}

const post = (url, body, options) =>
    fetch(`${url}/v1/chat/completions`, {method: 'POST', body: JSON.stringify(body), ...options});

test('the command prints the number of recordings and its address', {timeout}, async () => {
  await replaying([file], (server) => assert.match(
      server.lines[0], /^citestream: replaying 1 recording on http:\/\/127\.0\.0\.1:\d+$/));
  await replaying([file, '--demo', '--listen', 'localhost:0'], (server) => assert.match(
      server.lines[0], /^citestream: replaying 4 recordings on http:\/\/127\.0\.0\.1:\d+$/));
});

for (const signal of ['SIGINT', 'SIGTERM']) {
  test(`${signal} ends the server in the middle of a stream with exit code 0`, {timeout}, async () => {
    const server = await new Server(['replay', file, '--loop', '--pace', '5']).listening();
    const {body} = await post(server.url, {stream: true});
    const reader = body.getReader();
    assert.ok((await reader.read()).value.length > 0);
    const reading = (async () => {
      while (!(await reader.read()).done) continue;
    })();
    await Promise.all([assert.rejects(reading), server.stop(signal)]);
  });
}

test('a stream equals the recording at every pace and split', {timeout}, async () => {
  for (const args of [[], ['--pace', '0'], ['--pace', '1'], ['--split', '1'], ['--pace', '1', '--split', '100']]) {
    await replaying([file, ...args], async ({url}) => {
      assert.equal(await (await post(url, {stream: true})).text(), recorded, args.join(' '));
    });
  }
});

test('an interval paces the events', {timeout}, async () => {
  await replaying([file, '--pace', '20'], async ({url}) => {
    const begun = Date.now();
    await (await post(url, {stream: true})).text();
    assert.ok(Date.now() - begun >= 20 * (recorded.split('\n\n').filter(Boolean).length - 1));
  });
});

test('the log has the end of each answer', {timeout}, async () => {
  await replaying([file, '--log'], async (server) => {
    await (await post(server.url, {stream: true})).text();
    await server.line(new RegExp(`^citestream: replay: openai-chat: stream complete, ${Buffer.byteLength(recorded)} bytes$`));
  });
});
