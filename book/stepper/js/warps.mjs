// The lanes of the warp at this step, and where the block's other warps are.
import { has } from "./numbers.mjs";
import { born, is_barrier } from "./steps.mjs";

export function show_lanes(view, k) {
  const s = view.rec.steps[k];
  let later = 0;
  for (let i = k + 1; i < view.rec.steps.length; i++)
    if (view.rec.steps[i].block === s.block && view.rec.steps[i].warp === s.warp)
      later |= view.rec.steps[i].active;
  const mine = born(view.rec, s.warp), said = { on: 0, off: 0, wait: 0, gone: 0 };
  view.$$(".lanes32 i").forEach((cell, i) => {
    const state = has(s.executed, i) ? "on" : has(s.active, i) ? "off" :
      !has(mine, i) ? "none" : has(later, i) ? "wait" : "gone";
    cell.className = state + (i === view.pin ? " pin" : "");
    if (state in said) said[state]++;
  });
  view.$(".lanes32").setAttribute("aria-label", [
    [said.on, "execute"], [said.off, "have a false predicate"],
    [said.wait, "are elsewhere"], [said.gone, "are done"]]
    .filter(([n]) => n).map(([n, what]) => `${n} lanes ${what}`).join(", "));
  view.$(".warp-name").textContent = `Warp ${s.warp}, 32 lanes`;
  view.$(".op").textContent = view.rec.code[s.code].opcode;
}

export function show_strips(view, k) {
  const latest = {}, next = {}, block = view.rec.steps[k].block;
  view.rec.steps.forEach((s, i) => {
    if (s.block !== block) return;
    if (i <= k) latest[s.warp] = i;
    else next[s.warp] = next[s.warp] ?? i;
  });
  view.$$(".strips button").forEach((strip, w) => {
    const i = latest[w];
    const line = i !== undefined && view.rec.code[view.rec.steps[i].code].line;
    strip.lastChild.textContent = i === undefined ? "–" :
      next[w] === undefined ? "done" : is_barrier(view.rec, i) ? "waits" : line;
    strip.setAttribute("aria-pressed", w === view.rec.steps[k].warp);
  });
}
