
// The signals of a hardware model, step by step. Only what is in sight is drawn.

const CYCLE = 36;
const SIGNAL = 24;
const HEAD = 22;

class Waves {
  /** `choose(cycle)` is called when somebody points at one. */
  constructor(choose) {
    this.choose = choose;
    this.cycle = 0;
    this.picture = draw("svg", { role: "img" });
    this.names = make("div", { class: "names" });
    this.inner = make("div", { class: "inner" }, this.picture);
    this.box = make("div", { class: "waves", tabindex: 0, "aria-label": "waves", scroll: () => this.show() }, this.names, this.inner);
    this.picture.addEventListener("click", (e) => {
      const at = e.clientX - this.inner.getBoundingClientRect().left;
      this.choose(Math.min(this.cycles - 1, Math.max(0, Math.floor(at / CYCLE))));
    });
    new ResizeObserver(() => this.show()).observe(this.box);
  }

  open(data) {
    this.signals = data.waves;
    this.cycles = data.cycles;
    this.inner.style.width = `${data.cycles * CYCLE + 20}px`;
    this.inner.style.height = `${HEAD + data.waves.length * SIGNAL + 4}px`;
    this.names.style.height = this.inner.style.height;
    this.show();
  }

  /** Goes to a cycle. */
  go(cycle) {
    this.cycle = Math.min(Math.max(cycle, 0), this.cycles - 1);
    const [x, width] = [this.cycle * CYCLE, this.box.clientWidth - this.names.offsetWidth];
    if (x < this.box.scrollLeft || x + 2 * CYCLE > this.box.scrollLeft + width) {
      this.box.scrollLeft = Math.max(0, x - width / 2);
    }
    this.show();
  }

  valueAt(signal, cycle) {
    return signal.values[above(signal.at, cycle) - 1];
  }

  show() {
    if (!this.signals) return;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.box;
    const from = Math.max(0, Math.floor(scrollLeft / CYCLE) - 1);
    const to = Math.min(this.cycles, Math.ceil((scrollLeft + clientWidth) / CYCLE) + 1);
    const first = Math.max(0, Math.floor(scrollTop / SIGNAL) - 2);
    const last = Math.min(this.signals.length, Math.ceil((scrollTop + clientHeight) / SIGNAL) + 1);
    const [width, height] = [(to - from) * CYCLE + 20, (last - first) * SIGNAL + HEAD + 4];
    set(this.picture, { width, height });
    this.picture.style.left = `${from * CYCLE}px`;
    this.picture.style.top = `${first * SIGNAL}px`;
    const parts = [draw("rect", { class: "cursor", x: (this.cycle - from) * CYCLE, y: 0, width: CYCLE, height })];
    for (let cycle = from; cycle < to; cycle++) {
      if (cycle % 5 === 0) parts.push(draw("text", { class: "time", x: (cycle - from) * CYCLE + 2, y: 14 }, `${cycle}`));
    }
    const rows = [];
    for (let n = first; n < last; n++) {
      const signal = this.signals[n];
      const y = (n - first) * SIGNAL + HEAD;
      parts.push(signal.width === 1 ? this.bit(signal, from, to, y) : this.word(signal, from, to, y));
      const value = this.valueAt(signal, this.cycle);
      const text = signal.width === 1 ? value : `0x${value}`;
      const row = make("div", { class: `signal ${signal.kind}` }, make("span", { class: "name", title: `${signal.kind}, ${signal.width} bits` }, signal.name), make("span", { class: "value" }, text));
      row.style.top = `${HEAD + n * SIGNAL}px`;
      rows.push(row);
    }
    this.picture.setAttribute("aria-label", `waves, step ${this.cycle} of ${this.cycles}`);
    this.picture.replaceChildren(...parts);
    this.names.replaceChildren(...rows);
  }

  /** The changes of a signal in sight: from, to and value of each. */
  parts(signal, from, to) {
    const parts = [];
    for (let at = Math.max(0, above(signal.at, from) - 1); at < signal.at.length && signal.at[at] < to; at++) {
      const end = at + 1 < signal.at.length ? Math.min(signal.at[at + 1], to) : to;
      parts.push([(Math.max(signal.at[at], from) - from) * CYCLE, (end - from) * CYCLE, signal.values[at]]);
    }
    return parts;
  }

  bit(signal, from, to, y) {
    const level = (value) => (value === "0" ? y + SIGNAL - 5 : y + 4);
    const parts = this.parts(signal, from, to);
    const path = parts.map(([x, end, v], n) => `${n ? "L" : "M"}${x},${level(v)} L${end},${level(v)}`);
    return draw("path", { class: `wave ${signal.kind}`, d: path.join(" ") });
  }

  word(signal, from, to, y) {
    const [top, low, middle] = [y + 4, y + SIGNAL - 5, y + SIGNAL / 2];
    const group = draw("g", { class: `wave ${signal.kind}` });
    for (const [x, end, value] of this.parts(signal, from, to)) {
      group.append(draw("path", { d: `M${x},${middle} L${x + 3},${top} L${end - 3},${top} L${end},${middle} L${end - 3},${low} L${x + 3},${low} Z` }));
      const room = Math.floor((end - x - 6) / LETTER);
      const text = value.length <= room ? value : room > 1 ? `${value.slice(0, room - 1)}…` : "";
      if (text) group.append(draw("text", { x: (x + end) / 2, y: middle + 4 }, text));
    }
    return group;
  }
}
