# title: Time per step over the number of steps for one trip to memory
# data: bench/async/steps.reference.csv
# data: bench/async/ladder.reference.csv
figure_height = 300
load 'figures/common/style.gp'
set xrange [0.5:16.5]
set yrange [0:*]
set xtics 1, 1, 16
set xlabel 'steps per trip to memory'
set ylabel 'time per step in µs'
copied = real(cell(csv('async/ladder', machine), 'version=copy', 'step_us'))
set arrow 1 from graph 0, first copied to graph 1, first copied nohead \
  dashtype '-' linecolor rgb role_ceiling
set label 1 'a copy' at graph 1, first copied right offset -0.5, 0.6 \
  font small textcolor rgb colour_muted
plot for [m = 1:n_machines] csv('async/steps', word(machines, m)) using \
  (column("steps_per_launch")):(column("step_us")) with linespoints \
  linetype 1 linewidth weight(m) dashtype dash(m) \
  title n_machines > 1 ? gpu(m) : ''
