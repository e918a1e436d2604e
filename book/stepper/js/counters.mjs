// What has been counted so far, of how much.
import { counted, counters, on_gpu } from "./totals.mjs";

export function show_counters(view, k) {
  // What is asked for must not be read off here.
  const now = view.sums[view.asked !== null ? k : k + 1];
  const past = view.at ? view.sums[view.list[view.at - 1] + 1] : {};
  const end = view.rec.counts, alike = JSON.stringify(view.rec.knobs);
  const row = ((view.scene.gpu || {}).rows || []).find((h) =>
    JSON.stringify(h.knobs) === alike);
  view.$$(".counters dd").forEach((dd, i) => {
    const names = counters[i][0];
    const v = (t) => i === 1 ? ((t.thread_instructions || 0) /
      (t.warp_instructions || 1)).toFixed(1) : counted(t, names);
    const more = i !== 1 && v(now) - v(past);
    dd.innerHTML = `<b>${v(now)}</b>${more ? ` <em>+${more}</em>` : ""}` +
      ` <span>of ${v(end)}</span>`.repeat(i !== 1) +
      (row && on_gpu.test(names) && counted(row.counts, names) ?
        ` <span class="on-gpu">${view.scene.gpu.name}: ` +
          counted(row.counts, names) + "</span>" : "");
  });
}
