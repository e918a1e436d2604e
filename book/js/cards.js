// Cards: what a link leads to, shown beside it while the pointer or the focus
// rests on it. On a touch screen the first tap shows the card and the second
// follows the link. What is on this page is taken from it; what is on another
// comes from cards-data.js, which a reader's first such card loads.
(function () {
  "use strict";

  var shown = null;          // the link whose card is open
  var timer = null;
  var touched = false;       // the last pointer was a finger
  var n_lines = 12;
  var card = document.createElement("div");
  card.className = "card";
  card.id = "card";
  card.hidden = true;
  card.setAttribute("role", "tooltip");
  document.body.appendChild(card);

  function add(tag, text, where) {
    var made = document.createElement(tag);
    made.textContent = text;
    (where || card).appendChild(made);
    return made;
  }

  // ---- What is on this page ------------------------------------------------

  function clean(copy) {
    copy.removeAttribute("id");
    copy.querySelectorAll("[id]").forEach(function (part) {
      part.removeAttribute("id");
    });
    copy.querySelectorAll("a").forEach(function (link) {
      link.replaceWith.apply(link, Array.prototype.slice.call(link.childNodes));
    });
    return copy;
  }

  // The first lines of a listing, with their colours.
  function add_code(listing) {
    var code = listing.querySelector("pre code");
    var pre = document.createElement("pre");
    if (!code) return;
    var all = Array.prototype.map.call(listing.querySelectorAll("pre code"),
      function (part) { return part.innerHTML; }).join("\n").split("\n");
    var made = document.createElement("code");
    made.className = "sourceCode";
    made.innerHTML = all.slice(0, n_lines).join("\n");
    pre.appendChild(clean(made));
    made.querySelectorAll(".callout").forEach(function (mark) {
      mark.remove();
    });
    if (all.length > n_lines)
      pre.appendChild(document.createTextNode(
        "\n… " + (all.length - n_lines) + " more lines"));
    card.appendChild(pre);
    card.classList.add("has-code");
  }

  // A drawing's ids are its own: its style names them. The copy keeps them in
  // an image.
  function add_drawing(figure) {
    var svg = figure.querySelector("svg");
    if (!svg) return;
    var image = document.createElement("div");
    var root = image.attachShadow ? image.attachShadow({ mode: "open" }) : null;
    if (!root) return;
    var copy = svg.cloneNode(true);
    copy.querySelectorAll("a").forEach(function (link) {
      link.replaceWith.apply(link, Array.prototype.slice.call(link.childNodes));
    });
    copy.style.cssText = "display:block;width:100%;height:auto;max-height:12rem";
    root.appendChild(copy);
    image.setAttribute("aria-hidden", "true");
    card.appendChild(image);
  }

  function from_page(target) {
    var label = target.querySelector(".caption, figcaption, caption");
    if (target.closest(".cited")) {
      add("p", target.textContent);
      return true;
    }
    if (target.matches(".listing, .output")) {
      if (label) card.appendChild(clean(label.cloneNode(true)));
      add_code(target);
      return true;
    }
    if (target.matches(".figure")) {
      if (label) {
        var words = clean(label.cloneNode(true));
        words.querySelectorAll(".measured").forEach(function (part) {
          part.remove();
        });
        add("p", words.textContent);
      }
      add_drawing(target);
      return true;
    }
    if (label) {
      add("p", label.textContent);
      return true;
    }
    return false;
  }

  // ---- What is on another page -------------------------------------------------

  var waiting = null;

  function load(done) {
    if (window.book_cards) return done(window.book_cards);
    if (waiting) return waiting.push(done);
    waiting = [done];
    var script = document.createElement("script");
    script.src = "cards-data.js";
    script.onload = script.onerror = function () {
      var calls = waiting;
      waiting = null;
      if (window.book_cards)
        calls.forEach(function (call) { call(window.book_cards); });
    };
    document.head.appendChild(script);
  }

  // An entry is [heading, text] or [heading, text, code].
  function from_data(entry) {
    if (!entry) return false;
    add("strong", entry[0]);
    if (entry[1]) add("p", entry[1]);
    if (entry[2]) {
      add("code", entry[2], add("pre", ""));
      card.classList.add("has-code");
    }
    return true;
  }

  // ---- Showing and hiding --------------------------------------------------------

  function hide() {
    clearTimeout(timer);
    if (!shown) return;
    shown.removeAttribute("aria-describedby");
    shown = null;
    card.hidden = true;
  }

  // Below the link, or above it where there is more room.
  function place(link) {
    var rects = link.getClientRects();
    var at = rects[rects.length - 1] || link.getBoundingClientRect();
    var width = card.offsetWidth, height = card.offsetHeight;
    var left = Math.min(at.left, window.innerWidth - width - 12);
    var below = at.bottom + 6;
    if (below + height > window.innerHeight && at.top > height + 12)
      below = at.top - height - 6;
    card.style.left = Math.max(12, left) + "px";
    card.style.top = Math.max(6, Math.min(below,
      window.innerHeight - height - 6)) + "px";
  }

  function reveal(link, filled) {
    if (!filled) return;
    if (touched) add("p", "Tap again to go there.").className = "hint";
    hide();
    card.hidden = false;
    shown = link;
    link.setAttribute("aria-describedby", "card");
    place(link);
  }

  function empty() {
    card.textContent = "";
    card.classList.remove("has-code");
  }

  function show(link) {
    var hash = decodeURIComponent(link.hash.slice(1));
    var here = link.pathname === location.pathname;
    if (here) {
      var target = document.getElementById(hash);
      if (!target || shown === link) return;
      empty();
      var filled = from_page(target);
      if (filled) return reveal(link, true);
    }
    load(function (cards) {
      var page = link.pathname.split("/").pop();
      empty();
      reveal(link, from_data(cards[hash] || cards[page + "#" + hash]));
    });
  }

  // Links that lead to something small: a word of the glossary, a source, a
  // listing, a figure, a table.
  function link_at(node) {
    return node && node.closest && node.closest(
      "main a.term, main a.ref-lst, main a.ref-fig, main a.ref-tbl, " +
      "main .citation a, main svg a.step");
  }

  function has_card(link) {
    return link && !(link instanceof SVGElement) && !card.contains(link);
  }

  document.addEventListener("pointerdown", function (event) {
    touched = event.pointerType === "touch";
    if (!card.contains(event.target) && link_at(event.target) !== shown) hide();
  });
  document.addEventListener("mouseover", function (event) {
    var link = link_at(event.target);
    if (touched || !has_card(link) || link === shown) return;
    clearTimeout(timer);
    timer = setTimeout(function () { show(link); }, 250);
  });
  document.addEventListener("mouseout", function (event) {
    var link = link_at(event.target);
    if (touched || !link || link.contains(event.relatedTarget) ||
        card.contains(event.relatedTarget)) return;
    clearTimeout(timer);
    timer = setTimeout(function () {
      if (!card.matches(":hover")) hide();
    }, 150);
  });
  card.addEventListener("mouseleave", hide);
  document.addEventListener("focusin", function (event) {
    var link = link_at(event.target);
    if (touched) return;
    if (has_card(link) && link.matches(":focus-visible")) show(link);
    else hide();
  });
  document.addEventListener("focusout", hide);
  document.addEventListener("click", function (event) {
    var link = link_at(event.target);
    if (!touched || !has_card(link) || link === shown) return;
    event.preventDefault();
    show(link);
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") hide();
  });
  // The focus may have scrolled the page, and then the card stays beside it.
  window.addEventListener("scroll", function () {
    if (!shown) return;
    var at = shown.getBoundingClientRect();
    if (shown === document.activeElement && at.bottom > 0 &&
        at.top < window.innerHeight) place(shown);
    else hide();
  }, { passive: true });
  window.addEventListener("resize", hide);
})();
