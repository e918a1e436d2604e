# title: The lanes of a warp over time, with paths by lane and by warp
# data: bench/warps/lane_trace.software.csv
# data: bench/warps/warp_trace.software.csv
figure_height = 600
load 'figures/common/style.gp'
line_left = left_at(0.095); line_right = 0.985
# Lines of code/warps/parity.cu: of the two paths, and where they are called.
line_paths = '20-25:1 77-77:1 90-90:1 27-32:2 79-79:2 92-92:2'
line_steps = int(system(ask . "timeline extent " . \
  "bench/warps/lane_trace.software.csv 'warp=0' ''"))
unset label 999
set multiplot
line_file = 'bench/warps/lane_trace.software.csv'
line_where = 'warp=0'
line_title = 'by_lane, warp 0: even and odd lanes'
line_bottom = 0.735; line_top = 0.915
load 'figures/common/timeline.gp'
line_file = 'bench/warps/warp_trace.software.csv'
line_title = 'by_warp, warp 0: all lanes take the first path'
line_bottom = 0.41; line_top = 0.59
load 'figures/common/timeline.gp'
line_where = 'warp=1'
line_title = 'by_warp, warp 1: all lanes take the second path'
line_bottom = 0.085; line_top = 0.265
set xlabel 'instructions of the warp, one after the other' font small \
  offset 0, 0.8
load 'figures/common/timeline.gp'
unset multiplot
