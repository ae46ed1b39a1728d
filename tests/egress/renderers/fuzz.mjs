// Sends texts through the egress stage and the output through real renderers, and checks that their HTML contains no URL that
// is not allowed.
//
//   node fuzz.mjs --stage PROGRAM [--native PROGRAM] [--python PYTHON] [--texts N] [--seed N] [--exact] [--all] [--examples FILE]...
//
// Of N texts, the first are those in the example files. All others are random: mutations of the examples, and texts of a grammar
// of Markdown. --all sends each text through every slow renderer, not through one of them. Prints for each renderer that made a
// URL active how many texts did that, and the shortest. Ends with status 1 if one of these renderers is strict.
import {spawnSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';

import {isForeign, urlsIn} from './urls.mjs';
import {Generator, examplesOf} from './generate.mjs';
import {lenient, programs, slow, strict} from './renderers.mjs';

const {values: options} = parseArgs({options: {
  stage: {type: 'string'}, native: {type: 'string'}, python: {type: 'string'}, texts: {type: 'string', default: '2000'},
  seed: {type: 'string', default: '1'}, exact: {type: 'boolean', default: false}, all: {type: 'boolean', default: false}, examples: {type: 'string', multiple: true, default: []},
}});

function staged(texts) {
  const run = spawnSync(options.stage, options.exact ? ['exact'] : [], {input: texts.join('\x1e'), encoding: 'utf8', maxBuffer: 1 << 30});
  if (run.status !== 0) throw new Error(run.stderr);
  return run.stdout.split('\x1e');
}

// For speed, parse5 reads only HTML with a tag or attribute of this list.
const worthReading = /<(?:script|style|iframe|object|embed|svg|link|meta|base|form|input|frame|video|audio|math)\b(?! xmlns)|\b(?:href|src|on\w+|style|srcset|action|formaction|data|poster|background|cite|ping|content|srcdoc)\s*=\s*["']?\s*[^\s#"'>]/i;
const leaksIn = (html) => worthReading.test(html) ? urlsIn(html).filter(isForeign) : [];

const quick = [...Object.entries(strict), ...Object.entries(lenient)];
console.warn = console.error = () => {};  // KaTeX warns of characters that it has no metrics for

const failures = new Map();  // renderer: number of texts for which it threw
const leaks = new Map();     // renderer: {texts, smallest}
function note(name, text, output, found) {
  const known = leaks.get(name) ?? {texts: 0, smallest: null};
  ++known.texts;
  if (known.smallest === null || text.length < known.smallest.text.length) known.smallest = {text, output, found};
  leaks.set(name, known);
}

const nativeNames = ['cmark-gfm 0.29', 'cmark-gfm 0.29 with extensions', 'md4c 0.4.8', 'md4c 0.4.8 with GFM and math'];
const pythonNames = ['python-markdown 3.4', 'python-markdown 3.4 with extra', 'markdown-it-py 2.1', 'markdown-it-py 2.1 with linkify and math'];

const generator = new Generator(Number(options.seed), examplesOf(options.examples));
const wanted = Number(options.texts);
let done = 0;
let altered = 0;
while (done < wanted) {
  const texts = done === 0 ? generator.examples
    : Array.from({length: Math.min(500, wanted - done)}, () => generator.text().replaceAll('\x1e', '').toWellFormed());
  const output = staged(texts);
  if (output.length !== texts.length) throw new Error('the stage lost a document');
  for (let i = 0; i < texts.length; ++i) {
    if (texts[i] !== output[i]) ++altered;
    const slowOnes = Object.entries(slow);
    for (const [name, render] of [...quick, ...(options.all ? slowOnes : [slowOnes[i % slowOnes.length]])]) {
      let html;
      try {
        html = render(output[i]);
      } catch {
        failures.set(name, (failures.get(name) ?? 0) + 1);
        continue;
      }
      const found = leaksIn(html);
      if (found.length > 0) note(name, texts[i], output[i], found);
    }
  }
  for (const [command, args, names] of [[options.native, [], nativeNames], [options.python, [fileURLToPath(new URL('debian.py', import.meta.url))], pythonNames]]) {
    if (!command) continue;
    programs(command, args, output).forEach((pages, i) => pages.forEach((html, which) => {
      const found = leaksIn(html);
      if (found.length > 0) note(names[which], texts[i], output[i], found);
    }));
  }
  done += texts.length;
}

let strictLeaks = 0;
for (const [name, {texts, smallest}] of leaks) {
  const isLenient = name in lenient || name.startsWith('python-markdown');
  if (!isLenient) strictLeaks += texts;
  console.log(`${isLenient ? 'lenient ' : ''}${name}: ${texts} of ${done} texts (${(100 * texts / done).toFixed(4)} %)`);
  console.log(`  text ${JSON.stringify(smallest.text)}\n  output ${JSON.stringify(smallest.output)}\n  found ${JSON.stringify(smallest.found)}`);
}
console.log(`${done} texts, seed ${options.seed}${options.exact ? ', exact' : ''}: ${strictLeaks} leaks; ${altered} texts were altered; threw: ${JSON.stringify(Object.fromEntries(failures))}`);
process.exitCode = strictLeaks > 0 ? 1 : 0;
