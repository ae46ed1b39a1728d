// OpenAI's own client, unmodified, through the proxy.
import assert from 'node:assert/strict';
import test from 'node:test';

import OpenAI from 'openai';

import {check_annotations, check_demo_chunks, check_demo_citations, check_graph_data, check_two_choices,
        check_unresolved, collect, demo, openai_chat, two_choices} from './expected.mjs';
import {through} from './harness.mjs';

const timeout = 60_000;
const messages = [{role: 'user', content: 'What about the Aurora 4?'}];

const client_of = (url) => new OpenAI({apiKey: 'none', baseURL: `${url}/v1`, maxRetries: 0});

const ask = (url, model, more = {}, options = {}) =>
    client_of(url).chat.completions.create({model, messages, stream: true, ...more}, options);

test('a stream has clean text, graph_data, citations and annotations', {timeout}, async () => {
  await through({}, async ({url}) => check_demo_chunks(await collect(ask(url, 'demo'))));
});

for (const split of ['1', '7', '1000']) {
  test(`a stream cut every ${split} bytes is the same`, {timeout}, async () => {
    await through({replay: ['--pace', '0', '--split', split]},
                  async ({url}) => check_demo_chunks(await collect(ask(url, 'demo'))));
  });
}

test('files are annotated where a link to them is known', {timeout}, async () => {
  await through({proxy: ['--file-url', 'https://docs.example.com/{file_id}#page={page}']}, async ({url}) => {
    const chunks = await collect(ask(url, 'demo'));
    const lists = chunks.map((chunk) => chunk.choices[0]?.delta?.annotations).filter(Boolean);
    assert.equal(lists.length, 1);
    const urls = lists[0].map((each) => each.url_citation.url);
    assert.equal(urls.length, demo.numbers.length);
    assert.equal(urls[2], 'https://docs.example.com/16fd2706-8baf-433b-82eb-8c7fada847da#page=41');
  });
});

test('.stream() gives the text as it grows and the record at the end', {timeout}, async () => {
  await through({}, async ({url}) => {
    const stream = client_of(url).chat.completions.stream({model: 'demo', messages});
    let text = '';
    stream.on('content', (delta) => text += delta);
    const completion = await stream.finalChatCompletion();
    assert.equal(text, demo.text);
    check_demo_citations(completion.citestream);
    // Not its message: this client takes the last event's `message`, which is no part of OpenAI's API, for it.
  });
});

test(".stream() of events in OpenAI's own form ends with the whole message", {timeout}, async () => {
  await through({}, async ({url}) => {
    const stream = client_of(url).chat.completions.stream({model: 'openai-chat', messages});
    let text = '';
    stream.on('content', (delta) => text += delta);
    const completion = await stream.finalChatCompletion();
    const {message} = completion.choices[0];
    assert.equal(text, openai_chat.text);
    assert.equal(message.content, openai_chat.text);
    assert.equal(message.annotations.length, 2);
    for (const [i, {url_citation}] of message.annotations.entries()) {
      assert.equal(url_citation.url, demo.urls[i]);
      assert.ok(text.slice(0, url_citation.end_index).endsWith(openai_chat.before[i]));
    }
    assert.deepEqual(completion.citestream.citations.map((each) => each.number), [1, 2]);

    // The provider's list counted the text with its markers: ours stands in its place, not beside it.
    const chunks = await collect(ask(url, 'openai-chat'));
    const lists = chunks.map((chunk) => chunk.choices[0]?.delta?.annotations).filter(Boolean);
    assert.deepEqual(lists, [message.annotations]);
  });
});

test('an answer that is not streamed is as clean', {timeout}, async () => {
  await through({}, async ({url}) => {
    const completion = await client_of(url).chat.completions.create({model: 'demo', messages});
    const {message, finish_reason} = completion.choices[0];
    assert.equal(finish_reason, 'stop');
    assert.equal(message.content, demo.text);
    check_graph_data(message.graph_data);
    check_annotations(message.annotations);
    check_demo_citations(completion.citestream);
  });
});

test('two choices are kept apart', {timeout}, async () => {
  await through({}, async ({url}) => {
    check_two_choices(await collect(ask(url, 'demo-two-choices', {n: 2})));
    const whole = await client_of(url).chat.completions.create({model: 'demo-two-choices', messages, n: 2});
    assert.deepEqual(whole.choices.map((choice) => choice.message.content), two_choices.texts);
    assert.deepEqual(whole.citestream.citations.map((each) => each.choice), two_choices.citations);
  });
});

test('a citation to nothing is said to be one', {timeout}, async () => {
  await through({}, async ({url}) => check_unresolved(await collect(ask(url, 'demo-unresolved'))));
});

test('an abort in the middle of a stream reaches the upstream', {timeout}, async () => {
  await through({replay: ['--pace', '5', '--loop']}, async ({url, replay}) => {
    const stream = await ask(url, 'demo');
    let seen = 0;
    for await (const chunk of stream) {
      assert.ok(chunk.choices.length <= 1);
      if (++seen === 10) stream.controller.abort();
    }
    assert.ok(seen >= 10);
    await replay.line(/demo: client left after \d+ bytes/, 2000);
  });
});

test('an abort before the first token reaches the upstream', {timeout}, async () => {
  await through({replay: []}, async ({url, replay}) => {
    const giving_up = new AbortController();
    const reading = ask(url, 'silent', {}, {signal: giving_up.signal}).then(collect);
    await replay.line(/silent: stream begins/);
    giving_up.abort();
    await reading.then((chunks) => assert.deepEqual(chunks, []), (error) => assert.match(String(error), /abort/i));
    await replay.line(/silent: client left after 0 bytes/, 2000);
  });
});

test('an upstream that dies in the middle raises an error after what it said', {timeout}, async () => {
  await through({replay: ['--pace', '0', '--die-after', '12000']}, async ({url}) => {
    const stream = await ask(url, 'demo');
    let text = '';
    await assert.rejects(async () => {
      for await (const chunk of stream) text += chunk.choices[0]?.delta?.content ?? '';
    }, OpenAI.APIError);
    assert.ok(text.startsWith('The Aurora 4'), text);
    const growing = client_of(url).chat.completions.stream({model: 'demo', messages});
    await assert.rejects(growing.finalChatCompletion(), OpenAI.OpenAIError);
  });
});

test('errors of the upstream are raised as what they are', {timeout}, async () => {
  await through({}, async ({url}) => {
    await assert.rejects(client_of(url).embeddings.create({model: 'demo', input: 'x'}), (error) => {
      assert.ok(error instanceof OpenAI.NotFoundError);
      assert.equal(error.code, 'not_found');
      return true;
    });
    const models = await collect(client_of(url).models.list());
    assert.ok(models.some((model) => model.id === 'demo-unresolved'));
  });
});
