// The AI SDK, with whichever provider: a stream of its parts read into an answer.
import assert from 'node:assert/strict';
import test from 'node:test';

import {jsonSchema, streamText, tool} from 'ai';

import {through, upstream_closed} from './harness.mjs';

const any = jsonSchema({type: 'object'});
const tools = {search: tool({inputSchema: any}), open_page: tool({inputSchema: any})};

export const prompt = 'What about the Aurora 4?';

// Sends a request and returns everything from `streamText`. `raised` collects the errors given to `onError`.
export const ask = (model, {signal, raised = [], ...more} = {}) => streamText(
    {model, prompt, tools, maxRetries: 0, abortSignal: signal, onError: ({error}) => raised.push(error), ...more});

// Reads like an application. Errors are parts of the stream; a failure in the middle is also thrown.
export async function read_parts(result, answer, on_part = () => {}) {
  const calls = new Map();
  for await (const part of result.fullStream) {
    if (part.type === 'text-delta' && part.text) answer.text(part.text);
    if (part.type === 'tool-input-start') {
      calls.set(part.id, {id: part.id, name: part.toolName, args: ''});
      answer.calls.push(calls.get(part.id));
    }
    if (part.type === 'tool-input-delta') calls.get(part.id).args += part.delta;
    on_part(part);
    if (part.type === 'error') throw part.error;
  }
}

// Tests that a failure is reported wherever an application listens: `onError`, promises and, after the first text, the
// text stream. (Any error before the first text may end a text stream and be given to `onError` only.)
export function tells_of_deaths(model_of) {
  for (const bytes of ['300', '5000']) {
    test(`a failure after ${bytes} bytes is reported wherever the application listens`, {timeout: 60_000}, async () => {
      await through({replay: ['--pace', '0', '--die-after', bytes]}, async ({url}) => {
        const raised = [];
        const result = ask(model_of(url, 'openai-chat'), {raised});
        let said = '';
        const reading = (async () => {
          for await (const text of result.textStream) said += text;
        })();
        await (bytes === '300' ? reading.catch(() => {}) : assert.rejects(reading));
        assert.equal(said.includes('Eight'), false);
        await assert.rejects(async () => result.text);
        await assert.rejects(async () => result.finishReason);
        assert.match(String(raised[0]), upstream_closed);
      });
    });
  }
}
