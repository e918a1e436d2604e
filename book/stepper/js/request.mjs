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

function show_array(view, a, i, k) {
  const where = a.space === "shared" ? view.rec.shared : a.space === "global" ?
    view.rec.buffers.find((b) => b.allocation === a.allocation) : null;
  const n = where && (where.values ? where.values.length :
    where.bytes / size_of(where.type));
  view.$(".array-name").textContent = where ? n > 512 ?
    `${upper(name_of(view.rec, a))}: ${n} elements` :
    upper(name_of(view.rec, a)) + ", element by element" : "";
  if (!where || n > 512) return view.$(".array").replaceChildren();
  const { values, at: stored, size } = memory(view.rec, where, view.rec.steps[k].block, k);
  const read = new Set();
  if (i === k && a.operation === "load")
    for (const e of pieces(a.lanes, a.bytes, size)) read.add(e);
  view.$(".array").innerHTML = `<table class="${n > 256 ? "dense" : ""}"
    style="--rows:${Math.ceil(n / 32)}">
    <caption class="unseen">Values now</caption>` +
    range(Math.ceil(n / 32)).map((r) => `<tr><th scope="row">${32 * r}</th>` +
      range(Math.min(32, n - 32 * r)).map((c) => {
        const e = 32 * r + c;
        return `<td class="${stored[e] === k ? "new" : read.has(e) ? "read" : ""}` +
          `" title="element ${e}: ${values[e] ?? "never written"}">` +
          short(values[e]) + "</td>";
      }).join("") + "</tr>").join("") + "</table>";
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
      `${ask.operation} ${ask.operation === "load" ? "from" : "to"} ` +
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
