-- title: L2 in two halves, and how a load reaches each of them
-- data: bench/occupancy/halves.reference.csv
-- data: bench/hardware/query.reference.csv
local same, other = {}, {}
for _, row in ipairs(data.csv('occupancy/halves').rows) do
  table.insert(row.side == 'same' and same or other, row)
end
local function median(rows, column)
  local values = {}
  for _, row in ipairs(rows) do values[#values + 1] = row[column] end
  table.sort(values)
  return (values[(#values + 1) // 2] + values[#values // 2 + 1]) / 2
end
local near = median(same, 'again_cycles')
-- Half of the lines of the first walk belong to the walker's own half.
local far = 2 * median(other, 'first_cycles') - median(other, 'again_cycles')
local l2 = data.csv('hardware/query'):one{device = 0, name = 'l2CacheSize'}.value
local x, w = d.left, d.width - 2 * d.left
local gap = d:choose(70, 24)
local half = (w - gap) / 2
local right = x + half + gap
local across = d:choose(17, 11)
local cell = (half - 12) / across

local y = 2
local rows = math.ceil(math.max(#same, #other) / across)
local function sms(left, n, marked, said)
  d:rect(left, y, half, 26 + rows * 13 + 4, {line = 'muted', radius = 5})
  d:text(left + 8, y + 12, {said, n}, {size = 'small'})
  d:cells(left + 6, y + 24, rows, across, cell, 13, function(r, c)
    if r * across + c >= n then return false end
    return {fill = 'gpu', tint = marked and r == rows - 1 and c == 3 and 1 or 0.3}
  end)
end
sms(x, #same, true, '%d SMs')
sms(right, #other, false, '%d SMs')
local below = y + 26 + rows * 13 + 4
local cache = below + 62
for _, left in ipairs{x, right} do
  d:rect(left, cache, half, 40, {fill = 'cache', tint = 0.3, radius = 5})
  d:fit(left, cache, half, 40, {d:choose('half of L2: %.0f MiB', '%.0f MiB of L2'),
                                l2 / 2 / 1024 / 1024}, {size = 'small'})
end
local sm_x = x + 6 + 3.5 * cell
d:arrow({sm_x, below - 6, sm_x, cache - 2}, {line = 'emphasis', weight = 1.5})
d:text(sm_x + 8, below + 30, {d:choose('a line of this half: %.0f cycles', '%.0f cycles'),
                              near}, {size = 'small'})
d:arrow({sm_x, cache + 40, sm_x, cache + 62, right + 40, cache + 62, right + 40, cache + 42},
        {line = 'emphasis', weight = 1.5, dash = '5 3'})
d:text(x + w / 2, cache + 76,
       {d:choose('a line of the other half: about %.0f cycles the first time; '
                 .. 'then this half has a copy', 'other half: about %.0f at first'),
        far}, {size = 'small', align = 'middle'})
local hbm = cache + 92
for _, left in ipairs{x, right} do
  d:rect(left, hbm, half, 24, {fill = 'memory', tint = 0.2, radius = 5})
  d:fit(left, hbm, half, 24, 'memory', {size = 'small'})
end
d:alt(('Two groups of %d and %d SMs, each over a half of L2 and its memory. '
  .. 'From one SM, an arrow goes down to the half below it, %.0f cycles, and a '
  .. 'dashed one on to the other half, about %.0f cycles.')
  :format(#same, #other, near, far))
