
// The page: source, steps, values, memory and waves, which all show the same step.

const KEYWORDS = new Set(
  ("auto break case char const continue default do double else enum extern float for goto if inline int long register " +
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool").split(" "),
);
const TOKENS = /\/\/.*|\/\*.*?(?:\*\/|$)|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[A-Za-z_]\w*|\d[\w.]*|\s+|./g;
const NOTES = { invariant: "holds here", contract: "contract", false: "violated", unknown: "not decided" };
const MARKS = { false: "✗", unknown: "?", true: "✓" };
const MOST_CALLS = 30;
const MOST_VALUES = 400;

class Walk {
  constructor(box, data) {
    Object.assign(this, { data, trace: null, step: 0, file: 0, line: 0, watched: -1, open: new Set(), found: "" });
    this.lines = new List("source", (row, n) => this.fillLine(row, n));
    this.rows = new List("steps", (row, n) => this.fillStep(row, n));
    this.waves = new Waves((cycle) => this.goTo(this.ofCycle(cycle)));
    this.automata = new Automata(data.automata, data.files, (arrow) => this.nextOn(arrow), (file, line) => this.showLine(file, line));
    this.build(box);
    document.addEventListener("keydown", (e) => this.key(e));
    this.openFile(0);
    if (data.traces.length) this.openTrace(0);
    else {
      if (data.automata.length) this.automata.open(0);
      const first = data.notes.find((n) => n.kind === "invariant") || data.notes[0];
      if (first) this.showLine(first.file, first.line);
    }
  }

  build(box) {
    const { data } = this;
    const button = (text, title, act) => make("button", { type: "button", title, "aria-label": title, click: act }, text);
    const options = (list) => list.map((text, n) => make("option", { value: n }, text));
    this.traces = make("select", { id: "traces", "aria-label": "violation", change: () => this.openTrace(+this.traces.value) });
    this.traces.append(...options(data.traces.map((t) => t.title)));
    this.files = make("select", { id: "files", "aria-label": "file", change: () => this.openFile(+this.files.value) });
    this.files.append(...options(data.files.map((f) => f.name)));
    this.counter = make("span", { id: "counter" });
    this.search = make("input", { id: "search", type: "search", placeholder: "search (/)", "aria-label": "search", input: () => this.seek(0), keydown: (e) => e.key === "Enter" && this.seek(e.shiftKey ? -1 : 1) });
    this.hits = make("span", { id: "hits", role: "status" });
    this.goto = make("input", { id: "goto", type: "number", min: 1, placeholder: "line (g)", "aria-label": "go to line", keydown: (e) => e.key === "Enter" && this.showLine(this.file, +this.goto.value) });
    this.status = make("p", { id: "status", role: "status", "aria-live": "polite" });
    this.values = make("div", { id: "values" });
    this.memory = make("div", { id: "memory" });
    const stepping = make("span", { class: "stepping", hidden: !data.traces.length },
      this.traces,
      button("|◀", "first step (Home)", () => this.goTo(0)),
      button("◀", "step back (←)", () => this.move(-1)),
      button("▶", "step (→)", () => this.move(1)),
      button("▶|", "last step (End)", () => this.goTo(this.trace.count - 1)),
      button("over", "step over calls (o)", () => this.goTo(this.trace.over(this.step, 1))),
      button("out", "out of the call (u)", () => this.goTo(this.trace.over(this.step, 1, 1))),
      button("fold", "fold or unfold rounds of a loop (f)", () => this.fold()),
      this.counter);
    const help = make("details", { class: "help" }, make("summary", {}, "keys"),
      "→ n step, ← p step back, o O over calls forwards and back, u out of the call, Home End first and last, f fold or unfold a loop, w W next and previous write of the chosen variable, / search, Enter and Shift+Enter next and previous, g go to a line. A line of the source leads to its next step, a value to the step that wrote it.");
    this.memoryPart = make("section", { class: "memory", "aria-label": "memory", hidden: true }, make("h2", {}, "Memory"), this.memory);
    this.wavesPart = make("section", { class: "signals", "aria-label": "waves", hidden: true }, make("h2", {}, "Waves"), this.waves.box);
    const part = (name, title, ...inside) => make("section", { class: name, "aria-label": title }, ...inside);
    box.append(
      make("div", { class: "bar", role: "toolbar", "aria-label": "walk" }, stepping, this.search, this.hits, this.goto, help),
      this.status,
      make("div", { class: data.traces.length ? "panes" : "panes alone", hidden: !data.traces.length && !data.files.length },
        part("source", "source", this.files, this.lines.box),
        make("div", { class: "beside", hidden: !data.traces.length }, part("steps", "steps", this.rows.box), part("state", "values", this.values))),
      this.memoryPart, this.wavesPart);
    if (data.automata.length) box.append(part("automata", "automaton", make("h2", {}, "Automaton"), this.automata.box));
    if (data.left_out.length) box.append(make("p", {}, `Too long for this page: ${data.left_out.join(", ")}`));
  }

  // The execution.

  openTrace(n) {
    this.traces.value = n;
    this.trace = new Trace(this.data.traces[n]);
    this.open = new Set();
    this.watched = -1;
    this.stepsAt = null;
    this.stepsOn = null;
    if (this.data.automata.length) this.automata.follow(this.trace.data);
    const { waves } = this.trace.data;
    this.wavesPart.hidden = !waves.length;
    if (waves.length) this.waves.open(this.trace.data);
    this.arrange();
    this.goTo(this.trace.count - 1);
  }

  /** Which rows the list of steps has: steps, and -1 - n for fold n where it is closed. */
  arrange() {
    const { folds } = this.trace.data;
    const rows = [];
    let at = 0;
    for (let n = 0; n <= folds.length; n++) {
      const start = n < folds.length ? folds[n][0] : this.trace.count;
      if (start < at) continue;
      for (; at < start; at++) rows.push(at);
      if (n === folds.length) break;
      if (this.open.has(n)) continue;
      rows.push(-1 - n);
      at = folds[n][1];
    }
    this.order = rows;
    this.rows.resize(rows.length);
  }

  /** The row of a step, or of the fold that hides it. */
  rowOf(step) {
    const first = (row) => (row < 0 ? this.trace.data.folds[-1 - row][0] : row);
    let [low, high] = [0, this.order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (first(this.order[middle]) > step) high = middle;
      else low = middle + 1;
    }
    return low - 1;
  }

  goTo(step) {
    if (!this.trace || step < 0 || step >= this.trace.count) return;
    this.step = step;
    const { data, count } = this.trace;
    // What is folded opens when somebody goes there.
    let row = this.rowOf(step);
    while (this.order[row] < 0) {
      this.open.add(-1 - this.order[row]);
      this.arrange();
      row = this.rowOf(step);
    }
    this.counter.textContent = `${step + 1} / ${count}`;
    const where = data.file[step] < 0 ? "" : `${this.data.files[data.file[step]].name}:${data.line[step]}: `;
    this.status.textContent = `${where}${this.trace.source(step)}${this.trace.what(step) ? ` — ${this.trace.what(step)}` : ""}`;
    this.rows.reveal(row);
    if (data.file[step] >= 0) this.showLine(data.file[step], data.line[step]);
    this.showValues();
    const memory = drawHeap(this.trace, step);
    this.memoryPart.hidden = !memory;
    this.memory.replaceChildren(...(memory ? [memory] : []));
    if (data.waves.length) this.waves.go(data.number[step] - 2);
    // What is in no automaton is a part of the step before.
    let at = step;
    while (at > 0 && data.arrow[at] < 0) at--;
    this.automata.go(data.arrow[at] ?? -1);
  }

  /** The step of a cycle of hardware: the first step enters the initial state. */
  ofCycle(cycle) {
    const at = above(this.trace.data.number, cycle + 2) - 1;
    return Math.max(0, at);
  }

  /** One row forwards or back; over what is folded. */
  move(direction) {
    let row = this.rowOf(this.step) + direction;
    while (this.order[row] < 0) row += direction;
    if (row >= 0 && row < this.order.length) this.goTo(this.order[row]);
  }

  /** Closes the rounds that the step is in, or opens those that are next to it. */
  fold() {
    const { folds } = this.trace.data;
    const inside = folds.findLastIndex(([from, end], n) => this.open.has(n) && from <= this.step && this.step < end);
    if (inside >= 0) {
      this.open.delete(inside);
      this.arrange();
      this.goTo(Math.max(0, folds[inside][0] - 1));
      return;
    }
    const row = this.rowOf(this.step);
    for (const near of [row + 1, row - 1]) {
      if (this.order[near] < 0) return this.unfold(-1 - this.order[near]);
    }
  }

  unfold(n) {
    this.open.add(n);
    this.arrange();
    this.goTo(this.trace.data.folds[n][0]);
  }

  fillStep(row, n) {
    const step = this.order[n];
    if (step < 0) {
      const [, , rounds, file, line] = this.trace.data.folds[-1 - step];
      const where = file < 0 ? "" : ` of the loop at line ${line}`;
      row.classList.add("folded");
      row.append(cell("what", `▸ ${rounds} more rounds${where}`));
      row.addEventListener("click", () => this.unfold(-1 - step));
      return;
    }
    const { data } = this.trace;
    if (step === this.step) set(row, { "aria-current": "step" });
    if (this.found && this.matches(step)) row.classList.add("found");
    const indent = make("span", { class: "indent" });
    indent.style.width = `${Math.min(this.trace.depth[data.call[step]], 20) * 12}px`;
    const what = this.trace.what(step);
    row.append(
      cell("number", data.number[step]),
      cell("line", data.line[step] || ""),
      make("span", { class: "code", role: "cell" }, indent, this.trace.source(step)),
      cell(step === this.trace.count - 1 && what.startsWith("violates ") ? "what violates" : "what", what, { title: what }),
    );
    row.addEventListener("click", () => this.goTo(step));
  }

  // Values.

  showValues() {
    const { trace, step } = this;
    const parts = [];
    const stack = trace.stack(step);
    for (const call of [...stack.slice(0, MOST_CALLS), -1]) {
      const shown = this.table(trace.ofCall.get(call) || []);
      // Whoever starts the program is not worth a word, unless there is something to say.
      if (call >= 0 && !shown.length && call === stack.at(-1) && stack.length > 1) continue;
      if (call < 0 && !shown.length) continue;
      const title = call < 0 ? "global" : `${trace.data.calls[call][0]}()`;
      parts.push(make("h3", {}, title), make("table", {}, make("tbody", {}, ...shown)));
    }
    if (stack.length > MOST_CALLS) parts.push(make("p", {}, `${stack.length - MOST_CALLS} more calls`));
    const objects = [...trace.ofObject.keys()].filter((o) => !trace.data.objects[o].heap);
    const shown = objects.flatMap((o) => this.table(trace.ofObject.get(o)));
    if (shown.length) parts.push(make("h3", {}, "memory"), make("table", {}, make("tbody", {}, ...shown)));
    this.values.replaceChildren(...parts);
  }

  table(variables) {
    const rows = [];
    for (const v of variables) {
      const value = this.trace.value(v, this.step);
      if (!value || rows.length >= MOST_VALUES) continue;
      const name = this.trace.data.variables[v][0];
      const choose = () => {
        this.watched = v;
        const at = this.trace.steps[this.trace.lastWrite(v, this.step)];
        if (at === this.step) this.showValues();
        else this.goTo(at);
      };
      const kind = `${value.changed ? "changed" : ""}${v === this.watched ? " watched" : ""}`;
      rows.push(make("tr", { class: kind },
        make("th", { scope: "row" }, make("button", { type: "button", title: "go to the step that wrote it", click: choose }, name)),
        make("td", {}, value.text)));
    }
    return rows;
  }

  nextWrite(forward) {
    if (this.watched >= 0) this.goTo(this.trace.otherWrite(this.watched, this.step, forward));
  }

  // Source.

  openFile(n) {
    const { files, notes } = this.data;
    if (!files.length) return;
    this.file = n;
    this.files.value = n;
    // Lines with the notes above or below: pairs of a line and a note, -1 for the text itself.
    const byLine = new Map();
    this.marks = new Map();
    for (const [at, note] of notes.entries()) {
      if (note.file !== n) continue;
      if (note.kind !== "true") byLine.set(note.line, [...(byLine.get(note.line) || []), at]);
      const worst = this.marks.get(note.line);
      if (MARKS[note.kind] && (!worst || worst === "true" || note.kind === "false")) this.marks.set(note.line, note.kind);
    }
    this.text = [];
    this.rowOfLine = new Int32Array(files[n].lines.length + 2);
    for (let line = 1; line <= files[n].lines.length; line++) {
      const all = byLine.get(line) || [];
      const before = (at) => ["invariant", "contract"].includes(notes[at].kind);
      for (const at of all.filter(before)) this.text.push([line, at]);
      this.rowOfLine[line] = this.text.length;
      this.text.push([line, -1]);
      for (const at of all.filter((a) => !before(a))) this.text.push([line, at]);
    }
    this.comments = inComments(files[n].lines);
    this.lines.resize(this.text.length);
  }

  showLine(file, line) {
    if (file !== this.file) this.openFile(file);
    if (!(line >= 1 && line <= this.data.files[this.file].lines.length)) return;
    this.line = line;
    this.lines.reveal(this.rowOfLine[line]);
  }

  fillLine(row, n) {
    const [line, note] = this.text[n];
    const file = this.data.files[this.file];
    if (note >= 0) {
      const { kind, text } = this.data.notes[note];
      row.classList.add("note", kind);
      row.append(cell("mark", ""), cell("lineno", ""), cell("text", `${NOTES[kind]}: ${text}`, { title: text }));
      return;
    }
    const mark = this.marks.get(line);
    if (line === this.line) set(row, { "aria-current": "location" });
    if (this.executed(line)) {
      row.classList.add("executed");
      row.addEventListener("click", () => this.nextAt(line));
    }
    row.append(cell(`mark ${mark || ""}`, MARKS[mark] || ""), cell("lineno", line));
    const text = file.lines[line - 1];
    const parts = /\.[chi]$/i.test(file.name) ? colour(text, this.comments[line - 1]) : [text];
    row.append(make("span", { class: "text", role: "cell" }, ...parts));
  }

  /** The steps of each line, by file. */
  executed(line) {
    if (!this.trace) return null;
    if (!this.stepsAt) {
      this.stepsAt = new Map();
      const { file, line } = this.trace.data;
      for (let step = 0; step < this.trace.count; step++) {
        const key = `${file[step]}:${line[step]}`;
        const known = this.stepsAt.get(key);
        if (known) known.push(step);
        else this.stepsAt.set(key, [step]);
      }
    }
    return this.stepsAt.get(`${this.file}:${line}`);
  }

  nextAt(line) {
    const steps = this.executed(line);
    this.goTo(steps[above(steps, this.step) % steps.length]);
  }

  /** The next step that passes an arrow of an automaton, if there is one. */
  nextOn(arrow) {
    if (!this.stepsOn) {
      this.stepsOn = new Map();
      (this.trace?.data.arrow || []).forEach((a, step) => {
        if (a < 0) return;
        if (!this.stepsOn.has(a)) this.stepsOn.set(a, []);
        this.stepsOn.get(a).push(step);
      });
    }
    const steps = this.stepsOn.get(arrow);
    if (steps) this.goTo(steps[above(steps, this.step) % steps.length]);
    return !!steps;
  }

  // Search.

  matches(step) {
    const { strings, what, source } = this.trace.data;
    return [what, source].some((of) => strings[of[step]].toLowerCase().includes(this.found));
  }

  /** Looks for a text, in steps first and then in the source: from here on, and with a direction behind what is here. */
  seek(direction) {
    this.found = this.search.value.trim().toLowerCase();
    this.hits.textContent = "";
    const hits = { steps: [], lines: [] };
    if (this.found) {
      const strings = new Set();
      this.trace?.data.strings.forEach((text, n) => text.toLowerCase().includes(this.found) && strings.add(n));
      const of = this.trace?.data;
      for (let step = 0; strings.size && step < this.trace.count; step++) {
        if (strings.has(of.what[step]) || strings.has(of.source[step])) hits.steps.push(step);
      }
      const { lines } = this.data.files[this.file] || { lines: [] };
      if (!hits.steps.length) lines.forEach((text, n) => text.toLowerCase().includes(this.found) && hits.lines.push(n + 1));
      const list = hits.steps.length ? hits.steps : hits.lines;
      const here = hits.steps.length ? this.step : this.line;
      let at = direction < 0 ? above(list, here - 1) - 1 : above(list, direction ? here : here - 1);
      if (list.length) {
        at = (at + list.length) % list.length;
        if (hits.steps.length) this.goTo(list[at]);
        else this.showLine(this.file, list[at]);
      }
      const what = hits.steps.length ? "steps" : "lines";
      this.hits.textContent = list.length ? `${at + 1} of ${list.length} ${what}` : "nothing";
    }
    this.rows.show();
  }

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const typing = ["INPUT", "SELECT", "TEXTAREA"].includes(e.target.tagName);
    if (typing) {
      if (e.key === "Escape") e.target.blur();
      return;
    }
    const { trace, step } = this;
    const act = {
      "/": () => this.search.focus(),
      g: () => this.goto.focus(),
      ...(trace && {
        ArrowRight: () => this.move(1),
        n: () => this.move(1),
        ArrowLeft: () => this.move(-1),
        p: () => this.move(-1),
        Home: () => this.goTo(0),
        End: () => this.goTo(trace.count - 1),
        o: () => this.goTo(trace.over(step, 1)),
        O: () => this.goTo(trace.over(step, -1)),
        u: () => this.goTo(trace.over(step, 1, 1)),
        f: () => this.fold(),
        w: () => this.nextWrite(true),
        W: () => this.nextWrite(false),
      }),
    }[e.key];
    if (act) {
      e.preventDefault();
      act();
    }
  }
}

