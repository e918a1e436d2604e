# title: Wavefronts of an atomic request against the number of values
# data: bench/histogram/wavefronts.software.csv
figure_height = 300
load 'figures/common/style.gp'
names = 'wide columns_8 columns_32'
heads = '"1 counter" "8 counters" "32 counters"'
file = csv('histogram/wavefronts', 'software')

unset label 999
set logscale x 2
set xrange [1:270]
set xtics (1, 2, 4, 8, 16, 32, 64, 128, 256)
set yrange [0:3.6]
set lmargin at screen left_at(0.11); set rmargin at screen right_at(0.80)
set xlabel 'values that occur (logarithmic)'
set ylabel 'wavefronts per request'
unset key
last = ''
do for [i = 1:3] {
  at = 'version=' . word(names, i) . ' bins_used=256'
  last = last . sprintf(' %.4f', fraction( \
    real(cell(file, at, 'shared_atomic_wavefronts')) / \
    real(cell(file, at, 'shared_atomic_requests')), 0, 3.6))
}
ends = spread(last, 0.09)
do for [i = 1:3] {
  set label i word(heads, i) at graph 1.02, graph real(word(ends, i)) left \
    textcolor rgb colour(i)
}
plot for [i = 1:3] rows(file, 'version=' . word(names, i)) \
  using (column("bins_used")):(column("shared_atomic_wavefronts") / \
  column("shared_atomic_requests")) with linespoints linetype i
