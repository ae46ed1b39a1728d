// Random texts that try to get a URL or a tag past the stage. The same seed and examples give the same texts.
import {readFileSync} from 'node:fs';

export class Generator {
  constructor(seed, examples) {
    this.state = seed >>> 0;
    this.examples = examples;
    for (let i = 0; i < 8; ++i) this.below(2);
  }

  below(n) {
    this.state = (this.state + 0x6d2b79f5) >>> 0;  // mulberry32
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * n);
  }
  pick(all) { return all[this.below(all.length)]; }
  some(most, make) { return Array.from({length: this.below(most + 1)}, make).join(''); }

  /** A URL, in one of four cases with a character inserted or replaced. */
  url() {
    const url = this.pick(urls);
    if (this.below(4) > 0) return url;
    const at = this.below(url.length);
    return url.slice(0, at) + this.pick(splices) + url.slice(at + this.below(2));
  }
  piece() { return this.pick(pieces).replaceAll('U', () => this.url()); }
  markup() { return this.some(14, () => this.piece()); }
  code() {
    return this.pick(starts) + this.some(4, () => this.pick(marks)) + this.pick(['`', '``', '$', '$$', '```', '~~~\n', '$`', '`$', '']) +
      this.some(3, () => this.pick(marks)) + this.attack() + this.some(4, () => this.pick(marks)) +
      this.pick(['`', '``', '$', '$$', '', '*`', '~~`', '\n```\n', '`$']) + this.pick(['', '\n\n[y]', '\n\n![y]\n', `\n${this.attack()}`]);
  }
  lines() {
    return this.some(5, () => this.pick(starts) + this.some(3, () => this.below(3) > 0 ? this.pick(marks) : this.attack()) + this.pick(['\n', '\n', '\n\n', '\n  ', '\n> ', '\r\n', '\n    ']));
  }
  dense() { return this.some(40, () => this.pick(dense)); }
  bare() { return this.pick(before) + this.url() + this.pick(after) + this.pick(['', this.url(), ` ${this.attack()}`, this.url() + this.pick(after)]); }
  attack() { return this.pick(attacks).replaceAll('U', () => this.url()); }
  mutation() {
    let text = this.pick(this.examples);
    for (let n = 1 + this.below(4); n > 0; --n) {
      const at = this.below(text.length + 1);
      const end = Math.min(text.length, at + this.below(this.below(4) > 0 ? 3 : 30));
      const other = this.pick(this.examples);
      const from = this.below(other.length);
      const put = this.pick([() => '', () => this.pick(marks), () => this.attack(), () => this.piece(), () => other.slice(from, from + this.below(40)), () => this.pick(dense)])();
      text = text.slice(0, at) + put + text.slice(end);
    }
    return text;
  }
  /** An answer with a citation whose label, title and snippet are hostile: the fields of staged_documents.cpp. */
  answer() {
    const some = () => this.pick([() => this.bare(), () => this.attack(), () => this.markup(), () => this.dense(), () => this.lines(), () => this.code()])();
    const label = this.pick([() => some().slice(0, 200), () => this.url(), () => 'a.pdf', () => this.pick(['1', 'w', 'ww', '//x', 'http', '!', '-', '1.'])])();
    const identifier = this.pick(['f-17', 'f-17', 'f-17', this.url(), 'f-18']);
    return [this.pick(styles), this.pick([() => some(), () => 'Text ', () => this.pick(before), () => this.pick(starts)])(), label, identifier, some(), some(),
      this.pick([() => some(), () => '.', () => this.pick(after)])()].map((one) => one.replaceAll('\x1f', '')).join('\x1f');
  }
  text() {
    if (this.below(6) === 0) return this.answer();
    return this.pick([() => this.markup(), () => this.code(), () => this.lines(), () => this.dense(), () => this.bare(), () => this.mutation(), () => this.mutation(),
      () => this.markup() + this.code() + this.bare()])().slice(0, 2000);
  }
}

