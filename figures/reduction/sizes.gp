# title: Time of a sum, and speed against CUB, over the number of floats
# data: bench/reduction/sizes.reference.csv
figure_height = 560
load 'figures/common/style.gp'
names = 'wide atomic large cub'
heads = '"two kernels" "atomics" "large blocks" "CUB"'
of(m) = csv('reduction/sizes', word(machines, m))
ink(i) = i < 4 ? colour(i) : role_vendor
cub_time(m, n) = real(cell(of(m), sprintf('version=cub n_elems=%.0f', n), \
  'time_us'))

set logscale x 2
set xrange [2.0 ** 11.5:2.0 ** 30.5]
set xtics ()
do for [e = 12:30:3] { set xtics add (power(2, e) 2.0 ** e) }
key_narrow_lines = 2
load 'figures/common/key.gp'
set lmargin at screen left_at(0.12); set rmargin at screen right_at(0.97)
set multiplot

set bmargin at screen 0.55
set logscale y 10
set yrange [lowest('reduction/sizes', 'time_us') / 1.4: \
  highest('reduction/sizes', 'time_us') * 1.4]
set ytics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
set ylabel 'time in µs (logarithmic)'
plot for [m = 1:n_machines] for [i = 1:4] \
  rows(of(m), 'version=' . word(names, i)) \
  using (column("n_elems")):(column("time_us")) with linespoints \
  linecolor rgb ink(i) linewidth weight(m) dashtype dash(m) \
  pointtype point(i) pointsize 0.7 title m == 1 ? word(heads, i) : ''

# Where the lines of time lie on one another, their ratio tells them apart.
unset label 999
unset key
set tmargin at screen 0.49; set bmargin at screen 0.10
unset logscale y
set yrange [0:*]
set ytics autofreq
set ylabel "speed, CUB's is 1"
set xlabel 'floats (logarithmic)'
plot for [m = 1:n_machines] for [i = 1:4] \
  rows(of(m), 'version=' . word(names, i)) \
  using (column("n_elems")): \
    (cub_time(m, column("n_elems")) / column("time_us")) with linespoints \
  linecolor rgb ink(i) linewidth weight(m) dashtype dash(m) \
  pointtype point(i) pointsize 0.7 notitle
unset multiplot
