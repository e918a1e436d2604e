# title: Which lane has which element, and which lanes have none
# data: bench/threads/lanes.software.csv
figure_height = 400
load 'figures/common/style.gp'
file = csv('threads/lanes', 'software')
sizes = values(file, 'block_threads')
n = words(sizes)
# From above: a title for each size of block, below it a row for each warp.
warps_of(s) = int(system(sprintf("awk -F, '!/^#/ && $1 == %s { w = $5 } " . \
  "END { print w + 1 }' %s", s, file)))
array top[n + 1]
top[1] = 1
do for [i = 1:n] { top[i + 1] = top[i] + warps_of(word(sizes, i)) + 1.3 }

unset border; unset xtics; unset ytics; unset grid; unset label 999
set lmargin at screen left_at(0.01); set rmargin at screen right_at(0.99)
set bmargin at screen 0.075; set tmargin at screen 0.99
set xrange [(narrow ? -6 : -3.6):31.5]; set yrange [top[n + 1] - 1.2:-0.2]
do for [i = 1:n] {
  set label i sprintf('%s threads per block', word(sizes, i)) \
    at -0.5, top[i] - 0.85 left
}
# The key, below everything.
set label 20 (narrow ? 'element' : 'has an element') at screen narrow ? 0.05 : 0.135, screen 0.03 font small
set label 21 (narrow ? 'outside the guard' : 'kept out by the guard') at screen narrow ? 0.34 : 0.40, screen 0.03 font small
set label 22 (narrow ? 'no thread' : 'lane without a thread') at screen narrow ? 0.71 : 0.73, screen 0.03 font small
set object 20 rectangle from screen (narrow ? 0.01 : 0.10), screen 0.012 to \
  screen (narrow ? 0.04 : 0.128), \
  screen 0.05 fillcolor rgb faded(role_lane, 0.4) fillstyle solid 1 noborder
set object 21 rectangle from screen (narrow ? 0.30 : 0.365), screen 0.012 \
  to screen (narrow ? 0.33 : 0.393), \
  screen 0.05 fillcolor rgb faded(role_lane_out, 0.7) fillstyle solid 1 noborder
set object 22 rectangle from screen (narrow ? 0.67 : 0.695), screen 0.012 \
  to screen (narrow ? 0.70 : 0.723), \
  screen 0.05 fillcolor rgb role_lane_off fillstyle solid 1 noborder
unset key

at(i) = top[i] + column("warp")
block_shade(b) = faded_number(role_lane, int(b) % 2 ? 0.22 : 0.45)
cell_of(i, is) = column("element") < 0 ? (is ? NaN : at(i)) : \
  (is ? at(i) : NaN)
plot for [i = 1:n] for [l = 0:31] \
    rows(file, 'lane=0 block_threads=' . word(sizes, i)) using (l):(at(i)): \
    (0.44):(0.42) with boxxyerror fillstyle solid 1 \
    linecolor rgb role_lane_off, \
  for [i = 1:n] rows(file, 'block_threads=' . word(sizes, i)) using \
    (column("lane")):(cell_of(i, 1)):(0.44):(0.42): \
    (block_shade(column("block"))) with boxxyerror fillstyle solid 1 \
    linecolor rgb variable, \
  for [i = 1:n] rows(file, 'block_threads=' . word(sizes, i)) using \
    (column("lane")):(cell_of(i, 0)):(0.44):(0.42) \
    with boxxyerror fillstyle solid 1 linecolor rgb faded(role_lane_out, 0.7), \
  for [i = 1:n] rows(file, 'block_threads=' . word(sizes, i)) using \
    (column("lane")):(cell_of(i, 1)):(narrow && int(column("lane")) % 4 > 0 ? \
    '' : sprintf('%d', column("element"))) \
    with labels font tiny textcolor rgb colour_ink, \
  for [i = 1:n] rows(file, 'lane=0 block_threads=' . word(sizes, i)) using \
    (-0.7):(at(i)):(sprintf('block %d', column("block"))) \
    with labels right font tiny textcolor rgb colour_ink
