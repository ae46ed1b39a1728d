// The AI SDK with the provider for APIs of OpenAI's form: the record reaches its metadata.
import assert from 'node:assert/strict';
import test from 'node:test';

import {createOpenAICompatible} from '@ai-sdk/openai-compatible';
import {generateText} from 'ai';

import {ask, prompt, read_parts, tells_of_deaths} from './ai_answers.mjs';
import {keeps_the_contract} from './contract.mjs';
import {check_demo_citations, demo} from './expected.mjs';
import {own_fetch, through} from './harness.mjs';

const timeout = 60_000;

// What an application writes to have our record as metadata of the provider.
const metadataExtractor = {
  extractMetadata: async ({parsedBody: {citestream}}) => citestream && {citestream},
  createStreamExtractor() {
    let record;
    return {
      processChunk: (chunk) => record = chunk?.citestream ?? record,
      buildMetadata: () => record && {citestream: record},
    };
  },
};

const model_of = (url, model) =>
    createOpenAICompatible({name: 'any', apiKey: 'none', baseURL: `${url}/v1`, metadataExtractor, ...own_fetch})(model);

// It reads the first choice of an event as the only one there is.
keeps_the_contract(async (url, model, answer, {signal}) => {
  await read_parts(ask(model_of(url, model), {signal}), answer, (part) => {
    if (part.type === 'finish-step') answer.record = part.providerMetadata?.citestream;
  });
}, {has_choices: false});

test('a JSON answer is clean too', {timeout}, async () => {
  await through({}, async ({url}) => {
    const {text, providerMetadata} = await generateText({model: model_of(url, 'demo'), prompt, maxRetries: 0});
    assert.equal(text, demo.text);
    check_demo_citations(providerMetadata.citestream);
  });
});

tells_of_deaths(model_of);
