// recordings.js STEP.JS RECORDING.JS RECORDINGS PAGES: of every recording that the
// build has made, the steps add up to the launch's counts, and every step has its
// sentence. And what a reader loads stays within its limits.
"use strict";
const fs = require("fs");
const path = require("path");
const zlib = require("zlib");
const [step_file, decoder, recordings, pages] = process.argv.slice(2);
const stepper = require(path.resolve(step_file));
const { decode } = require(path.resolve(decoder));
let passed = 0, failed = 0;

function expect(holds, what) {
  if (holds) return passed++;
  failed++;
  console.log("FAILED " + what);
}

const names = fs.readdirSync(recordings).filter((name) => /\.json$/.test(name));
expect(names.length > 0, "there are recordings in " + recordings);
for (const name of names) {
  const rec = decode(fs.readFileSync(path.join(recordings, name), "utf8"));
  const total = stepper.totals(rec).pop();
  // Where lanes wait for ever, the barrier at which the last of them began to wait
  // is counted, but a step is recorded when it is over.
  const is_stuck = /barrier not reached by all/.test(rec.report?.text || "");
  const counted = (column) => {
    const more = rec.counts[column] - (total[column] || 0);
    return more === 0 || is_stuck && (column === "warp_instructions" ? more === 1 :
      column === "thread_instructions" && more > 0 && more <= 32);
  };
  for (const column in total)
    expect(counted(column), `${name}: ${column} adds up to ` +
           `${total[column]}, and the launch's count is ${rec.counts[column]}`);
  // Among the columns that steps add up to, none is left out.
  for (const column in rec.counts)
    if (/^(warp|thread)_instr|^(ld|st|atomic)_|^shared_.*(requests|wavefronts)$/
        .test(column))
      expect(counted(column), `${name}: ${column}`);
  // What a header of the toolkit does is its caller's doing.
  expect(rec.files.every((file) => file.startsWith("code/")),
         `${name}: lines of ${rec.files}, which no listing shows`);
  const odd = rec.steps.map((_, k) => stepper.sentence(rec, k)).find((said) =>
    !/^(Line \d+|After line \d+|[\w.]+, line \d+|Before the first line): .+[a-z0-9)_\]]\.$/.test(said) ||
    /undefined|NaN|null|Infinity/.test(said));
  expect(!odd, `${name}: an odd sentence: ${odd}`);
}

// Limits, in bytes. Of step.js counts what it takes compressed, without comments
// and indentation. No page loads it before a reader opens a panel (step/panel.js,
// loads_late), and then 17 KiB take a tenth of a second at 1.4 Mbit/s, less than the
// recording next to it.
const code = fs.readFileSync(step_file, "utf8").split("\n")
  .map((line) => line.trim()).filter((line) => !line.startsWith("//")).join("\n");
const sizes = [["step.js, compressed", zlib.gzipSync(code, { level: 9 }).length, 17 * 1024],
  ["recording.js", fs.statSync(decoder).size, 6144]];
for (const name of fs.readdirSync(path.join(pages, "steps")))
  if (/\.js$/.test(name) && !/\.run\.js$/.test(name))
    sizes.push([name, fs.statSync(path.join(pages, "steps", name)).size, 30 * 1024]);
const device = path.join(pages, "device.js");
if (fs.existsSync(device))
  sizes.push(["device.js", fs.statSync(device).size, 320 * 1024]);
for (const [what, size, limit] of sizes)
  expect(size <= limit, `${what} has ${size} bytes, and may have ${limit}`);
console.log(sizes.slice(0, 2).map(([what, size]) => `${what}: ${size} bytes`)
  .join("; "));
console.log(`${names.length} recordings: ${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
