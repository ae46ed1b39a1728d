// LangChain's client for OpenAI's API.
import assert from 'node:assert/strict';
import test from 'node:test';

import {ChatOpenAI} from '@langchain/openai';

import {keeps_the_contract} from './contract.mjs';
import {check_annotations, check_demo_citations, demo, joined} from './expected.mjs';
import {own_fetch, through} from './harness.mjs';

const timeout = 60_000;
const messages = [{role: 'user', content: 'What about the Aurora 4?'}];

// `__includeRawResponse` is how an application sees what LangChain has no name for.
const model_of = (url, model, n) => new ChatOpenAI(
    {apiKey: 'none', model, n, maxRetries: 0, __includeRawResponse: true, configuration: {baseURL: `${url}/v1`, ...own_fetch}});

keeps_the_contract(async (url, model, answer, {signal, n}) => {
  for await (const chunk of await model_of(url, model, n).stream(messages, {signal})) {
    if (chunk.text) answer.text(chunk.text, chunk.response_metadata.completion);
    for (const {index, id, name, args} of chunk.tool_call_chunks ?? []) {
      answer.call({index, id, function: {name, arguments: args}});
    }
    answer.record = chunk.additional_kwargs.__raw_response?.citestream ?? answer.record;
  }
});

test('the chunks join to one message', {timeout}, async () => {
  await through({}, async ({url}) => {
    for (const model of ['demo', 'tool-calls']) {
      const whole = await joined(model_of(url, model).stream(messages));
      if (model === 'demo') assert.equal(whole.text, demo.text);
      else assert.deepEqual(whole.tool_calls.map((call) => call.args.page ?? call.args.url),
                            [41, 'https://example.org/tests/heat_pumps_(2025)']);
    }
  });
});

test('a JSON answer is clean too', {timeout}, async () => {
  await through({}, async ({url}) => {
    const message = await model_of(url, 'demo').invoke(messages);
    assert.equal(message.text, demo.text);
    const {citestream, choices} = message.additional_kwargs.__raw_response;
    check_demo_citations(citestream);
    check_annotations(choices[0].message.annotations);
  });
});
