# title: Time of a filter against the elements per thread
# data: bench/occupancy/elements.reference.csv
figure_height = 320
load 'figures/common/style.gp'
layouts = 'strided consecutive padded'
set logscale x 2
set xtics (1, 2, 4, 8, 16)
set xlabel 'elements per thread (logarithmic)'
set ylabel 'time in µs'
file = csv('occupancy/elements', machine)
ends_n = 3; ends_log = 0; ends_low = 0
ends_high = highest('occupancy/elements', 'time_us') * 1.08
set xrange [0.93:16.3]; set yrange [0:ends_high]
ends_y(i) = real(cell(file, 'elems_per_thread=16 layout=' . \
  word(layouts, i), 'time_us'))
ends_name(i) = word(layouts, i)
ends_ink(i) = colour(i)
set rmargin at screen right_at(0.80)
load 'figures/common/ends.gp'
plot for [m = 1:n_machines] for [i = 1:3] rows(csv('occupancy/elements', \
  word(machines, m)), 'layout=' . word(layouts, i)) using \
  (column("elems_per_thread")):(column("time_us")) with linespoints \
  linetype i linewidth weight(m) dashtype dash(m)
