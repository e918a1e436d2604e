// Runs kernels in the page: the software device, compiled to WebAssembly, in a
// worker. Nothing is loaded before the first run. device.js, which holds the
// module as text, is loaded by a script element, and the worker is made from
// text, too, because a page opened from a disk may do both and may not fetch.
import { launch_text } from "./launch.mjs";
import worker_text from "./worker.mjs?script";

// How long after the device's own time limit the page stops it: that
// limit names a source line, this one is for whatever is not a kernel.
const GRACE_SECONDS = 3;

let packed = null;            // promise of the module's text
let arrived = null;           // what device.js calls

const load = (base) => packed ??= new Promise((resolve, reject) => {
  const script = document.createElement("script");
  arrived = resolve;
  script.src = base + "device.js";
  script.onerror = () => {
    packed = null;
    script.remove();
    reject(new Error("device.js, the software device, could not be " +
      "loaded from " + base + ". It is built with the book where clang " +
      "and wasi-libc are installed: see ./course doctor."));
  };
  document.head.append(script);
});

function start(text) {
  const url = URL.createObjectURL(
    new Blob([worker_text], { type: "text/javascript" }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  worker.postMessage(text);
  return worker;
}

// What the worker says from now on, a failure of its own, too, goes to `answer`.
function hear(worker, answer) {
  worker.onmessage = ({ data }) => answer(data);
  worker.onerror = (error) => {
    error.preventDefault();
    answer({ error: error.message || "the worker failed" });
  };
}

// The device of one page; `base` is the URL of the folder of the pages.
function runner(base) {
  let worker = null, running = null;

  // Ends a run; its worker too, whose memory may be full or damaged, unless
  // there is a result.
  function settle(run, result, problem) {
    if (run === null || running !== run) return;
    running = null;
    clearTimeout(run.timer);
    if (!problem) return run.resolve(result);
    worker?.terminate();
    worker = null;
    run.reject(new Error(problem));
  }

  function answer(run, { result, error }) {
    settle(run, result, error !== undefined && "The software device had to " +
      "stop: " + error + ". A smaller problem may run.");
  }

  // Runs a program of the module with `options` as wasi() takes them.
  function execute(options, seconds) {
    settle(running, null, "Another run took this one's place.");
    if (typeof WebAssembly !== "object")
      return Promise.reject(new Error("This browser lacks WebAssembly, or " +
        "it is turned off. Running a kernel needs it."));
    return new Promise((resolve, reject) => {
      const run = running = { resolve, reject, timer: null };
      load(base).then((text) => {
        if (running !== run) return;
        worker ??= start(text);
        hear(worker, (said) => answer(run, said));
        run.timer = setTimeout(() => settle(run, null,
          `The kernel was still running after ${seconds} seconds, so the ` +
          "page stopped it. Does a loop never end?"),
          (seconds + GRACE_SECONDS) * 1000);
        worker.postMessage(options);
      }).catch((error) => settle(run, null, error.message));
    });
  }

  // `program`: as steps/….run.js has it. `knobs`: {name: value}. The promise is
  // of a recording's text.
  async function run(program, knobs = {}, limits = {}) {
    const { seconds = 10, limit_rows = 100000 } = limits;
    const { status, output, errors } = await execute({
      arguments: ["launch_run", "--recording", "-", "--rows",
        String(limit_rows), "--seconds", String(seconds), "launch"],
      files: { launch: launch_text(program, knobs), ...program.files },
    }, seconds);
    if (status === 0) return output;
    throw new Error(errors.trim() || "The software device ended with status " +
      status + " and gave no reason. Please report this as a fault of the book.");
  }

  const cancel = () => settle(running, null, "The run was cancelled.");
  return { run, execute, cancel };
}

// What device.js calls with the module's text.
runner.device = (text) => arrived?.(text);

export { runner as default };
