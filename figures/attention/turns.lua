-- title: Three warpgroups take turns with the tensor cores
-- data: bench/attention/sizes.reference.csv
local sizes = data.csv('attention/sizes')
local rate = sizes:one{version = 'turns', d = 64, n = 16384,
                       causal = 0}.tflop_per_s
local x0 = d.left + d:choose(120, 66)
local n_units = 14
local unit = (d.width - d.left - x0) / n_units
local high = 28
local size = d:choose('small', 'tiny')
local n_groups = 3

local function name(y, said)
  d:text(x0 - 8, y + high / 2, said, {size = size, align = 'right'})
end

--- A stretch of time from `from` to `to`, without what is past the drawing.
local function box(from, to, y, style, said)
  from, to = math.max(from, 0), math.min(to, n_units)
  if to - from < 2 then said = nil end
  d:box(x0 + from * unit, y, (to - from) * unit, high, said or '',
        {fill = style, tint = 0.55, size = size, gap = 1})
end

local function row(group)
  return 34 + group * (high + 6)
end

d:text(d.left, 14, {d:choose('d = 64, in turn: %.0f TFLOP/s',
  'in turn: %.0f TFLOP/s'), rate})
name(row(0), d:choose('tensor cores', 'tensor'))
for group = 1, n_groups do
  name(row(group), {d:choose('warpgroup %d', 'group %d'), group})
  for tile = -1, 2 do
    local from = 6 * tile + 2 * (group - 1)
    if from + 2 > 0 and from < n_units then
      box(from, from + 2, row(0), 'working', {d:choose('group %d', '%d'), group})
      box(from, from + 2, row(group), 'working', d:choose('products', 'S, O'))
    end
    if from + 6 > 0 and from + 2 < n_units then
      box(from + 2, from + 6, row(group), 'emphasis', d:choose('softmax', 'exp'))
    end
  end
end
local bottom = row(n_groups) + high + 10
d:time(x0, bottom, size)
d.height = bottom + 26
d:alt('Timelines of the tensor cores and of three warpgroups. The tensor ' ..
  'cores work for group 1, 2 and 3 in turn, without a gap. Each group has a ' ..
  'short box of products followed by a softmax twice as long, and its ' ..
  'products begin where those of the group before it end.')
