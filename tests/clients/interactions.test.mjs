// The Interactions of Google's client, unmodified, through the proxy.
import assert from 'node:assert/strict';
import test from 'node:test';

import {GoogleGenAI} from '@google/genai';

import {broken, front_before, through} from './harness.mjs';

const timeout = 60_000;
const clean = ['🐍 The Aurora 4 lasts 19 hours.', 'Its case is recycled. See also [the'];
const request = {model: 'gemini-2.5-flash', input: 'What about the Aurora 4?'};
// The words of each citation, its text and its source. The second is ours: that step has none of the provider.
const cited = [['lasts 19 hours', 0, 'Battery'], ['Its case is recycled', 1, 'Battery']];

// The connection is broken on purpose in one test: without retries, as `through` counts requests.
const client_of = (url) => new GoogleGenAI({apiKey: 'none', httpOptions: {baseUrl: url, retryOptions: {attempts: 1}}});

function check(texts, annotations) {
  assert.deepEqual(texts, clean);
  const found = annotations.map(({step, start_index: start, end_index: end, title}) =>
    [Buffer.from(texts[step]).subarray(start ?? 0, end).toString(), step, title]);  // in bytes of UTF-8
  assert.deepEqual(found, cited);
}

// The texts and annotations of the steps that have any, as an application collects them.
async function collect(events) {
  const steps = new Map();
  let completed;
  for await (const event of events) {
    if (event.event_type === 'interaction.completed') completed = event.interaction;
    if (event.event_type === 'step.start' && event.step.type === 'model_output') steps.set(event.index, {text: '', annotations: []});
    const step = steps.get(event.index);
    if (event.event_type !== 'step.delta' || !step) continue;
    if (event.delta.type === 'text') step.text += event.delta.text;
    if (event.delta.type === 'text_annotation_delta') step.annotations.push(...event.delta.annotations);
  }
  const all = [...steps.values()];
  return {texts: all.map((step) => step.text), completed,
    annotations: all.flatMap((step, at) => step.annotations.map((one) => ({...one, step: at})))};
}

test('the texts of a stream are clean and have the citations of both', {timeout}, async () => {
  await through({}, async ({url}) => {
    const {texts, annotations, completed} = await collect(await client_of(url).interactions.create({...request, stream: true}));
    check(texts, annotations);
    assert.equal(completed.status, 'completed');
  });
});

test('a JSON answer has the texts and citations of its stream', {timeout}, async () => {
  await through({}, async ({url}) => {
    const answer = await client_of(url).interactions.create(request);
    const parts = answer.steps.filter((step) => step.type === 'model_output').flatMap((step) => step.content);
    check(parts.map((part) => part.text),
      parts.flatMap((part, step) => (part.annotations ?? []).map((one) => ({...one, step}))));
  });
});

const broken_in_marker = broken('interactions.sse', (bytes) => bytes.indexOf('lasts') - 20);

test('a broken stream throws or reports an error, after the text that came', {timeout}, async () => {
  await front_before(broken_in_marker, async (url) => {
    let text = '';
    let failed = false;
    try {
      for await (const event of await client_of(url).interactions.create({...request, stream: true})) {
        if (event.event_type === 'step.delta' && event.delta.type === 'text') text += event.delta.text;
        if (event.event_type === 'error') failed = true;
      }
    } catch {
      failed = true;
    }
    assert.ok(failed);
    assert.ok(text.startsWith('🐍 The Aurora 4 [spe'));
  });
});
