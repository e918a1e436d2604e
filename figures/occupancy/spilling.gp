# title: What fewer registers gain, against the registers per thread
# data: bench/occupancy/spilling.reference.csv
figure_height = 370
load 'figures/common/style.gp'
families = '"family=carry unrolled=1" "family=carry unrolled=4" "family=busy unrolled=1" "family=busy unrolled=4"'
names = '"carry" "carry, unrolled" "busy" "busy, unrolled"'
set xrange [92:22]; set yrange [0:2.15]
set xtics (80, 72, 64, 56, 48, 40, 32, 24)
set xlabel 'registers per thread'
set ylabel 'speed, relative to free registers'
key_narrow_lines = 2
load 'figures/common/key.gp'
# The occupancy that each limit allows, along the upper edge.
limits = exists("narrow") && narrow ? '72 64 48 32' : '72 64 56 48 40 32 24'
share(r) = 100 * real(cell(csv('occupancy/spilling', machine), \
  'version=carry_1_' . r, 'occupancy'))
do for [i = 1:words(limits)] {
  set label 10 + i sprintf('%.0f %%', share(word(limits, i))) \
    at first real(word(limits, i)), graph 0.95 center \
    textcolor rgb colour_muted
}
set label 20 'occupancy' at graph 0.01, graph 0.95 left \
  textcolor rgb colour_muted
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead dashtype '-' \
  linecolor rgb colour_muted
# Only versions that differ in their registers from the one before.
plot for [m = 1:n_machines] for [i = 1:4] rows(csv('occupancy/spilling', \
  word(machines, m)), word(families, i)) using \
  (column("most_registers") == 72 ? NaN : column("thread_registers")): \
  (column("speedup")) with linespoints linetype i \
  linewidth weight(m) dashtype dash(m) title m == 1 ? word(names, i) : ''
