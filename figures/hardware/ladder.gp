# title: How long one value takes to come, from each place
# data: bench/occupancy/latency.h200.csv
n_drawn = exists("machines") ? words(machines) : 1
figure_height = n_drawn < 2 ? 260 : 120 + 100 * n_drawn
load 'figures/common/style.gp'
load 'figures/common/bars.gp'
places = '"multiply-add" "shared memory" "L1" "L2" "memory"'
rows_of = '"what=fma" "what=shared" "what=global n_bytes=131072" ' . \
  '"what=global n_bytes=8388608" "what=global n_bytes=1073741824"'
cycles(m, i) = real(cell(csv('occupancy/latency', word(machines, m)), \
  word(rows_of, i), 'latency_cycles'))
set yrange [4.6:-0.75]
set ytics ()
do for [i = 1:5] { set ytics add (word(places, i) i - 1) }
set xrange [0:highest('occupancy/latency', 'latency_cycles') * 1.12]
set xlabel 'clocks until the value can be used'
if (n_machines > 1) { set key top right maxcols 1 samplen 1
  unset label 999 }
plot for [m = 1:n_machines] for [i = 1:5] '+' using (0):(i - 1):(0): \
    (cycles(m, i)):(bar_low(i - 1, m)):(bar_high(i - 1, m)) every ::0::0 \
    with boxxyerror linecolor rgb bar_colour(m) \
    title n_machines > 1 && i == 1 ? gpu(m) : '', \
  for [m = 1:n_machines] for [i = 1:5] '+' using (cycles(m, i)): \
    (bar_middle(i - 1, m)):(sprintf('%.0f', cycles(m, i))) every ::0::0 \
    with labels left offset 0.5, 0 font small notitle
