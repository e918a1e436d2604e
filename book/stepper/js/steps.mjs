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

export const line_of = (rec, k) => rec.code[rec.steps[k].code].line;

// A request to memory that the panel shows: its banks, or its lines.
export const is_request = (rec, k) => {
  const { access } = rec.steps[k];
  return !!access && /global|shared/.test(access.space);
};
