-- title: Idle lanes of one warp, for three radii
-- data: bench/convolution/idle_1_trace.software.csv
-- data: bench/convolution/idle_4_trace.software.csv
-- data: bench/convolution/idle_6_trace.software.csv
local traces = {}
for _, radius in ipairs {1, 4, 6} do
  traces[radius] = data.software(('convolution/idle_%d_trace'):format(radius))
                     :select{warp = 3}
end
local y = 2
for _, radius in ipairs {1, 4, 6} do
  y = d:timeline(y, traces[radius], {
    title = ('radius %d'):format(radius), room = #traces[6],
    unit = radius == 6 and 'instructions of the warp, one after the other'
           or nil}) + 10
end
d:alt('Three panels of lanes over instructions. At radius 1, nearly all ' ..
  '32 lanes are filled from the first to the last instruction. At ' ..
  'radius 4, half of them fall out after the tile is loaded. At ' ..
  'radius 6 only two groups of four lanes go on, for the longest time ' ..
  'of all.')
