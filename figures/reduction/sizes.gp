# title: Time of a sum against the number of floats
# data: bench/reduction/sizes.h200.csv
figure_height = 380
load 'figures/common/style.gp'
names = 'wide atomic large cub'
heads = '"two kernels" "atomics" "large blocks" "CUB"'

set logscale x 2; set logscale y 10
set xrange [2.0 ** 11.5:2.0 ** 30.5]
set yrange [lowest('reduction/sizes', 'time_us') / 1.4: \
  highest('reduction/sizes', 'time_us') * 1.4]
set xtics ()
do for [e = 12:30:3] { set xtics add (power(2, e) 2.0 ** e) }
set ytics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
set xlabel 'floats (logarithmic)'
set ylabel 'time in µs (logarithmic)'
key_narrow_lines = 2
load 'figures/common/key.gp'
plot for [m = 1:n_machines] for [i = 1:4] \
  rows(csv('reduction/sizes', word(machines, m)), \
    'version=' . word(names, i)) \
  using (column("n_elems")):(column("time_us")) with linespoints \
  linecolor rgb (i < 4 ? colour(i) : role_vendor) linewidth weight(m) dashtype dash(m) \
  pointtype point(i) pointsize 0.7 title m == 1 ? word(heads, i) : ''
