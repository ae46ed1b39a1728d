// Anthropic's own client, unmodified, through the proxy.
import assert from 'node:assert/strict';
import {once} from 'node:events';
import test from 'node:test';

import Anthropic from '@anthropic-ai/sdk';

import {front_before} from './harness.mjs';

const timeout = 60_000;
const request = {model: 'claude', max_tokens: 100, messages: [{role: 'user', content: 'What about the Aurora 4?'}]};
const texts = ['🐍 The Aurora 4 lasts 19 hours. ', 'Its case is recycled. See also [the'];

const named = {type: 'web_search_result_location', cited_text: 'It lasts 19 hours.', encrypted_index: 'E',
               title: 'Aurora 4: specifications', url: 'https://aurora.example/specs'};
const blocks = [
  {type: 'text', citations: null, text: '🐍 The Aurora 4 lasts 19 hours [specs](https://aurora.example/specs). '},
  {type: 'text', citations: [named], text: 'Its case is recycled [impact](https://aurora.example/impact). See also [the'},
];
const message = {
  id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', content: [], stop_reason: null,
  stop_sequence: null, usage: {input_tokens: 10, output_tokens: 1},
};
const ended = {stop_reason: 'end_turn', stop_sequence: null};

// The events of the answer, with a heartbeat behind each piece of text.
function* events() {
  yield {type: 'message_start', message};
  for (const [index, {text, citations}] of blocks.entries()) {
    yield {type: 'content_block_start', index, content_block: {type: 'text', text: ''}};
    for (const citation of citations ?? [])
      yield {type: 'content_block_delta', index, delta: {type: 'citations_delta', citation}};
    for (const piece of text.match(/.{1,7}/gsu)) {
      yield {type: 'content_block_delta', index, delta: {type: 'text_delta', text: piece}};
      yield {type: 'ping'};
    }
    yield {type: 'content_block_stop', index};
  }
  yield {type: 'message_delta', delta: ended, usage: {output_tokens: 30}};
  yield {type: 'message_stop'};
}

// An upstream that answers with the first `count` events, or with the whole message, and then breaks off if `breaks`.
const upstream = ({count = Infinity, breaks = false} = {}) => async (asked, response) => {
  let body = '';
  asked.on('data', (bytes) => body += bytes);
  await once(asked, 'end');
  if (!JSON.parse(body).stream) {
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({...message, ...ended, content: blocks}));
  }
  response.writeHead(200, {'content-type': 'text/event-stream'});
  for (const event of [...events()].slice(0, count))
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return breaks ? response.write('', () => response.destroy()) : response.end();
};

const client_of = (url) => new Anthropic({apiKey: 'none', baseURL: url, maxRetries: 0});

function check(answer) {
  assert.deepEqual(answer.content.map((block) => block.text), texts);
  assert.deepEqual(answer.content[1].citations, [named]);
}

test('.stream() ends with the whole message, clean', {timeout}, async () => {
  await front_before(upstream(), async (url) => {
    const stream = client_of(url).messages.stream(request);
    let text = '';
    stream.on('text', (delta) => text += delta);
    check(await stream.finalMessage());
    assert.equal(text, texts.join(''));
  });
});

test('the records are in the event that ends the message', {timeout}, async () => {
  await front_before(upstream(), async (url) => {
    let records;
    for await (const event of await client_of(url).messages.create({...request, stream: true})) {
      if (event.type === 'message_delta') records = event.citestream;
    }
    assert.deepEqual(records.citations.map((each) => [each.status, each.path.block]),
                     [['resolved', 0], ['unresolved', 1]]);
    assert.equal(records.citations[0].title, 'Aurora 4: specifications');
  });
});

test('a JSON answer is clean too', {timeout}, async () => {
  await front_before(upstream(), async (url) => {
    const answer = await client_of(url).messages.create(request);
    check(answer);
    assert.equal(answer.citestream.citations.length, 2);
  });
});

test('a stream that breaks off or lacks its end throws', {timeout}, async () => {
  for (const fault of [{count: 9, breaks: true}, {count: 9}]) {
    await front_before(upstream(fault), async (url) => {
      await assert.rejects(client_of(url).messages.stream(request).finalMessage());
    });
  }
});
