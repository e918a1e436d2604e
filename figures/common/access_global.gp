# One panel: what one request of one warp touches in global memory.
# Lanes on top, 128-byte lines of four 32-byte sectors below. Dark: the bytes
# that the lanes use; light: what else the touched sectors hold and so moves
# too; empty: not touched.
#
# Set before `load`: map_file, map_where (see access.awk), map_title, and the
# panel's map_bottom and map_top (fractions of the figure). Optional:
# map_lines (show at least so many lines), map_request.

if (!exists("map_lines")) { map_lines = 1 }
if (!exists("map_request")) { map_request = 1 }
map_layer(layer) = sprintf("awk -f figures/common/access.awk " . \
  "-v layer=%s -v where='%s' -v lines=%d -v request=%d %s", \
  layer, map_where, map_lines, map_request, map_file)
map_summary = system(map_layer('summary'))
map_shown = int(system(map_layer('extent')))
map_every = map_shown > 8 ? 8 : 1    # label each, or every eighth line

unset border; unset tics; unset key; unset grid; unset label; unset object
set lmargin at screen 0.012; set rmargin at screen 0.988
set bmargin at screen map_bottom; set tmargin at screen map_top
set xrange [0:1]; set yrange [0:1]
set label 1 map_title at graph 0, graph 1 left offset 0, 0.7
set label 2 map_summary at graph 1, graph 1 right offset 0, 0.7 \
  textcolor rgb colour_1
plot '< ' . map_layer('links') \
    using (column("x")):(0.74):(column("dx")):(-0.40) \
    with vectors nohead linecolor rgb colour_muted linewidth 0.6, \
  '< ' . map_layer('lanes') using (column("x")):(0.87): \
    (column("x0")):(column("x1")):(0.74):(1.0) with boxxyerror \
    fillstyle solid 1 linecolor rgb colour_cell, \
  '< ' . map_layer('lanes') using (column("x")):(0.87): \
    (column("x0")):(column("x1")):(0.74):(1.0) with boxxyerror \
    fillstyle empty border rgb colour_grid linecolor rgb colour_grid, \
  '< ' . map_layer('lanes') using (column("x")):(0.86):(stringcolumn("lane")) \
    with labels font tiny textcolor rgb colour_ink, \
  '< ' . map_layer('sectors') using (column("x0")):(0.24):(column("x0")): \
    (column("touched") > 0 ? column("x1") : NaN):(0.14):(0.34) \
    with boxxyerror fillstyle solid 1 linecolor rgb faded(colour_1, 0.3), \
  '< ' . map_layer('words') using (column("x0")):(0.24):(column("x0")): \
    (column("x1")):(0.14):(0.34) with boxxyerror fillstyle solid 1 \
    linecolor rgb colour_1, \
  '< ' . map_layer('sectors') using (column("x0")):(0.14):(0):(0.20) \
    with vectors nohead linecolor rgb colour_ink linewidth 0.4, \
  '< ' . map_layer('lines') using (column("x0")):(0.24):(column("x0")): \
    (column("x1")):(0.14):(0.34) with boxxyerror fillstyle empty \
    border rgb colour_ink linecolor rgb colour_ink linewidth 1.3, \
  '< ' . map_layer('lines') using (int(column(0)) % map_every ? NaN : \
    column("x0")):(0.03):(stringcolumn("label")) with labels left font tiny \
    textcolor rgb colour_muted, \
  for [map_k = 1:page_spots] '< ' . map_layer('spots') using (column("x")): \
    (column("y")):(sprintf('%s|%d|%s', map_title, column("lane"), \
    stringcolumn("tip"))) with labels hypertext point pointtype 6 \
    linecolor rgb colour_ink
