# One panel: what one request of one warp wants from the banks of shared
# memory. Lanes on top, banks below, a line from each lane to each bank that
# it wants a word of; the colour says in which wavefront. Below the banks, a
# bar: how many different words the bank has to deliver.
#
# Set before `load`: map_file, map_where (see access.awk), map_title, and the
# panel's map_bottom and map_top (fractions of the figure). Optional:
# map_request; map_deepest, how many words the longest bar shows (default 8).

if (!exists("map_request")) { map_request = 1 }
if (!exists("map_deepest")) { map_deepest = 8 }
map_layer(layer) = sprintf("awk -f figures/common/access.awk " . \
  "-v layer=%s -v where='%s' -v context='space=shared' -v request=%d %s", \
  layer, map_where, map_request, map_file)
map_summary = system(map_layer('summary'))
map_pass_colour(w) = faded_number(colour(int(w) % 4 + 1), 1)

unset border; unset tics; unset key; unset grid; unset label; unset object
set lmargin at screen 0.012; set rmargin at screen 0.988
set bmargin at screen map_bottom; set tmargin at screen map_top
set xrange [-0.6:31.6]; set yrange [0:1]
set label 1 map_title at graph 0, graph 1 left offset 0, 0.7
set label 2 map_summary at graph 1, graph 1 right offset 0, 0.7 \
  textcolor rgb (map_summary eq '1 wavefront' ? colour_1 : colour_2)
plot '< ' . map_layer('hits') using (column("lane")):(0.83): \
    (column("bank") - column("lane")):(-0.35): \
    (map_pass_colour(column("wavefront"))) with vectors nohead \
    linecolor rgb variable linewidth 0.8, \
  '< ' . map_layer('hits') using (column("lane")):(0.915):(0.46):(0.085): \
    (map_pass_colour(column("wavefront"))) with boxxyerror \
    fillstyle empty linecolor rgb variable, \
  '< ' . map_layer('hits') using (column("lane")):(0.905): \
    (sprintf('%d', column("lane"))) with labels font tiny \
    textcolor rgb colour_ink, \
  '< ' . map_layer('banks') using (column("bank")):(0.395):(0.46):(0.085) \
    with boxxyerror fillstyle solid 1 linecolor rgb colour_cell, \
  '< ' . map_layer('banks') using (column("bank")):(0.385): \
    (sprintf('%d', column("bank"))) with labels font tiny \
    textcolor rgb colour_ink, \
  '< ' . map_layer('banks') using (column("bank")):(0.29): \
    (column("bank") - 0.46):(column("bank") + 0.46): \
    (0.29 - 0.27 * (column("wavefronts") < map_deepest ? \
    column("wavefronts") : map_deepest) / map_deepest):(0.29) \
    with boxxyerror fillstyle solid 1 linecolor rgb colour_muted