const styles = ['strip', 'keep', 'numeric', 'footnote', 'superscript', 'html', 'label', 'label', 'markdown'];
const urls = ['https://evil.com/S', 'http://evil.com/?q=S', '//evil.com/S', 'www.evil.com/S', 'HTTPS://EVIL.com/S', 'https:evil.com/S', 'http:evil.com/S',
  'https:/evil.com/S', '\\\\evil.com/S', '/\\evil.com/S', '\\/evil.com/S', 'javascript:alert(1)', 'JaVaScript:alert(1)', 'data:text/html,S', 'vbscript:x', 'ftp://evil.com/S', 'file:///etc/S',
  'blob:https://evil.com/S', '&#x68;ttps://evil.com/S', 'https&colon;//evil.com/S', 'https:&sol;&sol;evil.com/S', 'https:&#47;/evil.com/S', 'www&period;evil.com/S',
  'www\\.evil.com/S', 'https\\://evil.com/S', 'https:\\/\\/evil.com/S', 'http:/\\/evil.com/S', 'https://a.good.example@evil.com/S', 'https://a.good.example.evil.com/S',
  'https://a.good.example:443@evil.com/', 'https://a.good.example\\@evil.com/S', 'https://a.good.example%2eevil.com/S', 'https://a.good.example\u3002evil.com/S',
  'https://[2001:db8::1]/S', '//[2001:db8::1]/S', 'https://a.good.example/http://evil.com/S', 'https://a.good.example/www.evil.com/S', 'https://a.good.example//evil.com/S',
  'https://a.good.example/?u=https://evil.com/S', 'https://a.good.example/x', 'https://a.good.example', 'https://A.good.example/x#y', 'https://a.good.example/x_(y)', 'https://a.good.example/a*b*c_d_',
  'https://ref.example/page?a=1', 'https://ref.example/page?a=1S', 'https://ref.example/page?a=1&b=S', 'https://ref.example/page?a=1)S', 'https://ref.example/page', 'http://ref.example/page?a=1',
  'https://ref.example/page?a=1.', 'https://a.good.example/onclick=alert(1)', 'https://a.good.example/x"onerror="alert(1)', '#part', 'a.html', '/a/b', '?q=S', 'mailto:a@evil.com', 'https://\u00e9vil.com/S', '//~u@evil.com/S',
  '//_.evil.com/S', '///evil.com/S', 'https:////evil.com/S', 'java\nscript:alert(1)', 'java\tscript:alert(1)', 'java&Tab;script:alert(1)', 'java&NewLine;script:alert(1)', ' javascript:alert(1)',
  '\u00a0javascript:alert(1)', '\u0001javascript:alert(1)', 'javascript&colon;alert(1)', 'javascript\\:alert(1)', 'jav&#97;script:alert(1)', '&#106;avascript:alert(1)', 'javascript&#58alert(1)',
  'java\\script:alert(1)', '"javascript:alert(1)"', '*javascript:alert(1)*', '<javascript:alert(1)>', '(javascript:alert(1))', '<https://evil.com/S>', '<//evil.com>', '< https://evil.com/S >',
  '<\\//evil.com/S>', '<&#47;/evil.com/S>', 'ht\ntps://evil.com/S', 'https:/\n/evil.com', 'httpſ://evil.com/S', 'http://evil.com\\@a.good.example/', 'tel:1', 'ms-word:x', 'x:y'];
