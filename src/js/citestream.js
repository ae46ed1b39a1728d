/**
 * Clean text and checked citations from the event streams of language models.
 *
 * The work is done by a WebAssembly module, which is loaded when it is first needed: citestream.wasm, or citestream-full.wasm
 * for the options `check`, `egress` and `provenance`. All streams of a program share one instance of it. Bytes are copied into
 * its memory and out of it.
 *
 * If a call traps, its stream fails, and the memory that the call has used is lost. Running streams continue; new streams
 * get a new instance.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Return values of citestream_mode(). */
const EVENTS = 2;
const JSON_BODY = 3;

/** errc::upstream_incomplete */
const INCOMPLETE = 7;

/** Return values of citestream_endpoint(). */
const OTHER = 0;
const CHAT = 1;
const HISTORY = 3;

/** What citestream_request() does; its argument `work` is a sum of these. */
const READ_DOCUMENTS = 1;
const ADD_KEYS = 2;
const ADD_INSTRUCTIONS = 4;
const REQUEST_INLINE_CITATIONS = 8;
const REMOVE_OWN = 16;
const CONTENT_KEYS = 32;

/** Options that are about requests, and not about answers. */
const request_options = [
  'requestReferences', 'provenance', 'provenanceKeys', 'provenanceTools', 'provenanceAgents', 'citationInstructions',
  'inlineCitations',
];

/** The error of a stream that ended inside an answer, and of options that are not valid. */
export class CitestreamError extends Error {
  name = 'CitestreamError';
}

const nothing = new Uint8Array(0);
const incomplete_answer = () => new CitestreamError('the stream ended inside the answer');

/** A failure of a stream and its message. The reason may be any value, even one that String() cannot convert. */
function failureOf(given) {
  const reason = given ?? new Error('the stream failed');
  try {
    return { reason, message: String(reason.message ?? reason) };
  } catch {
    return { reason, message: 'the stream failed' };
  }
}

