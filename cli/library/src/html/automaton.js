
// Control-flow automata: locations as boxes, what leads from one to another as arrows, the way to an error on them.

class Automata {
  /** `choose(arrow)` is called when somebody points at an arrow, by its number among all; `show(file, line)` when at a box. */
  constructor(list, files, choose, show) {
    Object.assign(this, { list, files, choose, show, at: -1, here: -1, trace: null });
    this.first = [];
    let count = 0;
    for (const automaton of list) {
      this.first.push(count);
      count += automaton.arrows.length;
    }
    this.select = make("select", { id: "automata", "aria-label": "automaton", change: () => this.open(+this.select.value) });
    this.select.append(...list.map((a, n) => make("option", { value: n }, this.title(a))));
    this.note = make("p", { class: "dim", role: "status" });
    this.picture = make("div", { class: "drawing automaton", tabindex: 0, role: "group", keydown: (e) => this.key(e) });
    this.told = make("pre", { class: "told", hidden: true });
    this.box = make("div", {}, this.select, this.note, this.picture, this.told);
  }

  /** With the file, where others are called the same. */
  title(automaton) {
    const { title, boxes } = automaton;
    const file = boxes.find((b) => b.file >= 0)?.file;
    const alike = this.list.filter((a) => a.title === title).length > 1;
    return alike && file !== undefined ? `${title} — ${this.files[file].name}` : title;
  }

  /** The drawing that has an arrow. */
  of(arrow) {
    return above(this.first, arrow) - 1;
  }

  /** The execution whose way is shown. */
  follow(trace) {
    this.trace = trace;
    this.way = new Set(trace?.path || []);
    this.here = -1;
    this.open(Math.max(0, this.at));
  }

