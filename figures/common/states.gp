# Bars of what warps do: the share of their time in each state, a bar for each
# row of a result. The script sets, before loading this: file, states_rows (how
# many bars), states_row(i) (what chooses the i-th row), states_columns and
# states_at(i) (where the bar is; bars are 0.72 high).
#
# It defines states_share(i, name) and draws the bars as objects; the script then
# plots the key: boxes of NaN with state_ink(i) and state_name(i).

states_known = 'selected not_selected waits_for_memory waits_for_result ' . \
  'waits_for_unit waits_at_barrier waits_for_code rest'
states_names = '"selected" "eligible, not selected" "waits: memory" ' . \
  '"waits: a result" "waits: a unit" "waits: barrier" "waits: code" "other"'
states_inks = role_selected . ' ' . faded(role_selected, 0.4) . ' ' . \
  role_wait_memory . ' ' . role_wait_result . ' ' . role_wait_unit . ' ' . \
  role_wait_barrier . ' ' . faded(role_wait_code, 0.6) . ' ' . colour_grid
states_index(name) = int(sum [k = 1:words(states_known)] \
  (word(states_known, k) eq name ? k : 0))
n_states = words(states_columns)
state_ink(i) = word(states_inks, states_index(word(states_columns, i)))
state_name(i) = word(states_names, states_index(word(states_columns, i)))
states_number(i, name) = real(cell(file, states_row(i), name))
states_share(i, name) = 100.0 * states_number(i, name) / \
  states_number(i, 'active_warps')

object_number = 1
do for [v = 1:states_rows] {
  left = 0.0
  do for [i = 1:n_states] {
    width = i == n_states ? 100 - left : \
      states_share(v, word(states_columns, i))
    set object object_number rectangle from left, states_at(v) - 0.36 to \
      left + width, states_at(v) + 0.36 fillstyle solid 1 noborder \
      fillcolor rgb state_ink(i)
    object_number = object_number + 1
    left = left + width
  }
}
# A key of as many lines as the figure's width needs, above the bars.
states_lines = narrow ? 4 : 2
set key at screen 0.01, screen 1 - 2.0 / figure_height left top vertical \
  maxrows states_lines Left reverse samplen 0.8 width -1 font tiny
set tmargin at screen 1 - (16.0 * states_lines + 30) / figure_height
unset label 999
