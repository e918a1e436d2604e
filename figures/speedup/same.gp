# title: Measured speed-up on several cores, and what Amdahl's law says
# data: bench/speedup/same.reference.csv
figure_height = 380
load 'figures/common/style.gp'
# These are times of a CPU.
set label 999 'the host of ' . corner
# As in the figure of both laws: what is parallel to about the same share.
ink(i) = word(colour_4 . ' ' . colour_2 . ' ' . colour_ink, i)
file = csv('speedup/same', machine)
steps = values(file, 'n_steps')
last = lowest('speedup/same', 'n_threads') * \
  extreme(file, 'n_threads', 0)

set logscale x 2; set logscale y 2
set xrange [1:last * 1.02]; high = last * 1.1
set yrange [0.9:high]
set xtics (); set ytics ()
do for [e = 0:10] {
  set xtics add (sprintf('%d', 2 ** e) 2 ** e)
  set ytics add (sprintf('%d', 2 ** e) 2 ** e)
}
set xlabel 'threads (logarithmic)'
set ylabel 'speed-up (logarithmic)'
set rmargin 17
ends = ''
do for [i = 1:words(steps)] {
  y = real(cell(file, sprintf('n_steps=%s n_threads=%.0f', word(steps, i), \
    last), 'speedup'))
  ends = ends . sprintf(' %.4f', fraction_log(y, 0.9, high))
}
ends = spread(ends, 0.07)
do for [i = 1:words(steps)] {
  share = real(cell(file, sprintf('n_steps=%s n_threads=1', word(steps, i)), \
    'parallel_percent'))
  set label i sprintf('%.1f %% parallel', share) at graph 1.02, \
    graph real(word(ends, i)) left textcolor rgb ink(i)
}
load 'figures/common/key.gp'
plot for [i = 1:words(steps)] rows(file, 'n_steps=' . word(steps, i)) \
    using (column("n_threads")):(column("amdahl")) with lines \
    linecolor rgb ink(i) linewidth 1.5 dashtype '-' \
    title (i == 1 ? "dashed: Amdahl's law" : ''), \
  for [m = 1:n_machines] for [i = 1:words(steps)] \
    rows(csv('speedup/same', word(machines, m)), \
      'n_steps=' . word(steps, i)) \
    using (column("n_threads")):(column("speedup")) with linespoints \
    linecolor rgb ink(i) linewidth weight(m) dashtype dash(m) \
    pointtype point(i) pointsize 0.7 \
    title (m == 1 && i == 1 ? 'points: measured' : '')
