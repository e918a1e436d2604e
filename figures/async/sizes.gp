# title: Time per step over the side of the plate
# data: bench/async/sizes.reference.csv
figure_height = 350
load 'figures/common/style.gp'
spaced(name) = name eq 'grid_sync' ? 'grid sync' : \
  name eq 'cluster_16' ? 'cluster of 16' : name
set logscale x 2
set logscale y
set xrange [115:2300]
set yrange [lowest('async/sizes', 'step_us') / 1.4: \
  highest('async/sizes', 'step_us') * 1.2]
set xtics (128, 256, 512, 1024, 2048)
set ytics (0.5, 1, 2, 4, 8, 16)
set xlabel 'rows and columns of the plate (logarithmic)'
set ylabel 'time per step in µs (logarithmic)'
key_narrow_lines = 2
load 'figures/common/key.gp'
names = 'launches grid_sync resident cluster_16'
plot for [m = 1:n_machines] for [i = 1:words(names)] rows(csv('async/sizes', \
  word(machines, m)), 'version=' . word(names, i)) using \
  (column("n_rows")):(column("step_us")) with linespoints \
  linetype i linewidth weight(m) dashtype dash(m) \
  title m == 1 ? spaced(word(names, i)) : ''