const splices = ['\\', '&#58;', '&sol;', '`', '*', '_', '$', '\n', ' ', '\t', '\u200b', '<', '>', '"', '[', ']', '(', ')', '~', '|', '\u0000', '&amp;', '%2f', '\u00ad', '**', '&#0;', '\\\\', '!', '{', '}'];
const pieces = ['![a](U)', '[b](U)', '[b](<U>)', '[b](U "t")', "[b](U\n'x y')", '\n[x]: U\n', '\n[x]:\nU\n', '\n[x]: <U> "t"\n', '\n> [x]:\n> U\n', '\n> ![a](\n> U)\n', '\n- >[b](\n  >U)\n', '\n- [x]:\n  U\n', '\n[^1]: U\n', '[^x]', '\n[^x]: <U>\n',
  '[x]', '[t][x]', '![x]', '![t][x]', '<U>', 'U', 'U', 'U ', ' U', '<img src="U">', '<img src=U>', "<a href='U'>", '<a href="#cite-1" data-citation="1">', '</a>', '<p style="background:url(U)">',
  '<div>', '</div>', '<b>', '<sup>', '\n<sup>\n', '<br>', '\n<details>\n', '<pre>', '</pre>', '<iframe src=U', '<!--', '-->', '<style>', '</style>', '<svg onload=alert(1)>', '<script>alert(1)</script>', '\n<U>\n', '`', '``', '`', '```', '$', '$$', '\n$$\n',
  '\n```\n', '\n```math\n', '\n~~~\n', '\n````js\n', '\n\n', '\n', '\n', '\n- ', '\n1. ', '\n   ', '\n    ', '\n> ', '\n  - ', '\n2. ', '\\[', '\\(', '\\]', '\\)', ' ', ' ', 'word', 'word two', '\\', '[', ']', '(', ')', '!', '<', '>', '"', "'", ':', '/', '.', 'w',
  'www', 'https', 'http', 'evil.com', '|', '\n| a | b |\n|---|---|\n| ', '*', '**', '_', '&', '&#58;', '&lt;', '&#60;', '\t', '\r\n', '\r', '~~', '# ', '---', '=', ' x=', '\ufeff', '\u00a0', 'é', '[^1]', '\n[^1]: ', '](', ']:', '![', '[](', '\n[x]: a "', '<b ', '</', '@', '[[U]]', '[[U|x]]', '==', '++', '^', ':::', '{.x onload=y}', '{src=U}', '\\href{U}{x}', '$\\href{U}{x}$', '$\\url{U}$', '$\\includegraphics{U}$', '![x" onerror="alert(1)](a.png)', '![x" onerror="alert(1)](a.png "t")', '[x" onclick="alert(1)](a.html)', '[^x" onclick="alert(1)]', '\n*[x]: U\n', 'x\n: U\n', '\n```U\nx\n```\n', '\n```x" onload="alert(1)\n```\n'];
const attacks = ['![i](https://evil.com/S)', '[l](javascript:x)', '<img src=x onerror=x>', '<https://evil.com>', '[l](https://evil.com/S)', '![i](http:evil.com)', '<a href=//evil.com>', '[y]: javascript:x', '[y]', '![y]', '[t][y]',
  '!\\[i\\](http:evil.com)', '![i\\](http:evil.com)', '<script>x</script>', '<svg onload=alert(1)>', 'https://evil.com/S', 'www.evil.com', '//evil.com/S', '![i](U)', '[l](U)', '<U>', 'U', '[y]: U', '<iframe src=U>', '<img src="U"', '[l]( U )', '[l](\nU)', '![i](\n> U)', '[l](U "x")', '![](U)', '[](U)'];
const marks = ['`', '`', '`', '``', '```', '~', '~~', '*', '**', '_', '__', '[', '[', ']', '![', '](', '(', ')', '<', '>', '\\', '!', '"', "'", ' ', ' ', 'a', 'b c', '\n', '\n', '|', ':', '[x] ', '[a]', '[`a`]', '[a`b]', '[a](#p "`")', "[a](a.html '`')", '[a`](#p)', '](#p)', '$', '$', '$$', '\\$',
  '[`a`](https://a.good.example/x)', '<b>', '<b title="`">', '<a `', '~`', '`~', '_a', '[y]: ', '[y]: a.html\n', '[a`b]: ', ' "`"', '<!--', '&', '&#', '58;', 'https://a.good.example/', 'https://a.good.example/`', '[^1]: ', '\u00a0', '\u3000', '\ufeff', '\t', '\f', '\r\n', '<iframe>', '<b x=y>', '<p:>', 'javascript:x', '//e.com',
  '(<iframe>', ']:<', 'www', 'www./', 'www.', '.e.com', 'http', '://', '\\[', '\\]', '\\!', '\\<', '\\`', '\\|', '[x', '][y]', '" onerror=x y', '![x" onerror="x', '"a\n\n```\n"\n', '[a\n\nb]: ', '[^a]: ', '_', '[](http:evil.com)', '<frame>', '\r<frame>\n', '\u2028', '\\😀', '#x', '//x', '@', 'localhost',
  'https://ref.example/p%61ge?a=1', 'https://ref.example/page?a=1', '\x01', '}', '> > ', '<3', 'https://a.good.example', '<https://a.good.example/x>', 'a@b.c', '[://]', '[.]', '&lt;', 'data:', '**data:**', 'javascript:"', '中文', '、', '👍'];
