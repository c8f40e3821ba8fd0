
// Small things that everything uses, and lists of many rows.

/** An element with attributes, listeners and children. Text is only ever text. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
}

/** The first place in a sorted list where the value is larger. */
function above(sorted, value, low = 0, high = sorted.length) {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

const ROW = 20;

/** A list of which only the rows in sight are in the page. */
class List {
  /** `fill(row, index)` puts cells into an empty row. */
  constructor(label, fill) {
    this.fill = fill;
    this.count = 0;
    this.inner = make("div", { class: "inner", role: "presentation" });
    this.box = make(
      "div",
      { class: "list", role: "table", tabindex: 0, "aria-label": label, scroll: () => this.show() },
      this.inner,
    );
    new ResizeObserver(() => this.show()).observe(this.box);
  }

  resize(count) {
    this.count = count;
    this.inner.style.height = `${count * ROW}px`;
    this.box.setAttribute("aria-rowcount", count);
    this.show();
  }

  show() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - 5);
    const end = Math.min(this.count, Math.ceil((this.box.scrollTop + this.box.clientHeight) / ROW) + 5);
    const rows = [];
    for (let index = first; index < end; index++) {
      const row = make("div", { class: "row", role: "row", "aria-rowindex": index + 1 });
      row.style.top = `${index * ROW}px`;
      this.fill(row, index);
      rows.push(row);
    }
    this.inner.replaceChildren(...rows);
  }

  /** Brings a row into sight, with some around it. */
  reveal(index) {
    const { scrollTop, clientHeight } = this.box;
    const margin = Math.min(5 * ROW, clientHeight / 3);
    const top = index * ROW;
    if (top - margin < scrollTop) this.box.scrollTop = Math.max(0, top - margin);
    else if (top + ROW + margin > scrollTop + clientHeight) this.box.scrollTop = top + ROW + margin - clientHeight;
    this.show();
  }
}

function cell(kind, text, attributes = {}) {
  return make("span", { class: kind, role: "cell", ...attributes }, text);
}
