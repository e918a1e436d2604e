# title: Time of several kernels over one input, against their number
# data: bench/transfers/passes.reference.csv
figure_height = 400
load 'figures/common/style.gp'
lines_of = 'transfers/passes'; lines_x = 'n_passes'; lines_y = 'time_us'
lines_versions = 'pinned mapped prefetch pageable managed'
lines_names = '"pinned" "mapped" "prefetched" "pageable" "page faults"'
lines_log = 1; lines_only = ''; lines_gap = 0.065; lines_every = 1
lines_low = 10 ** floor(log10(lowest('transfers/passes', 'time_us')))
lines_high = 10 ** ceil(log10(highest('transfers/passes', 'time_us')))
set lmargin at screen left_at(0.12); set rmargin at screen right_at(0.83)
set ylabel 'time in µs (logarithmic)'
set xlabel 'kernels that read the input (logarithmic)'
load 'figures/common/lines.gp'
