// Writer's own client, unmodified, through the proxy.
import assert from 'node:assert/strict';
import test, {describe} from 'node:test';

import Writer from 'writer-sdk';

import {keeps_the_contract} from './contract.mjs';
import {check_annotations, check_demo_chunks, check_demo_citations, check_graph_data, check_two_choices,
        check_unresolved, collect, demo, graph_question, two_choices} from './expected.mjs';
import {own_fetch, through} from './harness.mjs';

const timeout = 60_000;
const messages = [{role: 'user', content: 'What about the Aurora 4?'}];
const question = {graph_ids: ['4ba7f5a6-4a5d-4b8e-9d3a-0c5f1f2d3e4a'], question: 'How often must the filter be rinsed?'};

const client_of = (url) => new Writer({apiKey: 'none', baseURL: url, maxRetries: 0, ...own_fetch});

const ask = (url, model, more = {}, options = {}) =>
    client_of(url).chat.chat({model, messages, stream: true, ...more}, options);

function check_graph_record(record, text) {
  assert.equal(text, graph_question.text);
  assert.deepEqual(record.citations.map((each) => each.label), graph_question.labels);
  assert.ok(record.citations.every((each) => each.status === 'resolved'));
  assert.equal(record.citations[0].page, 41);
  assert.ok(text.slice(0, record.citations[0].start).endsWith('24 months'));
}

for (const way of ['chat', 'stream']) {
  describe(`chat.${way}`, () => keeps_the_contract(async (url, model, answer, {signal, n}) => {
    const stream = await client_of(url).chat[way]({model, messages, n, stream: true}, {signal});
    for await (const chunk of stream) answer.chunk(chunk);
  }, {tools: 'writer-tool-calls'}));
}

test('leaving the loop in the middle of a stream closes the upstream', {timeout}, async () => {
  await through({replay: ['--pace', '5', '--loop']}, async ({url, replay}) => {
    for await (const chunk of await ask(url, 'demo')) if (chunk.choices[0]?.delta.content) break;
    await replay.line(/demo: client disconnected after \d+ bytes/, 2000);
  });
});

test('a chat stream has clean text, graph_data, citations and annotations', {timeout}, async () => {
  await through({}, async ({url}) => check_demo_chunks(await collect(ask(url, 'demo'))));
});

test('chat.stream() gives the growing text and the references at the end', {timeout}, async () => {
  await through({}, async ({url}) => {
    const stream = client_of(url).chat.stream({model: 'demo', messages});
    let text = '';
    stream.on('content', (delta) => text += delta);
    const completion = await stream.finalChatCompletion();
    assert.equal(text, demo.text);
    assert.equal(completion.choices[0].message.content, demo.text);
    check_demo_citations(completion.citestream);
  });
});

test('a JSON chat answer is clean too', {timeout}, async () => {
  await through({}, async ({url}) => {
    const completion = await client_of(url).chat.chat({model: 'demo', messages});
    const {message} = completion.choices[0];
    assert.equal(message.content, demo.text);
    check_graph_data(message.graph_data);
    check_annotations(message.annotations);
    check_demo_citations(completion.citestream);
  });
});

test('a graph question is clean as a stream and as JSON', {timeout}, async () => {
  await through({}, async ({url}) => {
    const chunks = await collect(client_of(url).graphs.question({...question, stream: true}));
    const records = chunks.filter((chunk) => chunk.citestream);
    assert.equal(records.length, 1);
    check_graph_record(records[0].citestream, chunks.map((chunk) => chunk.answer).join(''));
    assert.equal(chunks.filter((chunk) => chunk.references).length, 1);

    const whole = await client_of(url).graphs.question({...question, stream: false});
    check_graph_record(whole.citestream, whole.answer);
    assert.equal(whole.references.files[0].page, 41);
  });
});

test('two choices are read separately', {timeout}, async () => {
  await through({}, async ({url}) => {
    check_two_choices(await collect(ask(url, 'demo-two-choices', {n: 2})));
    const whole = await client_of(url).chat.chat({model: 'demo-two-choices', messages, n: 2});
    assert.deepEqual(whole.choices.map((choice) => choice.message.content), two_choices.texts);
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
    }, Writer.APIError);
    assert.ok(text.startsWith('The Aurora 4'), text);
    const growing = client_of(url).chat.stream({model: 'demo', messages});
    await assert.rejects(growing.finalChatCompletion(), Writer.WriterError);
  });
  await through({replay: ['--pace', '0', '--die-after', '1500']}, async ({url}) => {
    await assert.rejects(collect(client_of(url).graphs.question({...question, stream: true})), Writer.APIError);
  });
});

test('errors of the upstream are raised with their own type', {timeout}, async () => {
  await through({}, async ({url}) => {
    await assert.rejects(client_of(url).files.retrieve('x'), Writer.NotFoundError);
    const {models} = await client_of(url).models.list();
    assert.ok(models.some((model) => model.id === 'demo-unresolved'));
  });
});
