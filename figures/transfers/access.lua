-- title: Which sectors of the host's memory one load of a warp asks for
-- data: bench/transfers/floats_access.software.csv
-- data: bench/transfers/shifted_access.software.csv
-- data: bench/transfers/stride_access.software.csv
local _, said = d:stacks(2, {
  {'in order', 'h_in[i]',
   data.request('transfers/floats_access',
     {space = 'global', operation = 'load'}, 1)},
  {'one further on', 'h_in[i + 1]',
   data.request('transfers/shifted_access',
     {space = 'global', operation = 'load'}, 1)},
  {'one in eight', 'h_in[8 * i]',
   data.request('transfers/stride_access',
     {space = 'global', operation = 'load'}, 1)},
})
d:alt('Three stacks of lines: a row for each 128-byte line that one load of a warp touches. ' ..
      said)
