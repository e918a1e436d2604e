# title: How many times longer a launch takes under each tool
# data: bench/debugging/cost.reference.csv
figure_height = 134 + (exists("machines") ? words(machines) : 1) * 230
load 'figures/common/style.gp'
load 'figures/common/bars.gp'
tools = 'memcheck racecheck initcheck synccheck'
kernels = 'global shared arithmetic'
names = '"global memory" "shared memory" "arithmetic"'
bars_side_by_side = 3
ink(k) = k == 1 ? role_memory : k == 2 ? role_shared : role_gpu
set logscale x
set xrange [1:100000]
set xtics ('1' 1, '10' 10, '100' 100, '1000' 1000, '10 000' 10000)
set yrange [3.6:-0.6]
set xlabel 'times the launch without a tool'
key_narrow_lines = 2
load 'figures/common/key.gp'
set multiplot
do for [m = 1:n_machines] {
  file = csv('debugging/cost', word(machines, m))
  set tmargin at screen 1 - (key_height + 6 + 230.0 * (m - 1)) / figure_height
  set bmargin at screen 1 - (key_height + 6 + 230.0 * m - 10) / figure_height
  set lmargin at screen left_at(0.15); set rmargin at screen right_at(0.97)
  if (m == n_machines) { set xlabel 'times the launch without a tool' } \
  else { unset xlabel }
  set label 999 gpu(m)
  set ytics () scale 0
  do for [t = 1:4] { set ytics add (word(tools, t) t - 1) }
  plain(k) = real(cell(file, 'tool=none version=' . word(kernels, k), \
    'time_us'))
  times(k, t) = real(cell(file, sprintf('tool=%s version=%s', \
    word(tools, t), word(kernels, k)), 'time_us')) / plain(k)
  plot for [k = 1:3] for [t = 1:4] \
      rows(file, sprintf('tool=%s version=%s', word(tools, t), \
      word(kernels, k))) using (1):(t - 1):(1):(times(k, t)): \
      (bar_low(t - 1, k)):(bar_high(t - 1, k)) with boxxyerror \
      linecolor rgb ink(k) title (t == 1 ? word(names, k) : ''), \
    for [k = 1:3] for [t = 1:4] \
      rows(file, sprintf('tool=%s version=%s', word(tools, t), \
      word(kernels, k))) using (times(k, t)):(bar_middle(t - 1, k)): \
      (grouped(times(k, t))) with labels left offset 0.5, 0 \
      font small textcolor rgb colour_ink
  unset key
}
unset multiplot
