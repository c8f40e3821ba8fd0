"use strict";
const table = document.getElementById("tasks");
const body = table.tBodies[0];
const heads = Array.from(table.tHead.rows[0].cells);
heads.forEach((head, column) => head.addEventListener("click", () => {
  const up = head.getAttribute("aria-sort") !== "ascending";
  heads.forEach(h => h.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const numeric = head.dataset.sort === "number";
  const key = row => row.cells[column].textContent;
  const order = numeric
    ? (a, b) => (parseFloat(key(a)) || 0) - (parseFloat(key(b)) || 0)
    : (a, b) => key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
  const rows = Array.from(body.rows).sort((a, b) => up ? order(a, b) : order(b, a));
  body.append(...rows);
}));
const filter = document.getElementById("filter");
const shown = document.getElementById("shown");
const update = () => {
  const wanted = filter.value.toLowerCase();
  let n = 0;
  for (const row of body.rows) {
    row.hidden = !row.textContent.toLowerCase().includes(wanted);
    n += row.hidden ? 0 : 1;
  }
  shown.textContent = n + " of " + body.rows.length;
};
filter.addEventListener("input", update);
update();
