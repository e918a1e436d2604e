# title: A grid of blocks over a matrix, and the threads that lie beside it
# data: bench/threads/matrix.software.csv
figure_height = 400
load 'figures/common/style.gp'
file = csv('threads/matrix', 'software')
largest(name) = int(extreme(file, name, 0))
n_cols = largest('col') + 1; n_rows = largest('row') + 1
blocks_x = largest('block_x') + 1; blocks_y = largest('block_y') + 1
wide = n_cols / blocks_x; high = n_rows / blocks_y

unset border; unset grid; unset label 999; unset key
set lmargin at screen left_at(narrow ? 0.11 : 0.19); set rmargin at screen right_at(0.99)
set bmargin at screen 0.08; set tmargin at screen 0.88
set xrange [-0.5:n_cols - 0.5]; set yrange [n_rows - 0.5:-0.5]
unset ytics; unset xtics
do for [i = 0:blocks_x - 1] {
  set label 30 + i sprintf(narrow ? 'x = %d' : 'blockIdx.x = %d', i) at (i + 0.5) * wide - 0.5, \
    graph 1 center offset 0, 1.9 font small
  do for [t = 0:wide - 1] {
    set label 100 + i * wide + t sprintf('%d', t) at i * wide + t, graph 1 \
      center offset 0, 0.6 font tiny textcolor rgb colour_muted
  }
}
do for [i = 0:blocks_y - 1] {
  set label 50 + i sprintf(narrow ? 'y = %d' : 'blockIdx.y = %d', i) at graph 0, \
    first (i + 0.5) * high - 0.5 right offset -2.6, 0 font small
  do for [t = 0:high - 1] {
    set label 200 + i * high + t sprintf('%d', t) at graph 0, \
      first i * high + t right offset -0.8, 0 font tiny \
      textcolor rgb colour_muted
  }
}
set label 20 'has an element' at screen narrow ? 0.06 : 0.125, screen 0.035 font small
set label 21 'kept out by the guard' at screen narrow ? 0.44 : 0.39, screen 0.035 font small
set object 20 rectangle from screen (narrow ? 0.01 : 0.09), screen 0.016 to \
  screen (narrow ? 0.05 : 0.118), \
  screen 0.054 fillcolor rgb faded(role_lane, 0.4) fillstyle solid 1 noborder
set object 21 rectangle from screen (narrow ? 0.39 : 0.355), screen 0.016 to \
  screen (narrow ? 0.43 : 0.383), \
  screen 0.054 fillcolor rgb faded(role_lane_out, 0.7) fillstyle solid 1 noborder

block_shade = faded_number(role_lane, 0.45)
shade(a, b) = faded_number(role_lane, int(a + b) % 2 ? 0.22 : 0.45)
inside(y) = column("element") < 0 ? NaN : y
outside(y) = column("element") < 0 ? y : NaN
plot file using (column("col")):(inside(column("row"))):(0.46):(0.44): \
    (shade(column("block_x"), column("block_y"))) with boxxyerror \
    fillstyle solid 1 linecolor rgb variable, \
  file using (column("col")):(outside(column("row"))):(0.46):(0.44) \
    with boxxyerror fillstyle solid 1 linecolor rgb faded(role_lane_out, 0.7), \
  file using (column("col")):(inside(column("row"))): \
    (narrow && int(column("col")) % wide > 0 ? '' : \
    sprintf('%d', column("element"))) with labels font tiny \
    textcolor rgb colour_ink
