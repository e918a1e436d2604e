// What a recording's steps are: barriers, branches, requests and their price.
import { pieces, sum } from "./numbers.mjs";

// The lanes that warp `w` of a block has: the last warp may lack some.
export const born = (rec, warp) => {
  const n = Math.min(32, sum(rec.block) - 32 * warp);
  return n === 32 ? -1 : (1 << n) - 1;
};
export const warps = (rec) => Math.ceil(sum(rec.block) / 32);

// Of a request: its price, and the least that its bytes could cost.
export const price = (access) => {
  const shared = access.space === "shared";
  const cost = shared || !access.sectors ? access.wavefronts : access.sectors;
  const n = pieces(access.lanes, access.bytes, shared ? 4 : 1).size;
  return { cost, least: shared && access.ideal || Math.max(1, Math.ceil(n / 32)),
           used: shared ? 4 * n : n,
           unit: cost === access.sectors && !shared ? "sector" : "wavefront" };
};

export const name_of = (rec, a) => {
  const buffer = rec.buffers.find((b) => b.allocation === a.allocation);
  return a.space === "shared" ? "shared memory" :
    a.space === "global" ? buffer ? buffer.name + "[]" : "global memory" :
    a.space + " memory";
};

export const is_barrier = (rec, k) =>
  /^(bar|barrier)\./.test(rec.code[rec.steps[k].code].opcode) &&
  !/warp/.test(rec.code[rec.steps[k].code].opcode);

export const is_branch = (rec, s) => /^brx?\b|^bra\b/.test(rec.code[s.code].opcode);

// Where a step is in the source. Of what the compiler added between two lines that is
// the one before.
export const place_of = (rec, k) => {
  let c = rec.steps[k].code;
  while (c > 0 && !rec.code[c].line) c--;
  return rec.code[c];
};
export const line_of = (rec, k) => place_of(rec, k).line;

// What a reader wants to see of a line: memory, what warps and lanes do together, and
// where they part. The rest computes addresses and compares.
export const is_telling = (rec, k) => {
  const s = rec.steps[k], op = rec.code[s.code].opcode;
  return !!s.access || is_barrier(rec, k) ||
    /^(shfl|vote|match|activemask|redux|bar.warp|ret|exit|fence|membar)/.test(op) ||
    is_branch(rec, s) && !!s.executed && s.executed !== s.active;
};

const same_line = (rec, a, b) => b !== undefined &&
  rec.steps[a].warp === rec.steps[b].warp && line_of(rec, a) === line_of(rec, b) &&
  place_of(rec, a).file === place_of(rec, b).file;

// Of the steps in `list`, the places at which stepping by lines stops: where a line
// tells something, each time, or else at its last instruction.
export function stops_of(rec, list) {
  const stops = [];
  let told = false;
  list.forEach((k, i) => {
    const tells = is_telling(rec, k), ends = !same_line(rec, k, list[i + 1]);
    if (tells || ends && !told) stops.push(i);
    told = !ends && (told || tells);
  });
  return stops;
}

// A request to memory that the panel shows: its banks, or its lines.
export const is_request = (rec, k) => {
  const { access } = rec.steps[k];
  return !!access && /global|shared/.test(access.space);
};
