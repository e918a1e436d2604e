-- title: Two warpgroups take turns: products of one during the softmax of the other
-- data: bench/attention/hopper_ladder.h200.csv
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
  d:rect(x0 + from * unit + 1, y, long * unit - 2, high,
         {fill = style, tint = 0.55, radius = 3})
  d:fit(x0 + from * unit, y, long * unit, high, said, {size = size})
end
local products, softmax = d:choose('products', 'mul'),
  d:choose('softmax', 'exp')

local y = 34
d:text(d.left, 14, {d:choose('in step: the tensor cores wait for both ' ..
  'softmaxes; %.0f TFLOP/s', 'in step: %.0f TFLOP/s'), rate('warpgroups')})
for g = 0, 1 do
  name(y + g * (high + 6), {d:choose('warpgroup %d', 'group %d'), g})
  for i = 0, 1 do
    box(6 * i, 4, y + g * (high + 6), 'working', products)
    box(6 * i + 4, 2, y + g * (high + 6), 'emphasis', softmax)
  end
end
y = y + 2 * (high + 6) + 44
d:text(d.left, y - 20, {d:choose('in turn: one multiplies while the other ' ..
  'works out its softmax; %.0f TFLOP/s with overlap',
  'in turn, and overlapping: %.0f TFLOP/s'),
  rate('both')})
for g = 0, 1 do
  name(y + g * (high + 6), {d:choose('warpgroup %d', 'group %d'), g})
end
for i = 0, 2 do
  box(4 * i, 2, y, 'working', products)
  box(4 * i + 2, 2, y, 'emphasis', softmax)
  box(4 * i + 2, 2, y + high + 6, 'working', products)
  if i < 2 then box(4 * i + 4, 2, y + high + 6, 'emphasis', softmax) end
end
local bottom = y + 2 * (high + 6) + 10
d:arrow({x0, bottom, d.width - d.left, bottom}, {line = 'muted'})
d:text(d.width - d.left, bottom + 14, 'time',
       {size = size, align = 'right', role = 'muted'})
d.height = bottom + 26
d:alt(('Two timelines of two warpgroups. In the first, both multiply at the ' ..
  'same time, at half the speed each, and then both work out their softmax ' ..
  'while nothing multiplies: %.0f TFLOP/s. In the second, one multiplies ' ..
  'while the other works out its softmax, and something multiplies at all ' ..
  'times: %.0f TFLOP/s.'):format(rate('warpgroups'), rate('both')))
