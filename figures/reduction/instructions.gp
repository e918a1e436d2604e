# title: Time of every version against the instructions of its warps
# data: bench/reduction/counts.reference.csv
# data: bench/reduction/ladder.reference.csv
figure_height = 420
load 'figures/common/style.gp'
ladder = csv('reduction/ladder', machine)
counts = csv('reduction/counts', machine)
names = 'interleaved strided sequential first_add last_warp all_unrolled ' . \
  'block_unrolled grid_stride ticket'
sides = 'right right right right right left left right right'
n = words(names)
# Warp instructions for 1024 numbers.
executed(i) = real(cell(counts, 'version=' . word(names, i) . ' level=1', \
  'warp_instructions')) / 1024
took(i) = real(cell(ladder, 'version=' . word(names, i), 'time_us')) / 1000
# 132 multiprocessors with 4 schedulers at 1.98 GHz, for 2^30 numbers.
issued(x) = x * 2.0 ** 20 / (132 * 4 * 1.98e6)

unset label 999
set logscale xy
set xrange [200:11000]
set yrange [0.5:14]
set xtics (250, 500, 1000, 2000, 4000, 8000)
set ytics (0.5, 1, 2, 5, 10)
set xlabel 'instructions of the warps for 1024 numbers (logarithmic)'
set ylabel 'time in ms (logarithmic)'
do for [i = 1:n] {
  if (word(sides, i) eq 'left') {
    set label i spaced(word(names, i)) at executed(i), took(i) left \
      offset 0.8, -0.5 font small textcolor rgb colour_ink
  } else {
    set label i spaced(word(names, i)) at executed(i), took(i) right \
      offset -0.8, 0.5 font small textcolor rgb colour_ink
  }
}
plot issued(x) with lines linecolor rgb colour_muted dashtype 2 notitle, \
  for [i = 1:n] '+' using (executed(i)):(took(i)) every ::0::0 with points \
  linecolor rgb colour_1 pointtype 7 pointsize 0.8 notitle
