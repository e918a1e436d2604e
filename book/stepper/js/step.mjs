// The stepper: a panel in a listing that replays a run of its kernel, step by
// step, and runs it again with the reader's own values. js/book.js loads it, in one
// script with all that it imports, when a reader first asks for it; what it shows
// comes from steps/SLUG-NAME.js (decoded by recording.mjs) and, for the reader's own
// runs, from the device in a worker (runner.mjs).
//
// A recording's steps are in the order of execution, those of all warps mixed.
// The panel follows one warp, or all warps of a block: `view.list` holds the numbers
// of these steps, and `view.at` is a place in it.
import { ledger } from "./ledger.mjs";
import { memory } from "./memory.mjs";
import { open_panel } from "./panel.mjs";
import { sentence, words } from "./sentence.mjs";
import { price } from "./steps.mjs";
import { totals } from "./totals.mjs";

const base = typeof document === "object" && document.currentScript ?
  document.currentScript.src.replace(/[^/]*$/, "") : "";
const recordings = {}, programs = {}, panels = {};
const load = (file) => window.book.load(file);
const is_open = (name) => !!panels[name] && panels[name].is_open();

// Called by the scripts of a scene.
export function recording(name, text, scene) {
  recordings[name] = { rec: window.recording.decode(text), scene };
}
export function program(name, parts) {
  programs[name] = parts;
}

// On a phone code and lanes are in view together; knobs and question are above.
const top_of = (panel) => panel.clientWidth < 600 ?
  panel.querySelector(".step-body") : panel;

// Opens the panel of a listing, or closes it.
export async function open(listing, name, asks) {
  if (is_open(name) && !asks) return panels[name].close();
  if (!recordings[name]) {
    await load("recording.js");
    await load("steps/" + name.replace("/", "-") + ".js");
  }
  const is_new = !is_open(name);
  for (const other in panels)
    if (other !== name && is_open(other)) panels[other].close();
  if (is_new)
    panels[name] = open_panel(listing, name, recordings[name],
      { program: () => programs[name], base });
  if (asks) await panels[name].restore(asks);
  const { panel } = panels[name];
  if (is_new)
    panel.querySelector('[data-do="line"]').focus({ preventScroll: true });
  if (asks) {
    // An address names the panel, wherever it is, as it would name a heading.
    window.book.unfold(panel);
    await window.book.settled;
    panels[name].show();    // which scrolls to its line, once that has a place
    top_of(panel).scrollIntoView({ block: "start" });
  } else if (is_new) {
    top_of(panel).scrollIntoView({ block: "nearest" });
  }
}

export { ledger, memory, price, sentence, totals, words };
