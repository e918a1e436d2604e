-- title: How the barriers of two warps are matched if one passes through one more
-- data: bench/warps/outcomes.reference.csv
local row = data.csv('warps/outcomes'):one{version = 'one_ahead_warps'}
local n_wrong = row.outcome:match('(%d+) results')
local x, w = d.left + d:choose(64, 0), d.width - 2 * d.left - d:choose(64, 0)
local unit = w / 5
local size = d:choose('small', 'tiny')
local high = 30
local top = d:choose(30, 44)
local lanes = {{y = top, name = 'warp 0'}, {y = top + 86, name = 'warp 1'}}
for _, lane in ipairs(lanes) do
  if d.narrow then
    d:text(x, lane.y - 10, lane.name, {size = 'small', role = 'muted'})
  else
    d:text(x - 12, lane.y + high / 2, lane.name, {align = 'right', size = 'small'})
  end
end
local function box(lane, from, words, role, tint)
  d:box(x + from * unit, lanes[lane].y, unit, high, words,
        {fill = role, tint = tint or 0.35, size = size, gap = 3})
end
-- The barrier that ends the step before `at`.
local function barrier(lane, at)
  local bx, by = x + at * unit, lanes[lane].y
  d:rect(bx - 2.5, by - 5, 5, high + 10, {fill = 'emphasis'})
end
box(1, 0, 'left = 0', 'cell', 1)
box(1, 2, 'left = t + 1', 'store')
box(1, 3, d:choose('reads warp 1’s', 'reads'), 'load')
box(2, 0, 'left = 0', 'cell', 1)
box(2, 1, 'left = t + 1', 'store')
box(2, 2, d:choose('reads warp 0’s', 'reads'), 'bad', 0.45)
-- Warp 0 waits at its first barrier until warp 1 comes to its only one.
d:rect(x + unit + 4, lanes[1].y, unit - 10, high,
       {line = 'muted', dash = '3 3', radius = 3})
d:fit(x + unit, lanes[1].y, unit, high, 'waits', {size = size, role = 'muted'})
barrier(1, 2)
barrier(2, 2)
d:line(x + 2 * unit, lanes[1].y + high + 6, x + 2 * unit, lanes[2].y - 6,
       {line = 'emphasis', dash = '4 3', weight = 1.5})
d:text(x + 2 * unit - 8, lanes[1].y + high + 28,
       d:choose('the first barrier meets the second', '1st meets 2nd'),
       {size = size, align = 'right', role = 'emphasis'})
-- What warp 1 reads is written at the same time.
d:arrow({x + 2.5 * unit, lanes[2].y - 2, x + 2.5 * unit, lanes[1].y + high + 3},
        {line = 'bad', weight = 1.3})
d:text(x + 2.5 * unit + 8, lanes[1].y + high + 28,
       d:choose({'not written yet: %s wrong results', n_wrong},
                {'%s wrong results', n_wrong}),
       {size = size, role = 'bad'})
barrier(1, 3)
d:text(x + 3 * unit, lanes[1].y - 14,
       d:choose('the second: warp 1 has ended', '2nd: warp 1 has ended'),
       {size = 'tiny', align = 'middle', role = 'muted'})
d:text(x + 3 * unit + 8, lanes[2].y + high / 2, 'ended',
       {size = size, role = 'muted'})
d:time(x, lanes[2].y + high + 18, 'tiny')
d:alt(('Two warps over time. Warp 0 stores zeros and waits at its first barrier. '
  .. 'Warp 1 has no such barrier: it stores zeros, then its numbers, and comes to '
  .. 'the second barrier, which is its first. The two are matched. Then warp 1 '
  .. 'reads the numbers of warp 0 while warp 0 is still storing them: %s results '
  .. 'are wrong. When warp 0 reaches its second barrier, warp 1 has ended.')
  :format(n_wrong))
