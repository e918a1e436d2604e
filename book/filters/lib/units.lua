-- Units that a column's name ends in, so that "ms" behind a `time_us` stops
-- the build unless `scale` makes it true.

local M = {}

-- suffix of columns' names → quantity, size in the quantity's base unit, and
-- how it is written.
local by_suffix, by_unit = {}, {}
for suffix, quantity, size, written in ([[
  ns time 1e-9 ns                         us time 1e-6 µs
  ms time 1e-3 ms                         s time 1 s
  bytes size 1 bytes                      kb size 1e3 kB
  mb size 1e6 MB                          gb size 1e9 GB
  kib size 1024 KiB                       mib size 1048576 MiB
  gib size 1073741824 GiB                 bytes_per_s bandwidth 1 B/s
  mb_per_s bandwidth 1e6 MB/s             gb_per_s bandwidth 1e9 GB/s
  tb_per_s bandwidth 1e12 TB/s            hz frequency 1 Hz
  mhz frequency 1e6 MHz                   ghz frequency 1e9 GHz
  gflop_per_s compute_speed 1e9 GFLOP/s   tflop_per_s compute_speed 1e12 TFLOP/s
  percent share 0.01 %]]):gmatch('(%S+) (%S+) (%S+) (%S+)') do
  local unit = {quantity = quantity:gsub('_', ' '), size = tonumber(size),
                written = written}
  by_suffix[suffix], by_unit[written] = unit, unit
end
-- Other ways to write them; the second µ is Greek.
by_unit['us'], by_unit['μs'] = by_suffix.us, by_suffix.us
by_unit['B'], by_unit['byte'] = by_suffix.bytes, by_suffix.bytes

-- How many of something in a time, gpixels_per_s, or how long for each of
-- something, ns_per_add.
local things = {gpixels = 'Gpixel', gelem = 'Gelem', gpoints = 'Gpoint',
                gop = 'GOP', flop = 'FLOP'}

local function of_ratio(column)
  local over, under = column:match('([^_]+)_per_(.+)$')
  local top, bottom = by_suffix[over or ''], by_suffix[under or '']
  if bottom and bottom.quantity == 'time' and not top then
    local thing = things[over]
    local before = column:match('^(.+)_per_'):gsub('_', ' ')
    return {quantity = 'rate', size = 1,
            written = (thing or before) .. (thing and '/' or ' per ') ..
                      bottom.written}
  elseif top and top.quantity == 'time' then
    return {quantity = 'time for each', size = top.size,
            written = top.written .. ' per ' .. under:gsub('_', ' ')}
  end
end

-- The longest suffix counts: gb_per_s before s.
local function of_column(column)
  local rest = column
  while rest and not by_suffix[rest] do
    if rest:match('^[^_]+_per_') then return of_ratio(column) end
    rest = rest:match('^[^_]*_(.+)$')
  end
  return by_suffix[rest or '']
end

-- "µs" for `time_us`; the column's name in words where it names no unit.
function M.words(column)
  local unit = of_column(column)
  return unit and unit.written or (column:gsub('_', ' '))
end

-- "time" for `time_us`; nil where the column's name tells none.
function M.quantity(column)
  local unit = of_column(column)
  return unit and unit.quantity
end

-- nil if `unit` can stand behind column × scale, else message and remedy.
function M.mismatch(column, unit, scale)
  local has, wants = of_column(column), by_unit[unit]
  if not has or not wants then return nil end
  -- A column of times may hold 3 ns per addition.
  local kind = has.quantity == 'time for each' and 'time' or has.quantity
  if kind ~= wants.quantity then
    return string.format("column '%s' holds a %s, but its unit here is '%s'",
                         column, has.quantity, unit),
           'correct the unit or the column'
  end
  local needed = has.size / wants.size
  if math.abs(needed - scale) <= 1e-9 * needed then return nil end
  return string.format("column '%s' is in %s, but its unit here is '%s'",
                       column, has.written, unit),
         string.format('write scale=%.10g, or correct the unit', needed)
end

return M
