# title: Time of a table's lookups against the different words of a request
# data: bench/constant_texture/lookup.reference.csv
figure_height = narrow ? 620 : 470
load 'figures/common/style.gp'
# Left neighbouring words, right words that share a bank of shared memory.
memories = 'constant global shared'
colour(i) = i == 1 ? colour_1 : i == 2 ? role_memory : role_shared
of(m, i, s) = rows(csv('constant_texture/lookup', word(machines, m)), \
  sprintf('version=%s spread=%d', word(memories, i), s))
set logscale x 2; set logscale y 2
set xrange [0.9:36]
set xtics (1, 2, 4, 8, 16, 32)
set yrange [*:highest('constant_texture/lookup', 'time_us') * 1.3]
# Of slow machines the powers of two are too long to be written out.
if (highest('constant_texture/lookup', 'time_us') > 100000) {
  set ytics ()
  do for [e = 0:40:2] { set ytics add (power(2, e) 2.0 ** e) }
}
set xlabel 'different words in a request'
set ylabel 'time in µs' offset 1.2, 0
key_corner = 1
load 'figures/common/key.gp'
set multiplot
set lmargin at screen left_at(0.115)
set rmargin at screen narrow ? 0.97 : 0.54
if (narrow) { set bmargin at screen 0.56; set xlabel '' }
set label 1 'neighbouring words' at graph 0.5, graph 1 center offset 0, 0.7
plot for [m = 1:n_machines] for [i = 1:3] of(m, i, 1) \
  using (column("n_addresses")):(column("time_us")) with linespoints \
  dashtype dash(m) linewidth weight(m) linecolor rgb colour(i) \
  title m == 1 ? word(memories, i) : ''
unset key
unset label 999
if (narrow) {
  set tmargin at screen 0.48; set bmargin at screen 0.08
  set xlabel 'different words in a request'
} else {
  set ylabel ''; set format y ''
  set lmargin at screen 0.565; set rmargin at screen 0.985
}
set label 1 'words 32 apart' at graph 0.5, graph 1 center offset 0, 0.7
plot for [m = 1:n_machines] for [i = 1:3] of(m, i, 32) \
  using (column("n_addresses")):(column("time_us")) with linespoints \
  dashtype dash(m) linewidth weight(m) linecolor rgb colour(i) notitle
unset multiplot
