-- title: A thread walks down with five rows of its window in registers
-- data: bench/images/inside_access.software.csv
local map, chosen = 'images/inside_access', 5
local pixel_bytes, pitch = 4, 1024      -- of the recorded picture

-- What the lane loads and stores: rows, columns and when.
local function accesses(operation)
  local found = {}
  for _, request in ipairs(data.requests(map, {space = 'global',
      operation = operation, warp = 0, block_x = 0, block_y = 0})) do
    for _, at in ipairs(request.lanes) do
      if at.lane == chosen then
        local first = at.address % pitch // pixel_bytes
        found[#found + 1] = {row = at.address // pitch, step = at.step,
          first = first, last = first + at.bytes // pixel_bytes - 1}
      end
    end
  end
  return found
end
local loads, stores = accesses 'load', accesses 'store'
local left, right = math.huge, 0
for _, load in ipairs(loads) do
  left, right = math.min(left, load.first), math.max(right, load.last)
end
local own = stores[1]
local radius, group = own.first - left, own.last - own.first + 1

local shown_rows, shown_cols = 8, right - left + 1 + 2 * group
local gap = d:choose(56, 20)
local cell = (d.width - 2 * d.left - gap) / 2 / shown_cols
local size = d:choose('small', 'tiny')

-- The picture when the lane stores a row of outputs; returns the rows that it
-- has loaded by then.
local function moment(x, y, store)
  local newest = 0
  for _, load in ipairs(loads) do
    if load.step < store.step then newest = math.max(newest, load.row) end
  end
  d:text(x, y + 8, {d:choose('output row %d', 'row %d'), store.row})
  y = y + 24
  local from = left - group
  d:cells(x, y, shown_rows, shown_cols, cell, cell, function(r, c)
    local col = from + c
    if col < left or col > right or r > newest then return nil end
    if r == store.row and col >= store.first and col <= store.last then
      return {fill = 'result', tint = 0.9}
    end
    if r > store.row + radius then return {fill = 'emphasis', tint = 0.6} end
    if r < store.row - radius then return {fill = 'muted', tint = 0.35} end
    return {fill = 'load', tint = 0.6}
  end)
  -- The window of the first output.
  local wx = x + (store.first - radius - from) * cell
  local wy = y + (store.row - radius) * cell
  local side = (2 * radius + 1) * cell
  d:path({wx, wy, wx + side, wy, wx + side, wy + side, wx, wy + side, wx, wy},
         {line = 'ink', weight = 1.5})
  return y + shown_rows * cell
end

local shown = {}
for _, store in ipairs(stores) do
  if store.row == radius or store.row == radius + 1 then
    shown[#shown + 1] = store
  end
end
local bottom
for k, store in ipairs(shown) do
  bottom = moment(d.left + (k - 1) * (shown_cols * cell + gap), 2, store)
end
d:legend(d.left, bottom + 14, d.width - 2 * d.left, {
  {{fill = 'load', tint = 0.6}, 'in registers'},
  {{fill = 'emphasis', tint = 0.6}, 'in flight'},
  {{fill = 'muted', tint = 0.35}, 'dropped'},
  {{fill = 'result', tint = 0.9}, ('the %d outputs'):format(group)},
  {{line = 'ink'}, 'window of the first'}}, size)
d:alt(('Two moments of a thread that walks down a picture. At each, it has ' ..
  'five rows of %d pixels in registers, the next row in flight, and stores ' ..
  '%d outputs in the middle row. From output row %d to row %d, the rows move ' ..
  'down by one.'):format(right - left + 1, group, shown[1].row, shown[2].row))
