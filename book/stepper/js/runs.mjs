// The reader's own runs, with knobs turned or something broken.
import { choose } from "./follow.mjs";
import { found_accesses, race_words } from "./found.mjs";
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

// Its title, who did what, and why it must not be.
function short_report(text) {
  const lines = text.split("\n").map((line) => line.trim());
  return [...new Set([...lines.slice(0, 2), lines.at(-1)])].join("; ") + ".";
}

// What a check or fault means here, and where the result is another than the book's.
function report_lines(view) {
  const { report } = view.rec;
  const words = race_words(view.rec, view.found);
  const said = report ? [words || short_report(report.text), words && left_out(view)]
    .filter(Boolean) : [];
  if (view.rec === view.book || !("break" in view.rec.knobs)) return said;
  const same = Object.keys(view.book.knobs).every((k) =>
    view.book.knobs[k] === view.rec.knobs[k]);
  for (const buffer of same && !view.rec.truncated ? view.rec.buffers : []) {
    const theirs = view.book.buffers.find((b) => b.name === buffer.name);
    if (!theirs) continue;
    const mine = memory(view.rec, buffer, 0, Infinity).values;
    const right_ = memory(view.book, theirs, 0, Infinity).values;
    const e = right_.findIndex((v, i) => v !== mine[i]);
    if (e >= 0) return [...said, mine[e] === null || mine[e] === undefined ?
      `${buffer.name}[${e}] was never written; it should be ${right_[e]}.` :
      `${buffer.name}[${e}] is ${mine[e]}; it should be ${right_[e] ?? "left alone"}.`];
  }
  return same ? [...said, "The result is still right, this time."] : said;
}

// What the reader took away, which is what orders the two: a check can only name what
// would order the first pair that it meets.
function left_out(view) {
  const edit = view.scene.breaks.find((b) => b.name === view.rec.knobs.break);
  const line = edit && broken_line(view, edit, view.rec.knobs);
  return line ? `Line ${line}, as it was, kept them in order.` : "";
}

export function show_report(view) {
  const box = view.$(".step-report"), { report } = view.rec;
  box.textContent = report_lines(view).join("\n");
  if (!report) return;
  const all = window.book.element("details", {},
    window.book.element("summary", {}, "What the device reports"));
  all.append(report.text);
  box.append(all);
}

// What a report is about: the last of its accesses, and the warps of all of them.
function go_to_found(view) {
  const last = view.found.at(-1);
  if (!last) return;
  view.came_from ??= { follow: view.follow, at: view.at, pin: view.pin };
  const of = (one) => view.rec.steps[one.k], { block, warp } = of(last);
  const one_warp = view.found.every((one) => of(one).block !== block ||
    of(one).warp === warp);
  view.follow = { block, warp: one_warp ? warp : -1 };
  choose(view);
  view.at = view.list.indexOf(last.k);
  view.pin = last.lane;
  view.act("pin").value = last.lane;
}

// Another recording is shown from now on.
function take(view, found, state) {
  view.rec = found;
  view.sums = totals(view.rec);
  view.asked = null;
  view.found = found_accesses(view.rec);
  if (state !== "broken" && view.came_from) {
    Object.assign(view, view.came_from, { came_from: null });
    view.act("pin").value = view.pin;
  }
  view.follow.block = Math.min(view.follow.block, sum(view.rec.grid) - 1);
  view.follow.warp = Math.min(view.follow.warp, warps(view.rec) - 1);
  choose(view);
  if (state === "broken") go_to_found(view);
  show_listing(view);
  set_state(view, state);
  show_report(view);
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
