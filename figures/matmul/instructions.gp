# title: Warp instructions for each multiply-add of a warp
# data: bench/matmul/counts.reference.csv
n_drawn = exists("machines") ? words(machines) : 1
figure_height = n_drawn < 2 ? 420 : 180 + 150 * n_drawn
load 'figures/common/style.gp'
load 'figures/common/bars.gp'

# One bar for each version. No version can need less than 1.
versions = values(csv('matmul/counts', machine), 'version')
n = words(versions)
per_fma(i) = 32.0 * column("warp_instructions") / \
  (column("n_rows") * column("n_cols") * column("n_inner"))

set yrange [n - 0.4:-0.75]
set ytics ()
do for [i = 1:n] { set ytics add (spaced(word(versions, i)) i - 1) }
set xrange [0:*]
set rmargin at screen right_at(0.9)
set xlabel 'warp instructions for each multiply-add'
set arrow 1 from first 1, graph 0 to first 1, graph 1 nohead dashtype '-' \
  linecolor rgb role_ceiling
if (n_machines > 1) { set key at screen 0.88, screen 0.985 right top \
  maxcols 1 samplen 1; unset label 999
  set tmargin at screen 1 - (24 + 22.0 * n_machines) / figure_height }

plot for [m = 1:n_machines] csv('matmul/counts', word(machines, m)) \
    using (0):(column(0)):(0):(per_fma(0)): \
    (bar_low(column(0), m)):(bar_high(column(0), m)) with boxxyerror \
    linecolor rgb bar_colour(m) \
    title n_machines > 1 ? gpu(m) : '', \
  for [m = 1:n_machines] csv('matmul/counts', word(machines, m)) \
    using (per_fma(0)):(bar_middle(column(0), m)): \
    (sprintf('%.2f', per_fma(0))) \
    with labels left offset 0.5, 0 font (n_machines > 1 ? tiny : small) \
    textcolor rgb colour_ink
