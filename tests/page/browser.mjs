// A browser of the system, `citestream play`, and what every test of the page needs of both.
import assert from 'node:assert/strict';
import {spawn, spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';

export const {CITESTREAM_BINARY: binary, CITESTREAM_ROOT: root} = process.env;
export const answers = await import(`${root}/src/page/examples.js`);

const programs = {
  chromium: {browser: 'chrome', args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--force-color-profile=srgb', '--font-render-hinting=none', '--hide-scrollbars']},
  'firefox-esr': {browser: 'firefox', args: []},
};

/** The path of a program, or nothing. */
export function pathOf(name) {
  return spawnSync('sh', ['-c', `command -v ${name}`]).stdout.toString().trim() || undefined;
}

/** Starts `citestream` and resolves with the process and what `pattern` matches in its output. */
export function serve(arguments_, pattern) {
  const child = spawn(binary, arguments_, {stdio: ['ignore', 'pipe', 'pipe']});
  let shown = '';
  return new Promise((resolve, reject) => {
    const take = (bytes) => {
      shown += bytes;
      const found = shown.match(pattern);
      if (found) resolve({child, url: found[1], shown: () => shown});
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('exit', () => reject(new Error(`it ended: ${shown}`)));
  });
}
export const play = () => serve(['play'], /open (http:\/\/\S+\/) in a browser/);

export async function launch(name) {
  const {default: puppeteer} = await import('puppeteer-core');
  const profile = mkdtempSync(`${tmpdir()}/citestream-page-`);
  const {browser, args} = programs[name];
  const started = await puppeteer.launch({browser, executablePath: pathOf(name), headless: true, userDataDir: profile, args, protocolTimeout: 120000,
    env: {...process.env, HOME: profile, MOZ_DISABLE_CONTENT_SANDBOX: '1'}});
  return {browser: started, close: async () => {
    await started.close();
    rmSync(profile, {recursive: true, force: true, maxRetries: 5});
  }};
}

/** A tab with the page. It notes every message of the console, error and request. */
export class Tab {
  /** Addresses that the page may connect to, besides its own. */
  allowed = [];
  /** Messages that a test expects. */
  expected = [];
  #trouble = [];

  static async open(browser, url, hash = 'speed=', {media = []} = {}) {
    const tab = new Tab();
    tab.url = url;
    tab.page = await browser.newPage();
    tab.page.setDefaultTimeout(120000);  // for a busy machine
    await tab.page.setViewport({width: 1280, height: 900});
    tab.page.on('console', (message) => {
      if (['error', 'warn', 'warning'].includes(message.type())) tab.#trouble.push(`console: ${message.text()}`);
    });
    tab.page.on('pageerror', (error) => tab.#trouble.push(`error: ${error.message ?? error}`));
    tab.page.on('request', (request) => {
      const to = request.url();
      const own = to.startsWith(url) || /^(data|blob|about):/.test(to) || tab.allowed.some((one) => to.startsWith(one));
      if (!own) tab.#trouble.push(`request: ${to}`);
    });
    if (media.length) await tab.page.emulateMediaFeatures(media);
    await tab.go(hash);
    return tab;
  }

  /** Loads the page with these settings. */
  async go(hash) {
    await this.page.goto('about:blank');
    await this.page.goto(`${this.url}#${hash}`);
    await this.page.waitForFunction(() => document.body?.dataset.state !== undefined);
    if (hash.includes('speed=&') || hash.endsWith('speed=')) await this.done();
  }

  done() {
    return this.page.waitForFunction(() => document.body.dataset.state === 'done');
  }

  /** Changes a setting and waits until the answer has run again. */
  async set(name, value) {
    await this.page.evaluate(() => void delete document.body.dataset.state);
    if (name === 'pattern') {
      await this.page.$eval('#pattern', (input, text) => {
        input.value = text;
        input.dispatchEvent(new Event('change', {bubbles: true}));
      }, value);
    } else await this.page.select(`#${name}`, value);
    await this.done();
  }

  /** Runs `work`, which starts an answer, and waits for its end. */
  async after(work) {
    await this.page.evaluate(() => void delete document.body.dataset.state);
    await work();
    await this.done();
  }

  text(id) {
    return this.page.$eval(`#${id}`, (element) => element.textContent);
  }

  click(selector) {
    return this.page.$eval(selector, (element) => element.click());
  }

  /** The clean text, as clients get it: without what the page adds to it. */
  clean() {
    return this.page.$eval('#clean', (element) => [...element.childNodes].map((node) => {
      if (node.nodeType === 3) return node.data;
      if (!node.matches('.chip.written')) return '';
      return node.textContent.replace(/ [✓✗?~!]$/, '');
    }).join(''));
  }

  /** What is shown now: the states of the chips, and what is held back. */
  chips() {
    return this.page.$$eval('#clean .chip', (all) => all.map((one) => one.className.replace(/^chip | written$/g, '')));
  }

  async record() {
    return JSON.parse(await this.text('record'));
  }

  /** Runs a script in the page, although its policy allows only those of its origin: it is not part of the page. */
  async inject(code) {
    await this.page.evaluate(code);
  }

  /** Closes the tab. Fails if anything was wrong with it. */
  async close() {
    await this.page.close();
    assert.deepEqual(this.#trouble.filter((one) => !this.expected.some((pattern) => pattern.test(one))), []);
  }
}

/** The output of `citestream filter` for these bytes. */
export function filtered(chunks, ...flags) {
  const run = spawnSync(binary, ['filter', '--to', 'text', ...flags], {input: Buffer.concat(chunks)});
  assert.equal(run.status, 0, run.stderr.toString());
  return run.stdout.toString();
}

export const axe = () => readFileSync(`${process.cwd()}/node_modules/axe-core/axe.min.js`, 'utf8');
