// load.js CHROMIUM FOLDER: how long each page takes, opened off the disk, until
// it can be read. A table on standard output; it never fails for being slow.
"use strict";
const fs = require("fs");
const path = require("path");
const chromium = require("./chromium.js");

const [program, folder] = process.argv.slice(2);
const repetitions = 5;

// When the first frame behind the whole page's parsing is done.
const watch = `addEventListener("DOMContentLoaded", function () {
  requestAnimationFrame(function () {
    var channel = new MessageChannel();
    channel.port1.onmessage = function () {
      window.first_frame = performance.now();
    };
    channel.port2.postMessage(0);
  });
});`;

const ask = `new Promise(function (resolve) {
  (function look() {
    var paint = performance.getEntriesByName("first-contentful-paint")[0];
    if (!paint || !window.first_frame) return setTimeout(look, 5);
    resolve({ painted: paint.startTime,
              laid_out: Math.max(paint.startTime, window.first_frame),
              elements: document.getElementsByTagName("*").length });
  })();
})`;

async function once(browser, file) {
  const tab = await browser.tab();
  await tab.call("Emulation.setDeviceMetricsOverride",
    { width: 1280, height: 900, deviceScaleFactor: 1, mobile: false });
  await tab.call("Performance.enable", { timeDomain: "threadTicks" });
  await tab.call("Page.addScriptToEvaluateOnNewDocument", { source: watch });
  await tab.go("file://" + file);
  const times = await tab.evaluate(ask);
  const { metrics } = await tab.call("Performance.getMetrics");
  const of = (name) => 1000 * metrics.find((one) => one.name === name).value;
  await tab.close();
  return { ...times, busy: of("TaskDuration"), layout: of("LayoutDuration"),
           style: of("RecalcStyleDuration"), script: of("ScriptDuration") };
}

function median(all, key) {
  return all.map((one) => one[key]).sort((a, b) => a - b)[all.length >> 1];
}

async function main() {
  const browser = chromium.start(program);
  const pages = fs.readdirSync(folder).filter((name) => /\.html$/.test(name));
  const columns = ["laid_out", "painted", "busy", "layout", "style", "script"];
  const row = (name, cells) => console.log(name.padEnd(24) +
    cells.map((cell) => String(cell).padStart(10)).join(""));
  let slowest = { laid_out: 0 };
  console.log("Medians of " + repetitions + " in ms: until the first frame " +
    "of the whole page, until the first\npaint; of them the page's thread " +
    "was busy, with layout, styles, scripts.");
  row("page", ["elements", ...columns]);
  await once(browser, path.resolve(folder, pages[0]));
  for (const page of pages) {
    const all = [];
    for (let i = 0; i < repetitions; i++)
      all.push(await once(browser, path.resolve(folder, page)));
    row(page, [all[0].elements,
               ...columns.map((key) => median(all, key).toFixed(0))]);
    const laid_out = median(all, "laid_out");
    if (laid_out > slowest.laid_out) slowest = { page, laid_out };
  }
  await browser.stop();
  console.log(`slowest: ${slowest.page}, ${slowest.laid_out.toFixed(0)} ms ` +
              "(limit 200)");
}

main().catch((error) => {
  console.log("failed: " + error.message);
  process.exit(1);
});
