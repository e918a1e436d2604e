# title: Clocks of a round with one special function, against its multiply-adds
# data: bench/hardware/special_among.reference.csv
figure_height = 300
load 'figures/common/style.gp'
set xrange [-0.3:16.5]; set yrange [0:*]
set xtics 2
set xlabel 'multiply-adds in a round'
set ylabel 'cycles per round'
plot for [m = 1:n_machines] csv('hardware/special_among', \
  word(machines, m)) using (column("multiply_adds")): \
  (column("clocks_per_round")) with linespoints linetype 1 dashtype dash(m) \
  linewidth weight(m) title n_machines > 1 ? gpu(m) : ''
