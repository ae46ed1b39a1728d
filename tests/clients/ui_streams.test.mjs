// Streams for browsers, written by the real encoders and read by the real clients through the proxy: UI message
// streams of the AI SDK, and AG-UI.
import assert from 'node:assert/strict';
import test from 'node:test';

import {HttpAgent} from '@ag-ui/client';
import {EventEncoder} from '@ag-ui/encoder';
import {createUIMessageStream, parseJsonEventStream, pipeUIMessageStreamToResponse, readUIMessageStream,
        uiMessageChunkSchema} from 'ai';

import {front_before} from './harness.mjs';

const timeout = 60_000;
const url_of = (page) => `https://aurora.example/${page}`;
const pieces = ['🐍 The Aurora 4', ' [spe', `cs](${url_of('specs')}`, ') lasts', ' 19 hours', ` [R](f-1).`, ' See [the'];
const text = '🐍 The Aurora 4 lasts 19 hours. See [the';
const numbered = '🐍 The Aurora 4 [1] lasts 19 hours [2]. See [the';  // UI messages have style numeric
const document = {sourceId: 'f-1', mediaType: 'text/plain', title: 'Report'};

// A server of the AI SDK.
function ui_server({count = Infinity, id = {messageId: 'm'}} = {}) {
  return (_, response) => {
    const chunks = [{type: 'start', ...id}, ...(id.messageId ? [{type: 'start-step'}] : []), {type: 'source-document', ...document},
                    {type: 'text-start', id: 't'}, ...pieces.map((delta) => ({type: 'text-delta', id: 't', delta})),
                    {type: 'text-end', id: 't'}, {type: 'finish-step'}, {type: 'finish'}];
    if (count < chunks.length) {
      response.writeHead(200, {'content-type': 'text/event-stream', 'x-vercel-ai-ui-message-stream': 'v1'});
      for (const chunk of chunks.slice(0, count)) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      return response.end();
    }
    const stream = createUIMessageStream({
      execute: ({writer}) => { for (const chunk of chunks) writer.write(chunk); },
    });
    pipeUIMessageStreamToResponse({response, stream});
  };
}

// Reads a stream like useChat. Returns the message and the types of its chunks.
async function read_ui(url) {
  const response = await fetch(`${url}/api/chat`, {method: 'POST', body: '{}'});
  const types = [];
  const chunks = parseJsonEventStream({stream: response.body, schema: uiMessageChunkSchema}).pipeThrough(
      new TransformStream({
        transform(chunk, controller) {
          if (!chunk.success) throw chunk.error;
          types.push(chunk.value.type);
          controller.enqueue(chunk.value);
        },
      }));
  let message;
  const errors = [];
  for await (const each of readUIMessageStream({stream: chunks, onError: (error) => errors.push(error)})) message = each;
  return {message, types, errors};
}

test('a UI message has clean text and its sources and records', {timeout}, async () => {
  await front_before(ui_server(), async (url) => {
    const {message, types, errors} = await read_ui(url);
    assert.deepEqual(errors, []);
    assert.equal(message.parts.filter((part) => part.type === 'text').map((part) => part.text).join(''), numbered);
    const sources = message.parts.filter((part) => part.type.startsWith('source-'));
    assert.deepEqual(sources.map((part) => part.sourceId), ['f-1']);  // the server's own, once
    const record = message.parts.find((part) => part.type === 'data-citestream').data;
    assert.deepEqual(record.citations.map((each) => [each.identifier, each.status, each.path.text]),
                     [[url_of('specs'), 'unresolved', 't'], ['f-1', 'resolved', 't']]);
    assert.deepEqual([record.citations[1].start, record.citations[1].end], [35, 38]);
    assert.equal(numbered.slice(35, 38), '[2]');  // in UTF-16 code units
    assert.deepEqual(types.slice(-3), ['finish-step', 'data-citestream', 'finish']);
  });
});

test('sources before the first text of a UI message without an id are known', {timeout}, async () => {
  await front_before(ui_server({id: {}}), async (url) => {
    const {message} = await read_ui(url);
    const record = message.parts.find((part) => part.type === 'data-citestream').data;
    assert.equal(record.citations[1].status, 'resolved');
  });
});

