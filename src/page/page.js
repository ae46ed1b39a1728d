/**
 * The page: settings, the answer that runs through citestream, and what is shown of it.
 *
 * `state` has the settings, `play()` pushes the chunks of an answer through a Run at the chosen pace, and `show()` draws
 * what the Run knows, once a frame. Text of other parties gets into the document only as text nodes.
 */
import {Run, cut, eventsOf, measure, recordingOf} from './run.js';
import {example, formOfPattern, forms, fromText, protocols} from './examples.js';
import {Lane} from './lane.js';
import {endpoint, languages} from './snippets.js';
import {sourceContent} from './source.js';

const $ = (id) => document.getElementById(id);
const reduced = matchMedia('(prefers-reduced-motion: reduce)');

const choices = {
  protocol: protocols.map(({name, title}) => [name, title]),
  style: [['numeric', 'numeric: [1]'], ['strip', 'strip: nothing'], ['superscript', 'superscript'], ['footnote', 'footnote'], ['label', 'label'],
    ['markdown', 'markdown link'], ['html', 'html'], ['keep', 'keep: as received'], ['auto', 'auto']],
  markers: [['', 'usual there'], ['link', '[label](id)'], ['numeric', '[1]'], ['source', '[doc1]'], ['ref', '[REF|d_1]'], ['file', '<|file-1|>'],
    ['lenticular', '【1:0†source】'], ['private', 'private use'], ['tag', '<citation>'], ['cite', '[cite: 1]'], ['own', 'my own pattern']],
  cut: [['', 'at events'], ['1', 'every byte'], ['7', 'every 7 bytes'], ['64', 'every 64 bytes'], ['1400', 'every 1,400 bytes']],
  speed: [['20', 'normal'], ['6', 'slow'], ['80', 'fast'], ['', 'at once']],
  offsets: [['utf16', 'UTF-16'], ['utf8', 'bytes'], ['codepoint', 'code points']],
  egress: [['off', 'off'], ['report', 'report'], ['enforce', 'enforce']],
};
const defaults = {...Object.fromEntries(Object.entries(choices).map(([name, [[first]]]) => [name, first])), pattern: '[ref:{key}]'};
const state = {...defaults};

/** The answer that is shown instead of an example: its chunks, or a stream of chunks that arrive. */
let own;
let run;
let playing;
let paused = false;
let stepping;
let view = 'text';
let language = 'curl';
let wire = [];
let wireSize = 0;

// ---------------------------------------------------------------- settings

/** The options of the package for the settings. */
function options() {
  const out = {style: state.style};
  if (state.markers === 'own') out.marker = [state.pattern];
  else if (state.markers) out.markers = state.markers;
  if (state.offsets !== 'utf16') out.offsets = state.offsets;
  if (state.egress !== 'off') out.egress = state.egress;
  out.check = 'report';
  return out;
}

function fragment() {
  const given = Object.entries(state).filter(([name, value]) => value !== defaults[name] && (name !== 'pattern' || state.markers === 'own'));
  return new URLSearchParams(given).toString();
}

function readFragment() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const [name, all] of Object.entries(choices)) {
    const value = given.get(name);
    state[name] = all.some(([one]) => one === value) ? value : defaults[name];
  }
  // Code with the pattern may be pasted into a terminal, which obeys control characters.
  state.pattern = (given.get('pattern') ?? defaults.pattern).replace(/\p{Cc}/gu, '').slice(0, 200);
  for (const name of Object.keys(state)) $(name).value = state[name];
}

function settingsChanged() {
  for (const name of Object.keys(state)) {
    if (name !== 'protocol' || !own) state[name] = $(name).value;  // an answer of one's own has no protocol to choose
  }
  const hash = fragment();
  history.replaceState(null, '', hash ? `#${hash}` : location.pathname + location.search);
  describe();
}

function describe() {
  $('pattern-field').hidden = state.markers !== 'own';
  $('snippet').textContent = languages[language](options(), state.protocol);
}

// ---------------------------------------------------------------- running

/** The chunks of the chosen answer, before they are cut. */
function chunksOfAnswer() {
  if (own) return own.chunks;
  const form = state.markers === 'own' ? formOfPattern(state.pattern) : state.markers ? forms[state.markers] : undefined;
  return example(state.protocol, form);
}

