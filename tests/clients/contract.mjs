// What every client must do with our streams.
import assert from 'node:assert/strict';
import test from 'node:test';

import {check_demo_citations, check_tool_calls, demo, openai_chat, two_choices} from './expected.mjs';
import {leaves_ms, through} from './harness.mjs';

const timeout = 60_000;

// Where streams of `openai-chat` are truncated: in the first text, in a marker, in the finish event and after it.
const deaths = ['300', '5000', '9400', '9488'];

// An answer as it grows: `texts[choice]`, `calls[i]` with `id`, `name` and `args`, and `record`, the last `citestream`.
export class Answer {
  constructor(on_text = () => {}) {
    Object.assign(this, {texts: [], calls: [], record: undefined, on_text});
  }

  text(delta, choice = 0) {
    this.texts[choice] = (this.texts[choice] ?? '') + delta;
    this.on_text(this);
  }

  // One piece of a tool call as OpenAI's API has it.
  call({index, id, function: {name, arguments: args}}) {
    const call = this.calls[index] ??= {id, name, args: ''};
    call.args += args ?? '';
  }

  // One event of a chat stream.
  chunk({choices, citestream}) {
    for (const {index, delta} of choices) {
      if (delta.content) this.text(delta.content, index);
      for (const piece of delta.tool_calls ?? []) this.call(piece);
    }
    this.record = citestream ?? this.record;
  }
}

// Tests that `read(url, model, answer, {signal, n})` reads a stream into `answer` correctly and raises the errors of its
// client. `form` is the form of the streams, Writer's or OpenAI's. `has_choices`: the client supports several choices.
export function keeps_the_contract(read, {form = 'writer', has_choices = true, tools = 'tool-calls'} = {}) {
  const [whole, two] = form === 'writer' ? ['demo', 'demo-two-choices'] : ['openai-chat', 'openai-two-choices'];

  const asked = async (url, model, options = {}) => {
    const answer = new Answer();
    await read(url, model, answer, options);
    return answer;
  };

  function check_whole({texts: [text], record, calls}) {
    assert.deepEqual(calls, []);
    if (form === 'writer') {
      assert.equal(text, demo.text);
      check_demo_citations(record);
    } else {
      assert.equal(text, openai_chat.text);
      assert.deepEqual(record.citations.map((each) => each.url), demo.urls);
    }
  }

  test('the text is clean and has its citations', {timeout}, async () => {
    await through({}, async ({url}) => {
      check_whole(await asked(url, whole));
      assert.equal((await asked(url, 'openai-chat')).texts[0], openai_chat.text);
    });
  });

  for (const split of ['7', '1000']) {
    test(`a stream split every ${split} bytes gives the same result`, {timeout}, async () => {
      await through({replay: ['--pace', '0', '--split', split]}, async ({url}) => check_whole(await asked(url, whole)));
    });
  }

  if (has_choices) {
    test('two choices are read separately', {timeout}, async () => {
      await through({}, async ({url}) => {
        const {texts, record} = await asked(url, two, {n: 2});
        assert.deepEqual(texts, two_choices.texts);
        assert.deepEqual(record.citations.map((each) => each.choice), two_choices.citations);
      });
    });
  }

  test('tool calls are unchanged', {timeout}, async () => {
    await through({}, async ({url}) => {
      const answer = await asked(url, tools);
      check_tool_calls(answer);
      assert.deepEqual(answer.record.citations.map((each) => each.status), ['unresolved']);
    });
  });

  for (const bytes of deaths) {
    test(`an upstream that fails after ${bytes} bytes raises an error`, {timeout}, async () => {
      await through({replay: ['--pace', '0', '--die-after', bytes]}, async ({url}) => {
        const answer = new Answer();
        await assert.rejects(read(url, 'openai-chat', answer, {}));
        const [said] = (answer.texts[0] ?? '').split(/ \(?\[/);  // a marker that was cut is text
        assert.ok(openai_chat.text.startsWith(said), said);
      });
    });
  }

  test('an abort in the middle reaches the upstream', {timeout}, async () => {
    await through({replay: ['--pace', '5', '--loop']}, async ({url, replay}) => {
      const giving_up = new AbortController();
      const answer = new Answer(({texts}) => texts[0].length > 20 && giving_up.abort());
      await read(url, 'demo', answer, {signal: giving_up.signal}).catch((error) => {
        if (!giving_up.signal.aborted) throw error;
      });
      assert.ok(giving_up.signal.aborted);
      await replay.line(/demo: client disconnected after \d+ bytes/, leaves_ms);
    });
  });

  test('an abort before the first token reaches the upstream', {timeout}, async () => {
    await through({replay: []}, async ({url, replay}) => {
      const giving_up = new AbortController();
      const answer = new Answer();
      const reading = read(url, 'silent', answer, {signal: giving_up.signal}).catch((error) => {
        if (!giving_up.signal.aborted) throw error;
      });
      await replay.line(/silent: stream begins/);
      giving_up.abort();
      await reading;
      assert.deepEqual(answer.texts, []);
      await replay.line(/silent: client disconnected after 0 bytes/, leaves_ms);
    });
  });
}
