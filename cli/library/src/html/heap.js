
// A drawing of memory: objects with what is in them, the variables that lead there, and pointers as arrows.

const MOST_OBJECTS = 60;
const MOST_MEMBERS = 12;
const LONGEST = 64;
const LETTER = 7.3;
const LINE = 17;

/** The objects that matter after a step, and what leads where. */
function heapAt(trace, step) {
  const { objects, variables } = trace.data;
  const known = (o) => objects[o].made <= step;
  const ended = (o) => objects[o].ended >= 0 && objects[o].ended <= step;
  const pointers = (list) =>
    (list || []).flatMap((v) => {
      const value = trace.value(v, step);
      if (!value || value.target < 0 || !known(value.target)) return [];
      return [{ name: variables[v][0], ...value }];
    });
  const roots = [];
  for (const call of [...trace.stack(step).slice(0, 12), -1]) {
    const where = call < 0 ? "" : trace.data.calls[call][0];
    for (const pointer of pointers(trace.ofCall.get(call))) roots.push({ ...pointer, where });
  }
  const nodes = new Map();
  const reach = (o, column) => {
    if (nodes.has(o) || nodes.size >= MOST_OBJECTS) return;
    const members = (trace.ofObject.get(o) || []).flatMap((v) => {
      const value = trace.value(v, step);
      if (!value) return [];
      const name = variables[v][0];
      const short = name.startsWith(objects[o].name) ? name.slice(objects[o].name.length).replace(/^\./, "") : name;
      const target = value.target >= 0 && known(value.target) ? value.target : -1;
      return [{ ...value, name: short || "value", target }];
    });
    nodes.set(o, { o, column, members, ended: ended(o) });
  };
  // Breadth first, so that what is near to a variable is near to it in the drawing.
  const visit = (from) => {
    const queue = [...from];
    for (let at = 0; at < queue.length; at++) {
      for (const member of nodes.get(queue[at])?.members || []) {
        if (member.target >= 0 && !nodes.has(member.target)) {
          reach(member.target, nodes.get(queue[at]).column + 1);
          queue.push(member.target);
        }
      }
    }
  };
  for (const root of roots) reach(root.target, 1);
  visit([...nodes.keys()]);
  // What nothing leads to: lost, unless it was freed.
  let more = 0;
  objects.forEach((object, o) => {
    if (!object.heap || !known(o) || ended(o) || nodes.has(o)) return;
    if (nodes.size >= MOST_OBJECTS) more++;
    else {
      reach(o, 1);
      nodes.get(o).lost = true;
      visit([o]);
    }
  });
  return { roots, nodes, more };
}

/** The drawing, or nothing where there is no memory to show. */
function drawHeap(trace, step) {
  const { roots, nodes, more } = heapAt(trace, step);
  if (!nodes.size) return null;
  const { objects } = trace.data;
  const columns = [[]];
  for (const root of roots) {
    const text = root.where ? `${root.where}: ${root.name}` : root.name;
    const class_ = root.changed ? "root changed" : "root";
    columns[0].push({ root, class_, lines: [{ text, target: root.target, changed: root.changed }] });
  }
  for (const node of nodes.values()) {
    const object = objects[node.o];
    const notes = [object.size === null ? "" : `${object.size} bytes`, object.origin];
    if (node.ended) notes.push(object.heap ? `freed at line ${object.ended_line}` : "its life is over");
    if (node.lost) notes.push("nothing leads here");
    const members = node.members.slice(0, MOST_MEMBERS).map((m) => ({ ...m, text: `${m.name} = ${m.text}` }));
    if (node.members.length > MOST_MEMBERS) {
      members.push({ text: `... ${node.members.length - MOST_MEMBERS} more`, target: -1 });
    }
    const lines = [{ text: object.name, title: true, target: -1 }, ...members];
    lines.push({ text: notes.filter(Boolean).join(", "), note: true, target: -1 });
    node.box = { node, class_: `object${node.ended ? " ended" : ""}${node.lost ? " lost" : ""}`, lines };
    (columns[node.column] ||= []).push(node.box);
  }
  let [x, height] = [10, 0];
  for (const column of columns) {
    if (!column?.length) continue;
    const longest = Math.max(...column.flatMap((box) => box.lines.map((l) => l.text.length)));
    const width = Math.min(longest, LONGEST) * LETTER + 16;
    let y = 10;
    for (const box of column) {
      Object.assign(box, { x, y, width, height: box.lines.length * LINE + 8 });
      y += box.height + 16;
    }
    height = Math.max(height, y);
    x += width + 70;
  }
  const [boxes, arrows] = [draw("g"), draw("g")];
  for (const box of columns.flat()) {
    const group = draw("g", { class: box.class_ });
    group.append(draw("rect", { x: box.x, y: box.y, width: box.width, height: box.height, rx: 4 }));
    box.lines.forEach((line, n) => {
      const kind = line.title ? "title" : line.note ? "note" : line.changed ? "changed" : "";
      const y = box.y + (n + 1) * LINE;
      const text = line.text.length > LONGEST ? `${line.text.slice(0, LONGEST - 1)}…` : line.text;
      group.append(draw("text", { x: box.x + 8, y, class: kind }, text));
      const to = line.target >= 0 && nodes.get(line.target);
      if (to) arrows.append(arrow(box.x + box.width, y - 5, box, to));
    });
    boxes.append(group);
  }
  const label = [...nodes.values()].flatMap(({ o, members }) =>
    members.filter((m) => m.target >= 0).map((m) => `${objects[o].name}.${m.name} leads to ${objects[m.target].name}`),
  );
  const text = `memory: ${nodes.size} objects; ${label.join("; ")}`;
  const picture = draw("svg", { width: x, height, role: "img", "aria-label": text }, boxes, arrows);
  return make("div", { class: "drawing" }, picture, more ? `${more} more objects are not drawn` : "");
}

function arrow(x, y, from, to) {
  const box = to.box;
  const back = box.x <= from.x;
  const [tx, ty] = back ? [box.x + box.width, box.y + 6] : [box.x, box.y + 12];
  const bend = back ? Math.max(40, Math.abs(y - ty) / 3) : (tx - x) / 2;
  const path = `M${x},${y} C${x + bend},${y} ${back ? tx + bend : tx - bend},${ty} ${tx},${ty}`;
  const tip = back ? `M${tx + 8},${ty - 4} L${tx},${ty} L${tx + 8},${ty + 4}` : `M${tx - 8},${ty - 4} L${tx},${ty} L${tx - 8},${ty + 4}`;
  return draw("path", { class: to.ended ? "pointer dangling" : "pointer", d: `${path} ${tip}` });
}
