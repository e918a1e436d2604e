# title: Time of a filter against the elements per thread
# data: bench/occupancy/elements.h200.csv
figure_height = 320
load 'figures/common/style.gp'
layouts = 'strided consecutive padded'
set logscale x 2
set xrange [0.93:17]; set yrange [0:*]
set xtics (1, 2, 4, 8, 16)
set xlabel 'elements per thread (logarithmic)'
set ylabel 'time in µs'
set key top center
plot for [m = 1:n_machines] for [i = 1:3] rows(csv('occupancy/elements', \
  word(machines, m)), 'layout=' . word(layouts, i)) using \
  (column("elems_per_thread")):(column("time_us")) with linespoints \
  linetype i linewidth weight(m) dashtype dash(m) \
  title m == 1 ? word(layouts, i) : ''
