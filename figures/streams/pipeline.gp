# title: How much of their bound four pipelines reach
# data: bench/streams/pipeline.reference.csv
stacked = exists("narrow") && narrow
figure_height = stacked ? 700 : 370
load 'figures/common/style.gp'
set logscale x 2
set xrange [7:290]
set xtics (8, 16, 32, 64, 128, 256)
set yrange [80:101]
set ytics 5
versions = 'depth_first small_ends stages stages_small_ends'
names = '"a stream for each piece" "… with small ends" "a stream for each stage" "… with small ends"'
series(i, w, m) = rows(csv('streams/pipeline', word(machines, m)), \
  sprintf('version=%s weight=%s', word(versions, i), w))
key_lines = 2; key_narrow_lines = 4
key_corner = 1
load 'figures/common/key.gp'
set multiplot
do for [k = 1:2] {
  set lmargin at screen (stacked ? 0.17 : k == 1 ? 0.09 : 0.56)
  set rmargin at screen (stacked ? 0.97 : k == 1 ? 0.51 : 0.98)
  set tmargin at screen (k == 1 || !stacked ? 1 - (key_height + 8) / figure_height : 0.44)
  set bmargin at screen (!stacked ? 0.17 : k == 1 ? 0.54 : 0.09)
  load_ = word('2.00 0.50', k)
  if (k == 1) { set ylabel 'share of the bound in %' }
  if (k == 2) { unset key; unset label 999 }
  if (k == 2 && !stacked) { unset ylabel; set format y '' }
  set xlabel 'pieces'
  set label 1 word('"the kernel is the bottleneck" "the link is the bottleneck"', k) at graph 0, graph 1 left \
    offset 0, 0.7
  plot for [m = 1:n_machines] for [i = 1:4] series(i, load_, m) \
    using (column("n_pieces")):(100 * column("share")) with linespoints \
    linetype i linewidth weight(m) dashtype dash(m) \
    title k == 1 && m == 1 ? word(names, i) : ''
}
unset multiplot
