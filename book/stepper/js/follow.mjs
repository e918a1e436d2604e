// Which warps are followed, and what the reader can choose among.
import { range, sum } from "./numbers.mjs";
import { stops_of, warps } from "./steps.mjs";
import { draw_timeline } from "./timeline.mjs";

export function choose(view) {
  view.list = [];
  view.rec.steps.forEach((s, i) => {
    if (s.block === view.follow.block &&
        (view.follow.warp < 0 || s.warp === view.follow.warp)) view.list.push(i);
  });
  view.stops = stops_of(view.rec, view.list);
  const range_ = view.$(".timeline input");
  range_.max = view.list.length;
  const blocks = sum(view.rec.grid), n = warps(view.rec);
  const option = (v, text, chosen) =>
    `<option value="${v}"${v === chosen ? " selected" : ""}>${text}</option>`;
  view.$(".step-who .of").innerHTML = (blocks > 1 ?
    `<label>Block <select data-of="block">` +
    range(blocks).map((b) => option(b, b, view.follow.block)).join("") +
    "</select></label> " : "") + (n > 1 ?
    `<label>Follow <select data-of="warp">` + option(-1, "all warps", view.follow.warp) +
    range(n).map((w) => option(w, "warp " + w, view.follow.warp)).join("") +
    "</select></label>" : "");
  view.$(".strips").innerHTML = n > 1 ? range(Math.min(n, 32)).map((w) =>
    `<button type="button" data-warp="${w}"><b>${w}</b> <span></span></button>`)
    .join("") : "";
  draw_timeline(view);
}
