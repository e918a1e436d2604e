// A recording: one launch of a kernel, step by step, as launch_run writes it
// (device/report/recording.c). recording.decode(text) returns
//
//   kernel, grid, block, knobs, files, counts, report, output, truncated
//   code     [{file, line, ptx_line, opcode}]
//   steps    [{code, block, warp, active, executed, access}], in the order of
//            execution; access is null or {space, operation, bytes, type,
//            allocation, wavefronts, ideal, sectors,
//            lanes: [{lane, address, wavefront, value}]}
//   buffers  [{name, type, allocation, values}]
//   shared   {bytes, type}
//
// A value is a number, or one for each element that the lane moves, or null
// where nothing had been written. What is packed: a *series* is the numbers
// themselves, or {s: [first, times, difference, …]}. A *shape* is what accesses
// at different places have in common: [space, operation, type, elements,
// allocation, lanes, wavefronts, ideal, addresses, wavefront of each lane], the
// addresses counted from the first lane's. A *path* is what a warp executed
// until another one went on: [[code, steps, active, executed, …], [shape + 1 of
// each access, 0 for none, …]]. A *turn* is [block, warp, path, first lane's
// address of each access, …], as a difference from the last turn on that path.
// Stores have their values in `values`; loads get theirs from them.
const most = { nan: NaN, inf: Infinity, "-inf": -Infinity };

function series(packed) {
  if (Array.isArray(packed))
    return packed.map((v) => typeof v === "string" ? most[v] : v);
  const [first, ...runs] = packed.s, all = [first];
  for (let i = 0; i < runs.length; i += 2)
    for (let k = 0; k < runs[i]; k++) all.push(all.at(-1) + runs[i + 1]);
  return all;
}

const bytes_of = (type) => type.slice(1) / 8;

function shape([space, operation, type, elements, allocation, mask, wavefronts,
                ideal, distance, wavefront]) {
  const lanes = [...Array(32).keys()].filter((lane) => mask >>> lane & 1);
  return { space, operation, type, elements, allocation, lanes, wavefronts,
    ideal, distance: series(distance),
    wavefront: wavefront ? series(wavefront) : [] };
}

// What memory holds, by where it is; then by address.
function memory(buffers) {
  const places = {};
  for (const { allocation, type, values } of buffers)
    places["a" + allocation] = new Map(values
      .map((value, i) => [i * bytes_of(type), value])
      .filter(([, value]) => value !== null));
  return (s, block, warp, lane) => places[s.allocation ? "a" + s.allocation :
    s.space === "shared" ? "s" + block :
    [s.space, block, warp, lane].join()] ??= new Map();
}

// Of lanes that store to one address, the lowest of the last pass wins, as in
// device/exec/lanes/access.h. The others are lost. Local memory has one place
// for each lane.
function lost_lanes(s, base) {
  const pass = (lane) =>
    Math.floor(lane * Math.max(4, bytes_of(s.type) * s.elements) / 128);
  const winner = new Map(), lost = new Set();
  if (s.space !== "local")
    s.lanes.forEach((lane, k) => {
      const before = winner.get(base + s.distance[k]);
      if (before !== undefined && pass(before) === pass(lane))
        lost.add(lane);
      else {
        if (before !== undefined) lost.add(before);
        winner.set(base + s.distance[k], lane);
      }
    });
  return lost;
}

function access(s, base, stored, at, block, warp) {
  const bytes = bytes_of(s.type), sectors = new Set();
  const lost = s.operation === "store" ? lost_lanes(s, base) : new Set();
  const lanes = s.lanes.map((lane, k) => {
    const address = base + s.distance[k], values = [];
    const place = at(s, block, warp, lane);
    for (let e = 0; e < s.elements; e++) {
      const here = address + e * bytes;
      sectors.add(Math.floor(here / 32));
      const value = stored ? stored[k * s.elements + e] : place.get(here);
      if (stored && !lost.has(lane)) place.set(here, value);
      values.push(value ?? null);
    }
    return { lane, address, lost: lost.has(lane), wavefront: s.wavefront[k] || 0,
      value: s.elements > 1 ? values : values[0] };
  });
  return { space: s.space, operation: s.operation, bytes: bytes * s.elements,
    type: s.type, allocation: s.allocation, wavefronts: s.wavefronts,
    ideal: s.ideal, sectors: s.space === "global" ? sectors.size : 0, lanes };
}

export function decode(text) {
  const { shapes: packed, paths, turns, values, ...r } = JSON.parse(text);
  const shapes = packed.map(shape), last = paths.map(() => []);
  const touches = r.code.map((c) => c[4] === 1);
  const steps = [];
  let n_stores = 0;

  r.code = r.code.map(([file, line, ptx_line, opcode]) =>
    ({ file, line, ptx_line, opcode }));
  for (const b of r.buffers) {
    b.values = b.values ? series(b.values) : new Array(b.n).fill(null);
    delete b.n;
  }
  const at = memory(r.buffers);
  for (let t = 0; t < turns.length;) {
    const block = turns[t++], warp = turns[t++], path = turns[t++];
    const [pieces, used] = paths[path];
    for (let p = 0, n = 0, b = 0; p < pieces.length; p += 4)
      for (let k = 0; k < pieces[p + 1]; k++) {
        const code = pieces[p] + k;
        const s = touches[code] ? shapes[used[n++] - 1] : null;
        let found = null;
        if (s) {
          last[path][b] = (last[path][b] || 0) + turns[t++];
          found = access(s, last[path][b++], s.operation === "load" ? null
            : series(values[n_stores++]), at, block, warp);
        }
        steps.push({ code, block, warp, active: pieces[p + 2] >>> 0,
          executed: pieces[p + 3] >>> 0, access: found });
      }
  }
  return { ...r, steps };
}
