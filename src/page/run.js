/**
 * One answer on its way through citestream, chunk by chunk.
 *
 * Three sessions get the same chunks. The first rewrites the bytes, as the proxy does: what it returns and its counters are
 * the time line and the record. The second returns typed events: the clean text. The third has the style `keep`, which
 * changes and holds back nothing: its text is what the provider has sent so far, and its citations say where the markers
 * are in it. The text that is held back is the end of that text; the counter `held` says how many bytes it has.
 *
 * push() returns when all three have used a chunk up, so what is shown after it is what a client has at that moment.
 */
import {CitationStream, events} from './citestream/citestream.js';

const encoder = new TextEncoder();

/** The typed events of a session, passed to `take`. */
class Reading {
  #writer;
  #end;

  constructor(options, take) {
    const {readable, writable} = new TransformStream(undefined, undefined, {highWaterMark: 0});
    this.#writer = writable.getWriter();
    this.#writer.closed.catch(() => {});  // push() and close() report it
    this.#end = (async () => {
      for await (const event of events(readable, options)) take(event);
    })();
    this.#end.catch((error) => this.#writer.abort(error));
  }

  /** The empty chunk is taken when the session asks for more: it has then used up `chunk`. */
  async push(chunk) {
    await Promise.all([this.#writer.write(chunk), this.#writer.write(new Uint8Array())]);
  }

  async close() {
    await this.#writer.close().catch(() => {});
    await this.#end;
  }
}

/** The last `bytes` bytes of UTF-8 of a text, as characters. */
function tail(text, bytes) {
  let at = text.length;
  while (bytes > 0 && at > 0) {
    const code = text.charCodeAt(--at);
    if (code >= 0xdc00 && code < 0xe000 && at > 0) --at, bytes -= 4;
    else bytes -= code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
  }
  return text.slice(at);
}

/** What is known of one choice. Positions are UTF-16, as in JavaScript. */
class Choice {
  received = '';
  /** Where each delta begins. */
  deltas = [];
  markers = [];
  sent = '';
  /** The citations by their place, for chips. */
  citations = new Map();

  takeReceived(event) {
    if (event.type === 'text') {
      if (event.text === '') return;
      this.deltas.push(this.received.length);
      this.received += event.text;
    }
    if (event.type === 'citation' && event.end > event.start) this.markers.push({start: event.start, end: event.end});
  }

  takeSent(event) {
    if (event.type === 'text') this.sent += event.text;
    if (event.type === 'citation' || event.type === 'resolved') {
      const key = `${event.start}:${event.end}:${event.number}:${event.identifier}`;
      this.citations.set(key, {...this.citations.get(key), ...event, key: `${event.choice}:${key}`});
    }
  }

  /** How much of the received text has been used up, from the last marker. Exact up to removed spaces. */
  get used() {
    const last = this.markers.at(-1);
    const cited = [...this.citations.values()].filter(({type, origin}) => type === 'citation' || origin !== 'provider');
    if (!last || cited.length < this.markers.length) return this.sent.length;
    return last.end + this.sent.length - Math.max(...cited.map(({end}) => end));
  }
}

const recordStarts = ['"citestream":{', '"type":"data-citestream","data":{', '"name":"citestream","value":{'];

/** The JSON object that begins at `at`. */
function objectAt(text, at) {
  let depth = 0;
  let quoted = false;
  for (let end = at; end < text.length; ++end) {
    const code = text[end];
    if (quoted) {
      if (code === '\\') ++end;
      else if (code === '"') quoted = false;
    } else if (code === '"') quoted = true;
    else if (code === '{') ++depth;
    else if (code === '}' && --depth === 0) return text.slice(at, end + 1);
  }
  return undefined;
}

/** The last record in the bytes that were sent. */
function recordIn(text) {
  const decoded = text.replace(/"bytes":"([A-Za-z0-9+/=]+)"/g, (_, encoded) => {
    try {
      return new TextDecoder().decode(Uint8Array.from(atob(encoded), (one) => one.charCodeAt(0)));
    } catch {
      return encoded;
    }
  });
  let best;
  for (const start of recordStarts) {
    const at = decoded.lastIndexOf(start);
    if (at < 0 || (best && at < best.at)) continue;
    try {
      best = {at, record: JSON.parse(objectAt(decoded, at + start.length - 1))};
    } catch {
      // Not complete yet.
    }
  }
  return best?.record;
}

/** The last characters of the output, in which the record is looked for. */
const outputKept = 4 << 20;

export class Run {
  choices = new Map();
  /** Per chunk: bytes in and out, bytes held after it, microseconds. */
  chunks = [];
  bytesIn = 0;
  bytesOut = 0;
  held = 0;
  heldMax = 0;
  dialect = '';
  events = 0;
  done = false;
  record;
  #stream;
  #writer;
  #out;
  #outText = '';
  #decoder = new TextDecoder();
  #received;
  #sent;

  /** `options` are those of the package. */
  constructor(options) {
    const shown = {...options, offsets: 'utf16'};
    this.#stream = new CitationStream(options);
    this.#writer = this.#stream.writable.getWriter();
    this.#out = this.#read(this.#stream.readable.getReader());
    this.#writer.closed.catch(() => {});
    this.#out.catch(() => {});
    this.#received = new Reading({...shown, style: 'keep', egress: 'off', check: 'off'}, (event) => this.choice(event.choice).takeReceived(event));
    this.#sent = new Reading(shown, (event) => this.choice(event.choice).takeSent(event));
  }

  choice(index) {
    if (!this.choices.has(index)) this.choices.set(index, new Choice());
    return this.choices.get(index);
  }

  async #read(reader) {
    for (;;) {
      const {done, value} = await reader.read();
      if (done) break;
      this.bytesOut += value.length;
      this.#outText += this.#decoder.decode(value, {stream: true});
      if (this.#outText.length > 2 * outputKept) this.#outText = this.#outText.slice(-outputKept);  // copies what is kept
    }
  }

  #count(size, before, started, ended) {
    const {held, dialect, events} = this.#stream.statistics();
    this.held = this.done ? 0 : held;
    this.heldMax = Math.max(this.heldMax, this.held);
    this.dialect = dialect;
    this.events = events;
    this.chunks.push({in: size, out: this.bytesOut - before, held: this.held, micros: (ended - started) * 1000});
  }

  /** Loads the modules. After it, no chunk waits for anything: a chunk is used up before the page handles its next event. */
  async begin() {
    const nothing = new Uint8Array();
    await Promise.all([this.#writer.write(nothing), this.#received.push(nothing), this.#sent.push(nothing)]);
  }

  /** Passes one chunk through. */
  async push(chunk) {
    const before = this.bytesOut;
    const started = performance.now();
    await this.#writer.write(chunk);
    const ended = performance.now();
    await this.#writer.ready;
    this.bytesIn += chunk.length;
    this.#count(chunk.length, before, started, ended);
    await this.#received.push(chunk);
    await this.#sent.push(chunk);
  }

  /** Ends the answer. Throws what is wrong with it. */
  async finish() {
    const before = this.bytesOut;
    const started = performance.now();
    const results = await Promise.allSettled([this.#writer.close().then(() => this.#out), this.#received.close(), this.#sent.close()]);
    this.done = true;
    this.#count(0, before, started, started);
    this.held = 0;
    this.record = recordIn(this.#outText);
    const failed = results.find(({status}) => status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Gives the sessions back before the end. */
  abandon() {
    this.#writer.abort().catch(() => {});
    this.#received.close().catch(() => {});
    this.#sent.close().catch(() => {});
  }

  /** The text of a choice that has been received and not sent. */
  heldText(choice) {
    if (this.done || this.held === 0) return '';
    if (this.choices.size === 1) return tail(choice.received, this.held);
    return choice.received.slice(Math.min(choice.used, choice.received.length));
  }
}

/**
 * Microseconds per event that citestream takes, measured for about `milliseconds`. Each pass is a whole answer in one chunk, so
 * that what a browser's streams take for each chunk is not counted; the fastest pass counts.
 */
export async function measure(answer, count, options, milliseconds) {
  let passes = 0;
  let spent = 0;
  let best = Infinity;
  while (spent < milliseconds && count > 0) {
    const stream = new CitationStream(options);
    const reading = new Response(stream.readable).arrayBuffer().catch(() => {});
    const writer = stream.writable.getWriter();
    writer.closed.catch(() => {});
    try {
      await writer.write(new Uint8Array());  // the session exists
      const started = performance.now();
      await writer.write(answer);
      const time = performance.now() - started;
      spent += time;
      if (time > 0) best = Math.min(best, time);
      await writer.close();
    } catch {
      // An answer that ends early is measured, too.
    }
    await reading;
    if (++passes === 1000) break;
  }
  return {micros: best * 1000 / count, passes};
}

/** Divides bytes into their events: lines, blocks of lines, or binary messages. */
export function eventsOf(bytes) {
  const out = [];
  let at = 0;
  if (bytes.length > 12 && bytes[0] === 0) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    while (at + 4 <= bytes.length) {
      const size = view.getUint32(at);
      if (size < 16 || at + size > bytes.length) break;
      out.push(bytes.subarray(at, at += size));
    }
  } else {
    const lines = bytes[0] === 0x7b;
    for (let next = bytes.indexOf(10, at); next >= 0; next = bytes.indexOf(10, next + 1)) {
      const blank = bytes[next + 1] === 10 || (bytes[next + 1] === 13 && bytes[next + 2] === 10);
      if (!lines && !blank) continue;
      const end = lines ? next + 1 : next + (bytes[next + 1] === 10 ? 2 : 3);
      out.push(bytes.subarray(at, end));
      at = next = end;
      --next;
    }
  }
  for (; at < bytes.length; at += 512) out.push(bytes.subarray(at, at + 512));
  return out;
}

/** The pieces of a recording with times, or nothing. */
export function recordingOf(text) {
  if (!/^\s*\{"citestream_recording"/.test(text)) return undefined;
  return text.split('\n').slice(1).filter((one) => one.trim() !== '').map((one) => {
    const [, bytes, base64] = JSON.parse(one);
    return base64 ? Uint8Array.from(atob(bytes), (byte) => byte.charCodeAt(0)) : encoder.encode(bytes);
  });
}

/** Divides chunks again, into pieces of `size` bytes. */
export function* cut(chunks, size) {
  for (const chunk of chunks) {
    if (!size) yield chunk;
    else for (let at = 0; at < chunk.length; at += size) yield chunk.subarray(at, at + size);
  }
}
