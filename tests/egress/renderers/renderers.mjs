// The renderers: each takes a text and returns its HTML. `strict` and `slow` ones keep CommonMark's rules, and no URL that is not
// allowed may be active in their HTML. `lenient` ones break the rules, and what they make active is only counted.
import {spawnSync} from 'node:child_process';
import {createRequire} from 'node:module';

import * as commonmark from 'commonmark';
import MarkdownIt from 'markdown-it';
import MarkdownItOld from 'markdown-it-old';
import {Marked} from 'marked';
import {Marked as MarkedOld} from 'marked-old';
import markedKatex from 'marked-katex-extension';
import markedKatexOld from 'marked-katex-extension-old';
import {micromark} from 'micromark';
import {micromark as micromarkOld} from 'micromark-old';
import {gfm, gfmHtml} from 'micromark-extension-gfm';
import {math, mathHtml} from 'micromark-extension-math';
import rehypeKatex from 'rehype-katex';
import rehypeRaw from 'rehype-raw';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkGfmOld from 'remark-gfm-old';
import remarkMath from 'remark-math';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import {Remarkable} from 'remarkable';
import snarkdown from 'snarkdown';
import {unified} from 'unified';

const require = createRequire(import.meta.url);
const showdown = require('showdown');
const katexOf = (module) => module.default ?? module;
const markdownItKatex = katexOf(require('@vscode/markdown-it-katex'));
const markdownItKatexOld = katexOf(require('markdown-it-katex'));

// `linkify` also makes links of hosts without a scheme and of e-mail addresses. The stage does not cover them.
function linkified(Type, options) {
  const made = new Type({html: true, linkify: true, ...options});
  made.linkify.set({fuzzyLink: false, fuzzyEmail: false});
  return made;
}
function remark(gfmPlugin, ...more) {
  let made = unified().use(remarkParse).use(gfmPlugin);
  for (const one of more) made = made.use(...one);
  const done = made.use(remarkRehype, {allowDangerousHtml: true}).use(rehypeRaw).use(rehypeStringify);
  return (text) => String(done.processSync(text));
}
function remarkKatex() {
  const made = unified().use(remarkParse).use(remarkGfm).use(remarkMath).use(remarkRehype, {allowDangerousHtml: true})
    .use(rehypeRaw).use(rehypeKatex, {throwOnError: false, strict: false}).use(rehypeStringify);
  return (text) => String(made.processSync(text));
}
const katex = {throwOnError: false, strict: false};
const micro = {allowDangerousHtml: true, allowDangerousProtocol: true};
const reader = new commonmark.Parser();
const writer = new commonmark.HtmlRenderer();
const linkifyNew = linkified(MarkdownIt);
const linkifyOld = linkified(MarkdownItOld);
const typographer = linkified(MarkdownIt, {typographer: true, breaks: true});
const plainIt = new MarkdownIt('commonmark', {html: true});
const katexIt = linkified(MarkdownIt).use(markdownItKatex, katex);
const katexItOld = linkified(MarkdownItOld).use(markdownItKatexOld, katex);
const remarkable = new Remarkable('full', {html: true});
const show = new showdown.Converter({tables: true, strikethrough: true, simplifiedAutoLink: true, tasklists: true});

export const strict = {
  'marked 18': (() => { const m = new Marked({gfm: true}); return (text) => m.parse(text); })(),
  'marked 18 with breaks': (() => { const m = new Marked({gfm: true, breaks: true}); return (text) => m.parse(text); })(),
  'marked 18 without GFM': (() => { const m = new Marked({gfm: false}); return (text) => m.parse(text); })(),
  'marked 18 with KaTeX': (() => { const m = new Marked(markedKatex({...katex, nonStandard: true})); return (text) => m.parse(text); })(),
  'marked 14': (() => { const m = new MarkedOld({gfm: true}); return (text) => m.parse(text); })(),
  'marked 14 with KaTeX': (() => { const m = new MarkedOld(markedKatexOld(katex)); return (text) => m.parse(text); })(),
  'markdown-it 15 with linkify': (text) => linkifyNew.render(text),
  'markdown-it 15 with typographer': (text) => typographer.render(text),
  'markdown-it 15 as CommonMark': (text) => plainIt.render(text),
  'markdown-it 15 with KaTeX': (text) => katexIt.render(text),
  'markdown-it 14.1 with linkify': (text) => linkifyOld.render(text),
  'markdown-it 14.1 with KaTeX': (text) => katexItOld.render(text),
  'commonmark.js': (text) => writer.render(reader.parse(text)),
};

/** Strict renderers that take ten times as long. Unless --all is given, each text goes through one of them. */
export const slow = {
  'micromark 4 with GFM': (text) => micromark(text, {...micro, extensions: [gfm()], htmlExtensions: [gfmHtml()]}),
  'micromark 4 with GFM and math': (text) => micromark(text, {...micro, extensions: [gfm(), math()], htmlExtensions: [gfmHtml(), mathHtml(katex)]}),
  'micromark 4.0.0': (text) => micromarkOld(text, micro),
  'remark-gfm with raw HTML': remark(remarkGfm),
  'remark-gfm and remark-math': remark(remarkGfm, [remarkMath]),
  'remark with KaTeX': remarkKatex(),
  'remark-gfm 4.0.0': remark(remarkGfmOld, [remarkMath, {singleDollarTextMath: false}]),
};

export const lenient = {
  'showdown': (text) => show.makeHtml(text),
  'snarkdown': (text) => snarkdown(text),
  'remarkable': (text) => remarkable.render(text),
};

/** Runs renderers that are a program. It reads texts separated by U+001E and writes one result for each, also separated by U+001E:
    the HTML of each renderer, separated by U+001F. */
export function programs(command, args, texts) {
  const run = spawnSync(command, args, {input: texts.join('\x1e'), encoding: 'utf8', maxBuffer: 1 << 30});
  if (run.status !== 0) throw new Error(`${command}: ${run.stderr}`);
  return run.stdout.split('\x1e').map((one) => one.split('\x1f'));
}
