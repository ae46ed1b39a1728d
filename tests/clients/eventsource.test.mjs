// eventsource-parser over node's own fetch, as in a page with its own client.
import assert from 'node:assert/strict';
import test from 'node:test';

import {EventSourceParserStream} from 'eventsource-parser/stream';

import {keeps_the_contract} from './contract.mjs';
import {check_demo_chunks, check_two_choices, check_unresolved, collect} from './expected.mjs';
import {through} from './harness.mjs';

const timeout = 60_000;

async function ask(url, body, signal) {
  const response = await fetch(`${url}/v1/chat/completions`, {method: 'POST', body: JSON.stringify(body), signal});
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type'), /^text\/event-stream/);
  return response.body.pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({onError: 'terminate'}));
}

keeps_the_contract(async (url, model, answer, {signal, n}) => {
  for await (const {data} of await ask(url, {model, n, stream: true}, signal)) {
    if (data !== '[DONE]' && !('error' in JSON.parse(data))) answer.chunk(JSON.parse(data));
  }
});

const chunks = async (url, model) => (await collect(ask(url, {model, stream: true})))
    .filter(({data}) => data !== '[DONE]').map(({data}) => JSON.parse(data));

test('the events have graph_data, citations and annotations', {timeout}, async () => {
  await through({}, async ({url}) => {
    check_demo_chunks(await chunks(url, 'demo'));
    check_two_choices(await chunks(url, 'demo-two-choices'));
    check_unresolved(await chunks(url, 'demo-unresolved'));
  });
});

test('events of tool calls are unchanged byte for byte', {timeout}, async () => {
  await through({}, async ({url, replay}) => {
    const of_calls = async (base) => (await collect(ask(base, {model: 'tool-calls', stream: true})))
        .filter(({data}) => data.includes('tool_calls'));
    const sent = await of_calls(replay.url);
    assert.ok(sent.length > 10);
    assert.deepEqual(await of_calls(url), sent);
  });
});

test('a failure is an event named error and a truncated response', {timeout}, async () => {
  await through({replay: ['--pace', '0', '--die-after', '5000']}, async ({url}) => {
    const seen = [];
    await assert.rejects(async () => {
      for await (const event of await ask(url, {model: 'openai-chat', stream: true})) seen.push(event);
    });
    const errors = seen.filter(({event}) => event === 'error');
    assert.deepEqual(errors.map(({data}) => JSON.parse(data).error.type), ['upstream_error']);
    assert.ok(seen.every(({data}) => data !== '[DONE]'));
  });
});
