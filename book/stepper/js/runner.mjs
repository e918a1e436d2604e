// Runs kernels in the page: the software device, compiled to WebAssembly, in a
// worker. Nothing is loaded before the first run: device.js holds the packed module
// as text.
import { jobs, load_script } from "./jobs.mjs";
import { launch_text } from "./launch.mjs";
import worker_text from "./worker.mjs?script";

// How long after the device's own time limit the page stops it: that
// limit names a source line, this one is for whatever is not a kernel.
const GRACE_SECONDS = 3;

const WORDS = {
  replaced: "Another run took this one's place.",
  needs: "Running a kernel needs it.",
  cancelled: "The run was cancelled.",
  failed: (error) => "The software device had to stop: " + error +
    ". A smaller problem may run.",
};

let loading = null;
let packed = null;            // the module's text

const why = (base) => "the software device, could not be loaded from " + base +
  ". It is built with the book where clang and wasi-libc are installed: see " +
  "./course doctor.";

const load = (base) => loading ??= load_script(base, "device.js", why)
  .then(() => packed, (error) => { loading = null; throw error; });

// The device of one page; `base` is the URL of the folder of the pages.
function runner(base) {
  const { submit, cancel } = jobs(worker_text, WORDS);

  // Runs a program of the module with `options` as wasi() takes them.
  function execute(options, seconds) {
    return submit(() => load(base), options, seconds + GRACE_SECONDS,
      `The kernel was still running after ${seconds} seconds, so the ` +
      "page stopped it. Does a loop never end?");
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

  return { run, execute, cancel };
}

// What device.js calls with the module's text.
runner.device = (text) => { packed = text; };

export { runner as default };
