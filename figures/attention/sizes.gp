# title: TFLOP/s of attention over the length of the sequence
# data: bench/attention/sizes.reference.csv
# data: bench/attention/library_sizes.reference.csv
figure_height = 370
load 'figures/common/style.gp'
own = csv('attention/sizes', machine)
library = csv('attention/library_sizes', machine)
set logscale x 2
# A little wider than the data, or rounding drops the last tick.
set xrange [1024:16400]
set yrange [0:*]
set xtics (1024, 2048, 4096, 8192, '16 384' 16384)
set xlabel 'rows of Q, K and V (logarithmic)'
set ylabel 'TFLOP/s'
set lmargin at screen left_at(0.11); set rmargin at screen right_at(0.97)
key_lines = 2; key_narrow_lines = 4
load 'figures/common/key.gp'
plot for [i = 1:2] rows(own, 'causal=0 version=' . \
    word('held turns', i) . ' d=' . word('128 64', i)) \
    using (column("n")):(column("tflop_per_s")) with linespoints \
    linecolor rgb role_gpu pointtype int(8 - i) \
    dashtype int(i) linewidth 2 title 'this chapter, d = ' . word('128 64', i), \
  for [i = 1:2] rows(library, 'version=cudnn causal=0 d=' . \
    word('128 64', i)) using (column("n")):(column("tflop_per_s")) \
    with linespoints linecolor rgb role_vendor \
    pointtype int(6 - i) pointsize 0.6 dashtype int(i) linewidth 2 \
    title 'cuDNN, d = ' . word('128 64', i)
