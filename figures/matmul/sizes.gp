# title: Share of cuBLAS over the side of square matrices
# data: bench/matmul/sizes.reference.csv
figure_height = 340
load 'figures/common/style.gp'
# Filled and joined: sides that are a multiple of 4, which 16-byte loads need.
# Hollow: the others, for the snake.
kinds = 'snake patch'
even(n) = int(n) % 4 == 0
of(m, k) = rows(csv('matmul/sizes', word(machines, m)), \
  'version=' . word(kinds, k))
set logscale x 2
set xrange [220:9600]
set yrange [0:110]
set xtics ('256' 256, '512' 512, '1024' 1024, '2048' 2048, '4096' 4096, \
  '8192' 8192)
set xlabel 'side of the matrices (logarithmic)'
set ylabel 'share of cuBLAS in %'
set tmargin 1.8
set rmargin at screen right_at(0.90)
unset key
ends = ''
do for [k = 1:2] {
  ends = ends . sprintf(' %.4f', fraction(100 * real(cell(csv('matmul/sizes', \
    machine), 'n_rows=8192 version=' . word(kinds, k), 'share_of_cublas')), \
    0, 110))
}
do for [k = 1:2] {
  set label k word(kinds, k) at graph 1.02, graph real(word(ends, k)) left \
    textcolor rgb colour(k)
}
# How far the snake falls where a side is not a multiple of four.
sides = values(csv('matmul/sizes', machine), 'n_rows')
share(n) = 100 * real(cell(csv('matmul/sizes', machine), \
  sprintf('n_rows=%d version=snake', n), 'share_of_cublas'))
k = 10; named = 0
do for [i = 2:words(sides)] {
  n = int(word(sides, i)); before = int(word(sides, i - 1))
  if (!even(n) && even(before) && n < 1.1 * before) {
    set arrow k from before, share(before) to n, share(n) + 3 \
      size screen 0.012, 20 filled linecolor rgb colour_1 linewidth 1 \
      dashtype 2
    if (n > (narrow ? 2.5 : 1.1) * named) {
      set label k word(sides, i) at before, \
        share(n) + (share(before) - share(n)) * (narrow ? 0.3 : 0.5) \
        right offset -0.5, 0 font small textcolor rgb colour_1
      named = n
    }
    k = k + 1
  }
}
plot for [m = 1:n_machines] for [k = 1:2] of(m, k) using \
    (even(column("n_rows")) ? column("n_rows") : NaN): \
    (100 * column("share_of_cublas")) with linespoints \
    pointtype point(k) pointsize 0.8 linecolor rgb colour(k) \
    linewidth weight(m) * 0.7 dashtype dash(m), \
  for [m = 1:n_machines] of(m, 1) using \
    (even(column("n_rows")) ? NaN : column("n_rows")): \
    (100 * column("share_of_cublas")) with points pointtype 6 \
    pointsize 1 linecolor rgb colour_1 linewidth 1.5
