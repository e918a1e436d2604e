# title: Bandwidth between host and device against the size, in and out
# data: bench/transfers/size.reference.csv
figure_height = 560
load 'figures/common/style.gp'
lines_of = 'transfers/size'; lines_x = 'n_bytes'; lines_y = 'gb_per_s'
lines_versions = 'pinned mapped prefetch pageable managed'
lines_names = '"pinned" "mapped" "prefetched" "pageable" "page faults"'
lines_bytes = 1; lines_log = 0; lines_low = 0
lines_high = highest('transfers/size', 'gb_per_s') * 1.1
set lmargin at screen left_at(0.10); set rmargin at screen right_at(0.83)
set multiplot
set tmargin at screen 0.95; set bmargin at screen 0.57
set ylabel 'host to device, GB/s'
lines_only = 'direction=in'
load 'figures/common/lines.gp'
set tmargin at screen 0.48; set bmargin at screen 0.10
unset label 999
set ylabel 'device to host, GB/s'
set xlabel 'bytes in one transfer (logarithmic)'
lines_only = 'direction=out'
load 'figures/common/lines.gp'
unset multiplot
