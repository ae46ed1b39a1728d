// The page in a real browser: node page.test.mjs chromium|firefox-esr
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {tmpdir} from 'node:os';
import {dirname} from 'node:path';
import {once} from 'node:events';
import {after, before, test} from 'node:test';
import {Tab, answers, axe, binary, filtered, launch, pathOf, play, root} from './browser.mjs';
import {comparePictures} from './pictures.mjs';

const name = process.argv[2] ?? 'chromium';
if (!pathOf(name)) {
  console.log(`SKIPPED: ${name} is not installed`);
  process.exit(0);
}
const chromium = name === 'chromium';
const {protocols, forms, example, formOfPattern, answerText} = answers;
const {endpoint, languages} = await import(`${root}/src/page/snippets.js`);
const styles = ['auto', 'strip', 'keep', 'numeric', 'footnote', 'superscript', 'html', 'label', 'markdown'];
const scratch = mkdtempSync(`${tmpdir()}/citestream-page-files-`);

let browser;
let server;
before(async () => {
  [browser, server] = await Promise.all([launch(name), play()]);
}, {timeout: 120000});
after(async () => {
  await browser?.close();
  server?.child.kill();
  rmSync(scratch, {recursive: true, force: true});
});

/** A test with a tab of its own, which must be free of errors and foreign requests at its end. */
function inTab(title, hash, work, options = {}) {
  test(title, async () => {
    const tab = await Tab.open(browser.browser, server.url, hash, options);
    await work(tab, tab.page);
    await tab.close();
  });
}

inTab('the example plays by itself: text, citations, record and time line', 'speed=80', async (tab) => {
  const {received, clean, chips, record, status} = await tab.done();
  assert.equal(received, answerText(forms.link));
  assert.equal(clean, filtered(example('writer'), '--style', 'numeric').trimEnd());
  assert.deepEqual(chips, ['supported', 'supported', 'supported', 'contradicted']);
  assert.deepEqual(record.citations.map((one) => `${one.number} ${one.status}`), ['1 resolved', '2 resolved', '3 resolved', '4 resolved']);
  assert.equal(status, '4 citations: 3 supported, 1 contradicted.');
  await tab.page.waitForFunction(() => /µs an event/.test(document.getElementById('lanes').textContent));
  assert.match(await tab.text('lanes'), /Bytes in[\d.]+ kB in \d+ chunks.*Bytes out[\d.]+ kB.*Held back0 B now, at most 3\d B/s);
  const drawn = await tab.page.evaluate(() => [...document.querySelectorAll('canvas')].map((one) =>
    one.getContext('2d').getImageData(0, 0, one.width, one.height).data.some((byte) => byte !== 0)));
  assert.deepEqual(drawn, [true, true, true, true]);
});

inTab('every protocol is recognised and cleaned', 'speed=', async (tab) => {
  for (const {name: protocol, form} of protocols) {
    const shown = await tab.set('protocol', protocol);
    assert.equal(shown.format, protocol);
    assert.equal(shown.clean.trimEnd(), filtered(example(protocol), '--style', 'numeric').trimEnd(), protocol);
    assert.equal(shown.received, answerText(forms[form]), protocol);
    assert.ok(shown.chips.length >= 4, protocol);
    assert.equal(shown.record.citations.length, shown.chips.length, protocol);
    assert.equal(shown.ghost, '', protocol);
    const again = await tab.page.evaluate(() => window.tests.after(() => document.getElementById('play').click()));
    assert.deepEqual(again, shown, protocol);
  }
});

inTab('every style writes what filter writes', 'speed=', async (tab) => {
  for (const style of styles) {
    const {clean, chips} = await tab.set('style', style);
    assert.equal(clean.trimEnd(), filtered(example('writer'), '--style', style).trimEnd(), style);
    assert.equal(chips.length, 4, style);
  }
});

inTab('every form of marker and a pattern of one\'s own are removed', 'speed=&style=strip&protocol=rag', async (tab) => {
  const removed = (shown, form) => {
    assert.equal(shown.received, answerText(form));
    assert.equal(shown.clean, answerText(forms.none));
  };
  const hidden = () => tab.page.evaluate(() => document.getElementById('pattern-field').hidden);
  for (const markers of ['link', 'numeric', 'source', 'ref', 'file', 'lenticular', 'private', 'tag', 'cite']) {
    removed(await tab.set('markers', markers), forms[markers]);
  }
  assert.equal(await hidden(), true);
  await tab.set('markers', 'own');
  assert.equal(await hidden(), false);
  removed(await tab.set('pattern', '<<{number}>>'), formOfPattern('<<{number}>>'));
  assert.match((await tab.set('pattern', 'no field')).status, /marker: 'no field'/);
});

