// What is in memory after a step.

export const size_of = (type) => type.replace(/\D/g, "") / 8;

// The values of an array after step k, each with the step that stored it:
// `where` is a buffer, or the shared memory of a block.
export function memory(rec, where, block, k) {
  const size = size_of(where.type);
  const values = where.values ? [...where.values] :
    Array(Math.ceil(where.bytes / size)).fill(null);
  const at = [];
  for (let i = 0; i <= k && i < rec.steps.length; i++) {
    const { access: a, block: b } = rec.steps[i];
    if (!a || a.operation === "load" ||
        (where.values ? a.space !== "global" || a.allocation !== where.allocation :
          a.space !== "shared" || b !== block)) continue;
    for (const { address, value, lost } of a.lanes)
      if (!lost) [].concat(value).forEach((v, j) => {
        values[address / size + j] = v;
        at[address / size + j] = i;
      });
  }
  return { values, at, size };
}

export const upper = (text) => text === "shared memory" ? "Shared memory" : text;
export const short = (v) => {
  if (v === null || v === undefined) return "·";
  const text = String(v);
  return text.length < 5 ? text : String(Number(v.toPrecision(2)))
    .replace(/e\+?/, "e");
};
