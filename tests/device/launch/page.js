// page.js MODULE FOLDER: launch_run as WebAssembly must leave the views of
// FOLDER/views, and find what it expects in each launch of FOLDER/good.
"use strict";
const fs = require("fs");
const path = require("path");
const device = require("../webassembly/module.js");

const [name, folder] = process.argv.slice(2);
const module_ = device.load(name);
const good = path.join(folder, "good"), views = path.join(folder, "views");
const files = {};
for (const file of fs.readdirSync(good))
  files[file] = new Uint8Array(fs.readFileSync(path.join(good, file)));
const launches = Object.keys(files).filter((file) => file.endsWith(".launch"));
const failed = [];

for (const launch of launches) {
  const { status, errors } = device.run(module_, ["launch_run", launch], files);
  if (status !== 0) failed.push(`${launch}: status ${status} ${errors}`);
}

const recorded = device.run(module_,
  ["launch_run", "--recording", "recording", "knobs.launch"], files);
const written = device.run(module_, ["launch_run", "--counts", "counts",
  "--access-map", "access", "--trace", "trace", "--launch", "again",
  "scale.launch"], files);
for (const view of fs.readdirSync(views)) {
  const text = fs.readFileSync(path.join(views, view), "utf8");
  const files = view === "recording" ? recorded.files : written.files;
  if (files[view] !== text) failed.push(`another ${view}: ` +
    `${files[view]} ${written.errors}`);
}

console.log(`${launches.length} launches, ${failed.length} failures`);
for (const line of failed) console.log(line);
process.exit(failed.length > 0 || launches.length < 2 ? 1 : 0);
