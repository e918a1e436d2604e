# title: Points per second of every version, and of a copy
# data: bench/async/ladder.reference.csv
n_drawn = exists("machines") ? words(machines) : 1
figure_height = n_drawn < 2 ? 330 : 140 + 110 * n_drawn
load 'figures/common/style.gp'
load 'figures/common/bars.gp'

# One bar for each version; the copy is the yardstick, drawn as a line.
file = csv('async/ladder', machine)
versions = values(file, 'version')
n = words(versions)
yardstick(m) = real(cell(csv('async/ladder', word(machines, m)), \
  'version=copy', 'gpoints_per_s'))

set yrange [n - 0.4:0.45]
set ytics ()
do for [i = 2:n] { set ytics add (spaced(word(versions, i)) i - 1) }
top = highest('async/ladder', 'gpoints_per_s') * 1.02
set xrange [0:top]
set rmargin at screen 0.87
set xlabel 'billions of points per second'
if (exists("narrow") && narrow) { set xtics 400 }
set arrow 1 from first yardstick(1), graph 0 to first yardstick(1), graph 1 \
  nohead dashtype '-' linecolor rgb role_ceiling
set label 1 'of a copy' at graph 1, graph 1 left offset -0.5, 0.7 \
  font small textcolor rgb colour_muted
set label 999 at graph 0, graph 1 left
if (n_machines > 1) { set key at screen 0.86, screen 0.985 right top \
  maxcols 1 samplen 1; unset label 999
  set tmargin at screen 1 - (24 + 22.0 * n_machines) / figure_height }

plot for [m = 1:n_machines] csv('async/ladder', word(machines, m)) \
    using (0):(column(0) < 1 ? NaN : column(0)):(0):(column("gpoints_per_s")): \
    (bar_low(column(0), m)):(bar_high(column(0), m)) with boxxyerror \
    linecolor rgb bar_colour(m) \
    title n_machines > 1 ? gpu(m) : '', \
  for [m = 1:n_machines] csv('async/ladder', word(machines, m)) \
    using (top):(bar_middle(column(0), m)): \
    (column(0) < 1 ? '' : sprintf("%.0f %%", \
     100 * column("gpoints_per_s") / yardstick(m))) \
    with labels left offset 0.5, 0 font (n_machines > 1 ? tiny : small) \
    textcolor rgb colour_ink
