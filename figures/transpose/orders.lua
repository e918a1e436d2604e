-- title: Which tiles the first blocks take in three orders
-- data: bench/transpose/order.reference.csv
local side, shown = 8, 8     -- tiles of a matrix each way, and blocks drawn
local times = data.csv('transpose/order')

-- As tile_of_block in code/transpose/tile_shape.cu.
local orders = {
  {name = 'rows', tile = function(b) return b // side, b % side end},
  {name = 'columns', tile = function(b) return b % side, b // side end},
  {name = 'diagonals', tile = function(b)
    return b % side, (b // side + b % side) % side
  end}}

local size = d:choose('small', 'tiny')
local gap = d:choose(16, 14)                  -- between input and output
local between = d:choose(40, 0)               -- between two orders
local panel = d:choose((d.width - 2 * d.left - 2 * between - 3 * gap) / 6, 118)
local cell = panel / side

-- A matrix of tiles with those of the first blocks; `place` says where.
local function matrix(x, y, role, place)
  local block_at = {}
  for block = 0, shown - 1 do
    local row, col = place(block)
    block_at[row * side + col] = block
  end
  d:cells(x, y, side, side, cell, cell, function(r, c)
    local block = block_at[r * side + c]
    if block then return {fill = role, tint = 0.75} end
  end)
end

-- Do these tiles follow one another along a row of the matrix?
local function pieces(place)
  local row, col = place(0)
  local next_row, next_col = place(1)
  return row == next_row and col + 1 == next_col and 'long pieces' or
         'short pieces'
end

local function rate(version, order)
  return ('%.0f'):format(times:one{version = version, order = order}.gb_per_s)
end

local said = {}
local x, y = d.left, 2
for _, order in ipairs(orders) do
  local read = order.tile
  local function written(block)
    local row, col = order.tile(block)
    return col, row
  end
  d:text(x, y + 8, 'blocks go by ' .. order.name)
  local top = y + 38
  d:text(x, top - 10, 'input', {size = size, role = 'muted'})
  d:text(x + panel + gap, top - 10, 'output', {size = size, role = 'muted'})
  matrix(x, top, 'load', read)
  matrix(x + panel + gap, top, 'store', written)
  local under = top + panel + 11
  d:text(x, under, pieces(read), {size = size})
  d:text(x + panel + gap, under, pieces(written), {size = size})
  local beside = d.narrow and x + 2 * panel + 2 * gap or x
  local line = d.narrow and top + 8 or under + 22
  d:text(beside, line, 'transposition', {size = size, role = 'muted'})
  d:text(beside, line + 14, {'%s GB/s', rate('transpose', order.name)},
         {size = size})
  local right = d.narrow and beside or x + panel + gap
  local lower = d.narrow and line + 36 or line
  d:text(right, lower, 'copy', {size = size, role = 'muted'})
  d:text(right, lower + 14, {'%s GB/s', rate('copy', order.name)},
         {size = size})
  said[#said + 1] = ('By %s they read %s and write %s; the transposition ' ..
    'reaches %s GB/s, the copy %s.'):format(order.name, pieces(read),
    pieces(written), rate('transpose', order.name), rate('copy', order.name))
  if d.narrow then
    y = under + 20
  else
    x = x + 2 * panel + gap + between
  end
end
d:alt(('Three pairs of matrices of %d by %d tiles, with the tiles that the ' ..
  'first %d blocks read from the input and write to the output. %s')
  :format(side, side, shown, table.concat(said, ' ')))
