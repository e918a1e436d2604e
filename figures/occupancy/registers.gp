# title: Active warps against the registers per thread
# data: bench/occupancy/registers.software.csv
figure_height = narrow ? 420 : 400
load 'figures/common/style.gp'
# A panel for each size of blocks; the other three are pale in all of them.
file = csv('occupancy/registers', 'software')
sizes = '64 256 512 1024'
unset label 999
unset key
set xrange [16:255]; set yrange [0:68]
set ytics 16
set style fill transparent solid 0.18 noborder
set multiplot
do for [i = 1:4] {
  at_right = (i - 1) % 2
  row = (i - 1) / 2
  set lmargin at screen at_right == 0 ? left_at(0.085) : 0.5 + left_at(0.035)
  set rmargin at screen at_right == 0 ? 0.5 - left_at(0.03) : right_at(0.965)
  set tmargin at screen row == 0 ? 0.93 : 0.47
  set bmargin at screen row == 0 ? 0.58 : 0.12
  set xtics (32, 64, 128, 192, 255)
  if (narrow) { set xtics (32, 64, 128, 255) }
  set format x (row == 0 ? '' : '%g')
  set format y (at_right == 0 ? '%g' : '')
  set xlabel (row == 1 ? 'registers per thread' : '')
  set ylabel (at_right == 0 ? 'active warps' : '')
  set label 1 'blocks of ' . word(sizes, i) at graph 0.98, graph 0.82 right
  plot for [k = 1:4] rows(file, 'block_threads=' . word(sizes, k)) using \
      (column("thread_registers")):(column("active_warps")) with steps \
      linecolor rgb colour_grid linewidth 1.5, \
    rows(file, 'block_threads=' . word(sizes, i)) using \
      (column("thread_registers")):(column("active_warps")) with fillsteps \
      linecolor rgb colour_1, \
    rows(file, 'block_threads=' . word(sizes, i)) using \
      (column("thread_registers")):(column("active_warps")) with steps \
      linecolor rgb colour_1 linewidth 2
}
unset multiplot
