// Cohere's client and the AI SDK, unmodified, through the proxy.
import assert from 'node:assert/strict';
import test from 'node:test';

import {createCohere} from '@ai-sdk/cohere';
import {ChatCohere} from '@langchain/cohere';
import {generateText, streamText} from 'ai';
import {CohereClient, CohereClientV2} from 'cohere-ai';

import {collect, joined} from './expected.mjs';
import {broken, errors_of, front_before, own_fetch, through} from './harness.mjs';

const timeout = 60_000;
const request = {model: 'cohere', messages: [{role: 'user', content: 'What about the Aurora 4?'}]};
const texts = {1: '🐍 The Aurora 4 lasts 19 hours. Its case is recycled.', 2: 'In short: recycled. See also [the'};
// The words of each citation, its text and source. The third is ours: the marker names a source of the first text.
const cited = [['19 hours', 1, 'doc:0'], ['Its case is recycled', 1, 'doc:1'], ['In short: recycled', 2, 'doc:1'],
               ['In short', 2, 'doc:0']];

const client_of = (url) => new CohereClientV2({token: 'none', environment: url, baseUrl: url, maxRetries: 0});

function check_citations(citations) {
  assert.deepEqual(citations.map((each) => [each.text, each.contentIndex, each.sources[0].id]), cited);
  for (const {start, end, text, contentIndex} of citations)
    assert.equal(Array.from(texts[contentIndex]).slice(start, end).join(''), text);  // in code points
}

test('texts and citations of a stream are clean', {timeout}, async () => {
  await through({}, async ({url}) => {
    const seen = {1: '', 2: ''};
    const citations = [];
    const numbers = [];
    let end;
    for await (const event of await client_of(url).chatStream(request)) {
      const text = event.delta?.message?.content?.text;
      if (event.type === 'content-delta' && text !== undefined) seen[event.index] += text;
      if (event.type === 'citation-start') citations.push(event.delta.message.citations);
      if (event.type === 'citation-start' || event.type === 'citation-end') numbers.push(event.index);
      if (event.type === 'message-end') end = event;
    }
    assert.deepEqual(seen, texts);
    check_citations(citations);
    assert.deepEqual(numbers, [0, 0, 1, 1, 2, 2, 3, 3]);
    assert.equal(end.delta.finishReason, 'COMPLETE');
    assert.equal(end.delta.citestream.citations.filter((one) => one.origin !== 'provider').length, 4);
  });
});

test('a JSON answer is clean too', {timeout}, async () => {
  await through({}, async ({url}) => {
    const {message, citestream} = await client_of(url).chat(request);
    assert.deepEqual(message.content.slice(1).map((block) => block.text), Object.values(texts));
    assert.equal(message.content[0].thinking, 'See [the specs](doc:0).');
    // In a body, citations of ours follow all of the provider's.
    check_citations([0, 1, 3, 2].map((place) => message.citations[place]));
    assert.equal(citestream.citations.filter((one) => one.origin !== 'provider').length, 4);
  });
});

test('the AI SDK reads the text and shows the sources of a JSON answer', {timeout}, async () => {
  await through({}, async ({url}) => {
    const model = createCohere({apiKey: 'none', baseURL: `${url}/v2`, ...own_fetch})('cohere');
    const streamed = streamText({model, prompt: 'x', maxRetries: 0, onError: ({error}) => assert.fail(error)});
    assert.equal(await streamed.text, texts[1] + texts[2]);
    const whole = await generateText({model, prompt: 'x', maxRetries: 0});
    assert.equal(whole.text, texts[1] + texts[2]);
    assert.equal(whole.sources.length, cited.length);
    assert.ok(whole.sources.some((source) => source.title === 'Impact report'));
  });
});

// LangChain calls version 1 of the API, whose answers pass unchanged: their citations keep their positions.
const langchain_of = (url) => new ChatCohere({
  client: new CohereClient({token: 'none', environment: url, maxRetries: 0}), maxRetries: 0,
});
const marked = 'It lasts 19 hours [1], see [the specs](https://aurora.example/specs).';
const version_1 = {
  citations: [{start: 9, end: 17, text: '19 hours', document_ids: ['doc_0']}],
  documents: [{id: 'doc_0', title: 'Aurora 4: specifications', text: 'Up to 19 hours.'}],
};

// A server of version 1, which breaks the connection after `count` events.
const server_of_version_1 = (count = Infinity) => async (request, response) => {
  const answer = {response_id: 'r', text: marked, generation_id: 'g', finish_reason: 'COMPLETE', ...version_1};
  const {stream} = JSON.parse((await request.toArray()).join(''));
  if (!stream) return response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(answer));
  const events = [
    {event_type: 'stream-start', generation_id: 'g'},
    ...marked.split(/(?<= )/).map((text) => ({event_type: 'text-generation', text})),
    {event_type: 'citation-generation', citations: version_1.citations},
    {event_type: 'stream-end', finish_reason: 'COMPLETE', response: answer},
  ];
  const lines = events.map((event) => JSON.stringify({is_finished: event.event_type === 'stream-end', ...event}) + '\n');
  response.writeHead(200, {'content-type': 'application/stream+json'});
  response.write(lines.slice(0, count).join(''), () => count < lines.length ? response.destroy() : response.end());
};

test('LangChain reads an answer of version 1 unchanged', {timeout}, async () => {
  await front_before(server_of_version_1(), async (url) => {
    const streamed = await joined(langchain_of(url).stream('x'));
    const whole = await langchain_of(url).invoke('x');
    for (const message of [streamed, whole]) assert.equal(message.text, marked);
    for (const {citations, documents} of [streamed.response_metadata, whole.additional_kwargs]) {
      assert.ok(citations.length > 0);
      for (const {start, end, text} of citations) assert.equal(marked.slice(start, end), text);
      assert.equal(documents[0].title, 'Aurora 4: specifications');
    }
  });
});

test('a broken stream throws after an event that says so', {timeout}, async () => {
  await front_before(broken('cohere.sse'), async (url) => {
    const events = [];
    await assert.rejects(async () => {
      for await (const event of await client_of(url).chatStream(request)) events.push(event);
    });
    assert.equal(events.at(-1)?.delta?.finishReason, 'ERROR');
    const model = createCohere({apiKey: 'none', baseURL: `${url}/v2`, ...own_fetch})('cohere');
    assert.equal((await errors_of((onError) => streamText({model, prompt: 'x', maxRetries: 0, onError}))).length, 1);
  });
  await front_before(server_of_version_1(4), async (url) => {
    await assert.rejects(collect(langchain_of(url).stream('x')));
  });
});
