// What happens inside the worker: the first message is the packed module; each one
// after it is a run.
import { wasi } from "./wasi.mjs";

let program;

// The module out of its packed text, gzip in base64.
async function unpack(packed) {
  const data = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([data]).stream()
    .pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

onmessage = async ({ data }) => {
  if (program === undefined) {
    program = unpack(data);
    return;
  }
  try {
    postMessage({ result: wasi(await program, data) });
  } catch (error) {
    postMessage({ error: String(error && error.message || error) });
  }
};
