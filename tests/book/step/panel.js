// panel.js CHROMIUM PAGE [AXE]: what ./panel says.
"use strict";
const fs = require("fs");
const chromium = require("../pages/chromium.js");
const { sample } = require("./sample.js");
const [program, page, axe] = process.argv.slice(2);
let passed = 0, failed = 0;

function equal(found, expected, what) {
  const [a, b] = [found, expected].map((x) => JSON.stringify(x));
  if (a === b) return passed++;
  failed++;
  console.log(`FAILED ${what}\n  expected ${b}\n  found    ${a}`);
}

const key_codes = { ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40,
  PageUp: 33, PageDown: 34, Home: 36, End: 35, Escape: 27, Enter: 13, Tab: 9,
  " ": 32 };

async function opened(browser, hash = "", { width = 1280, theme = "light",
                                            motion = "no-preference" } = {}) {
  const tab = await browser.tab();
  tab.errors = [];
  tab.on("Runtime.exceptionThrown", ({ exceptionDetails: d }) =>
    tab.errors.push(d.exception?.description || d.text));
  await tab.call("Runtime.enable");
  await tab.call("Emulation.setFocusEmulationEnabled", { enabled: true });
  await tab.call("Emulation.setDeviceMetricsOverride",
    { width, height: 900, deviceScaleFactor: 1, mobile: false });
  await tab.call("Emulation.setEmulatedMedia", { media: "", features: [
    { name: "prefers-color-scheme", value: theme },
    { name: "prefers-reduced-motion", value: motion }] });
  await tab.go("file://" + page + hash);
  tab.text = (selector) => tab.evaluate(
    `(document.querySelector(${JSON.stringify(selector)}) || {}).textContent`);
  tab.press = async (key) => {
    const text = key === "Enter" ? "\r" : key.length === 1 ? key : undefined;
    const parts = { key, windowsVirtualKeyCode: key_codes[key] || key.charCodeAt(0) };
    await tab.call("Input.dispatchKeyEvent", { type: "keyDown", text, ...parts });
    await tab.call("Input.dispatchKeyEvent", { type: "keyUp", ...parts });
  };
  tab.click = (selector) =>
    tab.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);
  tab.until = (expression) => tab.evaluate(`new Promise((resolve) => {
    let tries = 0;
    (function look() {
      if (${expression} || ++tries > 400) resolve(!!(${expression}));
      else setTimeout(look, 20);
    })();
  })`);
  tab.choose = (knob, value) => tab.evaluate(`(() => {
    const select = document.querySelector("[data-knob=${knob}]");
    select.value = "${value}";
    select.dispatchEvent(new Event("change", { bubbles: true }));
  })()`);
  tab.done = async (what) => {
    equal(tab.errors, [], what + ": errors of scripts");
    await tab.close();
  };
  return tab;
}
const is_open = 'document.querySelector(".step .say")';
const state = 'document.querySelector(".step").dataset.state';

// Nothing of the stepper is loaded until the reader asks, and no WebAssembly or
// worker until the reader changes something.
async function loads_late(browser) {
  const tab = await opened(browser);
  const loaded = `[...document.querySelectorAll("script, link")].map((e) =>
    (e.src || e.href).split("/").pop()).filter((name) =>
    !/^(book|code|print)[.]/.test(name))`;
  equal(await tab.evaluate(loaded), [], "loaded before the reader asks");
  await tab.click(".step-it");
  equal(await tab.until(is_open), true, "the button opens the panel");
  equal((await tab.evaluate(loaded)).sort(), ["recording.js", "sample-sum.js",
    "step.css", "step.js"], "loaded by the button");
  await tab.done("loading");
}