/** Bytes of a chunk. */
function bytesOf(chunk) {
  if (chunk instanceof Uint8Array) return chunk;
  if (ArrayBuffer.isView(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  if (chunk instanceof ArrayBuffer) return new Uint8Array(chunk);
  throw new TypeError('citestream: a chunk is neither a Uint8Array nor another view of bytes');
}

function joined(parts) {
  if (parts.length === 1) return parts[0];
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The names of options, each with the text that the module gets. */
function textsOf(options) {
  requestRules(options);  // options that the module does not check
  const out = [];
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || name === 'request' || (request_options.includes(name) && name !== 'provenance')) continue;
    try {
      if (name === 'references') out.push([name, JSON.stringify(value) ?? '']);
      else for (const element of name === 'marker' && Array.isArray(value) ? value : [value]) out.push([name, String(element)]);
    } catch (error) {  // a cycle, a BigInt, an object without toString()
      throw new CitestreamError(`${name}: ${error.message}`, { cause: error });
    }
  }
  return out;
}

/** One instance of a module. */
class Core {
  #calls = {};
  #bytes = new Uint8Array(0);
  #words = new Uint32Array(0);
  #kind;
  #stack;
  #sessions = new FinalizationRegistry((free) => free());

  /** Starts an instance of a compiled module. */
  static async start(module, kind) {
    const core = new Core();
    const instance = await WebAssembly.instantiate(module, { citestream: core.#imports(), wasi_snapshot_preview1: system });
    core.#kind = kind;
    for (const [name, value] of Object.entries(instance.exports)) core.#calls[name.replace('citestream_', '')] = value;
    core.#calls._initialize();
    core.#stack = core.#calls.__stack_pointer.value;
    // Tables hash with a key made of their address, which nothing else makes different from instance to instance.
    core.call('allocate', 1 + Math.floor(Math.random() * 65536));
    return core;
  }

  #imports() {
    const number = /^-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
    return {
      /** Parses a number; NaN if the text is not one, infinity if no double can hold it. */
      read_number: (at, size) => {
        const text = decoder.decode(new Uint8Array(this.#calls.memory.buffer, at >>> 0, size));
        if (!number.test(text)) return NaN;
        const value = Number(text);
        return value === 0 && /[1-9]/.test(text.split(/e/i)[0]) ? Infinity : value;
      },
      write_number: (value, at) =>
        encoder.encodeInto(value.toExponential(), new Uint8Array(this.#calls.memory.buffer, at >>> 0, 32)).written,
    };
  }

  /** Calls an exported function. */
  call(name, ...given) {
    try {
      return this.#calls[name](...given);
    } catch (error) {
      if (this.#kind.core === this) forget(this.#kind);
      this.#calls.__stack_pointer.value = this.#stack;
      try {
        this.#calls.recover();
      } catch {
        // There is not even memory for that. The others fail at their next call.
      }
      throw new CitestreamError(`the WebAssembly module failed: ${error.message}`, { cause: error });
    }
  }

  /** Calls a function with the arguments `leading`, the address of a copy of these bytes, and their sizes. */
  give(name, parts, ...leading) {
    return this.feed(name, this.copyOf(joined(parts)), parts.map((part) => part.length), ...leading);
  }

  /** Calls a function with the arguments `leading`, a copy of bytes at `at`, and the arguments `trailing`. Releases the copy. */
  feed(name, at, trailing, ...leading) {
    const result = this.call(name, ...leading, at, ...trailing);
    this.call('release', at);
    return result;
  }

  /** The address of a copy of `bytes`, to be released. */
  copyOf(bytes) {
    const at = this.call('allocate', Math.max(bytes.length, 1)) >>> 0;  // addresses above 2 GB arrive as negative numbers
    if (at === 0) throw new CitestreamError('out of memory');
    this.#view();
    this.#bytes.set(bytes, at);
    return at;
  }

  /** Recreates the views after memory has grown, which detaches them. */
  #view() {
    if (this.#bytes.length > 0) return;
    this.#bytes = new Uint8Array(this.#calls.memory.buffer);
    this.#words = new Uint32Array(this.#calls.memory.buffer);
  }

  /** A copy of the result of the last call. */
  result() {
    const at = this.call('result') >>> 0;
    this.#view();
    const begin = this.#words[at / 4];
    return this.#bytes.slice(begin, begin + this.#words[at / 4 + 1]);
  }

  text() {
    return decoder.decode(this.result());
  }

  /** How an answer is to be handled. */
  mode(status, type) {
    return this.give('mode', [encoder.encode(type)], status);
  }

  endpoint(path) {
    return this.give('endpoint', [encoder.encode(path)]);
  }

  asksForAnswer(method, path) {
    return this.give('asks', [encoder.encode(method), encoder.encode(path)]) === 1;
  }

  /** Calls `work` with options of the module. */
  #withOptions(options, work) {
    const texts = textsOf(options);  // may fail: nothing is allocated yet
    const made = this.call('options');
    for (const [name, text] of texts) {
      if (name === 'references') this.#addReferences(made, text);
      else this.#set(made, name, text);
    }
    if (this.call('conflict', made)) this.#refuse(made, this.text());
    const result = work(made);
    this.call('free_options', made);
    return result;
  }

  #refuse(made, message) {
    this.call('free_options', made);
    throw new CitestreamError(message);
  }

  #set(made, name, text) {
    const key = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const parts = [encoder.encode(key), encoder.encode(text)];
    if (this.give('set_option', parts, made)) {
      const reason = this.text();
      this.#refuse(made, reason === 'is not an option' ? `${name} ${reason}` : `${name}: '${text}' ${reason}`);
    }
  }

  #addReferences(made, text) {
    if (this.give('add_references', [encoder.encode(text)], made))
      this.#refuse(made, 'references: not a list of objects or texts');
  }

  #readRequest(made, { original, work, tools, agents }) {
    const parts = [original, encoder.encode(tools), encoder.encode(agents)];
    return this.give('request', parts, made, work);
  }

  /** The body to send instead of that of a request, and the code of an error. */
  rewriteRequest(request) {
    return this.#withOptions({}, (made) => ({ code: this.#readRequest(made, request), body: this.result() }));
  }

  /** Throws if options are not valid. */
  validate(options) {
    this.#withOptions(options, () => undefined);
  }

  /** A session with these options. It is freed with its owner at the latest. */
  session(options) {
    return this.#withOptions(options, (made) => {
      if (options.request !== undefined) this.#readRequest(made, requests.get(options.request));
      return new Session(this, this.call('session', made), this.#sessions);
    });
  }

  check(claim, question, references) {
    const parts = [claim, question, ...references].map((text) => encoder.encode(text));
    const sizes = new Uint8Array(Uint32Array.from(parts, (part) => part.length).buffer);
    const list = this.copyOf(sizes);
    this.feed('check', this.copyOf(joined(parts)), [list, parts.length]);
    const found = JSON.parse(this.text());
    this.call('release', list);
    return found;
  }
}

/** Frees a session. If that fails, call() has given up the instance, and with it the memory of the session. */
function release(core, at) {
  try {
    core.call('free_session', at);
  } catch {
    // A finalizer has no caller that could handle an error, and the stream has ended.
  }
}

/** One answer that is being rewritten. After free(), or after a call that has failed, it does nothing. */
class Session {
  #core;
  #at;
  #registry;
  #bytesOut = 0;
  #statistics = no_statistics;

  /** free() keeps the final counters. */
  keepsStatistics = false;

  constructor(core, at, registry) {
    this.#core = core;
    this.#at = at;
    this.#registry = registry;
    registry.register(this, () => release(core, at), this);
  }

  /** Calls a function of the session. If it fails, nothing else is called: memory of the session may not be consistent. */
  #feed(name, bytes, ...leading) {
    const at = this.#core.copyOf(bytes);  // without memory for the bytes the call does not begin: the session can be freed
    try {
      return this.#core.feed(name, at, [bytes.length], this.#at, ...leading);
    } catch (error) {
      this.#registry.unregister(this);
      this.#at = 0;
      throw error;
    }
  }

  get freed() {
    return this.#at === 0;
  }

  write(chunk) {
    if (this.freed) return nothing;
    this.#feed('write', bytesOf(chunk));
    return this.#output();
  }

  #output() {
    const out = this.#core.result();
    this.#bytesOut += out.length;
    return out;
  }

  /** The rest of the output, and whether the answer is incomplete. `failure`: the result of failureOf(), or undefined. */
  finish(failure) {
    if (this.freed) return { rest: nothing, incomplete: false };
    const failed = failure !== undefined;
    const message = failed ? encoder.encode(failure.message) : nothing;
    const code = this.#feed('finish', message, failed ? 1 : 0);
    return { rest: this.#output(), incomplete: code === INCOMPLETE };
  }

  body(bytes) {
    if (this.freed) return nothing;
    this.#feed('body', bytes);
    return this.#output();
  }

  /** The typed events since the last call. */
  events() {
    if (this.freed) return [];
    this.#core.call('events', this.#at);
    const lines = this.#core.text();
    return lines === '' ? [] : JSON.parse(`[${lines.trimEnd().replaceAll('\n', ',')}]`);
  }

  statistics() {
    if (this.freed) return this.#statistics;
    this.#core.call('statistics', this.#at);
    return { ...JSON.parse(this.#core.text()), bytesOut: this.#bytesOut };
  }

  free() {
    if (this.freed) return;
    if (this.keepsStatistics) this.#statistics = this.statistics();
    this.#registry.unregister(this);
    release(this.#core, this.#at);
    this.#at = 0;
  }
}

/** Counters of a stream that has not begun. */
const no_statistics = {
  events: 0, deltas: 0, bytesIn: 0, bytesOut: 0, held: 0, heldMax: 0, abandoned: 0, passedThrough: 0, resolved: 0, unresolved: 0,
  pending: 0, dialect: '',
};

/** The two modules: where they are, what they are compiled to, and the instance that new streams use. */
const small = { place: () => new URL('./citestream.wasm', import.meta.url) };
const full = { place: () => new URL('./citestream-full.wasm', import.meta.url) };

function forget(kind) {
  kind.core = kind.loading = undefined;
}

/**
 * Uses a module that is compiled already, or a promise of one, for example of a module that a bundler or a worker imports.
 * Otherwise citestream.wasm next to this file is loaded, or citestream-full.wasm if an option needs it. `whole`: module to use as
 * citestream-full.wasm.
 */
export function useModule(module, whole) {
  for (const [kind, given] of [[small, module], [full, whole]]) {
    if (given === undefined) continue;
    kind.compiled = Promise.resolve(given);
    kind.compiled.catch(() => {});
    forget(kind);
  }
}

/** That of the runtime, also if a program replaces it: `globalThis.fetch = withCitations(fetch)`. */
const load = globalThis.fetch;

async function compile(place) {
  if (place.protocol === 'file:') {
    // Not for bundlers, which have no such module.
    const files = 'node:fs/promises';
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ files);
    return WebAssembly.compile(await readFile(place));
  }
  const response = await load(place);
  if (!response.ok) throw new CitestreamError(`cannot load ${place}: status ${response.status}`);
  const typed = response.headers.get('content-type') === 'application/wasm';
  return typed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** WASI functions that the C library imports. */
const system = {
  fd_close: () => 0,
  fd_seek: () => 0,
  fd_write: () => 0,
  proc_exit: (code) => {
    throw new CitestreamError(`the module has ended with ${code}`);
  },
};

const off = [false, 0, 'false', 'off', '0'];

/** A boolean, or its text as the module reads it. */
function isOn(name, value) {
  if ([true, 1, 'true', 'on', '1'].includes(value)) return true;
  if (off.includes(value)) return false;
  throw new CitestreamError(`${name}: not one of on, off, true, false, 1, 0`);
}

/** The instance that new streams with these options use. */
function core({ check = 'off', egress = 'off', provenance = false, request }) {
  const smallSuffices =
    check === 'off' && egress === 'off' && off.includes(provenance) && !((requests.get(request)?.work ?? 0) & ADD_KEYS);
  const kind = smallSuffices ? small : full;
  kind.loading ??= (async () => {
    kind.compiled ??= compile(kind.place());
    try {
      return (kind.core = await Core.start(await kind.compiled, kind));
    } catch (error) {
      kind.compiled = undefined;
      forget(kind);
      throw error;
    }
  })();
  return kind.loading;
}

/** Options that are an object. */
function checkedOptions(options) {
  if (options === null || typeof options !== 'object') throw new CitestreamError('options: not an object');
  if (options.events !== undefined) throw new CitestreamError('events is not an option');
  if (options.request !== undefined && !requests.has(options.request))
    throw new CitestreamError('request: not from readRequest()');
  return options;
}

/** Cancels a source that has failed. Not awaited: if a clone is unread, it is only cancelled when the clone is, too. */
function abandon(leave, error) {
  leave(error).catch(() => {});
}

/**
 * Returns a stream that rewrites what `read` returns. The session is freed when the stream ends, fails or is cancelled.
 * Nothing is read in advance. If `signal` has aborted the request, the stream fails as it does without citestream.
 */
function rewritten(read, leave, started, signal) {
  let session;
  let failure;
  return new ReadableStream({
    async pull(controller) {
      // Each pull yields at least one chunk, or ends: a pull without a chunk would be the last.
      for (;;) {
        if (failure !== undefined) throw failure.reason;
        session ??= await started.catch((error) => {
          abandon(leave, error);
          throw error;
        });
        let chunk;
        let out;
        try {
          chunk = await read();
        } catch (error) {
          failure = failureOf(error);
        }
        if (session.freed) return;  // cancelled in the meantime
        if (failure !== undefined && signal?.aborted) {
          session.free();
          throw failure.reason;
        }
        if (chunk && !chunk.done) {
          try {
            out = session.write(chunk.value);
          } catch (error) {
            session.free();
            abandon(leave, error);
            throw error;
          }
        } else {
          let incomplete;
          try {
            ({ rest: out, incomplete } = session.finish(failure));
          } finally {
            session.free();
          }
          // Reported at the next pull: an error would discard what is not read yet.
          if (incomplete) failure ??= failureOf(incomplete_answer());
          if (failure === undefined) {
            if (out.length > 0) controller.enqueue(out);
            return controller.close();
          }
        }
        if (out.length > 0) return controller.enqueue(out);
      }
    },
    async cancel(reason) {
      await started.then((made) => made.free(), () => {});
      return leave(reason);
    },
  }, { highWaterMark: 0 });
}

/** Codings that fetch() decodes, not all of them in every runtime: Node 20 does not decode zstd, Deno does not decode deflate. */
const codings = ['gzip', 'x-gzip', 'deflate', 'br', 'zstd'];

/** The codings of a Content-Encoding. */
function codingsOf(encoding) {
  return encoding.split(',').map((coding) => coding.trim().toLowerCase()).filter((coding) => !['', 'identity'].includes(coding));
}

/**
 * Whether fetch() has decoded a body that begins with `bytes`. Most runtimes keep Content-Encoding, so it does not show that. A
 * decoded answer is text or, from AWS, a series of messages, and the length of a message begins with a zero byte.
 */
function isDecoded(bytes, type) {
  if (/^application\/vnd\.amazon\.eventstream/i.test(type)) return bytes.length === 0 || (bytes[0] === 0 && !(bytes[4] > 0));
  try {
    return !/[\0-\x08\x0e-\x1f]/.test(new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true }));
  } catch {
    return false;
  }
}

/** The beginning of an event stream, which no compressed body has. One of JSON may be that of Brotli. */
const eventStreamStart = /^\ufeff?\s*(?:(?:data|event|id|retry):|:[ \w\r\n])/;

/** The first bytes of a body: enough to tell an event stream, otherwise at least 16 if it has as many. `ahead` gets what is read. */
async function beginningOf(reader, ahead) {
  let bytes = nothing;
  while (bytes.length < 16 && !eventStreamStart.test(new TextDecoder().decode(bytes))) {
    const next = reader.read();
    ahead.push(next);
    const { done, value } = await next.catch(() => ({ done: true }));
    if (done) break;
    bytes = joined([bytes, bytesOf(value)]);
  }
  return bytes;
}

/** The first byte of a JSON text, or of a part of it, after a byte order mark and white space. Undefined if there is no other. */
const firstByte = (bytes) => bytes.find((byte) => ![0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].includes(byte));

/** Headers that describe the exact bytes of a body, or ranges of it. */
const exactFields = ['content-length', 'etag', 'content-md5', 'digest', 'content-digest', 'repr-digest', 'accept-ranges'];

/** A response with another body. What its constructor cannot set is copied. `same`: the body has the same bytes. */
function withBody(response, body, same = false) {
  const headers = new Headers(response.headers);
  for (const name of same ? [] : [...exactFields, 'content-encoding']) headers.delete(name);
  const { status, statusText, url, redirected, type } = response;
  const made = new Response(body, { status, statusText, headers });
  const clone = () => withBody(made, Response.prototype.clone.call(made).body, true);
  for (const [name, value] of Object.entries({ url, redirected, type, clone })) {
    if (made[name] !== value) Object.defineProperty(made, name, { value, configurable: true });
  }
  return made;
}

/** A stream of what `read` returns. */
function unchanged(read, leave) {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: leave,
  }, { highWaterMark: 0 });
}

