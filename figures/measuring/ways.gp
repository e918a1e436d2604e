# title: One kernel's time, as three ways of timing tell it
# data: bench/measuring/ways.reference.csv
figure_height = 390
load 'figures/common/style.gp'
ways = 'host_alone host_waits events'
names = '"host, no wait" "host, waiting" "events"'
low = lowest('measuring/ways', 'time_us') / 1.5
high = highest('measuring/ways', 'time_us') * 1.7
set logscale x 2; set logscale y 10
set xrange [lowest('measuring/ways', 'n_elems') / 1.1: \
  highest('measuring/ways', 'n_elems') * 1.1]
set yrange [low:high]
set xtics ()
do for [e = 10:40:2] { set xtics add (power(2, e) 2.0 ** e) }
set xlabel 'elements (logarithmic)'
set ylabel 'time in µs (logarithmic)'
load 'figures/common/key.gp'
plot for [m = 1:n_machines] for [i = 1:3] rows(csv('measuring/ways', \
  word(machines, m)), 'version=' . word(ways, i)) using \
  (column("n_elems")):(column("time_us")) with linespoints linetype i \
  linewidth weight(m) dashtype dash(m) title m == 1 ? word(names, i) : ''
