# title: Bandwidth of blocks of many shapes over a matrix
# data: bench/threads/block_shapes.reference.csv
figure_height = 60 + 28 * 12
load 'figures/common/style.gp'
load 'figures/common/bars.gp'
file = csv('threads/block_shapes', machine)
names = values(file, 'version')
n = words(names)
set yrange [n - 0.4:-0.6]
set ytics ()
times(s) = strstrt(s, 'x') ? s[1:strstrt(s, 'x') - 1] . ' × ' . \
  s[strstrt(s, 'x') + 1:*] : s . ', 32 × 8'
do for [i = 1:n] { set ytics add (times(word(names, i)) i - 1) }
set xrange [0:highest('threads/block_shapes', 'gb_per_s') * 1.15]
set xlabel 'bandwidth in GB/s'
unset key
plot for [m = 1:n_machines] csv('threads/block_shapes', word(machines, m)) \
    using (0):(column(0)):(0):(column("gb_per_s")): \
    (bar_low(column(0), m)):(bar_high(column(0), m)) with boxxyerror \
    linecolor rgb bar_colour(m), \
  for [m = 1:n_machines] csv('threads/block_shapes', word(machines, m)) \
    using (column("gb_per_s")):(bar_middle(column(0), m)): \
    (sprintf('%.0f', column("gb_per_s"))) with labels left offset 0.5, 0 \
    font small textcolor rgb colour_ink
