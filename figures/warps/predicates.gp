# title: A condition as a predicate and as a branch, instruction by instruction
# data: bench/warps/shift_trace.software.csv
# data: bench/warps/root_trace.software.csv
figure_height = 560
load 'figures/common/style.gp'
line_left = left_at(0.095); line_right = 0.985
line_steps = 22
line_named = 1
unset label 999
set multiplot
line_where = 'warp=0'
line_file = 'bench/warps/shift_trace.software.csv'
line_paths = ''
line_title = 'shift: a selection, no branch'
line_bottom = 0.61; line_top = 0.92
load 'figures/common/timeline.gp'
line_file = 'bench/warps/root_trace.software.csv'
# Lines of code/warps/predicates.cu: the two sides of the condition.
line_paths = '33-33:1 35-35:2'
line_title = 'shift_or_root: a branch'
line_bottom = 0.125; line_top = 0.425
load 'figures/common/timeline.gp'
unset multiplot
