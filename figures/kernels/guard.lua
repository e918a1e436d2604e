-- title: Blocks of threads laid over an array that ends in the middle of one
-- data: bench/kernels/counts.software.csv
local launch = data.software('kernels/counts'):one{version = 'one_each'}
local n, threads, blocks = launch.n_elems, launch.block_x, launch.grid_x
local x, w = d.left, d.width - 2 * d.left
local scale = w / (blocks * threads)

local y = 2
d:text(x, y + 9, {'%d blocks of %d threads', blocks, threads})
y = y + 24
for b = 0, blocks - 1 do
  local from = x + b * threads * scale
  local wide = threads * scale - 3
  local last = b == blocks - 1
  local works = last and (n - b * threads) * scale or wide
  d:rect(from, y, works, 40, {fill = 'gpu', tint = 0.35, radius = 3})
  if last then
    d:rect(from + works, y, wide - works, 40, {fill = 'lane_out', tint = 0.8})
  end
  d:fit(from, y + 2, wide, 18, d.narrow and {'%d', b} or {'block %d', b},
        {size = 'small'})
  if not d.narrow then
    d:fit(from, y + 20, last and works or wide, 18,
          {'i = %d … %d', b * threads,
           last and n - 1 or b * threads + threads - 1}, {size = 'small'})
  end
end
y = y + 40
local over = blocks * threads - n
d:arrow({x + w - over * scale / 2 - 1.5, y + 24, x + w - over * scale / 2 - 1.5, y + 4},
        {line = 'bad'})
d:text(x + n * scale - 6, y + 34,
       {d:choose('%d threads have no element: the guard i < n keeps them out',
                 '%d threads without an element'), over},
       {size = 'small', role = 'bad', align = 'right'})
y = y + 50
d:rect(x, y, n * scale, 22, {fill = 'cell', tint = 1})
d:fit(x, y, n * scale, 22, {'the array: elements 0 … %d', n - 1}, {size = 'small'})
d:line(x + n * scale, y - 50, x + n * scale, y + 26, {line = 'bad', dash = '3 3'})
d:alt(('Blocks of threads side by side over one array of %d elements. '
  .. '%d blocks of %d threads reach beyond it; the last %d threads have no '
  .. 'element.'):format(n, blocks, threads, over))
