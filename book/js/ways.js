// Ways through the book: where a reader stopped, keys, links to listings.
// Loaded by every page after book.js; without it nothing is missing but this.
(() => {
  "use strict";

  const { element, button } = window.book;
  const main = document.querySelector("main");
  const kept = "place";     // what localStorage has it under
  const wait = 400;         // milliseconds without a scroll, until it is kept

  // ---- Where a reader stopped ---------------------------------------------

  const page_name = location.pathname.split("/").pop() || "index.html";
  const text_of = (heading) => heading.textContent.replace(/\s+/g, " ").trim();

  // Without a place to keep it in (some browsers have none for pages from a
  // disk), nothing is kept, and nothing offered.
  function read_place() {
    try {
      const place = JSON.parse(localStorage.getItem(kept));
      const good = place && /^[\w.-]+\.html(#.*)?$/.test(place.href) && place.title;
      return good ? place : null;
    } catch {
      return null;
    }
  }

  function keep_place(heading) {
    const href = page_name + (heading.id ? "#" + heading.id : "");
    try {
      localStorage.setItem(kept, JSON.stringify({ href, title: text_of(heading) }));
    } catch { /* See above. */ }
  }

  // A chapter's section counts once its reader has scrolled into it.
  function follow_place() {
    const headings = [...main.querySelectorAll("h1, h2[id], h3[id]")];
    let timer;
    window.addEventListener("scroll", () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const heading = headings.findLast((one) =>
          one.getBoundingClientRect().top < innerHeight / 2);
        if (heading) keep_place(heading);
      }, wait);
    }, { passive: true });
  }

  function offer_place() {
    const place = read_place();
    const ways = document.querySelector(".start-here p");
    if (!place || !ways) return;
    ways.append(" ", element("a", { href: place.href, class: "continue" },
                             "Continue at " + place.title));
  }

  // ---- Links to listings, figures and tables -------------------------------

  function add_link_button(block) {
    const header = block.querySelector(".listing-header");
    if (!header) return;
    const link = button("Copy link", { class: "link", "aria-live": "polite" });
    link.addEventListener("click", async () => {
      const address = location.href.replace(/#.*/, "") + "#" + block.id;
      let said = "Copied";
      try {
        await navigator.clipboard.writeText(address);
      } catch {
        // No clipboard here: the address is at least in the browser's line.
        history.replaceState(null, "", "#" + block.id);
        said = "In the address";
      }
      link.textContent = said;
      setTimeout(() => { link.textContent = "Copy link"; }, 1600);
    });
    header.append(link);
  }

  // ---- Keys -----------------------------------------------------------------

  const keys = [
    ["/", "search the book"],
    ["→", "next page"],
    ["←", "previous page"],
    ["?", "show these keys"],
    ["Esc", "close what is open over the page"],
  ];
  const stepper_keys = [
    ["→ ←", "one step forward or back"],
    ["↓ ↑", "one line of the listing"],
    ["Page ↓ ↑", "the next or previous access to memory"],
    ["Home End", "first or last step"],
  ];
  let dialog;

  function rows(list) {
    return element("dl", {}, ...list.flatMap(([key, does]) =>
      [element("dt", {}, element("kbd", {}, key)), element("dd", {}, does)]));
  }

  function show_keys() {
    if (!dialog) {
      const close = button("Close", { class: "close" });
      close.addEventListener("click", () => dialog.close());
      dialog = element("dialog", { class: "keys", "aria-labelledby": "keys-title" },
        element("h2", { id: "keys-title" }, "Keys"), rows(keys),
        element("h3", {}, "In a listing that is being stepped"),
        rows(stepper_keys), close);
      dialog.addEventListener("click", (event) => {
        if (event.target === dialog) dialog.close();
      });
      document.body.append(dialog);
    }
    if (!dialog.open) dialog.showModal();
  }

  function add_keys_button() {
    const ask = button("?", { class: "ask", "aria-label": "Keys", title: "Keys" });
    ask.addEventListener("click", show_keys);
    document.querySelector(".top .tools").append(ask);
  }

  // What has the focus may use keys itself: fields, the stepper, code that scrolls.
  function is_taken(target) {
    return target.closest?.("input, select, textarea, summary, dialog, .step, " +
      "[contenteditable], [data-scrolls][tabindex], #contents, video, audio");
  }

  function turn_page(relation) {
    const link = document.querySelector(`head link[rel="${relation}"]`);
    if (link) location.href = link.href;
  }

  function listen() {
    document.addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey ||
          is_taken(event.target) || document.querySelector("dialog[open]")) return;
      if (event.key === "?") show_keys();
      else if (event.shiftKey) return;
      else if (event.key === "ArrowRight") turn_page("next");
      else if (event.key === "ArrowLeft") turn_page("prev");
      else return;
      event.preventDefault();
    });
  }

  if (document.body.classList.contains("index")) offer_place();
  else follow_place();
  document.querySelectorAll("div.listing[id]").forEach(add_link_button);
  add_keys_button();
  listen();
})();
