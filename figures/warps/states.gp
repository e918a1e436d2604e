# title: What the warps of three kernels do, with few and with many of them
# data: bench/warps/states.reference.csv
figure_height = 500
load 'figures/common/style.gp'
file = csv('warps/states', machine)
versions = values(file, 'version')
warps = values(file, 'warps')
row(v, w) = (v - 1) * (words(warps) + 1.2) + w - 1
states_columns = 'selected not_selected waits_for_memory ' . \
  'waits_for_result waits_for_unit waits_at_barrier rest'
states_rows = words(versions) * words(warps)
states_v(i) = (i - 1) / words(warps) + 1
states_w(i) = (i - 1) % words(warps) + 1
states_row(i) = 'version=' . word(versions, states_v(i)) . ' warps=' . \
  word(warps, states_w(i))
states_at(i) = row(states_v(i), states_w(i))
load 'figures/common/states.gp'
issue(v, w) = 100.0 * real(cell(file, 'version=' . word(versions, v) . \
  ' warps=' . word(warps, w), 'issued')) / real(cell(file, 'version=' . \
  word(versions, v) . ' warps=' . word(warps, w), 'scheduler_cycles'))

set xrange [0:100]; set yrange [row(words(versions), words(warps)) + 0.6:-1.3]
set xlabel 'share of the warps'' time in percent'
set ytics () scale 0
set grid xtics noytics
set border 2
set lmargin at screen left_at(0.13); set rmargin at screen right_at(0.86)
set bmargin at screen 0.115
set label 999 corner at screen 0.985, screen 0.03 right font small \
  textcolor rgb colour_muted
set label 1 'cycles with' at graph 1.015, first -1.4 left font tiny \
  textcolor rgb colour_muted
set label 2 'an instruction' at graph 1.015, first -0.75 left font tiny \
  textcolor rgb colour_muted
do for [v = 1:words(versions)] {
  set label 10 + v word(versions, v) at graph 0, first row(v, 1) - 0.95 left \
    offset 0.6, 0
  do for [w = 1:words(warps)] {
    set ytics add (word(warps, w) . (w == 1 ? ' warps' : '') row(v, w))
    set label 100 * v + w sprintf('%.0f %%', issue(v, w)) at graph 1.03, \
      first row(v, w) left font small
  }
}
plot for [i = 1:n_states] NaN with boxes linecolor rgb state_ink(i) \
  title state_name(i)
