-- title: Which bytes the load of a row of 100 floats touches, plain and pitched
-- data: bench/layout/plain_access.software.csv
-- data: bench/layout/pitched_access.software.csv
local _, said = d:stacks(2, {
  {'plain', 'row 1 at byte 400',
   data.request('layout/plain_access',
     {space = 'global', operation = 'load', warp = 1}, 1)},
  {'pitched', 'row 1 at byte 512',
   data.request('layout/pitched_access',
     {space = 'global', operation = 'load', warp = 1}, 1)},
})
d:alt('Two stacks of lines: a row for each 128-byte line that one load of a warp touches. ' ..
      said)