/** `json`: whether a JSON body is an answer, too. `signal`: that of the request. */
async function cleaned(response, options, json, signal) {
  const loaded = await core(options);
  const encoded = codingsOf(response.headers.get('content-encoding') ?? '');
  if (response.body === null || !encoded.every((coding) => codings.includes(coding))) return response;
  if (typeof response.body.getReader !== 'function') throw new TypeError('citestream: the body of the response is not a ReadableStream');
  const type = response.headers.get('content-type') ?? '';
  const mode = loaded.mode(response.status, type);
  if (mode !== EVENTS && !(mode === JSON_BODY && json)) return response;

  const reader = response.body.getReader();
  const ahead = [];  // results of reads, and promises of them
  const read = () => (ahead.length > 0 ? ahead.shift() : reader.read());
  const leave = (reason) => reader.cancel(reason);
  const stream = () => withBody(response, rewritten(read, leave, Promise.resolve(loaded.session(options)), signal));
  try {
    if (encoded.length > 0 && !isDecoded(await beginningOf(reader, ahead), type))
      return withBody(response, unchanged(read, leave), true);
    if (mode === EVENTS) return stream();
    // A list in a JSON answer is a stream, and its elements are events.
    const chunks = [];
    let first;
    for (;;) {
      const { done, value } = await read();
      if (done) break;
      chunks.push(bytesOf(value));
      first ??= firstByte(chunks.at(-1));
      if (first !== 0x5b) continue;
      ahead.unshift(...chunks.map((bytes) => ({ done: false, value: bytes })));
      return stream();
    }
    const session = loaded.session(options);
    try {
      return withBody(response, session.body(joined([nothing, ...chunks])));
    } finally {
      session.free();
    }
  } catch (error) {
    abandon(leave, error);
    throw error;
  }
}

