# title: Bandwidth of the scaled rows against their width
# data: bench/layout/width.h200.csv
figure_height = 280
load 'figures/common/style.gp'
kinds = 'plain pitched flat'
names = 'plain pitched flat'
set xrange [4095.5:4128.5]
# The lines lie close together: the axis does not begin at 0, and says so.
low = 100 * floor(lowest('layout/width', 'gb_per_s') / 100)
set yrange [low:*]
set xtics 4096, 4
set xlabel 'floats in a row'
set ylabel sprintf('bandwidth in GB/s (from %.0f)', low)
set tmargin 1.8
set key outside right center reverse Left samplen 1.5
plot for [m = 1:n_machines] for [i = 1:3] \
  rows(csv('layout/width', word(machines, m)), \
    'version=' . word(kinds, i)) \
  using (column("n_cols")):(column("gb_per_s")) with linespoints \
  linetype i linewidth weight(m) dashtype dash(m) pointsize 0.6 \
  title m == 1 ? word(names, i) : ''
