// From step to step: by hand, by itself, and to another warp or lane.
import { choose } from "./follow.mjs";
import { set_state, show, still } from "./show.mjs";
import { is_request, place_of } from "./steps.mjs";

export const predicting = (view) =>
  view.act("predict").getAttribute("aria-pressed") === "true";

const is_asked = (view, k) => {
  const { access: a, code: c } = view.rec.steps[k];
  return is_request(view.rec, k) &&
    (!(view.scene.predict || []).length ||
      view.scene.predict.includes(view.rec.code[c].line));
};

// Forward while predicting, the next request is asked about first.
export function go(view, to) {
  to = Math.max(0, Math.min(view.list.length - 1, to));
  if (view.asked !== null) view.asked = null;
  if (predicting(view) && to > view.at) {
    const next = view.list.findIndex((k, i) => i > view.at && i <= to && is_asked(view, k));
    if (next >= 0) {
      view.asked = next;
      to = next;
      stop(view);
    }
  }
  view.at = to;
  show(view);
  if (view.asked !== null) view.$(".predict input").focus();
}

// Where from here, in steps of `step`, something holds of a step.
const find = (view, step, holds) => {
  for (let i = view.at + step; i >= 0 && i < view.list.length; i += step)
    if (holds(view.list[i])) return i;
  return step < 0 ? 0 : view.list.length - 1;
};

export function stop(view) {
  if (!view.timer) return;
  clearInterval(view.timer);
  view.timer = 0;
  set_state(view, view.base_state);
  show(view);
}

function play(view) {
  if (view.timer || still()) return stop(view);
  if (view.at === view.list.length - 1) view.at = 0;
  view.timer = setInterval(() => {
    if (view.at >= view.list.length - 1) stop(view);
    else moves.line(view);
  }, 350);
  set_state(view, "playing");
}

// The same moment, seen from another warp.
export function follow_warp(view, warp, block = view.follow.block) {
  const k = view.list[view.at];
  view.follow = { block, warp };
  choose(view);
  view.at = Math.max(0, view.list.findLastIndex((i) => i <= k));
  view.asked = null;
  show(view);
}

export function set_pin(view, lane) {
  view.pin = lane;
  view.act("pin").value = lane;
  show(view);
}

// The listing shows the line of this step.
const is_listed = (view) => (k) => {
  const { file, line } = place_of(view.rec, k);
  return view.rec.files[file] === view.file && line in view.lines;
};
const request = (view) => (k) => is_request(view.rec, k);

// Where a panel opens: a line of its listing, best of all one that asks for memory.
export const first_request = (view) => {
  const listed = is_listed(view);
  const first = (holds) => view.list.findIndex((k, i) => listed(k) && holds(k, i));
  const found = first(request(view));
  return found >= 0 ? found : Math.max(0, first((_, i) => view.stops.includes(i)));
};

// What buttons and keys do, by name.
export const moves = {
  home: (view) => go(view, 0),
  end: (view) => go(view, view.list.length - 1),
  back: (view) => go(view, view.at - 1),
  step: (view) => go(view, view.at + 1),
  line: (view) => go(view, view.stops.find((i) => i > view.at) ?? Infinity),
  line_back: (view) => go(view, view.stops.findLast((i) => i < view.at) ?? 0),
  memory: (view) => go(view, find(view, 1, request(view))),
  memory_back: (view) => go(view, find(view, -1, request(view))),
  play,
  predict(view) {
    view.act("predict").setAttribute("aria-pressed", !predicting(view));
    view.asked = null;
    show(view);
  },
  reveal(view) {
    view.asked = null;
    show(view);
    view.act("memory").focus();
  },
};
