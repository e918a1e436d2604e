-- title: Bytes read from and written to memory by attention, kernel by kernel
-- data: bench/attention/traffic.reference.csv
-- data: bench/attention/hopper_traffic.reference.csv
local own, hopper = data.csv('attention/traffic'),
  data.csv('attention/hopper_traffic')
local function bytes(row) return row.dram_read_bytes + row.dram_write_bytes end
local bars = {}
local parts = {'scores', 'softmax', 'output'}
local unfused = {}
for i, kernel in ipairs{'scores<128>', 'softmax', 'weigh<128>'} do
  unfused[i] = bytes(own:one{version = 'unfused', kernel = kernel})
end
bars[1] = {'unfused', unfused}
bars[2] = {'fused', {bytes(own:one{version = 'fused'})}}
bars[3] = {'tensor', {bytes(own:one{version = 'tensor'})}}
bars[4] = {'held', {bytes(hopper:one{version = 'held'})}}
local most = 0
for _, part in ipairs(unfused) do most = most + part end
local row = own:one{version = 'fused'}
local needed = 4 * row.n * row.d * 2       -- Q, K, V and the output, once
local x0 = d.left + d:choose(84, 62)
local scale = (d.width - d.left - x0 - d:choose(80, 62)) / most
local size = d:choose('small', 'tiny')
local y = 14
d:text(d.left, y, {d:choose('One head of %d × %d: bytes to and from memory',
  'One head of %d × %d'), row.n, row.d})
y = y + 22
local tints = {0.35, 0.6, 0.85}
for i, bar in ipairs(bars) do
  d:text(x0 - 8, y + 14, bar[1], {size = size, align = 'right'})
  local x, sum = x0, 0
  for j, part in ipairs(bar[2]) do
    d:rect(x, y, math.max(1, part * scale - 1), 28,
           {fill = 'memory', tint = tints[j]})
    if i == 1 and part * scale > d:text_width(parts[j], size) + 6 then
      d:fit(x, y, part * scale, 28, parts[j], {size = size})
    end
    x, sum = x + part * scale, sum + part
  end
  d:text(x + 6, y + 14, {'%.0f MB', sum * 1e-6}, {size = size})
  y = y + 36
end
d:text(x0, y + 4, {d:choose('Q, K, V and the output, each once: %.1f MB',
  'each array once: %.1f MB'), needed * 1e-6}, {size = size, role = 'muted'})
d.height = y + 20
d:alt(('Four bars. Unfused attention moves %.0f megabytes in three parts, ' ..
  'scores, softmax and output; the fused version %.0f, the one with tensor ' ..
  'cores %.0f and the last version %.0f.'):format(most * 1e-6,
  bars[2][2][1] * 1e-6, bars[3][2][1] * 1e-6, bars[4][2][1] * 1e-6))
