// Output of the styles in real renderers: no label, title, text or address becomes markup, and the list of
// footnotes is rendered as such. A renderer may make a link of a URL in a title only if egress is off.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {test} from 'node:test';

import MarkdownIt from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import {Marked} from 'marked';
import markedFootnote from 'marked-footnote';
import * as parse5 from 'parse5';

const markdownIt = new MarkdownIt({html: true, linkify: false});
const markdownItFootnotes = new MarkdownIt({html: true}).use(footnotes);
const renderers = {
  'markdown-it': (text) => markdownIt.render(text),
  'markdown-it with footnotes': (text) => markdownItFootnotes.render(text),
  'marked': (text) => new Marked({gfm: true}).parse(text),
  'marked with footnotes': (text) => new Marked({gfm: true}).use(markedFootnote()).parse(text),
};
const withFootnotes = Object.keys(renderers).filter((name) => name.endsWith('footnotes'));

const hostile = [
  '<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '"><svg onload=alert(1)>', '</sup></a><b>x',
  '<!-- x', '<https://evil.example>', 'https://evil.example/a_b_c', 'www.evil.example', 'a@evil.example',
  'ftp://evil.example', '[x](javascript:alert(1))', '![x](https://evil.example/p.png)', '[x][1]', '[^1]',
  '](https://evil.example)', '**](https://evil.example)**', '*a* _b_ __c__ **d** ~~e~~ ~f~', '`code` ``more``',
  '# heading', '- item', '+ item', '* item', '1. item', '1) item', '> quote', '```', '~~~', '---', '===', '| a | b |',
  '&lt;b&gt; &amp; &#60;i&#62; &copy', 'a\\', '\\[x\\](y)', '$x$ $$y$$', '    code', '\tcode',
  'a\n\n[x]: https://evil.example\n\n# b', 'a\r\n- b\r\n- c', 'a\u2028b\u2029c\u0085d', 'a\u202Egpj.exe',
  'x\u0000y\u0007z\u001B[31m', '\uFEFF\u200B', '_', '__', '*', '**', 'a_', '_a', ':smile:', '<a', '&', '<',
  '(p. 1) — _x_', '\u00A0nbsp\u00A0', '\u3000wide\u3000', 'Financial_Report.pdf', 'AT&T 2024: a < b > c',
];

/** The answers' texts in a style. An answer is a list of pieces of its text and objects with references. */
function printed(style, markers, answers, egress = 'off') {
  const end = '=== end of the answer ===\n';
  const line = (pieces) => JSON.stringify(pieces.map((piece) => JSON.stringify(piece)).join('\n'));
  const args = ['filter', '--lines', '--from', 'deltas', '--to', 'text', '--style', style, '--markers', markers, '--egress', egress];
  const input = answers.map((pieces) => `${line(pieces)}\n${line([end])}\n`).join('');
  const run = spawnSync(process.env.CITESTREAM_BINARY, args, {input, encoding: 'utf8'});
  assert.equal(run.status, 0, run.stderr);
  const texts = run.stdout.split(end);
  assert.equal(texts.pop(), '');
  assert.equal(texts.length, answers.length);
  return texts;
}

/** The texts of answers with a citation in the style footnote, one for each reference. */
const footnoted = (references, egress) => printed(
    'footnote', 'numeric', references.map((reference) => ['grew [1].', {references: [{number: 1, id: '1', ...reference}]}]), egress);

/** All elements of a piece of HTML. */
function elements(html) {
  const found = [];
  const walk = (node) => {
    if (node.tagName) found.push(node);
    (node.childNodes ?? []).forEach(walk);
  };
  walk(parse5.parseFragment(html));
  return found;
}

const attribute = (node, name) => node.attrs.find((one) => one.name === name)?.value;
const textOf = (node) => node.value ?? (node.childNodes ?? []).map(textOf).join('');
const shown = (html) => textOf(parse5.parseFragment(html)).replace(/\s+/g, ' ');

/** What a reader should see of a hostile text. */
const seen = (text) => text.replace(/[\u0000-\u0008\u000E-\u001F\u007F-\u0084\u0086-\u009F\u00AD\u200B\u202A-\u202E\u2060-\u2069\uFEFF]/g, '')
  .replace(/[\s\u0085]+/g, ' ').trim();

/** A link that the renderer has made of a URL or an e-mail address in the text. */
const isMadeOfText = (node) => node.tagName === 'a' && attribute(node, 'href').endsWith(encodeURI(textOf(node)));
const isMail = (node) => attribute(node, 'href')?.startsWith('mailto:');

