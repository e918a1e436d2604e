# The ladder of a chapter: a row for each version, with a small picture of its
# idea, its name, which leads to its listing, one line of text, and a bar for
# each machine. Set before `load`, instead of style.gp:
#
#   ladder_of      the experiment, 'transpose/bandwidth'
#   ladder_steps   what to say of each version, in order: a list of
#                  "version|icon|idea", icons by their names in icons.gp
#   ladder_y, ladder_scale, ladder_digits, ladder_unit
#                  the column, a factor, digits after the point, and its unit
#   ladder_best    the version that all are compared with; if it is in another
#                  experiment, ladder_best_in, with ladder_only, what else
#                  chooses its row; if in another column, ladder_best_y
#   ladder_share   what the last column is called, 'of the copy'
#   ladder_above   versions that are no step but a ceiling
#   ladder_vendor  versions that are a vendor's

ladder_machines = exists("machines") ? words(machines) : 1
ladder_bar = ladder_machines == 1 ? 12.0 : 9.0
ladder_row = 23.0 + ladder_bar * ladder_machines
ladder_n = words(ladder_steps)
ladder_head = ladder_machines == 1 ? 24.0 : 24.0 + 17 * ladder_machines
figure_height = int(ladder_head + ladder_n * ladder_row + 4)
load 'figures/common/style.gp'
load 'figures/common/bars.gp'
load 'figures/common/icons.gp'

if (!exists("ladder_best_in")) { ladder_best_in = ladder_of }
if (!exists("ladder_best_y")) { ladder_best_y = ladder_y }
if (!exists("ladder_only")) { ladder_only = '' }
if (!exists("ladder_above")) { ladder_above = 'copy read' }
if (!exists("ladder_vendor")) { ladder_vendor = 'cub cublas cufft' }

# The parts of "version|icon|idea", separated as GPUs' names are.
ladder_part(i, k) = gpu_cut(gpu_after(word(ladder_steps, i), k))
ladder_file(m) = csv(ladder_of, word(machines, m))
ladder_value(i, m) = ladder_scale * real(cell(ladder_file(m), \
  'version=' . ladder_part(i, 1), ladder_y))
ladder_yardstick(m) = ladder_scale * real(cell(csv(ladder_best_in, \
  word(machines, m)), 'version=' . ladder_best . ladder_only, ladder_best_y))
among(name, list) = strstrt(' ' . list . ' ', ' ' . name . ' ') > 0
# A version that the data have and the script does not would go unseen.
do for [name in values(ladder_file(1), 'version')] {
  known = 0
  do for [i = 1:ladder_n] {
    if (ladder_part(i, 1) eq name) { known = 1 }
  }
  if (!known) { exit error 'ladder_steps lacks the version ' . name }
}

# Units of the figure are units of both axes; bars begin at 0.
ladder_left = 38.0
ladder_right = narrow ? 94.0 : 114.0
ladder_gap = narrow ? 56.0 : 66.0    # the last column's
ladder_wide = figure_width - ladder_left - ladder_right
ladder_top = highest(ladder_of, ladder_y) * ladder_scale
if (ladder_yardstick(1) > ladder_top) { ladder_top = ladder_yardstick(1) }
set lmargin at screen ladder_left / figure_width
set rmargin at screen 1 - ladder_right / figure_width
set tmargin at screen 1 - ladder_head / figure_height
set bmargin at screen 4.0 / figure_height
set xrange [0:ladder_wide]
set yrange [ladder_n * ladder_row:0]
unset xtics; unset ytics; unset grid; unset border; unset key
bar_end(v) = ladder_wide * v / ladder_top
bar_top(i, m) = (i - 1) * ladder_row + 17 + (m - 1) * ladder_bar
ladder_ink(i, m) = m > 1 ? bar_colour(m) : \
  among(ladder_part(i, 1), ladder_vendor) ? role_vendor : \
  among(ladder_part(i, 1), ladder_above) ? faded(role_ceiling, 0.7) : colour_1

label_number = 1000
object_number = 1
do for [i = 1:ladder_n] {
  y = (i - 1) * ladder_row + 9
  set label label_number spaced(ladder_part(i, 1)) at first 0, first y left \
    textcolor rgb colour_ink
  set label label_number + 1 ladder_part(i, 3) \
    at first (narrow ? 104 : 124), first y left font small \
    textcolor rgb colour_muted
  label_number = label_number + 2
  do for [m = 1:n_machines] {
    value_of = ladder_value(i, m)
    y = bar_top(i, m) + ladder_bar / 2 - 0.5
    set object object_number rectangle from first 0, first bar_top(i, m) \
      to first bar_end(value_of), first bar_top(i, m) + ladder_bar - 1.5 \
      fillstyle solid 1 noborder fillcolor rgb ladder_ink(i, m)
    object_number = object_number + 1
    set label label_number sprintf('%.' . ladder_digits . 'f', value_of) \
      at screen 1 - ladder_gap / figure_width, first y right \
      font (n_machines > 1 ? tiny : small) textcolor rgb colour_ink
    set label label_number + 1 (among(ladder_part(i, 1), ladder_above) && \
      ladder_part(i, 1) ne ladder_best ? '' : \
      sprintf('%.1f %%', 100 * value_of / ladder_yardstick(m))) \
      at screen 1 - 4 / figure_width, first y right \
      font (n_machines > 1 ? tiny : small) textcolor rgb colour_ink
    label_number = label_number + 2
  }
  # The yardstick, beside the bars only.
  set arrow i from first bar_end(ladder_yardstick(1)), \
    first bar_top(i, 1) - 1 to first bar_end(ladder_yardstick(1)), \
    first bar_top(i, n_machines) + ladder_bar + 1 nohead dashtype '-' \
    linecolor rgb role_ceiling front
  icon_left = 2.0 / figure_width
  icon_y = (i - 1) * ladder_row + 3
  icon_name = ladder_part(i, 2)
  load 'figures/common/icon.gp'
}

# The columns' heads, and the machines.
y = 11.0 / figure_height
set label 990 ladder_unit at screen 1 - ladder_gap / figure_width, \
  screen 1 - y right font small textcolor rgb colour_muted
set label 991 ladder_share at screen 1 - 4 / figure_width, screen 1 - y \
  right font small textcolor rgb colour_muted
set label 999 gpu(1) at screen ladder_left / figure_width, screen 1 - y left \
  offset 0, 0 font small textcolor rgb colour_muted
if (n_machines > 1) {
  unset label 999
  do for [m = 1:n_machines] {
    y = (12.0 + 17 * m) / figure_height
    set object object_number rectangle from \
      screen ladder_left / figure_width, screen 1 - y - 5.0 / figure_height \
      rto screen 12 / figure_width, screen 10.0 / figure_height \
      fillstyle solid 1 noborder fillcolor rgb bar_colour(m)
    object_number = object_number + 1
    set label 991 + m gpu(m) at screen (ladder_left + 18) / figure_width, \
      screen 1 - y left font small textcolor rgb colour_ink
  }
}
plot NaN notitle
