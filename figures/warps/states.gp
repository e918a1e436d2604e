# title: What the warps of three kernels do, with few and with many of them
# data: bench/warps/states.h200.csv
figure_height = 500
load 'figures/common/style.gp'
file = csv('warps/states', machine)
versions = values(file, 'version')
warps = values(file, 'warps')
columns = 'selected not_selected waits_for_result waits_for_memory ' . \
  'waits_at_barrier waits_for_unit rest'
names = '"selected" "eligible, not selected" "waits: a result" ' . \
  '"waits: memory" "waits: barrier" "waits: a unit" "waits: other"'
ink(i) = word(colour_1 . ' ' . faded(colour_1, 0.45) . ' ' . colour_2 . ' ' . \
  colour_3 . ' ' . colour_4 . ' ' . colour_muted . ' ' . colour_grid, i)
n_states = words(columns)
row(v, w) = (v - 1) * (words(warps) + 1.2) + w - 1
share(v, w, name) = 100.0 * real(cell(file, 'version=' . word(versions, v) . \
  ' warps=' . word(warps, w), name)) / real(cell(file, 'version=' . \
  word(versions, v) . ' warps=' . word(warps, w), 'active_warps'))
issue(v, w) = 100.0 * real(cell(file, 'version=' . word(versions, v) . \
  ' warps=' . word(warps, w), 'issued')) / real(cell(file, 'version=' . \
  word(versions, v) . ' warps=' . word(warps, w), 'scheduler_cycles'))

set xrange [0:100]; set yrange [row(words(versions), words(warps)) + 0.6:-1.3]
set xlabel 'share of the warps'' time in percent'
set ytics () scale 0
set grid xtics noytics
set border 2
set lmargin at screen 0.13; set rmargin at screen 0.86
set tmargin at screen 0.87; set bmargin at screen 0.115
unset label 999
set label 999 corner at screen 0.985, screen 0.03 right font small \
  textcolor rgb colour_muted
set key at screen 0.01, screen 0.995 left top vertical maxrows 2 \
  Left reverse samplen 0.8 width -1 font tiny
set label 1 'cycles with' at graph 1.015, first -1.4 left font tiny \
  textcolor rgb colour_muted
set label 2 'an instruction' at graph 1.015, first -0.75 left font tiny \
  textcolor rgb colour_muted
object_number = 1
do for [v = 1:words(versions)] {
  set label 10 + v word(versions, v) at graph 0, first row(v, 1) - 0.95 left
  do for [w = 1:words(warps)] {
    set ytics add (word(warps, w) . (w == 1 ? ' warps' : '') row(v, w))
    set label 100 * v + w sprintf('%.0f %%', issue(v, w)) at graph 1.03, \
      first row(v, w) left font small
    left = 0.0
    do for [i = 1:n_states] {
      width = i == n_states ? 100 - left : share(v, w, word(columns, i))
      set object object_number rectangle from left, row(v, w) - 0.4 to \
        left + width, row(v, w) + 0.4 fillstyle solid 1 noborder \
        fillcolor rgb ink(i)
      object_number = object_number + 1
      left = left + width
    }
  }
}
plot for [i = 1:n_states] NaN with boxes linecolor rgb ink(i) \
  title word(names, i)
