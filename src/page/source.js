/**
 * Shows one citation. Most of its text comes from models, so it is inserted as text nodes only, and only http and https URLs
 * become links.
 */

function element(tag, text, className = '') {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(text);
  return made;
}

/** An address as a link if it is one that may be opened, else as text. */
function linkTo(address) {
  let url;
  try {
    url = new URL(address);
  } catch {
    return element('span', address);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return element('span', address);
  const link = element('a', address);
  link.href = url.href;
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
  return link;
}

const verdicts = {
  supported: 'Supported: the source says this',
  contradicted: 'Contradicted: the source says something else',
  not_found: 'Not found: the source does not say this',
  unsure: 'Unsure: the source says some of this',
};

function quote(cite, reference, at) {
  const made = document.createElement('blockquote');
  const text = reference.text ?? '';
  const {evidence} = cite;
  if (evidence && evidence.reference === at && evidence.end > evidence.start) {
    made.append(text.slice(0, evidence.start), element('mark', text.slice(evidence.start, evidence.end)), text.slice(evidence.end));
  } else made.append(text);
  return made;
}

/** The elements that show a citation: its source, its verdict, and the quoted text with the words that support it. */
export function sourceContent(cite, close) {
  const out = [];
  const first = cite.references?.[0];
  const name = cite.title || cite.label || first?.title || cite.identifier || 'Source';
  const title = element('h3', `${cite.number ? `[${cite.number}] ` : ''}${name}`);
  title.id = 'source-title';
  out.push(title);
  if (cite.status === 'pending') out.push(element('p', 'Its source has not arrived yet.', 'verdict'));
  else if (cite.status === 'unresolved') out.push(element('p', 'No source of this answer has this identifier.', 'verdict unresolved'));
  if (cite.verdict) out.push(element('p', verdicts[cite.verdict] ?? cite.verdict, `verdict ${cite.verdict}`));
  const facts = document.createElement('dl');
  const fact = (term, value) => {
    if (value === undefined || value === null || value === '') return;
    const row = document.createElement('div');
    const data = document.createElement('dd');
    data.append(value);
    row.append(element('dt', term), data);
    facts.append(row);
  };
  fact('Page', cite.page === undefined ? undefined : String(cite.page));
  fact('Address', cite.url ? linkTo(cite.url) : undefined);
  fact('File', cite.file_id);
  fact('Marker', cite.marker ? element('code', cite.marker) : undefined);
  fact('Missing', [...(cite.missing_numbers ?? []), ...(cite.missing_names ?? []), ...(cite.missing_words ?? [])].map(String).join(', '));
  for (const {claimed, found} of cite.contradictions ?? []) fact('Differs', `says ${claimed} where the source has ${found}`);
  (cite.references ?? []).slice(0, 4).forEach((reference, at) => {
    if (reference.text) out.push(quote(cite, reference, at));
  });
  out.push(facts);
  const button = element('button', 'Close');
  button.type = 'button';
  button.addEventListener('click', close);
  out.push(button);
  return out;
}
