-- title: Lanes and banks of one atomic request, with 1, 8, 32 counters a bin
-- data: bench/histogram/wide_access.software.csv
-- data: bench/histogram/columns_8_access.software.csv
-- data: bench/histogram/lanes_access.software.csv
-- The second launch counts bytes of all values.
local cases = {{'wide', 'one counter for each bin'},
               {'columns_8', '8 counters for each bin'},
               {'lanes', '32 counters for each bin'}}
local y, w, said = 2, d.width - 2 * d.left, {}
for k, case in ipairs(cases) do
  local request = data.request('histogram/' .. case[1] .. '_access',
    {space = 'shared', operation = 'atomic', warp = 0, launch = 2}, 1)
  local passes = request:wavefronts()
  y = d:heading(d.left, y, w, case[2],
                {passes == 1 and '%d wavefront' or '%d wavefronts', passes},
                passes > 1 and 'conflict' or 'good')
  y = d:ledger(d.left, y, w, request) + d:choose(12, 14)
  said[k] = ('%s: %d rows'):format(case[2], passes)
end
d:alt('Three tables with a row for each wavefront of an atomic request and a ' ..
  'column for each of 32 banks; cells name lanes. ' ..
  table.concat(said, '; ') .. '.')
