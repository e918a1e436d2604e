# title: Time to get memory, touch it and give it back, against the size
# data: bench/transfers/allocation.reference.csv
figure_height = 430
load 'figures/common/style.gp'
lines_of = 'transfers/allocation'; lines_x = 'n_bytes'; lines_y = 'total_us'
lines_versions = 'pinned registered device pageable managed pool_kept'
lines_names = '"pinned" "registered" "cudaMalloc" "malloc" "managed" "kept pool"'
# As in the chapter's other charts: pinned blue, malloc purple, managed black;
# what comes from the device is green.
lines_inks = colour_1 . ' ' . colour_1 . ' ' . colour_3 . ' ' . colour_4 . \
  ' ' . colour_ink . ' ' . colour_3
lines_every = narrow ? 8 : 4
lines_bytes = 1; lines_log = 1; lines_only = ''; lines_gap = 0.06
lines_low = 10 ** floor(log10(lowest('transfers/allocation', 'total_us')))
lines_high = 10 ** ceil(log10(highest('transfers/allocation', \
  'total_us')) + 0.3)
set lmargin at screen left_at(0.11); set rmargin at screen right_at(0.83)
set ylabel 'time in µs (logarithmic)'
set xlabel 'bytes (logarithmic)'
load 'figures/common/lines.gp'
