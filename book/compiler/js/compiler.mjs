// Compiles CUDA C in the page, in a worker. Nothing is loaded before the first
// source: clang.js and softdevice-ir.js hold the packed programs and headers as
// text, and are loaded by script elements, because a page opened from a disk may
// do that and may not fetch.
import worker_text from "./worker.mjs?script";

const SCRIPTS = ["clang.js", "softdevice-ir.js"];

let loading = null;
const parts = {};

function load_script(base, name) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = base + name;
    script.onload = () => { script.remove(); resolve(); };
    script.onerror = () => {
      script.remove();
      reject(new Error(`${name}, a part of the compiler, could not be loaded ` +
        `from ${base}. It is built with the book where the npm package ` +
        "@yowasp/clang is installed (npm ci)."));
    };
    document.head.append(script);
  });
}

const load = (base) => loading ??=
  Promise.all(SCRIPTS.map((name) => load_script(base, name)))
    .catch((error) => { loading = null; throw error; });

function start() {
  const url = URL.createObjectURL(
    new Blob([worker_text], { type: "text/javascript" }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  worker.postMessage(parts);
  return worker;
}

// The compiler of one page; `base` is the URL of the folder of the pages. `compile`
// takes a source and {device, name, defines, contracts, seconds} (clang.mjs) and
// promises {ptx, messages}. One source at a time: another one takes its place.
function compiler(base) {
  let worker = null, running = null;

  // Ends a compilation, and its worker unless there is a result.
  function settle(run, result, problem) {
    if (run === null || running !== run) return;
    running = null;
    clearTimeout(run.timer);
    if (!problem) return run.resolve(result);
    worker?.terminate();
    worker = null;
    run.reject(new Error(problem));
  }

  function compile(source, options = {}) {
    const { seconds = 60, ...others } = options;
    settle(running, null, "Another source took this one's place.");
    if (typeof WebAssembly !== "object")
      return Promise.reject(new Error("This browser lacks WebAssembly, or " +
        "it is turned off. Compiling needs it."));
    return new Promise((resolve, reject) => {
      const run = running = { resolve, reject, timer: null };
      load(base).then(() => {
        if (running !== run) return;
        worker ??= start();
        worker.onmessage = ({ data: { result, error } }) =>
          settle(run, result, error);
        worker.onerror = (error) => {
          error.preventDefault();
          settle(run, null, error.message || "the compiler failed");
        };
        run.timer = setTimeout(() => settle(run, null,
          `The compiler was still running after ${seconds} seconds, so the ` +
          "page stopped it. Does a template or a macro grow without end?"),
        seconds * 1000);
        worker.postMessage({ source, options: others });
      }).catch((error) => settle(run, null, error.message));
    });
  }

  const cancel = () => settle(running, null, "The compilation was cancelled.");
  return { compile, cancel };
}

// What clang.js and softdevice-ir.js call with each of their parts.
compiler.part = (name, text) => { parts[name] = text; };

export { compiler as default };
