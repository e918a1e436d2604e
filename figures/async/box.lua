-- title: The box that one copy brings: a tile, its halo, and columns to spare
-- data: bench/async/counts.software.csv
local tile_rows, tile_columns, margin = 16, 64, 4
local rows, columns = tile_rows + 2, tile_columns + 2 * margin
local shown = d:choose(columns, 36)          -- columns drawn on a phone
local x, y = d.left, 30
local cell = (d.width - 2 * d.left) / shown
local high = d:choose(cell, cell)

d:text(x, 14, {'a box of %d rows × %d columns', rows, columns})
d:cells(x, y, rows, shown, cell, high, function(r, c)
  local inner = c >= margin and c < margin + tile_columns
  local near = c >= margin - 1 and c <= margin + tile_columns
  if inner and r > 0 and r < rows - 1 then return {fill = 'result', tint = 0.6} end
  if (inner and (r == 0 or r == rows - 1)) or
     (near and not inner and r > 0 and r < rows - 1) then
    return {fill = 'load', tint = 0.8}
  end
  return {fill = 'wasted', tint = 0.25}
end, 1)
y = y + rows * high + 20
if d.narrow then
  d:text(x, y, {'the left %d of %d columns', shown, columns},
         {size = 'tiny', role = 'muted'})
  y = y + 22
end
local n_tile = tile_rows * tile_columns
local n_halo = 2 * (tile_rows + tile_columns)
local n_rest = rows * columns - n_tile - n_halo
local function entry(at_x, at_y, style, said)
  d:rect(at_x, at_y - 6, 12, 12, style)
  d:text(at_x + 18, at_y, said, {size = 'small'})
end
local third = (d.width - 2 * d.left) / 3
entry(x, y, {fill = 'result', tint = 0.6}, {'the tile: %d points', n_tile})
entry(d:choose(x + third, x), y + d:choose(0, 22), {fill = 'load', tint = 0.8},
      {'its halo: %d points', n_halo})
entry(d:choose(x + 2 * third, x), y + d:choose(0, 44),
      {fill = 'wasted', tint = 0.25}, {'not needed: %d points', n_rest})
local counts = data.software('async/counts')
local function per_warp(version)
  local row = counts:one{version = version}
  return row.warp_instructions / (row.n_rows * row.n_cols / 32)
end
local by_hand, by_engine = per_warp('tile'), per_warp('tma')
y = y + d:choose(30, 76)
d:text(x, y, {d:choose('Warp instructions for 32 points: %.0f if the threads ' ..
  'fetch the tile, %.0f if the TMA does.',
  'Instructions: %.0f by hand, %.0f by TMA'), by_hand, by_engine},
  {size = 'small', role = 'muted'})
d.height = y + 14
d:alt(('A grid of %d rows and %d columns. Its middle, %d by %d cells, is the ' ..
  'tile. One row above and below it and one column on each side are the ' ..
  'halo, %d points. The corners and three more columns on each side, %d ' ..
  'points, are copied as well but not needed.')
  :format(rows, columns, tile_rows, tile_columns, n_halo, n_rest))
