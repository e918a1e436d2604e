# title: Looking into a table in global and in shared memory, against its size
# data: bench/shared_memory/lookup.reference.csv
figure_height = 320
load 'figures/common/style.gp'
names = 'in_global in_shared'
heads = '"global memory" "shared memory"'

set xrange [0.9:280]
set logscale x 2
if (narrow) { set xtics (1, 4, 16, 64, 227) } \
else { set xtics (1, 2, 4, 8, 16, 32, 64, 128, 227) }
set yrange [0:110]
set lmargin at screen left_at(0.11); set rmargin at screen right_at(0.80)
set xlabel 'table in KiB'
set ylabel '% of the copy'
unset key
ink(i) = i == 1 ? role_memory : role_shared
last = ''
do for [i = 1:2] {
  last = last . sprintf(' %.4f', fraction(100 * real(cell( \
    csv('shared_memory/lookup', machine), 'version=' . word(names, i) . \
    ' table_bytes=232448', 'share_of_copy')), 0, 110))
}
ends = spread(last, 0.09)
do for [i = 1:2] {
  set label i word(heads, i) at graph 1.02, graph real(word(ends, i)) left \
    textcolor rgb ink(i)
}
plot for [m = 1:n_machines] for [i = 1:2] \
    rows(csv('shared_memory/lookup', word(machines, m)), \
      'version=' . word(names, i)) \
    using (column("table_bytes") / 1024.0):(100 * column("share_of_copy")) \
    with linespoints linecolor rgb ink(i) pointtype point(i + 1) \
    linewidth weight(m) dashtype dash(m)
