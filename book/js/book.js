// What a page gains from scripts: a theme switch, copy buttons, contents that
// follow the reader. Every page is complete without it. A browser that knows the
// style sheet's light-dark() knows all that is used here.
(() => {
  "use strict";

  const root = document.documentElement;
  const all = (selector, within = document) =>
    [...within.querySelectorAll(selector)];

  // A new element with attributes and what is in it, elements or texts.
  function element(name, attributes = {}, ...inside) {
    const made = document.createElement(name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    made.append(...inside);
    return made;
  }

  const button = (label, attributes) =>
    element("button", { type: "button", ...attributes }, label);

  // What a reader has asked for: a script or a style sheet of the book's folder.
  // Elements load it, because pages from a disk may not fetch.
  const loaded = {};
  const load = (file) => loaded[file] ??= new Promise((done, failed) => {
    const part = /\.css$/.test(file) ?
      element("link", { rel: "stylesheet", href: file }) :
      element("script", { src: file });
    part.onload = done;
    part.onerror = () => {
      delete loaded[file];
      failed(new Error(file + " is missing from the book's folder."));
    };
    document.head.append(part);
  });

  // For the other scripts of the page.
  // `settled` is kept when the whole page is laid out: until then, what is scrolled
  // to may still move.
  let settle;
  const settled = new Promise((done) => { settle = done; });
  window.book = { element, button, load, settled, unfold };

  // The switch turns the theme over; choosing what the system has anyway
  // goes back to following the system.
  function add_theme_switch() {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const toggle = button("");
    const is_dark = () => root.dataset.theme ? root.dataset.theme === "dark" :
      system.matches;

    function show() {
      toggle.textContent = is_dark() ? "Light theme" : "Dark theme";
    }
    function choose(theme) {
      if (theme) root.dataset.theme = theme;
      else delete root.dataset.theme;
      show();
    }
    toggle.addEventListener("click", () => {
      const dark = !is_dark();
      const theme = dark === system.matches ? null : dark ? "dark" : "light";
      choose(theme);
      try {
        if (theme) localStorage.setItem("theme", theme);
        else localStorage.removeItem("theme");
      } catch { /* Not kept, then: the switch still works on this page. */ }
    });
    system.addEventListener("change", show);
    window.addEventListener("storage", ({ key, newValue }) => {
      if (key === "theme" || key === null) choose(newValue);
    });
    show();
    document.querySelector(".top .tools").append(toggle);
  }

  // What a listing holds, folded lines and all.
  const code_text = (block) => all("pre", block)
    .map((pre) => pre.textContent.replace(/\n$/, "")).join("\n");

  // Where a page is not from https or a disk, there is no clipboard; selecting
  // always works.
  function select_text(block) {
    all("details.fold", block).forEach((fold) => { fold.open = true; });
    const selection = getSelection();
    selection.selectAllChildren(block.querySelector(".sourceCode, pre"));
    const copied = document.execCommand("copy");
    if (copied) selection.removeAllRanges();
    return copied;
  }

  function add_copy_button(block) {
    if (!block.querySelector("pre")) return;
    const copy = button("Copy", { class: "copy", "aria-live": "polite" });
    copy.addEventListener("click", async () => {
      let copied = true;
      try {
        await navigator.clipboard.writeText(code_text(block));
      } catch {
        copied = select_text(block);
      }
      copy.textContent = copied ? "Copied" : "Selected";
      setTimeout(() => { copy.textContent = "Copy"; }, 1600);
    });
    (block.querySelector(".listing-header") || block).append(copy);
  }

  // A listing with old lines shows them folded and in grey. A button shows it
  // as any other, and back.
  function add_whole_button(listing) {
    const codes = all("code.since", listing);
    const folds = all("details.fold", listing);
    if (!codes.length) return;
    let whole = false;
    const toggle = button("", { class: "whole" });

    function show() {
      codes.forEach((code) => code.classList.toggle("since", !whole));
      folds.forEach((fold) => { fold.open = whole; });
      toggle.textContent = whole ? "Show what is new" : "Show it whole";
    }
    toggle.addEventListener("click", () => {
      whole = !whole;
      show();
    });
    show();
    listing.querySelector(".listing-header").append(toggle);
  }

  // Pointing at the number of a callout, in the text or in the code, lights
  // all that bear it.
  function light_callouts() {
    function light({ target }, on) {
      const callout = target.closest?.(".callout");
      if (!callout) return;
      const key = callout.id || callout.getAttribute("href").slice(1);
      all(`#${key}, a.callout[href='#${key}']`)
        .forEach((one) => one.classList.toggle("lit", on));
    }
    for (const name of ["mouseover", "focusin"])
      document.addEventListener(name, (event) => light(event, true));
    for (const name of ["mouseout", "focusout"])
      document.addEventListener(name, (event) => light(event, false));
  }

  // A ladder's bars lead to the listings of its steps (filters/figure.lua). Each
  // of these listings gets, in the margin, the steps around it.
  function add_ladder_map(figure) {
    const steps = all("svg.wide a.step, svg:not(.wide, .narrow) a.step", figure)
      .map((link) => ({ id: link.getAttribute("href").slice(1),
                        name: link.textContent.trim() }))
      .filter(({ id }) => document.getElementById(id));
    if (steps.length < 2) return;
    const label = figure.querySelector("figcaption .label");
    steps.forEach((step, i) => {
      const header = document.getElementById(step.id)
        .querySelector(".listing-header");
      if (!header || header.querySelector(".ladder-map")) return;
      const list = element("ul", { class: "ladder-map" });
      function add(id, text, attributes) {
        list.append(element("li", {},
          element("a", { href: "#" + id, ...attributes }, text)));
      }
      add(figure.id, (label ? label.textContent : "The figure") +
          ": step " + (i + 1) + " of " + steps.length);
      for (const near of steps.slice(Math.max(0, i - 2), i + 3))
        add(near.id, near.name, near === step && { "aria-current": "step" });
      header.append(list);
    });
  }

  // Where the style sheet cannot follow the scroll by itself.
  function show_progress() {
    const bar = document.querySelector(".progress");
    if (!bar || CSS.supports("animation-timeline: scroll()")) return;
    function update() {
      const rest = root.scrollHeight - innerHeight;
      const share = rest > 0 ? scrollY / rest : 0;
      bar.style.setProperty("--read", Math.floor(share * 32) / 32);
    }
    window.addEventListener("scroll", update, { passive: true });
    update();
  }

  // A block is a stop for the Tab key only while it scrolls. In the markup all
  // of them are; this takes away those that fit, once everything is laid out
  // (before that nothing seems to scroll). Blocks are looked at when they come
  // near the screen, all before one is changed: else each look would lay the
  // page out anew.
  function tend_scrollers() {
    const blocks = all("[data-scrolls]");
    const observer = new IntersectionObserver((entries) => {
      const near = entries.filter((entry) => entry.isIntersecting)
        .map((entry) => entry.target)
        .filter((block) => block !== document.activeElement);
      near.map((block) => block.scrollWidth > block.clientWidth ||
          block.scrollHeight > block.clientHeight + 1)
        .forEach((scrolls, i) => {
          if (scrolls) near[i].tabIndex = 0;
          else near[i].removeAttribute("tabindex");
        });
    }, { rootMargin: "100%" });
    const look = () => blocks.forEach((block) => observer.observe(block));

    look();
    window.addEventListener("resize", () => {
      observer.disconnect();
      blocks.forEach((block) => { block.tabIndex = 0; });
      look();
    });
  }

  // The first frame leaves out what is far below (css: content-visibility);
  // once it is there, all of the page is laid out, and what the address names
  // may have moved.
  function lay_out_the_rest() {
    window.addEventListener("load", () => requestAnimationFrame(() =>
      setTimeout(() => {
        root.classList.add("shown");
        root.classList.remove("opening");
        tend_scrollers();
        const [opened] = performance.getEntriesByType("navigation");
        const target = named_element();
        if (target && target.closest("main") && opened?.type === "navigate")
          target.scrollIntoView();
        settle();
      })));
  }

  // Marks the section being read in the contents.
  function follow_reader() {
    const links = {};
    for (const link of all("#contents a[href^='#']"))
      links[decodeURIComponent(link.hash.slice(1))] = link;
    const headings = all("main :is(h2, h3, section)[id]")
      .filter((heading) => links[heading.id]);
    let current = null;

    function update() {
      const heading = headings.findLast((one) =>
        one.getBoundingClientRect().top < innerHeight / 3);
      const reading = heading && links[heading.id];
      if (reading === current) return;
      current?.removeAttribute("aria-current");
      reading?.setAttribute("aria-current", "location");
      current = reading;
    }
    window.addEventListener("scroll", update, { passive: true });
    update();
  }

  // On a narrow screen the contents lie over the page: a chosen link or the
  // Escape key puts them away. While they are there, the focus is in them: what
  // has it is never hidden below.
  function tend_contents() {
    const panel = document.getElementById("contents");
    function enter() {
      if (location.hash === "#contents" &&
          getComputedStyle(panel).position === "fixed" &&
          !panel.contains(document.activeElement))
        panel.querySelector("a").focus();
    }
    window.addEventListener("hashchange", enter);
    document.addEventListener("focusin", enter);
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && location.hash === "#contents")
        location.hash = "#main";
    });
    const here = panel.querySelector("[aria-current='page']");
    if (here && here.offsetTop > panel.clientHeight - 80)
      panel.scrollTop = here.offsetTop - panel.clientHeight / 3;
  }

  function named_element() {
    return location.hash &&
      document.getElementById(decodeURIComponent(location.hash.slice(1)));
  }

  // A link into a folded part opens it.
  // Opens the folds that an element is in.
  function unfold(target) {
    for (let part = target; part; part = part.parentElement)
      if (part.tagName === "DETAILS") part.open = true;
  }

  function open_target() {
    const target = named_element();
    unfold(target);
    if (target && target.closest("details")) target.scrollIntoView();
  }

  // ---- Access maps and timelines: one lane at a time ----------------------
  //
  // Their cells carry titles, "lane 5: byte 660; sector 20", in a group for each
  // panel. Pointing at a cell selects its lane, and so does a slider below the
  // drawing, by keyboard and by touch.

  function read_cells(drawing) {
    return all("[data-panel] [data-lane]", drawing).flatMap((cell) => {
      const said = cell.textContent.match(/^lane (\d+): (.*)$/);
      return said ? [{
        element: cell, lane: Number(said[1]), text: said[2],
        panel: cell.closest("[data-panel]").dataset.panel
      }] : [];
    });
  }

  // What is said of a lane: a line for each panel, each of its cells once.
  function lines_of(cells, lane) {
    const panels = new Map();
    for (const cell of cells) {
      if (!panels.has(cell.panel)) panels.set(cell.panel, new Set());
      if (cell.lane === lane) panels.get(cell.panel).add(cell.text);
    }
    return [...panels].map(([panel, texts]) =>
      (panels.size > 1 ? panel + ": " : "") +
        ([...texts].join(", ").replace(/, instructions? /g, ", ") ||
         "takes no part"));
  }

  function add_lane_reader(drawing) {
    const cells = read_cells(drawing);
    if (!cells.length) return;
    const slider = element("input", { type: "range", min: 0, max: 31, value: 0 });
    const name = element("output", {}, "…");
    const said = element("div", { class: "said", "aria-live": "polite" },
      "Point at the drawing, or move the slider, to read what a lane does.");
    drawing.after(element("div", { class: "lane-reader" },
      element("label", {}, "Lane ", name, slider), said));

    function select(lane) {
      slider.value = lane;
      name.textContent = lane;
      said.replaceChildren(...lines_of(cells, lane).map((line) =>
        element("p", {}, line)));
      cells.forEach((cell) =>
        cell.element.classList.toggle("on", cell.lane === lane));
    }
    for (const event of ["input", "focus"])
      slider.addEventListener(event, () => select(Number(slider.value)));
    drawing.addEventListener("pointermove", (event) => {
      const cell = event.target.closest("[data-lane]");
      if (cell && (slider.value !== cell.dataset.lane ||
                   !said.firstElementChild)) select(Number(cell.dataset.lane));
    });
  }

  // ---- Listings that can be stepped ---------------------------------------
  //
  // A button opens the panel (step.js). Nothing of it is loaded before, unless
  // the address asks: #step=reduction/strided&at=14.

  async function open_stepper(listing, asks) {
    const toggle = listing.querySelector("button.step-it");
    toggle.setAttribute("aria-busy", "true");
    try {
      await Promise.all([load("step.css"), load("step.js")]);
      await window.stepper.open(listing, listing.dataset.step, asks);
    } catch (error) {
      toggle.textContent = "Step it: " + error.message;
    }
    toggle.removeAttribute("aria-busy");
  }

  function add_step_button(listing) {
    const toggle = button("Step it",
                          { class: "step-it", "aria-expanded": "false" });
    toggle.addEventListener("click", () => open_stepper(listing));
    listing.querySelector(".listing-header").append(toggle);
  }

  function open_stepper_of_address() {
    if (!location.hash.startsWith("#step=")) return;
    const asks = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    const listings = all(".listing[data-step]")
      .filter((listing) => listing.dataset.step === asks.step);
    listings.forEach((listing) => open_stepper(listing, asks));
    if (!listings.length)
      document.querySelector("main").prepend(element("p", { role: "status" },
        "The address asks for the panel \u201c" + asks.step + "\u201d, which no listing " +
        "of this page has: it may have moved. Listings with a panel have a button, " +
        "Step it."));
  }

  add_theme_switch();
  all("div.listing").forEach(add_whole_button);
  all(".listing[data-step]").forEach(add_step_button);
  root.classList.add("scripted");
  root.classList.remove("folding");
  all(".figure .drawing").forEach(add_lane_reader);
  all("div.listing, div.output, div.typed").forEach(add_copy_button);
  all(".figure").forEach(add_ladder_map);
  light_callouts();
  show_progress();
  lay_out_the_rest();
  follow_reader();
  tend_contents();
  open_target();
  window.addEventListener("hashchange", open_target);
  window.addEventListener("hashchange", open_stepper_of_address);
  open_stepper_of_address();
})();
