// chromium.js: one Chromium without a window, spoken to through a pipe by its
// own protocol (DevTools), so that neither a port nor a package is needed.
//
//   const browser = chromium.start("/usr/bin/chromium");
//   const tab = await browser.tab();
//   await tab.go("file:///…/index.html");
//   await tab.until("document.readyState === 'complete'");
//   await tab.evaluate("document.title");
//   await tab.close();
//   await browser.stop();
"use strict";
const { spawn } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const patience = 60000;   // milliseconds

const options = ["--headless", "--no-sandbox", "--disable-gpu",
  "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--hide-scrollbars",
  // Containers often have a /dev/shm too small for several pages at once.
  "--disable-dev-shm-usage", "--remote-debugging-pipe"];

// Messages are JSON, each with a zero byte behind it.
function reader(stream, heard) {
  let parts = [];
  stream.on("data", (data) => {
    let from = 0;
    for (let at; (at = data.indexOf(0, from)) >= 0; from = at + 1) {
      parts.push(data.subarray(from, at));
      heard(JSON.parse(Buffer.concat(parts).toString()));
      parts = [];
    }
    parts.push(data.subarray(from));
  });
}

exports.start = function (program) {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "chromium."));
  const child = spawn(program,
    [...options, "--user-data-dir=" + profile, "about:blank"],
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  const waiting = new Map();
  const listeners = new Set();
  let last = 0;

  reader(child.stdio[4], (message) => {
    const caller = waiting.get(message.id);
    waiting.delete(message.id);
    if (caller) caller.heard(message);
    else if (message.method === "Inspector.targetCrashed")
      give_up("the page's process has ended", message.sessionId);
    else listeners.forEach((listener) => listener(message));
  });
  child.stdio[3].on("error", () => {});
  ended.then(() => give_up("the browser has ended"));

  // Answers all calls, or those to one page, which nothing else will answer.
  function give_up(why, sessionId = undefined) {
    for (const [id, caller] of waiting) {
      if (sessionId && caller.sessionId !== sessionId) continue;
      waiting.delete(id);
      caller.heard({ error: { message: why } });
    }
  }

  function send(method, params = {}, sessionId = undefined) {
    return new Promise((resolve, reject) => {
      const heard = (message) => message.error
        ? reject(new Error(method + ": " + message.error.message))
        : resolve(message.result);
      waiting.set(++last, { heard, sessionId });
      child.stdio[3].write(
        JSON.stringify({ id: last, method, params, sessionId }) + "\0");
    });
  }

  async function tab() {
    const { targetId } = await send("Target.createTarget",
                                    { url: "about:blank" });
    const { sessionId } = await send("Target.attachToTarget",
                                     { targetId, flatten: true });
    const call = (method, params) => send(method, params, sessionId);
    const mine = new Set();

    function on(method, heard) {
      const listener = (message) => {
        if (message.sessionId === sessionId && message.method === method)
          heard(message.params);
      };
      mine.add(listener);
      listeners.add(listener);
    }
    // Shows the page, and returns when it is loaded.
    async function go(url) {
      const loaded = new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, { sessionId, heard: ({ error }) =>
          reject(new Error(url + ": " + error.message)) });
        on("Page.loadEventFired", () => {
          waiting.delete(id);
          resolve();
        });
      });
      const { errorText } = await call("Page.navigate", { url });
      if (errorText) throw new Error(url + ": " + errorText);
      await loaded;
    }
    // The value of an expression, or of the promise that it is.
    async function evaluate(expression) {
      const { result, exceptionDetails } = await call("Runtime.evaluate",
        { expression, awaitPromise: true, returnByValue: true });
      if (exceptionDetails)
        throw new Error(exceptionDetails.exception?.description ||
                        exceptionDetails.text);
      return result.value;
    }
    // The expression's value once it is true; false if it never is. A page
    // that is being left has nothing to ask, and a busy machine needs its time.
    async function until(expression) {
      const end = Date.now() + patience;
      while (Date.now() < end) {
        const value = await evaluate(expression).catch(() => false);
        if (value) return value;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return false;
    }
    async function close() {
      mine.forEach((listener) => listeners.delete(listener));
      await send("Target.closeTarget", { targetId });
    }
    await call("Page.enable");
    await call("Inspector.enable");
    return { call, on, go, evaluate, until, close };
  }

  async function stop() {
    await send("Browser.close").catch(() => child.kill());
    await ended;
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
  return { tab, stop };
};
