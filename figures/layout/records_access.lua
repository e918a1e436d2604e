-- title: Which bytes the first load of a warp touches, whole structures and split ones
-- data: bench/layout/whole_access.software.csv
-- data: bench/layout/split_access.software.csv
local _, said = d:stacks(2, {
  {'whole structures', '16 of 32 bytes',
   data.request('layout/whole_access',
     {space = 'global', operation = 'load'}, 1)},
  {'split', 'groups of 16 bytes',
   data.request('layout/split_access',
     {space = 'global', operation = 'load'}, 1)},
})
d:alt('Two stacks of lines: a row for each 128-byte line that one load of a warp touches. ' ..
      said)
