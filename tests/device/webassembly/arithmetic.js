// arithmetic.js MODULE COMPARE FOLDER: every arithmetic instruction as
// WebAssembly, in every rounding mode, with the bits that an H200 gave: the
// test "instructions as on an H200", by the same program and the same COMPARE.
"use strict";
const child_process = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const device = require("./module.js");

const [name, compare, folder] = process.argv.slice(2);
const instructions = path.join(folder, "instructions");
const work = fs.mkdtempSync(path.join(os.tmpdir(), "arithmetic."));
let status = 1;

try {
  const run = device.run(device.load(name),
    ["arithmetic", "instructions", "--all"],
    { instructions: fs.readFileSync(instructions, "utf8") }, 1 << 30);
  const here = path.join(work, "here");
  fs.writeFileSync(here, run.output);
  if (run.status !== 0)
    console.log(`status ${run.status}\n${run.errors}`);
  else
    status = child_process.spawnSync(compare, [instructions, here,
      path.join(folder, "arithmetic.h200.csv"),
      path.join(folder, "exceptions")], { stdio: "inherit" }).status;
} finally {
  fs.rmSync(work, { recursive: true, force: true });
}
process.exit(status === null ? 1 : status);
