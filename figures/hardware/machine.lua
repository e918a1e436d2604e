-- title: One multiprocessor and the whole GPU, with measured rates
-- data: bench/hardware/query.reference.csv
-- data: bench/hardware/rates.reference.csv
-- data: bench/hardware/copies.reference.csv
-- data: bench/roofline/ceilings.reference.csv
-- data: bench/occupancy/latency.reference.csv
local function asked(name)
  return data.csv('hardware/query'):one{device = 0, name = name}.value
end
local function rate(version)
  return data.csv('hardware/rates'):one{version = version}.per_clock
end
local function ceiling(version, column)
  return data.csv('roofline/ceilings'):one{version = version}[column]
end
local function latency(wanted)
  return data.csv('occupancy/latency'):one(wanted).latency_cycles
end
local KiB, MiB = 1024, 1024 * 1024
local n_sm = asked('multiProcessorCount')
local registers = 4 * asked('regsPerMultiprocessor')
local shared = asked('sharedMemPerMultiprocessor')

local left, gap = d.left, d:choose(28, 0)
local sm_w = d:choose(330, d.width - 2 * left)
local gpu_w = d:choose(d.width - 2 * left - sm_w - gap, sm_w)

local function block(x, y, w, h, role, name, detail, tint)
  d:rect(x, y, w, h, {fill = role, tint = tint or 0.18, radius = 4})
  if detail then
    d:fit(x, y + 2, w, h / 2, name, {size = 'small'})
    d:fit(x, y + h / 2 - 2, w, h / 2, detail, {size = 'small', role = 'muted'})
  else
    d:fit(x, y, w, h, name, {size = 'small'})
  end
end

-- ---- One multiprocessor: four parts, then what they share.
local x, y, w = left, 2, sm_w
d:text(x, y + 9, 'One multiprocessor (SM), results per cycle')
y = y + 24
d:rect(x, y, w, 260, {line = 'muted', radius = 6})
local inner, part = x + 8, (w - 16 - 3 * 6) / 4
for i = 0, 3 do
  local px, py = inner + i * (part + 6), y + 8
  d:rect(px, py, part, 62, {fill = 'cell', tint = 0.6, radius = 4})
  d:fit(px, py + 2, part, 18, 'scheduler', {size = 'small'})
  d:fit(px, py + 20, part, 18, {'%.0f KiB', registers / 4 / KiB},
        {size = 'small', role = 'register'})
  d:fit(px, py + 36, part, 18, 'registers', {size = 'small', role = 'muted'})
end
local uy = y + 80
local units = {
  {'FP32 multiply-add', 'fp32_fma'}, {'FP64 multiply-add', 'fp64_fma'},
  {'INT multiply-add', 'int_mad'},
  {'special functions', 'root'}}
for k, unit in ipairs(units) do
  local at = uy + (k - 1) * 24
  local value = rate(unit[2])
  local from, most = inner + 118, w - 16 - 118 - 40
  d:text(inner + 112, at + 10, unit[1], {size = 'small', align = 'right'})
  d:rect(from, at + 2, most * value / 128, 16, {fill = 'arithmetic', tint = 0.5})
  d:text(from + most * value / 128 + 6, at + 10, {'%.0f', value},
         {size = 'small'})
end
local sy = uy + 102
block(inner, sy, w - 16, 38, 'shared',
      {'shared memory and L1: up to %.0f KiB shared', shared / KiB},
      {'%.0f and %.0f cycles to a value', latency{what = 'shared'},
       latency{what = 'global', n_bytes = 131072}})
d:fit(inner, sy + 44, w - 16, 18,
      {d:choose('up to %d threads: %d warps, of which four issue per cycle',
                '%d threads: %d warps'),
       asked('maxThreadsPerMultiProcessor'),
       asked('maxThreadsPerMultiProcessor') // asked('warpSize')},
      {size = 'small', role = 'muted'})

-- ---- The whole GPU: all multiprocessors, L2, memory, the host.
local gx, gy = left + (d.narrow and 0 or sm_w + gap), d.narrow and y + 282 or 2
d:text(gx, gy + 9, {'The whole GPU: %d of them', n_sm})
gy = gy + 24
local across = 22
local rows = math.ceil(n_sm / across)
local cell = (gpu_w - 16) / across
d:rect(gx, gy, gpu_w, 254, {line = 'muted', radius = 6})
d:cells(gx + 8, gy + 8, rows, across, cell, 13, function(r, c)
  if r * across + c >= n_sm then return false end
  return {fill = 'gpu', tint = r == 0 and c == 0 and 1 or 0.4}
end)
local ly = gy + 8 + rows * 13
d:fit(gx + 8, ly + 2, gpu_w - 16, 18,
      {'%s TFLOP/s with FP32, %s with FP16 tensor cores',
       number(ceiling('fp32_fma', 'gflop_per_s') / 1000, 2),
       number(ceiling('fp16_tensor', 'gflop_per_s') / 1000, 3)},
      {size = 'small', role = 'arithmetic'})
local middle = gx + gpu_w / 2
-- As wide as what it carries: 7 units for each TB/s.
local function link(from, to, gb_per_s, said)
  local wide = math.max(0.7, gb_per_s / 1000 * 7)
  d:rect(middle - wide / 2, from + 1, wide, to - from - 2,
         {fill = 'gpu', tint = 0.75})
  d:text(middle + wide / 2 + 8, (from + to) / 2, said, {size = 'small'})
end
local l2 = ly + 52
local read = ceiling('l2_read', 'gb_per_s')
link(ly + 22, l2, read, {'%s TB/s read', number(read / 1000, 2)})
block(gx + 8, l2, gpu_w - 16, 38, 'cache',
      {'L2: %.0f MiB', asked('l2CacheSize') / MiB},
      {'%.0f cycles', latency{what = 'global', n_bytes = 4194304}})
local hbm = l2 + 38 + 30
local copied = ceiling('memory_copy', 'gb_per_s')
link(l2 + 38, hbm, copied, {'%s TB/s in a copy', number(copied / 1000, 2)})
block(gx + 8, hbm, gpu_w - 16, 38, 'memory',
      {'memory: %.0f GiB', asked('totalGlobalMem') / (1024 * MiB)},
      {'%.0f cycles', latency{what = 'global', n_bytes = 268435456}})
local host = hbm + 38 + 34
local to_device = data.csv('hardware/copies'):one{version = 'to_device'}
link(hbm + 38, host, to_device.gb_per_s,
     {'%.0f GB/s to the device', to_device.gb_per_s})
block(gx, host, gpu_w, 28, 'cpu', 'the host: CPU and its memory')
d:alt(('Two boxes. Left, one multiprocessor: four schedulers with registers, ' ..
  'four bars of results per cycle from %.0f for FP32 down to %.0f for special ' ..
  'functions, and shared memory. Right, the GPU: %d multiprocessors, below ' ..
  'them L2, memory and the host; the links between them get thinner in ' ..
  'proportion to their bandwidth, and the last is a line.')
  :format(rate('fp32_fma'), rate('root'), n_sm))
