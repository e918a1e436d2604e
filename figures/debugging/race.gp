# title: Stores and loads of shared memory, without and with the barrier
# data: bench/debugging/race_access.software.csv
# data: bench/debugging/barrier_access.software.csv
figure_height = 420
load 'figures/common/style.gp'
unset label 999
# What block 0 did to its 64 words of shared memory: one column for each
# request, in the order of the run, one mark for each lane. In between are
# requests to global memory, which have a number and no mark.
set xrange [-0.7:7.7]; set yrange [-2:74]
set xtics 1
set ytics 0, 16, 64
set xlabel 'requests of the block, in order'
set ylabel 'word of shared memory'
set key at screen 0.5, screen 0.99 center top horizontal samplen 1
set grid noxtics
names = '"without the barrier" "with __syncthreads()"'
files = 'race barrier'
kinds = 'store load'
set multiplot
do for [p = 1:2] {
  set lmargin at screen p == 1 ? 0.085 : 0.565
  set rmargin at screen p == 1 ? 0.505 : 0.985
  set tmargin at screen 0.86
  set bmargin at screen 0.14
  file = csv('debugging/' . word(files, p) . '_access', 'software')
  set title word(names, p) offset 0, -0.4
  plot for [i = 1:2] rows(file, 'space=shared operation=' . word(kinds, i)) \
      using (column("request")):(column("address") / 4) with points \
      pointtype (i == 1 ? 5 : 7) pointsize 0.4 \
      linecolor rgb colour(3 - i) title word('stores loads', i), \
    for [i = 1:2] rows(file, 'space=shared lane=0 operation=' . \
      word(kinds, i)) using (column("request")):(71 - 4 * (i - 1)): \
      (sprintf('warp %d', column("warp"))) with labels font tiny \
      textcolor rgb colour(3 - i) notitle
  unset ylabel
  unset key
  set ytics format ''
}
unset multiplot
