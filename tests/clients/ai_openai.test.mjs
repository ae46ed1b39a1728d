// The AI SDK with OpenAI's provider: annotations become its sources.
import assert from 'node:assert/strict';
import test from 'node:test';

import {createOpenAI} from '@ai-sdk/openai';
import {generateText} from 'ai';

import {ask, prompt, read_parts, tells_of_deaths} from './ai_answers.mjs';
import {keeps_the_contract} from './contract.mjs';
import {check_demo_citations, demo, late_annotation, openai_chat} from './expected.mjs';
import {front_before, own_fetch, through} from './harness.mjs';

const timeout = 60_000;

const model_of = (url, model) => createOpenAI({apiKey: 'none', baseURL: `${url}/v1`, ...own_fetch}).chat(model);

function check_sources(sources) {
  assert.deepEqual(sources.map((each) => each.url), demo.urls);
  assert.ok(sources.every((each) => each.type === 'source' && each.sourceType === 'url' && each.title));
}

// It reads the first choice of an event as the only one there is.
keeps_the_contract(async (url, model, answer, {signal}) => {
  const result = ask(model_of(url, model), {signal, includeRawChunks: true});
  await read_parts(result, answer, (part) => {
    if (part.type === 'raw') answer.record = part.rawValue?.citestream ?? answer.record;
  });
}, {has_choices: false});

test('cited pages are source parts', {timeout}, async () => {
  await through({}, async ({url}) => {
    for (const [model, text] of [['demo', demo.text], ['openai-chat', openai_chat.text]]) {
      const result = ask(model_of(url, model));
      assert.equal(await result.text, text);
      check_sources(await result.sources);
      assert.equal(await result.finishReason, 'stop');
    }
  });
});

test('cited files are source parts if a link to them is known', {timeout}, async () => {
  await through({proxy: ['--file-url', 'https://docs.example.com/{file_id}#page={page}']}, async ({url}) => {
    const result = ask(model_of(url, 'demo'));
    assert.equal(await result.text, demo.text);
    assert.equal((await result.sources).length, demo.numbers.length);
  });
});

test('a JSON answer is clean too', {timeout}, async () => {
  await through({}, async ({url}) => {
    const {text, sources, responses, response = responses?.[0]} = await generateText(
        {model: model_of(url, 'demo'), prompt, maxRetries: 0, include: {responseBody: true}});
    assert.equal(text, demo.text);
    check_sources(sources);
    check_demo_citations(response.body.citestream);
  });
});

test('a page that is annotated again after the finish event is one source', {timeout}, async () => {
  await front_before(late_annotation, async (url) => {
    const result = ask(model_of(url, 'm'));
    assert.equal(await result.text, 'Hi there.');
    assert.deepEqual((await result.sources).map((each) => each.url), ['https://aurora.example/specs']);
  });
});

tells_of_deaths(model_of);
