// The search over the whole book: a dialog that this script makes, so that
// there is none where scripts do not run. MiniSearch and the sections' texts
// (sections.js, from tools/index.py) are loaded by script elements,
// which file: pages allow, and only when a reader asks for them.
(function () {
  "use strict";

  var most_results = 40;
  var context_letters = 170;

  var dialog, input, status, results;
  var engine = null;      // MiniSearch over book_sections, once loaded
  var loading = false;

  // Words are letters and digits: thread_id, <<<blocks>>> and a.b are
  // several words each, for the text and for what is typed.
  var between_words = /[^\p{L}\p{N}]+/u;

  function element(name, attributes, text) {
    var made = document.createElement(name);
    Object.keys(attributes || {}).forEach(function (key) {
      made.setAttribute(key, attributes[key]);
    });
    if (text) made.textContent = text;
    return made;
  }

  // ---- What is searched ------------------------------------------------

  function load(name, then) {
    var script = element("script", { src: name });
    script.onload = then;
    script.onerror = function () {
      loading = false;
      say("The search cannot read " + name + " beside this page.");
    };
    document.head.appendChild(script);
  }

  function make_engine() {
    var made = new MiniSearch({
      fields: ["heading", "text"],
      tokenize: function (text) {
        return text.split(between_words).filter(Boolean);
      }
    });
    made.addAll(book_sections.sections.map(function (section, i) {
      return {
        id: i,
        heading: section[2] || book_sections.pages[section[0]][1],
        text: section[3]
      };
    }));
    return made;
  }

  function prepare() {
    if (engine || loading) return;
    loading = true;
    say("Loading …");
    load("minisearch.js", function () {
      load("sections.js", function () {
        engine = make_engine();
        show();
      });
    });
  }

  // All words must be there; the last may still be being typed. What was
  // probably mistyped is only tried when nothing else is found.
  function find(query) {
    var options = { combineWith: "AND", boost: { heading: 4 },
                    prefix: function (word, i, words) {
                      return i === words.length - 1 && word.length > 1;
                    } };
    var found = engine.search(query, options);
    if (found.length) return found;
    options.fuzzy = 0.2;
    options.prefix = true;
    return engine.search(query, options);
  }

  // ---- Showing it ------------------------------------------------------

  function say(text) { status.textContent = text; }

  // The found words in a text, as an expression that also splits it.
  function expression(words) {
    var sorted = words.slice().sort(function (a, b) {
      return b.length - a.length;
    });
    return new RegExp("(?<![\\p{L}\\p{N}])(" + sorted.join("|") +
                      ")(?![\\p{L}\\p{N}])", "giu");
  }

  function put_marked(parent, text, pattern) {
    text.split(pattern).forEach(function (part, i) {
      if (!part) return;
      parent.appendChild(i % 2 ? element("mark", {}, part) :
                         document.createTextNode(part));
    });
  }

  // Where the found words stand closest together: the place from which the
  // most different ones fit into what is shown.
  function best_place(text, pattern) {
    var places = [], best = -1, most = 0, match;
    pattern.lastIndex = 0;
    while ((match = pattern.exec(text)) && places.length < 200) {
      places.push([match.index, match[0].toLowerCase()]);
    }
    places.forEach(function (place, i) {
      var seen = {}, n = 0;
      for (var k = i; k < places.length &&
           places[k][0] < place[0] + context_letters / 2; k++) {
        n += seen[places[k][1]] ? 0 : 1;
        seen[places[k][1]] = true;
      }
      if (n > most) {
        most = n;
        best = place[0];
      }
    });
    return best;
  }

  // Some of the text around them, cut between words.
  function context(text, pattern) {
    var place = best_place(text, pattern);
    var from = Math.max(0, place - context_letters / 3);
    if (from > 0) from = text.indexOf(" ", from) + 1;
    var to = from + context_letters;
    if (to < text.length) to = Math.max(text.lastIndexOf(" ", to), from + 20);
    return (from > 0 ? "… " : "") + text.slice(from, to) +
           (to < text.length ? " …" : "");
  }

  function result_item(hit) {
    var section = book_sections.sections[hit.id];
    var page = book_sections.pages[section[0]];
    var pattern = expression(hit.terms);
    var item = element("li");
    var link = element("a", {
      href: page[0] + (section[1] ? "#" + section[1] : "")
    });
    var heading = element("strong");
    var around = element("span", { class: "context" });
    put_marked(heading, section[2] || page[1], pattern);
    put_marked(around, context(section[3], pattern), pattern);
    link.appendChild(heading);
    link.appendChild(around);
    item.appendChild(link);
    return item;
  }

  // Chapters come in the order of their best result.
  function by_page(hits) {
    var groups = [], of_page = {};
    hits.forEach(function (hit) {
      var page = book_sections.sections[hit.id][0];
      if (!of_page[page]) {
        of_page[page] = [];
        of_page[page].title = book_sections.pages[page][1];
        groups.push(of_page[page]);
      }
      of_page[page].push(hit);
    });
    return groups;
  }

  function show() {
    results.textContent = "";
    if (!engine) return;
    var query = input.value.trim();
    if (!query) {
      say("Type a word, an identifier or several of them.");
      return;
    }
    var hits = find(query);
    by_page(hits.slice(0, most_results)).forEach(function (group, i) {
      var title = element("h2", { id: "search-" + i }, group.title);
      var list = element("ul", { "aria-labelledby": "search-" + i });
      group.forEach(function (hit) { list.appendChild(result_item(hit)); });
      results.appendChild(title);
      results.appendChild(list);
    });
    results.scrollTop = 0;
    say(hits.length === 0 ? "Nothing found." :
        hits.length === 1 ? "1 section" :
        hits.length + " sections" + (hits.length > most_results ?
          ", the best " + most_results + " below" : ""));
  }

  // ---- Keys --------------------------------------------------------------

  // The arrows walk through the line and the results.
  function move(step) {
    var links = Array.prototype.slice.call(results.querySelectorAll("a"));
    var at = links.indexOf(document.activeElement) + step;
    if (at >= links.length) return;
    if (at < 0) input.focus();
    else links[at].focus();
  }

  function on_key(event) {
    var in_line = event.target === input;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      move(event.key === "ArrowDown" ? 1 : -1);
      event.preventDefault();
    } else if (event.key === "Enter" && in_line) {
      var first = results.querySelector("a");
      if (first) first.click();
      event.preventDefault();
    } else if (event.key === "Escape") {
      // Browsers would empty the line first.
      event.preventDefault();
      dialog.close();
    } else if (!in_line && event.key !== " " && event.key.length === 1 &&
               !event.ctrlKey && !event.metaKey && !event.altKey) {
      input.focus();
    }
  }

  function make_dialog() {
    dialog = element("dialog", { class: "search",
                                 "aria-label": "Search the book" });
    var line = element("div", { class: "search-line", role: "search" });
    input = element("input", {
      type: "search", "aria-label": "Words to search for",
      placeholder: "Search the book", autocomplete: "off",
      autocapitalize: "off", spellcheck: "false", enterkeyhint: "go"
    });
    var close = element("button", { type: "button" }, "Close");
    status = element("p", { class: "search-status", role: "status" });
    results = element("div", { class: "search-results" });
    line.appendChild(input);
    line.appendChild(close);
    dialog.appendChild(line);
    dialog.appendChild(status);
    dialog.appendChild(results);
    document.body.appendChild(dialog);

    input.addEventListener("input", show);
    dialog.addEventListener("keydown", on_key);
    close.addEventListener("click", function () { dialog.close(); });
    dialog.addEventListener("click", function (event) {
      // A result on this page moves the page below the dialog; a click on
      // the dialog itself is one beside its contents.
      if (event.target === dialog || event.target.closest("a"))
        dialog.close();
    });
  }

  function open() {
    if (!dialog) make_dialog();
    if (!dialog.open) dialog.showModal();
    input.focus();
    input.select();
    prepare();
  }

  var tools = document.querySelector(".top .tools");
  if (!tools || !window.HTMLDialogElement) return;
  var button = element("button", { type: "button", class: "search-open",
                                   "aria-haspopup": "dialog",
                                   "aria-keyshortcuts": "/" }, "Search");
  button.appendChild(element("kbd", { class: "hint", "aria-hidden": "true" },
                             "/"));
  button.addEventListener("click", open);
  tools.insertBefore(button, tools.firstChild);
  document.documentElement.classList.add("scripted");

  document.addEventListener("keydown", function (event) {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey ||
        event.target.closest("input, textarea, select, [contenteditable]"))
      return;
    event.preventDefault();
    open();
  });
})();