inTab('offsets and egress are those of the record and the text', 'speed=', async (tab) => {
  for (const unit of ['utf8', 'codepoint', 'utf16']) {
    const {record, chips} = await tab.set('offsets', unit);
    assert.equal(record.offsets, unit);
    assert.deepEqual(chips, ['supported', 'supported', 'supported', 'contradicted']);
  }
  assert.match((await tab.use('See https://evil.example/steal?all=1 for more.')).clean, /https:\/\/evil\.example/);
  assert.deepEqual((await tab.set('egress', 'report')).record.egress.map(({reason}) => reason), ['not_allowed']);
  assert.doesNotMatch((await tab.set('egress', 'enforce')).clean, /https:\/\/evil\.example/);
});

inTab('an answer is shown alike however it is cut', 'speed=&protocol=ollama', async (tab) => {
  const whole = Buffer.concat(example('ollama')).length;
  const uncut = await tab.shown();
  assert.equal(uncut.chunks, example('ollama').length + 1);  // the last one is the end
  for (const size of [1, 7, 64, 1400]) {
    const shown = await tab.set('cut', String(size));
    assert.deepEqual(shown, {...uncut, chunks: Math.ceil(whole / size) + 1});
  }
});

// Protocol, form of marker, style, speed. At once, a frame shows many bytes more than the one before. What is held back does not
// depend on the browser, so that the others are sampled in one.
const sampled = [
  ['writer', '', 'strip', '80'], ['writer', '', 'numeric', ''], ['rag', 'lenticular', 'markdown', ''], ['anthropic', 'cite', 'strip', ''],
  ['cohere', 'private', 'numeric', ''], ['bedrock', 'file', 'strip', ''], ['gemini', 'lenticular', 'footnote', ''],
].slice(0, chromium ? Infinity : 2);
inTab('cut at every byte no marker is painted, and held text is shown while it is held', 'speed=', async (tab, page) => {
  for (const [protocol, markers, style, speed] of sampled) {
    const settings = String(new URLSearchParams({protocol, markers, style, speed, cut: '1'}));
    const {clean: last} = await page.evaluate((hash) => window.tests.after(() => {
      location.hash = hash;
      window.tests.sample();
    }), settings);
    const samples = await page.evaluate(() => window.samples);
    const form = forms[markers || 'link'];
    const expected = filtered(example(protocol, form), '--style', style, ...(markers ? ['--markers', markers] : [])).trimEnd();
    assert.equal(last.trimEnd(), expected, settings);
    for (const {clean, ghost, received, painted} of samples) {
      assert.doesNotMatch(painted, /[【†\u{e200}-\u{e202}]|<\||\[cite/u, settings);
      for (const {id, file} of answers.sources) {  // a style may write the source as a link
        if (!expected.includes(file)) assert.ok(!painted.includes(file), settings);
        if (!expected.includes(id)) assert.ok(!painted.includes(id), settings);
      }
      if (!/\]\(/.test(expected)) assert.doesNotMatch(painted, /\]\(/, settings);
      assert.ok(received.endsWith(ghost), `${settings}: ${ghost} is not the end of ${received}`);
      assert.ok(last.startsWith(clean), `${settings}: ${clean}`);
    }
    const [mark] = form(answers.sources[0], 1).trim();
    assert.ok(samples.some(({ghost}) => ghost.trim().startsWith(mark)), `${settings}: nothing was held back in ${samples.length} frames`);
    assert.equal(samples.at(-1).ghost, '');
  }
});

inTab('play, pause and step, and the speed changes at once', 'speed=6', async (tab) => {
  /** Changes the speed, and waits for the chunk `last` or the end. A chunk takes 1/6 s at the speed that the page was opened with. */
  const faster = (speed, last) => tab.page.evaluate(async (...given) => {
    const {chunks: from} = window.tests.shown();
    const began = performance.now();
    window.tests.set('speed', given[0]);
    const shown = await window.tests.until(() => document.body.dataset.state === 'done' || window.tests.shown().chunks >= given[1]);
    return {...shown, sooner: (performance.now() - began) * 6 / 1000 < shown.chunks - from};
  }, speed, last);
  await tab.click('#play');
  const paused = await tab.state('paused');
  assert.equal(await tab.text('play'), 'Continue');
  assert.equal((await tab.step(3)).chunks, paused.chunks + 3);
  assert.match(await tab.text('lanes'), /Time added\d+ µs a chunk/);
  await tab.click('#play');
  await tab.state('playing');
  const next = await faster('80', paused.chunks + 3 + 30);
  assert.equal(next.state, 'playing');  // the answer goes on
  assert.ok(next.sooner, 'it continues at the old speed');
  const last = await faster('', Infinity);
  assert.equal(last.state, 'done');
  assert.ok(last.sooner, 'it continues at the old speed');
  assert.equal(await tab.text('play'), 'Play again');
  assert.equal((await tab.step(1)).chunks, 1);
});

inTab('paused before the modules are loaded, it shows nothing until a step', 'speed=', async (tab, page) => {
  await page.evaluateOnNewDocument(() => {
    const {compileStreaming, instantiate} = WebAssembly;
    const allowed = new Promise((resolve) => void (window.load = resolve));
    window.modules = 0;
    WebAssembly.compileStreaming = (response) => {
      ++window.modules;
      return allowed.then(() => compileStreaming(response));
    };
    WebAssembly.instantiate = async (...given) => {
      const instance = await instantiate(...given);
      --window.modules;
      return instance;
    };
  });
  await tab.go('speed=80');
  await page.evaluate(() => window.tests.until(() => window.modules === 2));
  await page.evaluate(() => window.tests.frames(5));  // the first chunk is due
  await tab.click('#play');
  await page.evaluate(() => window.load());
  await page.evaluate(() => window.tests.until(() => window.modules === 0));
  await page.evaluate(() => window.tests.frames(3));
  assert.equal((await tab.shown()).chunks, 0);
  assert.equal((await tab.step(1)).chunks, 1);
});

inTab('a citation opens its source, with the keyboard too', 'speed=', async (tab, page) => {
  await page.focus('#clean .chip:nth-of-type(4)');
  await page.keyboard.press('Enter');
  const open = (wanted) => page.evaluate((value) => window.tests.until(() => document.getElementById('source').matches(':popover-open') === value), wanted);
  await open(true);
  const shown = await tab.text('source');
  assert.match(shown, /\[4\] .*Contradicted.*The board expects growth of 12% next year\..*Page2.*says 15% where the source has 12%/s);
  assert.equal(await page.$eval('#source mark', (one) => one.textContent), 'board expects growth of 12% next year');
  await page.keyboard.press('Escape');
  await open(false);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.key), await page.$eval('#clean .chip:nth-of-type(4)', (one) => one.dataset.key));
  await tab.set('protocol', 'anthropic');
  await tab.click('#clean .chip');
  assert.equal(await page.$eval('#source a', (one) => one.href), 'https://example.com/annual-report-2024.pdf');
  await tab.click('#source button');
  await open(false);
});

