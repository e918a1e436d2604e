# title: Bandwidth of every way, in and out, beside a plain loop of copies
# data: bench/transfers/ways.reference.csv
n_drawn = exists("machines") ? words(machines) : 1
figure_height = 200 + 220 * n_drawn
load 'figures/common/style.gp'
load 'figures/common/bars.gp'
bars_side_by_side = 2 * n_machines
bar(i, m) = 2 * (m - 1) + i
ink(i, m) = faded(colour(i), 1 - 0.5 * (m - 1) / n_machines)
of(m) = csv('transfers/ways', word(machines, m))
ways = values(csv('transfers/ways', machine), 'version')
n = words(ways)
set yrange [n - 0.4:-0.6]
set ytics ()
do for [i = 1:n] { set ytics add (spaced(word(ways, i)) i - 1) }
set xrange [0:highest('transfers/ways', 'gb_per_s') * 1.15]
set xlabel 'bandwidth in GB/s'
# A line of the key for each direction, or with names for each bar.
key_lines = n_machines > 1 ? 2 * n_machines : 1
set tmargin at screen 1 - (24 + 20.0 * key_lines) / figure_height
set key at screen 0.24, screen 0.985 left top samplen 1 maxrows key_lines
if (n_machines > 1) { unset label 999 }   # the key has the names
directions = 'in out'
plot for [i = 1:2] for [m = 1:n_machines] \
    rows(of(m), 'direction=' . word(directions, i)) using \
    (0):(column(0)):(0):(column("gb_per_s")):(bar_low(column(0), bar(i, m))): \
    (bar_high(column(0), bar(i, m))) with boxxyerror linecolor rgb ink(i, m) \
    title word('"host to device" "device to host"', i) . \
    (n_machines > 1 ? ', ' . short_gpu(m) : ''), \
  for [i = 1:2] for [m = 1:n_machines] \
    rows(of(m), 'direction=' . word(directions, i)) using \
    (column("gb_per_s")):(bar_middle(column(0), bar(i, m))): \
    (sprintf('%.1f', column("gb_per_s"))) with labels left offset 0.5, 0 \
    font small textcolor rgb colour_ink
