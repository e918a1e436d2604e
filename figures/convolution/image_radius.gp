# title: Time for an image against the radius of the mask
# data: bench/convolution/image_radius.reference.csv
figure_height = 380
load 'figures/common/style.gp'
lines_of = 'convolution/image_radius'
lines_x = 'radius'; lines_y = 'time_us'
lines_versions = 'two_windows square_window two_passes rounds fused copy'
lines_names = '"two windows" "square window" "two passes" "rounds" "fused" "copy"'
lines_only = ''; lines_log = 1
lines_low = 10 ** floor(log10(lowest(lines_of, lines_y)))
lines_high = highest(lines_of, lines_y) * 1.5
lines_every = 1
set tmargin 1.5; set rmargin 16
set xlabel 'radius of the mask (logarithmic)'
set ylabel 'time in µs (logarithmic)'
load 'figures/common/lines.gp'