test('a UI message that breaks off ends with an error', {timeout}, async () => {
  await front_before(ui_server({count: 8}), async (url) => {
    const seen = await read_ui(url).catch((error) => ({errors: [error]}));
    assert.notEqual(seen.errors.length, 0);
  });
});

const repeated = pieces.join('');
const result = JSON.stringify([{id: 'f-1', title: 'Report', text: 'It lasts 19 hours.'}]);

function agent_events(chunks) {
  const run = {threadId: 't', runId: 'r'};
  const deltas = chunks
      ? pieces.map((delta, i) => ({type: 'TEXT_MESSAGE_CHUNK', ...(i === 0 && {messageId: 'm', role: 'assistant'}), delta}))
      : [{type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant'},
         ...pieces.map((delta) => ({type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta})),
         {type: 'TEXT_MESSAGE_END', messageId: 'm'}];
  const calls = [{type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'search'},
                 {type: 'TOOL_CALL_END', toolCallId: 'c'},
                 {type: 'TOOL_CALL_RESULT', messageId: 'tool', toolCallId: 'c', content: result, role: 'tool'}];
  return [{type: 'RUN_STARTED', ...run}, ...calls, ...deltas, {type: 'RUN_FINISHED', ...run, result: repeated}];
}

// A server of AG-UI.
function agent_server({chunks = false, count = Infinity, events = agent_events(chunks)} = {}) {
  return (_, response) => {
    const encoder = new EventEncoder({accept: 'text/event-stream'});
    response.writeHead(200, {'content-type': encoder.getContentType()});
    for (const event of events.slice(0, count)) response.write(encoder.encode(event));
    response.end();
  };
}

async function run_agent(url) {
  const seen = {deltas: [], custom: []};
  const agent = new HttpAgent({url: `${url}/agent`, threadId: 't'});
  const {result: finished, newMessages} = await agent.runAgent({runId: 'r'}, {
    onTextMessageContentEvent: ({event}) => { seen.deltas.push(event.delta); },
    onCustomEvent: ({event}) => { seen.custom.push(event); },
  });
  return {...seen, finished, messages: newMessages};
}

for (const chunks of [false, true]) {
  test(`a run of AG-UI has clean messages${chunks ? ' if they come in chunks' : ''}`, {timeout}, async () => {
    await front_before(agent_server({chunks}), async (url) => {
      const {deltas, custom, finished, messages} = await run_agent(url);
      assert.equal(deltas.join(''), text);
      assert.equal(messages.find((each) => each.role === 'assistant' && each.content).content, text);
      assert.equal(finished, text);
      assert.equal(custom.length, 1);
      assert.equal(custom[0].name, 'citestream');
      assert.deepEqual(custom[0].value.citations.map((each) => [each.identifier, each.status, each.path.message]),
                       [[url_of('specs'), 'unresolved', 'm'], ['f-1', 'resolved', 'm']]);
      if (!chunks) assert.ok(deltas.every((delta) => delta !== ''));
    });
  });
}

test('a message of AG-UI in chunks ends before the call of a tool', {timeout}, async () => {
  const run = {threadId: 't', runId: 'r'};
  const chunk = (delta, messageId) => ({type: 'TEXT_MESSAGE_CHUNK', ...(messageId && {messageId, role: 'assistant'}), delta});
  const events = [{type: 'RUN_STARTED', ...run}, chunk('Let me check.', 'm'), chunk(' '),
                  {type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'search', delta: '{}'},
                  chunk('Done.', 'n'), {type: 'RUN_FINISHED', ...run}];
  await front_before(agent_server({events}), async (url) => {
    const {messages} = await run_agent(url);
    assert.deepEqual(messages.filter(({content}) => content).map(({id, content}) => [id, content]), [['m', 'Let me check. '], ['n', 'Done.']]);
  });
});

test('a run of AG-UI that breaks off ends with an error', {timeout}, async () => {
  await front_before(agent_server({count: 8}), async (url) => {
    // The agent's own promise of a connection that breaks cannot be caught, so its parts are used.
    let bytes = '';
    const response = await fetch(`${url}/agent`, {method: 'POST', body: '{}'});
    await assert.rejects(async () => { for await (const each of response.body) bytes += Buffer.from(each); });
    const last = JSON.parse(bytes.trim().split('\n\n').at(-1).slice('data: '.length));
    assert.equal(last.type, 'RUN_ERROR');
    assert.equal(typeof last.message, 'string');
  });
});
