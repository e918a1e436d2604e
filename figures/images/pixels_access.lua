-- title: Which bytes one load of a warp touches, for pixels of three and of four bytes
-- data: bench/images/bytes_access.software.csv
-- data: bench/images/pixels_access.software.csv
local _, said = d:stacks(2, {
  {'three bytes per pixel', 'one of three loads',
   data.request('images/bytes_access',
     {space = 'global', operation = 'load'}, 3)},
  {'four bytes per pixel', 'the only load',
   data.request('images/pixels_access',
     {space = 'global', operation = 'load'}, 3)},
})
d:alt('Two stacks of lines: a row for each 128-byte line that one load of a warp touches. ' ..
      said)
