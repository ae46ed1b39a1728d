// Starts the real binary: recordings on one port, the proxy before them on another.
import {spawn} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {dirname} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

const binary = process.env.CITESTREAM_BINARY;
if (!binary) throw new Error('CITESTREAM_BINARY does not name the binary to test');

// Where `cert.pem` and `key.pem` are, if clients are to speak TLS with the proxy.
const tls = process.env.CITESTREAM_TLS;

export const streams = `${dirname(fileURLToPath(import.meta.url))}/streams`;

const patience_ms = 20_000;

// A value of `attempt` that is not undefined, or an error that says what was waited for.
export async function eventually(what, attempt, limit_ms = patience_ms) {
  const until = Date.now() + limit_ms;
  for (;;) {
    const value = attempt();
    if (value !== undefined) return value;
    if (Date.now() > until) throw new Error(`waited ${limit_ms} ms for ${what}`);
    await new Promise((done) => setTimeout(done, 5));
  }
}

// One running `citestream` command that says on standard error where it listens.
export class Server {
  constructor(args) {
    this.lines = [];
    this.child = spawn(binary, args, {stdio: ['ignore', 'inherit', 'pipe']});
    this.ended = new Promise((done) => {
      this.child.on('error', (error) => done({error}));
      this.child.on('exit', (code, signal) => done({code, signal}));
    }).then((how) => (this.how = how));
    createInterface({input: this.child.stderr}).on('line', (line) => this.lines.push(line));
  }

  // Until it says where it listens with `scheme`.
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

  // Waits for a line on standard error.
  async line(pattern, limit_ms) {
    return eventually(`${pattern} from ${this.said()}`, () => this.lines.find((line) => pattern.test(line)), limit_ms);
  }

  // Ends it as a terminal would, and fails where it does not end well.
  async stop(signal = 'SIGTERM') {
    this.child.kill(signal);
    const late = setTimeout(() => this.child.kill('SIGKILL'), patience_ms);
    const {code} = await this.ended;
    clearTimeout(late);
    if (code !== 0) throw new Error(`${this.child.spawnargs.join(' ')} ended badly: ${this.said()}`);
  }
}

// Runs `use({url, replay, proxy})` with a proxy before a replay of our streams and the demonstration answers.
// `replay` and `proxy` are more arguments for each; `url` is https:// where the tests run over TLS.
export async function through({replay = ['--pace', '0'], proxy = []}, use) {
  const files = readdirSync(streams).map((name) => `${streams}/${name}`);
  const upstream = new Server(['replay', '--demo', ...files, '--listen', '127.0.0.1:0', '--log', ...replay]);
  let relay;
  let failed = true;
  try {
    await upstream.listening();
    const secure = tls
        ? ['--tls-listen', '127.0.0.1:0', '--tls-cert', `${tls}/cert.pem`, '--tls-key', `${tls}/key.pem`] : [];
    relay = new Server(['proxy', '--listen', '127.0.0.1:0', ...secure, '--upstream', upstream.url, ...proxy]);
    await relay.listening(tls ? 'https' : 'http');
    await use({url: relay.url, replay: upstream, proxy: relay});
    failed = false;
  } catch (error) {
    error.message += `\n  replay: ${upstream.said()}\n  proxy: ${relay?.said()}`;
    throw error;
  } finally {
    // Both end even where one of them does not end well; what failed first is what is reported.
    const ends = await Promise.allSettled([relay?.stop(), upstream.stop()]);
    const bad = ends.find((end) => end.status === 'rejected');
    if (bad && !failed) throw bad.reason;
  }
}
