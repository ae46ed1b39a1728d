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
  const started = await puppeteer.launch({browser, executablePath: pathOf(name), headless: true, userDataDir: profile, args,
    timeout: 120000, protocolTimeout: 120000,  // for a busy machine
    env: {...process.env, HOME: profile, TMPDIR: profile, MOZ_DISABLE_CONTENT_SANDBOX: '1'}});
  return {browser: started, close: async () => {
    await started.close();
    rmSync(profile, {recursive: true, force: true, maxRetries: 5});
  }};
}

/** What the tests do in the page. Each call of a browser takes up to 0.1 s, so that these do as much as they can in one. */
function inPage() {
  const $ = (id) => document.getElementById(id);
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const tests = window.tests = {
    /** What is shown. `clean` is the text as clients get it, without what the page adds to it. */
    shown() {
      const nodes = [...$('clean').childNodes];
      const clean = nodes.map((node) => {
        if (node.nodeType === 3) return node.data;
        return node.matches('.chip.written') ? node.textContent.replace(/ [✓✗?~!]$/, '') : '';
      }).join('');
      const chips = nodes.filter((node) => node.nodeType === 1 && node.matches('.chip'))
        .map((one) => one.className.replace(/^chip | written$/g, ''));
      const record = document.body.dataset.state === 'done' && $('record').textContent !== '' ? JSON.parse($('record').textContent) : undefined;
      return {clean, chips, record, ghost: $('clean').querySelector('.ghost')?.textContent ?? '', received: $('received').textContent,
        format: $('format').textContent, status: $('status').textContent, state: document.body.dataset.state,
        chunks: Number(document.body.dataset.chunks ?? 0)};
    },
    async until(test) {
      while (!test()) await frame();
      return tests.shown();
    },
    async frames(count) {
      for (let at = 0; at < count; ++at) await frame();
    },
    done: () => tests.until(() => document.body?.dataset.state === 'done'),
    /** Does `work`, which starts an answer, and waits for its end. */
    after(work) {
      delete document.body.dataset.state;
      work();
      return tests.done();
    },
    set(name, value) {
      $(name).value = value;
      if ($(name).value !== value) throw new Error(`${name} has no choice ${value}`);
      $(name).dispatchEvent(new Event('change', {bubbles: true}));
    },
    use(text) {
      $('text').value = text;
      $('use-text').click();
    },
    /** Notes what is shown of the next answer in every frame. `painted` is all of the clean column but what is held back. */
    sample() {
      const samples = window.samples = [];
      const look = () => {
        if (window.samples !== samples) return;
        const {clean, ghost, received, state} = tests.shown();
        const {textContent} = $('clean');
        const painted = textContent.slice(0, textContent.length - ghost.length);
        if (state) samples.push({clean, ghost, received, painted});  // after() deletes it, and the next answer sets it
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    },
    step(count) {
      const {state, chunks} = tests.shown();
      const wanted = (state === 'done' ? 0 : chunks) + count;
      for (let at = 0; at < count; ++at) $('step').click();
      return tests.until(() => document.body.dataset.state === 'paused' && Number(document.body.dataset.chunks) === wanted);
    },
  };
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
    await tab.page.setViewport({width: 800, height: 600});
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
    await tab.page.evaluateOnNewDocument(inPage);
    await tab.go(hash);
    return tab;
  }

  /** Loads the page with these settings. */
  async go(hash) {
    if (this.page.url() !== 'about:blank') await this.page.goto('about:blank');  // else only the fragment changes
    await this.page.goto(`${this.url}#${hash}`);
    return this.page.evaluate((all) => window.tests.until(() => document.body?.dataset.state === 'done' || (!all && document.body?.dataset.state)),
      hash.includes('speed=&') || hash.endsWith('speed='));
  }

  shown() {
    return this.page.evaluate(() => window.tests.shown());
  }

  done() {
    return this.page.evaluate(() => window.tests.done());
  }

  /** Changes a setting and waits until the answer has run again. Resolves with what is shown. */
  set(name, value) {
    return this.page.evaluate((...given) => window.tests.after(() => window.tests.set(...given)), name, value);
  }

  /** Uses a text as the answer, and waits until it has run. */
  use(text) {
    return this.page.evaluate((given) => window.tests.after(() => window.tests.use(given)), text);
  }

  /** Clicks "Step" so many times, and waits until as many chunks are shown. */
  step(count) {
    return this.page.evaluate((times) => window.tests.step(times), count);
  }

  /** Runs `work`, which starts an answer, and waits for its end. */
  async after(work) {
    await this.page.evaluate(() => void delete document.body.dataset.state);
    await work();
    return this.done();
  }

  /** Waits until the page is in a state. */
  state(wanted) {
    return this.page.evaluate((state) => window.tests.until(() => document.body.dataset.state === state), wanted);
  }

  text(id) {
    return this.page.evaluate((name) => document.getElementById(name).textContent, id);
  }

  click(selector) {
    return this.page.evaluate((one) => document.querySelector(one).click(), selector);
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