inTab('text or bytes of what arrives', 'speed=', async (tab) => {
  await tab.click('#as-bytes');
  await tab.page.evaluate(() => window.tests.until(() => document.getElementById('received').textContent.includes('data: {"id"')));
  assert.match((await tab.set('protocol', 'bedrock')).received, /:event-type.*contentBlockDelta/s);
  await tab.click('#as-text');
  await tab.page.evaluate(() => window.tests.until(() => document.getElementById('received').textContent.startsWith('Sales rose')));
});

inTab('an answer of one\'s own: text, stream, recording, file', 'speed=', async (tab, page) => {
  await tab.click('#own-button');
  const pasted = await tab.use('It grew [Report](id1) a lot.');
  assert.equal(pasted.clean, 'It grew [1] a lot.');
  assert.deepEqual(pasted.chips, ['unresolved']);
  assert.equal((await tab.set('style', 'strip')).clean, 'It grew a lot.');
  assert.match(await tab.text('snippet'), /api\.writer\.com .*--style strip/);  // the protocol that was chosen before
  assert.equal((await tab.use('[Report](id1) It grew a lot.')).clean, 'It grew a lot.');
  const list = `[${['It grew [Rep', 'ort](f1).'].map((part) =>
    JSON.stringify({candidates: [{content: {parts: [{text: part}], role: 'model'}}], modelVersion: 'gemini-2.5-flash'})).join('\n,\n')}\n]`;
  assert.equal((await tab.use(list)).clean, 'It grew.');
  assert.equal((await tab.use(Buffer.concat(example('ollama')).toString())).format, 'ollama');
  const pieces = example('azure').map((one, at) => JSON.stringify([at / 10, Buffer.from(one).toString('base64'), 'base64']));
  assert.equal((await tab.use(['{"citestream_recording":1}', ...pieces, ''].join('\n'))).format, 'azure');
  assert.match((await tab.use('nothing that is known: x\n\ndata: {"a":1}\n\n')).status, /pass through unchanged/);
  const long = Buffer.concat([Buffer.from(`: ${'x'.repeat(30000)}\n\n`.repeat(350)), ...example('writer')]);
  writeFileSync(`${scratch}/long.sse`, long);
  assert.equal((await tab.after(async () => (await page.$('#file')).uploadFile(`${scratch}/long.sse`))).record.citations.length, 4);
  writeFileSync(`${scratch}/answer.eventstream`, Buffer.concat(example('nova')));
  assert.equal((await tab.after(async () => (await page.$('#file')).uploadFile(`${scratch}/answer.eventstream`))).format, 'nova');
  const drag = (type, text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'dropped.sse'));
    dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true}));
    return document.getElementById('drop').hidden;
  };
  const hidden = (type) => page.evaluate(`(${drag})(${JSON.stringify(type)}, 'x')`);
  assert.deepEqual([await hidden('dragenter'), await hidden('dragleave'), await hidden('dragenter')], [false, true, false]);
  const dropped = await tab.after(() => page.evaluate(drag, 'drop', Buffer.concat(example('gemini')).toString()));
  assert.equal(dropped.format, 'gemini');
  assert.equal(await page.evaluate(() => document.getElementById('drop').hidden), true);
  assert.equal((await tab.set('protocol', 'openai')).format, 'openai');
  await page.evaluate(() => void (File.prototype.arrayBuffer = () => Promise.reject(new Error('a folder'))));
  await page.evaluate(drag, 'drop', '');
  await page.evaluate(() => window.tests.until(() => document.getElementById('status').textContent === 'dropped.sse cannot be read.'));
  await page.evaluate(() => window.tests.use(' '));
  assert.match(await tab.text('status'), /no text/);
});

