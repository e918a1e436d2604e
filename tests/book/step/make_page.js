// make_page.js FOLDER: the scripts that page.html's stepper loads: the recording,
// its decoder, the parts of a reader's run, and a runner that only pretends.
"use strict";
const fs = require("fs");
const { sample, scene } = require("./sample.js");
const folder = process.argv[2];
const quoted = (value) => JSON.stringify(JSON.stringify(value));

fs.writeFileSync(folder + "/recording.js",
  "window.recording = { decode: JSON.parse };\n");
fs.writeFileSync(folder + "/steps/sample-sum.js",
  `stepper.recording("sample/sum", ${quoted(sample())}, ${JSON.stringify(scene)});\n`);
fs.writeFileSync(folder + "/steps/sample-sum.run.js",
  'stepper.program("sample/sum", { knobs: [], launches: {}, lines: ["buffer x f32 64"], files: {} });\n');
// n = 48 runs, n = 32 never ends, no_barrier races, and both together fail; the run
// of n = 40 is too long to be recorded, and that of n = 41 cannot be shown.
const too_long = { ...sample(64), knobs: { order: "strided", n: 40 }, steps: [],
  truncated: true, counts: { warp_instructions: 123456, thread_instructions: 9 } };
// Leaves out[0] unwritten, and says nothing.
const past = { ...sample(64), knobs: { order: "strided", n: 64, break: "past" } };
past.steps = past.steps.map((step) => step.access?.allocation !== 2 ? step :
  { ...step, access: { ...step.access, lanes: step.access.lanes.slice(1) } });
past.buffers = past.buffers.map((b) => ({ ...b, values: b.values.map((v) =>
  b.name === "out" ? null : v) }));
const odd = { ...sample(64), knobs: { order: "strided", n: 41 }, code: [] };
fs.writeFileSync(folder + "/run.js", `
window.runner = function (base) {
  window.runs = [];
  var stop = null;
  return {
    run: function (program, knobs, limits) {
      window.runs.push({ program: program, knobs: knobs, limits: limits });
      if (knobs.break && knobs.n === 48)
        return Promise.reject(new Error("This browser has no WebAssembly."));
      if (knobs.n === 32)
        return new Promise(function (resolve, reject) { stop = reject; });
      if (knobs.n === 40) return Promise.resolve(${quoted(too_long)});
      if (knobs.n === 41) return Promise.resolve(${quoted(odd)});
      if (knobs.order === "other")
        return Promise.resolve(${quoted(sample(64, false, "other"))});
      if (knobs.break === "past") return Promise.resolve(${quoted(past)});
      return Promise.resolve(knobs.break ? ${quoted(sample(64, true))} :
                             ${quoted(sample(48))});
    },
    cancel: function () {
      window.n_cancelled = (window.n_cancelled || 0) + 1;
      if (stop) stop(new Error("cancelled"));
      stop = null;
    }
  };
};
`);
