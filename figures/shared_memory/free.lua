-- title: Patterns in which a warp takes one wavefront
-- data: bench/shared_memory/own_access.software.csv
-- data: bench/shared_memory/permuted_access.software.csv
-- data: bench/shared_memory/broadcast_access.software.csv
-- data: bench/shared_memory/multicast_access.software.csv
-- data: bench/shared_memory/stride_3_access.software.csv
local cases = {
  {'own', 'neighbouring words'},
  {'permuted', 'the same words, out of order'},
  {'stride_3', 'every third word'},
  {'multicast', 'four words, each for eight lanes'},
  {'broadcast', 'one word for all lanes'},
}
local y, w, said = 2, d.width - 2 * d.left, {}
for k, case in ipairs(cases) do
  local request = data.request('shared_memory/' .. case[1] .. '_access',
    {space = 'shared', operation = 'load', launch = 1})
  local passes = request:wavefronts()
  local result = passes == 1 and '1 wavefront' or passes .. ' wavefronts'
  y = d:heading(d.left, y, w, case[2], result, 'good')
  y = d:ledger(d.left, y, w, request) + d:choose(10, 12)
  said[k] = case[2] .. ': ' .. result
end
d:text(d.left, y + 4, d:choose('A cell names the lane that the bank serves.',
  'A filled cell is a bank that serves a lane.'),
  {size = 'small', role = 'muted'})
d:alt('Five rows of 32 banks; the cell of a bank names the lane that it ' ..
  'serves. ' .. table.concat(said, '; ') .. '. No bank is asked for two ' ..
  'different words.')
