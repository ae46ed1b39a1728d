// Ollama's own client, unmodified, through the proxy.
import assert from 'node:assert/strict';
import test from 'node:test';

import {ChatOllama} from '@langchain/ollama';
import {Ollama} from 'ollama';

import {collect, joined} from './expected.mjs';
import {front_before, own_fetch, through, upstream_closed} from './harness.mjs';

const timeout = 60_000;
const messages = [{role: 'user', content: 'What about the Aurora 4?'}];
const text = 'The Aurora 4 pumps 40 litres a minute. It weighs 12 kg, 2 kg less than its predecessor – in 大阪 it is ' +
    'sold out [sic.';
const urls = ['https://example.com/aurora-4.pdf', 'https://example.com/manual'];

const client_of = (url) => new Ollama({host: url, ...own_fetch});

// Checks the last part of an answer and the joined texts.
function check_answer(parts, text_of) {
  assert.equal(parts.map(text_of).join(''), text);
  const last = parts.at(-1);
  assert.equal(last.done, true);
  assert.equal(last.eval_count, 50);
  assert.ok(parts.slice(0, -1).every((part) => !part.done && !part.citestream));
  assert.deepEqual(last.citestream.citations.map((each) => each.identifier), urls);
}

test('a chat has clean text and its citations in the last part', {timeout}, async () => {
  await through({}, async ({url}) => {
    const parts = await collect(client_of(url).chat({model: 'ollama-chat', messages, stream: true}));
    check_answer(parts, (part) => part.message.content);
    assert.equal(parts.length, 49);
  });
});

const langchain_of = (url) => new ChatOllama({model: 'ollama-chat', baseUrl: url, maxRetries: 0, ...own_fetch});

test('LangChain reads the text', {timeout}, async () => {
  await through({}, async ({url}) => {
    for (const message of [await joined(langchain_of(url).stream('x')), await langchain_of(url).invoke('x')])
      assert.equal(message.text, text);
  });
});

test('generated text is clean', {timeout}, async () => {
  await through({}, async ({url}) => {
    const parts = await collect(client_of(url).generate({model: 'ollama-generate', prompt: 'x', stream: true}));
    check_answer(parts, (part) => part.response);
  });
});

test('an answer that is not streamed is clean', {timeout}, async () => {
  await through({}, async ({url}) => {
    check_answer([await client_of(url).chat({model: 'ollama-chat', messages})], (part) => part.message.content);
    check_answer([await client_of(url).generate({model: 'ollama-generate', prompt: 'x'})], (part) => part.response);
  });
});

test('the list of a style is in the last part', {timeout}, async () => {
  await through({proxy: ['--style', 'footnote']}, async ({url}) => {
    const parts = await collect(client_of(url).chat({model: 'ollama-chat', messages, stream: true}));
    assert.ok(parts.every((part) => part.message.role === 'assistant'));
    assert.ok(parts.at(-1).done);
    assert.match(parts.map((part) => part.message.content).join(''), /minute\[\^1\]\. It weighs 12 kg\[\^2\]/);
  });
});

test('every size of the reads gives the same answer', {timeout}, async () => {
  for (const size of ['1', '7', '300']) {
    await through({replay: ['--pace', '0', '--split', size]}, async ({url}) => {
      const parts = await collect(client_of(url).chat({model: 'ollama-chat', messages, stream: true}));
      check_answer(parts, (part) => part.message.content);
    });
  }
});

test('an upstream that fails in the middle raises an error after its text', {timeout}, async () => {
  await through({replay: ['--pace', '0', '--die-after', '2500']}, async ({url}) => {
    let got = '';
    await assert.rejects(async () => {
      const parts = await client_of(url).chat({model: 'ollama-chat', messages, stream: true});
      for await (const part of parts) got += part.message.content;
    }, (error) => {
      assert.match(error.message, own_fetch ? upstream_closed : /upstream/);
      return true;
    });
    await assert.rejects(collect(langchain_of(url).stream('x')));
    // An unfinished marker is text.
    assert.equal(got, 'The Aurora 4 pumps 40 litres a minute [Data sheet](https://example.com/aurora');
  });
});

test('an error of the upstream is raised with its own message', {timeout}, async () => {
  const line = JSON.stringify({model: 'm', created_at: 't', message: {role: 'assistant', content: 'a [A'}, done: false});
  await front_before((request, response) => {
    response.writeHead(200, {'Content-Type': 'application/x-ndjson'});
    response.end(`${line}\n{"error":"model runner has stopped"}\n`);
  }, async (url) => {
    let got = '';
    await assert.rejects(async () => {
      const parts = await client_of(url).chat({model: 'm', messages, stream: true});
      for await (const part of parts) got += part.message.content;
    }, /model runner has stopped/);
    assert.equal(got, 'a [A');
  });
});
