# title: Time of finding the largest number, with few processors or with many
# data: bench/hardware/pram.reference.csv
figure_height = 330
load 'figures/common/style.gp'
names = '"halving" "all pairs"'
set logscale x 2; set logscale y 10
set ytics ()
do for [e = 0:4] { set ytics add (grouped(10.0 ** e) 10.0 ** e) }
set xrange [56:37000]
set xtics ()
do for [e = 6:15:(narrow ? 3 : 1)] { set xtics add (grouped(2.0 ** e) 2.0 ** e) }
set xlabel 'numbers (logarithmic)'
set ylabel 'time in µs (logarithmic)'
load 'figures/common/key.gp'
plot for [m = 1:n_machines] for [i = 1:2] rows(csv('hardware/pram', \
  word(machines, m)), 'version=' . word('erew crcw', i)) using \
  (column("n_elems")):(column("time_us")) with linespoints linetype i \
  linewidth weight(m) dashtype dash(m) title m == 1 ? word(names, i) : ''
