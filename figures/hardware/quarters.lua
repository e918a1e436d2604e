-- title: The four quarters of a multiprocessor, with a cell for each lane of a unit
-- data: bench/hardware/capabilities.software.csv
local sm = data.software('hardware/capabilities'):one{capability = 9.0}
local parts = sm.schedulers
local x, w = d.left, d.width - 2 * d.left
local size = d:choose('small', 'tiny')

-- Lanes of a quarter. Load/store units and tensor cores are in no table of the
-- guide; NVIDIA's description of Hopper has them: 32 and 4 for each SM.
local units = {
  {'FP32', sm.fp32 // parts, 'arithmetic', 0.55},
  {'INT32', sm.int_add // parts, 'arithmetic', 0.35},
  {'FP64', sm.fp64 // parts, 'arithmetic', 0.2},
  {d:choose('load/store', 'ld/st'), 8, 'load', 0.5},
  {d:choose('special', 'SFU'), sm.special // parts, 'result', 0.5},
  {d:choose('tensor core', 'tensor'), 1, 'good', 0.6}}

local columns = d:choose(2, 2)
local gap = 8
local part_w = (w - 16 - gap) / columns
local label = d:choose(74, 40)
local cell = (part_w - label - 14) / 16
local row_h = d:choose(13, 11)

-- A unit's lanes, sixteen in a row; gives how high it is.
local function lanes(px, py, unit)
  local rows = math.ceil(unit[2] / 16)
  local one = unit[2] == 1
  d:text(px + label - 6, py + rows * row_h / 2,
         unit[1], {size = size, align = 'right'})
  if one then
    d:rect(px + label, py, 16 * cell, row_h, {fill = unit[3], tint = unit[4]})
  else
    d:cells(px + label, py, rows, 16, cell, row_h, function(r, c)
      if r * 16 + c >= unit[2] then return false end
      return {fill = unit[3], tint = unit[4]}
    end)
  end
  return rows * row_h + 5
end

local y = 2
d:text(x, y + 9, {d:choose('One multiprocessor (SM) of compute capability %s',
                           'An SM of compute capability %s'),
                  tostring(sm.capability)})
y = y + 22
local high = 46 + 5 * (#units) + row_h * (2 + #units - 1) + 10
local top = y
d:rect(x, y, w, 2 * high + gap + 16 + d:choose(66, 70), {line = 'muted', radius = 6})
for i = 0, parts - 1 do
  local px = x + 8 + (i % columns) * (part_w + gap)
  local py = y + 8 + (i // columns) * (high + gap)
  d:rect(px, py, part_w, high, {fill = 'cell', tint = 0.6, radius = 4})
  d:fit(px, py + 3, part_w, 16, d:choose('warp scheduler: an instruction per cycle',
        'warp scheduler'), {size = size})
  d:rect(px + 7, py + 21, part_w - 14, 18, {fill = 'register', tint = 0.3, radius = 3})
  d:fit(px + 7, py + 21, part_w - 14, 18,
        {d:choose('%d registers of 32 bits', '%d registers'),
         sm.registers // parts}, {size = size})
  local at = py + 46
  for _, unit in ipairs(units) do at = at + lanes(px, at, unit) end
end
local sy = y + 8 + 2 * high + gap + 6
d:rect(x + 8, sy, w - 16, 26, {fill = 'shared', tint = 0.3, radius = 4})
d:fit(x + 8, sy, w - 16, 26, {d:choose('shared memory and L1, up to %d KiB of it shared',
      'shared memory (%d KiB) and L1'), sm.shared_kib}, {size = size})
local half = (w - 16 - gap) / 2
d:rect(x + 8, sy + 32, half, 22, {fill = 'cache', tint = 0.3, radius = 4})
d:fit(x + 8, sy + 32, half, 22, d:choose('texture units', 'texture'), {size = size})
d:rect(x + 8 + half + gap, sy + 32, half, 22, {fill = 'cache', tint = 0.3, radius = 4})
d:fit(x + 8 + half + gap, sy + 32, half, 22,
      d:choose('constant and instruction caches', 'constant caches'), {size = size})
d:alt(('A box with four equal parts. Each has a warp scheduler, %d registers, ' ..
  'and lanes as cells: %d for FP32, %d for integers, %d for FP64, 8 that load ' ..
  'and store, %d special function units, and one tensor core. Below the parts, ' ..
  'what they share: shared memory and L1, texture units, caches.'):format(
  sm.registers // parts, sm.fp32 // parts, sm.int_add // parts,
  sm.fp64 // parts, sm.special // parts))
