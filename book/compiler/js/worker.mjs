// What happens inside the compiler's worker: the first message has all packed
// parts; each one after it is a source.
import { clang_of, compiler_of } from "./clang.mjs";
import { unpack } from "../../stepper/js/unpack.mjs";

let compile;

const text_of = async (packed) => new TextDecoder().decode(await unpack(packed));

async function start(parts) {
  const part = async (name) => {
    const bytes = await unpack(parts[name]);
    delete parts[name];
    return bytes;
  };
  const clang = clang_of(await text_of(parts["bundle.js"]), part);
  return compiler_of({ clang,
    ir: await WebAssembly.compile(await part("ir.wasm")),
    headers: JSON.parse(await text_of(parts["headers.json"])) });
}

onmessage = async ({ data }) => {
  if (compile === undefined) {
    compile = start(data);
    compile.catch(() => {});
    return;
  }
  try {
    const { source, options } = data;
    postMessage({ result: await (await compile)(source, options) });
  } catch (error) {
    postMessage({ error: String(error && error.message || error) });
  }
};
