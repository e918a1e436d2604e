# title: What the warps of the versions in shared memory do
# data: bench/histogram/waits.h200.csv
figure_height = 300
load 'figures/common/style.gp'
load 'figures/common/bars.gp'
file = csv('histogram/waits', machine)
versions = values(file, 'version')
columns = 'selected not_selected waits_for_memory waits_for_unit ' . \
  'waits_for_result rest'
names = '"selected" "eligible, not selected" "waits: memory" ' . \
  '"waits: a unit" "waits: a result" "waits: other"'
ink(i) = word(colour_1 . ' ' . faded(colour_1, 0.45) . ' ' . colour_3 . \
  ' ' . colour_2 . ' ' . colour_4 . ' ' . colour_grid, i)
n_states = words(columns)
number(v, name) = real(cell(file, 'version=' . word(versions, v), name))
share(v, name) = 100.0 * number(v, name) / number(v, 'active_warps')

set xrange [0:100]; set yrange [words(versions) - 0.4:-0.6]
set xlabel "share of the warps' time in percent"
set ytics () scale 0
set lmargin at screen 0.17; set rmargin at screen 0.96
set tmargin at screen 0.80; set bmargin at screen 0.19
unset label 999
set label 999 corner at screen 0.985, screen 0.03 right font small \
  textcolor rgb colour_muted
set key at screen 0.01, screen 0.99 left top vertical maxrows 2 \
  Left reverse samplen 0.8 width -1 font tiny
object_number = 1
do for [v = 1:words(versions)] {
  set ytics add (spaced(word(versions, v)) v - 1)
  left = 0.0
  do for [i = 1:n_states] {
    width = i == n_states ? 100 - left : share(v, word(columns, i))
    set object object_number rectangle from left, v - 1.36 to \
      left + width, v - 0.64 fillstyle solid 1 noborder fillcolor rgb ink(i)
    object_number = object_number + 1
    left = left + width
  }
}
plot for [i = 1:n_states] NaN with boxes linecolor rgb ink(i) \
  title word(names, i)
