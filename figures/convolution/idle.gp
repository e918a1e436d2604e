# title: Idle lanes of one warp, for three radii
# data: bench/convolution/idle_1_trace.software.csv
# data: bench/convolution/idle_4_trace.software.csv
# data: bench/convolution/idle_6_trace.software.csv
figure_height = 600
load 'figures/common/style.gp'
line_left = left_at(0.095); line_right = 0.985
line_paths = ''
line_where = 'warp=3'
line_steps = int(system(ask . "timeline extent " . \
  "bench/convolution/idle_6_trace.software.csv 'warp=3' ''"))
unset label 999
set multiplot
line_file = 'bench/convolution/idle_1_trace.software.csv'
line_title = 'radius 1'
line_bottom = 0.735; line_top = 0.915
load 'figures/common/timeline.gp'
line_file = 'bench/convolution/idle_4_trace.software.csv'
line_title = 'radius 4'
line_bottom = 0.41; line_top = 0.59
load 'figures/common/timeline.gp'
line_file = 'bench/convolution/idle_6_trace.software.csv'
line_title = 'radius 6'
line_bottom = 0.085; line_top = 0.265
set xlabel 'instructions of the warp, one after the other' font small \
  offset 0, 0.8
load 'figures/common/timeline.gp'
unset multiplot
