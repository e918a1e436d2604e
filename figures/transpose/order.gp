# title: Bandwidth of transpose and copy against the order of the blocks
# data: bench/transpose/order.reference.csv
figure_height = 130 + (exists("machines") ? words(machines) : 1) * 100
load 'figures/common/style.gp'
load 'figures/common/bars.gp'
if (n_machines == 1) { set label 999 gpu(1) } else { unset label 999 }
# For each order the two kinds on the reference, then on each other machine.
bars_side_by_side = 2 * n_machines
bar(i, m) = 2 * (m - 1) + i
ink(i, m) = faded(i == 1 ? role_gpu : role_ceiling, i == 1 ? 1 - 0.5 * (m - 1) / n_machines : \
  0.6 - 0.4 * (m - 1) / n_machines)
file = csv('transpose/order', machine)
of(m) = csv('transpose/order', word(machines, m))
orders = values(file, 'order')
n = words(orders)
set yrange [n - 0.4:-0.6]
set ytics ()
do for [i = 1:n] { set ytics add ('by ' . word(orders, i) i - 1) }
set xrange [0:highest('transpose/order', 'gb_per_s') * 1.15]
set xlabel 'bandwidth in GB/s'
if (narrow) { set xtics tic_step(highest('transpose/order', 'gb_per_s'), 4) }
set tmargin at screen 1 - (20 + 16.0 * n_machines) / figure_height
set key at screen n_machines == 1 ? 0.24 : 0.01, screen 0.985 left top \
  samplen 1 maxrows n_machines
if (n_machines > 1) { set key font tiny width -2 }
kinds = 'transpose copy'
plot for [i = 1:2] for [m = 1:n_machines] \
    rows(of(m), 'version=' . word(kinds, i)) using \
    (0):(column(0)):(0):(column("gb_per_s")):(bar_low(column(0), bar(i, m))): \
    (bar_high(column(0), bar(i, m))) with boxxyerror linecolor rgb ink(i, m) \
    title word(kinds, i) . (n_machines > 1 ? ', ' . short_gpu(m) : ''), \
  for [i = 1:2] for [m = 1:n_machines] \
    rows(of(m), 'version=' . word(kinds, i)) using \
    (column("gb_per_s")):(bar_middle(column(0), bar(i, m))): \
    (sprintf('%.0f', column("gb_per_s"))) with labels left offset 0.5, 0 \
    font (n_machines > 1 ? tiny : small) textcolor rgb colour_ink
