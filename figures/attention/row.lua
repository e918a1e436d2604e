-- title: One row of attention, tile by tile: scores, running maximum, sum
-- data: bench/attention/row.software.csv
local rows = data.software('attention/row')
local n_tiles, n_keys = 5, 4
local x0 = d.left + d:choose(118, 58)
local unit = (d.width - d.left - x0) / n_tiles
local top, high = 52, 120
local size = d:choose('small', 'tiny')

local at, most, least = {}, -math.huge, math.huge
for t = 0, n_tiles - 1 do
  at[t] = rows:one{tile = t}
  for j = 0, n_keys - 1 do
    local score = at[t]['score_' .. j]
    most, least = math.max(most, score), math.min(least, score)
  end
end
local function y_of(score)
  return top + high * (most - score) / (most - least)
end

local function name(y, said)
  d:text(x0 - 10, y, said, {size = size, align = 'right'})
end
name(top + high / 2, 'scores')
d:line(x0, y_of(0), d.width - d.left, y_of(0), {line = 'grid'})
for t = 0, n_tiles - 1 do
  local x = x0 + t * unit
  d:text(x + unit / 2, 16, {'tile %d', t}, {size = size, align = 'middle'})
  local grew = t == 0 or at[t].top > at[t - 1].top
  local wide = (unit - 12) / n_keys
  for j = 0, n_keys - 1 do
    local score = at[t]['score_' .. j]
    local y = math.min(y_of(score), y_of(0))
    d:rect(x + 6 + j * wide + 1, y, wide - 2,
           math.max(1, math.abs(y_of(score) - y_of(0))),
           {fill = 'load', tint = 0.6})
  end
  d:line(x + 3, y_of(at[t].top), x + unit - 3, y_of(at[t].top),
         {line = 'emphasis', weight = 2})
  d:text(x + unit / 2, y_of(at[t].top) - 10, {'%.2f', at[t].top},
         {size = size, align = 'middle', role = grew and 'emphasis' or 'muted'})
end
local y = top + high + 30
local function line_of(said, column, style)
  name(y, said)
  for t = 0, n_tiles - 1 do
    local x = x0 + t * unit
    local changed = column == 'factor' and at[t].factor ~= 1
    d:rect(x + 3, y - 13, unit - 6, 26,
           {fill = style, tint = changed and 0.6 or 0.25, radius = 3})
    d:fit(x + 3, y - 13, unit - 6, 26, {'%.2f', at[t][column]}, {size = size})
  end
  y = y + 34
end
line_of('factor', 'factor', 'emphasis')
line_of('sum', 'sum', 'result')
line_of(d:choose('output (column 0)', 'output'), 'out_0', 'result')
d:text(x0, y + 2, {d:choose('At the end: output / sum = %.2f / %.2f = %.3f.',
  '%.2f / %.2f = %.3f'), at[n_tiles - 1].out_0, at[n_tiles - 1].sum,
  at[n_tiles - 1].final_0}, {size = size, role = 'muted'})
d.height = y + 16
d:alt(('Five tiles of four scores. A line marks the running maximum: %.2f ' ..
  'after the first tile, then %.2f and %.2f, and it stays there. Below are, ' ..
  'for each tile, the factor by which sum and output are multiplied, which ' ..
  'is 1 where the maximum stays; the sum; and the output, which divided by ' ..
  'the last sum gives %.3f.'):format(at[0].top, at[1].top, at[2].top,
  at[n_tiles - 1].final_0))