function joined(chunks) {
  const all = new Uint8Array(chunks.reduce((size, one) => size + one.length, 0));
  let at = 0;
  for (const one of chunks) {
    all.set(one, at);
    at += one.length;
  }
  return all;
}

const frame = () => new Promise((resolve) => document.hidden ? setTimeout(resolve, 30) : requestAnimationFrame(resolve));

/** Waits while paused, for a step, and for the pace. */
async function wait(clock, bytes, mine) {
  if (!paused && state.speed) clock.due += bytes * clock.eventsPerByte * 1000 / Number(state.speed);
  for (;;) {
    if (playing !== mine) return;
    const now = performance.now();
    if (stepping > 0) {
      --stepping;
      clock.due = now;
      return;
    }
    if (!paused && clock.due <= now) {
      if (clock.due < now - 250) clock.due = now;
      if (now - clock.frame < 12) return;
      clock.frame = now;
      await frame();
      clock.frame = performance.now();
      if (!paused) return;
    } else {
      await frame();
    }
    if (paused) clock.due = performance.now();
  }
}

/** Runs the chosen answer from its beginning. */
async function play(from) {
  const mine = {};
  playing = mine;
  run?.abandon();
  worker?.terminate();  // of the answer that was shown before
  wire = [];
  wireSize = 0;
  closeSource();
  resetViews();
  let failure;
  let fresh;
  try {
    fresh = run = new Run(options());
    setStatus(from ? 'Waiting for the answer.' : '');
    mark();
    await fresh.begin();
    if (playing !== mine) return;
    const chunks = from ?? cut(state.cut ? [joined(chunksOfAnswer())] : chunksOfAnswer(), Number(state.cut));
    const all = from ? [] : chunksOfAnswer();
    const size = all.reduce((sum, one) => sum + one.length, 0);
    const eventsPerByte = reduced.matches ? 0 : all.length / Math.max(size, 1);
    const clock = {due: performance.now(), frame: performance.now(), eventsPerByte};
    for await (const chunk of chunks) {
      await wait(clock, chunk.length, mine);
      if (playing !== mine) return;
      await fresh.push(chunk);
      if (playing !== mine) return;
      keepWire(chunk);
      dirty = true;
    }
    await fresh.finish();
  } catch (error) {
    failure = error;
    if (fresh && !fresh.done) fresh.done = true;
  }
  if (playing !== mine) return;
  playing = undefined;
  dirty = true;
  mark();
  show();
  setStatus(summary(failure), failure !== undefined);
  if (!failure && !from && fresh.bytesIn < 1 << 20) {
    const {micros, passes} = await measure(joined(chunksOfAnswer()), fresh.events, options(), 40);
    if (run === fresh && Number.isFinite(micros)) showCost(micros, passes);
  }
}

function summary(failure) {
  if (failure) return String(failure.message ?? failure);
  if (!run.dialect) return 'This format is not known: the bytes pass through unchanged.';
  const all = [...run.choices.values()].flatMap((one) => [...one.citations.values()]);
  const count = (test) => all.filter(test).length;
  const parts = [
    [count(({verdict}) => verdict === 'supported'), 'supported'],
    [count(({verdict}) => verdict === 'contradicted'), 'contradicted'],
    [count(({verdict, status}) => status === 'resolved' && verdict !== 'supported' && verdict !== 'contradicted'), 'resolved'],
    [count(({status}) => status !== 'resolved'), 'without a source'],
  ].filter(([many]) => many > 0).map(([many, what]) => `${many} ${what}`);
  return `${all.length} citation${all.length === 1 ? '' : 's'}${parts.length ? `: ${parts.join(', ')}` : ''}.`;
}

function setStatus(text, failed = false) {
  $('status').textContent = text;
  $('status').classList.toggle('failed', failed);
}

/** The state of the buttons. */
function mark() {
  $('play').textContent = !playing ? 'Play again' : paused ? 'Continue' : 'Pause';
  document.body.dataset.state = !playing ? 'done' : paused ? 'paused' : 'playing';
}

function restart() {
  paused = false;
  stepping = 0;
  play();
}

// ---------------------------------------------------------------- drawing

/** What is shown of a long text: its end. */
const shownCharacters = 20000;
const shownChunks = 1500;
const shownRecord = 60000;

let dirty = false;

