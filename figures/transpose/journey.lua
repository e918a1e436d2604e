-- title: The way of one row through a tile, and without one
-- data: bench/transpose/element_access.software.csv
-- data: bench/transpose/tile_access.software.csv
local warp, followed, n = 5, 7, 32
local gap = d:choose(118, 26)
local cell = (d.width - 2 * d.left - 2 * gap) / 3 / n
local panel = n * cell
local size = d:choose('small', 'tiny')
local function x_of(k) return d.left + (k - 1) * (panel + gap) end

-- Rows and columns of a matrix, or tile, of 32 × 32 that the warp touches, by
-- lane.
local function places(experiment, space, operation)
  local request = data.request('transpose/' .. experiment,
    {space = space, operation = operation, warp = warp})
  local of_lane, of_cell = {}, {}
  for _, row in ipairs(request.lanes) do
    local element = row.address // 4
    of_lane[row.lane] = {element // n, element % n}
    of_cell[element] = row.lane
  end
  return of_lane, of_cell, request
end

-- A matrix with the cells of one or two requests.
local function matrix(k, y, requests)
  local x = x_of(k)
  d:cells(x, y, n, n, cell, cell, function(r, c)
    for _, request in ipairs(requests) do
      local lane = request[1][r * n + c]
      if lane then
        return {fill = lane == followed and 'emphasis' or request[2],
                tint = lane ~= followed and 0.6 or nil, lane = lane}
      end
    end
  end, 0.6)
end

local function sectors(request, role)
  local count = request:sectors()
  return {'%d sectors', count}, count > 4 and 'bad' or 'good', count
end

-- An arrow between two panels, at the height of a cell of the second.
local function between(k, y, row)
  local from, to = x_of(k) + panel, x_of(k + 1)
  local high = y + (row + 0.5) * cell
  d:arrow({from + 4, high, to - 5, high}, {line = 'emphasis', weight = 1.5})
end

-- ---- Each thread moves one element.
local y = 2
d:text(d.left, y + 9, d:choose('without a tile: the lane that loads an element stores it',
                               'without a tile'))
y = y + 26
local loads, load_cells, load = places('element_access', 'global', 'load')
local stores, store_cells, store = places('element_access', 'global', 'store')
d:text(x_of(1), y + 5, 'input', {size = size})
d:text(x_of(3), y + 5, 'output', {size = size})
y = y + 16
matrix(1, y, {{load_cells, 'load'}})
matrix(3, y, {{store_cells, 'store'}})
local from, to = loads[followed], stores[followed]
d:arrow({x_of(1) + panel + 4, y + (from[1] + 0.5) * cell, x_of(3) - 5,
         y + (to[1] + 0.5) * cell}, {line = 'emphasis', weight = 1.5})
d:text(x_of(2) + panel / 2, y + (from[1] + to[1]) / 2 * cell - 16,
       ('lane %d'):format(followed),
       {size = size, align = 'middle', role = 'emphasis'})
local said, role, without_load = sectors(load)
d:text(x_of(1), y + panel + 11, said, {size = size, role = role})
local said, role, without_store = sectors(store)
d:text(x_of(3), y + panel + 11, said, {size = size, role = role})

-- ---- Through a tile.
y = y + panel + 36
d:text(d.left, y + 9, d:choose(
  'through a tile: another lane stores it, and both sides run along rows',
  'through a tile'))
y = y + 26
loads, load_cells, load = places('tile_access', 'global', 'load')
stores, store_cells, store = places('tile_access', 'global', 'store')
local puts, put_cells = places('tile_access', 'shared', 'store')
local takes, take_cells = places('tile_access', 'shared', 'load')
d:text(x_of(1), y + 5, 'input', {size = size})
d:text(x_of(2), y + 5, d:choose('tile in shared memory', 'tile'), {size = size})
d:text(x_of(3), y + 5, 'output', {size = size})
y = y + 16
matrix(1, y, {{load_cells, 'load'}})
matrix(2, y, {{put_cells, 'load'}, {take_cells, 'store'}})
matrix(3, y, {{store_cells, 'store'}})
between(1, y, puts[followed][1])
d:arrow({x_of(2) + panel + 4, y + (takes[followed][1] + 0.5) * cell,
         x_of(3) - 5, y + (stores[followed][1] + 0.5) * cell},
        {line = 'emphasis', weight = 1.5})
local said, role, with_load = sectors(load)
d:text(x_of(1), y + panel + 11, said, {size = size, role = role})
local said, role, with_store = sectors(store)
d:text(x_of(3), y + panel + 11, said, {size = size, role = role})
-- What lane 7 does is said between the panels, or below where they are close.
local brings = {'brings [%d][%d]', puts[followed][1], puts[followed][2]}
local takes_said = {'takes [%d][%d]', takes[followed][1], takes[followed][2]}
local below = y + panel + 20
if d.narrow then
  d:text(x_of(2), y + panel + 11, brings, {size = size, role = 'emphasis'})
  d:text(x_of(2), y + panel + 25, takes_said, {size = size, role = 'emphasis'})
  below = y + panel + 34
else
  d:text(x_of(2) - gap / 2, y + (puts[followed][1] + 0.5) * cell - 12, brings,
         {size = size, align = 'middle', role = 'emphasis'})
  d:text(x_of(3) - gap / 2, y + (takes[followed][1] + 0.5) * cell + 12,
         takes_said, {size = size, align = 'middle', role = 'emphasis'})
  d:text(x_of(2), y + panel + 11, 'a barrier between the two',
         {size = size, role = 'muted'})
end
d:legend(d.left, below + 8, d.width - 2 * d.left, {
  {{fill = 'load', tint = 0.6}, ('loaded by warp %d'):format(warp)},
  {{fill = 'store', tint = 0.6}, ('stored by warp %d'):format(warp)},
  {{fill = 'emphasis'}, ('its lane %d'):format(followed)}}, size)
d:alt(('Two rows of square matrices of %d by %d cells with the cells that ' ..
  'warp %d touches. Without a tile, it loads row %d, %d sectors, and stores a ' ..
  'column, %d sectors. Through a tile, it loads the same row, stores it as a ' ..
  'row of the tile, loads a column of the tile, and stores a row of the ' ..
  'output, %d sectors. Lane %d brings one element to the tile and takes ' ..
  'another one from it.'):format(n, n, warp, warp, without_load, without_store,
  with_store, followed))