async function keyboard(browser) {
  const tab = await opened(browser);
  const listing = `document.querySelector(".listing").innerHTML.replace(
    / tabindex="0"/g, "")`;
  const before = await tab.evaluate(listing);
  await tab.evaluate('document.querySelector(".step-it").focus()');
  await tab.press("Enter");
  equal(await tab.until(is_open), true, "Enter opens the panel");
  equal(await tab.evaluate('document.activeElement.closest(".step") !== null'), true,
        "the focus goes into the panel");
  equal(await tab.text(".place"), "2 / 9", "it begins at the first request");
  // By lines to what a line tells (not to the addition at 7), or by instructions.
  const walk = [["ArrowRight", "3 / 9"], ["ArrowLeft", "2 / 9"],
    ["ArrowDown", "3 / 9"], ["ArrowRight", "4 / 9"], ["ArrowRight", "5 / 9"],
    ["ArrowRight", "6 / 9"], ["ArrowRight", "8 / 9"], ["ArrowUp", "7 / 9"],
    ["ArrowLeft", "6 / 9"], ["PageUp", "3 / 9"], ["PageDown", "6 / 9"],
    ["PageDown", "8 / 9"], ["PageUp", "6 / 9"], ["End", "9 / 9"],
    ["ArrowRight", "9 / 9"], ["Home", "1 / 9"], ["ArrowLeft", "1 / 9"]];
  for (const [key, place] of walk) {
    await tab.press(key);
    equal(await tab.text(".place"), place, "after " + key);
  }
  for (let i = 0; i < 3; i++) await tab.press("PageDown");
  equal(await tab.text(".say"), "Line 8: 16 of 32 lanes load from shared memory " +
    "in 2 wavefronts, because 2 of their words are in bank 0, which delivers one " +
    "word per wavefront.", "what is said");
  equal(await tab.evaluate(`[".l.now", ".op", ".cost"].map((selector) =>
    document.querySelector(selector).textContent.trim().slice(0, 30))`),
    ["float taken = part[8 * me % 64", "ld.shared.f32", "load, 2 wavefronts, ideal 1"],
    "line, instruction and price");
  equal(await tab.evaluate(`["on", "off", "wait", "gone"].map((name) =>
    document.querySelectorAll(".lanes32 ." + name).length)`), [16, 0, 16, 0], "lanes");
  equal(await tab.evaluate(`document.querySelectorAll(".ledger tr").length`), 3,
        "rows of the ledger");
  // Gutter: what warp 0 has executed of each line so far.
  equal(await tab.evaluate(`[...document.querySelectorAll(".l")].map((l) =>
    Number(l.dataset.hits))`), [1, 0, 0, 0, 2, 1, 1, 1, 0, 0, 0], "hits of lines");
  await tab.press("Escape");
  equal(await tab.evaluate('document.querySelector(".step")'), null, "Escape closes");
  equal(await tab.evaluate('document.activeElement.className'), "step-it",
        "the focus goes back");
  equal(await tab.evaluate(listing), before, "the listing is as it was");
  await tab.done("keyboard");
}

// All warps, to the end: the counters show the launch's counts.
async function sums(browser) {
  const tab = await opened(browser, "#step=sample/sum&warp=-1&at=15");
  await tab.until(is_open);
  const counts = sample().counts;
  equal(await tab.evaluate(`[...document.querySelectorAll(".counters b")].map((b) =>
    Number(b.textContent))`), [counts.warp_instructions,
    Number((counts.thread_instructions / counts.warp_instructions).toFixed(1)),
    3, counts.ld_sectors + counts.st_sectors, 3, 4], "counters at the end");
  equal(await tab.evaluate(`[...document.querySelectorAll(".l")].reduce((n, l) =>
    n + Number(l.dataset.hits), 0)`), counts.warp_instructions, "sum of the hits");
  equal(await tab.evaluate(`[document.querySelectorAll(".array td").length,
    document.querySelectorAll(".array th").length]`), [128, 8],
    "the whole array of the last request, as many to a row as there is room for");
  await tab.done("sums");
}

async function address(browser) {
  const tab = await opened(browser, "#step=sample/sum&n=48&at=3&warp=1");
  await tab.until(is_open + ' && document.querySelector(".place").textContent === "3 / 6"');
  equal(await tab.evaluate(`[${state}, document.querySelector(".place").textContent,
    document.querySelector(".warp-name").textContent,
    document.querySelector("[data-knob=n]").value]`),
    ["edited", "3 / 6", "Warp 1, 32 lanes", "48"], "the address gives the state back");
  await tab.press("ArrowRight");
  equal(await tab.until('/at=4/.test(location.hash)'), true,
        "the address follows: " + await tab.evaluate("location.hash"));
  equal(await tab.evaluate("location.hash"), "#step=sample/sum&n=48&warp=1&at=4",
        "the whole address");
  await tab.done("address");
}

// What an address asks for and the page does not have is said.
async function bad_address(browser) {
  const tab = await opened(browser, "#step=sample/none");
  equal(/no listing of this page has/.test(await tab.text("main > [role=status]")),
        true, "an address of no panel");
  await tab.done("an address of no panel");
}

