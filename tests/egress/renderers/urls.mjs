// Finds every URL in HTML that a browser would load, follow or run, as parse5 reads the HTML.
import * as parse5 from 'parse5';

const urlAttributes = new Set(['href', 'src', 'action', 'formaction', 'data', 'poster', 'background', 'xlink:href', 'cite',
  'ping', 'manifest', 'longdesc', 'codebase', 'classid', 'archive', 'profile', 'icon', 'dynsrc', 'lowsrc', 'usemap']);
const inStyle = (text) => [...text.matchAll(/url\s*\(\s*["']?([^"')]*)|@import\s+["']?([^"';]*)/gi)].map((m) => m[1] ?? m[2]);

function inAttribute(name, value) {
  if (/^on./.test(name) && value !== '') return [`javascript:${value}`];
  if (name === 'style') return inStyle(value);
  if (name === 'srcset' || name === 'imagesrcset') return value.split(/,\s+|,(?=\S+\s)/).map((one) => one.trim().split(/\s+/)[0]);
  if (name === 'content') return [...value.matchAll(/url\s*=\s*["']?(.*)/gi)].map((m) => m[1]);
  if (name === 'srcdoc') return urlsIn(value);
  return urlAttributes.has(name) ? [value] : [];
}

export function urlsIn(html) {
  const found = [];
  const walk = (node) => {
    for (const {name, value, prefix} of node.attrs ?? []) found.push(...inAttribute(prefix ? `${prefix}:${name}` : name, value));
    if (node.tagName === 'style') found.push(...inStyle(node.childNodes.map((one) => one.value ?? '').join('')));
    if (node.tagName === 'script') found.push('javascript:');
    (node.childNodes ?? []).forEach(walk);
    if (node.content) walk(node.content);
  };
  walk(parse5.parseFragment(html));
  return found;
}

const page = 'https://app.example/chat/';
export const allowedHost = '.good.example';
export const allowedReference = 'https://ref.example/page?a=1';

/** Returns true unless a URL leads to the page's own host, an allowed host or the reference. E-mail addresses are not covered. */
export function isForeign(text) {
  let url;
  try {
    url = new URL(text, page);
  } catch {
    return /^[\s\u0000]*([a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(text);
  }
  if (/(?:mailto|xmpp):$/.test(url.protocol) || url.host === 'app.example') return false;
  if (url.protocol !== 'https:' || url.username !== '' || url.port !== '') return true;
  return !url.hostname.endsWith(allowedHost) && url.href !== allowedReference;
}