/** Rewrites the answer of a model: a `Response` with clean text, or `response` itself if it is not an answer. */
export async function citestream(response, options = {}) {
  (await core(checkedOptions(options))).validate(options);
  return cleaned(response, options, true);
}

/** What readRequest() has read: the original, and what was done with it. */
const requests = new WeakMap();

/** Names as the module gets them. */
function namesOf(name, names) {
  if (![names].flat().every((one) => typeof one === 'string')) throw new CitestreamError(`${name}: not a text or a list of texts`);
  return String(names);
}

/** What the options say about requests. Fails if one of them is not valid. */
function requestRules(options) {
  const { requestReferences = true, provenance = false, citationInstructions = true, inlineCitations = false } = options;
  const keys = options.provenanceKeys ?? 'counter';
  if (!['counter', 'content'].includes(keys)) throw new CitestreamError('provenanceKeys: not one of counter, content');
  return {
    references: isOn('requestReferences', requestReferences),
    keys: isOn('provenance', provenance),
    content: keys === 'content',
    tools: namesOf('provenanceTools', options.provenanceTools ?? ''),
    agents: namesOf('provenanceAgents', options.provenanceAgents ?? ''),
    instructions: isOn('citationInstructions', citationInstructions),
    inline: isOn('inlineCitations', inlineCitations),
  };
}

