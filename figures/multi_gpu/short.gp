# title: All-reduce of short arrays on two GPUs, from a graph
# data: bench/multi_gpu/graph.referencex2.csv
figure_height = 330
load 'figures/common/style.gp'
lines_of = 'multi_gpu/graph'; lines_x = 'n_bytes'
lines_versions = 'nccl words push slices gather'
lines_inks = role_vendor . ' ' . colour_1 . ' ' . colour_2 . ' ' . colour_3 . ' ' . colour_ink
lines_names = '"NCCL" "words" "push" "slices" "gather"'
lines_bytes = 1; lines_only = ''; lines_every = 2
set lmargin at screen 0.10; set rmargin at screen 0.86
set ylabel 'time per call, µs'
set xlabel 'bytes of one array (logarithmic)'
lines_y = 'time_us'; lines_log = 0; lines_low = 0
lines_high = highest('multi_gpu/graph', 'time_us') * 1.15
load 'figures/common/lines.gp'
