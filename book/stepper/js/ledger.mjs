// A request as a table.
import { pieces, range } from "./numbers.mjs";

// A table of a request, lanes in its cells. Rows are wavefronts and columns
// banks, or rows 128-byte lines of memory and columns its words.
export function ledger(a) {
  const shared = a.space === "shared";
  const cells = new Map(), rows = new Map(), moved = new Set();
  const of = (x, word) => shared ? x.wavefront : Math.floor(word / 32);
  for (const x of a.lanes)
    for (const word of pieces([x], a.bytes, 4)) {
      const row = of(x, word), key = row + " " + word % 32;
      rows.set(row, 1);
      cells.set(key, [...(cells.get(key) || []), x.lane]);
      if (!shared) moved.add(row + " " + (word % 32 >> 3));
    }
  const order = [...rows.keys()].sort((x, y) => x - y);
  const n = order.length;
  return `<table class="ledger${shared && n > 1 ? " conflict" : ""}` +
    `${n > 12 ? " dense" : ""}" ` +
    `style="--rows:${n}" aria-label="The lanes of this request, by ` +
    (shared ? "wavefront and bank" : "line of 128 bytes and word in it") + `"><tr><th><span class="unseen">${shared ? "wavefront" : "byte"}` +
    `</span></th>${range(32).map((b) => `<th scope="col">${b}</th>`).join("")}</tr>` +
    order.map((row) => `<tr><th scope="row">${shared ? row + 1 : row * 128}</th>` +
      range(32).map((b) => {
        const lanes = cells.get(row + " " + b);
        return lanes ? `<td class="used" data-lanes=" ${lanes.join(" ")} ">` +
          (lanes.length === 32 ? "all" : lanes.length > 1 ? "×" + lanes.length :
            lanes[0]) + "</td>" :
          `<td${moved.has(row + " " + (b >> 3)) ? ' class="moved"' : ""}></td>`;
      }).join("") + "</tr>").join("") + "</table>";
}
