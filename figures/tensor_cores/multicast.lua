-- title: A cluster of two blocks: each loads half of B's tile for both
-- data: bench/tensor_cores/traffic.reference.csv
local traffic = data.csv('tensor_cores/traffic')
local apart = traffic:one{version = 'specialised'}
local together = traffic:one{version = 'cluster'}
local w, h = d:choose(128, 82), d:choose(32, 28)
local size = d:choose('small', 'tiny')
local x_copy = d.left + d:choose(100, 2)
local x_b = x_copy + w + d:choose(128, 56)
local x_a = x_b + w + d:choose(40, 14)
local top, gap = d:choose(40, 54), d:choose(44, 50)
local function row(b) return top + b * (2 * h + gap) end
local function half(x, y, which, said)
  d:rect(x, y, w, h, {fill = ('warp_%d'):format(which),
                      tint = 0.4})
  d:fit(x, y, w, h, said, {size = size})
end
local function heading(x, said)
  d:text(x + w / 2, top - d:choose(16, 32), said,
         {align = 'middle', size = size, role = 'muted'})
end
heading(x_copy, d:choose('one copy by each block', 'copies'))
heading(x_b, d:choose('tile of B, in each block', 'tile of B'))
heading(x_a, 'tile of A')
for b = 0, 1 do
  local y = row(b)
  if d.narrow then
    d:text(x_copy, y + h / 2 - 9, {'block %d', b}, {size = 'tiny'})
    d:text(x_b, y - 9, {'block %d', b}, {size = 'tiny'})
  else
    d:text(x_copy - 14, y + h, {'block %d', b}, {align = 'right'})
  end
  half(x_copy, y + h / 2, b, {'half %d of B', b})
  for k = 0, 1 do half(x_b, y + k * h, k, {'half %d', k}) end
  d:rect(x_a, y, w - d:choose(0, 12), 2 * h, {fill = 'grid', tint = 0.5})
  d:fit(x_a, y, w - d:choose(0, 12), 2 * h,
        {d:choose('rows of block %d', 'block %d'), b}, {size = size})
  for k = 0, 1 do
    d:arrow({x_copy + w + 3, y + h + (k - 0.5) * 8, x_b - 4,
             row(k) + (b + 0.5) * h},
            {line = ('warp_%d'):format(b), weight = 1.5})
  end
end
local y = row(1) + 2 * h + 22
local reads = 'L2 reads %.0f million sectors for the %.0f million that ' ..
  'arrive in the SMs, without multicast %.0f million'
local function millions(n) return n / 1e6 end
d:paragraph(x_copy, y, d.width - x_copy - d.left,
  {reads, millions(together.l2_read_sectors), millions(together.l1_fill_sectors),
   millions(apart.l2_read_sectors)}, {size = size, role = 'muted'})
d.height = y + d:choose(20, 46)
d:alt(('Two blocks of a cluster. Block 0 loads half 0 of the tile of B and ' ..
  'block 1 half 1. From each of the two copies an arrow leads into both ' ..
  'blocks, so both end up with the whole tile of B, next to a tile of A of ' ..
  'their own. L2 reads %.0f million sectors instead of %.0f million.')
  :format(millions(together.l2_read_sectors), millions(apart.l2_read_sectors)))
