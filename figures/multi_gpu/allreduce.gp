# title: All-reduce on two GPUs: bandwidth against the size
# data: bench/multi_gpu/allreduce.referencex2.csv
figure_height = 330
load 'figures/common/style.gp'
lines_of = 'multi_gpu/allreduce'; lines_x = 'n_bytes'
lines_versions = 'nccl push slices gather'
lines_inks = role_vendor . ' ' . colour_1 . ' ' . colour_2 . ' ' . colour_3
lines_names = '"NCCL" "push" "slices" "gather"'
lines_bytes = 1; lines_only = ''
set lmargin at screen 0.10; set rmargin at screen 0.86
set ylabel 'bytes of one array per time, GB/s'
set xlabel 'bytes of one array (logarithmic)'
lines_y = 'gb_per_s'; lines_log = 0; lines_low = 0; lines_high = 420
load 'figures/common/lines.gp'
