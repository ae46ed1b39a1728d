// Fifty concurrent clients with different answers, at several paces.
import test from 'node:test';

import {check_demo_chunks, check_two_choices, check_unresolved, payloads} from './expected.mjs';
import {through} from './harness.mjs';

const timeout = 120_000;
const answers = [['demo', check_demo_chunks], ['demo-two-choices', check_two_choices],
                 ['demo-unresolved', check_unresolved]];

// Requests the paths of OpenAI's and Writer's clients, but without the clients, which need most of the time.
async function one(url, i) {
  const [model, check] = answers[i % answers.length];
  const path = i % 2 === 0 ? '/v1/chat/completions' : '/v1/chat';
  const response = await fetch(`${url}${path}`, {method: 'POST', body: JSON.stringify({model, stream: true})});
  check(payloads(await response.text()));
}

for (const replay of [['--pace', '10'], ['--pace', '1', '--split', '50'], ['--pace', '0']]) {
  test(`fifty concurrent clients with ${replay.join(' ')} get clean answers`, {timeout}, async () => {
    await through({replay}, async ({url}) => {
      await Promise.all(Array.from({length: 50}, (_, i) => one(url, i)));
    });
  });
}
