// The functions of book/js/run.js, and a module of the device, in node: tests
// run it through the same code as a page does.
"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const file = path.join(__dirname, "../../../book/js/run.js");
vm.runInThisContext(fs.readFileSync(file, "utf8"), { filename: file });

exports.load = (name) => new WebAssembly.Module(fs.readFileSync(name));

exports.launch_text = (program, knobs) => runner.launch_text(program, knobs);

// {status, output, errors, files}; a trap becomes the status "trap".
exports.run = function (module, argv, files, most_bytes = undefined) {
  try {
    return runner.wasi(module, { arguments: argv, files, most_bytes });
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
