// Shows one page at two widths and in both themes, and collects what the
// probes in them say into <pre id="findings">.
(function () {
  "use strict";
  var page = document.documentElement.getAttribute("data-page");
  var findings = [];
  var sizes = [];

  ["light", "dark"].forEach(function (theme) {
    [1280, 360].forEach(function (width) {
      sizes.push({ theme: theme, width: width });
    });
  });

  // One after the other: there is one keyboard focus for all of them.
  function show_next() {
    var size = sizes.shift();
    if (!size) {
      report();
      return;
    }
    var frame = document.createElement("iframe");
    frame.name = page + ", " + size.width + " pixels, " + size.theme;
    frame.style.width = size.width + "px";
    frame.style.height = "900px";
    frame.src = size.theme + "-" + page;
    document.body.textContent = "";
    document.body.appendChild(frame);
  }

  function report() {
    var made = document.createElement("pre");
    made.id = "findings";
    made.textContent = "\n" + findings.map(function (line) {
      return "finding: " + line.replace(/\s+/g, " ") + "\n";
    }).join("") + "seen: " + page + "\n";
    document.body.appendChild(made);
  }

  window.addEventListener("message", function (event) {
    event.data.errors.forEach(function (error) {
      findings.push(event.data.name + ": " + error);
    });
    show_next();
  });
  show_next();
})();
