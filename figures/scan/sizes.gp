# title: Time of the last version and of CUB over the number of elements
# data: bench/scan/sizes.reference.csv
figure_height = 340
load 'figures/common/style.gp'
set logscale x 2
set logscale y
set xrange [3000:3.6e8]
set xtics ('2¹²' 2**12, '2¹⁶' 2**16, '2²⁰' 2**20, '2²⁴' 2**24, \
  '2²⁸' 2**28)
set xlabel 'elements (logarithmic)'
set ylabel 'time in µs (logarithmic)'
load 'figures/common/key.gp'
plot for [m = 1:n_machines] for [i = 1:2] rows(csv('scan/sizes', \
  word(machines, m)), 'version=' . word('streaming cub', i)) using \
  (column("n_elems")):(column("time_us")) with linespoints \
  linecolor rgb (i < 2 ? colour(i) : role_vendor) pointtype point(i) \
  linewidth weight(m) dashtype dash(m) \
  title m == 1 ? word('streaming CUB', i) : ''
