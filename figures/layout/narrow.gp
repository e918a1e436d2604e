# title: Bandwidth of the scaled rows for narrow matrices
# data: bench/layout/narrow.h200.csv
figure_height = 340
load 'figures/common/style.gp'
kinds = 'plain pitched pitched_vector flat'
names = 'plain pitched "pitched, by four" flat'
set logscale x 2
set xrange [7.5:1100]
set yrange [0:highest('layout/narrow', 'gb_per_s') * 1.05]
set xtics (8, 16, 32, 64, 128, 256, 512, 1000)
set xlabel 'floats in a row (logarithmic)'
set ylabel 'bandwidth in GB/s'
set tmargin 1.8
set key outside right center reverse Left samplen 1.5
plot for [m = 1:n_machines] for [i = 1:4] \
  rows(csv('layout/narrow', word(machines, m)), \
    'version=' . word(kinds, i)) \
  using (column("n_cols")):(column("gb_per_s")) with linespoints \
  linetype i linewidth weight(m) dashtype dash(m) pointsize 0.6 \
  title m == 1 ? word(names, i) : ''
