// browser.js MODULE-AS-SCRIPT FOLDER… NAME PROGRAM: the device in a page
// that is opened from a disk, as a reader has it: all files of the folders, a
// kernel that never ends and is cancelled, one that the page stops, one whose
// place another run takes, and an error in the worker; after each of them the
// next run must work.
"use strict";
const { spawn } = require("child_process");
const fs = require("fs");
const http = require("http");
const os = require("os");
const path = require("path");
const url = require("url");
const chromium = require("../../book/pages/chromium.js");
const device = require("./module.js");

const [script, ...rest] = process.argv.slice(2);
const browser = rest.pop();    // its program
const folders = rest.slice(0, -1);

const endless = `//! buffer d u32 1
//! launch test 1 32 d
.version 9.0
.target sm_90
.address_size 64
.visible .entry test(.param .u64 d)
{
  .reg .b64 %q<2>;
  .reg .b32 %r<2>;
  ld.param.u64 %q0, [d];
AGAIN:
  ld.volatile.global.u32 %r0, [%q0];
  add.u32 %r0, %r0, 1;
  st.volatile.global.u32 [%q0], %r0;
  bra AGAIN;
}
`;

// Runs inside the page; answers a list of what went wrong.
async function trial(files, wrong, endless) {
  const failed = [];
  const device = runner(document.baseURI.replace(/[^/]*$/, ""));
  const execute = (text, seconds = 60) => device.execute(
    { arguments: ["launch_run", "a.ptx"], files: { "a.ptx": text } }, seconds);
  const works = async (after) => {
    const { status, errors } = await execute(files[0].text);
    if (status !== 0) failed.push(`after ${after}: ${status} ${errors}`);
  };
  const rejected = async (promise, what, words) => {
    try {
      const { status } = await promise;
      failed.push(`${what}: ended with ${status}`);
    } catch (error) {
      if (!error.message.includes(words))
        failed.push(`${what}: ${error.message}`);
    }
    await works(what);
  };

  device.cancel();    // of nothing
  for (const { name, text } of files) {
    const { status, errors } = await execute(text);
    if (status !== 0) failed.push(`${name}: status ${status} ${errors}`);
  }
  const { status, errors } = await execute(wrong);
  if (status !== 1 || !errors.includes("[0] is 6, expected 7"))
    failed.push(`a wrong expectation passes: ${status} ${errors}`);

  const cancelled = execute(endless);
  setTimeout(() => device.cancel(), 200);
  await rejected(cancelled, "a cancelled run", "was cancelled");
  // Less than nothing, because the page adds some seconds of grace.
  await rejected(execute(endless, -2.5), "an endless run",
    "so the page stopped it");
  const replaced = execute(endless);
  const replacing = execute(files[0].text);
  await rejected(replaced, "a replaced run", "took this one's place");
  void replacing.catch(() => {});
  await rejected(device.execute({}, 5), "an error in the worker",
    "The software device had to stop");
  // 2 GB of device memory that there is not.
  const { status: full, errors: why } = await execute(
    wrong.replace("u32 1", "u32 500000000"));
  if (full !== 2 || !why.includes("no memory for d"))
    failed.push(`no memory: ${full} ${why}`);
  return failed;
}

const page = "<!DOCTYPE html><meta charset=utf-8><title>device</title>" +
  "<script src=run.js></script>";

// What `call` in the page at `folder` comes to.
async function in_chromium(folder, call) {
  const chrome = chromium.start(browser);
  try {
    const tab = await chrome.tab();
    await tab.go(url.pathToFileURL(path.join(folder, "page.html")).href);
    return await tab.evaluate(call);
  } finally {
    await chrome.stop();
  }
}

// Firefox is not asked: the page itself sends its answer to this process.
async function in_firefox(folder, call) {
  let heard;
  const answer = new Promise((resolve) => { heard = resolve; });
  const server = http.createServer((request, response) => {
    let text = "";
    request.on("data", (part) => { text += part; });
    request.on("end", () => {
      response.end();
      if (request.method === "POST") heard(JSON.parse(text));
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  fs.writeFileSync(path.join(folder, "page.html"), page + `<script>
    ${call}.catch((error) => [String(error)]).then((answer) =>
      fetch("http://127.0.0.1:${server.address().port}/",
        { method: "POST", mode: "no-cors", body: JSON.stringify(answer) }));
    </script>`);
  const profile = path.join(folder, "profile");
  fs.mkdirSync(profile);
  const child = spawn(browser, ["--headless", "--no-remote", "--profile",
    profile, url.pathToFileURL(path.join(folder, "page.html")).href],
  { stdio: "ignore", env: { ...process.env, HOME: folder } });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  try {
    return await Promise.race([answer,
      ended.then(() => ["the browser has ended"])]);
  } finally {
    child.kill();
    await ended;
    server.close();
  }
}

async function main() {
  const files = device.ptx(folders);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "webassembly."));
  const call = `(${trial})(${JSON.stringify(files)},` +
    `${JSON.stringify(device.wrong)},${JSON.stringify(endless)})`;
  let failed = [];

  try {
    fs.copyFileSync(script, path.join(folder, "device.js"));
    fs.writeFileSync(path.join(folder, "run.js"),
      device.script("runner", "runner.mjs"));
    fs.writeFileSync(path.join(folder, "page.html"), page);
    failed = /firefox/.test(path.basename(browser))
      ? await in_firefox(folder, call) : await in_chromium(folder, call);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  console.log(`${files.length} files, ${failed.length} failures`);
  for (const line of failed) console.log(line);
  process.exit(failed.length > 0 || files.length === 0 ? 1 : 0);
}

main().catch((error) => { console.error(error); process.exit(1); });
