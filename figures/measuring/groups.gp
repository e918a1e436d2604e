# title: How far the summaries of groups of samples lie apart
# data: bench/measuring/groups.reference.csv
figure_height = 320
load 'figures/common/style.gp'
summaries = 'mean median least'
set logscale x 10
set xrange [0.93:108]
set yrange [0:*]
set xtics (1, 2, 5, 10, 20, 50, 100)
set xlabel 'samples in a group (logarithmic)'
set ylabel 'spread of the results in µs'
load 'figures/common/key.gp'
plot for [m = 1:n_machines] for [i = 1:3] rows(csv('measuring/groups', \
  word(machines, m)), 'summary=' . word(summaries, i)) using \
  (column("group_samples")):(column("between_us")) with linespoints \
  linetype i linewidth weight(m) dashtype dash(m) \
  title m == 1 ? word(summaries, i) : ''
