-- title: A plate in the shared memory of a cluster
-- data: bench/async/barriers.reference.csv
local n_blocks, rows, columns = 4, 3, d:choose(16, 10)
local cell = d:choose(17, 15)
local x = d.left + d:choose(150, 4)
local w = columns * cell
local gap = 34
local y = d:choose(8, 22)
local tops = {}
for b = 0, n_blocks - 1 do
  tops[b] = y
  if d.narrow then
    d:text(x, y - 10, {'block %d', b}, {size = 'tiny'})
  else
    d:text(x - 12, y + (rows + 2) * cell / 2, {'block %d', b},
           {align = 'right'})
  end
  d:cells(x, y, rows + 2, columns, cell, cell, function(r)
    local halo = r == 0 or r == rows + 1
    if halo and ((b == 0 and r == 0) or (b == n_blocks - 1 and r > 0)) then
      return {fill = 'cell'}
    end
    return {fill = halo and 'load' or 'shared', tint = halo and 0.7 or 0.45}
  end, 1)
  y = y + (rows + 2) * cell + gap
end
for b = 0, n_blocks - 2 do
  local mine, next_top = tops[b], tops[b + 1]
  local last = mine + (rows + 0.5) * cell
  local right = x + w + d:choose(26, 14)
  d:arrow({x + w + 2, last, right, last, right, next_top + cell / 2,
           x + w + 4, next_top + cell / 2}, {line = 'store', weight = 1.5})
  local far = x + w + d:choose(52, 30)
  d:arrow({x + w + 2, next_top + 1.5 * cell, far, next_top + 1.5 * cell, far,
           mine + (rows + 1.5) * cell, x + w + 4, mine + (rows + 1.5) * cell},
          {line = 'emphasis', weight = 1.5})
end
local tx = x + w + d:choose(76, 40)
local tw = d.width - tx - d.left
d:paragraph(tx, tops[0] + cell, tw, 'The last row of a block goes into the ' ..
            'upper halo row of the next one,', {size = d:choose('small', 'tiny')})
d:paragraph(tx, tops[1] + 1.5 * cell, tw, 'its first row into the lower halo row of ' ..
            'the one before.', {size = d:choose('small', 'tiny')})
local barriers = data.csv('async/barriers')
d:paragraph(tx, tops[2] + 1.5 * cell, tw,
  {'Then the cluster waits: %.2f µs. The whole grid would take %.2f.',
   barriers:one{version = 'cluster_8'}.barrier_us,
   barriers:one{version = 'grid'}.barrier_us},
  {size = d:choose('small', 'tiny'), role = 'muted'})
d.height = y - gap + 8
d:alt(('Four blocks below each other, each with a band of %d rows in its ' ..
  'shared memory and a halo row above and below. Arrows lead from the last ' ..
  'row of each block into the upper halo row of the next, and from the first ' ..
  'row into the lower halo row of the one before.'):format(rows))
