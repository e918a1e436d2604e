# title: Time of one kernel with the whole way of its data, against the size
# data: bench/transfers/whole_way.reference.csv
figure_height = 450
load 'figures/common/style.gp'
lines_of = 'transfers/whole_way'; lines_x = 'n_elems'; lines_y = 'time_us'
lines_versions = 'pinned mapped prefetch pageable managed'
lines_names = '"pinned" "mapped" "prefetched" "pageable" "page faults"'
lines_log = 1; lines_only = ''; lines_gap = 0.06
lines_low = 10 ** floor(log10(lowest('transfers/whole_way', 'time_us')))
lines_high = 10 ** ceil(log10(highest('transfers/whole_way', 'time_us')))
set lmargin at screen left_at(0.11); set rmargin at screen right_at(0.83)
set ylabel 'time in µs (logarithmic)'
set xlabel 'floats (logarithmic)'
load 'figures/common/lines.gp'
