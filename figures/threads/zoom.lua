-- title: From the grid to one element
-- data: bench/threads/grids.software.csv
local grid = data.software('threads/grids'):one{version = 'vector'}
local block_threads, n_blocks, n = grid.block_x, grid.n_blocks, grid.n_working
local warp_threads = 32
local n_warps = block_threads // warp_threads
-- The warp in which the elements end, and a lane of it.
local block = (n - 1) // block_threads
local warp = (n - 1) % block_threads // warp_threads
local lane = 5
local first = block * block_threads + warp * warp_threads
local thread = warp * warp_threads + lane
local index = first + lane

local x, w = d.left, d.width - 2 * d.left
local function zoom(from, wide, y, below)
  d:path({from, y, from + wide, y, x + w, below, x, below},
         {fill = 'gpu', tint = 0.1, close = true})
end
local function row(y, high, count, chosen, name)
  local cell = w / count
  zoom(x + chosen * cell, cell - 2, y + high, y + high + d:choose(58, 52))
  d:cells(x, y, 1, count, cell, high, function(_, k)
    return {fill = 'gpu', tint = k == chosen and 1 or 0.3,
            role = k == chosen and 'paper' or nil,
            label = name(k, cell), size = cell > 60 and 'small' or 'tiny'}
  end, 2)
end

local y = 2
d:text(x, y + 9, {'grid: %d blocks', n_blocks})
y = y + 22
row(y, 30, n_blocks, block, function(k) return 'block ' .. k end)
y = y + 30 + d:choose(58, 52)
d:text(x, y - 12, {'block %d: %d threads, %d warps', block, block_threads, n_warps})
row(y, 30, n_warps, warp, function(k, cell)
  return (cell > 40 and 'warp ' or '') .. k
end)
y = y + 30 + d:choose(58, 52)
d:text(x, y - 12, {'warp %d: %d lanes', warp, warp_threads})
local cell = w / warp_threads
local lanes_y = y
d:cells(x, y, 1, warp_threads, cell, 26, function(_, k)
  local works = first + k < n
  return {fill = works and 'lane' or 'lane_out', lane = k,
          tint = k == lane and 1 or 0.4, size = 'tiny',
          role = k == lane and 'paper' or nil,
          label = (not d.narrow or k == lane or k == 0) and tostring(k) or nil}
end, 1.5)
y = y + 26 + 44
for k = 0, warp_threads - 1 do
  local middle = x + (k + 0.5) * cell
  if first + k < n and k ~= lane then
    d:line(middle, lanes_y + 26, middle, y - 1, {line = 'grid'})
  end
end
local working = math.min(warp_threads, n - first)
d:arrow({x + (lane + 0.5) * cell, lanes_y + 26, x + (lane + 0.5) * cell, y - 1},
        {line = 'emphasis', weight = 1.5})
d:cells(x, y, 1, working, cell, 22, function(_, k)
  return {fill = k == lane and 'emphasis' or 'cell'}
end, 1.5)
if working < warp_threads then
  local from = x + working * cell
  d:brace(from, x + w - 2, y + 2, nil)
  d:paragraph(from + 4, y + 6, w - working * cell - 6,
              {d:choose('%d lanes have no element: they need the guard i < n',
                        '%d lanes without an element'),
               warp_threads - working}, {size = 'small', role = 'bad'})
end
d:text(x, y + 33, {d:choose('x[%d] … x[%d], the last of %d elements',
                            'x[%d] … x[%d]'), first, n - 1, n},
       {size = 'small', role = 'muted'})
y = y + d:choose(52, 56)
d:text(x, y + 10, {'i = blockIdx.x * blockDim.x + threadIdx.x'},
       {size = 'small'})
d:text(x, y + 27, {'  = %d × %d + %d = %d', block, block_threads, thread, index},
       {size = 'small', role = 'emphasis'})
d:alt(('Four rows that zoom in: a grid of %d blocks, block %d with its %d ' ..
  'warps, warp %d with its %d lanes, and the elements of an array. An arrow ' ..
  'leads from lane %d to element %d; the last %d lanes have none.')
  :format(n_blocks, block, n_warps, warp, warp_threads, lane, index,
          warp_threads - working))
