/**
 * The time line below an answer: rows of bars.
 *
 * `value` is what a chunk counts, `sum` whether a bar of several chunks is their sum or their maximum, and `caption` returns the
 * text next to the bars.
 */

/** One row of bars, a bar for each chunk or for several. */
export class Lane {
  constructor(parent, name, value, sum, caption) {
    this.value = value;
    this.sum = sum;
    this.caption = caption;
    this.name = name;
    const row = document.createElement('div');
    row.className = 'lane';
    this.label = document.createElement('p');
    this.strong = document.createElement('strong');
    this.detail = document.createElement('span');
    this.strong.textContent = name;
    this.label.append(this.strong, this.detail);
    this.canvas = document.createElement('canvas');
    this.canvas.setAttribute('role', 'img');
    row.append(this.label, this.canvas);
    parent.append(row);
    this.reset();
  }

  reset() {
    this.note = undefined;
    this.set('');
    this.canvas.width = 0;
  }

  set(text) {
    this.detail.textContent = text;
    this.canvas.setAttribute('aria-label', `${this.name}: ${text || 'nothing yet'}`);
  }

  /** Draws the chunks of an answer. `note` is shown instead of the caption if it is set. */
  draw(chunks) {
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    if (width === 0) return;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const context = this.canvas.getContext('2d');
    context.scale(ratio, ratio);
    const columns = Math.max(1, Math.min(chunks.length, Math.floor(width / 3)));
    const values = new Array(columns).fill(0);
    chunks.forEach((chunk, at) => {
      const column = Math.floor(at * columns / chunks.length);
      values[column] = this.sum ? values[column] + this.value(chunk) : Math.max(values[column], this.value(chunk));
    });
    // A bar that is far longer than all others is cut off, such as that of the first chunk, for which the code is compiled.
    const most = Math.max(this.sum ? Math.max(...values) : [...values].sort((left, right) => left - right)[Math.ceil(columns * 0.98) - 1] * 1.15, 1e-9);
    const step = Math.min(width / columns, 12);
    context.fillStyle = getComputedStyle(this.canvas).color;
    values.forEach((value, at) => {
      const size = value > 0 ? Math.max(1.5, Math.min(1, value / most) * (height - 2)) : 0;
      context.fillRect(at * step, height - size, Math.max(1, step - 1), size);
    });
    this.set(this.note ?? this.caption());
  }
}
