-- title: Lanes and banks of three loads of the tree
-- data: bench/reduction/strided_access.software.csv
-- data: bench/reduction/sequential_access.software.csv
-- Each level loads twice; the tree's first loads are requests 1 and 2.
local cases = {{'strided', 1, 'first threads, first level'},
               {'strided', 5, 'first threads, third level'},
               {'sequential', 5, 'halves, third level'}}
local y, w, said = 2, d.width - 2 * d.left, {}
for k, case in ipairs(cases) do
  local request = data.request('reduction/' .. case[1] .. '_access',
    {space = 'shared', operation = 'load', warp = 0}, case[2])
  local passes = request:wavefronts()
  y = d:heading(d.left, y, w, case[3],
                {passes == 1 and '%d wavefront' or '%d wavefronts', passes},
                passes > 1 and 'conflict' or 'good')
  y = d:ledger(d.left, y, w, request) + d:choose(12, 14)
  said[k] = ('%s: %d rows'):format(case[3], passes)
end
d:alt('Three tables with a row for each wavefront and a column for each of ' ..
  '32 banks; cells name lanes of warp 0. ' .. table.concat(said, '; ') .. '.')
