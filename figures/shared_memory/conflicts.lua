-- title: Patterns in which a warp takes several wavefronts
-- data: bench/shared_memory/stride_2_access.software.csv
-- data: bench/shared_memory/stride_8_access.software.csv
-- data: bench/shared_memory/random_access.software.csv
local cases = {
  {'stride_2', 'every second word'},
  {'stride_8', 'every eighth word'},
  {'random', 'random words'},
}
local y, w, said = 2, d.width - 2 * d.left, {}
for k, case in ipairs(cases) do
  local request = data.request('shared_memory/' .. case[1] .. '_access',
    {space = 'shared', operation = 'load', launch = 1})
  local passes = request:wavefronts()
  y = d:heading(d.left, y, w, case[2], passes .. ' wavefronts', 'conflict')
  y = d:ledger(d.left, y, w, request) + d:choose(12, 14)
  said[k] = ('%s: %d rows'):format(case[2], passes)
end
d:alt('Three tables with a row for each wavefront and a column for each of ' ..
  '32 banks; cells name lanes. ' .. table.concat(said, '; ') .. '. Every ' ..
  'second word fills only even banks, every eighth only banks 0, 8, 16 ' ..
  'and 24; random words leave most banks idle in the last rows.')
