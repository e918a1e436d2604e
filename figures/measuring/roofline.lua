-- title: How to read a roofline
-- data: bench/roofline/points.reference.csv
-- data: bench/roofline/ceilings.reference.csv
-- data: bench/measuring/profiled.reference.csv
-- data: bench/convolution/line.reference.csv
-- data: bench/matmul/ladder.reference.csv
local points = data.csv('roofline/points')
local ceilings = data.csv('roofline/ceilings')
local bandwidth = ceilings:one{version = 'memory_copy'}.gb_per_s
local peak = ceilings:one{version = 'fp32_fma'}.gflop_per_s
local ridge = peak / bandwidth

local x0, w = d:choose(64, 44), d:choose(640, 288)
local y0, h = 12, d:choose(300, 250)
local low_x, high_x, low_y, high_y = 0.04, 4000, 40, 150000
local function at_x(v) return x0 + w * math.log(v / low_x) / math.log(high_x / low_x) end
local function at_y(v) return y0 + h - h * math.log(v / low_y) / math.log(high_y / low_y) end
local function roof(v) return math.min(v * bandwidth, peak) end

-- The two sides, and the roof.
local foot, rx, ry = y0 + h, at_x(ridge), at_y(peak)
d:path({at_x(low_x), foot, at_x(low_x), at_y(roof(low_x)), rx, ry, rx, foot},
       {fill = 'memory', tint = 0.09, close = true})
d:path({rx, foot, rx, ry, at_x(high_x), ry, at_x(high_x), foot},
       {fill = 'arithmetic', tint = 0.09, close = true})
for _, v in ipairs {100, 1000, 10000, 100000} do
  d:line(x0, at_y(v), x0 + w, at_y(v), {line = 'grid'})
  d:text(x0 - 6, at_y(v), number(v / 1000, 1),
         {size = 'tiny', align = 'right', role = 'muted'})
end
d:path({at_x(low_x), at_y(roof(low_x)), rx, ry}, {line = 'memory', weight = 2.5})
d:path({rx, ry, at_x(high_x), ry}, {line = 'arithmetic', weight = 2.5})
d:path({rx, foot, rx, ry}, {line = 'muted', dash = '3 3'})
d:path({x0, y0, x0, foot, x0 + w, foot}, {line = 'muted'})
for _, v in ipairs {0.1, 1, 10, 100, 1000} do
  d:line(at_x(v), foot, at_x(v), foot + 4, {line = 'muted'})
  d:text(at_x(v), foot + 11, number(v, 1), {size = 'tiny', align = 'middle',
                                            role = 'muted'})
end
d:text(x0 + w, foot + 28, d:choose(
         'arithmetic intensity: FLOP per byte (logarithmic)',
         'FLOP per byte (logarithmic)'),
       {size = 'small', align = 'right', role = 'muted'})
d:text(10, y0 + h / 2, 'TFLOP/s (logarithmic)',
       {size = 'small', align = 'middle', turn = true, role = 'muted'})

d:text(at_x(0.85), at_y(1500), {d:choose('memory delivers %s TB/s', '%s TB/s'),
       number(bandwidth / 1000, 2)}, {size = 'small', role = 'memory'})
d:text(x0 + w - 4, ry - 11, {d:choose('the units compute %s TFLOP/s',
       '%s TFLOP/s'), number(peak / 1000, 2)},
       {size = 'small', role = 'arithmetic', align = 'right'})
d:text(rx + 5, foot - 34, {d:choose('%s FLOP per byte', '%s'),
                           number(ridge, 3)}, {size = 'small', role = 'muted'})
d:text((x0 + rx) / 2 + d:choose(60, 34), foot - 12,
       d:choose('memory decides', 'memory'),
       {size = 'small', align = 'middle', role = 'muted'})
d:text((rx + x0 + w) / 2, foot - 12,
       d:choose('units decide', 'units'),
       {size = 'small', align = 'middle', role = 'muted'})

-- A point, and how far below its roof it is.
local said = {}
local function point(intensity, speed, name, side, dx, dy)
  local x, y = at_x(intensity), at_y(speed)
  local share, top = speed / roof(intensity), at_y(roof(intensity))
  if share < 0.7 then
    d:arrow({x, y - 6, x, top + 3}, {line = 'emphasis', dash = '2 2'})
  end
  d:circle(x, y, 4.5, {fill = 'ink'})
  local label = {share < 0.1 and '%s: %.0f %% of its roof' or
                 '%s: %.0f %%' .. d:choose(' of its roof', ''), name,
                 100 * share}
  d:text(x + dx, y + dy, label, {size = 'small', align = side})
  said[#said + 1] = string.format(table.unpack(label))
  return x, y, top
end
-- Bytes are those that an algorithm must move, which the speeds in gb_per_s count.
local saxpy = points:one{slug = 'measuring', experiment = 'saxpy',
                         version = 'saxpy'}
local sx, sy = point(saxpy.flop_per_byte, saxpy.gflop_per_s, 'saxpy', 'middle',
                     d:choose(-20, -4), d:choose(-40, -46))
local sum = data.csv('measuring/profiled'):one{version = 'neighbours'}
point(1 / 4, sum.gb_per_s / 4, 'neighbours', 'left', 9, 0)
local window = points:one{slug = 'convolution', experiment = 'line',
                          version = 'window'}.gflop_per_s
point(window / data.csv('convolution/line'):one{version = 'window',
        radius = 4}.gb_per_s, window, 'convolution',
      d:choose('right', 'left'), d:choose(-9, 9), d:choose(-9, 8))
local snake = points:one{slug = 'matmul', experiment = 'ladder',
                         version = 'snake'}
local n = data.csv('matmul/ladder'):one{version = 'snake'}.n_rows
point(2 * n / 12, snake.gflop_per_s,
      d:choose('matrix product', 'matrices'), 'right', d:choose(40, 30),
      d:choose(18, 24))
-- The three steps of reading it.
d:path({sx, foot, sx, sy + 6}, {line = 'ink', dash = '1 3'})
d:circle(sx, foot + 11, 7.5, {line = 'ink'})
d:text(sx, foot + 11, '1', {size = 'tiny', align = 'middle'})
d:circle(sx, (foot + sy) / 2, 7.5, {line = 'ink', fill = 'paper'})
d:text(sx, (foot + sy) / 2, '2', {size = 'tiny', align = 'middle'})
d:circle(sx - 13, sy - 9, 7.5, {line = 'ink', fill = 'paper'})
d:text(sx - 13, sy - 9, '3', {size = 'tiny', align = 'middle'})
d:alt('Roofline on logarithmic axes. A line rises with what memory delivers ' ..
  'and meets a flat line, what the units compute, at ' .. number(ridge, 3) ..
  ' FLOP per byte. ' .. table.concat(said, '; ') .. '.')
