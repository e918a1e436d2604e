# title: Multiply-adds a second against the warps of a multiprocessor
# data: bench/occupancy/chains.reference.csv
figure_height = 350
load 'figures/common/style.gp'
versions = 'chains_1 chains_2 chains_4 chains_6'
names = '"1 chain" "2 chains" "4 chains" "6 chains"'
set xrange [0:66]; set yrange [0:*]
set xtics 8
set xlabel 'active warps'
set ylabel 'TFLOP/s'
key_narrow_lines = 2
load 'figures/common/key.gp'
plot for [m = 1:n_machines] for [i = 1:4] rows(csv('occupancy/chains', \
  word(machines, m)), 'version=' . word(versions, i)) using \
  (column("active_warps")):(column("gflop_per_s") / 1000) with linespoints \
  linetype i linewidth weight(m) dashtype dash(m) \
  title m == 1 ? word(names, i) : ''
