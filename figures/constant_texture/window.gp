# title: Pixels a nanosecond of the window sums, by memory and shape of warps
# data: bench/constant_texture/window.reference.csv
n_drawn = exists("machines") ? words(machines) : 1
figure_height = n_drawn < 2 ? 370 : 160 + 120 * n_drawn
load 'figures/common/style.gp'
load 'figures/common/bars.gp'
file = csv('constant_texture/window', machine)
versions = values(file, 'version')
n = words(versions)
set yrange [n - 0.4:-0.75]
set ytics ()
do for [i = 1:n] { set ytics add (spaced(word(versions, i)) i - 1) }
set xrange [0:highest('constant_texture/window', 'pixels_per_us') / 1000 * 1.14]
set xlabel 'pixels per nanosecond'
if (n_machines > 1) { set key at screen 0.985, screen 0.985 right top \
  maxcols 1 samplen 1; unset label 999
  set tmargin at screen 1 - (24 + 22.0 * n_machines) / figure_height }
plot for [m = 1:n_machines] csv('constant_texture/window', word(machines, m)) \
    using (0):(column(0)):(0):(column("pixels_per_us") / 1000): \
    (bar_low(column(0), m)):(bar_high(column(0), m)) with boxxyerror \
    linecolor rgb bar_colour(m) title n_machines > 1 ? gpu(m) : '', \
  for [m = 1:n_machines] csv('constant_texture/window', word(machines, m)) \
    using (column("pixels_per_us") / 1000):(bar_middle(column(0), m)): \
    (sprintf('%.1f', column("pixels_per_us") / 1000)) with labels left \
    offset 0.5, 0 font tiny textcolor rgb colour_ink notitle
