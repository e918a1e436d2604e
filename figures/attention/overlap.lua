-- title: A warpgroup's products and its softmax, one after the other and overlapped
-- data: bench/attention/hopper_ladder.reference.csv
local ladder = data.csv('attention/hopper_ladder')
local function rate(version)
  return ladder:one{version = version, causal = 0}.tflop_per_s
end
local x0 = d.left + d:choose(120, 66)
local n_units = 12
local unit = (d.width - d.left - x0) / n_units
local high = 28
local size = d:choose('small', 'tiny')
local function name(y, said)
  d:text(x0 - 8, y + high / 2, said, {size = size, align = 'right'})
end
local function box(from, long, y, style, said)
  d:box(x0 + from * unit, y, long * unit, high, said,
        {fill = style, tint = 0.55, size = size, gap = 1})
end
local function scores(from, y, i)
  box(from, 2, y, 'working', {d:choose('scores %d', 'S %d'), i})
end
local function output(from, y, i)
  box(from, 2, y, 'working', {d:choose('output %d', 'O %d'), i})
end
local function softmax(from, y, i)
  box(from, 2, y, 'emphasis', {d:choose('softmax %d', 'exp %d'), i})
end
local function names(y)
  name(y, d:choose('tensor cores', 'tensor'))
  name(y + high + 6, d:choose('warps', 'warps'))
end

local y = 34
d:text(d.left, 14, {d:choose('one after the other: %.0f TFLOP/s',
  'in turn: %.0f TFLOP/s'), rate('warpgroups')})
names(y)
for i = 0, 1 do
  scores(6 * i, y, i + 1)
  softmax(6 * i + 2, y + high + 6, i + 1)
  output(6 * i + 4, y, i + 1)
end
y = y + 2 * (high + 6) + 44
d:text(d.left, y - 20, {d:choose('the next scores before the last output: ' ..
  '%.0f TFLOP/s', 'overlapped: %.0f TFLOP/s'), rate('held')})
names(y)
for i = 0, 2 do
  scores(4 * i, y, i + 1)
  output(4 * i + 2, y, i)
  softmax(4 * i + 2, y + high + 6, i + 1)
end
local bottom = y + 2 * (high + 6) + 10
d:time(x0, bottom, size)
d.height = bottom + 26
d:alt(('Two timelines of one warpgroup, each with a row for the tensor cores ' ..
  'and one for the warps. In the first, scores, softmax and output of a tile ' ..
  'follow each other, and nothing multiplies during the softmax: %.0f ' ..
  'TFLOP/s. In the second, the scores of a tile are followed by the output of ' ..
  'the tile before, and the softmax is worked out meanwhile; something ' ..
  'multiplies at all times: %.0f TFLOP/s.'):format(rate('warpgroups'),
  rate('held')))
