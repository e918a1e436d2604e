# One panel: what the lanes of a warp do, instruction by instruction. A lane
# that takes part is filled in the colour of its path, one whose predicate is
# false is pale, one that waits is grey.
#
# Set before `load`: line_file, line_where, line_paths (see timeline.lua),
# line_title, line_steps (instructions that the axis has room for), and the
# panel's line_left, line_right, line_bottom and line_top (fractions of the
# figure). Optional: line_named, 1 to name the instructions.

if (!exists("line_named")) { line_named = 0 }
line_layer(layer) = sprintf("%s timeline %s %s '%s' '%s'", ask, layer, \
  line_file, line_where, line_paths)
line_summary = system(line_layer('summary'))
line_extent = int(system(line_layer('extent')))
line_colour(path) = path == 0 ? colour_muted : path == 1 ? colour_1 : \
  path == 2 ? colour_2 : path == 3 ? colour_3 : colour_4

unset key; unset grid; unset label; unset border; unset object
set lmargin at screen line_left; set rmargin at screen line_right
set bmargin at screen line_bottom; set tmargin at screen line_top
set xrange [0:line_steps]; set yrange [31.6:-0.6]
set ytics ('lane 0' 0, '8' 8, '16' 16, '24' 24, '31' 31) font tiny scale 0 \
  textcolor rgb colour_muted
if (line_named) {
  line_names = system(line_layer("names"))
  set xtics () rotate by 90 right font tiny scale 0 textcolor rgb colour_ink
  do for [k = 1:words(line_names)] { set xtics add (word(line_names, k) k - 0.5) }
} else {
  set xtics autofreq norotate center font tiny scale 0 \
    textcolor rgb colour_muted
}
set label 1 line_title at graph 0, graph 1 left offset 0, 1.5
set label 2 line_summary at graph 0, graph 1 left offset 0, 0.6 font small \
  textcolor rgb colour_muted
set object 1 rectangle from 0, -0.42 to line_extent, 31.42 behind \
  fillstyle solid 1 noborder fillcolor rgb colour_cell
line_runs = '< ' . line_layer('runs')
line_fill(path, on) = faded_number(line_colour(path), on > 0.5 ? 1 : 0.3)
plot line_runs using (column("x0")):(column("lane")): \
    (column("x0")):(column("x1")):(column("lane") - 0.4): \
    (column("lane") + 0.4):(line_fill(column("path"), column("on"))) \
    with boxxyerror fillstyle solid 1 linecolor rgb variable, \
  for [line_k = 1:page_spots] '< ' . line_layer('spots') using (column("x")): \
    (column("lane")):(sprintf('%s|%d|%s', line_title, column("lane"), \
    stringcolumn("tip"))) with labels hypertext point pointtype 6 \
    linecolor rgb colour_ink
