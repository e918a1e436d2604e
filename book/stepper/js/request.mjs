// The last request to memory: its banks or lines, and the array that it touched.
import { ledger } from "./ledger.mjs";
import { memory, short, size_of, upper } from "./memory.mjs";
import { count, pieces, range } from "./numbers.mjs";
import { name_of, price } from "./steps.mjs";

const last_access = (view) => {
  for (let i = view.at; i >= 0; i--)
    if (view.rec.steps[view.list[i]].access) return view.list[i];
  return -1;
};

// How many elements of an array a row has: as many of 32, 16, 8 … as
// fit side by side.
const MOST_ELEMENTS = 2048, DIGIT = 5.6;   // pixels

function per_row(view, texts) {
  const widest = Math.max(...texts.map((text) => text.length)) * DIGIT + 1;
  const room = view.$(".step-state").clientWidth - 60;
  let n = 32;
  while (n > 4 && n * widest > room) n /= 2;
  return n;
}

function show_array(view, a, i, k) {
  const box = view.$(".array"), name = upper(name_of(view.rec, a));
  const where = a.space === "shared" ? view.rec.shared : a.space === "global" ?
    view.rec.buffers.find((b) => b.allocation === a.allocation) : null;
  const n = where && (where.values ? where.values.length :
    where.bytes / size_of(where.type));
  view.$(".array-name").textContent = !where ? "" : name +
    (n > MOST_ELEMENTS ? `: ${n} elements` : ", element by element");
  if (!where || n > MOST_ELEMENTS) return box.replaceChildren();
  const { values, at: stored, size } = memory(view.rec, where, view.rec.steps[k].block, k);
  const read = new Set();
  if (i === k && a.operation === "load")
    for (const e of pieces(a.lanes, a.bytes, size)) read.add(e);
  const texts = range(n).map((e) => short(values[e])), wide = per_row(view, texts);
  box.innerHTML = `<table aria-label="Values now">` +
    range(Math.ceil(n / wide)).map((r) => `<tr><th scope="row">${wide * r}</th>` +
      range(Math.min(wide, n - wide * r)).map((c) => {
        const e = wide * r + c;
        return `<td class="${stored[e] === k ? "new" : read.has(e) ? "read" : ""}` +
          `" title="element ${e}: ${values[e] ?? "never written"}">${texts[e]}</td>`;
      }).join("") + "</tr>").join("") + "</table>";
  const first = box.querySelector(".new, .read");
  if (first) box.scrollTop = first.offsetTop - 2 * first.offsetHeight;
}

export function show_request(view, k) {
  const i = last_access(view), a = i < 0 ? null : view.rec.steps[i].access;
  view.$(".predict").hidden = view.asked === null;
  view.$(".request").hidden = view.asked !== null;
  if (view.asked !== null) {
    const ask = view.rec.steps[view.list[view.asked]].access;
    view.$(".where").textContent = "Predict";
    view.$(".cost").textContent = "";
    view.$(".predict span").textContent = `How many ${price(ask).unit}s does this ` +
      { load: "load from ", store: "store to ", atomic: "update of " }[ask.operation] +
      name_of(view.rec, ask) + " take?";
    return;
  }
  view.$(".where").textContent = !a ? "No memory touched yet" :
    (a.space === "shared" ? "Shared memory, 32 banks" : name_of(view.rec, a) +
      ", lines of 128 bytes") + (i === k ? "" : " (last request)");
  if (!a) return view.$(".request").replaceChildren();
  const p = price(a);
  view.$(".cost").textContent = `${a.operation}, ${count(p.cost, p.unit)}, ` +
    `ideal ${p.least}`;
  view.$(".request").innerHTML = ledger(a);
  const x = a.lanes.find(({ lane }) => lane === view.pin);
  view.$$(".ledger .used").forEach((cell) => cell.classList.toggle("pin",
    cell.dataset.lanes.includes(` ${view.pin} `)));
  view.$(".pinned span").textContent = view.pin < 0 ? "" : !x ? "takes no part" :
    `byte ${x.address}, ` + (a.space === "shared" ?
      `bank ${(x.address >> 2) % 32}, wavefront ${x.wavefront + 1}` :
      `sector ${x.address >> 5}`) + `, value ${short([].concat(x.value)[0])}`;
  show_array(view, a, i, k);
}
