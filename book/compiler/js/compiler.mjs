// Compiles CUDA C in the page, in a worker. Nothing is loaded before the first
// source: clang.js and softdevice-ir.js hold the packed programs and headers as
// text.
import { jobs, load_script } from "../../stepper/js/jobs.mjs";
import worker_text from "./worker.mjs?script";

const SCRIPTS = ["clang.js", "softdevice-ir.js"];
const WORDS = {
  replaced: "Another source took this one's place.",
  needs: "Compiling needs it.",
  cancelled: "The compilation was cancelled.",
  failed: (error) => error,
};

let loading = null;
const parts = {};

const why = (base) => "a part of the compiler, could not be loaded from " + base +
  ". It is built with the book where the npm package @yowasp/clang is installed " +
  "(npm ci).";

const load = (base) => loading ??=
  Promise.all(SCRIPTS.map((name) => load_script(base, name, why)))
    .then(() => parts, (error) => { loading = null; throw error; });

// The compiler of one page; `base` is the URL of the folder of the pages. `compile`
// takes a source and {device, name, defines, contracts, seconds} (clang.mjs) and
// promises {ptx, messages}. One source at a time: another one takes its place.
function compiler(base) {
  const { submit, cancel } = jobs(worker_text, WORDS);

  function compile(source, { seconds = 60, ...options } = {}) {
    return submit(() => load(base), { source, options }, seconds,
      `The compiler was still running after ${seconds} seconds, so the ` +
      "page stopped it. Does a template or a macro grow without end?");
  }

  return { compile, cancel };
}

// What clang.js and softdevice-ir.js call with each of their parts.
compiler.part = (name, text) => { parts[name] = text; };

export { compiler as default };