function checkInert(html, allowed, hosts = [], egress = 'off') {
  for (const node of elements(html)) {
    if (isMadeOfText(node) && (egress === 'off' || isMail(node))) continue;
    assert.ok(allowed.includes(node.tagName), `<${node.tagName}> in ${html}`);
    const href = attribute(node, 'href');
    if (href !== undefined) {
      assert.ok(href.startsWith('#') || hosts.some((host) => href.startsWith(host)) || /^\[?\*\*/.test(href),
        `${href} in ${html}`);
    }
    for (const {name} of node.attrs) assert.ok(!name.startsWith('on') && name !== 'src', html);
  }
}

const inList = ['p', 'strong', 'em', 'sup', 'a', 'section', 'ol', 'li', 'hr', 'h2'];  // elements in a list of footnotes

for (const [name, render] of Object.entries(renderers)) {
  test(`${name}: titles, texts and labels are inert in a list of footnotes`, () => {
    const references = hostile.map((title) => ({title, text: title}));
    for (const text of footnoted(references, 'enforce')) checkInert(render(text), inList, [], 'enforce');
    for (const [i, text] of footnoted(references).entries()) {
      const title = hostile[i];
      const html = render(text);
      checkInert(html, inList);
      if (!seen(title) || elements(html).some(isMadeOfText)) continue;  // escapes are shown in such a link
      const bold = elements(html).filter((node) => node.tagName === 'strong');
      const thin = elements(html).filter((node) => node.tagName === 'em');
      assert.deepEqual(bold.map((node) => seen(textOf(node))), [seen(title)], text);
      assert.deepEqual(thin.map((node) => seen(textOf(node))), [seen(title)], text);
    }
  });

  test(`${name}: an address in a list of footnotes is one link or no link`, () => {
    const ends = [...hostile, ')', '))((', '<>', ' "x"', '\\)', '&copy;=1&amp;b', '`', '?a=[1]|b'];
    const linking = (urls) => footnoted(urls.map((url) => ({title: 'T', text: 'x', url}))).map(render);
    for (const html of linking(ends.map((end) => `https://good.example/${end}`))) {
      checkInert(html, inList, ['https://good.example/']);
      const links = elements(html).filter((node) => attribute(node, 'href')?.startsWith('https:'));
      assert.equal(links.length, 1, html);
      assert.equal(textOf(links[0]), 'T');
    }
    const evil = ['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', ' javascript:x', '//evil.example'];
    for (const html of linking(evil)) checkInert(html, inList);
  });

  test(`${name}: a label is inert at every position`, () => {
    const befores = ['', 'a ', 'a', '- ', '> ', 'a\n', 'a\n\n'];
    const answers = hostile.flatMap((title) => befores.map(
        (before) => [{references: [{number: 1, id: '1', title, text: ''}]}, `${before}[1]`]));
    const allowed = ['p', 'ul', 'li', 'blockquote'];
    for (const text of printed('label', 'numeric', answers, 'enforce')) checkInert(render(text), allowed, [], 'enforce');
    for (const [i, text] of printed('label', 'numeric', answers).entries()) {
      const title = hostile[Math.floor(i / befores.length)];
      const html = render(text);
      checkInert(html, allowed);
      if (seen(title) && !elements(html).some(isMadeOfText)) assert.ok(seen(shown(html)).endsWith(seen(title)), `${JSON.stringify(text)}: ${html}`);
      // Without escaping it is text in HTML as well.
      assert.deepEqual(elements(text), [], text);
    }
  });
}

for (const name of withFootnotes) {
  test(`${name}: each line of the list is a footnote`, () => {
    const references = [{id: 'a', title: 'First', text: 'one', page: 2}, {id: 'b', title: 'Second', text: ''}];
    const answer = ['grew [A](a), [B](b) and [C](c). Then [A](a).\n\n- x [B](b)', {references}];
    const [text] = printed('footnote', 'link', [answer]);
    const html = renderers[name](text);
    const items = elements(html).filter((node) => node.tagName === 'li' && attribute(node, 'id')?.match(/^f/));
    assert.equal(items.length, 3, html);
    assert.match(shown(textOf(items[0])), /^\s*A \(p\. 2\) — one/);
    assert.match(shown(textOf(items[2])), /C — unresolved: source not found/);
    assert.ok(!html.includes('[^'), html);
  });
}

test('an HTML parser reads html and superscript as intended', () => {
  const labels = hostile.filter((one) => !/[\n\r\]\[]/.test(one));
  for (const style of ['html', 'superscript']) {
    for (const [i, text] of printed(style, 'link', labels.map((label) => [`grew [${label}](x).`])).entries()) {
      if (text.includes(labels[i])) continue;  // no marker, by the rules of links
      const [sup, link, ...more] = elements(text);
      assert.equal(sup.tagName, 'sup');
      assert.equal(textOf(sup), '[1]');
      assert.deepEqual(more, []);
      if (style === 'superscript') continue;
      assert.deepEqual(link.attrs, [{name: 'href', value: '#cite-1'}, {name: 'data-citation', value: '1'}]);
    }
  }
});
