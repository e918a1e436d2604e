// Shows one page at two widths and in both themes, and collects what the
// probes in them say into <pre id="findings">.
(function () {
  "use strict";
  var page = document.documentElement.getAttribute("data-page");
  var findings = [];
  var awaited = 4;

  window.addEventListener("message", function (event) {
    event.data.errors.forEach(function (error) {
      findings.push(event.data.name + ": " + error);
    });
    awaited--;
    if (awaited > 0) return;
    var report = document.createElement("pre");
    report.id = "findings";
    report.textContent = "\n" + findings.map(function (line) {
      return "finding: " + line.replace(/\s+/g, " ") + "\n";
    }).join("") + "seen: " + page + "\n";
    document.body.appendChild(report);
  });

  ["light", "dark"].forEach(function (theme) {
    [1280, 360].forEach(function (width) {
      var frame = document.createElement("iframe");
      frame.name = page + ", " + width + " pixels, " + theme;
      frame.style.width = width + "px";
      frame.style.height = "900px";
      frame.src = theme + "-" + page;
      document.body.appendChild(frame);
    });
  });
})();