/** What is done with the body of a request, as the options say. */
function rulesOf(options, original, { endpoint, signed }) {
  const { references, keys, content, tools, agents, instructions, inline } = requestRules(options);
  const chat = endpoint === CHAT;
  const wanted = [
    [READ_DOCUMENTS, references && chat],
    [ADD_KEYS, keys && chat && !signed],
    [ADD_INSTRUCTIONS, instructions],
    [REQUEST_INLINE_CITATIONS, inline && endpoint !== HISTORY && !signed],
    [REMOVE_OWN, !signed],
    [CONTENT_KEYS, content],
  ];
  const work = wanted.reduce((sum, [bit, on]) => sum + (on ? bit : 0), 0);
  return { original, work, tools, agents };
}

/** `given`: the body as the caller has it, to be sent if it does not change. */
function readWith(loaded, rules, given) {
  const { code, body } = loaded.rewriteRequest(rules);
  const text = decoder.decode(body);
  const changed = code === 0 && text !== decoder.decode(rules.original);
  const request = { body: changed ? text : given, read: code === 0 };
  requests.set(request, rules);
  return request;
}

/**
 * Reads the body of a chat request, so that its answer can cite documents and results of tools in it. `body` of the result is
 * the body to send. Give the result as the option `request` with the answer.
 */
