# title: Speed-up against the number of streams, in both orders of issue
# data: bench/streams/streams.h200.csv
# data: bench/streams/one_queue.h200.csv
figure_height = 390
load 'figures/common/style.gp'
set logscale x 2
set xrange [1:80]; set yrange [0:3.2]
set xtics (1, 2, 4, 8, 16, 32, 64)
set xlabel 'streams, and pieces (logarithmic)'
set ylabel 'speed-up over one piece'
key_lines = 2; key_narrow_lines = 3
load 'figures/common/key.gp'
bound(n) = 3.0 * n / (n + 2)
series(name, order, m) = rows(csv('streams/' . name, word(machines, m)), \
  'version=' . order)
plot for [m = 1:n_machines] series('streams', 'depth_first', m) \
    using (column("n_streams")):(column("speed_up")) with linespoints \
    linetype 1 linewidth weight(m) dashtype dash(m) \
    title m == 1 ? 'depth first' : '', \
  for [m = 1:n_machines] series('streams', 'breadth_first', m) \
    using (column("n_streams")):(column("speed_up")) with linespoints \
    linetype 2 linewidth weight(m) dashtype dash(m) \
    title m == 1 ? 'breadth first' : '', \
  for [m = 1:n_machines] series('one_queue', 'depth_first', m) \
    using (column("n_streams")):(column("speed_up")) with linespoints \
    linetype 3 linewidth weight(m) dashtype dash(m) \
    title m == 1 ? 'depth first, one queue' : '', \
  for [m = 1:n_machines] series('one_queue', 'breadth_first', m) \
    using (column("n_streams")):(column("speed_up")) with linespoints \
    linetype 4 linewidth weight(m) dashtype dash(m) \
    title m == 1 ? 'breadth first, one queue' : '', \
  bound(x) with lines linecolor rgb role_ceiling dashtype '-' \
    title 'three equal stages'
