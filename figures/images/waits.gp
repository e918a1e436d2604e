# title: What the warps of every version of the motion blur do
# data: bench/images/motion_states.reference.csv
figure_height = 360
load 'figures/common/style.gp'
load 'figures/common/bars.gp'
file = csv('images/motion_states', machine)
versions = values(file, 'version')
states_columns = 'selected not_selected waits_for_memory ' . \
  'waits_for_result waits_for_unit waits_for_code rest'
states_rows = words(versions)
states_row(v) = 'version=' . word(versions, v)
states_at(v) = v - 1
load 'figures/common/states.gp'
issue(v) = 100.0 * states_number(v, 'issued') / \
  states_number(v, 'scheduler_cycles')

set xrange [0:100]; set yrange [words(versions) - 0.4:-0.6]
set xlabel "share of the warps' time in percent"
set ytics () scale 0
set lmargin at screen left_at(0.2); set rmargin at screen right_at(0.86)
set bmargin at screen 0.18
set label 999 corner at screen 0.985, screen 0.03 right font small \
  textcolor rgb colour_muted
set label 1 'cycles with' at graph 1.015, first -1.25 left font tiny \
  textcolor rgb colour_muted
set label 2 'an instruction' at graph 1.015, first -0.75 left font tiny \
  textcolor rgb colour_muted
do for [v = 1:words(versions)] {
  set ytics add (spaced(word(versions, v)) v - 1)
  set label 100 + v sprintf('%.0f %%', issue(v)) at graph 1.03, \
    first v - 1 left font small
}
plot for [i = 1:n_states] NaN with boxes linecolor rgb state_ink(i) \
  title state_name(i)
