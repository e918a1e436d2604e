// CUDA C to PTX with programs that are WebAssembly: clang makes LLVM's text of it,
// softdevice ir edits the text, clang optimises it, softdevice ir makes PTX of it. For
// a worker and for node: everything that differs between them is handed in.
import { wasi } from "../../stepper/js/wasi.mjs";

// What a compilation may leave in the way of a page.
const MOST_MESSAGES = 20000;

// What the text of the npm package @yowasp/clang defines, without a network:
// `part(name)` is the promise of the bytes of its files.
export function clang_of(text, part) {
  const fetched = async (address) => new Response(
    await part(String(address).replace(/^.*\//, "")),
    { headers: { "content-type": "application/wasm" } });
  const script = text.replace(/\bimport\.meta\.url\b/g, '"clang:///"')
    .replace(/\nexport\s*\{[^}]*\};?\s*$/, "\nreturn { runLLVM, Exit };\n");
  // The package takes fetch from globalThis, and node for what it is by process.
  return new Function("globalThis", "process", script)(
    { fetch: fetched }, undefined);
}

// {"a/b": text} as the folders that the package takes.
function tree_of(files) {
  const root = {};
  for (const [name, content] of Object.entries(files)) {
    const parts = name.split("/"), file = parts.pop();
    let folder = root;
    for (const part of parts) folder = folder[part] ??= {};
    folder[file] = content;
  }
  return root;
}

const TARGET = ["-triple", "nvptx64-nvidia-cuda", "-target-feature", "+ptx83"];

// The device, as programs know it: "sm_90a" is 900.
const number_of = (device) => `${parseInt(device.replace(/^sm_/, ""), 10)}0`;

const front_options = (device, options) => ["clang", "-cc1", ...TARGET,
  "-target-cpu", device, "-aux-triple", "x86_64-unknown-linux-gnu",
  "-emit-llvm", "-disable-llvm-passes", "-fcuda-is-device", "-O3",
  "-target-sdk-version=12.3", "-std=c++17", "-fno-threadsafe-statics",
  "-fgnuc-version=4.2.1", "-D__CUDACC__", "-D__wasi__", "-U__CUDA_ARCH__",
  `-D__CUDA_ARCH__=${number_of(device)}`,
  "-include", "cuda_runtime.h", "-internal-isystem", "/headers",
  "-internal-isystem", "/usr/include/c++/v1",
  "-internal-isystem", "/usr/include",
  "-internal-externc-isystem", "/usr/include/wasm32-wasip1",
  "-debug-info-kind=line-directives-only", "-ferror-limit", "8",
  "-ftemplate-depth=200", "-fconstexpr-steps=200000",
  `-ffp-contract=${options.contracts === false ? "off" : "fast"}`,
  ...(options.defines ?? []).map((define) => "-D" + define),
  "-o", "raw.ll", "-x", "cuda"];

// As far as LLVM's passes for NVPTX would inline, which are not in this clang.
const back_options = (device, options) => ["clang", "-cc1", ...TARGET,
  "-target-cpu", device, "-emit-llvm", "-O3", "-w",
  "-mllvm", "-inline-threshold=2475", "-mllvm", "-disable-vector-combine",
  `-ffp-contract=${options.contracts === false ? "off" : "fast"}`,
  "-o", "best.ll", "-x", "ir", "edited.ll"];

// A compiler of `clang` (clang_of), the module of softdevice ir, and the headers
// {"cuda_runtime.h": text, …}. It answers {ptx, messages}; ptx is null where the
// source has errors, which messages name as clang does, with `name` for the file.
export function compiler_of({ clang, ir, headers }) {
  const includes = tree_of(headers);

  async function run_clang(words, files) {
    let messages = "";
    const hear = (bytes) => {
      if (bytes !== null && messages.length < MOST_MESSAGES)
        messages += new TextDecoder().decode(bytes);
    };
    try {
      const made = await clang.runLLVM(words, files,
        { stdout: hear, stderr: hear, fetchProgress: () => {},
          decodeASCII: false });
      return { made, messages };
    } catch (error) {
      if (!(error instanceof clang.Exit)) throw error;
      return { made: null, messages };
    }
  }

  function run_ir(words, file, content) {
    const { status, output, errors } = wasi(ir,
      { arguments: ["softdevice-ir", ...words, file],
        files: { [file]: content } });
    if (status !== 0)
      throw new Error(errors.trim() || `softdevice ir ended with ${status}`);
    return output;
  }

  return async function compile(source, options = {}) {
    const device = options.device ?? "sm_90a", name = options.name ?? "kernel.cu";
    const front = await run_clang([...front_options(device, options), name],
      { headers: includes, [name]: source });
    if (front.made === null) return { ptx: null, messages: front.messages };
    const edited = run_ir(["--prepare"], "raw.ll", front.made["raw.ll"]);
    const best = await run_clang(back_options(device, options),
      { "edited.ll": edited });
    if (best.made === null)
      throw new Error("clang could not optimise the kernel:\n" + best.messages);
    return { ptx: run_ir([`-arch=${device}`], "best.ll", best.made["best.ll"]),
      messages: front.messages };
  };
}
