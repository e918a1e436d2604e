// browser.js CHROMIUM AXE FOLDER BAD [PAGE...]: opens the pages of FOLDER, or
// those that are named, and asks the probe in each of them, at two widths and in
// both themes, and once as print.
// Before that each is opened on a phone's screen and asked at once, and again
// when a reader has been down to its end.
// BAD is a page with a fault of each kind, which must be noticed.
"use strict";
const fs = require("fs");
const os = require("os");
const path = require("path");
const chromium = require("./chromium.js");

const [program, axe, folder, bad, ...asked] = process.argv.slice(2);
const scripts = [axe, path.join(__dirname, "probe.js")]
  .map((file) => fs.readFileSync(file, "utf8"));
const looks = [[1280, "light", "all"], [1280, "dark", ""],
               [360, "light", "layout"], [360, "dark", ""]];
const faults = ["image-alt", 'color-contrast: <p class="faint"',
                "1280 pixels, dark: color-contrast: <p class=\"dim\"",
                "360 pixels, light: color-contrast: <p class=\"small\"",
                "color-contrast: <p>on black", "color-contrast: <i>below",
                "wrong_name", "the page is",
                "a drawing's letters", "the print is", "does not lead there",
                "not laid out", "right after load: scrollable-region-focusable: <pre>",
                'end: scrollable-region-focusable: <pre class="late"',
                "a listing has lost lines", "old lines are not folded",
                "a fold counts wrongly", "old lines look as new ones",
                "old lines without a button", "a callout leads to no line",
                "do not light up", "leads to no listing",
                "does not show the ladder", "prose is too wide",
                "a listing's path is in the wrong place",
                "is not in the margin", "not in the book's font",
                "no way to the next chapter", "how long the chapter is",
                "the progress does not follow", "no card for #term",
                "the first tap leaves", "without scripts a fold",
                "on paper a fold", "cannot be stepped"];
const jobs = Math.max(1, Math.min(4, os.cpus().length));

async function show(tab, width, theme, media) {
  await tab.call("Emulation.setDeviceMetricsOverride",
    { width, height: 900, deviceScaleFactor: 1, mobile: false });
  await tab.call("Emulation.setEmulatedMedia", { media,
    features: [{ name: "prefers-color-scheme", value: theme }] });
}

// The last listing, figure or table that a link could lead to.
function last_label(file) {
  const labels = fs.readFileSync(file, "utf8")
    .match(/ id="(lst|fig|tbl):[^"]+/g);
  return labels ? labels.pop().slice(5) : "main";
}

const at_top = (label) => `new Promise(function (resolve) {
  setTimeout(function () {
    var top = document.getElementById("${label}").getBoundingClientRect().top;
    var left = document.documentElement.scrollHeight - innerHeight - scrollY;
    resolve(top > -5 && (top < 150 || left < 5));
  }, 300);
})`;

// js/book.js does it behind the first frame, which a busy machine may take long
// for.
const all_is_laid_out = `new Promise(function (resolve) {
  var looks = 0;
  (function look() {
    var opening = document.documentElement.matches(".opening");
    if (opening && ++looks < 400) return setTimeout(look, 25);
    resolve(!opening);
  })();
})`;

// A page as a phone opens it. The probe asks axe-core before anything else can
// happen, while most of the page is not laid out, and then with all of it laid
// out and seen by the page's script, which takes Tab stops away where nothing
// scrolls: it must not take one that is needed.
async function look_at_once(browser, file) {
  const found = [];
  const tab = await browser.tab();
  await show(tab, 360, "light", "");
  await tab.go("file://" + file);
  for (const script of scripts) await tab.evaluate(script + "\n;0");
  for (const error of await tab.evaluate("probe.at_once()"))
    found.push("360 pixels, right after load: " + error);
  await tab.evaluate(all_is_laid_out);
  for (const error of await tab.evaluate("probe.seen_to_the_end()"))
    found.push("360 pixels, seen to the end: " + error);
  await tab.close();
  return found;
}

