# title: Bandwidth of a copy of structures against their size
# data: bench/layout/structure_size.reference.csv
figure_height = 320
load 'figures/common/style.gp'
kinds = 'copy_whole copy_split'
names = '"whole structures" "split into arrays"'
set xrange [0:265]
set yrange [0:highest('layout/structure_size', 'gb_per_s') * 1.08]
set xtics 32
set xlabel 'size of a structure in bytes'
set ylabel 'bandwidth in GB/s'
load 'figures/common/key.gp'
plot for [m = 1:n_machines] for [i = 1:2] \
  rows(csv('layout/structure_size', word(machines, m)), \
    'version=' . word(kinds, i)) \
  using (column("structure_bytes")):(column("gb_per_s")) with linespoints \
  linetype i linewidth weight(m) dashtype dash(m) pointsize 0.7 \
  title m == 1 ? word(names, i) : ''
