/**
 * Clean text and checked citations from the event streams of language models.
 *
 * The work is done by a WebAssembly module (citestream.wasm), which is loaded when it is first needed. All streams of a
 * program share one instance of it. Bytes are copied into its memory and out of it; nothing else crosses the boundary.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Return values of citestream_mode(). */
const EVENTS = 2;
const JSON_BODY = 3;

/** errc::upstream_incomplete */
const INCOMPLETE = 7;

/** The error of a stream that ended inside an answer, and of options that are not valid. */
export class CitestreamError extends Error {
  name = 'CitestreamError';
}

/** One instance of the module. */
class Core {
  #calls;
  #sessions = new FinalizationRegistry((free) => free());

  constructor(instance) {
    this.#calls = instance.exports;
    this.#calls._initialize();
  }

  /** Calls an exported function. If it traps, new streams use another instance. */
  call(name, ...given) {
    try {
      return this.#calls[`citestream_${name}`](...given);
    } catch (error) {
      if (current.core === this) current = {};
      throw error;
    }
  }

  /** Calls `work` with the address of a copy of `bytes`. */
  withBytes(bytes, work) {
    const at = this.call('allocate', Math.max(bytes.length, 1));
    if (at === 0) throw new CitestreamError('out of memory');
    new Uint8Array(this.#calls.memory.buffer, at, bytes.length).set(bytes);
    try {
      return work(at);
    } finally {
      this.call('release', at);
    }
  }

  /** A copy of the result of the last call. */
  result() {
    const at = this.call('result');
    const [begin, size] = new Uint32Array(this.#calls.memory.buffer, at, 2);
    return new Uint8Array(this.#calls.memory.buffer, begin, size).slice();
  }

  text() {
    return decoder.decode(this.result());
  }

  message(code) {
    this.call('message', code);
    return this.text();
  }

  /** How an answer is to be handled. */
  mode(status, type, encoding) {
    const [first, second] = [encoder.encode(type), encoder.encode(encoding)];
    return this.withBytes(joined(first, second), (at) => this.call('mode', status, at, first.length, second.length));
  }

  /** A session with these options. It is freed with its owner at the latest. */
  session(options) {
    const made = this.call('options');
    try {
      for (const [name, value] of Object.entries(options)) this.#set(made, name, value);
      return new Session(this, this.call('session', made), this.#sessions);
    } finally {
      this.call('free_options', made);
    }
  }

  #set(options, name, value) {
    if (value === undefined) return;
    const key = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    for (const element of key === 'marker' && Array.isArray(value) ? value : [String(value)]) {
      const [first, second] = [encoder.encode(key), encoder.encode(element)];
      const refused = this.withBytes(joined(first, second), (at) =>
        this.call('set_option', options, at, first.length, second.length));
      if (refused) throw new CitestreamError(`${name}: '${element}' ${this.text()}`);
    }
  }
}

function joined(first, second) {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

/** One answer that is being rewritten. */
class Session {
  #core;
  #at;
  #registry;

  constructor(core, at, registry) {
    this.#core = core;
    this.#at = at;
    this.#registry = registry;
    registry.register(this, () => core.call('free_session', at), this);
  }

  write(bytes) {
    this.#core.withBytes(bytes, (at) => this.#core.call('write', this.#at, at, bytes.length));
    return this.#core.result();
  }

  /** The rest of the output, and whether the answer is incomplete. */
  finish(failure) {
    const message = encoder.encode(failure ? String(failure.message ?? failure) : '');
    const code = this.#core.withBytes(message, (at) =>
      this.#core.call('finish', this.#at, failure ? 1 : 0, at, message.length));
    return { rest: this.#core.result(), incomplete: code === INCOMPLETE };
  }

  body(bytes) {
    this.#core.withBytes(bytes, (at) => this.#core.call('body', this.#at, at, bytes.length));
    return this.#core.result();
  }

  /** The typed events since the last call. */
  events() {
    this.#core.call('events', this.#at);
    const lines = this.#core.text();
    return lines === '' ? [] : JSON.parse(`[${lines.trimEnd().replaceAll('\n', ',')}]`);
  }

  statistics() {
    this.#core.call('statistics', this.#at);
    return JSON.parse(this.#core.text());
  }

  free() {
    if (this.#at === 0) return;
    this.#registry.unregister(this);
    this.#core.call('free_session', this.#at);
    this.#at = 0;
  }
}

/** Counters of a stream that has not begun. */
const no_statistics = {
  events: 0, deltas: 0, bytesIn: 0, held: 0, heldMax: 0, abandoned: 0, passedThrough: 0, resolved: 0, unresolved: 0,
  pending: 0, dialect: '',
};

let current = {};
let compiled;

/**
 * Uses a module that is compiled already, for example one that a bundler or a worker imports. Otherwise citestream.wasm
 * next to this file is loaded.
 */
export function useModule(module) {
  compiled = Promise.resolve(module);
  current = {};
}

async function compile() {
  const place = new URL('./citestream.wasm', import.meta.url);
  if (place.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(place));
  }
  return WebAssembly.compileStreaming(fetch(place));
}

/** What the C library asks of its system. Only a failed assertion would write. */
const system = {
  environ_get: () => 0,
  environ_sizes_get: () => 0,
  fd_close: () => 0,
  fd_seek: () => 0,
  fd_write: () => 0,
  proc_exit: (code) => {
    throw new CitestreamError(`the module has ended with ${code}`);
  },
};

async function core() {
  const mine = current;
  mine.loading ??= (async () => {
    compiled ??= compile().catch((error) => {
      compiled = undefined;
      throw error;
    });
    const instance = await WebAssembly.instantiate(await compiled, { wasi_snapshot_preview1: system });
    mine.core = new Core(instance);
    return mine.core;
  })().catch((error) => {
    mine.loading = undefined;
    throw error;
  });
  return mine.loading;
}

/** A stream of bytes through a session, which is freed when it ends, fails or is cancelled. */
function rewritten(body, session) {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      // Each read yields at least one chunk, or is followed by another: an empty chunk would end the pulling.
      for (;;) {
        let read;
        try {
          read = await reader.read();
        } catch (error) {
          const { rest } = session.finish(error);
          session.free();
          if (rest.length > 0) controller.enqueue(rest);
          throw error;
        }
        if (read.done) {
          const { rest, incomplete } = session.finish();
          session.free();
          if (rest.length > 0) controller.enqueue(rest);
          if (incomplete) throw new CitestreamError('the stream ended inside the answer');
          controller.close();
          return;
        }
        const out = session.write(read.value);
        if (out.length > 0) return controller.enqueue(out);
      }
    },
    cancel(reason) {
      session.free();
      return reader.cancel(reason);
    },
  });
}

/** Rewrites the answer of a model: a `Response` with clean text, or `response` itself if it is not an answer. */
export async function citestream(response, options = {}) {
  const type = response.headers.get('content-type') ?? '';
  const loaded = await core();
  // fetch() has already decoded the body.
  const mode = response.body === null ? 0 : loaded.mode(response.status, type, '');
  if (mode !== EVENTS && mode !== JSON_BODY) return response;
  const session = loaded.session(options);
  const headers = new Headers(response.headers);
  for (const name of ['content-length', 'content-encoding', 'etag', 'digest', 'content-md5']) headers.delete(name);
  const { status, statusText } = response;
  if (mode === EVENTS) return new Response(rewritten(response.body, session), { status, statusText, headers });
  try {
    const body = session.body(new Uint8Array(await response.arrayBuffer()));
    return new Response(body, { status, statusText, headers });
  } finally {
    session.free();
  }
}

/** A `fetch` whose answers have clean text. All else passes through. */
export function withCitations(inner = globalThis.fetch, options = {}) {
  return async (...request) => citestream(await inner(...request), options);
}

/** Rewrites a stream of bytes. */
export class CitationStream extends TransformStream {
  #counters;

  constructor(options = {}) {
    let session;
    let counted = no_statistics;
    let bytesOut = 0;
    const end = () => {
      counted = session.statistics();
      session.free();
      session = undefined;
    };
    const send = (controller, bytes) => {
      bytesOut += bytes.length;
      if (bytes.length > 0) controller.enqueue(bytes);
    };
    super({
      async start() {
        session = (await core()).session(options);
      },
      transform(bytes, controller) {
        send(controller, session.write(bytes));
      },
      flush(controller) {
        const { rest, incomplete } = session.finish();
        end();
        send(controller, rest);
        if (incomplete) controller.error(new CitestreamError('the stream ended inside the answer'));
      },
      cancel() {
        if (session) end();
      },
    });
    this.#counters = () => ({ ...(session ? session.statistics() : counted), bytesOut });
  }

  /** Counters of the stream so far; those at its end if it has ended. */
  statistics() {
    return this.#counters();
  }
}

/** The typed events of a stream of bytes. */
export async function* events(body, options = {}) {
  const session = (await core()).session({ ...options, events: true });
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      session.write(value);
      yield* session.events();
    }
    const { incomplete } = session.finish();
    yield* session.events();
    if (incomplete) throw new CitestreamError('the stream ended inside the answer');
  } finally {
    session.free();
    await reader.cancel().catch(() => {});
  }
}

/** Rewrites one JSON body. */
export async function parse(text, options = {}) {
  const session = (await core()).session(options);
  try {
    return JSON.parse(decoder.decode(session.body(encoder.encode(text))));
  } finally {
    session.free();
  }
}
