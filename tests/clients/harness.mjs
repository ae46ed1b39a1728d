// Starts the real binary: recordings on one port and the proxy, or nginx with our module, in front of them on another.
import {spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {createServer as createHttpServer} from 'node:http';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {dirname} from 'node:path';
import {createInterface} from 'node:readline';
import {after} from 'node:test';
import {fileURLToPath} from 'node:url';

const binary = process.env.CITESTREAM_BINARY;
if (!binary) throw new Error('CITESTREAM_BINARY does not name the binary to test');

// Where `cert.pem` and `key.pem` are, if clients are to speak TLS with the proxy.
const tls = process.env.CITESTREAM_TLS;

// The nginx that replaces the proxy, if set: its program, our module, the template of its configuration.
const nginx = process.env.CITESTREAM_NGINX && {
  program: process.env.CITESTREAM_NGINX,
  module: process.env.CITESTREAM_NGINX_MODULE,
  configuration: process.env.CITESTREAM_NGINX_CONFIGURATION,
};

// The npm package that replaces the proxy, if set: the fetch that clients are given rewrites their answers.
const npm_package = process.env.CITESTREAM_PACKAGE && await import(`${process.env.CITESTREAM_PACKAGE}/citestream.js`);
let package_fetch;
const plain_fetch = globalThis.fetch;

// For clients that have no option for a fetch of one's own, and use that of the program.
if (process.env.CITESTREAM_PACKAGE_GLOBALLY) globalThis.fetch = (...given) => package_fetch(...given);

// The reason for skipping a test of the proxy, or false if the proxy is tested.
export const not_the_proxy = nginx ? 'nginx does this its own way' : npm_package ? 'there is no proxy' : false;

// What clients are told if the upstream closes the connection: the proxy's words, or those of fetch itself.
export const upstream_closed = npm_package ? /terminated/ : /upstream closed/;

// The option of clients with the package's fetch; nothing for the others.
export const own_fetch = npm_package && {fetch: (...given) => package_fetch(...given)};

// The errors that the AI SDK reports while it reads `result`.
export async function errors_of(ask) {
  const errors = [];
  await ask(({error}) => errors.push(error)).consumeStream();
  return errors;
}

// Whether clients use HTTP/2: only nginx supports it, over TLS.
export const has_http_2 = Boolean(nginx && tls);

export const streams = `${dirname(fileURLToPath(import.meta.url))}/streams`;

const patience_ms = 20_000;

// A disconnect is noticed within this time: less than the 15 s of silence after which a keep-alive comment is sent.
export const leaves_ms = 10_000;

// Polls `attempt` until its value is not undefined, and returns it. The error after `limit_ms` names what was waited for.
export async function eventually(what, attempt, limit_ms = patience_ms) {
  const until = Date.now() + limit_ms;
  for (;;) {
    const value = attempt();
    if (value !== undefined) return value;
    if (Date.now() > until) throw new Error(`waited ${limit_ms} ms for ${what}`);
    await new Promise((done) => setTimeout(done, 5));
  }
}

// A running `citestream` command, which prints its address to standard error.
export class Server {
  constructor(args, program = binary) {
    this.lines = [];
    this.old_lines = 0;  // number of lines from earlier tests
    this.child = spawn(program, args, {stdio: ['ignore', 'inherit', 'pipe']});
    this.ended = new Promise((done) => {
      this.child.on('error', (error) => done({error}));
      this.child.on('exit', (code, signal) => done({code, signal}));
    }).then((how) => (this.how = how));
    createInterface({input: this.child.stderr}).on('line', (line) => this.lines.push(line));
  }

  // Waits until it has printed an address with `scheme`.
  async listening(scheme = 'http') {
    const point = new RegExp(` on .*?(${scheme}://[^\\s,]+)`);
    this.url = await eventually(`${this.child.spawnargs.join(' ')} to listen`, () => {
      if (this.how) throw new Error(`${this.child.spawnargs.join(' ')} ended: ${this.said()}`);
      return this.lines.map((line) => point.exec(line)?.[1]).find(Boolean);
    });
    return this;
  }

  said() {
    return JSON.stringify({...this.how, stderr: this.lines});
  }

  // Waits for a line on standard error that was not there when the test started.
  async line(pattern, limit_ms) {
    return eventually(`${pattern} from ${this.said()}`, () => {
      const found = this.lines.slice(this.old_lines).find((line) => pattern.test(line));
      if (!found && this.how) throw new Error(`${this.child.spawnargs.join(' ')} ended: ${this.said()}`);
      return found;
    }, limit_ms);
  }

  // Ends it with a signal, and fails if its exit code is not 0.
  async stop(signal = 'SIGTERM') {
    this.child.kill(signal);
    const late = setTimeout(() => this.child.kill('SIGKILL'), patience_ms);
    const {code} = await this.ended;
    clearTimeout(late);
    if (code !== 0) throw new Error(`${this.child.spawnargs.join(' ')} ended badly: ${this.said()}`);
  }
}

async function free_port() {
  const probe = createServer();
  await new Promise((done) => probe.listen(0, '127.0.0.1', done));
  const {port} = probe.address();
  await new Promise((done) => probe.close(done));
  return port;
}

// nginx with our module on `port` in front of `upstream`, configured like the proxy's flags.
class Nginx extends Server {
  constructor(port, upstream, flags) {
    const folder = mkdtempSync(`${tmpdir()}/citestream-nginx-`);
    const secure = tls ? ` ssl http2; ssl_certificate ${tls}/cert.pem; ssl_certificate_key ${tls}/key.pem` : '';
    const options = flags.map((flag, i) => i % 2 === 0
        ? `citestream_${flag.slice('--'.length).replaceAll('-', '_')}` : ` "${flag}";`).join('');
    const values = {
      MODULE: nginx.module, USER: process.getuid() === 0 ? 'user root;' : '', FOLDER: folder,
      LISTEN: `127.0.0.1:${port}${secure}`, OPTIONS: options, UPSTREAM: upstream,
    };
    const text = readFileSync(nginx.configuration, 'utf8').replace(/@([A-Z]+)@/g, (_, name) => values[name]);
    writeFileSync(`${folder}/nginx.conf`, text);
    super(['-c', `${folder}/nginx.conf`, '-e', 'stderr'], nginx.program);
    this.ended.then(() => rmSync(folder, {recursive: true}));
    this.port = port;
  }

  async listening(scheme) {
    await this.line(/start worker process /);  // its port is open by then
    this.url = `${scheme}://127.0.0.1:${this.port}`;
    return this;
  }
}

// The npm package in this program, with the proxy's flags as options.
class Package {
  constructor(upstream, flags) {
    const options = {};
    const name = (flag) => flag.slice('--'.length).replace(/-(.)/g, (_, letter) => letter.toUpperCase());
    for (let i = 0; i < flags.length; ++i) options[name(flags[i])] = flags[i + 1]?.startsWith('--') ?? true ? true : flags[++i];
    this.fetch = npm_package.withCitations(plain_fetch, options);
    this.url = upstream;
    this.child = {kill: () => {}};
  }

  async listening() {
    package_fetch = this.fetch;
    return this;
  }

  said() {
    return 'the npm package';
  }

  async stop() {}
}

// The front before `upstream`, which does not listen yet.
export async function front_of(upstream, flags) {
  if (npm_package) return new Package(upstream, flags);
  if (nginx) return new Nginx(await free_port(), upstream, flags);
  const secure = tls
      ? ['--tls-listen', '127.0.0.1:0', '--tls-cert', `${tls}/cert.pem`, '--tls-key', `${tls}/key.pem`] : [];
  return new Server(['proxy', '--listen', '127.0.0.1:0', ...secure, '--upstream', upstream, ...flags]);
}

// Runs `use(url, front)` with a front before an upstream that answers each request with `answer(request, response)`.
// `flags` are more arguments for the front.
export async function front_before(answer, use, flags = []) {
  const upstream = createHttpServer(answer);
  await new Promise((done) => upstream.listen(0, '127.0.0.1', done));
  const front = await front_of(`http://127.0.0.1:${upstream.address().port}`, flags);
  try {
    await front.listening(tls ? 'https' : 'http');
    await use(front.url, front);
    await front.stop();
  } finally {
    front.child.kill();
    upstream.closeAllConnections();
    upstream.close();
  }
}

// An upstream that breaks the connection after the first `size_of(bytes)` bytes of a stream, by default half of them.
export const broken = (name, size_of = (bytes) => bytes.length / 2) => (_, response) => {
  const bytes = readFileSync(`${streams}/${name}`);
  const type = name.endsWith('.eventstream') ? 'application/vnd.amazon.eventstream' : 'text/event-stream';
  response.writeHead(200, {'content-type': type});
  response.write(bytes.subarray(0, size_of(bytes)), () => response.destroy());
};

// Replay and proxy by their arguments. Tests of a file with the same arguments share them.
const pairs = new Map();

// Runs `use({url, replay})` with a proxy in front of a replay of our streams and the demonstration answers.
// `replay` and `proxy` are more arguments for each; `url` is https:// if the tests run over TLS.
export async function through({replay = ['--pace', '0'], proxy = []}, use) {
  const key = JSON.stringify([replay, proxy]);
  if (!pairs.has(key)) {
    const files = readdirSync(streams).map((name) => `${streams}/${name}`);
    pairs.set(key, {upstream: new Server(['replay', '--demo', ...files, '--listen', '127.0.0.1:0', '--log', ...replay])});
  }
  const pair = pairs.get(key);
  try {
    await pair.upstream.listening();
    pair.relay ??= await front_of(pair.upstream.url, proxy);
    await pair.relay.listening(tls ? 'https' : 'http');
    pair.upstream.old_lines = pair.upstream.lines.length;
    await use({url: pair.relay.url, replay: pair.upstream});
  } catch (error) {
    error.message += `\n  replay: ${pair.upstream.said()}\n  proxy: ${pair.relay?.said()}`;
    throw error;
  }
}

// Ends all even if one fails, and reports the first failure. Node 22 exits with 0 when a hook throws, hence the exit code.
after(async () => {
  const servers = [...pairs.values()].flatMap(({upstream, relay}) => relay ? [relay, upstream] : [upstream]);
  const ends = await Promise.allSettled(servers.map((server) => server.stop()));
  const bad = ends.find((end) => end.status === 'rejected');
  if (!bad) return;
  process.exitCode = 1;
  throw bad.reason;
});
