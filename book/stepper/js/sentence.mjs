// What a step did, and why it cost what it cost, in one sentence.
import { count, first, most_alike, ones, pieces, range } from "./numbers.mjs";
import { born, is_barrier, is_branch, is_telling, name_of, place_of, price, warps }
  from "./steps.mjs";

const why_shared = (a, p) => {
  const words = [...pieces(a.lanes, a.bytes, 4)];
  if (words.length === 1 && a.lanes.length > 1)
    return "they all want the same word, and its bank broadcasts it";
  const [bank, n] = most_alike(words.map((word) => word % 32));
  if (p.cost === 1)
    return words.length < a.lanes.length ?
      "no two of the words they want share a bank" :
      a.lanes.length > 1 ? "each word is in a bank of its own" : "";
  if (p.cost === p.least)
    return "the fewest for " + p.used + " bytes at 128 per wavefront";
  return n === p.cost ?
    `because ${n} of their words are in bank ${bank}, which delivers one ` +
      "word per wavefront" :
    "because their words collide in the banks; without conflicts, " +
      p.least + " would do";
};

const why_global = (a, p) => {
  if (a.lanes.length > 1 && p.used === a.bytes)
    return "they all want the same " + count(p.used, "byte");
  if (p.cost <= p.least)
    return a.lanes.length < 2 ? "" : p.cost === 1 ?
      `it holds all of their ${p.used} bytes` :
      `the fewest that can hold their ${p.used} bytes`;
  const gaps = a.lanes.slice(1).map((x, i) => x.address - a.lanes[i].address);
  const [gap, n] = most_alike(gaps);
  const off = a.lanes[0].address % 32;
  if (gap === a.bytes && n === gaps.length && off)
    return `one more than ${p.used} bytes need, because the first address is ` +
      count(off, "byte") + " past a sector's edge";
  return `where ${p.least} could hold their ${p.used} bytes, because ` +
    (n === gaps.length && gaps.length ?
      `neighbouring lanes are ${Math.abs(gap)} bytes apart` :
      "their addresses are scattered") +
    (p.used % p.cost ? `: on average a sector brings ${
      (p.used / p.cost).toFixed(1)} useful bytes of its 32` :
      `: each sector brings ${p.used / p.cost} useful bytes of its 32`);
};

const access_words = (rec, a, who, one) => {
  const name = name_of(rec, a);
  const p = price(a);
  const s = one ? "s " : " ";
  const [, busiest] = most_alike(a.lanes.map((lane) => lane.address));
  const did = a.operation === "atomic" ?
    who + " update" + s + (one ? "one value" :
      count(new Set(a.lanes.map((x) => x.address)).size, "value")) +
      " atomically in " + name :
    who + " " + a.operation + s + (a.operation === "load" ? "from " : "to ") +
      name;
  if (a.operation === "atomic" && busiest > 1)
    return `${did}; ${busiest} of them want the same value, so their updates ` +
      "take effect one after the other, all within " + count(p.cost, p.unit);
  const why = a.space === "shared" ? why_shared(a, p) :
    a.space === "constant" ? (p.cost > 1 ? "one for each address" :
      "all lanes read the same address") : why_global(a, p);
  return did + " in " + count(p.cost, p.unit) +
    (!why ? "" : /^(where|because)/.test(why) && p.unit === "wavefront" ?
      ", " + why : /^where/.test(why) ? " " + why : ": " + why);
};

const barrier_words = (rec, k, n_lanes, who) => {
  const { block, warp } = rec.steps[k];
  if (/warp/.test(rec.code[rec.steps[k].code].opcode))
    return who + (n_lanes === 1 ? " meets" : " meet") + " at __syncwarp";
  const met = range(warps(rec)).map(() => 0), last = [];
  rec.steps.forEach((s, i) => {
    if (s.block !== block) return;
    if (i <= k && is_barrier(rec, i)) met[s.warp]++;
    last[s.warp] = i;
  });
  const live = range(met.length).filter((w) => last[w] > k || w === warp);
  const missing = live.filter((w) => met[w] < met[warp]).length;
  if (met.length === 1)
    return "the block has one warp, so nothing has to wait at the barrier";
  if (missing) return `warp ${warp} waits at the barrier for ` +
    count(missing, "more warp");
  return `warp ${warp} is the last to reach the barrier, and the block goes on`;
};

