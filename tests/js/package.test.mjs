// The package as npm makes it: installed in an empty project, with types, without scripts.
import assert from 'node:assert/strict';
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {tmpdir} from 'node:os';
import {after, before, test} from 'node:test';
import {gzipSync} from 'node:zlib';

const {CITESTREAM_PACKAGE: folder, CITESTREAM_MODULES: modules, CITESTREAM_NPM: npm, CITESTREAM_TESTS: tests,
       CITESTREAM_CLIENT_MODULES: clients, CITESTREAM_NODE_22: node_22 = process.execPath} = process.env;
const node_20 = ['x64', 'arm64'].map((processor) => `${modules}/node-linux-${processor}/bin/node`).find((file) => existsSync(file)) ?? process.execPath;
const place = mkdtempSync(`${tmpdir()}/citestream-npm-`);
let archive;

/** Runs a program to its end, which must be good. */
function run(command, ...args) {
  const {status, stdout, stderr} = spawnSync(command, args, {cwd: place, encoding: 'utf8', env: {...process.env, npm_config_update_notifier: 'false'}});
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

before(() => {
  archive = `${place}/${JSON.parse(run(npm, 'pack', folder, '--json'))[0].filename}`;
  writeFileSync(`${place}/package.json`, '{"name": "empty", "private": true, "type": "module"}');
  run(npm, 'install', '--offline', '--no-audit', '--no-fund', archive);
});
after(() => rmSync(place, {recursive: true}));

test('it has no dependencies and no scripts, and what it needs', () => {
  const installed = `${place}/node_modules/citestream`;
  const {dependencies, scripts, type, license} = JSON.parse(readFileSync(`${installed}/package.json`));
  assert.deepEqual({dependencies, scripts, type, license}, {dependencies: undefined, scripts: undefined, type: 'module', license: 'Apache-2.0'});
  assert.deepEqual(readdirSync(installed).sort(), ['LICENSE', 'README.md', 'citestream-full.wasm', 'citestream.d.ts', 'citestream.d.wasm.ts',
    'citestream.js', 'citestream.wasm', 'citestream.workerd.js', 'package.json']);
});

test('the module is smaller than 200 KB, compressed, and the documentation has the sizes of both', () => {
  const sizes = ['citestream', 'citestream-full'].map((name) => gzipSync(readFileSync(`${folder}/${name}.wasm`), {level: 9}).length);
  assert.ok(sizes[0] < 200_000);
  const documented = [...readFileSync(`${tests}/../docs/javascript.md`, 'utf8').matchAll(/(\d+) KB\b/g)].map(([, kb]) => kb * 1000);
  assert.equal(documented.length, 2);
  documented.forEach((size, at) => assert.ok(Math.abs(size / sizes[at] - 1) < 0.05, `${size} instead of ${sizes[at]}`));
});

test('an empty project can import and require it', () => {
  writeFileSync(`${place}/main.mjs`, `import {parse} from 'citestream';
    const {choices} = await parse('{"object":"chat.completion","choices":[{"index":0,"message":{"content":"It grew [R](f1)."}}]}');
    console.log(choices[0].message.content);`);
  assert.equal(run(process.execPath, 'main.mjs'), 'It grew.\n');
  writeFileSync(`${place}/main.cjs`, `const {parse} = require('citestream');
    parse('{"object":"chat.completion","choices":[{"index":0,"message":{"content":"It grew [R](f1)."}}]}')
      .then(({choices}) => console.log(choices[0].message.content));`);
  for (const node of [node_22, node_20].filter((program) => existsSync(program))) assert.equal(run(node, 'main.cjs'), 'It grew.\n');
});

test('a bundler makes one file of it, with the module inside', () => {
  writeFileSync(`${place}/app.mjs`, `import wasm from 'citestream/citestream.wasm';
    import {parse, useModule} from 'citestream';
    useModule(WebAssembly.compile(wasm));
    const {choices} = await parse('{"object":"chat.completion","choices":[{"index":0,"message":{"content":"It grew [R](f1)."}}]}');
    console.log(choices[0].message.content);`);
  run(process.execPath, `${modules}/esbuild/bin/esbuild`, 'app.mjs', '--bundle', '--format=esm', '--platform=browser', '--target=es2022',
    '--loader:.wasm=binary', '--log-level=warning', '--outfile=bundled/app.mjs');
  assert.doesNotMatch(readFileSync(`${place}/bundled/app.mjs`, 'utf8'), /^import /m);
  assert.equal(run(process.execPath, 'bundled/app.mjs'), 'It grew.\n');
});

test('three lines clean the stream of a client, as the documentation says', async () => {
  symlinkSync(`${clients}/openai`, `${place}/node_modules/openai`);
  const event = (content) => `data: ${JSON.stringify({object: 'chat.completion.chunk', choices: [{index: 0, delta: {content}}]})}\n\n`;
  const server = createServer((request, response) => response.writeHead(200, {'content-type': 'text/event-stream'})
    .end(`${event('It grew [Rep')}${event('ort](f1).')}data: [DONE]\n\n`)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    for (const page of ['../README.md', '../docs/javascript.md', '../src/js/README.md']) {
      const [, lines] = readFileSync(`${tests}/${page}`, 'utf8').match(/^```js\n(import OpenAI .*?)^```$/ms);
      writeFileSync(`${place}/three.mjs`, `${lines}
        let text = '';
        for await (const {choices} of await openai.chat.completions.create({model: 'm', messages: [], stream: true})) text += choices[0]?.delta.content ?? '';
        console.log(text);`);
      const env = {...process.env, OPENAI_BASE_URL: `http://127.0.0.1:${server.address().port}`, OPENAI_API_KEY: 'none'};
      const client = spawn(process.execPath, ['three.mjs'], {cwd: place, env, stdio: ['ignore', 'pipe', 'inherit']});
      assert.equal(Buffer.concat(await client.stdout.toArray()).toString(), 'It grew [1].\n', page);
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('its types are strict', () => {
  writeFileSync(`${place}/main.ts`, `
    import { CitationStream, CitestreamError, check, citestream, events, parse, readRequest, useModule, withCitations, type Options } from 'citestream';
    import wasm from 'citestream/citestream.wasm';
    const options: Options = { style: 'numeric', markers: ['link'], marker: ['[ref:{key}]'], onlyKnown: true, references: [{ id: 'a' }] };
    const clean: typeof fetch = withCitations(fetch, { ...options, provenance: true, provenanceKeys: 'content' });
    export async function all(response: Response): Promise<number> {
      const request = await readRequest(new Uint8Array(), { inlineCitations: true });
      const text: string = (await readRequest('{}')).body;
      await fetch(text, { method: 'POST', body: request.body as BodyInit });
      const answer: Response = await citestream(response, { ...options, request });
      const stream = new CitationStream(options);
      const bytes: ReadableStream<Uint8Array> | undefined = answer.body?.pipeThrough(stream);
      for await (const event of events(await clean('https://example.com'))) if (event.type === 'text') event.text.trim();
      const found = await check('a', ['b']);
      const value: unknown = await parse('{}');
      useModule(wasm);
      if (value instanceof CitestreamError || !bytes) throw value;
      return stream.statistics().held + found.support;
    }
    // @ts-expect-error: not a style
    withCitations(fetch, { style: 'bold' });
    // @ts-expect-error: not an option
    new CitationStream({ colour: 'red' });
  `);
  for (const [module, resolution] of [['nodenext', 'nodenext'], ['esnext', 'bundler']]) {
    run(process.execPath, `${modules}/typescript/bin/tsc`, '--strict', '--noEmit', '--skipDefaultLibCheck', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes',
      '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable,dom.asynciterable', '--module', module, '--moduleResolution', resolution, 'main.ts');
  }
});

test('its types need no library dom', () => {
  // What @types/node declares for all programs; it does not have WebAssembly.
  writeFileSync(`${place}/bare.ts`, `
    declare global {
      interface Response { readonly body: unknown }
      interface ReadableStream<R = any> { getReader(): R }
      interface WritableStream<W = any> { getWriter(): W }
      function fetch(url: string): Promise<Response>;
    }
    import { useModule } from 'citestream';
    import wasm from 'citestream/citestream.wasm';
    useModule(wasm);
  `);
  run(process.execPath, `${modules}/typescript/bin/tsc`, '--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022',
    '--module', 'nodenext', '--moduleResolution', 'nodenext', 'bare.ts');
});

test('publint finds nothing', () => {
  run(process.execPath, `${modules}/publint/src/cli.js`, 'run', folder, '--strict', '--pack', 'false');
});

test('are the types wrong? No', () => {
  run(process.execPath, `${modules}/@arethetypeswrong/cli/dist/index.js`, archive, '--profile', 'esm-only', '--format', 'json');
});
