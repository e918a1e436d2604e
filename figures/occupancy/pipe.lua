-- title: Three kernels that fill the pipe to memory more or less
-- data: bench/occupancy/latency.reference.csv
-- data: bench/occupancy/reads.reference.csv
-- The pipe is as long as the latency and as wide as the best bandwidth, both of
-- one SM. A cell is a request of 128 bytes.
local reads = data.csv('occupancy/reads')
local latency = data.csv('occupancy/latency'):one{what = 'global',
                                                  n_bytes = 268435456}
local best, n_sms = 0, 0
for _, row in ipairs(reads:select{}) do
  best = math.max(best, row.gb_per_s)
  n_sms = row.multiprocessors
end
local needed = math.floor(latency.latency_ns * best / n_sms / 128 + 0.5)
local rows = d:choose(3, 5)
local columns = math.ceil(needed / rows)
local cell = d:choose(12, 11)
local x0, y = d:choose(150, 58), d:choose(40, 40)
local w, h = columns * cell, rows * cell

d:brace(x0, x0 + w, y - 12, {'latency: %s ns', number(latency.latency_ns)})
local said = {}
local kernels = {
  {'reads_1', 1, '1 warp, one load'},
  {'reads_1', 64, '64 warps, one load each'},
  {'reads_16_bytes_4', 16, '16 warps, four wide loads each'},
}
for i, kernel in ipairs(kernels) do
  local version, warps, text = table.unpack(kernel)
  local row = reads:one{version = version, active_warps = warps}
  local n = row.in_flight_bytes // 128
  d:text(x0, y + 2, text, {size = 'small'})
  y = y + 14
  d:text(x0 + w + 10, y + h / 2, {'%s GB/s', number(row.gb_per_s)},
         {size = 'small', role = 'muted'})
  -- Requests enter on the left; those that find the pipe full wait outside.
  d:cells(x0, y, rows, columns, cell, cell, function(r, c)
    local place = (columns - 1 - c) * rows + r
    if place >= needed then return false end
    return place < n and {fill = 'load', line = 'paper'} or {line = 'grid'}
  end)
  d:rect(x0, y, w, h, {line = 'ink', weight = 1.5})
  local waiting = math.max(0, n - needed)
  if waiting > 0 then
    local wide = d:choose(8, 4)
    d:cells(x0 - 6 - wide * cell, y, rows, wide, cell, cell, function()
      return {fill = 'load', tint = 0.35, line = 'paper'}
    end)
    d:text(x0 - 8, y + h + 10, {d:choose('%d more wait in the queue',
           '%d more wait'), waiting},
           {size = 'tiny', align = d:choose('right', 'middle'), role = 'muted'})
  else
    d:text(x0 - 8, y + h / 2, {'%d of %d', n, needed},
           {size = 'small', align = 'right'})
  end
  said[#said + 1] = string.format('%s: %d requests of %d', text,
                                  math.min(n, needed), needed) ..
    (waiting > 0 and string.format(', and %d that wait', waiting) or '')
  y = y + h + d:choose(22, 26)
end
d:alt('Three pipes of the same length and width, drawn as grids of requests. ' ..
      table.concat(said, '; ') .. '.')
