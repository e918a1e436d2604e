// webassembly.js MODULE CASES: ./webassembly explains it.
"use strict";
const fs = require("fs");
const device = require("../device/webassembly/module.js");

const [name, cases] = process.argv.slice(2);
const module_ = device.load(name);
const failed = [];
let compared = 0;

// Where two texts part.
function difference(a, b) {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return `  native      …${a.slice(Math.max(0, i - 60), i + 60)}\n` +
    `  WebAssembly …${b.slice(Math.max(0, i - 60), i + 60)}`;
}

function compare(scene, program, one) {
  const files = { launch: device.launch_text(program, one.knobs),
    ...program.files };
  const what = `${scene} ${one.settings.join(" ")}: `;
  const recorded = device.run(module_,
    ["launch_run", "--recording", "-", "launch"], files);
  const viewed = device.run(module_, ["launch_run", "--block", "all",
    "--check", "memory,init,race,sync", "--trace", "trace",
    "--access-map", "access", "launch"], files);

  compared++;
  if (recorded.status !== 0)
    failed.push(`${what}status ${recorded.status} ${recorded.errors}`);
  else if (recorded.output !== one.recording)
    failed.push(what + "another recording\n" +
      difference(one.recording, recorded.output));
  for (const view of ["trace", "access"])
    if (viewed.files[view] !== one[view])
      failed.push(`${what}another ${view}\n` +
        difference(one[view], viewed.files[view] || viewed.errors));
}

for (const { name: scene, program, cases: every }
  of JSON.parse(fs.readFileSync(cases, "utf8")))
  for (const one of every) compare(scene, program, one);
console.log(`${compared} recordings, ${failed.length} failures`);
for (const line of failed) console.log(line);
process.exit(failed.length > 0 || compared === 0 ? 1 : 0);
