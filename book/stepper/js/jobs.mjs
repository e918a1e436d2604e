// Jobs of one page in a worker, which is made from text, and scripts that are loaded
// by elements, because a page opened from a disk may do both and may not fetch.

// Loads base + name; `why` goes on in the message that it could not be.
export function load_script(base, name, why) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = base + name;
    script.onload = () => { script.remove(); resolve(); };
    script.onerror = () => {
      script.remove();
      reject(new Error(`${name}, ${why(base)}`));
    };
    document.head.append(script);
  });
}

function start_worker(text, first) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  worker.postMessage(first);
  return worker;
}

// One job at a time: another one takes its place. `words` are what a job that has
// no result ends with: {replaced, needs, cancelled, failed: (error) => …}.
export function jobs(worker_text, words) {
  let worker = null, running = null;

  // Ends a job; its worker too, whose memory may be full or damaged, unless
  // there is a result.
  function settle(job, result, problem) {
    if (job === null || running !== job) return;
    running = null;
    clearTimeout(job.timer);
    if (!problem) return job.resolve(result);
    worker?.terminate();
    worker = null;
    job.reject(new Error(problem));
  }

  // What the worker says from now on, a failure of its own, too, is about `job`.
  function hear(job) {
    worker.onmessage = ({ data: { result, error } }) =>
      settle(job, result, error !== undefined && words.failed(error));
    worker.onerror = (error) => {
      error.preventDefault();
      settle(job, null, words.failed(error.message || "the worker failed"));
    };
  }

  // `load` promises the first message of a new worker; after `seconds`, the job
  // ends with the text `late`.
  function submit(load, message, seconds, late) {
    settle(running, null, words.replaced);
    if (typeof WebAssembly !== "object")
      return Promise.reject(new Error("This browser lacks WebAssembly, or " +
        "it is turned off. " + words.needs));
    return new Promise((resolve, reject) => {
      const job = running = { resolve, reject, timer: null };
      load().then((first) => {
        if (running !== job) return;
        worker ??= start_worker(worker_text, first);
        hear(job);
        job.timer = setTimeout(() => settle(job, null, late), seconds * 1000);
        worker.postMessage(message);
      }).catch((error) => settle(job, null, error.message));
    });
  }

  return { submit, cancel: () => settle(running, null, words.cancelled) };
}
