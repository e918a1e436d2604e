// The reader's own runs, with knobs turned or something broken.
import { choose } from "./follow.mjs";
import { broken_line, show_listing } from "./listing.mjs";
import { memory } from "./memory.mjs";
import { stop } from "./moves.mjs";
import { sum } from "./numbers.mjs";
import { set_state, show } from "./show.mjs";
import { warps } from "./steps.mjs";
import { totals } from "./totals.mjs";

export function show_knobs(view) {
  view.$$("[data-knob]").forEach((input) => {
    input.value = view.wanted[input.dataset.knob];
    if (input.nextSibling) input.nextSibling.textContent = input.value;
  });
  view.scene.breaks.forEach((b) => {
    const toggle = view.$(`[data-break="${b.name}"]`);
    toggle.setAttribute("aria-pressed", b.name === view.wanted.break);
    toggle.disabled = !broken_line(view, b, view.wanted);
  });
}

// What a check or fault said, and where the result is another than the book's.
export function report_words(view) {
  const said = view.rec.report ? view.rec.report.text : "";
  if (view.rec === view.book || !("break" in view.rec.knobs)) return said;
  const same = Object.keys(view.book.knobs).every((k) =>
    view.book.knobs[k] === view.rec.knobs[k]);
  for (const buffer of same && !view.rec.truncated ? view.rec.buffers : []) {
    const theirs = view.book.buffers.find((b) => b.name === buffer.name);
    if (!theirs) continue;
    const mine = memory(view.rec, buffer, 0, Infinity).values;
    const right_ = memory(view.book, theirs, 0, Infinity).values;
    const e = right_.findIndex((v, i) => v !== mine[i]);
    if (e >= 0) return `${said}\n${buffer.name}[${e}] is ${mine[e]}; it should be ` +
      `${right_[e]}.`.trim();
  }
  return said + (same ? " The result is still right, this time." : "");
}

// Another recording is shown from now on.
function take(view, found, state) {
  view.rec = found;
  view.sums = totals(view.rec);
  view.asked = null;
  view.follow.block = Math.min(view.follow.block, sum(view.rec.grid) - 1);
  view.follow.warp = Math.min(view.follow.warp, warps(view.rec) - 1);
  choose(view);
  show_listing(view);
  set_state(view, state);
  view.$(".step-report").textContent = report_words(view);
  show(view);
}

export const as_book = (view) =>
  Object.keys(view.wanted).every((k) => view.wanted[k] === view.book.knobs[k]) &&
  Object.keys(view.book.knobs).every((k) => view.wanted[k] === view.book.knobs[k]);

const mine_is_old = (view, mine) =>
  JSON.stringify(mine) !== JSON.stringify(view.wanted) ||
  view.closed;

export async function run(view) {
  stop(view);
  if (view.runs) view.runs.cancel();
  show_knobs(view);
  if (as_book(view)) return take(view, view.book, "replay");
  const mine = { ...view.wanted }, last = view.rec, last_state = view.base_state;
  set_state(view, "running");
  try {
    if (!window.runner) await window.book.load("run.js");
    await window.book.load("steps/" + view.name.replace("/", "-") + ".run.js");
    view.runs = view.runs || window.runner(view.base);
    const text = await view.runs.run(view.program(), mine,
      { limit_rows: 100000, seconds: 10 });
    if (mine_is_old(view, mine)) return;
    const found = window.recording.decode(text);
    take(view, found, found.report ? "broken" : "edited");
  } catch (error) {
    if (mine_is_old(view, mine)) return;
    // Also where the panel could not show this run: it is the last one's again.
    if (view.rec !== last) take(view, last, last_state);
    view.wanted = { ...view.rec.knobs };
    show_knobs(view);
    set_state(view, view.rec === view.book ? "failed" : view.base_state);
    view.$(".step-report").textContent = error.message;
  }
}

// What the buttons for runs do.
export const choices = {
  as_book(view) {
    view.wanted = { ...view.book.knobs };
    run(view);
  },
  cancel(view) {
    if (view.runs) view.runs.cancel();
    view.wanted = { ...view.rec.knobs };
    show_knobs(view);
    set_state(view, view.base_state);
  },
};
