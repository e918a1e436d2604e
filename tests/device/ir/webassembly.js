// webassembly.js MODULE SOFTDEVICE_IR FOLDER…: softdevice ir as WebAssembly must
// say of every file of the folders, byte for byte, what the native one says.
"use strict";
const { spawnSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const device = require("../webassembly/module.js");

const [name, native_name, ...folders] = process.argv.slice(2);
const native = path.resolve(native_name);
const module_ = device.load(name);
const files = folders.flatMap((folder) => fs.readdirSync(folder)
  .filter((file) => file.endsWith(".ll")).sort()
  .map((file) => path.join(folder, file)));
const failed = [];

function compare(file, options) {
  const here = spawnSync(native, [...options, path.basename(file)],
    { cwd: path.dirname(file), encoding: "utf8" });
  const there = device.run(module_,
    ["softdevice-ir", ...options, path.basename(file)],
    { [path.basename(file)]: fs.readFileSync(file, "utf8") });
  if (here.status !== there.status || here.stdout !== there.output ||
      here.stderr !== there.errors)
    failed.push(`${file} ${options}: natively ${here.status} ${here.stderr}` +
      `in WebAssembly ${there.status} ${there.errors}`);
  return here.status;
}

let translated = 0;
for (const file of files) {
  translated += compare(file, []) === 0;
  compare(file, ["--prepare"]);
}
console.log(`${files.length} files, ${translated} made PTX, ` +
  `${failed.length} differences`);
for (const line of failed) console.log(line);
process.exit(failed.length > 0 || translated === 0 ? 1 : 0);
