# title: Time of copies and a kernel, alone and at the same time
# data: bench/hardware/copies.h200.csv
n_drawn = exists("machines") ? words(machines) : 1
figure_height = n_drawn < 2 ? 300 : 140 + 110 * n_drawn
load 'figures/common/style.gp'
load 'figures/common/bars.gp'
file = csv('hardware/copies', machine)
versions = values(file, 'version')
n = words(versions)
set yrange [n - 0.4:-0.75]
set ytics ()
do for [i = 1:n] { set ytics add (spaced(word(versions, i)) i - 1) }
set xrange [0:highest('hardware/copies', 'time_us') * 0.00105]
set xlabel 'time in ms'
if (n_machines > 1) { set key bottom right maxcols 1 samplen 1
  unset label 999 }
plot for [m = 1:n_machines] csv('hardware/copies', word(machines, m)) \
    using (0):(column(0)):(0):(0.001 * column("time_us")): \
    (bar_low(column(0), m)):(bar_high(column(0), m)) with boxxyerror \
    linecolor rgb bar_colour(m) title n_machines > 1 ? gpu(m) : ''
