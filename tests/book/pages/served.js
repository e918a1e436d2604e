// served.js CHROMIUM SERVE FOLDER: see `served`, which calls it.
"use strict";
const { spawn } = require("child_process");
const fs = require("fs");
const path = require("path");
const chromium = require("./chromium.js");

const [program, serve, folder] = process.argv.slice(2);

const watch = `window.refused = [];
document.addEventListener("securitypolicyviolation", function (event) {
  window.refused.push(event.effectiveDirective + " " + event.blockedURI +
                      " " + event.sample);
});`;

let failed = 0;
function check(holds, what) {
  if (holds) return;
  failed++;
  console.log("FAILED " + what);
}

// The server and its address.
function start() {
  return new Promise((resolve, reject) => {
    const server = spawn(serve, [folder, "0"],
                         { stdio: ["ignore", "pipe", "inherit"] });
    server.on("error", reject);
    server.stdout.once("data", (text) =>
      resolve({ server, at: String(text).trim() }));
  });
}

async function open(browser, url) {
  const tab = await browser.tab();
  await tab.call("Page.addScriptToEvaluateOnNewDocument", { source: watch });
  await tab.go(url);
  return tab;
}

// The template's script, the book's two and the server's run, pictures are
// shown, and nothing is refused.
async function good_page(browser, at, name) {
  const tab = await open(browser, at + "html/" + name);
  check(await tab.until("document.documentElement.matches('.shown')"),
        name + ": its first script");
  check(await tab.until("document.documentElement.matches('.scripted')"),
        name + ": the search's script");
  // Pictures for pages without scripts are hidden here, and so not loaded.
  check(await tab.evaluate("[...document.images].every((one) => " +
    "one.complete ? one.naturalWidth > 0 : !one.getClientRects().length)"),
    name + ": a picture");
  const refused = await tab.evaluate("window.refused");
  check(refused.length === 0, name + ": refused: " + refused);
  await tab.close();
}

// It fetches its words by a script element.
async function search(browser, at) {
  const tab = await open(browser, at + "html/index.html");
  await tab.until("document.documentElement.matches('.scripted')");
  await tab.call("Input.dispatchKeyEvent",
                 { type: "keyDown", key: "/", text: "/" });
  check(await tab.until("typeof MiniSearch === 'function'"),
        "the search finds nothing to search in");
  const refused = await tab.evaluate("window.refused");
  check(refused.length === 0, "the search: refused: " + refused);
  await tab.close();
}

async function reload(browser, at) {
  const tab = await open(browser, at + "html/index.html");
  await tab.evaluate("window.old = 1");
  // Its first stamp is the one of the page that it shows.
  check(await tab.until("performance.getEntriesByType('resource')" +
    ".some((one) => one.name.includes('/.changed/') && one.responseEnd)"),
        "it never asks for the stamp");
  fs.utimesSync(path.join(folder, "html/index.html"), 1, 1);
  check(await tab.until("!window.old"), "it does not load again");
  await tab.close();
}

// The software device, in a worker that run.js makes; without arguments it says
// how it is used.
async function device(browser, at) {
  if (!fs.existsSync(path.join(folder, "html/device.js"))) return;
  const tab = await open(browser, at + "html/index.html");
  const result = await tab.evaluate(`new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = "run.js";
    script.onload = () => runner(document.baseURI.replace(/[^/]*$/, ""))
      .execute({ arguments: ["launch_run"] }, 60)
      .then((run) => resolve(run.status + " " + run.errors),
            (error) => resolve(error.message));
    document.head.append(script);
  })`);
  check(result.startsWith("2 ") && result.includes("usage: launch_run"),
        "the software device: " + result);
  const refused = await tab.evaluate("window.refused");
  check(refused.length === 0, "the software device: refused: " + refused);
  await tab.close();
}

async function planted(browser, at) {
  const tab = await open(browser, at + "html/planted.html");
  check(await tab.until("window.refused.length === 1"),
        "nothing was refused");
  check(await tab.evaluate("window.planted === undefined"),
        "a script in the text ran");
  await tab.close();
}

async function main() {
  const { server, at } = await start();
  const browser = chromium.start(program);
  try {
    // The first has a drawing of its own, the second pictures in its figures.
    for (const name of ["index.html", "images.html", "transpose.html"])
      await good_page(browser, at, name);
    await search(browser, at);
    await reload(browser, at);
    await device(browser, at);
    await planted(browser, at);
  } finally {
    await browser.stop();
    server.kill();
  }
  console.log(failed ? `0 passed, 1 failed: ${failed} faults`
                     : "1 passed, 0 failed");
  process.exit(failed ? 1 : 0);
}

main().catch((error) => {
  console.log("FAILED " + error.message);
  process.exit(1);
});
