// Conveniences on top of pages that work without them: keys in the queues, and figures that move.
"use strict";

const STORED = "lumbung.shortcuts";

function shortcutsOn() {
  try { return localStorage.getItem(STORED) !== "off"; } catch { return true; }
}

document.addEventListener("keydown", (event) => {
  if (!shortcutsOn() || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const at = event.target;
  if (at.closest && at.closest("input, textarea, select, [contenteditable]")) {
    if (event.key === "Escape") at.blur();
    return;
  }
  if (event.key === "Enter" && at.closest && at.closest("a, button, summary")) return;
  const wanted = [...document.querySelectorAll("[data-key]")].find((each) => each.dataset.key === event.key);
  if (!wanted || event.repeat) return;
  event.preventDefault();
  wanted.click();
});

for (const button of document.querySelectorAll("[data-shortcuts]")) {
  const tell = () => {
    button.textContent = shortcutsOn() ? button.dataset.on : button.dataset.off;
    button.setAttribute("aria-pressed", String(shortcutsOn()));
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    try { localStorage.setItem(STORED, shortcutsOn() ? "off" : "on"); } catch { return; }
    tell();
  });
  tell();
}

const wide = matchMedia("(min-width: 64rem)");
for (const menu of document.querySelectorAll("[data-menu]")) {
  const fold = () => { menu.open = wide.matches; };
  wide.addEventListener("change", fold);
  fold();
}

// On a phone a wide table becomes a list of its rows, each cell under the name of its column; without scripts it is scrolled.
for (const table of document.querySelectorAll(".scroll > table:not(.matrix)")) {
  const names = [...table.querySelectorAll("thead th")].map((each) => each.textContent);
  if (names.length < 3) continue;
  for (const row of table.tBodies[0].rows) {
    for (const cell of row.cells) {
      const filled = cell.childElementCount || cell.textContent.trim();
      if (filled && cell.tagName === "TD") cell.dataset.label = cell.colSpan > 1 ? "" : names[cell.cellIndex] || "";
    }
  }
  table.classList.add("stacked");
}

for (const board of document.querySelectorAll("[data-live]")) {
  const state = document.querySelector("[data-live-state]");
  const listen = () => {
    const source = new EventSource(board.dataset.live);
    source.onmessage = (event) => {
      const figures = JSON.parse(event.data);
      for (const place of board.querySelectorAll("[data-figure]")) {
        if (place.dataset.figure in figures) place.textContent = figures[place.dataset.figure];
      }
    };
    const tell = () => { if (state) state.textContent = source.readyState === EventSource.OPEN ? state.dataset.on : state.dataset.off; };
    source.onopen = tell;
    source.onerror = () => {
      setTimeout(tell, 2500);
      if (source.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
    };
  };
  listen();
}
