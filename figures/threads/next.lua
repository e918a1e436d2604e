-- title: What one load of a warp touches in the two loops
-- data: bench/threads/grid_stride_access.software.csv
-- data: bench/threads/pieces_access.software.csv
local loads = {space = 'global', operation = 'load', block_x = 0}
local _, said = d:stacks(2, {
  {'stride of the whole grid', 'lane, lane + 1, …',
   data.request('threads/grid_stride_access', loads, 1)},
  {'contiguous pieces', 'a piece for each lane',
   data.request('threads/pieces_access', loads, 1)},
})
d:alt('Two stacks of lines: a row for each 128-byte line that the first load ' ..
      'of a warp touches. ' .. said)
