// The page in a real browser: node page.test.mjs chromium|firefox-esr
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {tmpdir} from 'node:os';
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
  await tab.done();
  assert.equal(await tab.text('received'), answerText(forms.link));
  assert.equal(await tab.clean(), filtered(example('writer'), '--style', 'numeric').trimEnd());
  assert.deepEqual(await tab.chips(), ['supported', 'supported', 'supported', 'contradicted']);
  const record = await tab.record();
  assert.deepEqual(record.citations.map(({number, status}) => `${number} ${status}`), ['1 resolved', '2 resolved', '3 resolved', '4 resolved']);
  assert.equal(await tab.text('status'), '4 citations: 3 supported, 1 contradicted.');
  await tab.page.waitForFunction(() => /µs an event/.test(document.getElementById('lanes').textContent));
  assert.match(await tab.text('lanes'), /Bytes in[\d.]+ kB in \d+ chunks.*Bytes out[\d.]+ kB.*Held back0 B now, at most 3\d B/s);
  const drawn = await tab.page.$$eval('canvas', (all) => all.map((one) =>
    one.getContext('2d').getImageData(0, 0, one.width, one.height).data.some((byte) => byte !== 0)));
  assert.deepEqual(drawn, [true, true, true, true]);
});

inTab('every protocol is recognised and cleaned', 'speed=', async (tab) => {
  for (const {name: protocol, form} of protocols) {
    await tab.set('protocol', protocol === 'writer' ? 'writer' : protocol);
    assert.equal(await tab.text('format'), protocol);
    assert.equal((await tab.clean()).trimEnd(), filtered(example(protocol), '--style', 'numeric').trimEnd(), protocol);
    assert.equal(await tab.text('received'), answerText(forms[form]), protocol);
    assert.ok((await tab.chips()).length >= 4, protocol);
    assert.equal((await tab.record()).citations.length, (await tab.chips()).length, protocol);
    assert.equal(await tab.page.$('#clean .ghost'), null, protocol);
    const {citations} = await tab.record();
    await tab.after(() => tab.click('#play'));  // the same answer again
    assert.deepEqual((await tab.record()).citations, citations, protocol);
  }
});

inTab('every style writes what filter writes', 'speed=', async (tab) => {
  for (const style of styles) {
    await tab.set('style', style);
    assert.equal((await tab.clean()).trimEnd(), filtered(example('writer'), '--style', style).trimEnd(), style);
    assert.equal((await tab.chips()).length, 4, style);
  }
});

inTab('every form of marker and a pattern of one\'s own are removed', 'speed=&style=strip&protocol=rag', async (tab, page) => {
  const clean = answerText(forms.none);
  for (const markers of ['link', 'numeric', 'source', 'ref', 'file', 'lenticular', 'private', 'tag', 'cite']) {
    await tab.set('markers', markers);
    assert.equal(await tab.text('received'), answerText(forms[markers]), markers);
    assert.equal(await tab.clean(), clean, markers);
  }
  assert.equal(await page.$eval('#pattern-field', (one) => one.hidden), true);
  await tab.set('markers', 'own');
  assert.equal(await page.$eval('#pattern-field', (one) => one.hidden), false);
  await tab.set('pattern', '<<{number}>>');
  assert.equal(await tab.text('received'), answerText(formOfPattern('<<{number}>>')));
  assert.equal(await tab.clean(), clean);
  await tab.set('pattern', 'no field');
  assert.match(await tab.text('status'), /marker: 'no field'/);
});

inTab('offsets and egress are those of the record and the text', 'speed=', async (tab) => {
  for (const unit of ['utf8', 'codepoint', 'utf16']) {
    await tab.set('offsets', unit);
    assert.equal((await tab.record()).offsets, unit);
    assert.deepEqual(await tab.chips(), ['supported', 'supported', 'supported', 'contradicted']);
  }
  await tab.page.$eval('#text', (one) => void (one.value = 'See https://evil.example/steal?all=1 for more.'));
  await tab.after(() => tab.click('#use-text'));
  assert.match(await tab.clean(), /https:\/\/evil\.example/);
  await tab.set('egress', 'report');
  assert.deepEqual((await tab.record()).egress.map(({reason}) => reason), ['not_allowed']);
  await tab.set('egress', 'enforce');
  assert.doesNotMatch(await tab.clean(), /https:\/\/evil\.example/);
});

