// The listing's own code in the panel: its lines, how often they ran, where it is.
import { place_of } from "./steps.mjs";

function split_lines(view, element) {
  let n = Number(element.dataset.firstLine);
  view.lines = {};
  view.shown = element;
  element.tabIndex = 0;
  element.querySelectorAll("details").forEach((fold) => { fold.open = true; });
  element.querySelectorAll("code").forEach((part) => {
    part.innerHTML = part.innerHTML.split("\n").map((text) =>
      `<span class="l" data-n="${n++}">${text}</span>`).join("\n");
    part.querySelectorAll(".l").forEach((l) => view.lines[l.dataset.n] = l);
  });
}

// The code moves into the panel, line by line, until give_back.
export function take_listing(view) {
  view.code.before(view.panel);
  view.$(".step-code").append(view.code);
  view.listing.classList.add("stepping");
  view.code.querySelectorAll("details").forEach((fold) =>
    view.before.push([fold, "open", fold.open]));
  view.code.querySelectorAll("code").forEach((part) =>
    view.before.push([part, "innerHTML", part.innerHTML]));
  split_lines(view, view.code);
}

export function give_back(view) {
  view.before.forEach(([element, key, value]) => { element[key] = value; });
  view.panel.replaceWith(view.code);
  view.code.tabIndex = 0;
  view.code.hidden = false;
  view.listing.classList.remove("stepping");
}

// A variant may be another listing of the page: a copy of it is shown.
export function show_listing(view) {
  view.$(".step-head b").textContent = view.rec.kernel;
  const knob = view.scene.knobs.find((k) => (k.listings || {})[view.rec.knobs[k.name]]);
  const label = knob ? knob.listings[view.rec.knobs[knob.name]] : view.listing.id;
  if (view.shown !== view.code) view.shown.remove();
  view.code.hidden = false;
  view.$$(".instead").forEach((line) => line.remove());
  view.code.querySelectorAll(".l").forEach((l) => l.replaceWith(...l.childNodes));
  split_lines(view, view.code);
  const other = label !== view.listing.id && document.getElementById(label);
  if (!other) return;
  const copy = other.querySelector("div.sourceCode").cloneNode(true);
  copy.querySelectorAll("[id]").forEach((part) => part.removeAttribute("id"));
  view.code.hidden = true;
  view.code.after(copy);
  split_lines(view, copy);
}

// The variants' part of a program's name.
const stem = (scene, knobs) => scene.knobs.filter((k) => k.kind === "variant")
  .map((k) => knobs[k.name]).join(".") || "plain";

// The line of a break in the variant that the knobs choose; none: it has none.
export const broken_line = (view, b, knobs) =>
  b.lines ? b.lines[stem(view.scene, knobs) + "." + b.name] : b.line;

// A line that a break has replaced is struck through, and what is there now is below
// it; where a break only leaves something out, nothing is.
function show_edit(view, edit) {
  view.$$(".instead").forEach((line) => line.remove());
  const l = edit && view.lines[broken_line(view, edit, view.rec.knobs)];
  const old = l ? l.textContent : "", now = old.replace(edit?.replace, () => edit.with);
  if (!l || !edit.replace || now === old || !now.replace(/[\s;{}]/g, "")) return;
  l.append(window.book.element("span", { class: "instead" },
    window.book.element("span", {}, now)));
}

export function show_code(view, k) {
  const hits = {};
  for (let i = 0; i <= view.at; i++) {
    const c = view.rec.code[view.rec.steps[view.list[i]].code];
    if (view.rec.files[c.file] === view.file) hits[c.line] = (hits[c.line] || 0) + 1;
  }
  const now = place_of(view.rec, k);
  const broken = view.rec.report ? view.rec.report.lines || [view.rec.report.line] : [];
  const edit = view.scene.breaks.find((b) => b.name === view.rec.knobs.break);
  show_edit(view, edit);
  for (const n in view.lines) {
    const l = view.lines[n];
    const is_now = view.rec.files[now.file] === view.file && now.line === +n;
    l.dataset.hits = hits[n] || "";
    l.classList.toggle("now", is_now);
    l.classList.toggle("bad", broken.includes(+n));
    l.classList.toggle("gone", !!edit && broken_line(view, edit, view.rec.knobs) === +n);
    if (is_now && view.shown.scrollHeight > view.shown.clientHeight)
      view.shown.scrollTop = l.offsetTop - view.shown.clientHeight / 2;
  }
}
