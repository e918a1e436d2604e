# title: The last block of the kernel without a guard, lane by lane
# data: bench/debugging/bounds_access.software.csv
figure_height = 270
load 'figures/common/style.gp'
unset label 999
# A row for each warp, a cell for each lane. A cell is filled where the load
# was inside of the allocation; what lay outside the checks left out.
file = csv('debugging/bounds_access', 'software')
set xrange [-0.6:31.6]; set yrange [7.6:-0.6]
set xtics 0, 4, 28 scale 0
set ytics 1 scale 0
set xlabel 'lane'
set ylabel 'warp of block 3'
unset grid
set border 0
set tmargin at screen 0.87
set key at screen 0.985, screen 0.98 right top horizontal samplen 1.2
do for [w = 0:7] {
  do for [l = 0:31] {
    set object rectangle from l - 0.42, w - 0.4 to l + 0.42, w + 0.4 \
      fillcolor rgb role_lane_off fillstyle solid noborder behind
  }
}
plot rows(file, 'operation=load') using \
    (column("lane")):(column("warp")):(0.42):(0.4) with boxxyerror \
    linecolor rgb role_lane title 'read inside of the allocation', \
  keyentry with boxes linecolor rgb role_lane_off \
    title 'outside: refused and reported'
