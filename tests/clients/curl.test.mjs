// Plain curl through the proxy: the exact bytes, and when they arrive.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import test from 'node:test';

import {check_demo_chunks, check_demo_citations, check_two_choices, check_unresolved, demo, payloads} from './expected.mjs';
import {Server, eventually, front_before, has_http_2, leaves_ms, not_the_proxy, through} from './harness.mjs';

const timeout = 60_000;

// Runs curl; `seen` grows while it runs.
function curl(url, body, more = []) {
  const args = ['--silent', '--show-error', '--no-buffer', '--max-time', '50', ...more, url];
  if (body !== undefined) args.push('--header', 'Content-Type: application/json', '--data', JSON.stringify(body));
  const child = spawn('curl', args, {stdio: ['ignore', 'pipe', 'inherit']});
  const run = {child, seen: ''};
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text) => (run.seen += text));
  run.ended = new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) => done(code));
  });
  return run;
}

async function fetched(url, body, more) {
  const run = curl(url, body, more);
  assert.equal(await run.ended, 0);
  return run.seen;
}

// Runs `use(url)` with a front before a model that sends `count` events. `arrived(i)` resolves when event i has arrived, and
// only then the next one is sent.
const stepwise = (event, count, arrived, use) => front_before(async (request, answer) => {
  request.resume();
  answer.writeHead(200, {'Content-Type': 'text/event-stream'});
  for (let i = 0; i < count; ++i) {
    answer.write(event(i));
    await arrived(i);
  }
  answer.end('data: [DONE]\n\n');
}, use);

const streamed = (url, model) => fetched(`${url}/v1/chat`, {model, stream: true});

test('a stream has clean text, graph_data, citations and annotations', {timeout}, async () => {
  await through({}, async ({url}) => {
    check_demo_chunks(payloads(await streamed(url, 'demo')));
    check_two_choices(payloads(await streamed(url, 'demo-two-choices')));
    check_unresolved(payloads(await streamed(url, 'demo-unresolved')));
  });
});

test('the other path of the API gives the same stream', {timeout}, async () => {
  await through({}, async ({url}) => {
    check_demo_chunks(payloads(await fetched(`${url}/v1/chat/completions`, {model: 'demo', stream: true})));
  });
});

test('events without a marker are unchanged byte for byte', {timeout}, async () => {
  await through({}, async ({url, replay}) => {
    const sent = (await streamed(replay.url, 'demo')).split('\n\n');
    const got = (await streamed(url, 'demo')).split('\n\n');
    assert.equal(got.length, sent.length);  // one for one
    const finish = sent.findIndex((event) => event.includes('"finish_reason":"stop"'));
    const first_marker = sent.findIndex((event) => event.includes('"content":" ["') || event.includes('"content":"["'));
    assert.ok(first_marker > 5 && first_marker < finish);
    // The space before the marker may be held with it.
    assert.deepEqual(got.slice(0, first_marker - 1), sent.slice(0, first_marker - 1));
    assert.deepEqual(got.slice(finish + 1), sent.slice(finish + 1));
  });
});

test('style keep changes no byte of the text', {timeout}, async () => {
  await through({proxy: ['--style', 'keep']}, async ({url, replay}) => {
    const text = (bytes) => payloads(bytes).map((each) => each.choices[0]?.delta.content ?? '').join('');
    assert.equal(text(await streamed(url, 'demo')), text(await streamed(replay.url, 'demo')));
  });
});

test('each event reaches curl before the model sends the next', {timeout}, async () => {
  const event = (i) => `data: ${JSON.stringify({object: 'chat.completion.chunk',
    choices: [{index: 0, delta: {content: ` w${i}`}, finish_reason: null}]})}\n\n`;
  let run;
  await stepwise(event, 30, (i) => eventually(`event ${i}`, () => run?.seen.includes(` w${i}"`) || undefined),
    async (url) => {
      run = curl(`${url}/v1/chat`, {stream: true});
      assert.equal(await run.ended, 0);
      assert.equal(run.seen.split('\n\n').filter(Boolean).length, 31);
    });
});

