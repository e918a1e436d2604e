# title: Occupancy against the number of threads per block
# data: bench/occupancy/block_sizes.software.csv
figure_height = 440
load 'figures/common/style.gp'
# A panel for each capability: four saws in one would hide each other.
file = csv('occupancy/block_sizes', 'software')
capabilities = '1.3 7.5 9.0 12.0'
unset label 999
unset key
set xrange [0:1040]; set yrange [0:1.15]
between = narrow ? 256 : 128
set xtics between
set ytics (0, 0.5, 1)
set style fill solid 0.45 noborder
set boxwidth 22
set lmargin at screen left_at(0.085)
set rmargin at screen right_at(0.85)
set multiplot
do for [i = 1:4] {
  set tmargin at screen 0.985 - (i - 1) * 0.22
  set bmargin at screen 0.985 - (i - 1) * 0.22 - 0.18
  set format x (i == 4 ? '%g' : '')
  set xlabel (i == 4 ? 'threads per block' : '')
  if (i == 1) {
    set label 1 'occupancy' at screen left_at(0.018), screen 0.55 center rotate
  } else { unset label 1 }
  set label 2 'capability' at graph 1.02, graph 0.68 left font small \
    textcolor rgb colour_muted
  set label 3 word(capabilities, i) at graph 1.02, graph 0.42 left
  plot rows(file, 'capability=' . word(capabilities, i)) using \
    (column("block_threads")):(column("occupancy")) with boxes \
    linecolor rgb colour_1
}
unset multiplot
