// OpenAI's client and the AI SDK with the Responses API, unmodified, through the proxy.
import assert from 'node:assert/strict';
import test from 'node:test';

import {createOpenAI} from '@ai-sdk/openai';
import {createXai} from '@ai-sdk/xai';
import {generateText, streamText} from 'ai';
import {ChatOpenAI} from '@langchain/openai';
import OpenAI from 'openai';

import {collect, joined} from './expected.mjs';
import {broken, errors_of, front_before, not_the_proxy, own_fetch, through} from './harness.mjs';

const timeout = 60_000;
const input = 'What about the Aurora 4?';
const texts = ['🐍 The Aurora 4 lasts 19 hours. Its case is recycled.', 'In short: recycled.\n\nSee also [the'];
const whole = texts.join('');
// By text: the words before each citation, and its page. The last one is ours.
const cited = [
  [['hours', 'specs', 'Aurora 4: specifications'], ['recycled', 'impact', 'Impact report']],
  [['recycled', 'impact', 'Impact report']],
];
const sources = cited.flat().map(([, page, title]) => [`https://aurora.example/${page}`, title]);

const client_of = (url) => new OpenAI({apiKey: 'none', baseURL: `${url}/v1`, maxRetries: 0, ...own_fetch});
const request = {model: 'responses', input};

function check_annotations(lists) {
  assert.deepEqual(lists.flat().map((each) => [each.url, each.title]), sources);
  for (const [i, list] of lists.entries()) {
    for (const [k, each] of list.entries()) {
      assert.equal(each.start_index, each.end_index);
      const before = Array.from(texts[i]).slice(0, each.start_index).join('');  // in code points
      assert.ok(before.endsWith(cited[i][k][0]));
    }
  }
}

const parts_of = ({output}) => output.filter((item) => item.type === 'message').map((item) => item.content[0]);

function check_response(response) {
  assert.equal(response.output_text, whole);
  assert.deepEqual(parts_of(response).map((part) => part.text), texts);
  check_annotations(parts_of(response).map((part) => part.annotations));
  assert.deepEqual(response.citestream.citations.map((each) => each.url), sources.map(([url]) => url));
}

test('every repeat of a text is the text of its deltas', {timeout}, async () => {
  await through({}, async ({url}) => {
    const seen = texts.map(() => ({deltas: '', annotations: [], repeats: []}));
    let number = 0;
    for await (const event of await client_of(url).responses.create({...request, stream: true})) {
      assert.equal(event.sequence_number, number++);
      const text = seen[event.output_index - 1];
      if (event.type === 'response.output_text.delta') text.deltas += event.delta;
      if (event.type === 'response.output_text.annotation.added') {
        assert.equal(event.annotation_index, text.annotations.length);
        text.annotations.push(event.annotation);
      }
      if (event.type === 'response.output_text.done') text.repeats.push(event.text);
      if (event.type === 'response.content_part.done') text.repeats.push(event.part.text);
      if (event.type === 'response.output_item.done') {
        for (const part of parts_of({output: [event.item]})) text.repeats.push(part.text);
      }
      if (event.type === 'response.completed') check_response({output_text: whole, ...event.response});
    }
    for (const [i, {deltas, repeats}] of seen.entries()) {
      assert.equal(deltas, texts[i]);
      assert.deepEqual(repeats, [deltas, deltas, deltas]);
    }
    check_annotations(seen.map((text) => text.annotations));
  });
});

test('.stream() ends with the whole response', {timeout}, async () => {
  await through({}, async ({url}) => check_response(await client_of(url).responses.stream(request).finalResponse()));
});

test('a JSON answer is clean too', {timeout}, async () => {
  await through({}, async ({url}) => check_response(await client_of(url).responses.create(request)));
});

for (const [provider, create] of [['openai', createOpenAI], ['xai', createXai]]) {
  const model_of = (url) => create({apiKey: 'none', baseURL: `${url}/v1`, ...own_fetch}).responses('responses');

  test(`cited pages are source parts of the AI SDK: ${provider}`, {timeout}, async () => {
    await through({}, async ({url}) => {
      const model = model_of(url);
      const streamed = streamText({model, prompt: input, maxRetries: 0, onError: ({error}) => assert.fail(error)});
      for (const result of [streamed, await generateText({model, prompt: input, maxRetries: 0})]) {
        assert.equal(await result.text, whole);
        const shown = (await result.sources).map((each) => [each.url, each.title]);
        // xAI's provider shows the annotations of a stream again when they are repeated.
        const once = (all) => provider === 'xai' ? [...new Map(all).entries()] : all;
        assert.deepEqual(once(shown), once(sources));
      }
    });
  });

  test(`a broken stream is an error of the AI SDK: ${provider}`, {timeout}, async () => {
    await front_before(broken('responses.sse'), async (url) => {
      const model = model_of(url);
      assert.equal((await errors_of((onError) => streamText({model, prompt: input, maxRetries: 0, onError}))).length, 1);
    });
  });
}