function keepWire(chunk) {
  let text = '';
  const binary = chunk.some((byte) => byte < 9);
  if (binary || isBinary) {
    isBinary = true;
    for (const byte of chunk) text += byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '·';
  } else {
    text = wireDecoder.decode(chunk, {stream: true});
  }
  wire.push(text);
  ++wireSize;
  if (wire.length > 2 * shownChunks) wire.splice(0, shownChunks);
}
let wireDecoder = new TextDecoder();
let isBinary = false;
let recordShown;

function resetViews() {
  wireDecoder = new TextDecoder();
  isBinary = false;
  $('received').replaceChildren();
  $('clean').replaceChildren();
  $('record').replaceChildren();
  recordShown = undefined;
  $('format').textContent = '';
  for (const lane of lanes) lane.reset();
  dirty = true;
}

/** Makes `parent` show `parts`, keeping what it shows already. A part: {tag, text, class, label, key}. */
function patch(parent, parts) {
  parts.forEach((part, at) => {
    let node = parent.childNodes[at];
    if (!node || node.partTag !== part.tag) {
      const made = part.tag ? document.createElement(part.tag) : document.createTextNode('');
      made.partTag = part.tag;
      if (node) node.replaceWith(made);
      else parent.append(made);
      node = made;
    }
    if (node.textContent !== part.text) {
      const text = part.tag ? node.firstChild : node;
      if (text === null) node.append(part.text);
      else if (part.text.startsWith(text.data)) text.appendData(part.text.slice(text.data.length));
      else text.data = part.text;
    }
    if (!part.tag) return;
    if (node.className !== part.class) node.className = part.class;
    if (part.label !== undefined && node.getAttribute('aria-label') !== part.label) node.setAttribute('aria-label', part.label);
    if (part.key !== undefined) node.dataset.key = part.key;
    if (part.tag === 'button') node.type = 'button';
  });
  while (parent.childNodes.length > parts.length) parent.lastChild.remove();
}

/** Scrolls to the end, unless the reader has scrolled away from it. */
function follow(element, draw) {
  const atEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - 40;
  draw();
  if (atEnd) element.scrollTop = element.scrollHeight;
}

function omitted(count, what) {
  return count > 0 ? [{tag: 'span', class: 'omitted', text: `${count.toLocaleString('en')} ${what} before this are not shown\n`}] : [];
}

function heading(index) {
  return run.choices.size > 1 ? [{tag: 'span', class: 'choice', text: `choice ${index}\n`}] : [];
}

/** The received text, in its deltas, with markers and what is undecided. */
function receivedParts(index, choice) {
  const {received, deltas, markers} = choice;
  const from = Math.max(0, received.length - shownCharacters);
  const undecided = received.length - run.heldText(choice).length;
  const inside = markers.filter(({end}) => end > from);
  const bounds = new Set([from, received.length, Math.max(undecided, from)]);
  for (const at of deltas) if (at > from) bounds.add(at);
  for (const {start, end} of inside) bounds.add(Math.max(start, from)).add(end);
  const sorted = [...bounds].sort((left, right) => left - right);
  let delta = deltas.findLastIndex((at) => at <= from);
  let marker = 0;
  const parts = [...heading(index), ...omitted(from, 'characters')];
  for (let i = 0; i + 1 < sorted.length; ++i) {
    const [start, end] = [sorted[i], sorted[i + 1]];
    while (delta + 1 < deltas.length && deltas[delta + 1] <= start) ++delta;
    while (marker < inside.length && inside[marker].end <= start) ++marker;
    const marked = marker < inside.length && inside[marker].start <= start;
    parts.push({tag: 'span', text: received.slice(start, end),
      class: `piece${delta % 2 ? ' odd' : ''}${marked ? ' marker' : start >= undecided ? ' undecided' : ''}`});
  }
  return parts;
}

const signs = {supported: '✓', contradicted: '✗', not_found: '?', unsure: '~'};

