// A small recording for the tests of the stepper, in the form that decode()
// of stepper/js/recording.mjs returns: a block of two warps adds pairs that are eight
// words apart, by way of shared memory. Its counts are added up here by other
// means than the stepper's, and its prices are given, not computed.
"use strict";

const all = 0xffffffff, half = 0x0000ffff;

// An access of the lanes in `mask`; `at` and `value` are functions of the lane.
function access(space, operation, mask, at, value, price, more = {}) {
  const lanes = [];
  for (let lane = 0; lane < 32; lane++)
    if (mask >>> lane & 1)
      lanes.push({ lane, address: at(lane), value: value(lane),
                   wavefront: (price.wave || (() => 0))(lane) });
  return { space, operation, bytes: 4, allocation: space === "global" ? 1 : 0,
           wavefronts: price.wavefronts || 0, sectors: price.sectors || 0, lanes,
           ...more };
}

function sample(n = 64, broken = false, order = "strided") {
  const code = [], steps = [], index = {};
  function step(warp, line, opcode, active, executed, got = null) {
    const key = line + opcode;
    if (!(key in index)) {
      index[key] = code.length;
      code.push({ file: 0, line, ptx_line: code.length, opcode });
    }
    steps.push({ code: index[key], block: 0, warp, active, executed, access: got });
  }
  const x = Array.from({ length: 64 }, (_, i) => i < n ? i : 0);
  for (let warp = 0; warp < 2; warp++) {
    const me = (lane) => 32 * warp + lane;
    step(warp, 1, "ld.param.u64", all, all);
    step(warp, 5, "ld.global.f32", all, all, access("global", "load", all,
      (lane) => 4 * me(lane), (lane) => x[me(lane)], { sectors: 4 }));
    step(warp, 5, "st.shared.f32", all, all, access("shared", "store", all,
      (lane) => 4 * me(lane), (lane) => x[me(lane)], { wavefronts: 1 }));
    if (!broken) step(warp, 6, "bar.sync", all, all);
  }
  step(0, 7, "bra", all, ~half >>> 0);
  step(0, 8, "ld.shared.f32", half, half, access("shared", "load", half,
    (lane) => 4 * (8 * lane % 64), (lane) => x[8 * lane % 64],
    { wavefronts: 2, wave: (lane) => (lane >> 2) % 2 }));
  step(0, 8, "add.f32", half, half);
  step(0, 9, "st.global.f32", half, half, access("global", "store", half,
    (lane) => 32 * lane, (lane) => broken ? 0 : x[8 * lane % 64],
    { sectors: 16 }, { allocation: 2 }));
  step(0, 10, "ret", all, all);
  step(1, 7, "bra", all, all);
  step(1, 10, "ret", all, all);
  return { kernel: "sum", grid: [1, 1, 1], block: [64, 1, 1],
    knobs: { order, n, ...(broken ? { break: "no_barrier" } : {}) }, files: ["code/sample/sum.cu"],
    code, steps,
    buffers: [{ name: "x", type: "f32", allocation: 1, values: x },
              { name: "out", type: "f32", allocation: 2, values: Array(128).fill(0) }],
    shared: { bytes: 256, type: "f32" },
    counts: { warp_instructions: broken ? 13 : 15, ld_requests: 2, ld_sectors: 8,
              st_requests: 1, st_sectors: 16, shared_ld_requests: 1,
              shared_ld_wavefronts: 2, shared_st_requests: 2,
              shared_st_wavefronts: 2,
              thread_instructions: broken ? 368 : 432 },
    report: broken ? { kind: "race", line: 8, lines: [5, 8],
      file: "code/sample/sum.cu",
      text: "race: race between warps in shared memory\n" +
        "  load of 4 bytes by block (0,0,0), thread (4,0,0)\n" +
        "  at code/sample/sum.cu:8:3\n  nothing orders it with\n" +
        "  a store by block (0,0,0), thread (32,0,0)\n" +
        "  at code/sample/sum.cu:5:3\n  address 0x80 of shared memory: 128 bytes " +
        "into variable part of 256 bytes" } : null,
    output: "", truncated: false };
}

const scene = { name: "sample/sum", listing: "lst:sum",
  question: "Which stride needs one wavefront?", predict: [],
  asks: [{ text: "How many wavefronts?", knobs: { n: "48" }, answer: 2 },
         { text: "Which order?", knobs: {}, knob: "order", answer: ["other"],
           choices: [["strided", "strided"], ["other", "the other"]] }],
  knobs: [{ name: "order", label: "order", kind: "variant",
            values: ["strided", "other"], listings: { other: "lst:other" } },
          { name: "n", label: "elements", kind: "argument", values: [32, 48, 64] }],
  breaks: [{ name: "no_barrier", label: "Remove line 6: __syncthreads()", line: 6,
             lines: { "strided.no_barrier": 6 }, replace: "__syncthreads()",
             with: "" },
           { name: "past", label: "Take from the end", line: 8,
             lines: { "strided.past": 8 }, replace: "8 * me % 64", with: "63 - me" }] };

module.exports = { access, sample, scene, all, half };
