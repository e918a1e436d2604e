# title: Bandwidth of the versions against the number of values that occur
# data: bench/histogram/sweep.reference.csv
figure_height = 520
load 'figures/common/style.gp'
above = 'lanes wide columns_32 shared matched'
below = 'aggregated global'
file = csv('histogram/sweep', machine)
last(v) = real(cell(file, 'version=' . v . ' bins_used=256', 'gb_per_s'))
of(v, m) = rows(csv('histogram/sweep', word(machines, m)), 'version=' . v)

set logscale x 2
set xrange [0.95:270]
set lmargin at screen left_at(0.11); set rmargin at screen right_at(0.82)
unset key
high = highest('histogram/sweep', 'gb_per_s') * 1.06
set multiplot

set tmargin at screen 0.955; set bmargin at screen 0.44
set yrange [0:high]
set ylabel 'bandwidth in GB/s'
set xtics ('' 1, '' 2, '' 4, '' 8, '' 16, '' 32, '' 64, '' 128, '' 256)
ends = ''
do for [i = 1:5] {
  ends = ends . sprintf(' %.4f', fraction(last(word(above, i)), 0, high))
}
ends = spread(ends, 0.075)
do for [i = 1:5] {
  set label i spaced(word(above, i)) at graph 1.02, \
    graph real(word(ends, i)) left textcolor rgb (i < 5 ? colour(i) : \
    colour_ink)
}
plot for [m = 1:n_machines] for [i = 1:5] of(word(above, i), m) \
  using (column("bins_used")):(column("gb_per_s")) with linespoints \
  linecolor rgb (i < 5 ? colour(i) : colour_ink) \
  pointtype (i < 5 ? point(i) : 4) pointsize 0.6 linewidth weight(m) \
  dashtype dash(m)

do for [i = 1:5] { unset label i }
unset label 999
set tmargin at screen 0.39; set bmargin at screen 0.10
low = lowest('histogram/sweep', 'gb_per_s') / 1.3
high = 1.3 * real(cell(file, 'version=aggregated bins_used=1', 'gb_per_s'))
set logscale y
set yrange [low:high]
set ytics (1, 2, 5, 10, 20, 50)
set ylabel 'GB/s (logarithmic)'
set xtics (1, 2, 4, 8, 16, 32, 64, 128, 256)
set xlabel 'values that occur (logarithmic)'
ends = ''
do for [i = 1:2] {
  ends = ends . sprintf(' %.4f', fraction_log(last(word(below, i)), low, \
    high))
}
ends = spread(ends, 0.13)
do for [i = 1:2] {
  set label i word(below, i) at graph 1.02, graph real(word(ends, i)) left \
    textcolor rgb colour(i)
}
plot for [m = 1:n_machines] for [i = 1:2] of(word(below, i), m) \
  using (column("bins_used")):(column("gb_per_s")) with linespoints \
  linetype i linewidth weight(m) dashtype dash(m)
unset multiplot