const starts = ['', '', '- ', '- [x] ', '* [ ] ', '1. ', '> ', '> - ', '# ', '    ', '\n', '| a | b |\n|--|--|\n| ', '- a\n  ', '- a\n\n  ', '<div>\n', '<p>', '```\n', '~~~\n', 'word\n', '[y]: a.html\n', '[`]: a.html\n', '[y]:\n', '- - ', '---\n', '<pre>', '- [x] [y]: ', '[y]: a.html ', '-\n  ```\n  \t```\n  ', '$$\n', '| x\n```\n', '|a|\n|-|\n|b|\n```\n',
  '> - a\n#x\n> - b\n5. y\n', '> 1. a\n\tx\n> 1. b\n#y\n', '#x\n', '5. ', '> # h\n-\tb\n> c\n#x\n', '<sup>\n', '<br>\n', '<details>\n', 'x\n: ', '[^1]: ', '*[a]: ', '!!! note\n    ', '\t'];
const dense = ['[', ']', '(', ')', '<', '>', '!', '`', '*', '_', '$', '\\', '/', '/', ':', '.', 'w', 'www', 'http', 'https', '://', '"', "'", '&', '#', ';', '\n', ' ', 'a', 'e.com', 'evil.com', '|', '~', '-', '=', '{', '}', '@', '](', ']:', '![', 'javascript:', '//', 'https://a.good.example', 'https://ref.example/page?a=1', '%', '+', '1', '^', '&#47;', '&#58;', '&colon;', '&#32;', '\n> ', '\t'];
const before = ['', ' ', '(', '[', '"', '<', '*', '_', '`', '$', '\\', '/', ':', '=', '.', '-', 'a', '1', 'é', '中', '：', '@', '|', '> ', '- ', '#', '&', ';', '!', '~', '{', '\u200b', '\n', 'http:', 'x=', '](', '[x](', ']: ', '[x]: ', '<a>$', 'xn--', 'evil.com/', 'user:'];
const after = ['', ' ', ')', ']', '"', '>', '*', '_', '`', '$', '\\', '/', ':', '=', '.', '-', 'a', '1', 'é', '中', '。', '@', '|', '\n', ', ', '. ', '.x', ')x', ').', '](', ']:', '&', '&amp;', '&#32;x', '.&#10;x', ';', '!', '?', '?x', '#x', '~', '}', '**', '**x', '__', "'", '<', '<b>', '\u200b', '\u00a0', '\u3000', '@evil.com', '.evil.com', ':x@evil.com', '%', '\t', '//evil.com', 'www.evil.com', '"x', '`x', '*x*', ') "t")', ' "t")', '>)', '\\)', '&#41;', '\u0001', '\ufeff'];

/** The texts in files like payloads.md: the first block of each case. */
export function examplesOf(paths) {
  return paths.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/^## .*\n\n`````text\n([^]*?)\n?`````\n/gm)]
    .map((m) => m[1].replace(/[\u2400-\u240d]/g, (picture) => String.fromCharCode(picture.charCodeAt(0) - 0x2400)))).filter((one) => one.length > 0);
}
