-- title: A tile and its halo
-- data: bench/convolution/tile_access.software.csv
local map = 'convolution/tile_access'
local image = 36          -- columns of the recorded image
local function places(wanted)
  local found = {}
  for _, request in ipairs(data.requests(map, wanted)) do
    for _, row in ipairs(request.lanes) do
      local element = row.address // 4
      found[#found + 1] = {r = element // image, c = element % image,
                           warp = row.warp, lane = row.lane}
    end
  end
  return found
end
local loads = places{space = 'global', operation = 'load'}
local stores = places{space = 'global', operation = 'store'}
local top, left, bottom = math.huge, math.huge, 0
for _, at in ipairs(loads) do
  top, left, bottom = math.min(top, at.r), math.min(left, at.c),
                      math.max(bottom, at.r)
end
local side = bottom - top + 1
local loaded, stored = {}, {}
for _, at in ipairs(loads) do loaded[(at.r - top) * side + at.c - left] = at end
for _, at in ipairs(stores) do stored[(at.r - top) * side + at.c - left] = at end

-- What the thread in a corner reads of the tile.
local chosen = stores[1]
local window, n_window = {}, 0
for _, request in ipairs(data.requests(map, {space = 'shared',
    operation = 'load', warp = chosen.warp})) do
  for _, row in ipairs(request.lanes) do
    if row.lane == chosen.lane then
      window[row.address // 4] = true
      n_window = n_window + 1
    end
  end
end

local gap = d:choose(36, 16)
local cell = (d.width - 2 * d.left - 2 * gap) / 3 / side
if d.narrow then cell = (d.width - 2 * d.left - gap) / 2 / side end
local panel = side * cell
local function at(k)
  local narrow = d.narrow
  return d.left + (narrow and k % 2 or k) * (panel + gap),
         26 + (narrow and k // 2 * (panel + 78) or 0)
end
local function under(k, said)
  local x, y = at(k)
  return d:paragraph(x, y + panel + 6, panel, said,
                     {size = d:choose('small', 'tiny'), role = 'muted'})
end
local x, y = at(0)
d:text(x, y - 14, {'1  load %d', #loads})
d:cells(x, y, side, side, cell, cell, function(r, c)
  local from = loaded[r * side + c]
  return from and {fill = 'load', tint = from.warp % 2 == 0 and 0.75 or 0.45}
end)
under(0, ('Each of %d threads loads one element into shared memory; two ' ..
          'rows are a warp.'):format(#loads))
x, y = at(1)
d:text(x, y - 14, {'2  compute %d', #stores})
d:cells(x, y, side, side, cell, cell, function(r, c)
  if stored[r * side + c] then return {fill = 'result', tint = 0.7} end
  return {fill = 'lane_out', tint = 0.3}
end)
under(1, ('Only the inner threads have an output: %.0f %%. The rest is the ' ..
          'halo.'):format(100 * #stores / #loads))
x, y = at(2)
d:text(x, y - 14, {'3  read %d', n_window})
local cr, cc = chosen.r - top, chosen.c - left
d:cells(x, y, side, side, cell, cell, function(r, c)
  if r == cr and c == cc then return {fill = 'result'} end
  if window[r * side + c] then return {fill = 'emphasis', tint = 0.6} end
  return {fill = stored[r * side + c] and 'result' or 'lane_out', tint = 0.14}
end)
under(2, ('An output reads %d elements of the tile. At the edge, most of ' ..
          'them are in the halo.'):format(n_window))
d:alt(('Three pictures of a tile of %d by %d cells. All %d threads load a ' ..
  'cell. Only an inner square of %d threads computes; the ring around it is ' ..
  'the halo. An output in the corner reads a square of %d cells, most of them ' ..
  'in the halo.')
  :format(side, side, #loads, #stores, n_window))
