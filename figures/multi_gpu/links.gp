# title: Bandwidth between two GPUs and to the host, against the size
# data: bench/multi_gpu/links.referencex2.csv
figure_height = 560
load 'figures/common/style.gp'
lines_of = 'multi_gpu/links'; lines_x = 'n_bytes'; lines_y = 'gb_per_s'
lines_versions = 'copy store load staged host_copy'
lines_names = '"copy" "store" "load" "staged" "to host"'
lines_bytes = 1; lines_log = 0; lines_low = 0
set lmargin at screen 0.10; set rmargin at screen 0.86
set multiplot
set tmargin at screen 0.95; set bmargin at screen 0.57
set ylabel 'one way, GB/s'
lines_high = 450
lines_only = 'way=there'
load 'figures/common/lines.gp'
set tmargin at screen 0.48; set bmargin at screen 0.10
unset label 999
set ylabel 'both ways at once, GB/s'
set xlabel 'bytes in one transfer (logarithmic)'
lines_high = 900
lines_only = 'way=both'
load 'figures/common/lines.gp'
unset multiplot