test('a JSON answer is clean and has the right length', {timeout}, async () => {
  await through({}, async ({url}) => {
    const seen = await fetched(`${url}/v1/chat`, {model: 'demo'}, ['--include']);
    const [head, body] = seen.split('\r\n\r\n');
    assert.match(head, has_http_2 ? /^HTTP\/2 200 / : /^HTTP\/1\.1 200 /);
    const length = /^content-length: (\d+)/im.exec(head);
    if (length) assert.equal(Number(length[1]), Buffer.byteLength(body));
    const completion = JSON.parse(body);
    assert.equal(completion.choices[0].message.content, demo.text);
    check_demo_citations(completion.citestream);
  });
});

test('a body that is not an answer passes through unchanged', {timeout}, async () => {
  await through({}, async ({url, replay}) => {
    assert.equal(await fetched(`${url}/v1/models`), await fetched(`${replay.url}/v1/models`));
    const status = ['--write-out', ' %{http_code}'];
    const refused = await fetched(`${url}/v1/nothing`, {}, status);
    assert.match(refused, / 404$/);
    assert.equal(refused, await fetched(`${replay.url}/v1/nothing`, {}, status));
  });
});

test('a curl that is terminated closes the upstream', {timeout}, async () => {
  await through({replay: ['--pace', '5', '--loop']}, async ({url, replay}) => {
    const run = curl(`${url}/v1/chat`, {model: 'demo', stream: true});
    await eventually('the first bytes', () => run.seen.length > 0 || undefined);
    run.child.kill('SIGTERM');
    await run.ended;
    await replay.line(/demo: client disconnected after \d+ bytes/, leaves_ms);
  });
});

test('an upstream that fails causes an error event and a truncated response', {timeout}, async () => {
  await through({replay: ['--pace', '0', '--die-after', '12000']}, async ({url}) => {
    const run = curl(`${url}/v1/chat`, {model: 'demo', stream: true});
    // curl: the transfer closed with data outstanding; the stream was not closed cleanly
    assert.equal(await run.ended, has_http_2 ? 92 : 18);
    const events = run.seen.split(/\n\n+/);
    const errors = events.filter((event) => event.startsWith('event: error\n'));
    assert.equal(errors.length, 1);
    assert.equal(events.indexOf(errors[0]), events.length - 2); // nothing but the empty string after it
    const {error} = JSON.parse(errors[0].split('\ndata: ')[1]);
    assert.equal(error.type, 'upstream_error');
    assert.ok(error.message);
    assert.ok(events[1].includes('"content":"The"'));
    assert.doesNotMatch(run.seen, /\[DONE\]/);
  });
});

// Runs `use(url)` with a proxy in front of `upstream`.
async function proxied(upstream, use) {
  const server = await new Server(['proxy', '--upstream', upstream, '--listen', '127.0.0.1:0']).listening();
  try {
    await use(server.url);
  } finally {
    await server.stop();
  }
}

const skip = not_the_proxy || (process.env.CITESTREAM_TLS ? 'the same as without TLS' : false);

test('an unreachable upstream gives an error and not a stream', {timeout, skip}, async () => {
  await proxied('http://127.0.0.1:1', async (url) => {
    const seen = await fetched(`${url}/v1/chat`, {model: 'demo', stream: true}, ['--write-out', '\n%{http_code}']);
    const [body, status] = seen.split(/\n(?=\d+$)/);
    assert.equal(status, '502');
    assert.ok(JSON.parse(body).error.message);
  });
});

test('the built-in upstream answers at the pace of a model', {timeout, skip}, async () => {
  await proxied('demo:', async (url) => {
    const begun = Date.now();
    check_demo_chunks(payloads(await streamed(url, 'demo')));
    const took = Date.now() - begun;
    assert.ok(took > 2000, `took ${took} ms`);
  });
});
