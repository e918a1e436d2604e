-- title: The plate, cut into bands with halos
-- data: bench/multi_gpu/strong.referencex2.csv
local n_gpus, own = 4, 4
local wide = d:choose(250, 180)
local x, row = d.left + d:choose(120, 46), 15
local columns = d:choose(16, 12)
local cell = wide / columns
local y = 26

-- The plate by itself, at the left on a wide page only.
local gap = d:choose(40, 34)
d:text(x, y - 14, 'rows in each GPU\'s memory', {size = 'small'})
local tops = {}
for gpu = 0, n_gpus - 1 do
  tops[gpu] = y
  d:cells(x, y, own + 2, columns, cell, row, function(r)
    local is_halo = r == 0 or r == own + 1
    local is_edge = r == 0 and gpu == 0 or r == own + 1 and gpu == n_gpus - 1
    local is_sent = r == 1 and gpu > 0 or r == own and gpu < n_gpus - 1
    if is_edge then return {fill = 'cell'} end
    if is_halo then return {fill = 'store', tint = 0.35} end
    return {fill = 'gpu', tint = is_sent and 0.7 or 0.3}
  end, 1)
  d:text(x - 8, y + (own + 2) * row / 2, {'GPU %d', gpu}, {align = 'right'})
  y = y + (own + 2) * row + gap
end

-- Who sends which row where.
local right = x + wide
for gpu = 0, n_gpus - 2 do
  local below = tops[gpu + 1]
  local last = tops[gpu] + own * row + row / 2
  local halo = tops[gpu] + (own + 1) * row + row / 2
  local a, b = right + d:choose(26, 20), right + d:choose(54, 42)
  d:arrow({right + 2, last, b, last, b, below + row / 2, right + 3,
           below + row / 2}, {line = 'gpu', weight = 1.5})
  d:arrow({right + 2, below + row * 1.5, a, below + row * 1.5, a, halo,
           right + 3, halo}, {line = 'emphasis', weight = 1.5})
end

local legend = right + d:choose(84, 56)
if not d.narrow then
  d:paragraph(legend, tops[0] + 6, d.width - legend - d.left,
    'Own rows, computed in every step. The first and the last of them are ' ..
    'what the neighbours need.', {size = 'small', role = 'muted'})
  d:paragraph(legend, tops[1] + 6, d.width - legend - d.left,
    'The halo: copies of the neighbours\' edge rows, brought up to date ' ..
    'after every step.', {size = 'small', role = 'muted'})
  d:paragraph(legend, tops[2] + 6, d.width - legend - d.left,
    'At the plate\'s edge there is no neighbour, and the row never changes.',
    {size = 'small', role = 'muted'})
end
d:legend(d.left, y - 6, d.width - 2 * d.left,
         {{{fill = 'gpu', tint = 0.3}, 'own rows'},
                         {{fill = 'gpu', tint = 0.7}, 'sent'},
                         {{fill = 'store', tint = 0.35}, 'halo'},
                         {{fill = 'cell'}, 'edge of the plate'}})
d:alt(('%d bands of rows, one per GPU. Each has a halo row above and below; ' ..
       'arrows lead from the first and last own row of a band to the halo of ' ..
       'its neighbour.'):format(n_gpus))
