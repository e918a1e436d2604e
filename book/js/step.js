// The stepper: a panel in a listing that replays a run of its kernel, step by
// step, and runs it again with the reader's own values. js/book.js loads this
// file when a reader first asks for it; what it shows comes from
// steps/SLUG-NAME.js (decoded by recording.js) and, for the reader's own runs,
// from the device in a worker (run.js). book/README.md, "The stepper".
//
// A recording's steps are in the order of execution, those of all warps mixed.
// The panel follows one warp, or all warps of a block: `list` holds the numbers
// of these steps, and `at` is a place in it.
var stepper = (() => {
  "use strict";

  const ones = (mask) => {
    let n = 0;
    for (; mask; mask &= mask - 1) n++;
    return n;
  };
  const has = (mask, lane) => mask >>> lane & 1;
  const first = (mask) => 31 - Math.clz32(mask & -mask);
  const count = (n, word) => n + " " + word + (n === 1 ? "" : "s");
  const sum = (list) => list.reduce((a, b) => a * b, 1);
  const range = (n) => [...Array(n).keys()];
  const pieces = (lanes, bytes, size) => {
    const set = new Set();
    for (const { address } of lanes)
      for (let k = Math.floor(address / size); k * size < address + bytes; k++)
        set.add(k);
    return set;
  };

  // ---- What a step did, and why it cost what it cost --------------------------

  // The lanes that warp `w` of a block has: the last warp may lack some.
  const born = (rec, warp) => {
    const n = Math.min(32, sum(rec.block) - 32 * warp);
    return n === 32 ? -1 : (1 << n) - 1;
  };
  const warps = (rec) => Math.ceil(sum(rec.block) / 32);

  // Of a request: its price, and the least that its bytes could cost.
  const price = (access) => {
    const shared = access.space === "shared";
    const cost = shared || !access.sectors ? access.wavefronts : access.sectors;
    const n = pieces(access.lanes, access.bytes, shared ? 4 : 1).size;
    return { cost, least: shared && access.ideal || Math.max(1, Math.ceil(n / 32)),
             used: shared ? 4 * n : n,
             unit: cost === access.sectors && !shared ? "sector" : "wavefront" };
  };

  const most_alike = (list) => {
    const of = new Map();
    let best = list[0];
    for (const x of list) {
      of.set(x, (of.get(x) || 0) + 1);
      if (of.get(x) > of.get(best)) best = x;
    }
    return [best, of.get(best)];
  };

  const why_shared = (a, p) => {
    const words = [...pieces(a.lanes, a.bytes, 4)];
    if (words.length === 1 && a.lanes.length > 1)
      return "they all want the same word, and its bank broadcasts it";
    const [bank, n] = most_alike(words.map((word) => word % 32));
    if (p.cost === 1)
      return words.length < a.lanes.length ?
        "no two of the words they want share a bank" :
        a.lanes.length > 1 ? "each word is in a bank of its own" : "";
    if (p.cost === p.least)
      return "the fewest for " + p.used + " bytes at 128 per wavefront";
    return n === p.cost ?
      `because ${n} of their words are in bank ${bank}, which delivers one ` +
        "word per wavefront" :
      "because their words collide in the banks; without conflicts, " +
        p.least + " would do";
  };

  const why_global = (a, p) => {
    if (a.lanes.length > 1 && p.used === a.bytes)
      return "they all want the same " + count(p.used, "byte");
    if (p.cost <= p.least)
      return a.lanes.length < 2 ? "" : p.cost === 1 ?
        `it holds all of their ${p.used} bytes` :
        `the fewest that can hold their ${p.used} bytes`;
    const gaps = a.lanes.slice(1).map((x, i) => x.address - a.lanes[i].address);
    const [gap, n] = most_alike(gaps);
    const off = a.lanes[0].address % 32;
    if (gap === a.bytes && n === gaps.length && off)
      return `one more than ${p.used} bytes need, because the first address is ` +
        count(off, "byte") + " past a sector's edge";
    return `where ${p.least} could hold their ${p.used} bytes, because ` +
      (n === gaps.length && gaps.length ?
        `neighbouring lanes are ${Math.abs(gap)} bytes apart` :
        "their addresses are scattered") +
      (p.used % p.cost ? `: on average a sector brings ${
        (p.used / p.cost).toFixed(1)} useful bytes of its 32` :
        `: each sector brings ${p.used / p.cost} useful bytes of its 32`);
  };

  const name_of = (rec, a) => {
    const buffer = rec.buffers.find((b) => b.allocation === a.allocation);
    return a.space === "shared" ? "shared memory" :
      a.space === "global" ? buffer ? buffer.name + "[]" : "global memory" :
      a.space + " memory";
  };

  const access_words = (rec, a, who, one) => {
    const name = name_of(rec, a);
    const p = price(a);
    const s = one ? "s " : " ";
    const [, busiest] = most_alike(a.lanes.map((lane) => lane.address));
    const did = a.operation === "atomic" ?
      who + " update" + s + (one ? "one value" :
        count(new Set(a.lanes.map((x) => x.address)).size, "value")) +
        " atomically in " + name :
      who + " " + a.operation + s + (a.operation === "load" ? "from " : "to ") +
        name;
    if (a.operation === "atomic" && busiest > 1)
      return `${did}; ${busiest} of them want the same value, so their updates ` +
        "take effect one after the other";
    const why = a.space === "shared" ? why_shared(a, p) :
      a.space === "constant" ? (p.cost > 1 ? "one for each address" :
        "all lanes read the same address") : why_global(a, p);
    return did + " in " + count(p.cost, p.unit) +
      (!why ? "" : /^(where|because)/.test(why) && p.unit === "wavefront" ?
        ", " + why : /^where/.test(why) ? " " + why : ": " + why);
  };

  const barrier_words = (rec, k, n_lanes, who) => {
    const { block, warp } = rec.steps[k];
    if (/warp/.test(rec.code[rec.steps[k].code].opcode))
      return who + (n_lanes === 1 ? " meets" : " meet") + " at __syncwarp";
    const met = range(warps(rec)).map(() => 0), last = [];
    rec.steps.forEach((s, i) => {
      if (s.block !== block) return;
      if (i <= k && is_barrier(rec, i)) met[s.warp]++;
      last[s.warp] = i;
    });
    const live = range(met.length).filter((w) => last[w] > k || w === warp);
    const missing = live.filter((w) => met[w] < met[warp]).length;
    if (met.length === 1)
      return "the block has one warp, so nothing has to wait at the barrier";
    if (missing) return `warp ${warp} waits at the barrier for ` +
      count(missing, "more warp");
    return `warp ${warp} is the last to reach the barrier, and the block goes on`;
  };

  const is_barrier = (rec, k) =>
    /^(bar|barrier)\./.test(rec.code[rec.steps[k].code].opcode) &&
    !/warp/.test(rec.code[rec.steps[k].code].opcode);

  const is_branch = (rec, s) => /^brx?\b|^bra\b/.test(rec.code[s.code].opcode);

  // What instructions do that touch no memory, by the beginning of their names.
  const kinds = [
    [/^ld\.param/, "read", " an argument of the kernel"],
    [/^setp|^set\./, "compare", " two values"],
    [/^selp|^slct/, "choose", " one of two values by a predicate"],
    [/^mov\.|^cvta/, "put", " a value into a register"],
    [/^cvt/, "convert", " a value to another type"],
    [/^shfl/, "read", " another lane's register, without going to memory"],
    [/^vote|^match|^activemask/, "learn", " what the others of the warp have"],
    [/^redux/, "combine", " the warp's values"],
    [/^(fence|membar)/, "wait", " until their stores can be seen"],
    [/^(shl|shr|and|or|xor|not|lop3|bf[ei]|brev|popc|clz|prmt|shf)\./, "compute",
      " with bits"],
    [/^(add|sub|mul|mad|fma|min|max|neg|abs|div|rem|sad|rcp|r?sqrt|ex2|lg2|sin|cos|tanh)/,
      "compute", " with "],
    [/./, "execute", " it"]];

  // One sentence on step k, without its line.
  function words(rec, k) {
    const s = rec.steps[k], op = rec.code[s.code].opcode;
    const exist = ones(born(rec, s.warp));
    const n = ones(s.executed), active = ones(s.active);
    const one = n === 1;
    const who = n === exist && n > 1 ? `all ${n} lanes` :
      one ? "lane " + first(s.executed) : `${n} of ${exist} lanes`;
    if (is_barrier(rec, k) || /^bar\.warp/.test(op))
      return barrier_words(rec, k, n, who);
    if (is_branch(rec, s)) {
      if (!n) return "no lane jumps: " +
        (active < exist ? count(active, "lane") + " go" + (active === 1 ? "es" : "")
          : "the whole warp goes") + " on with the next instruction";
      if (n < active) return `the warp diverges: ${who} jump${one ? "s" : ""} and ` +
        `${active - n} do${active - n === 1 ? "es" : ""} not, so the warp runs ` +
        "both paths, one after the other";
      return who + (one ? " jumps" : " jump") +
        (n < exist ? "; the others are elsewhere" : ", so the warp stays together");
    }
    if (/^(ret|exit)/.test(op))
      return n ? who + (one ? " is" : " are") + " done" : "no lane returns here";
    if (!n) return op + " does nothing: its predicate is false in every lane";
    if (s.access) return access_words(rec, s.access, who, one);
    const [, verb, rest] = kinds.find(([pattern]) => pattern.test(op));
    const did = verb + (one ? "s" : "") + rest + (rest !== " with " ? "" :
      /f(16|32|64)/.test(op) ? "floating-point numbers" : "integers");
    return `${who} ${did}` + (n === exist ? "" :
      n < active ? `; the predicate is false in ${active - n}` :
      `, which takes as long as it would with ${exist}`);
  }

  function sentence(rec, k) {
    const { file, line } = rec.code[rec.steps[k].code];
    return (!line ? "No line of the source" : (file ? rec.files[file].split("/").pop() +
      ", line " : "Line ") + line) + ": " + words(rec, k) + ".";
  }

  // ---- What the steps add up to -------------------------------------------------

  // Totals after each step, under the names that bench/ has for them.
  function totals(rec) {
    const all = [{}];
    for (const s of rec.steps) {
      const t = { ...all[all.length - 1] };
      const add = (name, n) => { t[name] = (t[name] || 0) + n; };
      add("warp_instructions", 1);
      // Of a branch, the executed lanes are those that jump; all evaluate it.
      add("thread_instructions", ones(is_branch(rec, s) ? s.active : s.executed));
      const a = s.access;
      const short = a && { load: "ld_", store: "st_", atomic: "atomic_" }[a.operation];
      if (a && a.space === "global") {
        add(short + "requests", 1);
        add(short + "sectors", a.sectors);
      } else if (a && a.space === "shared") {
        add("shared_" + short + "requests", 1);
        add("shared_" + short + "wavefronts", a.wavefronts);
      }
      all.push(t);
    }
    return all;
  }
  const counters = [["warp_instructions", "warp instructions"],
    ["thread_instructions", "lanes on average"],
    ["ld_requests st_requests atomic_requests", "global requests"],
    ["ld_sectors st_sectors atomic_sectors", "global sectors"],
    ["shared_ld_requests shared_st_requests shared_atomic_requests",
      "shared requests"],
    ["shared_ld_wavefronts shared_st_wavefronts shared_atomic_wavefronts",
      "shared wavefronts"]];
  // Beside these is what a GPU counted. Its machine code has other instructions, and
  // counts requests to shared memory whose predicate is false in every lane.
  const on_gpu = /^ld_|wavefronts/;
  const counted = (t, names) =>
    names.split(" ").reduce((n, name) => n + (t[name] || 0), 0);

  // ---- What is in memory ----------------------------------------------------------

  const size_of = (type) => type.replace(/\D/g, "") / 8;

  // The values of an array after step k, each with the step that stored it:
  // `where` is a buffer, or the shared memory of a block.
  function memory(rec, where, block, k) {
    const size = size_of(where.type);
    const values = where.values ? [...where.values] :
      Array(Math.ceil(where.bytes / size)).fill(null);
    const at = [];
    for (let i = 0; i <= k && i < rec.steps.length; i++) {
      const { access: a, block: b } = rec.steps[i];
      if (!a || a.operation === "load" ||
          (where.values ? a.space !== "global" || a.allocation !== where.allocation :
            a.space !== "shared" || b !== block)) continue;
      for (const { address, value, lost } of a.lanes)
        if (!lost) [].concat(value).forEach((v, j) => {
          values[address / size + j] = v;
          at[address / size + j] = i;
        });
    }
    return { values, at, size };
  }

  const upper = (text) => text === "shared memory" ? "Shared memory" : text;
  const short = (v) => {
    if (v === null || v === undefined) return "·";
    const text = String(v);
    return text.length < 5 ? text : String(Number(v.toPrecision(2)))
      .replace(/e\+?/, "e");
  };

  // ---- The panel -------------------------------------------------------------------

  const base = typeof document === "object" && document.currentScript ?
    document.currentScript.src.replace(/[^/]*$/, "") : "";
  const recordings = {}, programs = {};
  const load = (file) => window.book.load(file);
  const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

  function html(text) {
    const t = document.createElement("template");
    t.innerHTML = text.trim();
    return t.content.firstChild;
  }
  const safe = (text) => String(text).replace(/[&<>"]/g,
    (c) => "&#" + c.charCodeAt(0) + ";");

  // A table of a request, lanes in its cells. Rows are wavefronts and columns
  // banks, or rows 128-byte lines of memory and columns its words.
  function ledger(a) {
    const shared = a.space === "shared";
    const cells = new Map(), rows = new Map(), moved = new Set();
    const of = (x, word) => shared ? x.wavefront : Math.floor(word / 32);
    for (const x of a.lanes)
      for (const word of pieces([x], a.bytes, 4)) {
        const row = of(x, word), key = row + " " + word % 32;
        rows.set(row, 1);
        cells.set(key, [...(cells.get(key) || []), x.lane]);
        if (!shared) moved.add(row + " " + (word % 32 >> 3));
      }
    const order = [...rows.keys()].sort((x, y) => x - y);
    const n = order.length;
    return `<table class="ledger${shared && n > 1 ? " conflict" : ""}" ` +
      `style="--rows:${n}"><caption class="unseen">The lanes of this request, by ` +
      (shared ? "wavefront and bank" : "line of 128 bytes and word in it") +
      `</caption><tr><th><span class="unseen">${shared ? "wavefront" : "byte"}` +
      `</span></th>${range(32).map((b) => `<th scope="col">${b}</th>`).join("")}</tr>` +
      order.map((row) => `<tr><th scope="row">${shared ? row + 1 : row * 128}</th>` +
        range(32).map((b) => {
          const lanes = cells.get(row + " " + b);
          return lanes ? `<td class="used" data-lanes=" ${lanes.join(" ")} ">` +
            (lanes.length === 32 ? "all" : lanes.length > 1 ? "×" + lanes.length :
              lanes[0]) + "</td>" :
            `<td${moved.has(row + " " + (b >> 3)) ? ' class="moved"' : ""}></td>`;
        }).join("") + "</tr>").join("") + "</table>";
  }

  const buttons = [["home", "|◀", "To the start"],
    ["memory_back", "◀◀", "Last memory access"], ["back", "◀", "Step back"],
    ["step", "Step ▶"], ["line", "Line ▶"], ["memory", "Memory ▶▶"], ["play", "Play"]];
  const keys = { ArrowLeft: "back", ArrowRight: "step", ArrowUp: "line_back",
    ArrowDown: "line", PageUp: "memory_back", PageDown: "memory", Home: "home",
    End: "end", " ": "play", Escape: "close" };

  const key_of = (action) =>
    Object.keys(keys).find((key) => keys[key] === action).replace(" ", "Space");

  function Panel(listing, name) {
    const book = recordings[name].rec, scene = recordings[name].scene;
    let rec = book, sums = totals(rec), list = [], at = 0, pin = -1, timer = 0;
    let base_state = "replay", asked = null, right = 0, answers = 0, runs = null;
    let wanted = { ...book.knobs }, follow = { block: 0, warp: 0 };
    const code = listing.querySelector("div.sourceCode"), before = [];
    const file = code.dataset.source;
    const button = listing.querySelector("button.step-it");

    const knob = (k) => {
      const options = k.values || [], shown = (v) => safe((k.names || {})[v] || v);
      return `<label>${safe(k.label || k.name)} ` + (k.values ?
        `<select data-knob="${k.name}">` + options.map((v) =>
          `<option value="${safe(v)}">${shown(v)}</option>`).join("") + "</select>" :
        `<input type="range" data-knob="${k.name}" min="${k.min}" max="${k.max}" ` +
        `step="${k.step || 1}"><output></output>`) + "</label>";
    };
    const panel = html(`<div class="step" role="group" tabindex="-1"
      aria-label="Step ${safe(book.kernel)}"><div class="step-head">
      <b>${safe(book.kernel)}</b> <span class="badge"></span>
      ${scene.knobs.map(knob).join("")}
      ${scene.breaks.map((b) => `<button type="button" data-break="${b.name}"
        aria-pressed="false">${safe(b.label)}</button>`).join("")}
      <button type="button" data-do="as_book">As in the book</button>
      <button type="button" data-do="cancel">Cancel</button>
      <button type="button" data-do="close" aria-label="Close the panel">✕</button></div>
      <p class="step-question">${safe(scene.question || "")}</p>
      <p class="step-report" role="status"></p>
      <div class="step-body"><div class="step-code"></div><div class="step-state">
      <div class="step-who"><span class="of"></span><p class="pinned"><label>Lane
        <select data-do="pin"><option value="-1">none</option>
        ${range(32).map((i) => `<option>${i}</option>`).join("")}</select></label>
        <span></span></p></div>
      <p class="row"><span class="warp-name"></span><span class="op"></span></p>
      <div class="lanes32" role="img">${range(32).map((i) =>
        `<i data-lane="${i}">${i}</i>`).join("")}</div>
      <div class="strips" role="group" aria-label="Warps of the block"></div>
      <p class="row"><span class="where"></span><span class="cost"></span></p>
      <div class="request"></div>
      <form class="predict"><label><span></span> <input type="number" min="0" max="64"
        required></label> <button>Check</button> <button type="button"
        data-do="reveal">Show me</button></form>
      <p class="row"><span class="array-name"></span></p><div class="array"></div>
      </div><dl class="counters">${counters.map(([, label]) =>
        `<div><dt>${label}</dt><dd></dd></div>`).join("")}</dl></div>
      <div class="timeline"><svg aria-hidden="true" preserveAspectRatio="none"></svg>
      <input type="range" min="1" aria-label="Step"><p class="key"><span
      class="k-global">global memory</span> <span class="k-shared">shared memory</span>
      <span class="k-conflict">bank conflict</span> <span class="k-barrier">barrier</span>
      <span>height: lanes that execute</span></p></div>
      <div class="step-foot"><p class="say"></p><div class="step-bar">
      ${buttons.map(([d, text, label]) => `<button type="button" data-do="${d}"` +
        (label ? ` aria-label="${label}"` : "") + ` title="${key_of(d)}">${text}</button>`)
        .join("")}
      <button type="button" data-do="predict" aria-pressed="false">Predict</button>
      <output class="place"></output> <output class="score"></output></div></div></div>`);
    const $ = (selector) => panel.querySelector(selector);
    const $$ = (selector) => [...panel.querySelectorAll(selector)];
    const act = (name) => $(`[data-do="${name}"]`);
    const predicting = () => act("predict").getAttribute("aria-pressed") === "true";

    let lines = {}, shown = null;
    function take_listing() {
      code.before(panel);
      $(".step-code").append(code);
      listing.classList.add("stepping");
      code.querySelectorAll("details").forEach((fold) =>
        before.push([fold, "open", fold.open]));
      code.querySelectorAll("code").forEach((part) =>
        before.push([part, "innerHTML", part.innerHTML]));
      split_lines(code);
    }
    function split_lines(element) {
      let n = Number(element.dataset.firstLine);
      lines = {};
      shown = element;
      element.tabIndex = 0;
      element.querySelectorAll("details").forEach((fold) => { fold.open = true; });
      element.querySelectorAll("code").forEach((part) => {
        part.innerHTML = part.innerHTML.split("\n").map((text) =>
          `<span class="l" data-n="${n++}">${text}</span>`).join("\n");
        part.querySelectorAll(".l").forEach((l) => lines[l.dataset.n] = l);
      });
    }
    // A variant may be another listing of the page: a copy of it is shown.
    function show_listing() {
      $(".step-head b").textContent = rec.kernel;
      const knob = scene.knobs.find((k) => (k.listings || {})[rec.knobs[k.name]]);
      const label = knob ? knob.listings[rec.knobs[knob.name]] : listing.id;
      if (shown !== code) shown.remove();
      code.hidden = false;
      code.querySelectorAll(".l").forEach((l) => l.replaceWith(...l.childNodes));
      split_lines(code);
      const other = label !== listing.id && document.getElementById(label);
      if (!other) return;
      const copy = other.querySelector("div.sourceCode").cloneNode(true);
      copy.querySelectorAll("[id]").forEach((part) => part.removeAttribute("id"));
      code.hidden = true;
      code.after(copy);
      split_lines(copy);
    }
    // The variants' part of a program's name, and the breaks that it has.
    const stem = (knobs) => scene.knobs.filter((k) => k.kind === "variant")
      .map((k) => knobs[k.name]).join(".") || "plain";
    const broken_line = (b, knobs) => b.lines ? b.lines[stem(knobs) + "." + b.name] :
      b.line;

    function close() {
      stop();
      if (runs) runs.cancel();
      before.forEach(([element, key, value]) => { element[key] = value; });
      panel.replaceWith(code);
      code.tabIndex = 0;
      code.hidden = false;
      listing.classList.remove("stepping");
      delete panels[name];
      button.setAttribute("aria-expanded", "false");
      clearTimeout(address_timer);
      history.replaceState(null, "", "#" + listing.id);
      button.focus({ preventScroll: true });
    }

    // ---- What is followed

    function choose() {
      list = [];
      rec.steps.forEach((s, i) => {
        if (s.block === follow.block &&
            (follow.warp < 0 || s.warp === follow.warp)) list.push(i);
      });
      const range_ = $(".timeline input");
      range_.max = list.length;
      const blocks = sum(rec.grid), n = warps(rec);
      const option = (v, text, chosen) =>
        `<option value="${v}"${v === chosen ? " selected" : ""}>${text}</option>`;
      $(".step-who .of").innerHTML = (blocks > 1 ? `<label>Block <select data-of="block">` +
        range(blocks).map((b) => option(b, b, follow.block)).join("") +
        "</select></label> " : "") + (n > 1 ?
        `<label>Follow <select data-of="warp">` + option(-1, "all warps", follow.warp) +
        range(n).map((w) => option(w, "warp " + w, follow.warp)).join("") +
        "</select></label>" : "");
      $(".strips").innerHTML = n > 1 ? range(Math.min(n, 32)).map((w) =>
        `<button type="button" data-warp="${w}"><b>${w}</b> <span></span></button>`)
        .join("") : "";
      draw_timeline();
    }

    const kind = (k) => {
      const a = rec.steps[k].access;
      return a ? a.space === "shared" ? price(a).cost > price(a).least ? "conflict" :
        "shared" : "global" : is_barrier(rec, k) ? "barrier" : "plain";
    };
    // One column for each step, or for several where there are many.
    let columns = 1;
    function draw_timeline() {
      columns = Math.min(list.length, 1200) || 1;
      const d = {};
      for (let c = 0; c < columns; c++) {
        const from = Math.floor(c * list.length / columns);
        const to = Math.max(from + 1, Math.floor((c + 1) * list.length / columns));
        const k = list.slice(from, to).find((i) => rec.steps[i].access) ?? list[from];
        if (k === undefined) continue;
        const high = is_barrier(rec, k) ? 32 : Math.max(.7, ones(rec.steps[k].executed));
        d[kind(k)] = (d[kind(k)] || "") + `M${c} 33v-${high}h.86v${high}z`;
      }
      const svg = $(".timeline svg");
      svg.setAttribute("viewBox", `0 0 ${columns} 34`);
      svg.innerHTML = Object.entries(d).map(([name_, path]) =>
        `<path class="k-${name_}" d="${path}"/>`).join("") +
        '<path class="of-line"/><rect class="cursor" y="0" width="1" height="34"/>';
    }
    const column_of = (place) => Math.floor(place * columns / list.length);

    // ---- What is shown

    const last_access = () => {
      for (let i = at; i >= 0; i--)
        if (rec.steps[list[i]].access) return list[i];
      return -1;
    };

    function show_code(k) {
      const hits = {};
      for (let i = 0; i <= at; i++) {
        const c = rec.code[rec.steps[list[i]].code];
        if (rec.files[c.file] === file) hits[c.line] = (hits[c.line] || 0) + 1;
      }
      const now = rec.code[rec.steps[k].code];
      const broken = rec.report ? rec.report.lines || [rec.report.line] : [];
      const edit = scene.breaks.find((b) => b.name === rec.knobs.break);
      for (const n in lines) {
        const l = lines[n], is_now = rec.files[now.file] === file && now.line === +n;
        l.dataset.hits = hits[n] || "";
        l.classList.toggle("now", is_now);
        l.classList.toggle("bad", broken.includes(+n));
        l.classList.toggle("gone", !!edit && broken_line(edit, rec.knobs) === +n);
        if (is_now && shown.scrollHeight > shown.clientHeight)
          shown.scrollTop = l.offsetTop - shown.clientHeight / 2;
      }
    }

    function show_lanes(k) {
      const s = rec.steps[k];
      let later = 0;
      for (let i = k + 1; i < rec.steps.length; i++)
        if (rec.steps[i].block === s.block && rec.steps[i].warp === s.warp)
          later |= rec.steps[i].active;
      const mine = born(rec, s.warp), said = { on: 0, off: 0, wait: 0, gone: 0 };
      $$(".lanes32 i").forEach((cell, i) => {
        const state = has(s.executed, i) ? "on" : has(s.active, i) ? "off" :
          !has(mine, i) ? "none" : has(later, i) ? "wait" : "gone";
        cell.className = state + (i === pin ? " pin" : "");
        if (state in said) said[state]++;
      });
      $(".lanes32").setAttribute("aria-label", [
        [said.on, "execute"], [said.off, "have a false predicate"],
        [said.wait, "are elsewhere"], [said.gone, "are done"]]
        .filter(([n]) => n).map(([n, what]) => `${n} lanes ${what}`).join(", "));
      $(".warp-name").textContent = `Warp ${s.warp}, 32 lanes`;
      $(".op").textContent = rec.code[s.code].opcode;
    }

    function show_strips(k) {
      const latest = {}, next = {}, block = rec.steps[k].block;
      rec.steps.forEach((s, i) => {
        if (s.block !== block) return;
        if (i <= k) latest[s.warp] = i;
        else next[s.warp] = next[s.warp] ?? i;
      });
      $$(".strips button").forEach((strip, w) => {
        const i = latest[w];
        const line = i !== undefined && rec.code[rec.steps[i].code].line;
        strip.lastChild.textContent = i === undefined ? "–" :
          next[w] === undefined ? "done" : (is_barrier(rec, i) ? "waits " : "") + line;
        strip.setAttribute("aria-pressed", w === rec.steps[k].warp);
      });
    }

    function show_request(k) {
      const i = last_access(), a = i < 0 ? null : rec.steps[i].access;
      $(".predict").hidden = asked === null;
      $(".request").hidden = asked !== null;
      if (asked !== null) {
        const ask = rec.steps[list[asked]].access;
        $(".where").textContent = "Predict";
        $(".cost").textContent = "";
        $(".predict span").textContent = `How many ${price(ask).unit}s does this ` +
          `${ask.operation} ${ask.operation === "load" ? "from" : "to"} ` +
          name_of(rec, ask) + " take?";
        return;
      }
      $(".where").textContent = !a ? "No memory touched yet" :
        (a.space === "shared" ? "Shared memory, 32 banks" : name_of(rec, a) +
          ", lines of 128 bytes") + (i === k ? "" : " (last request)");
      if (!a) return $(".request").replaceChildren();
      const p = price(a);
      $(".cost").textContent = `${a.operation}, ${count(p.cost, p.unit)}, ` +
        `ideal ${p.least}`;
      $(".request").innerHTML = ledger(a);
      const x = a.lanes.find(({ lane }) => lane === pin);
      $$(".ledger .used").forEach((cell) => cell.classList.toggle("pin",
        cell.dataset.lanes.includes(` ${pin} `)));
      $(".pinned span").textContent = pin < 0 ? "" : !x ? "takes no part" :
        `byte ${x.address}, ` + (a.space === "shared" ?
          `bank ${(x.address >> 2) % 32}, wavefront ${x.wavefront + 1}` :
          `sector ${x.address >> 5}`) + `, value ${short([].concat(x.value)[0])}`;
      show_array(a, i, k);
    }

    function show_array(a, i, k) {
      const where = a.space === "shared" ? rec.shared : a.space === "global" ?
        rec.buffers.find((b) => b.allocation === a.allocation) : null;
      const n = where && (where.values ? where.values.length :
        where.bytes / size_of(where.type));
      $(".array-name").textContent = where ? n > 512 ?
        `${upper(name_of(rec, a))}: ${n} elements` :
        upper(name_of(rec, a)) + ", element by element" : "";
      if (!where || n > 512) return $(".array").replaceChildren();
      const { values, at: stored, size } = memory(rec, where, rec.steps[k].block, k);
      const read = new Set();
      if (i === k && a.operation === "load")
        for (const e of pieces(a.lanes, a.bytes, size)) read.add(e);
      $(".array").innerHTML = `<table class="${n > 256 ? "dense" : ""}"
        style="--rows:${Math.ceil(n / 32)}">
        <caption class="unseen">Values now</caption>` +
        range(Math.ceil(n / 32)).map((r) => `<tr><th scope="row">${32 * r}</th>` +
          range(Math.min(32, n - 32 * r)).map((c) => {
            const e = 32 * r + c;
            return `<td class="${stored[e] === k ? "new" : read.has(e) ? "read" : ""}` +
              `" title="element ${e}: ${values[e] ?? "never written"}">` +
              short(values[e]) + "</td>";
          }).join("") + "</tr>").join("") + "</table>";
    }

    function show_counters(k) {
      // What is asked for must not be read off here.
      const now = sums[asked !== null ? k : k + 1];
      const past = at ? sums[list[at - 1] + 1] : {};
      const end = rec.counts, alike = JSON.stringify(rec.knobs);
      const row = ((scene.gpu || {}).rows || []).find((h) => JSON.stringify(h.knobs) === alike);
      $$(".counters dd").forEach((dd, i) => {
        const names = counters[i][0];
        const v = (t) => i === 1 ? ((t.thread_instructions || 0) /
          (t.warp_instructions || 1)).toFixed(1) : counted(t, names);
        const more = i !== 1 && v(now) - v(past);
        dd.innerHTML = `<b>${v(now)}</b>${more ? ` <em>+${more}</em>` : ""}` +
          ` <span>of ${v(end)}</span>`.repeat(i !== 1) +
          (row && on_gpu.test(names) && counted(row.counts, names) ?
            ` <span class="on-gpu">${scene.gpu.name}: ${counted(row.counts, names)}</span>` : "");
      });
    }

    let address_timer = 0;
    function show_address() {
      clearTimeout(address_timer);
      address_timer = setTimeout(() => {
        const parts = [`step=${name}`];
        for (const key in wanted)
          if (wanted[key] !== book.knobs[key]) parts.push(`${key}=${wanted[key]}`);
        if (follow.block) parts.push("in=" + follow.block);
        if (follow.warp) parts.push("warp=" + follow.warp);
        parts.push("at=" + (at + 1));
        try { history.replaceState(null, "", "#" + parts.join("&")); } catch { /* Too often. */ }
      }, 250);
    }

    function set_state(state) {
      if (!/playing|running/.test(state)) base_state = state;
      panel.dataset.state = state;
      $(".badge").textContent = { replay: "the book's run", edited: "your run",
        broken: "your run", failed: "the book's run", running: "running …" }[state] ||
        $(".badge").textContent;
      act("cancel").hidden = state !== "running";
      act("as_book").hidden = rec === book && base_state !== "failed" ||
        state === "running";
      act("play").textContent = state === "playing" ? "Pause" : "Play";
      act("play").hidden = still();
      $(".say").setAttribute("aria-live", state === "playing" ? "off" : "polite");
    }

    // Without steps there is nothing to show but the counts: what an earlier run
    // left in the panel would be taken for this one's.
    function show_none() {
      $(".say").textContent = rec.truncated ?
        "This run is too long to be recorded; only its counts are here." :
        "No warp of this block has executed anything.";
      for (const n in lines) {
        lines[n].dataset.hits = "";
        lines[n].classList.remove("now");
      }
      $(".place").textContent = "";
      at = 0;
      sums = [rec.counts, rec.counts];
      show_counters(0);
      show_address();
    }

    function show() {
      panel.classList.toggle("empty", !list.length);
      if (!list.length) return show_none();
      at = Math.max(0, Math.min(list.length - 1, at));
      const k = list[at];
      show_code(k);
      show_lanes(k);
      show_strips(k);
      show_request(k);
      show_counters(k);
      $(".cursor").setAttribute("x", column_of(at));
      $(".timeline input").value = at + 1;
      $(".timeline input").setAttribute("aria-valuetext",
        `step ${at + 1} of ${list.length}`);
      $(".place").textContent = `${at + 1} / ${list.length}`;
      $(".score").textContent = answers ? `${right} of ${answers} right` : "";
      $(".say").textContent = asked !== null ? sentence(rec, k).split(" in ")[0]
        .split(";")[0].replace(/[.]?$/, ". What does it cost?") : sentence(rec, k);
      show_address();
    }

    // ---- What the reader does

    // Forward while predicting, the next request is asked about first.
    function go(to) {
      to = Math.max(0, Math.min(list.length - 1, to));
      if (asked !== null) asked = null;
      if (predicting() && to > at) {
        const next = list.findIndex((k, i) => i > at && i <= to && is_asked(k));
        if (next >= 0) {
          asked = next;
          to = next;
          stop();
        }
      }
      at = to;
      show();
      if (asked !== null) $(".predict input").focus();
    }
    const is_asked = (k) => {
      const { access: a, code: c } = rec.steps[k];
      return a && /global|shared/.test(a.space) && a.operation !== "atomic" &&
        (!(scene.predict || []).length || scene.predict.includes(rec.code[c].line));
    };
    const find = (step, holds) => {
      for (let i = at + step; i >= 0 && i < list.length; i += step)
        if (holds(list[i])) return i;
      return step < 0 ? 0 : list.length - 1;
    };
    const line_of = (k) => rec.code[rec.steps[k].code].line;
    const memory_at = (k) => rec.steps[k].access &&
      /global|shared/.test(rec.steps[k].access.space);

    function stop() {
      if (!timer) return;
      clearInterval(timer);
      timer = 0;
      set_state(base_state);
      show();
    }
    function play() {
      if (timer || still()) return stop();
      if (at === list.length - 1) at = 0;
      timer = setInterval(() => {
        if (at >= list.length - 1) stop();
        else go(at + 1);
      }, 350);
      set_state("playing");
    }

    function take(found, state) {
      rec = found;
      sums = totals(rec);
      asked = null;
      follow.block = Math.min(follow.block, sum(rec.grid) - 1);
      follow.warp = Math.min(follow.warp, warps(rec) - 1);
      choose();
      show_listing();
      set_state(state);
      $(".step-report").textContent = report_words();
      show();
    }

    // What a check or fault said, and where the result is another than the book's.
    function report_words() {
      const said = rec.report ? rec.report.text : "";
      if (rec === book || !("break" in rec.knobs)) return said;
      const same = Object.keys(book.knobs).every((k) => book.knobs[k] === rec.knobs[k]);
      for (const buffer of same && !rec.truncated ? rec.buffers : []) {
        const theirs = book.buffers.find((b) => b.name === buffer.name);
        if (!theirs) continue;
        const mine = memory(rec, buffer, 0, Infinity).values;
        const right_ = memory(book, theirs, 0, Infinity).values;
        const e = right_.findIndex((v, i) => v !== mine[i]);
        if (e >= 0) return `${said}\n${buffer.name}[${e}] is ${mine[e]}; it should be ` +
          `${right_[e]}.`.trim();
      }
      return said + (same ? " The result is still right, this time." : "");
    }

    const as_book = () => Object.keys(wanted).every((k) => wanted[k] === book.knobs[k]) &&
      Object.keys(book.knobs).every((k) => wanted[k] === book.knobs[k]);

    async function run() {
      stop();
      if (runs) runs.cancel();
      show_knobs();
      if (as_book()) return take(book, "replay");
      const mine = { ...wanted }, last = rec, last_state = base_state;
      set_state("running");
      try {
        if (!window.runner) await load("run.js");
        await load("steps/" + name.replace("/", "-") + ".run.js");
        runs = runs || window.runner(base);
        const text = await runs.run(programs[name], mine,
          { limit_rows: 100000, seconds: 10 });
        if (mine_is_old(mine)) return;
        const found = window.recording.decode(text);
        take(found, found.report ? "broken" : "edited");
      } catch (error) {
        if (mine_is_old(mine)) return;
        // Also where the panel could not show this run: it is the last one's again.
        if (rec !== last) take(last, last_state);
        wanted = { ...rec.knobs };
        show_knobs();
        set_state(rec === book ? "failed" : base_state);
        $(".step-report").textContent = error.message;
      }
    }
    const mine_is_old = (mine) => JSON.stringify(mine) !== JSON.stringify(wanted) ||
      panels[name] !== api;

    function show_knobs() {
      $$("[data-knob]").forEach((input) => {
        input.value = wanted[input.dataset.knob];
        if (input.nextSibling) input.nextSibling.textContent = input.value;
      });
      scene.breaks.forEach((b) => {
        const toggle = $(`[data-break="${b.name}"]`);
        toggle.setAttribute("aria-pressed", b.name === wanted.break);
        toggle.disabled = !broken_line(b, wanted);
      });
    }

    const actions = {
      home: () => go(0), end: () => go(list.length - 1),
      back: () => go(at - 1), step: () => go(at + 1),
      line: () => go(find(1, (k) => line_of(k) !== line_of(list[at]))),
      line_back: () => go(find(-1, (k) => line_of(k) !== line_of(list[at]))),
      memory: () => go(find(1, memory_at)), memory_back: () => go(find(-1, memory_at)),
      play, close,
      predict() {
        act("predict").setAttribute("aria-pressed", !predicting());
        asked = null;
        show();
      },
      reveal() { asked = null; show(); act("memory").focus(); },
      as_book() { wanted = { ...book.knobs }; run(); },
      cancel() { if (runs) runs.cancel(); wanted = { ...rec.knobs }; show_knobs();
        set_state(base_state); },
    };
    panel.addEventListener("keydown", (event) => {
      const own = event.target.closest("input,select");
      const action = keys[event.key];
      if (!action || event.ctrlKey || event.altKey || event.metaKey ||
          action !== "close" && (own && !own.matches(".timeline input") ||
            event.key === " " && event.target.closest("button,input"))) return;
      event.preventDefault();
      actions[action]();
    });
    panel.addEventListener("click", (event) => {
      const target = event.target.closest("[data-do],[data-warp],[data-break],[data-lane]");
      if (!target || target.tagName === "SELECT") return;
      const { do: action, warp, break: broken, lane } = target.dataset;
      if (action) actions[action]();
      else if (warp) follow_warp(Number(warp));
      else if (lane) set_pin(pin === Number(lane) ? -1 : Number(lane));
      else if (broken) {
        if (wanted.break === broken) delete wanted.break;
        else wanted.break = broken;
        run();
      }
    });
    // The same moment, seen from another warp.
    function follow_warp(warp, block = follow.block) {
      const k = list[at];
      follow = { block, warp };
      choose();
      at = Math.max(0, list.findLastIndex((i) => i <= k));
      asked = null;
      show();
    }
    function set_pin(lane) {
      pin = lane;
      act("pin").value = lane;
      show();
    }
    panel.addEventListener("change", ({ target }) => {
      const { knob: key, of: what } = target.dataset;
      if (key) {
        wanted[key] = typeof book.knobs[key] === "number" ? Number(target.value) :
          target.value;
        const edit = scene.breaks.find((b) => b.name === wanted.break);
        if (edit && !broken_line(edit, wanted)) delete wanted.break;
        run();
      } else if (what === "warp") follow_warp(Number(target.value));
      else if (what === "block") follow_warp(follow.warp, Number(target.value));
      else if (target.dataset.do === "pin") set_pin(Number(target.value));
    });
    panel.addEventListener("input", ({ target }) => {
      if (target.matches(".timeline input")) go(target.value - 1);
      else if (target.matches("[type=range]")) target.nextSibling.textContent = target.value;
    });
    $(".predict").addEventListener("submit", (event) => {
      event.preventDefault();
      const said = Number($(".predict input").value);
      const ask = rec.steps[list[asked]].access, p = price(ask);
      answers++;
      if (said === p.cost) right++;
      asked = null;
      show();
      $(".say").textContent = (said === p.cost ? "Right. " : `Not ${said}. `) +
        sentence(rec, list[at]);
      $(".predict input").value = "";
      act("memory").focus();
    });
    $(".timeline svg").addEventListener("pointerdown", (event) => {
      const svg = event.currentTarget;
      const move = ({ clientX }) => {
        const box = svg.getBoundingClientRect();
        go(Math.floor((clientX - box.left) / box.width * list.length));
      };
      svg.setPointerCapture(event.pointerId);
      svg.onpointermove = move;
      svg.onpointerup = svg.onpointercancel = () => { svg.onpointermove = null; };
      move(event);
    });
    // A line's instructions, in the timeline.
    $(".step-code").addEventListener("mouseover", (event) => {
      const l = event.target.closest(".l");
      if (!l) return;
      $(".of-line").setAttribute("d", list.map((k, i) => line_of(k) === +l.dataset.n ?
        `M${column_of(i)} 33v1h1v-1z` : "").join(""));
    });

    const api = {
      // What the address asks for.
      async restore(asks) {
        for (const key in asks) {
          if (/^(step|at|in|warp)$/.test(key)) continue;
          const known = key === "break" || key in book.knobs;
          if (known) wanted[key] = typeof book.knobs[key] === "number" ?
            Number(asks[key]) : asks[key];
        }
        if (!as_book()) await run();
        follow = { block: Math.min(Number(asks.in || 0), sum(rec.grid) - 1),
          warp: Math.min(Number(asks.warp || 0), warps(rec) - 1) };
        choose();
        at = asks.at ? asks.at - 1 : Math.max(0, list.findIndex(memory_at));
        show();
      },
      close, panel,
    };
    button.setAttribute("aria-expanded", "true");
    take_listing();
    choose();
    set_state("replay");
    show_knobs();
    $(".step-report").textContent = report_words();
    at = Math.max(0, list.findIndex(memory_at));
    show();
    return api;
  }

  const panels = {};

  return {
    recording(name, text, scene) { recordings[name] = { rec: window.recording.decode(text), scene }; },
    program(name, parts) { programs[name] = parts; },
    // Opens the panel of a listing, or closes it.
    async open(listing, name, asks) {
      if (panels[name] && !asks) return panels[name].close();
      if (!recordings[name]) {
        await load("recording.js");
        await load("steps/" + name.replace("/", "-") + ".js");
      }
      const is_new = !panels[name];
      for (const other in panels) if (other !== name) panels[other].close();
      panels[name] = panels[name] || Panel(listing, name);
      if (asks) await panels[name].restore(asks);
      const panel = panels[name].panel;
      if (is_new)
        panel.querySelector('[data-do="step"]').focus({ preventScroll: true });
      if (asks) {
        // An address names the panel, wherever it is, as it would name a heading.
        window.book.unfold(panel);
        await window.book.settled;
        panel.scrollIntoView({ block: "start" });
      } else if (is_new) {
        listing.scrollIntoView({ block: "nearest" });
      }
    },
    sentence, words, price, totals, memory, ledger,
  };
})();
if (typeof module === "object") module.exports = stepper;
