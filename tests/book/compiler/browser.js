// browser.js CLANG SOFTDEVICE_IR DEVICE FOLDER CHROMIUM: a kernel's text becomes PTX and
// runs, in a page that is opened from a disk: kernels.cu does what its head says, by
// compiler and device in workers of the same page; errors are told; what was
// cancelled, stopped or replaced leaves the next source intact.
"use strict";
const fs = require("fs");
const os = require("os");
const path = require("path");
const url = require("url");
const chromium = require("../pages/chromium.js");
const { script } = require("../../device/webassembly/module.js");

const [clang, ir, device, folder, , browser] = process.argv.slice(2);

const page = "<!DOCTYPE html><meta charset=utf-8><title>compiler</title>" +
  "<script src=run.js></script><script src=compiler.js></script>";

// Runs inside the page; answers {failed, times, heap}.
async function trial(source) {
  const failed = [], times = {};
  const base = document.baseURI.replace(/[^/]*$/, "");
  const clang = compiler(base), device = runner(base);
  const timed = async (name, promise) => {
    const from = performance.now();
    const result = await promise;
    times[name] = Math.round(performance.now() - from);
    return result;
  };
  const small = (n) => `__global__ void f(int *p) { *p = ${n}; }\n`;
  const seconds = 400;
  const rejected = async (promise, what, words) => {
    try {
      await promise;
      failed.push(`${what}: nothing is wrong`);
    } catch (error) {
      if (!error.message.includes(words))
        failed.push(`${what}: ${error.message}`);
    }
  };

  clang.cancel();    // of nothing
  const { ptx, messages } = await timed("first",
    clang.compile(source, { name: "kernels.cu", seconds }));
  if (ptx === null) return { failed: [messages], times };
  const lines = source.split("\n").filter((line) => line.startsWith("//! "));
  const { status, errors } = await timed("run", device.execute(
    { arguments: ["launch_run", "a.ptx"],
      files: { "a.ptx": lines.join("\n") + "\n" + ptx } }, seconds));
  if (status !== 0) failed.push(`kernels.cu: ${status} ${errors}`);
  await timed("warm", clang.compile(source, { seconds }));
  await timed("small", clang.compile(small(1), { seconds }));
  const wrong = await clang.compile(small("q"), { name: "mine.cu", seconds });
  if (wrong.ptx !== null ||
      !wrong.messages.includes("mine.cu:1:34: error: use of undeclared"))
    failed.push(`an undeclared name: ${wrong.messages}`);

  const replaced = clang.compile(source, { seconds });
  const replacing = clang.compile(small(2), { seconds });
  await rejected(replaced, "a replaced source", "took this one's place");
  if ((await replacing).ptx === null) failed.push("a replacing source");
  await rejected(clang.compile(source, { seconds: 0.01 }),
    "a source that takes too long", "so the page stopped it");
  const after = await timed("in a new worker",
    clang.compile(small(3), { seconds }));
  if (after.ptx === null) failed.push("a source after one that was stopped");
  return { failed, times };
}

async function main() {
  const work = fs.mkdtempSync(path.join(os.tmpdir(), "compiler."));
  const source = fs.readFileSync(path.join(folder, "kernels.cu"), "utf8");
  let answer;

  try {
    fs.symlinkSync(path.resolve(clang), path.join(work, "clang.js"));
    fs.copyFileSync(ir, path.join(work, "softdevice-ir.js"));
    fs.copyFileSync(device, path.join(work, "device.js"));
    fs.writeFileSync(path.join(work, "run.js"), script("runner", "runner.mjs"));
    fs.writeFileSync(path.join(work, "compiler.js"),
      script("compiler", "../../compiler/js/compiler.mjs"));
    fs.writeFileSync(path.join(work, "page.html"), page);
    const chrome = chromium.start(browser);
    try {
      const tab = await chrome.tab();
      await tab.go(url.pathToFileURL(path.join(work, "page.html")).href);
      answer = await tab.evaluate(`(${trial})(${JSON.stringify(source)})`);
    } finally {
      await chrome.stop();
    }
  } finally {
    fs.rmSync(work, { recursive: true, force: true, maxRetries: 5 });
  }
  // Times are only told, never tested.
  console.log(Object.entries(answer.times).map(([name, time]) =>
    `${name}: ${time} ms`).join(", ") + `; ${answer.failed.length} failures`);
  for (const line of answer.failed) console.log(line);
  process.exit(answer.failed.length > 0 ? 1 : 0);
}

main().catch((error) => { console.error(error); process.exit(1); });
