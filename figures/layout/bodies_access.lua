-- title: Which bytes the first load of a warp touches, for five layouts of the bodies
-- data: bench/layout/aos_access.software.csv
-- data: bench/layout/padded_access.software.csv
-- data: bench/layout/soa_access.software.csv
-- data: bench/layout/aosoa_access.software.csv
-- data: bench/layout/staged_access.software.csv
local _, said = d:stacks(2, {
  {'AoS', 'bodies[i].velocity',
   data.request('layout/aos_access',
     {space = 'global', operation = 'load'}, 1)},
  {'AoS, padded', 'bodies[i]',
   data.request('layout/padded_access',
     {space = 'global', operation = 'load'}, 1)},
  {'SoA', 'velocity[i]',
   data.request('layout/soa_access',
     {space = 'global', operation = 'load'}, 1)},
  {'AoSoA', 'velocity[i % 32]',
   data.request('layout/aosoa_access',
     {space = 'global', operation = 'load'}, 1)},
  {'staged', 'words[i]',
   data.request('layout/staged_access',
     {space = 'global', operation = 'load'}, 1)},
})
d:alt('Five stacks of lines: a row for each 128-byte line that one load of a warp touches. ' ..
      said)