/** The clean text with its citations. A citation that the style writes is shown on its own words. */
function cleanParts(index, choice) {
  const {sent} = choice;
  const from = Math.max(0, sent.length - shownCharacters);
  const cites = [...choice.citations.values()].filter(({end}) => end >= from && end <= sent.length)
    .sort((left, right) => left.end - right.end || left.start - right.start);
  const parts = [...heading(index), ...omitted(from, 'characters')];
  let at = from;
  const text = (until) => {
    if (until > at) parts.push({text: sent.slice(at, until)});
    at = Math.max(at, until);
  };
  for (const cite of cites) {
    const written = cite.anchor !== 'claim' && cite.anchor !== 'block' && cite.origin !== 'provider' && cite.start >= at && cite.end > cite.start;
    text(written ? cite.start : cite.end);
    const words = written ? sent.slice(cite.start, cite.end) : String(cite.number || '?');
    if (written) at = cite.end;
    const sign = signs[cite.verdict] ?? (cite.status === 'unresolved' ? '!' : '');
    parts.push({tag: 'button', class: `chip ${cite.status === 'unresolved' ? 'unresolved' : cite.verdict ?? cite.status}${written ? ' written' : ''}`,
      text: sign ? `${words} ${sign}` : words, key: cite.key, label: `Citation ${cite.number}: ${describeCitation(cite)}`});
  }
  text(sent.length);
  const ghost = run.heldText(choice);
  if (ghost) parts.push({tag: 'span', class: 'ghost', text: ghost});
  return parts;
}

function describeCitation(cite) {
  const name = cite.title || cite.label || cite.identifier || 'source';
  const verdict = {supported: 'supported', contradicted: 'contradicted by its source', not_found: 'not found in its source', unsure: 'unsure'}[cite.verdict];
  return `${name.slice(0, 200)}, ${verdict ?? (cite.status === 'pending' ? 'source not known yet' : cite.status)}`;
}

/** JSON with its keys, strings and numbers marked. */
function jsonParts(text) {
  const parts = [];
  let at = 0;
  for (const {0: word, index} of text.matchAll(/"(?:[^"\\]|\\.)*"(?=:)|"(?:[^"\\]|\\.)*"|\b(?:true|false|null|-?\d[\d.eE+-]*)\b/g)) {
    if (index > at) parts.push({text: text.slice(at, index)});
    at = index + word.length;
    parts.push({tag: 'span', text: word, class: word[0] !== '"' ? 'number' : text[at] === ':' ? 'name' : 'string'});
  }
  if (at < text.length) parts.push({text: text.slice(at)});
  return parts;
}

/** The record; until it has arrived, the citations so far. */
function recordText() {
  if (run.record) return JSON.stringify(run.record, null, 2);
  const citations = [...run.choices.values()].flatMap((one) => [...one.citations.values()])
    .slice(0, 200).map(({key, type, delta, ...members}) => members);
  return citations.length ? JSON.stringify({citations}, null, 2) : '';
}

function show() {
  if (!run) return;
  dirty = false;
  follow($('received'), () => patch($('received'), view === 'text'
    ? [...run.choices].flatMap(([index, choice]) => receivedParts(index, choice))
    : [...omitted(wireSize - Math.min(wire.length, shownChunks), 'chunks'),
      ...wire.slice(-shownChunks).map((text, at, all) => ({tag: 'span', text, class: `piece${(wireSize - all.length + at) % 2 ? ' odd' : ''}`}))]));
  follow($('clean'), () => patch($('clean'), [...run.choices].flatMap(([index, choice]) => cleanParts(index, choice))));
  const text = recordText();
  if (text !== recordShown) {
    recordShown = text;
    patch($('record'), text.length > shownRecord
      ? [{text: text.slice(0, shownRecord)}, {tag: 'span', class: 'omitted', text: `\n${(text.length - shownRecord).toLocaleString('en')} more characters`}]
      : jsonParts(text));
  }
  $('format').textContent = run.dialect;
  for (const lane of lanes) lane.draw(run.chunks);
  document.body.dataset.chunks = String(run.chunks.length);
}

function loop() {
  if (dirty) show();
  requestAnimationFrame(loop);
}

// ---------------------------------------------------------------- time line

const bytes = (count) => count < 10000 ? `${count.toLocaleString('en')} B` : `${(count / 1000).toFixed(1)} kB`;

const lanes = [
  new Lane($('lanes'), 'Bytes in', (chunk) => chunk.in, true, () => `${bytes(run.bytesIn)} in ${run.chunks.filter((one) => one.in > 0).length.toLocaleString('en')} chunks`),
  new Lane($('lanes'), 'Bytes out', (chunk) => chunk.out, true, () => bytes(run.bytesOut)),
  new Lane($('lanes'), 'Held back', (chunk) => chunk.held, false, () => `${bytes(run.held)} now, at most ${bytes(run.heldMax)}`),
  new Lane($('lanes'), 'Time added', (chunk) => chunk.micros, false, timeSoFar),
];