/** Notes what is shown in every frame. */
function sample() {
  window.samples = [];
  const look = () => {
    const clean = document.getElementById('clean');
    const ghost = clean.querySelector('.ghost')?.textContent ?? '';
    window.samples.push({ghost, clean: clean.textContent.slice(0, clean.textContent.length - ghost.length), received: document.getElementById('received').textContent});
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

for (const style of ['strip', 'numeric']) {
  inTab(`cut at every byte no marker is painted, and held text is shown while it is held, in ${style}`, 'speed=', async (tab, page) => {
    await tab.set('style', style);
    await page.evaluate(sample);
    await page.select('#cut', '1');
    await tab.set('speed', '80');
    await tab.done();
    const samples = await page.evaluate(() => window.samples);
    const final = samples.at(-1).clean.replace(/ [✓✗]/g, '');
    for (const {clean, ghost, received} of samples) {
      assert.doesNotMatch(clean, /\]\(|\[(?!\d|euros)|file-\d|\.pdf|\.html/);
      assert.ok(received.endsWith(ghost), `${ghost} is not the end of ${received}`);
      const text = clean.replace(/ [✓✗]/g, '');
      assert.ok(final.startsWith(text), text);
    }
    assert.ok(samples.some(({ghost}) => ghost.startsWith(style === 'strip' ? ' [' : '[')), 'something was held back');
    assert.equal(samples.at(-1).ghost, '');
    assert.equal(await tab.clean(), filtered(example('writer'), '--style', style).trimEnd());
  });
}

inTab('play, pause and step', 'speed=6', async (tab, page) => {
  const chunks = () => page.evaluate(() => Number(document.body.dataset.chunks ?? 0));
  const state = (value) => page.waitForFunction((wanted) => document.body.dataset.state === wanted, {}, value);
  await tab.click('#play');
  await state('paused');
  assert.equal(await tab.text('play'), 'Continue');
  const before = await chunks();
  for (let count = 1; count <= 3; ++count) {
    await tab.click('#step');
    await page.waitForFunction((wanted) => Number(document.body.dataset.chunks) === wanted, {}, before + count);
  }
  await tab.click('#play');
  await state('playing');
  await tab.set('speed', '');
  await tab.click('#play');
  await tab.done();
  assert.equal(await tab.text('play'), 'Play again');
  await tab.click('#step');
  await page.waitForFunction(() => document.body.dataset.state === 'paused' && document.body.dataset.chunks === '1');
});

inTab('a citation opens its source, with the keyboard too', 'speed=', async (tab, page) => {
  await page.focus('#clean .chip:nth-of-type(4)');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.getElementById('source').matches(':popover-open'));
  const shown = await tab.text('source');
  assert.match(shown, /\[4\] .*Contradicted.*The board expects growth of 12% next year\..*Page2.*says 15% where the source has 12%/s);
  assert.equal(await page.$eval('#source mark', (one) => one.textContent), 'board expects growth of 12% next year');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.getElementById('source').matches(':popover-open'));
  assert.equal(await page.evaluate(() => document.activeElement.dataset.key), await page.$eval('#clean .chip:nth-of-type(4)', (one) => one.dataset.key));
  await tab.set('protocol', 'anthropic');
  await tab.click('#clean .chip');
  assert.equal(await page.$eval('#source a', (one) => one.href), 'https://example.com/annual-report-2024.pdf');
  await tab.click('#source button');
  assert.equal(await page.evaluate(() => document.getElementById('source').matches(':popover-open')), false);
});

inTab('text or bytes of what arrives', 'speed=', async (tab) => {
  await tab.click('#as-bytes');
  await tab.page.waitForFunction(() => document.getElementById('received').textContent.includes('data: {"id"'));
  await tab.set('protocol', 'bedrock');
  assert.match(await tab.text('received'), /:event-type.*contentBlockDelta/s);
  await tab.click('#as-text');
  await tab.page.waitForFunction(() => document.getElementById('received').textContent.startsWith('Sales rose'));
});

inTab('an answer of one\'s own: text, stream, recording, file', 'speed=', async (tab, page) => {
  await tab.click('#own-button');
  const paste = (text) => page.$eval('#text', (one, value) => void (one.value = value), text).then(() => tab.after(() => tab.click('#use-text')));
  await paste('It grew [Report](id1) a lot.');
  assert.equal(await tab.clean(), 'It grew [1] a lot.');
  assert.deepEqual(await tab.chips(), ['unresolved']);
  await tab.set('style', 'strip');
  assert.equal(await tab.clean(), 'It grew a lot.');
  await paste(Buffer.concat(example('ollama')).toString());
  assert.equal(await tab.text('format'), 'ollama');
  const pieces = example('azure').map((one, at) => JSON.stringify([at / 10, Buffer.from(one).toString('base64'), 'base64']));
  await paste(['{"citestream_recording":1}', ...pieces, ''].join('\n'));
  assert.equal(await tab.text('format'), 'azure');
  await paste('nothing that is known: x\n\ndata: {"a":1}\n\n');
  assert.match(await tab.text('status'), /pass through unchanged/);
  writeFileSync(`${scratch}/answer.eventstream`, Buffer.concat(example('nova')));
  await tab.after(async () => (await page.$('#file')).uploadFile(`${scratch}/answer.eventstream`));
  assert.equal(await tab.text('format'), 'nova');
  await tab.after(() => page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'dropped.sse'));
    for (const type of ['dragenter', 'drop']) dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true}));
  }, Buffer.concat(example('gemini')).toString()));
  assert.equal(await tab.text('format'), 'gemini');
  assert.equal(await page.$eval('#drop', (one) => one.hidden), true);
  await tab.set('protocol', 'openai');
  assert.equal(await tab.text('format'), 'openai');
});

