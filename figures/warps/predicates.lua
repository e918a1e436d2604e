-- title: A condition as a predicate and as a branch, instruction by instruction
-- data: bench/warps/shift_trace.software.csv
-- data: bench/warps/root_trace.software.csv
local shift = data.software('warps/shift_trace'):select{warp = 0}
local root = data.software('warps/root_trace'):select{warp = 0}
local y = d:timeline(2, shift, {title = 'shift: a selection, no branch',
                                room = #root, named = true})
-- Lines of code/warps/predicates.cu: the two sides of the condition.
d:timeline(y + 10, root, {title = 'shift_or_root: a branch',
                          paths = '33-33:1 35-35:2', named = true})
d:alt('Two panels of 32 lanes over the named instructions of one warp. ' ..
  'Shift: every lane is filled from the first load to the return; ' ..
  'setp and selp have replaced the branch. Shift or root: after the ' ..
  'branch, first the lanes with positive numbers execute the root, ' ..
  'then the others the addition, and then all go on together.')
