# title: Speed of the matrix product over the elements a thread makes
# data: bench/matmul/configurations.h200.csv
figure_height = 340
load 'figures/common/style.gp'
file = csv('matmul/configurations', machine)
set logscale x 2
set xrange [0.9:36]
set yrange [0:highest('matmul/configurations', 'gflop_per_s') * 1.05e-3]
set xtics ('1' 1, '2' 2, '4' 4, '8' 8, '16' 16, '32' 32)
set xlabel 'elements a thread (logarithmic)'
set ylabel 'speed in TFLOP/s'
set tmargin 1.8
set key outside right center reverse Left samplen 1.5
plot for [m = 1:n_machines] for [i = 3:1:-1] \
  rows(csv('matmul/configurations', word(machines, m)), \
    'tile=' . word('8 16 32', i)) \
  using (column("each")):(1e-3 * column("gflop_per_s")) with points \
  linecolor rgb colour(i) linewidth weight(m) \
  pointtype point(i) pointsize 0.8 \
  title m == 1 ? word('8 16 32', i) . ' wide' : ''
