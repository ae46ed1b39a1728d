// Every input of the golden answers, and random cuts of it, gives what `citestream filter` gives.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {readFileSync, readdirSync, existsSync} from 'node:fs';
import {test} from 'node:test';
import {pathToFileURL} from 'node:url';

const {CITESTREAM_BINARY: binary, CITESTREAM_PACKAGE: folder, CITESTREAM_TESTS: tests} = process.env;
const {CitationStream, CitestreamError, citestream} = await import(pathToFileURL(`${folder}/citestream.js`));

const files = readdirSync(tests).map((stage) => `${tests}/${stage}/golden`).filter((path) => existsSync(path))
  .flatMap((path) => readdirSync(path).map((name) => `${path}/${name}`));

/** The options in the words of a block, by their names in the package. */
function optionsOf(words) {
  const names = {add: 'citations', style: 'style', markers: 'markers', offsets: 'offsets'};
  return Object.fromEntries(words.trim().split(/ +/).map((word) => word.split('=')).filter(([name]) => names[name])
    .map(([name, value]) => [names[name], value]));
}

/**
 * The streams that the blocks of a golden file make, each with options: events as they are, and texts as deltas of OpenAI. Each in
 * style numeric, and with the options of its block.
 */
function streamsOf(file) {
  const blocks = [...readFileSync(file, 'utf8').matchAll(/^```(\S*)([^\n]*)\n(.*?)^```$/gms)];
  const inputs = blocks.filter(([, kind]) => !['trace', 'gives', 'body'].includes(kind)).flatMap(([, kind, more, text]) => {
    const given = optionsOf(more);
    const all = [{style: 'numeric'}, ...Object.keys(given).length ? [given] : []];
    return all.map((options) => [options, bytesOf(kind, more, text)]);
  });
  return new Map(inputs.map(([options, text]) => [JSON.stringify([options, text]), {options, bytes: Buffer.from(text)}])).values();
}

/** The stream of one block. */
function bytesOf(kind, more, text) {
  if (kind === 'json') return `data: ${text.trim().replaceAll('\n', '\ndata: ')}\n\n`;
  if (kind === 'stream') return more.includes('crlf') ? text.replaceAll('\n', '\r\n') : text;
  const half = text.length >> 1;
  return [text.slice(0, half), text.slice(half)].map((content) =>
    `data: ${JSON.stringify({object: 'chat.completion.chunk', choices: [{index: 0, delta: {content}}]})}\n\n`).join('');
}

/** The bodies of a golden file, with their options and what they give. */
function bodiesOf(file) {
  const pattern = /^```body([^\n]*)\n(.*?)^```\n```gives( same)?\n(.*?)^```$/gms;
  return [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, words, input, same, output]) => {
    return {input, output: same ? input : output, options: optionsOf(words)};
  });
}

async function filtered(bytes, options) {
  const run = spawn(binary, ['filter', ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])], {stdio: ['pipe', 'pipe', 'ignore']});
  run.stdin.on('error', () => {}).end(bytes);
  return Buffer.concat(await run.stdout.toArray());
}

/** The output, also of an answer that is not complete. */
async function rewritten(bytes, options, next) {
  const cut = function* () {
    for (let at = 0; at < bytes.length;) yield new Uint8Array(bytes.subarray(at, at += next()));
  };
  const out = [];
  try {
    for await (const part of ReadableStream.from(cut()).pipeThrough(new CitationStream(options))) out.push(part);
  } catch (error) {
    if (!(error instanceof CitestreamError)) throw error;
  }
  return Buffer.concat(out);
}

test('there are golden files', () => assert.ok(files.length > 40));

for (const file of files) {
  test(file.slice(tests.length + 1), async () => {
    let state = file.length;
    const random = () => 1 + ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 8) % 30;
    for (const {options, bytes} of streamsOf(file)) {
      const expected = await filtered(bytes, options);
      for (const next of [() => 1 << 20, random, random]) {
        const got = await rewritten(bytes, options, next);
        assert.equal(String(got), String(expected), String(bytes));
      }
    }
    for (const {input, output, options} of bodiesOf(file)) {
      const answer = new Response(input, {headers: {'content-type': 'application/json'}});
      assert.equal(await (await citestream(answer, options)).text(), output);
    }
  });
}
