// site_in_browser.js CHROMIUM FOLDER: see `site_in_browser`, which calls it.
"use strict";
const fs = require("fs");
const path = require("path");
const chromium = require("./chromium.js");

const [program, folder] = process.argv.slice(2);

let failed = 0;
function check(holds, what) {
  if (holds) return;
  failed++;
  console.log("FAILED " + what);
}

// A page, and the names of what it asks for and does not get.
async function open(browser, name) {
  const tab = await browser.tab();
  const asked = new Map(), missing = [];
  await tab.call("Network.enable");
  tab.on("Network.requestWillBeSent", ({ requestId, request }) =>
    asked.set(requestId, request.url));
  tab.on("Network.loadingFailed", ({ requestId, errorText }) =>
    missing.push(path.basename(asked.get(requestId) || "?") + " " + errorText));
  await tab.go("file://" + folder + "/" + name);
  return { tab, missing, asked };
}

const scripted = "document.documentElement.matches('.scripted')";

async function search(browser) {
  const { tab, missing } = await open(browser, "index.html");
  await tab.until(scripted);
  await tab.call("Input.dispatchKeyEvent",
                 { type: "keyDown", key: "/", text: "/" });
  check(await tab.until("typeof MiniSearch === 'function'"), "no search");
  check(missing.length === 0, "the search lacks " + missing);
  await tab.close();
}

async function card(browser, page) {
  const { tab, missing } = await open(browser, page);
  await tab.until(scripted);
  await tab.evaluate("document.querySelector('main a.term').focus()");
  check(await tab.until("document.querySelector('.card')"), "no card");
  check(missing.length === 0, "cards lack " + missing);
  await tab.close();
}

// A scene is replayed, and then run by the software device with another value
// of its first knob.
async function stepper(browser, page) {
  const { tab, missing, asked } = await open(browser, page);
  await tab.until(scripted);
  await tab.evaluate("document.querySelector('.step-it').click()");
  check(await tab.until("document.querySelector('.step .say')"),
        page + ": no panel");
  const names = () => [...asked.values()].map((url) => path.basename(url));
  check(names().some((name) => /^[a-z_]+-[a-z_0-9]+[.]js$/.test(name)),
        page + ": no recording among " + names());
  if (fs.existsSync(path.join(folder, "device.js"))) {
    await tab.evaluate(`(() => {
      const knob = document.querySelector(".step [data-knob]");
      const values = knob.options ? [...knob.options].map((one) => one.value)
                                  : [knob.min, knob.max];
      knob.value = values.find((value) => value !== knob.value);
      for (const name of ["input", "change"])
        knob.dispatchEvent(new Event(name, { bubbles: true }));
    })()`);
    check(await tab.until("document.querySelector('.step')" +
                              ".dataset.state === 'edited'"),
          page + ": no run of the reader's");
    check(names().includes("device.js"), page + ": no device");
  }
  check(missing.length === 0, page + " lacks " + missing);
  await tab.close();
}

async function main() {
  const browser = chromium.start(program);
  const pages = fs.readdirSync(folder).filter((name) => /[.]html$/.test(name));
  const holding = (text) => pages.find((name) => fs.readFileSync(
    path.join(folder, name), "utf8").includes(text));
  try {
    for (const name of pages) {
      const { tab, missing } = await open(browser, name);
      await tab.until("document.documentElement.matches('.shown')");
      check(missing.length === 0, name + " lacks " + missing);
      await tab.close();
    }
    await search(browser);
    await card(browser, holding('class="term'));
    const stepped = holding("data-step=");
    if (stepped) await stepper(browser, stepped);
    // A request that fails is noticed.
    const { tab, missing } = await open(browser, "index.html");
    await tab.evaluate(`new Promise((done) => {
      const script = document.createElement("script");
      script.src = "never_built.js";
      script.onerror = done;
      document.head.append(script);
    })`);
    check(await (async () => {
      for (let i = 0; i < 600 && !missing.length; i++)
        await new Promise((resolve) => setTimeout(resolve, 50));
      return missing.length;
    })(), "a missing file was not noticed");
    await tab.close();
  } finally {
    await browser.stop();
  }
  console.log(failed ? `0 passed, 1 failed: ${failed} faults`
                     : "1 passed, 0 failed");
  process.exit(failed ? 1 : 0);
}

main().catch((error) => {
  console.log("FAILED " + error.message);
  process.exit(1);
});