/** Whether each line begins inside of a comment. */
function inComments(lines) {
  let inside = false;
  return lines.map((text) => {
    const before = inside;
    for (const [token] of text.matchAll(/\/\/.*|\/\*|\*\/|"(?:\\.|[^"\\])*"/g)) {
      if (token === "/*") inside = true;
      else if (token === "*/") inside = false;
      else if (inside && token.includes("*/")) inside = false;
    }
    return before;
  });
}

/** A line of C in colours. */
function colour(text, inComment) {
  const parts = [];
  const end = inComment ? text.indexOf("*/") : -1;
  if (inComment) parts.push(make("span", { class: "comment" }, end < 0 ? text : text.slice(0, end + 2)));
  if (inComment && end < 0) return parts;
  const rest = inComment ? text.slice(end + 2) : text;
  if (/^\s*#/.test(rest)) return [...parts, make("span", { class: "directive" }, rest)];
  for (const [token] of rest.matchAll(TOKENS)) {
    const kind = /^\/[/*]/.test(token) ? "comment" : /^["']/.test(token) ? "string" : /^\d/.test(token) ? "digits" : KEYWORDS.has(token) ? "keyword" : "";
    parts.push(kind ? make("span", { class: kind }, token) : token);
  }
  return parts;
}

{
  const box = document.getElementById("walk");
  const data = document.getElementById("tour");
  if (box && data) window.walk = new Walk(box, JSON.parse(data.textContent));
}
