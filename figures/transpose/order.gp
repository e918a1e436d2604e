# title: Bandwidth of transpose and copy against the order of the blocks
# data: bench/transpose/order.h200.csv
figure_height = 230
load 'figures/common/style.gp'
load 'figures/common/bars.gp'
set label 999 gpu(1)
bars_side_by_side = 2
file = csv('transpose/order', machine)
orders = values(file, 'order')
n = words(orders)
set yrange [n - 0.4:-0.6]
set ytics ()
do for [i = 1:n] { set ytics add ('by ' . word(orders, i) i - 1) }
set xrange [0:extreme(file, 'gb_per_s', 0) * 1.15]
set xlabel 'bandwidth in GB/s'
set tmargin at screen 0.84
set key at screen 0.24, screen 0.985 left top horizontal samplen 1
kinds = 'transpose copy'
plot for [i = 1:2] rows(file, 'version=' . word(kinds, i)) using \
    (0):(column(0)):(0):(column("gb_per_s")):(bar_low(column(0), i)): \
    (bar_high(column(0), i)) with boxxyerror linecolor rgb bar_colour(i) \
    title word(kinds, i), \
  for [i = 1:2] rows(file, 'version=' . word(kinds, i)) using \
    (column("gb_per_s")):(bar_middle(column(0), i)): \
    (sprintf('%.0f', column("gb_per_s"))) with labels left offset 0.5, 0 \
    font small textcolor rgb colour_ink