inTab('a real address: only the worker connects, and only after Send', 'speed=', async (tab, page) => {
  const requests = [];
  let left;
  const upstream = createServer((request, response) => {
    const open = {'access-control-allow-origin': '*', 'access-control-allow-headers': '*', 'cross-origin-resource-policy': 'cross-origin'};
    if (request.method === 'OPTIONS') return response.writeHead(204, open).end();
    let body = '';
    request.on('data', (bytes) => void (body += bytes)).on('end', () => {
      const {authorization: key, 'x-api-key': api_key, referer, cookie} = request.headers;
      requests.push({body, path: request.url, key, api_key, referer, cookie});
      if (request.url === '/no') return response.writeHead(401, open).end('{"error":"bad key"}');
      response.writeHead(200, {...open, 'content-type': 'text/event-stream'});
      if (request.url !== '/endless') return response.end(Buffer.concat(example('perplexity')));
      response.write(Buffer.concat(example('perplexity').slice(0, 5)));
      left = once(response, 'close');
    });
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  try {
    const address = `http://127.0.0.1:${upstream.address().port}`;
    const blocked = await page.evaluate((to) => fetch(to).then(() => 'connected', () => 'blocked'), `${address}/page`);
    assert.equal(blocked, 'blocked');
    assert.deepEqual(requests, []);
    tab.expected.push(/Content.Security.Policy|connect-src|violates|401/i, new RegExp(`request: ${address}`));
    tab.allowed.push(address);
    const send = (path) => {
      return page.evaluate((to) => window.tests.after(() => {
        document.getElementById('url').value = to;
        document.getElementById('key').value = 'secret';
        document.getElementById('send').click();
      }), address + path);
    };
    const {format, clean} = await send('/v1');
    assert.equal(format, 'perplexity');
    assert.equal(clean, filtered(example('perplexity'), '--style', 'numeric').trimEnd());
    assert.equal(requests.length, 1);
    assert.deepEqual({...requests[0], body: JSON.parse(requests[0].body).stream},
      {body: true, path: '/v1/chat', key: 'Bearer secret', api_key: undefined, referer: undefined, cookie: undefined});
    assert.doesNotMatch(await page.evaluate(() => location.href + JSON.stringify({...localStorage, ...sessionStorage})), /secret|v1/);
    assert.match((await send('/no')).status, /the server answered 401: .*bad key/);

    await page.evaluate(() => void (document.getElementById('body').value = '{"model":"mine"}'));
    await send('/own/path');
    assert.deepEqual([requests.at(-1).path, requests.at(-1).body], ['/own/path', '{"model":"mine"}']);

    // A visitor who switches to another answer ends the request.
    await page.evaluate(async (to) => {
      document.getElementById('url').value = to;
      document.getElementById('send').click();
      await window.tests.until(() => window.tests.shown().received !== '');
    }, `${address}/endless`);
    assert.equal((await tab.set('protocol', 'ollama')).format, 'ollama');
    await Promise.race([left, once(AbortSignal.timeout(20000), 'abort').then(() => assert.fail('the request goes on'))]);

    const sent = requests.length;
    const refused = await page.evaluate(async () => {
      document.getElementById('url').value = 'ftp://127.0.0.1/v1';
      document.getElementById('send').click();
      await window.tests.until(() => document.getElementById('status').classList.contains('failed'));
      return document.getElementById('status').textContent;
    });
    assert.equal(refused, 'The address has to begin with http:// or https://.');
    assert.equal(requests.length, sent);

    // Anthropic's own server has to get its own field for the key: what the worker is asked to send.
    await tab.set('protocol', 'anthropic');
    const asked = await page.evaluate(async () => {
      let request;
      window.Worker = class extends EventTarget {
        terminate() {}
        postMessage(message) {
          request = message;
          setTimeout(() => this.dispatchEvent(new MessageEvent('message', {data: {done: true}})));
        }
      };
      await window.tests.after(() => {
        document.getElementById('url').value = 'https://api.anthropic.com';
        document.getElementById('send').click();
      });
      return request;
    });
    assert.equal(asked.url, 'https://api.anthropic.com/v1/messages');
    assert.deepEqual(asked.headers, {'content-type': 'application/json', 'x-api-key': 'secret', 'anthropic-version': '2023-06-01',
      'anthropic-dangerous-direct-browser-access': 'true'});
  } finally {
    upstream.closeAllConnections();
    upstream.close();
  }
});

inTab('a link holds the settings and nothing of an answer', 'speed=', async (tab, page) => {
  const wanted = {protocol: 'cohere', style: 'footnote', markers: 'own', pattern: '[see {key}]', cut: '7', offsets: 'utf8', egress: 'report'};
  for (const [setting, value] of Object.entries(wanted)) await tab.set(setting, value);
  await tab.use('private words');
  const link = await page.evaluate(() => location.href);
  assert.doesNotMatch(link, /private/);
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (text) => void (window.copied = text)}, configurable: true}));
  await tab.click('#share');
  await page.evaluate(() => window.tests.until(() => document.getElementById('status').textContent === 'Link copied.'));
  assert.equal(await page.evaluate(() => window.copied), link);
  const values = () => page.evaluate((names) => Object.fromEntries(names.map((one) => [one, document.getElementById(one).value])), Object.keys(wanted));
  assert.match((await tab.go(new URL(link).hash.slice(1))).received, /\[see file-17\]/);
  assert.deepEqual(await values(), wanted);
  await tab.go('style=<script>&protocol=none&speed=');
  const {style, protocol} = await values();
  assert.deepEqual({style, protocol}, {style: 'numeric', protocol: 'writer'});
  await tab.go('markers=own&pattern=[ref:{key}]%03%0Aid%1b[201~%7f%c2%9b%0A&speed=');
  assert.equal((await values()).pattern, '[ref:{key}]id[201~');
  assert.ok((await tab.text('snippet')).includes("--marker '[ref:{key}]id[201~' "));
  // A link that is opened in the same tab.
  const {format, clean} = await page.evaluate(() => window.tests.after(() => void (location.hash = 'speed=&protocol=ollama&style=strip')));
  assert.deepEqual({format, clean}, {format: 'ollama', clean: filtered(example('ollama'), '--style', 'strip').trimEnd()});
});

