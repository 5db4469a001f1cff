// Without this script the page says the same; it sorts, finds, and changes the notation.
(() => {
  const { all, byId, plain, sortable } = Tables;
  const page = document.documentElement;
  for (const part of all("[data-script]")) part.hidden = false;

  // The notation: every cell carries its text in all of them.
  const notation = byId("notation");
  const writeCells = () => {
    const chosen = notation.selectedIndex;
    for (const cell of all("[data-n]")) cell.textContent = cell.dataset.n.split("|")[chosen];
    for (const legend of all("[data-legend]")) legend.hidden = Number(legend.dataset.legend) !== chosen;
  };
  if (notation) {
    notation.addEventListener("change", writeCells);
    // A browser may keep the choice when the page is loaded again.
    writeCells();
  }

  const theme = byId("theme");
  const paint = () => {
    if (theme.value) page.dataset.theme = theme.value;
    else delete page.dataset.theme;
  };
  theme.addEventListener("change", paint);
  paint();

  for (const head of all(".cross thead th")) sortable(head);

  // Finding a player, with or without accents, by name or id.
  const named = (parts, text) => parts.map((part) => [part, plain(text(part))]);
  const rows = named(all(".cross tbody tr"), (row) => row.querySelector("th").textContent);
  const marks = named(all("a.mark"), (mark) => mark.getAttribute("aria-label").split(": ")[0]);
  const reasons = named(all("details.explanation"), (part) => part.querySelector("bdi").textContent + " " +
    part.querySelector("div[id]").id.replace(/^.*player-/, ""));
  const find = byId("find");
  const jump = byId("jump");
  // One explanation left: a link leads there, and so does the enter key.
  const offer = (asked) => {
    const left = reasons.filter(([part]) => !part.hidden);
    jump.hidden = !asked || left.length === 0;
    if (jump.hidden) return;
    jump.href = `#${left[0][0].querySelector("div[id]").id}`;
    jump.textContent = `Why: ${left[0][0].querySelector("bdi").textContent}`;
  };
  const search = () => {
    const asked = plain(find.value.trim());
    for (const [part, text] of [...rows, ...reasons]) part.hidden = !text.includes(asked);
    for (const [mark, text] of marks) mark.classList.toggle("chosen", asked !== "" && text.includes(asked));
    const left = rows.filter(([row]) => !row.hidden).length;
    byId("found").textContent = asked ? `${left} of ${rows.length} lines` : "";
    for (const lot of all("details.several")) lot.hidden = all("details.explanation:not([hidden])", lot).length === 0;
    offer(asked);
  };
  if (find) {
    find.addEventListener("input", search);
    find.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !jump.hidden) jump.click();
    });
    search();
  }

  // The picture: one stop for the tab key, arrows from mark to mark.
  for (const picture of all("figure.picture")) {
    const own = all("a.mark", picture);
    const label = picture.querySelector("output");
    const tell = (event) => {
      const mark = event.target.closest("a.mark");
      if (mark) label.textContent = mark.getAttribute("aria-label");
    };
    picture.addEventListener("pointerover", tell);
    picture.addEventListener("focusin", tell);
    if (own.length) own[0].tabIndex = 0;
    picture.addEventListener("keydown", (event) => {
      const here = own.indexOf(event.target.closest("a.mark"));
      const steps = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: own.length - 1 };
      const next = own[steps[event.key]];
      if (here < 0 || !next) return;
      event.preventDefault();
      own[here].tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    });
  }

  // A link to a player unfolds the explanation; the title of a paragraph shows on its number.
  const unfold = () => {
    const target = byId(decodeURIComponent(location.hash.slice(1)));
    const fold = target && target.closest("details");
    if (!fold) return;
    for (let outer = fold.parentElement.closest("details"); outer; outer = outer.parentElement.closest("details")) outer.open = true;
    if (fold.hidden) {
      find.value = "";
      search();
    }
    fold.open = true;
    fold.scrollIntoView();
  };
  addEventListener("hashchange", unfold);
  unfold();
  const entitle = (event) => {
    const link = event.target.closest(".steps li > a");
    if (!link || link.title) return;
    const paragraph = byId(link.hash.slice(1));
    if (paragraph) link.title = paragraph.querySelector("dt").textContent;
  };
  addEventListener("pointerover", entitle);
  addEventListener("focusin", entitle);

  for (const button of all("button[data-fold]")) {
    button.addEventListener("click", () => {
      const folds = all("details:is(.explanation, .several)", button.closest("section"));
      for (const fold of folds) fold.open = button.dataset.fold !== "";
    });
  }

  // Printing, with the explanations if the reader wishes.
  let opened = [];
  addEventListener("beforeprint", () => {
    const wanted = byId("print-all")?.checked;
    page.classList.toggle("print-explanations", Boolean(wanted));
    if (wanted) opened = all(".explanations details:not([open])");
    for (const fold of opened) fold.open = true;
  });
  addEventListener("afterprint", () => {
    for (const fold of opened) fold.open = false;
    opened = [];
  });
})();
