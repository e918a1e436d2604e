# title: How long a small kernel waits while another one fills the GPU
# data: bench/streams/priorities.h200.csv
figure_height = 330
load 'figures/common/style.gp'
set logscale xy 10
set xrange [8:13000]
set yrange [lowest('streams/priorities', 'wait_us') / 2: \
  highest('streams/priorities', 'wait_us') * 2]
set xlabel 'time of one block of the large kernel in µs (logarithmic)'
set ylabel 'wait in µs (logarithmic)'
set key center right
names = '"equal priorities" "high priority" "nothing else runs"'
versions = 'equal high alone'
plot for [m = 1:n_machines] for [i = 1:3] rows(csv('streams/priorities', \
  word(machines, m)), 'version=' . word(versions, i)) using \
  (column("block_us")):(column("wait_us")) with linespoints linetype i \
  linewidth weight(m) dashtype dash(m) title m == 1 ? word(names, i) : ''