export async function readRequest(body, options = {}) {
  const loaded = await core(checkedOptions(options));
  loaded.validate(options);
  const original = typeof body === 'string' ? encoder.encode(body) : bytesOf(body);
  return readWith(loaded, rulesOf(options, original, { endpoint: CHAT, signed: false }), body);
}

/** Method, path, headers and signal of the request that fetch(input, init) sends, and the `Request` object if there is one. */
function factsOf(input, init) {
  const requestObject = typeof input === 'object' && input !== null && typeof input.url === 'string' ? input : undefined;
  const url = requestObject ? requestObject.url : String(input);
  const headers = new Headers(init?.headers ?? requestObject?.headers ?? {});
  const method = String(init?.method ?? requestObject?.method ?? 'GET').toUpperCase();
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*/, '');
  const signal = init?.signal ?? requestObject?.signal;
  return { requestObject, headers, method, path, signal };
}

/** The bytes of a body that can be read again; undefined for streams and forms, which pass through. */
async function bodyOf(init, requestObject) {
  const body = init?.body;
  if (body === undefined || body === null)
    return requestObject?.body && !requestObject.bodyUsed ? new Uint8Array(await requestObject.clone().arrayBuffer()) : undefined;
  if (typeof body === 'string') return encoder.encode(body);
  if (body instanceof Blob) return new Uint8Array(await body.arrayBuffer());
  return body instanceof ArrayBuffer || ArrayBuffer.isView(body) ? bytesOf(body) : undefined;
}

/** Whether a signature covers the body: AWS Signature Version 4, in a field or in the query. */
function isSigned(headers, path) {
  const names = [...new URLSearchParams(path.split('?').slice(1).join('?')).keys()].map((name) => name.toLowerCase());
  const presigned = names.includes('x-amz-signature') || names.includes('x-amz-algorithm');
  return presigned || (headers.get('authorization') ?? '').startsWith('AWS4-');
}

