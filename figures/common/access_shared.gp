# One panel: what one request of one warp touches in shared memory.
# 32 banks side by side, one row per 128 bytes. Light: words that some access
# of the block uses; left out: words that none touches, such as padding. The
# words of the request fade from its first wavefront to its last; the bars
# below say how many of its words each bank has to serve one after the other.
#
# Set before `load`: map_file, map_where, map_context (see access.awk),
# map_title, and the panel's map_left, map_right, map_bottom and map_top
# (fractions of the figure). Optional: map_request, map_rows (how many rows the
# block's words fill).

if (!exists("map_request")) { map_request = 1 }
if (!exists("map_rows")) { map_rows = 33 }
map_foot = map_rows + 13   # where the bars of the banks stand
map_layer(layer) = sprintf("awk -f figures/common/access.awk " . \
  "-v layer=%s -v where='%s' -v context='%s' -v request=%d %s", \
  layer, map_where, map_context, map_request, map_file)
map_summary = system(map_layer('summary'))
map_passes = int(word(map_summary, 1))
map_shade(w) = map_passes > 1 ? 1 - 0.7 * w / (map_passes - 1.0) : 1
map_colour = map_passes > 1 ? colour_2 : colour_1

unset key; unset grid; unset label; unset border; unset object
set lmargin at screen map_left; set rmargin at screen map_right
set bmargin at screen map_bottom; set tmargin at screen map_top
set xrange [-0.5:31.5]; set yrange [map_foot:-0.5]
set xtics ('bank 0' 0, '8' 8, '16' 16, '24' 24, '31' 31) font tiny \
  offset 0, 0.5 scale 0 textcolor rgb colour_muted
unset ytics
set label 1 map_title at graph 0, graph 1 left offset 0, 1.6
set label 2 map_summary at graph 0, graph 1 left offset 0, 0.6 \
  textcolor rgb map_colour
set label 3 'words per bank' at 31.5, map_foot - 9.5 right font tiny \
  textcolor rgb colour_muted
if (int(system(map_layer('unused'))) > 0) {
  set label 4 'left out: never used' at -0.5, map_foot - 9.5 left font tiny \
    textcolor rgb colour_muted
}
map_text(name) = name eq '.' ? '' : name
plot '< ' . map_layer('used') using (column("bank")):(column("row")): \
    (0.42):(0.42) with boxxyerror fillstyle solid 1 \
    linecolor rgb colour_cell, \
  '< ' . map_layer('hits') using (column("bank")):(column("row")):(0.42): \
    (0.42):(faded_number(map_colour, map_shade(column("wavefront")))) \
    with boxxyerror fillstyle solid 1 linecolor rgb variable, \
  '< ' . map_layer('banks') using (column("bank")):(map_foot - 8): \
    (column("bank") - 0.42):(column("bank") + 0.42): \
    (map_foot - 0.5 - column("wavefronts") * 8.0 / 32):(map_foot - 0.5) \
    with boxxyerror fillstyle solid 1 linecolor rgb map_colour, \
  '< ' . map_layer('names') using (column("x")):(column("row")): \
    (map_text(stringcolumn("left"))) with labels left font tiny \
    textcolor rgb colour_ink, \
  '< ' . map_layer('names') using (column("x")):(column("row")): \
    (map_text(stringcolumn("right"))) with labels right font tiny \
    textcolor rgb colour_ink, \
  for [map_k = 1:page_spots] '< ' . map_layer('spots') using (column("x")): \
    (column("y")):(sprintf('%s|%d|%s', map_title, column("lane"), \
    stringcolumn("tip"))) with labels hypertext point pointtype 6 \
    linecolor rgb colour_ink
