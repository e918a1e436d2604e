# title: The lanes of a warp over time, neighbours first and halves
# data: bench/reduction/interleaved_trace.software.csv
# data: bench/reduction/strided_trace.software.csv
figure_height = 430
load 'figures/common/style.gp'
line_left = left_at(0.095); line_right = 0.985
# Lines of code/reduction/reduction.cu: the additions of the tree.
line_paths = '58-58:1 77-77:2'
line_where = 'warp=0'
line_steps = int(system(ask . "timeline extent " . \
  "bench/reduction/strided_trace.software.csv 'warp=0' ''"))
unset label 999
set multiplot
line_file = 'bench/reduction/interleaved_trace.software.csv'
line_title = 'neighbours first, warp 0'
line_bottom = 0.60; line_top = 0.89
load 'figures/common/timeline.gp'
line_file = 'bench/reduction/strided_trace.software.csv'
line_title = 'the first threads, warp 0'
line_bottom = 0.11; line_top = 0.40
set xlabel 'instructions of the warp, one after the other' font small \
  offset 0, 0.8
load 'figures/common/timeline.gp'
unset multiplot
