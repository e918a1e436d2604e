# title: Which multiprocessor ran which block, and when
# data: bench/hardware/blocks.h200.csv
figure_height = 600
load 'figures/common/style.gp'
file = csv('hardware/blocks', machine)
set border 3
set ytics scale 0
set ylabel 'multiprocessor'
set grid noytics xtics
# The first blocks, those after them, the last few: by their number.
n_sm = int(highest('hardware/blocks', 'multiprocessor')) + 1
few = n_sm < 32 ? n_sm : 32    # shown of the uneven launch
wave(b) = b < n_sm ? 1 : b < 2 * n_sm ? 2 : 3
ink_of(b) = int('0x' . (wave(b) == 1 ? colour_1 : wave(b) == 2 ? \
  colour_2 : colour_3)[2:7])
half(p) = p == 1 ? 0.5 : 0.4
set multiplot
set lmargin at screen 0.1; set rmargin at screen 0.97
do for [p = 1:2] {
  set tmargin at screen 0.955 - (p - 1) * 0.49
  set bmargin at screen 0.575 - (p - 1) * 0.49
  set label 1 (p == 1 ? 'every block stays equally long' : \
    sprintf('each block stays as long as a die says: the first %d multiprocessors', \
    few)) at graph 0, graph 1 \
    left offset 0, 0.7
  if (p == 2) { unset label 999; set xlabel 'time in µs' }
  set xrange [0:*]
  set yrange [(p == 1 ? n_sm : few) - 0.5:-0.5]
  set ytics 0, p == 1 ? 16 : 4
  plot rows(file, 'version=' . word('equal uneven', p)) using \
    (0):(column("multiprocessor")):(column("began_us")): \
    (column("ended_us")):(column("multiprocessor") - half(p)): \
    (column("multiprocessor") + half(p)):(ink_of(column("block"))) \
    with boxxyerror linecolor rgb variable notitle
}
unhalf(p) = p == 1 ? 0.5 : 0.4
set multiplot
