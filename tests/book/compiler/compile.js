// compile.js CLANG SOFTDEVICE_IR LAUNCH_RUN FOLDER: the page's compiler in node, out of
// the packed scripts that a page loads. kernels.cu has to do what its head says; a
// source with errors gives clang's messages, and what never ends is given up.
"use strict";
const { spawnSync } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const vm = require("vm");
const zlib = require("zlib");
const { script } = require("../../device/webassembly/module.js");

const [clang_script, device_script, launch_run, folder] = process.argv.slice(2);
const failed = [];

// What the scripts hand to compiler.part, unpacked.
function parts_of(...names) {
  const parts = {};
  const compiler = { part: (name, text) => {
    parts[name] = zlib.gunzipSync(Buffer.from(text, "base64"));
  } };
  for (const name of names)
    vm.runInNewContext(fs.readFileSync(name, "utf8"), { compiler });
  return parts;
}

function expect(what, is) {
  if (!is) failed.push(what);
}

function run(ptx, source) {
  const work = fs.mkdtempSync(path.join(os.tmpdir(), "compiler."));
  const file = path.join(work, "kernels.ptx");
  try {
    const lines = source.split("\n").filter((line) => line.startsWith("//! "));
    fs.writeFileSync(file, lines.join("\n") + "\n" + ptx);
    return spawnSync(launch_run, [file], { encoding: "utf8" });
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

async function main() {
  const parts = parts_of(clang_script, device_script);
  const { clang_of, compiler_of } = vm.runInThisContext(
    script("clang", "../../compiler/js/clang.mjs") + "clang;");
  const compile = compiler_of({
    clang: clang_of(parts["bundle.js"].toString(), async (name) => parts[name]),
    ir: new WebAssembly.Module(parts["ir.wasm"]),
    headers: JSON.parse(parts["headers.json"]),
  });
  const source = fs.readFileSync(path.join(folder, "kernels.cu"), "utf8");
  const times = [];
  const timed = async (text, options) => {
    const from = performance.now();
    const result = await compile(text, options);
    times.push(Math.round(performance.now() - from));
    return result;
  };

  const { ptx, messages } = await timed(source, { name: "kernels.cu" });
  expect(`kernels.cu does not compile: ${messages}`, ptx !== null);
  expect("no place in the source", /\.file\t1 "kernels\.cu"/.test(ptx));
  const { status, stdout, stderr } = run(ptx ?? "", source);
  expect(`kernels.cu: ${status} ${stdout} ${stderr}`, status === 0);

  const again = await timed(source, { name: "kernels.cu" });
  expect("the same source gives other PTX", again.ptx === ptx);

  const wrong = await timed("__global__ void f(int *p)\n{\n  *p = q;\n}\n",
    { name: "mine.cu" });
  expect("an undeclared name: " + wrong.messages, wrong.ptx === null &&
    wrong.messages.includes("mine.cu:3:8: error: use of undeclared identifier"));
  const endless = await timed("template <int N> struct a { static const int n =" +
    " a<N + 1>::n; };\n__global__ void f(int *p) { *p = a<0>::n; }\n");
  expect("an endless template: " + endless.messages.slice(0, 300),
    endless.ptx === null && endless.messages.includes("depth"));
  const unknown = await timed("__global__ void f(float *p, float x)\n{\n" +
    "  *p = __builtin_powf(x, x);\n}\n", { name: "mine.cu" })
    .then(() => "compiles", (error) => error.message);
  expect("what the device lacks: " + unknown,
    unknown.includes("mine.cu:3: call of") && unknown.includes("pow"));

  // Times are only told, never tested.
  console.log(`compiled in ${times.join(", ")} ms; ${failed.length} failures`);
  for (const line of failed) console.log(line);
  process.exit(failed.length > 0 ? 1 : 0);
}

main().catch((error) => { console.error(error); process.exit(1); });
