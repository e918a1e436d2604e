# title: How long each call of a launch takes, launch after launch without waiting
# data: bench/measuring/queue.reference.csv
figure_height = 320
load 'figures/common/style.gp'
set logscale y 10
set xrange [0:highest('measuring/queue', 'launch') * 1.01]
set yrange [lowest('measuring/queue', 'call_us') / 2: \
  highest('measuring/queue', 'call_us') * 2]
set xlabel 'launches so far'
set ylabel 'time of a call in µs (logarithmic)'
plot for [m = 1:n_machines] csv('measuring/queue', word(machines, m)) using \
  (column("launch")):(column("call_us")) with linespoints linetype 1 \
  linewidth weight(m) dashtype dash(m) notitle
