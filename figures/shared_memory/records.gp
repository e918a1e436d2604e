# title: Share of a copy's speed, and wavefronts, against the records' length
# data: bench/shared_memory/records.reference.csv
# data: bench/shared_memory/records_counts.software.csv
figure_height = 500
load 'figures/common/style.gp'
counts = csv('shared_memory/records_counts', 'software')
names = 'direct staged padded swizzled'

set xrange [0.5:33.5]
set lmargin at screen left_at(0.11); set rmargin at screen right_at(0.84)
unset key
if (narrow) { set xtics (1, 8, 16, 24, 32) } \
else { set xtics (1, 4, 8, 12, 16, 20, 24, 28, 32) }
last = ''
do for [i = 1:4] {
  at = i == 4 ? 32 : 33
  last = last . sprintf(' %.4f', fraction(100 * real(cell( \
    csv('shared_memory/records', machine), \
    sprintf('version=%s n_floats=%d', word(names, i), at), \
    'share_of_copy')), 0, 110))
}
set multiplot
set tmargin at screen 0.95; set bmargin at screen 0.54
set yrange [0:110]
set format x ''
set ylabel '% of the copy'
ends = spread(last, 0.09)
do for [i = 1:4] {
  set label i word(names, i) at graph 1.02, graph real(word(ends, i)) left \
    textcolor rgb colour(i)
}
plot for [m = 1:n_machines] for [i = 1:4] \
    rows(csv('shared_memory/records', word(machines, m)), \
      'version=' . word(names, i)) \
    using (column("n_floats")):(100 * column("share_of_copy")) \
    with linespoints linetype i linewidth weight(m) dashtype dash(m)

set tmargin at screen 0.49; set bmargin at screen 0.11
set format x '%h'
set xlabel 'floats in a record'
set ylabel 'wavefronts per request'
set logscale y 2
set yrange [0.9:40]
set ytics (1, 2, 4, 8, 16, 32)
unset label 999
unset label 1
ends = spread('0 0.06 0.12', 0.09)
do for [i = 2:4] {
  set label i word(names, i) at graph 1.02, graph real(word(ends, 5 - i)) \
    left textcolor rgb colour(i)
}
waves(d) = (column("shared_ld_wavefronts") + column("shared_st_wavefronts")) \
  / (column("shared_ld_requests") + column("shared_st_requests"))
plot for [i = 2:4] rows(counts, 'version=' . word(names, i)) \
    using (column("n_floats")):(waves(0)) with linespoints linetype i
unset multiplot
