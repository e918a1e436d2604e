// sentences.js: what the stepper says of each kind of step, how it counts
// and what it takes to be in memory, from recordings made by hand.
"use strict";
const { execFileSync } = require("child_process");
const path = require("path");
const vm = require("vm");
// As the build makes it of the modules.
const book = path.join(__dirname, "../../../book/stepper");
const stepper = vm.runInThisContext(execFileSync("python3", [
  path.join(book, "bundle.py"), "stepper", path.join(book, "js/step.mjs"), "-"],
{ encoding: "utf8" }) + "stepper;");
const { access, sample, all, half } = require("./sample.js");
let failed = 0, passed = 0;

function equal(found, expected, what) {
  const [a, b] = [found, expected].map((x) => JSON.stringify(x));
  if (a === b) return passed++;
  failed++;
  console.log(`FAILED ${what}\n  expected ${b}\n  found    ${a}`);
}

// What is said of one step: `opcode` of warp 0, with the masks and the access.
function said(opcode, active, executed, got = null, block = 32, others = []) {
  const rec = sample();
  rec.block = [block, 1, 1];
  rec.code = [{ file: 0, line: 7, ptx_line: 1, opcode },
              { file: 0, line: 8, ptx_line: 2, opcode: "ret" }];
  rec.steps = [{ code: 0, block: 0, warp: 0, active, executed, access: got },
               ...others];
  return stepper.sentence(rec, 0);
}
const load = (space, at, price, mask = all, more = {}) =>
  access(space, "load", mask, at, () => 1, price, more);

