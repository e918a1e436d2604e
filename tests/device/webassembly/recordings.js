// recordings.js MODULE STEP_RUN ROOT: step_run as WebAssembly must write what
// the native one writes, byte for byte: recording, trace and access map of every
// scene under ROOT/code, with every file of PTX that it has, and with the ends of
// the range of each argument.
"use strict";
const child_process = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const device = require("./module.js");

const [name, program, root] = process.argv.slice(2);
const native = path.resolve(program);
const module_ = device.load(name);
const work = fs.mkdtempSync(path.join(os.tmpdir(), "recordings."));
const failed = [];
let compared = 0;

// The knobs of a scene: [{name, variant, values}], values of an argument being
// the first and the last of those that it may have.
function knobs(text) {
  const found = [];
  for (const line of text.split("\n")) {
    const words = line.trim().split(/[ =]+/);
    if (words[0] === "variant") {
      found.push({ name: words[1], variant: true, values: [] });
    } else if (words[0] === "is") {
      found[found.length - 1].values.push(words[1]);
    } else if (words[0] === "argument") {
      const range = line.match(/ from (\S+) to (\S+)/);
      const choice = line.match(/ of ([^:]*)/);
      const values = range ? [range[1], range[2]]
        : choice[1].trim().split(/\s+/).map((word) => word.split("=")[0]);
      found.push({ name: words[1], variant: false,
        values: [values[0], values[values.length - 1]] });
    }
  }
  return found;
}

// What a file of PTX is for: values of the variant knobs, then a break.
function chosen(key, variants) {
  const words = key.split(".");
  const arguments_ = variants.map((knob, i) => `${knob.name}=${words[i]}`);
  const broken = words[Math.max(variants.length, 1)];
  return broken ? [...arguments_, `break=${broken}`] : arguments_;
}

function compare(scene, folder, files, choice) {
  const outputs = ["trace.csv", "access.csv"];
  const options = ["--trace", "trace.csv", "--access", "access.csv"];
  const here = child_process.spawnSync(native,
    [scene, folder, ...choice, ...options],
    { cwd: work, encoding: "utf8", maxBuffer: 1 << 28 });
  const there = device.run(module_,
    ["step_run", "scene.step", "/", ...choice, ...options], files);
  const what = path.relative(root, scene) + " " + choice.join(" ");

  compared++;
  if (here.status !== 0)
    failed.push(`${what}: step_run itself: ${here.status} ${here.stderr}`);
  else if (there.status !== 0)
    failed.push(`${what}: status ${there.status} ${there.errors}`);
  else if (there.output !== here.stdout)
    failed.push(`${what}: another recording\n` +
      difference(here.stdout, there.output));
  else
    for (const output of outputs) {
      const text = fs.readFileSync(path.join(work, output), "utf8");
      if (there.files[output] !== text)
        failed.push(`${what}: another ${output}\n` +
          difference(text, there.files[output] || ""));
    }
}

// Where two texts part.
function difference(a, b) {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return `  native      …${a.slice(Math.max(0, i - 60), i + 60)}\n` +
    `  WebAssembly …${b.slice(Math.max(0, i - 60), i + 60)}`;
}

function run_scene(scene) {
  const text = fs.readFileSync(scene, "utf8");
  const [, slug, , file] = path.relative(root, scene).split(path.sep);
  const folder = path.join(root, "bench", slug, "steps",
    path.basename(file, ".step"));
  const files = { "scene.step": text };
  const all = knobs(text);

  for (const ptx of fs.readdirSync(folder))
    files[ptx] = fs.readFileSync(path.join(folder, ptx), "utf8");
  for (const ptx of fs.readdirSync(folder).sort())
    compare(scene, folder, files, chosen(path.basename(ptx, ".ptx"),
      all.filter((knob) => knob.variant)));
  for (const knob of all.filter((one) => !one.variant))
    for (const value of knob.values)
      compare(scene, folder, files, [`${knob.name}=${value}`]);
}

try {
  const code = path.join(root, "code");
  for (const slug of fs.readdirSync(code).sort()) {
    const steps = path.join(code, slug, "steps");
    if (!fs.existsSync(steps)) continue;
    for (const file of fs.readdirSync(steps).sort())
      if (file.endsWith(".step")) run_scene(path.join(steps, file));
  }
} finally {
  fs.rmSync(work, { recursive: true, force: true });
}
console.log(`${compared} recordings, ${failed.length} failures`);
for (const line of failed) console.log(line);
process.exit(failed.length > 0 || compared === 0 ? 1 : 0);
