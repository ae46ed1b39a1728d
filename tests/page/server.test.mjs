// `citestream play` and the demo serve the files of the page, and nothing else.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {connect} from 'node:net';
import {tmpdir} from 'node:os';
import {test} from 'node:test';
import {binary, play, serve} from './browser.mjs';

async function serving(start, work) {
  const {child, url} = await start;
  try {
    await work(url);
  } finally {
    child.kill();
  }
}

/** The first line of the answer to a request as it is written here: fetch() would change its path. */
function status(url, request) {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(`${request} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`));
    let all = '';
    socket.on('data', (bytes) => void (all += bytes)).on('end', () => resolve(Number(all.split(' ')[1]))).on('error', reject);
  });
}

async function hasPage(url) {
  const page = await fetch(url);
  assert.equal(page.status, 200);
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  const policy = page.headers.get('content-security-policy');
  assert.match(policy, /default-src 'none'.*script-src 'self' 'wasm-unsafe-eval'.*connect-src 'self'/);
  assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|\*/);
  assert.equal(page.headers.get('x-content-type-options'), 'nosniff');
  assert.match(await page.text(), /<title>citestream/);
  const module = await fetch(`${url}citestream/citestream.wasm`);
  assert.equal(module.headers.get('content-type'), 'application/wasm');
  assert.match((await fetch(`${url}page.js`)).headers.get('content-security-policy'), /connect-src 'self'/);
  assert.equal((await fetch(`${url}connect.js`)).headers.get('content-security-policy'), "default-src 'none'; connect-src http: https:");
}

test('play serves the page, with a policy that allows scripts and connections of its own only', () => serving(play(), hasPage));

test('the demo serves the page and prints its address', () =>
  serving(serve(['proxy', '--demo', '--listen', '127.0.0.1:0'], /See it:\s+(http:\/\/\S+\/)/), async (url) => {
    await hasPage(url);
    const answer = await fetch(`${url}v1/chat`, {method: 'POST', headers: {'content-type': 'application/json'}, body: '{"model":"demo","messages":[]}'});
    assert.ok((await answer.json()).citestream);
  }));

test('only files of the page are served, and only to GET and HEAD', () => serving(play(), async (url) => {
  assert.equal(await status(url, 'HEAD /'), 200);
  assert.equal(await status(url, 'GET /?x=/../y'), 200);
  for (const path of ['/../page.js', '/..%2f..%2fetc/passwd', '/citestream/../../../../etc/passwd', '//etc/passwd', '/index', '/CMakeLists.txt', '/page.js/', '/citestream']) {
    assert.equal(await status(url, `GET ${path}`), 404, path);
  }
  assert.equal(await status(url, 'POST /'), 404);
  assert.equal(await status(url, 'DELETE /page.js'), 404);
}));

test('another folder is served without its links and other kinds of files', async () => {
  const folder = mkdtempSync(`${tmpdir()}/citestream-page-`);
  try {
    const named = (name) => spawnSync(binary, ['play', '--page', `${folder}/${name}`]);
    assert.equal(named('none').status, 1);
    assert.match(named('none').stderr.toString(), /^citestream: play: \S+: no index\.html in this folder\n$/);
    mkdirSync(`${folder}/a/b`, {recursive: true});
    writeFileSync(`${folder}/index.html`, '<p>here');
    writeFileSync(`${folder}/a/b/c.css`, 'p {}');
    writeFileSync(`${folder}/secret.txt`, 'x');
    symlinkSync('/etc/hostname', `${folder}/link.html`);
    await serving(serve(['play', '--page', folder], /open (http:\S+\/)/), async (url) => {
      assert.equal(await (await fetch(url)).text(), '<p>here');
      assert.equal(await (await fetch(`${url}a/b/c.css`)).text(), 'p {}');
      for (const path of ['secret.txt', 'link.html', 'index.html']) assert.equal((await fetch(url + path)).status, 404, path);
    });
  } finally {
    rmSync(folder, {recursive: true});
  }
});

test('a program without a page says how to get it', () => {
  const folder = mkdtempSync(`${tmpdir()}/citestream-page-`);
  try {
    spawnSync('cp', [binary, `${folder}/citestream`]);
    const run = spawnSync(`${folder}/citestream`, ['play']);
    assert.equal(run.status, 1);
    assert.match(run.stderr.toString(), /the web page is not installed: tools\/build js builds it/);
  } finally {
    rmSync(folder, {recursive: true});
  }
});