inTab('a real address: only the worker connects, and only after Send', 'speed=', async (tab, page) => {
  const requests = [];
  const upstream = createServer((request, response) => {
    const open = {'access-control-allow-origin': '*', 'access-control-allow-headers': '*', 'cross-origin-resource-policy': 'cross-origin'};
    if (request.method === 'OPTIONS') return response.writeHead(204, open).end();
    let body = '';
    request.on('data', (bytes) => void (body += bytes)).on('end', () => {
      requests.push({body, key: request.headers.authorization, referer: request.headers.referer, cookie: request.headers.cookie});
      if (request.url === '/no') return response.writeHead(401, open).end('{"error":"bad key"}');
      response.writeHead(200, {...open, 'content-type': 'text/event-stream'});
      response.end(Buffer.concat(example('perplexity')));
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
    const send = async (path) => {
      await page.evaluate((to) => {
        document.getElementById('url').value = to;
        document.getElementById('key').value = 'secret';
      }, address + path);
      await tab.after(() => tab.click('#send'));
    };
    await send('/v1');
    assert.equal(await tab.text('format'), 'perplexity');
    assert.equal(await tab.clean(), filtered(example('perplexity'), '--style', 'numeric').trimEnd());
    assert.equal(requests.length, 1);
    assert.deepEqual({...requests[0], body: JSON.parse(requests[0].body).stream}, {body: true, key: 'Bearer secret', referer: undefined, cookie: undefined});
    assert.doesNotMatch(await page.evaluate(() => location.href + JSON.stringify({...localStorage, ...sessionStorage})), /secret|v1/);
    await send('/no');
    assert.match(await tab.text('status'), /the server answered 401: .*bad key/);
  } finally {
    upstream.closeAllConnections();
    upstream.close();
  }
});

inTab('a link holds the settings and nothing of an answer', 'speed=', async (tab, page) => {
  const wanted = {protocol: 'cohere', style: 'footnote', markers: 'own', pattern: '[see {key}]', cut: '7', offsets: 'utf8', egress: 'report'};
  for (const [setting, value] of Object.entries(wanted)) await tab.set(setting, value);
  await page.$eval('#text', (one) => void (one.value = 'private words'));
  await tab.after(() => tab.click('#use-text'));
  const link = await page.evaluate(() => location.href);
  assert.doesNotMatch(link, /private/);
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (text) => void (window.copied = text)}, configurable: true}));
  await tab.click('#share');
  await page.waitForFunction(() => document.getElementById('status').textContent === 'Link copied.');
  assert.equal(await page.evaluate(() => window.copied), link);
  await tab.go(new URL(link).hash.slice(1));
  await tab.done();
  for (const [setting, value] of Object.entries(wanted)) assert.equal(await page.$eval(`#${setting}`, (one) => one.value), value);
  assert.match(await tab.text('received'), /\[see file-17\]/);
  await tab.go('style=<script>&protocol=none&speed=');
  assert.equal(await page.$eval('#style', (one) => one.value), 'numeric');
});

