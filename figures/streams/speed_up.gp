# title: Speed-up against the number of streams, in both orders of issue
# data: bench/streams/streams.reference.csv
# data: bench/streams/one_queue.reference.csv
stacked = exists("narrow") && narrow
figure_height = stacked ? 640 : 355
load 'figures/common/style.gp'
set logscale x 2
set xrange [0.85:80]; set yrange [0.9:3.2]
set xtics (1, 2, 4, 8, 16, 32, 64)
set ytics 0.5
key_lines = 2; key_narrow_lines = 2
key_corner = 1
load 'figures/common/key.gp'
bound(n) = 3.0 * n / (n + 2)
series(name, order, m) = rows(csv('streams/' . name, word(machines, m)), \
  'version=' . order)
# What an order reached with the most streams.
last(name, order) = real(cell(csv('streams/' . name, machine), \
  'version=' . order . ' n_streams=64', 'speed_up'))
# The orders agree so closely that lines would hide each other: the line joins
# the rings, and a dot in a ring is the other order's result.
set multiplot
do for [k = 1:2] {
  set lmargin at screen (stacked ? 0.15 : k == 1 ? 0.10 : 0.565)
  set rmargin at screen (stacked ? 0.96 : k == 1 ? 0.51 : 0.98)
  set tmargin at screen (k == 1 || !stacked ? 1 - (key_height + 8) / figure_height : 0.45)
  set bmargin at screen (!stacked ? 0.17 : k == 1 ? 0.57 : 0.09)
  name = word('streams one_queue', k)
  if (k == 1) { set ylabel 'speed-up over one piece' }
  if (k == 2) { unset key; unset label 999 }
  if (k == 2 && !stacked) { unset ylabel; set format y '' }
  set xlabel 'streams, and pieces (logarithmic)'
  set label 1 word('"the usual queues" "one queue"', k) \
    at graph 0, graph 1 left offset 0, 0.7
  set label 2 sprintf('%.2f', last(name, 'depth_first')) at 64, \
    last(name, 'depth_first') center offset 0, -1.1 textcolor rgb colour_1
  plot x < 1 ? NaN : bound(x) with lines linecolor rgb role_ceiling dashtype '-' \
      title k == 1 ? 'bound for three equal stages' : '', \
    for [m = 1:n_machines] series(name, 'depth_first', m) \
      using (column("n_streams")):(column("speed_up")) with linespoints \
      linetype 1 linewidth weight(m) dashtype dash(m) pointtype 6 pointsize 1.1 \
      title k == 1 && m == 1 ? 'depth first' : '', \
    for [m = 1:n_machines] series(name, 'breadth_first', m) \
      using (column("n_streams")):(column("speed_up")) with points \
      linetype 2 pointtype 7 pointsize 0.45 \
      title k == 1 && m == 1 ? 'breadth first' : ''
}
unset multiplot
