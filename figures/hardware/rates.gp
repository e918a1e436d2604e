# title: Results of a multiprocessor in each cycle, measured and documented
# data: bench/hardware/rates.reference.csv
n_drawn = exists("machines") ? words(machines) : 1
figure_height = n_drawn < 2 ? 440 : 200 + 220 * n_drawn
load 'figures/common/style.gp'
load 'figures/common/bars.gp'
file = csv('hardware/rates', machine)
versions = values(file, 'version')
n = words(versions)
set yrange [n - 0.4:-0.75]
set ytics ()
spoken(v) = v eq 'root' ? '1 / square root' : spaced(v)
do for [i = 1:n] { set ytics add (spoken(word(versions, i)) i - 1) }
set xrange [0:138]
set xtics (0, 16, 32, 64, 96, 128)
set xlabel 'results per cycle'
key_lines = n_machines == 1 ? 1 : 2; key_narrow_lines = n_machines == 1 ? 1 : n_machines + 1
load 'figures/common/key.gp'
if (n_machines > 1) { unset label 999 }
plot for [m = 1:n_machines] csv('hardware/rates', word(machines, m)) \
    using (0):(column(0)):(0):(column("per_clock")): \
    (bar_low(column(0), m)):(bar_high(column(0), m)) with boxxyerror \
    linecolor rgb bar_colour(m) \
    title n_machines > 1 ? gpu(m) : 'measured', \
  for [m = 1:n_machines] csv('hardware/rates', word(machines, m)) using \
    (column("documented_per_clock")):(bar_middle(column(0), m)): \
    (0):(0.4 / n_machines) with vectors nohead linewidth 3 \
    linecolor rgb colour_ink notitle, \
  for [m = 1:n_machines] csv('hardware/rates', word(machines, m)) using \
    (column("documented_per_clock")):(bar_middle(column(0), m)): \
    (0):(-0.4 / n_machines) with vectors nohead linewidth 3 \
    linecolor rgb colour_ink title m == 1 ? 'documented' : ''
