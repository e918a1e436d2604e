// What the reader does with keys, pointer and fields.
import { check_ask } from "./asks.mjs";
import { keys } from "./layout.mjs";
import { broken_line } from "./listing.mjs";
import { follow_warp, go, set_pin } from "./moves.mjs";
import { run } from "./runs.mjs";
import { sentence } from "./sentence.mjs";
import { show } from "./show.mjs";
import { price } from "./steps.mjs";
import { mark_line } from "./timeline.mjs";

function hear_keys(view, actions) {
  view.panel.addEventListener("keydown", (event) => {
    const own = event.target.closest("input,select");
    const action = keys[event.key];
    if (!action || event.ctrlKey || event.altKey || event.metaKey ||
        action !== "close" && (own && !own.matches(".timeline input") ||
          event.key === " " && event.target.closest("button,input"))) return;
    event.preventDefault();
    actions[action](view);
  });
}

function hear_clicks(view, actions) {
  view.panel.addEventListener("click", (event) => {
    const target = event.target.closest("[data-do],[data-warp],[data-break],[data-lane]");
    if (!target || target.tagName === "SELECT") return;
    const { do: action, warp, break: broken, lane } = target.dataset;
    if (action) actions[action](view);
    else if (warp) follow_warp(view, Number(warp));
    else if (lane) set_pin(view, view.pin === Number(lane) ? -1 : Number(lane));
    else if (broken) {
      if (view.wanted.break === broken) delete view.wanted.break;
      else view.wanted.break = broken;
      run(view);
    }
  });
}

function hear_fields(view) {
  view.panel.addEventListener("change", ({ target }) => {
    const { knob: key, of: what } = target.dataset;
    if (key) {
      view.wanted[key] = typeof view.book.knobs[key] === "number" ? Number(target.value) :
        target.value;
      const edit = view.scene.breaks.find((b) => b.name === view.wanted.break);
      if (edit && !broken_line(view, edit, view.wanted)) delete view.wanted.break;
      run(view);
    } else if (what === "warp") follow_warp(view, Number(target.value));
    else if (what === "block") follow_warp(view, view.follow.warp, Number(target.value));
    else if (target.dataset.do === "pin") set_pin(view, Number(target.value));
  });
}

function hear_sliders(view) {
  view.panel.addEventListener("input", ({ target }) => {
    if (target.matches(".timeline input")) go(view, target.value - 1);
    else if (target.matches("[type=range]")) target.nextSibling.textContent = target.value;
  });
}

function hear_predictions(view) {
  view.$(".predict").addEventListener("submit", (event) => {
    event.preventDefault();
    const said = Number(view.$(".predict input").value);
    const ask = view.rec.steps[view.list[view.asked]].access, p = price(ask);
    view.answers++;
    if (said === p.cost) view.right++;
    view.asked = null;
    show(view);
    view.$(".say").textContent = (said === p.cost ? "Right. " : `Not ${said}. `) +
      sentence(view.rec, view.list[view.at]);
    view.$(".predict input").value = "";
    view.act("memory").focus();
  });
}

function hear_answers(view) {
  view.$(".ask").addEventListener("submit", (event) => {
    event.preventDefault();
    check_ask(view);
  });
}

function hear_timeline(view) {
  view.$(".timeline svg").addEventListener("pointerdown", (event) => {
    const svg = event.currentTarget;
    const move = ({ clientX }) => {
      const box = svg.getBoundingClientRect();
      go(view, Math.floor((clientX - box.left) / box.width * view.list.length));
    };
    svg.setPointerCapture(event.pointerId);
    svg.onpointermove = move;
    svg.onpointerup = svg.onpointercancel = () => { svg.onpointermove = null; };
    move(event);
  });
}

// `actions`: what buttons and keys do, by name.
export function listen(view, actions) {
  hear_keys(view, actions);
  hear_clicks(view, actions);
  hear_fields(view);
  hear_sliders(view);
  hear_predictions(view);
  hear_answers(view);
  hear_timeline(view);
  // A line's instructions, in the timeline.
  view.$(".step-code").addEventListener("mouseover", (event) => {
    const l = event.target.closest(".l");
    if (l) mark_line(view, Number(l.dataset.n));
  });
}