/** The median of the last chunks: the first one takes much longer, because the code is compiled for it. */
function timeSoFar() {
  const micros = run.chunks.slice(-100).map((one) => one.micros).sort((left, right) => left - right);
  const median = micros[Math.floor(micros.length / 2)];
  return median > 0 ? `${Math.round(median)} µs a chunk in this browser` : '';
}

function showCost(micros, passes) {
  lanes[3].note = `${micros < 10 ? micros.toFixed(1) : Math.round(micros)} µs an event, the best of ${passes} passes`;
  dirty = true;
}

// ---------------------------------------------------------------- sources

let sourceChip;

function findCitation(key) {
  for (const choice of run.choices.values()) {
    for (const cite of choice.citations.values()) if (cite.key === key) return cite;
  }
  return undefined;
}

function openSource(chip) {
  const cite = findCitation(chip.dataset.key);
  if (!cite) return;
  const panel = $('source');
  panel.replaceChildren(...sourceContent(cite, closeSource));
  sourceChip = chip;
  panel.showPopover();
  const place = chip.getBoundingClientRect();
  const size = panel.getBoundingClientRect();
  const left = Math.max(8, Math.min(place.left, innerWidth - size.width - 8));
  const below = place.bottom + 8;
  const top = below + size.height < innerHeight ? below : Math.max(8, place.top - size.height - 8);
  panel.style.left = `${left}px`;
  panel.style.top = `${top}px`;
  panel.focus();
}

function closeSource() {
  if ($('source').matches(':popover-open')) $('source').hidePopover();
}

// ---------------------------------------------------------------- answers of one's own

const encoder = new TextEncoder();