// What instructions do that touch no memory, by the beginning of their names.
const kinds = [
  [/^ld\.param/, "read", " an argument of the kernel"],
  [/^setp|^set\./, "compare", " two values"],
  [/^selp|^slct/, "choose", " one of two values by a predicate"],
  [/^mov\.|^cvta/, "put", " a value into a register"],
  [/^cvt/, "convert", " a value to another type"],
  [/^shfl/, "read", " another lane's register, without going to memory"],
  [/^vote|^match|^activemask/, "learn", " what the others of the warp have"],
  [/^redux/, "combine", " the warp's values"],
  [/^(fence|membar)/, "wait", " until their stores can be seen"],
  [/^(shl|shr|and|or|xor|not|lop3|bf[ei]|brev|popc|clz|prmt|shf)\./, "compute",
    " with bits"],
  [/^(add|sub|mul|mad|fma|min|max|neg|abs|div|rem|sad|rcp|r?sqrt|ex2|lg2|sin|cos|tanh)/,
    "compute", " with "],
  [/./, "execute", " it"]];

// One sentence on step k, without its line.
export function words(rec, k) {
  const s = rec.steps[k], op = rec.code[s.code].opcode;
  const exist = ones(born(rec, s.warp));
  const n = ones(s.executed), active = ones(s.active);
  const one = n === 1;
  const who = n === exist && n > 1 ? `all ${n} lanes` :
    one ? "lane " + first(s.executed) : `${n} of ${exist} lanes`;
  if (is_barrier(rec, k) || /^bar\.warp/.test(op))
    return barrier_words(rec, k, n, who);
  if (is_branch(rec, s)) {
    if (!n) return "no lane jumps: " +
      (active < exist ? count(active, "lane") + " go" + (active === 1 ? "es" : "")
        : "the whole warp goes") + " on with the next instruction";
    if (n < active) return `the warp diverges: ${who} jump${one ? "s" : ""} and ` +
      `${active - n} do${active - n === 1 ? "es" : ""} not, so the warp runs ` +
      "both paths, one after the other";
    return who + (one ? " jumps" : " jump") +
      (n < exist ? "; the others are elsewhere" : ", so the warp stays together");
  }
  if (/^(ret|exit)/.test(op))
    return n ? who + (one ? " is" : " are") + " done" : "no lane returns here";
  if (!n) return op + " does nothing: its predicate is false in every lane";
  if (s.access) return access_words(rec, s.access, who, one);
  const [, verb, rest] = kinds.find(([pattern]) => pattern.test(op));
  const did = verb + (one ? "s" : "") + rest + (rest !== " with " ? "" :
    /f(16|32|64)/.test(op) ? "floating-point numbers" : "integers");
  return `${who} ${did}` + (n === exist ? "" :
    n < active ? `; the predicate is false in ${active - n}` :
    `, which takes as long as it would with ${exist}`);
}

// "Line 72"; of another file than the listing's, its name, too.
const where = (rec, k) => {
  const { file, line } = place_of(rec, k), own = rec.code[rec.steps[k].code].line;
  return (!own ? line ? "After line " : "Before the first line" : file ?
    rec.files[file].split("/").pop() + ", line " : "Line ") + (line || "");
};

export const sentence = (rec, k) => `${where(rec, k)}: ${words(rec, k)}.`;

// The same of a stop, with the `before` instructions since the one before it.
export function summary(rec, k, before) {
  if (!before) return sentence(rec, k);
  if (is_telling(rec, k))
    return `${sentence(rec, k)} ${count(before, "instruction")} led up to it.`;
  const [who] = words(rec, k).match(/^(all \d+ lanes|lane \d+|\d+ of \d+ lanes)/) || ["the warp"];
  return `${where(rec, k)}: ${who} compute${/^(lane|the)/.test(who) ? "s" : ""} and ` +
    `compare${/^(lane|the)/.test(who) ? "s" : ""}, in ${before + 1} instructions that ` +
    "touch no memory.";
}
