// What a check has found, as moments of the recording: the accesses that its report
// names, and what the element held between them.
import { memory } from "./memory.mjs";
import { line_of, name_of } from "./steps.mjs";

const NAMED = new RegExp("(store|load|atomic)[^\\n]*? by block \\((\\d+),(\\d+),(\\d+)\\), " +
  "thread \\((\\d+),(\\d+),(\\d+)\\)\\n +at [^\\n]*?:(\\d+):", "g");

const linear = ([x, y, z], of) => x + of[0] * (y + of[1] * z);

// Whose accesses a report names, in its order.
const named = (rec) => [...rec.report.text.matchAll(NAMED)].map((found) => {
  const thread = linear(found.slice(5, 8).map(Number), rec.block);
  return { operation: found[1], line: Number(found[8]),
    block: linear(found.slice(2, 5).map(Number), rec.grid),
    warp: thread >> 5, lane: thread & 31 };
});

// Where in memory, as the recording's accesses count it; null: it does not say.
function address_of({ text }) {
  const found = text.match(/address 0x([0-9a-f]+) of shared memory/) ||
    text.match(/\n +(\d+) bytes into /);
  return !found ? null : parseInt(found[1], found[0].includes("0x") ? 16 : 10);
}

// What that lane does at step k, if it is what the report means.
function part_of(rec, k, who, address) {
  const { block, warp, access: a } = rec.steps[k];
  if (!a || block !== who.block || warp !== who.warp || a.operation !== who.operation ||
      line_of(rec, k) !== who.line) return undefined;
  return a.lanes.find((x) => x.lane === who.lane && (address === null ||
    x.address <= address && address < x.address + a.bytes));
}

// The accesses of a report as [{k, lane, address, value}], in the order in which they
// happened here; none where the report names none that is recorded.
export function found_accesses(rec) {
  if (!rec.report) return [];
  const [here, other] = named(rec), address = address_of(rec.report);
  const of = (who) => who ? rec.steps.flatMap((_, k) => {
    const part = part_of(rec, k, who, address);
    return part ? [{ k, ...part }] : [];
  }) : [];
  const firsts = of(other);
  if (here && !other) {
    // What must not be touched is not, so the step may have no such access.
    const opcode = { load: /^ld\./, store: /^st\./, atomic: /^(atom|red)\./ };
    const k = rec.steps.findIndex((s, i) => s.block === here.block &&
      s.warp === here.warp && line_of(rec, i) === here.line &&
      s.executed >>> here.lane & 1 &&
      opcode[here.operation].test(rec.code[s.code].opcode) &&
      !s.access?.lanes.some(({ lane }) => lane === here.lane));
    return k < 0 ? [] : [{ k, lane: here.lane }];
  }
  for (const second of of(here)) {
    const first = firsts.findLast((one) => one.k < second.k ||
      one.k === second.k && one.lane !== second.lane);
    if (first) return [first, second];
  }
  return [];
}

// What two accesses without an order do to each other.
export function race_words(rec, [first, second]) {
  if (!second) return "";
  const step = rec.steps[second.k], a = step.access, b = rec.steps[first.k].access;
  const where = a.space === "shared" ? rec.shared :
    rec.buffers.find((one) => one.allocation === a.allocation);
  if (!where || first.k === second.k) return "";
  const who = (one) => `block ${rec.steps[one.k].block}, warp ` +
    `${rec.steps[one.k].warp}, lane ${one.lane}`;
  const did = (operation) => ({ load: "loads", store: "stores to",
    atomic: "updates" })[operation];
  const held = (k) => {
    const { values, size } = memory(rec, where, step.block, k);
    return values[Math.floor(second.address / size)] ?? "nothing yet";
  };
  const size = where.type.replace(/\D/g, "") / 8;
  const store = b.operation === "load" ? second : first;
  const end = first.k === store.k && a.operation !== "load" ?
    `whoever comes last decides whether it ends as ${held(first.k)} or ${held(second.k)}` :
    `before the store it holds ${held(store.k - 1)}, and after it ${held(store.k)}: the ` +
    "load gets one or the other, as it happens";
  return `Element ${Math.floor(second.address / size)} of ${name_of(rec, a)}: ${who(first)} ` +
    `${did(b.operation)} it at line ${line_of(rec, first.k)}, and ${who(second)} ` +
    `${did(a.operation)} it at line ${line_of(rec, second.k)}; ${end}.`;
}
