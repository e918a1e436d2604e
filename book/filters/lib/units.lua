-- Units that a column's name ends in, so that "ms" behind a `time_us` stops
-- the build unless `scale` makes it true.

local M = {}

-- suffix or unit → {quantity, size in the quantity's base unit}
local by_suffix = {
  ns = {'time', 1e-9}, us = {'time', 1e-6}, ms = {'time', 1e-3},
  s = {'time', 1},
  bytes = {'size', 1}, kb = {'size', 1e3}, mb = {'size', 1e6},
  gb = {'size', 1e9}, kib = {'size', 1024}, mib = {'size', 1048576},
  gib = {'size', 1073741824},
  bytes_per_s = {'bandwidth', 1}, mb_per_s = {'bandwidth', 1e6},
  gb_per_s = {'bandwidth', 1e9}, tb_per_s = {'bandwidth', 1e12},
  hz = {'frequency', 1}, mhz = {'frequency', 1e6}, ghz = {'frequency', 1e9},
  gflop_per_s = {'compute speed', 1e9}, tflop_per_s = {'compute speed', 1e12},
  percent = {'share', 0.01},
}

local by_unit = {
  ['ns'] = by_suffix.ns, ['µs'] = by_suffix.us, ['μs'] = by_suffix.us,
  ['us'] = by_suffix.us, ['ms'] = by_suffix.ms, ['s'] = by_suffix.s,
  ['B'] = by_suffix.bytes, ['byte'] = by_suffix.bytes,
  ['bytes'] = by_suffix.bytes, ['kB'] = by_suffix.kb, ['MB'] = by_suffix.mb,
  ['GB'] = by_suffix.gb, ['KiB'] = by_suffix.kib, ['MiB'] = by_suffix.mib,
  ['GiB'] = by_suffix.gib, ['B/s'] = by_suffix.bytes_per_s,
  ['MB/s'] = by_suffix.mb_per_s, ['GB/s'] = by_suffix.gb_per_s,
  ['TB/s'] = by_suffix.tb_per_s, ['Hz'] = by_suffix.hz,
  ['MHz'] = by_suffix.mhz, ['GHz'] = by_suffix.ghz,
  ['GFLOP/s'] = by_suffix.gflop_per_s, ['TFLOP/s'] = by_suffix.tflop_per_s,
  ['%'] = by_suffix.percent,
}

-- The longest suffix counts: gb_per_s before s.
local function of_column(column)
  local rest = column
  while rest do
    if by_suffix[rest] then return by_suffix[rest], rest end
    rest = rest:match('^[^_]*_(.+)$')
  end
end

local written = {
  us = 'µs', kb = 'kB', mb = 'MB', gb = 'GB', kib = 'KiB', mib = 'MiB',
  gib = 'GiB', bytes_per_s = 'B/s', mb_per_s = 'MB/s', gb_per_s = 'GB/s',
  tb_per_s = 'TB/s', hz = 'Hz', mhz = 'MHz', ghz = 'GHz',
  gflop_per_s = 'GFLOP/s', tflop_per_s = 'TFLOP/s', percent = '%',
}

-- "µs" for `time_us`; the column's name in words where it names no unit.
function M.words(column)
  local unit, suffix = of_column(column)
  if unit then return written[suffix] or suffix end
  return (column:gsub('_', ' '))
end

-- "time" for `time_us`; nil where the column's name tells none.
function M.quantity(column)
  local unit = of_column(column)
  return unit and unit[1]
end

-- nil if `unit` can stand behind column × scale, else message and remedy.
function M.mismatch(column, unit, scale)
  local has, suffix = of_column(column)
  local wants = by_unit[unit]
  if not has or not wants then return nil end
  if has[1] ~= wants[1] then
    return string.format("column '%s' holds a %s, but its unit here is '%s'",
                         column, has[1], unit),
           'correct the unit or the column'
  end
  local needed = has[2] / wants[2]
  if math.abs(needed - scale) <= 1e-9 * needed then return nil end
  return string.format("column '%s' is in %s, but its unit here is '%s'",
                       column, written[suffix] or suffix, unit),
         string.format('write scale=%.10g, or correct the unit', needed)
end

return M
