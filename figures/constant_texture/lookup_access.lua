-- title: Which words of the table the lanes of one warp ask for
-- data: bench/constant_texture/lookup_access.software.csv
local _, said = d:stacks(2, {
  {'1 word', '',
   data.request('constant_texture/lookup_access',
     {space = 'global', operation = 'load', launch = 1}, 1)},
  {'4 neighbouring words', '',
   data.request('constant_texture/lookup_access',
     {space = 'global', operation = 'load', launch = 3}, 1)},
  {'32 neighbouring words', '',
   data.request('constant_texture/lookup_access',
     {space = 'global', operation = 'load', launch = 6}, 1)},
  {'4 words, 32 apart', '',
   data.request('constant_texture/lookup_access',
     {space = 'global', operation = 'load', launch = 9}, 1)},
})
d:alt('Four stacks of lines: a row for each 128-byte line that one load of a warp touches. ' ..
      said)
