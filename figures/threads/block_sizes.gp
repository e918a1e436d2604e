# title: Bandwidth of one kernel against the threads of a block
# data: bench/threads/block_sizes.reference.csv
figure_height = 300
load 'figures/common/style.gp'
set logscale xy 2
set xrange [0.9:1150]
set yrange [lowest('threads/block_sizes', 'gb_per_s') / 1.3: \
  highest('threads/block_sizes', 'gb_per_s') * 1.3]
set xtics ()
do for [e = 0:10] { set xtics add (sprintf('%d', 2 ** e) 2 ** e) }
set xlabel 'threads of a block (logarithmic)'
set ytics ()
do for [i = 0:15] { set ytics add (sprintf('%d', 25 * 2 ** i) 25 * 2 ** i) }
set ylabel 'bandwidth in GB/s (logarithmic)'
if (n_machines > 1) { unset label 999; load 'figures/common/key.gp' }
plot for [m = 1:n_machines] csv('threads/block_sizes', word(machines, m)) \
  using (column("block_threads")):(column("gb_per_s")) with linespoints \
  linetype 1 linewidth weight(m) dashtype dash(m) title short_gpu(m)
