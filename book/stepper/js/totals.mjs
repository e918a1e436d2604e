// What steps add up to.
import { ones } from "./numbers.mjs";
import { is_branch } from "./steps.mjs";

// Totals after each step, under the names that bench/ has for them.
export function totals(rec) {
  const all = [{}];
  for (const s of rec.steps) {
    const t = { ...all[all.length - 1] };
    const add = (name, n) => { t[name] = (t[name] || 0) + n; };
    add("warp_instructions", 1);
    // Of a branch, the executed lanes are those that jump; all evaluate it.
    add("thread_instructions", ones(is_branch(rec, s) ? s.active : s.executed));
    const a = s.access;
    const short = a && { load: "ld_", store: "st_", atomic: "atomic_" }[a.operation];
    if (a && a.space === "global") {
      add(short + "requests", 1);
      add(short + "sectors", a.sectors);
    } else if (a && a.space === "shared") {
      add("shared_" + short + "requests", 1);
      add("shared_" + short + "wavefronts", a.wavefronts);
    }
    all.push(t);
  }
  return all;
}
export const counters = [["warp_instructions", "warp instructions"],
  ["thread_instructions", "lanes on average"],
  ["ld_requests st_requests atomic_requests", "global requests"],
  ["ld_sectors st_sectors atomic_sectors", "global sectors"],
  ["shared_ld_requests shared_st_requests shared_atomic_requests",
    "shared requests"],
  ["shared_ld_wavefronts shared_st_wavefronts shared_atomic_wavefronts",
    "shared wavefronts"]];
// Beside these is what a GPU counted. Its machine code has other instructions, and
// counts requests to shared memory whose predicate is false in every lane.
export const on_gpu = /^ld_|wavefronts/;
export const counted = (t, names) =>
  names.split(" ").reduce((n, name) => n + (t[name] || 0), 0);
