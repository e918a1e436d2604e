// What happens inside the worker: the first message is the packed module; each one
// after it is a run.
import { unpack } from "./unpack.mjs";
import { wasi } from "./wasi.mjs";

let program;

onmessage = async ({ data }) => {
  if (program === undefined) {
    program = unpack(data).then(WebAssembly.compile);
    return;
  }
  try {
    postMessage({ result: wasi(await program, data) });
  } catch (error) {
    postMessage({ error: String(error && error.message || error) });
  }
};
