"use strict";
// Tables that sort by their columns, and what finding in them takes.
const Tables = (() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);
  // A text as it is found: with or without accents, in small or capital letters.
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

  // Sorting: numbers from the greatest, texts from A; again the other way round.
  const order = new Intl.Collator("en", { numeric: true });
  const valueOf = (cell) => {
    const text = cell.textContent.trim().replace(/[()+]/g, "").replace("−", "-").split("/")[0];
    const number = text === "½" ? 0.5 : Number(text.replace("½", ".5") || NaN);
    return Number.isNaN(number) ? text : number;
  };
  const compare = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a - b;
    if (typeof a !== typeof b) return typeof a === "number" ? 1 : -1;
    return order.compare(a, b);
  };
  const sort = (head) => {
    const falls = head.classList.contains("number") && head.cellIndex > 0;
    const first = falls ? "descending" : "ascending";
    const other = falls ? "ascending" : "descending";
    const direction = head.getAttribute("aria-sort") === first ? other : first;
    for (const each of head.parentElement.cells) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", direction);
    const body = head.closest("table").tBodies[0];
    const rows = [...body.rows].map((row) => [valueOf(row.cells[head.cellIndex]), row]);
    const sign = direction === "ascending" ? 1 : -1;
    rows.sort((a, b) => sign * compare(a[0], b[0]));
    body.append(...rows.map(([, row]) => row));
  };
  const sortable = (head) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sort(head));
    head.append(button);
  };

  return { all, byId, plain, sortable };
})();
