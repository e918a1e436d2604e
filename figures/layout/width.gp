# title: Bandwidth of the scaled rows against their width
# data: bench/layout/width.reference.csv
figure_height = 280
load 'figures/common/style.gp'
kinds = 'plain pitched flat'
names = 'plain pitched flat'
set xrange [4095.5:4128.5]
# The lines lie close together: the axis does not begin at 0, and says so.
low = 100 * floor(lowest('layout/width', 'gb_per_s') / 100)
high = low
do for [m = 1:n_machines] {
  do for [i = 1:3] {
    stats rows(csv('layout/width', word(machines, m)), \
      'version=' . word(kinds, i)) using (column("gb_per_s")) nooutput
    if (STATS_max * 1.01 > high) { high = STATS_max * 1.01 }
  }
}
set yrange [low:high]
set xtics 4096, narrow ? 16 : 4
set xlabel 'floats in a row'
set ylabel sprintf('bandwidth in GB/s (from %.0f)', low)
set tmargin 1.8
set rmargin at screen right_at(0.86)
unset key
ends = ''
do for [i = 1:3] {
  ends = ends . sprintf(' %.4f', fraction(real(cell(csv('layout/width', \
    machine), 'version=' . word(kinds, i) . ' n_cols=4128', 'gb_per_s')), \
    low, high))
}
ends = spread(ends, 0.09)
do for [i = 1:3] {
  set label i word(names, i) at graph 1.02, graph real(word(ends, i)) left \
    textcolor rgb colour(i)
}
plot for [m = 1:n_machines] for [i = 1:3] \
  rows(csv('layout/width', word(machines, m)), \
    'version=' . word(kinds, i)) \
  using (column("n_cols")):(column("gb_per_s")) with linespoints \
  linetype i linewidth weight(m) dashtype dash(m) pointsize 0.6
