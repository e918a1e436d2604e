// One panel, from its opening to its end. Its state, `view`, is what the other
// modules show and change.
import { asking, show_ask } from "./asks.mjs";
import { listen } from "./events.mjs";
import { choose } from "./follow.mjs";
import { found_accesses } from "./found.mjs";
import { panel_of } from "./layout.mjs";
import { give_back, take_listing } from "./listing.mjs";
import { first_request, moves, stop } from "./moves.mjs";
import { sum } from "./numbers.mjs";
import { as_book, choices, run, show_knobs, show_report } from "./runs.mjs";
import { set_state, show } from "./show.mjs";
import { warps } from "./steps.mjs";
import { totals } from "./totals.mjs";

function view_of(listing, name, { rec, scene }) {
  const code = listing.querySelector("div.sourceCode");
  const panel = panel_of(rec.kernel, scene);
  return {
    name, listing, scene, panel, code,
    book: rec, rec, sums: totals(rec),    // the book's run, and the one shown
    found: found_accesses(rec),           // what its report names
    list: [], at: 0,                      // the steps followed, and where in them
    follow: { block: 0, warp: 0 }, pin: -1, came_from: null,
    wanted: { ...rec.knobs }, runs: null,
    base_state: "replay", timer: 0, address_timer: 0, closed: false,
    asked: null, right: 0, answers: 0,    // while predicting
    file: code.dataset.source, lines: {}, shown: null, before: [], columns: 1,
    button: listing.querySelector("button.step-it"),
    $: (selector) => panel.querySelector(selector),
    $$: (selector) => [...panel.querySelectorAll(selector)],
    act: (action) => panel.querySelector(`[data-do="${action}"]`),
  };
}

// As wide as the window lets it be beside the contents, which its listing is not: the
// code and what happens in it fit side by side.
const MOST_REM = 88;

function fit(view) {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const wide = document.documentElement.clientWidth;
  const edge = wide < 52 * rem ? 4 : rem;
  // As it is now the panel may be wider than the window, which scrolls sideways then.
  view.panel.style.width = "100%";
  view.panel.style.marginLeft = 0;
  const beside = document.querySelector("#contents").getBoundingClientRect();
  const from = edge + (beside.left === 0 && beside.width < wide / 2 ? beside.right : 0);
  const width = Math.min(wide - edge - from, MOST_REM * rem);
  const left = view.listing.getBoundingClientRect().left;
  view.panel.style.width = width + "px";
  view.panel.style.marginLeft =
    Math.max(from, Math.min(left, wide - edge - width)) - left + "px";
}

function close(view) {
  stop(view);
  if (view.runs) view.runs.cancel();
  give_back(view);
  view.closed = true;
  view.button.setAttribute("aria-expanded", "false");
  clearTimeout(view.address_timer);
  removeEventListener("resize", view.fit);
  history.replaceState(null, "", "#" + view.listing.id);
  view.button.focus({ preventScroll: true });
}

// What the address asks for.
async function restore(view, asks) {
  for (const key in asks) {
    if (/^(step|at|in|warp)$/.test(key)) continue;
    const known = key === "break" || key in view.book.knobs;
    if (known) view.wanted[key] = typeof view.book.knobs[key] === "number" ?
      Number(asks[key]) : asks[key];
  }
  if (!as_book(view)) await run(view);
  if (view.base_state === "broken" && !asks.at && view.found.length) return show(view);
  view.follow = { block: Math.min(Number(asks.in || 0), sum(view.rec.grid) - 1),
    warp: Math.min(Number(asks.warp || 0), warps(view.rec) - 1) };
  choose(view);
  view.at = asks.at ? asks.at - 1 : first_request(view);
  show(view);
}

// Opens the panel of a listing. `recorded`: {rec, scene}. `program`: what runs.mjs
// gives the runner, a function, because it is loaded later. `base`: the pages' folder.
export function open_panel(listing, name, recorded, { program, base }) {
  const view = { ...view_of(listing, name, recorded), program, base };
  listen(view, { ...moves, ...choices, ...asking, close });
  view.button.setAttribute("aria-expanded", "true");
  take_listing(view);
  fit(view);
  view.fit = () => fit(view);
  addEventListener("resize", view.fit);
  choose(view);
  set_state(view, "replay");
  show_knobs(view);
  show_ask(view);
  show_report(view);
  view.at = first_request(view);
  show(view);
  // How many elements of an array are in a row depends on the panel's width.
  let wide = 0;
  new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width !== wide) show(view);
    wide = contentRect.width;
  }).observe(view.$(".step-state"));
  return {
    panel: view.panel,
    is_open: () => !view.closed,
    close: () => close(view),
    restore: (asks) => restore(view, asks),
    show: () => show(view),
  };
}
