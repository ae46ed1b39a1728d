// OpenAI's client and the AI SDK with the Responses API, unmodified, through the proxy.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import test from 'node:test';

import {createOpenAI} from '@ai-sdk/openai';
import {generateText, streamText} from 'ai';
import OpenAI from 'openai';

import {front_before, streams, through} from './harness.mjs';

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

const client_of = (url) => new OpenAI({apiKey: 'none', baseURL: `${url}/v1`, maxRetries: 0});
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

test('cited pages are source parts of the AI SDK', {timeout}, async () => {
  await through({}, async ({url}) => {
    const model = createOpenAI({apiKey: 'none', baseURL: `${url}/v1`}).responses('responses');
    const streamed = streamText({model, prompt: input, maxRetries: 0, onError: ({error}) => assert.fail(error)});
    for (const result of [streamed, await generateText({model, prompt: input, maxRetries: 0})]) {
      assert.equal(await result.text, whole);
      assert.deepEqual((await result.sources).map((each) => [each.url, each.title]), sources);
    }
  });
});

// Sends the first half of the stream and breaks the connection.
function broken(_, response) {
  const bytes = readFileSync(`${streams}/responses.sse`);
  response.writeHead(200, {'content-type': 'text/event-stream'});
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
}

test('a broken stream throws', {timeout}, async () => {
  await front_before(broken, async (url) => {
    const stream = await client_of(url).responses.create({...request, stream: true});
    await assert.rejects(async () => { for await (const event of stream) assert.ok(event); });
    await assert.rejects(client_of(url).responses.stream(request).finalResponse());
    const model = createOpenAI({apiKey: 'none', baseURL: `${url}/v1`}).responses('responses');
    const errors = [];
    const result = streamText({model, prompt: input, maxRetries: 0, onError: ({error}) => errors.push(error)});
    await result.consumeStream();
    assert.equal(errors.length, 1);
  });
});
