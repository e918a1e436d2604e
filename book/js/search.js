// The search over the whole book: a dialog that this script makes, so that
// there is none where scripts do not run. MiniSearch and the sections' texts
// (sections.js, from tools/index.py) are loaded only when a reader asks for them.
(() => {
  "use strict";

  const { element, button, load } = window.book;
  const most_results = 40;
  const context_letters = 170;

  // Words are letters and digits: thread_id, <<<blocks>>> and a.b are
  // several words each, for the text and for what is typed.
  const between_words = /[^\p{L}\p{N}]+/u;

  const input = element("input", {
    type: "search", "aria-label": "Words to search for",
    placeholder: "Search the book", autocomplete: "off",
    autocapitalize: "off", spellcheck: "false", enterkeyhint: "go"
  });
  const close = button("Close");
  const status = element("p", { class: "search-status", role: "status" });
  const results = element("div", { class: "search-results" });
  const dialog = element("dialog",
    { class: "search", "aria-label": "Search the book" },
    element("div", { class: "search-line", role: "search" }, input, close),
    status, results);
  let engine = null;      // MiniSearch over book_sections, once loaded

  // ---- What is searched ------------------------------------------------

  function make_engine() {
    const made = new MiniSearch({
      fields: ["heading", "text"],
      tokenize: (text) => text.split(between_words).filter(Boolean)
    });
    made.addAll(book_sections.sections.map(([page, , heading, text], id) =>
      ({ id, heading: heading || book_sections.pages[page][1], text })));
    return made;
  }

  async function prepare() {
    if (engine) return;
    say("Loading …");
    try {
      await Promise.all([load("minisearch.js"), load("sections.js")]);
      engine ??= make_engine();
      show();
    } catch (error) {
      say("The search cannot begin: " + error.message);
    }
  }

  // All words must be there; the last may still be being typed. What was
  // probably mistyped is only tried when nothing else is found.
  function find(query) {
    const options = { combineWith: "AND", boost: { heading: 4 },
                      prefix: (word, i, words) =>
                        i === words.length - 1 && word.length > 1 };
    const found = engine.search(query, options);
    return found.length ? found :
      engine.search(query, { ...options, fuzzy: 0.2, prefix: true });
  }

  // ---- Showing it ------------------------------------------------------

  function say(text) { status.textContent = text; }

  // The found words in a text, as an expression that also splits it.
  function expression(words) {
    const longest_first = [...words].sort((a, b) => b.length - a.length);
    return new RegExp("(?<![\\p{L}\\p{N}])(" + longest_first.join("|") +
                      ")(?![\\p{L}\\p{N}])", "giu");
  }

  const marked = (text, pattern) => text.split(pattern).map((part, i) =>
    i % 2 ? element("mark", {}, part) : part);

  // Where the found words stand closest together: the place from which the
  // most different ones fit into what is shown.
  function best_place(text, pattern) {
    const places = [...text.matchAll(pattern)].slice(0, 200);
    let best = -1, most = 0;
    for (const { index } of places) {
      const near = places.filter((other) => other.index >= index &&
                                 other.index < index + context_letters / 2);
      const n = new Set(near.map(([word]) => word.toLowerCase())).size;
      if (n > most) [most, best] = [n, index];
    }
    return best;
  }

  // Some of the text around them, cut between words.
  function context(text, pattern) {
    let from = Math.max(0, best_place(text, pattern) - context_letters / 3);
    if (from > 0) from = text.indexOf(" ", from) + 1;
    let to = from + context_letters;
    if (to < text.length) to = Math.max(text.lastIndexOf(" ", to), from + 20);
    return (from > 0 ? "… " : "") + text.slice(from, to) +
           (to < text.length ? " …" : "");
  }

  function result_item({ id, terms }) {
    const [page, label, heading, text] = book_sections.sections[id];
    const [address, title] = book_sections.pages[page];
    const pattern = expression(terms);
    return element("li", {},
      element("a", { href: address + (label ? "#" + label : "") },
        element("strong", {}, ...marked(heading || title, pattern)),
        element("span", { class: "context" },
                ...marked(context(text, pattern), pattern))));
  }

  // Chapters come in the order of their best result.
  function by_page(hits) {
    const groups = new Map();
    for (const hit of hits) {
      const [page] = book_sections.sections[hit.id];
      if (!groups.has(page)) groups.set(page, []);
      groups.get(page).push(hit);
    }
    return [...groups];
  }

  function show() {
    results.replaceChildren();
    if (!engine) return;
    const query = input.value.trim();
    if (!query) return say("Type a word, an identifier or several of them.");
    const hits = find(query), n = hits.length;
    by_page(hits.slice(0, most_results)).forEach(([page, group], i) => {
      const id = "search-" + i;
      results.append(element("h2", { id }, book_sections.pages[page][1]),
        element("ul", { "aria-labelledby": id }, ...group.map(result_item)));
    });
    results.scrollTop = 0;
    say(n === 0 ? "Nothing found." : n === 1 ? "1 section" :
        n + " sections" + (n > most_results ?
          ", the best " + most_results + " below" : ""));
  }

  // ---- Keys --------------------------------------------------------------

  // The arrows walk through the line and the results.
  function move(step) {
    const stops = [input, ...results.querySelectorAll("a")];
    const at = Math.max(0, stops.indexOf(document.activeElement)) + step;
    stops[Math.max(0, at)]?.focus();
  }

  function on_key(event) {
    const in_line = event.target === input;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      move(event.key === "ArrowDown" ? 1 : -1);
      event.preventDefault();
    } else if (event.key === "Enter" && in_line) {
      results.querySelector("a")?.click();
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

  function open() {
    if (!dialog.open) dialog.showModal();
    input.focus();
    input.select();
    prepare();
  }

  input.addEventListener("input", show);
  dialog.addEventListener("keydown", on_key);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", ({ target }) => {
    // A result on this page moves the page below the dialog; a click on
    // the dialog itself is one next to its contents.
    if (target === dialog || target.closest("a")) dialog.close();
  });
  document.body.append(dialog);

  const opener = button("Search", { class: "search-open",
    "aria-haspopup": "dialog", "aria-keyshortcuts": "/" });
  opener.append(element("kbd", { class: "hint", "aria-hidden": "true" }, "/"));
  opener.addEventListener("click", open);
  document.querySelector(".top .tools").prepend(opener);

  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey ||
        event.target.closest("input, textarea, select, [contenteditable]"))
      return;
    event.preventDefault();
    open();
  });
})();
