// Cards: what a link leads to, shown next to it while the pointer or the focus
// rests on it. On a touch screen the first tap shows the card and the second
// follows the link. What is on this page is taken from it; what is on another
// comes from cards-data.js, which a reader's first such card loads.
(() => {
  "use strict";

  const { element, load } = window.book;
  const n_lines = 12;
  const card = element("div", { class: "card", id: "card", role: "tooltip",
                                hidden: "" });
  let shown = null;          // the link whose card is open
  let timer = null;
  let touched = false;       // the last pointer was a finger
  document.body.append(card);

  const paragraph = (text) => element("p", {}, text);

  // ---- What is on this page ------------------------------------------------

  // A copy of it without ids, links and what matches `but`.
  function copy_of(part, but) {
    const copy = part.cloneNode(true);
    copy.removeAttribute("id");
    for (const inner of copy.querySelectorAll("[id]"))
      inner.removeAttribute("id");
    unlink(copy);
    for (const inner of copy.querySelectorAll(but)) inner.remove();
    return copy;
  }

  function unlink(copy) {
    for (const link of copy.querySelectorAll("a"))
      link.replaceWith(...link.childNodes);
  }

  // The first lines of a listing, with their colours.
  function first_lines(listing) {
    const lines = [...listing.querySelectorAll("pre code")]
      .flatMap((part) => part.innerHTML.split("\n"));
    if (!lines.length) return [];
    const code = element("code", { class: "sourceCode" });
    code.innerHTML = lines.slice(0, n_lines).join("\n");
    const rest = lines.length - n_lines;
    return [element("pre", {}, copy_of(code, ".callout"),
                    rest > 0 ? `\n… ${rest} more lines` : "")];
  }

  // A drawing's ids are its own: its style names them. The copy keeps them in
  // a tree of its own.
  function drawing_of(figure) {
    const svg = figure.querySelector("svg");
    if (!svg) return [];
    const image = element("div", { "aria-hidden": "true" });
    const copy = svg.cloneNode(true);
    unlink(copy);
    copy.style.cssText = "display:block;width:100%;height:auto;max-height:12rem";
    image.attachShadow({ mode: "open" }).append(copy);
    return [image];
  }

  // What the card of an element holds, or nothing.
  function from_page(target) {
    if (target.closest(".cited")) return [paragraph(target.textContent)];
    const caption = target.querySelector(".caption, figcaption, caption");
    const label = caption ? [copy_of(caption, ".measured")] : [];
    const text = label.map((words) => paragraph(words.textContent));
    if (target.matches(".listing, .output"))
      return [...label, ...first_lines(target)];
    if (target.matches(".figure")) return [...text, ...drawing_of(target)];
    return text;
  }

  // ---- What is on another page -------------------------------------------------

  // An entry is [heading, text] or [heading, text, code].
  async function from_data(link, hash) {
    await load("cards-data.js").catch(() => { /* No card, then. */ });
    const cards = window.book_cards || {};
    const page = link.pathname.split("/").pop();
    const entry = cards[hash] || cards[page + "#" + hash];
    if (!entry) return [];
    const [heading, text, code] = entry;
    return [element("strong", {}, heading), ...(text ? [paragraph(text)] : []),
            ...(code ? [element("pre", {}, element("code", {}, code))] : [])];
  }

  // ---- Showing and hiding --------------------------------------------------------

  function hide() {
    clearTimeout(timer);
    if (!shown) return;
    shown.removeAttribute("aria-describedby");
    shown = null;
    card.hidden = true;
  }

  // Below the link, or above it where there is more space.
  function place(link) {
    const at = [...link.getClientRects()].pop() || link.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = card;
    const left = Math.min(at.left, innerWidth - width - 12);
    let top = at.bottom + 6;
    if (top + height > innerHeight && at.top > height + 12)
      top = at.top - height - 6;
    card.style.left = Math.max(12, left) + "px";
    card.style.top = Math.max(6, Math.min(top, innerHeight - height - 6)) + "px";
  }

  async function show(link) {
    const hash = decodeURIComponent(link.hash.slice(1));
    const target = link.pathname === location.pathname &&
      document.getElementById(hash);
    let inside = target ? from_page(target) : [];
    if (!inside.length) inside = await from_data(link, hash);
    if (!inside.length) return;
    hide();
    card.replaceChildren(...inside);
    card.classList.toggle("has-code", card.querySelector("pre") !== null);
    if (touched)
      card.append(element("p", { class: "hint" }, "Tap again to go there."));
    card.hidden = false;
    shown = link;
    link.setAttribute("aria-describedby", "card");
    place(link);
  }

  // Links that lead to something small: a word of the glossary, a source, a
  // listing, a figure, a table.
  const link_at = (node) => node?.closest?.(
    "main a.term, main a.ref-lst, main a.ref-fig, main a.ref-tbl, " +
    "main .citation a, main svg a.step");

  const has_card = (link) =>
    link && !(link instanceof SVGElement) && !card.contains(link);

  function later(delay, then) {
    clearTimeout(timer);
    timer = setTimeout(then, delay);
  }

  document.addEventListener("pointerdown", (event) => {
    touched = event.pointerType === "touch";
    if (!card.contains(event.target) && link_at(event.target) !== shown) hide();
  });
  document.addEventListener("mouseover", (event) => {
    const link = link_at(event.target);
    if (!touched && has_card(link) && link !== shown)
      later(250, () => show(link));
  });
  document.addEventListener("mouseout", (event) => {
    const link = link_at(event.target);
    if (!touched && link && !link.contains(event.relatedTarget) &&
        !card.contains(event.relatedTarget))
      later(150, () => { if (!card.matches(":hover")) hide(); });
  });
  card.addEventListener("mouseleave", hide);
  document.addEventListener("focusin", (event) => {
    const link = link_at(event.target);
    if (touched) return;
    if (has_card(link) && link.matches(":focus-visible")) show(link);
    else hide();
  });
  document.addEventListener("focusout", hide);
  document.addEventListener("click", (event) => {
    const link = link_at(event.target);
    if (!touched || !has_card(link) || link === shown) return;
    event.preventDefault();
    show(link);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
  // The focus may have scrolled the page, and then the card stays next to it.
  window.addEventListener("scroll", () => {
    if (!shown) return;
    const at = shown.getBoundingClientRect();
    if (shown === document.activeElement && at.bottom > 0 &&
        at.top < innerHeight) place(shown);
    else hide();
  }, { passive: true });
  window.addEventListener("resize", hide);
})();
