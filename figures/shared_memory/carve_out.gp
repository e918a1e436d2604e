# title: Time to look into a table in global memory against the carve-out
# data: bench/shared_memory/carve_out.reference.csv
figure_height = 330
load 'figures/common/style.gp'
sizes = '16 48 96 160'

set xrange [-4:104]
set yrange [0:*]
set xtics (0, 10, 25, 40, 50, 75, 100)
set lmargin at screen left_at(0.11); set rmargin at screen right_at(0.80)
set xlabel 'preferred carve-out in % of the most shared memory'
set ylabel '% of the copy'
unset key
top = 100 * highest('shared_memory/carve_out', 'share_of_copy') * 1.1
set yrange [0:top]
last = ''
do for [i = 1:4] {
  last = last . sprintf(' %.4f', fraction(100 * real(cell( \
    csv('shared_memory/carve_out', machine), sprintf( \
    'version=percent_100 table_bytes=%d', 1024 * int(word(sizes, i))), \
    'share_of_copy')), 0, top))
}
ends = spread(last, 0.1)
do for [i = 1:4] {
  set label i sprintf('table of %s KiB', word(sizes, i)) at graph 1.02, \
    graph real(word(ends, i)) left textcolor rgb colour(i)
}
plot for [m = 1:n_machines] for [i = 1:4] \
    rows(csv('shared_memory/carve_out', word(machines, m)), sprintf( \
      'percent=0|10|25|40|50|75|100 table_bytes=%d', 1024 * int(word(sizes, i)))) \
    using (column("percent")):(100 * column("share_of_copy")) \
    with linespoints linetype i linewidth weight(m) dashtype dash(m)
