// Runs inside of a page under test: tells the page around it what axe-core
// finds, whether the page is wider than its window, and errors of scripts.
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

  window.addEventListener("load", function () {
    document.querySelectorAll("details").forEach(function (part) {
      part.open = true;
    });
    var wide = document.documentElement.scrollWidth - window.innerWidth;
    if (wide > 0) errors.push("the page is " + wide + " pixels too wide");
    axe.run(document).then(function (result) {
      result.violations.forEach(function (violation) {
        errors = errors.concat(place(violation));
      });
      parent.postMessage({ name: window.name, errors: errors }, "*");
    });
  });
})();