/** The arguments for the inner fetch, and options for the answer. */
async function prepared(loaded, input, init, options, { requestObject, headers, method, path }) {
  const same = { arguments: init === undefined ? [input] : [input, init], options: { ...options, provenance: undefined } };
  const endpoint = method === 'POST' ? loaded.endpoint(path) : OTHER;
  if (endpoint === OTHER || headers.has('content-encoding')) return same;
  const original = await bodyOf(init, requestObject);
  const type = (headers.get('content-type') ?? '').split(';')[0].trim().toLowerCase();
  if (original === undefined || (type !== 'application/json' && firstByte(original) !== 0x7b)) return same;
  const rules = rulesOf(options, original, { endpoint, signed: isSigned(headers, path) });
  const request = readWith(loaded, rules, original);
  const answered = { ...options, provenance: undefined, request };
  if (request.body === original) return { ...same, options: answered };
  for (const name of exactFields) headers.delete(name);
  return { arguments: [input, { ...init, headers, method, body: request.body }], options: answered };
}

/**
 * A `fetch` whose answers have clean text. Requests change only if an option requests it, except that citations which citestream
 * has added to earlier answers are removed.
 */
export function withCitations(inner = globalThis.fetch, options = {}) {
  if (typeof inner !== 'function') throw new CitestreamError('fetch: not a function');
  checkedOptions(options);
  return async (input, init) => {
    const loaded = await core(options);
    loaded.validate(options);  // before the request is sent, which may cost something
    const facts = factsOf(input, init);
    const request = await prepared(loaded, input, init, options, facts);
    const response = await inner.call(globalThis, ...request.arguments);
    return cleaned(response, request.options, loaded.asksForAnswer(facts.method, facts.path), facts.signal);
  };
}

/** Rewrites a stream of bytes: a pair of streams for `pipeThrough()`. */
export class CitationStream {
  #session;

  constructor(options = {}) {
    const started = core(checkedOptions(options)).then((loaded) => {
      this.#session = loaded.session(options);
      this.#session.keepsStatistics = true;
      return this.#session;
    });
    started.catch(() => {});
    const between = new TransformStream(undefined, { highWaterMark: 1 }, { highWaterMark: 0 });
    const reader = between.readable.getReader();
    this.writable = between.writable;
    this.readable = rewritten(() => reader.read(), (reason) => reader.cancel(reason), started);
  }

  /** Counters of the stream so far; those at its end if it has ended. */
  statistics() {
    return { ...(this.#session?.statistics() ?? no_statistics) };
  }
}

/** Chunks of a stream of bytes, of a `Response` or of anything that can be iterated. */
function chunksOf(source) {
  const body = source instanceof Response ? source.body : source;
  if (body === null) return { next: async () => ({ done: true }), leave: async () => {} };
  if (typeof body.getReader === 'function') {
    const reader = body.getReader();
    return { next: () => reader.read(), leave: () => reader.cancel() };
  }
  const iterator = body[Symbol.asyncIterator]?.() ?? body[Symbol.iterator]();
  return { next: async () => iterator.next(), leave: async () => iterator.return?.() };
}

/** The typed events of a stream of bytes. */
export async function* events(body, options = {}) {
  const session = (await core(checkedOptions(options))).session({ ...options, events: true });
  let source;
  try {
    source = chunksOf(body);
    let failure;
    for (;;) {
      const { done, value } = await source.next().catch((error) => ({ done: true, value: (failure = failureOf(error)) }));
      if (done) break;
      session.write(value);
      yield* session.events();
    }
    const { incomplete } = session.finish(failure);
    yield* session.events();
    if (failure !== undefined) throw failure.reason;
    if (incomplete) throw incomplete_answer();
  } finally {
    session.free();
    await source?.leave().catch(() => {});
  }
}

/** Rewrites one JSON body. */
export async function parse(text, options = {}) {
  const session = (await core(checkedOptions(options))).session(options);
  try {
    return JSON.parse(decoder.decode(session.body(typeof text === 'string' ? encoder.encode(text) : bytesOf(text))));
  } finally {
    session.free();
  }
}

/** How much of a claim is in the texts that it cites. */
export async function check(claim, references, { question } = {}) {
  return (await core({ check: 'report' })).check(String(claim), String(question ?? ''), references.map(String));
}
