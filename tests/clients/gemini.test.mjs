// Google's client and the AI SDK, unmodified, through the proxy.
import assert from 'node:assert/strict';
import test from 'node:test';

import {createGoogle} from '@ai-sdk/google';
import {GoogleGenAI} from '@google/genai';
import {ChatGoogleGenerativeAI} from '@langchain/google-genai';
import {generateText, streamText} from 'ai';

import {joined} from './expected.mjs';
import {broken, front_before, own_fetch, through} from './harness.mjs';

const timeout = 60_000;
const clean = '🐍 The Aurora 4 lasts 19 hours. Its case is recycled. In short: recycled. See also [the';
const request = {model: 'gemini', contents: 'What about the Aurora 4?'};
// The words of each support and its source. The second is ours: Gemini does not cite the source that the marker names.
const supported = [['Its case is recycled.', 'Impact report'], ['lasts 19 hours', 'Battery']];

const client_of = (url) => new GoogleGenAI({apiKey: 'none', httpOptions: {baseUrl: url}});
const model_of = (url) => createGoogle({apiKey: 'none', baseURL: `${url}/v1beta`, ...own_fetch})('gemini');

function check_grounding({groundingChunks, groundingSupports}) {
  assert.deepEqual(groundingSupports.map(({segment, groundingChunkIndices: [source]}) =>
    [segment.text, groundingChunks[source].web.title]), supported);
  for (const {segment} of groundingSupports) {
    const words = Buffer.from(clean).subarray(segment.startIndex ?? 0, segment.endIndex);  // in bytes of UTF-8
    assert.equal(words.toString(), segment.text);
  }
}

test('the text and the grounding of a stream are clean', {timeout}, async () => {
  await through({}, async ({url}) => {
    let text = '';
    let thoughts = '';
    let last;
    for await (const chunk of await client_of(url).models.generateContentStream(request)) {
      for (const part of chunk.candidates[0].content.parts) {
        if (part.thought) thoughts += part.text;
        else text += part.text;
      }
      last = chunk;
    }
    assert.equal(text, clean);
    assert.equal(thoughts, 'See [the specs](https://aurora.example/specs).');
    assert.equal(last.candidates[0].finishReason, 'STOP');
    check_grounding(last.candidates[0].groundingMetadata);
  });
});

test('a JSON answer is clean too', {timeout}, async () => {
  await through({}, async ({url}) => {
    const answer = await client_of(url).models.generateContent(request);
    assert.equal(answer.text, clean);
    check_grounding(answer.candidates[0].groundingMetadata);
  });
});

test('the array that is sent without alt=sse is clean too', {timeout}, async () => {
  await through({replay: ['--pace', '0', '--split', '7']}, async ({url}) => {
    const response = await fetch(`${url}/v1beta/models/gemini:streamGenerateContent`, {method: 'POST', body: '{}'});
    const chunks = await response.json();
    const parts = chunks.flatMap((chunk) => chunk.candidates[0].content.parts);
    assert.equal(parts.filter((part) => !part.thought).map((part) => part.text).join(''), clean);
    check_grounding(chunks.at(-1).candidates[0].groundingMetadata);
    assert.equal(chunks.at(-1).citestream.citations.filter((one) => one.origin !== 'provider').length, 3);
  });
});

test('the AI SDK reads the text and shows the sources', {timeout}, async () => {
  await through({}, async ({url}) => {
    const model = model_of(url);
    const streamed = streamText({model, prompt: 'x', maxRetries: 0, onError: ({error}) => assert.fail(error)});
    const whole = await generateText({model, prompt: 'x', maxRetries: 0});
    assert.equal(await streamed.text, clean);
    assert.equal(whole.text, clean);
    for (const answer of [whole, {sources: await streamed.sources, providerMetadata: await streamed.providerMetadata}]) {
      assert.deepEqual(answer.sources.map((source) => source.title), ['Impact report', 'Battery']);
      check_grounding(answer.providerMetadata.google.groundingMetadata);
    }
  });
});

const langchain_of = (url) => new ChatGoogleGenerativeAI({apiKey: 'none', model: 'gemini', baseUrl: url, maxRetries: 0});

test('LangChain reads the text and the grounding', {timeout}, async () => {
  await through({}, async ({url}) => {
    const streamed = await joined(langchain_of(url).stream('x'));
    const whole = await langchain_of(url).invoke('x');
    assert.equal(streamed.text, clean);
    assert.equal(whole.text, clean);
    check_grounding(streamed.response_metadata.groundingMetadata);
    check_grounding(whole.additional_kwargs.groundingMetadata);
  });
});

const broken_in_marker = broken('gemini.sse', (bytes) => bytes.indexOf('[ci') + 20);

test('a broken stream throws, after the text that came', {timeout}, async () => {
  await front_before(broken_in_marker, async (url) => {
    let text = '';
    await assert.rejects(async () => {
      for await (const chunk of await client_of(url).models.generateContentStream(request)) text += chunk.text ?? '';
    });
    assert.equal(text, '🐍 The Aurora 4 lasts');
    const {fullStream} = streamText({model: model_of(url), prompt: 'x', maxRetries: 0, onError: () => {}});
    await assert.rejects(async () => {  // it throws or reports the failure as a part
      for await (const part of fullStream) if (part.type === 'error') throw part.error;
    });
  });
});

test('a broken stream throws in LangChain', {timeout}, async () => {
  await front_before(broken_in_marker, async (url) => {
    const {client} = langchain_of(url);
    const model = Object.assign(langchain_of(url), {client: {
      ...client,
      // Google's older client, which LangChain uses, has a second promise of the answer, which LangChain does not read.
      async generateContentStream(...request) {
        const {stream, response} = await client.generateContentStream(...request);
        response.catch(() => {});
        return {stream};
      },
    }});
    let text = '';
    await assert.rejects(async () => { for await (const chunk of await model.stream('x')) text += chunk.text; });
    assert.equal(text, '🐍 The Aurora 4 lasts');
  });
});
