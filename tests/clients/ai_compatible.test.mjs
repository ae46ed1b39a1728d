// The AI SDK with providers for APIs of OpenAI's form. With the general one, the record reaches its metadata.
import assert from 'node:assert/strict';
import test from 'node:test';

import {createAzure} from '@ai-sdk/azure';
import {createMistral} from '@ai-sdk/mistral';
import {createOpenAICompatible} from '@ai-sdk/openai-compatible';
import {createPerplexity} from '@ai-sdk/perplexity';
import {generateText, streamText} from 'ai';

import {ask, prompt, read_parts, tells_of_deaths} from './ai_answers.mjs';
import {keeps_the_contract} from './contract.mjs';
import {check_demo_citations, demo, of_api, openai_chat} from './expected.mjs';
import {errors_of, own_fetch, through} from './harness.mjs';

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

// Azure's provider shows our annotations as sources, Perplexity's shows the list of its API, and Mistral's shows none.
const others = {
  azure: [(settings) => createAzure(settings).chat('openai-chat'), openai_chat.text, demo.urls],
  perplexity: [(settings) => createPerplexity(settings)('perplexity'), of_api.text, of_api.urls],
  mistral: [(settings) => createMistral(settings)('mistral'), of_api.text, []],
};
for (const [provider, [create, clean, urls]] of Object.entries(others)) {
  const other_of = (url) => create({apiKey: 'none', baseURL: `${url}/v1`, ...own_fetch});

  test(`${provider}: text and sources are clean`, {timeout}, async () => {
    await through({}, async ({url}) => {
      for (const result of [ask(other_of(url)), await generateText({model: other_of(url), prompt, maxRetries: 0})]) {
        assert.equal(await result.text, clean);
        assert.deepEqual((await result.sources).map((each) => each.url), urls);
      }
    });
  });

  test(`${provider}: a failure in the middle is an error`, {timeout}, async () => {
    await through({replay: ['--pace', '0', '--die-after', '1000']}, async ({url}) => {
      const errors = await errors_of((onError) => streamText({model: other_of(url), prompt, maxRetries: 0, onError}));
      assert.equal(errors.length, 1);
    });
  });
}