inTab('code for the settings does what the page does', 'speed=&style=label&markers=own&pattern=[ref:{key}]&offsets=codepoint&egress=enforce', async (tab) => {
  await tab.click('#code-button');
  const code = {};
  for (const language of ['curl', 'cpp', 'python', 'javascript']) {
    await tab.click(`[data-language=${language}]`);
    code[language] = await tab.text('snippet');
  }
  await tab.page.evaluate(() => Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (text) => void (window.copied = text)}}));
  await tab.click('#copy-code');
  await tab.page.evaluate(() => window.tests.until(() => document.getElementById('status').textContent === 'Code copied.'));
  assert.equal(await tab.page.evaluate(() => window.copied), code.javascript);

  const built = dirname(binary);
  const answer = Buffer.concat(example('writer', formOfPattern('[ref:{key}]')));
  const finished = (program, given, input, env = {}) => {
    const run = spawnSync(program, given, {input, encoding: 'utf8', env: {...process.env, ...env}});
    assert.equal(run.status, 0, `${run.stdout}${run.stderr}`);
    return run;
  };
  const flags = ['--style', 'label', '--marker', '[ref:{key}]', '--offsets', 'codepoint', '--egress', 'enforce', '--check', 'report'];
  const expected = finished(binary, ['filter', ...flags], answer).stdout;

  const proxy = code.curl.match(/^citestream (proxy .*)$/m)[1];
  const configuration = finished('sh', ['-c', `"$0" ${proxy} --print-config`, binary]).stdout;
  for (const line of ['style = "label"', 'marker = ["[ref:{key}]"]', 'offsets = "codepoint"', 'egress = "enforce"', 'check = "report"'])
    assert.ok(configuration.includes(`\n${line}`), line);

  const stub = `import {readFileSync} from 'node:fs';
    globalThis.fetch = async () => new Response(readFileSync(0), {headers: {'content-type': 'text/event-stream'}});
    const request = {};`;
  const own_package = code.javascript.replace("'citestream'", `'${root}/build/js/citestream/citestream.js'`);
  assert.equal(finished('node', ['--input-type=module', '-e', `${stub}${own_package}process.stdout.write(await response.text());`], answer).stdout, expected);

  const received = 'import sys\nclass response: iter_bytes = lambda: [sys.stdin.buffer.read()]\nsend = sys.stderr.buffer.write\n';
  const python = finished('python3', ['-B', '-c', received + code.python], answer, {PYTHONPATH: `${root}/src/python`, CITESTREAM_LIBRARY: `${built}/libcitestream.so.1`});
  assert.equal(python.stderr, expected);
  assert.match(python.stdout, /^1 file-17 RESOLVED$/m);

  await tab.set('protocol', 'anthropic');
  await tab.click('[data-language=curl]');
  assert.match(await tab.text('snippet'), /--upstream https:\/\/api\.anthropic\.com .*\/v1\/messages -H "x-api-key: \$API_KEY" -H "anthropic-version: /s);

  if (!chromium) return;
  const compiled = (snippet, given) => {
    const [includes, rest] = snippet.split('\n\ncitestream::session_options');
    writeFileSync(`${scratch}/answer.cpp`, `${includes}\n#include <iostream>\n#include <string>\nint main() {
    char buffer[4096];
    std::string_view bytes;
    const auto read_some = [&](std::string_view& out) {
      std::cin.read(buffer, sizeof buffer);
      out = {buffer, static_cast<std::size_t>(std::cin.gcount())};
      return !out.empty();
    };
    const auto send = [](const std::string& out) { std::cout << out; };
    citestream::session_options${rest}}\n`);
    finished('g++', ['-std=c++20', '-I', `${root}/include`, '-I', `${built}/include`, `${scratch}/answer.cpp`, '-o', `${scratch}/answer`,
      `${built}/src/check/libcitestream_check.a`, `${built}/src/libcitestream.a`, '-lsimdjson']);
    return finished(`${scratch}/answer`, [], given).stdout;
  };
  assert.equal(compiled(code.cpp, answer), expected);

  await tab.go('speed=&style=footnote&markers=lenticular');
  await tab.click('[data-language=cpp]');
  const named = await tab.text('snippet');
  assert.match(named, /find_grammar\("lenticular"\)/);
  const lenticular = Buffer.concat(example('writer', forms.lenticular));
  assert.equal(compiled(named, lenticular), finished(binary, ['filter', '--style', 'footnote', '--markers', 'lenticular', '--check', 'report'], lenticular).stdout);
});