  open(n) {
    this.at = n;
    this.select.value = n;
    const { boxes, arrows, size, note, reduced, title } = this.list[n];
    const first = this.first[n];
    const passed = new Set();
    const [lines, words] = [draw("g"), draw("g")];
    this.lines = arrows.map((arrow, a) => {
      const on = this.way?.has(first + a);
      if (on) [arrow.from, arrow.to].forEach((b) => passed.add(b));
      const group = draw("g", { class: on ? "arrow way" : "arrow", "aria-hidden": "true", click: () => this.point(a) });
      group.append(draw("title", {}, [...arrow.text, ...arrow.told].join("\n")), draw("path", { class: "room", d: bend(arrow.way) }), draw("path", { d: bend(arrow.way) }), tip(arrow.way));
      lines.append(group);
      if (arrow.text.length) {
        const [x, y] = arrow.at;
        const top = y - (arrow.text.length * LINE) / 2 + 12;
        const text = draw("g", { class: on ? "words way" : "words", "aria-hidden": "true", click: () => this.point(a) });
        arrow.text.forEach((line, l) => text.append(draw("text", { x, y: top + l * LINE }, line)));
        words.append(text);
      }
      return group;
    });
    this.nodes = boxes.map((box, b) => {
      const [x, y, width, height] = box.at;
      const group = draw("g", { class: `loc ${box.kind}${passed.has(b) ? " way" : ""}`, tabindex: -1, role: "link", "aria-label": this.words(b), click: () => this.visit(b) });
      group.append(draw("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: box.kind === "choice" ? 0 : 8 }));
      const top = y - (box.text.length * LINE) / 2 + 12;
      box.text.forEach((line, l) => group.append(draw("text", { x, y: top + l * LINE }, line)));
      return group;
    });
    const unknown = this.trace && reduced && boxes.length && !passed.size;
    this.note.textContent = [note, unknown ? "The way to this violation is not known here: it was found on the program as it was read." : ""].join(" ").trim();
    this.note.hidden = !this.note.textContent;
    this.picture.hidden = !boxes.length;
    const label = `automaton ${title}: ${boxes.length} locations, ${arrows.length} edges; arrow keys lead along them, Enter to the line`;
    this.picture.setAttribute("aria-label", label);
    this.picture.replaceChildren(draw("svg", { width: size[0], height: size[1], viewBox: `0 0 ${size[0]} ${size[1]}` }, lines, words, draw("g", {}, ...this.nodes)));
    // Where it begins is in sight, or the step at hand.
    this.picture.scrollLeft = boxes.length ? boxes[0].at[0] - this.picture.clientWidth / 2 : 0;
    this.picture.scrollTop = 0;
    this.tell(-1);
    this.mark();
  }

  /** A box and where it leads, in words. */
  words(b) {
    const { boxes, arrows } = this.list[this.at];
    const out = arrows.filter((a) => a.from === b).map((a) => `${a.text.join("; ") || "on"} to ${boxes[a.to].text.join(" ")}`);
    return [boxes[b].text.join(": "), ...out].join(", ");
  }

  /** The execution passes an arrow; -1 is none of them. */
  go(arrow) {
    if (arrow < 0) return;
    this.here = arrow;
    const n = this.of(arrow);
    // Whoever looks at what the passes have made stays there.
    if (n !== this.at && !this.list[this.at].reduced) this.open(n);
    else this.mark();
  }

  mark() {
    const a = this.here - this.first[this.at];
    this.lines.forEach((line, n) => line.classList.toggle("here", n === a));
    const { way } = this.list[this.at].arrows[a] || {};
    if (!way) return;
    this.tell(a);
    const [x, y] = [way.at(-2), way.at(-1)];
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = this.picture;
    if (x < scrollLeft + 40 || x > scrollLeft + clientWidth - 40) this.picture.scrollLeft = x - clientWidth / 2;
    if (y < scrollTop + 40 || y > scrollTop + clientHeight - 40) this.picture.scrollTop = y - clientHeight / 2;
  }

  /** All that an arrow does, where that is more than stands beside it. */
  tell(a) {
    const told = a < 0 ? [] : this.list[this.at].arrows[a].told;
    this.told.hidden = !told.length;
    this.told.textContent = told.join("\n");
  }

  point(a) {
    const arrow = this.list[this.at].arrows[a];
    this.tell(a);
    if (!this.choose(this.first[this.at] + a) && arrow.file >= 0) this.show(arrow.file, arrow.line);
  }

  visit(b) {
    const { file, line } = this.list[this.at].boxes[b];
    this.nodes[b].focus();
    if (file >= 0) this.show(file, line);
  }

  /** Along the arrows by keys. */
  key(e) {
    const { boxes, arrows } = this.list[this.at];
    const now = this.nodes.indexOf(document.activeElement);
    const beside = (sign) => {
      const [x, y] = boxes[now].at;
      const row = boxes.map((b, n) => [sign * (b.at[0] - x), n, b.at[1]]).filter(([far, , at]) => far > 0 && Math.abs(at - y) < 60);
      return row.sort((a, b) => a[0] - b[0])[0]?.[1];
    };
    const act = {
      ArrowDown: () => (now < 0 ? 0 : arrows.find((a) => a.from === now && a.to !== now)?.to),
      ArrowUp: () => (now < 0 ? 0 : arrows.find((a) => a.to === now && a.from !== now)?.from),
      ArrowLeft: () => (now < 0 ? 0 : beside(-1)),
      ArrowRight: () => (now < 0 ? 0 : beside(1)),
      Enter: () => void (now >= 0 && this.visit(now)),
    }[e.key];
    if (!act || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    e.stopPropagation();
    const next = act();
    if (next !== undefined) this.nodes[next]?.focus();
  }
}

/** A way around its corners. */
function bend(way) {
  const at = (n) => [way[2 * n], way[2 * n + 1]];
  const last = way.length / 2 - 1;
  const parts = [`M${at(0)}`];
  for (let n = 1; n < last; n++) {
    const [[x, y], [nx, ny]] = [at(n), at(n + 1)];
    const end = n + 1 === last ? [nx, ny] : [(x + nx) / 2, (y + ny) / 2];
    parts.push(`Q${x},${y} ${end}`);
  }
  if (last < 2) parts.push(`L${at(last)}`);
  return parts.join(" ");
}

/** The end of a way. */
function tip(way) {
  const [fx, fy, x, y] = way.slice(-4);
  const turn = (Math.atan2(y - fy, x - fx) * 180) / Math.PI;
  return draw("path", { class: "tip", d: "M0,0 L-8,-4 L-8,4 Z", transform: `translate(${x},${y}) rotate(${turn})` });
}
