-- title: One buffer and two: when a block copies and when it computes
-- data: bench/async/ladder.reference.csv
local n = 4
local ladder = data.csv('async/ladder')
local one = ladder:one{version = 'tile'}.share_of_copy
local two = ladder:one{version = 'pipeline'}.share_of_copy
local x0 = d.left + d:choose(96, 62)
local unit = (d.width - x0 - d.left) / (2 * n)
local high = 30
local size = d:choose('small', 'tiny')

local function box(from, y, role, said)
  d:box(x0 + from * unit, y, unit, high, said,
        {fill = role, tint = 0.55, size = size, gap = 1})
end
local function name(y, said)
  d:text(x0 - 8, y + high / 2, said, {size = size, align = 'right'})
end
local copy, tile = 'copy', d:choose('tile %d', '%d')

local y = 34
d:text(d.left, 14, {d:choose('one buffer: copying and computing take turns; ' ..
  '%.0f %% of a copy kernel', 'one buffer: %.0f %% of a copy kernel'), 100 * one})
name(y, 'copies')
name(y + high + 6, 'threads')
for i = 0, n - 1 do
  box(2 * i, y, 'load', {tile, i})
  box(2 * i + 1, y + high + 6, 'result', {tile, i})
end
y = y + 2 * high + 50
d:text(d.left, y - 20, {d:choose('two buffers: the next tile travels ' ..
  'meanwhile; %.0f %%', 'two buffers: %.0f %%'), 100 * two})
name(y, d:choose('copies, buffer 0', 'buffer 0'))
name(y + high + 6, d:choose('copies, buffer 1', 'buffer 1'))
name(y + 2 * (high + 6), 'threads')
for i = 0, n - 1 do
  box(i, y + i % 2 * (high + 6), 'load', {tile, i})
  box(i + 1, y + 2 * (high + 6), 'result', {tile, i})
end
local bottom = y + 3 * (high + 6) + 12
d:time(x0, bottom, size)
d.height = bottom + 26
d:alt(('Two timelines of %d tiles. With one buffer, copy and computation ' ..
  'alternate, and %d tiles take %d units. With two, each tile is copied into ' ..
  'one buffer while the threads compute the tile in the other: the same work ' ..
  'takes %d units.'):format(n, n, 2 * n, n + 1))
