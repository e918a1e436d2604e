# A key above the plot, where it can neither cover data nor cut the grid.
#
# Set before `load`, if one line is not enough: key_lines and, for a phone,
# key_narrow_lines. Each line takes key_line units of figure_height. With
# key_corner = 1, the names of several machines get a line of their own, for
# charts whose panels have titles.

if (!exists("key_lines")) { key_lines = 1 }
if (!exists("key_narrow_lines")) { key_narrow_lines = key_lines }
if (narrow) { key_lines = key_narrow_lines }
key_line = 17.0
# Above the plot: the key, and below it the line with the GPU's name.
key_height = key_line * key_lines + 28
if (exists("key_corner") && n_machines > 1) {
  key_height = key_height + key_line
  set label 999 at screen (narrow ? 0.03 : left_at(0.055)), \
    screen 1 - (key_line * key_lines + 14) / figure_height left offset 0, 0
}
set tmargin at screen 1 - key_height / figure_height
set key on at screen (narrow ? 0.02 : left_at(0.05)), \
  screen 1 - 4.0 / figure_height left top vertical maxrows key_lines \
  Left reverse samplen 1.5 width (narrow ? -1 : 0) font small