test('a base URL gets the path of the protocol, and another address stays as it is', () => {
  const local = 'http://127.0.0.1:11434';
  for (const [address, protocol, wanted] of [
    [local, 'ollama', `${local}/api/chat`], [`${local}/`, 'openai', `${local}/v1/chat/completions`], [`${local}/v1`, 'openai', `${local}/v1/chat/completions`],
    [`${local}/v1/`, 'anthropic', `${local}/v1/messages`], [`${local}/v1`, 'perplexity', `${local}/v1/chat/completions`],
    [`${local}/v1`, 'ollama', `${local}/v1/chat/completions`], ['https://openrouter.ai/api/v1', 'openrouter', 'https://openrouter.ai/api/v1/chat/completions'],
    [`${local}/v2`, 'cohere', `${local}/v2/chat`], [`${local}/llm/v1`, 'responses', `${local}/llm/v1/responses`],
    ['https://generativelanguage.googleapis.com/v1beta', 'gemini', 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse'],
    [`${local}/v1/chat`, 'openai', `${local}/v1/chat`], [`${local}/api/chat?x=1`, 'ollama', `${local}/api/chat?x=1`], [`${local}/?x=1`, 'ollama', `${local}/?x=1`],
  ]) assert.equal(endpoint(address, protocol), wanted);
});

test('code has the path and the key of every protocol', () => {
  const paths = {
    writer: '/v1/chat', openai: '/v1/chat/completions', responses: '/v1/responses', anthropic: '/v1/messages',
    gemini: '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse', interactions: '/v1beta/interactions',
    azure: '/openai/deployments/DEPLOYMENT/chat/completions?api-version=2024-10-21', perplexity: '/chat/completions',
    openrouter: '/api/v1/chat/completions', xai: '/v1/chat/completions', mistral: '/v1/chat/completions', cohere: '/v2/chat',
    bedrock: '/model/anthropic.claude-sonnet-4-20250514-v1:0/converse-stream', bedrock_rag: '/retrieveAndGenerateStream',
    nova: '/model/amazon.nova-lite-v1:0/invoke-with-response-stream',
    bedrock_text: '/model/amazon.titan-text-express-v1/invoke-with-response-stream',
    cloudflare: '/client/v4/accounts/ACCOUNT/ai-search/instances/INSTANCE/chat/completions', ai_sdk_ui: '/api/chat', ag_ui: '/agent',
    ollama: '/api/chat', rag: '/v1/chat/completions',
  };
  const keys = {anthropic: 'x-api-key', azure: 'api-key', gemini: 'x-goog-api-key', interactions: 'x-goog-api-key'};
  assert.deepEqual(Object.keys(paths).sort(), protocols.map(({name: one}) => one).sort());
  for (const [protocol, path] of Object.entries(paths)) {
    const curl = languages.curl({style: 'numeric'}, protocol);
    const [, base] = curl.match(/--upstream (https?:\/\/\S+) /);
    const [, asked] = curl.match(/^curl -N '?http:\/\/127\.0\.0\.1:8080(\S*?)'? -H/m);
    assert.equal(asked, path);
    assert.ok(curl.includes(`-H "${keys[protocol] ?? 'Authorization'}: `), curl);
    assert.ok(languages.javascript({style: 'numeric'}, protocol).includes(`clean("${base}${path}", request)`), protocol);
  }
});

inTab('hostile answers do nothing', 'speed=', async (tab, page) => {
  const chunk = (delta, more = {}) => `data: ${JSON.stringify({object: 'chat.completion.chunk', choices: [{index: 0, delta, finish_reason: null, ...more}]})}\n\n`;
  const attack = '<script>hacked=1</script><img src=x onerror=hacked=1><a href="javascript:hacked=1">x</a>';
  const url = 'javascript:hacked=1';
  const stream = chunk({content: `${attack} [${attack}](a1) [x](${url}) <style>*{display:none}</style>`}) +
    chunk({content: '', graph_data: {references: {files: [{fileId: 'a1', text: attack, page: 1}], web: [{url, title: attack, text: attack}]}}}, {finish_reason: 'stop'});
  for (const style of styles) {
    await tab.set('style', style);
    const {chips} = await tab.use(stream);
    const opened = await page.evaluate(() => [...document.querySelectorAll('#clean .chip')].map((chip) => {
      chip.click();
      const source = document.getElementById('source');
      return [source.matches(':popover-open'), source.querySelector('script, img, style, a[href^="javascript"]')];
    }));
    assert.ok(chips.length > 0, style);
    assert.deepEqual(opened, chips.map(() => [true, null]), style);
  }
  assert.equal(await page.$('.view script, .view img, .view a, .view style'), null);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  writeFileSync(`${scratch}/brackets.txt`, '['.repeat(1000000));
  const {clean} = await tab.after(async () => (await page.$('#file')).uploadFile(`${scratch}/brackets.txt`));
  assert.ok(clean.length < 50000);
  assert.ok(await page.evaluate(() => document.querySelectorAll('*').length) < 20000);
});

const layouts = [[360, 'light'], [1280, 'light'], [1900, 'dark'], [360, 'dark']].filter(([, scheme]) => chromium || scheme === 'light');
for (const [width, scheme] of layouts) {
  inTab(`axe finds nothing and nothing is cut off at ${width} pixels in ${scheme}`, 'speed=', async (tab, page) => {
    await page.setViewport({width, height: 900});
    for (const drawer of ['#own-button', '#code-button']) await tab.click(drawer);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${wide} pixels wide`);
    const run = () => page.evaluate(async () => {
      const {violations} = await window.axe.run(document, {resultTypes: ['violations']});
      return violations.map(({id, nodes}) => `${id}: ${nodes.slice(0, 3).map(({target, failureSummary}) => `${target} ${failureSummary}`).join('; ')}`);
    });
    await tab.inject(axe());
    assert.deepEqual(await run(), []);
    await tab.click('#clean .chip:nth-of-type(4)');
    assert.deepEqual(await run(), []);
    const {ghost} = await tab.step(70);  // in the middle of a marker
    assert.notEqual(ghost, '');
    assert.deepEqual(await run(), []);
    await tab.click('#as-bytes');
    const cut = Buffer.concat(answers.fromText('It grew [Report](id1) a lot.').slice(0, -2)).toString();
    const {chips, status} = await tab.use(cut);
    assert.deepEqual({chips, status}, {chips: ['pending'], status: 'the stream ended inside the answer'});
    assert.deepEqual(await run(), []);
    assert.deepEqual((await tab.use('It grew [Report](id1) a lot.')).chips, ['unresolved']);
    assert.deepEqual(await run(), []);
  }, chromium ? {media: [{name: 'prefers-color-scheme', value: scheme}]} : {});
}

if (chromium) {
  test('the folder is a static site under any path, with the policy of its document alone', async () => {
    const types = {html: 'text/html', css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml', wasm: 'application/wasm'};
    const prefix = '/docs/demo/';
    const site = createServer((request, response) => {
      const name = request.url === prefix ? 'index.html' : request.url.slice(prefix.length);
      const file = `${root}/build/js/page/${name}`;
      if (!request.url.startsWith(prefix) || !existsSync(file)) return response.writeHead(404).end();
      response.writeHead(200, {'content-type': types[name.split('.').pop()]}).end(readFileSync(file));
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    try {
      const tab = await Tab.open(browser.browser, `http://127.0.0.1:${site.address().port}${prefix}`, 'speed=&protocol=openai');
      const {clean, chips} = await tab.shown();
      assert.equal(clean.trimEnd(), filtered(example('openai'), '--style', 'numeric').trimEnd());
      assert.equal(chips.length, 4);
      assert.equal((await tab.set('egress', 'report')).chips.length, 4);
      tab.expected.push(/Content.Security.Policy|connect-src|violates/i, new RegExp(`request: ${server.url}`));
      assert.equal(await tab.page.evaluate((to) => fetch(to).then(() => 'connected', () => 'blocked'), server.url), 'blocked');
      await tab.close();
    } finally {
      site.closeAllConnections();
      site.close();
    }
  });

  inTab('with reduced motion an answer is shown at once', 'speed=6', async (tab) => {
    assert.equal((await tab.done()).chips.length, 4);
  }, {media: [{name: 'prefers-reduced-motion', value: 'reduce'}]});

  for (const scheme of ['light', 'dark']) {
    inTab(`the picture in docs shows the page, ${scheme}`, 'speed=', (tab) => comparePictures(tab, scheme), {media: [{name: 'prefers-color-scheme', value: scheme}]});
  }
}

inTab('every control has a label and its turn', 'speed=', async (tab, page) => {
  const order = [];
  await page.evaluate(() => document.activeElement.blur());
  for (let count = 0; count < 24; ++count) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => document.activeElement.id || document.activeElement.className.split(' ')[0]);
    if (at) order.push(at);
  }
  const wanted = ['skip', 'protocol', 'style', 'markers', 'cut', 'speed', 'offsets', 'egress', 'play', 'step', 'own-button', 'code-button', 'share', 'as-text',
    'as-bytes', 'received', 'clean', 'chip', 'chip', 'chip', 'chip', 'record'];
  assert.deepEqual(order.slice(0, wanted.length), wanted);
  assert.equal(await page.$eval('#status', (one) => one.getAttribute('role')), 'status');
  const {hash, at} = await page.evaluate(() => {
    document.querySelector('.skip').click();
    return {hash: location.hash, at: document.activeElement.id};
  });
  assert.deepEqual({hash, at}, {hash: '#speed=', at: 'clean'});
});
