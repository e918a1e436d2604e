// All steps that are followed, as a picture.
import { ones } from "./numbers.mjs";
import { is_barrier, line_of, price } from "./steps.mjs";

const kind = (rec, k) => {
  const a = rec.steps[k].access;
  return a ? a.space === "shared" ? price(a).cost > price(a).least ? "conflict" :
    "shared" : "global" : is_barrier(rec, k) ? "barrier" : "plain";
};

export function draw_timeline(view) {
  view.columns = Math.min(view.list.length, 1200) || 1;
  const d = {};
  for (let c = 0; c < view.columns; c++) {
    const from = Math.floor(c * view.list.length / view.columns);
    const to = Math.max(from + 1, Math.floor((c + 1) * view.list.length / view.columns));
    const k = view.list.slice(from, to).find((i) => view.rec.steps[i].access) ??
      view.list[from];
    if (k === undefined) continue;
    const high = is_barrier(view.rec, k) ? 32 :
      Math.max(.7, ones(view.rec.steps[k].executed));
    d[kind(view.rec, k)] = (d[kind(view.rec, k)] || "") + `M${c} 33v-${high}h.86v${high}z`;
  }
  const svg = view.$(".timeline svg");
  svg.setAttribute("viewBox", `0 0 ${view.columns} 34`);
  svg.innerHTML = Object.entries(d).map(([name_, path]) =>
    `<path class="k-${name_}" d="${path}"/>`).join("") +
    view.found.map(({ k }) => view.list.indexOf(k)).filter((i) => i >= 0).map((i) =>
      `<path class="of-report" d="M${column_of(view, i)} 0h1l-.5 9z"/>`).join("") +
    '<path class="of-line"/><rect class="cursor" y="0" width="1" height="34"/>';
}

export const column_of = (view, place) =>
  Math.floor(place * view.columns / view.list.length);

// The instructions of a source line.
export function mark_line(view, line) {
  view.$(".of-line").setAttribute("d", view.list.map((k, i) =>
    line_of(view.rec, k) === line ? `M${column_of(view, i)} 33v1h1v-1z` : "")
    .join(""));
}
