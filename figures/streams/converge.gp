# title: Time of a step of the heat equation, by who asks for convergence
# data: bench/streams/converge.reference.csv
figure_height = 350
load 'figures/common/style.gp'
set logscale x 10
set xrange [1.8:115]
set xtics (2, 4, 10, 20, 50, 100)
set yrange [0:highest('streams/converge', 'us_per_step') * 1.1]
set xlabel 'steps between two questions (logarithmic)'
set ylabel 'µs per step'
key_narrow_lines = 2
load 'figures/common/key.gp'
names = '"launches, the host asks" "graphs, the host asks" "a WHILE node"'
versions = 'host_loop graph_loop while_node'
plot for [m = 1:n_machines] for [i = 1:3] rows(csv('streams/converge', \
  word(machines, m)), 'version=' . word(versions, i)) using \
  (column("steps_per_round")):(column("us_per_step")) with linespoints \
  linetype i linewidth weight(m) dashtype dash(m) \
  title m == 1 ? word(names, i) : ''
