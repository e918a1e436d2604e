// page.js MODULE FOLDER CHECKS: runs each launch of the folder as WebAssembly; prints
// status and messages of each as JSON.
"use strict";
const fs = require("fs");
const path = require("path");
const device = require("../device/webassembly/module.js");

const [name, folder, checks] = process.argv.slice(2);
const module_ = device.load(name);
const files = {};
for (const file of fs.readdirSync(folder))
  files[file] = new Uint8Array(fs.readFileSync(path.join(folder, file)));
const said = {};
for (const file of Object.keys(files).filter((one) => one.endsWith(".launch"))) {
  const { status, errors } = device.run(module_,
    ["launch_run", "--check", checks, "--check-status", "0", file], files);
  said[file] = [status, errors];
}
console.log(JSON.stringify(said));
