# title: Bandwidth of the scaled rows for narrow matrices
# data: bench/layout/narrow.reference.csv
figure_height = 430
load 'figures/common/style.gp'
kinds = 'plain pitched pitched_vector flat'
names = 'plain pitched "pitched, by four" flat'
# One panel for each kernel; widths that fill their last warp, and widths with a
# single float in it, are lines of their own.
of(k, m) = rows(csv('layout/narrow', word(machines, m)), \
  'version=' . word(kinds, k))
full(x) = int(x) % 32 == 0 || x < 32
single(x) = int(x) % 32 == 1
top = highest('layout/narrow', 'gb_per_s') * 1.08
set logscale x 2
set xrange [7.2:1200]
set yrange [0:top]
set xtics (8, 32, 128, 512)
set ytics tic_step(top, 5)
unset key
set multiplot
do for [k = 1:4] {
  right = k % 2 == 0
  set lmargin at screen (right ? (narrow ? 0.58 : 0.55) : \
    left_at(0.105))
  set rmargin at screen (right ? 0.985 : (narrow ? 0.53 : 0.50))
  set tmargin at screen (k <= 2 ? 0.93 : 0.48)
  set bmargin at screen (k <= 2 ? 0.58 : 0.13)
  set label 1 word(names, k) at graph 0, graph 1 left offset 0, 0.7
  set format y (right ? '' : '%h')
  set ylabel (right ? '' : 'GB/s')
  set format x (k > 2 ? '%h' : '')
  set xlabel (k > 2 ? (narrow ? 'floats in a row' : \
    'floats in a row (logarithmic)') : '')
  if (k > 1) { unset label 999 }
  if (k == 1) {
    set label 2 'last warp full' at 100, 0.42 * top left font small \
      textcolor rgb colour_1
    set label 3 'one lane of it' at 40, 0.2 * top left font small \
      textcolor rgb colour_2
    unset label 999
  }
  if (k == 2) {
    unset label 2; unset label 3
    set label 999 corner at graph 1, graph 1 right offset 0, 0.7 \
      font (n_machines < 3 ? small : tiny) textcolor rgb colour_muted
    if (n_machines > 1) {
      set label 999 at screen 0.99, screen 0.985 right offset 0, 0
    }
  }
  plot for [m = 1:n_machines] of(k, m) using \
      (full(column("n_cols")) ? column("n_cols") : NaN): \
      (column("gb_per_s")) with linespoints linecolor rgb colour_1 \
      pointtype 7 pointsize 0.5 linewidth weight(m) dashtype dash(m), \
    for [m = 1:n_machines] of(k, m) using \
      (single(column("n_cols")) ? column("n_cols") : NaN): \
      (column("gb_per_s")) with linespoints linecolor rgb colour_2 \
      pointtype 9 pointsize 0.7 linewidth weight(m) dashtype dash(m), \
    for [m = 1:n_machines] of(k, m) using \
      (full(column("n_cols")) || single(column("n_cols")) ? NaN : \
      column("n_cols")):(column("gb_per_s")) with points \
      linecolor rgb colour_muted pointtype 6 pointsize 0.5 linewidth 1
}
unset multiplot
