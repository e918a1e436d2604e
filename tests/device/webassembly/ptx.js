// ptx.js MODULE FOLDER…: launch_run as WebAssembly must find in every file of the
// folders what the native one finds, which is all that the file expects.
"use strict";
const device = require("./module.js");

const [name, ...folders] = process.argv.slice(2);
const module_ = device.load(name);
const failed = [];

function run(file) {
  return device.run(module_, ["launch_run", file.name],
    { [file.name]: file.text });
}

const files = device.ptx(folders);
for (const file of files) {
  const { status, errors } = run(file);
  if (status !== 0) failed.push(`${file.name}: status ${status}\n${errors}`);
}

const wrong = run({ name: "wrong.ptx", text: device.wrong });
if (wrong.status !== 1 || !wrong.errors.includes("[0] is 6, expected 7"))
  failed.push(`a wrong expectation passes: ${wrong.status} ${wrong.errors}`);

console.log(`${files.length} files, ${failed.length} failures`);
for (const line of failed) console.log(line);
process.exit(failed.length > 0 || files.length === 0 ? 1 : 0);
