// Runs a WASI program to its end, with files in memory.
import WASI from "../vendor/browser_wasi_shim/dist/wasi.js";
import { ConsoleStdout, Directory, File, OpenFile, PreopenDirectory } from
  "../vendor/browser_wasi_shim/dist/fs_mem.js";
import { ERRNO_FBIG, ERRNO_NOSYS, OFLAGS_CREAT, OFLAGS_TRUNC } from
  "../vendor/browser_wasi_shim/dist/wasi_defs.js";

const encoder = new TextEncoder(), decoder = new TextDecoder();

// A stream, and all that was written to it.
function stream() {
  const parts = [];
  const fd = new ConsoleStdout((part) => parts.push(part));
  const text = () => {
    const reader = new TextDecoder();
    return parts.map((part) => reader.decode(part, { stream: true })).join("") +
      reader.decode();
  };
  return { fd, text };
}

// {"a/b": text, or bytes} as the folder "/".
function folder_of(files) {
  const root = new PreopenDirectory("/", new Map());
  for (const [name, content] of Object.entries(files)) {
    const parts = name.split("/"), file = parts.pop();
    let { dir } = root;
    for (const part of parts) {
      if (!dir.contents.has(part))
        dir.contents.set(part, new Directory(new Map()));
      dir = dir.contents.get(part);
    }
    dir.contents.set(file, new File(typeof content === "string" ?
      encoder.encode(content) : content));
  }
  return root;
}

// {"a/b": text} of the files that were opened to be written.
function written_in(dir, path = "", found = {}) {
  for (const [name, entry] of dir.contents)
    if (entry instanceof Directory) written_in(entry, path + name + "/", found);
    else if (entry.is_written) found[path + name] = decoder.decode(entry.data);
  return found;
}

// In place of the shim's, which copies the whole file for each write: memory
// for twice as much as there was.
function write_grown(part) {
  const { file } = this, at = Number(this.file_pos), end = at + part.length;
  if (end > file.data.buffer.byteLength) {
    const room = new Uint8Array(2 * end);
    room.set(file.data);
    file.data = room.subarray(0, end);
  } else if (end > file.data.length) {
    file.data = new Uint8Array(file.data.buffer, 0, end);
  }
  file.data.set(part, at);
  this.file_pos = BigInt(end);
  return { ret: 0, nwritten: part.length };
}

// What the program may call: whatever the shim lacks does not exist here, and
// writing fails beyond so many bytes.
function imports_of(module, shim, most_bytes) {
  const { fd_write, path_open } = shim.wasiImport, imports = {};
  let total = 0;
  const calls = {
    ...shim.wasiImport,
    fd_write(fd, vectors, n, result) {
      if (total > most_bytes) return ERRNO_FBIG;
      const status = fd_write(fd, vectors, n, result);
      total += new DataView(shim.inst.exports.memory.buffer)
        .getUint32(result, true);
      return status;
    },
    path_open(...asked) {
      const status = path_open(...asked), opened = shim.fds.at(-1);
      if (status === 0 && opened instanceof OpenFile) {
        opened.fd_write = write_grown;
        opened.file.is_written ||=
          (asked[4] & (OFLAGS_CREAT | OFLAGS_TRUNC)) !== 0;
      }
      return status;
    },
  };
  for (const wanted of WebAssembly.Module.imports(module)) {
    imports[wanted.module] ??= {};
    imports[wanted.module][wanted.name] = calls[wanted.name] ||
      (() => ERRNO_NOSYS);
  }
  return imports;
}

// Runs the program of a module.
//   arguments: argv    files: {path: text, or bytes}
//   most_bytes: of all that it writes; beyond it, writing fails
// Returns {status, output, errors, files}; `files` holds those that the
// program wrote. A trap is thrown as WebAssembly.RuntimeError.
export function wasi(module, options) {
  const output = stream(), errors = stream();
  const root = folder_of(options.files || {});
  const shim = new WASI(options.arguments, [], [
    new OpenFile(new File([])), output.fd, errors.fd, root], { debug: false });
  const status = shim.start(new WebAssembly.Instance(module,
    imports_of(module, shim, options.most_bytes || 64 << 20)));
  return { status, output: output.text(), errors: errors.text(),
    files: written_in(root.dir) };
}
