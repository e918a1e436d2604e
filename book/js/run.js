// Runs kernels in the page: the software device, compiled to WebAssembly, in a
// worker. Nothing is loaded before the first run. device.js, which holds the
// module as text, is loaded by a script element, and the worker is made from
// this file's own functions, because a page opened from a disk may do both
// and may not fetch.
(function () {
  "use strict";

  // What happens inside the worker: `wasi` runs a program of the device, and
  // `serve` answers the page. Both are passed to it as text, so they use
  // nothing from outside.

  // Runs a WASI program to its end with files in memory.
  //   arguments: argv    environment: {NAME: text}    files: {path: text}
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
    const files = new Map();
    const written = new Set();
    const open = new Map();
    let memory, total = 0;

    function view() { return new DataView(memory.buffer); }

    function bytes(at, length) {
      return new Uint8Array(memory.buffer, at, length);
    }

    function file(data) { return {data: data, length: data.length}; }

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

    function text(of) {
      return decoder.decode(of.data.subarray(0, of.length));
    }

    // A list of texts as argv and environ are: pointers, and what they
    // point to.
    function list(texts) {
      const all = texts.map(function (one) { return encoder.encode(one + "\0"); });
      return {
        sizes: function (count, size) {
          view().setUint32(count, all.length, true);
          view().setUint32(size, all.reduce(function (sum, one) {
            return sum + one.length;
          }, 0), true);
          return SUCCESS;
        },
        get: function (pointers, at) {
          all.forEach(function (one, i) {
            view().setUint32(pointers + 4 * i, at, true);
            bytes(at, one.length).set(one);
            at += one.length;
          });
          return SUCCESS;
        },
      };
    }

    Object.keys(options.files || {}).forEach(function (name) {
      files.set(name, file(encoder.encode(options.files[name])));
    });
    const output = file(new Uint8Array(0)), errors = file(new Uint8Array(0));
    open.set(0, {kind: CHARACTERS, file: file(new Uint8Array(0)), at: 0});
    open.set(1, {kind: CHARACTERS, file: output, at: 0});
    open.set(2, {kind: CHARACTERS, file: errors, at: 0});
    open.set(ROOT, {kind: FOLDER});

    const argv = list(options.arguments);
    const environ = list(Object.keys(options.environment || {}).map(
      function (name) { return name + "=" + options.environment[name]; }));

    // Calls `each` with each piece of a list of buffers.
    function pieces(vectors, n, each) {
      for (let i = 0; i < n; i++)
        each(bytes(view().getUint32(vectors + 8 * i, true),
          view().getUint32(vectors + 8 * i + 4, true)));
    }

    const calls = {
      args_sizes_get: argv.sizes,
      args_get: argv.get,
      environ_sizes_get: environ.sizes,
      environ_get: environ.get,

      clock_time_get: function (which, precision, at) {
        const now = which === 0 ? Date.now() : performance.now();
        view().setBigUint64(at, BigInt(Math.round(now * 1e6)), true);
        return SUCCESS;
      },

      fd_close: function (fd) {
        return open.delete(fd) ? SUCCESS : BAD_FILE;
      },

      fd_fdstat_get: function (fd, at) {
        const which = open.get(fd);
        if (!which) return BAD_FILE;
        view().setUint8(at, which.kind);
        view().setUint16(at + 2, 0, true);
        view().setBigUint64(at + 8, ~0n & 0xffffffffffffffffn, true);
        view().setBigUint64(at + 16, ~0n & 0xffffffffffffffffn, true);
        return SUCCESS;
      },
      fd_fdstat_set_flags: function () { return SUCCESS; },

      // The one folder there is, "/".
      fd_prestat_get: function (fd, at) {
        if (fd !== ROOT) return BAD_FILE;
        view().setUint32(at, 0, true);
        view().setUint32(at + 4, 1, true);
        return SUCCESS;
      },
      fd_prestat_dir_name: function (fd, at) {
        if (fd !== ROOT) return BAD_FILE;
        view().setUint8(at, 47);
        return SUCCESS;
      },

      path_open: function (fd, follow, path, length, how, rights, inherited,
        flags, result) {
        const CREATE = 1, EXCLUSIVE = 4, TRUNCATE = 8;
        const name = decoder.decode(bytes(path, length)).replace(/^\.?\/+/, "");
        let number = ROOT + 1;
        if (!files.has(name)) {
          if (!(how & CREATE)) return NO_FILE;
          files.set(name, file(new Uint8Array(0)));
        } else if (how & EXCLUSIVE) {
          return EXISTS;
        }
        if (how & TRUNCATE) files.get(name).length = 0;
        if (how & (CREATE | TRUNCATE)) written.add(name);
        while (open.has(number)) number++;
        open.set(number, {kind: FILE, file: files.get(name), at: 0});
        view().setUint32(result, number, true);
        return SUCCESS;
      },

      fd_read: function (fd, vectors, n, result) {
        const which = open.get(fd);
        let count = 0;
        if (!which || !which.file) return BAD_FILE;
        pieces(vectors, n, function (to) {
          const from = which.file.data.subarray(which.at,
            Math.min(which.file.length, which.at + to.length));
          to.set(from);
          which.at += from.length;
          count += from.length;
        });
        view().setUint32(result, count, true);
        return SUCCESS;
      },

      fd_write: function (fd, vectors, n, result) {
        const which = open.get(fd);
        let count = 0;
        if (!which || !which.file) return BAD_FILE;
        if (total > most_bytes) return TOO_BIG;
        pieces(vectors, n, function (from) {
          put(which.file, which.at, from);
          which.at += from.length;
          count += from.length;
        });
        total += count;
        view().setUint32(result, count, true);
        return SUCCESS;
      },

      fd_seek: function (fd, offset, whence, result) {
        const which = open.get(fd);
        if (!which) return BAD_FILE;
        if (which.kind !== FILE) return NO_SEEK;
        which.at = Number(offset) +
          (whence === 0 ? 0 : whence === 1 ? which.at : which.file.length);
        view().setBigUint64(result, BigInt(which.at), true);
        return SUCCESS;
      },

      sched_yield: function () { return SUCCESS; },

      proc_exit: function (status) { throw {status: status}; },
    };

    // Whatever else the library asks for does not exist here.
    const imports = {};
    WebAssembly.Module.imports(module).forEach(function (wanted) {
      imports[wanted.module] = imports[wanted.module] || {};
      imports[wanted.module][wanted.name] = calls[wanted.name] ||
        function () { return NOT_SUPPORTED; };
    });

    let status = 0;
    const instance = new WebAssembly.Instance(module, imports);
    memory = instance.exports.memory;
    try {
      instance.exports._start();
    } catch (end) {
      if (end === null || typeof end !== "object" ||
        typeof end.status !== "number") throw end;
      status = end.status;
    }

    const result = {};
    written.forEach(function (name) { result[name] = text(files.get(name)); });
    return {
      status: status, output: text(output), errors: text(errors), files: result,
    };
  }

  // The module out of its packed text, gzip in base64.
  function unpack(packed) {
    const data = Uint8Array.from(atob(packed), function (letter) {
      return letter.charCodeAt(0);
    });
    const stream = new Blob([data]).stream()
      .pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer().then(function (bytes) {
      return WebAssembly.compile(bytes);
    });
  }

  // The first message is the packed module; each one after it is a run.
  function serve(wasi, unpack) {
    let module;
    onmessage = function (message) {
      if (module === undefined) {
        module = unpack(message.data);
        return;
      }
      module.then(function (compiled) {
        postMessage({result: wasi(compiled, message.data)});
      }).catch(function (error) {
        postMessage({error: String(error && error.message || error)});
      });
    };
  }

  // ---- The page's side ---------------------------------------------------

  // How long after the device's own time limit the page stops it: that
  // limit names a source line, this one is for whatever is not a kernel.
  const GRACE_SECONDS = 3;

  let packed = null;            // promise of the module's text
  let arrived = null;           // what device.js calls

  function load(base) {
    if (packed !== null) return packed;
    packed = new Promise(function (resolve, reject) {
      const script = document.createElement("script");
      arrived = resolve;
      script.src = base + "device.js";
      script.onerror = function () {
        packed = null;
        script.remove();
        reject(new Error("device.js, the software device, could not be " +
          "loaded from " + base + ". It is built with the book where clang " +
          "and wasi-libc are installed: see ./course doctor."));
      };
      document.head.append(script);
    });
    return packed;
  }

  function lacking() {
    if (typeof WebAssembly !== "object" || typeof Worker !== "function")
      return "WebAssembly and workers";
    if (typeof DecompressionStream !== "function")
      return "DecompressionStream";
    return null;
  }

  function start(text) {
    const source = "'use strict';(" + serve + ")(" + wasi + "," + unpack + ");";
    const url = URL.createObjectURL(
      new Blob([source], {type: "text/javascript"}));
    const worker = new Worker(url);
    URL.revokeObjectURL(url);
    worker.postMessage(text);
    return worker;
  }

  // A program's status and words as a recording, or as an error.
  function recording(result) {
    const said = result.errors.trim();
    if (result.status === 0) return result.output;
    throw new Error(said !== "" ? said
      : "The software device ended with status " + result.status +
        " and gave no reason. Please report this as a fault of the book.");
  }

  // The device of one page; `base` is the URL of the folder of the pages.
  function runner(base) {
    let worker = null, running = null;

    function stop(reason) {
      const last = running;
      if (last === null) return;
      running = null;
      clearTimeout(last.timer);
      if (worker !== null) worker.terminate();
      worker = null;
      last.reject(new Error(reason));
    }

    function settle(run, message) {
      if (running !== run) return;
      running = null;
      clearTimeout(run.timer);
      if (message.error !== undefined) {
        // Its memory may be full or damaged: the next run gets another.
        worker.terminate();
        worker = null;
        run.reject(new Error("The software device had to stop: " +
          message.error + ". A smaller problem may run."));
        return;
      }
      run.resolve(message.result);
    }

    // Runs a program of the module with `options` as wasi() takes them.
    function execute(options, seconds) {
      const lacks = lacking();
      stop("Another run took this one's place.");
      if (lacks !== null)
        return Promise.reject(new Error("This browser lacks " + lacks +
          ", which running a kernel needs. A current Firefox, Chromium or " +
          "Safari has it."));
      return new Promise(function (resolve, reject) {
        const run = {resolve: resolve, reject: reject, timer: null};
        running = run;
        load(base).then(function (text) {
          if (running !== run) return;
          if (worker === null) worker = start(text);
          worker.onmessage = function (message) { settle(run, message.data); };
          worker.onerror = function (error) {
            error.preventDefault();
            settle(run, {error: error.message || "the worker failed"});
          };
          run.timer = setTimeout(function () {
            stop("The kernel was still running after " + seconds +
              " seconds, so the page stopped it. Does a loop never end?");
          }, (seconds + GRACE_SECONDS) * 1000);
          worker.postMessage(options);
        }).catch(function (error) {
          if (running === run) running = null;
          reject(error);
        });
      });
    }

    // `program`: {scene: text, files: {name: text}}, as steps/….run.js has it.
    // `knobs`: {name: value}. The promise is of a recording's text.
    function run(program, knobs, limits) {
      const seconds = limits && limits.seconds || 10;
      const rows = limits && limits.limit_rows || 100000;
      const files = Object.assign({"scene.step": program.scene},
        program.files);
      const argv = ["step_run", "scene.step", "/"].concat(
        Object.keys(knobs || {}).map(function (name) {
          return name + "=" + knobs[name];
        }), ["--limit", String(rows), "--seconds", String(seconds)]);
      return execute({arguments: argv, files: files}, seconds)
        .then(recording);
    }

    return {
      run: run,
      execute: execute,
      cancel: function () { stop("The run was cancelled."); },
    };
  }

  // What device.js calls with the module's text.
  runner.device = function (text) { if (arrived !== null) arrived(text); };
  // For tests, which run the same module elsewhere.
  runner.wasi = wasi;

  globalThis.runner = runner;
}());