const table = [
  ["argument", "ld.param.u32", all, all, null,
   "Line 7: all 32 lanes read an argument of the kernel."],
  ["compare", "setp.lt.u32", all, all, null, "Line 7: all 32 lanes compare " +
   "two values."],
  ["half of a warp", "add.f32", half, half, null, "Line 7: 16 of 32 lanes " +
   "compute with floating-point numbers, which takes as long as it would with 32."],
  ["one lane", "add.s32", 1, 1, null, "Line 7: lane 0 computes with integers, " +
   "which takes as long as it would with 32."],
  ["one lane, not the first", "add.s32", 0x80000000, 0x80000000, null,
   "Line 7: lane 31 computes with integers, which takes as long as it would with 32."],
  ["predicate", "mul.f32", all, half, null, "Line 7: 16 of 32 lanes compute " +
   "with floating-point numbers; the predicate is false in 16."],
  ["predicate false", "add.f32", all, 0, null, "Line 7: add.f32 does nothing: " +
   "its predicate is false in every lane."],
  ["shuffle", "shfl.sync.down.b32", all, all, null, "Line 7: all 32 lanes read " +
   "another lane's register, without going to memory."],
  ["branch of all", "bra", all, all, null,
   "Line 7: all 32 lanes jump, so the warp stays together."],
  ["branch of none", "bra", all, 0, null, "Line 7: no lane jumps: the whole " +
   "warp goes on with the next instruction."],
  ["divergence", "bra", all, half, null, "Line 7: the warp diverges: 16 of 32 " +
   "lanes jump and 16 do not, so the warp runs both paths, one after the other."],
  ["end", "ret", all, all, null, "Line 7: all 32 lanes are done."],
  ["coalesced", "ld.global.f32", all, all, load("global", (l) => 4 * l,
   { sectors: 4 }), "Line 7: all 32 lanes load from x[] in 4 sectors: the fewest " +
   "that can hold their 128 bytes."],
  ["one address", "ld.global.f32", all, all, load("global", () => 64,
   { sectors: 1 }), "Line 7: all 32 lanes load from x[] in 1 sector: they all " +
   "want the same 4 bytes."],
  ["misaligned", "ld.global.f32", all, all, load("global", (l) => 4 * l + 4,
   { sectors: 5 }), "Line 7: all 32 lanes load from x[] in 5 sectors: one more " +
   "than 128 bytes need, because the first address is 4 bytes past a sector's edge."],
  ["strided", "ld.global.f32", all, all, load("global", (l) => 32 * l,
   { sectors: 32 }), "Line 7: all 32 lanes load from x[] in 32 sectors where 4 " +
   "could hold their 128 bytes, because neighbouring lanes are 32 bytes apart: " +
   "each sector brings 4 useful bytes of its 32."],
  ["backwards", "ld.global.f32", all, all, load("global", (l) => 124 - 4 * l,
   { sectors: 4 }), "Line 7: all 32 lanes load from x[] in 4 sectors: the fewest " +
   "that can hold their 128 bytes."],
  ["scattered", "ld.global.f32", all, all, load("global", (l) => 4 * (l * l * 7 % 96),
   { sectors: 12 }), /where \d+ could hold their \d+ bytes, because their addresses are scattered/],
  ["own word, own bank", "ld.shared.f32", all, all, load("shared", (l) => 4 * l,
   { wavefronts: 1 }), "Line 7: all 32 lanes load from shared memory in 1 " +
   "wavefront: each word is in a bank of its own."],
  ["broadcast", "ld.shared.f32", all, all, load("shared", () => 8,
   { wavefronts: 1 }), "Line 7: all 32 lanes load from shared memory in 1 " +
   "wavefront: they all want the same word, and its bank broadcasts it."],
  ["pairs share a word", "ld.shared.f32", all, all, load("shared",
   (l) => 4 * (l >> 1), { wavefronts: 1 }), "Line 7: all 32 lanes load from " +
   "shared memory in 1 wavefront: no two of the words they want share a bank."],
  ["conflict", "ld.shared.f32", all, all, load("shared", (l) => 128 * l,
   { wavefronts: 32, wave: (l) => l }), "Line 7: all 32 lanes load from shared " +
   "memory in 32 wavefronts, because 32 of their words are in bank 0, which " +
   "delivers one word per wavefront."],
  ["eight bytes a lane", "ld.shared.f64", all, all, load("shared", (l) => 8 * l,
   { wavefronts: 2, wave: (l) => l >> 4 }, all, { bytes: 8 }), "Line 7: all 32 " +
   "lanes load from shared memory in 2 wavefronts: the fewest for 256 bytes at " +
   "128 per wavefront."],
  ["lone store", "st.global.f32", 1, 1, access("global", "store", 1, () => 0,
   () => 5, { sectors: 1 }), "Line 7: lane 0 stores to x[] in 1 sector."],
  ["contended atomic", "atom.global.add.u32", all, all, access("global", "atomic",
   all, (l) => 4 * (l >> 3), () => 1, { sectors: 1 }), "Line 7: all 32 lanes " +
   "update 4 values atomically in x[]; 8 of them want the same value, so their " +
   "updates take effect one after the other, all within 1 sector."],
  ["several constants", "ld.const.f32", all, all, load("constant", (l) => 4 * (l % 3),
   { wavefronts: 3 }), "Line 7: all 32 lanes load from constant memory in 3 " +
   "wavefronts: one for each address."],
  ["lonely barrier", "bar.sync", all, all, null, "Line 7: the block has one " +
   "warp, so nothing has to wait at the barrier."],
  ["warp barrier", "bar.warp.sync", all, all, null,
   "Line 7: all 32 lanes meet at __syncwarp."],
];
for (const [what, opcode, active, executed, got, expected] of table) {
  const found = said(opcode, active >>> 0, executed >>> 0, got);
  if (expected instanceof RegExp) equal(expected.test(found), true, what + ": " + found);
  else equal(found, expected, what);
}
equal(said("bar.sync", all, all, null, 64, [
  { code: 1, block: 0, warp: 1, active: all, executed: all, access: null }]),
  "Line 7: warp 0 waits at the barrier for 1 more warp.", "barrier, another comes");
equal(said("add.s32", 0xff, 0xff, null, 8), "Line 7: all 8 lanes compute with " +
  "integers.", "a block of eight threads");

// Counting: the steps of the sample add up to its counts.
const rec = sample();
const total = stepper.totals(rec).pop();
for (const name in rec.counts) equal(total[name], rec.counts[name], name);
// Lanes joined: two wavefronts where one would do.
equal(stepper.price(rec.steps[9].access), { cost: 2, least: 1, used: 32,
  unit: "wavefront" }, "price of a conflict");
// Memory: nothing in shared memory before the store, all of it at the end.
const shared = (k) => stepper.memory(rec, rec.shared, 0, k).values;
equal(shared(1).every((v) => v === null), true, "shared memory before a store");
equal(shared(14), [...Array(64).keys()], "shared memory after the stores");
equal(stepper.memory(rec, rec.buffers[1], 0, 99).values[8], 8, "a stored result");
// The ledger has a row for each wavefront and names every lane once.
const ledger = stepper.ledger(rec.steps[9].access);
equal([ledger.split("<tr>").length - 2, ledger.match(/class="used"/g).length],
  [2, 8], "ledger of a conflict");

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
