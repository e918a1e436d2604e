// Counting: lanes of a mask, extents of a grid, pieces of memory.

export const ones = (mask) => {
  let n = 0;
  for (; mask; mask &= mask - 1) n++;
  return n;
};
export const has = (mask, lane) => mask >>> lane & 1;
export const first = (mask) => 31 - Math.clz32(mask & -mask);
export const count = (n, word) => n + " " + word + (n === 1 ? "" : "s");
export const sum = (list) => list.reduce((a, b) => a * b, 1);
export const range = (n) => [...Array(n).keys()];
export const pieces = (lanes, bytes, size) => {
  const set = new Set();
  for (const { address } of lanes)
    for (let k = Math.floor(address / size); k * size < address + bytes; k++)
      set.add(k);
  return set;
};

// The value that a list has most often, and how often.
export const most_alike = (list) => {
  const of = new Map();
  let best = list[0];
  for (const x of list) {
    of.set(x, (of.get(x) || 0) + 1);
    if (of.get(x) > of.get(best)) best = x;
  }
  return [best, of.get(best)];
};
