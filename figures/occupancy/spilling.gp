# title: What fewer registers gain, against the occupancy they give
# data: bench/occupancy/spilling.h200.csv
figure_height = 360
load 'figures/common/style.gp'
file = csv('occupancy/spilling', machine)
families = '"family=carry unrolled=1" "family=carry unrolled=4" "family=busy unrolled=1" "family=busy unrolled=4"'
names = '"carry" "carry, unrolled" "busy" "busy, unrolled"'
set xrange [0.2:1.03]; set yrange [0:*]
set xtics ('2/8' 0.25, '3/8' 0.375, '4/8' 0.5, '5/8' 0.625, '6/8' 0.75, \
  '7/8' 0.875, '1' 1)
set xlabel 'occupancy'
set ylabel 'speed, relative to free registers'
set key top left
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead dashtype '-' \
  linecolor rgb colour_muted
plot for [m = 1:n_machines] for [i = 1:4] rows(csv('occupancy/spilling', \
  word(machines, m)), word(families, i)) using \
  (column("occupancy")):(column("speedup")) with linespoints linetype i \
  linewidth weight(m) dashtype dash(m) title m == 1 ? word(names, i) : ''
