// Everything that depends on the step, and on the panel's state.
import { show_address } from "./address.mjs";
import { show_counters } from "./counters.mjs";
import { show_code } from "./listing.mjs";
import { show_request } from "./request.mjs";
import { sentence, summary } from "./sentence.mjs";
import { column_of } from "./timeline.mjs";
import { show_lanes, show_strips } from "./warps.mjs";

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// replay, edited, broken, failed; or for a while playing, running.
export function set_state(view, state) {
  if (!/playing|running/.test(state)) view.base_state = state;
  view.panel.dataset.state = state;
  view.$(".badge").textContent = { replay: "the book's run", edited: "your run",
    broken: "your run", failed: "the book's run", running: "running …" }[state] ||
    view.$(".badge").textContent;
  view.act("cancel").hidden = state !== "running";
  view.act("as_book").hidden = view.rec === view.book && view.base_state !== "failed" ||
    state === "running";
  view.act("play").textContent = state === "playing" ? "Pause" : "Play";
  view.act("play").hidden = still();
  view.$(".say").setAttribute("aria-live", state === "playing" ? "off" : "polite");
}

// Without steps there is nothing to show but the counts: what an earlier run
// left in the panel would be taken for this one's.
function show_none(view) {
  view.$(".say").textContent = view.rec.truncated ?
    "This run is too long to be recorded; only its counts are here." :
    "No warp of this block has executed anything.";
  for (const n in view.lines) {
    view.lines[n].dataset.hits = "";
    view.lines[n].classList.remove("now");
  }
  view.$(".place").textContent = "";
  view.at = 0;
  view.sums = [view.rec.counts, view.rec.counts];
  show_counters(view, 0);
  show_address(view);
}

// How many instructions stepping by lines has passed over on the way to this one.
function folded(view) {
  const i = view.stops.indexOf(view.at);
  return i < 0 || view.follow.warp < 0 ? 0 : view.at - (view.stops[i - 1] ?? -1) - 1;
}

export function show(view) {
  view.panel.classList.toggle("empty", !view.list.length);
  if (!view.list.length) return show_none(view);
  view.at = Math.max(0, Math.min(view.list.length - 1, view.at));
  const k = view.list[view.at];
  show_code(view, k);
  show_lanes(view, k);
  show_strips(view, k);
  show_request(view, k);
  show_counters(view, k);
  view.$(".cursor").setAttribute("x", column_of(view, view.at));
  view.$(".timeline input").value = view.at + 1;
  view.$(".timeline input").setAttribute("aria-valuetext",
    `step ${view.at + 1} of ${view.list.length}`);
  view.$(".place").textContent = `${view.at + 1} / ${view.list.length}`;
  view.$(".place-of span").textContent = "instructions of " +
    (view.follow.warp < 0 ? "all warps" : "warp " + view.follow.warp);
  view.$(".score").textContent = view.answers ?
    `${view.right} of ${view.answers} right` : "";
  view.$(".say").textContent = view.asked !== null ? sentence(view.rec, k).split(" in ")[0]
    .split(";")[0].replace(/[.]?$/, ". What does it cost?") :
    summary(view.rec, k, folded(view));
  show_address(view);
}
