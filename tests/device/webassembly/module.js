// A module of the device in node: tests run it through the same code as a page does,
// which is in book/stepper/js.
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const vm = require("vm");

// The script that the build makes of a module, which defines `name`.
const stepper = path.join(__dirname, "../../../book/stepper");
const script = (name, module_) => execFileSync("python3",
  [path.join(stepper, "bundle.py"), name, path.join(stepper, "js", module_), "-"],
  { encoding: "utf8" });
const { wasi } = vm.runInThisContext(script("wasi_module", "wasi.mjs") +
  "wasi_module;");
const { launch_text } = vm.runInThisContext(script("launch", "launch.mjs") +
  "launch;");

exports.script = script;
exports.launch_text = launch_text;

exports.load = (name) => new WebAssembly.Module(fs.readFileSync(name));

// {status, output, errors, files}; a trap becomes the status "trap".
exports.run = function (module, argv, files, most_bytes = undefined) {
  try {
    return wasi(module, { arguments: argv, files, most_bytes });
  } catch (error) {
    return { status: "trap", output: "", errors: String(error.stack),
      files: {} };
  }
};

// The .ptx files of some folders: [{name, text}], name with its folder's.
exports.ptx = (folders) => folders.flatMap((folder) =>
  fs.readdirSync(folder).filter((name) => name.endsWith(".ptx")).sort()
    .map((name) => ({
      name: path.basename(folder) + "/" + name,
      text: fs.readFileSync(path.join(folder, name), "utf8"),
    })));

// What no run may leave unnoticed: a wrong expectation.
exports.wrong = `//! buffer d u32 1
//! launch test 1 1 d
//! expect d = 7
.version 9.0
.target sm_90
.address_size 64
.visible .entry test(.param .u64 d)
{
  .reg .b64 %q<2>;
  ld.param.u64 %q0, [d];
  st.global.u32 [%q0], 6;
  ret;
}
`;
