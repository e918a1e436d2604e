// Runs inside of a page under test. probe.look() promises what axe-core finds,
// whether the page is wider than its window, whether letters of drawings stand
// out, whether the search finds, shows and obeys the keyboard, the slider below
// an access map says what a lane does, and the contents of a phone keep the
// focus. probe.print() says what is wrong on paper.
window.probe = (function () {
  "use strict";
  var errors = [];

  function place(violation) {
    return violation.nodes.slice(0, 3).map(function (node) {
      return violation.id + ": " + node.html.slice(0, 160);
    });
  }

  function expect(holds, what) {
    if (!holds) errors.push("search: " + what);
  }

  function too_wide(what) {
    var wide = document.documentElement.scrollWidth - window.innerWidth;
    if (wide > 0) errors.push(what + " is " + wide + " pixels too wide");
  }

  function axe_findings(where, options) {
    return axe.run(where, Object.assign({
      resultTypes: ["violations"], preload: false
    }, options)).then(function (result) {
      result.violations.forEach(function (violation) {
        errors = errors.concat(place(violation));
      });
    });
  }

  function press(key) {
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown",
      { key: key, bubbles: true, cancelable: true }));
  }

  // Waits, at most for four seconds, and says `what` if it was for nothing.
  function wait_for(holds, what, say) {
    return new Promise(function (resolve) {
      var tries = 0;
      (function look() {
        if (holds() || ++tries > 200) {
          if (!holds()) (say || expect.bind(null, false))(what);
          resolve();
        } else {
          setTimeout(look, 20);
        }
      })();
    });
  }

  function type(text) {
    var line = document.querySelector(".search input");
    line.value = text;
    line.dispatchEvent(new Event("input", { bubbles: true }));
    return document.querySelectorAll(".search-results a");
  }

  function try_search(with_axe) {
    var dialog, links;
    press("/");
    dialog = document.querySelector("dialog.search");
    expect(dialog && dialog.open, "the slash key does not open it");
    if (!dialog) return Promise.resolve();
    expect(document.activeElement.matches(".search input"),
           "the line has no focus");
    type("warp");
    return wait_for(function () {
      return document.querySelector(".search-results a");
    }, "nothing is found").then(function () {
      links = type("BANK wavefr");
      expect(links.length > 0 && /wavefr/i.test(
        dialog.querySelector(".search-results").textContent),
        "a result lacks a word");
      expect(type("zzzqqqxxx").length === 0, "finds what is not there");
      expect(/Nothing/.test(dialog.textContent), "does not say so");
      expect(type("coalessing").length > 0, "no mistyped word");
      links = type("bank conflict");
      expect(links.length > 1, "'bank conflict' is not found");
      expect(dialog.querySelector("mark"), "no word is marked");
      expect(dialog.querySelector("h2"), "no chapter above results");
      expect(/^[a-z_]+\.html(#|$)/.test(links[0].getAttribute("href")),
             "no link into a page");
      press("ArrowDown");
      press("ArrowDown");
      expect(document.activeElement === links[1], "arrow down");
      press("ArrowUp");
      expect(document.activeElement === links[0], "arrow up");
      too_wide("the search");
      if (with_axe) return axe_findings(dialog);
    }).then(function () {
      press("Escape");
      expect(!dialog.open, "Escape does not close it");
    });
  }

  function try_lanes() {
    document.querySelectorAll(".drawing [data-panel]").forEach(
        function (group) {
      // A panel of a drawing that has no lanes needs none.
      if (!group.querySelector("[data-lane] > title")) return;
      if (!group.closest(".figure").querySelector(".lane-reader"))
        errors.push("lanes: a drawing of lanes without a slider");
    });
    document.querySelectorAll(".lane-reader").forEach(function (reader) {
      var slider = reader.querySelector("input");
      var figure = reader.closest(".figure");
      var last = 0;
      figure.querySelectorAll("[data-lane] > title")
          .forEach(function (title) {
        last = Math.max(last, Number(title.textContent.match(/\d+/)[0]));
      });
      slider.value = last;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      var lit = figure.querySelectorAll("[data-lane].on");
      if (!lit.length || !lit[0].textContent.startsWith("lane " + last + ":"))
        errors.push("lanes: lane " + last + " is not lit");
      if (!reader.querySelector(".said").textContent.includes(
            lit[0].textContent.split(": ")[1].split(";")[0]))
        errors.push("lanes: nothing is said of lane " + last);
    });
  }

  // On a narrow screen the open contents have the focus until they are closed.
  function try_contents() {
    var panel = document.getElementById("contents");
    if (window.innerWidth > 1199) return Promise.resolve();
    location.hash = "#contents";
    return wait_for(function () {
      return panel.contains(document.activeElement);
    }, "the opened contents have no focus").then(function () {
      var link = document.querySelector("main a");
      if (link) link.focus();
      expect(panel.contains(document.activeElement),
             "the focus goes below the contents");
      press("Escape");
      return wait_for(function () {
        return getComputedStyle(panel).display === "none";
      }, "Escape does not close the contents");
    });
  }

  // ---- Listings, callouts, cards, ladders -------------------------------------

  function all(selector, where) {
    return Array.prototype.slice.call(
      (where || document).querySelectorAll(selector));
  }

  function name_of(element) {
    return element.id || (element.closest("[id]") || {}).id || "?";
  }

  function wrong(what, element) {
    errors.push(what + (element ? ": " + name_of(element) : ""));
  }

  // How the page's script leaves listings, before anything is opened: folded,
  // with old lines in another colour than new ones; a button undoes both.
  function try_listings() {
    all("div.sourceCode").forEach(function (block) {
      var n_lines = all("code", block).map(function (code) {
        return code.textContent;
      }).join("\n").split("\n").length;
      if (n_lines !== Number(block.style.getPropertyValue("--lines")))
        wrong("a listing has lost lines", block);
    });
    all("details.fold").forEach(function (fold) {
      if (fold.open) wrong("old lines are not folded", fold);
      var n = fold.querySelector("code").textContent.split("\n").length;
      if (parseInt(fold.querySelector("summary").textContent, 10) !== n)
        wrong("a fold counts wrongly", fold);
    });
    all("code.since").forEach(function (code) {
      var fresh = code.querySelector(".new");
      var listing = code.closest(".listing");
      var button = listing && listing.querySelector("button.whole");
      if (fresh && getComputedStyle(fresh).color ===
                   getComputedStyle(code).color)
        wrong("old lines look as new ones", code);
      if (!button) return wrong("old lines without a button", code);
      button.click();
      if (code.classList.contains("since") ||
          listing.querySelector("details.fold:not([open])"))
        wrong("the button does not show the whole listing", code);
      button.click();
      if (!code.classList.contains("since") ||
          listing.querySelector("details.fold[open]"))
        wrong("the button does not go back", code);
    });
  }

  function try_callouts() {
    all("a.callout").forEach(function (link) {
      var mark = document.getElementById(link.hash.slice(1));
      if (!mark || mark.getAttribute("data-n") !== link.textContent)
        return wrong("a callout leads to no line", link);
      link.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
      if (!mark.matches(".lit") || !link.matches(".lit"))
        wrong("a callout and its line do not light up", mark);
      link.dispatchEvent(new MouseEvent("mouseout", { bubbles: true }));
      if (mark.matches(".lit")) wrong("a callout stays lit", mark);
    });
  }

  function try_ladders() {
    all("svg a.step").forEach(function (link) {
      var id = decodeURIComponent(link.getAttribute("href").slice(1));
      var listing = document.getElementById(id);
      if (!listing || !listing.matches(".listing"))
        wrong("a ladder's step leads to no listing", link);
      else if (!listing.querySelector(".ladder-map [aria-current]"))
        wrong("a step's listing does not show the ladder", listing);
    });
  }

  // Prose is about 76 letters wide and code wider; what belongs into the margin
  // is there, or above the code where there is none.
  function try_widths() {
    var rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    var wide = matchMedia("(min-width: 80rem)").matches;
    all("article > p").forEach(function (text) {
      if (text.getBoundingClientRect().width > 38.5 * rem)
        wrong("prose is too wide", text);
    });
    if (!document.querySelector("body.chapter")) return;
    all("article > .listing").slice(0, 8).forEach(function (listing) {
      var head = listing.querySelector(".listing-header")
        .getBoundingClientRect();
      var code = listing.querySelector(".sourceCode, pre")
        .getBoundingClientRect();
      if (wide ? head.left < code.right || head.right > window.innerWidth
               : head.bottom > code.top + 1)
        wrong("a listing's path is in the wrong place", listing);
    });
    all("article > p > .sidenote").slice(0, 8).forEach(function (note) {
      var box = note.getBoundingClientRect();
      var text = note.parentNode.getBoundingClientRect();
      if (wide && (box.left < text.left + 44 * rem ||
                   box.right > window.innerWidth))
        wrong("a note is not in the margin: " + note.textContent.slice(0, 40));
    });
  }

  // The font that figures are measured with is the one that the page shows.
  function try_font() {
    var text = document.querySelector(".drawing svg text");
    if (!text) return Promise.resolve();
    var family = getComputedStyle(text).fontFamily.split(",")[0];
    return document.fonts.load("13px " + family, "a").then(function (faces) {
      if (!faces.length)
        wrong("a drawing is not in the book's font but in " + family);
    });
  }

  function try_frame() {
    ["prev", "next"].forEach(function (rel) {
      var head = document.querySelector("head link[rel=" + rel + "]");
      if (head && document.querySelector("body.chapter") &&
          !document.querySelector(".top a[rel=" + rel + "]"))
        wrong("no way to the " + rel + " chapter at the head");
    });
    if (document.querySelector(".chapter-head .lanes") &&
        !/(^\d+ of \d+ · |^)about \d+ minutes/.test(
          (document.querySelector(".reading") || {}).textContent))
      wrong("nothing says how long the chapter is");
    var bar = document.querySelector(".progress");
    if (!bar) return Promise.resolve();
    function clip() { return getComputedStyle(bar, "::after").clipPath; }
    var before = window.scrollY;
    window.scrollTo({ top: 0, behavior: "instant" });
    return settled().then(function () {
      var at_head = clip();
      window.scrollTo({ top: document.documentElement.scrollHeight,
                        behavior: "instant" });
      return settled().then(function () {
        if (clip() === at_head) wrong("the progress does not follow");
        window.scrollTo({ top: before, behavior: "instant" });
        return settled();
      });
    });
  }

  var card_links = ["main a.term", "main a.ref-lst[href^='#']",
    "main a.ref-fig[href^='#']", "main a.ref-lst[href*='html#']",
    "main .citation a"];

  function open_card() {
    var card = document.getElementById("card");
    return card && !card.hidden ? card : null;
  }

  // `selector`: what kind of link it is. Every run of axe-core looks at the
  // whole page first, however little it is asked about, and cards of one kind
  // look alike on all pages: the first page with one asks, at each width.
  function try_card(link, selector, known) {
    if (!link) return Promise.resolve();
    var place = link.getAttribute("href");
    link.scrollIntoView({ block: "center", behavior: "instant" });
    return settled().then(function () {
      link.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
      return wait_for(open_card, "no card for " + place, wrong);
    }).then(function () {
      var card = open_card();
      if (!card) return tap_twice(link, place);
      var box = card.getBoundingClientRect();
      if (card.textContent.trim().length < 12)
        wrong("an empty card for " + place);
      if (box.left < 0 || box.right > window.innerWidth || box.top < 0 ||
          box.bottom > window.innerHeight + 1)
        wrong("a card outside of the window for " + place);
      if (link.getAttribute("aria-describedby") !== "card")
        wrong("a card without a name for " + place);
      return (known.includes(selector) ? Promise.resolve()
                                       : axe_findings(card)).then(function () {
        known.push(selector);
        press("Escape");
        if (open_card()) wrong("Escape leaves the card of " + place);
        return tap_twice(link, place);
      });
    });
  }

  // A finger's first tap shows the card, the second follows the link.
  function tap_twice(link, place) {
    function tap() {
      var click = new MouseEvent("click", { bubbles: true, cancelable: true });
      var followed = true;
      link.dispatchEvent(new PointerEvent("pointerdown",
        { bubbles: true, pointerType: "touch" }));
      function hold(event) {
        followed = !event.defaultPrevented;
        event.preventDefault();
      }
      window.addEventListener("click", hold);
      link.dispatchEvent(click);
      window.removeEventListener("click", hold);
      return followed;
    }
    if (tap()) wrong("the first tap leaves for " + place);
    return wait_for(open_card, "no card at a tap for " + place, wrong)
      .then(function () {
        if (!tap()) wrong("the second tap does not follow " + place);
        document.dispatchEvent(new PointerEvent("pointerdown",
          { bubbles: true, pointerType: "mouse" }));
        press("Escape");
      });
  }

  function try_cards(known) {
    var before = window.scrollY;
    return card_links.reduce(function (done, selector) {
      return done.then(function () {
        var link = all(selector).find(function (one) {
          return one.getClientRects().length;
        });
        return try_card(link, selector, known);
      });
    }, Promise.resolve()).then(function () {
      window.scrollTo({ top: before, behavior: "instant" });
    });
  }

  // ---- Letters of drawings, which axe-core does not look at ---------------

  function rgb(colour) {
    return colour.match(/[\d.]+/g).map(Number);
  }

  function luminance(colour) {
    var parts = rgb(colour).slice(0, 3).map(function (part) {
      part /= 255;
      return part <= 0.03928 ? part / 12.92
                             : Math.pow((part + 0.055) / 1.055, 2.4);
    });
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  }

  function contrast(one, other) {
    var a = luminance(one), b = luminance(other);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }

  function covers(shape, x, y) {
    var at = new DOMPoint(x, y)
      .matrixTransform(shape.element.getScreenCTM().inverse());
    return shape.box.left <= x && x <= shape.box.right &&
           shape.box.top <= y && y <= shape.box.bottom &&
           shape.element.isPointInFill(at);
  }

  // The colour below a text: of the last filled shape before it that covers
  // its middle, else the paper's.
  function below(text, shapes, paper) {
    var box = text.getBoundingClientRect();
    var x = box.left + box.width / 2, y = box.top + box.height / 2;
    var under = paper;
    shapes.forEach(function (shape) {
      if (covers(shape, x, y) &&
          shape.element.compareDocumentPosition(text) &
            Node.DOCUMENT_POSITION_FOLLOWING)
        under = shape.fill;
    });
    return under;
  }

  function try_drawing(svg) {
    if (!svg.getClientRects().length) return;   // of another width
    var paper = getComputedStyle(document.body).backgroundColor;
    var shapes = [];
    svg.querySelectorAll("rect, polygon, path").forEach(function (element) {
      var style = getComputedStyle(element);
      // A pattern has no one colour that a letter could stand out from.
      if (!/^rgb/.test(style.fill) || Number(style.fillOpacity) < 1 ||
          rgb(style.fill)[3] === 0 || element.closest("defs")) return;
      shapes.push({ element: element, fill: style.fill,
                    box: element.getBoundingClientRect() });
    });
    var faintest = { by: 21 }, smallest = { by: 99 };
    // A halo repeats its text in the paper's colour and is hidden from readers.
    svg.querySelectorAll("text:not([aria-hidden])").forEach(function (text) {
      var style = getComputedStyle(text), turn = text.getScreenCTM();
      var ratio = contrast(style.fill, below(text, shapes, paper));
      var size = parseFloat(style.fontSize) * Math.hypot(turn.a, turn.b);
      if (ratio < faintest.by) faintest = { by: ratio, text: text };
      if (size < smallest.by) smallest = { by: size, text: text };
    });
    if (faintest.by < 4.5)
      errors.push("a drawing's letters hardly stand out, by " +
                  faintest.by.toFixed(2) + ": " + svg.id + ", " +
                  faintest.text.textContent);
    if (smallest.by < 9)
      errors.push("a drawing's letters have " + smallest.by.toFixed(1) +
                  " pixels: " + svg.id + ", " + smallest.text.textContent);
  }

  // ---- Colours of text --------------------------------------------------

  function has_text(element) {
    return Array.prototype.some.call(element.childNodes, function (node) {
      return node.nodeType === Node.TEXT_NODE && node.data.trim() !== "";
    });
  }

  // Text of 24 pixels, or 18.66 in bold, needs less contrast.
  function is_large(style) {
    var size = parseFloat(style.fontSize);
    return size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  }

  // One element for each way in which text can stand out from what is below it,
  // unless an earlier look has had one. A listing has thousands of words in a
  // dozen colours, and axe-core would measure every single one. Two elements
  // are alike if they agree in the style of their letters and in everything
  // between these and the first background that nothing shines through; where
  // an element is positioned, and so may cover others, the other's must have
  // the same classes.
  var colours_seen = new Set();
  function new_colours() {
    var known = new Map(), found = new Map();

    function ground(element) {
      if (!element) return "";
      if (known.has(element)) return known.get(element);
      var style = getComputedStyle(element);
      var parts = [style.backgroundColor, style.backgroundImage,
                   style.opacity, style.filter, style.mixBlendMode];
      if (style.position !== "static")
        parts.push(style.position, element.tagName,
                   element.getAttribute("class"));
      var opaque = /^rgb\(/.test(style.backgroundColor) &&
                   style.backgroundImage === "none" && style.opacity === "1" &&
                   style.position === "static";
      var text = parts.join(" ") +
                 (opaque ? "" : "|" + ground(element.parentElement));
      known.set(element, text);
      return text;
    }

    document.body.querySelectorAll("*").forEach(function (element) {
      if (!has_text(element) || !element.getClientRects().length) return;
      var style = getComputedStyle(element);
      var kind = [style.color, is_large(style), style.textShadow,
                  style.visibility,
                  element.matches(":disabled, [aria-disabled=true]"),
                  ground(element)].join(" ");
      var other = found.get(kind);
      if (colours_seen.has(kind)) return;
      if (!other || element.childElementCount < other.childElementCount)
        found.set(kind, element);
    });
    found.forEach(function (element, kind) { colours_seen.add(kind); });
    return Array.from(found.values());
  }

  // ---- What is asked --------------------------------------------------------

  // Opens what is folded, and keeps the first of what there is very often: the
  // rest is made alike, and looking at it took most of the time.
  function prepare() {
    try_listings();
    try_callouts();
    try_ladders();
    document.querySelectorAll("details").forEach(function (part) {
      part.open = true;
    });
    too_wide("the page with all that is folded");
    try_lanes();
    document.querySelectorAll("main tbody").forEach(function (body) {
      var most = body.closest("details") ? 3 : 12;
      while (body.rows.length > most) body.deleteRow(most);
    });
    document.querySelectorAll(".drawing [data-panel]").forEach(
        function (group) {
      var cells = group.querySelectorAll("path[data-lane]");
      for (var i = 2; i < cells.length; i++) cells[i].remove();
    });
    return document.getElementsByTagName("*").length;
  }

  // The page's script looks at what has come near the screen between frames.
  function settled() {
    return new Promise(function (resolve) {
      requestAnimationFrame(function () {
        requestAnimationFrame(function () { setTimeout(resolve, 50); });
      });
    });
  }

  // What axe-core is asked about the page: colours at each look, the rest only
  // where it can differ from what was asked before. `rules`: "all"; "layout",
  // those that depend on the width (at_once has asked all of them on a phone);
  // or "", because the theme changes nothing but colours.
  function axe_looks(rules) {
    var colours = new_colours();
    var asked = Promise.resolve();
    if (rules === "all")
      asked = axe_findings(document, {
        rules: { "color-contrast": { enabled: false } }
      });
    else if (rules === "layout") {
      // Further down, the bar at the top lies on whatever is below it just now.
      window.scrollTo({ top: 0, behavior: "instant" });
      asked = axe_findings(document, {
        runOnly: ["scrollable-region-focusable", "target-size"]
      });
    }
    return asked.then(function () {
      if (colours.length)
        return axe_findings({ include: colours },
                            { runOnly: ["color-contrast"] });
    });
  }

  // The search looks the same on every page: one page asks axe-core about it.
  // `known`: the kinds of cards that it has been asked about at this width.
  function look(rules, with_dialog, known) {
    all(".drawing svg").forEach(try_drawing);
    too_wide("the page");
    try_widths();
    return settled().then(try_font).then(rules ? try_frame : null)
      .then(rules ? try_cards.bind(null, known) : null).then(function () {
      return axe_looks(rules);
    }).then(try_steps.bind(null, rules)).then(try_contents).then(function () {
      return try_search(with_dialog);
    })
      .catch(function (error) {
        errors.push("script: " + error);
      }).then(function () {
        return { errors: errors.splice(0), known: known };
      });
  }

  // Opens the panel of every listing that can be stepped, goes to its last step
  // and closes it. Of the dark, axe-core is asked about colours; on a phone in
  // the dark, it would find what it has found on a phone or in the dark.
  function try_steps(rules) {
    var options = rules ? {} : { runOnly: ["color-contrast"] };
    if (!rules && window.innerWidth < 400) options = null;
    return all(".listing[data-step]").reduce(function (before, listing) {
      return before.then(function () { return try_step(listing, options); });
    }, Promise.resolve());
  }

  function try_step(listing, options) {
    var name = listing.getAttribute("data-step");
    var button = listing.querySelector("button.step-it");
    var panel;
    if (!button) return wrong("a listing cannot be stepped", listing);
    button.click();
    return wait_for(function () {
      return listing.querySelector(".step .say:not(:empty)");
    }, "no panel opens for " + name, wrong).then(function () {
      panel = listing.querySelector(".step");
      if (!panel) return;
      too_wide("the panel of " + name);
      press("End");
      var place = panel.querySelector(".place").textContent.split(" / ");
      if (place[0] !== place[1]) wrong("End does not lead to the end of " + name);
      return (options ? axe_findings(panel, options)
                      : Promise.resolve()).then(function () {
        press("Escape");
        if (listing.querySelector(".step"))
          wrong("Escape does not close the panel of " + name);
        if (document.activeElement !== button)
          wrong("the focus is not back at the button of " + name);
      });
    });
  }

  // The page as it is: colours, which take most of axe-core's time, are looked
  // at later.
  function at_once() {
    return axe_findings(document, {
      rules: { "color-contrast": { enabled: false } }
    }).then(function () {
      return errors.splice(0);
    });
  }

  // Goes through the page a screen at a time, so that what looks at parts as
  // they come near has looked at all of them; then at what must be focusable.
  function seen_to_the_end() {
    return new Promise(function (resolve) {
      (function step() {
        var before = window.scrollY;
        window.scrollBy({ top: window.innerHeight, behavior: "instant" });
        if (window.scrollY === before) return resolve();
        requestAnimationFrame(function () { requestAnimationFrame(step); });
      })();
    }).then(settled).then(function () {
      return axe_findings(document, {
        runOnly: ["scrollable-region-focusable", "target-size"]
      });
    }).then(function () {
      return errors.splice(0);
    });
  }

  // Without scripts everything is there to be read.
  function without_scripts() {
    all("details.fold > pre").forEach(function (code) {
      if (!code.getBoundingClientRect().height)
        wrong("without scripts a fold hides its lines", code);
    });
    return errors.splice(0);
  }

  function print() {
    too_wide("the print");
    all("details.fold > pre").forEach(function (code) {
      if (!code.getBoundingClientRect().height)
        wrong("on paper a fold hides its lines", code);
    });
    return errors.splice(0);
  }

  return { prepare: prepare, look: look, print: print, at_once: at_once,
           seen_to_the_end: seen_to_the_end,
           without_scripts: without_scripts };
})();
