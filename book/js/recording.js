// A recording: one launch of a kernel, step by step, as step_run writes it
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
var recording = (function () {
  "use strict";

  var most = { nan: NaN, inf: Infinity, "-inf": -Infinity };

  function number(value) {
    return typeof value === "string" ? most[value] : value;
  }

  function series(packed) {
    if (Array.isArray(packed)) return packed.map(number);
    var s = packed.s, all = [s[0]];
    for (var i = 1; i < s.length; i += 2)
      for (var k = 0; k < s[i]; k++) all.push(all[all.length - 1] + s[i + 1]);
    return all;
  }

  function bytes_of(type) {
    return type.slice(1) / 8;
  }

  function shape(row) {
    var lanes = [];
    for (var l = 0; l < 32; l++) if (row[5] >>> l & 1) lanes.push(l);
    return {
      space: row[0], operation: row[1], type: row[2], elements: row[3],
      allocation: row[4], lanes: lanes, wavefronts: row[6], ideal: row[7],
      distance: series(row[8]), wavefront: row[9] ? series(row[9]) : []
    };
  }

  // What memory holds, by where it is; then by address.
  function memory(buffers) {
    var places = {};
    buffers.forEach(function (buffer) {
      var place = places["a" + buffer.allocation] = new Map();
      var bytes = bytes_of(buffer.type);
      buffer.values.forEach(function (value, i) {
        if (value !== null) place.set(i * bytes, value);
      });
    });
    return function (s, block, warp, lane) {
      var name = s.allocation ? "a" + s.allocation
        : s.space === "shared" ? "s" + block
          : [s.space, block, warp, lane].join();
      return places[name] || (places[name] = new Map());
    };
  }

  function access(s, base, stored, at, block, warp) {
    var bytes = bytes_of(s.type), sectors = new Set();
    var lanes = s.lanes.map(function (lane, k) {
      var address = base + s.distance[k], values = [];
      var place = at(s, block, warp, lane);
      for (var e = 0; e < s.elements; e++) {
        var here = address + e * bytes;
        sectors.add(Math.floor(here / 32));
        if (stored) place.set(here, stored[k * s.elements + e]);
        values.push(place.has(here) ? place.get(here) : null);
      }
      return { lane: lane, address: address, wavefront: s.wavefront[k] || 0,
        value: s.elements > 1 ? values : values[0] };
    });
    return { space: s.space, operation: s.operation, bytes: bytes * s.elements,
      type: s.type, allocation: s.allocation, wavefronts: s.wavefronts,
      ideal: s.ideal, sectors: s.space === "global" ? sectors.size : 0,
      lanes: lanes };
  }

  function decode(text) {
    var r = JSON.parse(text), steps = [], n_stores = 0;
    var touches = r.code.map(function (c) { return c[4] === 1; });
    var shapes = r.shapes.map(shape);
    var last = r.paths.map(function () { return []; });

    r.code = r.code.map(function (c) {
      return { file: c[0], line: c[1], ptx_line: c[2], opcode: c[3] };
    });
    r.buffers.forEach(function (b) {
      b.values = b.values ? series(b.values) : new Array(b.n).fill(null);
      delete b.n;
    });
    var at = memory(r.buffers), turns = r.turns;
    for (var t = 0; t < turns.length;) {
      var block = turns[t++], warp = turns[t++], path = turns[t++];
      var pieces = r.paths[path][0], used = r.paths[path][1];
      for (var p = 0, n = 0, b = 0; p < pieces.length; p += 4)
        for (var k = 0; k < pieces[p + 1]; k++) {
          var code = pieces[p] + k, found = null;
          var s = touches[code] ? shapes[used[n++] - 1] : null;
          if (s) {
            last[path][b] = (last[path][b] || 0) + turns[t++];
            found = access(s, last[path][b++], s.operation === "load" ? null
              : series(r.values[n_stores++]), at, block, warp);
          }
          steps.push({ code: code, block: block, warp: warp,
            active: pieces[p + 2] >>> 0, executed: pieces[p + 3] >>> 0,
            access: found });
        }
    }
    r.steps = steps;
    delete r.shapes;
    delete r.paths;
    delete r.turns;
    delete r.values;
    return r;
  }

  return { decode: decode };
})();
if (typeof module !== "undefined") module.exports = recording;
