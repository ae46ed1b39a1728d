// The pictures in docs are made here, and compared with what the page shows: the words exactly, the pixels coarsely, so that
// another rasteriser of fonts makes no difference. CITESTREAM_UPDATE=1 makes them again.
import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import {PNG} from 'pngjs';
import {root} from './browser.mjs';

const size = {width: 1400, height: 1120};
const cell = 40;

/** The mean colours of squares of a picture. */
function squares(bytes) {
  const {width, height, data} = PNG.sync.read(bytes);
  assert.deepEqual({width, height}, size);
  const out = [];
  for (let top = 0; top + cell <= height; top += cell) {
    for (let left = 0; left + cell <= width; left += cell) {
      const sum = [0, 0, 0];
      for (let y = top; y < top + cell; ++y) {
        for (let x = left; x < left + cell; ++x) for (let c = 0; c < 3; ++c) sum[c] += data[4 * (y * width + x) + c];
      }
      out.push(sum.map((one) => one / cell / cell));
    }
  }
  return out;
}

/** What the page shows, as words. */
function words(page) {
  return page.evaluate(() => {
    const text = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent.trim().replace(/\s+/g, ' '));
    const name = (label) => [...label.childNodes].filter((one) => one.nodeType === 3).map((one) => one.data.trim()).join('');
    const labels = [...document.querySelectorAll('#settings label')].map((label) => {
      const options = [...label.querySelectorAll('option')].map((one) => one.textContent);
      return options.length > 0 ? `${name(label)}: ${options.join(' | ')}` : name(label);
    });
    return {headings: text('h1, h2, .lead'), labels, controls: text('button:not(.chip)'), drawers: text('.drawer label, .hint'),
      legends: text('.legend'), received: text('#received'), marked: text('#received .marker').join(''), undecided: text('#received .undecided').join(''),
      clean: text('#clean'), ghost: text('#clean .ghost'), record: text('#record'), lanes: text('.lane p').slice(0, 3), timed: text('.lane:nth-child(4) strong'),
      footer: text('footer')};
  });
}

export async function comparePictures(tab, scheme) {
  const {page} = tab;
  await page.setViewport(size);
  // The stream stands in the third marker: two are citations, a part of the third is held back.
  await tab.step(70);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const shown = await words(page);
  assert.ok(shown.ghost.length === 1, 'something is held back');
  const bytes = Buffer.from(await page.screenshot({clip: {x: 0, y: 0, ...size}}));
  const picture = `${root}/docs/page-${scheme}.png`;
  const record = `${root}/tests/page/shown.json`;
  if (process.env.CITESTREAM_UPDATE) {
    const {width, height, data} = PNG.sync.read(bytes);
    writeFileSync(picture, PNG.sync.write({width, height, data}, {colorType: 2, deflateLevel: 9}));
    writeFileSync(record, `${JSON.stringify(shown, null, 1)}\n`);
    return;
  }
  const again = 'run this test with CITESTREAM_UPDATE=1 and look at the new pictures';
  assert.deepEqual(shown, JSON.parse(readFileSync(record, 'utf8')), `the pictures in docs are old: ${again}`);
  const [kept, now] = [squares(readFileSync(picture)), squares(bytes)];
  const different = kept.filter((one, at) => one.some((value, c) => Math.abs(value - now[at][c]) > 24)).length;
  assert.ok(different <= kept.length / 25, `${picture} differs in ${different} of ${kept.length} squares: ${again}`);
}