inTab('code for the settings is code that works', 'speed=&style=label&markers=own&pattern=[ref:{key}]&offsets=codepoint&egress=enforce', async (tab) => {
  await tab.click('#code-button');
  const code = {};
  for (const language of ['curl', 'cpp', 'python', 'javascript']) {
    await tab.click(`[data-language=${language}]`);
    code[language] = await tab.text('snippet');
  }
  const checked = (program, given, input) => {
    const run = spawnSync(program, given, {input, encoding: 'utf8'});
    assert.equal(run.status, 0, `${run.stdout}${run.stderr}`);
    return run.stdout;
  };
  const proxy = code.curl.match(/^citestream (proxy .*)$/m)[1];
  const configuration = checked('sh', ['-c', `"$0" ${proxy} --print-config`, binary]);
  assert.match(configuration, /^style = "label".*$/m);
  assert.match(configuration, /\[ref:\{key\}\]/);
  checked('node', ['--input-type=module', '--check'], code.javascript);
  assert.match(code.javascript, /style: "label", marker: \["\[ref:\{key\}\]"\], offsets: "codepoint", egress: "enforce", check: "report"/);
  checked('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], code.python);
  if (!chromium) return;
  const [includes, rest] = code.cpp.split('\n\ncitestream::session_options');
  const program = `${includes}\n#include <string>\n#include <string_view>\nbool read_some(std::string_view&);\nvoid send(const std::string&);\nvoid answer() {\nstd::string_view bytes;\ncitestream::session_options${rest}}\n`;
  checked('g++', ['-std=c++20', '-fsyntax-only', '-I', `${root}/include`, '-x', 'c++', '-'], program);
});

inTab('hostile answers do nothing', 'speed=', async (tab, page) => {
  const chunk = (delta, more = {}) => `data: ${JSON.stringify({object: 'chat.completion.chunk', choices: [{index: 0, delta, finish_reason: null, ...more}]})}\n\n`;
  const attack = '<script>hacked=1</script><img src=x onerror=hacked=1><a href="javascript:hacked=1">x</a>';
  const url = 'javascript:hacked=1';
  const stream = chunk({content: `${attack} [${attack}](a1) [x](${url}) <style>*{display:none}</style>`}) +
    chunk({content: '', graph_data: {references: {files: [{fileId: 'a1', text: attack, page: 1}], web: [{url, title: attack, text: attack}]}}}, {finish_reason: 'stop'});
  const use = (text) => page.$eval('#text', (one, value) => void (one.value = value), text).then(() => tab.after(() => tab.click('#use-text')));
  for (const style of styles) {
    await tab.set('style', style);
    await use(stream);
    for (let at = 0; at < (await tab.chips()).length; ++at) {
      await page.$$eval('#clean .chip', (all, index) => all[index].click(), at);
      assert.equal(await page.$('#source script, #source img, #source a[href^="javascript"]'), null);
    }
  }
  assert.equal(await page.$('.view script, .view img, .view a, .view style'), null);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  await tab.after(async () => {
    writeFileSync(`${scratch}/brackets.txt`, '['.repeat(1000000));
    await (await page.$('#file')).uploadFile(`${scratch}/brackets.txt`);
  });
  assert.ok((await tab.text('clean')).length < 50000);
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
  }, chromium ? {media: [{name: 'prefers-color-scheme', value: scheme}]} : {});
}

if (chromium) {
  inTab('with reduced motion an answer is shown at once', 'speed=6', async (tab) => {
    await tab.done();
    assert.equal((await tab.chips()).length, 4);
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
});
