// Fifty concurrent clients of both kinds, each with a different answer and pace.
import test from 'node:test';

import OpenAI from 'openai';
import Writer from 'writer-sdk';

import {check_demo_chunks, check_two_choices, check_unresolved, collect} from './expected.mjs';
import {through} from './harness.mjs';

const timeout = 120_000;
const messages = [{role: 'user', content: 'What about the Aurora 4?'}];
const answers = [['demo', check_demo_chunks], ['demo-two-choices', check_two_choices],
                 ['demo-unresolved', check_unresolved]];

async function one(url, i) {
  const [model, check] = answers[i % answers.length];
  const request = {model, messages, stream: true};
  const stream = i % 2 === 0
      ? new OpenAI({apiKey: 'none', baseURL: `${url}/v1`, maxRetries: 0}).chat.completions.create(request)
      : new Writer({apiKey: 'none', baseURL: url, maxRetries: 0}).chat.chat(request);
  check(await collect(stream));
}

for (const replay of [['--pace', '10'], ['--pace', '1', '--split', '50'], ['--pace', '0']]) {
  test(`fifty concurrent clients with ${replay.join(' ')} get clean answers`, {timeout}, async () => {
    await through({replay}, async ({url}) => {
      await Promise.all(Array.from({length: 50}, (_, i) => one(url, i)));
    });
  });
}
