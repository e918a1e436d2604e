// panels.js CHROMIUM FOLDER [SCENE]: see `panels`, which calls it.
"use strict";
const fs = require("fs");
const path = require("path");
const chromium = require("./chromium.js");

const [program, folder, only] = process.argv.slice(2);
// Opened at the first of each row, and then seen at the others.
const sizes = [[[1366, 650], [1280, 720], [1920, 1000]], [[360, 740], [390, 740]]];
let n_passed = 0, n_failed = 0;

// The scenes, each with its page. The first page borrows one of another.
function scenes() {
  return fs.readdirSync(folder).filter((name) => /\.html$/.test(name) &&
      name !== "index.html").flatMap((name) =>
    [...fs.readFileSync(path.join(folder, name), "utf8")
      .matchAll(/ data-step="([^"]+)"/g)].map((found) => [name, found[1]]))
    .filter(([, scene]) => !only || scene === only);
}

// What is wrong with the open panel, as the reader sees it.
const look = `(() => {
  const panel = document.querySelector("div.step"), found = [];
  const seen = (one) => one.getClientRects().length > 0;
  const box = (one) => one.getBoundingClientRect();
  const all = (selector) => [...panel.querySelectorAll(selector)].filter(seen);
  const expect = (holds, what) => { if (!holds) found.push(what); };

  const foot = all(".step-bar, .say").map(box);
  expect(foot.every((one) => one.top >= 0 && one.bottom <= innerHeight),
         "the sentence or the buttons are out of view");
  const [code] = all(".step-code div.sourceCode");
  expect(code.scrollWidth <= code.clientWidth,
         "the code is " + code.scrollWidth + " wide, its place " + code.clientWidth);
  const [now] = all(".l.now");
  expect(now, "no line is lit");
  if (now) {
    const line = box(now), place = box(code);
    expect(line.top >= place.top - 1 && line.bottom <= place.bottom + 1 &&
           line.bottom <= foot[0].top, "the lit line is out of view");
  }
  const [lanes] = all(".lanes32").map(box);
  expect(lanes.top > 0 && lanes.bottom <= foot[0].top, "the lanes are out of view");
  for (const one of all("td, th, .lanes32 i, dt, dd, .l, button")) {
    const size = parseFloat(getComputedStyle(one).fontSize);
    if (one.textContent.trim() && size > 0)
      expect(size >= 9, "letters of " + size + " pixels: " + one.className);
    if (/^T[DH]|^I$/.test(one.tagName) && size > 0)
      expect(one.scrollWidth <= one.clientWidth + 1,
             "cut: " + one.textContent + " in " + one.tagName);
  }
  expect(document.documentElement.scrollWidth <= innerWidth,
         "the page is wider than the window");
  return [...new Set(found)].slice(0, 4);
})()`;

async function fits(browser, page, scene) {
  const tab = await browser.tab();
  const errors = [];
  tab.on("Runtime.exceptionThrown", ({ exceptionDetails: d }) =>
    errors.push(d.exception?.description || d.text));
  await tab.call("Runtime.enable");
  for (const row of sizes)
    for (const [width, height] of row) {
      await tab.call("Emulation.setDeviceMetricsOverride",
        { width, height, deviceScaleFactor: 1, mobile: false });
      if (row[0][0] === width) {
        await tab.go("about:blank");
        await tab.go("file://" + path.join(folder, page) + "#step=" + scene);
        await tab.until(`document.querySelector("div.step .say") &&
          document.documentElement.matches(".shown")`);
      } else {
        await tab.evaluate(`document.querySelector("div.step${
          width < 600 ? " .step-body" : ""}").scrollIntoView()`);
      }
      // A busy machine takes its time until all of it has its place.
      const holds = await tab.evaluate(`new Promise((resolve) => {
        let tries = 0;
        (function again() {
          if (!${look}.length || ++tries > 100) resolve(tries <= 100);
          else setTimeout(again, 100);
        })();
      })`);
      if (holds && !errors.length) n_passed++;
      else n_failed++;
      if (!holds || errors.length)
        console.log(`FAILED ${scene} at ${width} × ${height}: ` +
          [...errors, ...await tab.evaluate(look)].join("; "));
    }
  await tab.close();
}

async function main() {
  const browser = chromium.start(program);
  try {
    for (const [page, scene] of scenes()) await fits(browser, page, scene);
  } finally {
    await browser.stop();
  }
  console.log(`${n_passed} passed, ${n_failed} failed`);
  process.exit(n_failed || !n_passed ? 1 : 0);
}

main().catch((error) => {
  console.log("FAILED " + error.message);
  process.exit(1);
});
