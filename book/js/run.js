// Runs kernels in the page: the software device, compiled to WebAssembly, in a
// worker. Nothing is loaded before the first run. device.js, which holds the
// module as text, is loaded by a script element, and the worker is made from
// this file's own functions, because a page opened from a disk may do both
// and may not fetch.
(() => {
  "use strict";

  // What happens inside the worker: `wasi` runs a program of the device, and
  // `serve` answers the page. Both are passed to it as text, so they use
  // nothing from outside.

  // Runs a WASI program to its end with files in memory.
  //   arguments: argv    files: {path: text, or bytes}
  //   most_bytes: of all that it writes; beyond it, writing fails
  // Returns {status, output, errors, files}; `files` holds those that the
  // program wrote. A trap is thrown as WebAssembly.RuntimeError.
  function wasi(module, options) {
    const SUCCESS = 0, BAD_FILE = 8, EXISTS = 20, TOO_BIG = 27, NO_FILE = 44,
      NOT_SUPPORTED = 52, NO_SEEK = 70;
    const CHARACTERS = 2, FOLDER = 3, FILE = 4;
    const most_bytes = options.most_bytes || 64 << 20;
    const ROOT = 3;
    const encoder = new TextEncoder(), decoder = new TextDecoder();
    let memory, total = 0;

    const view = () => new DataView(memory.buffer);
    const bytes = (at, length) => new Uint8Array(memory.buffer, at, length);
    const set = (at, value) => view().setUint32(at, value, true);
    const set_long = (at, value) => view().setBigUint64(at, value, true);

    const file = (data = new Uint8Array(0)) => ({ data, length: data.length });
    const text = ({ data, length }) => decoder.decode(data.subarray(0, length));
    const files = new Map(Object.entries(options.files || {}).map(
      ([name, content]) => [name, file(typeof content === "string" ?
        encoder.encode(content) : content)]));
    const written = new Set();
    const output = file(), errors = file();
    const open = new Map([
      [0, { kind: CHARACTERS, file: file(), at: 0 }],
      [1, { kind: CHARACTERS, file: output, at: 0 }],
      [2, { kind: CHARACTERS, file: errors, at: 0 }],
      [ROOT, { kind: FOLDER }]]);

    // Writes at `place`; a file grows by doubling.
    function put(target, place, from) {
      const end = place + from.length;
      if (end > target.data.length) {
        const more = new Uint8Array(Math.max(end, 2 * target.data.length));
        more.set(target.data.subarray(0, target.length));
        target.data = more;
      }
      target.data.set(from, place);
      target.length = Math.max(target.length, end);
    }

    // A list of texts as argv and environ are: pointers, and what they
    // point to.
    function list(texts) {
      const all = texts.map((one) => encoder.encode(one + "\0"));
      return {
        sizes(count, size) {
          set(count, all.length);
          set(size, all.reduce((sum, one) => sum + one.length, 0));
          return SUCCESS;
        },
        get(pointers, at) {
          all.forEach((one, i) => {
            set(pointers + 4 * i, at);
            bytes(at, one.length).set(one);
            at += one.length;
          });
          return SUCCESS;
        },
      };
    }
    const argv = list(options.arguments), environ = list([]);

    // A list of buffers goes to or comes from a file: `move` says how many bytes
    // of one have.
    function transfer(fd, vectors, n, result, move) {
      const which = open.get(fd);
      let count = 0;
      if (!which || !which.file) return BAD_FILE;
      for (let i = 0; i < n; i++) {
        const moved = move(which, bytes(view().getUint32(vectors + 8 * i, true),
          view().getUint32(vectors + 8 * i + 4, true)));
        which.at += moved;
        count += moved;
      }
      set(result, count);
      return SUCCESS;
    }

    const calls = {
      args_sizes_get: argv.sizes,
      args_get: argv.get,
      environ_sizes_get: environ.sizes,
      environ_get: environ.get,

      clock_time_get(which, precision, at) {
        const now = which === 0 ? Date.now() : performance.now();
        set_long(at, BigInt(Math.round(now * 1e6)));
        return SUCCESS;
      },

      fd_close(fd) { return open.delete(fd) ? SUCCESS : BAD_FILE; },

      fd_fdstat_get(fd, at) {
        const which = open.get(fd);
        if (!which) return BAD_FILE;
        view().setUint8(at, which.kind);
        view().setUint16(at + 2, 0, true);
        set_long(at + 8, 0xffffffffffffffffn);
        set_long(at + 16, 0xffffffffffffffffn);
        return SUCCESS;
      },
      fd_fdstat_set_flags() { return SUCCESS; },

      // The one folder there is, "/".
      fd_prestat_get(fd, at) {
        if (fd !== ROOT) return BAD_FILE;
        set(at, 0);
        set(at + 4, 1);
        return SUCCESS;
      },
      fd_prestat_dir_name(fd, at) {
        if (fd !== ROOT) return BAD_FILE;
        view().setUint8(at, 47);
        return SUCCESS;
      },

      path_open(fd, follow, path, length, how, rights, inherited, flags, result) {
        const CREATE = 1, EXCLUSIVE = 4, TRUNCATE = 8;
        const name = decoder.decode(bytes(path, length)).replace(/^\.?\/+/, "");
        let number = ROOT + 1;
        if (!files.has(name)) {
          if (!(how & CREATE)) return NO_FILE;
          files.set(name, file());
        } else if (how & EXCLUSIVE) {
          return EXISTS;
        }
        if (how & TRUNCATE) files.get(name).length = 0;
        if (how & (CREATE | TRUNCATE)) written.add(name);
        while (open.has(number)) number++;
        open.set(number, { kind: FILE, file: files.get(name), at: 0 });
        set(result, number);
        return SUCCESS;
      },

      path_rename(from_fd, from, from_length, to_fd, to, to_length) {
        const [old, name] = [[from, from_length], [to, to_length]].map(
          ([at, length]) => decoder.decode(bytes(at, length))
            .replace(/^\.?\/+/, ""));
        if (!files.has(old)) return NO_FILE;
        files.set(name, files.get(old));
        files.delete(old);
        written.delete(old);
        written.add(name);
        return SUCCESS;
      },

      fd_read(fd, vectors, n, result) {
        return transfer(fd, vectors, n, result, ({ file: from, at }, to) => {
          const part = from.data.subarray(at,
            Math.min(from.length, at + to.length));
          to.set(part);
          return part.length;
        });
      },

      fd_write(fd, vectors, n, result) {
        if (total > most_bytes) return TOO_BIG;
        return transfer(fd, vectors, n, result, ({ file: to, at }, from) => {
          put(to, at, from);
          total += from.length;
          return from.length;
        });
      },

      fd_seek(fd, offset, whence, result) {
        const which = open.get(fd);
        if (!which) return BAD_FILE;
        if (which.kind !== FILE) return NO_SEEK;
        which.at = Number(offset) +
          (whence === 0 ? 0 : whence === 1 ? which.at : which.file.length);
        set_long(result, BigInt(which.at));
        return SUCCESS;
      },

      sched_yield() { return SUCCESS; },

      proc_exit(status) { throw { status }; },
    };

    // Whatever else the library asks for does not exist here.
    const imports = {};
    for (const wanted of WebAssembly.Module.imports(module)) {
      imports[wanted.module] ??= {};
      imports[wanted.module][wanted.name] = calls[wanted.name] ||
        (() => NOT_SUPPORTED);
    }

    let status = 0;
    const instance = new WebAssembly.Instance(module, imports);
    memory = instance.exports.memory;
    try {
      instance.exports._start();
    } catch (end) {
      if (typeof end?.status !== "number") throw end;
      status = end.status;
    }
    return {
      status, output: text(output), errors: text(errors),
      files: Object.fromEntries([...written].map((name) =>
        [name, text(files.get(name))])),
    };
  }

  // The module out of its packed text, gzip in base64.
  async function unpack(packed) {
    const data = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    const stream = new Blob([data]).stream()
      .pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(stream).arrayBuffer());
  }

  // The first message is the packed module; each one after it is a run.
  function serve(wasi, unpack) {
    let module;
    onmessage = async ({ data }) => {
      if (module === undefined) {
        module = unpack(data);
        return;
      }
      try {
        postMessage({ result: wasi(await module, data) });
      } catch (error) {
        postMessage({ error: String(error && error.message || error) });
      }
    };
  }

  // ---- Launches ----------------------------------------------------------

  // A scene with its knobs turned, as launch_run reads it. `program`, which
  // book/stepper/pages.py makes: {knobs, launches: {key: {ptx, launch}}, lines}.
  function launch_text(program, knobs) {
    const words = program.knobs.map((knob) => word_of(knob, knobs[knob.name]));
    const variants = words.filter((_, i) => program.knobs[i].kind === "variant");
    const key = [variants.join(".") || "plain",
      ...("break" in knobs ? [knobs.break] : [])].join(".");
    if (!Object.hasOwn(program.launches, key))
      throw new Error(`There is no version ${key} of this kernel.`);
    const { ptx, launch } = program.launches[key];
    const numbers = program.knobs.map((knob, i) =>
      knob.choices?.[words[i]] ?? "");
    return ["ptx " + ptx, ...words.map((word, i) =>
      `knob ${program.knobs[i].name} ${word} ${numbers[i]}`.trimEnd()),
    ...("break" in knobs ? ["knob break " + knobs.break] : []),
    ...program.lines, launch].join("\n") + "\n";
  }

  function word_of(knob, value) {
    const fits = knob.choices ? Object.hasOwn(knob.choices, value) :
      Number.isInteger(value) && value >= knob.min && value <= knob.max &&
        (value - knob.min) % knob.step === 0;
    if (!fits) throw new Error(`${knob.name} cannot be ${value} here.`);
    return String(value);
  }

  // ---- The page's side ---------------------------------------------------

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
    const source = `'use strict';(${serve})(${wasi},${unpack});`;
    const url = URL.createObjectURL(
      new Blob([source], { type: "text/javascript" }));
    const worker = new Worker(url);
    URL.revokeObjectURL(url);
    worker.postMessage(text);
    return worker;
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
          worker.onmessage = ({ data }) => answer(run, data);
          worker.onerror = (error) => {
            error.preventDefault();
            answer(run, { error: error.message || "the worker failed" });
          };
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
    async function run(program, knobs = {},
                       { seconds = 10, limit_rows = 100000 } = {}) {
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
  // For tests, which run the same module elsewhere.
  runner.wasi = wasi;
  runner.launch_text = launch_text;

  globalThis.runner = runner;
})();
