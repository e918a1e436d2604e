-- title: Which bytes the first load of a warp touches, for three layouts of a picture
-- data: bench/layout/window_rows_access.software.csv
-- data: bench/layout/window_aos_access.software.csv
-- data: bench/layout/window_soa_access.software.csv
local _, said = d:stacks(2, {
  {'rows of the picture', 'windows of 3 pixels',
   data.request('layout/window_rows_access',
     {space = 'global', operation = 'load'}, 1)},
  {'AoS', 'windows of 6 pixels',
   data.request('layout/window_aos_access',
     {space = 'global', operation = 'load'}, 1)},
  {'SoA', 'first pixels of all',
   data.request('layout/window_soa_access',
     {space = 'global', operation = 'load'}, 1)},
})
d:alt('Three stacks of lines: a row for each 128-byte line that one load of a warp touches. ' ..
      said)