function useBytes(given, name) {
  const text = new TextDecoder().decode(given.subarray(0, 1 << 16));
  let chunks;
  try {
    chunks = recordingOf(text) && recordingOf(new TextDecoder().decode(given));
  } catch (error) {
    return setStatus(`${name}: this recording cannot be read: ${error.message}`, true);
  }
  const binary = given.subarray(0, 64).some((byte) => byte < 9);
  const stream = binary || /^\s*\[?\s*\{\s*"/.test(text) || /^(?:data|event|id|retry)?:/m.test(text.slice(0, 2000));
  own = {chunks: chunks ?? (stream ? eventsOf(given) : fromText(new TextDecoder().decode(given)))};
  showOwn(name);
  restart();
}

function showOwn(name) {
  let option = $('protocol').querySelector('option[value=""]');
  if (!option && name) {
    option = new Option('', '');
    $('protocol').prepend(option);
  }
  if (name) {
    option.textContent = name;
    $('protocol').value = '';
  } else option?.remove();
}

let worker;

/** The chunks that the worker receives. */
async function* arriving(request) {
  worker = new Worker(new URL('./connect.js', import.meta.url));
  const queue = [];
  let wake = () => {};
  worker.addEventListener('message', ({data}) => {
    queue.push(data);
    wake();
  });
  worker.addEventListener('error', () => {
    queue.push({error: 'the page is not allowed to connect'});
    wake();
  });
  worker.postMessage(request);
  for (;;) {
    while (queue.length === 0) await new Promise((resolve) => void (wake = resolve));
    const {chunk, error, done} = queue.shift();
    if (error) throw new Error(error);
    if (done) return;
    yield* cut([chunk], Number(state.cut));
  }
}

async function* kept(chunks, into) {
  for await (const chunk of chunks) {
    into.push(chunk);
    yield chunk;
  }
}

function connect() {
  const url = endpoint($('url').value.trim(), state.protocol);
  const headers = {'content-type': 'application/json'};
  const key = $('key').value;
  if (key && new URL(url).hostname === 'api.anthropic.com') {
    Object.assign(headers, {'x-api-key': key, 'anthropic-version': '2023-06-01', 'anthropic-dangerous-direct-browser-access': 'true'});
  } else if (key) headers.authorization = `Bearer ${key}`;
  own = {chunks: []};
  showOwn(new URL(url).host);
  paused = false;
  play(kept(arriving({url, headers, body: $('body').value}), own.chunks));
}

// ---------------------------------------------------------------- controls

function toggle(button, drawer) {
  const open = $(drawer).hidden;
  $(drawer).hidden = !open;
  button.setAttribute('aria-expanded', String(open));
}

function press(group, pressed) {
  for (const one of group) one.setAttribute('aria-pressed', String(one === pressed));
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    setStatus(`${what} copied.`);
  } catch {
    setStatus(`The browser does not allow copying. ${what}: ${text}`);
  }
}

function addControls() {
  for (const [name, all] of Object.entries(choices)) $(name).append(...all.map(([value, title]) => new Option(title, value)));
  readFragment();
  $('body').value = JSON.stringify({model: 'llama3', stream: true, messages: [{role: 'user', content: 'How much did sales grow?'}]});
  $('settings').addEventListener('submit', (event) => event.preventDefault());
  $('settings').addEventListener('change', ({target}) => {
    if (target.id === 'protocol' && target.value !== '') {
      own = undefined;
      showOwn();
    }
    settingsChanged();
    if (target.id !== 'speed' || !playing) restart();
  });
  $('play').addEventListener('click', () => {
    if (!playing) return restart();
    paused = !paused;
    mark();
  });
  $('step').addEventListener('click', () => {
    const begins = !playing;
    paused = true;
    if (begins) play();
    stepping = begins ? 1 : stepping + 1;
    mark();
  });
  document.querySelector('.skip').addEventListener('click', (event) => {
    event.preventDefault();  // the fragment has the settings
    $('clean').focus();
  });
  $('own-button').addEventListener('click', ({currentTarget}) => toggle(currentTarget, 'own'));
  $('code-button').addEventListener('click', ({currentTarget}) => toggle(currentTarget, 'code'));
  $('share').addEventListener('click', () => copy(location.href, 'Link'));
  $('copy-code').addEventListener('click', () => copy($('snippet').textContent, 'Code'));
  const buttons = [...$('languages').querySelectorAll('[data-language]')];
  for (const one of buttons) {
    one.addEventListener('click', () => {
      language = one.dataset.language;
      press(buttons, one);
      describe();
    });
  }
  for (const name of ['as-text', 'as-bytes']) {
    $(name).addEventListener('click', () => {
      view = name === 'as-text' ? 'text' : 'bytes';
      press([$('as-text'), $('as-bytes')], $(name));
      $('received').replaceChildren();
      $('received').classList.toggle('wire', view === 'bytes');
      dirty = true;
    });
  }
  $('clean').addEventListener('click', ({target}) => {
    const chip = target.closest('button.chip');
    if (chip) openSource(chip);
  });
  $('source').addEventListener('toggle', ({newState}) => {
    if (newState === 'closed' && sourceChip?.isConnected) sourceChip.focus({preventScroll: true});
  });
  addOwnControls();
  addEventListener('hashchange', () => {
    readFragment();
    describe();
    restart();
  });
  addEventListener('resize', () => void (dirty = true));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => void (dirty = true));
}

function addOwnControls() {
  const openFile = async (file) => {
    if (!file) return;
    if (file.size > 64 << 20) return setStatus(`${file.name} is larger than 64 MB.`, true);
    let bytes;
    try {
      bytes = new Uint8Array(await file.arrayBuffer());
    } catch {
      return setStatus(`${file.name} cannot be read.`, true);  // a folder, for example
    }
    useBytes(bytes, file.name);
  };
  $('use-text').addEventListener('click', () => {
    if ($('text').value.trim() === '') return setStatus('There is no text to use.', true);
    useBytes(encoder.encode($('text').value), 'Your text');
  });
  $('file').addEventListener('change', ({target}) => openFile(target.files[0]));
  $('connect').addEventListener('submit', (event) => {
    event.preventDefault();
    if (/^https?:\/\//.test($('url').value.trim())) connect();
    else setStatus('The address has to begin with http:// or https://.', true);
  });
  let depth = 0;
  addEventListener('dragenter', () => void ($('drop').hidden = ++depth === 0));
  addEventListener('dragleave', () => void ($('drop').hidden = --depth <= 0));
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    depth = 0;
    $('drop').hidden = true;
    openFile(event.dataTransfer?.files[0]);
  });
}

addControls();
describe();
loop();
restart();
