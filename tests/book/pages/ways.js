// ways.js CHROMIUM FOLDER: see `ways`, which calls it.
"use strict";
const chromium = require("./chromium.js");

const [program, folder] = process.argv.slice(2);
let n_passed = 0, n_failed = 0;

function check(holds, what) {
  if (holds) return n_passed++;
  n_failed++;
  console.log("FAILED " + what);
}

const ready = "document.documentElement.matches('.shown')";
const at = (name) => `location.pathname.endsWith('/${name}') && ${ready}`;

async function open(browser, name) {
  const tab = await browser.tab();
  await tab.go("file://" + folder + "/" + name);
  await tab.until(ready);
  return tab;
}

async function press(tab, key, modifiers = 0) {
  const text = key.length === 1 ? { text: key } : {};
  // The browser itself closes a dialog, by the number of this key.
  const code = key === "Escape" ? { windowsVirtualKeyCode: 27 } : {};
  for (const type of ["keyDown", "keyUp"])
    await tab.call("Input.dispatchKeyEvent",
                   { type, key, modifiers, ...code, ...(type === "keyDown" && text) });
}

async function arrows(browser) {
  const tab = await open(browser, "index.html");
  check(await tab.evaluate("document.querySelector('.start-here a.first')" +
    ".href === document.querySelector('.chapters a').href"),
    "the first page does not lead to the first chapter");
  const chapter = await tab.evaluate("document.querySelector('.chapters a')" +
                                     ".getAttribute('href')");
  await press(tab, "ArrowLeft");      // nothing is before it
  for (const [key, page] of [["ArrowRight", "start.html"], ["ArrowRight", chapter],
                             ["ArrowLeft", "start.html"],
                             ["ArrowLeft", "index.html"]]) {
    await press(tab, key);
    check(await tab.until(at(page)), key + " does not lead to " + page);
  }
  await tab.close();
}

// Keys that a field, the stepper or the browser uses turn no page.
async function taken(browser) {
  const tab = await open(browser, "reduction.html");
  await tab.evaluate("window.stays = true");
  for (const modifiers of [1, 2, 4, 8]) await press(tab, "ArrowRight", modifiers);
  await press(tab, "/");
  check(await tab.until("document.querySelector('dialog.search[open]')"),
        "no search");
  for (const key of ["?", "ArrowRight"]) await press(tab, key);
  check(await tab.evaluate("!document.querySelector('dialog.keys[open]')"),
        "the search cannot be asked for '?'");
  await press(tab, "Escape");
  await tab.evaluate("document.querySelector('.step-it').click()");
  check(await tab.until("document.querySelector('.step .say') && " +
    "document.activeElement.closest('.step')"), "the stepper has no focus");
  for (const key of ["ArrowRight", "ArrowLeft"]) await press(tab, key);
  await tab.evaluate("new Promise((done) => setTimeout(done, 300))");
  check(await tab.evaluate("window.stays === true"), "a key was not for the page");
  await tab.close();
}

async function list_of_keys(browser) {
  const tab = await open(browser, "start.html");
  const is_open = "document.querySelector('dialog.keys[open]') !== null";
  await press(tab, "?", 8);
  check(await tab.until(is_open), "'?' shows no keys");
  await press(tab, "ArrowRight");
  check(await tab.evaluate(is_open), "a page is turned below the keys");
  await press(tab, "Escape");
  check(await tab.until("!(" + is_open + ")"), "Escape leaves them");
  await tab.evaluate("document.querySelector('.top .ask').click()");
  check(await tab.until(is_open), "the button shows no keys");
  await tab.evaluate("document.querySelector('.keys .close').click()");
  check(await tab.until("!(" + is_open + ")"), "its button leaves them");
  await tab.close();
}

async function where_one_stopped(browser) {
  let tab = await open(browser, "index.html");
  check(await tab.evaluate("!document.querySelector('a.continue')"),
        "a new reader is to continue");
  await tab.go("file://" + folder + "/reduction.html");
  await tab.until(ready);
  const [id, title] = await tab.evaluate(`(() => {
    const heading = [...document.querySelectorAll("main h2[id]")][2];
    heading.scrollIntoView();
    return [heading.id, heading.textContent.replace(/\\s+/g, " ").trim()];
  })()`);
  check(await tab.until(`(localStorage.getItem("place") || "").includes("#${id}")`),
        "the place is not kept");
  await tab.go("file://" + folder + "/index.html");
  const link = await tab.until("[...document.querySelectorAll('a.continue')]" +
    ".map((one) => one.getAttribute('href') + ' ' + one.textContent)[0]");
  check(link === `reduction.html#${id} Continue at ${title}`,
        "it offers: " + link);
  for (const bad of ["no JSON", '{"href": "javascript:alert(1)", "title": "x"}',
                     '{"href": "https://example.org/a.html", "title": "x"}',
                     '{"href": "a.html"}', "null"]) {
    await tab.evaluate(`localStorage.setItem("place", ${JSON.stringify(bad)})`);
    await tab.go("file://" + folder + "/index.html");
    await tab.until(ready);
    check(await tab.evaluate("!document.querySelector('a.continue') && " +
      "document.querySelector('.top .ask') !== null"), "it offers " + bad);
  }
  await tab.close();
}

async function links(browser) {
  const tab = await open(browser, "reduction.html");
  const copy = (then) => tab.evaluate(`(async () => {
    Object.defineProperty(navigator, "clipboard", { configurable: true,
      value: { writeText: async (text) => { ${then} } } });
    const listing = document.querySelector("div.listing[id]");
    listing.querySelector("button.link").click();
    await new Promise((done) => setTimeout(done, 50));
    return [listing.id, window.copied, location.hash,
            listing.querySelector("button.link").textContent];
  })()`);
  let [id, copied, hash, said] = await copy("window.copied = text;");
  check(copied === "file://" + folder + "/reduction.html#" + id &&
        said === "Copied", "copied: " + copied);
  check(hash === "", "the address changed");
  [id, , hash, said] = await copy("throw new Error();");
  check(hash === "#" + id && said === "In the address",
        "without a clipboard: " + hash);
  await tab.close();
}

async function first_scene(browser) {
  const tab = await open(browser, "index.html");
  check(await tab.evaluate("document.querySelector('.step-paper img')" +
                           ".getClientRects().length"), "no strip");
  await tab.evaluate("document.querySelector('.step-it').click()");
  check(await tab.until("document.querySelector('.step .say')"),
        "the first page's listing cannot be stepped");
  await tab.close();
}

async function main() {
  const browser = chromium.start(program);
  try {
    for (const part of [where_one_stopped, arrows, taken, list_of_keys, links,
                        first_scene])
      await part(browser);
  } finally {
    await browser.stop();
  }
  console.log(`${n_passed} passed, ${n_failed} failed`);
  process.exit(n_failed ? 1 : 0);
}

main().catch((error) => {
  console.log("FAILED " + error.message);
  process.exit(1);
});