const langchain_of = (url) => new ChatOpenAI({
  apiKey: 'none', model: 'responses', maxRetries: 0, useResponsesApi: true, configuration: {baseURL: `${url}/v1`, ...own_fetch},
});

test('LangChain reads the text and its annotations', {timeout}, async () => {
  await through({}, async ({url}) => {
    const streamed = await joined(langchain_of(url).stream(input));
    for (const message of [streamed, await langchain_of(url).invoke(input)]) {
      assert.equal(message.text, whole);
      const shown = message.content.flatMap((block) => block.annotations ?? []);
      assert.deepEqual(shown.map((each) => [each.url, each.title]), sources);
    }
  });
});

test('a broken stream throws', {timeout}, async () => {
  await front_before(broken('responses.sse'), async (url) => {
    const stream = await client_of(url).responses.create({...request, stream: true});
    await assert.rejects(collect(stream));
    await assert.rejects(client_of(url).responses.stream(request).finalResponse());
    const chat = langchain_of(url);
    await assert.rejects(collect(chat.stream(input)));
  });
});

// A stream without tools of the provider: its text cites the result of a tool of the request twice.
function citing(_, response) {
  const place = {item_id: 'msg_1', output_index: 0, content_index: 0};
  const words = ['It lasts 19 hours', ' [REF|', 'd_1]', ' and is', ' recycled', ' [REF|d_1]', '.'];
  const text = words.join('');
  const part = {type: 'output_text', annotations: [], logprobs: [], text};
  const item = {id: 'msg_1', type: 'message', status: 'completed', role: 'assistant', content: [part]};
  const answer = {id: 'resp_1', object: 'response', created_at: 1790000000, model: 'm', output: []};
  const events = [
    {type: 'response.created', response: {...answer, status: 'in_progress'}},
    {type: 'response.output_item.added', output_index: 0, item: {...item, status: 'in_progress', content: []}},
    {type: 'response.content_part.added', ...place, part: {...part, text: ''}},
    ...words.map((delta) => ({type: 'response.output_text.delta', ...place, delta, logprobs: []})),
    {type: 'response.output_text.done', ...place, text, logprobs: []},
    {type: 'response.content_part.done', ...place, part},
    {type: 'response.output_item.done', output_index: 0, item},
    {type: 'response.completed',
     response: {...answer, status: 'completed', output: [item], usage: {input_tokens: 1, output_tokens: 1}}},
  ];
  response.writeHead(200, {'content-type': 'text/event-stream'});
  const lines = events.map((event, sequence_number) =>
    `event: ${event.type}\ndata: ${JSON.stringify({...event, sequence_number})}\n\n`);
  response.end(lines.join(''));
}

const result = JSON.stringify({url: 'https://aurora.example/specs', title: 'Specifications', content: '19 hours'});
const with_result = [
  {role: 'user', content: input},
  {type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{}'},
  {type: 'function_call_output', call_id: 'call_1', output: result},
];

test('a citation reaches clients before its text has ended', {timeout, skip: not_the_proxy}, async () => {
  await front_before(citing, async (url) => {
    const pages = ['https://aurora.example/specs', 'https://aurora.example/specs'];
    const types = [];
    const stream = client_of(url).responses.stream({model: 'm', input: with_result});
    stream.on('event', (event) => types.push(event.type));
    const response = await stream.finalResponse();
    assert.equal(response.output_text, 'It lasts 19 hours and is recycled.');
    assert.deepEqual(response.output[0].content[0].annotations.map((each) => each.url), pages);
    const added = types.indexOf('response.output_text.annotation.added');
    assert.ok(added > 0 && added < types.lastIndexOf('response.output_text.delta'));

    const model = createOpenAI({apiKey: 'none', baseURL: `${url}/v1`, ...own_fetch}).responses('m');
    const tool = {toolCallId: 'call_1', toolName: 'read'};
    const messages = [
      {role: 'user', content: input},
      {role: 'assistant', content: [{type: 'tool-call', ...tool, input: {}}]},
      {role: 'tool', content: [{type: 'tool-result', ...tool, output: {type: 'text', value: result}}]},
    ];
    const parts = [];
    for await (const part of streamText({model, messages, maxRetries: 0}).fullStream) parts.push(part);
    assert.deepEqual(parts.filter((part) => part.type === 'error'), []);
    // The AI SDK keeps sources until the end.
    assert.deepEqual(parts.filter((part) => part.type === 'source').map((part) => part.url), pages);
  }, ['--provenance']);
});
