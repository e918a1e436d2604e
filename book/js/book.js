// What a page gains from scripts: a theme switch, copy buttons, contents that
// follow the reader. Every page is complete without it.
(function () {
  "use strict";

  var root = document.documentElement;

  function stored_theme() {
    try { return localStorage.getItem("theme"); } catch (e) { return null; }
  }

  function store_theme(theme) {
    try {
      if (theme) localStorage.setItem("theme", theme);
      else localStorage.removeItem("theme");
    } catch (e) { /* Not kept, then: the switch still works on this page. */ }
  }

  function button(label) {
    var made = document.createElement("button");
    made.type = "button";
    made.textContent = label;
    return made;
  }

  // The switch turns the theme over; choosing what the system has anyway
  // goes back to following the system.
  function add_theme_switch() {
    var tools = document.querySelector(".top .tools");
    var system = window.matchMedia("(prefers-color-scheme: dark)");
    var toggle = button("");

    function is_dark() {
      var chosen = root.getAttribute("data-theme");
      return chosen ? chosen === "dark" : system.matches;
    }
    function show() {
      toggle.textContent = is_dark() ? "Light theme" : "Dark theme";
    }
    toggle.addEventListener("click", function () {
      var dark = !is_dark();
      if (dark === system.matches) {
        root.removeAttribute("data-theme");
        store_theme(null);
      } else {
        root.setAttribute("data-theme", dark ? "dark" : "light");
        store_theme(dark ? "dark" : "light");
      }
      show();
    });
    if (system.addEventListener) system.addEventListener("change", show);
    window.addEventListener("storage", function () {
      var theme = stored_theme();
      if (theme) root.setAttribute("data-theme", theme);
      else root.removeAttribute("data-theme");
      show();
    });
    show();
    tools.appendChild(toggle);
  }

  // What a listing holds, folded lines and all.
  function code_text(block) {
    return Array.prototype.map.call(block.querySelectorAll("pre"),
      function (pre) { return pre.textContent.replace(/\n$/, ""); })
      .join("\n");
  }

  // From file: some browsers offer no clipboard; selecting always works.
  function copy_text(block, done) {
    function by_selection() {
      var range = document.createRange();
      var selection = window.getSelection();
      block.querySelectorAll("details.fold").forEach(function (fold) {
        fold.open = true;
      });
      range.selectNodeContents(block.querySelector(".sourceCode, pre"));
      selection.removeAllRanges();
      selection.addRange(range);
      var copied = false;
      try { copied = document.execCommand("copy"); } catch (e) { }
      if (copied) selection.removeAllRanges();
      done(copied);
    }
    if (navigator.clipboard && navigator.clipboard.writeText) {
      navigator.clipboard.writeText(code_text(block))
        .then(function () { done(true); }, by_selection);
    } else {
      by_selection();
    }
  }

  function add_copy_button(block) {
    var header = block.querySelector(".listing-header") || block;
    if (!block.querySelector("pre")) return;
    var copy = button("Copy");
    copy.className = "copy";
    copy.setAttribute("aria-live", "polite");
    copy.addEventListener("click", function () {
      copy_text(block, function (copied) {
        copy.textContent = copied ? "Copied" : "Selected";
        setTimeout(function () { copy.textContent = "Copy"; }, 1600);
      });
    });
    header.appendChild(copy);
  }

  // A listing with old lines shows them folded and in grey. A button shows it
  // as any other, and back.
  function add_whole_button(listing) {
    var codes = listing.querySelectorAll("code.since");
    var folds = listing.querySelectorAll("details.fold");
    if (!codes.length) return;
    var whole = false;
    var toggle = button("");
    toggle.className = "whole";

    function show() {
      codes.forEach(function (code) {
        code.classList.toggle("since", !whole);
      });
      folds.forEach(function (fold) { fold.open = whole; });
      toggle.textContent = whole ? "Show what is new" : "Show it whole";
    }
    toggle.addEventListener("click", function () {
      whole = !whole;
      show();
    });
    show();
    listing.querySelector(".listing-header").appendChild(toggle);
  }

  // Pointing at the number of a callout, in the text or in the code, lights
  // all that bear it.
  function light_callouts() {
    function key_of(element) {
      var callout = element.closest && element.closest(".callout");
      if (!callout) return null;
      return callout.id || callout.getAttribute("href").slice(1);
    }
    function light(key, on) {
      if (!key) return;
      document.getElementById(key).classList.toggle("lit", on);
      document.querySelectorAll("a.callout[href='#" + key + "']")
        .forEach(function (link) { link.classList.toggle("lit", on); });
    }
    [["mouseover", true], ["mouseout", false], ["focusin", true],
     ["focusout", false]].forEach(function (pair) {
      document.addEventListener(pair[0], function (event) {
        light(key_of(event.target), pair[1]);
      });
    });
  }

  // A ladder's bars lead to the listings of its steps (filters/figure.lua). Each
  // of these listings gets, in the margin, the steps around it.
  function add_ladder_maps() {
    document.querySelectorAll(".figure").forEach(function (figure) {
      var steps = [];
      figure.querySelectorAll("svg.wide a.step, svg:not(.wide):not(.narrow) " +
                              "a.step").forEach(function (link) {
        var id = link.getAttribute("href").slice(1);
        if (document.getElementById(id))
          steps.push({ id: id, name: link.textContent.trim() });
      });
      if (steps.length < 2) return;
      var label = figure.querySelector("figcaption .label");
      steps.forEach(function (step, i) {
        var header = document.getElementById(step.id)
          .querySelector(".listing-header");
        if (!header || header.querySelector(".ladder-map")) return;
        var list = document.createElement("ul");
        function add(href, text, is_here) {
          var item = document.createElement("li");
          var link = document.createElement("a");
          link.href = "#" + href;
          link.textContent = text;
          if (is_here) link.setAttribute("aria-current", "step");
          item.appendChild(link);
          list.appendChild(item);
        }
        list.className = "ladder-map";
        add(figure.id, (label ? label.textContent : "The figure") +
            ": step " + (i + 1) + " of " + steps.length);
        for (var k = Math.max(0, i - 2); k < steps.length && k <= i + 2; k++)
          add(steps[k].id, steps[k].name, k === i);
        header.appendChild(list);
      });
    });
  }

  // Where the style sheet cannot follow the scroll by itself.
  function show_progress() {
    var bar = document.querySelector(".progress");
    if (!bar || (window.CSS && CSS.supports("animation-timeline: scroll()")))
      return;
    function update() {
      var all = root.scrollHeight - window.innerHeight;
      var share = all > 0 ? window.scrollY / all : 0;
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
    var blocks = document.querySelectorAll("[data-scrolls]");
    var observer = new IntersectionObserver(function (entries) {
      var near = entries.filter(function (entry) {
        return entry.isIntersecting && entry.target !== document.activeElement;
      }).map(function (entry) { return entry.target; });
      near.map(function (block) {
        return block.scrollWidth > block.clientWidth ||
          block.scrollHeight > block.clientHeight + 1;
      }).forEach(function (scrolls, i) {
        if (scrolls) near[i].tabIndex = 0;
        else near[i].removeAttribute("tabindex");
      });
    }, { rootMargin: "100%" });

    function look() {
      blocks.forEach(function (block) { observer.observe(block); });
    }
    look();
    window.addEventListener("resize", function () {
      observer.disconnect();
      blocks.forEach(function (block) { block.tabIndex = 0; });
      look();
    });
  }

  // The first frame leaves out what is far below (css: content-visibility);
  // once it is there, all of the page is laid out, and what the address names
  // may have moved.
  function lay_out_the_rest() {
    window.addEventListener("load", function () {
      requestAnimationFrame(function () {
        setTimeout(function () {
          root.classList.add("shown");
          root.classList.remove("opening");
          tend_scrollers();
          var opened = performance.getEntriesByType("navigation")[0];
          var target = named_element();
          if (target && target.closest("main") && opened &&
              opened.type === "navigate") target.scrollIntoView();
        });
      });
    });
  }

  // Marks the section being read in the contents.
  function follow_reader() {
    var links = {};
    var current = null;
    document.querySelectorAll("#contents a[href^='#']")
      .forEach(function (link) {
        links[decodeURIComponent(link.hash.slice(1))] = link;
      });
    var headings = Array.prototype.filter.call(
      document.querySelectorAll("main h2[id], main h3[id], main section[id]"),
      function (heading) { return links[heading.id]; });
    if (!headings.length) return;

    function update() {
      var reading = null;
      headings.forEach(function (heading) {
        if (heading.getBoundingClientRect().top < window.innerHeight / 3)
          reading = links[heading.id];
      });
      if (reading === current) return;
      if (current) current.removeAttribute("aria-current");
      if (reading) reading.setAttribute("aria-current", "location");
      current = reading;
    }
    var waiting = false;
    window.addEventListener("scroll", function () {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(function () { waiting = false; update(); });
    }, { passive: true });
    update();
  }

  // On a narrow screen the contents lie over the page: a chosen link or the
  // Escape key puts them away.
  function close_contents_on_escape() {
    document.addEventListener("keydown", function (event) {
      if (event.key === "Escape" && location.hash === "#contents")
        location.hash = "#main";
    });
  }

  // While they lie over the page, the focus is in them: what has it is never
  // hidden below.
  function keep_focus_in_contents() {
    var panel = document.getElementById("contents");
    function covers() {
      return location.hash === "#contents" &&
        getComputedStyle(panel).position === "fixed";
    }
    function enter() {
      if (covers() && !panel.contains(document.activeElement))
        panel.querySelector("a").focus();
    }
    window.addEventListener("hashchange", enter);
    document.addEventListener("focusin", enter);
  }

  // Exercises' solutions and figures' data open on paper.
  function open_details_for_print() {
    window.addEventListener("beforeprint", function () {
      document.querySelectorAll("main details:not([open])")
        .forEach(function (details) {
          details.open = true;
          details.setAttribute("data-print", "");
        });
    });
    window.addEventListener("afterprint", function () {
      document.querySelectorAll("main details[data-print]")
        .forEach(function (details) {
          details.open = false;
          details.removeAttribute("data-print");
        });
    });
  }

  function named_element() {
    return location.hash &&
      document.getElementById(decodeURIComponent(location.hash.slice(1)));
  }

  // A link into a folded part opens it.
  function open_target() {
    var target = named_element();
    for (var part = target; part; part = part.parentElement)
      if (part.tagName === "DETAILS") part.open = true;
    if (target && target.closest("details")) target.scrollIntoView();
  }

  // ---- Access maps and timelines: one lane at a time ----------------------
  //
  // Their cells carry titles, "lane 5: byte 660; sector 20", in a group for each
  // panel. Pointing at a cell selects its lane, and so does a slider below the
  // drawing, by keyboard and by touch.

  function read_cells(drawing) {
    var cells = [];
    drawing.querySelectorAll("[data-panel] [data-lane]").forEach(function (cell) {
      var said = cell.textContent.match(/^lane (\d+): (.*)$/);
      if (said) cells.push({
        element: cell, lane: Number(said[1]), text: said[2],
        panel: cell.closest("[data-panel]").getAttribute("data-panel")
      });
    });
    return cells;
  }

  // What is said of a lane: a line for each panel, each of its cells once.
  function lines_of(cells, lane) {
    var order = [], of_panel = {};
    cells.forEach(function (cell) {
      if (!of_panel[cell.panel]) {
        of_panel[cell.panel] = [];
        order.push(cell.panel);
      }
      var texts = of_panel[cell.panel];
      if (cell.lane === lane && texts.indexOf(cell.text) < 0)
        texts.push(cell.text);
    });
    return order.map(function (panel) {
      return (order.length > 1 ? panel + ": " : "") +
        (of_panel[panel].join(", ").replace(/, instructions? /g, ", ") ||
         "takes no part");
    });
  }

  function add_lane_reader(drawing) {
    var cells = read_cells(drawing);
    if (!cells.length) return;
    var box = document.createElement("div");
    var label = document.createElement("label");
    var slider = document.createElement("input");
    var name = document.createElement("output");
    var said = document.createElement("div");
    box.className = "lane-reader";
    slider.type = "range";
    slider.min = 0;
    slider.max = 31;
    slider.value = 0;
    name.textContent = "…";
    said.className = "said";
    said.setAttribute("aria-live", "polite");
    said.textContent = "Point at the drawing, or move the slider, to read " +
      "what a lane does.";
    label.appendChild(document.createTextNode("Lane "));
    label.appendChild(name);
    label.appendChild(slider);
    box.appendChild(label);
    box.appendChild(said);
    drawing.parentNode.insertBefore(box, drawing.nextSibling);

    function select(lane) {
      slider.value = lane;
      name.textContent = lane;
      said.textContent = "";
      lines_of(cells, lane).forEach(function (line) {
        var paragraph = document.createElement("p");
        paragraph.textContent = line;
        said.appendChild(paragraph);
      });
      cells.forEach(function (cell) {
        cell.element.classList.toggle("on", cell.lane === lane);
      });
    }

    slider.addEventListener("input", function () {
      select(Number(slider.value));
    });
    slider.addEventListener("focus", function () {
      select(Number(slider.value));
    });
    drawing.addEventListener("pointermove", function (event) {
      var cell = event.target.closest("[data-lane]");
      if (cell && (slider.value !== cell.getAttribute("data-lane") ||
                   !said.firstElementChild))
        select(Number(cell.getAttribute("data-lane")));
    });
  }

  // ---- Listings that can be stepped ---------------------------------------
  //
  // A button opens the panel (step.js). Nothing of it is loaded before, unless
  // the address asks: #step=reduction/strided&at=14.

  var step_parts = null;

  function load_stepper() {
    step_parts = step_parts || new Promise(function (resolve, reject) {
      var style = document.createElement("link");
      var script = document.createElement("script");
      var waiting = 2;
      function one_came() { if (--waiting === 0) resolve(); }
      style.rel = "stylesheet";
      style.href = "step.css";
      script.src = "step.js";
      style.onload = script.onload = one_came;
      style.onerror = script.onerror = function () {
        step_parts = null;
        reject(new Error("step.js or step.css is missing from the book's folder."));
      };
      document.head.appendChild(style);
      document.head.appendChild(script);
    });
    return step_parts;
  }

  function open_stepper(listing, asks) {
    var toggle = listing.querySelector("button.step-it");
    toggle.setAttribute("aria-busy", "true");
    return load_stepper().then(function () {
      return window.stepper.open(listing, listing.getAttribute("data-step"), asks);
    }).catch(function (error) {
      toggle.textContent = "Step it: " + error.message;
    }).then(function () { toggle.removeAttribute("aria-busy"); });
  }

  function add_step_button(listing) {
    var toggle = button("Step it");
    toggle.className = "step-it";
    toggle.setAttribute("aria-expanded", "false");
    toggle.addEventListener("click", function () { open_stepper(listing); });
    listing.querySelector(".listing-header").appendChild(toggle);
  }

  function open_stepper_of_address() {
    if (!/^#step=/.test(location.hash)) return;
    var asks = {};
    new URLSearchParams(location.hash.slice(1)).forEach(function (value, key) {
      asks[key] = value;
    });
    document.querySelectorAll(".listing[data-step]").forEach(function (listing) {
      if (listing.getAttribute("data-step") === asks.step)
        open_stepper(listing, asks);
    });
  }

  add_theme_switch();
  document.querySelectorAll("div.listing").forEach(add_whole_button);
  document.querySelectorAll(".listing[data-step]").forEach(add_step_button);
  root.classList.add("scripted");
  root.classList.remove("folding");
  document.querySelectorAll(".figure .drawing").forEach(add_lane_reader);
  document.querySelectorAll("div.listing, div.output, div.typed")
    .forEach(add_copy_button);
  add_ladder_maps();
  light_callouts();
  show_progress();
  lay_out_the_rest();
  follow_reader();
  close_contents_on_escape();
  keep_focus_in_contents();
  open_details_for_print();
  open_target();
  window.addEventListener("hashchange", open_target);
  window.addEventListener("hashchange", open_stepper_of_address);
  open_stepper_of_address();

  var here = document.querySelector("#contents [aria-current='page']");
  var panel = document.getElementById("contents");
  if (here && here.offsetTop > panel.clientHeight - 80)
    panel.scrollTop = here.offsetTop - panel.clientHeight / 3;
})();
