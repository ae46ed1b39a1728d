// OpenAI's own client, unmodified, through the proxy.
import assert from 'node:assert/strict';
import test, {describe} from 'node:test';

import OpenAI from 'openai';

import {keeps_the_contract} from './contract.mjs';
import {check_annotations, check_demo_chunks, check_demo_citations, check_graph_data, check_tool_calls,
        check_two_choices, check_unresolved, collect, demo, late_annotation, openai_chat,
        two_choices} from './expected.mjs';
import {front_before, own_fetch, through} from './harness.mjs';

const timeout = 60_000;
const messages = [{role: 'user', content: 'What about the Aurora 4?'}];

const client_of = (url) => new OpenAI({apiKey: 'none', baseURL: `${url}/v1`, maxRetries: 0, ...own_fetch});

const ask = (url, model, more = {}, options = {}) =>
    client_of(url).chat.completions.create({model, messages, stream: true, ...more}, options);

// `.stream()` rejects Writer's form, with or without us: OpenAI's API has no `message` next to the `delta`.
for (const [way, form] of [['create', 'writer'], ['stream', 'openai']]) {
  describe(`chat.completions.${way}`, () => keeps_the_contract(async (url, model, answer, {signal, n}) => {
    const request = {model, messages, n, stream: true};
    const stream = await client_of(url).chat.completions[way](request, {signal});
    for await (const chunk of stream) answer.chunk(chunk);
  }, {form}));
}

test('a stream has clean text, graph_data, citations and annotations', {timeout}, async () => {
  await through({}, async ({url}) => check_demo_chunks(await collect(ask(url, 'demo'))));
});

test('a stream split at every byte gives the same result', {timeout}, async () => {
  await through({replay: ['--pace', '0', '--split', '1']}, async ({url}) => check_demo_chunks(await collect(ask(url, 'demo'))));
});

test('a page that is annotated again after the finish event is one source', {timeout}, async () => {
  await front_before(late_annotation, async (url) => {
    const final = await client_of(url).chat.completions.stream({model: 'm', messages}).finalChatCompletion();
    assert.equal(final.choices[0].message.content, 'Hi there.');
    assert.deepEqual(final.choices[0].message.annotations.map((each) => each.url_citation.url),
                     ['https://aurora.example/specs']);
    const lists = (await collect(ask(url, 'm'))).map((chunk) => chunk.choices[0]?.delta?.annotations).filter(Boolean);
    assert.equal(lists.flat().length, 1);
  });
});

test('files are annotated if a link to them is known', {timeout}, async () => {
  await through({proxy: ['--file-url', 'https://docs.example.com/{file_id}#page={page}']}, async ({url}) => {
    const chunks = await collect(ask(url, 'demo'));
    const lists = chunks.map((chunk) => chunk.choices[0]?.delta?.annotations).filter(Boolean);
    assert.equal(lists.length, 1);
    const urls = lists[0].map((each) => each.url_citation.url);
    assert.equal(urls.length, demo.numbers.length);
    assert.equal(urls[2], 'https://docs.example.com/16fd2706-8baf-433b-82eb-8c7fada847da#page=41');
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
      const before = Array.from(text).slice(0, url_citation.end_index).join('');  // in code points
      assert.ok(before.endsWith(openai_chat.before[i]));
    }
    assert.deepEqual(completion.citestream.citations.map((each) => each.number), [1, 2]);

    // The positions in the provider's list include the markers, so it is replaced.
    const chunks = await collect(ask(url, 'openai-chat'));
    const lists = chunks.map((chunk) => chunk.choices[0]?.delta?.annotations).filter(Boolean);
    assert.deepEqual(lists, [message.annotations]);
  });
});

test('.stream() of tool calls ends with the whole message', {timeout}, async () => {
  await through({}, async ({url}) => {
    const stream = client_of(url).chat.completions.stream({model: 'tool-calls', messages});
    const {choices: [{message, finish_reason}]} = await stream.finalChatCompletion();
    const calls = message.tool_calls.map(({id, function: {name, arguments: args}}) => ({id, name, args}));
    check_tool_calls({texts: [message.content], calls});
    assert.equal(finish_reason, 'tool_calls');
  });
});

test('a JSON answer is clean too', {timeout}, async () => {
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

test('two choices are read separately', {timeout}, async () => {
  await through({}, async ({url}) => {
    check_two_choices(await collect(ask(url, 'demo-two-choices', {n: 2})));
    const whole = await client_of(url).chat.completions.create({model: 'demo-two-choices', messages, n: 2});
    assert.deepEqual(whole.choices.map((choice) => choice.message.content), two_choices.texts);
    assert.deepEqual(whole.citestream.citations.map((each) => each.choice), two_choices.citations);
  });
});

test('a citation without a source is marked as unresolved', {timeout}, async () => {
  await through({}, async ({url}) => check_unresolved(await collect(ask(url, 'demo-unresolved'))));
});

test('an upstream that fails in the middle raises an error after its text', {timeout}, async () => {
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

test('errors of the upstream are raised with their own type', {timeout}, async () => {
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