// An address opens at its panel, however far down the page it is, and though it is
// in a fold.
async function opens_at_the_panel(browser) {
  const tab = await browser.tab();
  await tab.call("Emulation.setDeviceMetricsOverride",
    { width: 1280, height: 900, deviceScaleFactor: 1, mobile: false });
  await tab.call("Page.enable");
  // The page is longer by the time that its scripts run, and longer still when all
  // of it is laid out.
  await tab.call("Page.addScriptToEvaluateOnNewDocument", { source: `
    document.addEventListener("DOMContentLoaded", () => {
      const listing = document.querySelector(".listing[data-step]");
      const fold = document.createElement("details");
      const tall = document.createElement("div");
      tall.style.height = "3000px";
      listing.before(tall, fold);
      fold.append(listing);
      window.addEventListener("load", () => { tall.style.height = "9000px"; });
    }, { capture: true, once: true });` });
  await tab.go("file://" + page + "#step=sample/sum&at=3");
  const top = 'document.querySelector(".step").getBoundingClientRect().top';
  equal(await tab.evaluate(`new Promise((resolve) => {
    let tries = 0;
    (function look() {
      const panel = document.querySelector(".step .say") && ${top};
      if (panel >= 0 && panel < 300 || ++tries > 200) resolve(panel >= 0 && panel < 300);
      else setTimeout(look, 20);
    })();
  })`), true, "the panel is in view, not at " + await tab.evaluate(top));
  await tab.close();
}

// What an earlier run left in the panel is never shown as this one's.
async function nothing_stale(browser) {
  let tab = await opened(browser, "#step=sample/sum&n=40&at=5");
  await tab.until(is_open + ' && ' + state + ' === "edited"');
  equal(await tab.text(".say"),
    "This run is too long to be recorded; only its counts are here.",
    "a run that is too long says so");
  equal(await tab.evaluate(`[document.querySelector(".counters b").textContent,
    document.querySelector(".lanes32").getClientRects().length,
    document.querySelector(".timeline").getClientRects().length,
    document.querySelectorAll(".step .l.now").length]`), ["123456", 0, 0, 0],
    "with its counts, and nothing else");
  await tab.click('[data-do="as_book"]');
  equal(await tab.until(state + ' === "replay" && ' +
    'document.querySelector(".lanes32").getClientRects().length'), true,
    "and the book's run is whole again");
  await tab.done("too long");
  tab = await opened(browser, "#step=sample/sum&n=41");
  await tab.until(is_open + ' && document.querySelector(".step-report").textContent');
  equal(await tab.evaluate(`[${state}, document.querySelector("[data-knob=n]").value,
    document.querySelector(".counters b").textContent]`), ["failed", "64", "2"],
    "a run that cannot be shown leaves the one before it");
  await tab.done("cannot be shown");
}

async function predict(browser) {
  const tab = await opened(browser, "#step=sample/sum&at=4");
  await tab.until(is_open);
  await tab.click('[data-do="predict"]');
  await tab.press("End");
  equal(await tab.text(".place"), "6 / 9", "predicting, it stops at the next request");
  equal(await tab.evaluate(`[document.querySelector(".request").hidden,
    document.activeElement.matches(".predict input")]`), [true, true],
    "the request is hidden, and its price asked for");
  equal(/wavefront|bank/.test(await tab.text(".say")), false, "the sentence gives nothing away");
  const wavefronts = `document.querySelectorAll(".counters b")[5].textContent`;
  equal(await tab.evaluate(wavefronts), "2", "nor do the counters");
  await tab.press("3");
  await tab.press("Enter");
  equal(await tab.evaluate(`[document.querySelector(".score").textContent,
    document.querySelector(".say").textContent.slice(0, 14), ${wavefronts}]`),
    ["0 of 1 right", "Not 3. Line 8:", "4"], "a wrong answer");
  await tab.press("PageDown");
  for (const key of ["1", "6", "Enter"]) await tab.press(key);
  equal(await tab.evaluate(`[document.querySelector(".score").textContent,
    document.querySelector(".say").textContent.slice(0, 6)]`),
    ["1 of 2 right", "Right."], "a right answer");
  await tab.done("predict");
}

