// Without this script the list says the same; it sorts, and finds players.
(() => {
  const { all, byId, plain, sortable } = Tables;
  for (const part of all("[data-script]")) part.hidden = false;
  for (const head of all("thead th")) sortable(head);
  const rows = all("#list tbody tr").map((row) => [row, plain(row.textContent)]);
  const find = byId("find");
  const search = () => {
    const asked = plain(find.value.trim());
    for (const [row, text] of rows) row.hidden = !text.includes(asked);
    const left = rows.filter(([row]) => !row.hidden).length;
    byId("found").textContent = asked ? `${left} of ${rows.length}` : "";
  };
  find.addEventListener("input", search);
  search();
})();
