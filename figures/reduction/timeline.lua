-- title: The lanes of a warp over time, neighbours first and halves
-- data: bench/reduction/interleaved_trace.software.csv
-- data: bench/reduction/strided_trace.software.csv
-- Lines of code/reduction/reduction.cu: the additions of the tree.
local paths = '58-58:1 77-77:2'
local strided = data.software('reduction/strided_trace'):select{warp = 0}
local y = d:timeline(2, data.software('reduction/interleaved_trace'):select{
  warp = 0}, {title = 'neighbours first, warp 0', paths = paths,
              room = #strided})
d:timeline(y + 10, strided, {title = 'the first threads, warp 0', paths = paths,
  unit = 'instructions of the warp, one after the other'})
d:alt('Two timelines of the 32 lanes of a warp. Above, neighbours first: ' ..
  'in the first step every second lane is coloured, then every ' ..
  'fourth, every eighth, and so on, with the other lanes pale ' ..
  'between. Below, the first threads: in the first three steps all ' ..
  'lanes are coloured, then the first sixteen, eight, four, two, one.')
