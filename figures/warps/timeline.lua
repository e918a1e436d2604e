-- title: The lanes of a warp over time, with paths by lane and by warp
-- data: bench/warps/lane_trace.software.csv
-- data: bench/warps/warp_trace.software.csv
-- Lines of code/warps/parity.cu: of the two paths, and where they are called.
local paths = '20-25:1 77-77:1 90-90:1 27-32:2 79-79:2 92-92:2'
local by_lane = data.software('warps/lane_trace'):select{warp = 0}
local by_warp = data.software('warps/warp_trace')
local y = d:timeline(2, by_lane, {
  title = 'by_lane, warp 0: even and odd lanes', paths = paths})
y = d:timeline(y + 10, by_warp:select{warp = 0}, {
  title = 'by_warp, warp 0: all lanes take the first path', paths = paths,
  room = #by_lane})
d:timeline(y + 10, by_warp:select{warp = 1}, {
  title = 'by_warp, warp 1: all lanes take the second path', paths = paths,
  room = #by_lane, unit = 'instructions of the warp, one after the other'})
d:alt('Three panels of 32 rows, one per lane, over the instructions of a ' ..
  'warp. By lane: after a common beginning the odd lanes are filled ' ..
  'and the even ones empty for the one path, then the even lanes are ' ..
  'filled and the odd ones empty for the other. By warp: all lanes ' ..
  'are filled all the time, in warp 0 with the first path, in warp 1 ' ..
  'with the second, and the row of instructions is much shorter.')
