-- title: What one warp reads under the rules of a pixel shader, and without
-- data: bench/origins/shade_access.software.csv
-- data: bench/origins/scatter_access.software.csv
local _, said = d:stacks(2, {
  {'gathering', 'one value for all bins',
   data.request('origins/shade_access',
     {space = 'global', operation = 'load', warp = 0}, 1)},
  {'scattering', 'a value for each lane',
   data.request('origins/scatter_access',
     {space = 'global', operation = 'load', warp = 0}, 1)},
})
d:alt('Two stacks of lines: a row for each 128-byte line that one load of a warp touches. ' ..
      said)
