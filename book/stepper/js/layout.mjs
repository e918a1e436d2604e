// What the panel consists of.
import { range } from "./numbers.mjs";
import { counters } from "./totals.mjs";

const buttons = [["home", "|◀", "To the start"],
  ["memory_back", "◀◀", "Last memory access"], ["line_back", "◀", "A line back"],
  ["line", "Line ▶"], ["step", "Instruction ▶"], ["memory", "Memory ▶▶"],
  ["end", "▶|", "To the end"], ["play", "Play"]];
export const keys = { ArrowLeft: "line_back", ArrowRight: "line", ArrowUp: "back",
  ArrowDown: "step", PageUp: "memory_back", PageDown: "memory", Home: "home",
  End: "end", " ": "play", Escape: "close" };

// The key of an action.
const key_of = (action) =>
  Object.keys(keys).find((key) => keys[key] === action).replace(" ", "Space");

const safe = (text) => String(text).replace(/[&<>"]/g,
  (c) => "&#" + c.charCodeAt(0) + ";");

function element_of(text) {
  const t = document.createElement("template");
  t.innerHTML = text.trim();
  return t.content.firstChild;
}

function knob(k) {
  const options = k.values || [], shown = (v) => safe((k.names || {})[v] || v);
  return `<label>${safe(k.label || k.name)} ` + (k.values ?
    `<select data-knob="${k.name}">` + options.map((v) =>
      `<option value="${safe(v)}">${shown(v)}</option>`).join("") + "</select>" :
    `<input type="range" data-knob="${k.name}" min="${k.min}" max="${k.max}" ` +
    `step="${k.step || 1}"><output></output>`) + "</label>";
}

const head = (kernel, scene) => `<div class="step-head">
  <b>${safe(kernel)}</b> <span class="badge"></span>
  ${scene.knobs.map(knob).join("")}
  ${scene.breaks.map((b) => `<button type="button" data-break="${b.name}"
    aria-pressed="false">${safe(b.label)}</button>`).join("")}
  <button type="button" data-do="as_book">As in the book</button>
  <button type="button" data-do="cancel">Cancel</button>
  <button type="button" data-do="close" aria-label="Close the panel">✕</button></div>`;

const state = `<div class="step-state">
  <div class="step-who"><span class="of"></span><p class="pinned"><label>Lane
    <select data-do="pin"><option value="-1">none</option>
    ${range(32).map((i) => `<option>${i}</option>`).join("")}</select></label>
    <span></span></p></div>
  <p class="row"><span class="warp-name"></span><span class="op"></span></p>
  <div class="lanes32" role="img">${range(32).map((i) =>
    `<i data-lane="${i}">${i}</i>`).join("")}</div>
  <div class="strips" role="group" aria-label="Warps of the block"></div>
  <p class="row"><span class="where"></span><span class="cost"></span></p>
  <div class="request"></div>
  <form class="predict"><label><span></span> <input type="number" min="0" max="64"
    required></label> <button>Check</button> <button type="button"
    data-do="reveal">Show me</button></form>
  <p class="row"><span class="array-name"></span></p><div class="array" tabindex="0"
    role="group" aria-label="Elements of the array"></div>
  </div>`;

const timeline = `<div class="timeline"><div class="track"><svg aria-hidden="true"
  preserveAspectRatio="none"></svg>
  <input type="range" min="1" aria-label="Step"></div><p class="key"><span
  class="k-global">global memory</span> <span class="k-shared">shared memory</span>
  <span class="k-conflict">bank conflict</span> <span class="k-barrier">barrier</span>
  <span>height: lanes that execute</span></p></div>`;

const foot = `<div class="step-foot">${timeline}<p class="say"></p><div class="step-bar">
  ${buttons.map(([d, text, label]) => `<button type="button" data-do="${d}"` +
    (label ? ` aria-label="${label}"` : "") + ` title="${key_of(d)}">${text}</button>`)
    .join("")}
  <button type="button" data-do="predict" aria-pressed="false">Predict</button>
  <span class="place-of"><output class="place"></output> <span></span></span>
  <output class="score"></output></div></div>`;

// The panel of a kernel, as an element.
export const panel_of = (kernel, scene) => element_of(
  `<div class="step" role="group" tabindex="-1" aria-label="Step ${safe(kernel)}">
  ${head(kernel, scene)}
  <p class="step-question">${safe(scene.question || "")}</p>
  <form class="ask"><span class="ask-text"></span> <span class="ask-field"></span>
  <button>Check</button> <button type="button" data-do="show_answer">Show me</button>
  <button type="button" data-do="next_ask">Next question</button>
  <output class="ask-said"></output></form>
  <div class="step-report" role="status"></div>
  <div class="step-body"><div class="step-code"><p class="of-code">Beside each line:
    its number, and the instructions of it so far</p></div>${state}
  <dl class="counters">${counters.map(([, label]) =>
    `<div><dt>${label}</dt><dd></dd></div>`).join("")}</dl></div>
  ${foot}</div>`);