// Questions are answered, or shown, and what was right is remembered.
async function asks(browser) {
  let tab = await opened(browser, "#step=sample/sum");
  await tab.until(is_open);
  equal([await tab.text(".ask-text"), await tab.evaluate(
    'document.querySelector(".step-question").getClientRects().length')],
    ["1 of 2: How many wavefronts?", 0], "the first question, in place of all");
  const answer = async (value) => {
    await tab.evaluate(`document.querySelector(".ask-field input").value = ${value}`);
    await tab.evaluate('document.querySelector(".ask").requestSubmit()');
  };
  await answer(3);
  equal(await tab.text(".ask-said"), "Not so. Turn the knobs and look, or have it shown.",
        "a wrong answer");
  await answer(2);
  equal(await tab.text(".ask-said"), "Right: 2.", "a right one");
  await tab.click('[data-do="next_ask"]');
  equal(await tab.text(".ask-text"), "2 of 2: Which order?", "the next question");
  await tab.click('[data-do="show_answer"]');
  await tab.until(state + ' === "edited"');
  equal(await tab.evaluate(`[document.querySelector(".ask-said").textContent,
    document.querySelector("[data-knob=order]").value]`),
    ["the other. This is the run.", "other"], "it is shown, with its run");
  await tab.done("asks");
  tab = await opened(browser, "#step=sample/sum");
  await tab.until(is_open);
  equal(await tab.text(".ask-text"), "2 of 2: Which order?",
        "what is answered is remembered, what was shown is not");
  await tab.evaluate('document.querySelector(".ask-field input[value=other]").click()');
  await tab.evaluate('document.querySelector(".ask").requestSubmit()');
  equal(await tab.text(".ask-said"), "Right: the other.", "a choice");
  await tab.click('[data-do="next_ask"]');
  equal(await tab.text(".ask-said"), "You have answered them all.", "all of them");
  for (const bad of ["no JSON", "null", '"text"', '{"sample/sum": 7}']) {
    await tab.evaluate(`localStorage.setItem("answers", ${JSON.stringify(bad)})`);
    await tab.click('[data-do="next_ask"]');
    equal(await tab.text(".ask-said"), "", "what is kept is odd: " + bad);
  }
  await tab.evaluate("localStorage.clear()");
  await tab.done("asks, later");
}

// Every end that a reader's run can have.
async function runs(browser) {
  const tab = await opened(browser, "#step=sample/sum");
  await tab.until(is_open);
  await tab.choose("n", 48);
  equal(await tab.until(state + ' === "edited"'), true, "another n is run");
  equal(await tab.evaluate("window.runs[0].knobs"), { order: "strided", n: 48 }, "with the reader's n");
  equal(await tab.evaluate("window.runs[0].program.lines"), ["buffer x f32 64"],
        "with the scene's program");
  equal(await tab.text(".badge"), "your run", "and is marked as the reader's");
  await tab.click('[data-do="as_book"]');
  equal(await tab.until(state + ' === "replay"'), true, "as in the book");
  await tab.click("[data-break]");
  equal(await tab.until(state + ' === "broken"'), true, "a broken run");
  equal((await tab.text(".step-report")).split("\n").slice(0, 4),
    ["Element 32 of shared memory: block 0, warp 1, lane 0 stores to it at line 5, and " +
     "block 0, warp 0, lane 4 loads it at line 8; before the store it holds nothing yet, " +
     "and after it 32: the load gets one or the other, as it happens.",
     "Line 6, as it was, kept them in order.",
     "out[8] is 0; it should be 8.What the device reportsrace: race between warps in " +
     "shared memory", "  load of 4 bytes by block (0,0,0), thread (4,0,0)"],
    "what the check says of whom, and the wrong result");
  equal(await tab.evaluate(`[document.querySelector(".step .l.now").dataset.n,
    document.querySelector("[data-of=warp]").value, document.querySelector(".lanes32 .pin")
    .textContent, document.querySelectorAll(".of-report").length]`), ["8", "-1", "4", 2],
    "it goes to the race, with both accesses in the timeline");
  equal(await tab.evaluate(`[...document.querySelectorAll(".l.bad")].map((l) =>
    l.dataset.n)`), ["5", "8"], "the report's lines are lit");
  equal(await tab.evaluate(`[...document.querySelectorAll(".l.gone")].map((l) =>
    l.dataset.n)`), ["6"], "the line that is left out is struck through");
  equal(await tab.evaluate('document.querySelectorAll(".instead").length'), 0,
        "and nothing is in its place");
  await tab.click("[data-break=past]");
  await tab.until('document.querySelector(".instead")');
  equal([await tab.text(".instead"), await tab.text(".step-report")],
    ["    float taken = part[63 - me] + 0;   /* Two words in each bank that is asked. */",
     "out[0] was never written; it should be 0."],
    "what a line has become, and what was never written");
  await tab.click("[data-break=no_barrier]");
  await tab.until('document.querySelectorAll(".instead").length === 0');
  await tab.choose("n", 48);
  equal(await tab.until('/WebAssembly/.test(document.querySelector(".step-report").' +
    'textContent)'), true, "a run that fails says why");
  equal(await tab.evaluate(`[${state}, document.querySelector("[data-knob=n]").value]`),
    ["broken", "64"], "and the run before it stays");
  await tab.click('[data-do="as_book"]');
  await tab.until(state + ' === "replay"');
  await tab.choose("order", "other");
  await tab.until(state + ' === "edited"');
  equal(await tab.evaluate(`[document.querySelector(".step div.sourceCode:not([hidden]) .l").textContent,
    document.querySelector(".step .l.now").textContent,
    document.querySelector("[data-break]").disabled]`),
    ["other line 4", "other line 5", true], "a variant that is another listing");
  await tab.choose("order", "strided");
  await tab.until(state + ' === "replay"');
  equal(await tab.evaluate(`[document.querySelectorAll(".step .l").length,
    document.querySelector("[data-break]").disabled]`), [11, false],
    "and the listing itself again");
  await tab.choose("n", 32);
  equal(await tab.until(state + ' === "running"'), true, "a run that does not end");
  equal(await tab.evaluate('document.querySelector("[data-do=cancel]").hidden'), false,
        "can be cancelled");
  await tab.click('[data-do="cancel"]');
  equal(await tab.evaluate(`[${state}, document.querySelector("[data-knob=n]").value,
    document.querySelector(".place").textContent]`), ["replay", "64", "2 / 9"],
    "cancelled, the book's run is back");
  await tab.done("runs");
}

