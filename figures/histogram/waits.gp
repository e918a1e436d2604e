# title: What the warps of the versions in shared memory do
# data: bench/histogram/waits.reference.csv
figure_height = 300
load 'figures/common/style.gp'
load 'figures/common/bars.gp'
file = csv('histogram/waits', machine)
versions = values(file, 'version')
states_columns = 'selected not_selected waits_for_memory ' . \
  'waits_for_result waits_for_unit rest'
states_rows = words(versions)
states_row(v) = 'version=' . word(versions, v)
states_at(v) = v - 1
load 'figures/common/states.gp'

set xrange [0:100]; set yrange [words(versions) - 0.4:-0.6]
set xlabel "share of the warps' time in percent"
set ytics () scale 0
set lmargin at screen left_at(0.17); set rmargin at screen right_at(0.96)
set bmargin at screen 0.19
set label 999 corner at screen 0.985, screen 0.03 right font small \
  textcolor rgb colour_muted
do for [v = 1:words(versions)] {
  set ytics add (spaced(word(versions, v)) v - 1)
}
plot for [i = 1:n_states] NaN with boxes linecolor rgb state_ink(i) \
  title state_name(i)
