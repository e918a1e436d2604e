// Runs inside of a page under test: tells the page around it what axe-core
// finds, whether the page is wider than its window, errors of scripts, and
// whether the search finds, shows and obeys the keyboard, and the slider below
// an access map says what a lane does, and the contents of a phone keep the
// focus.
(function () {
  "use strict";
  var errors = [];
  window.addEventListener("error", function (event) {
    errors.push("script: " + event.message);
  });

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

  function axe_findings(where) {
    return axe.run(where).then(function (result) {
      result.violations.forEach(function (violation) {
        errors = errors.concat(place(violation));
      });
    });
  }

  function press(key) {
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown",
      { key: key, bubbles: true, cancelable: true }));
  }

  function wait_for(holds, what) {
    return new Promise(function (resolve) {
      var tries = 0;
      (function look() {
        if (holds() || ++tries > 200) {
          expect(holds(), what);
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

  function try_search() {
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
      return axe_findings(dialog);
    }).then(function () {
      press("Escape");
      expect(!dialog.open, "Escape does not close it");
    });
  }

  function try_lanes() {
    document.querySelectorAll(".spots").forEach(function (group) {
      if (!group.closest(".figure").querySelector(".lane-reader"))
        errors.push("lanes: a drawing of lanes without a slider");
    });
    document.querySelectorAll(".lane-reader").forEach(function (reader) {
      var slider = reader.querySelector("input");
      var figure = reader.closest(".figure");
      var last = 0;
      figure.querySelectorAll(".spots title").forEach(function (title) {
        last = Math.max(last, Number(title.textContent.match(/\d+/)[0]));
      });
      slider.value = last;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      var lit = figure.querySelectorAll(".spots circle.on");
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

  window.addEventListener("load", function () {
    document.querySelectorAll("details").forEach(function (part) {
      part.open = true;
    });
    try_lanes();
    too_wide("the page");
    axe_findings(document).then(try_contents).then(try_search).catch(function (error) {
      errors.push("script: " + error);
    }).then(function () {
      parent.postMessage({ name: window.name, errors: errors }, "*");
    });
  });
})();
