-- title: What the warps of a block do: one loads, two warpgroups multiply
-- data: bench/tensor_cores/ladder_4096.reference.csv
local ladder = data.csv('tensor_cores/ladder_4096')
local ring = ladder:one{version = 'ring_4'}.share_of_cublas
local roles = ladder:one{version = 'specialised'}.share_of_cublas
local n, stages = 7, 4
local x0 = d.left + d:choose(112, 70)
local unit = (d.width - x0 - d.left) / (n + 2)
local high, gap = d:choose(24, 20), 6
local size = d:choose('small', 'tiny')
local y = 34
d:text(d.left, 12, {d:choose(
  'with roles, %.0f %% of cuBLAS; the ring without them: %.0f %%',
  'roles: %.0f %% of cuBLAS; ring: %.0f %%'), 100 * roles, 100 * ring})
local function name(at, said)
  d:text(x0 - 8, at + high / 2, said, {size = size, align = 'right'})
end
local function box(from, length, at, role, said)
  d:box(x0 + from * unit, at, length * unit, high, said,
        {fill = role, tint = 0.55, size = size, gap = 1})
end
name(y, d:choose('producer asks', 'producer'))
for t = 0, n - 1 do
  -- The first stages are empty; after that each waits for its last use.
  local from = t < stages and t * 0.5 or t - stages + 3
  box(from, 0.5, y, 'load', {'%d', t})
end
for s = 0, stages - 1 do
  local at = y + (s + 1) * (high + gap)
  name(at, {'stage %d', s})
  for t = s, n - 1, stages do
    local from = t < stages and t * 0.5 + 0.5 or t - stages + 3.5
    box(from, t + 2 - from, at, 'load', d:choose({'tile %d arrives', t},
                                                 {'%d', t}))
    box(t + 2, 1, at, 'result', {d:choose('read', 'read')})
  end
end
for g = 0, 1 do
  local at = y + (stages + 1 + g) * (high + gap)
  name(at, {d:choose('warpgroup %d', 'group %d'), g})
  for t = 0, n - 1 do box(t + 2, 1, at, 'result', {'%d', t}) end
end
local bottom = y + (stages + 3) * (high + gap) + 6
d:arrow({x0, bottom, d.width - d.left, bottom}, {line = 'muted'})
d:text(d.width - d.left, bottom + 12, 'time, schematic',
       {size = size, align = 'right', role = 'muted'})
d.height = bottom + 24
d:alt(('A schematic timeline. The producer asks for tiles 0 to 3 at once, and ' ..
  'for each later one when its stage has been read. Four rows show the ' ..
  'stages: a tile arrives, then it is read for one unit of time. Two rows ' ..
  'show the warpgroups, which multiply tile after tile without a gap, %d ' ..
  'tiles in all.'):format(n))