async function quiet(browser) {
  const still = await opened(browser, "#step=sample/sum", { motion: "reduce" });
  await still.until(is_open);
  equal(await still.evaluate('document.querySelector("[data-do=play]").hidden'), true,
        "with reduced motion nothing plays");
  await still.press(" ");
  equal(await still.evaluate(state), "replay", "not by the keyboard either");
  await still.done("reduced motion");
  const tab = await opened(browser, "#step=sample/sum&at=8");
  await tab.until(is_open);
  await tab.click('[data-do="play"]');
  equal(await tab.evaluate(`[${state}, document.querySelector(".say").ariaLive]`),
    ["playing", "off"], "playing is silent");
  equal(await tab.until(state + ' === "replay"'), true, "and ends by itself");
  equal(await tab.text(".place"), "9 / 9", "at the last step");
  await tab.done("playing");
}

async function without_scripts(browser) {
  const tab = await browser.tab();
  await tab.call("Emulation.setScriptExecutionDisabled", { value: true });
  await tab.go("file://" + page);
  equal(await tab.evaluate('document.querySelectorAll("button, .step").length'), 0,
        "no button without scripts");
  await tab.close();
}

async function look(browser, width, theme) {
  const where = `${width} pixels, ${theme}`;
  const tab = await opened(browser, "#step=sample/sum&at=6", { width, theme });
  await tab.until(is_open);
  const wide = "document.documentElement.scrollWidth - window.innerWidth";
  equal(await tab.evaluate(wide) <= 0, true, where + ": not wider than the window");
  if (axe) {
    await tab.evaluate(fs.readFileSync(axe, "utf8") + "\n;0");
    const findings = `axe.run(document, { resultTypes: ["violations"], preload: false })
      .then((r) => r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " +
        n.html.slice(0, 120) + " " + n.any.map((a) => a.message).join(" "))))`;
    equal(await tab.evaluate(findings), [], where + ": axe-core");
    await tab.click("[data-break]");
    await tab.until(state + ' === "broken"');
    equal(await tab.evaluate(findings), [], where + ": axe-core, broken");
    await tab.click('[data-do="predict"]');
    await tab.press("Home");
    await tab.press("End");
    equal(await tab.evaluate(findings), [], where + ": axe-core, predicting");
  }
  await tab.done(where);
}

(async () => {
  const browser = chromium.start(program);
  for (const part of [loads_late, keyboard, sums, address, bad_address, opens_at_the_panel,
                      nothing_stale, predict, asks, runs, quiet,
                      without_scripts]) await part(browser);
  for (const width of [1280, 360])
    for (const theme of ["light", "dark"]) await look(browser, width, theme);
  await browser.stop();
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed ? 1 : 0;
})().catch((error) => {
  console.log("FAILED " + error.stack);
  process.exit(1);
});