// A page as it is without scripts. The probe is ours, and still runs.
async function look_without_scripts(browser, file) {
  const tab = await browser.tab();
  await show(tab, 360, "light", "");
  await tab.call("Emulation.setScriptExecutionDisabled", { value: true });
  await tab.go("file://" + file);
  await tab.evaluate(scripts[1] + "\n;0");
  const found = await tab.evaluate("probe.without_scripts()");
  await tab.close();
  return found;
}

// The kinds of cards that axe-core has been asked about, for each look.
const known = new Map();

// What is wrong with a page, as lines, and how many elements it has.
async function look_at(browser, file) {
  const found = await look_at_once(browser, file);
  found.push(...await look_without_scripts(browser, file));
  const label = last_label(file);
  const tab = await browser.tab();
  let n_elements = 0;
  tab.on("Runtime.exceptionThrown", ({ exceptionDetails: details }) =>
    found.push("script: " + (details.exception?.description || details.text)));
  await tab.call("Runtime.enable");
  await tab.call("Emulation.setFocusEmulationEnabled", { enabled: true });
  await show(tab, 1280, "light", "");
  await tab.go("file://" + file + "#" + label);
  if (!await tab.evaluate(all_is_laid_out))
    found.push("what is far down is not laid out behind the first frame");
  if (!await tab.evaluate(at_top(label)))
    found.push("a link to #" + label + " does not lead there");
  for (const script of scripts) await tab.evaluate(script + "\n;0");
  n_elements = await tab.evaluate("probe.prepare()");
  for (const [width, theme, rules] of looks) {
    await show(tab, width, theme, "");
    const look = width + theme;
    const { errors, known: asked } = await tab.evaluate(
      `probe.look("${rules}", ${/^index/.test(path.basename(file))},
                  ${JSON.stringify(known.get(look) || [])})`);
    known.set(look, asked);
    for (const error of errors)
      found.push(`${width} pixels, ${theme}: ${error}`);
  }
  await show(tab, 680, "light", "print");
  found.push(...await tab.evaluate("probe.print()"));
  await tab.close();
  return { found, n_elements };
}

// A machine short of memory ends a page's process. A page that is at fault ends
// its process again.
async function look_twice(browser, file) {
  try {
    return await look_at(browser, file);
  } catch (error) {
    if (!/page's process has ended/.test(error.message)) throw error;
    console.log(`${path.basename(file)}: ${error.message}; opened once more`);
    return look_at(browser, file);
  }
}

async function main() {
  const browser = chromium.start(program);

  // The largest first, so that none is left over for the end.
  const pages = fs.readdirSync(folder)
    .filter((name) => /\.html$/.test(name) &&
                      (!asked.length || asked.includes(name)))
    .sort((a, b) => fs.statSync(path.join(folder, b)).size -
                    fs.statSync(path.join(folder, a)).size);
  let passed = 0, failed = 0;
  // Waiting for what never comes takes long: it is one page among the others.
  async function notices_all_faults() {
    const { found } = await look_at(browser, path.resolve(bad));
    for (const fault of faults)
      if (!found.some((line) => line.includes(fault)))
        throw new Error(`${path.basename(bad)}: nobody notices "${fault}":\n` +
                        found.join("\n"));
  }
  async function work() {
    for (let page; (page = pages.shift());) {
      const { found, n_elements } =
        await look_twice(browser, path.resolve(folder, page));
      if (found.length) failed++;
      else passed++;
      console.log(`${found.length ? "FAILED " : ""}${page}: ` +
                  `${found.length} findings, ${n_elements} elements`);
      found.forEach((line) => console.log("  " + line.replace(/\s+/g, " ")));
    }
  }
  await Promise.all([notices_all_faults(),
                     ...Array.from({ length: jobs }, work)]);
  await browser.stop();
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed ? 1 : 0;
}

main().catch((error) => {
  console.log("FAILED " + error.message);
  process.exit(1);
});
